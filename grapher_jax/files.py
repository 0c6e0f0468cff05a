"""Files: atomic writes, locks, text and JSON whose errors name their place, and checksums."""

import csv
import ctypes
import errno
import glob
import gzip
import hashlib
import json
import math
import os
import secrets
import shutil
import sqlite3
import stat
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy import ndarray

from grapher_jax.checks import shown
from grapher_jax.errors import InputError, require

# A few kilobytes of gzip can unpack to a line that fits no memory.
_LONGEST_LINE = 100_000_000
# The mode for arrays in a folder that may be replaced: Windows cannot move mapped files.
MAPPED: Literal["r"] | None = "r" if os.name == "posix" else None
# Of the random suffix of a temporary name, by which leftovers of killed writers are found.
_RANDOM_BYTES = 8
# How systems say that they flush no folder: Windows, which opens none, and some network drives.
# The first also says that a folder may not be read.
_NO_FOLDERS = (errno.EACCES, errno.EBADF, errno.EINVAL, errno.ENOTSUP)


class BusyError(InputError):
    """Another process is writing the same file or folder."""


# The values of JSON; the readers of a document know its structure.
Json: TypeAlias = Any


def written_place(path: Path) -> Path:
    """Where a file or folder for `path` is written: links stay, and their target is replaced.

    Raises:
        InputError: for a device, a pipe or a socket, which must not be replaced.
    """
    with suppress(OSError):  # if it cannot be checked, writing reports the error
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise InputError(f"{path}: is a device, a pipe or a socket; give another place")
    return Path(os.path.realpath(path)) if path.is_symlink() else path


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path next to `path`; on success, it replaces `path`.

    Raises:
        InputError: if it cannot be written; the old content stays.
    """
    path = written_place(path)
    temporary = _beside(path)
    with write_errors(path, temporary):
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        try:
            yield temporary
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder next to `path`; on success, it replaces `path`.

    Only one process writes at a time; others wait.

    Raises:
        InputError: if it cannot be written; the old content stays.
    """
    path = written_place(path)
    with alone(path, wait=True), replacing(path) as temporary:
        yield temporary


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """The same as `atomic_folder`, for a caller that holds the lock `alone`; `path` is no link."""
    temporary = _beside(path)
    with write_errors(path, temporary):
        if path.exists() and not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        temporary.mkdir()
        try:
            yield temporary
            replace_folder(temporary, path)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def alone(path: Path, *, wait: bool) -> Iterator[None]:
    """Hold the write lock of `path`, and remove folders that killed writers left next to it.

    A killed process releases the lock.

    Raises:
        BusyError: if another process holds it, and this one should not wait.
        InputError: if a lock is not possible.
    """
    filelock = require("filelock")
    file = path.parent / f".{path.name}.lock"
    lock = filelock.FileLock(file)
    with write_errors(path, file):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(timeout=-1 if wait else 0)
        except filelock.Timeout:
            _check_place(path.parent)
            raise BusyError(
                f"{path}: another process is writing it; wait for it, or give another place"
            ) from None
    try:
        replaced = _replaced(path)
        if replaced.exists() and not path.exists():
            replaced.rename(path)
        random = "[0-9a-f]" * (2 * _RANDOM_BYTES)
        orphans = path.parent.glob(f".{glob.escape(path.name)}.{random}")
        for orphan in (replaced, *orphans):
            shutil.rmtree(orphan, ignore_errors=True)
        yield
    finally:
        with suppress(OSError):
            file.unlink()  # while the lock is held: waiting processes notice that the file is gone
        lock.release()


def _check_place(folder: Path) -> None:
    """Raises OSError where no file can be made, as below /proc, which looks like a held lock."""
    try:
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OSError(error.errno, os.strerror(error.errno or 0)) from error


@contextmanager
def scratch_database() -> Iterator[sqlite3.Connection]:
    """Yield an empty temporary database for large data; SQLite unlinks its file at once."""
    with closing(sqlite3.connect("", check_same_thread=False)) as database:
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA cache_size = -16384")  # KiB
        yield database


