"""Values left out at random while a network learns."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray


def dropped(
    x: Float[Array, "*shape"], rate: float, key: PRNGKeyArray | None, number: int
) -> Float[Array, "*shape"]:
    """`[*shape]` with this share of the values at 0 and the others scaled up for them.

    Args:
        x: the values.
        rate: the share, in [0, 1).
        key: without one nothing is left out.
        number: of the layer, so that each draws its own.
    """
    if key is None or not rate:
        return x
    kept = jax.random.bernoulli(jax.random.fold_in(key, number), 1 - rate, x.shape)
    return jnp.where(kept, x / (1 - rate), 0.0)
