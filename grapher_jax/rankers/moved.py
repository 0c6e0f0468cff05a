"""Whether a ranking changed the retriever's results."""

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from grapher_jax.graph import EMPTY
from grapher_jax.retrieve.collection import Candidates, best_first


def moved(candidates: Candidates, positions: Int[ndarray, "B m"], *, k: int) -> Bool[ndarray, " B"]:
    """`[B]` whether the first k results of each ranking differ from the retriever's.

    For a question with at most k candidates, whether their order differs.

    Args:
        candidates: as they were ranked.
        positions: see `Order`; at least min(k, n) of them.
        k: how many results are compared.
    """
    rows = candidates.rows
    base = best_first(rows, candidates.scores)[:, :k]
    base = np.where(np.take_along_axis(rows, base, axis=1) == EMPTY, EMPTY, base)
    own = positions[:, :k]
    same_order = (own == base).all(axis=1)
    same_ones = (np.sort(own, axis=1) == np.sort(base, axis=1)).all(axis=1)
    return ~np.where((rows != EMPTY).sum(axis=1) > k, same_ones, same_order)
