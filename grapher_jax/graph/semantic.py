"""Semantic proximity: joins objects whose embeddings are near."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.files import Json
from grapher_jax.graph.joins import Context, Join
from grapher_jax.graph.metadata import Array, Known, Metadata
from grapher_jax.graph.names import AllNamed
from grapher_jax.graph.ragged import EMPTY, Ragged
from grapher_jax.graph.stacked import Stacked

if TYPE_CHECKING:
    from grapher_jax.graph.arrays import GraphArrays
    from grapher_jax.kernels.graphs.proximities import Proximity as KernelRow


@dataclass(frozen=True)
class Meanings:
    """How a row of near embeddings is gathered and explained; it reads no metadata.

    Which embeddings are the nearest depends on a question's candidates, so nothing is computed from
    the objects in advance.

    Attributes:
        name: the name of the proximity.
        slot: the name of the row in the kernels.
    """

    name: str
    slot: str

    def read(self, objects: Metadata) -> AllNamed:
        """Nothing."""
        return {}

    def resolve(self, named: AllNamed, known: Known) -> dict[str, Array]:
        """No arrays."""
        return {}

    def joins(self, graph: "GraphArrays") -> Bool[ndarray, " N"]:
        """Which objects have an embedding."""
        return Stacked.of(_vectors(graph)).not_zero()

    def gather(
        self, graph: "GraphArrays", rows: Int[ndarray, "*B n"], max_df: int | None
    ) -> dict[str, ndarray]:
        """The embeddings of the candidates."""
        vectors = _vectors(graph)[np.maximum(rows, 0)]
        return {"embeddings": np.where(rows[..., None] == EMPTY, np.float32(0), vectors)}

    def kernel(self) -> "KernelRow":
        """The row of the kernels."""
        from grapher_jax.kernels.graphs.proximities import semantic_row

        return semantic_row(self.slot)

    def steps(self, graph: "GraphArrays", max_df: int) -> tuple[Ragged, ...]:
        """None: finding near embeddings is the work of the retriever."""
        return (Ragged.build([()] * len(graph.object_ids)),)

    def words(self, context: Context, one: int, other: int) -> Iterator[Join]:
        """States the cosine of two rows that are alike, whether or not it joins them.

        Each candidate is joined to its five nearest alone, which depend on the other candidates.
        """
        from grapher_jax.kernels.graphs.looking_up import SEMANTIC_THRESHOLD

        vectors = _vectors(context.graph)
        cosine = float(vectors[one] @ vectors[other])
        if cosine > SEMANTIC_THRESHOLD:
            yield Join(self.name, (), f"their texts are alike, with a cosine of {cosine:.2f}")

    def filled(self, slots: int) -> dict[str, Json]:
        """Empty: the arrays do not depend on metadata."""
        return {}


def _vectors(graph: "GraphArrays") -> Float[ndarray | Stacked, "N d"]:
    """The embeddings; if there are none, zeros, which are near nothing."""
    return np.zeros((len(graph.object_ids), 1)) if graph.vectors is None else graph.vectors
