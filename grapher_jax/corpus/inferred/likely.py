"""Infers which table a column references, from candidates by name and a fitted model.

Every table whose name may be in the column's name, and every table whose key has the column's name,
is a candidate. A few features describe a candidate's names, keys and types; the sum of their
weights is its score. The probability of a candidate, among the column's candidates and the option
that it references none of them, is proportional to the exponential of its score (McFadden's
conditional logit, 1974). So if two candidates fit equally well, neither is likely.
`bench/inferred_key_weights.py` fits the weights.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import TypeVar

from grapher_jax.corpus.inferred.names import (
    ANY,
    CALENDAR,
    PLAIN,
    Column,
    Described,
    describe,
    held_by_most,
    singular,
)
from grapher_jax.corpus.inferred.types import InferredKey, Table
from grapher_jax.corpus.inferred.unlikely import is_unlikely

T = TypeVar("T")
WEIGHTS: Mapping[str, float] = {
    # How the column's name refers to the table; exactly one of these applies.
    "name": 2.76,  # `customer_id`, of `customers`
    "family": 2.55,  # `unit_id` of `blog_entry`, of `blog_unit`: `blog` begins its own name too
    "words": 2.01,  # `user_id`, of `auth_user`
    "letters": 1.52,  # `payment_id`, of `orderpayment`
    "beginning": 0.29,  # `attrib_id`, of `attributes`
    "initials": -1.01,  # `hda_id`, of `history_dataset_association`
    "front": -0.17,  # `user_created_id`, of `user`
    "person": 0.56,  # `created_by_id`, of `user`
    "key": 0.72,  # `school_id`, of `university`, whose key is `school_id`
    # Other features of the names.
    "role": -2.47,  # `billing_customer_id`: not all words of the column refer to the table
    "unread": -4.97,  # the fraction of the table name's letters to which nothing refers
    "unmarked": -0.84,  # `customer`: no `_id`; times the fraction of tables with marked columns
    "unmarked among marked": -3.39,
    "number among marked": -1.29,  # and if it is a number, as quantities are
    # The name of the table's key: `id` or similar, the table's name, a part of it, or an unknown
    # name while the table also marks other columns. Another table's name has no feature; "odd" is
    # the fraction of plain keys in the database if this key is not plain.
    "plain key": 1.79,
    "own key": 1.48,
    "near key": 0.70,
    "strange key": -1.98,
    "odd key": -2.64,
    "second key": -1.94,  # unique, but not the primary key
    # Features of the tables.
    "bridge": -3.49,  # it only joins other tables, and the column does not contain its whole name
    "copied": -4.88,  # the column is copied from a table whose history this one stores
    # The table has a column of this name too, which is no key; both may reference a third table.
    "shared beginning": -2.40,  # the column refers to the beginning of the table's name, or its end
    "shared name": -1.81,  # it refers to the whole name
    "other type": -2.81,  # CHAR(32) is not VARCHAR(255)
}
# References by the whole name, or by all except the prefix of the column's own table.
_WHOLE = ("name", "family")
# More tables than these with a primary key of one name number their rows by it.
_OWNERS = 2
# The minimum probability of a table.
LIKELY = 0.4
# Words that refer to more tables than this are ignored, unless they are a whole name or a family's
# prefix.
_MOST = 20
_SHORTEST = 3
# Only this many letters of a name are matched by parts; names in databases are shorter, but files
# may have longer ones.
_LONGEST = 128
# Fewer tables may have a common prefix by chance.
_FAMILY = 3
# The fraction of tables with a column of a key's name by which the name alone says that it is one.
_COMMON = 0.2
_PARENTS = {
    *("parent", "reportto", "replyto", "supervisor", "superior"),
    *("predecessor", "previous", "prior"),
}
# The roles of a user for a row.
_PEOPLE = {"by", "owner", "author", "creator", "editor", "assignee", "reviewer"}


@dataclass(frozen=True)
class Candidate:
    """A table that a column may reference.

    Attributes:
        table: the table.
        key: its referenced column.
        evidence: the features, by their names in `WEIGHTS`.
    """

    table: Described
    key: Column
    evidence: Mapping[str, float]

    @property
    def odds(self) -> float:
        """The odds of this table against no table."""
        return exp(sum(WEIGHTS[name] * value for name, value in self.evidence.items()))


def infer_by_name(tables: Sequence[Table]) -> Iterator[InferredKey]:
    """The foreign keys that names suggest, table by table, within one database.

    Left out are ambiguous columns, pairs such as `owner_type` and `owner_id`, which name a table in
    each row, tables whose only key has several columns, and columns of incompatible types.
    """
    for source, column, candidates in weighed(tables):
        is_parent = _calls_parent(source, column)
        if is_parent:
            candidates = []
        same = [one.table for one in candidates if one.key.joined == column.joined]
        if header := source.header(column, same):
            candidates = [one for one in candidates if one.table is header]
        odds = [one.odds for one in candidates]
        best = max(odds, default=0.0)
        alike = [one for one, odd in zip(candidates, odds, strict=True) if odd == best]
        others = [one for one in alike if one.table is not source]
        target, key = source, source.key
        if any(is_unlikely(source, column, one) for one in others):
            continue
        if best >= LIKELY * (1 + sum(odds)) and len(others) < 2:
            # Of two tables with the same key, that with the longer name references the other.
            if others and (len(alike) == 1 or _is_longer(source, others[0].table)):
                target = others[0].table
                key = target.own_column(column) or others[0].key
        elif not (is_parent or singular(column.stem or column.words) in _PARENTS):
            continue
        if key and key is not column and key.fits(column):
            yield InferredKey(source.id, (column.name,), target.id, (key.name,), "name")


def weighed(tables: Sequence[Table]) -> Iterator[tuple[Described, Column, list[Candidate]]]:
    """Each column that may be a foreign key, with its candidates, even the table's own key."""
    described = describe(tables)
    names = _Names(described)
    for source in described:
        for column in source.columns:
            if not column.polymorphic:
                yield source, column, names.candidates(source, column)


