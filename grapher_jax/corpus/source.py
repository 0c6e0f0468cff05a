"""Whatever a user points at, as objects, queries and judgements."""

from collections.abc import Iterator
from pathlib import Path

from grapher_jax.checks import check_path
from grapher_jax.corpus.beir import is_beir, read_objects
from grapher_jax.corpus.database import read_database
from grapher_jax.corpus.documents import (
    CHUNK_TOKENS,
    OVERLAP_TOKENS,
    holds_documents,
    read_documents,
)
from grapher_jax.corpus.objects import Object
from grapher_jax.errors import InputError


def is_url(source: str | Path) -> bool:
    """Whether a source is a database's URL, not a folder."""
    return isinstance(source, str) and "://" in source


def read_source(
    source: str | Path, *, chunk_tokens: int = CHUNK_TOKENS, overlap_tokens: int = OVERLAP_TOKENS
) -> Iterator[Object]:
    """Stream the objects of a database URL, a BEIR folder or a folder of documents.

    Args:
        source: the URL or the folder.
        chunk_tokens: of documents, see `read_documents`.
        overlap_tokens: of documents, see `read_documents`.

    Raises:
        InputError: where the source is none of them, is missing, or cannot be read.
    """
    if is_url(source):
        return read_database(str(source))
    path = check_path("source", source)
    if not path.exists():
        raise InputError(
            f"{source}: no such folder; give a BEIR folder, a folder of documents or a database URL"
        )
    if not path.is_dir():
        raise InputError(
            f"{source}: not a BEIR folder or a folder of documents; "
            "a database is given as a URL, such as sqlite:///shop.db"
        )
    if is_beir(path):
        return read_objects(path)
    # A website has a manifest too.
    if (path / "manifest.json").is_file() and not holds_documents(path):
        raise InputError(f"{source}: is an index already; give its source")
    return read_documents(path, chunk_tokens=chunk_tokens, overlap_tokens=overlap_tokens)
