"""What all networks' examples share."""

from collections.abc import Iterator
from typing import TypedDict

# Questions whose graphs are built at a time.
BLOCK = 128


class Retrieving(TypedDict, total=False):
    """Which candidates a network is given; what is left out, the base retriever decides."""

    candidates: int
    lexical_weight: float


def blocks(total: int) -> Iterator[slice]:
    """So many questions, some at a time."""
    for start in range(0, total, BLOCK):
        yield slice(start, min(start + BLOCK, total))
