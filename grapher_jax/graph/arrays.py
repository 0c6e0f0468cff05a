"""Metadata as integer arrays: what the adjacency kernels read."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain, repeat
from typing import Any

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.corpus import warn_of_misspelt
from grapher_jax.errors import InputError, warn
from grapher_jax.shapes import coarse_bucket, power_of_two
from grapher_jax.text import normalise

EMPTY = -1
# References that an object may have before they are looked through for candidates.
_MANY = 64
# What metadata can connect objects by; `kernels.PROXIMITIES` has more.
PROXIMITIES = ("foreign_key", "link", "shared_entity", "chunk")


@dataclass(frozen=True)
class Ragged:
    """Lists of integers of any length, one an object.

    Attributes:
        offsets: `[N + 1]` where each object's list starts in `values`.
        values: all lists, one after the other.
    """

    offsets: Int[ndarray, " N_plus_1"]
    values: Int[ndarray, " total"]

    @classmethod
    def build(cls, lists: Iterable[Sequence[int]]) -> "Ragged":
        """From one list an object."""
        lists = list(lists)
        offsets = np.cumsum([0] + [len(values) for values in lists], dtype=np.int64)
        return cls(offsets, np.fromiter((v for values in lists for v in values), np.int32))

    @cached_property
    def longest(self) -> int:
        """The length of the longest list."""
        return int(np.diff(self.offsets).max(initial=0))

    def padded(
        self, rows: Int[ndarray, "*B n"], *, most: int | None = None
    ) -> Int[ndarray, "*B n slots"]:
        """The lists of some objects as one array.

        Args:
            rows: `[*B, n]` objects; -1 for none.
            most: the longest list that any rows can bring. With it the slots are as many as that
                needs, or 16, 64, 256 and so on if these are fewer and enough: few shapes, whatever
                the rows. Without it, a power of two.

        Returns:
            `[*B, n, slots]` int32, padded with -1.
        """
        starts = self.offsets[rows]
        lengths = np.where(rows == EMPTY, 0, self.offsets[rows + 1] - starts)
        longest = int(lengths.max(initial=0))
        size = power_of_two(longest if most is None else most)
        slots = np.arange(size if most is None else min(size, coarse_bucket(longest)))
        used = slots < lengths[..., None]
        places = np.where(used, starts[..., None] + slots, 0)
        values = self.values if len(self.values) else np.full(1, EMPTY, np.int32)
        return np.where(used, values[places], EMPTY).astype(np.int32)

    @classmethod
    def from_pairs(
        cls, owners: Int[ndarray, " total"], values: Int[ndarray, " total"], size: int
    ) -> "Ragged":
        """Lists of `size` objects from pairs of object and value; values keep their order."""
        counts = np.bincount(owners, minlength=size)
        order = np.argsort(owners, kind="stable")
        return cls(np.cumsum(np.concatenate([[0], counts])), values[order].astype(np.int32))

    @property
    def owners(self) -> Int[ndarray, " total"]:
        """The object in whose list each of `values` stands."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def transposed(self, size: int) -> "Ragged":
        """For each of `size` values, the objects whose lists hold it, in ascending order."""
        return Ragged.from_pairs(self.values, self.owners, size)


