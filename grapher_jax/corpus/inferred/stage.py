"""Adds inferred foreign keys to objects, if they are wanted."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grapher_jax.checks import check_choice, check_path
from grapher_jax.corpus.inferred.alike import infer_alike
from grapher_jax.corpus.inferred.files import infer_by_dbt, infer_by_list
from grapher_jax.corpus.inferred.likely import infer_by_name
from grapher_jax.corpus.inferred.names import describe, singular
from grapher_jax.corpus.inferred.statements import infer_by_queries, infer_by_views
from grapher_jax.corpus.inferred.tables import Tables
from grapher_jax.corpus.inferred.types import InferredKey, Table, listed
from grapher_jax.corpus.objects import Object

AUTO, ALWAYS, PARTS, NEVER = "auto", "always", "parts", "never"
# In training splits, all databases but one that declare keys join at least half as many pairs of
# tables as a tree of all tables has; that one joins a third. In none of them are more than half of
# the tables without any key, as where only a part of an application declares its keys.
_FEW = 3
# A database of more parts than the first number gets keys between them only if at least this share
# of the keys that names suggest, of tables that declare any, is declared: then its names tell keys.
_FEW_PARTS, _AGREEING = 8, 0.8
# A database lacks some of its keys if names suggest a reference for at least so many of the columns
# that declare a key, are right for at least this share of them, and suggest this share more keys.
_JUDGED, _RIGHT, _FURTHER = 10, 0.9, 0.1
# The metadata keys that join tables.
_JOINING = ("foreign_keys", "joins", "inferred_keys", "inferred_joins")


def without_keys(objects: Iterable[Object]) -> list[Object]:
    """The objects without their foreign keys, declared or inferred."""
    return [
        replace(item, metadata={k: v for k, v in item.metadata.items() if k not in _JOINING})
        for item in objects
    ]


@dataclass(frozen=True)
class KeyChoice:
    """The options of which keys are inferred besides declared ones.

    Attributes:
        infer_keys: whether to infer from names and views: `always`; `parts`: only between the
            unconnected parts that declared keys leave, by names if the parts are few, or if names
            also tell the declared keys; `never`; or
            `auto`, which is `always` for a database that declares no or few keys, else `parts`, and
            by names as `always` where these tell that a part of the keys is not declared.
        queries_from: a file of SQL, from whose joins keys are inferred.
        dbt_manifest: dbt's manifest, from whose relationship tests keys are inferred.
        keys: a YAML file that lists keys.
    """

    infer_keys: str = AUTO
    queries_from: Path | None = None
    dbt_manifest: Path | None = None
    keys: Path | None = None

    @classmethod
    def checked(
        cls,
        infer_keys: str,
        queries_from: str | Path | None,
        dbt_manifest: str | Path | None,
        keys: str | Path | None,
    ) -> "KeyChoice":
        """The options from a caller's arguments, checked.

        Raises:
            InputError: for an unknown word, and for an invalid path.
        """
        files = {"queries_from": queries_from, "dbt_manifest": dbt_manifest, "keys": keys}
        return cls(
            check_choice("infer_keys", infer_keys, (AUTO, ALWAYS, PARTS, NEVER)),
            **{name: check_path(name, file) for name, file in files.items() if file is not None},
        )

    @property
    def finds_any(self) -> bool:
        """Whether any key can be found."""
        return self.infer_keys != NEVER or self != KeyChoice(self.infer_keys)


def with_inferred_keys(
    objects: Sequence[Object],
    choice: KeyChoice,
    *,
    views: Iterable[str] = (),
    dialect: str | None = None,
) -> list[Object]:
    """The objects; tables with inferred keys get `inferred_keys` and `inferred_joins`.

    A declared key is never repeated. If there is several evidence for the same columns, a list of
    keys has priority over dbt, dbt over queries, queries over views, and views over names.

    Args:
        objects: the objects of one corpus; those that are not tables do not change.
        choice: which keys to infer.
        views: the SQL of the views.
        dialect: SQLAlchemy's name of the SQL dialect.

    Raises:
        InputError: for files that cannot be used.
    """
    tables = Tables(objects)
    told = [*_told_by_files(tables, choice, dialect)]
    databases, mode = tables.databases.values(), choice.infer_keys
    chosen: list[list[Table]] = []
    others: list[list[Table]] = []
    for own in databases:
        if mode == ALWAYS or (mode == AUTO and declares_few(own)):
            chosen.append(own)
        elif mode in (AUTO, PARTS):
            others.append(own)
    ids = {table.id for own in chosen for table in own}
    parts = {name: part for own in others for name, part in _parts(own).items()}
    told += [
        key
        for key in infer_by_views(tables, views, dialect)
        if key.table in ids or _between(parts, key)
    ]
    told += [key for own in chosen for key in (*infer_alike(own), *_by_name(own))]
    for own in others:
        told += [key for key in infer_alike(own) if mode == AUTO or _between(parts, key)]
        several = len({id(parts[table.id]) for table in own})
        found_by_name = [*_by_name(own)] if mode == AUTO or several > 1 else []
        if mode == AUTO and _declares_a_part(own, found_by_name):
            told += found_by_name
        elif several <= _FEW_PARTS or _agree(own, found_by_name):
            told += [key for key in found_by_name if _between(parts, key)]
    found: dict[str, dict[tuple[str, ...], list[InferredKey]]] = defaultdict(dict)
    for key in told:
        declared = tables.by_id[key.table].declared
        known = found[key.table].setdefault(key.columns, [])
        if key.by == "name":
            # Names are the weakest evidence.
            is_told = known or any(set(key.columns) & set(columns) for columns in declared)
        else:
            is_told = key.columns in declared or key.references in {one.references for one in known}
        if not is_told:
            known.append(key)
    return [_with_keys(item, tables, found.get(item.id, {})) for item in objects]


def declares_few(tables: Sequence[Table]) -> bool:
    """Whether declared keys join so few pairs, or so few tables, that others must be undeclared."""
    pairs = {
        frozenset((table.id, other))
        for table in tables
        for other in table.joined
        if other != table.id
    }
    joined = frozenset().union(*pairs)
    alone = sum(table.id not in joined for table in tables)
    return len(pairs) * _FEW < len(tables) - 1 or alone * 2 > len(tables)


def _told_by_files(tables: Tables, choice: KeyChoice, dialect: str | None) -> Iterator[InferredKey]:
    if choice.keys:
        yield from infer_by_list(tables, choice.keys)
    if choice.dbt_manifest:
        yield from infer_by_dbt(tables, choice.dbt_manifest)
    if choice.queries_from:
        yield from infer_by_queries(tables, choice.queries_from, dialect)


def _agree(tables: Sequence[Table], keys: Sequence[InferredKey]) -> bool:
    """Whether the keys that names suggest are mostly those that tables declare, where they do."""
    joined = {table.id: table.joined for table in tables}
    judged = [key for key in keys if joined[key.table] and key.table != key.references]
    right = sum(
        key.references in joined[key.table] or key.table in joined[key.references] for key in judged
    )
    return right >= _AGREEING * len(judged) > 0


def _declares_a_part(tables: Sequence[Table], keys: Sequence[InferredKey]) -> bool:
    """Whether names tell the declared keys column by column, and suggest many more."""
    declared = {table.id: table.declared for table in tables}
    told = [declared[key.table].get(key.columns) for key in keys]
    right = sum(table == key.references for table, key in zip(told, keys, strict=True))
    known, further = sum(map(len, declared.values())), told.count(None)
    judged = len(told) - further
    return judged >= _JUDGED and right >= _RIGHT * judged and further >= _FURTHER * known


def _by_name(tables: Sequence[Table]) -> Iterator[InferredKey]:
    """The keys of a database by name: within each schema, and between schemas if unambiguous.

    A table of another schema whose whole name is the column's precedes one that only ends so.
    """
    schemas: dict[str, list[Table]] = defaultdict(list)
    for table in tables:
        schemas[table.schema].append(table)
    if len(schemas) == 1:
        yield from infer_by_name(tables)
        return
    # Each schema may have a prefix of its own.
    names = {one.id: one for own in schemas.values() for one in describe(own)}

    def is_exact(key: InferredKey) -> bool:
        (column,) = (one for one in names[key.table].columns if one.name == key.columns[0])
        return singular(column.stem or column.words) == names[key.references].full

    anywhere = {(key.table, key.columns): key for key in infer_by_name(tables)}
    for own in schemas.values():
        for key in infer_by_name(own):
            other = anywhere.get((key.table, key.columns), key)
            same = key.columns[0].casefold() == key.referenced_columns[0].casefold()
            yield other if not same and is_exact(other) and not is_exact(key) else key
    yield from anywhere.values()


def _parts(tables: Sequence[Table]) -> dict[str, set[str]]:
    """For each table of a database, all tables that declared keys connect with it."""
    part = {table.id: {table.id} for table in tables}
    for table in tables:
        for other in table.joined:
            if other in part and part[other] is not part[table.id]:
                small, large = sorted((part[table.id], part[other]), key=len)
                large |= small
                part |= dict.fromkeys(small, large)
    return part


def _between(parts: Mapping[str, set[str]], key: InferredKey) -> bool:
    """Whether a key connects two parts of a database."""
    own, other = parts.get(key.table), parts.get(key.references)
    return own is not None and other is not None and own is not other


def _with_keys(
    item: Object, tables: Tables, found: dict[tuple[str, ...], list[InferredKey]]
) -> Object:
    keys = [_with_tenant(key, tables) for same in found.values() for key in same]
    if not keys:
        return item
    # A pair of tables with a declared key is already joined, in either direction.
    targets = {
        key.references
        for key in keys
        if key.references not in (item.id, *tables.by_id[item.id].joined)
        and item.id not in tables.by_id[key.references].joined
    }
    # Inferred keys that came with the corpus are kept.
    joins = [*listed(item.metadata.get("inferred_joins"))]
    joins += (key.record for key in keys if key.record not in joins)
    targets.update(listed(item.metadata.get("inferred_keys")))
    metadata = {**item.metadata, "inferred_joins": joins}
    if targets:
        metadata["inferred_keys"] = sorted(targets)
    return replace(item, metadata=metadata)


def _with_tenant(key: InferredKey, tables: Tables) -> InferredKey:
    """A key by name, with the columns of a tenant that both tables have."""
    if key.by != "name":
        return key
    own = tables.by_id[key.table].columns
    tenant = tables.described[key.references].tenant
    beside = tuple(name for name in tenant if name in own and name not in key.columns)
    return replace(
        key,
        columns=(*beside, *key.columns),
        referenced_columns=(*beside, *key.referenced_columns),
    )
