"""A TREC run of another retriever, with random access by query."""

import gzip
import shutil
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import IO
from urllib.parse import unquote

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.errors import InputError, require, warn
from grapher_jax.graph import EMPTY
from grapher_jax.runs.base import RunHits, Segments, hits_of
from grapher_jax.runs.trec import COLUMNS, parse_carefully, parse_lines, read_columns

# The number of bytes read at once while a run is scanned.
_CHUNK = 1 << 24
# A lock, because a file has one read position, and Windows cannot read at others.
_AT_A_PLACE = Lock()
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# About so many bytes tell whether a file is a run.
_FIRST = 1 << 16
# From so many steps to the next rank it is told that scores rise.
_TELLING = 3


@contextmanager
def open_trec(path: Path) -> Iterator["TrecRun"]:
    """See `open_run`."""
    with ExitStack() as stack:
        try:
            file: IO[bytes] = stack.enter_context(path.open("rb"))
            if path.suffix == ".gz":
                packed = stack.enter_context(gzip.open(file))
                file = stack.enter_context(TemporaryFile())
                shutil.copyfileobj(packed, file)
                file.flush()
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"{path}: cannot be read ({reason})") from error
        _check_format(path, file)
        segments = Segments.stored(_look_through(path, file))
        yield TrecRun(path, file, stack.enter_context(segments))


@dataclass(frozen=True)
class TrecRun:
    """An open TREC run.

    Attributes:
        path: the path, for messages.
        file: the file, open for reading.
        segments: the positions of queries, in bytes.
    """

    path: Path
    file: IO[bytes]
    segments: Segments

    def hits(self, queries: Sequence[str]) -> RunHits:
        """See `BaseRun`."""
        chosen = self.segments.of_queries(queries)
        parts = [*self._read(chosen)]
        lines = parse_lines(b"".join(data for _, data in parts))
        hits = hits_of(queries, lines) if lines else None
        if hits is None or hits.repeated(queries):
            hits = hits_of(queries, parse_carefully(self.path, parts))
        return hits

    def _read(self, chosen: Int[ndarray, "s 3"]) -> Iterator[tuple[int, bytes]]:
        """Reads these segments, adjacent ones together, each with its first line's number."""
        starts, sizes, lines = chosen.T
        ends = starts + sizes
        first = np.flatnonzero(np.concatenate([[True], starts[1:] != ends[:-1]]))
        for begin, end in zip(first, [*first[1:], len(chosen)], strict=True) if len(chosen) else ():
            size, start = int(ends[end - 1] - starts[begin]), int(starts[begin])
            data = _read(self.path, self.file, size, start)
            # The last line of a file may have no line break.
            yield int(lines[begin]), data + b"\n" * (data[-1:] != b"\n")


def _check_format(path: Path, file: IO[bytes]) -> None:
    """Raise InputError, as `read_run`, if none of the first lines can be one of a run.

    Warns if the scores of the first lines rise with the ranks.

    Bad lines of queries that nobody asks for are left out; of another format, all would be.
    """
    first = file.readlines(_FIRST)
    file.seek(0)
    rows = [fields for line in first if len(fields := line.split()) == len(COLUMNS)]
    if not rows:
        parse_carefully(path, [(1, b"".join(first))])
    if _rise(rows):
        warn(
            f"{path}: the scores rise with the rank, as distances do, but the highest is read as "
            "the best; write similarities, such as 1 - distance"
        )


def _rise(rows: Sequence[Sequence[bytes]]) -> bool:
    """Whether, from each line to the next rank of its query, the score is higher or the same."""
    try:
        steps = [
            float(after[4]) - float(before[4])
            for before, after in pairwise(rows)
            if before[0] == after[0] and int(before[3]) < int(after[3])
        ]
    except ValueError:
        return False  # what is no number is told when it is read
    return sum(step > 0 for step in steps) >= _TELLING and min(steps) >= 0


def _look_through(path: Path, file: IO[bytes]) -> Iterator[tuple[list[str], Int[ndarray, "s 3"]]]:
    line = 1
    for start, data in chunks(path, file):
        names, begins, numbers, total = _fast_segments(data) or _careful_segments(data)
        sizes = np.diff(begins, append=len(data))
        yield names, np.stack([start + begins, sizes, line + numbers], axis=1)
        line += total


def chunks(path: Path, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """A file in pieces of whole lines, each with the position of its first byte."""
    start = len(_BYTE_ORDER_MARK) * (_read(path, file, 3, 0) == _BYTE_ORDER_MARK)
    size = _CHUNK
    while data := _read(path, file, size, start):
        if len(data) == size:
            data = data[: data.rfind(b"\n") + 1]
        if data:
            yield start, data
            start += len(data)
        else:  # one line fills the whole piece
            size *= 2


# The query, first byte and first line of each segment, and the total number of lines.
_Found = tuple[list[str], Int[ndarray, " s"], Int[ndarray, " s"], int]


def _fast_segments(data: bytes) -> _Found | None:
    arrow = require("pyarrow")
    table = read_columns(data, {"query": arrow.dictionary(arrow.int32(), arrow.string())})
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1
    if table is None or len(table) != len(ends):
        return None
    query = table.column("query").chunk(0)
    places, names = query.indices.to_numpy(), query.dictionary.to_pylist()
    first = np.flatnonzero(np.diff(places, prepend=EMPTY))
    begins = np.concatenate([[0], ends[:-1]])[first]
    return [unquote(names[place]) for place in places[first]], begins, first, len(ends)


def _careful_segments(data: bytes) -> _Found:
    names: list[str] = []
    found: list[tuple[int, int]] = []
    begin = 0
    lines = data.splitlines(keepends=True)
    for number, line in enumerate(lines):
        # Invalid UTF-8 is reported when its query is requested.
        query = line.decode(errors="replace").split(maxsplit=1)[:1]
        if query and names[-1:] != [unquote(query[0])]:
            names.append(unquote(query[0]))
            found.append((begin, number))
        begin += len(line)
    return names, *np.array(found, np.int64).reshape(-1, 2).T, len(lines)


def _read(path: Path, file: IO[bytes], size: int, start: int) -> bytes:
    try:
        with _AT_A_PLACE:
            file.seek(start)
            return file.read(size)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
