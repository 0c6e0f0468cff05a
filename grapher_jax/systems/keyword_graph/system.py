"""Keyword-graph RAG's retrieval, and its system."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.checks import check_count
from grapher_jax.corpus import Query
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY
from grapher_jax.index import IndexData
from grapher_jax.retrieve.collection import Candidates
from grapher_jax.retrieve.cross_encoder import CrossEncoder
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.systems.keyword_graph.graph import WalkSettings, keyword_graph, keyword_source
from grapher_jax.systems.keyword_graph.ranker import GRAPH, JOINED, KeywordRanker
from grapher_jax.systems.system import Retrieval, System


@dataclass(frozen=True, kw_only=True)
class KeywordRetrieval:
    """Dense search, plus the documents that a walk over the keyword graph reaches from there.

    Attributes:
        candidates: how many objects dense search returns.
        joining: the maximum number of documents that the graph adds.
        walk: how the graph is built and walked.

    Raises:
        InputError: for a negative number of added documents.
    """

    candidates: int = 20
    joining: int = 10
    walk: WalkSettings = field(default_factory=WalkSettings)

    def __post_init__(self) -> None:
        check_count("joining", self.joining, least=0)

    @property
    def base(self) -> Retrieval:
        """Purely dense search."""
        return Retrieval(candidates=self.candidates, lexical_weight=0.0)

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters that decide the candidates, for a report."""
        return self.base.parameters | {"joining": self.joining, "walk": asdict(self.walk)}

    def over(self, index: IndexData) -> dict[str, Json]:
        """`parameters`, and the source of the `keywords`."""
        own = self.parameters | self.base.over(index)
        return own | {"keywords": keyword_source(index)}

    def __call__(
        self,
        index: IndexData,
        questions: Sequence[str | Query],
        *,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
        progress: Progress = no_progress,
    ) -> Candidates:
        """The candidates of every question, with the graph's scores; see `Index.retrieve`.

        Raises:
            InputError: as `Index.retrieve`, and for an index without keywords and entities.
        """
        found = self.base(index, questions, filters=filters, progress=progress)
        graph = keyword_graph(index, self.walk)
        asked = found.questions.embeddings
        walks = graph.walk(found.questions, asked, found.rows, found.scores)
        allowed = [index.allowed(wanted) for wanted in filters or [None] * len(found)]
        most = found.rows.shape[1] + self.joining
        rows = np.full((len(found), most), EMPTY, np.int32)
        reached = np.zeros(rows.shape, np.float32)
        for place, (walked, open_to) in enumerate(zip(walks, allowed, strict=True)):
            own = found.rows[place, found.rows[place] != EMPTY]
            listed = np.concatenate([own, _others(walked, own, open_to, self.joining)])
            rows[place, : len(listed)] = listed
            reached[place, : len(listed)] = walked[listed]
        wide = max(1, int((rows != EMPTY).sum(1).max(initial=0)))
        rows, reached = rows[:, :wide], reached[:, :wide]
        mask = rows != EMPTY
        cosines = np.einsum("bd,bnd->bn", asked, index.embeddings[rows])
        joined = np.arange(rows.shape[1]) >= (found.rows != EMPTY).sum(1)[:, None]
        return replace(
            found,
            rows=rows,
            scores=np.where(mask, cosines, 0).astype(np.float32),
            features={
                GRAPH: reached,
                JOINED: (joined & mask).astype(np.float32),
            },
        )


def _others(
    scores: Float[ndarray, " N"],
    found: Int[ndarray, " n"],
    allowed: Int[ndarray, " m"] | None,
    count: int,
) -> Int[ndarray, " _"]:
    """The best documents that the walk reached, without those already found."""
    reached = np.zeros_like(scores)
    reached[slice(None) if allowed is None else allowed] = 1
    reached[found[found != EMPTY]] = 0
    scores = scores * reached
    least = np.partition(scores, -count)[-count] if count < len(scores) else 0
    (near,) = np.nonzero((scores >= least) & (scores > 0))
    return near[np.argsort(-scores[near], kind="stable")[:count]]


def build_keyword_graph(
    *,
    cross_encoder: str | None = None,
    candidates: int = KeywordRetrieval.candidates,
    kept: int = KeywordRanker.kept,
    joining: int = KeywordRetrieval.joining,
    walk: WalkSettings | None = None,
    graph_weight: float = KeywordRanker.graph_weight,
    trade_off: float = KeywordRanker.trade_off,
    threshold: float = KeywordRanker.threshold,
) -> System:
    """Build the system: dense search, a cross-encoder, the keyword graph, and their merged scores.

    Args:
        cross_encoder: the name or the path of a sentence-transformers cross-encoder; by default,
            the cosine is used instead.
        candidates: see `KeywordRetrieval`.
        kept: see `KeywordRanker`.
        joining: see `KeywordRetrieval`.
        walk: how the graph is built and walked; by default the defaults of `WalkSettings`.
        graph_weight: see `KeywordRanker`.
        trade_off: see `KeywordRanker`.
        threshold: see `KeywordRanker`.

    Raises:
        InputError: for a number out of its range.
    """
    settings = walk or WalkSettings()
    ranker = KeywordRanker(
        cross_encoder=CrossEncoder(cross_encoder) if cross_encoder else None,
        kept=kept,
        graph_weight=graph_weight,
        trade_off=trade_off,
        threshold=threshold,
        walk=settings,
    )
    return System(
        name="keyword-graph",
        retrieval=KeywordRetrieval(candidates=candidates, joining=joining, walk=settings),
        reranker=ChosenRanker(ranker=ranker),
    )
