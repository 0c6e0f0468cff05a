"""G-RAG's network, for the table of networks."""

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
    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.data import Data
    from grapher_jax.training.g_rag import DocumentSettings, GRagConfig
    from grapher_jax.training.run import Progress
    from grapher_jax.training.trainer import Trained
    from grapher_jax.training.weights import Weights


@dataclass(frozen=True)
class GRagNetwork:
    """G-RAG's network over documents that share concepts (a `Network`)."""

    graphs: Sequence[str] = ("concepts", "triples", "encoded", "places")
    unordered: Sequence[str] = ("concepts", "triples")

    @property
    def architecture(self) -> "Architecture[GRagConfig, DocumentSettings]":
        """See `Network`."""
        from grapher_jax.training.g_rag import ARCHITECTURE

        return ARCHITECTURE

    def make_ranker(self, weights: "Weights", name: str) -> Ranker:
        """See `Network`."""
        from grapher_jax.systems.g_rag.ranker import GRagRanker

        return GRagRanker.from_weights(weights, name)

    def retrieving(self, settings: "DocumentSettings") -> BaseFinding:
        """The candidates of purely dense search."""
        return {"candidates": settings.candidates, "lexical_weight": 0.0}

    def decisive(self, settings: "DocumentSettings") -> Mapping[str, object]:
        """All of the settings."""
        return asdict(settings)

    def write_graphs(
        self,
        folder: Path,
        collection: Collection,
        candidates: Candidates,
        settings: "DocumentSettings",
        report: Callable[[int], None],
    ) -> None:
        """See `Network`."""
        from grapher_jax.systems.g_rag.examples import write_document_graphs

        write_document_graphs(folder, collection, candidates, settings, report)

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

        from grapher_jax.training.batches import gather_documents
        from grapher_jax.training.config import GRagTraining
        from grapher_jax.training.g_rag import GRag
        from grapher_jax.training.run import Task
        from grapher_jax.training.trainer import train_task

        own = config.g_rag or GRagTraining()
        network = GRag(own.model, nnx.Rngs(config.seed))
        task = Task(network, gather_documents, gather_documents, apart=True)
        return train_task(task, config, data, out, devices=devices, progress=progress)
