"""Tables and JSON, with each record as lines of `name: value` that are readable alone."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from itertools import chain, zip_longest

from grapher_jax.corpus.documents.citations import IDS, own_codes
from grapher_jax.corpus.documents.decode import decode
from grapher_jax.corpus.documents.extract import (
    Block,
    Extract,
    Record,
    UnreadableError,
    joined,
)
from grapher_jax.files import Json, allow_long_fields, parse_json

# The endings of files that hold a table each, with what they are called; not all are read here.
TABLES = {".csv": "CSV", ".csv.gz": "CSV", ".tsv": "TSV", ".tsv.gz": "TSV", ".parquet": "Parquet"}
WORKBOOKS = (".xlsx", ".xlsm")
_DELIMITERS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*"')
# The line by which a table tells Excel its delimiter.
_TOLD = re.compile(rf"sep=([{_DELIMITERS}])\n")
# A comment or a title above the header, and a line without any names.
ABOVE_HEADER = (
    rf"#(?:[ #!][^{_DELIMITERS}\n]*)?|[^{_DELIMITERS}\n]+([{_DELIMITERS}])\1+|[{_DELIMITERS} \t]*"
)
_ABOVE = re.compile(rf"(?>(?:{ABOVE_HEADER})\n)+(?=[^\n]*[^\W\d_][^\n]*\n)")
# A title of several words alone on its line, and the names that may stand below it: in a table of
# one column, a comma within a value has a space after it.
_TITLE = rf'[^{_DELIMITERS}"\n]{{0,100}}?\w[ ]{{1,9}}\w[^{_DELIMITERS}"\n]{{0,100}}'
_NAME = (
    rf'(?! |[^{_DELIMITERS}\n]{{0,99}}://)(?=[^{_DELIMITERS}"\n]{{0,99}}?[^\W\d_])'
    rf'[^{_DELIMITERS}"\n]{{1,99}}+'
)
_BELOW = rf"{_NAME}([{_DELIMITERS}]){_NAME}(?:\1{_NAME})*+"
_TITLED = re.compile(rf"{_TITLE}\n(?:[{_DELIMITERS} \t]*\n)*(?={_BELOW}\n(?:[^\n]*\1|\Z))")
_DEEPEST = 100
_TITLES = {
    *("title", "name", "label", "subject", "headline"),
    *("bezeichnung", "betreff", "titel", "überschrift"),
    *("libellé", "libelle", "nom", "objet", "titre"),
    *("asunto", "nombre", "titulo", "título", "assunto", "nome", "oggetto", "titolo"),
    *("naam", "onderwerp"),
}
# Trackers call a title so, and others a whole paragraph.
_SUMMARIES = ("summary", "zusammenfassung", "résumé", "resumen", "resumo", "samenvatting")
_LONGEST_TITLE = 160
# An id that leaves the file's name the stem of `<file>#<id>`, and needs no quotes anywhere.
_ID = re.compile(r"[\w-][\w.+:@-]{0,63}")
_WORD = re.compile(r"[^\W\d_]{2}")
_FIRST = 100


def table(data: bytes) -> Extract:
    """The rows of a table, with each value after its column's name from the first row.

    The delimiter is what a first line such as `sep=;` says, else the most frequent of comma,
    semicolon, tab and bar in the first line. Quotes in values divided by tabs may be plain text.
    """
    whole = decode(data)
    text = whole.lstrip("\n")
    told = _TOLD.match(text)
    text = text[told.end() :] if told else text
    text = text[_above(text)[-1] :]
    delimiter = told[1] if told else delimiter_of(text.partition("\n")[0])
    allow_long_fields()
    line = _misquoted(text, delimiter)
    line += line and whole.count("\n") - text.count("\n")
    is_plain = bool(line) and delimiter == "\t"
    rows = csv.reader(
        StringIO(text, newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_NONE if is_plain else csv.QUOTE_MINIMAL,
    )
    found = records_of_rows(rows)
    if line and not is_plain:
        note = f"a quote in line {line} does not end where its value does; write it twice"
        found = replace(found, notes=[*found.notes, note])
    return found


def records_of_rows(rows: Iterator[Sequence[str]]) -> Extract:
    """The rows of a table after the first, each value after its column's name in that row."""
    names = [name.strip() for name in next(rows, [])]
    first = next(rows, None)
    if first is None:
        return Extract(", ".join(names))
    return _of_records(_row(names, row) for row in chain([first], rows))


def _above(text: str) -> tuple[int, int]:
    """Where comments above a table's header end, and where a title alone on its line ends then."""
    comments = above.end() if (above := _ABOVE.match(text)) else 0
    return comments, title.end() if (title := _TITLED.match(text, comments)) else comments


def title_above(text: str) -> str:
    """The title that stands alone above a table's header; empty for none."""
    comments, end = _above(text)
    return text[comments:end].partition("\n")[0]


def _misquoted(text: str, delimiter: str) -> int:
    """The line where a quoted value ends before its delimiter, or never; 0 if there is none."""
    rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begin = 1
    try:
        for _ in rows:
            begin = rows.line_num + 1
    except csv.Error:
        return begin
    return 0


