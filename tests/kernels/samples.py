"""Random graphs, and what their forms have in common."""

import jax.numpy as jnp
import numpy as np

from grapher_jax.kernels.graphs import operators

RNG = np.random.default_rng(0)


def random_ids(rng, shape, below, spread=1):
    """IDs with many repeats and empty slots; `spread` moves them far apart."""
    ids = rng.integers(0, below, shape) * spread
    return np.where(rng.random(shape) < 0.3, -1, ids).astype(np.int32)


def products_agree(operator, adjacency):
    p = jnp.asarray(RNG.random(adjacency.shape[:-1]), jnp.float32)
    dense = operators.Dense(adjacency)
    np.testing.assert_allclose(operator.multiply(p), dense.multiply(p), atol=1e-6, rtol=1e-6)
    np.testing.assert_allclose(
        operator.multiply_transposed(p), dense.multiply_transposed(p), atol=1e-6, rtol=1e-6
    )
