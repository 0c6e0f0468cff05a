"""Search over a vector store."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from grapher_jax.checks import check_count, check_list, shown
from grapher_jax.corpus import check_filters
from grapher_jax.errors import InputError, warn
from grapher_jax.files import Json
from grapher_jax.graph import (
    PROXIMITIES,
    Edges,
    check_edges,
    connecting_keys,
    of_keys,
    reads_embeddings,
)
from grapher_jax.rankers.auto import AUTO
from grapher_jax.rankers.batching import gathered
from grapher_jax.rankers.hits import Hits
from grapher_jax.rankers.options import AUTO_SCALE, NONE
from grapher_jax.rankers.running import check_k, check_min_score
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import CANDIDATES, AnyEmbedder, Embedder, Store, open_embedder
from grapher_jax.retrieve.hybrid import check_questions
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.text import readable


@dataclass(frozen=True)
class StoreRetriever:
    """A vector store with the embedder of its questions.

    Attributes:
        store: such as a `ChromaStore`.
        embedder: the one that filled the store: `offline`, a sentence-transformers name or path, or
            an embedder.
        edges: metadata keys that join records, besides those of the BEIR layout, see
            `RankingOptions`; a `Reranker` with edges uses its own.
    """

    store: Store
    embedder: AnyEmbedder = "offline"
    edges: Edges | None = None

    def __post_init__(self) -> None:
        if self.edges is not None:
            object.__setattr__(self, "edges", check_edges(self.edges))
        if not callable(getattr(self.store, "search", None)):
            raise InputError(f"store: one such as a ChromaStore is needed, not {shown(self.store)}")

    def search(
        self,
        question: str,
        *,
        k: int = 10,
        min_score: float | None = None,
        ranker: str | Path | ChosenRanker | None = None,
        candidates: int = CANDIDATES,
        filter: Mapping[str, Json] | None = None,  # noqa: A002
    ) -> Hits:
        """Search for the records that answer a question, ranked with the graph between them.

        Args:
            question: the question in words; not empty.
            k: the maximum number of results.
            min_score: see `Index.search`.
            ranker: see `Index.search`.
            candidates: how many records the store returns for ranking; at least `k`.
            filter: a filter on the metadata of records, see `Index.search`.

        Returns:
            The hits, best first.

        Raises:
            InputError: naming the parameter and the cure, see `search_batch`.
        """
        return self.search_batch(
            [question],
            k=k,
            min_score=min_score,
            ranker=ranker,
            candidates=candidates,
            filters=[filter],
        )[0]

    def search_batch(
        self,
        questions: Sequence[str],
        *,
        k: int = 10,
        min_score: float | None = None,
        ranker: str | Path | ChosenRanker | None = None,
        candidates: int = CANDIDATES,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
    ) -> list[Hits]:
        """Search the store with a batch of questions, and rerank the results.

        Warns if no record found has metadata for a graph; then fixed-point rankers keep the store's
        order.

        Args:
            questions: none of them empty.
            k: the maximum number of results per question.
            min_score: the lowest score of a result.
            ranker: a ranker's name, or a `Reranker` with its own parameters; `auto` by default.
            candidates: how many records the store returns for reranking; at least `k`.
            filters: for each question a filter on the metadata of records; None for no filter.

        Returns:
            One list of hits per question, best first.

        Raises:
            InputError: for an empty question, an unknown ranker, a parameter out of its range, a
                store whose dimension differs from the embedder's, or in which records share an id.
        """
        questions = check_list("questions", questions, of="questions")
        check_questions(questions)
        wanted = check_filters(filters, len(questions))
        n = max(check_count("candidates", candidates), check_k(k))
        check_min_score(min_score)
        if not isinstance(ranker, ChosenRanker):
            ranker = Reranker(ranker=Reranker.ranker if ranker is None else ranker)
        if ranker.edges is None and self.edges:
            ranker = replace(ranker, edges=self.edges)
        found = self._candidates(questions, n, wanted, ranker)
        self._check_ids(found)
        self._warn_of_no_text(found)
        if ranker.opened.needs.proximities and not reads_embeddings(ranker.own_edges):
            self._warn_of_no_metadata(found, connecting_keys(ranker.rows))
        if ranker.scores == AUTO_SCALE and ranker.base is None:
            # A store's cosines are read like those of an index.
            ranker = ranker.reading(NONE)
        return ranker.rerank_batch(
            questions, found, k=k, min_score=min_score, embedder=self._embedder
        )

    async def asearch(
        self,
        question: str,
        *,
        k: int = 10,
        min_score: float | None = None,
        ranker: str | Path | ChosenRanker | None = None,
        candidates: int = CANDIDATES,
        filter: Mapping[str, Json] | None = None,  # noqa: A002
    ) -> Hits:
        """`search` for asynchronous code, with concurrent calls together; see `Index.asearch`."""
        options = {"k": k, "min_score": min_score, "ranker": ranker, "candidates": candidates}
        found: Hits = await gathered(self._search_calls, (question, filter, options), options)
        return found

    async def asearch_batch(
        self,
        questions: Sequence[str],
        *,
        k: int = 10,
        min_score: float | None = None,
        ranker: str | Path | ChosenRanker | None = None,
        candidates: int = CANDIDATES,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
    ) -> list[Hits]:
        """`search_batch` in a thread, with the same arguments."""
        return await asyncio.to_thread(
            self.search_batch,
            questions,
            k=k,
            min_score=min_score,
            ranker=ranker,
            candidates=candidates,
            filters=filters,
        )

    def _search_calls(
        self, calls: Sequence[tuple[str, Mapping[str, Json] | None, dict[str, Any]]]
    ) -> list[Hits]:
        questions, filters = [call[0] for call in calls], [call[1] for call in calls]
        return self.search_batch(questions, filters=filters, **calls[0][2])

    def _candidates(
        self,
        questions: Sequence[str],
        n: int,
        filters: Sequence[Mapping[str, Json]] | None,
        reranker: ChosenRanker,
    ) -> list[list[dict[str, Json]]]:
        if not questions:
            return []
        embedder = self._embedder
        if self.store.dimension not in (None, embedder.dimension):
            raise InputError(
                f"embedder: {embedder.name!r} gives {embedder.dimension} dimensions, "
                f"{self.store.name} has {self.store.dimension}; use the embedder that filled it"
            )
        vectors = embedder.embed_queries([*map(readable, questions)])

        def search(*, embeddings: bool) -> list[list[dict[str, Json]]]:
            if filters is None:
                return self.store.search(vectors, n, embeddings=embeddings)
            alike: dict[str, list[int]] = {}
            for place, wanted in enumerate(filters):
                alike.setdefault(repr(wanted), []).append(place)  # True equals 1
            found: dict[int, list[dict[str, Json]]] = {}
            for places in alike.values():
                wanted = filters[places[0]]
                lists = self.store.search(vectors[places], n, filter=wanted, embeddings=embeddings)
                found |= zip(places, lists, strict=True)
            return [found[place] for place in range(len(filters))]

        # For another network's embedder, the embeddings are computed from the texts.
        needs, by_meaning = reranker.reads, reads_embeddings(reranker.own_edges)
        read = needs.cosine or needs.embedder == embedder.name or by_meaning
        if not read or reranker.ranker != AUTO or by_meaning:
            return search(embeddings=read)
        # Only the network that `auto` takes for foreign keys reads them.
        found = search(embeddings=False)
        keys = [PROXIMITIES[name].keys[-1].name for name in of_keys(PROXIMITIES)]
        joined = any(one["metadata"].get(key) for own in found for one in own for key in keys)
        return search(embeddings=True) if joined else found

    def _check_ids(self, found: Sequence[Sequence[Mapping[str, Json]]]) -> None:
        for candidates in found:
            for identity, times in Counter(one["id"] for one in candidates).most_common(1):
                if times > 1:
                    raise InputError(
                        f"{self.store.name}: {times} records have the id {identity!r}, such as "
                        "chunks that are called as their document; give each record its own"
                    )

    def _warn_of_no_text(self, found: Sequence[Sequence[Mapping[str, Json]]]) -> None:
        texts = [candidate.get("text") for candidates in found for candidate in candidates]
        under, usual = (getattr(store, "text", None) for store in (self.store, type(self.store)))
        if under != usual and texts and not any(texts):
            warn(
                f"{self.store.name}: none of {len(texts)} candidates has a text under "
                f"{under!r}; give the store text= the name under which texts are kept",
            )

    def _warn_of_no_metadata(
        self, found: Sequence[Sequence[Mapping[str, Json]]], keys: Sequence[str]
    ) -> None:
        metadata = [candidate["metadata"] for candidates in found for candidate in candidates]
        if metadata and not any(key in known for known in metadata for key in keys):
            warn(
                f"{self.store.name}: none of {len(metadata)} candidates has metadata to build a "
                f"graph from ({', '.join(keys)}); write it with the store's `annotate`, or "
                'use ranker="base"',
            )

    @cached_property
    def _embedder(self) -> Embedder:
        return open_embedder(self.embedder)
