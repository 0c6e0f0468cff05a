"""Tables as objects: any database that SQLAlchemy can reflect.

Structural enrichment (GraphER, section 2.1): a table's foreign keys become its metadata.
"""

import re
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus, unquote, urlsplit

from grapher_jax.corpus.objects import Object
from grapher_jax.errors import InputError, MissingExtraError, require, warn
from grapher_jax.files import Json

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

Key = tuple[str | None, str]

# What databases keep about themselves, and nobody asks for; by SQLAlchemy's name of the dialect.
_MYSQL_SCHEMAS = r"information_schema|mysql|performance_schema|sys"
_SYSTEM_SCHEMAS = {
    "mariadb": _MYSQL_SCHEMAS,
    "mssql": r"information_schema|sys|guest|db_(owner|accessadmin|securityadmin|ddladmin|"
    r"backupoperator|datareader|datawriter|denydatareader|denydatawriter)",
    "mysql": _MYSQL_SCHEMAS,
    "oracle": r"sys|system",
    "postgresql": r"information_schema|pg_.*",
    "sqlite": r"temp",
}

# What to install for a driver's module, where that is not the package of the same name.
_DRIVERS = {
    "MySQLdb": "mysqlclient",
    "mysql": "mysql-connector-python",
    "psycopg": '"grapher-jax[postgresql]"',
    "psycopg2": '"grapher-jax[postgresql]" and write postgresql+psycopg://',
}

# Bytes of a log of SQLite that say which one it is: two salts that each new one has anew.
_LOG_HEADER = 32
# To copy a database that another process writes.
_TRIES = 5

# What is shorter stands in many words; it is masked where it stands alone.
_SHORT = 4
_SECRET = re.compile(r"pass|pwd|secret|token|key", re.IGNORECASE)


def read_database(url: str) -> Iterator[Object]:
    """Stream one object for every table and view: `name: column, column, …`.

    Ids are table names; outside the default schema, `schema.table`. A foreign key is kept once,
    whatever its columns; one to the table itself is left out. A table or view that cannot be read
    is left out with a warning. Neither a SQLite file nor what lies beside it is changed: where it
    has a log of what it lacks yet, a copy of both is read.

    Args:
        url: an SQLAlchemy URL, such as `sqlite:///shop.db` or `postgresql+psycopg://user@host/db`.

    Raises:
        InputError: where the URL is malformed or the database cannot be reached; a password is
            never shown.
        MissingExtraError: where the database's driver is not installed.
    """
    sqlalchemy = require("sqlalchemy")
    engine = _connect(url)
    cure = "check host, name and credentials"
    try:
        with _unchanged(engine), engine.connect() as connection:
            cure = "check that it is whole, and that its tables may be listed"
            yield from _tables(connection)
    except sqlalchemy.exc.SQLAlchemyError as error:
        reason = _reason(error, engine.url)
        raise InputError(
            f"{_shown(engine.url)}: the database cannot be read ({reason}); {cure}"
        ) from None
    finally:
        engine.dispose()


def _connect(url: str) -> "Engine":
    sqlalchemy = require("sqlalchemy")
    try:
        parsed = sqlalchemy.make_url(url)
        if "@" in (parsed.host or ""):
            raise ValueError  # the host begins with the end of a password that holds an @
        engine = sqlalchemy.create_engine(parsed)
    except sqlalchemy.exc.NoSuchModuleError as error:
        raise InputError(f"{_shown(parsed)}: unknown kind of database ({error})") from None
    except (sqlalchemy.exc.ArgumentError, ValueError):
        # Nothing of it is shown: what stands where the port belongs may be the password.
        raise InputError("the database URL is malformed; write it like sqlite:///shop.db") from None
    except ModuleNotFoundError as error:
        module = error.name or parsed.get_driver_name()
        raise MissingExtraError(
            f"{_shown(parsed)}: the driver {module!r} is not installed; "
            f"run: pip install {_DRIVERS.get(module, module)}"
        ) from None
    file = _sqlite_file(engine)
    if file and not file.is_file():  # SQLite itself would make it
        raise InputError(f"{parsed.database}: no such SQLite database; give the path of its file")
    return engine


