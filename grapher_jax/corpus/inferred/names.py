"""Keys that names, types and declared primary keys tell of, where nobody declared a foreign one.

A name is read as words: `customer_id`, `CustomerId` and `Customers.ID` are of one table. Tables are
looked up by their names, and keys by theirs, so that no two columns are ever compared.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from grapher_jax.corpus.inferred.types import InferredKey, Table
from grapher_jax.text import parts

_WORD = re.compile(r"[^\W_]+")
# How a column says that it holds a key; the second ones also where no word begins: `customerid`.
_MARKS = {"cd", "fk", "guid", "nbr", "nr", "num", "pk", "ref", "sk", "uuid"}
_INNER = ("id", "code", "key", "number", "no")
_BEFORE = ("id", "fk")
# What says nothing of the table that is meant, so that two columns of this name are no pair.
_ROWS = ("id", "uid", "rowid")
_ANY = {*_ROWS, *_MARKS, *_INNER}
_PLAIN = {
    *("name", "title", "label", "description", "type", "kind", "category", "status", "state"),
    *("date", "time", "timestamp", "year", "month", "day", "value", "note", "comment", "text"),
}
_PARENTS = {"parent", "reportto", "replyto", "supervisor", "superior", "predecessor"}
# Whom a user is to a row: `created_by_id`, `owner_id`.
_PEOPLE = {"by", "user", "owner", "author", "creator", "editor", "assignee", "reviewer"}
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


def infer_by_name(tables: Sequence[Table]) -> Iterator[InferredKey]:
    """The foreign keys that names tell of, table by table; those of one database.

    What could be meant by several tables, and pairs such as `owner_type` and `owner_id`, which
    name a table in each row, are left alone. So are tables whose only key has several columns, and
    columns whose types cannot be equal.
    """
    described = describe(tables)
    names = _Names(described)
    for source in described:
        for column in source.columns:
            target = None if column.polymorphic else names.target(source, column)
            key = target.key_for(column) if target else None
            if target and key:
                yield InferredKey(source.id, (column.name,), target.id, (key.name,), "name")


@dataclass(frozen=True, eq=False)
class Column:
    """A column's name as words, and the family of its type."""

    name: str
    words: tuple[str, ...]
    family: str
    polymorphic: bool = False

    @cached_property
    def joined(self) -> str:
        """The words as one."""
        return "".join(self.words)

    @cached_property
    def stem(self) -> tuple[str, ...]:
        """The words without the one that marks a key; none where no word does."""
        *before, last = self.words
        if before and (last in _MARKS or last in _INNER):
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

    def tails(self) -> Iterator["Column"]:
        """The same without its first word, without its first two, and so on."""
        for first in range(1, len(self.words)):
            yield Column(self.name, self.words[first:], self.family)


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
        called = {column.joined, *(tail.joined for tail in column.tails())}
        same = (one for one in self.keys if one.joined in called - _ANY)
        found = next(same, self.key)
        return found if found and found.fits(column) else None

    @property
    def _guessed(self) -> Column | None:
        marked = [one for one in self.columns if one.joined in _ANY - {"no"} or one.stem]
        told: tuple[Callable[[Column], bool], ...] = (
            lambda one: one.joined in _ROWS or singular(one.stem) == self.full,
            lambda one: len(self.words) == 1 and _shortens(singular(one.stem), self.full),
            lambda one: one is self.columns[0],
        )
        guesses = (one for is_told in told for one in marked if is_told(one))
        named = (one for one in self.columns if singular(one.words) in ("name", self.full))
        return next(chain(guesses, named), None)

    @cached_property
    def joins_others(self) -> bool:
        """Whether it looks like a table that is only there to join two others."""
        second = self.columns[1] if len(self.columns) > 1 else None
        return bool(second and second.stem and second is not self.key)

    def nearness(self, column: Column) -> float:
        """How well its name says that a key of this name is its own."""
        stem = singular(column.stem or column.words)
        if stem == self.full:
            return 5.0
        length = len(self.words)
        near = 0.0
        if any(stem == singular(self.words[first:]) for first in range(1, length)):
            near = 4
        elif _shortens(stem, self.full):
            near = 3 if length == 1 else 1
        elif any(stem == singular(self.words[:last]) for last in range(1, length)):
            near = 2
        return near and near - length / 100 - self.joins_others / 2


