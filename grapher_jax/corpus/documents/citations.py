"""References by number or code: `INC-2202`, `#1042`, `§ 12`, `section 4.3`, `parent_id: 1042`."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TypeVar

from grapher_jax.corpus.documents.extract import Extract, Record
from grapher_jax.text import name_words

T = TypeVar("T")
# Names of records with what they lead to, and such by the words of their tables' names.
Names = dict[str, str]
ByTable = dict[tuple[str, ...], Names]

# The columns of a record's own id.
IDS = ("id", "_id")
# Those of the number by which texts call it, where its id is of a program's.
_NUMBERS = ("number", "no", "nr", "num", "iid")
# Words before the number of a part of a text, in English, German and French.
_WORDS = "article|chapter|clause|section|artikel|abschnitt|kapitel|chapitre"
_NUMBER = r"\d{1,9}(?:\.\d{1,9})*[a-z]?\b"
_NUMBERED = re.compile(rf"(?:(#)|(§)§?\s?|\b({_WORDS})\s)({_NUMBER})", re.IGNORECASE)
# A numbered document, and where it is cited; in which folders documents have a number alone.
_KIND, _SERIES = 8, 3
# In capitals alone: `step 2` is one of any document.
_FILED = re.compile(rf"\b([A-Z]{{2,{_KIND}}})[ _-]?0{{0,5}}(\d{{1,6}})\b")
_NUMBERED_FILE = re.compile(rf"(?:([^\W\d_]{{2,{_KIND}}})[ _-]?)?0{{0,5}}(\d{{1,6}})(?![^\W_]|-\d)")
_FOLDERS = {"decisions": "adr", "decision": "adr"}
# `_` is one of `\w` already: as a mark as well, a run of them would be divided in every way.
_CODE, _MARK = re.compile(r"\w+(?:[-.+:]\w+)*"), re.compile(r"[-_.+:]")
# X's and Discord's have nineteen digits.
_DIGITS = r"\d{1,20}"
_INTEGER = re.compile(_DIGITS)
# A column with integers alone, in a record as text; and what others its name may name.
_COLUMN = re.compile(rf"^([^:\n]{{1,80}}): ({_DIGITS}(?:, {_DIGITS})*)$", re.MULTILINE)
# A value that is long enough to be that of no other record by chance, as an e-mail's id: no point
# in time, amount or address, which several columns have. And Slack's number of a message.
_LONG = re.compile(
    r"(?![\d.,:/+-]*[TZ]?[\d.,:/+-]*Z?$)(?![A-Z]{0,3}[^\w\s<]?[\d.,]+$)(?!\w[^\s@]*@)"
    r"(?=[^\s\d]*\d)[^\s,]{10,200}",
    re.MULTILINE,
)
_SLACKS, _OF_SLACK = "ts", re.compile(r"\d{10}\.\d{6}")
_WHOLE = re.compile(rf"^[^:\n]{{1,80}}: ({_LONG.pattern}|{_OF_SLACK.pattern})$", re.MULTILINE)
_OTHER = frozenset(
    name_words(
        "parent child children duplicate block blocked blocker depend dependency dependent "
        "predecessor successor previous next related relates relation supersede superseded "
        "replace replaced cause caused epic subtask reply replied linked merged original reference"
    )
)
_PLURAL = re.compile(r"(?:[^us]s|children)$", re.IGNORECASE)
# These say what a record does, and count nothing.
_DOES = re.compile(r"(?:replaces|supersedes)$", re.IGNORECASE)
# What a column tells of records whose name ends so is a number: `original_price`, `reply_count`.
_MEASURES = {
    *("count", "total", "amount", "price", "cost", "payment", "value", "score", "rank", "size"),
    *("year", "age", "rate"),
}
_ID = {"id", "ids"}
# A column of these words alone names others.
_NAMING = _OTHER | _ID | {"of", "by", "to", "into", "on", "in", "for", "number"}
# Texts say `#1` of charts and lists.
_WITH_NUMBER = re.compile(rf"(?:#(?=\d\d)|\b((?:(?!\d+\s)\w++\s){{1,3}}))({_DIGITS})\b")
# What marks the integer that a record is called by in other records' columns.
_IS = "="
# What begins a heading that says its number alone is cited by each of these words.
_BARE = re.compile(rf"{_NUMBER}(?=\.?\s)")


def cited(text: str, names: Mapping[str, T]) -> Iterator[tuple[int, T]]:
    """The positions at which a text cites something by its name, with what the name leads to."""
    if not names:
        return
    for found in _CODE.finditer(text):
        if found[0] in names:
            yield found.start(), names[found[0]]
    for found in _NUMBERED.finditer(text):
        if (form := _form(found)) in names:
            yield found.start(), names[form]


def filed(text: str, names: Mapping[str, T]) -> Iterator[tuple[int, T]]:
    """The positions at which a text cites numbered documents, as `ADR-0007` or `ADR 7`."""
    for found in _FILED.finditer(text) if names else ():
        if (form := f"{found[1].casefold()} {int(found[2])}") in names:
            yield found.start(), names[form]


def names_of_files(names: Iterable[str]) -> dict[str, str]:
    """The forms by which documents are cited that are numbered in one series, with their paths.

    A series has three documents or more, such as `rfc7231.txt`, `pep-0008.rst`, or in a folder
    called after it `adr/0007-queue.md`; two with one number are none of it.
    """
    series: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for name in names:
        path = PurePath(name)
        if found := _NUMBERED_FILE.match(path.stem):
            folder = path.parent.name.casefold()
            kind = found[1] or _FOLDERS.get(folder, folder.removesuffix("s"))
            series[kind.casefold()].append((int(found[2]), name))
    forms = (
        {f"{kind} {number}": name}
        for kind, files in series.items()
        if len(files) >= _SERIES and 1 < len(kind) <= _KIND
        for number, name in files
    )
    return once(forms)


def is_said(name: str) -> bool:
    """Whether a name of `names_of_records` is a code, or a number after `#`."""
    return name.startswith("#") or (_CODE.fullmatch(name) is not None)


def codes(text: str) -> Iterator[str]:
    """The words of a text that are codes, or have letters and a mark between them."""
    for found in _CODE.finditer(text):
        if _is_code(found[0]) or (_MARK.search(found[0]) and any(map(str.isalpha, found[0]))):
            yield found[0]


def numbers(text: str) -> Iterator[tuple[str, str]]:
    """The integers of a text that have a `#` (empty here) or words before them, and those words."""
    for found in _WITH_NUMBER.finditer(text):
        yield found[1] or "", found[2]


def referenced(
    text: str,
    kind: tuple[str, ...],
    own: Mapping[str, T],
    files: Mapping[tuple[str, ...], Mapping[str, T]],
) -> Iterator[tuple[int, T]]:
    """The positions at which a record names others in its columns, with what these lead to.

    Integers in a column such as `parent_id` or `duplicate_of` name records of its own file, those
    in one such as `issue_id` or `related_issue` the ones of a file `issues`, also within a list. A
    long value with a digit is one of its own file too that identifies records, as of e-mails.

    Args:
        text: the record.
        kind: the words of its file's name.
        own: the names of records in its own file, see `names_of_records`.
        files: those in every file, by the words of its name.
    """

    def of_file(words: Sequence[str]) -> Mapping[str, T]:
        # `issue_id`, but not `issue`, which may be a number of anything.
        which = tuple(word for word in words if word not in _ID)
        return files.get(which, {}) if len(which) < len(words) else {}

    def named(words: Sequence[str], column: str, integers: str) -> Mapping[str, T]:
        if not _OTHER.isdisjoint(words) and not _counts(words, column, integers):
            # `related_issue` says which records, `parent_id` and `duplicate_of` mean those beside.
            which = tuple(word for word in words if word not in _NAMING)
            if which and which[-1] in _MEASURES and words[-1] not in _ID:
                return {}
            if which in files and which != kind[-len(which) :]:
                return files[which]
            if which in files or not which or words[-1] in _ID:
                return own
        return of_file(words)

    for found in _WHOLE.finditer(text):
        if (name := f"{_IS}{found[1]}") in own:
            yield found.start(1), own[name]
    for found in _COLUMN.finditer(text):
        last = found[1].rpartition(".")[2]
        names = named(name_words(found[1]), *found.groups()) or of_file(name_words(last))
        for number in _INTEGER.finditer(text, *found.span(2)):
            if (name := f"{_IS}{number[0]}") in names:
                yield number.start(), names[name]


def _counts(words: Sequence[str], column: str, numbers: str) -> bool:
    """Whether a column of integers counts other records: one number of `replies` is how many."""
    is_plural = _PLURAL.search(column) is not None and not _DOES.search(column)
    return is_plural and words[-1] not in _ID and "," not in numbers


def table_of(record: str) -> str:
    """The file of a record; of one in a workbook with several sheets, `<file>/<sheet>`."""
    file, _, own = record.rpartition("#")
    sheet, slash, _ = own.rpartition("/")
    return f"{file}{slash}{sheet}"


def words_of_table(name: str) -> tuple[str, ...]:
    """The words of a table's name without numbers, in singular: `2024/issues-1.jsonl`, `issue`."""
    return tuple(word for word in name_words(PurePath(name).stem) if not word.isdigit())


