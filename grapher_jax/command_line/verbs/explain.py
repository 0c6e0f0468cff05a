"""`grapher-jax explain`: search with one question, and say why each result has its rank."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.given import check_page, concept_names, metadata_filter, ranking_name
from grapher_jax.command_line.groups import SystemGroup, grouped
from grapher_jax.command_line.options import Filter, Json, Results


@grouped
def explain(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    question: Annotated[str, typer.Argument(help="The question to search for.")],
    chosen_by: SystemGroup,
    k: Results = 10,
    filter: Filter = None,  # noqa: A002
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
    chosen = chosen_by.open(index, k=k)
    opened = Index.load(index)
    report = explain_question(
        opened, question, k=k, filter=metadata_filter(filter), system=chosen
    ) | ranking_name(chosen, chosen_by.system, opened)
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
