"""Reflects the tables and views of a database: names, columns, keys and comments."""

import re
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Any

from grapher_jax.checks import check_kind, check_names
from grapher_jax.corpus.database.connect import reason, shown_url
from grapher_jax.corpus.database.sqlite import shadow_tables
from grapher_jax.corpus.database.sqlite_comments import sqlite_comments
from grapher_jax.errors import InputError, warn

if TYPE_CHECKING:
    from sqlalchemy import Connection, Inspector

# A schema (None for the default one) and a name.
Key = tuple[str | None, str]

TABLE, VIEW, MATERIALIZED_VIEW = "table", "view", "materialized view"
# A part of a partitioned table, which the whole stands for.
PARTITION = "partition"

# The warning about a line of MySQL's CREATE TABLE, such as one with brackets in a column's name.
_UNREAD_KEY = re.compile("Unknown schema content: .*FOREIGN KEY", re.DOTALL | re.IGNORECASE)
# In these, schemas are separate databases, mostly of other applications.
_MYSQL = ("mariadb", "mysql")
# System schemas, which are never read; by SQLAlchemy's name of the dialect.
_MYSQL_SCHEMAS = r"information_schema|mysql|performance_schema|sys"
_SYSTEM_SCHEMAS = {
    **dict.fromkeys(_MYSQL, _MYSQL_SCHEMAS),
    "mssql": r"information_schema|sys|guest|db_(owner|accessadmin|securityadmin|ddladmin|"
    r"backupoperator|datareader|datawriter|denydatareader|denydatawriter)",
    "oracle": r"sys|system",
    "postgresql": r"information_schema|pg_.*",
    "sqlite": r"temp",
}

_MYSQL_TYPES = (
    "SELECT table_name, column_name, column_type FROM information_schema.columns "
    "WHERE table_schema = :schema"
)
_SQLITE_TYPES = (
    "SELECT tables.name, columns.name, columns.type FROM sqlite_master AS tables "
    "JOIN pragma_table_xinfo(tables.name) AS columns "
    "WHERE tables.type = 'table' AND :schema = 'main'"
)
# The database's own names of types, such as those of extensions, that SQLAlchemy does not know.
_TYPES = {
    "sqlite": _SQLITE_TYPES,
    **dict.fromkeys(_MYSQL, _MYSQL_TYPES),
    "postgresql": "SELECT relname, attname, format_type(atttypid, atttypmod) FROM pg_attribute "
    "JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace "
    "WHERE attnum > 0 AND nspname = :schema",
}


@dataclass(frozen=True)
class Choice:
    """Which tables of a database are read.

    Attributes:
        schemas: the schemas to read; empty for all, and on MySQL for the database of the URL.
        include: patterns, one of which must match a table's id or plain name; empty for any table.
        exclude: patterns, none of which may match either.
        views: whether views are read too.
        copies: whether each of many copies of a table is read, see `newest_of_copies`.
    """

    schemas: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    views: bool = True
    copies: bool = False

    @classmethod
    def checked(
        cls,
        schemas: Sequence[str],
        include: Sequence[str],
        exclude: Sequence[str],
        views: bool,
        copies: bool,
    ) -> "Choice":
        """A choice from a caller's arguments, checked.

        Raises:
            InputError: for a value that is not a list of strings, or not a Boolean.
        """
        return cls(
            tuple(check_names("schemas", schemas)),
            tuple(check_names("include", include, of="patterns")),
            tuple(check_names("exclude", exclude, of="patterns")),
            check_kind("views", views, bool, "True or False"),
            check_kind("copies", copies, bool, "True or False"),
        )

    def takes(self, key: Key, kind: str) -> bool:
        """Whether a table or view in one of the schemas is chosen."""
        return (
            kind != PARTITION
            and (self.views or kind == TABLE)
            and (not self.include or any(_matches(one, [key]) for one in self.include))
            and not any(_matches(one, [key]) for one in self.exclude)
        )

    def warn_of_idle(self, keys: Collection[Key]) -> None:
        """Warn of a pattern that matches none of the tables and views."""
        for name, patterns in (("include", self.include), ("exclude", self.exclude)):
            for pattern in patterns:
                if not _matches(pattern, keys):
                    warn(
                        f"{name}: {pattern!r} matches none of {len(keys)} tables and views; a "
                        "pattern has to match a whole name, with * for any letters"
                    )