def by_their_ends(files: Mapping[tuple[str, ...], T]) -> dict[tuple[str, ...], T]:
    """Files also by the last words of their names that no other has: `res_partner` by `partner`."""
    ends = Counter(words[at:] for words in files for at in range(1, len(words)))
    shorter = {
        words[at:]: file
        for words, file in files.items()
        for at in range(1, len(words))
        if ends[words[at:]] == 1
    }
    return shorter | dict(files)


def names_by_table(records: Mapping[str, Names]) -> ByTable:
    """The names of the records of each table, by the words of its name or of its end."""
    tables: dict[tuple[str, ...], list[Names]] = {}
    for name, own in records.items():
        if words := words_of_table(name):
            tables.setdefault(words, []).append(own)
    return by_their_ends({words: once(named) for words, named in tables.items()})


def names_of_records(records: Iterable[Record]) -> dict[str, str]:
    """The names by which others may cite the records of a file, with the records' own.

    Names are the values of each column in which every record has another code, or number with its
    word or mark. Of columns with other integers, `id` or the first is named after `=`, for columns
    of records, and `number` or the same, from 10, after `#`, for texts. Long values with a digit
    are named after `=` too. A value without a digit is a code if at least half of its column are,
    and one of them begins like it.
    """
    names: dict[str, str] = {}
    integers: dict[str, dict[str, str]] = {}
    for column, cells in _identifying(records).items():
        if all(map(_INTEGER.fullmatch, cells)):
            integers[column] = cells
        else:
            names |= _forms(cells)
            form = _OF_SLACK if column == _SLACKS else _LONG
            names |= {f"{_IS}{one}": own for one, own in cells.items() if form.fullmatch(one)}
    if integers:
        first = next(iter(integers))
        by_column = next((name for name in integers if name.casefold() in IDS), first)
        by_text = next((name for name in integers if name.casefold() in _NUMBERS), by_column)
        names |= {f"{_IS}{value}": own for value, own in integers[by_column].items()}
        # Texts say `#1` of charts and lists.
        names |= {f"#{value}": own for value, own in integers[by_text].items() if len(value) > 1}
    return names


