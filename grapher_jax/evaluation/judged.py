"""Judged questions, with the candidates that a retriever returned for them."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Unpack

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.corpus import JudgedQueries, Judgements
from grapher_jax.errors import InputError
from grapher_jax.evaluation.figures import Figure, mean
from grapher_jax.graph import EMPTY
from grapher_jax.retrieve import Candidates
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.retrieve.options import Finding
from grapher_jax.search import Index
from grapher_jax.systems import Finder, Retrieval

# The metadata key of a question's level of complexity, which `grapher-jax questions` writes.
LEVEL = "level"


@dataclass(frozen=True)
class JudgedRun:
    """Judged questions with the retriever's candidates for them.

    Attributes:
        index: the searched index.
        judgements: query id → id of an object or a document → grade, in the order of `candidates`.
        candidates: the candidates of the retriever.
        seconds: the time of retrieval, including embedding the questions.
        retrieval: the parameters of the retriever.
        levels: the level of each question, None for questions without one; may be empty.
        documents: see `JudgedQueries`.
    """

    index: Index
    judgements: Judgements
    candidates: Candidates
    seconds: float
    retrieval: Finder = field(default_factory=Retrieval)
    levels: Sequence[str | None] = ()
    documents: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def retrieve(
        cls,
        index: Index,
        split: str,
        *,
        progress: Progress = no_progress,
        **finding: Unpack[Finding],
    ) -> "JudgedRun":
        """Retrieve candidates for every judged question of a split with the base retriever.

        Raises:
            InputError: as `retrieve_by`.
        """
        return cls.retrieve_by(Retrieval(**finding), index, split, progress=progress)

    @classmethod
    def retrieve_by(
        cls,
        retrieval: Finder,
        index: Index,
        split: str | JudgedQueries,
        *,
        level: str = LEVEL,
        before: "JudgedRun | None" = None,
        progress: Progress = no_progress,
    ) -> "JudgedRun":
        """Retrieve candidates for every judged question, with the question's own filter.

        Args:
            retrieval: the retrieval method.
            index: the index to search.
            split: a split of the index, or judged questions of your own.
            level: the metadata key of a question's level.
            before: a run of the same questions over the same index, so that they are not embedded
                again.
            progress: called with the number of newly embedded questions.

        Raises:
            InputError: for an unknown split, malformed judgements, or another `level` than the
                default that no question has.
        """
        documents: Mapping[str, Sequence[str]] = {}
        if isinstance(split, JudgedQueries):
            queries, judgements, documents = split.queries, split.judgements, split.documents
        else:
            judgements = index.judgements(split)
            if not judgements:
                raise InputError(f"{split}: no judged questions")
            queries = [index.queries[query] for query in judgements]
        values = [query.metadata.get(level) for query in queries]
        levels = [str(value) if type(value) in (int, str) else None for value in values]
        if level != LEVEL and not any(levels):
            raise InputError(f"level: no judged question has metadata {level!r}; give another key")
        started = time.perf_counter()
        found = retrieval(
            index,
            queries if before is None else before.candidates.questions,
            filters=[query.metadata.get("filter") for query in queries],
            progress=progress,
        )
        seconds = time.perf_counter() - started
        return cls(index, judgements, found, seconds, retrieval, levels, documents)

    def take(self, places: Int[ndarray, " b"]) -> "JudgedRun":
        """The run of some of the questions; `seconds` is still the time for all."""
        names = list(self.judgements)
        return replace(
            self,
            judgements={names[place]: self.judgements[names[place]] for place in places},
            candidates=self.candidates.take(places),
            levels=[self.levels[place] for place in places] if self.levels else (),
        )

    @cached_property
    def relevant(self) -> Bool[ndarray, "B n"]:
        """Which candidates are relevant."""
        return self.hits(self.candidates.rows)

    def hits(self, rows: Int[ndarray, "B n"]) -> Bool[ndarray, "B n"]:
        """Which results are relevant; of a relevant document, only the first of its chunks.

        Args:
            rows: `[B, n]` the results of each question, best first; -1 if there are fewer.
        """
        count = len(self.index.rows)
        wanted = [
            query * count + row
            for query, relevant in enumerate(self.relevant_rows)
            for row in relevant
            if row != EMPTY
        ]
        keys = np.arange(len(rows))[:, None] * count + rows
        found = np.isin(keys, wanted) & (rows != EMPTY)
        for query, place, _ in self._of_documents(rows):
            found[query, place] = True
        return found

    def names(self, rows: Int[ndarray, "B n"]) -> list[list[str]]:
        """What judgements call each result: its id, or the document that it is the first chunk of.

        Args:
            rows: as for `hits`.
        """
        ids = self.index.ids
        found = [[ids[row] for row in own if row != EMPTY] for own in rows.tolist()]
        for query, place, document in self._of_documents(rows):
            found[query][place] = document
        return found

    def _of_documents(self, rows: Int[ndarray, "B n"]) -> Iterator[tuple[int, int, str]]:
        """For each relevant document, the question, the place of its first chunk, and its name."""
        row_of = self.index.rows
        chunks = {name: [row_of[one] for one in own] for name, own in self.documents.items()}
        for query, grades in enumerate(self.judgements.values() if chunks else ()):
            for name in grades.keys() & chunks:
                first = np.flatnonzero(np.isin(rows[query], chunks[name]))[:1].tolist()
                yield from ((query, place, name) for place in first if grades[name] > 0)

    @cached_property
    def relevant_counts(self) -> Int[ndarray, " B"]:
        """How many objects or documents are relevant to each question, retrieved or not."""
        grades = self.judgements.values()
        return np.array([sum(grade > 0 for grade in by_id.values()) for by_id in grades], np.int32)

    @cached_property
    def relevant_rows(self) -> list[list[int]]:
        """The rows of the objects relevant to each question; -1 for a document."""
        rows = self.index.rows
        return [
            [rows.get(identity, EMPTY) for identity, grade in grades.items() if grade > 0]
            for grades in self.judgements.values()
        ]

    @cached_property
    def multi(self) -> Bool[ndarray, " B"]:
        """Which questions have more than one relevant object."""
        return self.relevant_counts > 1

    def ceiling(self, n: int) -> Figure[float]:
        """The fraction of questions whose relevant objects are all among the first n candidates."""
        recalled = kernels.perfect_recall(self.relevant, self.relevant_counts, n)
        return mean(np.asarray(recalled), self.multi)
