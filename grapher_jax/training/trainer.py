"""Training of a network from prepared examples: arrays in, weights out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
from flax import nnx

from grapher_jax.training.architecture import Architecture, Settings
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.data import Data
from grapher_jax.training.run import Outcome, Progress, Run, Task, take_steps
from grapher_jax.training.weights import WEIGHTS, write_weights


class TrainReport(Outcome):
    """What training tells: where the weights are, and how it ended; JSON-ready."""

    weights: str


class FusedReport(TrainReport):
    """The same of a network with a fusion, and the weights of that."""

    fusion: list[float]


@dataclass(frozen=True)
class Trained:
    """A network that has learned.

    Attributes:
        network: with its best weights.
        settings: how its graphs are built, as its weights say it.
        run: in which it learned.
        fusion: the weights of its fusion, where it has one.
    """

    network: nnx.Module
    settings: Settings
    run: Run
    fusion: Sequence[float] = ()


def train_task(
    task: Task,
    config: TrainConfig,
    data: Data,
    out: Path,
    *,
    devices: Sequence[jax.Device] | None,
    progress: Progress,
) -> Trained:
    """The network of a task after a run of its own; raises as `take_steps`."""
    run = take_steps(task, config, data, out, devices=devices, progress=progress)
    return Trained(run.network(), config.own.graph, run)


def keep_trained(
    trained: Trained,
    architecture: Architecture[Any, Any],
    config: TrainConfig,
    data: Data,
    out: Path,
) -> TrainReport:
    """The report of a run, once its weights and its curves are written.

    Raises:
        InputError: where they cannot be.
    """
    outcome = trained.run.outcome()
    write_weights(
        out / WEIGHTS,
        trained.network,
        architecture,
        embedder=data.embedder,
        graph=trained.settings,
        record={"training": config.to_json(), **outcome},
    )
    trained.run.draw()
    weights = str(out / WEIGHTS)
    if trained.fusion:
        return FusedReport(weights=weights, fusion=list(trained.fusion), **outcome)
    return TrainReport(weights=weights, **outcome)