def _sqlite_file(engine: "Engine") -> Path | None:
    """The file that an engine opens; none for other databases and for one in memory."""
    if engine.dialect.name != "sqlite":
        return None
    (name, *_), options = engine.dialect.create_connect_args(engine.url)
    if options.get("uri") and name.startswith("file:"):
        uri = urlsplit(name)
        name = "" if "mode=memory" in uri.query.split("&") else unquote(uri.path)
    return None if name in ("", ":memory:") else Path(name)


@contextmanager
def _unchanged(engine: "Engine") -> Iterator[None]:
    """Let an engine change neither a SQLite file nor what lies beside it.

    SQLite reads no log without writing: it rolls a journal back, and keeps an index of a
    write-ahead log beside it.

    Raises:
        InputError: where there is a log, and both cannot be copied.
    """
    from sqlalchemy import event

    file = _sqlite_file(engine)
    if file is None or engine.driver != "pysqlite":
        yield
        return
    file = file.resolve()  # as SQLite names the logs
    with TemporaryDirectory() as folder:
        place, access = file, "mode=ro"
        if any(log.is_file() and log.stat().st_size for log in _logs(file)):
            place, access = Path(folder) / "database", "mode=rw"
            _copy(file, place)
        elif _has_wal(file):
            access = "mode=ro&immutable=1"

        def read(_: Any, __: Any, arguments: list[Any], options: dict[str, Json]) -> None:
            given = urlsplit(arguments[0]).query if options.get("uri") else ""
            arguments[0] = f"{place.as_uri()}?{given}{'&' if given else ''}{access}"
            options["uri"] = True

        event.listen(engine, "do_connect", read)
        try:
            yield
        finally:
            engine.dispose()


def _logs(file: Path) -> tuple[Path, Path]:
    """The write-ahead log and the rollback journal of a SQLite file."""
    return Path(f"{file}-wal"), Path(f"{file}-journal")


def _has_wal(file: Path) -> bool:
    """Whether SQLite would make a write-ahead log, to read the file."""
    with suppress(OSError), file.open("rb") as opened:
        return opened.read(20)[19:] == b"\x02"
    return False


def _copy(file: Path, place: Path) -> None:
    """Copy a SQLite file and its logs, as they are at one moment.

    Raises:
        InputError: where they cannot be copied, or change without end.
    """
    wal, _ = _logs(file)

    def moment() -> tuple[int, int, bytes]:
        found, header = file.stat(), b""
        if wal.is_file():
            with wal.open("rb") as opened:
                header = opened.read(_LOG_HEADER)
        return found.st_size, found.st_mtime_ns, header

    try:
        for _ in range(_TRIES):
            before = moment()
            shutil.copyfile(file, place)
            # Of the file after it: they hold whatever was written to it meanwhile.
            for log, copy in zip(_logs(file), _logs(place), strict=True):
                copy.unlink(missing_ok=True)
                with suppress(FileNotFoundError):
                    shutil.copyfile(log, copy)
            if moment() == before:
                return
    except OSError as error:
        raise InputError(
            f"{file}: cannot be copied, to be read with its log ({error.strerror}); give TMPDIR "
            "a folder with more room"
        ) from error
    raise InputError(f"{file}: it changes faster than it can be copied; try again later")


def _tables(connection: "Connection") -> Iterator[Object]:
    import sqlalchemy

    inspector = sqlalchemy.inspect(connection)
    default = inspector.default_schema_name
    system = _SYSTEM_SCHEMAS.get(connection.dialect.name, "information_schema")
    schemas = [None] + [
        schema
        for schema in sorted(inspector.get_schema_names())
        if schema != default and not re.fullmatch(system, schema, re.IGNORECASE)
    ]
    columns: dict[Key, Any] = {}
    references: dict[Key, Any] = {}
    unreadable: dict[Key, str] = {}
    with warnings.catch_warnings():
        # Of types, and of the names of constraints: neither is read.
        warnings.simplefilter("ignore", sqlalchemy.exc.SAWarning)
        for schema in schemas:
            _reflect(connection, schema, columns, references, unreadable)
    if unreadable:
        key, reason = next(iter(unreadable.items()))
        warn(
            f"{_shown(connection.engine.url)}: {len(unreadable)} tables or views cannot be read "
            f"(such as {_identity(*key)}: {reason}); they are left out",
            stacklevel=3,
        )
    for key in _shadow_tables(connection):
        columns.pop(key, None)

    file, name = _sqlite_file(connection.engine), connection.engine.url.database
    database = file.stem if file else name or ""
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
        metadata: dict[str, Json] = {"db": database, "table": key[1]}
        if targets:
            metadata["foreign_keys"] = sorted(set(targets))
        names = ", ".join(column["name"] for column in reflected)
        yield Object(ids[key], f"{key[1]}: {names}", metadata=metadata)


