"""PostgreSQL with pgvector: a table with metadata in a jsonb column."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from jaxtyping import Float
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.corpus.filters import Comparison, Condition, comparisons, folded
from grapher_jax.errors import InputError, require
from grapher_jax.files import Json, json_text
from grapher_jax.retrieve.stores.records import SIGNS, BeyondStoreError, Native, Record, Store

_OPERATORS = ("<=>", "<->", "<#>")
_TYPES = ("vector", "halfvec")
# In JSON, where a backslash may be escaped itself.
_NUL = re.compile(r"(?<!\\)(?:\\\\)*+\\u0000")
# `hnsw.ef_search`, which limits the number of records from an HNSW index: the default, and the
# maximum of pgvector.
_LEAST_EF, _MOST_EF = 40, 1000


@dataclass(frozen=True, kw_only=True)
class PgvectorStore(Store):
    """A PostgreSQL table with pgvector 0.8 or later; the search is exact unless an index is used.

    Attributes:
        connection: a psycopg connection; changes are committed, unless a transaction is open.
        table: its name.
        schema: its schema, if it is not on the search path.
        vector: the column that is searched, of type `vector` or `halfvec`.
        identity: the column that holds ids, of any type.
        text: the column that holds texts.
        title: the metadata key that holds titles.
        metadata: the column that holds the metadata; `annotate` and `add` add it.
        operator: the operator of the table's index: `<=>` (cosine), `<->` (Euclidean) or `<#>`
            (inner product). The score is always the cosine.
    """

    connection: Any
    table: str
    schema: str | None = None
    vector: str = "embedding"
    identity: str = "id"
    text: str = "text"
    title: str = "title"
    metadata: str = "metadata"
    operator: str = "<=>"

    _metrics: ClassVar = {"cosine": "itself"}
    _metric = "cosine"

    def __post_init__(self) -> None:
        if self.operator not in _OPERATORS:
            raise InputError(
                f"operator: {self.operator!r} is unknown; use one of {' '.join(_OPERATORS)}"
            )

    @property
    def name(self) -> str:
        """See `Store`."""
        return f"PostgreSQL table {self.table!r}"

    @property
    def dimension(self) -> int | None:
        """See `Store`."""
        found = self._run(
            "SELECT vector_dims({vector}) FROM {table} WHERE {vector} IS NOT NULL LIMIT 1"
        )
        return found[0][0] if found else None

    @property
    def count(self) -> int:
        """See `Store`."""
        return self._run("SELECT count(*) FROM {table}")[0][0]

    def _nearest(
        self, vectors: Float[ndarray, "B d"], k: int, chosen: Native, embeddings: bool
    ) -> Iterable[Sequence[Record]]:
        sql, columns = require("psycopg").sql, self._columns
        condition, given = chosen or (sql.SQL("true"), {})
        metadata, vector = _quoted(self.metadata), _quoted(self.vector)
        query = self._composed(
            "SELECT {identity}::text, 1 - ({vector} <=> %(vector)s::{type}), {text}, {known}, "
            "{embedding} FROM {table} WHERE {vector} IS NOT NULL AND {chosen} "
            "ORDER BY {vector} {operator} %(vector)s::{type} LIMIT %(k)s",
            known=metadata if self.metadata in columns else sql.NULL,
            embedding=sql.SQL("{}::real[]").format(vector) if embeddings else sql.NULL,
            chosen=condition,
            columns=columns,
        )
        with self.connection.transaction(), self._cursor() as cursor:
            # Otherwise an index returns at most 40 records, and fewer with a filter.
            cursor.execute(
                "SELECT set_config('hnsw.ef_search', greatest(%s, "
                "nullif(current_setting('hnsw.ef_search', true), '')::int)::text, true), "
                "set_config('hnsw.iterative_scan', 'strict_order', true)",
                [min(max(k, _LEAST_EF), _MOST_EF)],
            )
            asked = ({**given, "vector": vector, "k": k} for vector in vectors.tolist())
            return [[Record(*row) for row in cursor.execute(query, named)] for named in asked]

    def _chosen(self, wanted: Condition) -> tuple[Native, Mapping[str, Native]]:
        """A condition as SQL, with the values of its parameters."""
        self._check_field("metadata", self.metadata, self._columns)
        for one in comparisons(wanted):
            if _NUL.search(json_text([one.key, one.value], "filter")):
                raise BeyondStoreError  # PostgreSQL refuses it
        sql, given = require("psycopg").sql, _Given(self.metadata)
        made = folded(
            wanted,
            comparison=given.compared,
            every=lambda parts: sql.SQL("({})").format(_joined(parts, " AND ", "true")),
            some=lambda parts: sql.SQL("({})").format(_joined(parts, " OR ", "false")),
            negated=sql.SQL("(NOT coalesce({}, false))").format,
        )
        return made, given.values

    def _known(self, ids: Sequence[str]) -> Iterable[str]:
        ids = [name for name in ids if "\0" not in name]
        found = self._run(
            "SELECT {identity}::text FROM {table} WHERE {identity}::text = ANY(%s)", [ids]
        )
        return (name for (name,) in found)

    def _prepare(self, items: Sequence[Object], *, new: bool) -> None:
        for item in items:
            told = (item.id, item.title, item.text) if new else ()
            if "\0" in "".join(told) or _NUL.search(json_text(dict(item.metadata), "metadata")):
                raise InputError(
                    f"{self.name}: object {item.id!r} has a NUL character, which PostgreSQL does "
                    "not hold; leave it out"
                )

    def _write(self, items: Sequence[Object]) -> None:
        self._extend()
        self._run(
            "UPDATE {table} AS old SET {metadata} = coalesce(old.{metadata}, '{{}}') || new.known "
            "FROM unnest(%s::text[], %s::jsonb[]) AS new (id, known) "
            "WHERE old.{identity}::text = new.id",
            [[item.id for item in items], [_json(dict(item.metadata)) for item in items]],
        )

    def _insert(self, items: Sequence[Object], vectors: Float[ndarray, "N d"]) -> None:
        self._extend()
        insert = self._composed(
            "INSERT INTO {table} ({identity}, {text}, {metadata}, {vector}) "
            "VALUES (%s, %s, %s, %s::{type})"
        )
        rows = [
            (item.id, item.text, _json(self._with_title(item)), vector)
            for item, vector in zip(items, vectors.tolist(), strict=True)
        ]
        with self.connection.transaction(), self.connection.cursor() as cursor:
            cursor.executemany(insert, rows)

    @property
    def _columns(self) -> Mapping[str, str]:
        """The type of every column."""
        with self.connection.transaction(), self._cursor() as cursor:
            found = cursor.execute(
                "SELECT attname, typname FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid "
                "WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped",
                [require("psycopg").sql.Identifier(*self._place).as_string(self.connection)],
            )
            columns = dict(found.fetchall())
        if not columns:
            raise InputError(f"{self.name}: there is none on the search path; give schema=")
        for option in ("vector", "identity", "text"):
            self._check_field(option, getattr(self, option), columns)
        for option, types in (("vector", _TYPES), ("metadata", ("jsonb",))):
            column = getattr(self, option)
            if columns.get(column, types[0]) not in types:
                raise InputError(
                    f"{self.name}: column {column!r} is of type {columns[column]}; give {option}= "
                    f"one of type {' or '.join(types)}"
                )
        return columns

    @property
    def _place(self) -> Sequence[str]:
        """The names of its schema, if it is given, and of the table."""
        return [*filter(None, (self.schema, self.table))]

    def _extend(self) -> None:
        """Add the metadata column if it does not exist."""
        if self.metadata not in self._columns:
            self._run("ALTER TABLE {table} ADD COLUMN {metadata} jsonb")

    def _composed(
        self, statement: str, *, columns: Mapping[str, str] | None = None, **more: Any
    ) -> Any:
        """A statement with quoted names, and other composed parts."""
        sql, named = require("psycopg").sql, ("vector", "identity", "text", "metadata")
        return sql.SQL(statement).format(
            table=_quoted(*self._place),
            type=sql.Identifier((columns or self._columns)[self.vector]),
            operator=sql.SQL(self.operator),
            **{column: _quoted(getattr(self, column)) for column in named},
            **more,
        )

    def _run(self, statement: str, given: Sequence[Any] = ()) -> list[Any]:
        """The rows of a statement; if no transaction was open, none is left open."""
        query = self._composed(statement)
        with self.connection.transaction(), self._cursor() as cursor:
            cursor.execute(query, given)
            return cursor.fetchall() if cursor.description else []

    def _cursor(self) -> Any:
        """A cursor with tuples as rows, whatever the row type of the connection."""
        return self.connection.cursor(row_factory=require("psycopg").rows.tuple_row)


@dataclass(frozen=True)
class _Given:
    """Comparisons on the metadata column as SQL, with the values of its parameters."""

    metadata: str
    values: dict[str, Native] = field(default_factory=dict)

    def compared(self, one: Comparison) -> Native:
        """A comparison as SQL."""
        sql = require("psycopg").sql
        metadata, key = _quoted(self.metadata), self._named(one.key)
        if one.operator in ("$in", "$contains"):
            values = one.value if one.operator == "$in" else [[one.value]]
            equal = [
                sql.SQL("{} @> {}").format(metadata, self._named(_json({one.key: value})))
                for value in values
            ]
            return sql.SQL("({})").format(_joined(equal, " OR ", "false"))
        if one.operator == "$exists":
            statement = "coalesce({metadata} -> {key}::text, 'null') <> 'null'"
            return sql.SQL(statement).format(metadata=metadata, key=key)
        text = isinstance(one.value, str)
        statement = (
            "coalesce(jsonb_typeof({metadata} -> {key}::text) = {kind} AND "
            + (
                '({metadata} ->> {key}::text) COLLATE "C" '
                if text
                else "{metadata} -> {key}::text "
            )
            + SIGNS[one.operator]
            + " {value}, false)"
        )
        return sql.SQL(statement).format(
            metadata=metadata,
            key=key,
            kind=sql.Literal("string" if text else "number"),
            value=self._named(one.value if text else _json(one.value)),
        )

    def _named(self, value: Native) -> Native:
        name = f"given{len(self.values)}"
        self.values[name] = value
        return require("psycopg").sql.Placeholder(name)


def _quoted(*names: str) -> Any:
    """Names in a statement with parameters, whose signs are doubled elsewhere."""
    return require("psycopg").sql.Identifier(*(name.replace("%", "%%") for name in names))


def _joined(parts: list[Native], by: str, none: str) -> Native:
    sql = require("psycopg").sql
    return sql.SQL(by).join(parts or [sql.SQL(none)])


def _json(value: Json) -> Any:
    return require("psycopg.types.json").Jsonb(value)
