"""CREATE TABLE statements and join conditions for some tables of a schema, by SQLAlchemy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from grapher_jax.corpus.inferred.listing import DECLARED
from grapher_jax.corpus.inferred.types import InferredKey
from grapher_jax.errors import require
from grapher_jax.tables.schema import Schema, Table

if TYPE_CHECKING:
    from sqlalchemy import Dialect
    from sqlalchemy import Table as SqlTable
    from sqlalchemy.types import UserDefinedType

# At most so many copies of a table are all named.
_MOST_COPIES = 5


@dataclass(frozen=True)
class SqlJoin(InferredKey):
    """A key between tables, with its condition in SQL.

    Attributes:
        on: the condition, with names quoted as in `create_tables`; if the columns are unknown, only
            which table references which, by their ids.
    """

    on: str = ""

    def __str__(self) -> str:
        # A comment, so that the line can be pasted into a statement.
        return self.on + ("" if self.by == DECLARED else f" -- not declared, inferred by {self.by}")


def create_tables(tables: Sequence[Table], joins: Sequence[SqlJoin], *, dialect: str = "") -> str:
    """The CREATE TABLE statements of these tables, with referenced tables first.

    Types are written as the database reports them. Comments are statements if the dialect has any,
    else lines that begin with `--`, as are inferred keys and notes about views and copies.

    Args:
        tables: the tables with the columns to show.
        joins: the keys between them; keys with unknown columns become comments.
        dialect: SQLAlchemy's name of the dialect, such as `postgresql`; standard SQL if unknown or
            empty.
    """
    sqlalchemy = require("sqlalchemy")
    chosen = _dialect(dialect)
    made = _as_sqlalchemy(tables, joins)
    several = len({table.database for table in tables}) > 1
    written = []
    for table in _referenced_first(tables, joins):
        own = made[table.id]
        statements = [str(sqlalchemy.schema.CreateTable(own).compile(dialect=chosen)).strip()]
        if chosen.supports_comments and not chosen.inline_comments:
            statements += _comments(own, chosen)
        lines = [] if chosen.supports_comments else _comment_lines(table)
        if table.kind != "table":
            lines.insert(0, comment_line(f"a {table.kind} of these columns"))
        if table.copies:
            lines.insert(0, comment_line(_told_copies(table.copies)))
        if several:
            lines.insert(0, comment_line(f"of the database {table.database}"))
        text = "\n".join(f"{statement};" for statement in statements)
        # The compiler leaves a space at the end of lines.
        clean = "\n".join(line.replace("\t", "  ").rstrip() for line in text.split("\n"))
        written.append("\n".join([*lines, clean]))
    told = "\n".join(comment_line(str(join)) for join in joins if not _in_statement(join))
    return "\n\n".join(filter(None, [*written, told])) + "\n"


def _referenced_first(tables: Sequence[Table], joins: Iterable[SqlJoin]) -> list[Table]:
    """The tables in their order, each behind those that its statement references."""
    named = {table.id: table for table in tables}
    waiting: dict[str, list[str]] = {name: [] for name in named}
    for join in joins:
        if _in_statement(join):
            waiting[join.table].append(join.references)
    found: dict[str, Table] = {}
    for name in named:
        begun = [name]
        while begun:
            last = begun[-1]
            before = [one for one in waiting.pop(last, ()) if one in waiting]
            begun += before[::-1]
            if not before:
                found[begun.pop()] = named[last]
    return [*found.values()]


def _told_copies(copies: Sequence[str]) -> str:
    """The tables that have about the same columns, or of many the first and the last."""
    few = len(copies) <= _MOST_COPIES
    named = ", ".join(copies) if few else f"{copies[0]} to {copies[-1]}, {len(copies)} tables"
    return f"with about these columns, too: {named}"


def comment_line(text: str) -> str:
    """Any text as one line of SQL comment."""
    return f"-- {' '.join(text.split())}"


def sql_joins(schema: Schema, keys: Iterable[InferredKey]) -> tuple[SqlJoin, ...]:
    """The keys between tables of a schema, with their conditions."""
    table = cache(lambda name: schema.table(schema.row[name]))
    return tuple(
        SqlJoin(**vars(key), on=_condition(key, table(key.table), table(key.references)))
        for key in keys
    )


def _condition(key: InferredKey, own: Table, other: Table) -> str:
    if not 0 < len(key.columns) == len(key.referenced_columns):
        return f"{key.table} references {key.references}"
    left, right = quoted_table(own), quoted_table(other)
    pairs = zip(key.columns, key.referenced_columns, strict=True)
    return " and ".join(
        f"{left}.{quoted(one, own.dialect)} = {right}.{quoted(another, other.dialect)}"
        for one, another in pairs
    )


def quoted(name: str, dialect: str) -> str:
    """The name of a column as `create_tables` writes it."""
    return _dialect(dialect).identifier_preparer.quote(name)


def quoted_table(table: Table) -> str:
    """The name of a table, with its schema, as `create_tables` writes it."""
    import sqlalchemy

    named = sqlalchemy.table(table.name, schema=table.schema or None)
    return _dialect(table.dialect).identifier_preparer.format_table(named)


def _in_statement(key: InferredKey) -> bool:
    """Whether the key is part of a statement: declared, with columns on both sides."""
    return key.by == DECLARED and 0 < len(key.columns) == len(key.referenced_columns)


# SQLAlchemy looks through all installed packages each time.
@cache
def _dialect(name: str) -> "Dialect":
    import sqlalchemy

    try:
        # By default, some dialects double `%`, for drivers that would read it as one.
        found: Dialect = sqlalchemy.dialects.registry.load(name)(paramstyle="named")
    except (sqlalchemy.exc.NoSuchModuleError, ValueError):
        return sqlalchemy.engine.default.DefaultDialect()
    if found.name == "mssql":
        found.default_schema_name = "dbo"  # normally known from a connection, and used in comments
    return found


def _comments(table: "SqlTable", dialect: "Dialect") -> list[str]:
    """The statements that give a table and its columns their comments."""
    from sqlalchemy.schema import DDLElement, SetColumnComment, SetTableComment

    found: list[DDLElement] = [SetTableComment(table)] if table.comment else []
    found += [SetColumnComment(column) for column in table.columns if column.comment]
    return [str(statement.compile(dialect=dialect)).strip() for statement in found]


def _comment_lines(table: Table) -> list[str]:
    told = {"": table.comment, **{column.name: column.comment for column in table.columns}}
    return [
        comment_line(f"{name}: {comment}" if name else comment)
        for name, comment in told.items()
        if comment
    ]


@cache
def _verbatim(told: str) -> "UserDefinedType[object]":
    """A type that is written exactly as the database reports it."""
    import sqlalchemy

    class Verbatim(sqlalchemy.types.UserDefinedType[object]):
        cache_ok = True

        def get_col_spec(self, **_: object) -> str:
            return told

    return Verbatim()


def _as_sqlalchemy(tables: Sequence[Table], joins: Sequence[InferredKey]) -> dict[str, "SqlTable"]:
    """The tables by id; a key is left out if its columns are unknown on either side."""
    import sqlalchemy

    made: dict[str, SqlTable] = {}
    for table in tables:
        columns = (
            sqlalchemy.Column(
                column.name,
                _verbatim(column.type),
                nullable=column.nullable,
                comment=column.comment or None,
                autoincrement=False,
            )
            for column in table.columns
        )
        primary = [sqlalchemy.PrimaryKeyConstraint(*table.primary_key)] if table.primary_key else []
        made[table.id] = sqlalchemy.Table(
            table.name,
            sqlalchemy.MetaData(),  # separate, since tables of two databases may have one name
            *columns,
            *primary,
            schema=table.schema or None,
            comment=table.comment or None,
        )
    for key in filter(_in_statement, joins):
        own, other = made[key.table].columns, made[key.references].columns
        made[key.table].append_constraint(
            sqlalchemy.ForeignKeyConstraint(
                [own[name] for name in key.columns],
                [other[name] for name in key.referenced_columns],
            )
        )
    return made
