"""Helpers shared by the examples of all networks."""

from collections.abc import Iterator
from typing import TypedDict

# The number of questions whose graphs are built at a time.
BLOCK = 128


class Retrieving(TypedDict, total=False):
    """The retrieval options for a network's candidates; the base retriever decides the others."""

    candidates: int
    lexical_weight: float


def blocks(total: int) -> Iterator[slice]:
    """Slices of the questions, some at a time."""
    for start in range(0, total, BLOCK):
        yield slice(start, min(start + BLOCK, total))
