"""The base retriever: BM25, embedders, filters, and their fusion."""

from grapher_jax.retrieve.embedders import Embedder, load_embedder
from grapher_jax.retrieve.filters import MetadataRows
from grapher_jax.retrieve.hybrid import (
    CANDIDATES,
    Candidates,
    HybridRetriever,
    Passages,
    Vectors,
)
from grapher_jax.retrieve.lexical import LEXICAL_ENGINES, LexicalIndex

__all__ = [
    "CANDIDATES",
    "LEXICAL_ENGINES",
    "Candidates",
    "Embedder",
    "HybridRetriever",
    "LexicalIndex",
    "MetadataRows",
    "Passages",
    "Vectors",
    "load_embedder",
]
