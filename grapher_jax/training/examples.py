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
        groups: for each question, the databases and documents of its relevant objects, and the ids
            of those that are in none.
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
    groups: Sequence[Sequence[str]]
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
    def by_groups(self) -> bool:
        """Whether whole groups are held out; single questions, if all have the same ones."""
        return len({*map(tuple, self.groups)}) > 1

    @property
    def parts(self) -> Sequence[Sequence[str]]:
        """For each question its groups, or its id; see `by_groups`."""
        return self.groups if self.by_groups else [[one] for one in self.ids]

    def held_out(self, share: float) -> Bool[ndarray, " Q"]:
        """About this fraction of the questions: all that have some `parts`.

        The parts are taken in an order given by hashes, without those that would exceed the
        fraction by more than half of their questions. A warning tells if all questions have the
        same groups, so that single ones are held out, and if no parts give about the fraction.

        Raises:
            InputError: if there is only one question.
        """
        chosen = np.zeros(len(self.ids), bool)
        if not share:
            return chosen
        if not self.by_groups:
            told = "so single questions are held out: what is learned of its objects helps them too"
            warn(f"{self.name}: all questions are about {', '.join(self.groups[0])!r}, {told}")
        if len(chosen) == 1:
            raise InputError(f"{self.name}: has one question, so that none can be held out")
        having: dict[str, list[int]] = {}
        for question, parts in enumerate(self.parts):
            for part in parts:
                having.setdefault(part, []).append(question)
        wanted, taken = share * len(chosen), 0
        smallest = min(having, key=lambda part: (len(having[part]), _hashed(part)))
        for part in (*sorted(having, key=_hashed), smallest):
            new = [question for question in having[part] if not chosen[question]]
            last = part == smallest and not taken
            if taken + len(new) < len(chosen) and (last or taken + len(new) / 2 <= wanted):
                chosen[new] = True
                taken += len(new)
        if not wanted / 2 <= taken <= 2 * wanted and self.by_groups:
            warn(
                f"{self.name}: {taken} of {len(chosen)} questions are held out, not {share:g} of "
                "them: those about one document or database stay together"
            )
        return chosen


def _hashed(part: str) -> bytes:
    return hashlib.sha256(part.encode()).digest()


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
