"""The parts of an index on disk: objects written together, and the state of the whole index."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.corpus.objects import is_table
from grapher_jax.corpus.searchable import PREFIX, tables_of
from grapher_jax.errors import InputError, require
from grapher_jax.files import MAPPED, Json, array_file, json_text
from grapher_jax.graph import GraphArrays, Metadata, Ragged, read_names
from grapher_jax.graph.names import AllNamed, Named, Names, joined, letters, names_in, only
from grapher_jax.graph.stacked import Places, Stacked
from grapher_jax.index.mentions import CALLED, TITLES, called_in, titles_in
from grapher_jax.index.objects import ROW_GROUP, ParquetObjects, StackedObjects, open_parquet
from grapher_jax.retrieve.ids_in_questions import Called
from grapher_jax.retrieve.lexical import Counts
from grapher_jax.retrieve.titles_in_questions import Titled
from grapher_jax.shapes import slices

if TYPE_CHECKING:
    from grapher_jax.index.data import IndexData

# How many embeddings are copied at once.
_ROWS = 1 << 14
# One deleted object for so many others costs a search little; nor do a few, whatever the share.
_OTHERS, _FEW = 16, 1 << 10
# Names of tables, from which the prefix that those of a database share is found.
DATABASES, TABLES = "databases", "tables"
_GONE, _DELETED = "gone.npy", "deleted.parquet"
_NAMES, _VOCABULARIES = "names", "vocabularies.parquet"
_OF_PARTS = (
    *("objects.parquet", "terms.parquet", "embeddings.npy", "lexical/*.npy"),
    *(f"{_NAMES}/*.npy", f"{_NAMES}/{_VOCABULARIES}"),
)
_OF_STATE = ("entities.parquet", "graph/*.npy", _GONE, _DELETED)


@dataclass(frozen=True)
class Saved:
    """What an index folder held when it was opened.

    Attributes:
        manifest: the content of the manifest.
    """

    manifest: Mapping[str, Json]

    @property
    def parts(self) -> Sequence[str]:
        """The folders of the parts, the oldest first; the index's own folder is `""`."""
        found: Sequence[str] = self.manifest.get("parts", ("",))
        return found

    @property
    def state(self) -> str:
        """The folder with the state of the whole index."""
        return str(self.manifest.get("state", ""))

    @property
    def store(self) -> str:
        """The kind of the stores, see `IndexData`."""
        return str(self.manifest["store"]).partition("-")[0]

    def stores(self, folder: Path) -> list[Path]:
        """The folder of each part's store, in that of the part; `array` has none."""
        return [folder / part / self.manifest["store"] for part in self.parts]

    @property
    def read(self) -> list[str]:
        """Patterns of the files that are read when the index is opened."""
        parts = [str(PurePosixPath(part, name)) for part in self.parts for name in _OF_PARTS]
        return parts + [str(PurePosixPath(self.state, name)) for name in _OF_STATE]

    @property
    def lasting(self) -> dict[str, str]:
        """The checksums of all files except the state, which an update rewrites."""
        left = [str(PurePosixPath(self.state, name)) for name in _OF_STATE]
        files: Mapping[str, str] = self.manifest["sha256"]
        return {
            name: own
            for name, own in files.items()
            if not any(fnmatchcase(name, pattern) for pattern in left)
        }


@dataclass(frozen=True)
class Part:
    """Objects that were written together in one folder.

    Attributes:
        objects: all n objects, including deleted ones.
        embeddings: the embeddings of the objects.
        counts: the word counts of the objects; None if they were not counted.
        named: the names that the objects refer to; None if not stored.
    """

    objects: ParquetObjects
    embeddings: Float[ndarray, "n d"]
    counts: Counts | None
    named: AllNamed | None