@dataclass
class Reflected:
    """The tables and views of the schemas that are read.

    Attributes:
        default: the name of the default schema.
        schemas: the schemas that are read, None for the default one.
        kinds: the kind of each table and view, including those that are not chosen.
        columns: the columns of chosen and readable tables, as SQLAlchemy returns them.
        references: their foreign keys, as SQLAlchemy returns them.
        comments: their comments.
        primary: the columns of their primary keys.
        unique: the columns of their unique constraints and indexes.
        types: for columns of a type that SQLAlchemy does not know, the database's name of it.
        unreadable: the chosen tables that cannot be read, with the reason.
    """

    default: str | None
    schemas: Collection[str | None]
    kinds: dict[Key, str] = field(default_factory=dict)
    columns: dict[Key, Any] = field(default_factory=dict)
    references: dict[Key, Any] = field(default_factory=dict)
    comments: dict[Key, Any] = field(default_factory=dict)
    primary: dict[Key, list[str]] = field(default_factory=dict)
    unique: dict[Key, list[list[str]]] = field(default_factory=dict)
    types: dict[Key, dict[str, str]] = field(default_factory=dict)
    unreadable: dict[Key, str] = field(default_factory=dict)

    def place(self, schema: str) -> str | None:
        """A schema by its name in any case; None for the default one."""
        return None if schema.casefold() == (self.default or "").casefold() else schema

    def spelled(self, key: Key, columns: Sequence[str]) -> list[str]:
        """Columns as their table writes them."""
        names = [column["name"] for column in self.columns.get(key, ())]
        folded = {name.casefold(): name for name in names}
        # Two may differ in case alone.
        return [name if name in names else folded.get(name.casefold(), name) for name in columns]

    def leaves_out(self, key: Key) -> bool:
        """Whether a table was not chosen, or is in a schema that was not chosen."""
        chosen = key in self.columns or key in self.unreadable
        return key[0] not in self.schemas or (key in self.kinds and not chosen)


class Names:
    """Looks up tables by name, ignoring case if the result is unique."""

    def __init__(self, keys: Collection[Key]) -> None:
        """Index the names of these tables."""
        self._keys: set[Key] = set()
        self._folded: dict[Key, list[Key]] = {}
        for key in keys:
            self.add(key)

    def add(self, key: Key) -> None:
        """Index the name of one more table."""
        if key not in self._keys:
            self._keys.add(key)
            self._folded.setdefault(_fold(key), []).append(key)

    def find(self, key: Key) -> Key | None:
        """The table that is meant; None if there is none, or several are possible."""
        if key in self._keys:
            return key
        found = self._folded.get(_fold(key), [])
        return found[0] if len(found) == 1 else None


def _matches(pattern: str, keys: Collection[Key]) -> bool:
    """Whether a pattern fits the id or the plain name of any table, in any case."""
    names = (name for key in keys for name in (identity(*key), key[1]))
    return any(fnmatchcase(name.casefold(), pattern.casefold()) for name in names)


def _fold(key: Key) -> Key:
    return key[0] and key[0].casefold(), key[1].casefold()


def identity(schema: str | None, table: str) -> str:
    """The id of a table."""
    # A dot in a name must not look like the one between schema and table, and no id may be empty.
    parts = [schema, table] if schema else [table]
    return ".".join(f'"{part}"' if "." in part or not part else part for part in parts)


def reflect(connection: "Connection", choice: Choice) -> Reflected:
    """Reflect the chosen tables and views.

    Raises:
        InputError: for an unknown schema, a URL without the database that MySQL needs, and patterns
            that match nothing.
    """
    import sqlalchemy

    inspector = sqlalchemy.inspect(connection)
    hidden = shadow_tables(connection)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", sqlalchemy.exc.SAWarning)
        schemas = _schemas(connection, inspector, choice.schemas)
        found = Reflected(inspector.default_schema_name, schemas)
        for schema in schemas:
            listed = _kinds(inspector, schema)
            listed |= _optional(connection, partial(_partitions, connection, inspector, schema))
            kinds = {key: kind for key, kind in listed.items() if key not in hidden}
            chosen = [key[1] for key, kind in kinds.items() if choice.takes(key, kind)]
            found.kinds |= kinds
            if chosen:
                # Without a list of names, which may exceed the maximum length of a query.
                named = None if len(chosen) == len(listed) else chosen
                _reflect(connection, schema, chosen, named, found)
    _warn_of_unread_keys(seen)
    _check_chosen(shown_url(connection.engine.url), found, choice)
    return found


