"""The graph of a whole index as examples, from which candidates' graphs are cut."""

from pathlib import Path

import numpy as np

from grapher_jax.retrieve.collection import Collection
from grapher_jax.systems.query_gnn.ranker import build_object_graph


def write_index_graph(folder: Path, collection: Collection) -> None:
    """Writes `neighbors`, `weights` and `relations` of an index; see `Network.write_graphs`."""
    built = collection.kept.get(build_object_graph, collection)
    np.save(folder / "neighbors.npy", built.neighbors)
    np.save(folder / "weights.npy", built.weights)
    np.save(folder / "relations.npy", built.relation_numbers)