def copied_columns(tables: Sequence[Described]) -> Mapping[str, frozenset[str]]:
    """For each table of a database, by id, the columns copied from one whose history it stores."""
    return _Names(tables).copied


class _Names:
    """The tables of a database, indexed by the names that columns may use for them."""

    def __init__(self, tables: Sequence[Described]) -> None:
        with_key = [table for table in tables if table.key]
        first = Counter(table.words[0] for table in tables if len(table.words) > 1)
        self._families = {word for word, count in first.items() if count >= _FAMILY}
        # In a database with a schema for each customer, all these tables have the same columns.
        self._repeated = Counter(table.full for table in with_key)
        self._ends: dict[str, list[tuple[Described, int]]] = defaultdict(list)
        self._begins: dict[str, list[Described]] = defaultdict(list)
        # For endings of many names: the positions in that list, by the text before the ending.
        self._crowded: dict[str, Mapping[str, list[int]]] = {}
        self._initials: dict[str, list[Described]] = defaultdict(list)
        self._turned: dict[str, list[Described]] = defaultdict(list)
        self._keys: dict[str, list[Described]] = defaultdict(list)
        for table in with_key:
            full, cuts = table.full, table.cuts
            for at in range(min(len(full), _LONGEST)):
                if at in cuts or len(full) - at >= _SHORTEST:
                    self._ends[full[at:]].append((table, at))
            for at in cuts:
                for end in range(at + _SHORTEST, min(len(full), _LONGEST)):
                    self._begins[full[at:end]].append(table)
            if len(table.words) == 2:
                self._turned[singular(table.words[::-1])].append(table)
            for at in range(len(table.words) - 1):
                self._initials["".join(word[0] for word in table.words[at:])].append(table)
            for key in table.keys:
                # `year_id` is a key of a table of years alone.
                if CALENDAR.isdisjoint(key.stem[-1:]) or table.nearness(key) == 2:
                    for name in key.called - PLAIN:
                        self._keys[name].append(table)
        self._owners = Counter(table.key.joined for table in with_key if table.key)
        having = Counter(name for table in tables for name in {one.joined for one in table.columns})
        least = max(_FAMILY, _COMMON * len(tables))
        self._everywhere = held_by_most((one.joined for one in own.columns) for own in tables)
        known = [(key, table) for table in with_key for key in table.keys]
        times = Counter(key.joined for key, _ in known)
        self._common = {
            key.joined
            for key, table in known
            if times[key.joined] == 1 and having[key.joined] >= least and not _is_beside(table, key)
        }
        self._plain = _share(table.key.joined in ANY for table in with_key if table.key)
        self._marked = _share(_marking(tables))
        self.copied = {table.id: self._copied_by(table) for table in tables}
        self._told = {
            (table.id, key.name): self._tells(table, key)
            for table in with_key
            for key in table.keys
        }

    def candidates(self, source: Described, column: Column) -> list[Candidate]:
        """The tables that the column may reference; its own table only if it is its key.

        A key that is named after its own table references others by their whole names alone.
        """
        calls: dict[str, _Call] = {}
        for call in self._calls(source, column):
            calls.setdefault(call.table.id, call)
        may_be = self._references(source, column)
        found = []
        for call in calls.values():
            key = call.table.key_for(column)
            if key and may_be(call, key):
                evidence = dict(self._evidence(source, column, call, key))
                found.append(Candidate(call.table, key, evidence))
        if column.is_marked_first:
            found = _begun(column, found)
        # Beside a declared key of the column's name, a guessed one is a reference to it.
        same = column.joined if column.stem else ""
        if any(one.table.declared and one.key.joined == same for one in found):
            found = [one for one in found if one.key.joined != same or not _is_guessed(one)]
        # The only table with this key is meant rather than those that begin with its name.
        if same and sum(_declares_first(one, same) for one in found) == 1:
            found = [
                one for one in found if one.key.joined == same or "beginning" not in one.evidence
            ]
        return found

    def _references(self, source: Described, column: Column) -> Callable[["_Call", Column], bool]:
        """Which of the tables that a column's name calls it may reference, by their keys."""
        is_key = column is source.key
        # Several tables number their rows by a column of this name, as `value_id`.
        shared = is_key and bool(source.declared) and self._owners[column.joined] > _OWNERS
        is_number = shared and singular(column.stem) in PLAIN
        # A part of the own key: `email_address_id` is none of an address.
        is_part = not is_key and singular(column.stem) == source.full
        is_own = is_number or (is_key and source.nearness(column) == 2)

        def may_be(call: _Call, key: Column) -> bool:
            if (call.table is source and not is_key) or (call.role and is_part):
                return False
            is_named, is_whole = column.calls(key), call.how in _WHOLE
            if column.counts:
                return is_named and (is_whole or not is_number)
            return is_whole or (is_named and not is_number) or not is_own

        return may_be

    def _calls(self, source: Described, column: Column) -> Iterator["_Call"]:
        """The tables to which the column's name may refer, the most likely first.

        If the name is a table's whole name, its parts are not matched; if it is that of many
        tables, nothing is.
        """
        stem = column.stem or column.words
        words, spare = (*column.prefix, *stem), len(column.prefix)
        is_whole = False
        regular = {singular(words[first:]) for first in range(len(words))}
        for first, name in enumerate(column.whole_names):
            for table, at in self._ending(name, source):
                if name not in regular and at in table.cuts:
                    how, unread = _how(table, at, source), self._unread(table, name)
                    yield _Call(table, how, unread, max(0, first - spare))
        for first in range(len(words)):
            name, role = singular(words[first:]), max(0, first - spare)
            if self._repeated[name] > _MOST:
                return
            for table, at in self._ending(name, source):
                how = _how(table, at, source)
                is_whole |= how in _WHOLE
                yield _Call(table, how, self._unread(table, name), role)
            # `local_data_id`, of `data_local`.
            for table in _few(self._turned.get(name, ())):
                yield _Call(table, "words", 0.0, role)
            for table in _few(self._begins.get(name, ())):
                yield _Call(table, "beginning", self._unread(table, name), role)
            for table in _few(self._initials.get(name, ())):
                yield _Call(table, "initials", 0.0, role)
            if is_whole:
                break
        if not is_whole or column.is_marked_first:
            yield from self._loose_calls(source, stem)
        if column.joined in self._everywhere and not column.stem:
            return
        for first, called in enumerate(column.tails):
            for table in _few(self._keys.get(called, ())):
                yield _Call(table, "key", 0.0, max(0, first - spare))

    def _loose_calls(self, source: Described, stem: tuple[str, ...]) -> Iterator["_Call"]:
        """Tables whose name is followed by other words, and users by role (`created_by`)."""
        lasts = range(len(stem) - 1, 0, -1)
        fronts = [stem[first:last] for last in lasts for first in range(last)]
        people = [("user",)] if stem[-1] in _PEOPLE else []
        for how, names in (("front", fronts), ("person", people)):
            for name in map(singular, names):
                for table, at in self._ending(name, source):
                    if at in table.cuts:
                        yield _Call(table, how, self._unread(table, name))

    def _ending(self, name: str, source: Described) -> list[tuple[Described, int]]:
        """The tables whose names have this ending, and its position."""
        found = self._ends.get(name, [])
        if len(found) <= _MOST:
            return found
        if name not in self._crowded:
            before: dict[str, list[int]] = defaultdict(list)
            for place, (table, at) in enumerate(found):
                before[table.full[:at]].append(place)
            self._crowded[name] = before
        begun = (source.full[:end] for end in range(len(source.full) + 1))
        places = [place for text in begun for place in self._crowded[name].get(text, ())]
        return [found[place] for place in sorted(places)]

    def _unread(self, table: Described, name: str) -> float:
        """The fraction of the table's name that is neither this name nor the family's prefix."""
        family = table.cuts[1] if table.words[0] in self._families and len(table.cuts) > 1 else 0
        return max(0.0, len(table.full) - len(name) - family) / len(table.full)

    def _evidence(
        self, source: Described, column: Column, call: "_Call", key: Column
    ) -> Iterator[tuple[str, float]]:
        """The features for and against a table."""
        table, how = call.table, call.how
        is_same = self._is_same(column, table, key)
        if how not in _WHOLE and column.calls(key):
            how = "key"
        yield how, 1.0
        if how not in (*_WHOLE, "key"):
            yield "unread", call.unread
        if column.joined in self.copied[source.id]:
            yield "copied", 1.0
        if column.type and key.type and column.type != key.type and column.family != "number":
            yield "other type", 1.0
        told = self._told[table.id, key.name]
        if self._is_common(column, key):
            if told in ("own key", "near key"):
                yield told, 1.0
            return
        if call.role and not is_same:
            yield "role", 1.0
        # A number that is named after a person is the number of a person.
        is_person = how == "person" and column.family == key.family == "number"
        if not column.stem and not is_person and not is_same:
            yield "unmarked", 1.0
            yield "unmarked among marked", self._marked
            if column.family == "number":
                yield "number among marked", self._marked
        if told:
            yield told, 1.0
        if told != "plain key" and key.stem:
            yield "odd key", self._plain
        if key is not table.key:
            yield "second key", 1.0
        if how not in _WHOLE and told != "own key" and table.is_bridge:
            yield "bridge", 1.0
        shared = table.others.intersection(column.tails) - ANY
        if column.stem and how in (*_WHOLE, "beginning", "words") and shared:
            yield "shared name" if how in _WHOLE else "shared beginning", 1.0

    def _is_common(self, column: Column, key: Column) -> bool:
        """Whether a key is the only one of its name, and a good part of all tables have the name.

        So it is in warehouses of health or of events, whatever the key's own table is called.
        """
        return bool(column.stem) and column.joined == key.joined and key.joined in self._common

    def _is_same(self, column: Column, table: Described, key: Column) -> bool:
        """Whether a column has the name of a primary key that says its table's name: `num_lit`."""
        others = {singular(key.words[1:]), singular(key.words[:-1])} - {""}
        return (
            key is table.key
            and column.joined == key.joined
            and self._owners[key.joined] == 1
            and any(table.full[at:] in others for at in table.cuts)
        )

    def _tells(self, table: Described, key: Column) -> str:
        """How the name of a key relates to the name of its table."""
        if key.joined in ANY:
            return "plain key"
        nearness = table.nearness(key)
        if nearness == 2:
            return "own key"
        named = self._ends.get(singular(key.stem or key.words), ())
        if any(other is not table and self._begins_at(other, at) for other, at in named):
            return ""
        if nearness:
            return "near key"
        return "strange key" if key.stem and table.marks_others else ""

    def _begins_at(self, table: Described, at: int) -> bool:
        """Whether the table's name begins at this position, or does after the family's prefix."""
        return at == 0 or (table.words[0] in self._families and table.cuts[1:2] == (at,))

    def _copied_by(self, table: Described) -> frozenset[str]:
        """The values of tables whose name ends this table's name and whose columns it has all."""
        own = frozenset(column.joined for column in table.columns)
        found: set[str] = set()
        for at in range(1, len(table.full) - _SHORTEST):
            for other, start in _few(self._ends.get(table.full[at:], ())):
                columns = {column.joined for column in other.columns}
                values = columns - {key.joined for key in other.keys[:1]}
                is_less = 2 < len(columns) < len(own)
                if start in other.cuts and is_less and values < own:
                    found |= values
        return frozenset(found)


