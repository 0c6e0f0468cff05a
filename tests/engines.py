"""Engines of a service, and documents for them to rank."""

import grapher_jax as gj
from grapher_jax.serve.ranking import Engine


def engine(shop, **parameters):
    return Engine(shop, gj.Reranker(**parameters))


def candidates(rng, n, kind):
    """Documents that hang together in one of the ways."""
    documents = []
    for i, score in enumerate(rng.random(n)):
        metadata = {
            "tables": {"foreign_keys": [str(i // 2)] if i % 3 else []},
            "links": {"links": [str(j) for j in rng.integers(2 * n, size=i % 12)]},
            "entities": {"entities": [f"e{j}" for j in rng.integers(n, size=5)]},
            "chunks": {"document_id": f"d{i % 3}", "chunk_id": i // 3},
            "nothing": {},
        }[kind]
        documents.append({"id": str(i), "score": float(score), "metadata": metadata})
    return documents
