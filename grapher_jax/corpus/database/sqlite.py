"""Files of SQLite, read without a change to them or to what lies beside them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from grapher_jax.errors import InputError
from grapher_jax.files import Json

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

# Bytes of a log of SQLite that say which one it is: two salts that each new one has anew.
_LOG_HEADER = 32
# To copy a database that another process writes.
_TRIES = 5


def sqlite_file(engine: "Engine") -> Path | None:
    """The file that an engine opens; none for other databases and for one in memory."""
    if engine.dialect.name != "sqlite":
        return None
    (name, *_), options = engine.dialect.create_connect_args(engine.url)
    if options.get("uri") and name.startswith("file:"):
        uri = urlsplit(name)
        name = "" if "mode=memory" in uri.query.split("&") else unquote(uri.path)
    return None if name in ("", ":memory:") else Path(name)


@contextmanager
def unchanged(engine: "Engine") -> Iterator[None]:
    """Let an engine change neither a SQLite file nor what lies beside it.

    SQLite reads no log without writing: it rolls a journal back, and keeps an index of a
    write-ahead log beside it.

    Raises:
        InputError: where there is a log, and both cannot be copied.
    """
    from sqlalchemy import event

    file = sqlite_file(engine)
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


def shadow_tables(connection: "Connection") -> set[tuple[str | None, str]]:
    """Where SQLite keeps the insides of its virtual tables, such as those of full-text search."""
    if connection.dialect.name != "sqlite":
        return set()
    rows = connection.exec_driver_sql("PRAGMA table_list").all()
    return {
        (None if schema == "main" else schema, name)
        for schema, name, kind, *_ in rows
        if kind == "shadow"
    }
