"""`grapher-jax search`: search an index with one question."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.given import concept_names, metadata_filter, ranking_name
from grapher_jax.command_line.groups import SystemGroup, grouped
from grapher_jax.command_line.options import Filter, Json, MinScore, Results


@grouped
def search(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    question: Annotated[str, typer.Argument(help="The question to search for.")],
    chosen_by: SystemGroup,
    k: Results = 10,
    min_score: MinScore = None,
    filter: Filter = None,  # noqa: A002
    explain: Annotated[bool, typer.Option(help="Show where each score comes from.")] = False,
    json: Json = False,
) -> None:
    """Search an index with one question."""
    from grapher_jax.command_line import console
    from grapher_jax.rankers.running import check_k, check_min_score
    from grapher_jax.search import Index
    from grapher_jax.systems.notes import search_notes

    chosen = chosen_by.open(index, k=k)
    opened, k, least = Index.load(index), check_k(k), check_min_score(min_score)
    named = ranking_name(chosen, chosen_by.system, opened) | concept_names(chosen, opened)
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
