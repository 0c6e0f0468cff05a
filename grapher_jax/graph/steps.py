"""Objects one step from the best candidates, which join them.

Query-aware GNN retrieval, algorithm 8, over the whole index and from its metadata alone: evidence
that the retriever does not return cannot be reranked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.graph.arrays import EMPTY, GraphArrays, Ragged

# How many of the best candidates bring others: what lifted the ceiling most on train splits without
# pushing others out of the few places there are.
SEEDS = {"foreign_key": 10, "link": 10, "shared_entity": 5, "chunk": 10}
# Entities that more objects have than this bring nobody, nor do objects that more are joined to:
# they say little, and cost most.
_COMMON = 64


@dataclass(frozen=True)
class Steps:
    """Who stands one step from whom in a whole index, by proximity.

    Attributes:
        graph: the metadata of all objects.
    """

    graph: GraphArrays

    def from_best(
        self, rows: Int[ndarray, "B n"], *, proximities: Sequence[str]
    ) -> Int[ndarray, "B m"]:
        """`[B, m]` objects one step from the best candidates, some repeated; -1 for none.

        Args:
            rows: `[B, n]` candidates, best first; -1 for none.
            proximities: by which steps are taken, each from the `SEEDS` best.
        """
        ways = []
        for name in proximities:
            best = rows[:, : SEEDS[name]]
            if name == "shared_entity":
                entities = self.graph.entities.padded(best)
                ways.append(self._holders.padded(entities))
            else:
                ways.append(self.neighbors[name].padded(best))
        parts = [way.reshape(len(rows), -1) for way in ways]
        return np.concatenate([np.full((len(rows), 1), EMPTY, np.int32), *parts], axis=1)

    @cached_property
    def neighbors(self) -> dict[str, Ragged]:
        """By proximity, but for shared entities, who stands one step from each object."""
        return {
            "foreign_key": _few(_both_ways(self.graph.foreign_keys)),
            "link": _few(_both_ways(self.graph.links)),
            "chunk": _adjacent_chunks(self.graph),
        }

    def sharing(self, max_df: int) -> Ragged:
        """For each object, those that share an entity which at most `max_df` have; some repeated.

        It is among its own.
        """
        graph = self.graph
        kept = graph.document_frequency[graph.entities.values] <= max_df
        owners, entities = graph.entities.owners[kept], graph.entities.values[kept]
        holders = Ragged.from_pairs(entities, owners, len(graph.entity_names))
        lengths = np.diff(holders.offsets)[entities]
        first = np.repeat(holders.offsets[entities] - (np.cumsum(lengths) - lengths), lengths)
        others = holders.values[first + np.arange(lengths.sum())]
        return Ragged.from_pairs(np.repeat(owners, lengths), others, len(graph.object_ids))

    @cached_property
    def _holders(self) -> Ragged:
        """For each entity, the objects that have it; nobody where they are many."""
        return _few(self.graph.entities.transposed(len(self.graph.entity_names)))


def _few(lists: Ragged) -> Ragged:
    """The lists, long ones left empty."""
    lengths = np.diff(lists.offsets)
    kept = np.repeat(lengths <= _COMMON, lengths)
    return Ragged.from_pairs(lists.owners[kept], lists.values[kept], len(lengths))


def _both_ways(references: Ragged) -> Ragged:
    ends = references.owners, references.values
    size = len(references.offsets) - 1
    return Ragged.from_pairs(np.concatenate(ends), np.concatenate(ends[::-1]), size)


def _adjacent_chunks(graph: GraphArrays) -> Ragged:
    order = np.lexsort((graph.chunk_ids, graph.document_ids))
    documents, chunks = graph.document_ids[order], graph.chunk_ids[order]
    follows = (documents[1:] == documents[:-1]) & (chunks[1:] == chunks[:-1] + 1)
    follows &= (documents[1:] != EMPTY) & (chunks[:-1] != EMPTY)
    ends = order[:-1][follows], order[1:][follows]
    return Ragged.from_pairs(np.concatenate(ends), np.concatenate(ends[::-1]), len(order))
