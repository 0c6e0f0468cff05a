"""Texts to vectors: the offline model in JAX, or any sentence-transformers model."""

from functools import cache
from pathlib import Path

from grapher_jax.checks import shown
from grapher_jax.errors import InputError
from grapher_jax.retrieve.embedders.types import Embedder, Progress, no_progress

__all__ = [
    "Embedder",
    "Progress",
    "load_embedder",
    "no_progress",
    "open_embedder",
    "shared_embedder",
]


def load_embedder(name: str | Path) -> Embedder:
    """The embedder of that name: `offline`, or a sentence-transformers name or path.

    Raises:
        InputError: where there is no such model.
        MissingExtraError: where what it needs is not installed.
    """
    if name == "offline":
        from grapher_jax.retrieve.embedders.offline import OfflineEmbedder

        return OfflineEmbedder()
    from grapher_jax.retrieve.embedders.sentence_transformer import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(str(name))


@cache
def shared_embedder(name: str | Path) -> Embedder:
    """The embedder of that name, one for the whole process, so that it is loaded and compiled once.

    Raises:
        InputError, MissingExtraError: as `load_embedder`.
    """
    return load_embedder(name)


def open_embedder(embedder: str | Path | Embedder) -> Embedder:
    """An embedder, or the one of that name.

    Raises:
        InputError: where there is no such model, or what was given cannot embed.
        MissingExtraError: where what it needs is not installed.
    """
    if isinstance(embedder, str | Path):
        return load_embedder(embedder)
    # Not by its type: to see whether a model has a dimension, isinstance would load it.
    if not callable(getattr(embedder, "embed_queries", None)):
        raise InputError(f"embedder: a name or an embedder is needed, not {shown(embedder)}")
    return embedder
