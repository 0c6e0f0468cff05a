"""The tree of foreign keys by which results that are tables can be joined."""

from collections.abc import Mapping, Sequence

from grapher_jax.explain.escaping import as_text, shortened
from grapher_jax.files import Json
from grapher_jax.search import Index
from grapher_jax.tables.ddl import sql_joins
from grapher_jax.tables.paths import connecting
from grapher_jax.tables.schema import keys_join_tables, schema_of

_LONGEST_NAME, _LONGEST_KEY = 120, 240


def join_tree(index: Index, results: Sequence[str]) -> list[dict[str, Json]]:
    """The tables as a tree, each after its parent, with the key between them.

    Args:
        index: an index of tables; for other objects, the tree is empty.
        results: the ids of the results, best first.

    Returns:
        One row per table: `id`, `parent` (None for the root of a tree), `on` (the join condition in
        SQL), and whether it is a `bridge`, a table that is no result but connects others. Results
        without a key to another are left out.
    """
    if not keys_join_tables(index):
        return []
    schema = schema_of(index)
    rows = [schema.row[name] for name in results]
    bridges = set(connecting(schema, rows))
    keys: dict[int, dict[int, str]] = {}
    for key in sql_joins(schema, schema.among([*rows, *bridges])):
        one, other = schema.row[key.table], schema.row[key.references]
        keys.setdefault(one, {}).setdefault(other, str(key))
        keys.setdefault(other, {}).setdefault(one, str(key))
    tree: list[dict[str, Json]] = []
    seen: set[int] = set()
    for first in rows:
        alone = not set(keys.get(first, ())) - {first}
        front: list[tuple[int, int | None]] = [] if alone else [(first, None)]
        while front:
            row, parent = front.pop(0)
            if row in seen:
                continue
            seen.add(row)
            tree.append(
                {
                    "id": schema.ids[row],
                    "parent": None if parent is None else schema.ids[parent],
                    "on": "" if parent is None else keys[parent][row],
                    "bridge": row in bridges,
                }
            )
            front += [(near, row) for near in keys[row] if near not in seen]
    while idle := {row["id"] for row in tree if row["bridge"]} - {row["parent"] for row in tree}:
        tree = [row for row in tree if row["id"] not in idle]
    return tree


def draw_tree(tree: Sequence[Mapping[str, Json]], names: Mapping[str, str]) -> str:
    """The tree as a section of the page; empty for an empty tree.

    Args:
        tree: the result of `join_tree`.
        names: the display names of tables, by id.
    """
    below: dict[str | None, list[Mapping[str, Json]]] = {}
    for row in tree:
        below.setdefault(row["parent"], []).append(row)

    def branch(parent: str | None) -> str:
        items = "".join(
            f'<li><span class="joined{" bridge" if row["bridge"] else ""}">'
            f'<bdi class="name">{_shown(names.get(row["id"], row["id"]), _LONGEST_NAME)}</bdi>'
            f"{' <small>connects others</small>' if row['bridge'] else ''}"
            f"{_key(row['on'])}</span>{branch(row['id'])}</li>"
            for row in below.get(parent, ())
        )
        return f"<ul>{items}</ul>" if items else ""

    if not tree:
        return ""
    return (
        '<section class="tree" aria-label="How they are joined">\n<h2>How they are joined</h2>\n'
        f"<p>Keys of the database between the results, as SQL joins them.</p>\n{branch(None)}\n"
        "</section>"
    )


def _key(condition: str) -> str:
    return f" <code><bdi>{_shown(condition, _LONGEST_KEY)}</bdi></code>" if condition else ""


def _shown(text: str, longest: int) -> str:
    return as_text(shortened(text, longest))
