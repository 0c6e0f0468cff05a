"""Expansion: adds objects one step away from the best candidates.

Algorithm 8 of query-aware GNN retrieval, over the whole index and only from its metadata. Without
it, evidence that the retriever misses could not be reranked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.graph.arrays import GraphArrays
from grapher_jax.graph.proximities import Proximity
from grapher_jax.graph.ragged import COMMON, EMPTY, Ragged


@dataclass(frozen=True)
class Steps:
    """For a whole index, which objects are one step from which, by proximity.

    Attributes:
        graph: the metadata of all objects.
        common: steps do not go through values that more objects share.
        to_hubs: whether all proximities may lead to objects with very many edges.
    """

    graph: GraphArrays
    common: int = COMMON
    to_hubs: bool = False
    _lists: dict[Proximity, Sequence[Ragged]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def from_best(
        self, rows: Int[ndarray, "B n"], *, proximities: Sequence[str]
    ) -> Int[ndarray, "B m"]:
        """`[B, m]` objects one step from the best candidates, some repeated; -1 for none.

        Args:
            rows: `[B, n]` candidates, best first; -1 for none.
            proximities: the proximities to follow, each from as many of the best as its row says.
        """
        parts = [np.full((len(rows), 1), EMPTY, np.int32)]
        for row in map(self.graph.rows.__getitem__, proximities):
            reached = rows[:, : row.seeds]
            for lists in self._along(row):
                reached = lists.padded(reached)
            parts.append(reached.reshape(len(rows), -1))
        return np.concatenate(parts, axis=1)

    def _along(self, row: Proximity) -> Sequence[Ragged]:
        if row not in self._lists:
            lists = row.steps(self.graph, self.common)
            if not (row.to_hubs or self.to_hubs) and len(lists) == 1:
                # `steps` emptied the lists of hubs: an object with an empty one is not added.
                lists = [one.where(one.filled[one.values]) for one in lists]
            self._lists[row] = lists
        return self._lists[row]

    def neighbors(self, row: Proximity, max_df: int) -> Ragged:
        """The objects one step from each object, some repeated; this may include itself.

        Args:
            row: a row of the table of proximities.
            max_df: steps do not go through values that more objects share.
        """
        return reduce(Ragged.through, row.steps(self.graph, max_df))
