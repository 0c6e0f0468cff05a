"""Reads tables and views of a database as objects."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapher_jax.checks import check_text
from grapher_jax.corpus.database.connect import connect, reason, shown_url
from grapher_jax.corpus.database.copies import newest_of_copies
from grapher_jax.corpus.database.duckdb import reflect_duckdb
from grapher_jax.corpus.database.reflect import (
    TABLE,
    Choice,
    Key,
    Names,
    Reflected,
    identity,
    reflect,
)
from grapher_jax.corpus.database.script import is_script, read_script
from grapher_jax.corpus.database.sqlite import is_sqlite, sqlite_file, unchanged
from grapher_jax.corpus.database.table_files import read_table_files, table_files
from grapher_jax.corpus.database.views import read_by_views, view_definition
from grapher_jax.corpus.inferred.stage import AUTO, KeyChoice, with_inferred_keys
from grapher_jax.corpus.objects import Object
from grapher_jax.errors import InputError, require, warn
from grapher_jax.files import Json

if TYPE_CHECKING:
    from sqlalchemy import Connection, Dialect

# A comment that so many tables share, such as a note about replication, describes none of them.
_SHARED = 5
# So many of the tables that cannot be read are named, each with its reason.
_TOLD = 5


def read_database(
    url: str | Path,
    *,
    schemas: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    views: bool = True,
    copies: bool = False,
    infer_keys: str = AUTO,
    queries_from: str | Path | None = None,
    dbt_manifest: str | Path | None = None,
    keys: str | Path | None = None,
) -> Iterator[Object]:
    """Stream one object for every table and view: `name: column, column, …`.

    Ids are table names; outside the default schema, `schema.table`. Each referenced table is listed
    once, whatever the columns; tables not chosen, and the table itself, are left out. A view
    references the tables that its SQL reads. What cannot be read is left out with a warning. SQLite
    files are never changed: if one has a log with further changes, a copy of both is read.

    A file of SQL is read without a database: the tables that its statements create, alter and
    comment, in the dialect that reads most of them, without rows. So is a folder of tables as files
    `.csv`, `.tsv` (also `.gz`) and `.parquet`, of which the header is read.

    Args:
        url: an SQLAlchemy URL, such as `postgresql+psycopg://user@host/db`, or the path of a SQLite
            file, of a file `*.sql`, such as a dump of a schema, or of a folder of tables.
        schemas: read only these; by default all, and for MySQL and MariaDB, where a schema is a
            database, that of the URL.
        include: case-insensitive patterns as for file names (`*`, `?`, `[ab]`); only tables whose
            id or plain name matches one of them are read.
        exclude: such patterns; tables whose id or plain name matches one of them are not read.
        views: whether views are read too.
        copies: whether each of four or more tables is read whose names differ only in a number or
            date, as `sales_2023`; by default the one with the highest number stands for all, and
            its metadata names them.
        infer_keys: whether undeclared foreign keys are inferred from names and views, without
            reading rows: `always`; `parts`: only between the unconnected parts that a database's
            declared keys leave, by names if there are at most 8; `never`; or `auto`: `always` for a
            database that declares few keys, or, by names, not all; else `parts`.
        queries_from: a file of SQL statements, from whose joins keys are inferred.
        dbt_manifest: dbt's `manifest.json`, from whose relationship tests keys are inferred.
        keys: a YAML file that lists `table`, `columns`, `references` and `referenced_columns`.

    Raises:
        InputError: if the URL is malformed or the database cannot be reached (a password is never
            shown), for an unknown schema, if the patterns match no table, and for unusable files of
            keys.
        MissingExtraError: if the database's driver is not installed.
    """
    url = check_text("url", str(url) if isinstance(url, os.PathLike) else url)
    choice = Choice.checked(schemas, include, exclude, views, copies)
    key_choice = KeyChoice.checked(infer_keys, queries_from, dbt_manifest, keys)
    if is_script(url):
        yield from _of_script(Path(url), choice, key_choice)
        return
    if "://" not in url and table_files(Path(url)):
        yield from _of_files(Path(url), choice, key_choice)
        return
    sqlalchemy = require("sqlalchemy")
    engine = connect(sqlalchemy.URL.create("sqlite", database=url) if is_sqlite(url) else url)
    cure = "check host, name and credentials"
    try:
        with unchanged(engine), engine.connect() as connection:
            cure = "check that it is whole, and that its tables may be listed"
            yield from _of_database(connection, choice, key_choice)
    except sqlalchemy.exc.SQLAlchemyError as error:
        told = reason(error, engine.url)
        raise InputError(
            f"{shown_url(engine.url)}: the database cannot be read ({told}); {cure}"
        ) from None
    finally:
        engine.dispose()


def _of_database(connection: "Connection", choice: Choice, keys: KeyChoice) -> list[Object]:
    url, dialect = connection.engine.url, connection.dialect
    place = shown_url(url)
    definition: Callable[[Key], str]
    if dialect.name == "duckdb":
        found, sql = reflect_duckdb(connection, choice, place)
        definition, name = sql.__getitem__, Path(url.database or "memory").stem
    else:
        found, definition = reflect(connection, choice), partial(view_definition, connection)
        for key, columns in found.columns.items():
            types = found.types.get(key, {})
            found.columns[key] = [one | {"type": _type(one, dialect, types)} for one in columns]
        file = sqlite_file(connection.engine)
        # Snowflake writes the schema after the database.
        name = file.stem if file else (url.database or "").partition("/")[0]
    return _tables(
        found, definition, choice, keys, place=place, database=name, dialect=dialect.name
    )


def _of_script(path: Path, choice: Choice, keys: KeyChoice) -> list[Object]:
    read = read_script(path, choice)
    found, definition, dialect = read.found, read.sql.__getitem__, read.dialect
    name = path.name.partition(".")[0]
    return _tables(found, definition, choice, keys, place=str(path), database=name, dialect=dialect)


def _of_files(folder: Path, choice: Choice, keys: KeyChoice) -> list[Object]:
    found = read_table_files(folder, choice)
    definition, name = dict[Key, str]().__getitem__, folder.resolve().name
    return _tables(found, definition, choice, keys, place=str(folder), database=name, dialect="")


def _tables(
    found: Reflected,
    definition: Callable[[Key], str],
    choice: Choice,
    key_choice: KeyChoice,
    *,
    place: str,
    database: str,
    dialect: str,
) -> list[Object]:
    """The objects of tables and views; `definition` returns the SQL of a view."""
    read = read_by_views(found, definition, database=database, dialect=dialect)
    for failed, told, result in (
        (found.unreadable, "tables or views cannot be read", "are left out"),
        (read.failed, "views have SQL that cannot be read", "do not reference what they read"),
    ):
        if failed:
            some = (f"{identity(*key)}: {cause}" for key, cause in islice(failed.items(), _TOLD))
            example = f"(such as {'; '.join(some)})"
            if not found.columns:
                raise InputError(f"{place}: all {len(failed)} {told} {example}")
            warn(f"{place}: {len(failed)} {told} {example}; they {result}")

    names = Names({*found.kinds, *found.columns})
    newest = {} if choice.copies else newest_of_copies(found)
    copies: dict[Key, list[Key]] = {}
    for copy, last in newest.items():
        copies.setdefault(last, []).append(copy)
    kept = (key for key in found.columns if key not in newest)
    comments = {key: found.comments.get(key, {}).get("text") or "" for key in kept}
    shared = Counter(comments.values())
    objects = []
    for key, comment in comments.items():
        own = [*found.references.get(key, [])]
        own += [one for copy in copies.get(key, ()) for one in found.references.get(copy, [])]
        joins = [*_joins(key, own, found, names, newest)]
        targets = {target for target, _ in joins}
        reading = (newest.get(target, target) for target in read.tables.get(key, ()))
        targets |= {target for target in reading if target in found.columns}
        told = comment if shared[comment] < _SHARED else ""
        metadata = _metadata(key, found, told, database, dialect)
        if key in copies:
            metadata["copies"] = [name for _, name in copies[key]]
        if others := targets - {key}:
            metadata["foreign_keys"] = sorted(identity(*target) for target in others)
        if known := [join for _, join in joins if join]:
            metadata["joins"] = known
        listed = ", ".join(column["name"] for column in found.columns[key])
        objects.append(Object(identity(*key), f"{key[1]}: {listed}", metadata=metadata))
    return with_inferred_keys(objects, key_choice, views=read.sql.values(), dialect=dialect)


def _metadata(
    key: Key, found: Reflected, comment: str, database: str, dialect: str
) -> dict[str, Json]:
    """The metadata of a table but for its keys and copies."""
    metadata: dict[str, Json] = {"db": database, "table": key[1]}
    if key[0]:
        metadata["schema"] = key[0]
    metadata["kind"] = found.kinds.get(key, TABLE)
    if dialect:
        metadata["dialect"] = dialect
    if comment:
        metadata["comment"] = comment
    metadata["columns"] = [
        {name: column[name] for name in ("name", "type", "nullable")}
        | ({"comment": column["comment"]} if column.get("comment") else {})
        for column in found.columns[key]
    ]
    if primary := found.primary.get(key):
        metadata["primary_key"] = primary
    if unique := found.unique.get(key):
        metadata["unique"] = unique
    return metadata


def _joins(
    key: Key,
    references: Sequence[Mapping[str, Any]],
    found: Reflected,
    names: Names,
    newest: Mapping[Key, Key],
) -> Iterator[tuple[Key, dict[str, Json]]]:
    """The tables that foreign keys reference, each with the columns on both sides.

    There are none where a column is that of a copy alone, for which another table stands.
    """
    seen = set()
    for reference in references:
        schema = reference["referred_schema"]
        written = (None if schema == found.default else schema, reference["referred_table"])
        # SQLite resolves names without regard to case.
        meant = names.find(written) or written
        target = newest.get(meant, meant)
        own = found.spelled(key, reference["constrained_columns"])
        others = reference["referred_columns"] or found.primary.get(meant, [])
        others = found.spelled(meant, others)
        if found.leaves_out(meant) or (target, *own, *others) in seen:
            continue
        seen.add((target, *own, *others))
        of_copies = not _has(found, key, own) or (
            meant != target and not _has(found, target, others)
        )
        join: dict[str, Json] = {
            "columns": own,
            "references": identity(*target),
            "referenced_columns": others,
        }
        yield target, {} if newest and of_copies else join


def _has(found: Reflected, key: Key, columns: Sequence[str]) -> bool:
    """Whether a table has all of these columns."""
    there = {column["name"].casefold() for column in found.columns.get(key, ())}
    return there.issuperset(map(str.casefold, columns))


def _type(column: Mapping[str, Any], dialect: "Dialect", types: Mapping[str, str]) -> str:
    """A column's type in SQL; `types` has the names of those that SQLAlchemy does not know."""
    import sqlalchemy

    if told := types.get(column["name"]):
        return told
    try:
        kind: str = dialect.type_compiler_instance.process(column["type"])
    except sqlalchemy.exc.CompileError:
        return ""
    return kind
