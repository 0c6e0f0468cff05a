"""What the function of a set is asked for, and what it gives to the writer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmark_sets.files import Files, Row

from grapher_jax.corpus import Object, Query

Judged = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Asked:
    """What a set is made from.

    Attributes:
        files: those of its source.
        splits: those to make; none for all that the source has.
        sampled: draws from the questions of a split, for sets so large that some are enough.
    """

    files: Files
    splits: Sequence[str]
    sampled: Callable[[list[Row]], list[Row]]


@dataclass(frozen=True)
class Made:
    """What a set's function gives to the writer."""

    objects: Iterable[Object]
    queries: Sequence[Query]
    judgements: Mapping[str, Judged]