def first_rewritten(places: Places, written: int) -> int:
    """The first of the parts that an update writes again, as one new part; 0 to write all again.

    A part is written again if no more of its objects are left than come behind it. So every part
    is larger than all behind it, and even many updates leave few parts.

    Args:
        places: the positions of the updated index.
        written: how many of its parts are on disk.
    """
    left = [len(places.part(number)) for number in range(len(places.sizes))]
    first = written
    while first and left[first - 1] <= sum(left[first:]):
        first -= 1
    deleted = sum(places.sizes[:first]) - sum(left[:first])
    return 0 if deleted > max(_FEW, sum(left) // _OTHERS) else first


def write_part(folder: Path, index: "IndexData", first: int) -> None:
    """Write the objects of an index from its part `first` on as one part."""
    objects, embeddings = StackedObjects.of(index.objects), Stacked.of(index.embeddings)
    places = embeddings.places.behind(first)
    own = StackedObjects(objects.parts[first:], places)
    metadata = [json_text(dict(one.metadata), f"object {one.id!r}: metadata") for one in own]
    columns = {
        "id": [item.id for item in own],
        "title": [item.title for item in own],
        "text": [item.text for item in own],
        "metadata": metadata,
    }
    _write_table(folder / "objects.parquet", columns, row_group_size=ROW_GROUP)
    counts = index.lexical.merged(first)
    _write_table(folder / "terms.parquet", {"term": list(counts.terms)})
    found = counts.found
    arrays = {"data": found.data, "indices": found.indices, "indptr": found.indptr}
    _write_arrays(folder / "lexical", arrays | {"lengths": counts.lengths})
    _write_names(folder / _NAMES, named_from(index, first))
    vectors = Stacked(embeddings.parts[first:], places)
    with array_file(folder / "embeddings.npy", vectors.dtype, vectors.shape) as write:
        for block in slices(len(vectors), _ROWS):
            write(vectors[block])


def read_part(folder: Path, *, counted: bool, verify: bool) -> Part:
    """Open a part.

    Args:
        folder: the folder of the part.
        counted: whether word counts were stored.
        verify: check all numbers in the part.

    Raises:
        Exception: of many kinds, if a file is damaged or inconsistent with another.
    """
    objects = ParquetObjects(folder / "objects.parquet")
    embeddings = np.load(folder / "embeddings.npy", mmap_mode=MAPPED)
    if embeddings.ndim != 2 or len(embeddings) != len(objects):
        raise ValueError(f"{len(objects)} objects, embeddings {embeddings.shape}")
    if not counted:
        return Part(objects, embeddings, None, None)
    terms, arrays = _read_names(folder / "terms.parquet"), _read_arrays(folder / "lexical")
    found = require("scipy.sparse").csr_array(
        (arrays["data"], arrays["indices"], arrays["indptr"]), shape=(len(terms), len(objects))
    )
    # Later reads follow these indices without further checks.
    found.check_format(full_check=verify)
    if arrays["lengths"].shape != (len(objects),):
        raise ValueError(f"{len(objects)} objects, lengths {arrays['lengths'].shape}")
    numbers = {name: row for row, name in enumerate(terms)}
    counts = Counts(numbers, found, arrays["lengths"])
    return Part(objects, embeddings, counts, _NamesOnDisk(folder / _NAMES, len(objects)))


def names_of(
    objects: Sequence[Object], edges: Mapping[str, str], text: Collection[str]
) -> AllNamed:
    """The names in objects: those that edges join, those that texts need, titles, and codes.

    Args:
        objects: the objects.
        edges: edges of your own.
        text: the parts of their texts, see `searchable_texts`.

    Raises:
        InputError: as `read_names`.
    """
    metadata = [item.metadata for item in objects]
    named = {
        **read_names(Metadata([item.id for item in objects], metadata), edges),
        TITLES: titles_in(objects),
        CALLED: called_in(objects),
    }
    if PREFIX not in text:
        return named
    databases, tables = zip(*map(tables_of, metadata), strict=True) if metadata else ((), ())
    return {**named, DATABASES: Names.build(databases), TABLES: Names.build(tables)}


def names_are_stored(index: "IndexData") -> bool:
    """Whether all parts store the names that an update needs; those of earlier versions may not."""
    needed = names_of((), index.edges, index.text).keys()
    return index.named is not None and all(needed <= own.keys() for own in index.named)


def named_from(index: "IndexData", first: int = 0) -> AllNamed:
    """The names that objects from part `first` on refer to; read from those that store them not."""
    stacked = StackedObjects.of(index.objects)
    needed = names_of((), index.edges, index.text).keys()
    found = []
    for number, part in enumerate(stacked.parts[first:], start=first):
        own = index.named[number] if index.named else {}
        places = stacked.places.part(number)
        if needed <= own.keys():
            found.append(only(own, places))
        else:
            left = [part[place] for place in places.tolist()]
            found.append(names_of(left, index.edges, index.text))
    return joined(found)


def titled(index: "IndexData") -> Titled:
    """The titles and ids of an index's objects, to be found in questions."""
    reading = index.lexical.reading
    # Words name tables, whose ids are longer.
    tables = any(map(is_table, index.objects[:1]))
    needed = {TITLES, CALLED}
    if index.named is None or any(not needed <= own.keys() for own in index.named):
        titles, codes = titles_in(index.objects), called_in(index.objects)
    else:
        places = StackedObjects.of(index.objects).places
        parts = [
            only({name: own[name] for name in needed}, places.part(number))
            for number, own in enumerate(index.named)
        ]
        titles, codes = (names_in(joined(parts), name) for name in (TITLES, CALLED))

    def read_codes() -> list[tuple[str, str]]:
        said, lists = letters(codes.vocabulary), codes.lists
        pairs = zip(lists.values.tolist(), lists.owners.tolist(), strict=True)
        return [(said[value], index.ids[row]) for value, row in pairs]

    called = None if tables else Called(lambda: index.rows, read_codes)
    return Titled.of(titles, reading, called=called)


def write_state(
    folder: Path, index: "IndexData", *, gone: Sequence[int], deleted: Sequence[str]
) -> None:
    """Write the state of the whole index.

    Args:
        folder: where.
        index: the index whose state is written.
        gone: the positions in its parts on disk whose objects are deleted.
        deleted: ids that updates deleted.
    """
    _write_arrays(folder / "graph", index.graph.to_arrays())
    entities = {
        "name": list(index.graph.entity_names),
        "document_frequency": index.graph.document_frequency,
    }
    _write_table(folder / "entities.parquet", entities)
    if gone:
        np.save(folder / _GONE, np.array(gone))
    if deleted:
        _write_table(folder / _DELETED, {"id": deleted})


def read_graph(folder: Path, edges: Mapping[str, str]) -> GraphArrays:
    """The graph that `write_state` wrote; raises as `read_part`."""
    names = _read_names(folder / "entities.parquet")
    return GraphArrays.from_arrays(_read_arrays(folder / "graph"), names, edges)


def read_places(folder: Path, sizes: Sequence[int]) -> Places:
    """Which positions in parts of these sizes are not deleted; raises as `read_part`."""
    rows = np.arange(sum(sizes))
    if (folder / _GONE).is_file():
        rows = np.delete(rows, np.load(folder / _GONE))
    return Places(tuple(sizes), rows)


def read_deleted(folder: Path) -> frozenset[str]:
    """The ids that updates deleted; raises as `read_part`."""
    return frozenset(_read_names(folder / _DELETED) if (folder / _DELETED).is_file() else ())


class _NamesOnDisk(AllNamed):
    """The names that a part's objects refer to; read from disk when they are needed."""

    def __init__(self, folder: Path, objects: int) -> None:
        """Open the files now, because they may be gone from the folder before they are read."""
        self._folder, self._objects = folder, objects
        self._arrays = _read_arrays(folder)
        self._file = open_parquet(folder / _VOCABULARIES)
        self._names = [*dict.fromkeys(name.partition(".")[0] for name in self._arrays)]
        # Versions that stored no codes gave none to objects.
        self._without_codes = TITLES in self._names and CALLED not in self._names
        self._names += [CALLED] * self._without_codes
        # pyarrow does not promise that threads may share a file.
        self._reading = Lock()

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, name: str) -> Named:
        """The stored value with this name.

        Raises:
            KeyError: if there is nothing with this name.
            InputError: for files that are damaged or inconsistent.
        """
        if name not in self._names:
            raise KeyError(name)
        if name == CALLED and self._without_codes:
            return Names.build([()] * self._objects)
        try:
            if name in self._arrays:
                return self._checked(self._arrays[name], self._objects)
            values = self._arrays[f"{name}.values"]
            offsets = self._checked(self._arrays[f"{name}.offsets"], self._objects + 1)
            if offsets[-1] != len(values) or (np.diff(offsets, prepend=0) < 0).any():
                raise ValueError(f"lists of {name} end outside of their values")
            if (vocabulary := self._vocabulary(name)) is None:
                return Ragged(offsets, values)
            if len(values) and not 0 <= values.min() <= values.max() < len(vocabulary):
                raise ValueError(f"names of {name} are not there")
        except Exception as error:  # NumPy and pyarrow raise many kinds
            raise InputError(f"{self._folder}: damaged ({error}); build the index again") from error
        return Names(Ragged(offsets, values), vocabulary)

    def _vocabulary(self, name: str) -> list[str] | None:
        with self._reading:
            names, places = self._vocabularies
        if (own := places.get(name)) is None:
            return None
        found: list[str] = names.slice(*own).to_pylist()
        return found

    @cached_property
    def _vocabularies(self) -> tuple[Any, Mapping[str, tuple[int, int]]]:
        """All names as a column, and where those of each vocabulary begin and how many they are."""
        table = self._file.read()
        places, start = {}, 0
        for name, size in Counter(table.column("of").to_pylist()).items():
            places[name] = start, size - 1  # the last entry is no name
            start += size
        return table.column("name"), places

    def _checked(self, array: ndarray, size: int) -> ndarray:
        if array.shape != (size,):
            raise ValueError(f"{self._objects} objects, {array.shape}")
        return array


