"""Tables as key inference sees them, and the inferred keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grapher_jax.files import Json

# The kinds of evidence for a key, the weakest first, and their words in explanations.
TOLD_BY = {
    "name": "by name",
    "view": "by a view",
    "queries": "by queries",
    "dbt": "by a test of dbt",
    "yaml": "by the list of keys",
}


@dataclass(frozen=True)
class Table:
    """A table as key inference sees it: no row is read.

    Attributes:
        id: the id of its object.
        name: the name without the schema.
        columns: the names of the columns, in order.
        types: the SQL types of columns, if known.
        keys: the keys that identify a row: the columns of the primary key, then of unique
            constraints; empty if unknown.
        database: the name of the database; keys never cross databases.
        schema: the name of the schema; empty for the default one.
        declared: the columns of its declared foreign keys, with the id of the table that each
            references.
        joined: the ids of all tables that it references.
        copies: the names of tables for which it stands.
    """

    id: str
    name: str
    columns: tuple[str, ...]
    types: Mapping[str, str] = field(default_factory=dict)
    keys: tuple[tuple[str, ...], ...] = ()
    database: str = ""
    schema: str = ""
    declared: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    joined: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()


@dataclass(frozen=True)
class InferredKey:
    """A foreign key: an inferred (undeclared) one or, in a listing, a declared one.

    Attributes:
        table: the id of the referencing table.
        columns: the referencing columns.
        references: the id of the referenced table.
        referenced_columns: the referenced columns, in the order of `columns`; empty if unknown.
        by: the evidence for it, one of `TOLD_BY`, or `declared`.
        count: the number of statements that join by it, if these were counted.
    """

    table: str
    columns: tuple[str, ...]
    references: str
    referenced_columns: tuple[str, ...]
    by: str
    count: int = 0

    @property
    def record(self) -> dict[str, Json]:
        """The key in the form of `inferred_joins`."""
        told: dict[str, Json] = {
            "columns": list(self.columns),
            "references": self.references,
            "referenced_columns": list(self.referenced_columns),
            "by": self.by,
        }
        return told | ({"count": self.count} if self.count else {})


def told_by(joins: Json) -> dict[str, str]:
    """The evidence for each referenced table, by its id, from `inferred_joins`."""
    found: dict[str, str] = {}
    for join in records(joins):
        target, by = join.get("references"), join.get("by")
        if isinstance(target, str) and isinstance(by, str) and by in TOLD_BY:
            found.setdefault(target, by)
    return found


def listed(value: Json) -> Sequence[Json]:
    """A list from metadata; empty for anything else."""
    return value if isinstance(value, list | tuple) else []


def strings_in(value: Json) -> tuple[str, ...]:
    """The strings in a list from metadata; empty for anything else."""
    return tuple(one for one in listed(value) if isinstance(one, str))


def records(value: Json) -> list[Mapping[str, Json]]:
    """The mappings in a list from metadata; empty for anything else."""
    return [one for one in listed(value) if isinstance(one, Mapping)]
