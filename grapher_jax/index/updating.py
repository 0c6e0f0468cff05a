"""Adds, replaces and deletes objects of an index; texts that stay are not embedded anew."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress
from typing import TYPE_CHECKING, overload

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.checks import check_list, check_names, near_name, shown
from grapher_jax.corpus import Object, check_object
from grapher_jax.corpus.searchable import (
    NAMING,
    PREFIX,
    prefixes_of,
    searchable_texts,
    tables_of,
)
from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.graph import GraphArrays, Metadata
from grapher_jax.graph.names import AllNamed, joined, letters, names_in, only
from grapher_jax.graph.stacked import Stacked
from grapher_jax.index.embedding import embed
from grapher_jax.index.mentions import Update, updated_mentions
from grapher_jax.index.objects import StackedObjects
from grapher_jax.index.parts import DATABASES, TABLES, named_from, names_of
from grapher_jax.retrieve.embedders import Progress

if TYPE_CHECKING:
    from grapher_jax.index.data import IndexT


def update(
    index: "IndexT", objects: Iterable[Object], delete: Collection[str], progress: Progress
) -> "IndexT":
    """The updated index; see `IndexData.update`."""
    deleted = frozenset(_of_documents(index, check_names("delete", delete, of="ids")))
    joining = _joining(index, objects, deleted)
    leaving = [name for name in chain(deleted, joining) if name in index.rows]
    if not joining and not leaving:
        return index
    if len(leaving) == len(index) and not joining:
        raise InputError("the corpus is empty; give it at least one object")
    gone = np.sort(np.array([index.rows[name] for name in leaving], np.int64))
    named = named_from(index)
    added, texts, known = _texts(index, gone, [*joining.values()], named)
    if added:
        _check_model(index)
    # An object whose text changes with another one moves to the end together with it.
    beside = np.array([index.rows[item.id] for item in added[len(joining) :]], np.int64)
    gone = np.sort(np.concatenate([gone, beside]))
    words = [*map(index.lexical.reading.words, texts)]
    vectors = embed(words, index.embedder, known, progress)
    embeddings = Stacked.of(index.embeddings).changed(gone, vectors)
    stacked = StackedObjects.of(index.objects).changed(gone, added)
    staying = np.ones(len(index), bool)
    staying[gone] = False
    ids = [*compress(index.ids, staying), *(item.id for item in added)]
    parts = [] if index.named is None else [*index.named]
    change = Update(index.graph, named, np.flatnonzero(staying), added)
    named = only(named, change.staying)
    if added:
        parts.append(names_of(added, index.edges, index.text))
        named = joined([named, parts[-1]])
    every = Metadata(ids, _MetadataOf(stacked))
    lexical = index.lexical.changed(gone, texts)
    graph = GraphArrays.resolved(every, named, edges=index.edges, vectors=embeddings)
    return replace(
        index,
        ids=ids,
        objects=stacked,
        embeddings=embeddings,
        lexical=lexical,
        graph=updated_mentions(change, graph, stacked, named, lexical),
        nearest=None,
        named=None if index.named is None else parts,
        deleted=(index.deleted | deleted).difference(joining),
    )


def _check_model(index: "IndexT") -> None:
    """Raise InputError if the embedder has another name than the one that built the index."""
    if index.embedded_by != index.embedder.name:
        raise InputError(
            f"embedder: the index was built with {index.embedded_by!r}, not "
            f"{index.embedder.name!r}; update it with that one, since embeddings of one model mean "
            "nothing to another, or build it anew"
        )


class _MetadataOf(Sequence[Mapping[str, Json]]):
    """The metadata of objects, read on demand."""

    def __init__(self, objects: StackedObjects) -> None:
        """Read nothing yet."""
        self._objects = objects

    def __len__(self) -> int:
        return len(self._objects)

    def __iter__(self) -> Iterator[Mapping[str, Json]]:
        return self._objects.metadata

    @overload
    def __getitem__(self, row: int) -> Mapping[str, Json]: ...
    @overload
    def __getitem__(self, row: slice) -> list[Mapping[str, Json]]: ...
    def __getitem__(self, row: int | slice) -> Mapping[str, Json] | list[Mapping[str, Json]]:
        if isinstance(row, slice):
            return [item.metadata for item in self._objects[row]]
        return self._objects[row].metadata


def _of_documents(index: "IndexT", names: Collection[str]) -> Iterator[str]:
    """The ids, and in place of a document's, or of a file's of records, those of its chunks."""
    chunks: dict[str, list[str]] = {name: [] for name in names if name not in index.rows}
    for own in index.ids if chunks else ():
        document = own.rpartition("#")[0]
        for name in (document, document.rpartition("#")[0]):
            if name in chunks and "span" in index.objects[index.rows[own]].metadata:
                chunks[name].append(own)
    for name in names:
        yield from chunks.get(name) or [name]


def _joining(
    index: "IndexT", objects: Iterable[Object], deleted: Collection[str]
) -> dict[str, Object]:
    """The new and changed objects, by id.

    Raises:
        InputError: for bad objects, and ids that cannot be deleted.
    """
    joining: dict[str, Object] = {}
    for number, item in enumerate(check_list("objects", objects, of="objects"), start=1):
        checked = check_object(item, f"object {number}")
        if checked.id in joining:
            raise InputError(f"objects: duplicate id {item.id!r}; ids must be unique")
        joining[checked.id] = checked
    for name in deleted:
        if name in joining:
            raise InputError(f"delete: {shown(name)} is to be added too; leave it out")
        if name not in index.rows:
            cure = near_name(name, index.ids, "leave it out")
            raise InputError(f"delete: {shown(name)} is not in the index; {cure}")
    # Objects on disk are in groups of rows, of which few are kept.
    known = sorted((index.rows[name], name) for name in joining if name in index.rows)
    same = {name for row, name in known if _same(index.objects[row], joining[name])}
    return {name: item for name, item in joining.items() if name not in same}


def _same(one: Object, other: Object) -> bool:
    return one == other and _same_values(one.metadata, other.metadata)


def _same_values(one: Json, other: Json) -> bool:
    """Whether equal values are so to a filter too, which tells 1 from true."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return all(_same_values(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple):
        return all(map(_same_values, one, other))
    return isinstance(one, bool) == isinstance(other, bool)


