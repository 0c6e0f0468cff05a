"""An embedder for tests, which subprocesses use as well."""

import hashlib

import numpy as np


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
