"""Whatever a user points at, as objects, queries and judgements."""

from collections.abc import Iterator
from pathlib import Path

from grapher_jax.corpus.beir import is_beir, read_objects
from grapher_jax.corpus.database import read_database
from grapher_jax.corpus.objects import Object
from grapher_jax.errors import InputError


def read_source(source: str) -> Iterator[Object]:
    """Stream the objects of a database URL or a BEIR folder.

    Raises:
        InputError: where the source is neither, is missing, or cannot be read.
    """
    if "://" in source:
        return read_database(source)
    path = Path(source)
    if not path.exists():
        raise InputError(f"{source}: no such folder; give a BEIR folder or a database URL")
    if (path / "manifest.json").is_file() and not is_beir(path):
        raise InputError(f"{source}: is an index already; give its source")
    if not path.is_dir() or not is_beir(path):
        raise InputError(
            f"{source}: not a BEIR folder (it has no corpus.jsonl); "
            "a database is given as a URL, such as sqlite:///shop.db"
        )
    return read_objects(path)
