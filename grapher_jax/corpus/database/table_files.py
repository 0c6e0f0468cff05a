"""Reads a folder of tables, each a file or a folder of parts, by their headers alone."""

import csv
import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from io import StringIO
from pathlib import Path
from unicodedata import normalize

from grapher_jax.corpus.database.partitioned import (
    is_table_name,
    last_part,
    partition_columns,
)
from grapher_jax.corpus.database.reflect import TABLE, Choice, Key, Reflected, choose
from grapher_jax.corpus.documents.data import ABOVE_HEADER, TABLES, delimiter_of, title_above
from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import UnreadableError
from grapher_jax.errors import MissingExtraError, first_line, require
from grapher_jax.files import Json, allow_long_fields

_LONGEST_HEADER = 1_000_000
# A title above it stands at the beginning.
_TITLE_WITHIN = 1 << 16
# How much below a header tells its encoding.
_SAMPLE = 1 << 16
# How often a header of several lines is parsed.
_MOST_TRIES = 20
# What may come before a header: a byte order mark, empty lines, and the line that is for Excel.
_BEFORE = re.compile(rb"(\xef\xbb\xbf)?[\r\n]*(sep=.\r?\n)?[\r\n]*")
_ABOVE = re.compile(ABOVE_HEADER.encode())
# What stands in rows and not in headers: a number first, and a date anywhere.
_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)*")
_DATES = 3
_DATE = re.compile(r"\d{4}-\d\d-\d\d\b.*")
# Arrow's types in SQL; others are written as Arrow writes them.
_TYPES = {
    r"(large_)?string(_view)?|dictionary<values=string.*": "VARCHAR",
    r"u?int8|int16": "SMALLINT",
    r"int32|uint16": "INTEGER",
    r"int64|uint32": "BIGINT",
    r"uint64": "DECIMAL(20)",
    r"float|halffloat": "REAL",
    r"double": "DOUBLE PRECISION",
    r"bool": "BOOLEAN",
    r"date.*": "DATE",
    r"timestamp.*tz=.*": "TIMESTAMP WITH TIME ZONE",
    r"timestamp.*": "TIMESTAMP",
    r"time\d.*": "TIME",
    r".*binary.*": "VARBINARY",
    r"decimal\d+(\(.*\))": r"DECIMAL\1",
}
# The column in which pandas keeps the numbers of rows; the second, where it read them back itself.
_PANDAS_INDEX = re.compile(r"__index_level_\d+__|Unnamed: \d+")


def table_files(folder: Path) -> list[Path]:
    """The files, and folders of parts, directly in a folder that hold a table each, if any."""
    with suppress(OSError, ValueError):
        return sorted(place for place in folder.iterdir() if _part_of(place))
    return []


def _part_of(place: Path) -> Path | None:
    """The file with the columns of a table; None for what is no table."""
    if place.is_dir():
        # A folder such as `year=2024` is a part of the table that holds it.
        return None if place.name.startswith((".", "_")) or "=" in place.name else last_part(place)
    return place if is_table_name(place.name) and place.is_file() else None


def told_of_files(folder: Path, read: int) -> str:
    """What was read of a folder of tables, in words."""
    tables, scripts = table_files(folder), sorted(folder.glob("*.sql"))
    parts = [part for place in tables if (part := _part_of(place))]
    kinds = " and ".join(dict.fromkeys(TABLES[_ending(part)] for part in parts))
    files = "files" if parts == tables else "files and folders of parts"
    told = f"{read} {kinds} {files}, read as the tables of one database (their headers alone)"
    if "SV" in kinds and parts == tables:
        told += "; beside a document, such as a README.md, each of their rows is one too"
    told += f"; {scripts[0]} may tell more: it is a source too" if scripts else ""
    rest = {*folder.iterdir()}.difference(tables, scripts)
    others = sorted(file.name for file in rest if not file.name.startswith("."))
    return f"{told}; not read: {len(others)} others, such as {others[0]}" if others else told


def read_table_files(folder: Path, choice: Choice) -> Reflected:
    """The chosen tables of a folder, one for each file or folder of parts, without keys.

    A file without a usable header, and one with the name of another, are among the unreadable.

    Raises:
        InputError: if no file is chosen.
    """
    found = Reflected(None, ())
    for file in table_files(folder):
        # File systems of macOS keep letters and their accents apart.
        key: Key = None, _table_of(file)
        if key in found.kinds:
            key = None, file.name
            found.unreadable[key] = "another file has its name, with another ending"
        else:
            try:
                found.columns[key] = _columns(file)
            except UnreadableError as error:
                found.unreadable[key] = str(error)
        found.kinds[key] = TABLE
    choose(str(folder), found, choice)
    return found


def _table_of(place: Path) -> str:
    return normalize("NFC", place.name[: len(place.name) - len(_ending(place))])


