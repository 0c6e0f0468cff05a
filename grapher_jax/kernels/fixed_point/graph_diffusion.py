"""Diffusion of sharpened scores over the symmetrically normalised graph."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree

from grapher_jax.kernels.checks import check_diffusion, check_own, check_scores
from grapher_jax.kernels.fixed_point.solver import (
    FixedPoint,
    Method,
    equation,
    length,
    solve_fixed_point,
)
from grapher_jax.kernels.graphs.operators import Operator, as_operator
from grapher_jax.kernels.graphs.symmetry import symmetrized
from grapher_jax.kernels.masking import (
    alpha_of_each,
    larger,
    masked_scores,
    of_each,
    reciprocal,
    unit_scale,
    valid_sums,
)
from grapher_jax.kernels.types import Adjacency, Mask, PerQuery, Scores, Solution

DIFFUSION_ALPHA = 0.3
# The default temperature: this fraction of the gap between the best score and the tenth best.
GAP_PART, GAP_PLACE = 0.25, 10
# The minimum temperature as a fraction of the scores' range: for the case that the first ten scores
# are alike, and so that float32 can represent the seed of the last candidate.
_LEAST = 1 / 80


def diffusion(
    adjacency: Adjacency | Operator,
    scores: Scores,
    *,
    mask: Mask | None = None,
    temperature: PerQuery | None = None,
    gap_part: PerQuery | None = None,
    least_degree: PerQuery | None = None,
    alpha: PerQuery | None = None,
    tol: PerQuery = 1e-6,
    max_steps: int = 1000,
    solver: str | None = None,
) -> Solution:
    """Spreads sharpened scores over the graph: `p ← α e + (1 − α) W p`, `e = softmax(s / T)`.

    `W = D^-1/2 A D^-1/2`, with A made symmetric, `(A + Aᵀ) / 2`, and D its row sums: manifold
    ranking (Zhou, Weston, Gretton, Bousquet and Schölkopf, 2004) and label spreading (Zhou,
    Bousquet, Lal, Weston and Schölkopf, 2004), whose seeds are the few examples that a user labels.
    A retriever labels none, and its scores lie close together. The softmax turns them into few
    strong seeds, so a candidate gains by an edge to one of the best candidates, and neither by the
    mean over its neighbours alone (as in GCS) nor by their number (as in PPR).

    With the default temperature, the result does not change if all scores are scaled or shifted by
    a constant. The result is linear in the seeds, which sum to 1.

    Args:
        adjacency: `[*B, n, n]` weights ≥ 0, with `A[i, j]` the weight of the message from j to i;
            or an operator. Masked entries must be finite and ≥ 0 too.
        scores: `[*B, n]` the retriever's scores, on any scale.
        mask: `[*B, n]` true for valid candidates; all by default.
        temperature: T, above 0, in units of the scores; scalar or `[*B]`. By default a part of the
            gap between a question's best score and its tenth best (the last one if there are
            fewer), and at least 1/80 of the range of all scores. Of the measures tried, only this
            works with mere ranks as well as with scores.
        gap_part: this part, above 0; scalar or `[*B]`. By default a quarter, which suits keys,
            links and entities; for consecutive chunks, the whole gap (1) was better.
        least_degree: at least 0; scalar or `[*B]`. A candidate whose weights sum to less is joined
            to itself with the rest, so that it keeps what it cannot pass on: `A + L` for A, with
            `L = D - sums` and `D = max(sums, least_degree)`. By default 0, as published; for
            consecutive chunks, of which each normally has two neighbours, 1.5 was better.
        alpha: the weight of a candidate's own seed, in (0, 1]; scalar or `[*B]`. By default
            `DIFFUSION_ALPHA`, chosen with the temperature.
        tol: a query stops when `‖Δp‖₁ ≤ max(tol, 4 ε)`, with ε of the dtype; the seeds sum to 1.
        max_steps: the largest number of updates.
        solver: as in `gcs`.

    Returns:
        Scores and, for every query, the steps taken, the last residual, whether it converged, and a
        bound on the distance of the scores from the fixed point.

    Raises:
        TypeError: for scores or weights that are not real numbers, or a mask that is not Boolean.
        ValueError: for an unknown solver; for shapes that do not fit; for unmasked scores that are
            not finite, weights or a degree that are negative or not finite, an alpha outside
            (0, 1], and a temperature or part that is not finite and above 0, if the values can be
            checked (see `checks`, which tells what becomes of others).
    """
    check_diffusion("diffusion", temperature, gap_part, least_degree)
    seeds = sharpened(scores, mask, temperature, gap_part)
    check_scores("scores", scores, mask)
    found = diffuse(
        adjacency,
        seeds,
        mask=mask,
        least_degree=least_degree,
        alpha=alpha,
        tol=tol,
        max_steps=max_steps,
        solver=solver,
    )
    return Solution(*found)


def diffuse(
    adjacency: Adjacency | Operator,
    seeds: Scores,
    *,
    mask: Mask | None = None,
    least_degree: PerQuery | None = None,
    alpha: PerQuery | None = None,
    tol: PerQuery = 1e-6,
    max_steps: int = 1000,
    solver: str | None = None,
) -> FixedPoint:
    """Diffusion of given seeds, and linear in them; the arguments are those of `diffusion`."""
    e = masked_scores(seeds, mask)
    A = symmetrized(as_operator(adjacency, e))
    alpha = alpha_of_each(DIFFUSION_ALPHA if alpha is None else alpha, e)
    sums = valid_sums(A.multiply, e, mask)
    least = _usable("least_degree", 0.0 if least_degree is None else least_degree, e, above=False)
    degrees = larger(sums, least)
    inverse = reciprocal(degrees if mask is None else jnp.where(jnp.asarray(mask), degrees, 0.0))
    # Always symmetric, so that the plain inner product can be used.
    method = Method(_hand_over, length, solver or "conjugate", max_steps)
    parameters = (A, _root(inverse), (degrees - sums) * inverse, alpha)
    return solve_fixed_point(method, equation(parameters, alpha, e, tol=tol, metric=None))


def sharpened(
    scores: Scores,
    mask: Mask | None,
    temperature: PerQuery | None,
    gap_part: PerQuery | None,
) -> Float[Array, "*B n"]:
    """`softmax(s / T)` over the valid candidates; see `diffusion` for the temperature."""
    values = masked_scores(scores, mask)
    valid = jnp.ones(values.shape, bool) if mask is None else jnp.asarray(mask)
    scale = unit_scale(values)
    unit = jnp.where(valid, values * scale, -jnp.inf)
    best = unit.max(-1, keepdims=True, initial=-jnp.inf)
    below = jnp.where(valid, best - jnp.where(valid, unit, 0.0), 0.0)
    if temperature is None:
        part = _usable("gap_part", GAP_PART if gap_part is None else gap_part, unit)
        T = _own_temperature(unit, best, below, part)
    else:
        T = _usable("temperature", temperature, unit) * scale
    e = jnp.where(valid, jnp.exp(-below / jnp.maximum(T, jnp.finfo(T.dtype).tiny)), 0.0)
    return e * reciprocal(e.sum(-1, keepdims=True))


def _usable(
    name: str, given: PerQuery, scores: Float[Array, "*B n"], *, above: bool = True
) -> Float[Array, "*#B 1"]:
    """A number for each query, or one for all; NaN unless finite and above 0, or at least 0."""
    check_own(name, given, scores.shape[:-1])
    value = of_each(given, scores)
    allowed = value > 0 if above else value >= 0
    return jnp.where(allowed & jnp.isfinite(value), value, jnp.nan)


def _own_temperature(
    unit: Float[Array, "*B n"],
    best: Float[Array, "*B 1"],
    below: Float[Array, "*B n"],
    part: Float[Array, "*#B 1"],
) -> Float[Array, "*B 1"]:
    first, _ = jax.lax.top_k(unit, min(GAP_PLACE, unit.shape[-1]))
    real = first > -jnp.inf
    gap = jnp.where(real, best - jnp.where(real, first, 0.0), 0.0)
    widest = gap.max(-1, keepdims=True, initial=0.0)
    T = larger(part * widest, _LEAST * below.max(-1, keepdims=True, initial=0.0))
    # If all scores are equal, any temperature gives the same seeds.
    return jnp.where(T == 0, 1.0, T)


def _root(inverse_sums: Float[Array, "*B n"]) -> Float[Array, "*B n"]:
    """The square root, with a derivative of 0 for candidates without neighbours."""
    joined = inverse_sums != 0
    return jnp.where(joined, jnp.sqrt(jnp.where(joined, inverse_sums, 1.0)), 0.0)


def _hand_over(parameters: PyTree, p: Float[Array, "*B n"]) -> Float[Array, "*B n"]:
    A, inverse_roots, kept, alpha = parameters
    return (1 - alpha) * (inverse_roots * A.multiply(inverse_roots * p) + kept * p)
