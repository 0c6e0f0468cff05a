"""Tables as objects: any database that SQLAlchemy can reflect.

Structural enrichment (GraphER, section 2.1): a table's foreign keys become its metadata.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapher_jax.corpus.objects import Object
from grapher_jax.errors import InputError, MissingExtraError, require

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine, Inspector

Key = tuple[str | None, str]

# What databases keep about themselves, and nobody asks for.
_SYSTEM_SCHEMAS = re.compile(
    r"information_schema|pg_.*|mysql|performance_schema|sys|temp|guest|db_.*", re.IGNORECASE
)


def read_database(url: str) -> Iterator[Object]:
    """Stream one object for every table and view: `name: column, column, …`.

    Ids are table names; outside the default schema, `schema.table`. A foreign key is kept once,
    whatever its columns; one to the table itself is left out.

    Args:
        url: an SQLAlchemy URL, such as `sqlite:///shop.db` or `postgresql+psycopg://user@host/db`.

    Raises:
        InputError: where the URL is malformed or the database cannot be reached; a password is
            never shown.
        MissingExtraError: where the database's driver is not installed.
    """
    sqlalchemy = require("sqlalchemy")
    engine = _connect(url)
    try:
        with engine.connect() as connection:
            yield from _tables(sqlalchemy.inspect(connection), engine.url.database or "")
    except sqlalchemy.exc.SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise InputError(
            f"{engine.url.render_as_string(hide_password=True)}: the database cannot be read "
            f"({_without_password(reason, engine.url)}); check host, name and credentials"
        ) from None
    finally:
        engine.dispose()


def _connect(url: str) -> "Engine":
    sqlalchemy = require("sqlalchemy")
    try:
        parsed = sqlalchemy.make_url(url)
        shown = parsed.render_as_string(hide_password=True)
        engine = sqlalchemy.create_engine(parsed)
    except sqlalchemy.exc.NoSuchModuleError as error:
        raise InputError(f"{shown}: unknown kind of database ({error})") from None
    except sqlalchemy.exc.ArgumentError:
        raise InputError("the database URL is malformed; write it like sqlite:///shop.db") from None
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"{shown}: the driver {error.name!r} is not installed; run: pip install {error.name}"
        ) from None
    file = parsed.database
    if engine.dialect.name == "sqlite" and file and file != ":memory:" and not Path(file).is_file():
        raise InputError(f"{file}: no such SQLite database")  # SQLite itself would make it
    return engine


def _tables(inspector: "Inspector", database: str) -> Iterator[Object]:
    from sqlalchemy.engine.reflection import ObjectKind

    default = inspector.default_schema_name
    schemas = [None] + [
        schema
        for schema in sorted(inspector.get_schema_names())
        if schema != default and not _SYSTEM_SCHEMAS.fullmatch(schema)
    ]
    columns: dict[Key, Any] = {}
    references: dict[Key, Any] = {}
    for schema in schemas:
        columns |= inspector.get_multi_columns(schema=schema, kind=ObjectKind.ANY)
        references |= inspector.get_multi_foreign_keys(schema=schema, kind=ObjectKind.TABLE)

    ids = {key: _identity(*key) for key in columns}
    # SQLite resolves a foreign key's table name without regard to case.
    folded = {(schema, name.casefold()): key for key in columns for schema, name in [key]}
    for key, reflected in columns.items():
        targets = []
        for reference in references.get(key, []):
            schema = reference["referred_schema"]
            target = (None if schema == default else schema, reference["referred_table"])
            target = (
                target if target in ids else folded.get((target[0], target[1].casefold()), target)
            )
            if target != key:
                targets.append(ids.get(target, _identity(*target)))
        metadata: dict[str, Any] = {"db": Path(database).stem, "table": key[1]}
        if targets:
            metadata["foreign_keys"] = sorted(set(targets))
        names = ", ".join(column["name"] for column in reflected)
        yield Object(ids[key], f"{key[1]}: {names}", metadata=metadata)


def _identity(schema: str | None, table: str) -> str:
    # A dot inside a name must not look like the one between schema and table.
    parts = [f'"{part}"' if "." in part else part for part in (schema, table) if part]
    return ".".join(parts)


def _without_password(text: str, url: "URL") -> str:
    return text.replace(str(url.password), "***") if url.password else text