@contextmanager
def scratch_errors() -> Iterator[None]:
    """Raise InputError if the folder for temporary files has no space for such a database."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise InputError(
            f"temporary file: {error}; set SQLITE_TMPDIR to a folder with more room"
        ) from error


@contextmanager
def array_file(
    path: Path, kind: np.dtype, shape: tuple[int, ...]
) -> Iterator[Callable[[ndarray], None]]:
    """A `.npy` file of an array of this dtype and shape, written a few rows at a time, in order.

    Not through a map, as NumPy's `open_memmap` does: where the disk is full, that ends the process.
    """
    with path.open("wb") as file:
        told = np.lib.format.dtype_to_descr(kind)
        header = {"descr": told, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, header)

        def write(rows: ndarray) -> None:
            file.write(np.ascontiguousarray(rows, kind).data)

        yield write


@contextmanager
def first_times() -> Iterator[Callable[[str], bool]]:
    """Yield a function that tells whether a string comes for the first time, of any number."""
    with scratch_database() as database:
        database.execute("CREATE TABLE seen (id BLOB PRIMARY KEY) WITHOUT ROWID")

        def is_new(name: str) -> bool:
            with scratch_errors():
                added = database.execute(
                    "INSERT OR IGNORE INTO seen VALUES (?)", (name.encode(errors="surrogatepass"),)
                )
            return bool(added.rowcount)

        yield is_new


def open_text(path: Path, mode: Literal["r", "w"]) -> TextIOWrapper:
    """Open a UTF-8 text file, plain or gzip by its name; line ends stay as they are.

    A byte order mark, which some editors write, is skipped.
    """
    encoding = "utf-8-sig" if mode == "r" else "utf-8"
    if path.suffix != ".gz":
        return path.open(mode, encoding=encoding, newline="")
    return gzip.open(path, "rt" if mode == "r" else "wt", encoding=encoding, newline="")


def read_option(option: str, path: Path, kind: str) -> str:
    """The text of a file that an option names, without a byte order mark.

    Raises:
        InputError: naming the option, if it cannot be read or is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        cause = f"cannot be read ({error.strerror})"
    except UnicodeDecodeError:
        cause = "is not UTF-8"
    raise InputError(f"{option}: {path} {cause}; give {kind}")


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Stream the numbered lines of a UTF-8 text file, plain or gzip by its name.

    Raises:
        InputError: if the file cannot be read, is not UTF-8, or has a line of more than 100,000,000
            characters.
    """
    number = 0
    try:
        with open_text(path, "r") as file:
            while line := file.readline(_LONGEST_LINE + 1):
                if len(line) > _LONGEST_LINE:
                    raise InputError(
                        f"{path}:{number + 1}: a line of more than {_LONGEST_LINE:,} characters; "
                        "split it"
                    )
                number += 1
                yield number, line
    except UnicodeDecodeError as error:
        raise InputError(f"{path}:{number + 1}: not UTF-8 text ({error.reason})") from error
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({reason})") from error


def allow_long_fields() -> None:
    """Let `csv` read fields of more than 131,072 characters, which it refuses by default."""
    csv.field_size_limit(max(_LONGEST_LINE, csv.field_size_limit()))


def json_text(value: Any, name: str) -> str:
    """One line of JSON that `parse_json` takes.

    Raises:
        InputError: naming the value, if JSON or UTF-8 cannot represent it.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{name} must hold JSON values ({error}), not {shown(value)}") from error
    return text


def json_line(record: Mapping[str, Json]) -> str:
    """A line of a JSONL file; raises InputError as `json_text`, naming the record's id."""
    return json_text(record, f"{record.get('_id')!r}") + "\n"


class NoJsonError(ValueError):
    """A text is not JSON."""


def parse_json(text: str, *, halves: bool = False, gaps: bool = False) -> Any:
    """The value of a JSON text.

    Args:
        text: a JSON text.
        halves: accept lone surrogates (half characters), for a caller that replaces them.
        gaps: read NaN and Infinity, as Python and pandas write them, as null.

    Raises:
        NoJsonError: for text that is not JSON.
        ValueError: for JSON that not every reader accepts: NaN and Infinity, also as a number such
            as 1e400, lone surrogates, which UTF-8 cannot encode, and too deep nesting or too long
            numbers.
    """
    try:
        value = (_WITH_GAPS if gaps else _JSON).decode(text)
        if "\\u" in text and not halves:  # only an escape can contain a lone surrogate
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise NoJsonError(error.msg) from error
    except UnicodeEncodeError as error:
        raise ValueError("half of a surrogate pair; write the whole character") from error
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON; write null or leave it out")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text:.20} is more than a number can be")
    return number


