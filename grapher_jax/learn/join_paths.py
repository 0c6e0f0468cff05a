"""Questions made from a schema: about tables joined by declared foreign keys, and their columns.

Bridge tables, and sometimes other tables in the middle of a path, are needed for the answer but not
named. From these questions, a network learns to follow foreign keys when names do not help. No
language model is used.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from grapher_jax.corpus import Object
from grapher_jax.corpus.columns import columns_of
from grapher_jax.corpus.inferred.names import Column, Described
from grapher_jax.corpus.inferred.tables import Tables
from grapher_jax.corpus.inferred.types import Table
from grapher_jax.learn.join_wording import Branch, Named, Shown, ask, names_of, pick

# The shares of questions by their number of tables.
_SIZES = {1: 0.15, 2: 0.35, 3: 0.3, 4: 0.2}
# The maximum number of questions per table and key of a database: more would hardly differ.
_OF_EACH = 3
_TRIES = 20
# A first word that this many table names share may be left out: it is often the name of a module.
_PREFIX = 3
# The endings of key columns' last words, and the first words of yes/no columns.
_KEYS, _FLAGS = ("id", "ids", "key", "uuid", "guid", "fk", "pk", "ptr"), ("is", "has", "can")
# The kind of a column's values by the last word of its name, if its type is unknown.
_NUMBERS = {
    *("age", "amount", "area", "average", "balance", "budget", "capacity", "cost", "count"),
    *("discount", "distance", "duration", "fee", "height", "length", "level", "percent"),
    *("points", "population", "price", "quantity", "rank", "rate", "rating", "revenue", "salary"),
    *("sales", "score", "size", "speed", "stars", "total", "value", "votes", "weight", "width"),
}
_TIMES = {"at", "created", "date", "day", "modified", "month", "time", "updated", "year"}
_LONGEST = 4


@dataclass(frozen=True, eq=False)
class _Schema:
    """A database: by id, each table with its names, and the tables that it references."""

    tables: dict[str, Sequence[Named]]
    references: dict[str, tuple[str, ...]]

    @property
    def most(self) -> int:
        """The maximum number of questions made from it."""
        return _OF_EACH * (len(self.tables) + sum(map(len, self.references.values())))


def path_questions(
    objects: Sequence[Object], count: int, *, seed: int = 0
) -> dict[str, tuple[str, ...]]:
    """Makes questions about one to four tables that declared foreign keys join.

    Args:
        objects: tables of any number of databases; other objects, and databases without a declared
            key, are ignored.
        count: how many questions; fewer if the databases have too few tables and keys.
        seed: the seed for choosing tables, columns and words.

    Returns:
        The ids of the tables that each question needs, by its text. All databases get the same
        number of questions, except those that have too few tables and keys.
    """
    rng = np.random.default_rng(seed)
    open_ = [*_schemas(objects)]
    left = {id(schema): schema.most for schema in open_}
    made: dict[str, tuple[str, ...]] = {}
    while open_:
        for schema in [*open_]:
            if len(made) == count:
                return made
            tries = (_question(rng, schema) for _ in range(_TRIES))
            new = next((one for one in tries if one[0] not in made), None)
            left[id(schema)] -= 1
            if new:
                made[new[0]] = new[1]
            if not new or not left[id(schema)]:
                open_.remove(schema)
    return made


def _schemas(objects: Sequence[Object]) -> Iterator[_Schema]:
    tables = Tables(objects)
    comments = {
        item.id: {column.name: column.comment for column in columns_of(item)}
        for item in objects
        if item.id in tables.by_id
    }
    words = {id_: described.words for id_, described in tables.described.items()}
    for database in tables.databases.values():
        # Tables of one name, in two schemas, cannot be told apart by a question.
        same = Counter(words[table.id] for table in database)
        own = [
            table for table in database if _can_be_said(table.name) and same[words[table.id]] == 1
        ]
        ids = {table.id for table in own}
        references = {
            table.id: tuple(to for to in table.joined if to in ids and to != table.id)
            for table in own
        }
        if any(references.values()):
            first = Counter(words[table.id][0] for table in own)
            called = Counter(name for id_ in ids for name in (words[id_], words[id_][1:]))
            wholes = {tables.described[id_].full for id_ in ids}
            joins = Counter(pair for to in references.values() for pair in _pairs(to))
            named: dict[str, Sequence[Named]] = {}
            for table in own:
                columns = _columns(table, tables.described[table.id], comments[table.id], wholes)
                # A bridge table has at least two keys, and hardly a column of its own. If another
                # joins the same two tables, a question has to say which of them it means.
                pairs = _pairs(references[table.id])
                alone = bool(pairs) and all(joins[pair] == 1 for pair in pairs)
                bridge = alone and len(columns) < 2
                names = [words[table.id]]
                short = words[table.id][1:]
                # What is left must not be the name of another table as well.
                if short and first[words[table.id][0]] >= _PREFIX and called[short] == 1:
                    names.append(short)
                named[table.id] = [Named(*names_of(name), columns, bridge) for name in names]
            yield _Schema(named, references)


def _pairs(tables: Sequence[str]) -> list[frozenset[str]]:
    return [*map(frozenset, combinations(tables, 2))]


def _columns(
    table: Table, described: Described, comments: Mapping[str, str], tables: Collection[str]
) -> tuple[Shown, ...]:
    keys = {name for columns in table.declared for name in columns}
    return tuple(
        Shown(_called(column, comments[column.name]), _kind(column))
        for column in described.columns
        if column.name not in keys and _can_be_said(column.name) and _can_be_shown(column, tables)
    )


def _can_be_said(name: str) -> bool:
    return any(map(str.isalnum, name))


def _can_be_shown(column: Column, tables: Collection[str]) -> bool:
    *_, last = column.words
    # In `customerid` the ending marks a key, in `paid` it does not.
    ends = (last.removesuffix(end) for end in _KEYS if last.endswith(end))
    is_key = last in _KEYS or column.polymorphic or any(before in tables for before in ends)
    is_flag = column.family == "other" or column.words[0] in _FLAGS
    return not is_key and not is_flag and len(column.words) <= _LONGEST


def _called(column: Column, comment: str) -> str:
    """Its readable name, if the comment is a name and not a sentence."""
    return comment if 0 < len(comment.split()) <= _LONGEST else " ".join(column.words)


def _kind(column: Column) -> str:
    if column.family in ("number", "time"):
        return column.family
    if column.family:
        return "text"
    last = column.words[-1]
    return "number" if last in _NUMBERS else "time" if last in _TIMES else "text"


def _question(rng: np.random.Generator, schema: _Schema) -> tuple[str, tuple[str, ...]]:
    size = int(rng.choice([*_SIZES], p=[*_SIZES.values()]))
    begin = [table for table in schema.tables if size == 1 or schema.references[table]]
    root = pick(rng, begin)
    needed = [root]
    branches = [Branch(pick(rng, schema.tables[root]))]
    if branches[0].table.bridge and size > 1:
        size = max(size, 3)
    # A row of the first table has one row in each of the others, so any such tree makes sense.
    # No other key joins its tables: past such a key, a table in the middle is not needed.
    while len(needed) < size:
        # A bridge needs two of the tables that it joins.
        first = branches[0].table.bridge and len(needed) < 3
        steps = [
            (place, to)
            for place, table in enumerate(needed[:1] if first else needed)
            for to in schema.references[table]
            if to not in needed and _joined_to(schema, to, needed) == 1
        ]
        if not steps:
            break
        place, to = pick(rng, steps)
        needed.append(to)
        branches.append(Branch(pick(rng, schema.tables[to]), branches[place]))
    return ask(rng, branches), tuple(needed)


def _joined_to(schema: _Schema, table: str, others: Sequence[str]) -> int:
    """How many of the others it references, or is referenced by."""
    references = schema.references
    return sum(table in references[one] or one in references[table] for one in others)
