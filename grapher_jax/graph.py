"""Metadata as integer arrays: what the adjacency kernels read."""

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.buckets import power_of_two
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.retrieve.text import normalise

EMPTY = -1
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

    def padded(self, rows: Int[ndarray, "*B n"]) -> Int[ndarray, "*B n slots"]:
        """`[*B, n, slots]` the lists of these objects, padded with -1; a row of -1 is empty."""
        starts = self.offsets[rows]
        lengths = np.where(rows == EMPTY, 0, self.offsets[rows + 1] - starts)
        slots = np.arange(power_of_two(int(lengths.max(initial=0))))
        used = slots < lengths[..., None]
        places = np.where(used, starts[..., None] + slots, 0)
        values = self.values if len(self.values) else np.full(1, EMPTY, np.int32)
        return np.where(used, values[places], EMPTY).astype(np.int32)


@dataclass(frozen=True)
class GraphArrays:
    """The metadata of N objects, as the adjacency kernels need it.

    Attributes:
        object_ids: `[N]` the integer by which references name an object.
        foreign_keys: the objects that each references.
        links: the objects that each links to.
        entities: the entities of each that at least one other object has.
        entity_counts: `[N]` how many different entities each has, shared or not.
        document_ids: `[N]` its document, -1 for none.
        chunk_ids: `[N]` its place in the document, -1 for none.
    """

    object_ids: Int[ndarray, " N"]
    foreign_keys: Ragged
    links: Ragged
    entities: Ragged
    entity_counts: Int[ndarray, " N"]
    document_ids: Int[ndarray, " N"]
    chunk_ids: Int[ndarray, " N"]

    @classmethod
    def build(
        cls,
        ids: Sequence[str],
        metadata: Sequence[Mapping[str, Any]],
        *,
        warn_of_unknown: bool = True,
    ) -> "GraphArrays":
        """From the ids and metadata of objects.

        Args:
            ids: one an object; an object may appear more than once.
            metadata: one an object; keys as in the BEIR layout.
            warn_of_unknown: warn of references to objects that are not among `ids`; their edges
                are dropped in any case.
        """
        numbers = {name: number for number, name in enumerate(dict.fromkeys(ids))}
        documents: dict[str, int] = {}
        return cls(
            object_ids=np.array([numbers[name] for name in ids], np.int32),
            foreign_keys=_references(metadata, "foreign_keys", numbers, warn_of_unknown),
            links=_references(metadata, "links", numbers, warn_of_unknown),
            **_entities(metadata),
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

    def gather(self, rows: Int[ndarray, "*B n"], proximities: Collection[str]) -> dict[str, Any]:
        """The arguments of `kernels.build_adjacency` for these candidates and proximities."""

        def pick(values: ndarray) -> ndarray:
            if not len(values):
                return np.full(rows.shape, EMPTY, np.int32)
            return np.where(rows == EMPTY, EMPTY, values[rows])

        arrays: dict[str, ndarray] = {}
        if "foreign_key" in proximities:
            arrays |= {"object_ids": pick(self.object_ids)}
            arrays |= {"foreign_keys": self.foreign_keys.padded(rows)}
        if "link" in proximities:
            arrays |= {"object_ids": pick(self.object_ids), "links": self.links.padded(rows)}
        if "shared_entity" in proximities:
            arrays |= {"entity_ids": self.entities.padded(rows)}
            arrays |= {"entity_counts": pick(self.entity_counts)}
        if "chunk" in proximities:
            arrays |= {"document_ids": pick(self.document_ids)}
            arrays |= {"chunk_ids": pick(self.chunk_ids)}
        return arrays

    def to_arrays(self) -> dict[str, ndarray]:
        """Named arrays, for a file."""
        arrays = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Ragged):
                arrays[f"{field.name}.offsets"] = value.offsets
                arrays[f"{field.name}.values"] = value.values
            else:
                arrays[field.name] = value
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, ndarray]) -> "GraphArrays":
        """What `to_arrays` gave."""

        def restore(name: str) -> ndarray | Ragged:
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
    chosen = list(chosen)
    for name in chosen:
        if name not in PROXIMITIES:
            raise InputError(f"proximity: {name!r} is unknown; use {', '.join(PROXIMITIES)}")
    return chosen


def _references(
    metadata: Sequence[Mapping[str, Any]], key: str, numbers: Mapping[str, int], warn: bool
) -> Ragged:
    wanted = [m.get(key, ()) for m in metadata]
    found = [[numbers[target] for target in targets if target in numbers] for targets in wanted]
    unknown = sum(map(len, wanted)) - sum(map(len, found))
    if unknown and warn:
        example = next(t for targets in wanted for t in targets if t not in numbers)
        warnings.warn(
            f"{key}: {unknown} name objects that the corpus lacks (such as {example!r}); "
            "their edges are dropped",
            GrapherWarning,
            stacklevel=4,
        )
    return Ragged.build(found)


def _entities(metadata: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    vocabulary: dict[str, int] = {}
    by_object = []
    for m in metadata:
        names = dict.fromkeys(normalise(name) for name in m.get("entities", ()))
        names.pop("", None)
        by_object.append([vocabulary.setdefault(name, len(vocabulary)) for name in names])
    everything = Ragged.build(by_object)
    # An entity that one object alone has connects nothing, and costs a slot in every product.
    shared = np.bincount(everything.values, minlength=len(vocabulary)) > 1
    return {
        "entities": Ragged.build([[e for e in entities if shared[e]] for entities in by_object]),
        "entity_counts": np.diff(everything.offsets).astype(np.int32),
    }
