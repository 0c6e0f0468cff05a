"""Graph Cohesive Smoothing (GraphER, algorithm 1)."""

import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree
from numpy import ndarray

from grapher_jax.kernels.checks import check_scores
from grapher_jax.kernels.fixed_point.solver import (
    Method,
    equation,
    fastest,
    largest,
    solve_fixed_point,
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

GCS_ALPHA = 0.1


def gcs(
    adjacency: Adjacency | Operator,
    scores: Scores,
    *,
    mask: Mask | None = None,
    alpha: PerQuery | None = None,
    tol: PerQuery = 1e-6,
    max_steps: int = 1000,
    solver: str | None = None,
) -> Solution:
    """Smooths scores over the graph: `p ← α s + (1 − α) W p`, then `max(p, s)`.

    `W` is the adjacency with rows that sum to 1 (empty rows stay 0), so a candidate's score is
    averaged with those of its neighbours, and never falls below its original value. Scores should
    be ≥ 0: an isolated candidate keeps a score ≥ 0, but a negative score s becomes α s and so may
    overtake less negative ones. Make logits non-negative first, as `Reranker(scores=…)` does.

    Args:
        adjacency: `[*B, n, n]` weights ≥ 0, with `A[i, j]` the weight of the message from j to i;
            or an operator. Masked entries must be finite and ≥ 0 too.
        scores: `[*B, n]` the retriever's scores, ≥ 0.
        mask: `[*B, n]` true for valid candidates; all by default.
        alpha: the weight of a candidate's own score, in (0, 1]; scalar or `[*B]`. By default
            `GCS_ALPHA`, the best of the grid on BIRD train (GraphER, appendix A.3).
        tol: a query stops when `‖Δp‖₁ ≤ max(tol, 4 ε) ‖s‖₁`, with ε of the dtype; relative, so that
            the ranking does not depend on the scale of the scores.
        max_steps: the largest number of updates.
        solver: how the fixed point is found: `iterate`, the paper's own steps; `conjugate`, for
            weights that are similar to a symmetric matrix; `orthomin`, for any. By default the
            fastest one for this kind of graph.

    Returns:
        Scores and, for every query, the steps taken, the last residual, whether it converged, and a
        bound on the distance of the scores from the fixed point.

    Raises:
        TypeError: for scores or weights that are not real numbers, or a mask that is not Boolean.
        ValueError: for an unknown solver; for shapes that do not fit; for unmasked scores that are
            not finite, weights that are negative or not finite, and an alpha outside (0, 1], if the
            values can be checked (see `checks`, which tells what becomes of others).
    """
    seed = masked_scores(scores, mask)
    check_scores("scores", scores, mask)
    A = as_operator(adjacency, seed)
    alpha = alpha_of_each(GCS_ALPHA if alpha is None else alpha, seed)
    scale = unit_scale(seed)
    unit, inverse = seed * scale, inverse_sums(A.multiply, seed, mask)
    metric = _metric(balance(A), inverse)
    found = solve_fixed_point(
        Method(_smooth, largest, solver or fastest(metric), max_steps),
        equation((A, inverse, alpha), alpha, unit, tol=tol, metric=metric),
    )
    own = scale[..., 0]
    return Solution(
        larger(found.value / scale, seed),
        found.steps,
        found.residual / own,
        found.converged,
        found.error / own,
    )


def _smooth(parameters: PyTree, p: Float[Array, "*B n"]) -> Float[Array, "*B n"]:
    A, inverse_row_sums, alpha = parameters
    return (1 - alpha) * inverse_row_sums * A.multiply(p)


def _metric(
    c: Float[Array | ndarray, "*C n"] | float | None, inverse_row_sums: Float[Array, "*B n"]
) -> Float[Array, "*B n"] | None:
    """`W = R N C` is self-adjoint in the inner product with the weights `C / R`."""
    if c is None:
        return None
    return jnp.broadcast_to(c, inverse_row_sums.shape) * reciprocal(inverse_row_sums)
