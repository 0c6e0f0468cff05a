"""`grapher-jax watch`: update an index whenever its source changes."""

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
    Source,
)
from grapher_jax.corpus.documents import BUILT_IN
from grapher_jax.corpus.inferred.stage import AUTO


def watch(
    source: Source,
    index: Annotated[Path, typer.Argument(help="The index folder made from the source.")],
    every: Annotated[
        float, typer.Option(help="Seconds between two checks of the source.", min=0.1)
    ] = 2.0,
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
    """Update an index when its source changes, until Ctrl-C; embed only changed objects.

    Give the same options with which the source was indexed.
    """
    import time

    from grapher_jax.command_line import console, contents
    from grapher_jax.command_line.printable import printable
    from grapher_jax.index.following import follow
    from grapher_jax.search import Index

    reading = source_settings(
        chunk_tokens, overlap_tokens, reader, schema, include, exclude, no_views, copies
    )
    reading |= key_settings(infer_keys, queries_from, dbt_manifest, keys)
    follow(
        Index,
        source,
        index,
        reading,
        wait=lambda: time.sleep(every),
        updated=lambda made: contents.print_index(index, made, json=json),
        failed=lambda error: console.errors.print(printable(str(error)), soft_wrap=True),
    )
