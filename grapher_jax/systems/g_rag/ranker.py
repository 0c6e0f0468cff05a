"""Ranking with G-RAG: every document by itself and by those it shares concepts with.

Apart from `rankers`, so that nothing else needs what runs networks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import jax
import numpy as np
from flax import nnx
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.errors import warn
from grapher_jax.graph import EMPTY, GraphArrays
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, explain_shared
from grapher_jax.rankers.fixed_point import BROKEN_WEIGHTS, check_finite
from grapher_jax.retrieve.hybrid import Candidates, Vectors
from grapher_jax.systems.g_rag.concepts import build_document_graphs, shared_concepts
from grapher_jax.training.g_rag import DocumentBatch, DocumentSettings, GRag, GRagConfig
from grapher_jax.training.weights import Weights


@dataclass(frozen=True, kw_only=True)
class GRagRanker:
    """A trained network over document graphs (a `Ranker`).

    Attributes:
        name: what a report calls it.
        embedder: whose embeddings it reads.
        config: its shape.
        settings: how document graphs are built.
        sha256: see `Weights`.
        network: the network without its weights.
        state: the weights.
    """

    name: str
    embedder: str
    config: GRagConfig
    settings: DocumentSettings
    sha256: str
    network: nnx.GraphDef
    state: nnx.State
    reads_others = reads_proximities = False
    reads_concepts = reads_texts = True

    @classmethod
    def of(cls, weights: Weights, name: str) -> "GRagRanker":
        """From weights of its kind."""
        model = cast(GRag, weights.model)
        network, state = nnx.split(model)
        return cls(
            name=name,
            embedder=weights.embedder,
            config=model.config,
            settings=cast(DocumentSettings, weights.graph),
            sha256=weights.sha256,
            network=network,
            state=state,
        )

    @property
    def candidates_at_once(self) -> int:
        """Edges are pairs of candidates, and GraphSAGE's LSTM reads every pair."""
        return 1 << (8 if self.config.layer == "sage" else 11)

    @property
    def dimension(self) -> int:
        """Of the embeddings."""
        return self.config.dimension

    @property
    def parameters(self) -> dict[str, Any]:
        """`weights`, their `sha256`, `layer`, `max_df` and `paths`."""
        return {
            "weights": self.name,
            "sha256": self.sha256,
            "layer": self.config.layer,
            "max_df": self.settings.max_df,
            "paths": self.settings.paths,
        }

    def best(
        self,
        graph: GraphArrays,
        candidates: Candidates,
        *,
        proximities: Sequence[str],
        k: int,
    ) -> TopK:
        """See `Ranker`.

        Raises:
            InputError: for a malformed AMR graph.
        """
        graphs = build_document_graphs(
            candidates, max_df=self.settings.max_df, paths=self.settings.paths
        )
        if not graphs.parsed:
            warn(
                f"{self.name}: entities and keywords stand in for the concepts of questions and "
                "documents without AMR graphs",
                stacklevel=3,
            )
        joined = sum(_any_shared(listed) for listed in graphs.concepts)
        if joined < len(candidates.questions):
            warn(
                f"{self.name}: in {len(candidates.questions) - joined} of "
                f"{len(candidates.questions)} questions no two documents share a concept; they are "
                "ranked by what they say themselves",
                stacklevel=3,
            )
        vectors, mask = cast(Vectors, candidates.vectors), candidates.rows != EMPTY
        documents = vectors.objects[candidates.rows]
        read = documents.copy()
        read[graphs.places != EMPTY] = graphs.encoded[graphs.places[graphs.places != EMPTY]]
        batch = DocumentBatch(
            questions=vectors.questions,
            documents=documents,
            read=read,
            concepts=graphs.concepts,
            triples=graphs.triples,
            mask=mask,
        )
        top = _best(self.state, batch, network=self.network, k=k)
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
        """See `Ranker`: the documents that share concepts with a result, and which."""
        rows = candidates.rows[0]
        near = shared_concepts(candidates, max_df=self.settings.max_df)
        return explain_shared(rows, positions, found, near, ids=ids, ranker=self.name)


def _any_shared(concepts: Int[ndarray, "n c"]) -> bool:
    used = concepts[concepts != EMPTY]
    return len(np.unique(used)) < len(used)


@partial(jax.jit, static_argnames=("network", "k"))
def _best(state: nnx.State, batch: DocumentBatch, *, network: nnx.GraphDef, k: int) -> TopK:
    return kernels.top_k(nnx.merge(network, state)(batch), k, mask=batch.mask)
