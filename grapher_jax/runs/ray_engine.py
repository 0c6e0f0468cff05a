"""Runs blocks of work with Ray Data, on the cluster that Ray finds."""

import logging
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Generic, TypeVar

import jax
import numpy as np

from grapher_jax.corpus import read_queries
from grapher_jax.errors import GrapherError, InputError, require
from grapher_jax.files import Json
from grapher_jax.rankers.running import check_k
from grapher_jax.resume import complete, resumable
from grapher_jax.retrieve import CANDIDATES
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.runs import open_run
from grapher_jax.runs.parquet import converter
from grapher_jax.runs.shards import count_queries
from grapher_jax.runs.stream import BLOCK, NO_QUERIES, BlockRanker, blocks, check_target
from grapher_jax.search import Index
from grapher_jax.systems import System

# The number of Ray tasks: enough for a cluster, but few enough to plan at once.
_TASKS = 1024
T = TypeVar("T")


def map_blocks(make: Callable[[], Callable[[T], bytes]], items: Sequence[T]) -> Iterator[bytes]:
    """The results of the work for every item, in order.

    Args:
        make: creates the work function, once in every Ray process; it must be picklable.
        items: numbers, or lists of strings, which the work function gets as arrays.

    Raises:
        MissingExtraError: if Ray is not installed.
        GrapherError: an error that the work raised.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray, data = require("ray"), require("ray.data")
    if not items:
        return
    started = not ray.is_initialized()
    if started:
        options = {"log_to_driver": False, "logging_level": "ERROR"}
        with warnings.catch_warnings():
            # Ray's forked processes replace themselves by its own programs at once.
            warnings.filterwarnings("ignore", "os.fork", RuntimeWarning)
            if "RAY_ADDRESS" in os.environ:
                ray.init(**options)
            else:
                # On a single processor, a worker would leave nothing for Ray itself.
                processors = max(2, os.cpu_count() or 2)
                ray.init("local", num_cpus=processors, include_dashboard=False, **options)
        logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        context = data.DataContext.get_current()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False
        resources = ray.cluster_resources()
        gpus = int(resources.get("GPU", 0))
        # One processor is left for Ray itself.
        workers = gpus or max(1, int(resources["CPU"]) - 1)
        rows = [{"item": item} for item in items]
        mapped = data.from_items(rows, override_num_blocks=min(len(rows), _TASKS)).map_batches(
            _Mapped,
            fn_constructor_args=(make,),
            batch_size=1,
            compute=data.ActorPoolStrategy(size=min(workers, len(rows))),
            num_gpus=1 if gpus else None,
        )
        for row in mapped.iter_rows():
            if row["failed"]:
                raise (InputError if row["failed"] == "input" else GrapherError)(
                    row["result"].decode()
                )
            yield row["result"]
    finally:
        if started:
            ray.shutdown()


class _Mapped(Generic[T]):
    """The work function, created on first use; its errors are returned like results."""

    def __init__(self, make: Callable[[], Callable[[T], bytes]]) -> None:
        self.make = make

    def __call__(self, batch: Mapping[str, Json]) -> dict[str, Json]:
        try:
            result, failed = self.work(batch["item"][0]), ""
        except GrapherError as error:
            result = str(error).encode()
            failed = "input" if isinstance(error, InputError) else "other"
        return {"result": np.array([result], object), "failed": np.array([failed])}

    @cached_property
    def work(self) -> Callable[[T], bytes]:
        return self.make()


def rerank_with_ray(
    index: Path,
    queries: Path,
    out: Path,
    system: System,
    *,
    settings: Mapping[str, Json],
    k: int = CANDIDATES,
    base_run: Path | None = None,
    progress: Progress = no_progress,
) -> int:
    """`rerank_run` in Ray processes, block by block, with the same bytes as result.

    Args:
        index: the folder; like the other files, at the same path on every host.
        queries: a file of questions.
        out: see `rerank_run`.
        system: see `rerank_run`.
        settings: see `rerank_run`.
        k: see `rerank_run`.
        base_run: see `open_run`.
        progress: see `rerank_run`.

    Returns:
        The number of queries.

    Raises:
        MissingExtraError: if Ray is not installed.
        InputError: as `rerank_run`, or if Ray uses another kind of device than the settings name.
    """
    check_k(k)
    check_target(out, queries, base_run)
    # Without the reranker's loaded models, which each process loads itself.
    sent = replace(system, reranker=replace(system.reranker))
    # A process may have another working folder.
    base = base_run.resolve() if base_run else None
    device = settings.get("device")
    make = partial(_Rerank, index.resolve(), queries.resolve(), base, sent, k, device)
    total = count_queries(queries)
    with resumable(out, settings) as partial_run:
        done = partial_run.done
        progress(done)
        # The last block may be incomplete.
        for lines in map_blocks(make, range(-(-done // BLOCK), -(-total // BLOCK))):
            partial_run.files[0].buffer.write(lines)
            size = min(BLOCK, total - done)
            done += size
            partial_run.record(done)
            progress(size)
        if not done:
            raise InputError(NO_QUERIES)
        complete(partial_run, out, converter(out))
    return done


class _Rerank:
    """Ranks a block of queries by its number; returns the lines of a run."""

    def __init__(
        self,
        index: Path,
        queries: Path,
        base_run: Path | None,
        system: System,
        k: int,
        device: str | None,
    ) -> None:
        kind = jax.local_devices()[0].device_kind
        if device not in (None, kind):
            raise InputError(
                f"engine: ray computes on {kind!r}, and the settings name {device!r}; start it "
                "where the device is of the same kind"
            )
        self._open = ExitStack()
        base = self._open.enter_context(open_run(base_run)) if base_run else None
        opened = Index.load(index, verify=False)
        self._rank = BlockRanker(index=opened, system=system.over(opened), k=k, base_run=base)
        self._blocks = Forward(lambda: blocks(read_queries(queries), BLOCK))

    def __call__(self, number: int) -> bytes:
        return self._rank(self._blocks[number])


class Forward(Generic[T]):
    """Items by number from a forward-only source; fast for ascending numbers."""

    def __init__(self, read: Callable[[], Iterator[T]]) -> None:
        self._read = read
        self._items, self._next = read(), 0

    def __getitem__(self, number: int) -> T:
        if number < self._next:
            self._items, self._next = self._read(), 0
        item = next(islice(self._items, number - self._next, None))
        self._next = number + 1
        return item
