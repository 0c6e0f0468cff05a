"""Names of tables and columns as words: `customer_id` and `CustomerId` refer to `Customers`."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from unicodedata import normalize

from grapher_jax.corpus.inferred.types import Table
from grapher_jax.text import parts

# `decimal(20,6)`, as of prices.
_FRACTION = re.compile(r"\s*(?:dec|num)\w*\s*\(\s*\d+\s*,\s*[1-9]")
_WORD = re.compile(r"[^\W_]+")
# The words that mark a column as a key; the second group also without a word boundary:
# `customerid`.
_MARKS = {"cd", "fk", "guid", "nbr", "nr", "num", "pk", "ptr", "ref", "sk", "uid", "uuid"}
_INNER = ("id", "code", "key", "number", "no", "nummer", "nr")
# Before `nr` without a word boundary stand this many letters: `kundennr`, but `KUNNR` of SAP's.
_WHOLE_WORD = 4
_BEFORE = ("id", "fk", "sk")
# Names that say nothing about a table, so that two columns with such a name do not match.
_ROWS = ("id", "uid", "rowid")
ANY = {*_ROWS, *_MARKS, *_INNER}
CALENDAR = {"date", "time", "timestamp", "year", "quarter", "month", "week", "day", "hour"}
PLAIN = CALENDAR | {
    *("name", "title", "label", "description", "type", "kind", "category", "status", "state"),
    *("value", "note", "comment", "text"),
}
# Plurals that are singulars too.
_INVARIANT = {"means", "news", "series", "species"}
_KINDS = ("type", "class", "kind", "model")
# So many tables are many: of fewer, most may well be about the same.
_MANY = 20
# Prefixes for the purpose of a table, not for its content.
_ROLES = {"tbl", "tb", "t", "dim", "fact", "fct", "stg", "ref", "lkp", "lookup", "mst"}
# Such words, and further ones, at the end of the names of several tables.
_LAST_ROLES = {*_ROLES, "tab", "table", "master", "all", "entity", "b", "d", "f"}
_SEVERAL = 3
# The letters with which the names of two tables begin that belong together, as `vbap` and `vbak`.
_ALIKE = 2
# The number of primary keys, and the fraction of all, that have the column of a tenant.
_FEWEST_KEYS, _NEARLY_ALL = 5, 0.8
# Words of a column in primary keys that tells versions of a row apart, or its translations.
_VERSIONS = {
    *("version", "revision", "rev", "valid", "effective", "eff", "effdt", "start", "begin", "from"),
    *("lang", "language", "locale", "iso", "spras", "seq", "line", "pos"),
}
# The maximum length of a prefix of all columns of a table, as in TPC-H, unless it is its name.
_LETTERS = 3
# Types of a few values, as kinds and states are: what is referenced has a wider one.
_TINY = "tinyint"
# The family of values, by the beginning of the SQL type's name.
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
    """A column's name as words, with its type and type family.

    Words are without the prefix that all columns of its table have.
    """

    name: str
    words: tuple[str, ...]
    type: str
    polymorphic: bool = False
    prefix: tuple[str, ...] = ()
    spelled: tuple[str, ...] = ()

    @cached_property
    def family(self) -> str:
        """The family of its type; empty if unknown."""
        kind = self.type.lstrip()
        return next((name for name, begins in _FAMILIES.items() if kind.startswith(begins)), "")

    @cached_property
    def joined(self) -> str:
        """The words joined to one."""
        return "".join(self.words)

    @cached_property
    def called(self) -> frozenset[str]:
        """The names by which other columns may call it as a key: `rev_id`, and without prefix."""
        return frozenset({self.joined, self.tails[0]} - ANY)

    @cached_property
    def stem(self) -> tuple[str, ...]:
        """The words without those that mark a key; empty if no word marks one."""
        *before, last = self.words
        if before and (last in _MARKS or last in _INNER):
            while len(before) > 1 and before[-1] in _MARKS:
                before.pop()
            return tuple(before)
        if before and self.words[0] in _BEFORE:
            return self.words[1:]
        for mark in _INNER:
            stem = last.removesuffix(mark)
            if stem != last and len(stem) >= (_WHOLE_WORD if mark == "nr" else 1):
                return (*before, stem)
        return ()

    @cached_property
    def whole_names(self) -> tuple[str, ...]:
        """The names of a table in one word that it may be: `secretsgroup` for `secrets_group_id`.

        Unlike `singular` of the words, with plurals and numbers within the name.
        """
        words = self.spelled[:-1] if self.stem else self.spelled
        return tuple(
            "".join(words[first:-1]) + _singular(words[-1]) for first in range(len(words) - 1)
        )

    @property
    def is_marked_first(self) -> bool:
        """Whether a mark comes first, and so the table before its role: `id_address_invoice`."""
        return self.words[0] in _BEFORE and len(self.words) > 2

    @property
    def counts(self) -> bool:
        """Whether it is in the plural, as counters are (`total_users`), and not marked as a key."""
        last = self.words[-1]
        is_plural = last.endswith("s") and _singular(last) != last
        return not self.stem and is_plural and last not in _INVARIANT

    def fits(self, other: "Column") -> bool:
        """Whether the other column can hold values of this key."""
        if _FRACTION.match(other.type):
            return False
        if other.type.startswith(_TINY) and not self.type.startswith(_TINY):
            return not self.type
        return "" in (self.family, other.family) or self.family == other.family

    @cached_property
    def tails(self) -> tuple[str, ...]:
        """All words joined, with the prefix, then without the first word, and so on."""
        words = (*self.prefix, *self.words)
        return tuple("".join(words[first:]) for first in range(len(words)))

    def calls(self, key: "Column") -> bool:
        """Whether all its words, or the last ones, are the name of another table's key."""
        return not key.called.isdisjoint(self.tails)


