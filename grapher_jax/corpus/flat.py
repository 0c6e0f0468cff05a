"""Metadata for stores that hold strings and numbers alone, and back."""

import math
from collections.abc import Mapping

import numpy as np

from grapher_jax.corpus.keys import KEYS
from grapher_jax.errors import InputError
from grapher_jax.files import Json, json_text


def flatten(metadata: Mapping[str, Json]) -> dict[str, str | int | float | bool]:
    """Metadata whose values are scalars: a list or a mapping is written as JSON, null left out.

    Raises:
        InputError: for a value that JSON cannot hold.
    """
    flat: dict[str, str | int | float | bool] = {}
    for key, value in metadata.items():
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value)):
            flat[key] = value
        elif value is not None:
            flat[key] = json_text(value, f"metadata.{key}")
    return flat


def unflatten(metadata: Mapping[str, Json] | None, place: str = "") -> dict[str, Json]:
    """Metadata as an object has it, from what `flatten` gave or a store that holds lists.

    `foreign_keys`, `inferred_keys`, `links`, `entities` and `keywords` become lists of strings,
    whether they are JSON or lists; `keywords` that are neither are another tool's, and left out. A
    `chunk_id` of 3.0 becomes 3, and a `document_id` of 3 becomes "3", as stores have them that know
    one kind of number or count their documents. So do keys of these types that rows of proximities
    add. Null is left out; all else stays.

    Args:
        metadata: of one record.
        place: which record it is, for an error.

    Raises:
        InputError: for another of the lists that is none of strings.
    """
    known = {key: value for key, value in (metadata or {}).items() if value is not None}
    for name, key in KEYS.items():
        if name in known:
            try:
                known[name] = key.form.stored(known[name])
            except ValueError:
                if not key.lenient:
                    where = f"{place}: metadata.{name}".removeprefix(": ")
                    wanted = f"{key.form.told}{key.form.also}"
                    raise InputError(f"{where} must be {wanted}, not {known[name]!r}") from None
                del known[name]
    return known
