"""What an embedder is."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from jaxtyping import Float
from numpy import ndarray

Progress = Callable[[int], None]


def no_progress(done: int) -> None:
    """Report nothing."""


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
