"""Rankers that compute a fixed point over a graph, and the retriever's own order."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.graph import EMPTY, Proximity, decides_diffusion, kernel_table, kernel_weights
from grapher_jax.kept_programs import kept
from grapher_jax.kernels.fixed_point.graph_diffusion import GAP_PART
from grapher_jax.kernels.program.reranking import rerank_relations
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, explain
from grapher_jax.rankers.protocol import Needs, check_finite
from grapher_jax.rankers.running import AT_ONCE
from grapher_jax.retrieve.collection import Candidates, Collection

FIXED_POINTS = ("base", "gcs", "ppr", "diffusion")
# The numbers of diffusion that what joins candidates decides.
_SUITED = ("alpha", "gap_part", "least_degree")
# Traced, a batch is not divided among cores: this many candidates are too few to be.
_UNDIVIDED = 1 << 13
_rank_few = kept(
    rerank_relations,
    static_argnames=("table", "ranker", "max_steps", "k"),
)
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

    candidates_at_once = AT_ONCE

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
        if self.ranker.name == "diffusion":
            graph = self.collection.graph
            chosen = _chosen(self.proximities, self.ranker.weights)
            there = chosen & {*graph.proximities()}
            told |= self._with_given(_deciding(graph.rows, there, self.ranker.weights))
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
        rank = _rank_few if candidates.rows.size <= _UNDIVIDED else rerank_relations
        top = rank(
            candidates.scores,
            graph.gather(candidates.rows, chosen, max_df=ranker.max_df),
            table=kernel_table(chosen, graph.rows),
            weights=kernel_weights(ranker.weights, chosen, graph.rows),
            mask=candidates.rows != EMPTY,
            ranker="base" if unmoved else ranker.name,
            tol=ranker.tol,
            max_steps=ranker.max_steps,
            k=k,
            **self._numbers(candidates),
        )
        return check_finite(top, candidates, f"{ranker.name}: {_CAUSE}")

    def explain(
        self,
        candidates: Candidates,
        positions: Int[ndarray, " k"],
        scores: Float[ndarray, " k"],
    ) -> list[Explanation]:
        """See `Prepared`."""
        ranker, numbers = self.ranker, self._numbers(candidates)
        return explain(
            self.collection.graph,
            candidates.rows[0],
            candidates.scores[0],
            positions,
            ids=self.collection.ids,
            ranker=ranker.name,
            tol=ranker.tol,
            max_steps=ranker.max_steps,
            proximities=self.proximities,
            weights=ranker.weights,
            max_df=ranker.max_df,
            **{n: float(v[0]) if isinstance(v, ndarray) else v for n, v in numbers.items()},
        )

    def _numbers(self, candidates: Candidates) -> dict[str, Any]:
        """The numbers of the ranker; of diffusion, those that suit each question's candidates."""
        ranker, rows = self.ranker, candidates.rows
        if ranker.name != "diffusion":
            return {"alpha": ranker.alpha}
        return self._with_given(
            suited_numbers(self.collection, rows, self.proximities, ranker.weights)
        )

    def _with_given(self, suited: Mapping[str, object]) -> dict[str, Any]:
        """Numbers that suit candidates, with those of the ranker in their place."""
        given = {"temperature": self.ranker.temperature, "alpha": self.ranker.alpha}
        left_out = {"gap_part"} if self.ranker.temperature is not None else set()
        own = {name: value for name, value in suited.items() if name not in left_out}
        return own | {name: value for name, value in given.items() if value is not None}


def suited_numbers(
    collection: Collection,
    rows: Int[ndarray, "B n"],
    proximities: Sequence[str],
    weights: Mapping[str, float] | None,
) -> dict[str, Float[ndarray, " B"]]:
    """Diffusion's numbers for each question by their names, by what joins its candidates.

    Args:
        collection: the collection.
        rows: `[B, n]` the candidates, -1 for none.
        proximities: those that graphs are built from.
        weights: see `RankingOptions`.
    """
    chosen = _chosen(proximities, weights)
    joined_by = [chosen.intersection(names) for names in collection.joined_by(rows)]
    by_names = {names: _deciding(collection.graph.rows, names, weights) for names in set(joined_by)}
    own = [by_names[names] for names in joined_by]
    return {name: np.array([one[name] for one in own], np.float32) for name in _SUITED}


def _chosen(proximities: Sequence[str], weights: Mapping[str, float] | None) -> frozenset[str]:
    """The proximities that have a weight above 0."""
    given = weights or {}
    return frozenset(name for name in proximities if given.get(name, 1.0) > 0)


def _deciding(
    rows: Mapping[str, Proximity],
    joining: AbstractSet[str],
    weights: Mapping[str, float] | None,
) -> dict[str, float]:
    """Diffusion's numbers for candidates that these proximities join."""
    numbers = kernels.DEFAULT_ALPHA["diffusion"], GAP_PART, 0.0
    if joining:
        row = decides_diffusion([rows[name] for name in joining])
        # A degree is a sum of weights.
        degree = row.diffusion_degree * (weights or {}).get(row.name, 1.0)
        numbers = row.diffusion_alpha, row.diffusion_gap, degree
    return dict(zip(_SUITED, numbers, strict=True))
