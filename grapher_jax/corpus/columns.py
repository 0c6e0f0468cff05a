"""The columns of tables, read from the metadata or the text of an object."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from grapher_jax.corpus.inferred.types import records
from grapher_jax.corpus.objects import Object

# A type with fields of its own, as several systems write it; a field, and text in quotes.
_NESTED = re.compile(r"\b(?:STRUCT|ROW|RECORD|TUPLE|NESTED)\s*[<(]", re.IGNORECASE)
_FIELD = re.compile(r"[<(,]\s*[`\"]?(\w+)[`\"]?(?:\s*:\s*|\s+)(?=[^\W\d])")
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


def in_any_case(names: Iterable[str]) -> dict[str, str]:
    """The names of columns by themselves and, if nothing else has it, case-folded."""
    names = [*names]
    return {name.casefold(): name for name in names} | {name: name for name in names}