def _write_names(folder: Path, named: AllNamed) -> None:
    arrays: dict[str, ndarray] = {}
    columns: dict[str, list[str]] = {"of": [], "name": []}
    for name, own in named.items():
        lists = own.lists if isinstance(own, Names) else own
        if isinstance(own, Names):
            # The last entry is no name: it marks that names are stored even if there are none.
            columns["of"] += [name] * (len(own.vocabulary) + 1)
            columns["name"] += [*letters(own.vocabulary), ""]
        if isinstance(lists, Ragged):
            arrays |= {f"{name}.offsets": lists.offsets, f"{name}.values": lists.values}
        else:
            arrays[name] = lists
    _write_arrays(folder, arrays)
    _write_table(folder / _VOCABULARIES, columns)


def _write_table(
    path: Path, columns: Mapping[str, Json], *, row_group_size: int | None = None
) -> None:
    table = require("pyarrow").table(columns)
    with path.open("wb") as file:  # a path might be read as a URL
        require("pyarrow.parquet").write_table(table, file, row_group_size=row_group_size)


def _read_names(path: Path) -> list[str]:
    names: list[str] = open_parquet(path).read().column(0).to_pylist()
    return names


def _write_arrays(folder: Path, arrays: Mapping[str, ndarray]) -> None:
    folder.mkdir()
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def _read_arrays(folder: Path) -> dict[str, ndarray]:
    return {file.stem: np.load(file, mmap_mode=MAPPED) for file in sorted(folder.glob("*.npy"))}
