"""Runs: rankings of many queries, streamed, resumable, and split over devices and hosts."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grapher_jax.checks import check_path
from grapher_jax.runs.base import BaseRun
from grapher_jax.runs.parquet import PARQUET, ParquetRun
from grapher_jax.runs.shards import Shard, count_queries, join_cluster, rerank_shard
from grapher_jax.runs.stream import check_target, rerank_run, rerank_settings
from grapher_jax.runs.trec import Run, read_run
from grapher_jax.runs.trec_run import open_trec

__all__ = [
    "BaseRun",
    "Run",
    "Shard",
    "check_target",
    "count_queries",
    "join_cluster",
    "open_run",
    "read_run",
    "rerank_run",
    "rerank_settings",
    "rerank_shard",
]


@contextmanager
def open_run(path: str | Path) -> Iterator[BaseRun]:
    """Open a run for reading blocks of queries, in any order.

    It is scanned once, and the positions of queries are stored in a temporary file. For a Parquet
    file, two decoded row groups are kept in memory; a `.gz` file is unpacked into a temporary file.

    Args:
        path: a TREC run, plain or gzip by its name; or `*.parquet` with the columns `query_id`,
            `object_id` and `score`, fastest in the order of the queries.

    Raises:
        InputError: if it cannot be read.
    """
    path = check_path("path", path)
    with ParquetRun.open(path) if path.suffix == PARQUET else open_trec(path) as run:
        yield run
