"""The graph over a whole index with separate relations (query-aware GNN retrieval, algorithm 1).

An episode of the paper is a document here: its chunks are consecutive, and some are similar. Other
edges of the metadata are added as further relations.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.errors import InputError
from grapher_jax.graph import EMPTY, MAX_DF, PROXIMITIES, GraphArrays, Proximity, Ragged, Steps
from grapher_jax.training.relations import RELATIONS

_ROWS: dict[str, list[Proximity]] = {}
for _row in PROXIMITIES.values():
    if _row.relation:
        _ROWS.setdefault(_row.relation, []).append(_row)
_SEMANTIC = 5
# The maximum number of neighbours of an object per relation; if there are more, the most similar
# are taken. The weights have an embedding for each of these relations, so a proximity that is added
# to the table has no slots, because the weights were not trained with it.
SLOTS = {name: _ROWS[name][0].slots if name in _ROWS else _SEMANTIC for name in RELATIONS}
THRESHOLD = 0.6
# The number of cosines in memory at a time.
_CELLS = 1 << 24


@dataclass(frozen=True)
class ObjectGraph:
    """The neighbours that send messages to each of N objects, with one relation per slot.

    Attributes:
        neighbors: `[N, s]` int32 objects, -1 where unused.
        weights: `[N, s]` float32: the cosine of semantic edges, 1 for others, 0 where unused.
        relations: the relation of each slot, one of `SLOTS`.
    """

    neighbors: Int[ndarray, "N s"]
    weights: Float[ndarray, "N s"]
    relations: tuple[str, ...]

    @property
    def relation_numbers(self) -> Int[ndarray, " s"]:
        """`[s]` the relation of each slot, as an index into `RELATIONS`."""
        return np.array([RELATIONS.index(name) for name in self.relations])

    @classmethod
    def build(
        cls,
        graph: GraphArrays,
        embeddings: Float[ndarray, "N d"],
        *,
        relations: Sequence[str] = tuple(SLOTS),
        max_df: int = MAX_DF,
    ) -> "ObjectGraph":
        """Build the graph with all relations that the metadata allows.

        Semantic edges stay within a document; objects without a document count as one document,
        which takes time quadratic in their number.

        Args:
            graph: the metadata of all objects.
            embeddings: `[N, d]` of unit length.
            relations: the relations to use, from `SLOTS`.
            max_df: ignore entities that more than this many objects have.

        Raises:
            InputError: for no relation, or an unknown one.
        """
        if not relations or not set(relations) <= SLOTS.keys():
            raise InputError(f"relations: {list(relations)}; give some of {', '.join(SLOTS)}")
        steps = Steps(graph)
        # One unused slot, so that a graph without edges has a valid shape.
        neighbors = [np.full((len(embeddings), 1), EMPTY, np.int32)]
        weights, slots = [np.zeros((len(embeddings), 1), np.float32)], [relations[0]]
        for name in relations:
            if name == "semantic":
                found, strength = _semantic(graph.document_ids, embeddings, SLOTS[name])
            else:
                pairs = [steps.neighbors(row, max_df) for row in _ROWS[name]]
                found = _most_similar(pairs, embeddings, SLOTS[name])
                strength = (found != EMPTY).astype(np.float32)
            if (found == EMPTY).all():
                continue
            neighbors.append(found)
            weights.append(strength)
            slots += [name] * SLOTS[name]
        return cls(np.concatenate(neighbors, 1), np.concatenate(weights, 1), tuple(slots))


def _semantic(
    documents: Int[ndarray, " N"], embeddings: Float[ndarray, "N d"], k: int
) -> tuple[Int[ndarray, "N k"], Float[ndarray, "N k"]]:
    """The k most similar objects of the same document, above the threshold."""
    neighbors = np.full((len(documents), k), EMPTY, np.int32)
    weights = np.zeros(neighbors.shape, np.float32)
    for members in _groups(documents):
        vectors = embeddings[members]
        block = max(1, _CELLS // len(members))
        for start in range(0, len(members), block):
            some = members[start : start + block]
            cosines = vectors[start : start + block] @ vectors.T
            cosines[np.arange(len(some)), start + np.arange(len(some))] = -np.inf
            own = _largest(cosines, min(k, len(members)))
            near = np.take_along_axis(cosines, own, axis=1)
            width = own.shape[1]
            neighbors[some, :width] = np.where(near > THRESHOLD, members[own], EMPTY)
            weights[some, :width] = np.where(near > THRESHOLD, near, 0.0)
    return neighbors, weights


def _largest(values: Float[ndarray, "b n"], k: int) -> Int[ndarray, "b k"]:
    """The positions of the k largest values of each row, largest first."""
    some = np.argpartition(-values, k - 1, axis=1)[:, :k]
    order = np.argsort(-np.take_along_axis(values, some, axis=1), axis=1, kind="stable")
    return np.take_along_axis(some, order, axis=1)


def _groups(documents: Int[ndarray, " N"]) -> Iterator[Int[ndarray, " m"]]:
    order = np.argsort(documents, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(documents[order])) + 1)


def _most_similar(
    pairs: Sequence[Ragged], embeddings: Float[ndarray, "N d"], size: int
) -> Int[ndarray, "N size"]:
    """The most similar neighbours of every object, without repeats."""
    n = len(embeddings)
    owners = np.concatenate([of.owners for of in pairs]).astype(np.int64)
    others = np.concatenate([of.values for of in pairs])
    keys = np.unique((owners * n + others)[owners != others])
    owners, others = np.divmod(keys, n)
    cosines = np.concatenate(
        [np.zeros(0, np.float32)]
        + [
            np.einsum("pd,pd->p", embeddings[owners[part]], embeddings[others[part]])
            for part in np.array_split(np.arange(len(keys)), len(keys) // (1 << 16) + 1)
        ]
    )
    order = np.lexsort((others, -cosines, owners))
    owners, others = owners[order], others[order]
    places = np.arange(len(owners)) - np.searchsorted(owners, owners)
    kept = places < size
    found = np.full((n, size), EMPTY, np.int32)
    found[owners[kept], places[kept]] = others[kept]
    return found
