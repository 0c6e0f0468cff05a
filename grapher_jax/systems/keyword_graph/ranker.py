"""Keyword-graph RAG's ranking: scores of a cross-encoder and of the walk, merged (section 4.2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.checks import check_count, check_share
from grapher_jax.errors import warn
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY
from grapher_jax.kernels.precision import full_precision
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, explain_shared
from grapher_jax.rankers.protocol import Needs
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.retrieve.cross_encoder import CrossEncoder
from grapher_jax.systems.keyword_graph.graph import KeywordGraph, WalkSettings, keyword_graph

# The names of the candidates' features from the system's retrieval.
GRAPH, JOINED = "graph", "joined"
NO_CROSS_ENCODER = "none; the cosine in its place"


@dataclass(frozen=True, kw_only=True)
class KeywordRanker:
    """Merges the scores of a cross-encoder and of the keyword graph (a `Ranker`).

    The cross-encoder keeps the best of the retriever's candidates, and those that the graph found
    are added. Both scores are scaled to [0, 1] and added, and the sums are ranked by maximal
    marginal relevance, whose values are the final scores. A candidate's confidence is the
    cross-encoder's probability; without a cross-encoder, its cosine, or 0 if that is negative.

    Attributes:
        cross_encoder: the cross-encoder; None to use the cosine instead.
        kept: how many of the retriever's candidates the cross-encoder keeps.
        graph_weight: the weight of the graph in the merged score, in [0, 1].
        trade_off: λ of maximal marginal relevance, in [0, 1]; 1 for no diversity.
        threshold: the minimum confidence of a result, in [0, 1].
        walk: the settings of the walk, if retrieval has not already walked the graph.

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
    needs = Needs(texts=True, other_objects=True)
    # Each candidate is compared with all others of its question.
    candidates_at_once = 1 << 14

    def __post_init__(self) -> None:
        check_count("kept", self.kept)
        for name in ("graph_weight", "trade_off", "threshold"):
            check_share(name, getattr(self, name))

    @property
    def parameters(self) -> dict[str, Json]:
        """`cross_encoder`, `kept`, `graph_weight`, `trade_off` and `threshold`."""
        return {
            "cross_encoder": self.cross_encoder.name if self.cross_encoder else NO_CROSS_ENCODER,
            "kept": self.kept,
            "graph_weight": self.graph_weight,
            "trade_off": self.trade_off,
            "threshold": self.threshold,
        }

    def prepare(self, collection: Collection, proximities: Sequence[str]) -> "PreparedKeywords":
        """See `Ranker`; the proximities are ignored."""
        return PreparedKeywords(self, collection)


@dataclass(frozen=True)
class PreparedKeywords:
    """The merge over the keyword graph of a collection (`Prepared`)."""

    ranker: KeywordRanker
    collection: Collection

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters of the ranker."""
        return self.ranker.parameters

    @property
    def graph(self) -> KeywordGraph:
        """The collection's keyword graph; raises as `KeywordGraph.build`."""
        return keyword_graph(self.collection, self.ranker.walk)

    def rank(self, candidates: Candidates, k: int) -> TopK:
        """See `Prepared`; fewer than k if fewer reach the threshold.

        Raises:
            InputError: for a cross-encoder that cannot be used, or an index without keywords and
                entities.
        """
        ranker, mask = self.ranker, candidates.rows != EMPTY
        objects = np.where(mask[..., None], self.collection.embeddings[candidates.rows], 0)
        cosines = np.einsum("bd,bnd->bn", candidates.questions.embeddings, objects)
        if ranker.cross_encoder is None:
            relevance = cosines.clip(0, 1)
            warn(
                f"{ranker.name}: there is no cross-encoder, so the cosine stands in its place; "
                "give one by --cross-encoder NAME_OR_PATH",
            )
        else:
            relevance = np.zeros(mask.shape, np.float32)
            pairs = [pair for _, pair in candidates.texts(self.collection.objects)]
            relevance[mask] = ranker.cross_encoder.score(pairs)
        return _merge(
            relevance,
            self._graph_scores(candidates, cosines),
            candidates.features.get(JOINED, np.zeros(mask.shape, np.float32)) > 0,
            objects,
            mask,
            kept=ranker.kept,
            graph_weight=ranker.graph_weight,
            trade_off=ranker.trade_off,
            threshold=ranker.threshold,
            k=k,
        )

    def explain(
        self,
        candidates: Candidates,
        positions: Int[ndarray, " k"],
        scores: Float[ndarray, " k"],
    ) -> list[Explanation]:
        """See `Prepared`: the candidates that share keywords with a result, and which."""
        rows = candidates.rows[0][candidates.rows[0] != EMPTY]
        return explain_shared(
            rows,
            positions,
            scores,
            self.graph.shared(rows, positions.tolist()),
            ids=self.collection.ids,
            ranker=self.ranker.name,
        )

    def _graph_scores(
        self, candidates: Candidates, cosines: Float[ndarray, "B n"]
    ) -> Float[ndarray, "B n"]:
        if GRAPH in candidates.features:
            return candidates.features[GRAPH]
        questions = candidates.questions
        walks = self.graph.walk(questions, questions.embeddings, candidates.rows, cosines)
        scores = np.zeros(cosines.shape, np.float32)
        for own, rows, walked in zip(scores, candidates.rows, walks, strict=False):
            own[:] = walked[rows.clip(0)]
        return scores


@partial(jax.jit, static_argnames=("kept", "graph_weight", "trade_off", "threshold", "k"))
@full_precision
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
    # Negative cosines count as 0, so that values never increase.
    likeness = jnp.maximum(jnp.einsum("bid,bjd->bij", objects, objects), 0.0)
    confident = pool & (relevance >= threshold)
    return kernels.maximal_marginal_relevance(
        merged, likeness, mask=confident, trade_off=trade_off, k=k
    )
