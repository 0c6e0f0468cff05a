"""Objects and queries: what is retrieved, and what it is retrieved for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grapher_jax.errors import InputError

_STRING_LISTS = ("foreign_keys", "links", "entities", "keywords")
_STRINGS = ("document_id", "amr", "db", "table")


@dataclass(frozen=True, slots=True)
class Object:
    """A table, passage or chunk.

    Attributes:
        id: unique in its corpus; any string but the empty one.
        text: what is searched, with the title before it.
        title: may be empty.
        metadata: what the graph is built from: `foreign_keys`, `links` (lists of ids), `entities`,
            `keywords` (lists of strings), `document_id`, `chunk_id`; anything else is kept.
    """

    id: str
    text: str
    title: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def searchable_text(self) -> str:
        """Title and text, as the retriever reads them."""
        return f"{self.title} {self.text}".strip()


@dataclass(frozen=True, slots=True)
class Query:
    """A question; its metadata may hold a `filter` (metadata key to value)."""

    id: str
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


def check_metadata(metadata: Any, place: str) -> Mapping[str, Any]:
    """The metadata itself, once its known keys have their types; null values are dropped.

    Raises:
        InputError: naming the place, the key and the type it needs.
    """
    if metadata is None:
        return {}
    if not isinstance(metadata, dict):
        raise InputError(f"{place}: metadata must be an object, not {type(metadata).__name__}")
    known = {key: value for key, value in metadata.items() if value is not None}
    for key in _STRING_LISTS:
        value = known.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise InputError(f"{place}: metadata.{key} must be a list of strings, not {value!r}")
    for key in _STRINGS:
        if not isinstance(known.get(key, ""), str):
            raise InputError(f"{place}: metadata.{key} must be a string, not {known[key]!r}")
    chunk = known.get("chunk_id", 0)
    if not isinstance(chunk, int) or isinstance(chunk, bool) or not 0 <= chunk < 2**31 - 1:
        raise InputError(f"{place}: metadata.chunk_id must be an integer ≥ 0, not {chunk!r}")
    return known
