"""Figures over questions: means and their bootstrap intervals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from grapher_jax.files import Json

T = TypeVar("T")
Interval: TypeAlias = tuple[float, float]

RESAMPLES = 2000
_INTERVAL = (0.025, 0.975)
_SEED = 0


@dataclass(frozen=True)
class Figure(Generic[T]):
    """A figure over all questions, and over those with several relevant objects.

    Attributes:
        all: over all questions.
        multi: over those with several relevant objects; None if there are none.
    """

    all: T
    multi: T | None

    def to_dict(self) -> dict[str, Json]:
        """The figure as JSON-ready values; an interval is a list of its two ends."""
        return {name: list(x) if isinstance(x, tuple) else x for name, x in vars(self).items()}


Means: TypeAlias = Mapping[str, Figure[float]]
Intervals: TypeAlias = Mapping[str, Figure[Interval]]


def mean(values: Float[ndarray, " B"], multi: Bool[ndarray, " B"]) -> Figure[float]:
    """The mean of one metric.

    Args:
        values: `[B]` the metric of each question.
        multi: `[B]` which questions have more than one relevant object.
    """
    values = np.asarray(values, float)  # shares in float32 would be told as 0.6299999952
    return Figure(float(values.mean()), float(values[multi].mean()) if multi.any() else None)


def means(values: Mapping[str, Float[ndarray, " B"]], multi: Bool[ndarray, " B"]) -> Means:
    """The mean of each metric; see `mean`."""
    return {name: mean(of_questions, multi) for name, of_questions in values.items()}


def intervals(values: Mapping[str, Float[ndarray, " B"]], multi: Bool[ndarray, " B"]) -> Intervals:
    """The 95 % interval of each metric's mean; see `bootstrap`."""
    table = np.stack(list(values.values()), axis=1)
    over_all = bootstrap(table)
    over_multi = bootstrap(table[multi]) if multi.any() else [None] * len(over_all)
    return {
        name: Figure(every, several)
        for name, every, several in zip(values, over_all, over_multi, strict=True)
    }


def bootstrap(table: Float[ndarray, "B m"]) -> list[Interval]:
    """The 95 % intervals of means over questions, by the percentile bootstrap.

    Args:
        table: `[B, m]` one column per metric.

    Returns:
        For each metric, the lower and the upper end.
    """
    n, rng = len(table), np.random.default_rng(_SEED)
    # A mean needs only how often each question is drawn, and these counts fit the caches.
    drawn = (np.bincount(rng.integers(n, size=n), minlength=n) for _ in range(RESAMPLES))
    resampled = np.stack([times @ table for times in drawn]) / n
    low, high = np.quantile(resampled, _INTERVAL, axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))
