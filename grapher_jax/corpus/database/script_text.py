"""The statements of a file of SQL, as text: which are read, and the parts of those that are odd."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grapher_jax.corpus.sql import dialect_of, statements

# What is typical of each dialect, by SQLAlchemy's name of it.
_SIGNS = {
    "postgresql": r"PostgreSQL|\$\$|::\w|\bnextval\(|character varying|\w*serial\b|\bjsonb\b",
    "mysql": r"`|\bENGINE ?=|AUTO_INCREMENT|\bunsigned\b",
    "sqlite": r"AUTOINCREMENT|WITHOUT ROWID|\bPRAGMA\b|sqlite_",
    "mssql": r"^GO\b|\[\w+\]|\bNVARCHAR|\bIDENTITY *\(",
    "oracle": r"\bVARCHAR2|\bNUMBER *\(",
    "snowflake": r"\bVARIANT *,|\bTIMESTAMP_[NLT]TZ|\bTRANSIENT +TABLE",
    "duckdb": r"\bHUGEINT\b|\bSTRUCT *\(",
    "bigquery": r"\bINT64\b|\bSTRUCT *<|\bOPTIONS *\(",
}
_FLAGS = re.MULTILINE | re.IGNORECASE
# Rows, of which COPY's end with a backslash and a dot; what clients read; and routines of MySQL.
_ROWS = re.compile(r"^INSERT INTO .*\); *$", _FLAGS)
_UNREAD = re.compile(
    r"^COPY [^;]*;\n(?:(?!\\\.$).*\n)*\\\.$|^\\.*$"
    r"|^DELIMITER +(?!; *$)\S+ *\n(?:(?!DELIMITER).*\n)*DELIMITER *;|^DELIMITER .*$",
    _FLAGS,
)
_TABLES = re.compile(r"\bCREATE\s+(TABLE|VIEW|UNIQUE|OR\s)", re.IGNORECASE)
# A line that ends a statement for SQL Server's or Oracle's clients.
_END = re.compile(r"^(?:GO|/)\s*$", _FLAGS)
_ROUTINE = re.compile(
    r"\s*(CREATE|ALTER)\s+(OR\s+\w+\s+)?(PROC|PROCEDURE|FUNCTION|TRIGGER)\b", re.IGNORECASE
)
# What only MySQL reads, such as the views of its dumps.
_CONDITIONAL = re.compile(r"/\*!\d{5,6}(.*?)\*/", re.DOTALL)
_COMMENTS = re.compile(r"(?:\s+|--.*|#.*|/\*(?s:.*?)\*/)*")
_CREATE = r"CREATE\s(?:(?!TRIGGER|FUNCTION|PROCEDURE|TYPE\s)[^(;]){0,200}?\b"
_READ = re.compile(
    rf"({_CREATE}(TABLE|VIEW|UNIQUE)|ALTER\s+TABLE|COMMENT\s+ON|DROP\s+(TABLE|VIEW))\b", _FLAGS
)
# SQL Server ends no statement where the next one begins.
_NEXT = re.compile(r"^(?=(?:CREATE|ALTER)\s+(?:TABLE|VIEW)\b)", _FLAGS)
# What a parser need not know.
_ODD_VIEW = re.compile(
    r"\A(CREATE\s+(?:OR\s+REPLACE\s+)?)(?:(?:NO)?FORCE\s+|(?:NON)?EDITIONABLE\s+)+", _FLAGS
)
_NO_DATA = re.compile(r"\bWITH\s+(NO\s+)?DATA\s*$", re.IGNORECASE)
_PART = r"(?:\[[^\]]+\]|`[^`]+`|\"[^\"]+\"|[\w$#]+)"
_NAME = rf"({_PART}(?:\s*\.\s*{_PART})*)"
_CHANGED = re.compile(
    rf"({_CREATE}|ALTER\s+)(TABLE|VIEW)\s+(?:ONLY\s+|IF\s+(?:NOT\s+)?EXISTS\s+)*{_NAME}", _FLAGS
)
_ATTACHED = re.compile(rf"ALTER\s.*\bATTACH\s+PARTITION\s+{_NAME}", _FLAGS)
_ADDS = re.compile(r"\s*(?:WITH\s+(?:NO)?CHECK\s+)?ADD\b(?:\s+COLUMN\b)?", re.IGNORECASE)
# What SQL Server and Oracle say of how a key or a rule is kept.
_KEPT = re.compile(
    r"\b(NON)?CLUSTERED\b|(\bWITH\s*\([^()]*\)\s*)?\bON\s+\[\w+\]\s*$|\bUSING\s+INDEX\b(?s:.*)"
    r"|\b(ENABLE|DISABLE)\b(\s+(NO)?VALIDATE\b)?",
    re.IGNORECASE,
)
# What a definition that is none of a column begins with.
_NO_COLUMN = re.compile(
    r"\s*(CONSTRAINT|PRIMARY|FOREIGN|UNIQUE|CHECK|EXCLUDE\s+USING|KEY|INDEX|FULLTEXT|SPATIAL|PERIOD"
    r"|GENERATED|PARTITION|SUPPLEMENTAL)\b",
    re.IGNORECASE,
)


# SQL Server's descriptions, and one argument of the procedure that adds them.
_DESCRIBES = re.compile(r"\bsp_addextendedproperty\b", re.IGNORECASE)
_ARGUMENT = re.compile(r"\s*,?\s*(?:@(\w+)\s*=\s*)?(?:N?'((?:[^']|'')*)'|(\w+))")
_DESCRIBED = ("name", "value", *(f"level{n}{part}" for n in range(3) for part in ("type", "name")))


def descriptions(text: str) -> Iterator[tuple[str, str, str, str]]:
    """SQL Server's descriptions: schema, table, column (empty for the table's own), and text."""
    for found in _DESCRIBES.finditer(text):
        told, place = dict.fromkeys(_DESCRIBED, ""), found.end()
        for name in _DESCRIBED:
            if (argument := _ARGUMENT.match(text, place)) is None:
                break
            word = "" if (argument[3] or "").upper() == "NULL" else argument[3]
            value = word if argument[2] is None else argument[2].replace("''", "'")
            told[(argument[1] or name).casefold()] = value
            place = argument.end()
        if told["name"] == "MS_Description" and told["level1type"].casefold() in ("table", "view"):
            column = told["level2name"] if told["level2type"].casefold() == "column" else ""
            if column or not told["level2type"]:
                yield told["level0name"], told["level1name"], column, told["value"]


def likely_dialects(text: str) -> dict[str, int]:
    """How often typical words of each dialect occur, the likeliest dialect first."""
    counts = {name: len(re.findall(sign, text, _FLAGS)) for name, sign in _SIGNS.items()}
    return dict(sorted(counts.items(), key=lambda one: -one[1]))


def without_rows(text: str) -> str:
    """A file without most of its rows and routines, and without what is meant for clients."""
    text = _ROWS.sub(lambda line: line[0] if _TABLES.search(line[0]) else "", text)
    batches = _END.split(_CONDITIONAL.sub(r"\1", _UNREAD.sub("", text)))
    if len(batches) > 1:  # where a routine has a batch of its own
        batches = [one for one in batches if not _ROUTINE.match(one, _after_comments(one))]
    return ";\n".join(batches)


def wanted(text: str, dialect: str) -> Iterator[str]:
    """The statements about tables and views, without comments before them."""
    for _, statement in statements(text, dialect):
        own = statement[_after_comments(statement) :]
        if _READ.match(own):
            for one in filter(None, _NEXT.split(own)):
                yield _NO_DATA.sub("", _ODD_VIEW.sub(r"\1", one.strip()))


def _after_comments(statement: str) -> int:
    begin = _COMMENTS.match(statement)
    return begin.end() if begin else 0


def attached_partition(statement: str) -> str:
    """The name of the table that a statement makes a partition of another; usually empty."""
    found = _ATTACHED.match(statement)
    return found[1] if found else ""


@dataclass(frozen=True)
class Odd:
    """A statement that cannot be parsed as a whole.

    Attributes:
        name: the table or view.
        creates: whether it creates it.
        is_view: whether it is about a view.
        parts: the definitions of a table, or what is added to it.
    """

    name: str
    creates: bool
    is_view: bool
    parts: list[str]

    @classmethod
    def read(cls, statement: str, dialect: str) -> "Odd | None":
        """What can be read of a statement; None if it is not about a table."""
        found = _CHANGED.match(statement)
        if not found:
            return None
        creates, is_view = found[1][0] in "Cc", found[2][0] in "Vv"
        rest = statement[found.end() :]
        if not creates and (adds := _ADDS.match(rest)):
            rest = rest[adds.end() :]
        elif not creates or is_view:
            rest = ""
        return cls(found[3], creates, is_view, _parts(rest, dialect, creates))


def _parts(text: str, dialect: str, creates: bool) -> list[str]:
    """The definitions in brackets; where none begin, what stands between commas."""
    import sqlglot

    try:
        tokens = sqlglot.Dialect.get_or_raise(dialect_of(dialect)).tokenize(text)
    except sqlglot.errors.SqlglotError:
        return []
    within = bool(tokens) and tokens[0].token_type.name == "L_PAREN"
    if creates and not within:
        return []
    parts: list[str] = []
    depth, start = int(within), tokens[0].end + 1 if within else 0
    for token in tokens[within:]:
        kind = token.token_type.name
        depth += (kind == "L_PAREN") - (kind == "R_PAREN")
        if depth < within:
            return [*parts, text[start : token.start]]
        if kind == "COMMA" and depth == within:
            parts.append(text[start : token.start])
            start = token.end + 1
    return [*parts, text[start:]]


def simpler_forms(part: str) -> list[str]:
    """A definition, and what may be read of it: a key alone, or a column's name and type.

    The name is quoted where it is also a word that begins a constraint, such as `exclude`.
    """
    adds = _ADDS.match(part)
    part = part[adds.end() :] if adds else part
    forms, words = [part, _KEPT.sub("", part)], part.split()
    if words and not _NO_COLUMN.match(part):
        forms += [" ".join(words[:2]), f"{words[0]} text", f'"{words[0]}" {" ".join(words[1:])}']
    return forms
