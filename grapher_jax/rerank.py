"""The reranker for the candidates of any retriever."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Unpack

from grapher_jax.checks import check_count, check_kind
from grapher_jax.corpus import Query
from grapher_jax.errors import InputError
from grapher_jax.rankers.batching import gathered
from grapher_jax.rankers.hits import Hit, Hits
from grapher_jax.rankers.listed import Reranking, as_lists, check_lists
from grapher_jax.rankers.running import Order, check_min_score
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

    def rerank(
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
        """Rerank one question's candidates, whatever found them.

        `Reranker().rerank("Who bought?", ["orders: …", "customers: …"])` is enough. Rankings become
        better with scores of a good retriever, and with metadata that joins candidates.

        Args:
            question: the question; used if candidates have no score, and by networks.
            candidates: in any order and any mixture of: texts; dicts with a `text` or an `id`, and
                optionally `score` (higher is better), `title`, `metadata` and `embedding`; objects
                with a `text`, `page_content` or `content`, such as `Object` and documents of
                LangChain, LlamaIndex and Haystack; or pairs of any of these and a score. A
                candidate without an id is called by its place, `documents[0]`. If any of them has
                no score, all are compared with the question, as `Index.search` would. Metadata is
                as in the BEIR layout: `foreign_keys`, `links`, `title_mentions`, `entities`,
                `document_id` with `chunk_id`.
            k: how many results; all by default.
            top_k: the same as `k`, by its name in sentence-transformers and others.
            top_n: the same as `k`, by its name in Cohere and Jina.
            min_score: leave out results with a lower `Hit.score`, which is the ranker's score.
            return_documents: whether hits have title, text and metadata; if not, `Hit.index`
                identifies the candidate.
            embedder: compares candidates without a score with the question, and is the embedder of
                given embeddings: a name or an embedder; `offline` by default.

        Returns:
            The hits, best first, a list that a notebook shows as a table; `Hits.scale` is the scale
            assumed for the scores, `Hit.explanation` tells where each score came from.

        Raises:
            InputError: naming the candidate and the cure, see `rerank_batch`.
        """
        return self.rerank_batch(
            [question],
            [candidates],
            k=k,
            top_k=top_k,
            top_n=top_n,
            min_score=min_score,
            return_documents=return_documents,
            embedder=embedder,
        )[0]

    def rerank_batch(
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
        """Rerank any retriever's output, one list of candidates per question, in one program.

        Args:
            questions: the questions, with metadata if a ranker needs it. Fixed-point rankers do not
                read them, but candidates without a score are compared with them.
            candidate_lists: for each question the candidates, as in `rerank`. A network reads the
                `embedding`, or embeds the text; if a candidate has neither, `gat` uses only scores
                and graph for that question. A language model reads the text.
            k: how many results; all by default.
            top_k: see `rerank`.
            top_n: see `rerank`.
            min_score: the lowest score of a result.
            return_documents: whether hits have title, text and metadata.
            embedder: the embedder of given embeddings, for `gat`, and for candidates without a
                score: a name or an embedder; `offline` by default. Other networks have their own.

        Returns:
            One list of hits per question, best first.

        Raises:
            InputError: naming the candidate, for a wrong type, a repeated id, a score that is not
                finite or outside the given scale, metadata of a wrong type, or nothing to compare
                or for a network to read.
            MissingExtraError: if the embedder is needed and not installed.
        """
        check_kind("return_documents", return_documents, bool, "True or False")
        k, least = _named_once(k=k, top_k=top_k, top_n=top_n), check_min_score(min_score)
        questions, candidate_lists = as_lists(questions, candidate_lists)
        if self.opened.needs.frequencies and len(questions) != 1:
            check_lists(questions, candidate_lists, needs=self.opened.needs, name=self.name)
            # What one question's candidates have in common must not depend on other questions.
            return [
                self.rerank(
                    question,
                    own,
                    k=k,
                    min_score=min_score,
                    return_documents=return_documents,
                    embedder=embedder,
                )
                for question, own in zip(questions, candidate_lists, strict=True)
            ]
        collection, found = self.collect(questions, candidate_lists, embedder=embedder)
        widest = found.rows.shape[1]
        k = widest if k is None else min(k, widest)
        order = self.rank(collection, found, k=k)
        hits = [own.at_least(least) for own in self.hits(collection, found, order)]
        return hits if return_documents else [own.without_documents() for own in hits]

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


def _named_once(**names: int | None) -> int | None:
    """The number of results, by any of its names; raises InputError if invalid or given twice."""
    given = {name: value for name, value in names.items() if value is not None}
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)}: are names of the same; give one")
    return next((check_count(name, value) for name, value in given.items()), None)
