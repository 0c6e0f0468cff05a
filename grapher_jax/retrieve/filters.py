"""Metadata filters: which objects a question may be answered from."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial, reduce

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.corpus.filters import Comparison, Condition, as_json, folded, parsed
from grapher_jax.errors import InputError
from grapher_jax.files import Json

Rows = Int[ndarray, " m"]
_NONE = np.zeros(0, np.int32)


class MetadataRows:
    """Objects by metadata value; a key is read when a filter first names it."""

    def __init__(self, objects: Sequence[Object]) -> None:
        """Over all objects of a corpus; nothing is read yet."""
        self._objects = objects
        self._by_key: dict[str, dict[str, tuple[Json, Rows]]] = {}
        # All keys, once anything is read.
        self._keys: dict[str, None] | None = None

    def matching(self, wanted: Mapping[str, Json]) -> Rows:
        """The objects that match a filter, in ascending order.

        Args:
            wanted: a filter as for `Index.search`; values are compared as JSON, where 1 equals 1.0,
                but neither true nor "1".

        Raises:
            InputError: for a key that no object has, or an operator that is unknown or cannot
                compare its value.
        """
        return self.fitting(parsed(wanted))

    def fitting(self, condition: Condition) -> Rows:
        """The objects that match a condition, in ascending order; raises like `matching`."""
        everything = np.arange(len(self._objects), dtype=np.int32)
        both = partial(np.intersect1d, assume_unique=True)
        return folded(
            condition,
            comparison=self._compared,
            every=lambda parts: reduce(both, parts) if parts else everything,
            some=lambda parts: reduce(np.union1d, parts, _NONE),
            negated=lambda part: np.setdiff1d(everything, part, assume_unique=True),
        )

    def _compared(self, one: Comparison) -> Rows:
        known = self._rows(one.key)
        if one.operator == "$in":
            rows = [known[text][1] for text in {*map(as_json, one.value)} & known.keys()]
        else:
            rows = [rows for value, rows in known.values() if one.holds(value)]
        return np.sort(np.concatenate([_NONE, *rows]))

    def _rows(self, key: str) -> dict[str, tuple[Json, Rows]]:
        if self._keys is None or (key in self._keys and key not in self._by_key):
            self._read(key)
        if key not in self._by_key:
            known = ", ".join(self._keys or ["none"])
            raise InputError(f"filter: no object has metadata {key!r}; use {known}")
        return self._by_key[key]

    def _read(self, key: str) -> None:
        keys: set[str] = set()
        by_value: dict[str, list[int]] = defaultdict(list)
        for row, item in enumerate(self._objects):
            keys.update(item.metadata)
            if key in item.metadata:
                by_value[as_json(item.metadata[key])].append(row)
        self._keys = dict.fromkeys(sorted(keys))
        if by_value:
            self._by_key[key] = {
                text: (self._objects[rows[0]].metadata[key], np.array(rows, np.int32))
                for text, rows in by_value.items()
            }
