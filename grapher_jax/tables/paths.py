"""Connects given tables by foreign keys, with the fewest other tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from grapher_jax.errors import InputError, require
from grapher_jax.files import Json
from grapher_jax.tables.ddl import SqlJoin, sql_joins
from grapher_jax.tables.schema import Schema


@dataclass(frozen=True)
class JoinPath:
    """How given tables are joined.

    Attributes:
        tables: the ids of the given tables, then of the bridges that connect them.
        bridges: the ids of the bridges.
        joins: the keys between them; of several between the same two tables, a query needs one.
    """

    tables: tuple[str, ...]
    bridges: tuple[str, ...]
    joins: tuple[SqlJoin, ...]

    def to_dict(self) -> dict[str, Json]:
        """The path as JSON-ready values."""
        joins = [join_record(join) for join in self.joins]
        return {"tables": list(self.tables), "bridges": list(self.bridges), "joins": joins}

    def __str__(self) -> str:
        return "\n".join(map(str, self.joins))


def join_record(key: SqlJoin) -> dict[str, Json]:
    """A key as JSON-ready values: both sides, and its evidence."""
    return {
        "left": {"table": key.table, "columns": list(key.columns)},
        "right": {"table": key.references, "columns": list(key.referenced_columns)},
        "by": key.by,
        "on": key.on,
    }


def join_path(schema: Schema, names: Sequence[str]) -> JoinPath:
    """Finds the tables and keys by which given tables can be joined.

    Args:
        schema: the schema of all tables.
        names: at least two tables, by id or unique name.

    Raises:
        InputError: for fewer than two, an unknown table, or if no keys connect them.
    """
    rows = [*dict.fromkeys(map(schema.find, names))]
    if len(rows) < 2:
        raise InputError(f"tables: a path joins two or more, not {len(rows)}; name another one")
    component = schema.component
    (first, *_), apart = rows, [row for row in rows if component[row] != component[rows[0]]]
    if apart:
        sizes = [int((component == component[row]).sum()) for row in (first, apart[0])]
        raise InputError(
            f"tables: no keys connect {schema.ids[first]} and {schema.ids[apart[0]]}; they lie "
            f"among {sizes[0]} and {sizes[1]} connected tables; join them by columns of your "
            "choice, or give keys that nobody declared as a file when indexing (--keys)"
        )
    bridges = connecting(schema, rows)
    rows += bridges
    names = tuple(schema.ids[row] for row in rows)
    # A table's key to itself is not a step of a path.
    keys = (key for key in schema.among(rows) if key.table != key.references)
    return JoinPath(names, names[len(rows) - len(bridges) :], sql_joins(schema, keys))


def connecting(schema: Schema, rows: Sequence[int]) -> list[int]:
    """The additional rows, as few as possible, by which keys connect the given rows.

    They form a Steiner tree per component: the shortest tree of shortest paths between the rows, at
    most twice as long as the optimum (Kou, Markowsky and Berman, 1981).
    """
    return next(trees(schema, rows), [])


def trees(schema: Schema, rows: Sequence[int]) -> Iterator[list[int]]:
    """The results of `connecting` for these rows, then without the last of them, and so on."""
    if not rows:
        return
    csgraph = require("scipy.sparse.csgraph")
    far, before = csgraph.dijkstra(schema.ways, indices=rows, return_predecessors=True)
    between = np.where(np.isfinite(far[:, rows]), far[:, rows], 0)
    for count in range(len(rows), 0, -1):
        found: set[int] = set()
        tree = csgraph.minimum_spanning_tree(between[:count, :count])
        for one, other in zip(*tree.nonzero(), strict=True):
            row = before[one, rows[other]]
            while row != rows[one]:
                found.add(int(row))
                row = before[one, row]
        yield sorted(found.difference(rows[:count]))
