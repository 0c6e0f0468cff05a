"""`grapher-jax search`: search an index with one question."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.given import (
    choose_ranking,
    concept_names,
    given_finding,
    given_ranking,
    metadata_filter,
    ranking_name,
)
from grapher_jax.command_line.options import (
    Alpha,
    Base,
    Candidates,
    CrossEncoder,
    Expand,
    ExpandBy,
    Filter,
    Json,
    LexicalNorm,
    LexicalWeight,
    MaxDf,
    MinScore,
    Proximity,
    Ranker,
    Results,
    SystemName,
    Temperature,
    TitleWeight,
    Weight,
)
from grapher_jax.graph import MAX_DF


def search(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    question: Annotated[str, typer.Argument(help="The question to search for.")],
    k: Results = 10,
    min_score: MinScore = None,
    system: SystemName = None,
    cross_encoder: CrossEncoder = None,
    ranker: Ranker = None,
    alpha: Alpha = None,
    temperature: Temperature = None,
    proximity: Proximity = None,
    weight: Weight = None,
    filter: Filter = None,  # noqa: A002
    candidates: Candidates = None,
    lexical_weight: LexicalWeight = None,
    lexical_norm: LexicalNorm = None,
    title_weight: TitleWeight = None,
    expand: Expand = None,
    expand_by: ExpandBy = None,
    max_df: MaxDf = MAX_DF,
    base: Base = None,
    explain: Annotated[bool, typer.Option(help="Show where each score comes from.")] = False,
    json: Json = False,
) -> None:
    """Search an index with one question."""
    from grapher_jax.command_line import console
    from grapher_jax.rankers.running import check_k, check_min_score
    from grapher_jax.search import Index
    from grapher_jax.systems.notes import search_notes

    ranks = given_ranking(alpha, temperature, proximity, weight, max_df, base=base, index=index)
    finds = given_finding(candidates, lexical_weight, lexical_norm, title_weight, expand, expand_by)
    chosen = choose_ranking(system, k, ranker, ranks, finds, cross_encoder)
    opened, k, least = Index.load(index), check_k(k), check_min_score(min_score)
    named = ranking_name(chosen, system, opened) | concept_names(chosen, opened)
    chosen = chosen.over(opened)
    found = chosen.retrieve(opened, [question], filters=[metadata_filter(filter)])
    order = chosen.rank(opened, found, k=k)
    hits = chosen.reranker.hits(opened, found, order)[0].at_least(least)
    notes = search_notes(chosen, opened, found, order, name=named["ranker"], k=k)
    console.print_notes(notes)
    if not json:
        console.print_hits(hits, explain=explain)
        console.print_choice(named)
        console.print_concepts(named)
        return
    results = [hit.to_dict(explain=explain) for hit in hits]
    told = {"notes": notes} if notes else {}
    console.print_json({"question": question, **named, **told, "results": results})
