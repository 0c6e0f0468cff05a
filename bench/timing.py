"""How long calls take, where what is made once must not count."""

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def best_seconds(call: Callable[[], object], rounds: int) -> float:
    """The seconds of the fastest of so many calls."""
    spent = []
    for _ in range(rounds):
        started = perf_counter()
        call()
        spent.append(perf_counter() - started)
    return min(spent)


def median_seconds(
    questions: Sequence[T], call: Callable[[T], object], *, rounds: int = 1
) -> float:
    """The median over questions, of which each was asked before.

    Args:
        questions: each alone.
        call: answers one.
        rounds: how often each is asked; the fastest counts.
    """
    for question in questions:
        call(question)
    best = [best_seconds(partial(call, question), rounds) for question in questions]
    return float(np.median(best))
