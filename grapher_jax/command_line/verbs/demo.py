"""`grapher-jax demo`: the sample database, reranked."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.given import check_page
from grapher_jax.command_line.options import Embedder, Json


def demo(
    out: Annotated[Path, typer.Option(help="The HTML file to write.")] = Path("demo-report.html"),
    embedder: Embedder = "offline",
    json: Json = False,
) -> None:
    """Index the sample database, and search it with and without the graph."""
    from grapher_jax.command_line import console, meter
    from grapher_jax.demo import run_demo
    from grapher_jax.explain import render_page
    from grapher_jax.files import atomic_file

    check_page(out)
    with meter.progress("embedding tables") as progress:
        report = run_demo(embedder=embedder, progress=progress)
    with atomic_file(out) as temporary:
        temporary.write_text(render_page(report), encoding="utf-8")
    if json:
        console.print_json(report)
    else:
        console.print_demo(report)
        console.output.print(f"\nThe page: {out}", soft_wrap=True)
