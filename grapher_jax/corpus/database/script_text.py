"""The statements of a file of SQL, as text: which are read, and the parts of those that are odd."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from grapher_jax.corpus.sql import dialect_of, statements

# What is typical of each dialect, by SQLAlchemy's name of it.
_SIGNS = {
    "postgresql": r"PostgreSQL|\$\$|::\w|\bnextval\(|character varying|serial\b|\bjsonb\b"
    r'|\bFAMILY +"|\bSTORING +\(',  # CockroachDB's
    "mysql": r"^[ \t]*`|\bTABLE +`[^`.]+`|\bENGINE ?=|AUTO_INCREMENT|\bunsigned\b",
    "sqlite": r"AUTOINCREMENT|WITHOUT ROWID|\bPRAGMA\b|sqlite_",
    "mssql": r"^GO\b|(?<![\w)])\[[a-z]\w*\]|\bNVARCHAR|\bIDENTITY *\(",
    "snowflake": r"\bVARIANT *,|\bTIMESTAMP_[NLT]TZ|\bTRANSIENT +TABLE|\bNUMBER\(38,0\)"
    r"|\bVARCHAR\(16777216\)",
    "oracle": r"\bVARCHAR2|\bNUMBER *\(",
    "duckdb": r"\bHUGEINT\b|\bSTRUCT *\(",
    "redshift": r"\bDISTKEY *\(|\bSORTKEY *\(|\bDISTSTYLE +(?:KEY|ALL|EVEN|AUTO)\b"
    r"|\bENCODE +(?:az64|lzo|zstd|raw|bytedict)\b",
    "databricks": r"\bUSING +DELTA\b|\bTBLPROPERTIES *\(",
    "clickhouse": r"\bENGINE *= *\w*MergeTree|\bLowCardinality\(|\bNullable\("
    r"|(?-i:\bUInt(?:8|16|32|64)\b)",
    "bigquery": r"\bINT64\b|\b(?:STRUCT|ARRAY) *<|\bOPTIONS *\(|`[\w-]+(?:\.[\w-]+)+`",
    "hive": r"\bSTORED +AS +(?:PARQUET|ORC|TEXTFILE|AVRO|\w+FILE|INPUTFORMAT)\b"
    r"|\bROW +FORMAT +(?:SERDE|DELIMITED)\b",
}
# Those that a file without a sign of them is not read as.
_RARE = ("redshift", "databricks", "clickhouse", "hive")
# What programs write at the head of their dumps, which decides.
_HEADS = {
    "postgresql": r"^-- PostgreSQL database dump",
    "mysql": r"^-- (?:MySQL|MariaDB) dump|^-- phpMyAdmin",
}
_HEAD = 2000
# Text in quotes, which says nothing of the dialect.
_QUOTED = re.compile(r"'[^'\n]*'")
_FLAGS = re.MULTILINE | re.IGNORECASE


def _escaped(quote: str) -> str:
    """Text in these quotes, where a backslash escapes one."""
    return rf"{quote}(?:[^{quote}\\]++|\\.)*+{quote}"


# A comment, or a letter that begins one.
_COMMENT = r"--[^\n]*+|-|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?|/"
# Rows, of which COPY's end with a backslash and a dot; what clients read; and routines of MySQL.
_INSERTS = r"(?:INSERT\s+(?:OR\s+\w+\s+|IGNORE\s+|DELAYED\s+|\w+_PRIORITY\s+)*|REPLACE\s+)INTO"
_ROWS = re.compile(
    rf"""^[ \t]*{_INSERTS}\b(?:\s*`[^`]++`"""
    rf"""(?:[^;'"`/-]++|{_escaped("'")}|{_escaped('"')}|`[^`]*+`|{_COMMENT})*+"""
    rf"""|(?:[^;'"`E/-]++|\bE{_escaped("'")}|E|'[^']*+'|"[^"]*+"|`[^`]*+`|{_COMMENT})*+);?""",
    _FLAGS | re.DOTALL,
)
# Rows as SQL Server scripts them, one below the other and without an end.
_BRACKETS = r"\((?:[^'()]++|'[^']*+'|\((?:[^'()]++|'[^']*+'|\([^'()]*+\))*+\))*+\)"
_SERVER_ROW = re.compile(
    rf"^INSERT\s+(?:INTO\s+)?(?:\[[^\]\n]+\]\.?)+\s*{_BRACKETS}\s*VALUES\s*{_BRACKETS}[ \t]*;?$",
    _FLAGS,
)
# SQLite's virtual tables, which its dumps have as rows; and the names of what belongs to them.
_VIRTUAL_ROW = re.compile(
    r"^INSERT INTO sqlite_(?:schema|master)\b[^'\n]*+'table','[^'\n]*+','[^'\n]*+',\d+,"
    r"'(CREATE VIRTUAL [^\n]*)'\);$",
    _FLAGS,
)
_VIRTUAL = re.compile(
    r"""\bCREATE\s+VIRTUAL\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?["'`\[]*(\w+)["'`\]]*\s+USING\s+(\w+)""",
    _FLAGS,
)
_SHADOWS = {
    "fts5": ("config", "content", "data", "docsize", "idx"),
    **dict.fromkeys(("fts3", "fts4"), ("content", "docsize", "segdir", "segments", "stat")),
    **dict.fromkeys(("rtree", "rtree_i32", "geopoly"), ("node", "parent", "rowid")),
}
# What rows follow in dumps of PostgreSQL, and the line after them.
_COPY = re.compile(r"^COPY\b[^;]{0,2000}?\bFROM\s+STDIN\b[^;\n]*;", _FLAGS)
_COPIED = "\n\\."
_UNREAD = re.compile(
    r"^\\.*$"
    r"|^DELIMITER +(?!; *$)\S+ *\n(?:(?!DELIMITER).*\n)*+DELIMITER *;|^DELIMITER .*$",
    _FLAGS,
)
# Lines for Oracle's client, which end by themselves.
_CLIENT = re.compile(
    r"(?:REM(?:ARK)?|PROMPT)\b|@|(?:SPOOL|WHENEVER|ACCEPT|(?:UN)?DEFINE|CONNECT|EXIT|SET)\b[^;]*+$",
    re.IGNORECASE,
)
_TABLES = re.compile(
    r"\bCREATE\s+(TABLE|VIEW|UNIQUE|OR\s)|\b(ALTER|DROP|RENAME)\s+TABLE\b|\bCOMMENT\s+ON\b|^GO\b",
    _FLAGS,
)
# A line that ends a statement for SQL Server's or Oracle's clients.
_END = re.compile(r"^(?:GO|/)\s*$", _FLAGS)
# Not a line that allows or forbids one, after which other statements follow.
_ROUTINE = re.compile(
    r"\s*(CREATE|ALTER)\s+(OR\s+\w+\s+)?(PROC|PROCEDURE|FUNCTION|TRIGGER)\b"
    r"(?!\s+\S+\s+(?:ENABLE|DISABLE|COMPILE|RENAME|OWNER)\b)",
    re.IGNORECASE,
)
# What only MySQL reads, such as the views of its dumps, but for what it says of single columns.
_CONDITIONAL = re.compile(r"/\*!\d{5,6}")
_OF_COLUMN = re.compile(r"\s*(?:SRID\s+\d+|INVISIBLE)\s*")
_COMMENTS = re.compile(r"(?:\s+|--.*|#.*|/\*(?s:.*?)\*/)*")
# What may stand before a table or view that is created: no word that begins an action or names its
# place, and comments whatever they say.
_COMMENT_BEFORE = r"/\*[^*]*\*/|--[^\n]*\n"
_NO_ACTION = r"(?!/\*|--|\b(?:TRIGGER|FUNCTION|PROCEDURE|TYPE|AS|DO|FOR|ON)\s)[^(;]"
_CREATE = rf"CREATE\s(?:{_COMMENT_BEFORE}|{_NO_ACTION}){{0,200}}?\b"
# Not the log of a materialized view.
_VIEW = r"VIEW(?!\s+LOG\s+ON\b)"
# A statement without an end, before one that creates a table or view at the beginning of a line.
_UNENDED = (
    r"CREATE\s(?:(?!\b(?:TRIGGER|FUNCTION|PROCEDURE|TYPE|EVENT|TASK)\s)[^(;]){0,200}?"
    r"^CREATE\s+(?:TABLE|VIEW)"
)
_READ = re.compile(
    rf"({_CREATE}(TABLE|{_VIEW}|UNIQUE)|ALTER\s+TABLE|COMMENT\s+ON|DROP\s+(TABLE|VIEW)"
    rf"|RENAME\s+TABLE|ALTER\s+(?:MATERIALIZED\s+)?VIEW\s[^;(]{{0,200}}?\sRENAME|{_UNENDED})\b",
    _FLAGS,
)
# SQL Server ends no statement where the next one begins.
_NEXT = re.compile(r"^(?=(?:CREATE|ALTER)\s+(?:TABLE|VIEW)\b)", _FLAGS)
_PART = r"(?:\[(?:[^\]]|\]\])++\]|`(?:[^`]|``)++`|\"(?:[^\"]|\"\")++\"|'[^']+'|[\w$#]++)"
_NAME = rf"({_PART}(?:\s*\.\s*{_PART})*)"
# A schema with the tables and views that it is created with.
_WITH_TABLES = re.compile(
    rf"CREATE\s+SCHEMA\s+(?:IF\s+NOT\s+EXISTS\s+)?(?!AUTHORIZATION\b){_NAME}"
    rf"(?:\s+AUTHORIZATION\s+{_PART})?\s+(?=CREATE\b)",
    _FLAGS,
)
_ELEMENT = re.compile(r"^[ \t]*+(?=CREATE\s)", _FLAGS)
_CREATED = re.compile(
    rf"(CREATE\s+(?:OR\s+REPLACE\s+)?(?:TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?)({_PART})(?!\s*\.)",
    _FLAGS,
)
# What a parser need not know.
_ODD_VIEW = re.compile(
    r"\A(CREATE\s+(?:OR\s+REPLACE\s+)?)(?:(?:NO)?FORCE\s+|(?:NON)?EDITIONABLE\s+)+", _FLAGS
)
_FOREIGN = re.compile(r"\A(COMMENT\s+ON\s+)FOREIGN\s+TABLE\b", _FLAGS)
# Tables of which only the rows are temporary.
_GLOBAL = re.compile(r"\A(CREATE\s+)GLOBAL\s+TEMPORARY\s+(?=TABLE\b)", _FLAGS)
# Oracle's of how a text is compared, and where a table is defined.
_COLLATION = re.compile(
    r'\bDEFAULT\s+COLLATION\s+"?\w+"?(?=\s)|\bSHARING\s*=\s*(?:METADATA|(?:EXTENDED\s+)?DATA|NONE)\b',
    _FLAGS,
)
# SQL Server's of one column.
_KEY_OF_COLUMN = re.compile(r"\bFOREIGN\s+KEY\s+(?=REFERENCES\b)", _FLAGS)
_ESCAPED = re.compile(r"\sIS\s+E'", re.IGNORECASE)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t"}
_NO_DATA = re.compile(r"\bWITH\s+(NO\s+)?DATA\s*$", re.IGNORECASE)
_CHANGED = re.compile(
    rf"({_CREATE}|ALTER\s+)(TABLE|VIEW)\s+(?:ONLY\s+|IF\s+(?:NOT\s+)?EXISTS\s+)*{_NAME}", _FLAGS
)
# PostgreSQL's and SQLite's of a column, and MySQL's of a table, without the words that others have.
_RENAMES = rf"(?:TABLE|VIEW)\s+(?:ONLY\s+|IF\s+EXISTS\s+)*{_NAME}\s+RENAME\s+"
_COLUMN_RENAMED = re.compile(
    rf"\A(ALTER\s+{_RENAMES})(?!(?:TO|AS|COLUMN|CONSTRAINT|INDEX|KEY)\s)(?={_PART}\s+TO\s)", _FLAGS
)
_TABLE_RENAMED = re.compile(rf"\A(ALTER\s+{_RENAMES})AS(?=\s)", _FLAGS)
_VIEW_RENAMED = re.compile(rf"\A(ALTER\s+)MATERIALIZED\s+(?={_RENAMES})", _FLAGS)
_ATTACHED = re.compile(rf"ALTER\s.*\bATTACH\s+PARTITION\s+{_NAME}", _FLAGS)
_ADDS = re.compile(r"\A\s*(?:WITH\s+(?:NO)?CHECK\s+)?ADD\b(?:\s+COLUMN\b)?", re.IGNORECASE)
# How a key or a rule is kept.
_KEPT = re.compile(
    r"\bON\s+DELETE\s+SET\s+(NULL|DEFAULT)\s*\([^()]*\)|\bNOT\s+ENFORCED\b|\b(NON)?CLUSTERED\b|(\bWITH\s*\([^()]*\)\s*)?\bON\s+\[\w+\]\s*$|\bUSING\s+INDEX\b(?s:.*)"
    r"|\b(ENABLE|DISABLE)\b(\s+(NO)?VALIDATE\b)?",
    re.IGNORECASE,
)
# What sets the schemas of the names that are written without one, by dialect.
_SCHEMAS = {
    "mysql": r"USE\s+(.+)",
    "postgresql": r"SET\s+(?:SESSION\s+|LOCAL\s+)?search_path\s*(?:=|TO\b)(.+)"
    r"|RESET\s+search_path\b",
    "snowflake": r"(?:USE|CREATE(?:\s+OR\s+REPLACE)?(?:\s+TRANSIENT)?)\s+SCHEMA\s+"
    r"(?:IF\s+NOT\s+EXISTS\s+)?(\S+)",
}
# Of PostgreSQL's, those that no table of a dump is in.
_NO_SCHEMA = ("", "$user", "pg_catalog", "default")
_RENAMED = re.compile(
    rf"(?:RENAME\s+TABLE\s+(?:IF\s+EXISTS\s+)?|,\s*){_NAME}\s+TO\s+{_NAME}", _FLAGS
)
_MOVED = re.compile(
    rf"ALTER\s+TABLE\s+(?:ONLY\s+|IF\s+EXISTS\s+)*{_NAME}\s+SET\s+SCHEMA\s+{_NAME}", _FLAGS
)
_TABLE_COMMENT = re.compile(r"\bCOMMENT\s*+=?\s*+'((?:[^']++|'')*+)'", _FLAGS)
# A column's name, its type and the rest.
_COLUMN = re.compile(rf"\s*({_PART})\s*([\w.\[\]]+(?:\s*\([^()]*\))?)?(.*)", re.DOTALL)
# What a change of a table begins with that adds nothing.
OTHER_CHANGE = re.compile(r"\s*(?:DROP|ALTER|MODIFY|CHANGE|RENAME)\s", re.IGNORECASE)
# An option of a table or of a change, such as MySQL's `ENGINE=InnoDB`.
_OPTION = re.compile(r"\s*[\w ]+=|\s*COMMENT\s+'", re.IGNORECASE)
# What a definition that is none of a column begins with.
_NO_COLUMN = re.compile(
    r"\s*(CONSTRAINT|PRIMARY|FOREIGN|UNIQUE|CHECK|EXCLUDE\s+USING|KEY|INDEX|FULLTEXT|SPATIAL|PERIOD"
    r"|GENERATED|PARTITION|SUPPLEMENTAL|VECTOR\s+(INDEX|KEY)|INVERTED\s+INDEX|CLUSTERED\s+KEY"
    r"|FAMILY(?=\s+\S+\s*\())\b",
    re.IGNORECASE,
)
# The end of a line before a name and one of the usual types.
_NEXT_COLUMN = re.compile(
    rf"\n(?=[ \t]*(?!(?:DEFAULT|AS|RETURNS)\b){_PART}[ \t]+"
    r"(?:\w*INT\w*|\w*SERIAL|\w*CHAR\w*|\w*TEXT|NUMERIC|NUMBER|DECIMAL|DATE|DATETIME\w*|TIME|TIMESTAMP\w*|BOOL\w*|FLOAT\w*|DOUBLE|REAL|UUID"
    r"|JSONB?|\w*BLOB|MONEY|BYTEA)\b)",
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
    plain = _QUOTED.sub("", text)
    counts = {name: len(re.findall(sign, plain, _FLAGS)) for name, sign in _SIGNS.items()}
    if counts["redshift"]:  # whose external tables are written as Hive's
        counts["hive"] = 0
    for name, head in _HEADS.items():
        if re.search(head, text[:_HEAD], _FLAGS):
            counts[name] += sum(counts.values()) + 1
    likely = sorted(counts.items(), key=lambda one: -one[1])
    return {name: count for name, count in likely if count or name not in _RARE}


def shadow_names(text: str) -> set[str]:
    """The names of what belongs to SQLite's virtual tables, as of full-text search."""
    return {
        f"{name}_{part}".casefold()
        for name, module in _VIRTUAL.findall(text)
        for part in _SHADOWS.get(module.casefold(), ())
    }


def without_rows(text: str) -> str:
    """A file without most of its rows and routines, and without what is meant for clients."""
    text = _VIRTUAL_ROW.sub(lambda row: row[1].replace("''", "'") + ";", text)
    text = _SERVER_ROW.sub("", text)
    text = _ROWS.sub(lambda rows: "" if _are_rows(rows[0]) else rows[0], text)
    text = _UNREAD.sub("", _replaced(text, _COPY, _COPIED, lambda rows: ""))
    batches = _END.split(_replaced(text, _CONDITIONAL, "*/", _unless_of_column))
    if len(batches) > 1:  # where a routine has a batch of its own
        batches = [one for one in batches if not _ROUTINE.match(one, _after_comments(one))]
    return ";\n".join(batches)


def _replaced(
    text: str, begins: re.Pattern[str], ends: str, replacement: Callable[[str], str]
) -> str:
    """The text with another for each span, made from what is inside; a span without end stays.

    In one pass: where spans have no end, a pattern for the whole span would read on from each.
    """
    pieces, place = list[str](), 0
    while begun := begins.search(text, place):
        end = text.find(ends, begun.end())
        if end < 0:
            break
        pieces += text[place : begun.start()], replacement(text[begun.end() : end])
        place = end + len(ends)
    return "".join((*pieces, text[place:]))


def _unless_of_column(meant: str) -> str:
    return "" if _OF_COLUMN.fullmatch(meant) else meant


def without_client_lines(text: str) -> str:
    """A file of Oracle's without the lines for its client, which stand between statements."""
    kept, between, comment = [], True, False
    for line in text.split("\n"):
        said = line.strip()
        comment = between and (comment or said.startswith("/*"))
        if not between or comment or not _CLIENT.match(said):
            kept.append(line)
            if said and not comment and not (between and said.startswith("--")):
                between = said.endswith(";")
        comment = comment and "*/" not in said
    return "\n".join(kept)


def _are_rows(statement: str) -> bool:
    # Where an end is missing, what was found may be more than rows.
    return statement.endswith(";") and not _TABLES.search(statement)


def wanted(text: str, dialect: str) -> Iterator[str]:
    """The statements about tables and views, without comments before them."""
    for _, statement in statements(text, dialect):
        own = statement[_after_comments(statement) :]
        if schema := _WITH_TABLES.match(own):
            place = f"{schema[1]}."
            for one in _ELEMENT.split(own[schema.end() :]):
                named = _CREATED.sub(lambda name, of=place: f"{name[1]}{of}{name[2]}", one, 1)
                if _READ.match(named):
                    yield _simpler(named.strip(), dialect)
        elif _READ.match(own) or schemas_set(own, dialect) is not None:
            for one in filter(None, _NEXT.split(own)):
                yield _simpler(one.strip(), dialect)


def _simpler(statement: str, dialect: str) -> str:
    """A statement without what no parser need know."""
    if statement[:7].upper() == "COMMENT" and (told := _ESCAPED.search(statement)):
        written = statement[told.end() :].rstrip().removesuffix("'")
        text = re.sub(r"\\(.)", lambda letter: _LETTERS.get(letter[1], letter[1]), written)
        text = re.sub("'+", lambda quotes: "''" * -(-len(quotes[0]) // 2), text)
        statement = f"{statement[: told.start()]} IS '{text}'"
    if virtual := _VIRTUAL.match(statement):
        given, _ = _parts(statement[virtual.end() :], dialect, creates=True)
        names = (re.match(_PART, one.strip()) for one in given if "=" not in one)
        columns = ", ".join(name[0] for name in names if name)
        statement = f'CREATE TABLE "{virtual[1]}" ({columns})'
    statement = _VIEW_RENAMED.sub(r"\1", _FOREIGN.sub(r"\1TABLE", statement))
    statement = _TABLE_RENAMED.sub(r"\1TO", _COLUMN_RENAMED.sub(r"\1COLUMN ", statement))
    if statement[:7].upper() != "COMMENT":  # its text may say anything
        statement = _KEY_OF_COLUMN.sub("", statement)
        if dialect == "oracle":
            statement = _GLOBAL.sub(r"\1", _COLLATION.sub("", statement))
    return _NO_DATA.sub("", _ODD_VIEW.sub(r"\1", statement))


def schemas_set(statement: str, dialect: str) -> list[str] | None:
    """The schemas that a statement sets for names without one, in order; mostly None.

    An empty list sets the default ones.
    """
    found = re.match(_SCHEMAS[dialect], statement, _FLAGS) if dialect in _SCHEMAS else None
    if not found:
        return None
    written = (found[1] or "").split(",") if dialect == "postgresql" else [found[1]]
    names = [re.findall(_PART, one)[-1:] for one in written]
    plain = [name.strip("`\"'[]") for one in names for name in one]
    return [name for name in plain if name.casefold() not in _NO_SCHEMA]


def renames(statement: str) -> list[tuple[str, str]]:
    """The tables that a statement renames or moves, which no parser knows: old and new names."""
    if moved := _MOVED.match(statement):
        return [(moved[1], f"{moved[2]}.{moved[1].rpartition('.')[2]}")]
    is_rename = re.match(r"RENAME\s+TABLE\b", statement, _FLAGS)
    return _RENAMED.findall(statement) if is_rename else []


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
        parts: the definitions of a table, or what is added to it, and other changes of it.
        comment: the table's comment, as MySQL writes it after the definitions; usually empty.
    """

    name: str
    creates: bool
    is_view: bool
    parts: list[str]
    comment: str

    @classmethod
    def read(cls, statement: str, dialect: str) -> "Odd | None":
        """What can be read of a statement; None if it is not about a table."""
        found = _CHANGED.match(statement)
        if not found:
            return None
        creates, is_view = found[1][0] in "Cc", found[2][0] in "Vv"
        rest = "" if is_view else statement[found.end() :]
        parts, after = _parts(rest, dialect, creates=creates)
        if not creates:
            parts = [one for part in _changes(parts) for one in _added(part, dialect)]
        comment = _TABLE_COMMENT.search(after)
        told = comment[1].replace("''", "'") if comment else ""
        return cls(found[3].replace("'", '"'), creates, is_view, parts, told)


def _parts(text: str, dialect: str, *, creates: bool) -> tuple[list[str], str]:
    """The definitions in brackets, and what follows them.

    Where no bracket begins, the definitions stand between commas, and nothing follows.
    """
    import sqlglot

    try:
        tokens = sqlglot.Dialect.get_or_raise(dialect_of(dialect)).tokenize(text)
    except sqlglot.errors.SqlglotError:
        return [], ""
    within = bool(tokens) and tokens[0].token_type.name == "L_PAREN"
    if creates and not within:
        return [], ""
    parts: list[str] = []
    depth, start = int(within), tokens[0].end + 1 if within else 0
    for token in tokens[within:]:
        kind = token.token_type.name
        depth += (kind == "L_PAREN") - (kind == "R_PAREN")
        if depth < within:
            return [*parts, text[start : token.start]], text[token.end + 1 :]
        if kind == "COMMA" and depth == within:
            parts.append(text[start : token.start])
            start = token.end + 1
    return [*parts, text[start:]], ""


def _changes(parts: list[str]) -> Iterator[str]:
    """The changes of a table that say something of its columns or keys."""
    adds = False
    for part in parts:
        # SQL Server's and Oracle's second column that is added follows a comma alone.
        adds = adds or _ADDS.match(part) is not None
        if (adds and not _OPTION.match(part)) or OTHER_CHANGE.match(part):
            yield part


def _added(part: str, dialect: str) -> list[str]:
    """The definitions of one change of a table that adds some; another change is left as it is."""
    rest = _ADDS.sub("", part)
    return _parts(rest, dialect, creates=True)[0] if rest.lstrip().startswith("(") else [rest]


def simpler_forms(part: str) -> list[tuple[str, str]]:
    """A definition, and what may be read of it: a key alone, or a column's name and type.

    A name is quoted where it is also a word that begins a constraint, such as `exclude`. A type
    that no parser knows is replaced in the form, and stands beside it; elsewhere, that is empty.
    """
    part = _ADDS.sub("", part)
    # A comma may be missing between two columns, each on a line of its own.
    forms = [(part, ""), (_NEXT_COLUMN.sub(",\n", part), ""), (_KEPT.sub("", part), "")]
    column = _COLUMN.match(part)
    if column and not _NO_COLUMN.match(part):
        name, kind, rest = column.groups(default="")
        forms += [(f"{name} text {rest}", kind), (f"{name} {kind}", ""), (f"{name} text", kind)]
        forms.append((f'"{name}" {kind} {rest}', ""))
    return forms
