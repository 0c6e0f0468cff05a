"""GraphER's network: graph attention over the hybrid retriever's candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from grapher_jax.systems.grapher.architecture import ARCHITECTURE
from grapher_jax.systems.grapher.examples import write_candidate_graphs
from grapher_jax.systems.grapher.ranker import GatRanker
from grapher_jax.systems.network import Network
from grapher_jax.training.candidates import GraphSettings

if TYPE_CHECKING:
    import jax

    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.data import Data
    from grapher_jax.training.run import Progress
    from grapher_jax.training.trainer import Trained


def _decisive(settings: GraphSettings) -> Mapping[str, object]:
    """All settings; with GCS as smoothing, in the form of earlier versions."""
    told = asdict(settings)
    return {name: own for name, own in told.items() if (name, own) != ("smoothing", "gcs")}


def _train(
    config: "TrainConfig",
    data: "Data",
    out: Path,
    devices: "Sequence[jax.Device] | None",
    progress: "Progress",
) -> "Trained":
    # Ranking does without the packages for training.
    from flax import nnx

    from grapher_jax.systems.grapher.start import build_started
    from grapher_jax.training.batches import disturb, gather
    from grapher_jax.training.candidates import with_scalars
    from grapher_jax.training.gat import Gat
    from grapher_jax.training.run import Task
    from grapher_jax.training.trainer import train_task

    network: nnx.Module = (
        build_started(config.start, config.model)
        if config.start
        else Gat(config.model, nnx.Rngs(config.seed))
    )
    task = Task(network, gather, gather, disturb=disturb, ready=with_scalars)
    return train_task(task, config, data, out, devices=devices, progress=progress)


NETWORK: Network[GraphSettings] = Network(
    architecture=ARCHITECTURE,
    graphs=("smoothed", "neighbors", "degrees", "words", "meanings"),
    make_ranker=GatRanker.from_weights,
    retrieving=lambda settings: {},
    decisive=_decisive,
    write_graphs=write_candidate_graphs,
    train=_train,
)
