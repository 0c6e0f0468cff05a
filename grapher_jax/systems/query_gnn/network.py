"""Query-aware GNN retrieval's network: over candidates' graphs, cut from the index's graph."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.systems.network import Network
from grapher_jax.systems.query_gnn.ranker import QueryGnnRanker, build_object_graph
from grapher_jax.training.ego_graphs import EgoSettings
from grapher_jax.training.query_gnn import ARCHITECTURE

if TYPE_CHECKING:
    import jax

    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.data import Data
    from grapher_jax.training.run import Stages
    from grapher_jax.training.trainer import Trained


def _write_index_graph(
    folder: Path,
    collection: Collection,
    candidates: Candidates,
    settings: EgoSettings,
    report: Callable[[int], None],
) -> None:
    built = collection.kept.get(build_object_graph, collection)
    np.save(folder / "neighbors.npy", built.neighbors)
    np.save(folder / "weights.npy", built.weights)
    np.save(folder / "relations.npy", built.relation_numbers)
    report(len(candidates.rows))


def _train(
    config: "TrainConfig",
    data: "Data",
    out: Path,
    devices: "Sequence[jax.Device] | None",
    progress: "Stages",
) -> "Trained":
    # Ranking does without the packages for training.
    from grapher_jax.training.query_gnn_stages import train_in_stages

    return train_in_stages(config, data, out, devices=devices, progress=progress)


NETWORK: Network[EgoSettings] = Network(
    architecture=ARCHITECTURE,
    graphs=("neighbors", "weights", "relations"),
    make_ranker=QueryGnnRanker.from_weights,
    retrieving=lambda settings: {"candidates": settings.candidates, "lexical_weight": 0.0},
    # Graphs are cut from the index's graph when they are read.
    decisive=lambda settings: {"candidates": settings.candidates},
    write_graphs=_write_index_graph,
    train=_train,
)
