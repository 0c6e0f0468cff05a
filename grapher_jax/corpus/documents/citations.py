"""References by number or code: `INC-2202`, `#1042`, `§ 12`, `section 4.3`."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from grapher_jax.corpus.documents.extract import Extract, Record

T = TypeVar("T")

# Words before the number of a part of a text, in English, German and French.
_WORDS = "article|chapter|section|artikel|abschnitt|kapitel|chapitre"
_NUMBER = r"\d{1,9}(?:\.\d{1,9})*[a-z]?\b"
_NUMBERED = re.compile(rf"(?:(#)|(§)§?\s?|\b({_WORDS})\s)({_NUMBER})", re.IGNORECASE)
_CODE = re.compile(r"\w+(?:[-_.+:]\w+)*")
_INTEGER = re.compile(r"\d{1,18}")
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


def names_of_records(records: Iterable[Record]) -> dict[str, str]:
    """The names by which others may cite the records of a file, with the records' own.

    Names are the values of each column in which every record has another code, or number with its
    word or mark; and, after `#`, those of the first column with other integers, from 10.
    """
    columns: dict[str, list[tuple[str, str]]] = defaultdict(list)
    count = 0
    for own, record in records:
        count += 1
        for line in record.text.split("\n"):
            column, colon, value = line.partition(": ")
            if colon:
                columns[column].append((value, own))
    names: dict[str, str] = {}
    integers = False
    for cells in columns.values():
        if not len(cells) == len(dict(cells)) == count:
            continue
        if all(_INTEGER.fullmatch(value) for value, _ in cells):
            # Texts say `#1` of charts and lists.
            names |= {f"#{value}": own for value, own in cells if len(value) > 1 and not integers}
            integers = True
            continue
        forms = {_begins(value): own for value, own in cells}
        if len(forms) == count and "" not in forms:
            names |= forms
    return names


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
    return value if _CODE.fullmatch(value) and _is_code(value) else ""


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
