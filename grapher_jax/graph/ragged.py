"""Lists of integers of any length in two arrays, one list per object."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from grapher_jax.shapes import coarse_bucket, power_of_two

EMPTY = -1
# Steps do not go through what has more edges than this: it says little, and costs most.
COMMON = 64


@dataclass(frozen=True)
class Ragged:
    """Lists of integers of any length, one list per object.

    Attributes:
        offsets: `[N + 1]` where each object's list starts in `values`.
        values: all lists, one after the other.
    """

    offsets: Int[ndarray, " N_plus_1"]
    values: Int[ndarray, " total"]

    @classmethod
    def build(cls, lists: Iterable[Sequence[int]]) -> "Ragged":
        """Builds it from one list per object."""
        lists = list(lists)
        offsets = np.cumsum([0] + [len(values) for values in lists], dtype=np.int64)
        return cls(offsets, np.fromiter((v for values in lists for v in values), np.int32))

    @cached_property
    def longest(self) -> int:
        """The length of the longest list."""
        return int(np.diff(self.offsets).max(initial=0))

    @cached_property
    def filled(self) -> Bool[ndarray, " N"]:
        """Which lists are not empty."""
        return np.diff(self.offsets) > 0

    def at(self, row: int) -> Int[ndarray, " m"]:
        """The list of one object."""
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    def runs(
        self, first: Int[ndarray, " p"], last: Int[ndarray, " p"]
    ) -> tuple[Int[ndarray, " t"], Int[ndarray, " t"]]:
        """The positions of the values of some runs of consecutive lists.

        Args:
            first: `[p]` the first list of each run.
            last: `[p]` the list after its last.

        Returns:
            `[t]` positions in `values`, run after run, and `[t]` the run number of each.
        """
        starts = self.offsets[first]
        lengths = self.offsets[last] - starts
        owners = np.repeat(np.arange(len(first)), lengths)
        before = np.cumsum(lengths) - lengths
        return np.arange(len(owners)) + (starts - before)[owners], owners

    def padded(
        self, rows: Int[ndarray, "*B n"], *, most: int | None = None
    ) -> Int[ndarray, "*B n slots"]:
        """The lists of some objects as one array.

        Args:
            rows: `[*B, n]` objects; -1 for none.
            most: the length of the longest list possible. If given, the number of slots is enough
                for it, or 16, 64, 256 and so on if such a number is smaller and sufficient: so
                there are few shapes. If not given, the number is a power of two.

        Returns:
            `[*B, n, slots]` int32, padded with -1.
        """
        starts = self.offsets[rows]
        lengths = np.where(rows == EMPTY, 0, self.offsets[rows + 1] - starts)
        longest = int(lengths.max(initial=0))
        size = power_of_two(longest if most is None else most)
        slots = np.arange(size if most is None else min(size, coarse_bucket(longest)))
        used = slots < lengths[..., None]
        places = np.where(used, starts[..., None] + slots, 0)
        values = self.values if len(self.values) else np.full(1, EMPTY, np.int32)
        return np.where(used, values[places], EMPTY).astype(np.int32)

    @classmethod
    def from_pairs(
        cls, owners: Int[ndarray, " total"], values: Int[ndarray, " total"], size: int
    ) -> "Ragged":
        """Lists of `size` objects from pairs of object and value; values keep their order."""
        counts = np.bincount(owners, minlength=size)
        order = np.argsort(owners, kind="stable")
        return cls(np.cumsum(np.concatenate([[0], counts])), values[order].astype(np.int32))

    @property
    def owners(self) -> Int[ndarray, " total"]:
        """The object whose list contains each of `values`."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def transposed(self, size: int) -> "Ragged":
        """For each of `size` values, the objects whose lists contain it, in ascending order."""
        return Ragged.from_pairs(self.values, self.owners, size)

    def both_ways(self) -> "Ragged":
        """For each object, those in its list and those whose lists have it; values are objects."""
        ends = self.owners, self.values
        size = len(self.offsets) - 1
        return Ragged.from_pairs(np.concatenate(ends), np.concatenate(ends[::-1]), size)

    def through(self, others: "Ragged") -> "Ragged":
        """The lists with each value replaced by its list in `others`."""
        lengths = np.diff(others.offsets)[self.values]
        starts = others.offsets[self.values] - (np.cumsum(lengths) - lengths)
        found = others.values[np.repeat(starts, lengths) + np.arange(lengths.sum())]
        return Ragged.from_pairs(np.repeat(self.owners, lengths), found, len(self.offsets) - 1)

    def only(self, rows: Int[ndarray, " m"]) -> "Ragged":
        """The lists of some objects, in ascending order."""
        lengths = np.diff(self.offsets)
        kept = np.zeros(len(lengths), bool)
        kept[rows] = True
        offsets = np.concatenate([[0], np.cumsum(lengths[kept])])
        return Ragged(offsets, self.values[np.repeat(kept, lengths)])

    def where(self, kept: Bool[ndarray, " total"]) -> "Ragged":
        """The lists with only the values marked in `kept`."""
        before = np.concatenate([[0], np.cumsum(kept)])
        return Ragged(before[self.offsets], self.values[kept])

    def without_long(self, longest: int) -> "Ragged":
        """The lists, with those of more than `longest` values emptied."""
        lengths = np.diff(self.offsets)
        kept = np.repeat(lengths <= longest, lengths)
        return Ragged.from_pairs(self.owners[kept], self.values[kept], len(lengths))
