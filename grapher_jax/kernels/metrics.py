"""How good a ranking is, in array form."""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray


def perfect_recall(
    hits: Bool[Array | ndarray, "*B m"], relevant: Int[Array | ndarray, "*B"], k: int
) -> Float[Array, "*B"]:
    """PR@K (GraphER, section 3.1): 1 where all relevant objects are among the first k, else 0.

    Args:
        hits: `[*B, m]` whether the object at each rank is relevant, best rank first.
        relevant: `[*B]` how many objects are relevant, retrieved or not.
        k: the cut-off rank.

    Returns:
        `[*B]` 0.0 or 1.0; 0.0 for a query without relevant objects.
    """
    found = jnp.asarray(hits)[..., :k].sum(-1)
    relevant = jnp.asarray(relevant)
    return ((found >= relevant) & (relevant > 0)).astype(jnp.float32)
