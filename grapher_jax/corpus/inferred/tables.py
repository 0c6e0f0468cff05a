"""The tables among objects, and how to find them by name."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from grapher_jax.corpus.columns import columns_of
from grapher_jax.corpus.inferred.names import Described, describe
from grapher_jax.corpus.inferred.types import Table, listed, records, strings_in
from grapher_jax.corpus.objects import Object


class Tables:
    """The tables of a corpus, without views."""

    def __init__(self, objects: Iterable[Object]) -> None:
        """Take the objects whose metadata names their table; others are not tables."""
        found = filter(None, map(_table, objects))
        self.by_id: dict[str, Table] = {table.id: table for table in found}

    @cached_property
    def databases(self) -> dict[str, list[Table]]:
        """The tables of each database."""
        found: dict[str, list[Table]] = defaultdict(list)
        for table in self.by_id.values():
            found[table.database].append(table)
        return found

    @cached_property
    def described(self) -> dict[str, Described]:
        """Each table with its names as words, by id."""
        return {one.id: one for tables in self.databases.values() for one in describe(tables)}

    @cached_property
    def _by_name(self) -> dict[str, list[Table]]:
        found: dict[str, list[Table]] = defaultdict(list)
        for table in self.by_id.values():
            found[table.name.casefold()].append(table)
        return found

    @cached_property
    def _by_copy(self) -> dict[str, list[Table]]:
        found: dict[str, list[Table]] = defaultdict(list)
        for table in self.by_id.values():
            for name in table.copies:
                found[name.casefold()].append(table)
        return found

    def find(self, names: Sequence[tuple[str, str]]) -> list[Table | None]:
        """The tables that one statement or list names, all in one database.

        Args:
            names: the schema (empty if not written) and name of each table.

        Returns:
            One per name; None if there is none, or several are possible.
        """
        found = [self._named(*name) for name in names]
        there = [{table.database for table in tables} for tables in found if tables]
        shared = set.intersection(*there) if there else set()
        if len(shared) > 1:
            return [None] * len(names)
        own = [[table for table in tables if table.database in shared] for tables in found]
        return [tables[0] if len(tables) == 1 else None for tables in own]

    def _named(self, schema: str, name: str) -> list[Table]:
        """The possible table in each database; of several schemas, that of the default one."""
        for names in (self._by_name, self._by_copy):
            named = names.get(name.casefold(), [])
            exact = [table for table in named if table.schema.casefold() == schema.casefold()]
            # In metadata, the default schema has no name, whatever its name in SQL.
            if found := exact or ([t for t in named if not t.schema] if schema else named):
                return found
        return []

    def called(self, name: str) -> Table | None:
        """The table with this id, or with this name if the name is unique."""
        if name in self.by_id:
            return self.by_id[name]
        schema, _, bare = name.rpartition(".")
        return self.find([(schema, bare)])[0] or self.find([("", name)])[0]

    def keys(self, table: Table) -> tuple[tuple[str, ...], ...]:
        """The keys that identify a row: as declared, also without a tenant, else guessed."""
        single = [(key.name,) for key in self.described[table.id].keys]
        return tuple(dict.fromkeys((*table.keys, *single)))


def _table(item: Object) -> Table | None:
    """An object as a table; None if it is not a table, or is a view."""
    own = item.metadata
    name = own.get("table")
    if not isinstance(name, str) or "view" in str(own.get("kind")):
        return None
    columns = {column.name: column.type for column in columns_of(item)}
    joins = [join for join in records(own.get("joins")) if strings_in(join.get("columns"))]
    keys = [strings_in(own.get("primary_key")), *map(strings_in, listed(own.get("unique")))]
    return Table(
        id=item.id,
        name=name,
        columns=tuple(columns),
        types={column: kind for column, kind in columns.items() if kind},
        keys=tuple(key for key in keys if key and set(key) <= columns.keys()),
        database=str(own.get("db") or ""),
        schema=str(own.get("schema") or ""),
        declared={strings_in(join["columns"]): str(join.get("references")) for join in joins},
        joined=strings_in(own.get("foreign_keys")),
        copies=strings_in(own.get("copies")),
    )
