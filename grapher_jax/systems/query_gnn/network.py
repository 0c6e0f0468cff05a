"""Query-aware GNN retrieval's network, for the table of networks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
    from grapher_jax.training.ego_graphs import EgoSettings
    from grapher_jax.training.query_gnn import QueryGnnConfig
    from grapher_jax.training.run import Progress
    from grapher_jax.training.trainer import Trained
    from grapher_jax.training.weights import Weights


@dataclass(frozen=True)
class QueryGnnNetwork:
    """The network over candidates' graphs, cut from the index's graph (a `Network`)."""

    graphs: Sequence[str] = ("neighbors", "weights", "relations")
    unordered: Sequence[str] = ()

    @property
    def architecture(self) -> "Architecture[QueryGnnConfig, EgoSettings]":
        """See `Network`."""
        from grapher_jax.training.query_gnn import ARCHITECTURE

        return ARCHITECTURE

    def make_ranker(self, weights: "Weights", name: str) -> Ranker:
        """See `Network`."""
        from grapher_jax.systems.query_gnn.ranker import QueryGnnRanker

        return QueryGnnRanker.from_weights(weights, name)

    def retrieving(self, settings: "EgoSettings") -> BaseFinding:
        """The candidates of purely dense search."""
        return {"candidates": settings.candidates, "lexical_weight": 0.0}

    def decisive(self, settings: "EgoSettings") -> Mapping[str, object]:
        """The number of candidates: graphs are cut from the index's graph when they are read."""
        return {"candidates": settings.candidates}

    def write_graphs(
        self,
        folder: Path,
        collection: Collection,
        candidates: Candidates,
        settings: "EgoSettings",
        report: Callable[[int], None],
    ) -> None:
        """See `Network`."""
        from grapher_jax.systems.query_gnn.examples import write_index_graph

        write_index_graph(folder, collection)

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
        from grapher_jax.training.query_gnn_stages import train_in_stages

        return train_in_stages(config, data, out, devices=devices, progress=progress)
