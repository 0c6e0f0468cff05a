"""Metadata for stores that hold strings and numbers alone, and back."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from grapher_jax.corpus.objects import STRING_LISTS
from grapher_jax.errors import InputError
from grapher_jax.files import json_text, parse_json

# What can join objects. A document's name joins nothing: neighbours in it do.
CONNECTING = ("foreign_keys", "links", "entities", "chunk_id")


def flatten(metadata: Mapping[str, Any]) -> dict[str, str | int | float | bool]:
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


def unflatten(metadata: Mapping[str, Any] | None, place: str = "") -> dict[str, Any]:
    """Metadata as an object has it, from what `flatten` gave or a store that holds lists.

    `foreign_keys`, `links`, `entities` and `keywords` become lists of strings, whether they are
    JSON or lists; `keywords` that are neither are another tool's, and left out. A `chunk_id` of 3.0
    becomes 3, and a `document_id` of 3 becomes "3", as stores have them that know one kind of
    number or count their documents. Null is left out; all else stays.

    Args:
        metadata: of one record.
        place: which record it is, for an error.

    Raises:
        InputError: for another of the lists that is none of strings.
    """
    known = {key: value for key, value in (metadata or {}).items() if value is not None}
    for key in STRING_LISTS:
        if key in known:
            try:
                known[key] = _strings(known[key], f"{place}: metadata.{key}".removeprefix(": "))
            except InputError:
                if key != "keywords":
                    raise
                del known[key]
    chunk, document = known.get("chunk_id"), known.get("document_id")
    if isinstance(chunk, float) and chunk.is_integer():
        known["chunk_id"] = int(chunk)
    if isinstance(document, int):
        known["document_id"] = str(document)
    return known


def _strings(value: Any, place: str) -> list[str]:
    items = value
    if isinstance(value, str):
        try:
            items = parse_json(value)
        except ValueError:
            items = None
    if not isinstance(items, list | tuple | np.ndarray) or not all(
        isinstance(item, str) for item in items
    ):
        raise InputError(
            f'{place} must be a list of strings, or one as JSON such as ["a", "b"], not {value!r}'
        )
    return [*map(str, items)]
