"""Search over an index."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Unpack

from grapher_jax.checks import (
    check_count,
    check_kind,
    check_names,
    check_path,
    check_text,
)
from grapher_jax.corpus import JudgedQuestion
from grapher_jax.corpus.documents import holds_index
from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.index import IndexData, storage
from grapher_jax.index.exporting import export
from grapher_jax.rankers.batching import gathered
from grapher_jax.rankers.hits import Hits
from grapher_jax.rankers.running import check_k, check_min_score
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import AnyEmbedder
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.retrieve.options import Finding
from grapher_jax.systems import System, choose_system
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.tables.context import CountTokens, SchemaContext, estimate_tokens
from grapher_jax.tables.finding import describe_tables, find_tables
from grapher_jax.tables.paths import JoinPath, join_path
from grapher_jax.tables.schema import schema_of


class _Searching(Finding, total=False):
    """The arguments of a search besides questions and filters; see `Index.search`."""

    k: int
    min_score: float | None
    ranker: str | Path | ChosenRanker | None
    alpha: float | None
    system: str | System | None


class Searching(_Searching, total=False):
    """The arguments of `Index.search` besides the question."""

    filter: Mapping[str, Json] | None


class BatchSearching(_Searching, total=False):
    """The arguments of `Index.search_batch` besides the questions."""

    filters: Sequence[Mapping[str, Json] | None] | None


@dataclass(frozen=True, eq=False, repr=False)
class Index(IndexData):
    """An indexed corpus with search; the attributes are those of `IndexData`."""

    def save(self, path: str | Path) -> None:
        """Write the index to a folder, completely or not at all; an existing index is replaced.

        If the index was loaded from that folder and then updated, and the folder has not changed
        since, only the new part is added; so load it again after a save, before the next update.
        An index that was not updated is written as one part.

        Raises:
            InputError: if the path holds something that is not an index.
        """
        storage.save(self, path)

    def export(
        self,
        folder: str | Path,
        *,
        questions: str | Path | Sequence[JudgedQuestion] | None = None,
        split: str | None = None,
    ) -> None:
        """Write a BEIR folder of the objects, queries and judgements, completely or not at all.

        An index of that folder with the same embedder and lexical engine gives the same rankings.

        Args:
            folder: where to write; an existing BEIR folder is replaced.
            questions: instead of those that came with the source, see `judge_questions`.
            split: for `questions`, the name of their judgements; `test` by default.

        Raises:
            InputError: if the folder holds anything else or cannot be written, the questions are
                malformed, or a split is given without questions.
        """
        export(self, folder, questions=questions, split=split)

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        embedder: AnyEmbedder | None = None,
        query_adapter: str | None = None,
        verify: bool = True,
    ) -> "Index":
        """Open an index; arrays are memory-mapped (not on Windows), and texts are read when shown.

        If another process replaces the index meanwhile, the new one is opened.

        Args:
            path: the folder.
            embedder: the embedder of the questions; by default the one that embedded the objects.
            query_adapter: how `offline` reads questions, see `Index.build`; by default as the index
                was built, and `none` with another model.
            verify: compare every file with its checksum.

        Raises:
            InputError: if there is no index, it has another format version or is damaged, a
                checksum does not match, the embedder has another dimension, or the index is
                replaced faster than it can be read.
        """
        return storage.load(
            cls, path, embedder=embedder, query_adapter=query_adapter, verify=verify
        )

    def search(
        self,
        question: str,
        *,
        k: int = 10,
        min_score: float | None = None,
        ranker: str | Path | ChosenRanker | None = None,
        alpha: float | None = None,
        filter: Mapping[str, Json] | None = None,  # noqa: A002
        expand: bool | Sequence[str] | None = None,
        candidates: int | None = None,
        lexical_weight: float | None = None,
        lexical_norm: str | None = None,
        title_weight: float | None = None,
        system: str | System | None = None,
    ) -> Hits:
        """Search for the objects that answer a question, ranked with the graph between them.

        Args:
            question: the question in words; not empty.
            k: the maximum number of results.
            min_score: leave out results with a lower `Hit.score`, which is the ranker's score.
            ranker: `auto` (the default: the ranker that measured best for the edges between the
                objects), `base` for the retriever's own order, `gcs`, `ppr`, `diffusion`, `gat`,
                `query-gnn`, `g-rag`, the folder of trained weights, or a `Reranker` with its own
                parameters.
            alpha: the weight of an object's own score, in (0, 1], if `ranker` is a name; 1 keeps
                the retriever's order, and lower values give neighbours more influence. The ranker's
                own by default.
            filter: a filter on the metadata of results, such as `{"db": "shop"}` or
                `{"year": {"$gte": 2020}}`; the operators are `$eq`, `$ne`, `$in`, `$nin`, `$gt`,
                `$gte`, `$lt`, `$lte`, `$contains` (an element of a list) and `$exists`, and `$and`,
                `$or` and `$not` combine filters.
            expand: whether to add objects one step from the best candidates, which the retriever
                missed; or the names of the proximities to follow. By default, this is done if the
                ranker that `auto` takes gains by it.
            candidates: how many objects the retriever returns for ranking; by default the index's
                setting (200), as for the next three.
            lexical_weight: the weight of BM25, in [0, 1]; the cosine has the rest, and 0 means
                purely dense search.
            lexical_norm: how BM25 is scaled to [0, 1]: `min-max`, or `max` (divided by the
                highest).
            title_weight: in [0, 1], the part of BM25's range that is added to the BM25 score of an
                object whose title the question names, and twice for one whose id it says.
            system: a published method by name, such as `grapher` or `query-gnn`, instead of a
                ranker; it decides everything except `k`, `min_score` and `filter`.

        Returns:
            The hits, best first, a list that a notebook shows as a table; `Hit.explanation` tells
            where each score comes from.

        Raises:
            InputError: naming the parameter and the cure, see `search_batch`.
        """
        return self.search_batch(
            [question],
            k=k,
            min_score=min_score,
            ranker=ranker,
            alpha=alpha,
            filters=[filter],
            expand=expand,
            candidates=candidates,
            lexical_weight=lexical_weight,
            lexical_norm=lexical_norm,
            title_weight=title_weight,
            system=system,
        )[0]

    def search_batch(
        self,
        questions: Sequence[str],
        *,
        k: int = 10,
        min_score: float | None = None,
        ranker: str | Path | ChosenRanker | None = None,
        alpha: float | None = None,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
        expand: bool | Sequence[str] | None = None,
        candidates: int | None = None,
        lexical_weight: float | None = None,
        lexical_norm: str | None = None,
        title_weight: float | None = None,
        system: str | System | None = None,
    ) -> list[Hits]:
        """Search with a batch of questions.

        Args:
            questions: none of them empty.
            k: the maximum number of results per question.
            min_score: the lowest score of a result.
            ranker: a ranker's name, or a `Reranker` with its own parameters; `auto` by default.
            alpha: the weight of a candidate's own score, if `ranker` is a name.
            filters: see `retrieve`.
            expand: see `retrieve`; by default if `auto` takes a ranker that gains by it.
            candidates: how many objects the retriever returns for reranking; by default the index's
                setting (200), as for the next three.
            lexical_weight: the weight of BM25; 0 for purely dense search.
            lexical_norm: see `RetrievalOptions`.
            title_weight: see `RetrievalOptions`.
            system: a published method by name, or your own `System`, instead of a ranker after the
                base retriever; it decides everything except `k`, `min_score` and `filters`.

        Returns:
            One list of hits per question, best first.

        Raises:
            InputError: for an empty question, an unknown ranker or system, a parameter out of its
                range, or one that the system decides.
        """
        k, least = check_k(k), check_min_score(min_score)
        if isinstance(ranker, ChosenRanker) and alpha is not None:
            raise InputError("alpha: the Reranker has its own; give it there")
        finding: Finding = {
            "candidates": candidates,
            "lexical_weight": lexical_weight,
            "lexical_norm": lexical_norm,
            "title_weight": title_weight,
            "expand": expand,
        }
        if system is None:
            if not isinstance(ranker, ChosenRanker):
                ranker = Reranker(ranker=Reranker.ranker if ranker is None else ranker, alpha=alpha)
            chosen = System.from_reranker(ranker, k=k, **finding)
        else:
            chosen = choose_system(system, ranker=ranker, alpha=alpha, **finding)
        found = chosen.retrieve(self, questions, filters=filters)
        order = chosen.rank(self, found, k=k)
        return [own.at_least(least) for own in chosen.reranker.hits(self, found, order)]

    async def asearch(self, question: str, **options: Unpack[Searching]) -> Hits:
        """`search` for asynchronous code: it does not block the event loop.

        Concurrent calls whose options differ only in the filter are answered together, in one
        program. A call that is cancelled while it waits is not answered.

        Args:
            question: see `search`.
            options: `k` and all other options of `search`.

        Raises:
            InputError: as `search`, for this call alone.
        """
        wanted = options.pop("filter", None)
        found: Hits = await gathered(self._search_calls, (question, wanted, options), options)
        return found

    async def asearch_batch(
        self, questions: Sequence[str], **options: Unpack[BatchSearching]
    ) -> list[Hits]:
        """`search_batch` in a thread, with the same arguments."""
        return await asyncio.to_thread(partial(self.search_batch, questions, **options))

    def _search_calls(
        self, calls: Sequence[tuple[str, Mapping[str, Json] | None, _Searching]]
    ) -> list[Hits]:
        questions, filters = [call[0] for call in calls], [call[1] for call in calls]
        return self.search_batch(questions, filters=filters, **calls[0][2])

    def tables(
        self,
        question: str,
        *,
        k: int | str = 10,
        confidence: float | None = None,
        budget: int | None = None,
        count_tokens: CountTokens = estimate_tokens,
        ranker: str | Path | ChosenRanker | None = None,
        filter: Mapping[str, Json] | None = None,  # noqa: A002
        candidates: int | None = None,
    ) -> SchemaContext:
        """Find the tables that a question's SQL needs, the tables that connect them, and their DDL.

        The same question always gets the same answer.

        Args:
            question: the question that the SQL should answer, in words.
            k: how many tables, including bridge tables that connect others; or `auto` for as
                many as needed: the set with the highest expected F1, and the tables that connect
                it.
            confidence: for `auto`, take instead the fewest tables that include all needed ones with
                this probability; near 1, that is twenty tables and more. See `auto_size`.
            budget: the maximum number of tokens of the DDL: the least needed columns are left out,
                but never key columns. All columns by default.
            count_tokens: counts the tokens of a text; by default, one token per three bytes.
            ranker: a ranker's name, or a `Reranker` with its own parameters; `auto` by default.
            filter: a filter on the metadata of tables, see `search`; bridge tables need not match
                it.
            candidates: how many tables the retriever returns for ranking.

        Raises:
            InputError: if the objects are not tables, or the budget is too small for the key
                columns; and as `search_batch`.
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
            confidence=confidence,
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
        """Describe given tables: their columns, the joins between them, and their DDL.

        Args:
            tables: ids or unique names, in upper or lower case.
            question: decides which columns a budget leaves out first; without it, the last ones.
            budget: see `tables`.
            count_tokens: see `tables`.

        Raises:
            InputError: for an unknown table, with similar names; and as `tables`.
        """
        return describe_tables(
            self,
            tables,
            question=check_text("question", question),
            budget=budget,
            count_tokens=_counting(count_tokens),
        )

    def join_path(self, tables: Sequence[str]) -> JoinPath:
        """Find the foreign keys that join given tables, with the fewest bridge tables between them.

        Args:
            tables: two or more ids or unique names, in upper or lower case.

        Raises:
            InputError: for an unknown table, with similar names, and if no keys connect the tables.
        """
        return join_path(schema_of(self), check_names("tables", tables))


def _counting(count_tokens: CountTokens) -> CountTokens:
    """The same function, with its results checked."""
    needed = "a function that takes a text and gives a whole number"
    check_kind("count_tokens", count_tokens, Callable, needed)

    def count(text: str) -> int:
        try:
            return check_count("count_tokens", count_tokens(text), least=0)
        except TypeError as error:
            raise InputError(f"count_tokens: {needed} is needed: {error}") from error

    return count


def open_source(
    source: str | Path,
    *,
    embedder: AnyEmbedder | None = None,
    progress: Progress = no_progress,
) -> Index:
    """Open an index folder, or index a BEIR folder or a database in memory.

    Args:
        source: the folder, or a database URL.
        embedder: by default the index's own, else `offline`.
        progress: called with the number of newly embedded objects.
    """
    if holds_index(check_path("source", source)):
        return Index.load(source, embedder=embedder)
    return Index.from_source(source, embedder=embedder or "offline", progress=progress)
