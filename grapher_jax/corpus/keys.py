"""The metadata keys with a type: those of the BEIR layout, and those of added proximities."""

import math
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from grapher_jax.errors import InputError
from grapher_jax.files import parse_json


@dataclass(frozen=True)
class Form:
    """A type of metadata values.

    Attributes:
        told: its name in messages.
        checked: returns the value for metadata; raises ValueError for another type.
        stored: restores the value from a store of strings and numbers; raises ValueError if that is
            impossible.
        also: the alternative form in a store, for messages.
    """

    told: str
    checked: Callable[[object], object]
    stored: Callable[[object], object] = lambda value: value
    also: str = ""


@dataclass(frozen=True)
class Key:
    """A metadata key with the type of its values.

    Attributes:
        name: the key in metadata.
        form: the type.
        joins: whether the graph is built from it.
        read: whether any ranker reads it; filters read all keys.
        lenient: whether values of another type in a store, which other tools may write, are left
            out instead of being an error.
    """

    name: str
    form: Form
    joins: bool = False
    read: bool = True
    lenient: bool = False


def _checked_strings(value: object) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ValueError
    return list(value)


def _stored_strings(value: object) -> list[str]:
    items = parse_json(value) if isinstance(value, str) else value
    if not isinstance(items, list | tuple | np.ndarray) or not all(
        isinstance(item, str) for item in items
    ):
        raise ValueError
    return [*map(str, items)]


def _checked_string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value


def _checked_place(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError
    if not 0 <= value < 2**31 - 1:
        raise ValueError
    return int(value)


def _stored_place(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _stored_name(value: object) -> object:
    whole = _stored_place(value)
    return str(whole) if isinstance(whole, int) else value


def _checked_number(value: object) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise ValueError
    if not math.isfinite(value):
        raise ValueError
    number: int | float = value.item() if isinstance(value, np.generic) else value
    return number


STRINGS = Form(
    "a list of strings",
    _checked_strings,
    _stored_strings,
    also=', or one as JSON such as ["a", "b"]',
)
STRING = Form("a string", _checked_string)
# Stores may count documents instead of naming them.
NAME = Form("a string", _checked_string, _stored_name)
# Stores may have only one type of number.
PLACE = Form("an integer from 0 to 2147483646", _checked_place, _stored_place)
NUMBER = Form("a finite number", _checked_number)


FOREIGN_KEYS = Key("foreign_keys", STRINGS, joins=True)
INFERRED_KEYS = Key("inferred_keys", STRINGS, joins=True)
LINKS = Key("links", STRINGS, joins=True)
MENTIONS = Key("title_mentions", STRINGS, joins=True)
ENTITIES = Key("entities", STRINGS, joins=True)
DOCUMENT_ID = Key("document_id", NAME, joins=True)
CHUNK_ID = Key("chunk_id", PLACE, joins=True)
_OF_THE_LAYOUT = (
    FOREIGN_KEYS,
    INFERRED_KEYS,
    LINKS,
    MENTIONS,
    ENTITIES,
    Key("keywords", STRINGS, lenient=True),
    DOCUMENT_ID,
    Key("amr", STRING),
    Key("db", STRING, read=False),
    Key("table", STRING, read=False),
    CHUNK_ID,
)


class Keys(Mapping[str, Key]):
    """The keys by name: those of the BEIR layout, then those of added proximities."""

    def __init__(self) -> None:
        """Start with the keys of the layout."""
        self._known = {key.name: key for key in _OF_THE_LAYOUT}

    def __getitem__(self, name: str) -> Key:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def items(self) -> ItemsView[str, Key]:
        """The names and keys; the inherited method takes ten times as long."""
        return self._known.items()

    def add(self, further: Iterable[Key]) -> None:
        """Sets the keys that are known besides those of the layout.

        Raises:
            InputError: if two keys with the same name have different types.
        """
        # A new mapping instead of a change in place: threads may be reading the old one.
        known = {key.name: key for key in _OF_THE_LAYOUT}
        for key in further:
            own = known.get(key.name, key)
            if own.form.told != key.form.told:
                raise InputError(
                    f"metadata key: {key.name!r} is {own.form.told}, and cannot be "
                    f"{key.form.told} as well; choose another name"
                )
            known[key.name] = replace(own, joins=own.joins or key.joins)
        self._known = known

    def is_text(self, name: str) -> bool:
        """Whether the values of this key are always strings."""
        return name in self._known and self._known[name].form in (STRING, NAME)

    @property
    def joining(self) -> tuple[str, ...]:
        """The names of the keys that the graph is built from."""
        return tuple(key.name for key in self._known.values() if key.joins)


KEYS = Keys()
