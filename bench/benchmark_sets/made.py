"""What the function of a set gives to the writer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmark_sets.files import Row

from grapher_jax.corpus import Object, Query

Judged = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Made:
    """What a set's function gives to the writer."""

    objects: Iterable[Object]
    queries: Sequence[Query]
    judgements: Mapping[str, Judged]


Sampled = Callable[[list[Row]], list[Row]]
