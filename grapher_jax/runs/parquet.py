"""Runs as Parquet: columns `query_id`, `object_id`, `rank` and `score`, one row per result."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from gzip import GzipFile
from pathlib import Path
from shutil import copyfileobj
from typing import Any
from urllib.parse import unquote

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.errors import GrapherError, InputError, require
from grapher_jax.graph import EMPTY
from grapher_jax.runs.base import RunHits, Segments, hits_of
from grapher_jax.runs.trec import LARGEST, Lines, parse_carefully, read_columns
from grapher_jax.runs.trec_run import chunks

PARQUET = ".parquet"
_COLUMNS = ("query_id", "object_id", "score")
# The number of rows of the query column that are scanned at once.
_ROWS = 1 << 18
# The number of decoded row groups in memory: queries in file order need one after the other.
_GROUPS_KEPT = 2


def converter(out: Path) -> Callable[[Path, Path], None] | None:
    """The function that converts a TREC run to `out`; None if `out` is a TREC run."""
    return {PARQUET: _write, ".gz": _compress}.get(out.suffix)


def _compress(run: Path, out: Path) -> None:
    # Without name and time, so that the same run has the same bytes.
    with run.open("rb") as plain, out.open("wb") as file, GzipFile("", "wb", 6, file, 0) as packed:
        copyfileobj(plain, packed)


def _write(run: Path, out: Path) -> None:
    arrow, parquet = require("pyarrow"), require("pyarrow.parquet")
    ids = arrow.dictionary(arrow.int32(), arrow.string())
    columns = {"query": ids, "object": ids, "rank": arrow.int32(), "score": arrow.float32()}
    names = ("query_id", "object_id", "rank", "score")
    types = (arrow.string(), arrow.string(), arrow.int32(), arrow.float32())
    schema = arrow.schema(list(zip(names, types, strict=True)))
    with run.open("rb") as file, parquet.ParquetWriter(out, schema) as writer:
        for _, data in chunks(run, file):
            table = read_columns(data, columns)
            decoded = [_decoded(table.column(name).chunk(0)) for name in ("query", "object")]
            values = [table.column(name) for name in ("rank", "score")]
            writer.write_table(arrow.table([*decoded, *values], schema=schema))


def _decoded(column: Any) -> Any:
    arrow = require("pyarrow")
    names = arrow.array([unquote(name) for name in column.dictionary.to_pylist()])
    return names.take(column.indices)


@dataclass(frozen=True)
class ParquetRun:
    """An open Parquet run.

    Attributes:
        path: the path, for messages.
        starts: the first row of each row group, then the total number of rows.
        group: reads a row group.
        segments: the positions of queries, in rows.
    """

    path: Path
    starts: Int[ndarray, " g_plus_1"]
    group: Callable[[int], Any]
    segments: Segments

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator["ParquetRun"]:
        """Scan the column of queries."""
        with ExitStack() as stack:
            with _reading(path):
                run = cls._open(path, stack)
            yield run

    @classmethod
    def _open(cls, path: Path, stack: ExitStack) -> "ParquetRun":
        file = require("pyarrow.parquet").ParquetFile(path, read_dictionary=_COLUMNS[:2])
        stack.enter_context(file)
        lacking = [name for name in _COLUMNS if name not in file.schema_arrow.names]
        if lacking:
            raise InputError(f"{path}: has no column {lacking[0]}; a run has {', '.join(_COLUMNS)}")
        sizes = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]

        def parts() -> Iterator[tuple[list[str], Int[ndarray, "s 3"]]]:
            start = 0
            for batch in file.iter_batches(_ROWS, columns=_COLUMNS[:1]):
                places, names = _ids(path, _COLUMNS[0], batch.column(0))
                first = np.flatnonzero(np.diff(places, prepend=EMPTY))
                numbers = np.stack([start + first, np.diff(first, append=len(places))], axis=1)
                yield [names[n] for n in places[first]], numbers[:, [0, 1, 0]]
                start += len(places)

        def group(number: int) -> Any:
            return file.read_row_group(number, columns=_COLUMNS)

        kept = lru_cache(maxsize=_GROUPS_KEPT)(group)
        return cls(
            path, np.cumsum([0, *sizes]), kept, stack.enter_context(Segments.stored(parts()))
        )

    def hits(self, queries: Sequence[str]) -> RunHits:
        """See `BaseRun`."""
        with _reading(self.path):
            return self._hits(queries)

    def _hits(self, queries: Sequence[str]) -> RunHits:
        arrow = require("pyarrow")
        starts, sizes, _ = self.segments.of_queries(queries).T
        rows = np.arange(sizes.sum()) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
        groups = np.searchsorted(self.starts, rows, side="right") - 1
        parts = [
            self.group(int(number)).take(rows[groups == number] - self.starts[number])
            for number in np.unique(groups)
        ]
        if not parts:
            return hits_of(queries, parse_carefully(self.path, []))
        table = arrow.concat_tables(parts).unify_dictionaries().combine_chunks()
        back = np.argsort(np.argsort(groups, kind="stable"))
        ids = [_ids(self.path, name, table.column(name).chunk(0)) for name in _COLUMNS[:2]]
        scores = table.column("score").to_numpy().astype(float)
        (asked, query_names), (found, names) = ids
        hits = hits_of(queries, Lines(asked[back], found[back], scores[back], query_names, names))
        self._check(queries, hits)
        return hits

    def _check(self, queries: Sequence[str], hits: RunHits) -> None:
        bad = np.flatnonzero(~(np.abs(hits.scores) <= LARGEST))
        if bad.size:
            query = queries[int(np.searchsorted(np.cumsum(hits.counts), bad[0], side="right"))]
            name, score = hits.names[hits.objects[bad[0]]], hits.scores[bad[0]]
            raise InputError(
                f"{self.path}: object {name!r} of query {query!r}: score must be a finite number, "
                f"not {score}"
            )
        if repeated := hits.repeated(queries):
            raise InputError(f"{self.path}: {repeated}")


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except GrapherError:
        raise
    except Exception as error:  # pyarrow raises many kinds for a damaged file
        known = isinstance(error, OSError) and error.errno
        reason = os.strerror(known) if known else error
        raise InputError(f"{path}: cannot be read as Parquet ({reason})") from error


def _ids(path: Path, name: str, column: Any) -> tuple[Int[ndarray, " L"], list[str]]:
    """A column of ids as indices into a list of names."""
    arrow = require("pyarrow")
    if column.null_count:
        raise InputError(f"{path}: column {name} has rows without an id; give each one")
    if not arrow.types.is_dictionary(column.type):
        column = column.cast(arrow.string()).dictionary_encode()
    return column.indices.to_numpy(), column.dictionary.cast(arrow.string()).to_pylist()
