"""What an embedder is."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from jaxtyping import Float
from numpy import ndarray

Progress = Callable[[int], None]


def no_progress(done: int) -> None:
    """Report nothing."""


@runtime_checkable
class Expecting(Protocol):
    """A progress that is told beforehand, too, how many there are."""

    def __call__(self, done: int) -> None:
        """So many more are done."""

    def expect(self, total: int) -> None:
        """So many there are."""


def expect(progress: Progress, total: int) -> None:
    """Tell a progress how many there are, where it can be told."""
    if isinstance(progress, Expecting):
        progress.expect(total)


@runtime_checkable
class Embedder(Protocol):
    """Texts to vectors of unit length, whose inner product is their cosine."""

    @property
    def name(self) -> str:
        """What `load_embedder` takes to load it again."""

    @property
    def dimension(self) -> int:
        """The length of a vector."""

    def embed_queries(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32; `progress` is told how many more are done."""

    def embed_objects(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32; `progress` is told how many more are done."""


@runtime_checkable
class _OfLangChain(Protocol):
    """LangChain's `Embeddings`."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]: ...

    def embed_query(self, text: str) -> list[float]: ...


@runtime_checkable
class _OfLlamaIndex(Protocol):
    """LlamaIndex's `BaseEmbedding`."""

    def get_text_embedding_batch(self, texts: list[str]) -> list[list[float]]: ...

    def get_query_embedding(self, query: str) -> list[float]: ...


@runtime_checkable
class _OfHaystack(Protocol):
    """A text embedder of Haystack, or a document embedder."""

    def run(self, *given: object, **named: object) -> dict[str, object]: ...


# What `open_embedder` takes.
AnyEmbedder = (
    str
    | Path
    | Embedder
    | _OfLangChain
    | _OfLlamaIndex
    | _OfHaystack
    | tuple[_OfHaystack, _OfHaystack]
    | Callable[[list[str]], object]
)
