"""Comments in the SQL that created SQLite's tables, since SQLite stores no others."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from grapher_jax.errors import require

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlglot import Token

# What a definition that is none of a column begins with.
_CONSTRAINTS = {"CONSTRAINT", "PRIMARY KEY", "FOREIGN KEY", "UNIQUE", "CHECK"}
_TYPE = (
    r"((big|small|tiny)?int(eger)?|(n?var|n)?char|n?text|blob|real|float|double|decimal|numeric|"
    r"bool(ean)?|date(time)?|time(stamp)?)"
)
_SIZE = r"\([\d, ]+\)"
_RULES = r"( (not null|null|unique|primary key))*( (default|collate|references|check) .+)?"
# A column that was put out of use, such as `code VARCHAR(8)` or `code text,`; not `ISO DATE`.
_UNUSED = re.compile(
    rf"\S+ {_TYPE}(({_SIZE})?{_RULES},|{_SIZE}{_RULES}|(?= ){_RULES})", re.IGNORECASE
)
_BESIDE = re.compile(r" *(--|/\*)")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")


@dataclass(frozen=True)
class Comments:
    """What a CREATE TABLE statement says about a table.

    Attributes:
        table: the comments before its columns, on the line of the opening parenthesis at the
            latest.
        columns: by the folded name of a column, the comments above and beside its definition.
    """

    table: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)


def sqlite_comments(
    connection: "Connection", schema: str | None, names: Collection[str]
) -> dict[tuple[str | None, str], Comments]:
    """The comments of some tables of a schema, by schema and name; none for other databases."""
    if connection.dialect.name != "sqlite":
        return {}
    from sqlalchemy import column, select, table

    kept = table("sqlite_master", column("type"), column("name"), column("sql"), schema=schema)
    rows = connection.execute(select(kept.c.name, kept.c.sql).where(kept.c.type == "table")).all()
    told = {name: sql for name, sql in rows if sql and ("--" in sql or "/*" in sql)}
    return {(schema, name): comments_in(told[name]) for name in names if name in told}


def comments_in(sql: str) -> Comments:
    """The comments of a CREATE TABLE statement in SQLite's dialect; none if it has no tokens.

    A comment on a line of its own belongs to what follows, unless it continues the one above it;
    any other belongs to what stands before it.
    """
    sqlglot = require("sqlglot")
    text = _continued(sql)
    try:
        tokens = sqlglot.tokenize(text, dialect="sqlite")
    except sqlglot.errors.TokenError:
        return Comments()
    table: list[str] = []
    columns: dict[str, list[str]] = {}
    for column, comments in _placed(text, tokens):
        if column is not None:
            columns.setdefault(column.casefold(), []).extend(_read(comments))
        elif not columns:
            table += _read(comments)
    told = {name: " ".join(lines) for name, lines in columns.items() if lines}
    return Comments(" ".join(table), told)


def _continued(sql: str) -> str:
    """The SQL with comments beside code and those right below them in one line."""
    lines: list[list[str]] = []
    column = -1
    for line in sql.expandtabs().split("\n"):
        begin = _STRING.sub(lambda found: "x" * len(found[0]), line).find("--")
        is_alone = not line[:begin].strip()
        if begin >= 0 and is_alone and begin == column:
            lines[-1].append(line[begin:].strip("- \r"))
        else:
            lines.append([line.rstrip("\r")])
            column = -1 if is_alone else begin
    return "\n".join(" ".join(parts) for parts in lines)


def _placed(sql: str, tokens: Iterable["Token"]) -> Iterator[tuple[str | None, list[str]]]:
    """The comments of each token, and the column in whose definition they stand.

    None stands for the table, and an empty name for a constraint. A comma belongs to the definition
    that it ends, but comments above it to the next.
    """
    depth, column = 0, None
    above: list[str] = []
    for token in tokens:
        kind = token.token_type.name
        depth -= kind == "R_PAREN"
        if depth == 0:
            column = None
        elif column is None:
            is_constraint = kind != "IDENTIFIER" and token.text.upper() in _CONSTRAINTS
            column = "" if is_constraint else token.text
        own, above = [*above, *token.comments], []
        ends = kind == "COMMA" and depth == 1
        if ends and not _BESIDE.match(sql, token.end + 1):
            own, above = [], own
        yield column, own
        column = None if ends else column
        depth += kind == "L_PAREN"


def _read(comments: Iterable[str]) -> Iterator[str]:
    """The comments in words: neither lines drawn with signs nor columns put out of use."""
    for comment in comments:
        text = " ".join(comment.split()).strip("-=*#~ ")
        if any(letter.isalpha() for letter in text) and not _UNUSED.fullmatch(text):
            yield text
