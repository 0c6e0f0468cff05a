"""Objects and queries: what is retrieved, and for which questions."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from grapher_jax.checks import check_kind, check_list, check_text, short_repr, shown
from grapher_jax.corpus.keys import KEYS
from grapher_jax.errors import InputError
from grapher_jax.files import Json, json_text


@dataclass(frozen=True, slots=True)
class Object:
    """A table, passage or chunk.

    Attributes:
        id: unique in its corpus; any string but the empty one.
        text: the searched text, with the title before it.
        title: may be empty.
        metadata: data from which the graph is built: `foreign_keys`, `inferred_keys`, `links`,
            `title_mentions` (lists of ids), `entities`, `keywords` (lists of strings),
            `document_id`, `chunk_id`; anything else is kept, too.
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
    """The question as a query; a plain text has no id and no metadata.

    Raises:
        InputError: for metadata of a wrong type.
    """
    if not isinstance(question, Query):
        return Query("", question)
    known = check_metadata(question.metadata, f"query {shown(question.id)}")
    return replace(question, metadata=known)


def check_metadata(metadata: object, place: str) -> Mapping[str, Json]:
    """Checks metadata: known keys must have their types; null values are dropped.

    Tuples become lists, and NumPy integers Python integers, so that JSON can hold them.

    Raises:
        InputError: naming the place, the key and the type it needs.
    """
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        raise InputError(f"{place}: metadata must be an object, not {type(metadata).__name__}")
    for name in metadata:
        check_text(f"{place}: a key of metadata", name)
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
    """Checks an object built in Python, with its metadata as in `check_metadata`.

    Values of its metadata that are NumPy numbers become Python's.

    Raises:
        InputError: naming the place, for a wrong type, an id that is empty or not a string, a title
            or text that is not a string that UTF-8 can encode, or metadata that is invalid or not
            JSON.
    """
    check_kind(place, item, Object, "an Object")
    if not isinstance(item.id, str) or not item.id:
        raise InputError(f"{place}: id must be a string that is not empty, not {shown(item.id)}")
    for name, value in (("id", item.id), ("title", item.title), ("text", item.text)):
        check_text(f"{place}: {name}", value, cure=', "" for none')
    metadata = {
        key: value.item() if isinstance(value, np.generic) else value
        for key, value in check_metadata(item.metadata, place).items()
    }
    json_text(metadata, f"object {item.id!r}: metadata")
    return replace(item, metadata=metadata)


def check_corpus(given: Iterable[Object]) -> list[Object]:
    """Checks the objects of an index: at least one, as in `check_object`, with unique ids."""
    objects = check_list("objects", given, of="objects")
    if not objects:
        raise InputError("the corpus is empty; give it at least one object")
    objects = [check_object(item, f"object {n}") for n, item in enumerate(objects, start=1)]
    repeated, times = Counter(item.id for item in objects).most_common(1)[0]
    if times > 1:
        raise InputError(f"duplicate id {repeated!r}; ids must be unique")
    return objects


def is_table(item: Object) -> bool:
    """Whether an object's metadata says that it is a table: by `table` or `columns`."""
    return "table" in item.metadata or "columns" in item.metadata
