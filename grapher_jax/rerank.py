"""The reranker for the candidates of any retriever."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grapher_jax.corpus import Query
from grapher_jax.rankers.batching import gathered
from grapher_jax.rankers.hits import Hit, Hits
from grapher_jax.rankers.running import Order
from grapher_jax.retrieve.embedders import AnyEmbedder
from grapher_jax.systems.chosen import ChosenRanker

__all__ = ["Hit", "Hits", "Order", "Reranker"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Reranker(ChosenRanker):
    """A ranker with its parameters, which are those of `RankingOptions`.

    It ranks the candidates of any retriever (`rerank`, `rerank_batch`), and rows of a collection
    such as an index (`rank`).

    Raises:
        InputError: for an unknown ranker, unusable weights, or a parameter out of its range.
    """

    async def arerank(
        self,
        question: str | Query,
        candidates: Sequence[object],
        *,
        k: int | None = None,
        top_k: int | None = None,
        top_n: int | None = None,
        min_score: float | None = None,
        return_documents: bool = True,
        embedder: AnyEmbedder | None = None,
    ) -> Hits:
        """`rerank` for asynchronous code: it does not block the event loop.

        Concurrent calls with equal options are ranked together, in one program. A call that is
        cancelled while it waits is not ranked.

        Args:
            question: see `rerank`, also for all other arguments.
            candidates: see `rerank`.
            k: see `rerank`.
            top_k: see `rerank`.
            top_n: see `rerank`.
            min_score: see `rerank`.
            return_documents: see `rerank`.
            embedder: see `rerank`.

        Raises:
            InputError: as `rerank`, for this call alone.
        """
        options = {
            "k": k,
            "top_k": top_k,
            "top_n": top_n,
            "min_score": min_score,
            "return_documents": return_documents,
            "embedder": embedder,
        }
        found: Hits = await gathered(self._rerank_calls, (question, candidates, options), options)
        return found

    async def arerank_batch(
        self,
        questions: Sequence[str | Query],
        candidate_lists: Sequence[Sequence[object]],
        *,
        k: int | None = None,
        top_k: int | None = None,
        top_n: int | None = None,
        min_score: float | None = None,
        return_documents: bool = True,
        embedder: AnyEmbedder | None = None,
    ) -> list[Hits]:
        """`rerank_batch` in a thread, with the same arguments."""
        return await asyncio.to_thread(
            self.rerank_batch,
            questions,
            candidate_lists,
            k=k,
            top_k=top_k,
            top_n=top_n,
            min_score=min_score,
            return_documents=return_documents,
            embedder=embedder,
        )

    def _rerank_calls(
        self, calls: Sequence[tuple[str | Query, Sequence[object], dict[str, Any]]]
    ) -> list[Hits]:
        questions, lists = [call[0] for call in calls], [call[1] for call in calls]
        return self.rerank_batch(questions, lists, **calls[0][2])
