"""Metadata filters: which objects a question may be answered from."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from grapher_jax.corpus.filters import Comparison, Condition, as_json, folded, merged, parsed
from grapher_jax.errors import InputError
from grapher_jax.files import Json

Fitting = Bool[ndarray, " N"]
# The number of the value that an object without the key has.
_NO_VALUE = -1


class MetadataRows:
    """Objects by metadata value; a key is read when a filter first names it."""

    def __init__(self, count: int, metadata: Callable[[], Iterable[Mapping[str, Json]]]) -> None:
        """Read nothing yet.

        Args:
            count: how many objects there are.
            metadata: gives the metadata of each, in their order, whenever it is called.
        """
        self._count, self._metadata = count, metadata
        # By key its values, with a number each, and the number of each object's value.
        self._by_key: dict[str, tuple[dict[str, tuple[int, Json]], Int[ndarray, " N"]]] = {}
        # All keys, once anything is read.
        self._keys: dict[str, None] | None = None

    def matching(self, wanted: Mapping[str, Json]) -> Int[ndarray, " m"]:
        """The objects that match a filter, in ascending order.

        Args:
            wanted: a filter as for `Index.search`; values are compared as JSON, where 1 equals 1.0,
                but neither true nor "1".

        Raises:
            InputError: for a key that no object has, or an operator that is unknown or cannot
                compare its value.
        """
        return self.fitting(parsed(wanted))

    def fitting(self, condition: Condition) -> Int[ndarray, " m"]:
        """The objects that match a condition, in ascending order; raises like `matching`."""
        everything = np.ones(self._count, bool)
        fitting = folded(
            merged(condition),
            comparison=self._compared,
            every=lambda parts: reduce(np.logical_and, parts, everything),
            some=lambda parts: reduce(np.logical_or, parts, ~everything),
            negated=np.logical_not,
        )
        return np.flatnonzero(fitting).astype(np.int32)

    def _compared(self, one: Comparison) -> Fitting:
        values, numbers = self._read(one.key)
        holds = np.zeros(len(values) + 1, bool)  # the last one is for objects without a value
        if one.operator == "$in":
            wanted = {*map(as_json, one.value)} & values.keys()
            holds[[values[text][0] for text in wanted]] = True
        else:
            holds[:-1] = [one.holds(value) for _, value in values.values()]
        return holds[numbers]

    def _read(self, key: str) -> tuple[dict[str, tuple[int, Json]], Int[ndarray, " N"]]:
        if self._keys is None or (key in self._keys and key not in self._by_key):
            keys: set[str] = set()
            values: dict[str, tuple[int, Json]] = {}

            def numbers() -> Iterator[int]:
                for metadata in self._metadata():
                    keys.update(metadata)
                    if key in metadata:
                        value = metadata[key]
                        yield values.setdefault(as_json(value), (len(values), value))[0]
                    else:
                        yield _NO_VALUE

            found = np.fromiter(numbers(), np.int32, self._count)
            self._keys = dict.fromkeys(sorted(keys))
            if values:
                self._by_key[key] = values, found
        if key not in self._by_key:
            known = ", ".join(self._keys or ["none"])
            raise InputError(f"filter: no object has metadata {key!r}; use {known}")
        return self._by_key[key]
