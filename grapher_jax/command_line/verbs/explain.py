"""`grapher-jax explain`: search with one question, and say why each result has its rank."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.given import (
    check_page,
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
    Proximity,
    Ranker,
    Results,
    SystemName,
    Temperature,
    TitleWeight,
    Weight,
)
from grapher_jax.graph import MAX_DF


def explain(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    question: Annotated[str, typer.Argument(help="The question to search for.")],
    k: Results = 10,
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
    out: Annotated[
        Path | None, typer.Option(help="Write an HTML page with the graph.", metavar="PAGE")
    ] = None,
    json: Json = False,
) -> None:
    """Search with one question; show which candidates raised each result, by what and how much."""
    from grapher_jax.command_line import console
    from grapher_jax.explain import explain_question, render_page
    from grapher_jax.files import atomic_file
    from grapher_jax.search import Index

    if out is not None:
        check_page(out)
    ranks = given_ranking(alpha, temperature, proximity, weight, max_df, base=base, index=index)
    finds = given_finding(candidates, lexical_weight, lexical_norm, title_weight, expand, expand_by)
    chosen = choose_ranking(system, k, ranker, ranks, finds, cross_encoder)
    opened = Index.load(index)
    report = explain_question(
        opened, question, k=k, filter=metadata_filter(filter), system=chosen
    ) | ranking_name(chosen, system, opened)
    if out is not None:
        with atomic_file(out) as temporary:
            temporary.write_text(render_page(report), encoding="utf-8")
    if json:
        console.print_json(report)
        return
    console.print_explanation(report)
    console.print_choice(report)
    console.print_concepts(concept_names(chosen, opened))
    if out is not None:
        console.output.print(f"\nThe page: {out}", soft_wrap=True)
