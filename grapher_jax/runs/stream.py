"""Reranks millions of queries in blocks: read ahead, ranked, and written in order."""

import gzip
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import count, islice
from pathlib import Path
from typing import Any, TypeVar

import jax

from grapher_jax import __version__
from grapher_jax.checks import check_path, check_text
from grapher_jax.corpus import Query
from grapher_jax.errors import InputError
from grapher_jax.files import Json, first_times, sha256, written_place
from grapher_jax.rankers.auto import AUTO, networks_missing
from grapher_jax.rankers.options import RankingOptions
from grapher_jax.rankers.running import Order, at_places, check_k
from grapher_jax.rerank import Reranker
from grapher_jax.resume import complete, resumable
from grapher_jax.retrieve import CANDIDATES, Candidates
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.runs.base import BaseRun, Lacks, MappedRun, candidates
from grapher_jax.runs.parquet import converter
from grapher_jax.runs.trec import COLUMNS, Run, encoded, ranking_lines
from grapher_jax.search import Index
from grapher_jax.systems import Retrieval, System
from grapher_jax.systems.networks import open_network

T = TypeVar("T")

# The block size for every way of splitting the work, so that every block uses the same program and
# gives the same bits.
BLOCK = 1024
# The number of blocks read ahead, while one per device is ranked and one is written.
_AHEAD = 2
NO_QUERIES = "queries: there are none; give at least one"


@dataclass(frozen=True, kw_only=True)
class BlockRanker:
    """Processes a block of queries in steps; several blocks may be in different steps at a time.

    Attributes:
        index: the objects.
        system: the system that finds and ranks candidates.
        k: how many results per query.
        base_run: the source of the candidates, instead of retrieval.
        lacks: what it and the index lack.
    """

    index: Index
    system: System
    k: int
    base_run: BaseRun | None = None
    lacks: Lacks = field(default_factory=Lacks)

    def find(self, block: Sequence[Query]) -> Candidates:
        """The candidates of every query; raises InputError for an id that no run can hold."""
        seen: set[str] = set()
        for query in block:
            if not check_text("query: id", query.id):
                raise InputError("query: its id is empty, and a run names each; give it one")
            if query.id in seen:
                raise InputError(f"queries: {query.id!r} is the id of several; give each its own")
            seen.add(query.id)
        if self.base_run is None:
            filters = [query.metadata.get("filter") for query in block]
            return self.system.retrieve(self.index, block, filters=filters)
        found = candidates(self.index, block, self.base_run, self.lacks)
        if scorer := self.system.reranker.scorer:
            found = scorer.rescored(found, self.index.objects)
        needs = self.system.reranker.reads
        if needs.embeddings or needs.other_objects:
            found.questions.embeddings  # noqa: B018  beside the ranking of another block
        return found

    def rank(self, found: Candidates) -> Order:
        """The best k of them."""
        return self.system.rank(self.index, found, k=self.k)

    def lines(self, found: Candidates, order: Order) -> bytes:
        """The rankings as lines of a run."""
        rows = at_places(found.rows, order.positions)
        tag = f"grapher-jax-{self.system.name}"
        names = [question.id for question in found.questions]
        return ranking_lines(names, self._object_ids, rows, order.scores, tag)

    @cached_property
    def _object_ids(self) -> Any:
        return encoded(self.index.ids)

    def __call__(self, block: Sequence[Query]) -> bytes:
        """All steps, one after the other."""
        alone = replace(self, lacks=Lacks())
        found = alone.find(block)
        alone.lacks.warn()
        return self.lines(found, self.rank(found))


def rerank_run(
    index: Index,
    queries: Iterable[Query],
    out: str | Path,
    ranker: Reranker | System,
    *,
    k: int = CANDIDATES,
    base_run: Run | BaseRun | None = None,
    settings: Mapping[str, Json] | None = None,
    devices: Sequence[jax.Device] | None = None,
    progress: Progress = no_progress,
) -> int:
    """Rerank every query and write the run.

    Finished work is kept in `<out>.partial`; after an interruption, a call with the same settings
    resumes it, and gives the same bytes. While a block of queries is ranked, others are read and
    written, so memory does not grow with the number of queries.

    Args:
        index: the objects.
        queries: streamed, each with an id of its own.
        out: the run file, written completely or not at all: TREC text, `*.gz` or `*.parquet`.
        ranker: the ranker for the base retriever's candidates, or a complete system.
        k: how many results per query, at least 1; for a system, at most its candidates.
        base_run: another retriever's candidates and scores, without filters and expansion; in
            memory, or from `open_run`. Queries that it lacks get no results, and objects that
            the index lacks are left out, with a warning.
        settings: everything that decides the result, such as `rerank_settings`; a partial run is
            resumed only with the same settings, and never without settings.
        devices: each ranks one block at a time; by default all of this process. They do not change
            the result.
        progress: called with the number of newly finished queries.

    Returns:
        The number of queries.

    Raises:
        InputError: for a k below 1, no queries, an `out` that cannot be a file, or a malformed base
            run. Finished work is kept, if there is any.
    """
    out = check_path("out", out)
    check_k(k)
    if isinstance(base_run, Mapping):
        base_run = MappedRun(base_run)
    system = as_system(ranker, k).over(index)
    work = BlockRanker(index=index, system=system, k=k, base_run=base_run)
    check_target(out)
    remaining = _each_once(queries)
    with resumable(out, settings) as partial_run:
        total = sum(1 for _ in islice(remaining, partial_run.done))
        progress(total)
        for found, order in _ranked(work, blocks(remaining, BLOCK), devices or jax.local_devices()):
            partial_run.files[0].buffer.write(work.lines(found, order))
            total += len(found)
            partial_run.record(total)
            progress(len(found))
        if not total:
            raise InputError(NO_QUERIES)
        work.lacks.warn()
        complete(partial_run, out, converter(out))
    return total


