"""A ranking that grows along foreign keys."""

from collections.abc import Collection as Names
from functools import partial, reduce

import numpy as np
from jaxtyping import Array, Bool, Float
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.errors import InputError
from grapher_jax.graph import EMPTY, kernel_table
from grapher_jax.graph.ragged import Ragged
from grapher_jax.kept_programs import kept_jit
from grapher_jax.kernels.graphs.proximities import Table, compare_pairs
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.running import (
    MOST_CANDIDATES,
    Order,
    best_first,
    best_of,
    blocks,
    joined_blocks,
)
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.shapes import candidate_bucket, coarse_bucket, pad, power_of_two

# The matrices of this many candidates fit a CPU's caches.
_AT_ONCE = 1 << 13


def grown(
    collection: Collection, candidates: Candidates, order: Order, keys: Names[str], *, k: int
) -> Order:
    """The best k after growth along keys: `kernels.grow_along_edges` with its defaults.

    Args:
        collection: the collection of which candidates are rows.
        candidates: the candidates that were ranked.
        order: the order of all of them.
        keys: the proximities whose edges count.
        k: how many results.

    Raises:
        InputError: for more candidates than a matrix of all pairs should have.
    """
    width = candidates.rows.shape[1]
    if width > MOST_CANDIDATES:
        raise InputError(
            f"along_keys: {width} candidates for a question; {MOST_CANDIDATES} can be compared at "
            "most; give the best of them, or leave it out"
        )
    graph, parts = collection.graph, []
    for block in blocks(candidates, _AT_ONCE):
        positions = order.positions[block]
        rows = np.take_along_axis(candidates.rows[block], np.maximum(positions, 0), axis=1)
        rows = np.where(positions == EMPTY, EMPTY, rows)
        shape = (power_of_two(len(rows)), candidate_bucket(rows.shape[1]))
        rows = pad(rows, shape, EMPTY)
        top = _grown(
            pad(order.scores[block], shape, -np.inf),
            graph.gather(rows, keys),
            rows != EMPTY,
            table=kernel_table([*keys], graph.rows),
            k=min(coarse_bucket(k), shape[1]),
        )
        places, scores = best_of(top, len(positions), k)
        chosen = np.take_along_axis(positions, np.maximum(places, 0), axis=1)
        parts.append((np.where(places == EMPTY, EMPTY, chosen), scores))
    return joined_blocks(parts, k)


def kept_up(
    collection: Collection, candidates: Candidates, order: Order, keys: Names[str]
) -> Order:
    """The order in which objects that no key joins keep at least the place of the retriever.

    A ranker that looks at keys knows nothing about them, which says nothing against them. Such an
    object stands exactly where the retriever had it, if that is better and not the first place, and
    has the score of the next one. The others keep their order.

    Args:
        collection: the collection of which candidates are rows.
        candidates: the candidates that were ranked.
        order: the order of all of them.
        keys: the proximities whose edges count.
    """
    positions, scores = order.positions, order.scores
    at = np.maximum(positions, 0)
    rows = np.where(positions == EMPTY, EMPTY, np.take_along_axis(candidates.rows, at, axis=1))
    before = np.argsort(best_first(candidates.rows, candidates.scores), axis=1)
    before = np.take_along_axis(before, at, axis=1)
    joined = collection.kept.get(_joined, collection, tuple(keys))
    up = (rows != EMPTY) & ~joined[rows] & (before < np.arange(rows.shape[1])) & (before > 0)
    if not up.any():
        return order
    taken = np.zeros(up.shape, bool)
    query, one = up.nonzero()
    taken[query, before[query, one]] = True
    place = np.empty_like(before)
    # Those that nothing takes are for the others, in their order.
    free, others = (np.argsort(marks, axis=1, kind="stable") for marks in (taken, up))
    np.put_along_axis(place, others, free, axis=1)
    now = np.argsort(np.where(up, before, place), axis=1)
    positions, scores, up = (np.take_along_axis(a, now, axis=1) for a in (positions, scores, up))
    of_next = np.maximum.accumulate(np.where(up, -np.inf, scores)[:, ::-1], axis=1)[:, ::-1]
    return Order(positions, np.where(up, of_next, scores).astype(np.float32))


def _joined(collection: Collection, keys: tuple[str, ...]) -> Bool[ndarray, " N"]:
    """Which objects any key joins to another."""
    joined = np.zeros(len(collection.ids), bool)
    for name in keys:
        steps = reduce(Ragged.through, collection.graph.rows[name].steps(collection.graph, 1))
        apart = steps.owners != steps.values
        joined[steps.owners[apart]] = joined[steps.values[apart]] = True
    return joined


@partial(kept_jit, static_argnames=("table", "k"))
def _grown(
    scores: Float[Array | ndarray, "B n"],
    relations: Relations,
    mask: Bool[Array | ndarray, "B n"],
    *,
    table: Table,
    k: int,
) -> TopK:
    adjacency = compare_pairs(scores.shape, relations, mask=mask, table=table)
    return kernels.grow_along_edges(scores, adjacency, mask=mask, k=k)
