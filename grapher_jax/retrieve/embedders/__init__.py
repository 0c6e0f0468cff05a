"""Embedders: the offline model in JAX, any sentence-transformers model, or your own."""

from functools import cache
from pathlib import Path
from typing import TypeGuard

from grapher_jax.checks import check_text, shown
from grapher_jax.errors import InputError
from grapher_jax.retrieve.embedders.given import GIVEN, of_other_library
from grapher_jax.retrieve.embedders.query_adapter import (
    NO_ADAPTER,
    QUERY_ADAPTERS,
    adapted,
    adapter_of,
)
from grapher_jax.retrieve.embedders.types import (
    AnyEmbedder,
    Embedder,
    Expecting,
    Progress,
    expect,
    no_progress,
)

__all__ = [
    "GIVEN",
    "NO_ADAPTER",
    "QUERY_ADAPTERS",
    "AnyEmbedder",
    "Embedder",
    "Expecting",
    "Progress",
    "adapted",
    "adapter_of",
    "expect",
    "load_embedder",
    "no_progress",
    "open_embedder",
    "shared_embedder",
]


def load_embedder(name: str | Path) -> Embedder:
    """The embedder with this name: `offline`, or a sentence-transformers name or path.

    Raises:
        InputError: if there is no such model.
        MissingExtraError: if a package that it needs is not installed.
    """
    name = check_text("embedder", str(name) if isinstance(name, Path) else name)
    if name.startswith(GIVEN):
        raise InputError(
            f"embedder: {name.removeprefix(GIVEN)!r} was given as an object, which no name "
            "opens; give it again, such as Index.load(path, embedder=…)"
        )
    if name == "offline":
        return _offline()
    from grapher_jax.retrieve.embedders.sentence_transformer import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(name)


@cache
def _offline() -> Embedder:
    """The offline embedder; its weights never change, so a process shares one."""
    from grapher_jax.retrieve.embedders.offline import OfflineEmbedder

    return OfflineEmbedder()


def shared_embedder(name: str | Path) -> Embedder:
    """The embedder with this name, shared by the process, so that it is loaded and compiled once.

    Raises:
        InputError, MissingExtraError: as `load_embedder`.
    """
    here = str(name) != "offline" and Path(name).is_dir()
    return _shared(str(Path(name).absolute()) if here else str(name))


_shared = cache(load_embedder)


def _embeds(given: object) -> TypeGuard[Embedder]:
    # No isinstance check: testing for the dimension would load the model.
    return callable(getattr(given, "embed_queries", None)) and not isinstance(given, type)


def open_embedder(embedder: object) -> Embedder:
    """Opens an embedder by name, or wraps an embedder of another library or your own.

    Args:
        embedder: a name or an embedder, or what `of_other_library` takes.

    Raises:
        InputError: if there is no such model, or the given object cannot embed.
        MissingExtraError: if a package that it needs is not installed.
    """
    if isinstance(embedder, str | Path):
        return load_embedder(embedder)
    if _embeds(embedder):
        return embedder
    if (found := of_other_library(embedder)) is None:
        raise InputError(
            "embedder: a name or an embedder is needed, one of LangChain or LlamaIndex, a text "
            f"embedder of Haystack or a function from texts to vectors, not {shown(embedder)}"
        )
    return found
