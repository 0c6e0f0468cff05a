"""The proximity of chunks: what follows what in a document."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from grapher_jax.files import Json
from grapher_jax.graph.joins import Context, Join, short
from grapher_jax.graph.metadata import Array, Metadata
from grapher_jax.graph.ragged import EMPTY, Ragged

if TYPE_CHECKING:
    from grapher_jax.graph.arrays import GraphArrays
    from grapher_jax.kernels.graphs.proximities import Proximity as KernelRow

NAME = "chunk"


def build(objects: Metadata) -> dict[str, Array]:
    """The document of each object, and its place there; -1 for none."""
    documents: dict[str, int] = {}
    return {
        "document_ids": np.array(
            [
                documents.setdefault(own["document_id"], len(documents))
                if "document_id" in own
                else EMPTY
                for own in objects.values
            ],
            np.int32,
        ),
        "chunk_ids": np.array([own.get("chunk_id", EMPTY) for own in objects.values], np.int32),
    }


def joins(graph: "GraphArrays") -> Bool[ndarray, " N"]:
    """Which objects have a place in a document."""
    return (graph.document_ids != EMPTY) & (graph.chunk_ids != EMPTY)


def gather(
    graph: "GraphArrays", rows: Int[ndarray, "*B n"], max_df: int | None
) -> dict[str, ndarray]:
    """The documents of candidates and their places there."""
    return {name: graph.pick(name, rows) for name in ("document_ids", "chunk_ids")}


def steps(graph: "GraphArrays", max_df: int) -> tuple[Ragged, ...]:
    """To the chunks before and after."""
    order = np.lexsort((graph.chunk_ids, graph.document_ids))
    documents, chunks = graph.document_ids[order], graph.chunk_ids[order]
    follows = (documents[1:] == documents[:-1]) & (chunks[1:] == chunks[:-1] + 1)
    follows &= (documents[1:] != EMPTY) & (chunks[:-1] != EMPTY)
    ends = order[:-1][follows], order[1:][follows]
    pairs = np.concatenate(ends), np.concatenate(ends[::-1])
    return (Ragged.from_pairs(*pairs, len(order)),)


def words(context: Context, one: int, other: int) -> Iterator[Join]:
    """Which of two rows follows the other."""
    graph = context.graph

    def place(row: int) -> tuple[int, int]:
        return int(graph.document_ids[row]), int(graph.chunk_ids[row])

    earlier, later = sorted((one, other), key=place)
    (document, number), after = place(earlier), place(later)
    if EMPTY not in (document, number) and after == (document, number + 1):
        name = short(context.document(later))
        yield Join(NAME, (name,), f"{context.ids[later]} follows {context.ids[earlier]} in {name}")


def kernel() -> "KernelRow":
    """The row of the kernels."""
    from grapher_jax.kernels.graphs.proximities import CHUNK

    return CHUNK


def filled(slots: int) -> dict[str, Json]:
    """Metadata of a chunk."""
    return {"document_id": "", "chunk_id": 0}
