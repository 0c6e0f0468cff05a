"""Texts to vectors: the offline model in JAX, or any sentence-transformers model."""

from grapher_jax.retrieve.embedders.types import Embedder, Progress, no_progress

__all__ = ["Embedder", "Progress", "load_embedder", "no_progress"]


def load_embedder(name: str) -> Embedder:
    """The embedder of that name: `offline`, or a sentence-transformers name or path.

    Raises:
        InputError: where there is no such model.
        MissingExtraError: where what it needs is not installed.
    """
    if name == "offline":
        from grapher_jax.retrieve.embedders.offline import OfflineEmbedder

        return OfflineEmbedder()
    from grapher_jax.retrieve.embedders.sentence_transformer import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(name)
