"""Padding made harmless: what a masked candidate holds counts as nothing."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from grapher_jax.kernels.types import Adjacency, Mask, Scores


def masked_scores(scores: Scores, mask: Mask | None) -> Float[Array, "*B n"]:
    """Scores with 0 in every masked place; integers become the default float."""
    values = jnp.asarray(scores)
    return values if mask is None else jnp.where(jnp.asarray(mask), values, 0.0)


def masked_adjacency(adjacency: Adjacency, mask: Mask | None) -> Float[Array, "*B n n"]:
    """The adjacency with 0 in every masked row and column."""
    weights = jnp.asarray(adjacency)
    if mask is None:
        return weights
    real = jnp.asarray(mask)
    return jnp.where(real[..., :, None] & real[..., None, :], weights, 0.0)


def reciprocal(sums: Float[Array, "*shape"]) -> Float[Array, "*shape"]:
    """`1 / sums`, 0 where a sum is 0; its derivative there is 0 too."""
    nonzero = sums != 0
    return jnp.where(nonzero, 1.0 / jnp.where(nonzero, sums, 1.0), 0.0)
