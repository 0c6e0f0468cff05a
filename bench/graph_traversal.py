"""The traversal of the package `graph-retriever`, over what `passage_peers.py` asks.

pip install graph-retriever
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from graph_retriever import traverse
from graph_retriever.adapters import Adapter
from graph_retriever.content import Content
from graph_retriever.strategies import Eager, Mmr, Scored, Strategy
from passage_peers import Asked

from grapher_jax.graph import EMPTY

# An object leads to those with one of its entities, and to the chunks beside it.
EDGES = [("entities", "entities"), ("beside", "$id")]


class Candidates(Adapter):
    """The passages of one question as a store, which gives the retriever's best first."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.places = np.full(len(asked.corpus.vectors), EMPTY)
        self.places[asked.rows] = np.arange(len(asked.rows))

    def search_with_embedding(
        self, query: str, k: int = 4, **_: object
    ) -> tuple[list[float], list[Content]]:
        """The embedding of the question, and its best passages."""
        return self.asked.vector.tolist(), [*map(self._content, self.asked.rows[:k].tolist())]

    def search(
        self,
        embedding: list[float],
        k: int = 4,
        filter: dict[str, Any] | None = None,  # noqa: A002
        **_: object,
    ) -> list[Content]:
        """The best passages that have the entity of an edge."""
        holders = self.asked.corpus.holders.at((filter or {})["entities"])
        places = np.sort(self.places[holders])
        best = self.asked.rows[places[places != EMPTY][:k]]
        return [*map(self._content, best.tolist())]

    def get(self, ids: Sequence[str], **_: object) -> list[Content]:
        """The passages with these ids, as far as they may answer the question."""
        return [self._content(row) for row in map(int, ids) if self.places[row] != EMPTY]

    def _content(self, row: int) -> Content:
        corpus = self.asked.corpus
        joined = {"entities": corpus.entities.at(row), "beside": corpus.beside.at(row)}
        metadata = {name: own.tolist() for name, own in joined.items()}
        return Content(str(row), "", corpus.vectors[row], metadata)


def traversed(asked: Asked, k: int, *, strategy: str, start: int, adjacent: int) -> list[int]:
    """The places that a traversal selects, see `passage_peers.traversal`."""
    store = Candidates(asked)
    sizes = {"select_k": k, "start_k": start, "adjacent_k": adjacent}
    strategies: dict[str, Strategy] = {
        "eager": Eager(**sizes),
        "scored": Scored(lambda node: asked.scores[store.places[int(node.id)]], **sizes),
        "mmr": Mmr(**sizes, lambda_mult=0.9),
    }
    found = traverse("", edges=EDGES, strategy=strategies[strategy], store=store)
    return [int(store.places[int(node.id)]) for node in found]
