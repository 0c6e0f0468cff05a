"""The compiled training step, and the measures between steps."""

import math
import os
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import optax
from flax import nnx
from jax.sharding import Mesh, PartitionSpec
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from grapher_jax.kernels.program.devices import spread_queries
from grapher_jax.training.batches import Batch
from grapher_jax.training.config import StepSettings
from grapher_jax.training.losses import find_loss
from grapher_jax.training.measures import measured

# How many questions' gradients are computed at a time: on CPUs, as few as fit an inner cache with
# their activations; on other platforms, all questions of a device.
_AT_ONCE = {"cpu": 2}
_FORCED = "xla_force_host_platform_device_count"
# A network's input, which candidates are relevant, and how many objects are relevant.
Arrays = tuple[Batch, Bool[Array, "B n"], Int[Array, " B"]]
# A function that changes an input.
Disturb = Callable[[Any, StepSettings, PRNGKeyArray], Batch]
Ready = Callable[[Any], Batch]
OptimizerState = tuple[object, ...]
TreeT = TypeVar("TreeT")


@dataclass(frozen=True)
class Program:
    """The compiled functions; runs that agree in these attributes share them.

    Attributes:
        graph: the network without its weights.
        mesh: the devices that share every batch.
        settings: the settings of the run, without those that are arrays.
        disturb: random changes of a batch before it is split, so that the number of devices does
            not matter.
        ready: computations on a device's part of a batch before it is split into questions.
    """

    graph: nnx.GraphDef
    mesh: Mesh
    settings: StepSettings
    disturb: Disturb | None = None
    ready: Ready | None = None

    def optimizer(self, rate: float | Float[Array, ""]) -> optax.GradientTransformation:
        """AdamW; the learning rate may be traced, since the state does not depend on it."""
        return optax.chain(
            optax.clip_by_global_norm(self.settings.clip),
            optax.adamw(rate, weight_decay=self.settings.weight_decay, mask=_matrices),
        )

    @partial(jax.jit, static_argnums=0, donate_argnums=(1, 2))
    def step(
        self,
        weights: nnx.State,
        state: OptimizerState,
        batch: Arrays,
        key: PRNGKeyArray,
        rate: Float[Array, ""],
    ) -> tuple[nnx.State, OptimizerState, Float[Array, " B"], Float[Array, ""]]:
        """The new weights and optimizer state, every question's loss, and the gradient's norm."""
        candidates, relevant, counts = batch
        first, second = jax.random.split(key)
        if self.disturb:
            candidates = self.disturb(candidates, self.settings, first)
        (axis,) = self.mesh.axis_names
        whole, shared = PartitionSpec(), PartitionSpec(axis)
        spread: Callable[..., tuple[nnx.State, Array]] = jax.shard_map(
            self._gradients,
            mesh=self.mesh,
            in_specs=(whole, shared, shared, shared, whole),
            out_specs=(whole, shared),
            check_vma=False,  # as in kernels: loops start from constants without a device
        )
        gradients, losses = spread(weights, candidates, relevant, counts, second)
        updates, state = self.optimizer(rate).update(gradients, state, weights)
        return optax.apply_updates(weights, updates), state, losses, optax.tree.norm(gradients)

    @partial(jax.jit, static_argnums=0)
    def measure(self, weights: nnx.State, batch: Arrays) -> Float[Array, "B c"]:
        """`[B, c]` every measure of every question, in the order of `measure_names`."""
        found: Array = spread_queries(self._measure, self.mesh)(batch, (weights,))
        return found

    def _gradients(
        self, weights: nnx.State, batch: Batch, relevant: Array, counts: Array, key: Array
    ) -> tuple[nnx.State, Array]:
        (axis,) = self.mesh.axis_names
        loss = find_loss(self.settings.loss, self.settings.k)
        platform = self.mesh.devices.flat[0].platform
        parts = len(counts) // math.gcd(len(counts), _AT_ONCE.get(platform, len(counts)))

        def summed(weights: nnx.State, part: Arrays, key: Array) -> tuple[Array, Array]:
            batch, relevant, counts = part
            losses = loss(self._scores(weights, batch, key), relevant, batch.mask)
            return jnp.where(counts > 0, losses, 0.0).sum(), losses

        def add(sums: nnx.State, number: Array) -> tuple[nnx.State, Array]:
            part = _part((batch, relevant, counts), number, parts)
            own = jax.random.fold_in(key, parts * jax.lax.axis_index(axis) + number)
            gradients, losses = jax.grad(summed, has_aux=True)(weights, part, own)
            return jax.tree.map(jnp.add, sums, gradients), losses

        if self.ready:  # inside the loop, XLA for CPUs would be slow
            batch = self.ready(batch)
        nothing = jax.tree.map(jnp.zeros_like, weights)
        sums, losses = jax.lax.scan(add, nothing, jnp.arange(parts))
        questions = jnp.maximum(jax.lax.psum((counts > 0).sum(), axis), 1)
        gradients = jax.tree.map(lambda g: jax.lax.psum(g, axis) / questions, sums)
        return gradients, losses.reshape(-1)

    def _measure(self, batch: Batch, relevant: Array, counts: Array, weights: nnx.State) -> Array:
        scores = self._scores(weights, batch)
        return measured(scores, relevant, counts, mask=batch.mask, k=self.settings.k)

    def _scores(self, weights: nnx.State, batch: Batch, key: Array | None = None) -> Array:
        # Scores, norms and the loss stay float32: in half precision, scores would be tied.
        halved = jax.default_matmul_precision("BF16_BF16_F32")
        with halved if self.settings.mixed_precision else nullcontext():
            return nnx.merge(self.graph, weights)(batch, key=key)


def use_cores(batch_size: int) -> None:
    """Give JAX one device per CPU core, before it has started.

    It uses as many cores as can get an equal and even number of a batch's questions: then `dropout`
    draws the same for any number of cores. It does nothing if JAX has started, or its number of
    devices was set.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    told = "JAX_NUM_CPU_DEVICES" in os.environ or _FORCED in os.environ.get("XLA_FLAGS", "")
    if told:
        return
    shares = (n for n in range(cores or 1, 1, -1) if not batch_size % (n * _AT_ONCE["cpu"]))
    with suppress(RuntimeError):  # JAX has started
        jax.config.update("jax_num_cpu_devices", next(shares, 1))


def _matrices(weights: nnx.State) -> nnx.State:
    """Which weights decay: only matrices."""
    return jax.tree.map(lambda leaf: leaf.ndim > 1, weights)


def _part(arrays: TreeT, number: Array, parts: int) -> TreeT:
    """One of several equal parts of all arrays."""

    def cut(array: Array) -> Array:
        size = len(array) // parts
        return jax.lax.dynamic_slice_in_dim(array, number * size, size)

    return jax.tree.map(cut, arrays)
