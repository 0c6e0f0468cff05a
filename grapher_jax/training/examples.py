"""Judged questions as arrays: their candidates, and their graphs."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

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

    def held_groups(self, share: float) -> frozenset[str]:
        """The groups to which about this fraction of the questions belong, in an order by hashes.

        Without those that would exceed the fraction by more than half of their questions. Empty if
        there are no groups that leave other questions, so that single ones have to be held out.
        """
        if not share:
            return frozenset()
        having: dict[str, list[int]] = {}
        for question, groups in enumerate(self.groups):
            for group in groups:
                having.setdefault(group, []).append(question)
        held, chosen = set[int](), set[str]()
        for group in sorted(having, key=_hashed):
            new = len({*having[group]} - held)
            if len(held) + new / 2 <= share * len(self.ids):
                held.update(having[group])
                chosen.add(group)
        # Of few and large groups, the smallest.
        smallest = min(having, key=lambda group: (len(having[group]), _hashed(group)))
        if not held and len(having[smallest]) <= len(self.ids) / 2:
            chosen = {smallest}
        return frozenset(chosen if len(held) < len(self.ids) else ())

    def having(self, groups: Collection[str]) -> Bool[ndarray, " Q"]:
        """Which questions belong to any of some groups."""
        return np.array([any(one in groups for one in own) for own in self.groups], bool)

    def held_out(self, share: float) -> Bool[ndarray, " Q"]:
        """About this fraction of the questions: those of `held_groups`, or single ones.

        A warning tells if single ones are held out, and if the groups do not give about the
        fraction.

        Raises:
            InputError: if there is only one question.
        """
        if not share:
            return np.zeros(len(self.ids), bool)
        if groups := self.held_groups(share):
            chosen, wanted = self.having(groups), share * len(self.ids)
            if not wanted / 2 <= chosen.sum() <= 2 * wanted:
                warn(
                    f"{self.name}: {chosen.sum()} of {len(chosen)} questions are held out, not "
                    f"{share:g} of them: those about one document or database stay together"
                )
            return chosen
        about = ", ".join(sorted({*chain.from_iterable(self.groups)})[:3])
        warn(
            f"{self.name}: all questions are about {about!r}, so single questions are held out: "
            "what is learned of its objects helps them too"
        )
        if len(self.ids) == 1:
            raise InputError(f"{self.name}: has one question, so that none can be held out")
        count = min(max(round(share * len(self.ids)), 1), len(self.ids) - 1)
        first = {*sorted(self.ids, key=_hashed)[:count]}
        return np.array([one in first for one in self.ids], bool)


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
