"""`grapher-jax watch`: update an index whenever its source changes."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.groups import SourceKeysGroup, grouped
from grapher_jax.command_line.options import Json, Source


@grouped
def watch(
    source: Source,
    index: Annotated[Path, typer.Argument(help="The index folder made from the source.")],
    reads: SourceKeysGroup,
    every: Annotated[
        float, typer.Option(help="Seconds between two checks of the source.", min=0.1)
    ] = 2.0,
    json: Json = False,
) -> None:
    """Update an index when its source changes, until Ctrl-C; embed only changed objects.

    Give the same options with which the source was indexed.
    """
    import time

    from grapher_jax.command_line import console, contents
    from grapher_jax.command_line.printable import printable
    from grapher_jax.index.following import follow
    from grapher_jax.search import Index

    reading = reads.source_options()
    follow(
        Index,
        source,
        index,
        reading,
        wait=lambda: time.sleep(every),
        updated=lambda made: contents.print_index(index, made, json=json),
        failed=lambda error: console.errors.print(printable(str(error)), soft_wrap=True),
    )