_JSON = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_WITH_GAPS = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_finite)


def read_json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Stream the objects of a JSON Lines file, each with its place `file:line`.

    Raises:
        InputError: for a line that is not a JSON object; blank lines are skipped.
    """
    return ((place, json_object(line, place)) for place, line in read_filled_lines(path))


def read_filled_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Stream the lines of a text file that are not blank, each with its place `file:line`.

    Raises:
        InputError: as `read_lines`.
    """
    return ((f"{path}:{number}", line) for number, line in read_lines(path) if line.strip())


def json_object(line: str, place: str) -> dict[str, Json]:
    """The object that is written in a line.

    Raises:
        InputError: naming the place, if it is not a JSON object.
    """
    try:
        record = parse_json(line)
    except ValueError as error:
        raise InputError(f"{place}: malformed JSON ({error})") from error
    if not isinstance(record, dict):
        raise InputError(f"{place}: a JSON object is needed, not {type(record).__name__}")
    return record


@contextmanager
def write_errors(path: Path, temporary: Path, cure: str = "give another place") -> Iterator[None]:
    """Report errors of writing as errors of `path`; errors about other files are not changed.

    Raises:
        InputError: naming `path`, the reason and the cure.
    """
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str):
            file = Path(error.filename)
            if file not in path.parents and not {path, temporary} & {file, *file.parents}:
                raise
        # Messages of libraries may contain the temporary name even if the error object does not.
        reason = (
            os.strerror(error.errno)
            if error.errno
            else str(error).replace(str(temporary), str(path))
        )
        raise InputError(f"{path}: cannot be written ({reason}); {cure}") from error


def replace_folder(temporary: Path, path: Path) -> None:
    """Replace a folder, if it exists, by another; in one step if the system supports it.

    On other systems, a kill between two steps leaves nothing at `path`, and the next writer
    restores the old folder. The caller holds the lock `alone`.
    """
    if not path.exists():
        temporary.rename(path)
        return
    replaced = temporary
    if not _exchange(temporary, path):
        replaced = _replaced(path)
        path.rename(replaced)
        try:
            temporary.rename(path)
        except OSError:
            replaced.rename(path)
            raise
    shutil.rmtree(replaced, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two names atomically; returns False if the system or file system cannot."""
    if os.name != "posix":
        return False
    libc, names = ctypes.CDLL(None), (os.fsencode(one), os.fsencode(other))
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    if rename := getattr(libc, "renameat2", None):  # Linux
        return rename(here, names[0], here, names[1], exchange) == 0
    if rename := getattr(libc, "renamex_np", None):  # macOS, where it is RENAME_SWAP
        return rename(*names, exchange) == 0
    return False


def flush(*paths: Path) -> None:
    """Flush written files, and the names in folders, so that they survive a loss of power."""
    for path in paths:
        folder = path.is_dir()
        try:
            opened = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
            try:
                os.fsync(opened)
            finally:
                os.close(opened)
        except OSError as error:
            if not folder or error.errno not in _NO_FOLDERS:
                raise


# The variable with the folder of traced programs; without it, or if it is empty, none are kept.
PROGRAMS = "GRAPHER_JAX_PROGRAMS"


def cache_folder() -> Path:
    """The user's cache folder on this platform.

    Raises:
        MissingExtraError: if platformdirs, which finds it, is not installed.
    """
    return require("platformdirs").user_cache_path("grapher-jax", appauthor=False)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal.

    Raises:
        InputError: if it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error


def _beside(path: Path) -> Path:
    # Not tempfile: its files are readable only by the owner, while the umask says who else may read
    # the result; and reading the umask sets it, for every thread.
    return path.parent / f".{path.name}.{secrets.token_hex(_RANDOM_BYTES)}"


def _replaced(path: Path) -> Path:
    return path.parent / f".{path.name}.replaced"
