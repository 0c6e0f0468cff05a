"""What keys are inferred from, and what comes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grapher_jax.files import Json

# What may tell of a key, the weakest first, and how an explanation says so.
TOLD_BY = {
    "name": "by name",
    "view": "by a view",
    "queries": "by queries",
    "dbt": "by a test of dbt",
    "yaml": "by the list of keys",
}


@dataclass(frozen=True)
class Table:
    """A table as inference sees it: no row is read.

    Attributes:
        id: of its object.
        name: without its schema.
        columns: their names, in order.
        types: SQL types of those whose type is known.
        keys: what identifies a row: the columns of the primary key, then of unique constraints;
            empty where nothing is known of them.
        database: the name of the database; keys never leave it.
        schema: the name of the schema; empty for the default one.
        declared: the columns of its declared foreign keys.
        joined: the ids of the tables that it references by these.
    """

    id: str
    name: str
    columns: tuple[str, ...]
    types: Mapping[str, str] = field(default_factory=dict)
    keys: tuple[tuple[str, ...], ...] = ()
    database: str = ""
    schema: str = ""
    declared: tuple[tuple[str, ...], ...] = ()
    joined: tuple[str, ...] = ()


@dataclass(frozen=True)
class InferredKey:
    """A foreign key that nobody declared.

    Attributes:
        table: the id of the table that references.
        columns: its columns.
        references: the id of the table that is referenced.
        referenced_columns: its columns, in the order of `columns`; empty where unknown.
        by: what told it, of `TOLD_BY`.
        count: how many statements told it, where these are counted.
    """

    table: str
    columns: tuple[str, ...]
    references: str
    referenced_columns: tuple[str, ...]
    by: str
    count: int = 0

    @property
    def record(self) -> dict[str, Json]:
        """The key as `inferred_joins` holds it."""
        told: dict[str, Json] = {
            "columns": list(self.columns),
            "references": self.references,
            "referenced_columns": list(self.referenced_columns),
            "by": self.by,
        }
        return told | ({"count": self.count} if self.count else {})


def told_by(joins: Json) -> dict[str, str]:
    """What told of each table that is referenced, by its id; of `inferred_joins`."""
    found: dict[str, str] = {}
    for join in joins if isinstance(joins, list | tuple) else []:
        if isinstance(join, Mapping):
            target, by = join.get("references"), join.get("by")
            if isinstance(target, str) and isinstance(by, str) and by in TOLD_BY:
                found.setdefault(target, by)
    return found


def listed(value: Json) -> Sequence[Json]:
    """A list of the metadata; empty for anything else."""
    return value if isinstance(value, list | tuple) else []


def records(value: Json) -> list[Mapping[str, Json]]:
    """The objects of a list of the metadata; none for anything else."""
    return [one for one in listed(value) if isinstance(one, Mapping)]
