"""Converts metadata for stores that hold only strings and numbers, and back."""

import math
from collections.abc import Collection, Mapping
from contextlib import suppress

import numpy as np

from grapher_jax.corpus.keys import KEYS
from grapher_jax.errors import InputError
from grapher_jax.files import Json, json_text, parse_json


def flatten(metadata: Mapping[str, Json]) -> dict[str, str | int | float | bool]:
    """Metadata with only scalar values: lists and mappings become JSON, and null is left out.

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


def with_lists(metadata: Mapping[str, Json], keys: Collection[str]) -> Mapping[str, Json]:
    """Metadata in which lists that `flatten` made JSON are lists again, under some keys."""
    lists = {}
    for key in keys:
        value = metadata.get(key)
        if isinstance(value, str) and value.startswith("["):
            with suppress(ValueError):
                lists[key] = parse_json(value)
    return {**metadata, **lists}


def unflatten(metadata: Mapping[str, Json] | None, place: str = "") -> dict[str, Json]:
    """Restores an object's metadata from `flatten`, or from a store that can hold lists.

    `foreign_keys`, `inferred_keys`, `links`, `title_mentions`, `entities` and `keywords` become
    lists of strings, whether they are JSON or lists; `keywords` of another type come from another
    tool and are left out. A `chunk_id` of 3.0 becomes 3, and a `document_id` of 3 becomes "3",
    because some stores have only one kind of number or number their documents. The same applies to
    keys of these types that added proximities read. Null is left out; everything else stays.

    Args:
        metadata: the metadata of one record.
        place: names the record, for errors.

    Raises:
        InputError: if any other of these lists is not a list of strings.
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