def _texts(
    index: "IndexT", gone: Int[ndarray, " m"], joining: Sequence[Object], named: AllNamed
) -> tuple[list[Object], list[str], Mapping[str, ndarray]]:
    """Find the texts that must be embedded again.

    Args:
        index: as it was.
        gone: rows of objects that are deleted or replaced.
        joining: new and replacing objects.
        named: the names that the objects of the index refer to.

    Returns:
        `joining` and the objects whose texts change with them; their texts; and the known
        embeddings.
    """
    leaving = set(gone.tolist())
    was, becomes = _prefixes(index, gone, joining, named)
    databases = [one for one in was | becomes if was.get(one) != becomes.get(one)]
    renamed = names_in(named, DATABASES).having(databases).tolist() if databases else ()
    near = _near(index, leaving.union(renamed), joining, named)
    before = [index.objects[row] for row in near]
    told = dict(zip(near, searchable_texts(before, index.text, prefixes=was), strict=True))
    staying = [row for row in near if row not in leaving]
    corpus = [*(item for row, item in zip(near, before, strict=True) if row not in leaving)]
    texts = searchable_texts([*joining, *corpus], index.text, prefixes=becomes)
    added, said = [*joining], texts[: len(joining)]
    changed = [*gone.tolist()]
    for row, item, text in zip(staying, corpus, texts[len(joining) :], strict=True):
        if text != told[row]:
            added.append(item)
            said.append(text)
            changed.append(row)
    words = index.lexical.reading.words
    vectors = index.embeddings[changed]
    known = {words(told[row]): vector for row, vector in zip(changed, vectors, strict=True)}
    return added, said, known


def _prefixes(
    index: "IndexT", gone: Int[ndarray, " m"], joining: Sequence[Object], named: AllNamed
) -> tuple[dict[str, str], dict[str, str]]:
    """The prefixes of the tables of each database, before and after an update."""
    if PREFIX not in index.text:
        return {}, {}

    def tables(rows: AllNamed) -> Iterator[tuple[list[str], list[str]]]:
        return zip(names_in(rows, DATABASES).words, names_in(rows, TABLES).words, strict=True)

    left = tables(only(named, np.delete(np.arange(len(index)), gone)))
    after = chain(left, (tables_of(item.metadata) for item in joining))
    return prefixes_of(tables(named)), prefixes_of(after)


def _near(
    index: "IndexT", gone: Collection[int], joining: Sequence[Object], named: AllNamed
) -> list[int]:
    """The rows whose texts may change, and the rows named in these texts; in ascending order.

    Args:
        index: as it was.
        gone: rows of objects that are deleted, replaced, or of a database with another prefix.
        joining: see `_texts`.
        named: see `_texts`.
    """
    keys = [key for part in index.text for key in NAMING.get(part, ())]

    def around(rows: Collection[int], others: Sequence[Object]) -> set[int]:
        ids = {*(index.ids[row] for row in rows), *(item.id for item in others)}
        found: set[int] = set()
        for key in keys:
            names = names_in(named, key)
            found.update(names.having(ids).tolist())
            said = chain.from_iterable(names.lists.at(row).tolist() for row in rows)
            targets = chain(
                letters(names.vocabulary[place] for place in said),
                chain.from_iterable(item.metadata.get(key, ()) for item in others),
            )
            found.update(index.rows[name] for name in targets if name in index.rows)
        return found

    changed = {*gone, *around(gone, joining)} if keys else {*gone}
    return sorted(changed | around(changed, ()) if keys else changed)
