"""Runs made by several processes, on one or many hosts: one shard each, merged by the last.

The shards of `run.trec` are files in the folder `run.trec.shards`, each with a manifest once it is
complete. They are cut between blocks of queries, so that their concatenation has the same bytes as
the run of a single process.
"""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import jax

from grapher_jax.checks import check_count, check_path, check_text
from grapher_jax.corpus import read_queries
from grapher_jax.errors import InputError
from grapher_jax.files import BusyError, Json, atomic_file, parse_json, read_lines, sha256
from grapher_jax.rerank import Reranker
from grapher_jax.resume import complete, resumable
from grapher_jax.retrieve import CANDIDATES
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.runs.base import BaseRun
from grapher_jax.runs.parquet import converter
from grapher_jax.runs.stream import BLOCK, NO_QUERIES, check_target, rerank_run
from grapher_jax.runs.trec import Run
from grapher_jax.search import Index
from grapher_jax.systems import System

_MANIFEST = {"settings", "shard", "sha256", "queries"}
_WEEK = 7 * 24 * 3600


@dataclass(frozen=True)
class Shard:
    """One of several parts of the queries, as equal in size as whole blocks allow.

    Attributes:
        number: from 1.
        count: the number of shards.

    Raises:
        InputError: for invalid numbers.
    """

    number: int
    count: int

    def __post_init__(self) -> None:
        check_count("shard: number", self.number)
        if self.number > check_count("shard: count", self.count):
            raise InputError(
                f"shard: {self}; give one from 1/{self.count} to {self.count}/{self.count}"
            )

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Parses a text such as `2/8`.

        Raises:
            InputError: for anything else.
        """
        number, _, count = check_text("shard", text).partition("/")
        if not (number.isdecimal() and count.isdecimal() and int(count)):
            raise InputError(f"shard: {text!r}; give its number and of how many, such as 2/8")
        return cls(int(number), int(count))

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def part(self, queries: int) -> tuple[int, int]:
        """The first of its queries, and the end (exclusive)."""
        blocks = -(-queries // BLOCK)
        first, end = (n * blocks // self.count * BLOCK for n in (self.number - 1, self.number))
        return min(first, queries), min(end, queries)


def join_cluster() -> Shard:
    """Joins a JAX cluster with `jax.distributed`, and returns the shard of this process.

    If JAX does not recognise the cluster, the environment must have JAX_COORDINATOR_ADDRESS,
    JAX_NUM_PROCESSES and JAX_PROCESS_ID. Call it before any array is created.

    Raises:
        InputError: if there is no cluster, or its processes cannot connect.
    """
    try:
        count, number = (
            int(os.environ[name]) if name in os.environ else None
            for name in ("JAX_NUM_PROCESSES", "JAX_PROCESS_ID")
        )
        # Finished processes wait for the others.
        jax.distributed.initialize(
            num_processes=count, process_id=number, shutdown_timeout_seconds=_WEEK
        )
    except (ValueError, RuntimeError) as error:
        raise InputError(
            f"distributed: {error} Set JAX_COORDINATOR_ADDRESS, JAX_NUM_PROCESSES and "
            "JAX_PROCESS_ID, or give --shard I/N"
        ) from error
    return Shard(jax.process_index() + 1, jax.process_count())


def count_queries(path: str | Path) -> int:
    """The number of queries in a file; raises as `read_lines`."""
    path = check_path("path", path)
    return sum(1 for _, line in read_lines(path) if not line.isspace())


def rerank_shard(
    index: Index,
    queries: str | Path,
    out: str | Path,
    ranker: Reranker | System,
    shard: Shard,
    *,
    settings: Mapping[str, Json],
    k: int = CANDIDATES,
    base_run: Run | BaseRun | None = None,
    devices: Sequence[jax.Device] | None = None,
    progress: Progress = no_progress,
) -> int | None:
    """Rerank one shard of the queries, and merge all shards if it is the last to finish.

    An interrupted shard is resumed; a complete one is not made again.

    Args:
        index: see `rerank_run`.
        queries: all queries.
        out: the whole run, on a file system that all processes share; or copy the folders
            `<out>.shards` of all hosts together, and call any shard again.
        ranker: see `rerank_run`.
        shard: the shard to make.
        settings: everything that decides the result, see `rerank_settings`; only shards with the
            same settings are merged.
        k: see `rerank_run`.
        base_run: see `rerank_run`.
        devices: see `rerank_run`.
        progress: called with the number of newly finished queries.

    Returns:
        The number of queries of the run, or None if other shards are not complete yet.

    Raises:
        InputError: for a damaged shard or one made with other settings, or as `rerank_run`.
    """
    queries = check_path("queries", queries)
    out = check_path("out", out)
    folder = Path(f"{out}.shards")
    check_target(out, queries)
    total = count_queries(queries)
    if not total:
        raise InputError(NO_QUERIES)
    folder.mkdir(exist_ok=True)
    settings = json.loads(json.dumps(settings))
    _check_others(folder, settings, shard.count)
    part, manifest = _files(folder, shard)
    first, end = shard.part(total)
    if manifest.exists():
        progress(end - first)
    else:
        if end > first:
            rerank_run(
                index,
                islice(read_queries(queries), first, end),
                part,
                ranker,
                k=k,
                base_run=base_run,
                settings={**settings, "shard": str(shard)},
                devices=devices,
                progress=progress,
            )
        else:
            part.touch()
        made = {"shard": str(shard), "queries": end - first, "sha256": sha256(part)}
        with atomic_file(manifest) as temporary:
            temporary.write_text(json.dumps(made | {"settings": settings}), encoding="utf-8")
    return merge(out, shard.count, settings)


def merge(out: Path, count: int, settings: Mapping[str, Json]) -> int | None:
    """Merge complete shards, and remove their folder.

    Returns:
        The number of queries of the run; None if a shard is not complete, or another process
        merges.

    Raises:
        InputError: for a damaged shard or one made with other settings.
    """
    folder = Path(f"{out}.shards")
    shards = [_files(folder, Shard(n, count)) for n in range(1, count + 1)]

    def ready() -> bool:
        return all(manifest.exists() for _, manifest in shards)

    if not ready():
        return None
    _check_others(folder, settings, count)
    merging = {**settings, "shards": count}
    with suppress(BusyError), resumable(out, merging) as partial:
        if ready():  # otherwise another process has merged them meanwhile
            manifests = [_read_manifest(manifest) for _, manifest in shards]
            for number, (part, _) in islice(enumerate(shards), partial.done, None):
                if not part.is_file() or sha256(part) != manifests[number]["sha256"]:
                    raise InputError(
                        f"{part}: is not what its manifest says; remove both, and make it again"
                    )
                with part.open("rb") as file:
                    shutil.copyfileobj(file, partial.files[0].buffer)
                partial.record(number + 1)
            complete(partial, out, converter(out))
            shutil.rmtree(folder, ignore_errors=True)
            return sum(manifest["queries"] for manifest in manifests)
    return None


def _files(folder: Path, shard: Shard) -> tuple[Path, Path]:
    """The paths of a shard and its manifest."""
    stem = f"{shard.number:05d}-of-{shard.count:05d}"
    return folder / f"{stem}.trec", folder / f"{stem}.json"


def _read_manifest(path: Path) -> Mapping[str, Json]:
    try:
        made = parse_json(path.read_text(encoding="utf-8"))
    except ValueError:
        made = None
    if not isinstance(made, dict) or not made.keys() >= _MANIFEST:
        raise InputError(f"{path}: damaged; remove it and its shard, which are then made again")
    return made


def _check_others(folder: Path, settings: Mapping[str, Json], count: int) -> None:
    # Unfinished shards have no manifest, only the state from which they resume.
    for path in sorted(folder.glob("*-of-?????.json")):
        try:
            made = _read_manifest(path)
        except FileNotFoundError:  # merged meanwhile
            continue
        if made["settings"] != settings or Shard.parse(made["shard"]).count != count:
            raise InputError(
                f"{path}: was made with other settings; remove {folder}, or give another --out"
            )
