"""The verbs. Heavy imports wait until a verb needs them, so that `--help` is quick."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.errors import InputError

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> bool:
    if asked:
        from grapher_jax import __version__

        typer.echo(__version__)
        raise typer.Exit
    return asked


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Graph-based reranking for retrieval-augmented generation."""


Embedder = Annotated[
    str, typer.Option(help="`offline`, or a sentence-transformers name or path.", metavar="NAME")
]
OwnEmbedder = Annotated[
    str | None,
    typer.Option(
        help="`offline`, or a sentence-transformers name or path; an index has its own.",
        metavar="NAME",
    ),
]
Alpha = Annotated[
    float | None,
    typer.Option(help="Weight kept on a candidate's own score, in (0, 1]; the ranker's default."),
]
Ranker = Annotated[str, typer.Option(help="base, gcs or ppr.", metavar="NAME")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Proximity = Annotated[
    str | None,
    typer.Option(
        help="Build the graph from these alone: foreign_key, link, shared_entity, chunk.",
        metavar="NAME,NAME",
    ),
]
Split = Annotated[str, typer.Option(help="Which qrels: the name of a file in qrels/.")]
Results = Annotated[int, typer.Option("-k", help="How many results.")]


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Where the page goes.")] = Path("demo-report.html"),
    embedder: Embedder = "offline",
    json: Json = False,
) -> None:
    """Index the sample database, answer its questions with and without the graph."""
    from grapher_jax.command_line import console
    from grapher_jax.demo import run_demo
    from grapher_jax.explain import render_page
    from grapher_jax.files import atomic_file

    if out.is_dir():
        raise InputError(f"{out}: is a folder; give a file")
    with console.progress("embedding tables") as progress:
        report = run_demo(embedder=embedder, progress=progress)
    with atomic_file(out) as temporary:
        temporary.write_text(render_page(report), encoding="utf-8")
    if json:
        console.print_json(report)
    else:
        console.print_demo(report)
        console.output.print(f"\nThe page: {out}", soft_wrap=True)


@app.command()
def index(
    source: Annotated[str, typer.Argument(help="A BEIR folder or a database URL.")],
    out: Annotated[Path, typer.Option(help="The index folder to write.")],
    embedder: Embedder = "offline",
    lexical: Annotated[str, typer.Option(help="rank-bm25.", metavar="NAME")] = "rank-bm25",
    store: Annotated[str, typer.Option(help="array.", metavar="NAME")] = "array",
    json: Json = False,
) -> None:
    """Make a corpus ready: embeddings, lexical weights, and metadata as arrays."""
    from grapher_jax.command_line import console
    from grapher_jax.index import STORES, Index, check_target

    check_target(out)
    if store not in STORES:
        raise InputError(f"store: {store!r} is unknown; use {', '.join(STORES)}")
    with console.progress("embedding objects") as progress:
        made = Index.from_source(source, embedder=embedder, lexical=lexical, progress=progress)
    made.save(out)
    summary = {
        "index": str(out),
        "objects": len(made.ids),
        "embedder": made.embedder.name,
        "proximities": made.graph.proximities(),
    }
    if json:
        console.print_json(summary)
    else:
        joined = ", ".join(made.graph.proximities()) or "nothing: its metadata has no relations"
        console.output.print(f"{out}: {len(made.ids)} objects, joined by {joined}", soft_wrap=True)


@app.command()
def search(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    question: Annotated[str, typer.Argument(help="What to look for.")],
    k: Results = 10,
    ranker: Ranker = "gcs",
    alpha: Alpha = None,
    explain: Annotated[bool, typer.Option(help="Say where each score came from.")] = False,
    json: Json = False,
) -> None:
    """Answer one question."""
    from grapher_jax.command_line import console
    from grapher_jax.index import Index
    from grapher_jax.rerank import Reranker

    reranker = Reranker(ranker=ranker, alpha=alpha)
    hits = Index.load(index).search(question, k=k, ranker=reranker)
    if not json:
        console.print_hits(hits, explain=explain)
        return
    results = []
    for hit in hits:
        result = {
            "rank": hit.rank,
            "id": hit.id,
            "score": hit.score,
            "base_rank": hit.base_rank,
            "base_score": hit.base_score,
            "title": hit.title,
            "text": hit.text,
            "metadata": dict(hit.metadata),
        }
        results.append(result | ({"explanation": hit.explanation.to_dict()} if explain else {}))
    console.print_json({"question": question, "ranker": ranker, "results": results})