def own_codes(records: Sequence[Extract]) -> list[str]:
    """The codes of records, if each has another one in a column of its own key; empty for none.

    That is the first column, or one such as `Issue key`: others may be codes of other tables.
    """
    for place, line in enumerate(records[0].text.split("\n")):
        column, _, code = line.partition(": ")
        is_key = place == 0 or name_words(column)[-1:] == ["key"]
        # A point in time begins with a digit.
        if is_key and code[:1].isalpha() and _is_whole_code(code):
            of_column = re.compile(rf"^{re.escape(column)}: (.*)$", re.MULTILINE)
            codes = [found[1] for one in records if (found := of_column.search(one.text))]
            distinct = set(codes)
            if len(distinct) == len(records) and all(map(_is_whole_code, distinct)):
                return codes
    return []


def _identifying(records: Iterable[Record]) -> dict[str, dict[str, str]]:
    """The columns with another value for each record, and the record of each value."""
    columns: dict[str, dict[str, str]] = defaultdict(dict)
    count = 0
    for own, record in records:
        count += 1
        for line in record.text.split("\n"):
            column, colon, value = line.partition(": ")
            if colon:  # a later line may be one of a long value
                columns[column].setdefault(own, value)
    cells = {
        column: {value: own for own, value in values.items()} for column, values in columns.items()
    }
    return {column: own for column, own in cells.items() if len(own) == count}


def _forms(cells: Mapping[str, str]) -> dict[str, str]:
    """The forms by which the values of a column are cited; none if they are not cited."""
    forms = {_begins(value): own for value, own in cells.items()}
    if "" not in forms:
        return forms if len(forms) == len(cells) else {}
    codes = {*filter(_is_whole_code, cells)}
    if 2 * len(codes) < len(cells) or not all(map(_CODE.fullmatch, cells)):
        return {}
    begun = {_MARK.split(value)[0] for value in codes if _MARK.search(value)}
    return {
        value: own
        for value, own in cells.items()
        if value in codes or (_MARK.search(value) and _MARK.split(value)[0] in begun)
    }


def names_of_headings(document: Extract) -> dict[str, int]:
    """The forms by which the numbered headings of a document are cited, with their positions."""
    names: dict[str, int] = {}
    for place, _, heading in document.headings:
        if found := _NUMBERED.match(heading):
            names.setdefault(_form(found), place)
        elif found := _BARE.match(heading):
            for word in _WORDS.split("|"):
                names.setdefault(f"{word} {found[0]}", place)
    return names


def once(names: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """What the names of several files lead to, without names that stand in two of them."""
    every: dict[str, str] = {}
    twice: set[str] = set()
    for one in names:
        twice |= every.keys() & one.keys()
        every |= one
    return {name: target for name, target in every.items() if name not in twice}


def _begins(value: str) -> str:
    """The form by which a value is cited that is a code, or begins with a number; else empty."""
    if found := _NUMBERED.match(value):
        return _form(found)
    return value if _is_whole_code(value) else ""


def _is_whole_code(value: str) -> bool:
    return _CODE.fullmatch(value) is not None and _is_code(value)


def _is_code(word: str) -> bool:
    """Whether a word has letters, digits, and four characters or a mark between them."""
    return (
        (len(word) > 3 or not word.isalnum())
        and any(map(str.isdigit, word))
        and any(map(str.isalpha, word))
    )


def _form(found: re.Match[str]) -> str:
    mark, sign, word, number = found.groups()
    return f"{mark or sign or word.casefold() + ' '}{number.casefold()}"
