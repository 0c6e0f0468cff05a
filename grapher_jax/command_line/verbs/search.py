"""`grapher-jax search`: one question."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.options import (
    Alpha,
    CrossEncoder,
    Expand,
    ExpandBy,
    Filter,
    Json,
    MaxDf,
    Proximity,
    Ranker,
    Results,
    SystemName,
    choose_ranking,
    concept_names,
    metadata_filter,
    ranking_name,
)
from grapher_jax.graph import MAX_DF


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
    from grapher_jax.search import Index

    chosen = choose_ranking(
        system, k, ranker, alpha, proximity, expand, expand_by, max_df, cross_encoder
    )
    opened = Index.load(index)
    hits = opened.search(question, k=k, filter=metadata_filter(filter), system=chosen)
    if not json:
        console.print_hits(hits, explain=explain)
        console.print_concepts(concept_names(chosen, opened))
        return
    results = [hit.to_dict(explain=explain) for hit in hits]
    named = ranking_name(chosen, system) | concept_names(chosen, opened)
    console.print_json({"question": question, **named, "results": results})
