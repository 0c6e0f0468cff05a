"""Keeps an index in step with its source: adds new objects and removes deleted ones."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np

from grapher_jax.checks import shown
from grapher_jax.corpus import Object, SourceOptions, is_beir, is_database, is_script, read_source
from grapher_jax.corpus.database import unreadable_tables
from grapher_jax.corpus.database.copies import copies_of
from grapher_jax.corpus.documents import BUILT_IN, RECORDS, is_document_file, is_read
from grapher_jax.corpus.keys import ENTITIES
from grapher_jax.corpus.objects import is_table
from grapher_jax.corpus.source import check_no_login
from grapher_jax.errors import InputError, warn
from grapher_jax.graph import EMPTY
from grapher_jax.index.data import IndexData, IndexT
from grapher_jax.index.storage import rewrite

# What `grapher_jax.enrich` adds.
_ENRICHED = (ENTITIES.name, "keywords", "amr")
# Half of a dump reads as a database with fewer tables.
_QUIET_SECONDS = 1.0


def gone_chunks(index: IndexData, source: str, objects: Sequence[Object]) -> list[str]:
    """The chunks of an index that are gone from their folder, alone or with their documents.

    Args:
        index: has the chunks of the folder, and possibly other objects.
        source: the folder of documents, or a single document or file of records; for other sources
            the result is empty.
        objects: the objects that the source has now, of documents or not.

    Raises:
        InputError: if the index has documents, but none of them is in the folder, or only others
            of the same names are, and most are not.
    """
    if not any("span" in item.metadata for item in objects) or is_beir(Path(source)):
        return []
    documents, places = (index.graph.numbers(name) for name in ("document_ids", "chunk_ids"))
    rows = np.flatnonzero((documents != EMPTY) & (places != EMPTY)).tolist()
    # One file says nothing of the others in its folder.
    own = f"{Path(source).name}#" if Path(source).is_file() else ""
    names = {name: row for row in rows if "#" in (name := index.ids[row]) and name.startswith(own)}
    there = {item.id for item in objects}
    kept = _unreadable(source, objects)
    gone = [
        name
        for name, row in names.items()
        if name not in there and _is_chunk(item := index.objects[row]) and not kept(item)
    ]
    if not gone:
        return []
    if not there.intersection(names):
        raise InputError(
            f"{source}: none of its documents is in the index, whose {len(gone)} chunks are of "
            f"others (such as {gone[0]!r}); give the folder that was indexed, or index this one "
            "on its own"
        )
    # A folder below the one that was indexed may have documents of the same names.
    files = {_file_of(item) for item in objects}
    lost = {_file_of(index.objects[names[name]]) for name in gone} - files
    known = {_file_of(index.objects[row]) for row in names.values()} & files
    same = (index.objects[names[one.id]].text == one.text for one in objects if one.id in names)
    if len(lost) > len(known) and not any(same):
        raise InputError(
            f"{source}: seems to be another folder than the one that was indexed: it lacks "
            f"{len(lost)} of the documents of the index (such as {min(lost)!r}), and none of its "
            "own is the same; give that folder, or index this one on its own"
        )
    return gone


def _unreadable(source: str, objects: Sequence[Object]) -> Callable[[Object], bool]:
    """Whether a chunk or table is of a file that is still there, but could not be read.

    Somebody else may be writing it; until it can be read, what it was stays.
    """
    folder = Path(source)
    read = {_file_of(item) for item in objects}

    @cache
    def is_there(file: str) -> bool:
        with suppress(OSError, ValueError):
            return (folder / file).stat().st_size > 0
        return False

    unreadable = cache(unreadable_tables)  # no header is read again unless a table is gone

    def kept(item: Object) -> bool:
        if is_table(item):
            unread = unreadable(folder).get(str(item.metadata.get("table")))
            return unread is not None and is_there(unread.name)
        return (file := _file_of(item)) != "" and file not in read and is_there(file)

    return kept


def _file_of(item: Object) -> str:
    """The file that a chunk was read from; empty for another object."""
    if "span" not in item.metadata:
        return ""
    # A record's document is `<file>#<record>`, and its file has an ending.
    name = str(item.metadata.get("document_id", ""))
    file = name.rpartition("#")[0]
    return file if file.lower().endswith(RECORDS) else name


def missing_tables(index: IndexData, objects: Sequence[Object]) -> list[str]:
    """The tables of an index that are not among the objects of a database that it has tables of.

    Raises:
        InputError: if tables of another database would be replaced: it has another name, at least
            as many other tables as some of the same names, and none of these is the same.
    """
    there = {item.id: item for item in objects}
    if there.keys().isdisjoint(index.ids):
        return []
    others = (row for row, name in enumerate(index.ids) if name not in there)
    missing = [index.ids[row] for row in others if is_table(index.objects[row])]
    alike = [(own, index[name]) for name, own in there.items() if name in index.rows]
    renamed = [own.id for own, one in alike if own.metadata.get("db") != one.metadata.get("db")]
    same = any(own.text == one.text for own, one in alike)
    if len(missing) >= len(alike) == len(renamed) and not same:
        raise InputError(
            f"{renamed[0]}: the index has a table of this name, but of the database "
            f"{shown(index[renamed[0]].metadata.get('db'))}; index the databases each on its own"
        )
    return missing


def replaced_copies(index: IndexData, objects: Sequence[Object]) -> list[str]:
    """The tables of an index for which one of the objects stands now."""
    names = (name for item in objects if is_table(item) for name in copies_of(item))
    return [
        name for name in names if name in index.rows and is_table(index.objects[index.rows[name]])
    ]


def with_enrichment(index: IndexData, objects: Sequence[Object]) -> list[Object]:
    """The objects of a source, with what enrichers had added to those whose title and text stay.

    An object that has entities itself, as in a folder that `enrich` wrote, keeps only its own.
    Warns of objects that are new or have changed and have none, if others have.
    """
    before = {item.id: index[item.id] for item in objects if item.id in index.rows}
    added = {key for item in before.values() for key in item.metadata if key in _ENRICHED}
    if not added:
        return [*objects]
    same = {
        item.id: {key: old.metadata[key] for key in added & old.metadata.keys()}
        for item in objects
        if (old := before.get(item.id)) and (old.title, old.text) == (item.title, item.text)
    }
    new = (item for item in objects if item.id not in same)
    if bare := [item.id for item in new if not added <= item.metadata.keys()]:
        told = f"{len(bare)} new or changed objects have no {' and '.join(sorted(added))}"
        cure = "enrich the source, and update from what that writes"
        warn(f"{told} (such as {shown(bare[0])}); {cure}")
    return [replace(item, metadata={**same.get(item.id, {}), **item.metadata}) for item in objects]


def _is_chunk(item: Object) -> bool:
    """Whether an object is a chunk made by `read_documents`."""
    own = (item.metadata.get(key) for key in ("document_id", "chunk_id"))
    return "span" in item.metadata and item.id == "#".join(map(str, own))


def follow(
    make: type[IndexT],
    source: str,
    path: Path,
    reading: SourceOptions,
    *,
    wait: Callable[[], None],
    updated: Callable[[IndexT], None],
    failed: Callable[[InputError], None],
) -> None:
    """Update a saved index whenever its source changes, as long as `wait` returns.

    Args:
        make: the class that opens the index.
        source: a folder, a file or a database; the index has exactly its objects.
        path: the path of the index.
        reading: how the source is read; the same options as for indexing.
        wait: waits until the next check.
        updated: called with the index, at the start and after each change.
        failed: called with the error if the source becomes unreadable; it is read again at the next
            check.

    Raises:
        InputError: if source or index cannot be read at the start, or have no object in common.
    """
    seen: object = None
    told = ""
    while True:
        try:
            found, read = _state(source, reading)
            if found != seen:
                objects = read()
                change = _begun if seen is None else _same
                updated(rewrite(make, path, partial(change, source=source, objects=objects)))
                seen = found
            told = ""
        except InputError as error:
            if seen is None:
                raise
            if str(error) != told:
                failed(error)
            told = str(error)
        wait()


def _state(source: str, reading: SourceOptions) -> tuple[object, Callable[[], list[Object]]]:
    """A value that changes with the source, and a function that returns the source's objects.

    The value is a database's content, or files with times and sizes.
    """
    file = Path(source)
    reader = reading.get("reader", BUILT_IN)
    if is_script(source) or is_document_file(file, reader):
        return _stamp(file), lambda: [*read_source(_written(file), **reading)]
    if is_database(source, reader):
        objects = [*read_source(source, **reading)]
        return objects, lambda: objects
    check_no_login(file)
    if not file.is_dir():
        raise InputError(f"source: there is no folder {shown(source)}; give one that is there")
    return [*_files(source)], lambda: [*read_source(source, **reading)]


def _stamp(file: Path) -> tuple[int, int]:
    """The time and size of a file; zeros if it is gone."""
    with suppress(OSError):
        found = file.stat()
        return found.st_mtime_ns, found.st_size
    return 0, 0


def _written(file: Path) -> str:
    """The path of a file, once nothing more has been written to it for a second."""
    seen = None
    while seen != (seen := _stamp(file)):
        time.sleep(_QUIET_SECONDS)
    return str(file)


def _files(folder: str) -> Iterator[tuple[str, int, int, int]]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if is_read(Path(place, name)))
        for name in sorted(files):
            file = Path(place, name)
            with suppress(OSError):  # if it is gone meanwhile
                found = file.stat()
                yield str(file), found.st_ino, found.st_mtime_ns, found.st_size


def _begun(index: IndexT, source: str, objects: Sequence[Object]) -> IndexT:
    """The index updated to exactly these objects, if it has any of them: else it is another's."""
    if set(index.ids).isdisjoint(item.id for item in objects):
        raise InputError(
            f"source: the index has none of its objects (but such as {index.ids[0]!r}); give the "
            "source that was indexed"
        )
    return _same(index, source, objects)


def _same(index: IndexT, source: str, objects: Sequence[Object]) -> IndexT:
    """The index updated to exactly these objects, and those of files that cannot be read now."""
    there, kept = {item.id for item in objects}, _unreadable(source, objects)
    gone = [
        name
        for row, name in enumerate(index.ids)
        if name not in there and not kept(index.objects[row])
    ]
    return index.update(with_enrichment(index, objects), delete=gone)
