"""Infers foreign keys from SQL: from columns that views and queries set equal."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from grapher_jax.corpus.inferred.tables import Tables
from grapher_jax.corpus.inferred.types import InferredKey, Table
from grapher_jax.corpus.sql import scopes_of, statements
from grapher_jax.errors import InputError, require, shorten, warn
from grapher_jax.files import read_option

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.optimizer.scope import Scope

# A column in a statement: the identity of its source, its table, and the column's name.
_Place = tuple[int, Table, str]


def infer_by_views(
    tables: Tables, sql: Iterable[str], dialect: str | None
) -> Iterator[InferredKey]:
    """The keys by which views join tables.

    Args:
        tables: the tables of the database.
        sql: the SQL of views; SQL that does not parse gives no keys.
        dialect: SQLAlchemy's name of the SQL dialect.
    """
    counts: Counter[InferredKey] = Counter()
    for one in sql:
        with suppress(InputError):
            counts.update(_joined(tables, one, dialect))
    yield from _counted(counts, "view")


def infer_by_queries(tables: Tables, path: Path, dialect: str | None) -> Iterator[InferredKey]:
    """The keys by which the statements of a file join tables, with the number of statements.

    Args:
        tables: the tables of the corpus; a statement belongs to the one database that has all its
            tables.
        path: the path of a file of SQL; each statement ends with a semicolon.
        dialect: SQLAlchemy's name of the SQL dialect.

    Raises:
        InputError: if there is no such file, or it is not text.
    """
    text = read_option("queries_from", path, "a file of SQL as text")
    lines: dict[str, list[int]] = defaultdict(list)
    for line, statement in statements(text, dialect):
        lines[statement].append(line)
    counts: Counter[InferredKey] = Counter()
    failed: list[tuple[int, str]] = []
    for statement, places in lines.items():
        try:
            for key in _joined(tables, statement, dialect):
                counts[key] += len(places)
        except InputError as error:
            failed += [(line, str(error)) for line in places]
    if failed:
        line, cause = min(failed)
        every = sum(map(len, lines.values()))
        warn(
            f"queries_from: {len(failed)} of {every} statements of {path} are left out, such as "
            f"that of line {line} ({shorten(' '.join(cause.split()), 120)}); the others are used",
        )
    yield from _counted(counts, "queries")


def _counted(counts: Mapping[InferredKey, int], by: str) -> Iterator[InferredKey]:
    for key, count in counts.items():
        yield replace(key, by=by, count=count)


@dataclass(frozen=True)
class ReadColumns:
    """The columns that a statement reads, each by the id of its table and its name.

    Attributes:
        asked: the columns that it selects, filters, groups or orders by.
        joining: the columns that it sets equal to others, or compares with those of a sub-query.
    """

    asked: frozenset[tuple[str, str]]
    joining: frozenset[tuple[str, str]]


def read_columns(tables: Tables, sql: str, dialect: str | None = None) -> ReadColumns:
    """The columns of known tables that a statement names; `*` names none.

    Args:
        tables: the tables of the one database that has all the statement's tables.
        sql: the statement.
        dialect: SQLAlchemy's name of the SQL dialect.

    Raises:
        InputError: if it does not parse.
    """
    asked: set[tuple[str, str]] = set()
    joining: set[tuple[str, str]] = set()
    with scopes_of(sql, dialect) as (scopes, sources):
        known = _known(tables, sources)
        for scope in scopes:
            ends = {id(column) for column in _ends(scope, known)}
            for column in scope.find_all(require("sqlglot").exp.Column):
                if place := _place(scope, column, known):
                    (joining if id(column) in ends else asked).add((place[1].id, place[2]))
            for one, other in _equal(scope, known):
                if one and other:
                    joining.update((table.id, name) for _, table, name in (one, other))
    return ReadColumns(frozenset(asked), frozenset(joining))


def _ends(scope: "Scope", known: Mapping[int, Table]) -> Iterator[object]:
    """The columns by which a query joins: equal columns, and both sides of `IN (SELECT`."""
    from sqlglot import exp

    for equal in scope.find_all(exp.EQ):
        sides = equal.this.unnest(), equal.expression.unnest()
        # Text in double quotes may be a string or a column; no table has a column with this name.
        if all(isinstance(side, exp.Column) and _place(scope, side, known) for side in sides):
            yield from sides
    for among in scope.find_all(exp.In):
        if among.args.get("query"):
            yield among.this.unnest()
    query = scope.expression
    within = query.parent.parent if isinstance(query.parent, exp.Subquery) else None
    if isinstance(within, exp.In) and isinstance(query, exp.Query):
        yield from query.selects


def _joined(tables: Tables, sql: str, dialect: str | None) -> list[InferredKey]:
    """The keys by which a statement joins tables, each once, in the order of the statement.

    Raises:
        InputError: if it does not parse.
    """
    pairs: dict[tuple[int, int], list[tuple[_Place, _Place]]] = defaultdict(list)
    with scopes_of(sql, dialect) as (scopes, sources):
        known = _known(tables, sources)
        for scope in scopes:
            for one, other in _equal(scope, known):
                if one and other and one[0] != other[0]:
                    ends = (one, other) if one[0] < other[0] else (other, one)
                    pairs[ends[0][0], ends[1][0]].append(ends)
    return [*dict.fromkeys(key for ends in pairs.values() if (key := _directed(tables, ends)))]


def _known(tables: Tables, sources: Sequence["exp.Table"]) -> dict[int, Table]:
    """The tables of the corpus that a statement reads, by the identity of the source."""
    found = tables.find([(source.db, source.name) for source in sources])
    return {id(source): table for source, table in zip(sources, found, strict=True) if table}


def _equal(
    scope: "Scope", known: Mapping[int, Table]
) -> Iterator[tuple[_Place | None, _Place | None]]:
    """The columns that a query sets equal in ON, WHERE or USING."""
    from sqlglot import exp

    for equal in scope.find_all(exp.EQ):
        left, right = equal.this.unnest(), equal.expression.unnest()
        if isinstance(left, exp.Column) and isinstance(right, exp.Column):
            yield _place(scope, left, known), _place(scope, right, known)
    before: list[exp.Table] = []
    for source in _in_order(scope):
        join = source.parent
        for column in (join.args.get("using") or []) if isinstance(join, exp.Join) else []:
            *others, own = (_of(one, column.name, known) for one in (*before, source))
            yield next(filter(None, others), None), own
        before.append(source)


def _in_order(scope: "Scope") -> list["exp.Table"]:
    from sqlglot import exp

    return [source for source in scope.sources.values() if isinstance(source, exp.Table)]


def _of(source: "exp.Table", name: str, known: Mapping[int, Table]) -> _Place | None:
    table = known.get(id(source))
    columns = table.columns if table else ()
    named = [column for column in columns if column.casefold() == name.casefold()]
    return (id(source), table, named[0]) if table and named else None


def _place(
    scope: "Scope | None", column: "exp.Column", known: Mapping[int, Table]
) -> _Place | None:
    """The table column that is meant, resolved through sub-queries."""
    from sqlglot import exp

    while scope:
        sources = {name.casefold(): source for name, source in scope.sources.items()}
        if column.table:
            source = sources.get(column.table.casefold())
            if isinstance(source, exp.Table):
                return _of(source, column.name, known)
            if source is not None:
                return _passed_on(source, column.name, known)
        else:
            places = [_of(one, column.name, known) for one in _in_order(scope)]
            found = [place for place in places if place]
            if found:
                return found[0] if len(found) == 1 else None
        scope = scope.parent
    return None


def _passed_on(scope: "Scope", name: str, known: Mapping[int, Table]) -> _Place | None:
    from sqlglot import exp

    query = scope.expression
    for projection in query.selects if isinstance(query, exp.Query) else []:
        inner = projection.unalias()
        if projection.alias_or_name.casefold() == name.casefold() and isinstance(inner, exp.Column):
            return _place(scope, inner, known)
    return None


def _directed(tables: Tables, ends: list[tuple[_Place, _Place]]) -> InferredKey | None:
    """The foreign key between equal columns of two tables; None if neither or either may be it."""
    found = []
    for turned in (False, True):
        pairs = [(pair[1], pair[0]) if turned else pair for pair in ends]
        source, target = pairs[0][0][1], pairs[0][1][1]
        columns = {there[2]: here[2] for here, there in pairs}
        described = tables.described[target.id]
        for place, key in enumerate(tables.keys(target)):
            if set(key) <= columns.keys():
                named = next((one for one in described.columns if one.name == key[0]), None)
                # If both sides are keys of their tables, take the one that is named after its
                # table.
                rank = (place > 0, -described.nearness(named) if named else 0)
                own = tuple(columns[one] for one in key)
                found.append((rank, InferredKey(source.id, own, target.id, key, "")))
                break
    found.sort(key=lambda one: one[0])
    return None if not found or [one[0] for one in found][1:] == [found[0][0]] else found[0][1]
