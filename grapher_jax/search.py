"""Search: questions answered from an index, or from a vector store."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from grapher_jax.checks import (
    check_count,
    check_kind,
    check_list,
    check_names,
    check_text,
    shown,
)
from grapher_jax.corpus import JudgedQuestion, check_filters
from grapher_jax.errors import InputError, warn
from grapher_jax.files import Json
from grapher_jax.graph import PROXIMITIES, connecting_keys, of_keys
from grapher_jax.index import IndexData, is_index, storage
from grapher_jax.index.exporting import export
from grapher_jax.rankers.choice import AUTO
from grapher_jax.rankers.hits import Hit
from grapher_jax.rankers.running import check_k
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import CANDIDATES, Embedder, Store, open_embedder
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.retrieve.hybrid import check_questions
from grapher_jax.systems import System, choose_system
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.tables.context import CountTokens, SchemaContext, estimate_tokens
from grapher_jax.tables.finding import describe_tables, find_tables
from grapher_jax.tables.paths import JoinPath, join_path
from grapher_jax.tables.schema import schema_of
from grapher_jax.tables.size import CONFIDENCE
from grapher_jax.text import readable


@dataclass(frozen=True)
class Index(IndexData):
    """A corpus made ready, with search; the attributes are those of `IndexData`."""

    def save(self, path: str | Path) -> None:
        """Write the index to a folder, whole or not at all; an index that was there is replaced.

        Raises:
            InputError: where the path holds something that is not an index.
        """
        storage.save(self, path)

    def export(
        self,
        folder: str | Path,
        *,
        questions: str | Path | Sequence[JudgedQuestion] | None = None,
        split: str | None = None,
    ) -> None:
        """Write the objects as a BEIR folder, whole or not at all, with queries and judgements.

        An index of that folder, with the same embedder and lexical engine, ranks as this one does.

        Args:
            folder: a BEIR folder that was there is replaced.
            questions: in the place of those that came with the source, see `judge_questions`.
            split: of `questions`, what their judgements are called; `test` by default.

        Raises:
            InputError: where the folder holds anything else or cannot be written, the questions are
                malformed, or a split is named without questions.
        """
        export(self, folder, questions=questions, split=split)

    @classmethod
    def load(
        cls, path: str | Path, *, embedder: str | Embedder | None = None, verify: bool = True
    ) -> "Index":
        """Open an index; arrays are memory-mapped, text is read when shown.

        Where another process replaces it meanwhile, the new one is opened.

        Args:
            path: the folder.
            embedder: what embeds the questions; by default the one that embedded the objects.
            verify: compare every file with its checksum.

        Raises:
            InputError: where there is no index, it has another format version or is damaged, a
                checksum does not match, or the embedder's dimension differs; or where it is
                replaced faster than it can be read.
        """
        return storage.load(cls, path, embedder=embedder, verify=verify)

    def search(
        self,
        question: str,
        *,
        k: int = 10,
        ranker: str | ChosenRanker | None = None,
        alpha: float | None = None,
        filter: Mapping[str, Json] | None = None,  # noqa: A002
        expand: bool | Sequence[str] | None = None,
        candidates: int | None = None,
        lexical_weight: float | None = None,
        lexical_norm: str | None = None,
        system: str | System | None = None,
    ) -> list[Hit]:
        """Answer one question; see `search_batch`."""
        return self.search_batch(
            [question],
            k=k,
            ranker=ranker,
            alpha=alpha,
            filters=[filter],
            expand=expand,
            candidates=candidates,
            lexical_weight=lexical_weight,
            lexical_norm=lexical_norm,
            system=system,
        )[0]

    def search_batch(
        self,
        questions: Sequence[str],
        *,
        k: int = 10,
        ranker: str | ChosenRanker | None = None,
        alpha: float | None = None,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
        expand: bool | Sequence[str] | None = None,
        candidates: int | None = None,
        lexical_weight: float | None = None,
        lexical_norm: str | None = None,
        system: str | System | None = None,
    ) -> list[list[Hit]]:
        """Retrieve and rerank for a batch of questions.

        Args:
            questions: none of them empty.
            k: how many results each.
            ranker: a ranker's name, or a `Reranker` with its own parameters; `auto` by default.
            alpha: the weight kept on a candidate's own score, where `ranker` is a name.
            filters: see `retrieve`.
            expand: see `retrieve`; by default where `auto` takes a ranker that gains by it.
            candidates: how many objects the retriever returns to be reranked; by default what the
                index's options say (200), and so of the next two.
            lexical_weight: the weight of BM25; 0 for dense search alone.
            lexical_norm: see `RetrievalOptions`.
            system: a published method, by its name or your own, instead of a ranker behind the base
                retriever; it decides all but `k` and `filters`.

        Returns:
            One list of hits a question, best first.

        Raises:
            InputError: for an empty question, an unknown ranker or system, a parameter out of its
                range, or one that the system decides.
        """
        k = check_k(k)
        if isinstance(ranker, ChosenRanker) and alpha is not None:
            raise InputError("alpha: the Reranker has its own; give it there")
        retrieval: dict[str, Any] = {
            "candidates": candidates,
            "lexical_weight": lexical_weight,
            "lexical_norm": lexical_norm,
            "expand": expand,
        }
        if system is None:
            if not isinstance(ranker, ChosenRanker):
                ranker = Reranker(ranker=Reranker.ranker if ranker is None else ranker, alpha=alpha)
            chosen = System.from_reranker(ranker, k=k, **retrieval)
        else:
            chosen = choose_system(system, ranker=ranker, alpha=alpha, **retrieval)
        found = chosen.retrieve(self, questions, filters=filters)
        order = chosen.rank(self, found, k=k)
        return chosen.reranker.hits(self, found, order)

    def tables(
        self,
        question: str,
        *,
        k: int | str = 10,
        confidence: float | None = None,
        budget: int | None = None,
        count_tokens: CountTokens = estimate_tokens,
        ranker: str | ChosenRanker | None = None,
        filter: Mapping[str, Json] | None = None,  # noqa: A002
        candidates: int | None = None,
    ) -> SchemaContext:
        """The tables that SQL for a question needs: the best ones, what connects them, their DDL.

        The same question has the same answer every time.

        Args:
            question: what is to be written, in words.
            k: how many tables, those among them that connect others and no ranking puts first; or
                `auto` for the fewest that are expected to hold all that are needed.
            confidence: of `auto`, the probability that no other table is needed: by default 0.4,
                which finds the best balance of tables that are needed and others; near 1, an answer
                has twenty tables and more. See `auto_size`.
            budget: how many tokens the DDL may have: columns that the question does not need are
                left out, never a key column. All columns by default.
            count_tokens: counts the tokens of a text; by default one for three bytes.
            ranker: a ranker's name, or a `Reranker` with its own parameters; `auto` by default.
            filter: metadata keys with the values that tables must have; what connects them may
                have any.
            candidates: how many tables the retriever returns to be ranked.

        Raises:
            InputError: where the objects are no tables, the budget does not hold the key columns,
                and as `search_batch`.
        """
        if not isinstance(ranker, ChosenRanker):
            ranker = Reranker() if ranker is None else Reranker(ranker=ranker)
        least = k if isinstance(k, int) and k > 0 else 1
        system = System.from_reranker(ranker, k=least, candidates=candidates)
        return find_tables(
            self,
            check_text("question", question),
            system=system,
            k=k,
            confidence=CONFIDENCE if confidence is None else confidence,
            budget=budget,
            count_tokens=_counting(count_tokens),
            filter=filter,
        )

    def describe_tables(
        self,
        tables: Sequence[str],
        *,
        question: str = "",
        budget: int | None = None,
        count_tokens: CountTokens = estimate_tokens,
    ) -> SchemaContext:
        """Named tables with their columns, what joins them, and their DDL.

        Args:
            tables: ids, or names that one table alone has, in any case.
            question: decides which columns a budget leaves out first; the last ones without it.
            budget: see `tables`.
            count_tokens: likewise.

        Raises:
            InputError: for an unknown table, with near names; and as `tables`.
        """
        return describe_tables(
            self,
            tables,
            question=check_text("question", question),
            budget=budget,
            count_tokens=_counting(count_tokens),
        )

    def join_path(self, tables: Sequence[str]) -> JoinPath:
        """The keys by which given tables can be joined, and the fewest tables between them.

        Args:
            tables: two or more: ids, or names that one table alone has, in any case.

        Raises:
            InputError: for an unknown table, with near names, and where no keys connect them.
        """
        return join_path(schema_of(self), check_names("tables", tables))


def _counting(count_tokens: CountTokens) -> CountTokens:
    """The same, held to what it promises."""
    needed = "a function that takes a text and gives a whole number"
    check_kind("count_tokens", count_tokens, Callable, needed)

    def count(text: str) -> int:
        try:
            return check_count("count_tokens", count_tokens(text), least=0)
        except TypeError as error:
            raise InputError(f"count_tokens: {needed} is needed: {error}") from error

    return count


def open_source(
    source: str,
    *,
    embedder: str | Embedder | None = None,
    progress: Progress = no_progress,
) -> Index:
    """An index folder opened, or a BEIR folder indexed in memory.

    Args:
        source: the folder.
        embedder: by default the index's own, and `offline` for a BEIR folder.
        progress: told how many more objects are embedded.
    """
    if is_index(Path(source)):
        return Index.load(source, embedder=embedder)
    return Index.from_source(source, embedder=embedder or "offline", progress=progress)


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
        ranker: str | ChosenRanker | None = None,
        candidates: int = CANDIDATES,
        filter: Mapping[str, Json] | None = None,  # noqa: A002
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
        ranker: str | ChosenRanker | None = None,
        candidates: int = CANDIDATES,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
    ) -> list[list[Hit]]:
        """Retrieve from the store and rerank, for a batch of questions.

        Warns where no record that was found has metadata that a graph could be built from; then
        fixed points keep the store's order.

        Args:
            questions: none of them empty.
            k: how many results each.
            ranker: a ranker's name, or a `Reranker` with its own parameters; `auto` by default.
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
        if not isinstance(ranker, ChosenRanker):
            ranker = Reranker(ranker=Reranker.ranker if ranker is None else ranker)
        found = self._candidates(questions, n, wanted, ranker)
        if ranker.opened.needs.proximities:
            self._warn_of_no_metadata(found)
        # Its cosines are those of an index, and rank as there.
        return ranker.rerank_batch(questions, found, k=k, any_scale=False, embedder=self._embedder)

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
            return [
                self.store.search(vector[None], n, filter=wanted, embeddings=embeddings)[0]
                for vector, wanted in zip(vectors, filters, strict=True)
            ]

        # Another network's embeddings are made from the texts.
        needs = reranker.reads
        read = needs.cosine or needs.embedder == embedder.name
        if not read or reranker.ranker != AUTO:
            return search(embeddings=read)
        # Only the network that `auto` takes for keys reads them.
        found = search(embeddings=False)
        keys = [PROXIMITIES[name].keys[-1].name for name in of_keys(PROXIMITIES)]
        joined = any(one["metadata"].get(key) for own in found for one in own for key in keys)
        return search(embeddings=True) if joined else found

    def _warn_of_no_metadata(self, found: Sequence[Sequence[Mapping[str, Json]]]) -> None:
        metadata = [candidate["metadata"] for candidates in found for candidate in candidates]
        keys = connecting_keys()
        if metadata and not any(key in known for known in metadata for key in keys):
            warn(
                f"{self.store.name}: none of {len(metadata)} candidates has metadata to build a "
                f"graph from ({', '.join(keys)}); write it with the store's `annotate`, or "
                'use ranker="base"',
                stacklevel=3,
            )

    @cached_property
    def _embedder(self) -> Embedder:
        return open_embedder(self.embedder)
