"""Embeds the objects of an index with Ray Data."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.retrieve import load_embedder
from grapher_jax.runs.ray_engine import map_blocks


def ray_vectors(
    embedder: str | Path,
) -> Callable[[Sequence[Sequence[str]]], Iterator[Float[ndarray, "n d"]]]:
    """The argument `elsewhere` for `kept_embeddings`: embeds blocks of texts in Ray processes.

    Args:
        embedder: its name, by which every process loads it; see `load_embedder`.
    """
    # A process may have another working folder.
    local = Path(embedder)
    name = str(local.resolve()) if local.exists() else str(embedder)

    def embedded(blocks: Sequence[Sequence[str]]) -> Iterator[Float[ndarray, "n d"]]:
        for block, found in zip(blocks, map_blocks(partial(_Embed, name), blocks), strict=True):
            yield np.frombuffer(found, np.float32).reshape(len(block), -1)

    return embedded


class _Embed:
    """Embeds a block of texts; returns the bytes of their vectors."""

    def __init__(self, name: str) -> None:
        self._embedder = load_embedder(name)

    def __call__(self, texts: Sequence[str]) -> bytes:
        return self._embedder.embed_objects([*map(str, texts)]).astype(np.float32).tobytes()
