"""One step of training the learned ranker: this library, and PyTorch Geometric.

Every implementation takes the arrays of a training workload and the same weights. A step goes from
arrays in memory to updated weights: dropout, loss, gradient, clipping and AdamW. Both sides have
what a step does not change in their own form before the clock starts; PyTorch Geometric also has
the eleven numbers of every candidate, which this library reads from the batch in every step.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from importlib.util import find_spec
from itertools import product
from shutil import which
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from numpy import ndarray
from timing import best_seconds
from workloads import Arrays

from grapher_jax import kernels
from grapher_jax.training.batches import disturb
from grapher_jax.training.candidates import (
    SCALARS,
    CandidateBatch,
    scalar_features,
    with_scalars,
)
from grapher_jax.training.config import SetConfig, TrainConfig
from grapher_jax.training.gat import Gat, GatConfig
from grapher_jax.training.losses import find_loss
from grapher_jax.training.program import Program

# Scores, and the gradient of the mean loss by weight.
Judged = tuple[ndarray, dict[str, ndarray]]

RATE = 1e-3


@dataclass(frozen=True)
class Training:
    """A network about to be trained on one batch.

    Attributes:
        step: what is timed; it changes the weights.
        judge: what its first weights say without dropout.
        weights: its weights by name.
    """

    step: Callable[[], object]
    judge: Callable[[], Judged]
    weights: Callable[[], dict[str, ndarray]]


@dataclass(frozen=True)
class Implementation:
    """A way to train.

    Attributes:
        name: as it stands in the results.
        prepare: from a workload's arrays, the settings, and whether there is time to look for the
            fastest way.
        kind: `ours` or `peer`.
        package: what it needs installed.
    """

    name: str
    prepare: Callable[[Arrays, TrainConfig, bool], Training]
    kind: str = "ours"
    package: str = "jax"

    @property
    def installed(self) -> bool:
        """Whether its package can be imported."""
        return find_spec(self.package) is not None


def settings(arrays: Arrays, *, dropout: float = 0.1) -> TrainConfig:
    """The defaults, which the shipped ranker was trained with."""
    model = GatConfig(dimension=arrays["questions"].shape[-1], dropout=dropout)
    return TrainConfig(sets=(SetConfig(source=""),), model=model)


def network(config: TrainConfig) -> Gat:
    """The network at its start, but for its last layer: zeros there would hide all before it."""
    model = Gat(config.model, nnx.Rngs(config.seed))
    shape = model.score.kernel.shape
    model.score.kernel[...] = np.random.default_rng(0).normal(0, 0.1, shape).astype(np.float32)
    return model


def ours(arrays: Arrays, config: TrainConfig, _: bool) -> Training:
    """The trainer's own step, over all devices."""
    graph, weights = nnx.split(network(config))
    mesh = kernels.query_mesh()
    program = Program(graph, mesh, config.step, disturb, with_scalars)
    whole = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
    # A step takes over the memory of what it is given.
    own = jax.tree.map(jnp.copy, weights)
    state = [jax.device_put(tree, whole) for tree in (own, program.optimizer(RATE).init(weights))]
    candidates = _candidates(arrays)
    relevant, counts = arrays["relevant"], arrays["counts"]
    batch = kernels.shard_queries((candidates, relevant, counts), mesh)
    key, rate = jax.random.key(config.seed), jnp.float32(RATE)

    def step() -> None:
        state[:] = program.step(*state, batch, key, rate)[:2]
        jax.block_until_ready(state)

    @jax.jit
    def judge(weights: Any) -> tuple[Any, jax.Array]:
        def mean(weights: Any) -> tuple[jax.Array, jax.Array]:
            scores = nnx.merge(graph, weights)(candidates)
            losses = find_loss(config.loss, config.k)(scores, relevant, candidates.mask)
            return losses.mean(), jnp.where(candidates.mask, scores, 0.0)

        return jax.grad(mean, has_aux=True)(weights)

    def judged() -> Judged:
        gradients, scores = judge(weights)
        return np.asarray(scores), _named(gradients)

    return Training(step, judged, lambda: _named(state[0]))


