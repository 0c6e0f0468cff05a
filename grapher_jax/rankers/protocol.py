"""What every ranker is: a name, what it needs, and how it is prepared for a collection."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation
from grapher_jax.retrieve.collection import Candidates, Collection


@dataclass(frozen=True, kw_only=True)
class Needs:
    """What a ranker reads beside the retriever's scores.

    Attributes:
        embedder: the name of the embedder whose embeddings it reads; None where it reads none.
        dimension: of these embeddings.
        cosine: whether it reads the cosine of question and object, of whatever embedder, where
            there is one.
        proximities: whether its graph is built from the proximities that are asked for.
        texts: whether it reads questions and objects themselves.
        other_objects: whether it reads objects that are no candidates, so that it needs an index.
        frequencies: whether it counts over all objects of a collection, so that the lists of
            different questions are ranked apart.
        signs: whether a negative score is more to it than a low one, so that those of another
            retriever are moved up first.
    """

    embedder: str | None = None
    dimension: int | None = None
    cosine: bool = False
    proximities: bool = False
    texts: bool = False
    other_objects: bool = False
    frequencies: bool = False
    signs: bool = True

    @property
    def embeddings(self) -> bool:
        """Whether it reads embeddings, of an embedder of its own or of whatever one."""
        return self.cosine or self.embedder is not None


@runtime_checkable
class Prepared(Protocol):
    """A ranker that has read what it needs of a collection."""

    @property
    def parameters(self) -> dict[str, Json]:
        """What decides its rankings over this collection, for a report."""

    def rank(self, candidates: Candidates, k: int) -> TopK:
        """The best k of padded candidates.

        Args:
            candidates: rows of the collection, padded with -1.
            k: how many.
        """

    def explain(
        self,
        candidates: Candidates,
        positions: Int[ndarray, " k"],
        scores: Float[ndarray, " k"],
    ) -> list[Explanation]:
        """Why one question's results stand where they stand.

        Args:
            candidates: of this question alone.
            positions: `[k]` which candidates are the results.
            scores: `[k]` the ranker's scores of these.
        """


@runtime_checkable
class Ranker(Protocol):
    """A ranker with its settings."""

    @property
    def name(self) -> str:
        """What a report calls it."""

    @property
    def needs(self) -> Needs:
        """What it reads beside the retriever's scores."""

    @property
    def parameters(self) -> dict[str, Json]:
        """What decides its rankings over any collection; empty where nothing does."""

    @property
    def candidates_at_once(self) -> int:
        """How many candidates one program ranks."""

    def prepare(self, collection: Collection, proximities: Sequence[str]) -> Prepared:
        """Get ready to rank rows of a collection.

        What is costly to make is kept by the collection (`Collection.kept`), so that preparing
        again costs nothing.

        Args:
            collection: what candidates are rows of.
            proximities: what the graph over the candidates is built from.
        """


def check_finite(top: TopK, candidates: Candidates, complaint: str) -> TopK:
    """The best k themselves, where all of them are numbers.

    Raises:
        InputError: with this complaint, where a candidate is missing or has an infinite score.
    """
    found = np.isfinite(top.scores).sum(axis=1)
    if (found < np.minimum((candidates.rows != EMPTY).sum(axis=1), top.scores.shape[1])).any():
        raise InputError(f"{complaint} (some final scores are not finite)")
    return top
