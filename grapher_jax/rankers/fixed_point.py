"""Rankers that are fixed points of a graph: GCS, personalised PageRank, and the retriever's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.graph import EMPTY, kernel_table
from grapher_jax.kernels.program.reranking import rerank_relations
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, explain
from grapher_jax.rankers.protocol import Needs, check_finite
from grapher_jax.retrieve.collection import Candidates, Collection

FIXED_POINTS = ("base", "gcs", "ppr")
_CAUSE = "the weights of proximities are too large to be added up; give smaller ones"


@dataclass(frozen=True, kw_only=True)
class FixedPoint:
    """GCS, PPR, or the retriever's own order (a `Ranker`); see `Reranker` for the attributes."""

    name: str
    alpha: float | None
    weights: Mapping[str, float] | None
    max_df: int | None
    tol: float
    max_steps: int

    # Enough to fill the cores, few enough for the arrays of their metadata.
    candidates_at_once = 1 << 18

    @property
    def needs(self) -> Needs:
        """The proximities; of the retriever's own order, nothing."""
        return Needs(proximities=self.name != "base")

    @property
    def parameters(self) -> dict[str, Any]:
        """`alpha` and `max_df`."""
        if self.name == "base":
            return {}
        alpha = kernels.DEFAULT_ALPHA[self.name] if self.alpha is None else self.alpha
        return {"alpha": alpha, "max_df": self.max_df}

    def prepare(self, collection: Collection, proximities: Sequence[str]) -> "PreparedFixedPoint":
        """See `Ranker`."""
        return PreparedFixedPoint(self, collection, proximities)


@dataclass(frozen=True)
class PreparedFixedPoint:
    """A fixed point over the graphs of a collection (`Prepared`)."""

    ranker: FixedPoint
    collection: Collection
    proximities: Sequence[str]

    @property
    def parameters(self) -> dict[str, Any]:
        """Those of the ranker, and the `proximities`."""
        own = {"proximities": self.proximities} if self.ranker.needs.proximities else {}
        return self.ranker.parameters | own

    def rank(self, candidates: Candidates, k: int) -> TopK:
        """See `Prepared`."""
        ranker = self.ranker
        chosen = self.proximities if ranker.needs.proximities else []
        weights = ranker.weights or {}
        top = rerank_relations(
            candidates.scores,
            self.collection.graph.gather(candidates.rows, chosen, max_df=ranker.max_df),
            table=kernel_table(chosen),
            weights={name: weights[name] for name in chosen if name in weights},
            mask=candidates.rows != EMPTY,
            ranker=ranker.name,
            alpha=ranker.alpha,
            tol=ranker.tol,
            max_steps=ranker.max_steps,
            k=k,
        )
        return check_finite(top, candidates, f"{ranker.name}: {_CAUSE}")

    def explain(
        self,
        candidates: Candidates,
        positions: Int[ndarray, " k"],
        scores: Float[ndarray, " k"],
    ) -> list[Explanation]:
        """See `Prepared`."""
        ranker = self.ranker
        return explain(
            self.collection.graph,
            candidates.rows[0],
            candidates.scores[0],
            positions,
            ids=self.collection.ids,
            ranker=ranker.name,
            alpha=ranker.alpha,
            tol=ranker.tol,
            max_steps=ranker.max_steps,
            proximities=self.proximities,
            weights=ranker.weights,
            max_df=ranker.max_df,
        )
