"""Helpers shared by the examples of all networks."""

from collections.abc import Iterator

# The number of questions whose graphs are built at a time.
BLOCK = 128


def blocks(total: int) -> Iterator[slice]:
    """Slices of the questions, some at a time."""
    for start in range(0, total, BLOCK):
        yield slice(start, min(start + BLOCK, total))
