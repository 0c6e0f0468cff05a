"""`grapher-jax update`: an index, kept up to date."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.options import (
    DbtManifest,
    Exclude,
    Include,
    InferKeys,
    Json,
    Keys,
    NoViews,
    QueriesFrom,
    Schema,
    key_settings,
    source_settings,
)
from grapher_jax.errors import InputError


def update(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    add: Annotated[
        str | None,
        typer.Option(help="A source whose objects join the index or replace those of their ids."),
    ] = None,
    delete: Annotated[
        list[str] | None, typer.Option(help="The id of an object; may be given several times.")
    ] = None,
    schema: Schema = None,
    include: Include = None,
    exclude: Exclude = None,
    no_views: NoViews = False,
    infer_keys: InferKeys = "auto",
    queries_from: QueriesFrom = None,
    dbt_manifest: DbtManifest = None,
    keys: Keys = None,
    json: Json = False,
) -> None:
    """Add, replace and delete objects of an index; what stays is not embedded again."""
    from grapher_jax.command_line import console, meter
    from grapher_jax.corpus import is_beir, read_source
    from grapher_jax.index import rewrite
    from grapher_jax.search import Index

    if add is None and not delete:
        raise InputError("update: nothing to do; give --add or --delete")
    if add is not None and "://" not in add and not is_beir(Path(add)) and Path(add).is_dir():
        raise InputError(
            f"{add}: chunks and links depend on the whole folder of documents; run: "
            f"grapher-jax index FOLDER --out {index} --reuse {index}"
        )
    reading = source_settings(None, None, schema, include, exclude, no_views)
    reading |= key_settings(infer_keys, queries_from, dbt_manifest, keys)
    with meter.progress("embedding objects") as progress:
        joining = [*read_source(add, **reading)] if add else []

        def change(found: Index) -> Index:
            return found.update(joining, delete=delete or [], progress=progress)

        made = rewrite(Index, index, change)
    console.print_index(index, made, json=json)
