"""A collection in memory, for tests of what reads one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from grapher_jax import Object, Query
from grapher_jax.graph import GraphArrays
from grapher_jax.retrieve import Candidates, Collection, Kept, Questions


@dataclass(frozen=True)
class NoEmbedder:
    """An embedder that must not be asked."""

    name: str = "none"
    dimension: int = 2

    def embed_objects(self, texts: Sequence[str], **_: Any) -> np.ndarray:
        raise AssertionError("asked to embed")

    embed_queries = embed_objects


@dataclass(frozen=True)
class MemoryCollection(Collection):
    """Objects with whatever a test needs of them."""

    objects: Sequence[Object]
    embedder: Any = NoEmbedder()
    embeddings: Any = None
    pair_graphs: Mapping[tuple[str, str], str] = field(default_factory=dict)
    kept: Kept = field(default_factory=Kept)

    @property
    def ids(self) -> list[str]:
        return [item.id for item in self.objects]

    @cached_property
    def graph(self) -> GraphArrays:
        return GraphArrays.build(self.ids, [item.metadata for item in self.objects])


def questions(count: int | Sequence[Query], embeddings: Any = None) -> Questions:
    """So many questions, or these, with their embeddings."""
    queries = [Query("", "?")] * count if isinstance(count, int) else count
    return Questions(queries, lambda: embeddings)


def candidates_of(rows: Any, scores: Any, embeddings: Any = None) -> Candidates:
    """Candidates of questions of which only the embeddings matter."""
    return Candidates(rows, scores, questions(len(rows), embeddings))
