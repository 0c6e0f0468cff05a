"""The columns of tables, read from the metadata or the text of an object, and readable names."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from os import SEEK_CUR
from pathlib import Path

from grapher_jax.corpus.inferred.types import records
from grapher_jax.corpus.objects import Object, is_table
from grapher_jax.files import parse_json
from grapher_jax.text import name_words

# A type with fields of its own, as several systems write it; a field, and text in quotes.
_NESTED = re.compile(r"\b(?:STRUCT|ROW|RECORD|TUPLE|NESTED)\s*[<(]", re.IGNORECASE)
_FIELD = re.compile(r"[<(,]\s*[`\"]?(\w+)[`\"]?(?:\s*:\s*|\s+)(?=[^\W\d])")
_WORDS = Path(__file__).parents[1] / "training" / "shipped" / "word-vectors" / "weights.safetensors"
# The end of what a comment calls a table or column, before it explains.
_CALLED = re.compile(r"[;:(\n]")
# The end of a sentence, or of an abbreviation: two words of four letters tell them apart.
_DOT = re.compile(r"\.\s+(?=[^\W\d_a-z])")
_LONG = re.compile(r"[^\W\d_]{4,}")
_QUOTED = re.compile(r"'[^']*'|(?<==)\s*\"[^\"]*\"")


@dataclass(frozen=True)
class Column:
    """A column of a table or view.

    Attributes:
        name: the name in SQL.
        type: its SQL type; empty if unknown.
        nullable: whether its values may be null.
        comment: the database's comment, or a readable name from brackets in the text; may be empty.
    """

    name: str
    type: str = ""
    nullable: bool = True
    comment: str = ""

    @property
    def told(self) -> str:
        """What is said of it: its comment, and the names of the fields within its type."""
        return " ".join(filter(None, (self.comment, *fields_of(self.type))))


def fields_of(kind: str) -> list[str]:
    """The names of the fields within a type: `sku` of `ARRAY<STRUCT<sku STRING>>`; mostly none."""
    return _FIELD.findall(_QUOTED.sub("", kind)) if _NESTED.search(kind) else []


def columns_of(item: Object) -> tuple[Column, ...]:
    """The columns of a table, from its metadata or from a text such as `name: column, column`.

    In such a text, a readable name in brackets may follow a column. Of columns with the same name,
    the first is taken; columns without a name are left out.
    """
    told = [
        one for one in records(item.metadata.get("columns")) if isinstance(one.get("name"), str)
    ]
    if told:
        columns = [
            Column(
                str(one["name"]),
                str(one.get("type") or ""),
                one.get("nullable") is not False,
                str(one.get("comment") or ""),
            )
            for one in told
        ]
    else:
        columns = []
        for named in item.text.partition(": ")[2].split(", "):
            name, _, readable = named.partition(" (")
            columns.append(Column(name.strip(), comment=readable.removesuffix(")")))
    by_name: dict[str, Column] = {}
    for column in columns:
        if column.name.strip():
            by_name.setdefault(column.name, column)
    return tuple(by_name.values())


def table_names(item: Object) -> tuple[str, list[str]]:
    """A table's own name and those of its columns; empty for an object that is not a table."""
    return (own_name(item), [one.name for one in columns_of(item)]) if is_table(item) else ("", [])


def own_name(item: Object) -> str:
    """A table's name in SQL, else its title."""
    name = item.metadata.get("table")
    return name if isinstance(name, str) else item.title


def readable_names(item: Object) -> tuple[str, list[str]]:
    """As `table_names`; of a cryptic table, what comments call it and its columns."""
    own, columns = table_names(item)
    comments = _comments(item, columns)
    if not _tell(comments, [own, *columns]):
        return own, columns
    called = [*map(_called, comments)]
    own, *columns = (one or name for one, name in zip(called, [own, *columns], strict=True))
    return own, columns


def _called(comment: str) -> str:
    said = _CALLED.split(comment)[0].strip()
    ends = (dot.start() for dot in _DOT.finditer(said))
    first = next((end for end in ends if len(_LONG.findall(said[:end])) > 1), len(said))
    return said[:first].removesuffix(".")


def is_cryptic(item: Object) -> bool:
    """Whether comments tell of a table what its names do not, as in SAP: `KNA1`, of customers.

    So it is if most words of its names are none in English, and those of its comments are.
    """
    own, columns = table_names(item)
    return _tell(_comments(item, columns), [own, *columns])


def _tell(comments: Sequence[str], names: Sequence[str]) -> bool:
    return any(comments) and _are_words(comments) and not _are_words(names)


def _comments(item: Object, columns: Iterable[str]) -> list[str]:
    """The comments of the metadata on a table and its columns; empty ones where there is none."""
    told = records(item.metadata.get("columns"))
    named = ((one.get("name"), one.get("comment")) for one in told)
    by_name = {name: comment for name, comment in named if isinstance(name, str) and comment}
    comments = [item.metadata.get("comment"), *(by_name.get(name) for name in columns)]
    return [one.strip() if isinstance(one, str) else "" for one in comments]


def _are_words(texts: Iterable[str]) -> bool:
    words = [word for text in texts for word in name_words(text) if word.isalpha()]
    return 2 * sum(word in _known_words() for word in words) >= len(words)


@cache
def _known_words() -> frozenset[str]:
    """The whole words among those of the shipped vectors, read as the file has them."""
    with _WORDS.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        start, end = parse_json(file.read(size).decode())["pieces"]["data_offsets"]
        file.seek(start, SEEK_CUR)
        return frozenset(file.read(end - start).decode().split("\n"))


def in_any_case(names: Iterable[str]) -> dict[str, str]:
    """The names of columns by themselves and, if nothing else has it, case-folded."""
    names = [*names]
    return {name.casefold(): name for name in names} | {name: name for name in names}
