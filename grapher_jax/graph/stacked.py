"""Rows stored in several arrays, read as if in one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.typing import DTypeLike

from grapher_jax.graph.ragged import EMPTY
from grapher_jax.shapes import pad, power_of_two


@dataclass(frozen=True)
class Places:
    """The position of each of N rows in several parts, some of whose entries are deleted.

    Positions are numbered through all parts, including deleted ones.

    Attributes:
        sizes: how many positions each part has.
        rows: `[N]` the position of every row, ascending.
    """

    sizes: tuple[int, ...]
    rows: Int[ndarray, " N"]

    @classmethod
    def whole(cls, size: int) -> "Places":
        """One part with nothing deleted."""
        return cls((size,), np.arange(size))

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def total(self) -> int:
        """The number of positions."""
        return sum(self.sizes)

    @cached_property
    def starts(self) -> Int[ndarray, " parts"]:
        """The first position of every part."""
        return np.cumsum([0, *self.sizes[:-1]])

    @cached_property
    def complete(self) -> bool:
        """Whether no position is deleted."""
        return len(self) == self.total

    @cached_property
    def alive(self) -> Bool[ndarray, " places"]:
        """Which positions are not deleted."""
        found = np.zeros(self.total, bool)
        found[self.rows] = True
        return found

    @cached_property
    def dead(self) -> Int[ndarray, " m"]:
        """The deleted positions."""
        return np.flatnonzero(~self.alive)

    @cached_property
    def numbers(self) -> Int[ndarray, " places"]:
        """The row of every position; -1 if deleted."""
        found = np.full(self.total, EMPTY, np.int32)
        found[self.rows] = np.arange(len(self), dtype=np.int32)
        return found

    def part(self, number: int) -> Int[ndarray, " n"]:
        """The positions of one part that are not deleted, counted from its own start."""
        start = self.starts[number]
        first, last = np.searchsorted(self.rows, [start, start + self.sizes[number]])
        return self.rows[first:last] - start

    def find(self, row: int) -> tuple[int, int]:
        """The part of a row, and its position there."""
        place = self.rows[row]
        part = int(np.searchsorted(self.starts, place, side="right")) - 1
        return part, int(place - self.starts[part])

    def behind(self, first: int) -> "Places":
        """The positions in the parts from `first` on."""
        start = sum(self.sizes[:first])
        return Places(self.sizes[first:], self.rows[np.searchsorted(self.rows, start) :] - start)

    def changed(self, gone: Int[ndarray, " m"], size: int) -> "Places":
        """The same without some rows, and with a new part of this size appended if not 0."""
        kept = np.delete(self.rows, gone)
        if not size:
            return Places(self.sizes, kept)
        behind = np.arange(self.total, self.total + size)
        return Places((*self.sizes, size), np.concatenate([kept, behind]))


@dataclass(frozen=True)
class Stacked:
    """`[N, d]` vectors in several arrays; memory-mapped arrays are not copied.

    Attributes:
        parts: together `[positions, d]`.
        places: which positions are not deleted.
    """

    parts: tuple[Float[ndarray, "_ d"], ...]
    places: Places

    @classmethod
    def of(cls, vectors: "Float[ndarray, 'N d'] | Stacked") -> "Stacked":
        """Wraps a single array; a `Stacked` stays as it is."""
        if isinstance(vectors, Stacked):
            return vectors
        return cls((vectors,), Places.whole(len(vectors)))

    @property
    def shape(self) -> tuple[int, int]:
        """Like that of an array; so are the next ones."""
        return len(self.places), self.parts[0].shape[1]

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The dtype of all parts."""
        return self.parts[0].dtype

    @property
    def nbytes(self) -> int:
        """Including deleted vectors."""
        return sum(part.nbytes for part in self.parts)

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, rows: int | slice | Sequence[int] | ndarray) -> ndarray:
        """Copies of some vectors, by number, slice, list or array."""
        places = np.asarray(self.places.rows[rows])
        owners = np.searchsorted(self.places.starts, places, side="right") - 1
        found = np.empty((*places.shape, self.shape[1]), self.dtype)
        for part in np.unique(owners).tolist():
            own = owners == part
            found[own] = self.parts[part][places[own] - self.places.starts[part]]
        return found

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> ndarray:
        """A copy of all."""
        return self[:].astype(dtype or self.dtype, copy=False)

    def not_zero(self) -> Bool[ndarray, " N"]:
        """Which rows have any number but 0, read part by part without a copy of all."""
        found = np.concatenate([part.any(axis=1) for part in self.parts])
        return found[self.places.rows]

    def changed(self, gone: Int[ndarray, " m"], vectors: Float[ndarray, "n d"]) -> "Stacked":
        """The same without some rows, and with new vectors appended."""
        parts = (*self.parts, vectors) if len(vectors) else self.parts
        return Stacked(parts, self.places.changed(gone, len(vectors)))

    def runs(self, small: int, most: int) -> Iterator[tuple[slice, Float[ndarray, "_ d"]]]:
        """The parts with their positions; small adjacent parts are merged into one copy.

        Args:
            small: a part with at least this many vectors is not copied.
            most: the maximum number of vectors in a copy.

        Yields:
            Positions and their vectors; a copy ends with rows of zeros as padding, without
            positions.
        """
        gathered: list[list[int]] = []
        for number, size in enumerate(self.places.sizes):
            near = gathered and sum(self.places.sizes[n] for n in gathered[-1]) + size <= most
            if near and size < small and self.places.sizes[gathered[-1][0]] < small:
                gathered[-1].append(number)
            else:
                gathered.append([number])
        for numbers in gathered:
            start, vectors = int(self.places.starts[numbers[0]]), self.parts[numbers[0]]
            own = slice(start, start + sum(self.places.sizes[number] for number in numbers))
            if len(self.parts) > 1 and len(vectors) < small:
                vectors = np.concatenate([self.parts[number] for number in numbers])
                # Padded by at most an eighth, to few sizes, since each size needs its own program.
                step = max(1, power_of_two(len(vectors)) // 16)
                vectors = pad(vectors, (-(-len(vectors) // step) * step,), 0.0)
            yield own, vectors
