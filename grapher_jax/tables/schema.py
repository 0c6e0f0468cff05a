"""The tables of a corpus with their columns, and the keys that join them, as a graph."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING
from unicodedata import normalize

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from grapher_jax.checks import shown
from grapher_jax.corpus.columns import Column, columns_of, in_any_case
from grapher_jax.corpus.database.copies import copies_of
from grapher_jax.corpus.inferred.listing import DECLARED, listed_keys
from grapher_jax.corpus.inferred.types import InferredKey, listed, strings_in
from grapher_jax.corpus.objects import Object
from grapher_jax.corpus.searchable import are_tables
from grapher_jax.errors import InputError, require
from grapher_jax.graph import of_keys
from grapher_jax.retrieve import Collection

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# How much a step becomes longer for each factor e in the number of tables that join the table. It
# is so small that paths with fewer steps are usually preferred; see docs/decisions.md.
_HUB = 0.1
# The maximum number of names in a message.
_MOST_TOLD = 5
# What databases call the schema that is not written in ids.
_DEFAULT_SCHEMAS = ("public", "dbo", "main")


@dataclass(frozen=True)
class Table:
    """A table or view.

    Attributes:
        id: the id of its object.
        name: the name without its schema.
        columns: its columns, in order.
        kind: `table`, `view` or `materialized view`.
        schema: the name of its schema; empty for the default one.
        comment: the database's comment; may be empty.
        primary_key: the columns of the primary key; empty if unknown.
        database: the name of its database; empty if unknown.
        dialect: SQLAlchemy's name of its SQL dialect; empty if unknown.
        copies: the names of tables for which it stands, see `read_database`.
    """

    id: str
    name: str
    columns: tuple[Column, ...]
    kind: str = "table"
    schema: str = ""
    comment: str = ""
    primary_key: tuple[str, ...] = ()
    database: str = ""
    dialect: str = ""
    copies: tuple[str, ...] = ()

    @property
    def is_view(self) -> bool:
        """Whether it is a view, materialised or not."""
        return "view" in self.kind


@dataclass(frozen=True)
class Schema:
    """The tables of a corpus, and the keys that join them.

    Attributes:
        objects: the objects of the corpus, all of which are tables.
    """

    objects: Sequence[Object]

    @cached_property
    def ids(self) -> list[str]:
        """The id of each table."""
        return [item.id for item in self.objects]

    @cached_property
    def row(self) -> dict[str, int]:
        """The row of each table, by its id."""
        return {name: row for row, name in enumerate(self.ids)}

    @cached_property
    def joins(self) -> tuple[InferredKey, ...]:
        """The keys between tables, including self-references, declared ones first, without repeats.

        A key without referenced columns means those of the primary key. Columns are looked up
        ignoring case, as in databases; if one is missing, the key has no columns. The tables that a
        view reads do not count as joins.
        """
        found: dict[InferredKey, None] = {}
        views = {item.id for item in self.objects if "view" in str(item.metadata.get("kind"))}
        for key in listed_keys(self.objects):
            if key.table in views and not key.columns:
                continue
            if key.references in self.row:
                found[self._resolved(key)] = None
        return tuple(sorted(found, key=lambda key: key.by != DECLARED))

    def _resolved(self, key: InferredKey) -> InferredKey:
        """The key with its column names spelled as in their tables."""
        own, other = self.row[key.table], self.row[key.references]
        referenced = key.referenced_columns
        if key.columns and not referenced:
            referenced = self.table(other).primary_key
        left = [self._spelled(own, name) for name in key.columns]
        right = [self._spelled(other, name) for name in referenced]
        known = [*filter(None, left)], [*filter(None, right)]
        if len(known[0]) == len(known[1]) == len(left) == len(right):
            return replace(key, columns=tuple(known[0]), referenced_columns=tuple(known[1]))
        return replace(key, columns=(), referenced_columns=())

    def _spelled(self, row: int, name: str) -> str | None:
        """A column of a table, by its name or else by its name in another case."""
        columns = self._columns[row]
        return columns.get(name, columns.get(name.casefold()))

    @cached_property
    def _columns(self) -> list[dict[str, str]]:
        """The columns of each table, by their names and, if nothing else has it, case-folded."""
        return [in_any_case(one.name for one in columns_of(item)) for item in self.objects]

    @cached_property
    def ends(self) -> Int[ndarray, "J 2"]:
        """`[J, 2]` the rows of each of `joins`: the referencing and the referenced table."""
        rows = [(self.row[key.table], self.row[key.references]) for key in self.joins]
        return np.array(rows, np.int32).reshape(-1, 2)

    @cached_property
    def ways(self) -> "csr_array":
        """`[N, N]` the distance of two tables that a key joins; symmetric.

        It is one step, and more for a table that many others join: two tables that both reference a
        country are less related than two that reference each other.
        """
        sparse, count = require("scipy.sparse"), len(self.objects)
        left, right = np.unique(np.sort(self.ends[self.ends[:, 0] != self.ends[:, 1]], 1), axis=0).T
        left, right = np.concatenate([left, right]), np.concatenate([right, left])
        far = 1 + _HUB * np.log(np.bincount(left, minlength=count).clip(1))
        return sparse.csr_array((np.maximum(far[left], far[right]), (left, right)), (count, count))

    def ways_without(self, avoided: Set[int]) -> "csr_array":
        """`[N, N]` these distances without the keys of some rows."""
        if not avoided:
            return self.ways
        ways = self.ways.tocoo()
        kept = ~np.isin(ways.coords, [*avoided]).any(axis=0)
        left, right = (rows[kept] for rows in ways.coords)
        return require("scipy.sparse").csr_array((ways.data[kept], (left, right)), ways.shape)

    def read_by_view(self, row: int) -> list[str]:
        """The ids of the tables that a view reads; empty for a table."""
        own = self.objects[row].metadata
        if "view" not in str(own.get("kind")):
            return []
        return [name for name in map(str, listed(own.get("foreign_keys"))) if name in self.row]

    def neighbors(self, row: int) -> list[int]:
        """The rows that a key joins to this one."""
        start, stop = self.ways.indptr[row : row + 2]
        found: list[int] = self.ways.indices[start:stop].tolist()
        return found

    @cached_property
    def component(self) -> Int[ndarray, " N"]:
        """`[N]` the connected component of each row, as a number."""
        return require("scipy.sparse.csgraph").connected_components(self.ways)[1]

    def find(self, name: str) -> int:
        """The row of the table with this id, else with this name if unique; case is ignored.

        A table of the default schema may be named with it, as `public.orders`; a table's copies
        mean the table.

        Raises:
            InputError: listing similar names, or all ids that are possible.
        """
        if name in self.row:
            return self.row[name]
        rows = self._named.get(_folded(name), [])
        own = [row for row in rows if _folded(self.ids[row]) == _folded(name)]
        rows = own or rows
        if len(rows) == 1:
            return rows[0]
        if rows:
            meant = ", ".join(self.ids[row] for row in rows[:_MOST_TOLD])
            raise InputError(f"table: {shown(name)} may be any of {meant}; give its id")
        near = get_close_matches(_folded(name), self._named, n=_MOST_TOLD)
        told = ", ".join(dict.fromkeys(self.ids[self._named[one][0]] for one in near))
        cure = (
            f"near names: {told}"
            if near
            else "a question finds tables, by `find_tables` or in Python by Index.tables"
        )
        raise InputError(f"table: {shown(name)} is not in the index; {cure}")

    @cached_property
    def _named(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for row, item in enumerate(self.objects):
            table = str(item.metadata.get("table") or "")
            names = {item.id, table}
            if table and not item.metadata.get("schema"):
                names |= {f"{schema}.{table}" for schema in _DEFAULT_SCHEMAS}
            for name in set(map(_folded, names)):
                found.setdefault(name, []).append(row)
        for row, item in enumerate(self.objects):
            copies = {*copies_of(item), *strings_in(item.metadata.get("copies"))}
            for name in set(map(_folded, copies)) - found.keys():
                found[name] = [row]
        return found

    def among(self, rows: Sequence[int]) -> list[InferredKey]:
        """The keys between these rows."""
        return [self.joins[place] for place in np.flatnonzero(self._held(rows).all(1))]

    def leaving(self, rows: Sequence[int]) -> list[InferredKey]:
        """The keys from these rows to others."""
        left, right = self._held(rows).T
        return [self.joins[place] for place in np.flatnonzero(left & ~right)]

    def _held(self, rows: Sequence[int]) -> Bool[ndarray, "J 2"]:
        """Which of `ends` are among these rows."""
        chosen = np.zeros(len(self.objects), bool)
        chosen[list(rows)] = True
        held: Bool[ndarray, "J 2"] = chosen[self.ends]
        return held

    def pieces(self, rows: Sequence[int]) -> list[list[int]]:
        """The rows in groups connected by keys between them, in the order of `rows`."""
        group = {row: {row} for row in rows}
        for key in self.among(rows):
            left, right = group[self.row[key.table]], group[self.row[key.references]]
            if left is not right:
                left |= right
                group |= dict.fromkeys(right, left)
        pieces: dict[int, list[int]] = {}
        for row in rows:
            pieces.setdefault(id(group[row]), []).append(row)
        return list(pieces.values())

    def table(self, row: int) -> Table:
        """One table with its columns, from its metadata or else its text; read once."""
        if row not in self._tables:
            self._tables[row] = self._read_table(row)
        return self._tables[row]

    @cached_property
    def _tables(self) -> dict[int, Table]:
        return {}

    def _read_table(self, row: int) -> Table:
        item = self.objects[row]
        own = item.metadata

        def text(name: str) -> str:
            value = own.get(name)
            return value if isinstance(value, str) else ""

        columns = columns_of(item)
        known = {column.name for column in columns}
        primary = tuple(map(str, listed(own.get("primary_key"))))
        return Table(
            item.id,
            text("table") or item.id,
            columns,
            text("kind") or "table",
            text("schema"),
            text("comment"),
            primary if known.issuperset(primary) else (),
            text("db"),
            text("dialect"),
            strings_in(own.get("copies")),
        )

    def keys_of(self, row: int) -> frozenset[str]:
        """The columns of a table by which it is joined or its rows are identified."""
        name = self.ids[row]
        columns = {*self.table(row).primary_key}
        for key in self._joins_of.get(row, ()):
            columns.update(key.columns if key.table == name else ())
            columns.update(key.referenced_columns if key.references == name else ())
        return frozenset(columns)

    @cached_property
    def _joins_of(self) -> dict[int, list[InferredKey]]:
        """The keys of each table that has any."""
        found: dict[int, list[InferredKey]] = {}
        for key, ends in zip(self.joins, self.ends.tolist(), strict=True):
            for row in {*ends}:
                found.setdefault(row, []).append(key)
        return found


def keys_join_tables(collection: Collection) -> bool:
    """Whether foreign keys join any objects and most objects are tables; computed once."""
    return collection.kept.get(_keys_join_tables, collection)


def _folded(name: str) -> str:
    return normalize("NFC", name).casefold()


def _keys_join_tables(collection: Collection) -> bool:
    # Scanning all objects is only needed if there are keys.
    keys = of_keys(collection.graph.proximities())
    return bool(keys) and are_tables(collection.objects)


def schema_of(collection: Collection) -> Schema:
    """The tables of a collection and the keys that join them, read once.

    Raises:
        InputError: if its objects are not tables.
    """
    return collection.kept.get(_schema, collection)


def _schema(collection: Collection) -> Schema:
    if not are_tables(collection.objects):
        raise InputError(
            "index: its objects are no tables; search it, or index a database by its URL, or a "
            "BEIR folder whose objects have foreign_keys or a table in their metadata"
        )
    return Schema(collection.objects)
