"""SQLite files, read without changing them or the files next to them."""

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

# The bytes that identify a SQLite log: two salts, which are new for each log.
_LOG_HEADER = 32
_MAGIC = b"SQLite format 3\0"
# Attempts to copy a database while another process writes it.
_TRIES = 5


def is_sqlite(source: str | Path) -> bool:
    """Whether a source is the path of a SQLite file, by its first bytes."""
    with suppress(OSError, ValueError):
        file = Path(source)
        if file.is_file():
            with file.open("rb") as opened:
                return opened.read(len(_MAGIC)) == _MAGIC
    return False


def sqlite_file(engine: "Engine") -> Path | None:
    """The file that an engine opens; None for other databases and for one in memory."""
    if engine.dialect.name != "sqlite":
        return None
    (name, *_), options = engine.dialect.create_connect_args(engine.url)
    if options.get("uri") and name.startswith("file:"):
        uri = urlsplit(name)
        name = "" if "mode=memory" in uri.query.split("&") else unquote(uri.path)
    return None if name in ("", ":memory:") else Path(name)


@contextmanager
def unchanged(engine: "Engine") -> Iterator[None]:
    """Keep an engine from changing a SQLite file and its log files.

    SQLite cannot read a log without writing: it rolls back a journal, and creates an index file for
    a write-ahead log.

    Raises:
        InputError: if there is a log, and file and log cannot be copied.
    """
    from sqlalchemy import event

    file = sqlite_file(engine)
    if file is None or engine.driver != "pysqlite":
        yield
        return
    file = file.resolve()  # SQLite derives the names of the logs from this path
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
    """Whether SQLite would create a write-ahead log to read the file."""
    with suppress(OSError), file.open("rb") as opened:
        return opened.read(20)[19:] == b"\x02"
    return False


def _copy(file: Path, place: Path) -> None:
    """Copy a consistent state of a SQLite file and its logs.

    Raises:
        InputError: if they cannot be copied, or keep changing.
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
            # Copy the logs after the file: they contain what was written to it meanwhile.
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
    """The internal tables of SQLite's virtual tables, such as those of full-text search."""
    if connection.dialect.name != "sqlite":
        return set()
    rows = connection.exec_driver_sql("PRAGMA table_list").all()
    return {
        (None if schema == "main" else schema, name)
        for schema, name, kind, *_ in rows
        if kind == "shadow"
    }
