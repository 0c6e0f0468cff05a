"""The base retriever: text, BM25, embedders, and their fusion."""

from grapher_jax.retrieve.embedders import Embedder, load_embedder
from grapher_jax.retrieve.hybrid import CANDIDATES, Candidates, HybridRetriever
from grapher_jax.retrieve.lexical import LEXICAL_ENGINES, LexicalIndex
from grapher_jax.retrieve.text import normalise, readable, tokenize

__all__ = [
    "CANDIDATES",
    "LEXICAL_ENGINES",
    "Candidates",
    "Embedder",
    "HybridRetriever",
    "LexicalIndex",
    "load_embedder",
    "normalise",
    "readable",
    "tokenize",
]
