"""Infers keys from declared ones of the same name: `owner_id` references what it does elsewhere."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from grapher_jax.corpus.inferred.likely import copied_columns
from grapher_jax.corpus.inferred.names import ANY, PLAIN, Described, describe, held_by_most
from grapher_jax.corpus.inferred.types import InferredKey, Table


def infer_alike(tables: Sequence[Table]) -> Iterator[InferredKey]:
    """The foreign keys of columns that are called as declared ones of other tables.

    Left out are names without a word for a table, such as `id`, those of keys to several tables or
    to a table itself, such as `parent_id`, those that most of many tables have, such as
    `created_by`, columns of other types, those that a table of a history copies, those of a schema
    that has a table of the target's name itself, and columns of a family of tables with a table of
    its own for the same: `v6_pool` may have its own `v6_subnet`.

    Args:
        tables: those of one database.
    """
    described = {one.id: one for one in describe(tables)}
    named: dict[str, set[str]] = defaultdict(set)
    for table in tables:
        for columns, referenced in table.declared.items():
            if len(columns) == 1 and referenced in described:
                # A key to its own table says nothing of others: "" makes it one of several.
                told = {referenced, ""} if referenced == table.id else {referenced}
                named[columns[0].casefold()] |= told
    names = {one.words for one in described.values()}
    everywhere = held_by_most(map(str.casefold, table.columns) for table in tables)
    named = {name: targets for name, targets in named.items() if name not in everywhere}
    copied = copied_columns([*described.values()])
    place = {table.id: (table.schema, table.name.casefold()) for table in tables}
    places = {*place.values()}
    for table in tables:
        own = described[table.id]
        declared = {name for columns in table.declared for name in columns}
        for column in own.columns:
            targets = named.get(column.name.casefold(), ())
            says_nothing = column.joined in ANY | PLAIN or column.joined in copied[own.id]
            if len(targets) != 1 or says_nothing or column.name in declared:
                continue
            target = described[next(iter(targets))]
            schema, name = place[target.id]
            if schema != table.schema and (table.schema, name) in places:
                continue  # of a copy of the schema
            key = target.key_for(column)
            if key and target is not own and not _has_its_own(own, target, names):
                yield InferredKey(own.id, (column.name,), target.id, (key.name,), "name")


def _has_its_own(source: Described, target: Described, names: set[tuple[str, ...]]) -> bool:
    """Whether the family of the source has a table that ends as the target does."""
    family = source.words[:1]
    ends = (target.words[at:] for at in range(1, len(target.words)))
    return family != target.words[:1] and any((*family, *end) in names for end in ends)
