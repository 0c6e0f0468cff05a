"""Personalised PageRank over candidate graphs."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree

from grapher_jax.kernels.checks import check_scores
from grapher_jax.kernels.fixed_point.solver import (
    ITERATE,
    FixedPoint,
    Method,
    equation,
    fastest,
    solve_fixed_point,
    total,
)
from grapher_jax.kernels.graphs.operators import Operator, as_operator
from grapher_jax.kernels.graphs.symmetry import balance
from grapher_jax.kernels.masking import (
    alpha_of_each,
    inverse_sums,
    larger,
    masked_scores,
    reciprocal,
    unit_scale,
)
from grapher_jax.kernels.types import Adjacency, Mask, PerQuery, Scores, Solution

PPR_ALPHA = 0.8


def ppr(
    adjacency: Adjacency | Operator,
    scores: Scores,
    *,
    mask: Mask | None = None,
    alpha: PerQuery | None = None,
    tol: PerQuery = 1e-6,
    max_steps: int = 1000,
    solver: str | None = None,
) -> Solution:
    """Random walk with restart: `p ← α v + (1 − α) (W p + dangling mass · v)`.

    `W` is the adjacency with columns that sum to 1: a candidate distributes its score among its
    neighbours. The seed `v` is the scores divided by their sum, with negative scores clipped to 0.
    If all are 0, the seed is uniform over the valid candidates: logits that are all negative would
    be ignored, so make them non-negative first, as `Reranker(scores=…)` does. The score of a
    candidate without neighbours returns to the seed (dangling mass). Scores sum to 1. Agrees with
    networkx `pagerank(DiGraph(Aᵀ), alpha=1-α, personalization=s, dangling=s)` if the sum of the
    seed is positive.

    Args:
        adjacency: `[*B, n, n]` weights ≥ 0, with `A[i, j]` the weight of the message from j to i;
            or an operator. Masked entries must be finite and ≥ 0 too.
        scores: `[*B, n]` the retriever's scores, ≥ 0.
        mask: `[*B, n]` true for valid candidates; all by default.
        alpha: the weight of a candidate's own score, in (0, 1]; scalar or `[*B]`. By default
            `PPR_ALPHA`, the best of the grid on BIRD train (GraphER, appendix A.3).
        tol: a query stops when `‖Δp‖₁ ≤ max(tol, 4 ε)`, with ε of the dtype; the seed sums to 1.
        max_steps: the largest number of updates.
        solver: as in `gcs`. Solvers other than `iterate` solve the walk without the return of
            dangling mass, which differs from it only by a factor.

    Returns:
        Scores and, for every query, the steps taken, the last residual, whether it converged, and a
        bound on the distance of the scores from the fixed point.

    Raises:
        TypeError: for scores or weights that are not real numbers, or a mask that is not Boolean.
        ValueError: for an unknown solver; for shapes that do not fit; for unmasked scores that are
            not finite, weights that are negative or not finite, and an alpha outside (0, 1], if the
            values can be checked (see `checks`, which tells what becomes of others).
    """
    seed = restart_distribution(scores, mask)
    check_scores("scores", scores, mask)
    walk = _walk(adjacency, seed, mask, alpha, tol, max_steps, solver, returns=solver == ITERATE)
    if solver == ITERATE:
        return Solution(*walk)
    scale = reciprocal(walk.value.sum(-1))
    # A normalised score has two errors: its own and that of the sum it is divided by.
    error = 2 * jax.lax.stop_gradient(scale) * walk.error
    return Solution(*walk._replace(value=walk.value * scale[..., None], error=error))


def walk_without_return(
    adjacency: Adjacency | Operator,
    seed: Scores,
    *,
    mask: Mask | None = None,
    alpha: PerQuery | None = None,
    tol: PerQuery = 1e-6,
    max_steps: int = 1000,
) -> Float[Array, "*B n"]:
    """PPR without the return of dangling mass: linear in the seed, and PPR once it sums to 1."""
    seed = jnp.asarray(seed)
    return _walk(adjacency, seed, mask, alpha, tol, max_steps, None, returns=False).value


def restart_distribution(scores: Scores, mask: Mask | None) -> Float[Array, "*B n"]:
    """Scores as a distribution: clipped at 0, summing to 1, uniform where all are 0."""
    clipped = larger(masked_scores(scores, mask), 0.0)
    valid = jnp.ones_like(clipped) if mask is None else jnp.asarray(mask, clipped.dtype)
    clipped = clipped * unit_scale(clipped)
    seed = jnp.where(clipped.sum(-1, keepdims=True) == 0, valid, clipped)
    return seed * reciprocal(seed.sum(-1, keepdims=True))


def _walk(
    adjacency: Adjacency | Operator,
    seed: Float[Array, "*B n"],
    mask: Mask | None,
    alpha: PerQuery | None,
    tol: PerQuery,
    max_steps: int,
    solver: str | None,
    *,
    returns: bool,
) -> FixedPoint:
    A = as_operator(adjacency, seed)
    inverse = inverse_sums(A.multiply_transposed, seed, mask)
    alpha = alpha_of_each(PPR_ALPHA if alpha is None else alpha, seed)
    # W = N diag(1 / N's column sums) is self-adjoint where its diagonal is the weight of a place.
    c = balance(A)
    metric = None if c is None or returns else jnp.asarray(c) * inverse
    dangling = inverse == 0 if returns else None
    return solve_fixed_point(
        Method(_hand_on, total, solver or fastest(metric), max_steps),
        equation((A, inverse, seed, dangling, mask, alpha), alpha, seed, tol=tol, metric=metric),
    )


def _hand_on(parameters: PyTree, p: Float[Array, "*B n"]) -> Float[Array, "*B n"]:
    A, inverse_out_weights, v, dangling, mask, alpha = parameters
    moved = masked_scores(A.multiply(inverse_out_weights * p), mask)
    if dangling is not None:
        moved += jnp.where(dangling, p, 0.0).sum(-1, keepdims=True) * v
    return (1 - alpha) * moved
