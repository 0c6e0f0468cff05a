"""Finds the tables that a view reads, from its SQL."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from grapher_jax.corpus.database.connect import reason
from grapher_jax.corpus.database.reflect import TABLE, Key, Names, Reflected
from grapher_jax.corpus.sql import scopes_of
from grapher_jax.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy import Connection

# In these, names begin with a project or database that no id has.
_PROJECTS = ("bigquery", "snowflake")


@dataclass(frozen=True)
class ReadByViews:
    """What is known from the SQL of views.

    Attributes:
        tables: the tables that each view reads.
        sql: the SQL of each view.
        failed: the views whose SQL cannot be parsed, with the reason.
    """

    tables: dict[Key, set[Key]] = field(default_factory=dict)
    sql: dict[Key, str] = field(default_factory=dict)
    failed: dict[Key, str] = field(default_factory=dict)


def view_definition(connection: "Connection", key: Key) -> str:
    """The SQL of a view of a database; raises InputError if the database does not tell it."""
    import sqlalchemy

    try:
        return sqlalchemy.inspect(connection).get_view_definition(key[1], key[0]) or ""
    except (sqlalchemy.exc.SQLAlchemyError, NotImplementedError) as error:
        if getattr(error, "connection_invalidated", False):
            raise
        connection.rollback()
        raise InputError(reason(error, connection.engine.url)) from None


def read_by_views(
    found: Reflected, definition: Callable[[Key], str], *, database: str, dialect: str
) -> ReadByViews:
    """The tables that each view reads, from its SQL.

    Args:
        found: the tables and views.
        definition: returns the SQL of a view; raises InputError if there is none.
        database: the name of the database.
        dialect: SQLAlchemy's name of the SQL dialect.
    """
    names, read = Names([*found.kinds]), ReadByViews()
    for key in found.columns:
        if found.kinds.get(key, TABLE) == TABLE:
            continue
        try:
            sql = definition(key)
            named = named_tables(sql, dialect)
        except InputError as error:
            read.failed[key] = str(error)
            continue
        # In PostgreSQL, a name without schema is in the default schema before the view's own.
        near = (None, key[0]) if dialect == "postgresql" else (key[0], None)
        targets = set()
        for catalog, given, table in named:
            if dialect in _PROJECTS or catalog.casefold() in ("", database.casefold()):
                places = (found.place(given),) if given else near
                meant = (names.find((place, table)) for place in places)
                targets.add(next(filter(None, meant), key))
        read.tables[key], read.sql[key] = targets - {key}, sql
    return read


def named_tables(sql: str, dialect: str) -> set[tuple[str, str, str]]:
    """Catalog, schema and name of each table that a view's SQL reads; empty where not written.

    Args:
        sql: a query, or the statement that creates a view.
        dialect: SQLAlchemy's name of the SQL dialect.

    Raises:
        InputError: if it does not parse.
    """
    with scopes_of(sql, dialect) as (_, sources):
        return {(source.catalog, source.db, source.name) for source in sources}
