"""Rankers that compute a fixed point over a graph, and the retriever's own order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.graph import EMPTY, kernel_table, kernel_weights
from grapher_jax.kernels.program.reranking import rerank_relations
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, explain
from grapher_jax.rankers.protocol import Needs, check_finite
from grapher_jax.retrieve.collection import Candidates, Collection

FIXED_POINTS = ("base", "gcs", "ppr", "diffusion")
_CAUSE = "the weights of proximities are too large to be added up; give smaller ones"


@dataclass(frozen=True, kw_only=True)
class FixedPoint:
    """One of `FIXED_POINTS` (a `Ranker`); see `RankingOptions` for the attributes."""

    name: str
    temperature: float | None
    alpha: float | None
    weights: Mapping[str, float] | None
    max_df: int | None
    tol: float
    max_steps: int

    # Enough to fill the cores, but not too many for the memory of their metadata arrays.
    candidates_at_once = 1 << 18

    @property
    def needs(self) -> Needs:
        """The proximities; for the retriever's own order, nothing."""
        return Needs(proximities=self.name != "base", signs=self.name != "diffusion")

    @property
    def parameters(self) -> dict[str, Any]:
        """`alpha`, `max_df` and, for diffusion, `temperature`; None if candidates decide it."""
        if self.name == "base":
            return {}
        alpha, diffuses = self.alpha, self.name == "diffusion"
        if alpha is None and not diffuses:
            alpha = kernels.DEFAULT_ALPHA.get(self.name)
        own = {"temperature": self.temperature} if diffuses else {}
        return {**own, "alpha": alpha, "max_df": self.max_df}

    def prepare(self, collection: Collection, proximities: Sequence[str]) -> "PreparedFixedPoint":
        """See `Ranker`."""
        return PreparedFixedPoint(self, collection, proximities)


@dataclass(frozen=True)
class PreparedFixedPoint:
    """A fixed-point ranker over the graphs of a collection (`Prepared`)."""

    ranker: FixedPoint
    collection: Collection
    proximities: Sequence[str]

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the ranker, and the `proximities`."""
        if not self.ranker.needs.proximities:
            return {}
        told = self.ranker.parameters | {"proximities": self.proximities}
        if told["alpha"] is None:
            told["alpha"] = self._diffusion_alpha(self.collection.graph.proximities())
        return told

    def rank(self, candidates: Candidates, k: int) -> TopK:
        """See `Prepared`."""
        ranker = self.ranker
        chosen = self.proximities if ranker.needs.proximities else []
        graph = self.collection.graph
        # GCS does not change unjoined candidates with scores ≥ 0, so a first call need not wait for
        # its loop to compile.
        alone = ranker.name == "gcs" and not graph.proximities()
        unmoved = alone and bool(np.min(candidates.scores, initial=0.0) >= 0)
        top = rerank_relations(
            candidates.scores,
            graph.gather(candidates.rows, chosen, max_df=ranker.max_df),
            table=kernel_table(chosen, graph.rows),
            weights=kernel_weights(ranker.weights, chosen, graph.rows),
            mask=candidates.rows != EMPTY,
            ranker="base" if unmoved else ranker.name,
            temperature=ranker.temperature,
            alpha=self._alphas(candidates),
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
        ranker, alpha = self.ranker, self._alphas(candidates)
        return explain(
            self.collection.graph,
            candidates.rows[0],
            candidates.scores[0],
            positions,
            ids=self.collection.ids,
            ranker=ranker.name,
            temperature=ranker.temperature,
            alpha=float(alpha[0]) if isinstance(alpha, ndarray) else alpha,
            tol=ranker.tol,
            max_steps=ranker.max_steps,
            proximities=self.proximities,
            weights=ranker.weights,
            max_df=ranker.max_df,
        )

    def _alphas(self, candidates: Candidates) -> float | Float[ndarray, " B"] | None:
        """The given α; for diffusion, by default, the α that suits each question's candidates."""
        if self.ranker.alpha is not None or self.ranker.name != "diffusion":
            return self.ranker.alpha
        joined_by = [*map(tuple, self.collection.joined_by(candidates.rows))]
        by_names = {names: self._diffusion_alpha(names) for names in set(joined_by)}
        return np.array([by_names[names] for names in joined_by], np.float32)

    def _diffusion_alpha(self, joined_by: Sequence[str]) -> float:
        """The α for candidates that these proximities may join."""
        weights = self.ranker.weights or {}
        joining = set(joined_by) & {n for n in self.proximities if weights.get(n, 1.0) > 0}
        alphas = [self.collection.graph.rows[name].diffusion_alpha for name in joining]
        return min(alphas, default=kernels.DEFAULT_ALPHA["diffusion"])
