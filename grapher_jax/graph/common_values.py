"""Proximities by values in common: entities, or any other names."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from grapher_jax.graph.joins import Context, Join, shared
from grapher_jax.graph.metadata import Array, Known, Metadata
from grapher_jax.graph.names import AllNamed, letters, names_in
from grapher_jax.graph.ragged import Ragged
from grapher_jax.text import normalise

if TYPE_CHECKING:
    from grapher_jax.graph.arrays import GraphArrays
    from grapher_jax.kernels.graphs.proximities import Proximity as KernelRow

# The lists of so many limits are kept: a service may be asked for any.
_MOST_LIMITS = 4


@dataclass(frozen=True)
class Values:
    """The values that objects have, such as entities.

    Attributes:
        lists: the values of each object that another object has too, as indices into a vocabulary.
        counts: `[N]` how many different values each object has, shared or not.
        number: the size of the vocabulary.
    """

    lists: Ragged
    counts: Int[ndarray, " N"]
    number: int
    _limited: dict[int, tuple[Ragged, Int[ndarray, " N"]]] = field(default_factory=dict)

    @cached_property
    def frequency(self) -> Int[ndarray, " values"]:
        """How many objects have each value."""
        return np.bincount(self.lists.values, minlength=self.number)

    def limited(self, max_df: int | None) -> tuple[Ragged, Int[ndarray, " N"]]:
        """The lists and counts without values that more than `max_df` objects have."""
        if max_df is None:
            return self.lists, self.counts
        found = self._limited.get(max_df)
        if found is None:
            values, owners = self.lists.values, self.lists.owners
            kept, n = self.frequency[values] <= max_df, len(self.counts)
            dropped = np.bincount(owners[~kept], minlength=n)
            lists = Ragged.from_pairs(owners[kept], values[kept], n)
            found = lists, (self.counts - dropped).astype(np.int32)
            if len(self._limited) >= _MOST_LIMITS:
                self._limited.clear()
            self._limited[max_df] = found
        return found


@dataclass(frozen=True)
class SharedValues:
    """How a row of shared values is read, gathered and explained.

    Attributes:
        name: the name of the proximity.
        key: the metadata key of lists of names, which are compared like entity names.
        arrays: the names of the arrays: values per object, their number, and the vocabulary; see
            `Values`.
        gathered: the names of the first two arrays in the kernels.
        told: the words of an explanation before the names of the shared values.
        slot: the name of the row in the kernels; by default its own name.
    """

    name: str
    key: str
    arrays: tuple[str, str, str]
    gathered: tuple[str, str]
    told: str = "both have"
    slot: str = ""

    def read(self, objects: Metadata) -> AllNamed:
        """The different values of each object."""
        every = (dict.fromkeys(map(normalise, own.get(self.key, ()))) for own in objects.values)
        return {self.arrays[0]: objects.names(filter(None, names) for names in every)}

    def resolve(self, named: AllNamed, known: Known) -> dict[str, Array]:
        """The arrays; a value that only one object has is counted, but not listed."""
        lists, counts, vocabulary = self.arrays
        names = names_in(named, lists)
        values = names.lists.values
        # A value that only one object has connects nothing, but would cost a slot in every product.
        common = np.bincount(values, minlength=len(names.vocabulary)) > 1
        places = (np.cumsum(common) - 1).astype(np.int32)
        numbered = Ragged(names.lists.offsets, places[values])
        return {
            lists: numbered.where(common[values]),
            counts: np.diff(names.lists.offsets).astype(np.int32),
            vocabulary: letters(compress(names.vocabulary, common)),
        }

    def values(self, graph: "GraphArrays") -> Values:
        """The values that the objects of a graph have."""
        lists, counts, vocabulary = self.arrays

        def read() -> Values:
            return Values(graph.lists(lists), graph.numbers(counts), graph.size(vocabulary))

        return graph.keep(lists, read)

    def joins(self, graph: "GraphArrays") -> Bool[ndarray, " N"]:
        """Which objects share a value with another."""
        return graph.lists(self.arrays[0]).filled

    def gather(
        self, graph: "GraphArrays", rows: Int[ndarray, "*B n"], max_df: int | None
    ) -> dict[str, ndarray]:
        """The values of the candidates."""
        lists, counts = self.values(graph).limited(max_df)
        padded = lists.padded(rows, most=lists.longest)
        return dict(zip(self.gathered, (padded, graph.picked(counts, rows)), strict=True))

    def steps(self, graph: "GraphArrays", max_df: int) -> tuple[Ragged, ...]:
        """The steps from an object to its values, and from values to their objects if few."""
        values = self.values(graph)
        return values.lists, values.lists.transposed(values.number).without_long(max_df)

    def words(self, context: Context, one: int, other: int) -> Iterator[Join]:
        """States what two rows share, the rarest values first."""
        values, graph = self.values(context.graph), context.graph
        found = set(values.lists.at(one).tolist()) & set(values.lists.at(other).tolist())
        frequency = {value: int(values.frequency[value]) for value in found}
        most = max(frequency.values(), default=0) if context.max_df is None else context.max_df
        vocabulary = self.arrays[2]
        ranked = sorted((n, graph.name(vocabulary, v)) for v, n in frequency.items() if n <= most)
        if ranked:
            yield shared(self.name, [name for _, name in ranked], self.told)

    def kernel(self) -> "KernelRow":
        """The row of the kernels."""
        from grapher_jax.kernels.graphs.proximities import shared_row

        return shared_row(self.slot or self.name, *self.gathered)

    def filled(self, slots: int) -> dict[str, Any]:
        """Example metadata with this many values."""
        return {self.key: [str(number) for number in range(slots)]}