@app.command()
def rerank(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    queries: Annotated[Path, typer.Option(help="A queries.jsonl in BEIR layout.")],
    out: Annotated[Path, typer.Option(help="The TREC run to write.")],
    ranker: Ranker = "gcs",
    alpha: Alpha = None,
    proximity: Proximity = None,
    k: Results = 200,
    run: Annotated[
        Path | None, typer.Option(help="Rerank this TREC run of another retriever.")
    ] = None,
    json: Json = False,
) -> None:
    """Rerank thousands of questions into a TREC run; interrupted, it goes on where it stopped."""
    from grapher_jax.command_line import console
    from grapher_jax.corpus import read_queries
    from grapher_jax.index import Index
    from grapher_jax.rerank import Reranker
    from grapher_jax.runs import read_run, rerank_run, rerank_settings

    reranker = Reranker(ranker=ranker, alpha=alpha, proximities=_names(proximity))
    opened = Index.load(index)
    if not queries.is_file():
        raise InputError(f"{queries}: no such file; give a queries.jsonl in BEIR layout")
    base_run = read_run(run) if run else None
    with console.progress("reranking queries") as progress:
        total = rerank_run(
            opened,
            read_queries(queries),
            out,
            reranker,
            k=k,
            base_run=base_run,
            settings=rerank_settings(index, queries, reranker, k=k, base_run=run),
            progress=progress,
        )
    if json:
        console.print_json({"run": str(out), "queries": total, "ranker": ranker})
    else:
        console.output.print(f"{out}: {total} queries", soft_wrap=True)


@app.command()
def evaluate(
    source: Annotated[str, typer.Argument(help="An index, or a BEIR folder.")],
    split: Split,
    ranker: Annotated[
        list[str] | None,
        typer.Option(help="base, gcs or ppr; may be given several times.", metavar="NAME"),
    ] = None,
    alpha: Alpha = None,
    proximity: Proximity = None,
    embedder: OwnEmbedder = None,
    json: Json = False,
) -> None:
    """Compare rankers on judged questions."""
    from grapher_jax.command_line import console
    from grapher_jax.evaluate import evaluate as compare
    from grapher_jax.index import open_source
    from grapher_jax.rerank import RANKERS, Reranker

    rerankers = [
        Reranker(ranker=name, alpha=alpha, proximities=_names(proximity))
        for name in ranker or RANKERS
    ]
    with console.progress("embedding objects") as progress:
        opened = open_source(source, embedder=embedder, progress=progress)
    with console.progress("embedding questions") as progress:
        dataset = Path(source).resolve().name
        report = compare(opened, split, rerankers, dataset=dataset, progress=progress)
    if json:
        console.print_json(report)
    else:
        console.print_evaluation(report)


@app.command()
def tune(
    folder: Annotated[str, typer.Argument(help="An index, or a BEIR folder.")],
    split: Split,
    proximity: Proximity = None,
    embedder: OwnEmbedder = None,
    picture: Annotated[Path, typer.Option(help="Where the picture goes, PNG or SVG.")] = Path(
        "alpha-grid.png"
    ),
    json: Json = False,
) -> None:
    """Try every α from 0.1 to 0.9 for GCS and PPR on a train split."""
    from grapher_jax.command_line import console
    from grapher_jax.evaluate import JudgedRun
    from grapher_jax.evaluate import tune as grid
    from grapher_jax.index import open_source
    from grapher_jax.pictures import check_picture, draw_alpha_grid

    check_picture(picture)
    with console.progress("embedding objects") as progress:
        opened = open_source(folder, embedder=embedder, progress=progress)
    with console.progress("embedding questions") as progress:
        judged = JudgedRun.retrieve(opened, split, progress=progress)
    report = grid(judged, proximities=_names(proximity))
    draw_alpha_grid(report, picture)
    if json:
        console.print_json(report)
    else:
        console.print_alpha_grid(report)
        console.output.print(f"\nThe picture: {picture}", soft_wrap=True)


def _names(listed: str | None) -> list[str] | None:
    return [name.strip() for name in listed.split(",")] if listed else None