@dataclass(frozen=True)
class GraphArrays:
    """The metadata of N objects, as the adjacency kernels need it.

    Attributes:
        object_ids: `[N]` the integer by which references name an object.
        foreign_keys: the objects that each references.
        links: the objects that each links to.
        entities: the entities of each that at least one other object has, as places in
            `entity_names`.
        entity_counts: `[N]` how many different entities each has, shared or not.
        document_ids: `[N]` its document, -1 for none.
        chunk_ids: `[N]` its place in the document, -1 for none.
        entity_names: the vocabulary, as names are compared.
    """

    object_ids: Int[ndarray, " N"]
    foreign_keys: Ragged
    links: Ragged
    entities: Ragged
    entity_counts: Int[ndarray, " N"]
    document_ids: Int[ndarray, " N"]
    chunk_ids: Int[ndarray, " N"]
    entity_names: Sequence[str]

    @classmethod
    def build(
        cls,
        ids: Sequence[str],
        metadata: Sequence[Mapping[str, Any]],
        *,
        scopes: Iterable[int] | None = None,
        warn_of_unknown: bool = True,
    ) -> "GraphArrays":
        """From the ids and metadata of objects.

        Args:
            ids: one an object; an object may appear more than once.
            metadata: one an object; keys as in the BEIR layout.
            scopes: one an object, where entities are shared and counted within a scope alone.
            warn_of_unknown: warn of references to objects that are not among `ids`; their edges
                are dropped in any case.
        """
        warn_of_misspelt(metadata)
        numbers = {name: number for number, name in enumerate(dict.fromkeys(ids))}
        documents: dict[str, int] = {}
        return cls(
            object_ids=np.array([numbers[name] for name in ids], np.int32),
            foreign_keys=_references(metadata, "foreign_keys", numbers, warn_of_unknown),
            links=_references(metadata, "links", numbers, warn_of_unknown),
            **_entities(metadata, scopes),
            document_ids=np.array(
                [
                    documents.setdefault(m["document_id"], len(documents))
                    if "document_id" in m
                    else EMPTY
                    for m in metadata
                ],
                np.int32,
            ),
            chunk_ids=np.array([m.get("chunk_id", EMPTY) for m in metadata], np.int32),
        )

    def proximities(self) -> list[str]:
        """The proximities that this metadata can connect anything by."""
        present = {
            "foreign_key": len(self.foreign_keys.values) > 0,
            "link": len(self.links.values) > 0,
            "shared_entity": len(self.entities.values) > 0,
            "chunk": bool(((self.document_ids != EMPTY) & (self.chunk_ids != EMPTY)).any()),
        }
        return [name for name in PROXIMITIES if present[name]]

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
    ) -> dict[str, Any]:
        """The arguments of `kernels.build_adjacency` for these candidates.

        Args:
            rows: `[*B, n]` objects; -1 for none.
            proximities: what the graph is built from.
            max_df: entities that more objects have count as none; by default all count.
        """

        def pick(values: ndarray) -> ndarray:
            if not len(values):
                return np.full(rows.shape, EMPTY, np.int32)
            return np.where(rows == EMPTY, EMPTY, values[rows])

        arrays: dict[str, ndarray] = {}
        for name, key in (("foreign_key", "foreign_keys"), ("link", "links")):
            if name in proximities:
                arrays |= {"object_ids": pick(self.object_ids)}
                arrays |= {key: self._references(getattr(self, key), rows)}
        if "shared_entity" in proximities:
            entities, counts = self._entities_of(max_df)
            arrays |= {
                "entity_ids": entities.padded(rows, most=entities.longest),
                "entity_counts": pick(counts),
            }
        if "chunk" in proximities:
            arrays |= {"document_ids": pick(self.document_ids)}
            arrays |= {"chunk_ids": pick(self.chunk_ids)}
        return arrays

    def _references(
        self, references: Ragged, rows: Int[ndarray, "*B n"]
    ) -> Int[ndarray, "*B n slots"]:
        """Whom the candidates reference; of long lists, other candidates of the question alone."""
        lengths = np.diff(references.offsets)[rows[rows != EMPTY]]
        if lengths.max(initial=0) <= _MANY:
            return references.padded(rows, most=references.longest)
        # A page that links to every other would give each candidate a slot for every page.
        flat = rows.reshape(-1, rows.shape[-1])
        lists = []
        for candidates in flat:
            present = self.object_ids[candidates[candidates != EMPTY]]
            for row in candidates:
                listed = references.values[references.offsets[row] : references.offsets[row + 1]]
                lists.append(listed[np.isin(listed, present)] if row != EMPTY else listed[:0])
        kept = Ragged(np.cumsum([0, *map(len, lists)]), np.concatenate(lists))
        numbered = np.arange(rows.size).reshape(rows.shape)
        return kept.padded(numbered, most=references.longest)

    @cached_property
    def _by_max_df(self) -> dict[int | None, tuple[Ragged, Int[ndarray, " N"]]]:
        return {None: (self.entities, self.entity_counts)}

    def _entities_of(self, max_df: int | None) -> tuple[Ragged, Int[ndarray, " N"]]:
        if max_df not in self._by_max_df:
            values, owners = self.entities.values, self.entities.owners
            kept, n = self.document_frequency[values] <= max_df, len(self.object_ids)
            dropped = np.bincount(owners[~kept], minlength=n)
            self._by_max_df[max_df] = (
                Ragged.from_pairs(owners[kept], values[kept], n),
                (self.entity_counts - dropped).astype(np.int32),
            )
        return self._by_max_df[max_df]

    def to_arrays(self) -> dict[str, ndarray]:
        """Named arrays, for a file; the vocabulary is kept apart."""
        arrays = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "entity_names":
                continue
            if isinstance(value, Ragged):
                arrays[f"{field.name}.offsets"] = value.offsets
                arrays[f"{field.name}.values"] = value.values
            else:
                arrays[field.name] = value
        return arrays

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, ndarray], entity_names: Sequence[str]
    ) -> "GraphArrays":
        """What `to_arrays` gave, with its vocabulary."""

        def restore(name: str) -> ndarray | Ragged | Sequence[str]:
            if name == "entity_names":
                return entity_names
            if name in arrays:
                return arrays[name]
            return Ragged(arrays[f"{name}.offsets"], arrays[f"{name}.values"])

        return cls(**{field.name: restore(field.name) for field in fields(cls)})  # type: ignore[arg-type]


