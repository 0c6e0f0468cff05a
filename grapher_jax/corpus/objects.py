"""Objects and queries: what is retrieved, and what it is retrieved for."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grapher_jax.checks import check_kind, check_text, short_repr, shown
from grapher_jax.corpus.keys import KEYS
from grapher_jax.errors import InputError
from grapher_jax.files import Json


@dataclass(frozen=True, slots=True)
class Object:
    """A table, passage or chunk.

    Attributes:
        id: unique in its corpus; any string but the empty one.
        text: what is searched, with the title before it.
        title: may be empty.
        metadata: what the graph is built from: `foreign_keys`, `inferred_keys`, `links` (lists of
            ids), `entities`, `keywords` (lists of strings), `document_id`, `chunk_id`; anything
            else is kept.
    """

    id: str
    text: str
    title: str = ""
    metadata: Mapping[str, Json] = field(default_factory=dict)

    def __repr__(self) -> str:
        title = {"title": self.title} if self.title else {}
        known = {"metadata": self.metadata} if self.metadata else {}
        return short_repr(self, id=self.id, **title, text=self.text, **known)

    @property
    def searchable_text(self) -> str:
        """Title and text, as the retriever reads them."""
        return f"{self.title} {self.text}".strip()


@dataclass(frozen=True, slots=True)
class Query:
    """A question; its metadata may hold a `filter`."""

    id: str
    text: str
    metadata: Mapping[str, Json] = field(default_factory=dict)

    def __repr__(self) -> str:
        known = {"metadata": self.metadata} if self.metadata else {}
        return short_repr(self, id=self.id, text=self.text, **known)


def as_query(question: str | Query) -> Query:
    """The question as a query; one that is text alone has no id and no metadata."""
    return question if isinstance(question, Query) else Query("", question)


def check_metadata(metadata: object, place: str) -> Mapping[str, Json]:
    """The metadata as a dict, once its known keys have their types; null values are dropped.

    Tuples become lists, and NumPy's integers Python's, so that JSON can hold them.

    Raises:
        InputError: naming the place, the key and the type it needs.
    """
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        raise InputError(f"{place}: metadata must be an object, not {type(metadata).__name__}")
    known = {key: value for key, value in metadata.items() if value is not None}
    for name, key in KEYS.items():
        if name in known:
            try:
                known[name] = key.form.checked(known[name])
            except ValueError:
                raise InputError(
                    f"{place}: metadata.{name} must be {key.form.told}, not {shown(known[name])}"
                ) from None
    return known


def check_object(item: Object, place: str) -> Object:
    """An object built in Python, with its metadata as `check_metadata` gives it.

    Raises:
        InputError: naming the place, for what is no object, an id that is empty or no string, a
            title or text that is no string or none that UTF-8 holds, or bad metadata.
    """
    check_kind(place, item, Object, "an Object")
    if not isinstance(item.id, str) or not item.id:
        raise InputError(f"{place}: id must be a string that is not empty, not {shown(item.id)}")
    for name, value in (("id", item.id), ("title", item.title), ("text", item.text)):
        check_text(f"{place}: {name}", value, cure=', "" for none')
    return replace(item, metadata=check_metadata(item.metadata, place))
