"""Resumable work: results are appended to files, and continued after an interruption."""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from grapher_jax.errors import warn
from grapher_jax.files import Json, alone, parse_json, replace_folder, write_errors, written_place

_CURE = "what is done is kept: make room and start again, or give another place"


@dataclass(frozen=True)
class Partial:
    """Incomplete results.

    Attributes:
        done: the number of items with results in the files when the work started or resumed.
        files: the files to append to.
    """

    done: int
    files: Sequence[TextIOWrapper]
    _state: Path
    _settings: Any

    def close(self) -> None:
        """Close the files: Windows can neither move nor remove an open file."""
        for file in self.files:
            file.close()

    def record(self, done: int) -> None:
        """Record the appended results durably: from now on, the work resumes after `done` items."""
        for file in self.files:
            file.flush()
            os.fsync(file.fileno())
        sizes = [file.tell() for file in self.files]
        state = {
            "settings": self._settings,
            "done": done,
            "bytes": sizes,
            "inode": os.fstat(self.files[0].fileno()).st_ino,
        }
        new = _new(self._state)
        with new.open("w", encoding="utf-8") as written:
            json.dump(state, written)
            written.flush()
            os.fsync(written.fileno())
        new.replace(self._state)


def partial_path(out: Path) -> Path:
    """The path of the results until `out` is complete; raises as `written_place`."""
    return Path(f"{written_place(out)}.partial")


@contextmanager
def resumable(
    out: Path, settings: Mapping[str, Json] | None, *, names: Sequence[str] = ()
) -> Iterator[Partial]:
    """Append to `<out>.partial`, and resume an earlier call with the same settings.

    Results after the last `record` are cut off. If nothing was recorded, nothing is left. At the
    end, inside this context, `complete` moves the results to their place. Results recorded with
    other settings are dropped, with a GrapherWarning.

    Args:
        out: a file; with `names`, a folder.
        settings: everything that decides the result, as JSON-ready values; without settings,
            nothing is resumed.
        names: the names of the files in the folder.

    Raises:
        InputError: if nothing can be written, or `out` is a device or a pipe; recorded results
            stay.
        BusyError: if another process writes the same.
    """
    partial, state = partial_path(out), _state(out)
    files = [partial / name for name in names] or [partial]
    settings = json.loads(json.dumps(settings))  # in the form in which they will be read back
    lock = alone(written_place(out), wait=False)
    with write_errors(out, partial, _CURE), lock, ExitStack() as stack:
        try:
            done, sizes = _recorded(partial, state, files, settings)
            if not done and state.exists():
                if names:  # the whole folder, because it may be one that `complete` has replaced
                    shutil.rmtree(partial, ignore_errors=True)
                # Otherwise its old sizes would match the files again once they have grown.
                state.unlink()
            files[0].parent.mkdir(exist_ok=True)
            opened = [stack.enter_context(_open(*file)) for file in zip(files, sizes, strict=True)]
            yield Partial(done, opened, state, settings)
        finally:
            stack.close()
            if not state.exists():
                _remove(partial, files)


def complete(
    results: Partial, out: Path, convert: Callable[[Path, Path], None] | None = None
) -> None:
    """Move the results to `out`.

    Args:
        results: the results, which are closed.
        out: the path given to `resumable`.
        convert: converts the results to another file, which is moved to `out` instead.

    Raises:
        InputError: if that fails; the results stay in `<out>.partial`.
    """
    partial, state, out = partial_path(out), _state(out), written_place(out)
    results.close()
    with write_errors(out, partial, _CURE):
        if convert:
            converted = _new(partial)
            convert(partial, converted)
            with converted.open("rb+") as file:  # because Windows cannot flush a read-only file
                os.fsync(file.fileno())
            converted.replace(out)
            partial.unlink()
        elif partial.is_dir():
            replace_folder(partial, out)
        else:
            partial.replace(out)
        state.unlink(missing_ok=True)
        _new(state).unlink(missing_ok=True)


def _state(out: Path) -> Path:
    return Path(f"{partial_path(out)}.json")


def _new(path: Path) -> Path:
    # Not `atomic_file`: its temporary names are unique per call, and would remain after a kill.
    return Path(f"{path}.new")


def _recorded(
    partial: Path, state: Path, files: Sequence[Path], settings: Any
) -> tuple[int, list[int]]:
    """The items done, and the bytes to keep of each file; 0 if no recorded work matches."""
    try:
        recorded = parse_json(state.read_text(encoding="utf-8"))
        done, sizes = recorded["done"], recorded["bytes"]
        if recorded["settings"] != settings:
            if done > 0:
                warn(
                    f"{partial}: {done} were done with other settings; the work starts afresh, "
                    "without them",
                )
        elif settings is not None:
            pairs = zip(files, sizes, strict=True)
            # After a kill during completion, it may be the folder that was replaced.
            same = files[0].stat().st_ino == recorded["inode"]
            if same and all(not size or file.stat().st_size >= size for file, size in pairs):
                return done, sizes
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return 0, [0] * len(files)


def _open(path: Path, size: int) -> TextIOWrapper:
    file = path.open("r+" if size else "w", encoding="utf-8", newline="")
    file.truncate(size)
    file.seek(size)
    return file


def _remove(partial: Path, files: Sequence[Path]) -> None:
    with suppress(OSError):
        for file in files:
            file.unlink(missing_ok=True)
        if partial.is_dir():
            partial.rmdir()
