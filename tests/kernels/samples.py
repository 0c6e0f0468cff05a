"""Random graphs, and what their forms have in common."""

import jax
import jax.numpy as jnp
import numpy as np

from grapher_jax.kernels.graphs import operators

RNG = np.random.default_rng(0)


def random_ids(rng, shape, below, spread=1):
    """IDs with many repeats and empty slots; `spread` moves them far apart."""
    ids = rng.integers(0, below, shape) * spread
    return np.where(rng.random(shape) < 0.3, -1, ids).astype(np.int32)


@jax.jit
def products(operator, p):
    return operator.multiply(p), operator.multiply_transposed(p)


def products_agree(operator, adjacency, products=products):
    p = jnp.asarray(RNG.random(adjacency.shape[:-1]), jnp.float32)
    expected = products(operators.Dense(adjacency), p)
    for found, own in zip(products(operator, p), expected, strict=True):
        np.testing.assert_allclose(found, own, atol=1e-6, rtol=1e-6)
