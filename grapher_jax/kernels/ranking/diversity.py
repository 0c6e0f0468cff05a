"""Diversity: what is new beside what is chosen already (Carbonell and Goldstein, 1998)."""

from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax.kernels.checks import (
    as_scores,
    check_mask,
    check_scores,
    check_shape,
    check_share,
)
from grapher_jax.kernels.types import Mask, Scores, TopK

# Which candidates are left, and how similar each is to the most similar of the chosen.
_State = tuple[Bool[Array, "*B n"], Float[Array, "*B n"]]


def maximal_marginal_relevance(
    scores: Scores,
    similarities: Float[Array | ndarray, "*B n n"],
    *,
    mask: Mask | None = None,
    trade_off: float | Array = 0.5,
    k: int = 10,
) -> TopK:
    """The k candidates that are relevant and unlike those chosen before them, one after the other.

    Each is the one with the highest `λ s[i] − (1 − λ) max_j S[i, j]`, j over those chosen already;
    the first is the most relevant. Ties go to the earlier candidate. With similarities ≥ 0 the
    values never rise from one to the next. Scores and similarities should have the same scale.

    Args:
        scores: `[*B, n]` relevance s.
        similarities: `[*B, n, n]` S; its diagonal does not matter. What masked candidates hold is
            not read.
        mask: `[*B, n]` true for valid candidates; all by default.
        trade_off: λ in [0, 1]; 1 is relevance alone. Scalar or `[*B]`.
        k: how many, at least 1; may exceed n.

    Returns:
        Indices and the values at which they were chosen `[*B, k]`, padded with -1 and -inf where
        there are fewer than k.

    Raises:
        TypeError: for scores that are no real numbers, or a mask of no truth values.
        ValueError: for shapes that do not fit, and for scores that are not finite and not masked
            and a trade-off outside [0, 1], where these are at hand (see `checks`).
    """
    values = as_scores("scores", scores)
    check_mask(mask, values.shape)
    check_scores("scores", scores, mask)
    check_share("trade_off", trade_off)
    n = values.shape[-1]
    check_shape("similarities", similarities, (*values.shape, n))
    if not n:  # of which no maximum can be taken
        none = (*values.shape[:-1], k)
        return TopK(jnp.full(none, -1), jnp.full(none, -jnp.inf, values.dtype))
    valid = jnp.ones(values.shape, bool) if mask is None else jnp.asarray(mask)
    weight = jnp.asarray(trade_off, values.dtype)[..., None]
    likeness = jnp.asarray(similarities).astype(values.dtype)
    relevance = weight * jnp.where(valid, values, 0.0)
    indices, marginals = _choose_in_turn(valid, relevance, weight, likeness, min(k, n))
    missing = [(0, 0)] * (values.ndim - 1) + [(0, max(k - n, 0))]
    return TopK(
        jnp.pad(jnp.moveaxis(indices, 0, -1).astype(jnp.int32), missing, constant_values=-1),
        jnp.pad(jnp.moveaxis(marginals, 0, -1), missing, constant_values=-jnp.inf),
    )


# Called outside of a program, its loop would be compiled again each time.
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
        # While none is chosen, the largest similarity to the chosen is 0.
        likest = jnp.where(left & (nearest != -jnp.inf), nearest, 0.0)
        marginal = jnp.where(left, relevance - (1 - weight) * likest, -jnp.inf)
        chosen = marginal.argmax(-1, keepdims=True)
        found = left.any(-1)
        best = jnp.take_along_axis(marginal, chosen, axis=-1)[..., 0]
        beside = jnp.take_along_axis(likeness, chosen[..., None, :], axis=-1)[..., 0]
        left &= jnp.arange(valid.shape[-1]) != chosen
        return (left, jnp.maximum(nearest, beside)), (jnp.where(found, chosen[..., 0], -1), best)

    state = (valid, jnp.full(relevance.shape, -jnp.inf, relevance.dtype))
    return jax.lax.scan(choose, state, length=k)[1]
