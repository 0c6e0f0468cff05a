"""Metadata as integer arrays, from which the graphs of candidates are built."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.corpus import warn_of_misspelt
from grapher_jax.errors import InputError
from grapher_jax.graph.edges import edge_rows
from grapher_jax.graph.metadata import Array, Metadata
from grapher_jax.graph.names import AllNamed, Named, of_kind
from grapher_jax.graph.proximities import PROXIMITIES, Proximity
from grapher_jax.graph.ragged import EMPTY, Ragged
from grapher_jax.graph.stacked import Stacked

if TYPE_CHECKING:
    from grapher_jax.kernels.graphs.relations import Relations

Kept = TypeVar("Kept")


@dataclass(frozen=True)
class GraphArrays:
    """The metadata of N objects, as arrays made by the rows of the table of proximities.

    Attributes:
        object_ids: `[N]` the integer by which references identify each object.
        foreign_keys: the objects that each references.
        inferred_keys: the objects that each references by inferred (undeclared) keys.
        inferred_by: the evidence for each inferred key, as an index into `TOLD_BY`.
        links: the objects that each links to.
        entities: the entities of each that at least one other object has, as indices into
            `entity_names`.
        entity_counts: `[N]` how many different entities each has, shared or not.
        document_ids: `[N]` the document of each, -1 for none.
        chunk_ids: `[N]` the position of each in its document, -1 for none.
        entity_names: the vocabulary, normalised for comparison.
        others: the arrays of rows added to the table, by name.
        edges: the objects' own edges, as `check_edges` returns them.
        vectors: `[N, d]` their embeddings, of unit length, which edges may read; None if there are
            none. They are not written to the files of the graph.
    """

    object_ids: Int[ndarray, " N"]
    foreign_keys: Ragged
    inferred_keys: Ragged
    inferred_by: Ragged
    links: Ragged
    entities: Ragged
    entity_counts: Int[ndarray, " N"]
    document_ids: Int[ndarray, " N"]
    chunk_ids: Int[ndarray, " N"]
    entity_names: Sequence[str]
    others: Mapping[str, ndarray | Ragged] = field(default_factory=dict)
    edges: Mapping[str, str] = field(default_factory=dict)
    vectors: Float[ndarray | Stacked, "N d"] | None = None

    @classmethod
    def build(
        cls,
        ids: Sequence[str],
        metadata: Sequence[Mapping[str, Any]],
        *,
        scopes: Iterable[int] | None = None,
        warn_of_unknown: bool = True,
        edges: Mapping[str, str] | None = None,
        vectors: Float[ndarray | Stacked, "N d"] | None = None,
    ) -> "GraphArrays":
        """Builds the arrays from the ids and metadata of objects.

        Args:
            ids: one per object; an object may appear more than once.
            metadata: one per object; keys as in the BEIR layout.
            scopes: one per object, if objects are joined only within their own scope.
            warn_of_unknown: warn of references to objects that are not among `ids`; their edges
                are dropped in any case.
            edges: edges of your own.
            vectors: `[N, d]` the embeddings, which edges may read.

        Raises:
            InputError: for metadata whose type does not fit one of your own edges.
        """
        of = None if scopes is None else list(scopes)
        objects = Metadata(ids, metadata, of, warn_of_unknown)
        named = read_names(objects, edges)
        return cls.resolved(objects, named, edges=edges, vectors=vectors)

    @classmethod
    def resolved(
        cls,
        objects: Metadata,
        named: AllNamed,
        *,
        edges: Mapping[str, str] | None = None,
        vectors: Float[ndarray | Stacked, "N d"] | None = None,
    ) -> "GraphArrays":
        """Builds the arrays from the names that objects refer to, and the metadata for other rows.

        Args:
            objects: the metadata of all objects.
            named: the result of `read_names` for all objects.
            edges: see `build`.
            vectors: see `build`.
        """
        every = map(objects.numbers.__getitem__, objects.ids)
        numbers = np.fromiter(every, np.int32, len(objects.ids))
        arrays: dict[str, Array] = {"object_ids": numbers}
        given = dict(edges or {})
        for row in (*PROXIMITIES.values(), *edge_rows(given).values()):
            if row.resolve is not None and _read_by(row) <= named.keys():
                made = row.resolve(named, objects.known)
            else:
                made = row.build(objects)
            if clash := made.keys() & arrays.keys():
                raise InputError(
                    f"proximity: {row.name!r} builds {min(clash)!r}, which another row has built; "
                    "give it another name"
                )
            arrays |= made
        own = {name: arrays.pop(name) for name in _OWN}
        others = {name: _without_texts(array) for name, array in arrays.items()}
        return cls(**own, others=others, edges=given, vectors=vectors)  # type: ignore[arg-type]

    @property
    def rows(self) -> Mapping[str, Proximity]:
        """The table of proximities, with these objects' own edges."""
        return {**PROXIMITIES, **edge_rows(self.edges)} if self.edges else PROXIMITIES

    def with_edges(
        self,
        edges: Mapping[str, str],
        ids: Sequence[str],
        metadata: Callable[[], Sequence[Mapping[str, Any]]],
    ) -> "GraphArrays":
        """The same with these edges of your own instead of the present ones.

        Args:
            edges: as `check_edges` returns them.
            ids: see `completed`.
            metadata: see `completed`.

        Raises:
            InputError: as `build`.
        """
        before = {name for row in edge_rows(self.edges).values() for name in row.arrays}
        others = {name: array for name, array in self.others.items() if name not in before}
        return replace(self, others=others, edges=edges).completed(ids, metadata)

    def completed(
        self, ids: Sequence[str], metadata: Callable[[], Sequence[Mapping[str, Any]]]
    ) -> "GraphArrays":
        """The same, completed by arrays for rows that were added to the table later.

        Args:
            ids: one an object.
            metadata: returns one per object; not called if nothing is missing.
        """
        missing = [row for row in self.rows.values() if not self.has(row)]
        if not missing:
            return self
        objects = Metadata(ids, metadata(), warn_of_unknown=False)
        others = dict(self.others)
        for row in missing:
            made = row.build(objects)
            others |= {name: _without_texts(array) for name, array in made.items()}
        return replace(self, others=others)

    def __getitem__(self, name: str) -> Array:
        """The array with this name.

        Raises:
            KeyError: if there is none.
        """
        return getattr(self, name) if name in _OWN else self.others[name]

    def numbers(self, name: str) -> ndarray:
        """The array with this name, which holds one number per object."""
        return of_kind(self[name], ndarray, name, "numbers")

    def lists(self, name: str) -> Ragged:
        """The array with this name, which holds one list per object."""
        return of_kind(self[name], Ragged, name, "lists")

    def size(self, vocabulary: str) -> int:
        """The size of the vocabulary with this name."""
        found = self[vocabulary]
        return len(found.offsets) - 1 if isinstance(found, Ragged) else len(found)

    def name(self, vocabulary: str, place: int) -> str:
        """One entry of the vocabulary with this name."""
        found = self[vocabulary]
        return "".join(map(chr, found.at(place))) if isinstance(found, Ragged) else found[place]

    def pick(self, name: str, rows: Int[ndarray, "*B n"]) -> ndarray:
        """The numbers of some objects, -1 where a row is -1."""
        return self.picked(self.numbers(name), rows)

    def picked(self, values: ndarray, rows: Int[ndarray, "*B n"]) -> ndarray:
        """The values of some objects, -1 where a row is -1."""
        if not len(values):
            return np.full(rows.shape, EMPTY, np.int32)
        return np.where(rows == EMPTY, EMPTY, values[rows])

    def keep(self, name: str, make: Callable[[], Kept]) -> Kept:
        """What a row computes from the arrays, computed once and kept.

        Args:
            name: the name of one of the row's arrays.
            make: computes it.
        """
        found: Kept = self._kept[name] if name in self._kept else make()
        self._kept[name] = found
        return found

    @cached_property
    def _kept(self) -> dict[str, Any]:
        return {}

    def has(self, row: Proximity) -> bool:
        """Whether the arrays that the row reads exist."""
        return all(name in _OWN or name in self.others for name in row.arrays)

    def proximities(self) -> list[str]:
        """The proximities by which this metadata can connect any objects."""
        return [name for name, joined in self.joined().items() if joined.any()]

    def joined(self) -> dict[str, Bool[ndarray, " N"]]:
        """For each proximity, which objects it can join to another."""
        kept, rows = self._joined, self.rows.values()
        for row in rows:
            if row not in kept and self.has(row):
                kept[row] = row.joins(self)
        return {row.name: kept[row] for row in rows if row in kept}

    @cached_property
    def _joined(self) -> dict[Proximity, Bool[ndarray, " N"]]:
        return {}

    @cached_property
    def document_frequency(self) -> Int[ndarray, " entities"]:
        """How many objects have each entity of the vocabulary."""
        return np.bincount(self.entities.values, minlength=len(self.entity_names))

    def gather(
        self,
        rows: Int[ndarray, "*B n"],
        proximities: Collection[str],
        *,
        max_df: int | None = None,
    ) -> "Relations":
        """The relations of these candidates, for the `kernel_table` of the same proximities.

        Args:
            rows: `[*B, n]` objects; -1 for none.
            proximities: the proximities that the graph is built from.
            max_df: ignore entities that more than this many objects have; by default none.
        """
        from grapher_jax.kernels.graphs.relations import Relations

        arrays: dict[str, ndarray] = {}
        for row in self.rows.values():
            if row.name in proximities:
                arrays |= row.gather(self, rows, max_df)
        return Relations.from_arrays(arrays)

    def to_arrays(self) -> dict[str, ndarray]:
        """Named arrays, for a file; the vocabulary is stored separately."""
        arrays: dict[str, ndarray] = {}
        for name in (*_OWN, *self.others):
            value = self[name]
            if isinstance(value, Ragged):
                arrays[f"{name}.offsets"] = value.offsets
                arrays[f"{name}.values"] = value.values
            elif isinstance(value, ndarray):
                arrays[name] = value
        return arrays

    @classmethod
    def from_arrays(
        cls,
        arrays: Mapping[str, ndarray],
        entity_names: Sequence[str],
        edges: Mapping[str, str] | None = None,
    ) -> "GraphArrays":
        """Restores the result of `to_arrays`, with its vocabulary and its edges."""
        restored: dict[str, Array] = {"entity_names": entity_names}
        for file, array in arrays.items():
            if (name := file.removesuffix(".offsets")) != file:
                restored[name] = Ragged(array, arrays[f"{name}.values"])
            elif not file.endswith(".values"):
                restored[file] = array
        # Indexes of earlier versions do not have these arrays.
        none = Ragged.build([()] * len(arrays["object_ids"]))
        for name in ("inferred_keys", "inferred_by", "mentions"):
            restored.setdefault(name, none)
        own = {name: restored.pop(name) for name in _OWN}
        return cls(**own, others=restored, edges=edges or {})  # type: ignore[arg-type]


