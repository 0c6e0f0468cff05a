"""Questions answered from a vector store: its nearest records, reranked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from grapher_jax.checks import check_count, check_list, shown
from grapher_jax.corpus import check_filters
from grapher_jax.corpus.flat import CONNECTING
from grapher_jax.errors import InputError, warn
from grapher_jax.rerank import Hit, Reranker, check_k
from grapher_jax.retrieve import CANDIDATES, Embedder, Store, open_embedder
from grapher_jax.retrieve.hybrid import check_questions
from grapher_jax.text import readable


@dataclass(frozen=True)
class StoreRetriever:
    """A vector store, and what embeds the questions for it.

    Attributes:
        store: such as a `ChromaStore`.
        embedder: the one that filled the store: `offline`, a sentence-transformers name or path, or
            an embedder.
    """

    store: Store
    embedder: str | Embedder = "offline"

    def __post_init__(self) -> None:
        if not callable(getattr(self.store, "search", None)):
            raise InputError(f"store: one such as a ChromaStore is needed, not {shown(self.store)}")

    def search(
        self,
        question: str,
        *,
        k: int = 10,
        ranker: str | Reranker | None = None,
        candidates: int = CANDIDATES,
        filter: Mapping[str, Any] | None = None,  # noqa: A002
    ) -> list[Hit]:
        """Answer one question; see `search_batch`."""
        return self.search_batch(
            [question], k=k, ranker=ranker, candidates=candidates, filters=[filter]
        )[0]

    def search_batch(
        self,
        questions: Sequence[str],
        *,
        k: int = 10,
        ranker: str | Reranker | None = None,
        candidates: int = CANDIDATES,
        filters: Sequence[Mapping[str, Any] | None] | None = None,
    ) -> list[list[Hit]]:
        """Retrieve from the store and rerank, for a batch of questions.

        Warns where no record that was found has metadata that a graph could be built from; then GCS
        and PPR keep the store's order.

        Args:
            questions: none of them empty.
            k: how many results each.
            ranker: a ranker's name, or a `Reranker` with its own parameters; `gcs` by default.
            candidates: how many records the store returns to be reranked; `k` at least.
            filters: for each question metadata keys with the values that records must have; None
                for any.

        Returns:
            One list of hits a question, best first.

        Raises:
            InputError: for an empty question, an unknown ranker, a parameter out of its range, a
                store of another dimension than the embedder's.
        """
        questions = check_list("questions", questions, of="questions")
        check_questions(questions)
        wanted = check_filters(filters, len(questions))
        n = max(check_count("candidates", candidates), check_k(k))
        if not isinstance(ranker, Reranker):
            ranker = Reranker(ranker=Reranker.ranker if ranker is None else ranker)
        found = self._candidates(questions, n, wanted, ranker)
        if ranker.kind.reads_proximities:
            self._warn_of_no_metadata(found)
        # Its cosines are those of an index, and rank as there.
        return ranker._rerank_lists(questions, found, k, any_scale=False)

    def _candidates(
        self,
        questions: Sequence[str],
        n: int,
        filters: Sequence[Mapping[str, Any]] | None,
        reranker: Reranker,
    ) -> list[list[dict[str, Any]]]:
        if not questions:
            return []
        embedder = self._embedder
        if self.store.dimension not in (None, embedder.dimension):
            raise InputError(
                f"embedder: {embedder.name!r} gives {embedder.dimension} dimensions, "
                f"{self.store.name} has {self.store.dimension}; use the embedder that filled it"
            )
        vectors = embedder.embed_queries([*map(readable, questions)])
        # Another network's embeddings are made from the texts.
        embeddings = reranker.kind.embedder == embedder.name
        if filters is None:
            return self.store.search(vectors, n, embeddings=embeddings)
        return [
            self.store.search(vector[None], n, filter=wanted, embeddings=embeddings)[0]
            for vector, wanted in zip(vectors, filters, strict=True)
        ]

    def _warn_of_no_metadata(self, found: Sequence[Sequence[Mapping[str, Any]]]) -> None:
        metadata = [candidate["metadata"] for candidates in found for candidate in candidates]
        if metadata and not any(key in known for known in metadata for key in CONNECTING):
            warn(
                f"{self.store.name}: none of {len(metadata)} candidates has metadata to build a "
                f"graph from ({', '.join(CONNECTING)}); write it with the store's `annotate`, or "
                'use ranker="base"',
                stacklevel=3,
            )

    @cached_property
    def _embedder(self) -> Embedder:
        return open_embedder(self.embedder)
