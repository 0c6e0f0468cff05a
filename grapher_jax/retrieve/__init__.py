"""The base retriever: BM25, embedders, vector stores, filters, and fusion.

`HybridRetriever` is imported on first use: it brings JAX, for which no help of the command line
should wait.
"""

from typing import TYPE_CHECKING

from grapher_jax.retrieve.collection import Candidates, Collection, Kept, Questions
from grapher_jax.retrieve.embedders import (
    AnyEmbedder,
    Embedder,
    load_embedder,
    open_embedder,
    shared_embedder,
)
from grapher_jax.retrieve.lexical import LEXICAL_ENGINES, LEXICAL_VARIANTS, LexicalIndex
from grapher_jax.retrieve.metadata_rows import MetadataRows
from grapher_jax.retrieve.options import CANDIDATES, LEXICAL_NORMS, RetrievalOptions
from grapher_jax.retrieve.rerank_service import RerankService
from grapher_jax.retrieve.scorers import Scorer, as_scorer
from grapher_jax.retrieve.stores import (
    ChromaStore,
    FaissStore,
    LanceDBStore,
    PgvectorStore,
    QdrantStore,
    Store,
)

if TYPE_CHECKING:
    from grapher_jax.retrieve.hybrid import HybridRetriever

__all__ = [
    "CANDIDATES",
    "LEXICAL_ENGINES",
    "LEXICAL_NORMS",
    "LEXICAL_VARIANTS",
    "AnyEmbedder",
    "Candidates",
    "ChromaStore",
    "Collection",
    "Embedder",
    "FaissStore",
    "HybridRetriever",
    "Kept",
    "LanceDBStore",
    "LexicalIndex",
    "MetadataRows",
    "PgvectorStore",
    "QdrantStore",
    "Questions",
    "RerankService",
    "RetrievalOptions",
    "Scorer",
    "Store",
    "as_scorer",
    "load_embedder",
    "open_embedder",
    "shared_embedder",
]


def __getattr__(name: str) -> object:
    if name != "HybridRetriever":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from grapher_jax.retrieve.hybrid import HybridRetriever

    return HybridRetriever
