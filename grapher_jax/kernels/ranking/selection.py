"""The best k candidates."""

import jax
import jax.numpy as jnp

from grapher_jax.kernels.checks import as_scores, check_count
from grapher_jax.kernels.types import Mask, Scores, Solution, TopK


def top_k(
    scores: Scores, k: int, *, mask: Mask | None = None, solution: Solution | None = None
) -> TopK:
    """The k highest scores of every query, best first; ties go to the earlier candidate.

    Args:
        scores: `[*B, n]`; a NaN ranks below every number.
        k: how many, at least 1; may exceed n.
        mask: `[*B, n]` true for valid candidates; all by default.
        solution: the ranker's solution, passed on in the result.

    Returns:
        Indices and scores `[*B, k]`, padded with -1 and -inf if there are fewer than k.

    Raises:
        TypeError: for scores that are not real numbers.
        ValueError: for a k that is no integer from 1 to 2147483647.
    """
    check_count("k", k)
    values = as_scores("scores", scores)
    usable = ~jnp.isnan(values) if mask is None else jnp.asarray(mask) & ~jnp.isnan(values)
    n = values.shape[-1]
    # +0 and -0 are tied, and every score ranks above missing ones.
    known = jnp.where(values == 0, 0.0, jnp.maximum(values, jnp.finfo(values.dtype).min))
    ranked = jnp.where(usable, known, -jnp.inf)
    _, indices = jax.lax.top_k(ranked, min(k, n))
    found = jnp.take_along_axis(usable, indices, axis=-1)
    best = jnp.where(found, jnp.take_along_axis(values, indices, axis=-1), -jnp.inf)
    missing = [(0, 0)] * (values.ndim - 1) + [(0, max(k - n, 0))]
    return TopK(
        jnp.pad(jnp.where(found, indices, -1), missing, constant_values=-1),
        jnp.pad(best, missing, constant_values=-jnp.inf),
        solution,
    )