_OWN = tuple(
    one.name for one in fields(GraphArrays) if one.name not in ("others", "edges", "vectors")
)


def _without_texts(array: Array) -> ndarray | Ragged:
    """The array; a vocabulary as the character codes of its names, which a file can hold."""
    if isinstance(array, ndarray | Ragged):
        return array
    return Ragged.build([[ord(letter) for letter in name] for name in array])


def read_names(objects: Metadata, edges: Mapping[str, str] | None = None) -> AllNamed:
    """The names that objects refer to, by the array made from them, independent of other objects.

    Args:
        objects: the metadata of the objects.
        edges: edges of your own.

    Raises:
        InputError: for metadata whose type does not fit one of your own edges.
    """
    warn_of_misspelt(objects.ids, objects.values)
    named: dict[str, Named] = {}
    for row in (*PROXIMITIES.values(), *edge_rows(edges or {}).values()):
        if row.read is not None:
            named |= row.read(objects)
    return named


@lru_cache(maxsize=1024)
def _read_by(row: Proximity) -> frozenset[str]:
    """The names of what a row reads per object; empty if it reads all metadata at once."""
    return frozenset(row.read(Metadata((), ())) if row.read is not None else ())


def check_proximities(chosen: Iterable[str] | None, graph: GraphArrays) -> list[str]:
    """The chosen proximities, or all that the metadata allows.

    Raises:
        InputError: for an unknown name, or a row that was added after the graph was built.
    """
    if chosen is None:
        return graph.proximities()
    chosen = list(dict.fromkeys(chosen))
    for name in chosen:
        if name not in graph.rows:
            raise InputError(f"proximity: {name!r} is unknown; use {', '.join(graph.rows)}")
        if not graph.has(graph.rows[name]):
            raise InputError(
                f"proximity: {name!r} was added to the table after this index was opened; open it "
                "again"
            )
    return chosen
