"""The columns of tables, as the metadata or the text of an object tells them."""

from dataclasses import dataclass

from grapher_jax.corpus.inferred.types import records
from grapher_jax.corpus.objects import Object


@dataclass(frozen=True)
class Column:
    """A column of a table or view.

    Attributes:
        name: as SQL has it.
        type: its SQL type; empty where unknown.
        nullable: whether a row may lack it.
        comment: what the database, or a readable name in brackets, says of it; empty for nothing.
    """

    name: str
    type: str = ""
    nullable: bool = True
    comment: str = ""


def columns_of(item: Object) -> tuple[Column, ...]:
    """The columns of a table: of its metadata, or of a text such as `name: column, column`.

    In such a text a readable name may follow a column in brackets. Of columns of one name the first
    is taken, and none without a name.
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
