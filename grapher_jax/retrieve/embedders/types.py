"""The protocol of embedders."""

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
    """A progress callback that can also be given the total in advance."""

    def __call__(self, done: int) -> None:
        """Count this many more items as done."""

    def expect(self, total: int) -> None:
        """Set the total number of items."""


def expect(progress: Progress, total: int) -> None:
    """Give a progress callback the total, if it accepts one."""
    if isinstance(progress, Expecting):
        progress.expect(total)


@runtime_checkable
class Embedder(Protocol):
    """Embeds texts as vectors of unit length, whose inner product is their cosine."""

    @property
    def name(self) -> str:
        """The name with which `load_embedder` loads it again."""

    @property
    def dimension(self) -> int:
        """The dimension of the vectors."""

    def embed_queries(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32; `progress` is called with the number of newly embedded texts."""

    def embed_objects(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, d]` float32; `progress` is called with the number of newly embedded texts."""


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


# Everything that `open_embedder` accepts.
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