def check_proximities(chosen: Iterable[str] | None, graph: GraphArrays) -> list[str]:
    """The chosen proximities, or all that the metadata allows.

    Raises:
        InputError: for an unknown name.
    """
    if chosen is None:
        return graph.proximities()
    chosen = list(dict.fromkeys(chosen))
    for name in chosen:
        if name not in PROXIMITIES:
            raise InputError(f"proximity: {name!r} is unknown; use {', '.join(PROXIMITIES)}")
    return chosen


def _references(
    metadata: Sequence[Mapping[str, Any]], key: str, numbers: Mapping[str, int], tell: bool
) -> Ragged:
    wanted = [m.get(key, ()) for m in metadata]
    found = [
        [numbers[target] for target in targets if target in numbers] if targets else []
        for targets in wanted
    ]
    unknown = sum(map(len, wanted)) - sum(map(len, found))
    if unknown and tell:
        example = next(t for targets in wanted for t in targets if t not in numbers)
        warn(
            f"{key}: {unknown} name objects that the corpus lacks (such as {example!r}); "
            "their edges are dropped",
            stacklevel=4,
        )
    return Ragged.build(found)


def _entities(
    metadata: Sequence[Mapping[str, Any]], scopes: Iterable[int] | None
) -> dict[str, Any]:
    by_object = []
    for m, scope in zip(metadata, repeat(0) if scopes is None else scopes, strict=False):
        names = dict.fromkeys(map(normalise, m.get("entities", ())))
        names.pop("", None)
        by_object.append([(scope, name) for name in names])
    frequency = Counter(chain.from_iterable(by_object))
    # An entity that one object alone has connects nothing, and costs a slot in every product.
    shared = {name: number for number, name in enumerate(n for n, f in frequency.items() if f > 1)}
    lists = ([shared[name] for name in names if name in shared] for names in by_object)
    return {
        "entities": Ragged.build(lists),
        "entity_counts": np.array([len(names) for names in by_object], np.int32),
        "entity_names": [name for _, name in shared],
    }