def delimiter_of(header: str) -> str:
    """The most frequent of comma, semicolon, tab and bar in a header, outside of quotes."""
    return max(_DELIMITERS, key=_QUOTED.sub("", header).count)


def _row(names: Sequence[str], row: Sequence[str]) -> Record:
    fields = [
        (name, value)
        for name, cell in zip_longest(names, row, fillvalue="")
        if (value := _without_blank_lines(cell))
    ]
    return _record(
        fields, "\n".join(f"{name}: {value}" if name else value for name, value in fields)
    )


def _record(fields: Iterable[tuple[str, str]], text: str) -> Record:
    found = [(name.casefold(), value) for name, value in fields]
    title, summary, own = (
        next((value for name, value in found if name in names), "")
        for names in (_TITLES, _SUMMARIES, IDS)
    )
    if not title and len(summary) <= _LONGEST_TITLE:
        title = summary
    return own if _ID.fullmatch(own) else "", Extract(text, title)


def _of_records(records: Iterable[Record]) -> Extract:
    """The records as documents, by their own ids or codes if each has another one, else by number.

    They stay one document unless most of the first hundred hold words, and not numbers alone.
    """
    kept: list[Record] = []

    def blocks() -> Iterator[Block]:
        for own, one in records:
            if one.text:
                kept.append((own, one))
            yield Block(one.text)

    whole = joined(blocks())
    told = [_holds_words(one.text) for _, one in kept[:_FIRST]]
    if 2 * sum(told) <= len(told):
        return whole
    by_id = dict(kept)
    notes = []
    if "" in by_id or len(by_id) < len(kept):
        codes = own_codes([one for _, one in kept])
        are_ids = bool(codes) and all(map(_ID.fullmatch, codes))
        names = codes if are_ids else [*map(str, range(len(kept)))]
        repeated, times = Counter(own for own, _ in kept).most_common(1)[0]
        if repeated and times > 1:
            other = "codes" if are_ids else "numbers"
            notes = [f"{other} name its records, for the id {repeated!r} stands {times} times"]
        by_id = {name: one for name, (_, one) in zip(names, kept, strict=True)}
    return replace(whole, records=[*by_id.items()], notes=notes)


def _holds_words(text: str) -> bool:
    """Whether a value has a word; names of columns always have."""
    return any(_WORD.search(line.partition(": ")[2]) for line in text.split("\n"))


def json_document(data: bytes) -> Extract:
    """The values of a JSON document, each after its path; the objects of a list are records.

    The list may be the only one in an object, as in what programming interfaces export. Objects
    one below the other are those of JSON Lines, which some programs write by this name.
    """
    text = decode(data)
    try:
        value = _parsed(text)
    except UnreadableError:
        first = text.lstrip().partition("\n")[0].rstrip()
        if first.startswith("{") and first.endswith("}"):
            with suppress(UnreadableError):
                if (lines := json_lines(data)).records:
                    return lines
        raise
    if isinstance(value, list):
        return _of_objects(value) or joined(_values(value, "", "\n"))
    parts = value.values() if isinstance(value, dict) else ()
    inner = [part for part in parts if isinstance(part, dict | list)]
    found = _of_objects(inner[0]) if len(inner) == 1 and isinstance(inner[0], list) else None
    return found if found and found.records else joined(_values(value, "", "\n"))


def json_lines(data: bytes) -> Extract:
    """The same for each line; lines that cannot be parsed are left out if another one can."""
    values, failed = [], []
    for number, line in enumerate(decode(data).split("\n"), start=1):
        if line.strip():
            try:
                values.append(_parsed(line, f"line {number}"))
            except UnreadableError as error:
                failed.append(error)
    if failed and len(values) <= len(failed):
        raise failed[0]
    found = _of_objects(values) or joined(
        block for value in values for block in _values(value, "", "\n\n")
    )
    if failed:
        left = f"{len(failed)} of its lines left out" if len(failed) > 1 else "a line left out"
        found = replace(found, notes=[*found.notes, f"{left}, {failed[0]}"])
    return found


def _of_objects(values: Sequence[Json]) -> Extract | None:
    """The records that these values are; None if one of them is no object."""
    objects = [value for value in values if isinstance(value, dict)]
    if not 0 < len(objects) == len(values):
        return None
    records = [*map(_object, objects)]
    found, empty = _of_records(records), sum(not one.text for _, one in records)
    left = "a record without any value" if empty == 1 else f"{empty} records without any value"
    return replace(found, notes=[*found.notes, f"{left} left out"]) if empty else found


def _object(value: dict[str, Json]) -> Record:
    plain = ((name, one) for name, one in value.items() if not isinstance(one, dict | list))
    return _record(
        ((name, said) for name, one in plain if (said := _plain(one))),
        joined(_values(value, "", "\n")).text,
    )


def _parsed(text: str, what: str = "JSON") -> Json:
    try:
        return parse_json(text, gaps=True)
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
