"""The learning rate schedule."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.training.config import TrainConfig


def learning_rates(config: TrainConfig, steps: int) -> Float[ndarray, " steps"]:
    """`[steps]` learning rates: linear warm-up, then cosine decay."""
    warmup = min(config.warmup, steps // 10 + 1)
    highest = config.learning_rate
    rise = optax.linear_schedule(highest / max(warmup, 1), highest, max(warmup - 1, 0))
    fall = optax.cosine_decay_schedule(highest, max(steps - warmup, 1))
    schedule = optax.join_schedules([rise, fall], [warmup])
    # In float32 they would differ between devices.
    with jax.enable_x64(True):
        return np.asarray(jax.jit(schedule)(jnp.arange(steps)))
