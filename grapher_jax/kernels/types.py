"""The types of the arrays that kernels exchange, and the results of rankers.

Shape letters used in this package: `B` queries, `n` candidates (padded), `e` entity slots, `r`
reference slots, `k` results. Integer arrays pad with -1. `*B` stands for any number of leading
batch dimensions, including none.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

import jax
from jax import export
from jaxtyping import Array, Bool, Float, Int, Real
from numpy import ndarray

Kind = TypeVar("Kind", bound=type)

# Marks a missing ID, neighbour or position.
EMPTY = -1

Scores = Real[Array | ndarray, "*B n"]
Mask = Bool[Array | ndarray, "*B n"]
Ids = Int[Array | ndarray, "*B n"]
Slots = Int[Array | ndarray, "*B n _"]
Adjacency = Float[Array | ndarray, "*B n n"]
# One number for all queries, or `[*B]`, one for each.
PerQuery = float | Array | ndarray


def pytree(kind: Kind) -> Kind:
    """Registers a frozen dataclass as a pytree, which exported programs too can take and return."""
    jax.tree_util.register_dataclass(kind)
    with suppress(ValueError):  # of a module that is imported once more
        export.register_pytree_node_serialization(
            kind,
            serialized_name=f"grapher_jax.kernels.{kind.__name__}",
            # Their static fields are truth values, and would come back as such.
            serialize_auxdata=lambda fixed: bytes(map(bool, fixed)),
            deserialize_auxdata=lambda kept: tuple(map(bool, kept)),
        )
    return kind


@pytree
@dataclass(frozen=True)
class Solution:
    """The result of a fixed-point ranker for every query of the batch.

    Attributes:
        scores: `[*B, n]` final scores; 0 where masked.
        steps: `[*B]` int32, the number of products with the weights.
        residual: `[*B]` the L1 norm of the change by a plain step where the solver stopped, in
            units of the scores. The solver also took that step.
        converged: `[*B]` whether the residual is within the tolerance. If not, raise `max_steps` or
            `alpha`; it is also false for scores that are not finite.
        error: `[*B]` a bound on the distance of any score from the exact fixed point of these
            weights, in units of the scores, converged or not. It includes the rounding errors of
            sums of n numbers; an operator whose products are less accurate (see `SharedEntities`)
            may exceed it.
    """

    scores: Float[Array, "*B n"]
    steps: Int[Array, "*B"]
    residual: Float[Array, "*B"]
    converged: Bool[Array, "*B"]
    error: Float[Array, "*B"]


@pytree
@dataclass(frozen=True)
class TopK:
    """The best `k` candidates of every query, best first.

    Attributes:
        indices: `[*B, k]` int32 positions among the candidates; -1 if there are fewer than k.
        scores: `[*B, k]` their scores; -inf if there are fewer than k.
        solution: the ranker's solution over all candidates; None if no fixed point was solved.
    """

    indices: Int[Array, "*B k"]
    scores: Float[Array, "*B k"]
    solution: Solution | None = None
