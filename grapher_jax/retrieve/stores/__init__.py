"""Vector stores behind one protocol: Chroma, FAISS, Qdrant, LanceDB and pgvector."""

from grapher_jax.retrieve.stores.chroma import ChromaStore
from grapher_jax.retrieve.stores.faiss import FaissStore
from grapher_jax.retrieve.stores.lancedb import LanceDBStore
from grapher_jax.retrieve.stores.local import (
    STORES,
    LocalStore,
    Nearest,
    PartStores,
    check_store,
    require_store,
)
from grapher_jax.retrieve.stores.pgvector import PgvectorStore
from grapher_jax.retrieve.stores.qdrant import QdrantStore
from grapher_jax.retrieve.stores.records import Store

__all__ = [
    "STORES",
    "ChromaStore",
    "FaissStore",
    "LanceDBStore",
    "LocalStore",
    "Nearest",
    "PartStores",
    "PgvectorStore",
    "QdrantStore",
    "Store",
    "check_store",
    "require_store",
]