def unreadable_tables(folder: Path) -> dict[str, Path]:
    """The tables of a folder whose headers cannot be read now, with their files."""
    found = {}
    for file in table_files(folder):
        try:
            _columns(file)
        except UnreadableError:
            found[_table_of(file)] = file
    return found


def _ending(place: Path) -> str:
    return max((one for one in TABLES if place.name.lower().endswith(one)), key=len, default="")


def _columns(place: Path) -> list[dict[str, Json]]:
    file = _part_of(place)
    if place.is_symlink() or file is None or file.is_symlink():
        raise UnreadableError("a symbolic link, which is not followed")
    if _ending(file) == ".parquet":
        found = _columns_of_parquet(file)
    else:
        found = _untyped(_names(_header(file)))
    if file == place:
        return found
    known = {column["name"] for column in found}
    return found + _untyped(name for name in partition_columns(place, file) if name not in known)


def _untyped(names: Iterable[str]) -> list[dict[str, Json]]:
    return [{"name": name, "type": "", "nullable": True} for name in names]


def _columns_of_parquet(file: Path) -> list[dict[str, Json]]:
    try:
        schema = require("pyarrow.parquet").read_schema(file)
    except (OSError, ValueError, NotImplementedError) as error:
        raise UnreadableError(f"no Parquet that can be read ({first_line(error)})") from None
    return [
        {"name": one.name, "type": _sql_type(str(one.type)), "nullable": one.nullable}
        for one in schema
        if not _PANDAS_INDEX.fullmatch(one.name)
    ]


def _sql_type(arrow: str) -> str:
    for pattern, sql in _TYPES.items():
        if found := re.fullmatch(pattern, arrow):
            return found.expand(sql)
    return arrow


def _header(file: Path) -> str:
    """The first line with names, with further ones if a name in quotes has several lines."""
    header, quotes, tries = bytearray(), 0, 0
    try:
        with (gzip.open if file.suffix.lower() == ".gz" else open)(file, "rb") as opened:
            head = _BEFORE.sub(b"", opened.read(_TITLE_WITHIN), count=1).decode(errors="replace")
            title = title_above(head.replace("\r\n", "\n")).strip().encode()
            opened.seek(0)
            while line := opened.readline(_LONGEST_HEADER):
                line = line if header else _BEFORE.sub(b"", line, count=1)
                said = line.strip(b" \r\n")
                if not header and (_ABOVE.fullmatch(said) or said == title):
                    continue
                header += line
                if len(header) >= _LONGEST_HEADER:
                    raise UnreadableError(
                        f"a header that does not end within {_LONGEST_HEADER:,} bytes; a name in "
                        "quotes may lack the second one"
                    )
                # What has as many quotes that begin as that end may still end within a name.
                quotes += line.count(b'"')
                if header and (len(header) == len(line) or quotes % 2 == 0):
                    tries += 1
                    if _is_whole(header) or tries == _MOST_TRIES:
                        break
            text = _decoded(header, opened.read(_SAMPLE))
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableError(f"cannot be read ({first_line(error)})") from None
    if "\0" in text:
        raise UnreadableError("a header that is binary; save it as UTF-8")
    return text


def _decoded(header: bytearray, following: bytes) -> str:
    """The header as UTF-8, else in the encoding that it and the rows below it seem to have."""
    try:
        return header.decode()
    except UnicodeDecodeError:
        try:
            lines = decode(bytes(header + following)).splitlines(keepends=True)
        except (UnreadableError, MissingExtraError):
            raise UnreadableError("a header that is not UTF-8; save it as UTF-8") from None
        return "".join(lines[: len(header.splitlines())])


def _is_whole(header: bytearray) -> bool:
    """Whether a header does not end within a name in quotes."""
    text = header.decode("latin-1")
    try:
        _first_row(text)
    except csv.Error as error:
        return "end of data" not in str(error)
    return True


def _first_row(text: str) -> list[str]:
    allow_long_fields()
    lines = StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=delimiter_of(text), skipinitialspace=True, strict=True)
    return next(reader, [])


def _names(header: str) -> list[str]:
    """The names of the columns; columns without a name, as of row numbers, are left out."""
    try:
        names = [name for one in _first_row(header) if (name := one.strip())]
    except csv.Error as error:
        raise UnreadableError(f"a header that cannot be parsed ({error})") from None
    names = [name for name in names if not _PANDAS_INDEX.fullmatch(name)]
    if not any(map(str.isalpha, "".join(names))):
        raise UnreadableError("a first line without names of columns")
    values = [name for name in names if _DATE.fullmatch(name)]
    if len({*values}) >= _DATES:  # of columns for days or months
        values = []
    if values or _NUMBER.fullmatch(names[0]):
        value = [*values, names[0]][0]
        raise UnreadableError(f"a first line with values, such as {value!r}; put names above it")
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise UnreadableError(f"a header that names {name!r} {times} times")
    return names
