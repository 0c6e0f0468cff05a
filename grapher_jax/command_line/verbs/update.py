"""`grapher-jax update`: add, replace and delete objects of an index."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.given import key_settings, source_settings
from grapher_jax.command_line.options import (
    ChunkTokens,
    Copies,
    DbtManifest,
    Exclude,
    Include,
    InferKeys,
    Json,
    Keys,
    NoViews,
    OverlapTokens,
    QueriesFrom,
    Reader,
    Schema,
)
from grapher_jax.corpus.documents import BUILT_IN
from grapher_jax.corpus.inferred.stage import AUTO
from grapher_jax.errors import InputError


def update(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    add: Annotated[
        str | None,
        typer.Option(help="A source with objects to add, or to replace those with the same ids."),
    ] = None,
    delete: Annotated[
        list[str] | None, typer.Option(help="An object's id; may be given several times.")
    ] = None,
    chunk_tokens: ChunkTokens = None,
    overlap_tokens: OverlapTokens = None,
    reader: Reader = BUILT_IN,
    schema: Schema = None,
    include: Include = None,
    exclude: Exclude = None,
    no_views: NoViews = False,
    copies: Copies = False,
    infer_keys: InferKeys = AUTO,
    queries_from: QueriesFrom = None,
    dbt_manifest: DbtManifest = None,
    keys: Keys = None,
    json: Json = False,
) -> None:
    """Add, replace and delete objects of an index; unchanged objects are not embedded again.

    When a folder of documents is added, chunks that it no longer has are deleted. Tables that a
    database no longer has are told.
    """
    from grapher_jax.checks import shown
    from grapher_jax.command_line import console, contents, meter
    from grapher_jax.corpus import is_database, local_source, read_source
    from grapher_jax.index import rewrite
    from grapher_jax.index.following import gone_chunks, missing_tables, replaced_copies
    from grapher_jax.search import Index

    if add is not None and not add.strip():
        raise InputError("add: is empty; give a source, as for `index`, or leave it out")
    if add is None and not delete:
        raise InputError("update: nothing to do; give --add or --delete")
    reading = source_settings(
        chunk_tokens, overlap_tokens, reader, schema, include, exclude, no_views, copies
    )
    reading |= key_settings(infer_keys, queries_from, dbt_manifest, keys)
    with meter.progress("embedding objects") as progress:
        place = str(local_source(add)) if add else ""
        joining = [*read_source(place, **reading)] if add else []
        gone: list[str] = []
        missing: list[str] = []

        def change(found: Index) -> Index:
            gone[:] = gone_chunks(found, place, joining) if add else []
            leaving = dict.fromkeys([*(delete or []), *gone, *replaced_copies(found, joining)])
            chosen = include or exclude or schema or no_views or copies
            if add and is_database(place, reader) and not chosen:
                missing[:] = set(missing_tables(found, joining)) - {*leaving}
            return found.update(joining, delete=[*leaving], progress=progress)

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
