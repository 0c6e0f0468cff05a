"""Vector stores with their real libraries, and records that are odd."""

import secrets

import numpy as np
import pytest

from grapher_jax import Object
from grapher_jax.retrieve import ChromaStore, FaissStore, LanceDBStore, PgvectorStore, QdrantStore

QUESTIONS = ["Which orders were placed in stores of Boston?", "How many animals are there?"]
OBJECTS = [
    Object("plain", "a text", "A title", {"entities": ["Boston", "São Paulo"], "chunk_id": 0}),
    Object('"; DROP TABLE x; --', "two", "", {"entities": ["O'Hare", 'the "Loop"', "東京"]}),
    Object("a' OR '1'='1", "three", "", {"foreign_keys": ["plain"], "document_id": "d'1"}),
    Object('{"$gt": ""}', "fo'ur", "", {"links": [], "level": 3, "share": 0.5, "done": True}),
    Object("17", "五", "", {"keywords": [""], "level": 4, "done": False, "odd key": "x"}),
    Object("f0e1d2c3-0000-4000-8000-000000000000", "", "", {}),
]


def unit(rng, *shape):
    vectors = rng.normal(size=shape).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


VECTORS = unit(np.random.default_rng(0), len(OBJECTS), 8)


def empty_chroma(folder, dimension, *, space="cosine"):
    chromadb = pytest.importorskip("chromadb")
    client = chromadb.PersistentClient(
        str(folder / "chroma"), settings=chromadb.config.Settings(anonymized_telemetry=False)
    )
    name = f"records-{secrets.token_hex(4)}"
    configuration = {"hnsw": {"space": space, "ef_search": 300, "ef_construction": 300}}
    collection = client.create_collection(
        name, configuration=configuration, embedding_function=None
    )
    return ChromaStore(collection)


def empty_faiss(folder, dimension):
    return FaissStore(pytest.importorskip("faiss").IndexFlatIP(dimension), [])


def empty_qdrant(folder, dimension, *, distance="Cosine", **options):
    models = pytest.importorskip("qdrant_client.models")
    client = pytest.importorskip("qdrant_client").QdrantClient(":memory:")
    settings = models.VectorParams(size=dimension, distance=distance)
    vector = options.get("vector")
    client.create_collection("re'cords", vectors_config={vector: settings} if vector else settings)
    return QdrantStore(client=client, collection="re'cords", **{"identity": "name", **options})


def empty_lancedb(folder, dimension):
    arrow, lancedb = pytest.importorskip("pyarrow"), pytest.importorskip("lancedb")
    vector = arrow.list_(arrow.float32(), dimension)
    fields = [("id", arrow.string()), ("text", arrow.string()), ("vector", vector)]
    database = lancedb.connect(folder / "lance")
    table = database.create_table(f"t{secrets.token_hex(4)}", schema=arrow.schema(fields))
    return LanceDBStore(table=table)


EMPTY = {
    "chroma": empty_chroma,
    "faiss": empty_faiss,
    "qdrant": empty_qdrant,
    "lancedb": empty_lancedb,
}


def by_id(candidates):
    return {candidate["id"]: candidate for candidate in candidates}


def everything(store):
    return by_id(store.search(VECTORS[:1], 10)[0])


def spoil(store):
    """Give records entities that are no list, as others might have written them."""
    wrong = {"entities": "Boston, Paris"}
    if isinstance(store, ChromaStore):
        store.collection.update(ids=["17"], metadatas=[wrong])
    elif isinstance(store, QdrantStore):
        models = pytest.importorskip("qdrant_client.models")
        store.client.set_payload(store.collection, wrong, points=models.Filter())
    elif isinstance(store, LanceDBStore):
        store.table.update(values=wrong)
    elif isinstance(store, PgvectorStore):
        psycopg = pytest.importorskip("psycopg")
        table = psycopg.sql.Identifier(store.table.replace("%", "%%"))
        store.connection.execute(
            psycopg.sql.SQL("UPDATE {} SET metadata = %s").format(table),
            [psycopg.types.json.Jsonb(wrong)],
        )
    else:
        store.objects[0] = Object("plain", "", "", wrong)


def check_scores(store):
    """Whether the scores of records are the cosines, best first."""
    for found, exact in zip(store.search(VECTORS, 6), VECTORS @ VECTORS.T, strict=True):
        expected = dict(zip((item.id for item in OBJECTS), exact, strict=True))
        scores = [candidate["score"] for candidate in found]
        np.testing.assert_allclose(scores, [expected[c["id"]] for c in found], atol=2e-3)
        assert len(found) == 6
        assert (np.diff(scores) <= 1e-3).all()
