"""A ranking that grows along foreign keys."""

from collections.abc import Collection as Names
from functools import partial

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.errors import InputError
from grapher_jax.graph import EMPTY, kernel_table
from grapher_jax.kept_programs import kept_jit
from grapher_jax.kernels.graphs.proximities import Table, compare_pairs
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.running import (
    MOST_CANDIDATES,
    Order,
    at_places,
    best_of,
    blocks,
    joined_blocks,
)
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.shapes import block_shape, coarse_bucket, pad

# The matrices of this many candidates fit a CPU's caches.
_AT_ONCE = 1 << 13


def grown(
    collection: Collection, candidates: Candidates, order: Order, keys: Names[str], *, k: int
) -> Order:
    """The best k after growth along keys, see `kernels.grow_along_edges`.

    Candidates share the bonus of one that keys join to many: it is divided by the square root of
    their number.

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
        rows = at_places(candidates.rows[block], positions)
        shape = block_shape(rows.shape)
        rows = pad(rows, shape, EMPTY)
        top = _grown(
            pad(order.scores[block], shape, -np.inf),
            graph.gather(rows, keys),
            rows != EMPTY,
            table=kernel_table([*keys], graph.rows),
            k=min(coarse_bucket(k), shape[1]),
        )
        places, scores = best_of(top, len(positions), k)
        parts.append((at_places(positions, places), scores))
    return joined_blocks(parts, k)


@partial(kept_jit, static_argnames=("table", "k"))
def _grown(
    scores: Float[Array | ndarray, "B n"],
    relations: Relations,
    mask: Bool[Array | ndarray, "B n"],
    *,
    table: Table,
    k: int,
) -> TopK:
    edges = compare_pairs(scores.shape, relations, mask=mask, table=table) > 0
    shares = 1 / jnp.sqrt(jnp.maximum(edges.sum(-1, keepdims=True, dtype=scores.dtype), 1))
    return kernels.grow_along_edges(scores, jnp.where(edges, shares, 0), mask=mask, k=k)
