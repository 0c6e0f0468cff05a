"""The document graphs of questions, written as examples for G-RAG's network."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from grapher_jax.graph import EMPTY
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.shapes import pad, slices
from grapher_jax.systems.g_rag.concepts import build_document_graphs
from grapher_jax.systems.network import GRAPHS_AT_ONCE
from grapher_jax.training.g_rag import DocumentSettings


def write_document_graphs(
    folder: Path,
    collection: Collection,
    candidates: Candidates,
    settings: DocumentSettings,
    report: Callable[[int], None],
) -> None:
    """Write `concepts`, `triples`, `encoded` and `places`; see `Network.write_graphs`."""
    parts = []
    for block in slices(len(candidates), GRAPHS_AT_ONCE):
        some = candidates.block(block, candidates.rows[block].shape)
        graphs = build_document_graphs(
            collection, some, max_df=settings.max_df, paths=settings.paths
        )
        parts.append(graphs)
        report(len(some))
    for name in ("concepts", "triples"):
        lists = [getattr(part, name) for part in parts]
        widest = max(numbers.shape[2] for numbers in lists)
        padded = [pad(numbers, (*numbers.shape[:2], widest), EMPTY) for numbers in lists]
        np.save(folder / f"{name}.npy", np.concatenate(padded))
    # The start of each part's embeddings among all embeddings.
    firsts = np.cumsum([0] + [len(part.encoded) for part in parts])
    places = [
        np.where(part.places == EMPTY, EMPTY, part.places + first)
        for part, first in zip(parts, firsts, strict=False)
    ]
    np.save(folder / "places.npy", np.concatenate(places).astype(np.int32))
    np.save(folder / "encoded.npy", np.concatenate([part.encoded for part in parts]))
