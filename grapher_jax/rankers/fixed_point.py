"""The kinds of rankers: fixed points of a graph, and networks that learned from labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.errors import InputError
from grapher_jax.graph import EMPTY, GraphArrays
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, explain
from grapher_jax.retrieve.hybrid import Candidates

RANKERS = ("base", "gcs", "ppr")
# The networks that the package ships.
SHIPPED = ("gat", "query-gnn", "g-rag")
# What is wrong where a network gives no numbers.
BROKEN_WEIGHTS = "its weights hold NaN or overflow; train it anew, or use others"


@runtime_checkable
class Ranker(Protocol):
    """One kind of ranker with its parameters; it takes from an index what it reads."""

    @property
    def name(self) -> str:
        """What a report calls it."""

    @property
    def parameters(self) -> dict[str, Any]:
        """What decides its ranking beside the proximities; empty where no graph does."""

    @property
    def embedder(self) -> str | None:
        """Whose embeddings it reads, if any."""

    @property
    def dimension(self) -> int | None:
        """Of these embeddings."""

    @property
    def candidates_at_once(self) -> int:
        """In one program."""

    @property
    def reads_others(self) -> bool:
        """Whether it reads objects that are no candidates, and so needs an index."""

    @property
    def reads_proximities(self) -> bool:
        """Whether its graph is built from the proximities that are asked for."""

    @property
    def reads_concepts(self) -> bool:
        """Whether its graph is built from what texts have in common."""

    @property
    def reads_texts(self) -> bool:
        """Whether it reads questions and candidates themselves."""

    def best(
        self,
        graph: GraphArrays,
        candidates: Candidates,
        *,
        proximities: Sequence[str],
        k: int,
    ) -> TopK:
        """The best k of padded candidates.

        Args:
            graph: the metadata of all objects.
            candidates: rows of `graph`, padded with -1, and with `vectors` where the ranker has an
                `embedder`, and `questions` and `passages` where it reads texts.
            proximities: what the graph over the candidates is built from.
            k: how many.
        """

    def explain(
        self,
        graph: GraphArrays,
        candidates: Candidates,
        positions: Int[ndarray, " k"],
        found: Float[ndarray, " k"],
        *,
        ids: Sequence[str],
        proximities: Sequence[str],
    ) -> list[Explanation]:
        """Why one question's results stand where they stand.

        Args:
            graph: the metadata of all objects.
            candidates: of this question alone.
            positions: `[k]` which candidates are the results.
            found: `[k]` the ranker's scores of these.
            ids: the id of every row of `graph`.
            proximities: those the graph was built from.
        """


@dataclass(frozen=True, kw_only=True)
class FixedPoint:
    """GCS, PPR, or the retriever's own order; see `Reranker` for the attributes."""

    name: str
    alpha: float | None
    weights: Mapping[str, float] | None
    max_df: int | None
    tol: float
    max_steps: int

    embedder = dimension = None
    reads_others = reads_concepts = reads_texts = False
    # Enough to fill the cores, few enough for the arrays of their metadata.
    candidates_at_once = 1 << 18

    @property
    def reads_proximities(self) -> bool:
        """Of the retriever's own order, nothing is."""
        return self.name != "base"

    @property
    def parameters(self) -> dict[str, Any]:
        """`alpha` and `max_df`."""
        if self.name == "base":
            return {}
        alpha = kernels.DEFAULT_ALPHA[self.name] if self.alpha is None else self.alpha
        return {"alpha": alpha, "max_df": self.max_df}

    def best(
        self,
        graph: GraphArrays,
        candidates: Candidates,
        *,
        proximities: Sequence[str],
        k: int,
    ) -> TopK:
        """See `Ranker`."""
        chosen = [] if self.name == "base" else proximities
        top = kernels.rerank(
            candidates.scores,
            **graph.gather(candidates.rows, chosen, max_df=self.max_df),
            weights=self.weights,
            mask=candidates.rows != EMPTY,
            ranker=self.name,
            alpha=self.alpha,
            tol=self.tol,
            max_steps=self.max_steps,
            k=k,
        )
        cause = "the weights of proximities are too large to be added up; give smaller ones"
        return check_finite(top, candidates, f"{self.name}: {cause}")

    def explain(
        self,
        graph: GraphArrays,
        candidates: Candidates,
        positions: Int[ndarray, " k"],
        found: Float[ndarray, " k"],
        *,
        ids: Sequence[str],
        proximities: Sequence[str],
    ) -> list[Explanation]:
        """See `Ranker`."""
        return explain(
            graph,
            candidates.rows[0],
            candidates.scores[0],
            positions,
            ids=ids,
            ranker=self.name,
            alpha=self.alpha,
            tol=self.tol,
            max_steps=self.max_steps,
            proximities=proximities,
            weights=self.weights,
            max_df=self.max_df,
        )


def check_finite(top: TopK, candidates: Candidates, complaint: str) -> TopK:
    """The best k themselves, where all of them are numbers.

    Raises:
        InputError: with this complaint, where a candidate is missing or has an infinite score.
    """
    found = np.isfinite(top.scores).sum(axis=1)
    if (found < np.minimum((candidates.rows != EMPTY).sum(axis=1), top.scores.shape[1])).any():
        raise InputError(f"{complaint} (some final scores are not finite)")
    return top


def load_learned(ranker: str) -> Ranker:
    """The trained ranker of that name; see `systems.networks.load_ranker`."""
    from grapher_jax.systems.networks import load_ranker

    return load_ranker(ranker)
