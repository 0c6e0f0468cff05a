"""Ranking with keyword-graph RAG: a cross-encoder and the walk over keywords, merged (section 4.2).

Apart from `rankers`, which know of graphs over the candidates alone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.errors import InputError, warn
from grapher_jax.graph import EMPTY, GraphArrays
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, explain_shared
from grapher_jax.retrieve.cross_encoder import CrossEncoder
from grapher_jax.retrieve.hybrid import Candidates, Passages, Vectors
from grapher_jax.systems.keyword_graph.graph import WalkSettings, keyword_graph

# The features of candidates that the system's retrieval tells.
GRAPH, JOINED = "graph", "joined"
NO_CROSS_ENCODER = "none; the cosine in its place"


@dataclass(frozen=True, kw_only=True)
class KeywordRanker:
    """Merges what a cross-encoder and the keyword graph say (a `Ranker`).

    Of the retriever's candidates the cross-encoder keeps the best; those that the graph brought
    join them. Both scores are moved to [0, 1] and added, and the sums ranked by maximal marginal
    relevance, whose values are the scores. A candidate's confidence is the cross-encoder's
    probability; without a cross-encoder its cosine, 0 where negative.

    Attributes:
        cross_encoder: None for the cosine in its place.
        kept: how many of the retriever's candidates the cross-encoder keeps.
        graph_weight: the graph's part of the merged score, in [0, 1].
        trade_off: λ of maximal marginal relevance, in [0, 1]; 1 for no diversity.
        threshold: what confidence a result must have, in [0, 1].
        walk: how the graph is walked where the retrieval did not.

    Raises:
        InputError: for a number out of its range.
    """

    cross_encoder: CrossEncoder | None = None
    kept: int = 10
    graph_weight: float = 0.6
    trade_off: float = 0.9
    threshold: float = 0.05
    walk: WalkSettings = field(default_factory=WalkSettings)

    name = "keyword-graph"
    embedder = dimension = None
    reads_proximities = reads_concepts = False
    reads_others = reads_texts = True
    # Each is compared with the others of its question.
    candidates_at_once = 1 << 14

    def __post_init__(self) -> None:
        if self.kept < 1:
            raise InputError(f"kept: {self.kept} must be at least 1")
        for name in ("graph_weight", "trade_off", "threshold"):
            value = getattr(self, name)
            if not (math.isfinite(value) and 0 <= value <= 1):
                raise InputError(f"{name}: {value} is outside [0, 1]")

    @property
    def parameters(self) -> dict[str, Any]:
        """`cross_encoder`, `kept`, `graph_weight`, `trade_off` and `threshold`."""
        return {
            "cross_encoder": self.cross_encoder.name if self.cross_encoder else NO_CROSS_ENCODER,
            "kept": self.kept,
            "graph_weight": self.graph_weight,
            "trade_off": self.trade_off,
            "threshold": self.threshold,
        }

    def best(
        self,
        graph: GraphArrays,
        candidates: Candidates,
        *,
        proximities: Sequence[str],
        k: int,
    ) -> TopK:
        """See `Ranker`; fewer than k where fewer are confident.

        Raises:
            InputError: for a cross-encoder that cannot be used, or an index without keywords and
                entities.
        """
        vectors, mask = cast(Vectors, candidates.vectors), candidates.rows != EMPTY
        objects = np.where(mask[..., None], vectors.objects[candidates.rows], 0)
        cosines = np.einsum("bd,bnd->bn", vectors.questions, objects)
        if self.cross_encoder is None:
            relevance = cosines.clip(0, 1)
            warn(
                f"{self.name}: there is no cross-encoder, so the cosine stands in its place; give "
                "one by --cross-encoder NAME_OR_PATH",
                stacklevel=3,
            )
        else:
            relevance = np.zeros(mask.shape, np.float32)
            relevance[mask] = self.cross_encoder.score([pair for _, pair in candidates.texts()])
        return _merge(
            relevance,
            self._graph_scores(candidates, cosines),
            candidates.features.get(JOINED, np.zeros(mask.shape, np.float32)) > 0,
            objects,
            mask,
            kept=self.kept,
            graph_weight=self.graph_weight,
            trade_off=self.trade_off,
            threshold=self.threshold,
            k=k,
        )

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
        """See `Ranker`: the candidates that share keywords with a result, and which."""
        rows = candidates.rows[0][candidates.rows[0] != EMPTY]
        near = keyword_graph(cast(Passages, candidates.passages), self.walk).shared(rows)
        return explain_shared(rows, positions, found, near, ids=ids, ranker=self.name)

    def _graph_scores(
        self, candidates: Candidates, cosines: Float[ndarray, "B n"]
    ) -> Float[ndarray, "B n"]:
        if GRAPH in candidates.features:
            return candidates.features[GRAPH]
        walked = keyword_graph(cast(Passages, candidates.passages), self.walk).walk(
            candidates.questions,
            cast(Vectors, candidates.vectors).questions,
            candidates.rows,
            cosines,
        )
        scores = np.zeros(cosines.shape, np.float32)
        scores[: len(walked)] = np.take_along_axis(
            walked, np.maximum(candidates.rows[: len(walked)], 0), axis=1
        )
        return scores


@partial(jax.jit, static_argnames=("kept", "graph_weight", "trade_off", "threshold", "k"))
def _merge(
    relevance: Float[Array | ndarray, "B n"],
    graph: Float[Array | ndarray, "B n"],
    joined: Bool[Array | ndarray, "B n"],
    objects: Float[Array | ndarray, "B n d"],
    mask: Bool[Array | ndarray, "B n"],
    *,
    kept: int,
    graph_weight: float,
    trade_off: float,
    threshold: float,
    k: int,
) -> TopK:
    retrieved = jnp.where(mask & ~joined, relevance, -jnp.inf)
    rank = jnp.argsort(jnp.argsort(-retrieved, axis=-1), axis=-1)
    pool = mask & (joined | (rank < kept))
    merged = (1 - graph_weight) * kernels.min_max(relevance, mask=pool)
    merged += graph_weight * kernels.min_max(graph, mask=pool)
    # What points away is no more unlike than what has nothing in common; so values never rise.
    likeness = jnp.maximum(jnp.einsum("bid,bjd->bij", objects, objects), 0.0)
    confident = pool & (relevance >= threshold)
    return kernels.maximal_marginal_relevance(
        merged, likeness, mask=confident, trade_off=trade_off, k=k
    )
