"""`grapher-jax update`: add, replace and delete objects of an index."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.groups import SourceKeysGroup, grouped
from grapher_jax.command_line.options import Json
from grapher_jax.errors import InputError


@grouped
def update(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    reads: SourceKeysGroup,
    add: Annotated[
        str | None,
        typer.Option(help="A source with objects to add, or to replace those with the same ids."),
    ] = None,
    delete: Annotated[
        list[str] | None, typer.Option(help="An object's id; may be given several times.")
    ] = None,
    json: Json = False,
) -> None:
    """Add, replace and delete objects of an index; unchanged objects are not embedded again.

    When a folder of documents is added, chunks that it no longer has are deleted. Tables that a
    database no longer has are told. Entities and keywords of objects whose text stays are kept.
    """
    from grapher_jax.checks import shown
    from grapher_jax.command_line import console, contents, meter
    from grapher_jax.corpus import is_database, local_source, read_source
    from grapher_jax.index import rewrite
    from grapher_jax.index.following import (
        gone_chunks,
        missing_tables,
        replaced_copies,
        with_enrichment,
    )
    from grapher_jax.search import Index

    if add is not None and not add.strip():
        raise InputError("add: is empty; give a source, as for `index`, or leave it out")
    if add is None and not delete:
        raise InputError("update: nothing to do; give --add or --delete")
    reading = reads.source_options()
    with meter.progress("embedding objects") as progress:
        place = str(local_source(add)) if add else ""
        joining = [*read_source(place, **reading)] if add else []
        gone: list[str] = []
        missing: list[str] = []

        def change(found: Index) -> Index:
            gone[:] = gone_chunks(found, place, joining) if add else []
            leaving = dict.fromkeys([*(delete or []), *gone, *replaced_copies(found, joining)])
            if add and is_database(place, reads.reader) and not reads.chooses:
                missing[:] = set(missing_tables(found, joining)) - {*leaving}
            joined = with_enrichment(found, joining)
            return found.update(joined, delete=[*leaving], progress=progress)

        made = rewrite(Index, index, change)
    if gone:
        # They may come from another folder with the same name.
        told = f"{len(gone)} chunks that it lacks left the index (such as {shown(gone[0])})"
        console.errors.print(f"{add}: {told}", soft_wrap=True)
    if missing:
        # They may be of another database in the same index.
        told = f"{len(missing)} tables of the index are not in the database (such as "
        told += f"{shown(min(missing))}); --delete those that were dropped"
        console.errors.print(told, soft_wrap=True)
    contents.tell_copies(joining)
    contents.tell_inferred(index, joining)
    contents.print_index(index, made, json=json)
