"""A made-up corpus: ten databases of six tables, questions about two joined ones."""

import hashlib

import jax
import numpy as np
import pytest

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir
from grapher_jax.search import Index


class Words:
    """An embedder by hashed words, of which a test can embed thousands."""

    name, dimension = "words", 16

    def embed_queries(self, texts, *, progress=lambda done: None):
        vectors = [sum(map(self._vector, text.lower().split())) for text in texts]
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    embed_objects = embed_queries

    def _vector(self, word):
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "little")
        return np.random.default_rng(seed).normal(size=self.dimension)


@pytest.fixture(autouse=True, scope="session")
def started():
    """JAX with the devices it has by default: `train` cannot change them for other tests."""
    return jax.devices()


@pytest.fixture
def open_source():
    return lambda source, **options: Index.from_source(source, embedder=Words())


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    """A BEIR folder."""
    folder = tmp_path_factory.mktemp("sets") / "school"
    objects, queries, judged = [], [], {}
    for db in range(10):
        for table in range(6):
            key = [f"db{db}.t{(table + 1) % 6}"]
            objects.append(
                Object(
                    f"db{db}.t{table}",
                    f"base{db} word{table} thing{7 * db + table}",
                    metadata={"db": f"db{db}", "foreign_keys": key},
                )
            )
        for table in range(5):
            name = f"q{db}.{table}"
            queries.append(Query(name, f"which thing{7 * db + table} word{table} there"))
            judged[name] = {f"db{db}.t{table}": 1, f"db{db}.t{table + 1}": 1}
    judged["q0.0"] = {"db0.t0": 0}
    write_beir(folder, objects, queries, {"train": judged, "none": {"q0.0": {"db0.t0": 0}}})
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")
