"""The arrays that pass between kernels, and what a ranker returns.

Shape letters, everywhere in this package: `B` queries, `n` candidates (padded), `e` entity slots,
`r` reference slots, `k` results. Integer arrays pad with -1. `*B` stands for any leading batch
dimensions, none included.
"""

from dataclasses import dataclass

import jax
from jaxtyping import Array, Bool, Float, Int, Real
from numpy import ndarray

# What stands for no ID, no neighbour and no place.
EMPTY = -1

Scores = Real[Array | ndarray, "*B n"]
Mask = Bool[Array | ndarray, "*B n"]
Ids = Int[Array | ndarray, "*B n"]
Slots = Int[Array | ndarray, "*B n _"]
Adjacency = Float[Array | ndarray, "*B n n"]


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Solution:
    """What a fixed-point ranker found, for every query of the batch.

    Attributes:
        scores: `[*B, n]` final scores; 0 where masked.
        steps: `[*B]` int32, products with the weights.
        residual: `[*B]` L1 norm of what a plain step would have added where the solver stopped, in
            units of the scores; it took that step too.
        converged: `[*B]` whether the residual came within the tolerance. Where it did not, raise
            `max_steps` or `alpha`; it is also false where the scores were not finite.
        error: `[*B]` a bound on how far any score is from the exact fixed point of these weights,
            in units of the scores, converged or not. It allows for the rounding of sums of n
            numbers; an operator whose products lose more (see `SharedEntities`) may exceed it.
    """

    scores: Float[Array, "*B n"]
    steps: Int[Array, "*B"]
    residual: Float[Array, "*B"]
    converged: Bool[Array, "*B"]
    error: Float[Array, "*B"]


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class TopK:
    """The best `k` candidates of every query, best first.

    Attributes:
        indices: `[*B, k]` int32 positions among the candidates; -1 where there are fewer than k.
        scores: `[*B, k]` their scores; -inf where there are fewer than k.
        solution: the ranker's solution over all candidates, None where no fixed point was solved.
    """

    indices: Int[Array, "*B k"]
    scores: Float[Array, "*B k"]
    solution: Solution | None = None
