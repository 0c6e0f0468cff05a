"""Writes that either happen whole or leave what was there."""

import gzip
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Literal, cast

from grapher_jax.errors import InputError


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; on success it takes the place of `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder beside `path`; on success it takes the place of `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        yield temporary
        temporary.chmod(0o777 & ~_umask())
        if path.exists():
            # Two renames, so that an interruption leaves the old folder or the new one, whole.
            replaced = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
            path.rename(replaced / path.name)
            temporary.rename(path)
            shutil.rmtree(replaced)
        else:
            temporary.rename(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def open_text(path: Path, mode: Literal["r", "w"]) -> TextIOWrapper:
    """Open a UTF-8 text file, plain or gzip by its name."""
    opener = gzip.open if path.suffix == ".gz" else open
    return cast(TextIOWrapper, opener(path, f"{mode}t", encoding="utf-8"))


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Stream the numbered lines of a UTF-8 text file, plain or gzip by its name.

    Raises:
        InputError: where the file cannot be read or is not UTF-8.
    """
    number = 0
    try:
        with open_text(path, "r") as file:
            for number, line in enumerate(file, start=1):
                yield number, line
    except UnicodeDecodeError as error:
        raise InputError(f"{path}:{number + 1}: not UTF-8 text ({error.reason})") from error
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({reason})") from error


def read_json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Stream the objects of a JSON Lines file, each with its place `file:line`.

    Raises:
        InputError: for a line that is no JSON object; blank lines are passed over.
    """
    for number, line in read_lines(path):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{place}: malformed JSON ({error.msg})") from error
        if not isinstance(record, dict):
            raise InputError(f"{place}: a JSON object is needed, not {type(record).__name__}")
        yield place, record


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
