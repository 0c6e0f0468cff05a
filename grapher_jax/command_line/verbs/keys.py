"""`grapher-jax keys`: list the foreign keys of an index, and where each comes from."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.options import Json


def keys(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    json: Json = False,
) -> None:
    """List the foreign keys that join tables, declared or inferred, with the evidence."""
    from grapher_jax.command_line import console
    from grapher_jax.corpus.inferred.listing import listed_keys
    from grapher_jax.search import Index

    found = listed_keys(Index.load(index).objects)
    if json:
        console.print_json([{"table": key.table, **key.record} for key in found])
    else:
        console.print_keys(list(found))
