"""What requests ask of the service's engine, and what they get."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.files import Json


@dataclass(frozen=True)
class RerankJob:
    """One request's documents, each with an id and a score.

    Attributes:
        query: the question.
        documents: any number of documents.
        top_n: the maximum number of results.
        explain: whether each result has an explanation of its score.
        scale: the scale of their scores; None for the setting of the service.
        edges: further edges between documents, as from `Engine.joined`; None for the index's own.
    """

    query: str
    documents: Sequence[Mapping[str, Json]]
    top_n: int
    explain: bool
    scale: str | None = None
    edges: tuple[tuple[str, str], ...] | None = None

    @property
    def size(self) -> int:
        """The number of documents."""
        return len(self.documents)


@dataclass(frozen=True)
class KnownJob:
    """One request's documents, if they are different objects of the index.

    Attributes:
        query: the question.
        rows: the objects, in the order of the documents.
        top_n: the maximum number of results.
        explain: whether each result has an explanation of its score.
        scores: their scores; None for those of the base retriever.
        scale: the scale of `scores`; None for the setting of the service.
    """

    query: str
    rows: Sequence[int]
    top_n: int
    explain: bool
    scores: Sequence[float] | None = None
    scale: str | None = None

    @property
    def size(self) -> int:
        """The number of documents."""
        return len(self.rows)

    def best_first(self) -> tuple[Int[ndarray, " n"], Float[ndarray, " n"]]:
        """The objects and their scores, the highest first; without scores, all are 0."""
        scores = np.zeros(len(self.rows)) if self.scores is None else np.array(self.scores)
        order = np.argsort(-scores, kind="stable")
        return np.array(self.rows)[order], scores[order]


@dataclass(frozen=True)
class SearchJob:
    """One request's question; `retrieved` is called when its candidates are found."""

    query: str
    top_n: int
    filter: Mapping[str, Json] | None
    explain: bool
    retrieved: Callable[[], None] | None = None


class Ranked(list[dict[str, Json]]):
    """One request's results, best first.

    Attributes:
        scale: the scale assumed for the scores of its documents, see `Hits.scale`.
        ranker: the name of the ranker.
    """

    def __init__(self, results: Sequence[dict[str, Json]], scale: str, ranker: str) -> None:
        """Store the results, the scale assumed for the scores, and the name of the ranker."""
        super().__init__(results)
        self.scale, self.ranker = scale, ranker
