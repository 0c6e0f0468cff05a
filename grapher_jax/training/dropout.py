"""Dropout for training."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray


def dropped(
    x: Float[Array, "*shape"], rate: float, key: PRNGKeyArray | None, number: int
) -> Float[Array, "*shape"]:
    """`[*shape]` with this fraction of the values set to 0 and the others scaled up.

    Args:
        x: the values.
        rate: the fraction, in [0, 1).
        key: a random key; without one, nothing is dropped.
        number: the number of the layer, so that each layer draws different values.
    """
    if key is None or not rate:
        return x
    kept = jax.random.bernoulli(jax.random.fold_in(key, number), 1 - rate, x.shape)
    return jnp.where(kept, x / (1 - rate), 0.0)
