"""Diversity: maximal marginal relevance (Carbonell and Goldstein, 1998)."""

from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax.kernels.checks import (
    as_scores,
    check_count,
    check_mask,
    check_own,
    check_scores,
    check_shape,
    check_share,
)
from grapher_jax.kernels.masking import of_each, usable
from grapher_jax.kernels.ranking.greedy import choose_in_turn
from grapher_jax.kernels.ranking.selection import no_candidates, padded
from grapher_jax.kernels.types import Mask, PerQuery, Scores, TopK


def maximal_marginal_relevance(
    scores: Scores,
    similarities: Float[Array | ndarray, "*B n n"],
    *,
    mask: Mask | None = None,
    trade_off: PerQuery = 0.5,
    k: int = 10,
) -> TopK:
    """Chooses k candidates, one at a time, that are relevant and unlike those already chosen.

    Each step chooses the candidate with the highest `λ s[i] − (1 − λ) max_j S[i, j]`, with j over
    those already chosen; the first is the most relevant one. Ties go to the earlier candidate. With
    similarities ≥ 0, the values never increase from one to the next. Scores and similarities should
    have the same scale.

    Args:
        scores: `[*B, n]` relevance s.
        similarities: `[*B, n, n]` S, which is not checked; its diagonal does not matter, and masked
            candidates are not read. A candidate for which one is NaN is chosen last, at -inf.
        mask: `[*B, n]` true for valid candidates; all by default.
        trade_off: λ in [0, 1]; 1 uses only relevance. Scalar or `[*B]`.
        k: how many, at least 1; may exceed n.

    Returns:
        Indices `[*B, k]` and the values at which they were chosen, padded with -1 and -inf if there
        are fewer than k.

    Raises:
        TypeError: for scores that are not real numbers, or a mask that is not Boolean.
        ValueError: for wrong shapes or k, and, if the values can be checked (see `checks`), for
            unmasked scores that are not finite and a trade-off outside [0, 1].
    """
    values = as_scores("scores", scores)
    check_count("k", k)
    check_mask(mask, values.shape)
    check_scores("scores", scores, mask)
    check_share("trade_off", trade_off)
    check_own("trade_off", trade_off, values.shape[:-1])
    n = values.shape[-1]
    check_shape("similarities", similarities, (*values.shape, n))
    if not n:  # of which no maximum can be taken
        return no_candidates(values, k)
    likeness = jnp.asarray(similarities).astype(values.dtype)
    weight = of_each(trade_off, values)
    return padded(_diversify(values, likeness, usable(values, mask), weight, min(k, n)), k)


# Jitted: called outside of a program, its loop would be compiled at every call.
@partial(jax.jit, static_argnums=4)
def _diversify(
    scores: Float[Array, "*B n"],
    likeness: Float[Array, "*B n n"],
    valid: Bool[Array, "*B n"],
    weight: Float[Array, "*#B 1"],
    k: int,
) -> TopK:
    relevance = weight * jnp.where(valid, scores, 0.0)

    def value(nearest: Float[Array, "*B n"], _: Int[Array, ""]) -> Float[Array, "*B n"]:
        # Before any candidate is chosen, the largest similarity to a chosen one is 0.
        return relevance - (1 - weight) * jnp.where(nearest != -jnp.inf, nearest, 0.0)

    def beside(chosen: Int[Array, "*B 1"]) -> Float[Array, "*B n"]:
        return jnp.take_along_axis(likeness, chosen[..., None, :], axis=-1)[..., 0]

    none = jnp.full(scores.shape, -jnp.inf, scores.dtype)
    return choose_in_turn(value, beside, valid, none, k)
