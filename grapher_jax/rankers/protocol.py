"""The protocol of rankers: a name, what a ranker needs, and how it is prepared."""

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
    """What a ranker reads besides the retriever's scores.

    Attributes:
        embedder: the name of the embedder whose embeddings it reads; None if it reads none.
        dimension: the dimension of these embeddings.
        cosine: whether it reads the cosine of question and object, from any embedder, if there is
            one.
        proximities: whether its graph is built from the chosen proximities.
        texts: whether it reads the texts of questions and objects.
        other_objects: whether it reads objects that are not candidates, and so needs an index.
        frequencies: whether it counts over all objects of a collection, so that each question's
            list must be ranked separately.
        signs: whether a negative score means more than a low score, so that those of another
            retriever must be moved up first.
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
    def scores_alone(self) -> bool:
        """Whether it reads nothing else, and so keeps the retriever's order."""
        return not (self.embeddings or self.proximities or self.texts or self.other_objects)

    @property
    def embeddings(self) -> bool:
        """Whether it reads embeddings, of its own embedder or of any."""
        return self.cosine or self.embedder is not None


@runtime_checkable
class Prepared(Protocol):
    """A ranker prepared for a collection."""

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters that decide its rankings over this collection, for a report."""

    def rank(self, candidates: Candidates, k: int) -> TopK:
        """The best k of padded candidates; -1 at the end, with -inf, where there are fewer.

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
        """Explains the ranks of one question's results.

        Args:
            candidates: the candidates of this one question.
            positions: `[k]` which candidates are the results.
            scores: `[k]` the ranker's scores of the results.
        """


@runtime_checkable
class Ranker(Protocol):
    """A ranker with its settings."""

    @property
    def name(self) -> str:
        """Its name in reports."""

    @property
    def needs(self) -> Needs:
        """What it reads besides the retriever's scores."""

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters that decide its rankings over any collection; may be empty."""

    @property
    def candidates_at_once(self) -> int:
        """How many candidates one program ranks."""

    def prepare(self, collection: Collection, proximities: Sequence[str]) -> Prepared:
        """Prepare to rank rows of a collection.

        Costly results are kept by the collection (`Collection.kept`), so that preparing again costs
        nothing.

        Args:
            collection: the collection of which candidates are rows.
            proximities: the proximities that the graph is built from.
        """


def check_finite(top: TopK, candidates: Candidates, complaint: str) -> TopK:
    """Returns the best k unchanged, if all scores are finite.

    Raises:
        InputError: with this complaint, if a candidate is missing or its score is not finite.
    """
    found = np.isfinite(top.scores).sum(axis=1)
    if (found < np.minimum((candidates.rows != EMPTY).sum(axis=1), top.scores.shape[1])).any():
        raise InputError(f"{complaint} (some final scores are not finite)")
    return top
