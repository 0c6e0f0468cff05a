"""Contributions: how much of a result's score came from each candidate."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int
from numpy import ndarray

from grapher_jax.kernels.checks import (
    as_number,
    check_alpha,
    check_diffusion,
    check_ids,
    check_scores,
    check_shape,
    without_integers,
)
from grapher_jax.kernels.fixed_point.graph_cohesive_smoothing import gcs
from grapher_jax.kernels.fixed_point.graph_diffusion import diffuse, sharpened
from grapher_jax.kernels.fixed_point.pagerank import restart_distribution, walk_without_return
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
    least_degree: PerQuery | None = None,
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
        least_degree: as in `diffusion`; other rankers have none.
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
    check_shape("indices", indices, (*values.shape[:-1], None))
    check_ids("indices", indices, highest=values.shape[-1] - 1)
    check_alpha(alpha)
    check_diffusion(ranker, temperature, gap_part, least_degree)
    seed = without_integers("scores", scores)
    given = {"alpha": alpha, "tol": tol, "least_degree": least_degree}
    options = {name: as_number(one, values) for name, one in given.items() if one is not None}
    numbers = (None if one is None else as_number(one, values) for one in (temperature, gap_part))
    sharpness = tuple(numbers) if ranker == "diffusion" else ()
    A = as_operator(adjacency, values)
    return _shares(A, seed, indices, _LINEAR[ranker], mask, sharpness, options, max_steps)


class _Linear(NamedTuple):
    """A ranker as a linear map: from scores to its seed, and from there to what is returned.

    Where `normalized`, what is returned is divided by its sum.
    """

    seed: Callable[..., Array]
    solve: Callable[..., Array]
    normalized: bool = False


_LINEAR = {
    "gcs": _Linear(masked_scores, lambda A, s, **own: gcs(A, s, **own).scores),
    "ppr": _Linear(restart_distribution, walk_without_return, normalized=True),
    "diffusion": _Linear(sharpened, lambda A, e, **own: diffuse(A, e, **own).value),
}


# Jitted: called outside of a program, its loops would be compiled at every call.
@partial(jax.jit, static_argnames=("linear", "max_steps"))
def _shares(
    adjacency: Operator,
    scores: Scores,
    indices: Int[Array | ndarray, "*B k"],
    linear: _Linear,
    mask: Mask | None,
    sharpness: tuple[PerQuery | None, ...],
    options: Mapping[str, PerQuery | None],
    max_steps: int,
) -> Float[Array, "*B k n"]:
    seed = linear.seed(scores, mask, *sharpness)
    solve = partial(linear.solve, adjacency, mask=mask, max_steps=max_steps, **options)
    found, pull_back = jax.vjp(solve, seed)
    scale = reciprocal(found.sum(-1, keepdims=True)) if linear.normalized else 1.0
    one_hot = jax.nn.one_hot(jnp.moveaxis(jnp.asarray(indices), -1, 0), seed.shape[-1])
    (shares,) = jax.vmap(pull_back)(one_hot.astype(seed.dtype))
    return jnp.moveaxis(shares, 0, -2) * (seed * scale)[..., None, :]
