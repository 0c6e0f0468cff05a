"""Names of tables and columns as words: `customer_id` and `CustomerId` are of `Customers`."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain

from grapher_jax.corpus.inferred.types import Table
from grapher_jax.text import parts

_WORD = re.compile(r"[^\W_]+")
# How a column says that it holds a key; the second ones also where no word begins: `customerid`.
_MARKS = {"cd", "fk", "guid", "nbr", "nr", "num", "pk", "ptr", "ref", "sk", "uid", "uuid"}
_INNER = ("id", "code", "key", "number", "no")
_BEFORE = ("id", "fk")
# What says nothing of the table that is meant, so that two columns of this name are no pair.
_ROWS = ("id", "uid", "rowid")
ANY = {*_ROWS, *_MARKS, *_INNER}
PLAIN = {
    *("name", "title", "label", "description", "type", "kind", "category", "status", "state"),
    *("date", "time", "timestamp", "year", "month", "day", "value", "note", "comment", "text"),
}
_KINDS = ("type", "class", "kind", "model")
# Prefixes of what a table is for, not of what it is of.
_ROLES = {"tbl", "tb", "t", "dim", "fact", "fct", "stg", "ref", "lkp", "lookup", "mst"}
# Letters of a prefix that each column of a table has, such as those of TPC-H.
_LETTERS = 3
# What values are, by how the name of an SQL type begins.
_FAMILIES = {
    "number": (
        *("int", "bigint", "smallint", "tinyint", "mediumint", "hugeint", "uint"),
        *("serial", "bigserial", "num", "dec", "real", "float", "double"),
    ),
    "text": (
        *("char", "varchar", "nvarchar", "nchar", "text", "clob", "string", "citext"),
        *("tinytext", "mediumtext", "longtext"),
    ),
    "time": ("date", "time", "year"),
    "uuid": ("uuid", "uniqueidentifier"),
    "other": ("bool", "blob", "bytea", "json", "xml", "geometry", "bit", "binary", "varbinary"),
}


@dataclass(frozen=True, eq=False)
class Column:
    """A column's name as words, its type, and the family of that."""

    name: str
    words: tuple[str, ...]
    type: str
    polymorphic: bool = False

    @cached_property
    def family(self) -> str:
        """What values of its type are; empty where it cannot be told."""
        kind = self.type.lstrip()
        return next((name for name, begins in _FAMILIES.items() if kind.startswith(begins)), "")

    @cached_property
    def joined(self) -> str:
        """The words as one."""
        return "".join(self.words)

    @cached_property
    def stem(self) -> tuple[str, ...]:
        """The words without those that mark a key; none where no word does."""
        *before, last = self.words
        if before and (last in _MARKS or last in _INNER):
            while len(before) > 1 and before[-1] in _MARKS:
                before.pop()
            return tuple(before)
        if before and self.words[0] in _BEFORE:
            return self.words[1:]
        for mark in _INNER:
            if last.endswith(mark) and len(last) > len(mark):
                return (*before, last.removesuffix(mark))
        return ()

    def fits(self, other: "Column") -> bool:
        """Whether values of both can be equal."""
        return "" in (self.family, other.family) or self.family == other.family

    @cached_property
    def tails(self) -> tuple[str, ...]:
        """Its words as one, then those without the first, and so on."""
        return tuple("".join(self.words[first:]) for first in range(len(self.words)))

    def calls(self, key: "Column") -> bool:
        """Whether it is called as another table's key is, by all its words or the last ones."""
        return key.joined in self.tails and key.joined not in ANY