def _check_schemas(place: str, wanted: Sequence[str], there: Collection[str], told: str) -> None:
    """Raise InputError for a schema that is not there; `told` names those that may be meant."""
    for name in wanted:
        if name not in there:
            raise InputError(f"{place}: schema {name!r} is not there; there are {told}")


def choose(place: str, found: Reflected, choice: Choice) -> None:
    """Leave the chosen tables alone in `found`.

    Raises:
        InputError: for an unknown schema, and patterns that match nothing.
    """
    there = sorted({schema or found.default or "" for schema, _ in found.kinds} - {""})
    _check_schemas(place, choice.schemas, there, ", ".join(there) or "none")
    wanted = [None if name == found.default else name for name in choice.schemas]
    found.schemas = wanted or {schema for schema, _ in found.kinds}
    for key, kind in found.kinds.items():
        if key[0] not in found.schemas or not choice.takes(key, kind):
            found.columns.pop(key, None)
            found.unreadable.pop(key, None)
    _check_chosen(place, found, choice)


def _check_chosen(place: str, found: Reflected, choice: Choice) -> None:
    """Raise InputError if a choice leaves no table, and warn of its patterns that match none."""
    if not found.kinds:
        raise InputError(
            f"{place}: the database has no tables; check that it is the one you mean, and that its "
            "tables may be listed"
        )
    if not found.columns and not found.unreadable:
        raise InputError(
            f"{place}: include, exclude and views leave none of {len(found.kinds)} tables and "
            "views; choose fewer patterns, or others"
        )
    choice.warn_of_idle([key for key, kind in found.kinds.items() if kind != PARTITION])


def _schemas(
    connection: "Connection", inspector: "Inspector", wanted: Sequence[str]
) -> list[str | None]:
    """The schemas to read, None for the default one."""
    default, dialect = inspector.default_schema_name, connection.dialect.name
    there = sorted({*inspector.get_schema_names(), *([default] if default else [])})
    system = _SYSTEM_SCHEMAS.get(dialect, "information_schema")
    own = [name for name in there if not re.fullmatch(system, name, re.IGNORECASE)]
    place, told = shown_url(connection.engine.url), ", ".join(own) or "none"
    _check_schemas(place, wanted, there, told)
    if dialect in _MYSQL and not wanted:
        if default is None:
            raise InputError(f"{place}: names no database; add /NAME, or choose schemas of {told}")
        return [None]
    chosen = dict.fromkeys(wanted) or [default, *own]
    return [*dict.fromkeys(None if name == default else name for name in chosen)]


def _kinds(inspector: "Inspector", schema: str | None) -> dict[Key, str]:
    """The kind of each table and view of a schema."""
    from sqlalchemy.dialects.postgresql.base import PGInspector

    lists: list[tuple[str, Callable[[str | None], list[str]]]] = [
        (TABLE, inspector.get_table_names),
        (VIEW, inspector.get_view_names),
        (MATERIALIZED_VIEW, inspector.get_materialized_view_names),
    ]
    if isinstance(inspector, PGInspector):
        lists.append((TABLE, inspector.get_foreign_table_names))
    kinds: dict[Key, str] = {}
    for kind, names in lists:
        with suppress(NotImplementedError):
            kinds |= {(schema, name): kind for name in names(schema)}
    return kinds


def _partitions(
    connection: "Connection", inspector: "Inspector", schema: str | None
) -> dict[Key, str]:
    """PostgreSQL's partitions in a schema."""
    import sqlalchemy
    from sqlalchemy.dialects.postgresql.base import PGInspector

    if not isinstance(inspector, PGInspector):
        return {}
    asked = sqlalchemy.text(
        "SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace "
        "WHERE relispartition AND relkind IN ('r', 'p', 'f') AND nspname = :schema"
    )
    names = connection.scalars(asked, {"schema": schema or inspector.default_schema_name})
    return {(schema, name): PARTITION for name in names}


