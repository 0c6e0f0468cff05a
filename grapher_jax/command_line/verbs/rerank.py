"""`grapher-jax rerank`: thousands of questions, into a run."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.options import (
    Alpha,
    CrossEncoder,
    Expand,
    ExpandBy,
    Json,
    MaxDf,
    Proximity,
    Ranker,
    Results,
    SystemName,
    choose_ranking,
    concept_names,
    ranking_name,
)
from grapher_jax.errors import InputError
from grapher_jax.graph import MAX_DF


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
    chosen = choose_ranking(
        system, k, ranker, alpha, proximity, expand, expand_by, max_df, cross_encoder
    )
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
        named = ranking_name(chosen, system) | concept_names(chosen, opened)
        console.print_json({"run": str(out), "queries": total, **named})
    else:
        console.output.print(f"{out}: {total} queries", soft_wrap=True)
        console.print_concepts(concept_names(chosen, opened))
