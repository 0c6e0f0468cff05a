"""Judged questions as arrays: their candidates, and their graphs."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.errors import InputError, warn
from grapher_jax.kernels.types import EMPTY
from grapher_jax.shapes import candidate_bucket

# The arrays that examples of any network have.
ARRAYS = ("rows", "scores", "relevant", "counts", "questions", "embeddings")


@dataclass(frozen=True)
class Examples:
    """The judged questions of one split, memory-mapped.

    Attributes:
        name: the name in reports.
        digest: a checksum of everything that decided the examples.
        ids: the ids of the questions with a relevant object.
        groups: for each question, the database or document of its relevant objects.
        embedder: the name of the embedder of objects and questions.
        without_positives: how many judged questions were left out, because they have no relevant
            object.
        rows: `[Q, n]` the candidates; -1 for none.
        scores: `[Q, n]` the retriever's scores.
        relevant: `[Q, n]` which candidates are relevant.
        counts: `[Q]` how many objects are relevant, retrieved or not.
        questions: `[Q, d]` the embeddings of the questions.
        embeddings: `[N, d]` the embeddings of the objects.
        graphs: further arrays for the network, by name: for every question `smoothed`, `neighbors`
            and `degrees` as in `CandidateBatch`; or for the whole index `neighbors`, `weights` and
            `relations` as in `IndexGraph`; or for every question `concepts`, `triples` and `places`
            as in `DocumentBatch`, the last as indices into `encoded` embeddings.
    """

    name: str
    digest: str
    ids: Sequence[str]
    groups: Sequence[str]
    embedder: str
    without_positives: int
    rows: Int[ndarray, "Q n"]
    scores: Float[ndarray, "Q n"]
    relevant: Bool[ndarray, "Q n"]
    counts: Int[ndarray, " Q"]
    questions: Float[ndarray, "Q d"]
    embeddings: Float[ndarray, "N d"]
    graphs: Mapping[str, ndarray]

    @cached_property
    def widths(self) -> Int[ndarray, " Q"]:
        """The padded number of candidates of each question."""
        last = self.rows.shape[1] - np.argmax(self.rows[:, ::-1] != EMPTY, axis=1)
        return np.array([min(candidate_bucket(int(n)), self.rows.shape[1]) for n in last])

    @cached_property
    def learnable(self) -> Int[ndarray, " m"]:
        """The questions with a relevant candidate."""
        return np.flatnonzero(self.relevant.any(1))

    @cached_property
    def part(self) -> str:
        """What is held out whole: `groups`, or `ids` where all questions have one group."""
        return "groups" if len(set(self.groups)) > 1 else "ids"

    @property
    def parts(self) -> Sequence[str]:
        """The group of each question, or its id; see `part`."""
        found: Sequence[str] = getattr(self, self.part)
        return found

    def held_out(self, share: float) -> Bool[ndarray, " Q"]:
        """About this fraction of the questions, in whole `parts`, in an order given by hashes.

        If all belong to one group, a warning says that single questions are held out.

        Raises:
            InputError: if there is only one question.
        """
        chosen = np.zeros(len(self.ids), bool)
        if not share:
            return chosen
        parts = np.array(self.parts)
        if len(set(self.groups)) == 1:
            told = "so single questions are held out: what is learned of its objects helps them too"
            warn(f"{self.name}: all questions are about {self.groups[0]!r}, {told}")
        order = sorted({*parts.tolist()}, key=lambda one: hashlib.sha256(one.encode()).digest())
        if len(order) == 1:
            raise InputError(f"{self.name}: has one question, so that none can be held out")
        for part in order[:-1]:
            own = parts == part
            # Whole parts, rounded to the nearest.
            if chosen.any() and chosen.sum() + own.sum() / 2 > share * len(parts):
                break
            chosen |= own
        return chosen


@dataclass(frozen=True)
class Pool:
    """The questions of one set for training or validation.

    Attributes:
        examples: the set.
        questions: which of its questions.
        repeat: see `SetConfig`.
        name: the name in reports.
    """

    examples: Examples
    questions: Int[ndarray, " m"]
    repeat: float = 1.0
    name: str = ""
