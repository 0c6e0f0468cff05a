"""Which objects a question may be answered from: equality on metadata."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.errors import InputError
from grapher_jax.files import Json

Rows = Int[ndarray, " m"]


class MetadataRows:
    """Objects by metadata value, a key at a time, read when a filter first names the key."""

    def __init__(self, objects: Sequence[Object]) -> None:
        """Over all objects of a corpus; nothing is read yet."""
        self._objects = objects
        self._by_key: dict[str, dict[str, Rows]] = {}
        # All that there are, once anything is read.
        self._keys: dict[str, None] | None = None

    def matching(self, wanted: Mapping[str, Json]) -> Rows:
        """The objects whose metadata equal every value of a filter, in ascending order.

        Args:
            wanted: at least one key; values are compared as JSON, where 1 is neither true nor "1".

        Raises:
            InputError: for a key that no object has.
        """
        none = np.zeros(0, np.int32)
        found = [self._rows(key).get(_as_json(value), none) for key, value in wanted.items()]
        return reduce(partial(np.intersect1d, assume_unique=True), found)

    def _rows(self, key: str) -> dict[str, Rows]:
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
                by_value[_as_json(item.metadata[key])].append(row)
        self._keys = dict.fromkeys(sorted(keys))
        if by_value:
            self._by_key[key] = {v: np.array(rows, np.int32) for v, rows in by_value.items()}


def _as_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