@dataclass(frozen=True, eq=False)
class Described:
    """A table with its names as words.

    `tenant` has the columns of its primary key that those of nearly all tables have, `parts` the
    others if they are several.
    """

    id: str
    words: tuple[str, ...]
    columns: tuple[Column, ...]
    declared: tuple[str, ...] | None
    tenant: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    @cached_property
    def full(self) -> str:
        """The whole name joined to one word."""
        return singular(self.words)

    @cached_property
    def keys(self) -> tuple[Column, ...]:
        """The columns that others may reference: declared, the primary key first, or guessed."""
        if self.declared is None:
            guessed = self._guessed
            return (guessed,) if guessed else ()
        by_name = {one.name: one for one in self.columns}
        return tuple(by_name[name] for name in self.declared)

    @property
    def key(self) -> Column | None:
        """The first of these keys."""
        return self.keys[0] if self.keys else None

    def key_for(self, column: Column) -> Column | None:
        """The key that a column of another table references."""
        found = next(filter(column.calls, self.keys), self.key)
        return found if found and found.fits(column) else None

    def own_column(self, column: Column) -> Column | None:
        """The table's own column of this name, which is referenced instead of a mere row number.

        Only where the table's key is its `rowid`, and the column is named after the table.
        """
        if not (self.key and self.key.joined == "rowid" and column.stem):
            return None
        same = (one for one in self.columns if one.joined == column.joined)
        return next((one for one in same if self.nearness(one) == 2 and one.fits(column)), None)

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
    def others(self) -> frozenset[str]:
        """The names of the columns that are no keys."""
        return frozenset(one.joined for one in self.columns if one not in self.keys)

    @cached_property
    def cuts(self) -> tuple[int, ...]:
        """The positions where words begin in the whole name."""
        return tuple(accumulate((len(singular([word])) for word in self.words[:-1]), initial=0))

    @cached_property
    def marks_others(self) -> bool:
        """Whether a column other than its key is marked as a key."""
        return any(column.stem and column is not self.key for column in self.columns)

    @cached_property
    def is_bridge(self) -> bool:
        """Whether all columns except its key are marked as keys, as in a bridge table."""
        others = [column for column in self.columns if column is not self.key]
        return len(others) > 1 and all(column.stem for column in others)

    def header(self, column: Column, tables: Sequence["Described"]) -> "Described | None":
        """Of tables with the same key, that of which this one has the items: `vbak` for `vbap`.

        The column is a part of this table's own key, and the names of both begin most alike.
        """
        alike = [_same_letters(self.full, table.full) for table in tables]
        most = max(alike, default=0)
        is_one = len(tables) > 1 and most >= _ALIKE and alike.count(most) == 1
        return tables[alike.index(most)] if is_one and column.name in self.parts else None

    def nearness(self, column: Column) -> int:
        """How well a key's name matches the table's name: 2, or 1 for a part, or 0.

        It is 2 for the last words, and for an abbreviation of the last word.
        """
        stem, full = singular(column.stem or column.words), self.full
        if any(stem == full[at:] for at in self.cuts) or _shortens(stem, _singular(self.words[-1])):
            return 2
        return int(full.endswith(stem) or any(stem == full[:at] for at in self.cuts[1:]))


