"""Hits: the results of a ranking, with what they show and why they stand where they stand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

import numpy as np

from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY
from grapher_jax.rankers.explanation import Explanation
from grapher_jax.rankers.running import Order, best_first
from grapher_jax.retrieve.collection import Candidates, Collection


@dataclass(frozen=True)
class Hit:
    """One result.

    Attributes:
        id: the object's id.
        score: the ranker's score.
        rank: from 1.
        base_score: the retriever's score.
        base_rank: the retriever's rank, from 1.
        title: the object's title, where known.
        text: the object's text, where known.
        metadata: the object's metadata.
    """

    id: str
    score: float
    rank: int
    base_score: float
    base_rank: int
    title: str = ""
    text: str = ""
    metadata: Mapping[str, Json] = field(default_factory=dict)
    _explanations: Callable[[], Sequence[Explanation]] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def explanation(self) -> Explanation:
        """Which candidates this score came from; computed for the whole ranking when asked for.

        Raises:
            InputError: for a hit that was not made by ranking.
        """
        if self._explanations is None:
            raise InputError(f"hit {self.id!r}: made by hand, so there is nothing to explain")
        return self._explanations()[self.rank - 1]

    def to_dict(self, *, explain: bool = False) -> dict[str, Json]:
        """The hit as JSON can hold it, with its explanation if asked for."""
        known = {
            "rank": self.rank,
            "id": self.id,
            "score": self.score,
            "base_rank": self.base_rank,
            "base_score": self.base_score,
            "title": self.title,
            "text": self.text,
            "metadata": dict(self.metadata),
        }
        return known | ({"explanation": self.explanation.to_dict()} if explain else {})


def make_hits(
    collection: Collection,
    candidates: Candidates,
    order: Order,
    explain: Callable[[Candidates, Order], Sequence[Explanation]],
) -> list[list[Hit]]:
    """The hits of an order over candidates.

    Args:
        collection: what the candidates are rows of; texts are read for the hits alone.
        candidates: as they were ranked.
        order: of them.
        explain: the explanations of one question's results, asked for when one is read.
    """
    rankings = []
    for query in range(len(candidates)):
        rows, scores = candidates.rows[query], candidates.scores[query]
        base_ranks = np.empty(len(rows), int)
        base_ranks[best_first(rows, scores)] = np.arange(1, len(rows) + 1)
        positions = order.positions[query][order.positions[query] != EMPTY]
        alone = candidates.block(slice(query, query + 1), (1, len(rows)))
        best = Order(positions[None], order.scores[query : query + 1, : len(positions)])
        explanations = cache(partial(explain, alone, best))
        rankings.append(
            [
                Hit(
                    **_shown(collection, int(rows[position])),
                    score=float(order.scores[query, place]),
                    rank=place + 1,
                    base_score=float(scores[position]),
                    base_rank=int(base_ranks[position]),
                    _explanations=explanations,
                )
                for place, position in enumerate(positions)
            ]
        )
    return rankings


def _shown(collection: Collection, row: int) -> dict[str, Json]:
    item = collection.objects[row]
    return {"id": item.id, "title": item.title, "text": item.text, "metadata": item.metadata}
