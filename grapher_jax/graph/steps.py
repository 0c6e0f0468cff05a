"""Objects one step from the best candidates, which join them.

Query-aware GNN retrieval, algorithm 8, over the whole index and from its metadata alone: evidence
that the retriever does not return cannot be reranked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.graph.arrays import GraphArrays
from grapher_jax.graph.proximities import Proximity
from grapher_jax.graph.ragged import EMPTY, Ragged

# Values that more objects share than this lead no step on: they say little, and cost most.
_COMMON = 64


@dataclass(frozen=True)
class Steps:
    """Which objects of a whole index stand one step from which, by proximity.

    Attributes:
        graph: the metadata of all objects.
    """

    graph: GraphArrays
    _lists: dict[Proximity, Sequence[Ragged]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def from_best(
        self, rows: Int[ndarray, "B n"], *, proximities: Sequence[str]
    ) -> Int[ndarray, "B m"]:
        """`[B, m]` objects one step from the best candidates, some repeated; -1 for none.

        Args:
            rows: `[B, n]` candidates, best first; -1 for none.
            proximities: by which steps are taken, each from as many of the best as its row says.
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
            self._lists[row] = row.steps(self.graph, _COMMON)
        return self._lists[row]

    def neighbors(self, row: Proximity, max_df: int) -> Ragged:
        """Which objects stand one step from each, some repeated; an object may be among its own.

        Args:
            row: of the table.
            max_df: values that more objects share lead no step on.
        """
        return reduce(Ragged.through, row.steps(self.graph, max_df))