def _reflect(
    connection: "Connection",
    schema: str | None,
    chosen: Sequence[str],
    named: Sequence[str] | None,
    found: Reflected,
) -> None:
    """Add the chosen tables and views of one schema; for unreadable ones, the reason."""
    import sqlalchemy
    from sqlalchemy.engine.reflection import ObjectKind

    inspector = sqlalchemy.inspect(connection)
    try:
        columns = inspector.get_multi_columns(schema, named, kind=ObjectKind.ANY)
        found.references |= inspector.get_multi_foreign_keys(schema, named, kind=ObjectKind.TABLE)
        found.columns |= columns
    except (sqlalchemy.exc.SQLAlchemyError, AttributeError):
        # One broken view makes the whole call fail, as does a key whose name SQLAlchemy cannot
        # parse (AttributeError): retry one by one.
        connection.rollback()  # PostgreSQL refuses everything in a failed transaction
    for name in chosen:
        key = schema, name
        if key in found.columns:
            continue
        try:
            own = found.kinds[key] == TABLE
            keys = inspector.get_foreign_keys(name, schema) if own else []
            found.columns[key] = inspector.get_columns(name, schema)
            found.references[key] = keys
        except (sqlalchemy.exc.SQLAlchemyError, AttributeError) as error:
            if getattr(error, "connection_invalidated", False):
                raise
            connection.rollback()
            found.unreadable[key] = reason(error, connection.engine.url)
    inspector = sqlalchemy.inspect(connection)
    found.comments |= _optional(
        connection, lambda: inspector.get_multi_table_comment(schema, named, kind=ObjectKind.ANY)
    )
    _comment(connection, schema, chosen, found)
    _identify(connection, schema, named, found)
    found.types |= _optional(connection, lambda: _unknown_types(connection, schema, chosen, found))


def _comment(
    connection: "Connection", schema: str | None, chosen: Sequence[str], found: Reflected
) -> None:
    """Add the comments that SQLite's tables and columns have in their SQL."""
    told = _optional(connection, lambda: sqlite_comments(connection, schema, chosen))
    for key in told.keys() & found.columns.keys():
        found.comments[key] = {"text": told[key].table}
        found.columns[key] = [
            column | {"comment": told[key].columns.get(column["name"].casefold())}
            for column in found.columns[key]
        ]


def _unknown_types(
    connection: "Connection", schema: str | None, chosen: Sequence[str], found: Reflected
) -> dict[Key, dict[str, str]]:
    import sqlalchemy

    # SQLite takes any word as a type; SQLAlchemy reports one that it does not know as another.
    guesses = connection.dialect.name == "sqlite"
    unknown = {
        (name, column["name"])
        for name in chosen
        for column in found.columns.get((schema, name), ())
        if guesses or isinstance(column["type"], sqlalchemy.types.NullType)
    }
    asked = _TYPES.get(connection.dialect.name)
    named: dict[Key, dict[str, str]] = {}
    if unknown and asked:
        place = {"schema": schema or found.default}
        for table, column, kind in connection.execute(sqlalchemy.text(asked), place):
            if (table, column) in unknown:
                named.setdefault((schema, table), {})[column] = kind
    return named


def _identify(
    connection: "Connection", schema: str | None, named: Sequence[str] | None, found: Reflected
) -> None:
    """Add the primary and unique keys of each table."""
    import sqlalchemy

    inspector = sqlalchemy.inspect(connection)
    primary = _optional(connection, lambda: inspector.get_multi_pk_constraint(schema, named))
    for key, constraint in primary.items():
        found.primary[key] = list((constraint or {}).get("constrained_columns") or [])
    for ask in (inspector.get_multi_unique_constraints, inspector.get_multi_indexes):
        for key, listed in _optional(connection, partial(ask, schema, named)).items():
            known = found.unique.setdefault(key, [])
            for one in listed or []:
                if (columns := _unique(one)) and columns not in known:
                    known.append(columns)


def _unique(constraint: Mapping[str, Any]) -> list[str] | None:
    """The columns that a constraint or an index makes unique over all rows."""
    columns = constraint["column_names"]
    partial_index = any(key.endswith("_where") for key in constraint.get("dialect_options", {}))
    # An index over an expression has no column here.
    whole = constraint.get("unique", True) and None not in columns and not partial_index
    return list(columns) if whole else None


def _warn_of_unread_keys(seen: Sequence[warnings.WarningMessage]) -> None:
    """Warn of declared keys that SQLAlchemy cannot read, and pass on warnings that are not its own.

    Its others are about types and names of constraints, which do not matter.
    """
    import sqlalchemy

    for one in seen:
        if not issubclass(one.category, sqlalchemy.exc.SAWarning):
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
        elif _UNREAD_KEY.match(told := str(one.message)):
            warn(f"a declared key is left out, since SQLAlchemy cannot read it; {told}")


def _optional(connection: "Connection", ask: Callable[[], Mapping[Key, Any]]) -> Mapping[Key, Any]:
    """Optional information from a database; empty if it is not supported or not permitted."""
    import sqlalchemy

    try:
        return ask()
    except (NotImplementedError, AttributeError):
        return {}
    except sqlalchemy.exc.SQLAlchemyError:
        connection.rollback()
        return {}