class _Names:
    """The tables of a database by what columns may call them."""

    def __init__(self, tables: Sequence[Described]) -> None:
        self._full: dict[str, list[Described]] = defaultdict(list)
        self._tails: dict[str, list[Described]] = defaultdict(list)
        keys: dict[str, list[tuple[Described, Column]]] = defaultdict(list)
        first = Counter(table.columns[0].joined for table in tables if table.columns)
        for table in tables:
            if not table.key:
                continue
            self._full[table.full].append(table)
            for start in range(1, len(table.words)):
                self._tails[singular(table.words[start:])].append(table)
            for key in table.keys:
                # A unique column is the table's own where it is called so, or is a code. Else it
                # may be another's key, of which each row has one: `user_id` of `settings`.
                code = key.stem and not key.joined.endswith(("id", "fk", "ref"))
                own = key is table.key or code or singular(key.stem) == table.full
                if own and key.joined not in _ANY | _PLAIN:
                    keys[key.joined].append((table, key))
        owners = {name: _owner(found, alone=first[name] < 2) for name, found in keys.items()}
        # What only its own key says, its name does not: another table's name says more.
        self._owners = {name: table for name, (table, near) in owners.items() if table and near}
        self._weak = {name: table for name, (table, near) in owners.items() if table and not near}

    def target(self, source: Described, column: Column) -> Described | None:
        """The table that a column of another means; none where none or several are."""
        found = self._called(source, column) or self._owners.get(column.joined)
        if found is None and column is not source.key:
            if singular(column.stem or column.words) in _PARENTS:
                return source if source.key else None
            if column.stem and (found := self._in_part(source, column)):
                return found
        found = found or self._weak.get(column.joined)
        return None if found is source else found

    def _called(self, source: Described, column: Column) -> Described | None:
        """The table whose name the column's stem is, or the whole of it.

        Of applications that share a database, each begins its tables with its own name: there
        `unit_id` of `blog_entry` is `blog_unit` first.
        """
        name = singular(column.stem or column.words)
        families = (singular(source.words[:last]) for last in range(len(source.words) - 1, 0, -1))
        for family in families:
            found = _only(self._full.get(family + name, ()))
            if found and found is not source:
                return found
        return _only(self._full.get(name, ()))

    def _in_part(self, source: Described, column: Column) -> Described | None:
        """The table that it means in a role (`billing_customer_id`), or by a part of its name."""
        for tail in column.tails():
            found = self._called(source, tail) if tail.stem else None
            if found := found or self._owners.get(tail.joined):
                return found
        for one in (column, *column.tails()):
            if one.stem and (found := self._ending(singular(one.stem))):
                return found
        return self._ending("user") if column.stem[-1] in _PEOPLE else None

    def _ending(self, name: str) -> Described | None:
        """The one table whose name ends so, where its key is called as any table's."""
        found = _only(self._full.get(name, ()) or self._tails.get(name, ()))
        return found if found and found.key and found.key.joined in _ANY else None


def _only(found: Sequence[Described]) -> Described | None:
    return found[0] if len(found) == 1 else None


def _owner(
    found: Sequence[tuple[Described, Column]], *, alone: bool
) -> tuple[Described | None, float]:
    """The one table whose own key is one of this name, and how near its name is.

    Args:
        found: the tables that have such a key.
        alone: whether no more than one table begins with such a column.
    """
    near = [table.nearness(key) for table, key in found]
    best = max(near)
    owner = found[near.index(best)][0]
    is_own = best or owner.declared is not None or (alone and not owner.joins_others)
    return (owner if is_own and near.count(best) == 1 else None), best


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
        one = Column(column, words, _family(table.types.get(column, "")))
        stem = "".join(one.stem)
        pairs = bool(stem) and any(f"{stem}{kind}" in joined for kind in _KINDS)
        yield Column(column, words, one.family, pairs)


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


def _family(kind: str) -> str:
    """What values of an SQL type are; empty where it cannot be told."""
    word = kind.casefold().lstrip()
    for family, begins in _FAMILIES.items():
        if word.startswith(begins):
            return family
    return ""
