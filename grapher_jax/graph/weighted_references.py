"""A proximity by references with weights."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.files import Json
from grapher_jax.graph.metadata import Array, Known, Metadata
from grapher_jax.graph.names import AllNamed, lists_in
from grapher_jax.graph.ragged import EMPTY, Ragged
from grapher_jax.graph.reference_lists import References

if TYPE_CHECKING:
    from grapher_jax.graph.arrays import GraphArrays
    from grapher_jax.kernels.graphs.proximities import Proximity as KernelRow

# If an object has more references, only the strongest count: each is a slot of every candidate.
MOST = 64


@dataclass(frozen=True)
class WeightedReferences(References):
    """References with weights: the metadata has pairs of an id and a number ≥ 0.

    Attributes:
        strengths: the name of the array of weights, parallel to the `array` of references.
    """

    strengths: str = ""

    def read(self, objects: Metadata) -> AllNamed:
        """The ids that each object references, the strongest first, and their weights."""
        found = []
        for own in objects.values:
            given: Iterable[tuple[str, float]] = own.get(self.key, ())
            pairs = [(name, weight) for name, weight in given if weight > 0]
            found.append(sorted(pairs, key=lambda pair: -pair[1]))
        names = objects.names([name for name, _ in pairs] for pairs in found)
        weights = np.array([weight for pairs in found for _, weight in pairs], np.float32)
        # Lists hold only integers, also in files: a weight is stored as the bits of its float.
        bits = Ragged(names.lists.offsets, weights.view(np.int32))
        return {self.array: names, self.strengths: bits}

    def resolve(self, named: AllNamed, known: Known) -> dict[str, Array]:
        """The arrays of the strongest references and their weights."""
        targets, kept = self._resolved(named, replace(known, warn=False))
        lists = targets.where(kept)
        first = np.arange(len(lists.values)) - lists.offsets[lists.owners] < MOST
        bits = lists_in(named, self.strengths).where(kept)
        return {self.array: lists.where(first), self.strengths: bits.where(first)}

    def gather(
        self, graph: "GraphArrays", rows: Int[ndarray, "*B n"], max_df: int | None
    ) -> dict[str, ndarray]:
        """The references of the candidates, and their weights."""
        lists = graph.lists(self.array)
        targets, bits = (
            graph.lists(name).padded(rows, most=lists.longest)
            for name in (self.array, self.strengths)
        )
        return {
            "object_ids": graph.pick("object_ids", rows),
            self.array: targets,
            self.strengths: np.where(targets == EMPTY, np.float32(0), bits.view(np.float32)),
        }

    def told(self, graph: "GraphArrays", one: int, other: int) -> str:
        """The weight of the reference from one row to the other."""
        place = list(graph.lists(self.array).at(one)).index(graph.object_ids[other])
        weights: Float[ndarray, " m"] = graph.lists(self.strengths).at(one).view(np.float32)
        return f" with weight {weights[place]:.4g}"

    def kernel(self) -> "KernelRow":
        """The row of the kernels."""
        from grapher_jax.kernels.graphs.proximities import weighted_row

        return weighted_row(self.slot or self.name, self.array, self.strengths)

    def filled(self, slots: int) -> dict[str, Json]:
        """Example metadata with this many references."""
        return {self.key: [["0", 1.0]] * slots}
