"""Personalised PageRank over candidate graphs."""

from typing import Any

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from grapher_jax.kernels.fixed_point import FixedPoint, fixed_point, rounding_floor
from grapher_jax.kernels.masking import masked_adjacency, masked_scores, reciprocal
from grapher_jax.kernels.types import Adjacency, Mask, Scores, Solution

PPR_ALPHA = 0.8


def ppr(
    adjacency: Adjacency,
    scores: Scores,
    *,
    mask: Mask | None = None,
    alpha: float | Array | None = None,
    tol: float | Array = 1e-6,
    max_steps: int = 1000,
) -> Solution:
    """Random walk with restart: `p ← α v + (1 − α) (W p + dangling mass · v)`.

    `W` is the adjacency with columns that sum to 1: a candidate hands its score out to its
    neighbours. The seed `v` is the scores over their sum, negative ones clipped to 0; where all are
    0 it is uniform over the real candidates. What a candidate without neighbours holds goes back to
    the seed. Scores sum to 1. Agrees with networkx `pagerank(DiGraph(Aᵀ), alpha=1-α,
    personalization=s, dangling=s)` where the seed's sum is positive.

    Args:
        adjacency: `[*B, n, n]` weights ≥ 0; `A[i, j]` is how much j speaks to i.
        scores: `[*B, n]` the retriever's scores.
        mask: `[*B, n]` true for real candidates; all by default.
        alpha: the weight kept on a candidate's own score, in (0, 1]; scalar or `[*B]`.
            By default `PPR_ALPHA`, the best of the grid on BIRD train (GraphER, appendix A.3).
        tol: a query stops when `‖Δp‖₁ < max(tol, 4 ε)`, ε that of the dtype.
        max_steps: the largest number of updates.

    Returns:
        Scores with, for every query, the steps taken, the last residual and whether it converged.
    """
    seed = restart_distribution(scores, mask)
    A = masked_adjacency(adjacency, mask)
    return Solution(*_walk(A, seed, A.sum(-2) == 0, alpha, tol, max_steps))


def spread(
    adjacency: Adjacency,
    seed: Scores,
    *,
    mask: Mask | None = None,
    alpha: float | Array | None = None,
    tol: float | Array = 1e-6,
    max_steps: int = 1000,
) -> Float[Array, "*B n"]:
    """PPR without the return of dangling mass: linear in the seed, and PPR once it sums to 1."""
    A = masked_adjacency(adjacency, mask)
    seed = jnp.asarray(seed)
    return _walk(A, seed, jnp.zeros(seed.shape, bool), alpha, tol, max_steps).value


def restart_distribution(scores: Scores, mask: Mask | None) -> Float[Array, "*B n"]:
    """Scores as a distribution: clipped at 0, summing to 1, uniform where all are 0."""
    clipped = jnp.maximum(masked_scores(scores, mask), 0.0)
    real = jnp.ones_like(clipped) if mask is None else jnp.asarray(mask, clipped.dtype)
    seed = jnp.where(clipped.sum(-1, keepdims=True) == 0, real, clipped)
    return seed * reciprocal(seed.sum(-1, keepdims=True))


def _walk(
    A: Float[Array, "*B n n"],
    seed: Float[Array, "*B n"],
    dangling: Bool[Array, "*B n"],
    alpha: float | Array | None,
    tol: float | Array,
    max_steps: int,
) -> FixedPoint:
    alpha = jnp.asarray(PPR_ALPHA if alpha is None else alpha, seed.dtype)[..., None]
    tolerance = jnp.maximum(tol, rounding_floor(seed))
    parameters = (A, reciprocal(A.sum(-2)), seed, dangling, alpha)
    return fixed_point(_hand_on, parameters, alpha * seed, seed, tolerance, max_steps)


def _hand_on(parameters: Any, p: Float[Array, "*B n"]) -> Float[Array, "*B n"]:
    A, inverse_out_weights, v, dangling, alpha = parameters
    handed_on = jnp.einsum("...ij,...j->...i", A, inverse_out_weights * p)
    returned = jnp.where(dangling, p, 0.0).sum(-1, keepdims=True) * v
    return (1 - alpha) * (handed_on + returned)
