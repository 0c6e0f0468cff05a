"""Proximities between consecutive items: the chunks of a document, the messages of a thread."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from grapher_jax.files import Json
from grapher_jax.graph.joins import Context, Join, short
from grapher_jax.graph.metadata import Array, Known, Metadata
from grapher_jax.graph.names import AllNamed, names_in, numbers_in
from grapher_jax.graph.ragged import COMMON, EMPTY, Ragged

if TYPE_CHECKING:
    from grapher_jax.graph.arrays import GraphArrays
    from grapher_jax.kernels.graphs.proximities import Proximity as KernelRow


@dataclass(frozen=True)
class Sequences:
    """How a sequence row is read, gathered and explained.

    Attributes:
        name: the name of the proximity.
        keys: two metadata keys: the whole that an object is part of, and its position in it, from
            0.
        arrays: the names of the two arrays made from them.
        slot: the name of the row in the kernels; by default its own name.
    """

    name: str
    keys: tuple[str, str]
    arrays: tuple[str, str]
    slot: str = ""

    def read(self, objects: Metadata) -> AllNamed:
        """The whole that each object is part of, by name, and its position there; -1 for none."""
        whole, place = self.keys
        return {
            self.arrays[0]: objects.names(
                [own[whole]] if whole in own else [] for own in objects.values
            ),
            self.arrays[1]: np.array([own.get(place, EMPTY) for own in objects.values], np.int32),
        }

    def resolve(self, named: AllNamed, known: Known) -> dict[str, Array]:
        """The whole that each object is part of, as a number; -1 for none."""
        wholes, places = self.arrays
        return {wholes: names_in(named, wholes).single, places: numbers_in(named, places)}

    def _numbers(self, graph: "GraphArrays") -> tuple[Int[ndarray, " N"], Int[ndarray, " N"]]:
        whole, place = self.arrays
        return graph.numbers(whole), graph.numbers(place)

    def joins(self, graph: "GraphArrays") -> Bool[ndarray, " N"]:
        """Which objects follow or precede another: the only chunk of a document does neither."""
        order, _, counts = self._beside(graph)
        joined = np.zeros(len(graph.object_ids), bool)
        joined[order] = counts.any(axis=0)
        return joined

    def gather(
        self, graph: "GraphArrays", rows: Int[ndarray, "*B n"], max_df: int | None
    ) -> dict[str, ndarray]:
        """The wholes of the candidates, and their positions there."""
        return {name: graph.pick(name, rows) for name in self.arrays}

    def steps(self, graph: "GraphArrays", max_df: int) -> tuple[Ragged, ...]:
        """The steps to the objects at the next and at the previous place.

        None leads from an object with very many of them.
        """
        order, begins, counts = self._beside(graph)
        counts = np.where(counts.sum(axis=0) > COMMON, 0, counts)
        owners, ends = [], []
        for begin, count in zip(begins, counts, strict=True):
            own = np.repeat(np.arange(len(order)), count)
            owners.append(order[own])
            ends.append(order[np.arange(len(own)) + (begin - np.cumsum(count) + count)[own]])
        pairs = np.concatenate(owners), np.concatenate(ends)
        return (Ragged.from_pairs(*pairs, len(graph.object_ids)),)

    def _beside(
        self, graph: "GraphArrays"
    ) -> tuple[Int[ndarray, " m"], Int[ndarray, "2 m"], Int[ndarray, "2 m"]]:
        """The rows that have a place, in order, and who is at the next and the previous place.

        These are runs in that order: `[2, m]` where they begin, and their lengths.
        """
        wholes, places = self._numbers(graph)
        (order,) = np.nonzero((wholes != EMPTY) & (places != EMPTY))
        order = order[np.lexsort((places[order], wholes[order]))]
        # One number for each place of a whole, with a free one after the last place.
        keys = wholes[order] * (np.int64(places.max(initial=0)) + 2) + places[order]
        beside = keys + np.array([[1], [-1]])
        begins, ends = (np.searchsorted(keys, beside, side) for side in ("left", "right"))
        return order, begins, ends - begins

    def words(self, context: Context, one: int, other: int) -> Iterator[Join]:
        """States which of two rows follows the other."""
        wholes, places = self._numbers(context.graph)

        def place(row: int) -> tuple[int, int]:
            return int(wholes[row]), int(places[row])

        earlier, later = sorted((one, other), key=place)
        (whole, number), after = place(earlier), place(later)
        if EMPTY not in (whole, number) and after == (whole, number + 1):
            name = short(str(context.metadata(later)[self.keys[0]]))
            told = f"{context.ids[later]} follows {context.ids[earlier]}"
            if not context.ids[later].startswith(name):  # as the ids of chunks do
                told += f" in {name}"
            yield Join(self.name, (name,), told)

    def kernel(self) -> "KernelRow":
        """The row of the kernels."""
        from grapher_jax.kernels.graphs.proximities import sequence_row

        return sequence_row(self.slot or self.name, *self.arrays)

    def filled(self, slots: int) -> dict[str, Json]:
        """Example metadata of a part."""
        return dict(zip(self.keys, ("", 0), strict=True))
