"""`grapher-jax index`: make a source ready for questions."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.options import (
    ChunkTokens,
    DbtManifest,
    Embedder,
    Exclude,
    Include,
    InferKeys,
    Json,
    Keys,
    NoViews,
    OverlapTokens,
    QueriesFrom,
    Schema,
    Source,
    listed_names,
    source_settings,
)


def index(
    source: Source,
    out: Annotated[Path, typer.Option(help="The index folder to write.")],
    chunk_tokens: ChunkTokens = None,
    overlap_tokens: OverlapTokens = None,
    schema: Schema = None,
    include: Include = None,
    exclude: Exclude = None,
    no_views: NoViews = False,
    infer_keys: InferKeys = "auto",
    queries_from: QueriesFrom = None,
    dbt_manifest: DbtManifest = None,
    keys: Keys = None,
    embedder: Embedder = "offline",
    lexical: Annotated[str, typer.Option(help="rank-bm25 or bm25s.", metavar="NAME")] = "rank-bm25",
    store: Annotated[
        str, typer.Option(help="array, chroma, faiss, qdrant or lancedb.", metavar="NAME")
    ] = "array",
    text: Annotated[
        str,
        typer.Option(
            help="What is searched beside title and text, some of: split (identifiers as words), "
            "database, schema, neighbors (names of tables joined by keys), comments, types.",
            metavar="PART,PART",
        ),
    ] = "",
    reuse: Annotated[
        Path | None,
        typer.Option(help="Take the embeddings of unchanged texts from this index."),
    ] = None,
    json: Json = False,
) -> None:
    """Make a corpus ready: embeddings, lexical weights, and metadata as arrays."""
    from grapher_jax.command_line import console
    from grapher_jax.index import check_target
    from grapher_jax.retrieve.stores import check_store, require_store
    from grapher_jax.search import Index

    check_target(out)
    check_store(store)
    require_store(store)
    known = Index.load(reuse) if reuse else None
    options = source_settings(chunk_tokens, overlap_tokens, schema, include, exclude, no_views)
    options |= {
        "infer_keys": infer_keys,
        "queries_from": queries_from,
        "dbt_manifest": dbt_manifest,
        "keys": keys,
    }
    with console.progress("embedding objects") as progress:
        made = Index.from_source(
            source,
            embedder=embedder,
            lexical=lexical,
            store=store,
            text=listed_names(text) or (),
            reuse=known,
            progress=progress,
            **options,
        )
    made.save(out)
    console.tell_inferred(out, made)
    console.print_index(out, made, json=json)
