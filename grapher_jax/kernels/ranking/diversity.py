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
from grapher_jax.kernels.masking import of_each
from grapher_jax.kernels.ranking.selection import no_candidates, padded
from grapher_jax.kernels.types import Mask, PerQuery, Scores, TopK

# The candidates that are left, and the similarity of each to the most similar chosen one.
_State = tuple[Bool[Array, "*B n"], Float[Array, "*B n"]]


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
        similarities: `[*B, n, n]` S; its diagonal does not matter, and masked candidates are not
            read.
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
    valid = ~jnp.isnan(values) if mask is None else jnp.asarray(mask) & ~jnp.isnan(values)
    weight = of_each(trade_off, values)
    likeness = jnp.asarray(similarities).astype(values.dtype)
    relevance = weight * jnp.where(valid, values, 0.0)
    indices, marginals = _choose_in_turn(valid, relevance, weight, likeness, min(k, n))
    chosen = jnp.moveaxis(indices, 0, -1).astype(jnp.int32)
    return padded(TopK(chosen, jnp.moveaxis(marginals, 0, -1)), k)


# Jitted: called outside of a program, its loop would be compiled at every call.
@partial(jax.jit, static_argnums=4)
def _choose_in_turn(
    valid: Bool[Array, "*B n"],
    relevance: Float[Array, "*B n"],
    weight: Float[Array, "*#B 1"],
    likeness: Float[Array, "*B n n"],
    k: int,
) -> tuple[Int[Array, "k ..."], Float[Array, "k ..."]]:
    def choose(state: _State, _: None) -> tuple[_State, tuple[Array, Array]]:
        left, nearest = state
        # Before any candidate is chosen, the largest similarity to a chosen one is 0.
        likest = jnp.where(left & (nearest != -jnp.inf), nearest, 0.0)
        marginal = relevance - (1 - weight) * likest
        marginal = jnp.where(left & ~jnp.isnan(marginal), marginal, -jnp.inf)
        best = marginal.max(-1, keepdims=True)
        chosen = jnp.where(left & (marginal == best), places, places.shape[-1] - 1)
        chosen, found = chosen.min(-1, keepdims=True), left.any(-1)
        beside = jnp.take_along_axis(likeness, chosen[..., None, :], axis=-1)[..., 0]
        left &= places != chosen
        index = jnp.where(found, chosen[..., 0], -1)
        return (left, jnp.maximum(nearest, beside)), (index, best[..., 0])

    places = jax.lax.broadcasted_iota(jnp.int32, valid.shape, valid.ndim - 1)
    state = (valid, jnp.full(relevance.shape, -jnp.inf, relevance.dtype))
    return jax.lax.scan(choose, state, length=k)[1]
