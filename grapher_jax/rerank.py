"""The reranker for the candidates of any retriever."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Unpack

from grapher_jax.corpus import Query
from grapher_jax.rankers.batching import gathered
from grapher_jax.rankers.hits import Hit, Hits
from grapher_jax.rankers.listed import Reranking
from grapher_jax.rankers.running import Order
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
        **options: Unpack[Reranking],
    ) -> Hits:
        """`rerank` for asynchronous code, with its arguments: it does not block the event loop.

        Concurrent calls with equal options are ranked together, in one program. A call that is
        cancelled while it waits is not ranked.

        Args:
            question: see `rerank`.
            candidates: see `rerank`.
            options: `k` and all other options of `rerank`.

        Raises:
            InputError: as `rerank`, for this call alone.
        """
        found: Hits = await gathered(self._rerank_calls, (question, candidates, options), options)
        return found

    async def arerank_batch(
        self,
        questions: Sequence[str | Query],
        candidate_lists: Sequence[Sequence[object]],
        **options: Unpack[Reranking],
    ) -> list[Hits]:
        """`rerank_batch` in a thread, with the same arguments."""
        work = partial(self.rerank_batch, questions, candidate_lists, **options)
        return await asyncio.to_thread(work)

    def _rerank_calls(
        self, calls: Sequence[tuple[str | Query, Sequence[object], Reranking]]
    ) -> list[Hits]:
        questions, lists = [call[0] for call in calls], [call[1] for call in calls]
        return self.rerank_batch(questions, lists, **calls[0][2])
