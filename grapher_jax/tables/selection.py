"""Selects a set of tables that belong together, from a ranking and the keys between tables."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.graph import EMPTY
from grapher_jax.tables.schema import Schema

# Chosen on the training splits of BIRD and Spider. The first is in units of the gap between the
# best score and the tenth: a table that is joined to a chosen one counts e^JOINED = 2 times as
# much.
JOINED = float(np.log(2))
_FIRST = 10


def select_tables(
    rows: Sequence[int] | Int[ndarray, " n"],
    scores: Sequence[float] | Float[ndarray, " n"],
    schema: Schema,
    *,
    k: int,
) -> list[int]:
    """Selects k tables, one after the other; a smaller k gives the first of them.

    Each step chooses the table with the highest score in units of the gap between the best and the
    tenth, plus `JOINED` if a key joins it to a table that is already chosen.

    Args:
        rows: the ranked tables, best first; -1 if there are fewer.
        scores: a ranker's scores, on any scale.
        schema: the schema with the keys between tables.
        k: the maximum number of tables.

    Returns:
        At most `k` rows, in the order in which they were chosen.
    """
    rows, given = np.asarray(rows, int), np.asarray(scores, float)
    kept = np.flatnonzero((rows != EMPTY) & np.isfinite(given))
    rows, value = rows[kept], _by_gap(given[kept])
    place = np.full(len(schema.ids), EMPTY)
    place[rows] = np.arange(len(rows))
    ends = place[schema.ends]
    left, right = ends[(ends != EMPTY).all(1)].T
    chosen: list[int] = []
    bonus = np.zeros(len(rows))
    for _ in range(min(k, len(rows))):
        best = int(np.argmax(value + bonus))
        chosen.append(int(rows[best]))
        bonus[right[left == best]] = bonus[left[right == best]] = JOINED
        value[best] = -np.inf
    return chosen


def _by_gap(scores: Float[ndarray, " n"]) -> Float[ndarray, " n"]:
    """Scores in units of the gap between the best and the tenth; 0 if all are equal."""
    if not len(scores):
        return scores
    ordered = -np.sort(-scores)
    gaps = ordered[0] - ordered
    gap = gaps[:_FIRST][-1] or gaps[-1]  # ten or more may share the best score
    return (scores - ordered[0]) / (gap or 1.0)
