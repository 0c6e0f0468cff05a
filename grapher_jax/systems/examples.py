"""What all networks' examples share."""

from collections.abc import Iterator
from typing import Protocol, TypedDict, runtime_checkable

from jaxtyping import Float
from numpy import ndarray

from grapher_jax.graph import GraphArrays

# Questions whose graphs are built at a time.
BLOCK = 128


class Retrieving(TypedDict, total=False):
    """Which candidates a network is given; what is left out, the base retriever decides."""

    candidates: int
    lexical_weight: float


@runtime_checkable
class Indexed(Protocol):
    """What candidates are rows of, as far as graphs are built from it."""

    @property
    def graph(self) -> GraphArrays:
        """The metadata of all rows."""

    @property
    def embeddings(self) -> Float[ndarray, "N d"]:
        """`[N, d]` of all rows, of unit length."""


def blocks(total: int) -> Iterator[slice]:
    """So many questions, some at a time."""
    for start in range(0, total, BLOCK):
        yield slice(start, min(start + BLOCK, total))
