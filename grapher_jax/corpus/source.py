"""Reads any source that a user names, as objects, queries and judgements."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TypedDict

from grapher_jax.checks import check_path, check_unused, shown
from grapher_jax.corpus.beir import is_beir, read_objects
from grapher_jax.corpus.database import (
    Choice,
    is_script,
    is_sqlite,
    read_database,
    table_files,
)
from grapher_jax.corpus.documents import (
    BUILT_IN,
    CHUNK_TOKENS,
    OVERLAP_TOKENS,
    RECORDS,
    DocumentChoice,
    check_reader,
    holds_documents,
    is_document_file,
    is_of_beir,
    read_documents,
    writings,
)
from grapher_jax.corpus.inferred.stage import (
    AUTO,
    NEVER,
    PARTS,
    KeyChoice,
    with_inferred_keys,
)
from grapher_jax.corpus.objects import Object
from grapher_jax.corpus.public_sets import local_source
from grapher_jax.errors import InputError

# A user with a password, as in a URL; a drive of Windows has one letter.
_LOGIN = re.compile(r"..:.*(?:@|%40)", re.DOTALL)


class SourceOptions(TypedDict, total=False):
    """The options of `read_source`."""

    chunk_tokens: int
    overlap_tokens: int
    reader: str
    schemas: Sequence[str]
    include: Sequence[str]
    exclude: Sequence[str]
    views: bool
    copies: bool
    infer_keys: str
    queries_from: str | Path | None
    dbt_manifest: str | Path | None
    keys: str | Path | None


def is_database(source: str | Path, reader: str = BUILT_IN) -> bool:
    """Whether a source is the URL or the file of a database, a file of SQL, or a folder of tables.

    Args:
        source: what a user names.
        reader: that of documents: a folder with any of them is none of tables.
    """
    return isinstance(source, str | Path) and (
        "://" in str(source)
        or is_script(source)
        or is_sqlite(source)
        or _holds_tables(Path(source), reader)
    )


def _holds_tables(folder: Path, reader: str) -> bool:
    return (
        len(table_files(folder)) > 1
        and not is_beir(folder)
        and not (folder / "manifest.json").is_file()  # an index has files of Parquet
        and not holds_documents(folder, check_reader(reader))
    )


def check_no_login(path: Path) -> None:
    """Raise InputError for a misspelt URL with a password that is taken for a path, unshown."""
    if _LOGIN.search(str(path)) and not path.exists():
        raise InputError(
            "a database URL is malformed; write it like postgresql://user:password@host/shop"
        )


def check_no_url(path: Path) -> None:
    """Raise InputError for a path that was made of a database's URL, without showing the URL."""
    scheme = path.parts[0] if path.parts else ""
    if scheme.endswith(":") and len(scheme) > len("C:"):
        raise InputError(
            f"{scheme}//…: a database is no index; make one by `grapher-jax index URL --out FOLDER`"
            ", or read the database by Index.from_source"
        )
    check_no_login(path)


def read_source(
    source: str | Path,
    *,
    chunk_tokens: int = CHUNK_TOKENS,
    overlap_tokens: int = OVERLAP_TOKENS,
    reader: str = BUILT_IN,
    schemas: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    views: bool = True,
    copies: bool = False,
    infer_keys: str = AUTO,
    queries_from: str | Path | None = None,
    dbt_manifest: str | Path | None = None,
    keys: str | Path | None = None,
) -> Iterator[Object]:
    """Stream the objects of a database, a folder of tables, documents or BEIR, or a public set.

    Args:
        source: the URL of a database, a SQLite file, a file `*.sql` of a schema, the folder, a
            document or file of records (one of `RECORDS`), or `ir_datasets:NAME` or
            `datasets:NAME`, see `local_source`.
        chunk_tokens: for documents, see `read_documents`.
        overlap_tokens: for documents, see `read_documents`.
        reader: for documents, see `read_documents`.
        schemas: for a database, see `read_database`.
        include: for a database, see `read_database`.
        exclude: for a database, see `read_database`.
        views: for a database, see `read_database`.
        copies: for a database, see `read_database`.
        infer_keys: for tables, see `read_database`; for those of a BEIR folder, whose metadata has
            their keys, `auto` means `parts`.
        queries_from: for tables, see `read_database`.
        dbt_manifest: for tables, see `read_database`.
        keys: for tables, see `read_database`.

    Raises:
        InputError: if the source is none of these, is missing, or cannot be read; if one of
            `schemas` to `copies` is given for anything but a database, one of the options after
            them for documents, or one of those before them for anything else.
    """
    source = local_source(source)
    choice = Choice.checked(schemas, include, exclude, views, copies)
    key_choice = KeyChoice.checked(infer_keys, queries_from, dbt_manifest, keys)
    documents = DocumentChoice(chunk_tokens, overlap_tokens, reader)
    if is_database(source, reader):
        check_unused(documents, "for documents alone, and this source has tables")
        return read_database(
            str(source),
            schemas=schemas,
            include=include,
            exclude=exclude,
            views=views,
            copies=copies,
            infer_keys=infer_keys,
            queries_from=queries_from,
            dbt_manifest=dbt_manifest,
            keys=keys,
        )
    path = _folder(source, documents.reader)
    check_unused(choice, f"for databases alone, and {shown(source)} is none")
    if is_beir(path):
        check_unused(documents, f"for documents alone, and {shown(source)} is a BEIR folder")
        return _of_folder(path, key_choice)
    check_unused(key_choice, f"for tables alone, and {shown(source)} has none")
    # Websites have a file with this name, too.
    if (path / "manifest.json").is_file() and not holds_documents(path, reader):
        raise InputError(f"{source}: is an index already; give its source")
    return read_documents(
        path, chunk_tokens=chunk_tokens, overlap_tokens=overlap_tokens, reader=reader
    )


def _folder(source: str | Path, reader: str) -> Path:
    path = check_path("source", source)
    check_no_login(path)
    if not path.exists():
        raise InputError(
            f"{source}: no such folder; give a BEIR folder, a folder of documents or of tables, a "
            "database URL, a SQLite file, a file *.sql, ir_datasets:NAME or datasets:NAME"
        )
    if not path.is_dir() and not is_document_file(path, reader):
        read = dict.fromkeys((*writings(reader), *RECORDS))
        raise InputError(
            f"{source}: a file; give the folder that contains the documents, "
            "a database as a URL, such as sqlite:///shop.db, or its schema as a file *.sql; "
            f"documents and records as files {', '.join(read)}"
        )
    if path.is_file() and is_of_beir(path):
        raise InputError(
            f"{source}: its lines have `_id` and `text`, as in a BEIR folder; call it corpus.jsonl "
            "and give its folder, or call `_id` another name to read it as records"
        )
    return path


def _of_folder(path: Path, keys: KeyChoice) -> Iterator[Object]:
    objects = read_objects(path)
    first = next(objects, None)
    if first is None:
        return objects
    every = chain([first], objects)
    # A BEIR folder already has keys, so only keys between unconnected parts may be missing.
    mode = PARTS if "table" in first.metadata else NEVER
    wanted = replace(keys, infer_keys=mode) if keys.infer_keys == AUTO else keys
    return iter(with_inferred_keys([*every], wanted)) if wanted.finds_any else every
