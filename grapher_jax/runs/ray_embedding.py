"""Embeds the objects of an index with Ray Data."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.errors import require
from grapher_jax.index.embedding import EmbedBlocks
from grapher_jax.retrieve import load_embedder
from grapher_jax.runs.ray_engine import map_blocks


def ray_vectors(embedder: str) -> EmbedBlocks:
    """The argument `elsewhere` for `kept_embeddings`: embeds blocks of texts in Ray processes.

    Args:
        embedder: the name of a loaded embedder, by which every process loads it too.

    Raises:
        MissingExtraError: if Ray is not installed.
    """
    require("ray")

    def embedded(blocks: Sequence[Sequence[str]]) -> Iterator[Float[ndarray, "n d"]]:
        results = map_blocks(partial(_Embed, embedder), blocks)
        for block, found in zip(blocks, results, strict=True):
            yield np.frombuffer(found, np.float32).reshape(len(block), -1)

    return embedded


class _Embed:
    """Embeds a block of texts; returns the bytes of their vectors."""

    def __init__(self, name: str) -> None:
        self._embedder = load_embedder(name)

    def __call__(self, texts: Sequence[str]) -> bytes:
        return self._embedder.embed_objects([*map(str, texts)]).astype(np.float32).tobytes()
