"""Query-aware GNN retrieval as a ranker: scores candidates by the graph around each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.graph import EMPTY
from grapher_jax.kept_programs import kept_jit
from grapher_jax.kernels.precision import full_precision
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, Source
from grapher_jax.rankers.networks import NetworkRanker
from grapher_jax.rankers.protocol import Needs
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.systems.query_gnn.object_graph import ObjectGraph
from grapher_jax.training.candidates import centre
from grapher_jax.training.ego_graphs import EgoSettings, IndexGraph, cut_graphs
from grapher_jax.training.query_gnn import fuse
from grapher_jax.training.weights import Design


@dataclass(frozen=True, kw_only=True, eq=False)
class QueryGnnRanker(NetworkRanker[EgoSettings]):
    """A trained network over the graph of a whole index (a `Ranker`)."""

    # Each candidate has its own graph.
    candidates_at_once = 1 << 10

    @property
    def needs(self) -> Needs:
        """Embeddings of all objects of an index."""
        return Needs(embedder=self.embedder, dimension=self.config.dimension, other_objects=True)

    @property
    def parameters(self) -> dict[str, Any]:
        """`weights`, their `sha256`, and the settings for cutting graphs."""
        return self.told("depth", "threshold", "size")

    def prepare(self, collection: Collection, proximities: Sequence[str]) -> "PreparedQueryGnn":
        """See `Ranker`; uses the relations of `object_graph.SLOTS`, and ignores the proximities."""
        return PreparedQueryGnn(self, collection)


def build_object_graph(collection: Collection) -> ObjectGraph:
    """The graph over all objects of a collection."""
    return ObjectGraph.build(collection.graph, np.asarray(collection.embeddings))


def _on_device(collection: Collection) -> IndexGraph:
    """The graph and the embeddings of a collection, on the device."""
    built = collection.kept.get(build_object_graph, collection)
    embeddings = np.asarray(collection.embeddings)
    arrays = (built.neighbors, built.weights, built.relation_numbers, embeddings)
    return IndexGraph(*map(jnp.asarray, arrays))


@dataclass(frozen=True)
class PreparedQueryGnn:
    """The network over the graph of a collection (`Prepared`)."""

    ranker: QueryGnnRanker
    collection: Collection

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the ranker."""
        return self.ranker.parameters

    def rank(self, candidates: Candidates, k: int) -> TopK:
        """See `Prepared`."""
        top = _best(
            self.ranker.tensors,
            self.collection.kept.get(_on_device, self.collection),
            candidates.rows,
            candidates.scores,
            candidates.questions.embeddings,
            design=self.ranker.design,
            settings=self.ranker.settings,
            k=k,
        )
        return self.ranker.checked(top, candidates)

    def explain(
        self,
        candidates: Candidates,
        positions: Int[ndarray, " k"],
        scores: Float[ndarray, " k"],
    ) -> list[Explanation]:
        """See `Prepared`: the neighbours of a result in the graph of its document."""
        ids = self.collection.ids
        graph = self.collection.kept.get(build_object_graph, self.collection)

        def around(row: int) -> tuple[Source, ...]:
            near: dict[int, list[str]] = {}
            for other, relation in zip(graph.neighbors[row], graph.relations, strict=True):
                if other != EMPTY:
                    near.setdefault(int(other), []).append(relation)
            return tuple(Source(ids[j], None, None, tuple(by)) for j, by in near.items())

        return [
            Explanation(ids[row], float(score), self.ranker.name, around(int(row)), learned=True)
            for row, score in zip(candidates.rows[0, positions], scores, strict=True)
        ]


@partial(kept_jit, static_argnames=("design", "settings", "k"))
@full_precision
def _best(
    tensors: Mapping[str, Array],
    index_graph: IndexGraph,
    rows: Int[Array | ndarray, "B n"],
    scores: Float[Array | ndarray, "B n"],
    questions: Float[Array | ndarray, "B d"],
    *,
    design: Design,
    settings: EgoSettings,
    k: int,
) -> TopK:
    mask = jnp.asarray(rows) >= 0
    # From the candidates' cosines, whichever retriever's scores they have.
    vectors = jnp.asarray(index_graph.embeddings)[rows]
    cosines = jnp.where(mask, jnp.einsum("bd,bnd->bn", jnp.asarray(questions), vectors), 0.0)
    centred, deviation = centre(cosines, mask)
    graphs = cut_graphs(
        index_graph,
        rows,
        questions,
        settings=settings,
        centre=(cosines - centred)[:, :1],
        deviation=deviation,
    )
    fused = fuse(
        scores,
        index_graph.semantic(rows),
        design.build(tensors)(graphs, questions),
        graphs.alone,
        settings.fusion,
        mask=mask,
    )
    return kernels.top_k(fused, k, mask=mask)