def pytorch_geometric(arrays: Arrays, config: TrainConfig, thorough: bool) -> Training:
    """The same at its fastest.

    Of whole batches as one graph, eight questions at a time and one at a time; edges as a list and
    as a compressed adjacency; compiled and not; one thread and two.
    """
    import torch
    import torch_ranker

    start = _named(nnx.state(network(config)))
    scalars = np.asarray(jax.jit(scalar_features)(_candidates(arrays)))
    shape = {n: getattr(config.model, n) for n in ("layers", "heads", "channels", "dropout")}
    ranker = torch_ranker.Ranker(SCALARS, **shape)
    ranker.load(start)
    optimizer = torch_ranker.optimizer(ranker, rate=RATE, weight_decay=config.weight_decay)
    questions = len(scalars)

    def parts(size: int, *, compressed: bool = False) -> list[Any]:
        given = (scalars, *(arrays[name] for name in ("neighbors", "mask", "relevant")))
        blocks = [slice(i, i + size) for i in range(0, questions, size)]
        return [
            torch_ranker.Part(*(values[block] for values in given), compressed=compressed)
            for block in blocks
        ]

    def backward(forward: Any, parts: list[Any]) -> None:
        optimizer.zero_grad(set_to_none=True)
        for part in parts:
            (part.loss(forward) / questions).backward()

    def step(forward: Any, parts: list[Any], threads: int) -> None:
        before = torch.get_num_threads()
        torch.set_num_threads(threads)
        try:
            backward(forward, parts)
            torch.nn.utils.clip_grad_norm_(ranker.parameters(), config.clip)
            optimizer.step()
        finally:
            torch.set_num_threads(before)

    def judged() -> Judged:
        ranker.eval()
        (whole,) = parts(questions)
        with torch.inference_mode():
            scores = whole.scores(ranker).numpy()
        backward(ranker, [whole])
        ranker.train()
        return scores, ranker.gradients()

    first = judged()
    forms = [(ranker, parts(questions))]
    if thorough:
        forms += [(ranker, parts(8)), (ranker, parts(1))]
        forms += [(ranker, parts(n, compressed=True)) for n in (questions, 8)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the compiler
        if thorough and which("g++"):  # which compiled programs are made with
            compiled = torch.compile(ranker)
            forms += [(compiled, parts(n)) for n in (questions, 8)]
        ways = [partial(step, *form, threads) for form, threads in product(forms, (1, 2))]
        fastest = _fastest(ways) if thorough else ways[0]
    ranker.load(start)
    optimizer.state.clear()
    return Training(fastest, lambda: first, ranker.weights)


IMPLEMENTATIONS = (
    Implementation("grapher-jax", ours),
    Implementation("pytorch geometric", pytorch_geometric, "peer", "torch_geometric"),
)


def check(found: Judged, expected: Judged) -> None:
    """Whether scores and gradients are these, up to rounding.

    Raises:
        AssertionError: where they are not.
    """
    np.testing.assert_allclose(found[0], expected[0], rtol=0, atol=1e-4)
    assert found[1].keys() == expected[1].keys()
    for name, slopes in expected[1].items():
        rounding = 1e-4 * np.abs(slopes).max()
        np.testing.assert_allclose(found[1][name], slopes, rtol=0, atol=rounding, err_msg=name)


def _candidates(arrays: Arrays) -> CandidateBatch:
    own = [field.name for field in fields(CandidateBatch) if field.name in arrays]
    return CandidateBatch(**{name: arrays[name] for name in own})


def _named(state: Any) -> dict[str, ndarray]:
    """The leaves of a network's state by path."""
    leaves = jax.tree_util.tree_leaves_with_path(nnx.to_pure_dict(state))
    return {"/".join(str(key.key) for key in path): np.asarray(leaf) for path, leaf in leaves}


def _fastest(ways: list[Callable[[], object]]) -> Callable[[], object]:
    promising = sorted(ways, key=lambda way: _seconds(way, 1))[:3]
    return min(promising, key=lambda way: _seconds(way, 3))


def _seconds(way: Callable[[], object], rounds: int) -> float:
    way()
    return best_seconds(way, rounds)
