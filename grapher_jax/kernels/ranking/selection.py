"""The best k candidates."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from grapher_jax.kernels.checks import as_scores, check_count, check_mask
from grapher_jax.kernels.masking import usable
from grapher_jax.kernels.types import Mask, Scores, Solution, TopK

# What other rankers add to scores is in units of the gap between the best and that of this place.
_PLACE = 10


def top_k(
    scores: Scores, k: int, *, mask: Mask | None = None, solution: Solution | None = None
) -> TopK:
    """The k highest scores of every query, best first; ties go to the earlier candidate.

    Args:
        scores: `[*B, n]`, compared as at least float32, which large integers do not fit; a NaN
            ranks below every number.
        k: how many, at least 1; may exceed n.
        mask: `[*B, n]` true for valid candidates; all by default.
        solution: the ranker's solution, passed on in the result.

    Returns:
        Indices and scores `[*B, k]`, padded with -1 and -inf if there are fewer than k.

    Raises:
        TypeError: for scores that are not real numbers, or a mask that is not Boolean.
        ValueError: for a k that is no integer from 1 to 2147483647, or a mask of another shape.
    """
    check_count("k", k)
    values = as_scores("scores", scores)
    check_mask(mask, values.shape)
    valid = usable(values, mask)
    n = values.shape[-1]
    # +0 and -0 are tied, and every score ranks above missing ones.
    known = jnp.where(values == 0, 0.0, jnp.maximum(values, jnp.finfo(values.dtype).min))
    ranked = jnp.where(valid, known, -jnp.inf)
    _, indices = jax.lax.top_k(ranked, min(k, n))
    found = jnp.take_along_axis(valid, indices, axis=-1)
    best = jnp.where(found, jnp.take_along_axis(values, indices, axis=-1), -jnp.inf)
    return padded(TopK(jnp.where(found, indices, -1), best, solution), k)


def padded(top: TopK, k: int) -> TopK:
    """The best of every query `[*B, m]`, at most k, with -1 and -inf in the places up to k."""
    missing = [(0, 0)] * (top.indices.ndim - 1) + [(0, k - top.indices.shape[-1])]
    return TopK(
        jnp.pad(top.indices, missing, constant_values=-1),
        jnp.pad(top.scores, missing, constant_values=-jnp.inf),
        top.solution,
    )


def no_candidates(scores: Scores, k: int) -> TopK:
    """The best k of queries without candidates, `scores` `[*B, 0]`."""
    return padded(TopK(jnp.zeros(scores.shape, jnp.int32), jnp.asarray(scores)), k)


def score_gap(scores: Float[Array, "*B n"], valid: Bool[Array, "*B n"]) -> Float[Array, "*B 1"]:
    """From the best score to the tenth, or to the last if that is 0 or there are fewer.

    A score of -inf, which only a program can have, is none.
    """
    known = valid & (scores > -jnp.inf)
    best, _ = jax.lax.top_k(jnp.where(known, scores, -jnp.inf), min(_PLACE, scores.shape[-1]))
    first, tenth = best[..., :1], best[..., -1:]
    last = jnp.where(known, scores, jnp.inf).min(-1, keepdims=True)
    gap = first - jnp.where((tenth == -jnp.inf) | (tenth == first), last, tenth)
    return jnp.where(known.any(-1, keepdims=True), gap, 0.0)
