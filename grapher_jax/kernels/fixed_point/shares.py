"""Contributions: how much of a result's score came from each candidate."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int
from numpy import ndarray

from grapher_jax.kernels.checks import (
    check_alpha,
    check_ids,
    check_scores,
    check_temperature,
    without_integers,
)
from grapher_jax.kernels.fixed_point.pagerank import restart_distribution, spread
from grapher_jax.kernels.fixed_point.smoothing import gcs
from grapher_jax.kernels.fixed_point.spreading import diffuse, sharpened
from grapher_jax.kernels.graphs.operators import Operator, as_operator
from grapher_jax.kernels.masking import masked_scores, reciprocal
from grapher_jax.kernels.types import Adjacency, Mask, PerQuery, Scores


def contributions(
    adjacency: Adjacency | Operator,
    scores: Scores,
    indices: Int[Array | ndarray, "*B k"],
    *,
    ranker: str = "gcs",
    mask: Mask | None = None,
    temperature: PerQuery | None = None,
    gap_part: PerQuery | None = None,
    alpha: PerQuery | None = None,
    tol: PerQuery = 1e-6,
    max_steps: int = 1000,
) -> Float[Array, "*B k n"]:
    """How much of each result's final score came from each candidate.

    Scores are linear in the seed, so the contributions are exact. For GCS, except for `max(p, s)`,
    candidate j contributed `s_j ∂p_i/∂s_j` to result i, and these sum to `p_i`; if GCS returns
    `s_i`, all of it is i's own. PPR is linear in the seed up to the constant that makes it sum to
    1, and diffusion is linear in its sharpened seeds: the contribution of j is that of its seed.

    Args:
        adjacency: `[*B, n, n]` or an operator, as given to the ranker. An operator is never turned
            into a matrix: the shares are k solutions with its transpose. An operator of your own
            must be a pytree.
        scores: `[*B, n]` the seed, as given to the ranker.
        indices: `[*B, k]` the results to explain; -1 gives a row of zeros.
        ranker: `gcs`, `ppr` or `diffusion`.
        mask: `[*B, n]` true for valid candidates; all by default.
        temperature: as in `diffusion`; other rankers have none.
        gap_part: as in `diffusion`; other rankers have none.
        alpha: as in the ranker.
        tol: as in the ranker; shares are always computed to the precision of the dtype.
        max_steps: as in the ranker.

    Returns:
        `[*B, k, n]`: row i sums to the final score of result i.

    Raises:
        TypeError: as in the ranker, or for indices that are not integers.
        ValueError: for a ranker that is not linear, for indices outside the candidates, and as in
            the ranker.
    """
    if ranker not in _LINEAR:
        raise ValueError(
            f"ranker: {ranker!r} has no exact contributions; use {', '.join(map(repr, _LINEAR))}"
        )
    values = masked_scores(scores, mask)
    check_scores("scores", scores, mask)
    check_ids("indices", indices, highest=values.shape[-1] - 1)
    check_alpha(alpha)
    check_temperature(temperature, ranker)
    check_temperature(gap_part, ranker, name="gap_part")
    seed = without_integers("scores", scores)
    linear = _LINEAR[ranker]
    options = {"alpha": alpha, "tol": tol}
    if ranker == "diffusion":
        options |= {"temperature": temperature, "gap_part": gap_part}
    A = as_operator(adjacency, values)
    return _shares(A, seed, indices, linear, mask, options, max_steps)


class _Linear(NamedTuple):
    """The linear part of a ranker: gradients by scores to gradients by the seed, and a factor."""

    pull_back: Callable[[Array], tuple[Array]]
    seed: Float[Array, "*B n"]
    scale: Float[Array, "*B"]


def _linear_gcs(adjacency: Operator, scores: Scores, mask: Mask | None, **options: Any) -> _Linear:
    seed = masked_scores(scores, mask)
    smooth = lambda s: gcs(adjacency, s, mask=mask, **options).scores  # noqa: E731
    _, pull_back = jax.vjp(smooth, seed)
    return _Linear(pull_back, seed, jnp.ones(seed.shape[:-1], seed.dtype))


def _linear_ppr(adjacency: Operator, scores: Scores, mask: Mask | None, **options: Any) -> _Linear:
    seed = restart_distribution(scores, mask)
    walk = lambda v: spread(adjacency, v, mask=mask, **options)  # noqa: E731
    walked, pull_back = jax.vjp(walk, seed)
    return _Linear(pull_back, seed, reciprocal(walked.sum(-1)))


def _linear_diffusion(
    adjacency: Operator,
    scores: Scores,
    mask: Mask | None,
    *,
    temperature: Any,
    gap_part: Any,
    **options: Any,
) -> _Linear:
    seed = sharpened(scores, mask, temperature, gap_part)
    spread_out = lambda e: diffuse(adjacency, e, mask=mask, **options).value  # noqa: E731
    _, pull_back = jax.vjp(spread_out, seed)
    return _Linear(pull_back, seed, jnp.ones(seed.shape[:-1], seed.dtype))


_LINEAR: Mapping[str, Callable[..., _Linear]] = {
    "gcs": _linear_gcs,
    "ppr": _linear_ppr,
    "diffusion": _linear_diffusion,
}


# Jitted: called outside of a program, its loops would be compiled at every call.
@partial(jax.jit, static_argnames=("linear", "max_steps"))
def _shares(
    adjacency: Operator,
    scores: Scores,
    indices: Int[Array | ndarray, "*B k"],
    linear: Callable[..., _Linear],
    mask: Mask | None,
    options: Mapping[str, PerQuery | None],
    max_steps: int,
) -> Float[Array, "*B k n"]:
    part = linear(adjacency, scores, mask, max_steps=max_steps, **options)
    seed = part.seed
    one_hot = jax.nn.one_hot(jnp.moveaxis(jnp.asarray(indices), -1, 0), seed.shape[-1])
    (shares,) = jax.vmap(part.pull_back)(one_hot.astype(seed.dtype))
    return jnp.moveaxis(shares, 0, -2) * (seed * part.scale[..., None])[..., None, :]
