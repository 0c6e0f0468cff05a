"""Padding made harmless: what a masked candidate holds counts as nothing."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float
from numpy import ndarray

from grapher_jax.kernels.checks import as_scores, check_mask
from grapher_jax.kernels.types import Mask, Scores


def masked_scores(scores: Scores, mask: Mask | None) -> Float[Array, "*B n"]:
    """Scores with 0 in every masked place, as at least float32."""
    values = as_scores("scores", scores)
    check_mask(mask, values.shape)
    return values if mask is None else jnp.where(jnp.asarray(mask), values, 0.0)


def of_each(value: float | Array | ndarray, like: Float[Array, "*B n"]) -> Float[Array, "*#B 1"]:
    """A number for every query, or one for all, as what multiplies their vectors."""
    own = jnp.asarray(value, like.dtype)[..., None]
    return own.reshape((1,) * (like.ndim - own.ndim) + own.shape)


def unit_scale(scores: Float[Array, "*B n"]) -> Float[Array, "*B 1"]:
    """The power of two that brings every query's largest score near 1; 1 where all are 0.

    Multiplying by it rounds nothing, and sums of huge scores do not overflow, nor shares of tiny
    ones vanish.
    """
    largest = jnp.abs(jax.lax.stop_gradient(scores)).max(-1, keepdims=True, initial=0.0)
    # Beyond these exponents the power or its reciprocal would be no normal number.
    limit = -jnp.finfo(scores.dtype).minexp
    _, exponent = jnp.frexp(largest)
    return jnp.ldexp(jnp.ones_like(largest), -jnp.clip(exponent, -limit, limit))


def inverse_sums(
    product: Callable[[Array], Array], like: Float[Array, "*B n"], mask: Mask | None
) -> Float[Array, "*B n"]:
    """One over the sums that a product with ones gives, 0 where a sum is 0 or masked.

    With scores of 0 in masked places too, the adjacency itself need not be masked, so long as it
    is finite.
    """
    if mask is None:
        return reciprocal(product(jnp.ones_like(like)))
    valid = jnp.asarray(mask)
    return jnp.where(valid, reciprocal(product(valid.astype(like.dtype))), 0.0)


def reciprocal(sums: Float[Array, "*shape"]) -> Float[Array, "*shape"]:
    """`1 / sums`, 0 where a sum is 0; its derivative there is 0 too.

    NaN where a sum is so large that this is no number of the dtype: 0 would say that there is none.
    """
    nonzero = sums != 0
    inverse = 1.0 / jnp.where(nonzero, sums, 1.0)
    return jnp.where(nonzero, jnp.where(inverse == 0, jnp.nan, inverse), 0.0)
