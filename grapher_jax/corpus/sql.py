"""SQL as sqlglot parses it."""

import logging
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from grapher_jax.errors import InputError, require

if TYPE_CHECKING:
    from sqlglot import exp

# sqlglot's names of SQLAlchemy's dialects, where they differ.
_DIALECTS = {"mariadb": "mysql", "mssql": "tsql", "postgresql": "postgres"}
# What sqlglot underlines with on a terminal.
_COLOURS = re.compile(r"\x1b\[\d+m")


def dialect_of(name: str | None) -> str | None:
    """The dialect as sqlglot calls it; None where it knows none.

    Args:
        name: as SQLAlchemy calls it.
    """
    sqlglot = require("sqlglot")
    known = {one.value for one in sqlglot.Dialects}
    found = _DIALECTS.get(name or "", name)
    return found if found in known else None


def parse(sql: str, dialect: str | None) -> "exp.Expression":
    """A statement.

    Args:
        sql: one statement.
        dialect: SQLAlchemy's name of it.

    Raises:
        InputError: where it does not parse.
    """
    sqlglot = require("sqlglot")
    from sqlglot import exp

    try:
        with _silent():
            statement: exp.Expression = sqlglot.parse_one(sql, dialect=dialect_of(dialect))
    except Exception as error:  # noqa: BLE001 - whatever another parser says of anybody's SQL
        told = _COLOURS.sub("", str(error))
        raise InputError(f"its SQL cannot be parsed: {told}") from None
    if isinstance(statement, exp.Command):  # any text, behind a word that sqlglot knows
        raise InputError("its SQL cannot be parsed: its syntax is unknown")
    return statement


def statements(text: str, dialect: str | None) -> Iterator[tuple[int, str]]:
    """The statements of a text, each with the line on which it begins; they end with semicolons."""
    sqlglot = require("sqlglot")

    try:
        tokens = sqlglot.Dialect.get_or_raise(dialect_of(dialect)).tokenize(text)
        ends = [token.start for token in tokens if token.token_type.name == "SEMICOLON"]
    except sqlglot.errors.SqlglotError:  # a quote that never ends hides no other statement
        ends = [place for place, letter in enumerate(text) if letter == ";"]
    line, start = 1, 0
    for end in [*ends, len(text)]:
        part = text[start:end]
        if part.strip():
            yield line + part[: len(part) - len(part.lstrip())].count("\n"), part.strip()
        line, start = line + part.count("\n"), end + 1


@contextmanager
def _silent() -> Iterator[None]:
    """Keep sqlglot from logging what it cannot parse: one warning tells it of all statements."""
    logger, own = logging.getLogger("sqlglot"), threading.get_ident()

    def of_others(record: logging.LogRecord) -> bool:
        return record.thread != own

    logger.addFilter(of_others)
    try:
        yield
    finally:
        logger.removeFilter(of_others)
