"""Questions answered from an index."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypedDict, Unpack

from grapher_jax.checks import (
    check_count,
    check_kind,
    check_names,
    check_path,
    check_text,
)
from grapher_jax.corpus import JudgedQuestion
from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.index import IndexData, is_index, storage
from grapher_jax.index.exporting import export
from grapher_jax.rankers.batching import gathered
from grapher_jax.rankers.hits import Hits
from grapher_jax.rankers.running import check_k, check_min_score
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import AnyEmbedder
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.systems import System, choose_system
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.tables.context import CountTokens, SchemaContext, estimate_tokens
from grapher_jax.tables.finding import describe_tables, find_tables
from grapher_jax.tables.paths import JoinPath, join_path
from grapher_jax.tables.schema import schema_of


class _Searching(TypedDict, total=False):
    """What a search takes beside its questions and filters; see `Index.search`."""

    k: int
    min_score: float | None
    ranker: str | Path | ChosenRanker | None
    alpha: float | None
    expand: bool | Sequence[str] | None
    candidates: int | None
    lexical_weight: float | None
    lexical_norm: str | None
    system: str | System | None


class Searching(_Searching, total=False):
    """What `Index.search` takes beside the question."""

    filter: Mapping[str, Json] | None


class BatchSearching(_Searching, total=False):
    """What `Index.search_batch` takes beside the questions."""

    filters: Sequence[Mapping[str, Json] | None] | None


@dataclass(frozen=True, repr=False)
class Index(IndexData):
    """A corpus made ready, with search; the attributes are those of `IndexData`."""

    def save(self, path: str | Path) -> None:
        """Write the index to a folder, whole or not at all; an index that was there is replaced.

        Where it was opened from that folder, which has not changed since, and was updated, what is
        new is written beside what is there. An index that was not updated is written as one part.

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
        cls, path: str | Path, *, embedder: AnyEmbedder | None = None, verify: bool = True
    ) -> "Index":
        """Open an index; arrays are memory-mapped but on Windows, text is read when shown.

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
        min_score: float | None = None,
        ranker: str | Path | ChosenRanker | None = None,
        alpha: float | None = None,
        filter: Mapping[str, Json] | None = None,  # noqa: A002
        expand: bool | Sequence[str] | None = None,
        candidates: int | None = None,
        lexical_weight: float | None = None,
        lexical_norm: str | None = None,
        system: str | System | None = None,
    ) -> Hits:
        """The objects that answer a question, ranked by the graph between them.

        Args:
            question: in words; not empty.
            k: how many results at most.
            min_score: results whose `Hit.score`, which is the ranker's, is lower are left out.
            ranker: `auto` (the default: the measured best for what joins the objects), `base` for
                the retriever's own order, `gcs`, `ppr`, `diffusion`, `gat`, the folder of trained
                weights, or a `Reranker` with parameters of its own.
            alpha: the weight kept on an object's own score, in (0, 1], where `ranker` is a name; 1
                keeps the retriever's order, less lets neighbours count more. The ranker's own by
                default.
            filter: what the metadata of results must be, such as `{"db": "shop"}` or
                `{"year": {"$gte": 2020}}`; the operators are `$eq`, `$ne`, `$in`, `$nin`, `$gt`,
                `$gte`, `$lt`, `$lte`, `$exists`, and `$and`, `$or` and `$not` join filters.
            expand: whether objects one step from the best, which the retriever missed, are ranked
                too; by which proximities, where names are given. By default where the ranker that
                `auto` takes gains by it.
            candidates: how many objects the retriever returns to be ranked; by default what the
                index's options say (200), and so of the next two.
            lexical_weight: the weight of BM25, in [0, 1]; the rest goes to the cosine, and 0 is
                dense search alone.
            lexical_norm: how BM25 comes to [0, 1]: `min-max`, or `max`, divided by it alone.
            system: a published method by its name, such as `grapher` or `query-gnn`, in the place
                of a ranker; it decides all but `k`, `min_score` and
                `filter`.

        Returns:
            The hits, best first, a list that a notebook shows as a table; `Hit.explanation` tells
            where each score came from.

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
        system: str | System | None = None,
    ) -> list[Hits]:
        """Retrieve and rerank for a batch of questions.

        Args:
            questions: none of them empty.
            k: how many results each at most.
            min_score: the lowest score of a result.
            ranker: a ranker's name, or a `Reranker` with its own parameters; `auto` by default.
            alpha: the weight kept on a candidate's own score, where `ranker` is a name.
            filters: see `retrieve`.
            expand: see `retrieve`; by default where `auto` takes a ranker that gains by it.
            candidates: how many objects the retriever returns to be reranked; by default what the
                index's options say (200), and so of the next two.
            lexical_weight: the weight of BM25; 0 for dense search alone.
            lexical_norm: see `RetrievalOptions`.
            system: a published method, by its name or your own, instead of a ranker behind the base
                retriever; it decides all but `k`, `min_score` and `filters`.

        Returns:
            One list of hits a question, best first.

        Raises:
            InputError: for an empty question, an unknown ranker or system, a parameter out of its
                range, or one that the system decides.
        """
        k, least = check_k(k), check_min_score(min_score)
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
        return [own.at_least(least) for own in chosen.reranker.hits(self, found, order)]

    async def asearch(self, question: str, **options: Unpack[Searching]) -> Hits:
        """What `search` gives, without keeping the event loop waiting.

        Concurrent calls with equal options but for the filter are answered together, in one
        program. A call that is cancelled while it waits is not answered.

        Args:
            question: see `search`.
            options: likewise, `k` and all others.

        Raises:
            InputError: as `search`, for this call alone.
        """
        wanted = options.pop("filter", None)
        found: Hits = await gathered(self._search_calls, (question, wanted, options), options)
        return found

    async def asearch_batch(
        self, questions: Sequence[str], **options: Unpack[BatchSearching]
    ) -> list[Hits]:
        """What `search_batch` gives, in a thread; the arguments are its own."""
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
        """The tables that SQL for a question needs: the best ones, what connects them, their DDL.

        The same question has the same answer every time.

        Args:
            question: what is to be written, in words.
            k: how many tables, those among them that connect others and no ranking puts first; or
                `auto` for as many as are needed: the set with the best balance expected of tables
                that are needed and others (F1), and what connects them.
            confidence: of `auto`, the fewest tables instead that hold all that are needed with this
                probability; near 1, an answer has twenty tables and more. See `auto_size`.
            budget: how many tokens the DDL may have: columns that the question does not need are
                left out, never a key column. All columns by default.
            count_tokens: counts the tokens of a text; by default one for three bytes.
            ranker: a ranker's name, or a `Reranker` with its own parameters; `auto` by default.
            filter: what the metadata of tables must be, see `search`; what connects them may
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
    source: str | Path,
    *,
    embedder: AnyEmbedder | None = None,
    progress: Progress = no_progress,
) -> Index:
    """An index folder opened, or a BEIR folder or a database indexed in memory.

    Args:
        source: the folder, or a database URL.
        embedder: by default the index's own, and `offline` where there is none.
        progress: told how many more objects are embedded.
    """
    if is_index(check_path("source", source)):
        return Index.load(source, embedder=embedder)
    return Index.from_source(source, embedder=embedder or "offline", progress=progress)
