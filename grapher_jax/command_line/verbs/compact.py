"""`grapher-jax compact`: merge the parts of an index into one."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.options import Json


def compact(
    index: Annotated[Path, typer.Argument(help="An index folder.")], json: Json = False
) -> None:
    """Merge the parts that updates added to an index, and remove deleted objects from disk."""
    from grapher_jax.command_line import contents
    from grapher_jax.index import merged, rewrite
    from grapher_jax.search import Index

    made = rewrite(Index, index, merged)
    contents.print_index(index, made, json=json)
