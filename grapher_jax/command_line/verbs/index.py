"""`grapher-jax index`: make a source ready for questions."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grapher_jax.command_line.given import check_engine, edges_of_file, listed_names
from grapher_jax.command_line.groups import RetrievalGroup, SourceKeysGroup, grouped
from grapher_jax.command_line.options import EdgesFile, Embedder, Engine, Json, Source

if TYPE_CHECKING:
    from grapher_jax.corpus import Object


@grouped
def index(
    source: Source,
    out: Annotated[Path, typer.Option(help="The index folder to write.")],
    reads: SourceKeysGroup,
    retrieves: RetrievalGroup,
    edges: EdgesFile = None,
    embedder: Embedder = "offline",
    query_adapter: Annotated[
        str,
        typer.Option(
            help="How `offline` reads questions: `tables`, by weights that learned from questions "
            "about tables, or `none`, as it reads objects.",
            metavar="NAME",
        ),
    ] = "none",
    lexical: Annotated[
        str, typer.Option(help="The BM25 library: rank-bm25 or bm25s.", metavar="NAME")
    ] = "rank-bm25",
    store: Annotated[
        str,
        typer.Option(
            help="The store for purely dense search: array, chroma, faiss, qdrant or lancedb.",
            metavar="NAME",
        ),
    ] = "array",
    lexical_variant: Annotated[
        str, typer.Option(help="The variant of BM25: bm25+, bm25l or okapi.", metavar="NAME")
    ] = "bm25+",
    language: Annotated[
        str | None,
        typer.Option(
            help="The language of the texts, as English name or ISO 639-1 code: BM25 then ignores "
            "stop words and compares word stems.",
            metavar="NAME",
        ),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option(
            help="What is searched besides title and text, any of: split (identifiers as words), "
            "people (`who` also asks for a user), prefix (drop the prefix that all names of a "
            "database share), database, schema, headings, neighbors (names of tables joined by "
            "keys), links (titles of linked objects), comments, types; empty for none. Tables: "
            "split,schema,neighbors,comments, and people where one database has users.",
            metavar="PART,PART",
        ),
    ] = None,
    reuse: Annotated[
        Path | None,
        typer.Option(help="Reuse the embeddings of unchanged texts from this index."),
    ] = None,
    engine: Engine = "local",
    json: Json = False,
) -> None:
    """Index a corpus: compute embeddings and word counts, and store metadata as arrays.

    After a stop, run the same command again to resume: embeddings are kept in `OUT.partial`.
    """
    from grapher_jax.command_line import console, contents, meter
    from grapher_jax.corpus import is_beir, local_source, read_source
    from grapher_jax.index import check_target
    from grapher_jax.index.embedding import kept_embeddings
    from grapher_jax.resume import partial_path
    from grapher_jax.retrieve import load_embedder
    from grapher_jax.retrieve.stores import check_store, require_store
    from grapher_jax.search import Index

    check_target(out)
    check_engine(engine)
    check_store(store)
    require_store(store)
    loaded, elsewhere = load_embedder(embedder), None
    if engine == "ray":
        from grapher_jax.runs.ray_embedding import ray_vectors

        # Its own name: a folder may be called as a published embedder is.
        elsewhere = ray_vectors(loaded.name)
    own_edges, known = edges_of_file(edges), Index.load(reuse) if reuse else None
    reading = reads.source_options()
    place = local_source(source)
    objects = [*read_source(place, **reading)]
    keeping = kept_embeddings(loaded, partial_path(out), elsewhere)
    with keeping as kept, meter.progress("embedding objects") as progress:
        made = Index.build(
            objects,
            embedder=kept,
            query_adapter=query_adapter,
            lexical=lexical,
            lexical_variant=lexical_variant,
            store=store,
            text=None if text is None else listed_names(text) or (),
            language=language,
            edges=own_edges,
            folder=place if is_beir(place) else None,
            reuse=known,
            progress=progress,
            **retrieves.finding(),
        )
        made.save(out)
    if kept.found:
        told = f"{kept.made} texts embedded; {kept.found} were, by a run that did not end"
        console.errors.print(told, soft_wrap=True)
    if language is None:
        contents.tell_language(made)
    _tell_tables(place, reads.reader, objects)
    contents.tell_inferred(out, made.objects, reads.infer_keys)
    contents.tell_idle_edges(made)
    contents.print_index(out, made, json=json)


def _tell_tables(source: str | Path, reader: str, objects: "Sequence[Object]") -> None:
    """Print on standard error if a folder's files were read as tables, and of copies of tables."""
    from grapher_jax.command_line import console, contents
    from grapher_jax.corpus import is_database
    from grapher_jax.corpus.database import table_files, told_of_files
    from grapher_jax.corpus.database.copies import copies_of

    if is_database(source, reader) and table_files(Path(source)):
        read = len(objects) + sum(len(copies_of(item)) for item in objects)
        told = f"{source}: {told_of_files(Path(source), read)}"
        console.errors.print(told, soft_wrap=True)
    contents.tell_copies(objects)
