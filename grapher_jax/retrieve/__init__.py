"""The base retriever: BM25, embedders, stores, filters, and their fusion."""

from grapher_jax.retrieve.embedders import Embedder, load_embedder, open_embedder
from grapher_jax.retrieve.filters import MetadataRows
from grapher_jax.retrieve.hybrid import (
    CANDIDATES,
    Candidates,
    HybridRetriever,
    Passages,
    Vectors,
)
from grapher_jax.retrieve.lexical import LEXICAL_ENGINES, LexicalIndex
from grapher_jax.retrieve.stores import (
    ChromaStore,
    FaissStore,
    LanceDBStore,
    PgvectorStore,
    QdrantStore,
    Store,
)

__all__ = [
    "CANDIDATES",
    "LEXICAL_ENGINES",
    "Candidates",
    "ChromaStore",
    "Embedder",
    "FaissStore",
    "HybridRetriever",
    "LanceDBStore",
    "LexicalIndex",
    "MetadataRows",
    "Passages",
    "PgvectorStore",
    "QdrantStore",
    "Store",
    "Vectors",
    "load_embedder",
    "open_embedder",
]
