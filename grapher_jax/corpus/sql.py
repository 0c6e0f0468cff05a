"""Parses SQL with sqlglot."""

import logging
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from grapher_jax.errors import InputError, require

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.optimizer.scope import Scope

# sqlglot's names of SQLAlchemy's dialects, if they differ.
_DIALECTS = {"mariadb": "mysql", "mssql": "tsql", "postgresql": "postgres"}
# The terminal codes with which sqlglot underlines.
_COLOURS = re.compile(r"\x1b\[\d+m")


def dialect_of(name: str | None) -> str | None:
    """The dialect by sqlglot's name; None if sqlglot does not know it.

    Args:
        name: SQLAlchemy's name.
    """
    sqlglot = require("sqlglot")
    known = {one.value for one in sqlglot.Dialects}
    found = _DIALECTS.get(name or "", name)
    return found if found in known else None


def parse(sql: str, dialect: str | None) -> "exp.Expression":
    """Parses one statement.

    Args:
        sql: one statement.
        dialect: SQLAlchemy's name of the SQL dialect.

    Raises:
        InputError: if it does not parse.
    """
    sqlglot = require("sqlglot")
    from sqlglot import exp

    try:
        with _silent():
            statement: exp.Expression = sqlglot.parse_one(sql, dialect=dialect_of(dialect))
    except Exception as error:  # noqa: BLE001 - the parser may raise anything for arbitrary SQL
        told = _COLOURS.sub("", str(error))
        raise InputError(f"its SQL cannot be parsed: {told}") from None
    if isinstance(statement, exp.Command):  # arbitrary text after a word that sqlglot knows
        raise InputError("its SQL cannot be parsed: its syntax is unknown")
    return statement


@contextmanager
def scopes_of(sql: str, dialect: str | None) -> Iterator[tuple[list["Scope"], list["exp.Table"]]]:
    """The queries of one statement, and the tables that they read; see `parse`.

    Raises:
        InputError: if it does not parse, or it cannot be analysed within this context.
    """
    from sqlglot import exp
    from sqlglot.optimizer.scope import traverse_scope

    statement = parse(sql, dialect)
    try:
        scopes = traverse_scope(statement)
        # Names of CTEs and sub-queries lead to scopes, and a function has no name.
        sources = (source for scope in scopes for source in scope.sources.values())
        yield scopes, [one for one in sources if isinstance(one, exp.Table) and one.name]
    except Exception as error:  # noqa: BLE001 - the parser may raise anything for arbitrary SQL
        raise InputError(f"its SQL cannot be parsed: {error}") from None


def statements(text: str, dialect: str | None) -> Iterator[tuple[int, str]]:
    """The statements of a text, separated by semicolons, each with its first line number."""
    sqlglot = require("sqlglot")

    try:
        tokens = sqlglot.Dialect.get_or_raise(dialect_of(dialect)).tokenize(text)
        ends = [token.start for token in tokens if token.token_type.name == "SEMICOLON"]
    except sqlglot.errors.SqlglotError:  # an unclosed quote must not hide other statements
        ends = [place for place, letter in enumerate(text) if letter == ";"]
    line, start = 1, 0
    for end in [*ends, len(text)]:
        part = text[start:end]
        if part.strip():
            yield line + part[: len(part) - len(part.lstrip())].count("\n"), part.strip()
        line, start = line + part.count("\n"), end + 1


@contextmanager
def _silent() -> Iterator[None]:
    """Keep sqlglot from logging parse errors: one warning reports all statements."""
    logger, own = logging.getLogger("sqlglot"), threading.get_ident()

    def of_others(record: logging.LogRecord) -> bool:
        return record.thread != own

    logger.addFilter(of_others)
    try:
        yield
    finally:
        logger.removeFilter(of_others)