def _begun(column: Column, found: list[Candidate]) -> list[Candidate]:
    """The candidates with whose key's name the column begins, the longest; all if there is none.

    `id_address_invoice` is a reference to the `id_address` of an invoice.
    """
    lengths = [
        len(one.key.words) * (one.key.words == column.words[: len(one.key.words)]) for one in found
    ]
    longest = max(lengths, default=0)
    if not 1 < longest < len(column.words):
        return found
    return [one for one, length in zip(found, lengths, strict=True) if length == longest]


def _declares_first(one: Candidate, name: str) -> bool:
    """Whether a table declares a column of this name as its primary key."""
    return bool(one.table.declared) and one.key is one.table.key and one.key.joined == name


def _is_guessed(one: Candidate) -> bool:
    """Whether a key is guessed that is not named after its own table."""
    return not one.table.declared and singular(one.key.stem) != one.table.full


@dataclass(frozen=True)
class _Call:
    """How a column refers to a table; `role` counts the words before, without the prefix."""

    table: Described
    how: str
    unread: float
    role: int = 0


def _is_beside(table: Described, key: Column) -> bool:
    """Whether a table is called after the key that it declares and more: `user_settings`."""
    stem = singular(key.stem)
    return bool(table.declared and stem) and table.full.startswith(stem) and stem != table.full


