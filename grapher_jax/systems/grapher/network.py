"""GraphER's network, for the table of networks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grapher_jax.rankers.protocol import Ranker
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.retrieve.options import BaseFinding

if TYPE_CHECKING:
    import jax

    from grapher_jax.training.architecture import Architecture
    from grapher_jax.training.candidates import GraphSettings
    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.data import Data
    from grapher_jax.training.gat_shape import GatConfig
    from grapher_jax.training.run import Progress
    from grapher_jax.training.trainer import Trained
    from grapher_jax.training.weights import Weights


@dataclass(frozen=True)
class GatNetwork:
    """GraphER's graph attention over the hybrid retriever's candidates (a `Network`)."""

    graphs: Sequence[str] = ("smoothed", "neighbors", "degrees", "words", "meanings")
    unordered: Sequence[str] = ()

    @property
    def architecture(self) -> "Architecture[GatConfig, GraphSettings]":
        """See `Network`."""
        from grapher_jax.systems.grapher.architecture import ARCHITECTURE

        return ARCHITECTURE

    def make_ranker(self, weights: "Weights", name: str) -> Ranker:
        """See `Network`."""
        from grapher_jax.systems.grapher.ranker import GatRanker

        return GatRanker.from_weights(weights, name)

    def retrieving(self, settings: "GraphSettings") -> BaseFinding:
        """The candidates of the base retriever."""
        return {}

    def decisive(self, settings: "GraphSettings") -> Mapping[str, object]:
        """All settings; with GCS as smoothing, in the form of earlier versions."""
        told = asdict(settings)
        return {name: own for name, own in told.items() if (name, own) != ("smoothing", "gcs")}

    def write_graphs(
        self,
        folder: Path,
        collection: Collection,
        candidates: Candidates,
        settings: "GraphSettings",
        report: Callable[[int], None],
    ) -> None:
        """See `Network`."""
        from grapher_jax.systems.grapher.examples import write_candidate_graphs

        write_candidate_graphs(folder, collection, candidates, settings, report)

    def train(
        self,
        config: "TrainConfig",
        data: "Data",
        out: Path,
        *,
        devices: "Sequence[jax.Device] | None",
        progress: "Progress",
    ) -> "Trained":
        """See `Network`."""
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
