"""G-RAG's network as a ranker: documents are scored by themselves and their shared concepts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxtyping import Array, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.errors import warn
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY
from grapher_jax.kept_programs import kept_jit
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, explain_shared
from grapher_jax.rankers.networks import NetworkRanker
from grapher_jax.rankers.protocol import Needs
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.systems.g_rag.concepts import (
    build_document_graphs,
    concept_source,
    shared_concepts,
)
from grapher_jax.training.g_rag import DocumentBatch, DocumentSettings, read_documents
from grapher_jax.training.weights import Design


@dataclass(frozen=True, kw_only=True, eq=False)
class GRagRanker(NetworkRanker[DocumentSettings]):
    """A trained network over document graphs (a `Ranker`)."""

    @property
    def needs(self) -> Needs:
        """Embeddings, texts, and the number of documents with each concept."""
        return Needs(
            embedder=self.embedder,
            dimension=self.config.dimension,
            texts=True,
            frequencies=True,
        )

    @property
    def candidates_at_once(self) -> int:
        """A small number: edges are pairs, and GraphSAGE's LSTM reads every pair."""
        return 1 << (8 if self.config.layer == "sage" else 11)

    @property
    def parameters(self) -> dict[str, Json]:
        """`weights`, their `sha256`, `layer`, `max_df` and `paths`."""
        return self.told() | {
            "layer": self.config.layer,
            "max_df": self.settings.max_df,
            "paths": self.settings.paths,
        }

    def prepare(self, collection: Collection, proximities: Sequence[str]) -> "PreparedGRag":
        """See `Ranker`; the proximities are ignored."""
        return PreparedGRag(self, collection)


@dataclass(frozen=True)
class PreparedGRag:
    """The network over the document graphs of a collection (`Prepared`)."""

    ranker: GRagRanker
    collection: Collection

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters of the ranker, and the source of the `concepts`."""
        return self.ranker.parameters | {
            "concepts": self.collection.kept.get(concept_source, self.collection)
        }

    def rank(self, candidates: Candidates, k: int) -> TopK:
        """See `Prepared`.

        Raises:
            InputError: for a malformed AMR graph.
        """
        ranker, settings = self.ranker, self.ranker.settings
        graphs = build_document_graphs(
            self.collection, candidates, max_df=settings.max_df, paths=settings.paths
        )
        if not graphs.parsed:
            warn(
                f"{ranker.name}: entities and keywords stand in for the concepts of questions and "
                "documents without AMR graphs",
            )
        asked = len(candidates.questions)
        joined = sum(_any_shared(listed) for listed in graphs.concepts)
        if joined < asked:
            warn(
                f"{ranker.name}: in {asked - joined} of {asked} questions no two documents share a "
                "concept; they are ranked by what they say themselves",
            )
        documents = self.collection.embeddings[candidates.rows]
        batch = DocumentBatch(
            questions=candidates.questions.embeddings,
            documents=documents,
            read=read_documents(documents, graphs.encoded, graphs.places),
            concepts=graphs.concepts,
            triples=graphs.triples,
            mask=candidates.rows != EMPTY,
        )
        return ranker.checked(_best(ranker.tensors, batch, design=ranker.design, k=k), candidates)

    def explain(
        self,
        candidates: Candidates,
        positions: Int[ndarray, " k"],
        scores: Float[ndarray, " k"],
    ) -> list[Explanation]:
        """See `Prepared`: the documents that share concepts with a result, and which."""
        max_df = self.ranker.settings.max_df
        near = shared_concepts(self.collection, candidates, positions.tolist(), max_df=max_df)
        return explain_shared(
            candidates.rows[0],
            positions,
            scores,
            near,
            ids=self.collection.ids,
            ranker=self.ranker.name,
        )


def _any_shared(concepts: Int[ndarray, "n c"]) -> bool:
    used = concepts[concepts != EMPTY]
    return len(np.unique(used)) < len(used)


@partial(kept_jit, static_argnames=("design", "k"))
def _best(tensors: Mapping[str, Array], batch: DocumentBatch, *, design: Design, k: int) -> TopK:
    return kernels.top_k(design.build(tensors)(batch), k, mask=batch.mask)