def describe(tables: Sequence[Table]) -> list[Described]:
    """The tables of one database, with their names as words that tell the content."""
    named = [_words(table.name) for table in tables]
    first = Counter(words[0] for words in named if len(words) > 1)
    schemas = {table.schema for table in tables}
    tenants = {one: _tenant([table for table in tables if table.schema == one]) for one in schemas}
    found: list[Described] = []
    for table, words in zip(tables, named, strict=True):
        # A prefix of most tables is the application's name; after it may come the purpose.
        if len(words) > 1 and first[words[0]] > max(2, len(tables) / 2):
            words = words[1:]
        if len(words) > 1 and words[0] in _ROLES:
            words = words[1:]
        found.append(_described(table, words, tenants[table.schema]))
    roles = _last_roles(found)
    # `customer_dim` and `customer_stg` stay apart, as `team_a` and `team_b` do.
    told = (one.words for one in found if one.words[-1] in roles or len(one.words[-1]) == 1)
    names = Counter([*(one.full for one in found), *(singular(words[:-1]) for words in told)])
    for place, (one, table) in enumerate(zip(found, tables, strict=True)):
        shorter = one.words[:-1]
        if one.words[-1] in roles and _may_be_shorter(one) and names[singular(shorter)] == 1:
            found[place] = _described(table, shorter, tenants[table.schema])
    return found


def _described(table: Table, words: tuple[str, ...], tenant: Collection[str]) -> Described:
    keys = [tuple(name for name in key if name not in tenant) or key for key in table.keys]
    declared = tuple(key[0] for key in keys if len(key) == 1) if keys else None
    beside = tuple(name for name in table.keys[0] if name not in keys[0]) if keys else ()
    parts = keys[0] if keys and len(keys[0]) > 1 else ()
    return Described(table.id, words, tuple(_columns(table, words)), declared, beside, parts)


def _tenant(tables: Sequence[Table]) -> set[str]:
    """The columns that the primary keys of nearly all tables have beside others, as SAP's client.

    They tell whose rows these are, and `MANDT, KUNNR` identifies customers as `KUNNR` would. A
    mere `id` beside them is of one table, whatever others call theirs.
    """
    keys = [table.keys[0] for table in tables if table.keys]
    times = Counter(name for key in keys if len(key) > 1 for name in key)
    least = max(_FEWEST_KEYS, _NEARLY_ALL * len(keys))
    named = {name: _words(name) for name, count in times.items() if count >= least}
    dated = {
        name
        for table in tables
        for name, kind in table.types.items()
        if kind.casefold().startswith(_FAMILIES["time"])
    }
    return {
        name
        for name, words in named.items()
        if "".join(words) not in ANY and _VERSIONS.isdisjoint(words) and name not in dated
    }


def _may_be_shorter(table: Described) -> bool:
    """Whether the last word of its name may say what it is for.

    A word that is not known may not if the table has both an id of its own and a key of the shorter
    name: `user_logs` with `id` and `user_id` is not the table of users.
    """
    names = {column.joined for column in table.columns}
    keys = {singular(column.stem) for column in table.columns}
    is_another = not names.isdisjoint(_ROWS) and singular(table.words[:-1]) in keys
    return table.words[-1] in _LAST_ROLES or not is_another


