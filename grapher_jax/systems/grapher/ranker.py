"""Ranking with a trained network: candidates in, the best k out, in one program.

Apart from `rankers`, so that nothing else needs what runs networks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import jax
from flax import nnx
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.graph import EMPTY, GraphArrays
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, explain_learned
from grapher_jax.rankers.fixed_point import BROKEN_WEIGHTS, check_finite
from grapher_jax.retrieve.hybrid import Candidates, Vectors
from grapher_jax.training.candidates import GraphSettings, build_candidates
from grapher_jax.training.weights import Weights


@dataclass(frozen=True, kw_only=True)
class LearnedRanker:
    """A trained network as a ranker (a `Ranker`).

    Attributes:
        name: what a report calls it.
        embedder: whose embeddings it reads.
        dimension: of these.
        graph: how its graphs are built.
        sha256: see `Weights`.
        network: the network without its weights.
        state: the weights.
    """

    name: str
    embedder: str
    dimension: int
    graph: GraphSettings
    sha256: str
    network: nnx.GraphDef
    state: nnx.State

    reads_others = reads_concepts = reads_texts = False
    reads_proximities = True
    # The activations of so many stay in a CPU's caches.
    candidates_at_once = 1 << 13

    @classmethod
    def of(cls, weights: Weights, name: str) -> "LearnedRanker":
        """From weights of its kind."""
        network, state = nnx.split(weights.model)
        return cls(
            name=name,
            embedder=weights.embedder,
            dimension=weights.model.config.dimension,
            graph=cast(GraphSettings, weights.graph),
            sha256=weights.sha256,
            network=network,
            state=state,
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """`weights`, their `sha256`, `alpha`, `max_df` and `neighbors`."""
        return {
            "weights": self.name,
            "sha256": self.sha256,
            "alpha": self.graph.alpha,
            "max_df": self.graph.max_df,
            "neighbors": self.graph.neighbors,
        }

    def best(
        self,
        graph: GraphArrays,
        candidates: Candidates,
        *,
        proximities: Sequence[str],
        k: int,
    ) -> TopK:
        """See `Ranker`."""
        rows, given = candidates.rows, cast(Vectors, candidates.vectors)
        top = _best(
            self.state,
            candidates.scores,
            (given.questions, given.objects[rows]),
            graph.gather(rows, proximities, max_df=self.graph.max_df),
            rows != EMPTY,
            self.graph.alpha,
            network=self.network,
            neighbors=self.graph.neighbors,
            k=k,
        )
        return check_finite(top, candidates, f"{self.name}: {BROKEN_WEIGHTS}")

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
        return explain_learned(
            graph,
            candidates.rows[0],
            positions,
            found,
            ids=ids,
            ranker=self.name,
            proximities=proximities,
            max_df=self.graph.max_df,
            neighbors=self.graph.neighbors,
        )


@partial(jax.jit, static_argnames=("network", "neighbors", "k"))
def _best(
    state: nnx.State,
    scores: Float[Array | ndarray, "B n"],
    embeddings: tuple[Float[Array | ndarray, "B d"], Float[Array | ndarray, "B n d"]],
    metadata: Mapping[str, Any],
    mask: Bool[Array | ndarray, "B n"],
    alpha: float | Array,
    *,
    network: nnx.GraphDef,
    neighbors: int,
    k: int,
) -> TopK:
    batch = build_candidates(
        scores, *embeddings, metadata, mask=mask, alpha=alpha, neighbors=neighbors
    )
    return kernels.top_k(nnx.merge(network, state)(batch), k, mask=mask)
