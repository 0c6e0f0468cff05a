"""Tables and JSON, with each record as lines of `name: value` that are readable alone."""

import csv
import re
from collections.abc import Iterator
from io import StringIO
from itertools import chain, zip_longest

from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import MOST_BYTES, Block, Extract, UnreadableError, joined
from grapher_jax.files import Json, parse_json

_DELIMITERS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*"')
# The line by which a table tells Excel its delimiter.
_TOLD = re.compile(rf"sep=([{_DELIMITERS}])\n")
_DEEPEST = 100


def table(data: bytes) -> Extract:
    """The rows of a table, with each value after its column's name from the first row.

    The delimiter is what a first line such as `sep=;` says, else the most frequent of comma,
    semicolon, tab and bar in the first line.
    """
    text = decode(data).lstrip("\n")
    if told := _TOLD.match(text):
        text, delimiter = text[told.end() :], told[1]
    else:
        delimiter = delimiter_of(text.partition("\n")[0])
    # By default, csv refuses a whole table because of one cell longer than a short article.
    csv.field_size_limit(max(MOST_BYTES, csv.field_size_limit()))
    return joined(_rows(csv.reader(StringIO(text, newline=""), delimiter=delimiter)))


def delimiter_of(header: str) -> str:
    """The most frequent of comma, semicolon, tab and bar in a header, outside of quotes."""
    return max(_DELIMITERS, key=_QUOTED.sub("", header).count)


def _rows(rows: Iterator[list[str]]) -> Iterator[Block]:
    names = next(rows, [])
    first = next(rows, None)
    if first is None:
        yield Block(", ".join(name.strip() for name in names))
        return
    for row in chain([first], rows):
        cells = [
            f"{name.strip()}: {value}" if name.strip() else value
            for name, cell in zip_longest(names, row, fillvalue="")
            if (value := _without_blank_lines(cell))
        ]
        yield Block("\n".join(cells))


def json_document(data: bytes) -> Extract:
    """The values of a JSON document, each after its path."""
    return joined(_values(_parsed(decode(data)), "", "\n"))


def json_lines(data: bytes) -> Extract:
    """The same for each line."""
    lines = enumerate(decode(data).split("\n"), start=1)
    values = (_parsed(line, f"line {number}") for number, line in lines if line.strip())
    return joined(block for value in values for block in _values(value, "", "\n\n"))


def _parsed(text: str, what: str = "JSON") -> Json:
    try:
        return parse_json(text)
    except ValueError as error:
        raise UnreadableError(f"whose {what} cannot be parsed") from error


def _values(value: Json, way: str, gap: str, depth: int = 0) -> Iterator[Block]:
    """One line per value or list of plain values; the records of a list are separated."""
    if depth > _DEEPEST:
        raise UnreadableError(f"with JSON nested more than {_DEEPEST} deep")
    if isinstance(value, dict):
        for key, inner in value.items():
            for block in _values(inner, f"{way}.{key}" if way else key, gap, depth + 1):
                yield block
                gap = "\n"
    elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        for one in value:
            yield from _values(one, way, "\n\n", depth + 1)
    else:
        every = value if isinstance(value, list) else [value]
        said = ", ".join(filter(None, map(_plain, every)))
        if said:
            yield Block(f"{way}: {said}" if way else said, gap)


def _plain(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return _without_blank_lines(str(value))


def _without_blank_lines(text: str) -> str:
    return "\n".join(line for line in text.strip().split("\n") if line.strip())
