"""Systems: a retriever and a ranker, put together under a name."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol, runtime_checkable

from grapher_jax.corpus import Query
from grapher_jax.files import Json
from grapher_jax.index import IndexData
from grapher_jax.rankers.running import Order, check_k
from grapher_jax.retrieve import CANDIDATES, Candidates
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.retrieve.hybrid import LEXICAL_WEIGHT
from grapher_jax.systems.chosen import ChosenRanker


@runtime_checkable
class Finder(Protocol):
    """What finds candidates; of equal ones, `evaluate` asks one."""

    @property
    def base(self) -> "Finder":
        """The retriever alone, which `evaluate` compares with."""

    @property
    def parameters(self) -> dict[str, Json]:
        """What decides the candidates, for a report."""

    def over(self, index: IndexData) -> dict[str, Json]:
        """`parameters`, with those that depend on the index."""

    def __call__(
        self,
        index: IndexData,
        questions: Sequence[str | Query],
        *,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
        progress: Progress = no_progress,
    ) -> Candidates:
        """The candidates of every question; see `Index.retrieve`."""


@dataclass(frozen=True, kw_only=True)
class Retrieval:
    """The base retriever (`Finder`).

    Attributes:
        candidates: how many objects the retriever returns, those that join not counted.
        lexical_weight: the weight of BM25; 0 for dense search alone.
        expand: see `Index.retrieve`.
    """

    candidates: int = CANDIDATES
    lexical_weight: float = LEXICAL_WEIGHT
    expand: bool | Sequence[str] = False

    def __call__(
        self,
        index: IndexData,
        questions: Sequence[str | Query],
        *,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
        progress: Progress = no_progress,
    ) -> Candidates:
        """The candidates of every question; see `Index.retrieve`."""
        return index.retrieve(
            questions,
            filters=filters,
            expand=self.expand,
            candidates=self.candidates,
            lexical_weight=self.lexical_weight,
            progress=progress,
        )

    @property
    def base(self) -> "Retrieval":
        """Itself."""
        return self

    @property
    def parameters(self) -> dict[str, Json]:
        """What decides the candidates, for a report."""
        return asdict(self)

    def over(self, index: IndexData) -> dict[str, Json]:
        """`parameters`, whatever the index."""
        return self.parameters


@dataclass(frozen=True, kw_only=True)
class System:
    """A named method whole: questions in, rankings out.

    Attributes:
        name: what a report calls it.
        retrieval: finds the candidates.
        reranker: ranks them.
    """

    name: str
    retrieval: Finder
    reranker: ChosenRanker

    @classmethod
    def from_reranker(
        cls,
        reranker: ChosenRanker,
        *,
        candidates: int = CANDIDATES,
        expand: bool | Sequence[str] = False,
    ) -> "System":
        """A ranker behind the base retriever, under the ranker's name."""
        retrieval = Retrieval(candidates=candidates, expand=expand)
        return cls(name=reranker.opened.name, retrieval=retrieval, reranker=reranker)

    def retrieve(
        self,
        index: IndexData,
        questions: Sequence[str | Query],
        *,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
        progress: Progress = no_progress,
    ) -> Candidates:
        """What there is to rank for every question; see `Index.retrieve`."""
        return self.retrieval(index, questions, filters=filters, progress=progress)

    def rank(self, index: IndexData, candidates: Candidates, *, k: int) -> Order:
        """The best k of every question's candidates, or all of them; see `ChosenRanker.rank`."""
        k = min(check_k(k), max(1, candidates.rows.shape[1]))
        return self.reranker.rank(index, candidates, k=k)

    def parameters(self, index: IndexData) -> dict[str, Json]:
        """What decides the rankings over this index, for a report."""
        return self.retrieval.over(index) | self.reranker.parameters(index)
