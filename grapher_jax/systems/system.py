"""Systems: a retriever and a ranker under one name."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Protocol, Unpack, runtime_checkable

from grapher_jax.corpus import Query
from grapher_jax.files import Json
from grapher_jax.index import IndexData
from grapher_jax.rankers.auto import Choice
from grapher_jax.rankers.running import Order, check_k
from grapher_jax.retrieve import Candidates, RetrievalOptions, Scorer
from grapher_jax.retrieve.embedders import Progress, adapter_of, no_progress
from grapher_jax.retrieve.hybrid import JOINING
from grapher_jax.retrieve.options import GRAPHER, Finding
from grapher_jax.systems.chosen import ChosenRanker

# Rankers that gain by expansion (objects one step from the best candidates), on training splits.
_GAIN_BY_MORE = ("diffusion", "gat")


@runtime_checkable
class Finder(Protocol):
    """A retrieval method; equal objects let `evaluate` retrieve only once."""

    @property
    def base(self) -> "Finder":
        """The retriever alone, as the baseline of `evaluate`."""

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters that decide the candidates, for a report."""

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
        candidates: how many objects the retriever returns, without those that expansion adds; None
            for the index's setting, as for the next three.
        lexical_weight: the weight of BM25; 0 for purely dense search.
        lexical_norm: see `RetrievalOptions`.
        title_weight: see `RetrievalOptions`.
        expand: see `Index.retrieve`; None to let `unless_told` decide.
        at_least: the minimum number of objects returned, whatever `candidates` is.
        unless_told: the value of `expand` if that is None; for a ranker that `auto` took, the value
            that suits it (`for_ranker`).
        scorer: rescores the returned objects; None for the retriever's own scores.
    """

    candidates: int | None = None
    lexical_weight: float | None = None
    lexical_norm: str | None = None
    title_weight: float | None = None
    expand: bool | Sequence[str] | None = None
    at_least: int = 1
    unless_told: bool = False
    scorer: Scorer | None = None

    def __post_init__(self) -> None:
        self.options_of(GRAPHER)  # raises for invalid values

    def options_of(self, own: RetrievalOptions) -> RetrievalOptions:
        """The options of the retriever, with an index's own options as defaults."""
        chosen = own.given(
            candidates=self.candidates,
            lexical_weight=self.lexical_weight,
            lexical_norm=self.lexical_norm,
            title_weight=self.title_weight,
        )
        return chosen.given(candidates=max(chosen.candidates, self.at_least))

    def __call__(
        self,
        index: IndexData,
        questions: Sequence[str | Query],
        *,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
        progress: Progress = no_progress,
    ) -> Candidates:
        """The candidates of every question; see `Index.retrieve`."""
        found = index.retrieve(
            questions,
            filters=filters,
            expand=self.expands,
            progress=progress,
            **asdict(self.options_of(index.options)),
        )
        return found if self.scorer is None else self.scorer.rescored(found, index.objects)

    @property
    def base(self) -> "Retrieval":
        """The same without the settings that suit a ranker."""
        return replace(self, unless_told=False)

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters that decide the candidates, for a report; None if the index decides."""
        names = (*(one.name for one in fields(RetrievalOptions)), "expand", "at_least")
        decides = {name: getattr(self, name) for name in names} | {"expand": self.expands}
        return decides | self._scored

    def over(self, index: IndexData) -> dict[str, Json]:
        """`parameters`, with the values that the index decides."""
        own = asdict(self.options_of(index.options))
        own |= {"query_adapter": adapter_of(index.embedder)}
        return own | {"expand": self.expands} | self._scored

    @property
    def _scored(self) -> dict[str, Json]:
        return {} if self.scorer is None else {"base": self.scorer.name}

    @property
    def expands(self) -> bool | Sequence[str]:
        """The proximities that expansion follows, or whether to expand at all."""
        return self.unless_told if self.expand is None else self.expand

    def width(self, index: IndexData) -> int:
        """The maximum number of candidates per question, including expansion."""
        joining = 0 if self.expand is False else JOINING
        return min(self.options_of(index.options).candidates + joining, len(index.ids))

    def for_ranker(self, ranker: str, joined_by: Sequence[str], index: IndexData) -> "Retrieval":
        """The same with the settings that suit the ranker that `auto` took for these proximities.

        Expansion is used for rankers and proximities that gain by it. If all objects are
        candidates, there is nothing to add.
        """
        rows = index.graph.rows
        gains = ranker in _GAIN_BY_MORE and all(rows[name].auto_expands for name in joined_by)
        others = len(index.ids) > self.options_of(index.options).candidates
        return replace(self, unless_told=self.expand is None and gains and others)


@dataclass(frozen=True, kw_only=True)
class System:
    """A complete method with a name, from questions to rankings.

    Attributes:
        name: its name in reports.
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
        k: int = 1,
        **finding: Unpack[Finding],
    ) -> "System":
        """A ranker after the base retriever, with the ranker's name.

        Args:
            reranker: the ranker.
            k: the minimum number of objects retrieved.
            finding: see `Retrieval`.
        """
        retrieval = Retrieval(**finding, at_least=check_k(k), scorer=reranker.scorer)
        return cls(name=reranker.opened.name, retrieval=retrieval, reranker=reranker)

    def over(self, index: IndexData) -> "System":
        """The same with the ranker that `auto` takes for an index; see `ChosenRanker.over`.

        It also has the retrieval settings for that ranker, see `Retrieval.for_ranker`.
        """
        choice = self.choice(index)
        if choice is None:
            return self
        name = choice.ranker if self.name == self.reranker.name else self.name
        retrieval = self.retrieval
        if isinstance(retrieval, Retrieval):
            joined_by = self.reranker.joining(index.graph)
            retrieval = retrieval.for_ranker(choice.ranker, joined_by, index)
        reranker = self.reranker.taking(choice)
        return replace(self, name=name, retrieval=retrieval, reranker=reranker)

    def choice(self, index: IndexData) -> Choice | None:
        """The choice of `auto` for an index; see `ChosenRanker.choice`."""
        width = self.retrieval.width(index) if isinstance(self.retrieval, Retrieval) else 0
        return self.reranker.choice(index, width=width)

    def retrieve(
        self,
        index: IndexData,
        questions: Sequence[str | Query],
        *,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
        progress: Progress = no_progress,
    ) -> Candidates:
        """The candidates for every question; see `Index.retrieve`."""
        retrieval = self.over(index).retrieval
        return retrieval(index, questions, filters=filters, progress=progress)

    def rank(self, index: IndexData, candidates: Candidates, *, k: int) -> Order:
        """The best k of every question's candidates, or all of them; see `ChosenRanker.rank`."""
        k = min(check_k(k), max(1, candidates.rows.shape[1]))
        return self.reranker.rank(index, candidates, k=k)

    def parameters(self, index: IndexData) -> dict[str, Json]:
        """The parameters that decide the rankings over this index, for a report."""
        settled = self.over(index)
        return settled.retrieval.over(index) | settled.reranker.parameters(index)
