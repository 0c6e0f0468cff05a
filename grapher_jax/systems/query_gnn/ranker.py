"""Ranking with query-aware GNN retrieval: every candidate by its graph within its document's.

Apart from `rankers`, so that nothing else needs what runs networks.
"""

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jaxtyping import Array, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.graph import EMPTY, GraphArrays
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, Source
from grapher_jax.rankers.fixed_point import BROKEN_WEIGHTS, check_finite
from grapher_jax.retrieve.hybrid import Candidates, Vectors
from grapher_jax.systems.query_gnn.object_graph import ObjectGraph
from grapher_jax.training.candidates import centre
from grapher_jax.training.query_gnn import (
    RELATIONS,
    EgoSettings,
    IndexGraph,
    QueryGnn,
    cut_graphs,
    fuse,
)
from grapher_jax.training.weights import Weights


@dataclass(frozen=True, kw_only=True)
class QueryGnnRanker:
    """A trained network over the graph of a whole index (a `Ranker`).

    Attributes:
        name: what a report calls it.
        embedder: whose embeddings it reads.
        dimension: of these.
        settings: how candidates' graphs are cut, and how three scores become one.
        sha256: see `Weights`.
        network: the network without its weights.
        state: the weights.
    """

    name: str
    embedder: str
    dimension: int
    settings: EgoSettings
    sha256: str
    network: nnx.GraphDef
    state: nnx.State
    reads_others = True
    reads_proximities = reads_concepts = reads_texts = False
    # Each has a graph of its own.
    candidates_at_once = 1 << 10

    @classmethod
    def of(cls, weights: Weights, name: str) -> "QueryGnnRanker":
        """From weights of its kind."""
        model = cast(QueryGnn, weights.model)
        network, state = nnx.split(model)
        return cls(
            name=name,
            embedder=weights.embedder,
            dimension=model.config.dimension,
            settings=cast(EgoSettings, weights.graph),
            sha256=weights.sha256,
            network=network,
            state=state,
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """`weights`, their `sha256`, and how graphs are cut."""
        cut = self.settings
        return {
            "weights": self.name,
            "sha256": self.sha256,
            "depth": cut.depth,
            "threshold": cut.threshold,
            "size": cut.size,
        }

    def best(
        self,
        graph: GraphArrays,
        candidates: Candidates,
        *,
        proximities: Sequence[str],
        k: int,
    ) -> TopK:
        """See `Ranker`; relations are those of `episodes.SLOTS`, whatever the proximities."""
        given = cast(Vectors, candidates.vectors)
        top = _best(
            self.state,
            _episodes(graph, given.objects)[1],
            candidates.rows,
            candidates.scores,
            given.questions,
            network=self.network,
            settings=self.settings,
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
        """See `Ranker`: the neighbours of a result in the graph of its document."""
        # Whatever was ranked here was built then, and the graph is still there.
        episodes = _BUILT[id(graph)][0]

        def around(row: int) -> tuple[Source, ...]:
            near: dict[int, list[str]] = {}
            for other, relation in zip(episodes.neighbors[row], episodes.relations, strict=True):
                if other != EMPTY:
                    near.setdefault(int(other), []).append(relation)
            return tuple(Source(ids[j], None, None, tuple(by)) for j, by in near.items())

        return [
            Explanation(ids[row], float(score), self.name, around(int(row)), learned=True)
            for row, score in zip(candidates.rows[0, positions], found, strict=True)
        ]


# By the identity of an index's metadata, and gone with it.
_BUILT: dict[int, tuple[ObjectGraph, IndexGraph]] = {}


def _episodes(
    graph: GraphArrays, embeddings: Float[ndarray, "N d"]
) -> tuple[ObjectGraph, IndexGraph]:
    """The graph over all objects of an index, built when first asked for."""
    if id(graph) not in _BUILT:
        built = ObjectGraph.build(graph, embeddings)
        relations = np.array([RELATIONS.index(name) for name in built.relations])
        arrays = (built.neighbors, built.weights, relations, embeddings)
        _BUILT[id(graph)] = built, IndexGraph(*map(jnp.asarray, arrays))
        weakref.finalize(graph, _BUILT.pop, id(graph), None)
    return _BUILT[id(graph)]


@partial(jax.jit, static_argnames=("network", "settings", "k"))
def _best(
    state: nnx.State,
    episodes: IndexGraph,
    rows: Int[Array | ndarray, "B n"],
    scores: Float[Array | ndarray, "B n"],
    questions: Float[Array | ndarray, "B d"],
    *,
    network: nnx.GraphDef,
    settings: EgoSettings,
    k: int,
) -> TopK:
    mask = jnp.asarray(rows) >= 0
    # Of the candidates' cosines, whatever retriever's scores these are.
    vectors = jnp.asarray(episodes.embeddings)[rows]
    cosines = jnp.where(mask, jnp.einsum("bd,bnd->bn", jnp.asarray(questions), vectors), 0.0)
    centred, deviation = centre(cosines, mask)
    graphs = cut_graphs(
        episodes,
        rows,
        questions,
        settings=settings,
        centre=(cosines - centred)[:, :1],
        deviation=deviation,
    )
    fused = fuse(
        scores,
        episodes.semantic(rows),
        nnx.merge(network, state)(graphs, questions),
        graphs.alone,
        settings.fusion,
        mask=mask,
    )
    return kernels.top_k(fused, k, mask=mask)
