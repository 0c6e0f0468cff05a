"""Search over an index or a vector store."""

from grapher_jax.search.index import Index, open_source
from grapher_jax.search.store import StoreRetriever

__all__ = ["Index", "StoreRetriever", "open_source"]
