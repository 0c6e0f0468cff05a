"""Another retriever's candidates, read in blocks of queries."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.corpus import Query
from grapher_jax.errors import InputError, warn
from grapher_jax.files import scratch_database, scratch_errors
from grapher_jax.graph import EMPTY
from grapher_jax.index import IndexData
from grapher_jax.retrieve import Candidates
from grapher_jax.runs.trec import Lines, Run


@dataclass(frozen=True)
class RunHits:
    """The results of a run for some queries, one query after the other.

    Attributes:
        counts: `[B]` the number of objects of each query.
        objects: `[L]` indices into `names`, in the order of the run.
        scores: `[L]` float64, finite in float32.
        names: the ids of objects; an id may occur twice.
    """

    counts: Int[ndarray, " B"]
    objects: Int[ndarray, " L"]
    scores: Float[ndarray, " L"]
    names: Sequence[str]

    def repeated(self, queries: Sequence[str]) -> str:
        """Words that name an object that the ranking of a query has twice; empty if none has."""
        first: dict[str, int] = {}
        same = np.array([first.setdefault(name, n) for n, name in enumerate(self.names)], np.int64)
        asked = np.repeat(np.arange(len(self.counts)), self.counts)
        pairs = np.sort(asked * max(len(same), 1) + same[self.objects])
        again = np.flatnonzero(pairs[1:] == pairs[:-1])
        if not again.size:
            return ""
        query, name = divmod(int(pairs[again[0]]), len(same))
        return f"{self.names[name]!r} stands twice in the ranking of {queries[query]!r}"


@runtime_checkable
class BaseRun(Protocol):
    """Another retriever's run."""

    def hits(self, queries: Sequence[str]) -> RunHits:
        """The results for these queries; none for a query that the run lacks.

        Raises:
            InputError: if it cannot be read, as `read_run`.
        """


@dataclass(frozen=True)
class MappedRun:
    """A run in memory.

    Attributes:
        run: query id → (object id, score).
    """

    run: Run

    def hits(self, queries: Sequence[str]) -> RunHits:
        """See `BaseRun`."""
        found = [self.run.get(query, ()) for query in queries]
        names = [name for ranking in found for name, _ in ranking]
        scores = np.array([score for ranking in found for _, score in ranking], float)
        counts = np.array([len(ranking) for ranking in found], np.int64)
        hits = RunHits(counts, np.arange(len(names)), scores, names)
        if repeated := hits.repeated(queries):
            raise InputError(f"base run: {repeated}")
        return hits


@dataclass
class Lacks:
    """What a base run and an index lack, counted over blocks of queries.

    Attributes:
        queries: how many were asked for.
        without: how many of them have no candidates.
        first: the first of these.
        lines: how many lines of the run were read.
        unknown: how many of them name an object that the index lacks.
        example: the first such object.
    """

    queries: int = 0
    without: int = 0
    first: str = ""
    lines: int = 0
    unknown: int = 0
    example: str = ""

    def warn(self) -> None:
        """Warn of what is left out, if anything is."""
        if self.unknown:
            warn(
                f"{self.unknown} of {self.lines} lines of the base run name objects that the index "
                f"lacks, such as {self.example!r}; they are left out"
            )
        if self.without:
            warn(
                f"the base run has no candidates for {self.without} of {self.queries} queries "
                f"ranked now, such as {self.first!r}; they get no results"
            )


def candidates(
    index: IndexData, block: Sequence[Query], base_run: BaseRun, lacks: Lacks
) -> Candidates:
    """The candidates of a block of queries, best first; ties in the order of the run.

    Objects that the index lacks are left out, and a query may have no candidates; `lacks` counts
    both.

    Raises:
        InputError: as `BaseRun.hits`.
    """
    hits = base_run.hits([query.id for query in block])
    of_names = np.fromiter((index.rows.get(name, EMPTY) for name in hits.names), np.int32)
    found = of_names[hits.objects]
    query = np.repeat(np.arange(len(block)), hits.counts)
    unknown = np.flatnonzero(found == EMPTY)
    if unknown.size and not lacks.unknown:
        lacks.example = hits.names[hits.objects[unknown[0]]]
    place = np.arange(len(found)) - np.repeat(np.cumsum(hits.counts) - hits.counts, hits.counts)
    shape = (len(block), max(1, int(hits.counts.max())))
    rows, scores = np.full(shape, EMPTY, np.int32), np.zeros(shape)
    rows[query, place] = found
    # The score of what is left out must not decide how the others are read.
    scores[query, place] = np.where(found == EMPTY, 0.0, hits.scores)
    without = np.flatnonzero((rows == EMPTY).all(axis=1))
    if without.size and not lacks.without:
        lacks.first = block[without[0]].id
    lacks.queries, lacks.lines = lacks.queries + len(block), lacks.lines + len(found)
    lacks.unknown += unknown.size
    lacks.without += without.size
    return Candidates(rows, scores, index.questions(block), any_scale=True).by_score()


@dataclass(frozen=True)
class Segments:
    """The positions of the lines of every query, in a temporary database.

    Attributes:
        database: one row per segment, in the order of the run; a query may have several.
    """

    database: sqlite3.Connection

    @classmethod
    @contextmanager
    def stored(
        cls, parts: Iterable[tuple[Sequence[str], Int[ndarray, "s 3"]]]
    ) -> Iterator["Segments"]:
        """Builds it from queries with start, size (bytes or rows) and first line of segments."""
        with scratch_database() as database:
            rows = (
                row
                for names, found in parts
                for row in zip(map(str.encode, names), *found.T.tolist(), strict=True)
            )
            with scratch_errors():
                database.execute("CREATE TABLE segments (query BLOB, start, size, line)")
                database.executemany("INSERT INTO segments VALUES (?, ?, ?, ?)", rows)
                database.execute("CREATE INDEX queries ON segments (query)")
            yield cls(database)

    def of_queries(self, queries: Sequence[str]) -> Int[ndarray, "s 3"]:
        """The start, size and line of these queries' segments, one query after the other."""
        chosen = "SELECT start, size, line FROM segments WHERE query = ? ORDER BY rowid"
        found = (self.database.execute(chosen, (query.encode(),)) for query in queries)
        rows = [row for segments in found for row in segments]
        return np.array(rows, np.int64).reshape(-1, 3)


def hits_of(queries: Sequence[str], lines: Lines) -> RunHits:
    """The results from the lines of these queries, in this order; names may be unused."""
    numbers = {query: number for number, query in enumerate(queries)}
    of_names = np.fromiter((numbers.get(name, EMPTY) for name in lines.query_names), np.int64)
    counts = np.bincount(of_names[lines.queries], minlength=len(queries))
    return RunHits(counts, lines.objects, lines.scores, lines.object_names)