def _how(table: Described, at: int, source: Described) -> str:
    if at == 0:
        return "name"
    if source.full.startswith(table.full[:at]):
        return "family"
    return "words" if at in table.cuts else "letters"


def _is_longer(one: Described, other: Described) -> bool:
    """Whether a table's name is longer than another's, or is behind it in the alphabet."""
    return (len(one.full), one.full) > (len(other.full), other.full)


def _calls_parent(source: Described, column: Column) -> bool:
    """Whether a column is called after a parent and its own table, as `parent_category_id`."""
    first, *rest = column.stem or column.words
    name = singular(tuple(rest))
    ends = bool(rest) and source.full.endswith(name)
    return first in _PARENTS and ends and len(source.full) - len(name) in source.cuts


def _marking(tables: Sequence[Described]) -> Iterator[bool]:
    """Whether each table marks a key column, ignoring columns of most tables (`create_uid`)."""
    often = Counter(column.joined for table in tables for column in table.columns)
    for table in tables:
        others = (column for column in table.columns if column is not table.key)
        yield any(one.stem and 2 * often[one.joined] <= len(tables) for one in others)


def _few(found: Sequence[T]) -> Sequence[T]:
    return found if len(found) <= _MOST else ()


def _share(told: Iterable[bool]) -> float:
    every = list(told)
    return sum(every) / len(every) if every else 0.0
