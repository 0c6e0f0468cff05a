"""One step, on one device and on many."""

import os
import subprocess
import sys
import textwrap
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import nnx
from networks import random_network

from grapher_jax import kernels
from grapher_jax.training.batches import gather, watch_batches
from grapher_jax.training.gat import Gat
from grapher_jax.training.losses import perfect_recall_loss
from grapher_jax.training.program import Program

CORES = """
    import os, sys
    import jax
    from grapher_jax.training.program import use_cores

    os.sched_getaffinity = lambda process: set(range(6))
    use_cores(int(sys.argv[1]))
    devices = jax.local_device_count()
    use_cores(2)  # JAX has started
    assert jax.local_device_count() == devices
    print(devices)
"""


@pytest.mark.parametrize(
    ("batch", "environment", "devices"),
    [
        (32, {}, 4),
        pytest.param(33, {}, 1, marks=pytest.mark.nightly),
        pytest.param(32, {"JAX_NUM_CPU_DEVICES": "3"}, 3, marks=pytest.mark.nightly),
        pytest.param(
            *(32, {"XLA_FLAGS": "--xla_force_host_platform_device_count=3"}, 3),
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_cores_share_a_batch_unless_told_otherwise(batch, environment, devices):
    told = ("JAX_NUM_CPU_DEVICES", "XLA_FLAGS")
    kept = {name: value for name, value in os.environ.items() if name not in told}
    command = [sys.executable, "-c", textwrap.dedent(CORES), str(batch)]
    done = subprocess.run(command, capture_output=True, text=True, env=kept | environment)
    assert done.stdout.strip() == str(devices), done.stderr[-3000:]


@pytest.mark.nightly
def test_a_gradient_is_taken_a_few_questions_at_a_time(config, pools):
    """Two at a time, and one where their number is odd: what fills a batch counts for nothing."""
    many, few = (gather(pools, watch_batches(pools[0], 4)[0], size) for size in (8, 5))
    # That parts hear the same neighbours is seen where many devices learn what one does.
    own = replace(config.model, dimension=16, messages=False)
    graph, weights = nnx.split(random_network(lambda: Gat(own, nnx.Rngs(0))))

    @jax.jit
    def mean(weights):
        scores = nnx.merge(graph, weights)(few.candidates)
        losses = perfect_recall_loss(scores, few.relevant, few.candidates.mask)
        return jnp.where(few.counts > 0, losses, 0.0).sum() / 4, losses

    expected, losses = jax.jit(jax.grad(mean, has_aux=True))(weights)
    still = replace(config, edge_dropout=0.0, score_noise=0.0)
    program = Program(graph, kernels.query_mesh(jax.local_devices()[:1]), still.step)
    for batch in (many, few):
        given = jax.tree.map(jnp.array, weights)  # donated
        state, key = program.optimizer(0.0).init(given), jax.random.key(0)
        arrays = (batch.candidates, batch.relevant, batch.counts)
        *_, found, norm = program.step(given, state, arrays, key, jnp.float32(0.0))
        np.testing.assert_allclose(found[:4], losses[:4], rtol=1e-5)
        np.testing.assert_allclose(norm, optax.tree.norm(expected), rtol=1e-5)
