"""Proximities by reference: objects name others by their ids."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from grapher_jax.corpus.inferred.types import TOLD_BY, told_by
from grapher_jax.errors import warn
from grapher_jax.graph.joins import Context, Join, on_columns
from grapher_jax.graph.metadata import Array, Known, Metadata
from grapher_jax.graph.names import AllNamed, letters, lists_in, names_in
from grapher_jax.graph.ragged import COMMON, EMPTY, Ragged

if TYPE_CHECKING:
    from grapher_jax.graph.arrays import GraphArrays
    from grapher_jax.kernels.graphs.proximities import Proximity as KernelRow

# If an object has more references than this, only those to other candidates are gathered.
_MANY = 64


@dataclass(frozen=True)
class References:
    """How a row of references is read, gathered and explained.

    Attributes:
        name: the name of the proximity.
        key: the metadata key of lists of ids.
        array: the name of the array of referenced objects.
        verb: the verb in explanations.
        columns: the metadata key with the columns of the references, if there is one.
        slot: the name of the row in the kernels; by default its own name.
    """

    name: str
    key: str
    array: str
    verb: str
    columns: str = ""
    slot: str = ""

    def read(self, objects: Metadata) -> AllNamed:
        """The ids that each object references."""
        return {self.array: objects.names(own.get(self.key, ()) for own in objects.values)}

    def resolve(self, named: AllNamed, known: Known) -> dict[str, Array]:
        """The array of references; those to unknown objects are dropped."""
        targets, kept = self._resolved(named, known)
        return {self.array: targets.where(kept)}

    def _resolved(self, named: AllNamed, known: Known) -> tuple[Ragged, Bool[ndarray, " total"]]:
        """The number of each id, and which ids are known."""
        names = names_in(named, self.array)
        numbers = names.numbers(known.numbers)
        kept = numbers != EMPTY
        if known.warn and not kept.all():
            place = names.lists.values[np.argmin(kept)]
            (example,) = letters([names.vocabulary[place]])
            warn(
                f"{self.key}: {(~kept).sum()} name objects that the corpus lacks (such as "
                f"{example!r}); their edges are dropped",
            )
        return Ragged(names.lists.offsets, numbers), kept

    def joins(self, graph: "GraphArrays") -> Bool[ndarray, " N"]:
        """Which objects have references to others than themselves."""
        targets = graph.lists(self.array)
        return targets.where(graph.object_ids[targets.owners] != targets.values).filled

    def gather(
        self, graph: "GraphArrays", rows: Int[ndarray, "*B n"], max_df: int | None
    ) -> dict[str, ndarray]:
        """The candidates' references; of long lists, only those to the question's candidates."""
        targets = graph.lists(self.array)
        return {
            "object_ids": graph.pick("object_ids", rows),
            self.array: _among(graph.object_ids, targets, rows),
        }

    def steps(self, graph: "GraphArrays", max_df: int) -> tuple[Ragged, ...]:
        """The steps to objects that an object references, and to those that reference it.

        None leads through an object with very many edges.
        """
        return (graph.lists(self.array).both_ways().without_long(COMMON),)

    def words(self, context: Context, one: int, other: int) -> Iterator[Join]:
        """States which of two rows references the other."""
        targets, ids = context.graph.lists(self.array), context.graph.object_ids
        for pair in ((one, other), (other, one)):
            if ids[pair[1]] in targets.at(pair[0]):
                source, target = (context.ids[row] for row in pair)
                own = context.metadata(pair[0]) if self.columns else {}
                told = on_columns(own, self.columns, source, target)
                told = told or f"{source} {self.verb} {target}"
                told += self.told(context.graph, *pair)
                yield Join(self.name, (source, target), told)

    def told(self, graph: "GraphArrays", one: int, other: int) -> str:
        """Details of the reference from one row to another."""
        return ""

    def kernel(self) -> "KernelRow":
        """The row of the kernels."""
        from grapher_jax.kernels.graphs.proximities import reference_row

        return reference_row(self.slot or self.name, self.array)

    def filled(self, slots: int) -> dict[str, Any]:
        """Example metadata with this many references."""
        return {self.key: ["0"] * slots}


@dataclass(frozen=True)
class InferredReferences(References):
    """Inferred references, each with its evidence."""

    by: str = "inferred_by"

    def read(self, objects: Metadata) -> AllNamed:
        """The ids, and the evidence for each reference."""
        places = {name: place for place, name in enumerate(TOLD_BY)}
        told = []
        for own in objects.values:
            targets = own.get(self.key, ())
            by = told_by(own.get("inferred_joins")) if targets else {}
            told.append([places[by.get(target, "name")] for target in targets])
        return {**super().read(objects), self.by: Ragged.build(told)}

    def resolve(self, named: AllNamed, known: Known) -> dict[str, Array]:
        """The array of references, and the evidence for each."""
        targets, kept = self._resolved(named, known)
        return {self.array: targets.where(kept), self.by: lists_in(named, self.by).where(kept)}

    def told(self, graph: "GraphArrays", one: int, other: int) -> str:
        """The evidence for the reference."""
        place = list(graph.lists(self.array).at(one)).index(graph.object_ids[other])
        return f" {[*TOLD_BY.values()][graph.lists(self.by).at(one)[place]]}"


def _among(
    object_ids: Int[ndarray, " N"], references: Ragged, rows: Int[ndarray, "*B n"]
) -> Int[ndarray, "*B n slots"]:
    lengths = np.diff(references.offsets)[rows[rows != EMPTY]]
    if lengths.max(initial=0) <= _MANY:
        return references.padded(rows, most=references.longest)
    # Otherwise a page that links to all others would give each candidate a slot for every page.
    (real,) = np.nonzero(rows.ravel() != EMPTY)
    own = rows.ravel()[real]
    at, owners = references.runs(own, own + 1)
    places, targets = real[owners], references.values[at]
    # One number for each question and object.
    ids = int(object_ids.max(initial=0)) + 1
    present = real // rows.shape[-1] * ids + object_ids[own]
    kept = np.isin(places // rows.shape[-1] * ids + targets, present)
    lists = Ragged.from_pairs(places[kept], targets[kept], rows.size)
    numbered = np.arange(rows.size).reshape(rows.shape)
    return lists.padded(numbered, most=references.longest)