def _last_roles(tables: Sequence[Described]) -> set[str]:
    """The last words of tables' names that say what they are for, as `dim` of `customer_dim`.

    Such a word is a known one, or ends the names of most tables, as `dataset` of
    `customers_dataset`. Columns call most of these tables without it, as `customer_key` does, or
    none with it.
    """
    stems = {column.stem for table in tables for column in table.columns}
    called = {singular(stem[first:]) for stem in stems for first in range(len(stem))}

    def calling(those: Sequence[Described], end: int | None) -> int:
        names = ({singular(one.words[at:end]) for at in range(len(one.words) - 1)} for one in those)
        return sum(not called.isdisjoint(own) for own in names)

    whole, found = {one.full for one in tables}, set[str]()
    ends = Counter(one.words[-1] for one in tables if len(one.words) > 1)
    of_most = {word for word, count in ends.items() if 2 * count > len(tables)}
    for word in (_LAST_ROLES | of_most) - whole:
        those = [one for one in tables if one.words[-1] == word and _may_be_shorter(one)]
        apart = [one for one in those if singular(one.words[:-1]) not in whole]
        with_it, without = calling(those, None), calling(apart, -1)
        is_role = 2 * with_it < without > 1 or (word in _ROLES and not with_it)
        if len(those) >= _SEVERAL and is_role:
            found.add(word)
    return found


def _columns(table: Table, called: tuple[str, ...]) -> Iterator[Column]:
    named = {column: _words(column) for column in table.columns}
    prefix = _prefix([*named.values()], called) if named else ()
    named = {column: words[len(prefix) :] for column, words in named.items()}
    joined = {"".join(words) for words in named.values()}
    for column, words in named.items():
        if len(words) > 1:
            words = tuple(word for word in words if not word.isdigit()) or words
        one = Column(column, words, table.types.get(column, "").casefold())
        stem = "".join(one.stem)
        kinds = {f"{stem}{kind}" for kind in _KINDS} if stem else set()
        if stem.endswith("object"):  # Django's name for such a pair
            kinds.add(f"{stem.removesuffix('object')}contenttypeid")
        spelled = (*prefix, *named[column])
        yield Column(column, words, one.type, not kinds.isdisjoint(joined), prefix, spelled)


def held_by_most(names: Iterable[Iterable[str]]) -> set[str]:
    """The names of columns that more than half of many tables have.

    They join all without telling them apart, as that of the tenant or of who wrote the row.

    Args:
        names: the names of each table's columns.
    """
    every = [{*own} for own in names]
    times = Counter(name for own in every for name in own)
    most = len(every) / 2 if len(every) >= _MANY else len(every)
    return {name for name, count in times.items() if count > most}


def _prefix(columns: Sequence[tuple[str, ...]], table: tuple[str, ...]) -> tuple[str, ...]:
    """The word with which all columns begin, if it is short or the table's name."""
    word = columns[0][0]
    is_first = len(columns) > 1 and all(len(one) > 1 and one[0] == word for one in columns)
    is_known = len(word) <= _LETTERS or _singular(word) in (singular(table), _singular(table[-1]))
    # `id_order` and `id_product` are all keys of a bridge.
    return (word,) if is_first and is_known and word not in _BEFORE else ()


def _words(name: str) -> tuple[str, ...]:
    # Accents are often left out in one of two names; only marks of Latin, Greek and Cyrillic are.
    apart = normalize("NFKD", name)
    name = normalize("NFC", "".join(one for one in apart if not "\u0300" <= one <= "\u036f"))
    found = tuple(part.casefold() for word in _WORD.findall(name) for part in parts(word))
    return found or (name.casefold(),)


def singular(words: Sequence[str]) -> str:
    """The words joined to one, with the last word in the singular."""
    return "".join(map(_singular, words))


def _singular(word: str) -> str:
    # `movies` and `cities` have the same ending, so both end with y here, as do `movie` and `city`.
    for plural, one in (("ies", "y"), ("ie", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch")):
        if len(word) > len(plural) + 1 and word.endswith(plural):
            return word.removesuffix(plural) + one
    # `ads`, but not `gas`.
    plain = len(word) < 3 or (len(word) == 3 and word[1] in "aeiou")
    return word if plain or word.endswith(("ss", "us", "is")) else word.removesuffix("s")


def _same_letters(one: str, other: str) -> int:
    """With how many letters both begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _shortens(short: str, word: str) -> bool:
    """Whether it is an abbreviation by leaving out letters, such as `dept` of `department`."""
    if not short or len(short) >= len(word) or short[0] != word[0]:
        return False
    letters = iter(word)
    return all(letter in letters for letter in short)
