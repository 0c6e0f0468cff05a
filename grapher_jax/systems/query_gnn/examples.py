"""The graph of a whole index, from which query-aware GNN retrieval cuts its candidates' graphs."""

from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.graph import GraphArrays
from grapher_jax.systems.query_gnn.object_graph import ObjectGraph
from grapher_jax.training.query_gnn import RELATIONS


def write_index_graph(folder: Path, graph: GraphArrays, embeddings: Float[ndarray, "N d"]) -> None:
    """Write `neighbors`, `weights` and `relations` of an index; see `Network.write_graphs`."""
    built = ObjectGraph.build(graph, embeddings)
    np.save(folder / "neighbors.npy", built.neighbors)
    np.save(folder / "weights.npy", built.weights)
    np.save(folder / "relations.npy", [RELATIONS.index(name) for name in built.relations])