def _each_once(queries: Iterable[Query]) -> Iterator[Query]:
    """The queries; raises InputError for an id that an earlier one has, in any block."""
    with first_times() as is_new:
        for query in queries:
            if not is_new(check_text("query: id", query.id)):
                raise InputError(f"queries: {query.id!r} is the id of several; give each its own")
            yield query


def rerank_settings(
    index_folder: str | Path,
    queries: str | Path,
    ranker: Reranker | System,
    *,
    k: int,
    base_run: str | Path | None = None,
) -> dict[str, Json]:
    """Everything that decides the bytes of a run, for `rerank_run`."""
    index_folder = check_path("index_folder", index_folder)
    queries = check_path("queries", queries)
    base_run = None if base_run is None else check_path("base_run", base_run)
    system = as_system(ranker, k)
    given = {field.name: getattr(system.reranker, field.name) for field in fields(RankingOptions)}
    if given["temperature"] is None:
        del given["temperature"]  # as in earlier versions, so that their runs can resume
    del given["edges"]  # an index has its own edges
    del given["base"]
    if base_run is None and system.reranker.base is None:
        del given["scores"]  # an index has its own scores
    return {
        "index": sha256(index_folder / "manifest.json"),
        "queries": sha256(queries),
        "base_run": sha256(base_run) if base_run else None,
        "system": system.name,
        "retrieval": system.retrieval.parameters,
        "reranker": given | {"ranker": system.reranker.name},
        **({"base": scorer.name} if (scorer := system.reranker.scorer) else {}),
        "parameters": system.reranker.opened.parameters | _of_auto(system),
        "k": k,
        "block": BLOCK,
        "version": __version__,
        "jax": jax.__version__,
        "device": jax.local_devices()[0].device_kind,
    }


def _of_auto(system: System) -> dict[str, Json]:
    """What decides the choice of `auto`, besides the index, if it is not yet made."""
    if system.reranker.ranker != AUTO:
        return {}
    missing = networks_missing()
    networks: Json = missing or open_network("gat").parameters
    told = system.retrieval.expand if isinstance(system.retrieval, Retrieval) else None
    return {"networks": networks, "expand": told}


def as_system(ranker: Reranker | System, k: int) -> System:
    """A ranker combined with the base retriever; a system is returned unchanged."""
    if isinstance(ranker, System):
        return ranker
    return System.from_reranker(ranker, k=k)


def check_target(out: Path, *inputs: Path | None) -> None:
    """Raise InputError if a run cannot be written, or would replace something that is no run.

    Args:
        out: where the run is to be.
        inputs: files that are read for it; None for none.
    """
    written_place(out)
    if out.is_dir() or not out.parent.is_dir():
        raise InputError(f"{out}: give a file in an existing folder")
    if not out.is_file():
        return
    if any(one is not None and one.exists() and out.samefile(one) for one in inputs):
        raise InputError(f"{out}: the run would replace what is read for it; give another --out")
    try:
        with (gzip.open if out.suffix == ".gz" else Path.open)(out, "rb") as file:
            begin = file.readline(1 << 16)
    except (OSError, EOFError, zlib.error):
        begin = b"?"
    # A run in Parquet begins so; a line of TREC text has six parts; an empty run has none.
    if begin and begin[:4] != b"PAR1" and len(begin.split()) != len(COLUMNS):
        raise InputError(f"{out}: exists and is not a run; give another --out")


def blocks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in blocks; the last one has the rest."""
    remaining = iter(items)
    while block := list(islice(remaining, size)):
        yield block


def _ranked(
    work: BlockRanker, blocks: Iterator[Sequence[Query]], devices: Sequence[jax.Device]
) -> Iterator[tuple[Candidates, Order]]:
    """The candidates of every block and their order, while later blocks are under way.

    An error is raised after all blocks before it.
    """
    needs = work.system.reranker.opened.needs
    # Only one thread at a time reads an index's texts.
    alone = needs.texts or needs.other_objects
    reading = ThreadPoolExecutor(1)
    ranking = reading if alone else ThreadPoolExecutor(len(devices))

    def find() -> Candidates | None:
        block = next(blocks, None)
        return None if block is None else work.find(block)

    def rank(
        finding: Future[Candidates | None], device: jax.Device
    ) -> tuple[Candidates, Order] | None:
        found = finding.result()
        if found is None:
            return None
        # The default device needs no programs of its own.
        with nullcontext() if device == jax.local_devices()[0] else jax.default_device(device):
            return found, work.rank(found)

    def submit(number: int) -> Future[tuple[Candidates, Order] | None]:
        return ranking.submit(rank, reading.submit(find), devices[number % len(devices)])

    numbers = count()
    try:
        pending = deque(submit(next(numbers)) for _ in range(len(devices) + _AHEAD - 1))
        while (done := pending.popleft().result()) is not None:
            pending.append(submit(next(numbers)))
            yield done
    finally:
        for pool in (reading, ranking):
            pool.shutdown(cancel_futures=True)
