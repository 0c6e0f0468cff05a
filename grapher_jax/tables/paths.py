"""Connects given tables by foreign keys, with the fewest other tables."""

from collections import deque
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from grapher_jax.errors import InputError, require
from grapher_jax.files import Json
from grapher_jax.tables.ddl import SqlJoin, sql_joins
from grapher_jax.tables.schema import Schema

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_OTHERS = 3


@dataclass(frozen=True)
class JoinPath:
    """How given tables are joined.

    Attributes:
        tables: the ids of the given tables, then of the bridges that connect them.
        bridges: the ids of the bridges.
        joins: the keys between them; of several between the same two tables, a query needs one.
        others: the ids of up to three other sets of bridges, the smallest first; none if no bridges
            are needed. For the joins of one, call `join_path` with its bridges too.
    """

    tables: tuple[str, ...]
    bridges: tuple[str, ...]
    joins: tuple[SqlJoin, ...]
    others: tuple[tuple[str, ...], ...] = ()

    def to_dict(self) -> dict[str, Json]:
        """The path as JSON-ready values."""
        joins = [join_record(join) for join in self.joins]
        told = {"tables": list(self.tables), "bridges": list(self.bridges), "joins": joins}
        return told | {"others": [list(bridges) for bridges in self.others]}

    def __str__(self) -> str:
        others = (f"-- or through {' and '.join(bridges)}" for bridges in self.others)
        return "\n".join([*map(str, self.joins), *others])


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
    bridges, *others = (_ids(schema, found) for found in _bridge_sets(schema, rows))
    rows += map(schema.row.__getitem__, bridges)
    # A table's key to itself is not a step of a path.
    keys = (key for key in schema.among(rows) if key.table != key.references)
    return JoinPath(_ids(schema, rows), bridges, sql_joins(schema, keys), tuple(others))


def _ids(schema: Schema, rows: Sequence[int]) -> tuple[str, ...]:
    return tuple(schema.ids[row] for row in rows)


def _bridge_sets(schema: Schema, rows: Sequence[int]) -> list[list[int]]:
    """The bridges between the given rows; then others, which do without some of the former.

    Which bridges are left out is tried breadth first, one more of each set at a time, as Lawler
    (1972) finds the next best solutions.
    """
    components = require("scipy.sparse.csgraph").connected_components
    found: list[list[int]] = []
    waiting = deque([frozenset[int]()])
    while waiting and len(found) <= MOST_OTHERS:
        avoided = waiting.popleft()
        component = components(schema.ways_without(avoided))[1]
        if len({*component[rows]}) > 1:
            continue
        bridges = connecting(schema, rows, without=avoided)
        if bridges not in found:
            found.append(bridges)
            waiting += (avoided | {bridge} for bridge in bridges)
    return found[:1] + sorted(found[1:], key=len)


def connecting(
    schema: Schema, rows: Sequence[int], *, without: Set[int] = frozenset()
) -> list[int]:
    """The additional rows, as few as possible, by which keys connect the given rows.

    They form a Steiner tree per component: the shortest tree of shortest paths between the rows, at
    most twice as long as the optimum (Kou, Markowsky and Berman, 1981), without rows that the
    others make needless.
    """
    return next(trees(schema, rows, without=without), [])


def trees(
    schema: Schema, rows: Sequence[int], *, without: Set[int] = frozenset()
) -> Iterator[list[int]]:
    """The results of `connecting` for these rows, then without the last of them, and so on."""
    if not rows:
        return
    csgraph = require("scipy.sparse.csgraph")
    ways = schema.ways_without(without)
    far, before = csgraph.dijkstra(ways, indices=rows, return_predecessors=True)
    between = np.where(np.isfinite(far[:, rows]), far[:, rows], 0)
    for count in range(len(rows), 0, -1):
        found: set[int] = set()
        tree = csgraph.minimum_spanning_tree(between[:count, :count])
        for one, other in zip(*tree.nonzero(), strict=True):
            row = before[one, rows[other]]
            while row != rows[one]:
                found.add(int(row))
                row = before[one, row]
        yield _needed(ways, rows[:count], sorted(found.difference(rows[:count])))


def _needed(ways: "csr_array", rows: Sequence[int], bridges: Sequence[int]) -> list[int]:
    """The bridges without those whose loss leaves all others as connected as they were."""
    if not bridges:
        return []
    pieces = require("scipy.sparse.csgraph").connected_components
    nodes = [*rows, *bridges]
    among = ways[nodes][:, nodes].toarray()
    kept, most = [*range(len(nodes))], pieces(among)[0]
    for place in range(len(rows), len(nodes)):
        others = [own for own in kept if own != place]
        if pieces(among[np.ix_(others, others)])[0] <= most:
            kept = others
    return [nodes[place] for place in kept[len(rows) :]]
