"""Trains a network from prepared examples: from arrays to weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jax
from flax import nnx

from grapher_jax.training.architecture import AnyArchitecture, Settings
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.data import Data
from grapher_jax.training.run import Outcome, Run, Stages, Task, take_steps
from grapher_jax.training.weights import WEIGHTS, write_weights


class TrainReport(Outcome):
    """The report of a training run: the folder of the weights, and the result; JSON-ready."""

    weights: str


class FusedReport(TrainReport):
    """The report for a network with a fusion, including the fusion's weights."""

    fusion: list[float]


@dataclass(frozen=True)
class Trained:
    """A trained network.

    Attributes:
        network: the network with its best weights.
        settings: how its graphs are built, as stored with the weights.
        run: the training run.
        fusion: the weights of its fusion, if it has one.
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
    progress: Stages,
) -> Trained:
    """Trains the network of a task in one run; raises as `take_steps`."""
    run = take_steps(task, config, data, out, devices=devices, progress=progress)
    return Trained(run.network(), config.own.graph, run)


def keep_trained(
    trained: Trained,
    architecture: AnyArchitecture,
    config: TrainConfig,
    data: Data,
    out: Path,
) -> TrainReport:
    """Writes the weights and curves of a run, and returns its report.

    Raises:
        InputError: if they cannot be written.
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
