"""`grapher-jax compact`: the parts of an index, written as one."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.options import Json


def compact(
    index: Annotated[Path, typer.Argument(help="An index folder.")], json: Json = False
) -> None:
    """Write an index as one part again, after many updates; what was deleted leaves the disk."""
    from grapher_jax.command_line import console
    from grapher_jax.index import merged, rewrite
    from grapher_jax.search import Index

    made = rewrite(Index, index, merged)
    console.print_index(index, made, json=json)
