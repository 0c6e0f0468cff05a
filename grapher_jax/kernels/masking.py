"""Padding that has no effect: values of masked candidates are ignored."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from grapher_jax.kernels.checks import as_scores, check_alpha, check_mask, check_own
from grapher_jax.kernels.types import Mask, PerQuery, Scores


def masked_scores(scores: Scores, mask: Mask | None) -> Float[Array, "*B n"]:
    """Scores with 0 in every masked place, as at least float32."""
    values = as_scores("scores", scores)
    check_mask(mask, values.shape)
    return values if mask is None else jnp.where(jnp.asarray(mask), values, 0.0)


def usable(scores: Float[Array, "*B n"], mask: Mask | None) -> Bool[Array, "*B n"]:
    """True for the valid candidates, but for those whose score is NaN."""
    known = ~jnp.isnan(scores)
    return known if mask is None else jnp.asarray(mask) & known


def of_each(value: PerQuery, like: Float[Array, "*B n"]) -> Float[Array, "*#B 1"]:
    """A number per query, or one for all, in a shape that multiplies the queries' vectors."""
    own = jnp.asarray(value, like.dtype)[..., None]
    return own.reshape((1,) * (like.ndim - own.ndim) + own.shape)


def alpha_of_each(alpha: PerQuery, like: Float[Array, "*B n"]) -> Float[Array, "*#B 1"]:
    """α as in `of_each`; NaN outside (0, 1], so that such a query does not converge.

    Raises:
        ValueError: for one outside (0, 1], if `checks` can see it, and for another shape.
    """
    check_alpha(alpha)
    check_own("alpha", alpha, like.shape[:-1])
    own = of_each(alpha, like)
    return jnp.where((own > 0) & (own <= 1), own, jnp.nan)


@jax.custom_jvp
def larger(
    x: Float[Array, "*B n"], y: Float[Array, "*#B #n"] | Float[Array, ""] | float
) -> Float[Array, "*B n"]:
    """The larger of two numbers, with the derivative of that one, the second if they are equal.

    `jnp.maximum` finds its derivative by comparing the result with both, and a compiler that
    computes one of them twice, with other roundings, lets the derivative of neither pass.
    """
    return jnp.maximum(x, y)


@larger.defjvp
def _derivative_of_larger(
    values: tuple[Array, Array | float], tangents: tuple[Array, Array | float]
) -> tuple[Array, Array]:
    (x, y), (dx, dy) = values, tangents
    return larger(x, y), jnp.where(x <= y, dy, dx)


def unit_scale(scores: Float[Array, "*B n"]) -> Float[Array, "*B 1"]:
    """The power of two that brings every query's largest score near 1; 1 where all are 0.

    Multiplying by it causes no rounding; sums of huge scores then do not overflow, and fractions of
    tiny ones do not vanish.
    """
    largest = jnp.abs(jax.lax.stop_gradient(scores)).max(-1, keepdims=True, initial=0.0)
    # Beyond these exponents, the power or its reciprocal would not be a normal number.
    limit = -jnp.finfo(scores.dtype).minexp
    _, exponent = jnp.frexp(largest)
    return jnp.ldexp(jnp.ones_like(largest), -jnp.clip(exponent, -limit, limit))


def inverse_sums(
    product: Callable[[Array], Array], like: Float[Array, "*B n"], mask: Mask | None
) -> Float[Array, "*B n"]:
    """One over the sums from a product with a vector of ones; 0 where a sum is 0 or masked.

    If the scores are 0 where masked, too, the adjacency itself need not be masked, as long as it is
    finite.
    """
    return reciprocal(valid_sums(product, like, mask))


def valid_sums(
    product: Callable[[Array], Array], like: Float[Array, "*B n"], mask: Mask | None
) -> Float[Array, "*B n"]:
    """The sums from a product with a vector of ones, 0 where masked."""
    if mask is None:
        return product(jnp.ones_like(like))
    valid = jnp.asarray(mask)
    return jnp.where(valid, product(valid.astype(like.dtype)), 0.0)


def reciprocal(sums: Float[Array, "*shape"]) -> Float[Array, "*shape"]:
    """`1 / sums`, 0 where a sum is 0; its derivative there is 0 too.

    NaN if a sum is too large for its reciprocal: 0 would mean that there is no neighbour.
    """
    nonzero = sums != 0
    inverse = 1.0 / jnp.where(nonzero, sums, 1.0)
    return jnp.where(nonzero, jnp.where(inverse == 0, jnp.nan, inverse), 0.0)
