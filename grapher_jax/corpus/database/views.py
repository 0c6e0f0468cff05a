"""Finds the tables that a view reads, from its SQL."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from grapher_jax.corpus.database.connect import reason
from grapher_jax.corpus.database.reflect import TABLE, Key, Names, Reflected
from grapher_jax.corpus.sql import parse
from grapher_jax.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy import Connection


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


def read_by_views(connection: "Connection", found: Reflected) -> ReadByViews:
    """The tables that each view reads, from its SQL."""
    import sqlalchemy

    names, inspector = Names([*found.kinds]), sqlalchemy.inspect(connection)
    # Snowflake writes the schema after the database.
    database = (connection.engine.url.database or "").partition("/")[0]
    read = ReadByViews()
    for schema, name in found.columns:
        key = schema, name
        if found.kinds.get(key, TABLE) == TABLE:
            continue
        try:
            sql = inspector.get_view_definition(name, schema) or ""
            named = named_tables(sql, connection.dialect.name)
        except (sqlalchemy.exc.SQLAlchemyError, NotImplementedError, InputError) as error:
            if getattr(error, "connection_invalidated", False):
                raise
            connection.rollback()
            read.failed[key] = reason(error, connection.engine.url)
            continue
        # In PostgreSQL, a name without schema is in the default schema, not in the view's own.
        near = (None,) if connection.dialect.name == "postgresql" else (schema, None)
        targets = set()
        for catalog, given, table in named:
            if catalog.casefold() in ("", database.casefold()):
                places = (_place(given, found.default),) if given else near
                meant = (names.find((place, table)) for place in places)
                targets.add(next(filter(None, meant), key))
        read.tables[key], read.sql[key] = targets - {key}, sql
    return read


def _place(schema: str, default: str | None) -> str | None:
    return None if schema.casefold() == (default or "").casefold() else schema


def named_tables(sql: str, dialect: str) -> set[tuple[str, str, str]]:
    """Catalog, schema and name of each table that a view's SQL reads; empty where not written.

    Args:
        sql: a query, or the statement that creates a view.
        dialect: SQLAlchemy's name of the SQL dialect.

    Raises:
        InputError: if it does not parse.
    """
    from sqlglot import exp
    from sqlglot.optimizer.scope import traverse_scope

    statement = parse(sql, dialect)
    try:
        return {
            (source.catalog, source.db, source.name)
            for scope in traverse_scope(statement)
            for source in scope.sources.values()  # names of CTEs and sub-queries lead to scopes
            if isinstance(source, exp.Table) and source.name  # a function has none
        }
    except Exception as error:  # noqa: BLE001 - the parser may raise anything for arbitrary SQL
        raise InputError(f"its SQL cannot be parsed: {error}") from None