def _reflect(
    connection: "Connection",
    schema: str | None,
    columns: dict[Key, Any],
    references: dict[Key, Any],
    unreadable: dict[Key, str],
) -> None:
    """Add the tables and views of one schema; of those that cannot be read, the reason."""
    import sqlalchemy
    from sqlalchemy.engine.reflection import ObjectKind

    inspector = sqlalchemy.inspect(connection)
    try:
        found = inspector.get_multi_columns(schema=schema, kind=ObjectKind.ANY)
        references |= inspector.get_multi_foreign_keys(schema=schema, kind=ObjectKind.TABLE)
        columns |= found
        return
    except (sqlalchemy.exc.SQLAlchemyError, AttributeError):
        # One broken view fails them all, as does a key whose names SQLAlchemy's own patterns do not
        # know, which is an AttributeError: again, one by one.
        connection.rollback()  # PostgreSQL answers nothing more in a failed transaction
    tables = inspector.get_table_names(schema)
    names = tables + inspector.get_view_names(schema)
    with suppress(NotImplementedError):
        names += inspector.get_materialized_view_names(schema)
    for name in names:
        try:
            keys = inspector.get_foreign_keys(name, schema) if name in tables else []
            columns[schema, name] = inspector.get_columns(name, schema)
            references[schema, name] = keys
        except (sqlalchemy.exc.SQLAlchemyError, AttributeError) as error:
            if getattr(error, "connection_invalidated", False):
                raise
            connection.rollback()
            unreadable[schema, name] = _reason(error, connection.engine.url)


def _shadow_tables(connection: "Connection") -> list[Key]:
    """Where SQLite keeps the insides of its virtual tables, such as those of full-text search."""
    if connection.dialect.name != "sqlite":
        return []
    rows = connection.exec_driver_sql("PRAGMA table_list").all()
    return [
        (None if schema == "main" else schema, name)
        for schema, name, kind, *_ in rows
        if kind == "shadow"
    ]


def _identity(schema: str | None, table: str) -> str:
    # A dot inside a name must not look like the one between schema and table, and no id is empty.
    parts = [schema, table] if schema else [table]
    return ".".join(f'"{part}"' if "." in part or not part else part for part in parts)


def _shown(url: "URL") -> str:
    """The URL without its secrets."""
    masked = url.update_query_dict(dict.fromkeys(_secret_query(url), "***"))
    return masked.render_as_string(hide_password=True).replace(quote_plus("***"), "***")


def _reason(error: Exception, url: "URL") -> str:
    """The first line of what the driver says, without the secrets of the URL."""
    text = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
    reason = text.splitlines()[0]
    secrets = [value for values in _secret_query(url).values() for value in values]
    if url.password:
        secrets.append(str(url.password))
    forms = {form for secret in secrets for form in (secret, quote(secret, ""), quote_plus(secret))}
    # The longest first: one secret may begin another.
    for form in sorted(filter(None, forms), key=len, reverse=True):
        pattern = re.escape(form)
        if len(form) < _SHORT:
            pattern = rf"(?<!\w){pattern}(?!\w)"
        reason = re.sub(pattern, "***", reason, flags=re.IGNORECASE)
    return reason


def _secret_query(url: "URL") -> dict[str, tuple[str, ...]]:
    # A value may itself hold a password, as that of odbc_connect does.
    return {
        key: tuple(values)
        for key, values in url.normalized_query.items()
        if _SECRET.search(key) or any(map(_SECRET.search, values))
    }
