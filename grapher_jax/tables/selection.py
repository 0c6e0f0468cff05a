"""Selects a set of tables that belong together, from a ranking and the keys between tables."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.graph import EMPTY
from grapher_jax.kept_programs import kept_jit
from grapher_jax.shapes import candidate_bucket, coarse_bucket, pad
from grapher_jax.tables.schema import Schema

# In units of the gap between the best score and the tenth; chosen on the training splits of BIRD
# and Spider, and on the applications for learning.
JOINED = 0.5
_grow = kept_jit(kernels.grow_along_edges, static_argnames=("keep", "k"))


def select_tables(
    rows: Sequence[int] | Int[ndarray, " n"],
    scores: Sequence[float] | Float[ndarray, " n"],
    schema: Schema,
    *,
    k: int,
) -> list[int]:
    """Selects k tables, one after the other; a smaller k gives the first of them.

    Each step chooses the table with the highest score, where a table that a key joins to a chosen
    one gets a bonus, see `kernels.grow_along_edges`. The ranking may have grown along keys before.

    Args:
        rows: the ranked tables, best first; -1 if there are fewer.
        scores: a ranker's scores, on any scale.
        schema: the schema with the keys between tables.
        k: the maximum number of tables.

    Returns:
        At most `k` rows, in the order in which they were chosen.
    """
    rows, given = np.asarray(rows, int), np.asarray(scores, np.float32)
    kept = (rows != EMPTY) & np.isfinite(given)
    place = np.full(len(schema.ids), EMPTY)
    place[rows[kept]] = np.flatnonzero(kept)
    ends = place[schema.ends]
    left, right = ends[(ends != EMPTY).all(1)].T
    shape = (candidate_bucket(len(rows)),) * 2
    joined = np.zeros(shape, np.float32)
    joined[left, right] = joined[right, left] = 1
    top = _grow(
        pad(given, shape[:1], 0),
        joined,
        mask=pad(kept, shape[:1], False),
        bonus=JOINED,
        keep=1,
        k=coarse_bucket(min(k, len(rows))),
    )
    chosen = np.asarray(top.indices)[:k]
    return [int(row) for row in rows[chosen[chosen != EMPTY]]]
