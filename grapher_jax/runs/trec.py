"""The TREC run format: `query Q0 object rank score tag`, one line per result."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.checks import check_path
from grapher_jax.errors import InputError, require
from grapher_jax.files import Json, read_lines
from grapher_jax.graph import EMPTY

Run = Mapping[str, Sequence[tuple[str, float]]]

# All characters that readers split or decode on are encoded: white space, controls, %, non-ASCII.
_PLAIN = "!\"#$&'()*+,/:;<=>?@[\\]^`{|}~"
COLUMNS = ("query", "Q0", "object", "rank", "score", "tag")
LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Lines:
    """Some lines of a run, as columns.

    Attributes:
        queries: `[L]` indices into `query_names`.
        objects: `[L]` indices into `object_names`.
        scores: `[L]` float64.
        query_names: the decoded ids; an id may occur twice, if encoded in two ways.
        object_names: the decoded ids of objects, in the same form.
    """

    queries: Int[ndarray, " L"]
    objects: Int[ndarray, " L"]
    scores: Float[ndarray, " L"]
    query_names: Sequence[str]
    object_names: Sequence[str]


def read_run(path: str | Path) -> Run:
    """Read a whole TREC run: query id → (object id, score), best first; `open_run` streams.

    Raises:
        InputError: naming file and line, for a line without six fields, a repeated object of a
            query, or a score that is not finite in float32.
    """
    path = check_path("path", path)
    run: dict[str, dict[str, float]] = {}
    for query, identity, score, place in _parse(path, read_lines(path)):
        found = run.setdefault(query, {})
        if identity in found:
            raise _twice(place, identity, query)
        found[identity] = score
    # Python's sort keeps the order of ties.
    return {q: sorted(found.items(), key=lambda hit: -hit[1]) for q, found in run.items()}


def parse_lines(data: bytes) -> Lines | None:
    """Parse whole lines of a run; None if they need `parse_carefully`."""
    arrow, names = require("pyarrow"), ["query", "object"]
    types = {name: arrow.dictionary(arrow.int32(), arrow.string()) for name in names}
    table = read_columns(data, types | {"score": arrow.float64()})
    if table is None:
        return None
    query, found = (table.column(name).chunk(0) for name in names)
    scores = table.column("score").to_numpy()
    if not (np.abs(scores) <= LARGEST).all():
        return None
    return Lines(
        query.indices.to_numpy(),
        found.indices.to_numpy(),
        scores,
        [unquote(name) for name in query.dictionary.to_pylist()],
        [unquote(name) for name in found.dictionary.to_pylist()],
    )


def read_columns(data: bytes, types: Mapping[str, Json]) -> Any:
    """The columns of whole lines as a pyarrow table, one chunk each; None if not plain.

    Plain lines have six fields of printable ASCII with a space between, and valid numbers.
    """
    arrow, csv = require("pyarrow"), require("pyarrow.csv")
    # Of two gaps side by side, pyarrow would read an empty field.
    if data.startswith(b" ") or any(gap in data for gap in (b"  ", b"\n ", b" \n")):
        return None
    characters = np.frombuffer(data, np.uint8)
    if not len(data) or (((characters < 32) & (characters != 10)) | (characters > 126)).any():
        return None
    try:
        return csv.read_csv(
            arrow.py_buffer(data),
            read_options=csv.ReadOptions(column_names=COLUMNS, block_size=len(data) + 1),
            parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
            convert_options=csv.ConvertOptions(
                include_columns=list(types), column_types=types, null_values=[]
            ),
        )
    except arrow.ArrowInvalid:
        return None


def parse_carefully(path: Path, parts: Iterable[tuple[int, bytes]]) -> Lines:
    """Parse lines of a run in any valid form; raises as `read_run`.

    Args:
        path: the file, for messages.
        parts: parts of whole UTF-8 lines, each with the number of its first line.
    """
    lines = chain.from_iterable(_numbered(path, *part) for part in parts)
    queries: dict[str, int] = {}
    objects: dict[str, int] = {}
    found: dict[tuple[int, int], float] = {}
    for query, identity, score, place in _parse(path, lines):
        pair = (
            queries.setdefault(query, len(queries)),
            objects.setdefault(identity, len(objects)),
        )
        if pair in found:
            raise _twice(place, identity, query)
        found[pair] = score
    pairs = np.array([*found], np.int32).reshape(-1, 2)
    scores = np.array([*found.values()], float)
    return Lines(pairs[:, 0], pairs[:, 1], scores, [*queries], [*objects])


def encode(identity: str) -> str:
    """An id in the form of a run, percent-encoded."""
    return quote(identity, safe=_PLAIN)


def encoded(identities: Sequence[str]) -> Any:
    """Ids in the form of a run, in a pyarrow array."""
    arrow = require("pyarrow")
    return arrow.array([encode(name).encode() for name in identities], arrow.large_binary())


def ranking_lines(
    queries: Sequence[str],
    objects: Any,
    rows: Int[ndarray, "B k"],
    scores: Float[ndarray, "B k"],
    tag: str,
) -> bytes:
    """Formats the rankings of some queries as the lines of a run.

    Scores strictly decrease in float32, the precision of trec_eval, so that no reader re-orders
    ties: a score that is not lower than the previous one is lowered to the next float.

    Args:
        queries: the ids of the queries.
        objects: the result of `encoded` for the ids of all objects.
        rows: `[B, k]` objects, best first; -1, at the end, for none.
        scores: `[B, k]` their scores.
        tag: the tag of the run.
    """
    arrow, compute = require("pyarrow"), require("pyarrow.compute")
    binary = arrow.large_binary()

    def listed(values: Sequence[bytes]) -> Any:
        return arrow.array(values, binary)

    query, place = np.nonzero(rows != EMPTY)
    lowered = strictly_decreasing(scores)[query, place].tolist()
    # One formatter call for all numbers: one call per number takes longer than the ranking.
    numbers = ("%.9g\n" * len(lowered) % tuple(lowered)).encode().splitlines()
    lines = compute.binary_join_element_wise(
        listed([encode(name).encode() + b" Q0 " for name in queries]).take(arrow.array(query)),
        objects.take(arrow.array(rows[query, place])),
        listed([b" %d " % rank for rank in range(1, rows.shape[1] + 1)]).take(arrow.array(place)),
        listed(numbers),
        arrow.scalar(f" {encode(tag)}\n".encode(), binary),
        arrow.scalar(b"", binary),
    )
    # The buffer of a string array is the concatenation of its strings.
    _, ends, text = lines.buffers()
    return text[: int(np.frombuffer(ends, np.int64)[len(lines)])].to_pybytes()


def strictly_decreasing(scores: Float[ndarray, "B k"]) -> Float[ndarray, "B k"]:
    """The scores in float32; each that is not below the previous one is lowered just below it."""
    given = scores.astype(np.float32)
    # The bits of float32 numbers, as integers, have the order of the numbers (reversed for negative
    # ones).
    bits = given.view(np.int32).astype(np.int64)
    steps = np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)
    places = np.arange(scores.shape[1])
    most = np.float32(LARGEST).view(np.int32).astype(np.int64)
    lowest = -1 - most  # minus infinity, the lowest value
    room = np.minimum(steps + places, most)
    lowered = np.maximum(np.minimum.accumulate(room, axis=1) - places, lowest)
    found = np.where(lowered < 0, (-lowered) | -0x80000000, lowered).astype(np.int32)
    return np.where(lowered == steps, given, found.view(np.float32))


def _parse(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[str, str, float, str]]:
    """The query, object, score and place of every line that is not blank."""
    for number, line in lines:
        fields = line.split()
        if not fields:
            continue
        place = f"{path}:{number}"
        if len(fields) != len(COLUMNS):
            raise InputError(
                f"{place}: {len(fields)} fields; a run has six: query Q0 object rank score tag, "
                "with %20 for a space in an id"
            )
        query, _, identity, _, score, _ = fields
        try:
            value = float(score)
        except ValueError:
            value = np.nan
        if not abs(value) <= LARGEST:
            raise InputError(f"{place}: score must be a finite number, not {score!r}")
        yield unquote(query), unquote(identity), value, place


def _numbered(path: Path, first: int, data: bytes) -> Iterator[tuple[int, str]]:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        number = first + len((data[: error.start] + b".").splitlines()) - 1
        raise InputError(f"{path}:{number}: not UTF-8 text ({error.reason})") from error
    yield from enumerate(StringIO(text, newline=""), start=first)


def _twice(place: str, identity: str, query: str) -> InputError:
    return InputError(f"{place}: {identity!r} stands twice in the ranking of {query!r}")