@dataclass(frozen=True, eq=False)
class Described:
    """A table with its names as words."""

    id: str
    words: tuple[str, ...]
    columns: tuple[Column, ...]
    declared: tuple[str, ...] | None

    @cached_property
    def full(self) -> str:
        """The whole name as one word."""
        return singular(self.words)

    @cached_property
    def keys(self) -> tuple[Column, ...]:
        """What others may name it by: as declared, the primary key first, or guessed."""
        if self.declared is None:
            guessed = self._guessed
            return (guessed,) if guessed else ()
        by_name = {one.name: one for one in self.columns}
        return tuple(by_name[name] for name in self.declared)

    @property
    def key(self) -> Column | None:
        """The first of them."""
        return self.keys[0] if self.keys else None

    def key_for(self, column: Column) -> Column | None:
        """The one that a column of another means."""
        found = next(filter(column.calls, self.keys), self.key)
        return found if found and found.fits(column) else None

    @property
    def _guessed(self) -> Column | None:
        marked = [one for one in self.columns if one.joined in ANY - {"no"} or one.stem]
        told: tuple[Callable[[Column], bool], ...] = (
            lambda one: one.joined in _ROWS or singular(one.stem) == self.full,
            lambda one: len(self.words) == 1 and _shortens(singular(one.stem), self.full),
            lambda one: one is self.columns[0],
        )
        guesses = (one for is_told in told for one in marked if is_told(one))
        named = (one for one in self.columns if singular(one.words) in ("name", self.full))
        return next(chain(guesses, named), None)

    @cached_property
    def cuts(self) -> tuple[int, ...]:
        """Where its words begin in the whole name."""
        return tuple(accumulate((len(singular([word])) for word in self.words[:-1]), initial=0))

    @cached_property
    def marks_others(self) -> bool:
        """Whether a column beside its key is marked as one."""
        return any(column.stem and column is not self.key for column in self.columns)

    @cached_property
    def is_bridge(self) -> bool:
        """Whether all columns beside its key are marked as keys, as where it joins two others."""
        others = [column for column in self.columns if column is not self.key]
        return len(others) > 1 and all(column.stem for column in others)

    def nearness(self, column: Column) -> int:
        """How well its name says that a key of this name is its own: 2, or 1 by a part, or 0."""
        stem, full = singular(column.stem or column.words), self.full
        if any(stem == full[at:] for at in self.cuts):
            return 2
        is_part = full.endswith(stem) or any(stem == full[:at] for at in self.cuts[1:])
        return int(is_part or (len(self.words) == 1 and _shortens(stem, full)))


def describe(tables: Sequence[Table]) -> list["Described"]:
    """Tables with their names as words; those of one database."""
    named = [_words(table.name) for table in tables]
    first = Counter(words[0] for words in named if len(words) > 1)
    found = []
    for table, words in zip(tables, named, strict=True):
        # What most tables begin with is the application's name.
        if len(words) > 1 and (words[0] in _ROLES or (first[words[0]] > max(2, len(tables) / 2))):
            words = words[1:]
        declared = tuple(key[0] for key in table.keys if len(key) == 1) if table.keys else None
        found.append(Described(table.id, words, tuple(_columns(table)), declared))
    return found


def _columns(table: Table) -> Iterator[Column]:
    named = {column: _words(column) for column in table.columns}
    begin = {words[0] for words in named.values()}
    prefixed = len(begin) == 1 < len(named) and len(next(iter(begin))) <= _LETTERS
    if prefixed and all(len(words) > 1 for words in named.values()):
        named = {column: words[1:] for column, words in named.items()}
    joined = {"".join(words) for words in named.values()}
    for column, words in named.items():
        if len(words) > 1:
            words = tuple(word for word in words if not word.isdigit()) or words
        one = Column(column, words, table.types.get(column, "").casefold())
        stem = "".join(one.stem)
        kinds = {f"{stem}{kind}" for kind in _KINDS} if stem else set()
        if stem.endswith("object"):  # Django calls the pair so
            kinds.add(f"{stem.removesuffix('object')}contenttypeid")
        yield Column(column, words, one.type, not kinds.isdisjoint(joined))


def _words(name: str) -> tuple[str, ...]:
    found = tuple(part.casefold() for word in _WORD.findall(name) for part in parts(word))
    return found or (name.casefold(),)


def singular(words: Sequence[str]) -> str:
    """The words as one, of which the last is no plural."""
    return "".join(map(_singular, words))


def _singular(word: str) -> str:
    # `movies` and `cities` cannot be told apart: both end with y, as do `movie` and `city`.
    for plural, one in (("ies", "y"), ("ie", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch")):
        if len(word) > len(plural) + 1 and word.endswith(plural):
            return word.removesuffix(plural) + one
    plain = len(word) < 4 or word.endswith(("ss", "us", "is"))
    return word if plain else word.removesuffix("s")


def _shortens(short: str, word: str) -> bool:
    """Whether it is a word with letters left out, such as `dept` of `department`."""
    if not short or len(short) >= len(word) or short[0] != word[0]:
        return False
    letters = iter(word)
    return all(letter in letters for letter in short)
