"""Networks for tests, whose weights NumPy draws: nothing is compiled for that."""

from collections.abc import Callable
from typing import TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

ModelT = TypeVar("ModelT", bound=nnx.Module)


def random_network(make: Callable[[], ModelT], *, scale: float = 1.0, seed: int = 0) -> ModelT:
    """Random everywhere, so that every part counts; a matrix keeps the size of what it is given."""
    model, rng = nnx.eval_shape(make), np.random.default_rng(seed)

    def draw(leaf: jax.ShapeDtypeStruct) -> jax.Array:
        inputs = leaf.shape[0] if len(leaf.shape) > 1 else 1
        return jnp.asarray(scale / inputs**0.5 * rng.normal(size=leaf.shape), leaf.dtype)

    nnx.update(model, jax.tree.map(draw, nnx.state(model)))
    return model
