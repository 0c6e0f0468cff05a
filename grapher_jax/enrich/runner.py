"""Runs enrichers over a corpus: in order, in parallel, and resumable."""

import hashlib
import multiprocessing
import os
import shutil
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial as bound
from itertools import islice
from pathlib import Path
from typing import Protocol, runtime_checkable

from grapher_jax import __version__
from grapher_jax.checks import check_count
from grapher_jax.corpus import Object, Query, check_object, read_queries, splits, write_queries
from grapher_jax.corpus.beir import FAILURES, check_replaceable, object_record, pair_graph_files
from grapher_jax.errors import EnrichmentError, GrapherError, InputError
from grapher_jax.files import Json, json_line, parse_json
from grapher_jax.llm import CONCURRENCY, Cost
from grapher_jax.resume import Partial, complete, partial_path, resumable
from grapher_jax.retrieve.embedders import Progress, no_progress

_CORPUS = "corpus.jsonl"
_QUESTIONS = "questions.partial.jsonl"
_SECONDS = 1.0  # between records of progress
_AHEAD = 16  # objects per worker that may be finished before the one to be written next

Outcome = tuple[Object, list[dict[str, str]]]
_Call = Callable[[Object], Object]


@runtime_checkable
class Enricher(Protocol):
    """A function from an object to the same object with more metadata.

    An enricher that mostly waits for a network has `waits = True` and is called in threads; any
    other is called in worker processes, so it must be picklable. An enricher that costs money has
    `estimate(item) -> Cost`. One that is also for questions has `questions = True`, and is called
    for every question as for an object without a title.
    """

    @property
    def name(self) -> str:
        """The name under which failures are reported."""

    @property
    def settings(self) -> Mapping[str, Json]:
        """The parameters that decide its result, as JSON-ready values."""

    def __call__(self, item: Object, /) -> Object:
        """The object with more metadata.

        Raises:
            EnrichmentError: if this object cannot be enriched.
            InputError: if no object can be enriched.
        """


@dataclass(frozen=True)
class Survey:
    """The amount of work.

    Attributes:
        objects: the number of objects.
        sha256: a checksum of all objects.
        cost: the estimated cost of LLM requests.
    """

    objects: int
    sha256: str
    cost: Cost


@dataclass(frozen=True)
class Enriched:
    """The counts of what was done.

    Attributes:
        objects: the number of objects written, without questions.
        failures: the number of failures of enrichers; `failures.jsonl` lists them.
    """

    objects: int
    failures: int


def survey(
    objects: Iterable[Object],
    enrichers: Sequence[Enricher] = (),
    *,
    progress: Progress = no_progress,
) -> Survey:
    """Read all objects once, and estimate the cost of enriching them."""
    estimates = [enricher.estimate for enricher in enrichers if hasattr(enricher, "estimate")]
    digest = hashlib.sha256()
    count, cost = 0, Cost()
    for item in objects:
        count += 1
        digest.update(json_line(object_record(item)).encode())
        for estimate in estimates:
            cost += estimate(item)
        progress(1)
    return Survey(count, digest.hexdigest(), cost)


def enrich(
    objects: Iterable[Object],
    out: str | Path,
    enrichers: Sequence[Enricher],
    *,
    source: Path | None = None,
    objects_sha256: str | None = None,
    workers: int | None = None,
    elsewhere: Callable[[int], Iterator[Outcome]] | None = None,
    progress: Progress = no_progress,
) -> Enriched:
    """Write a BEIR folder of the enriched objects, in their order.

    Finished work is kept in `<out>.partial`; after an interruption, a call with the same objects
    and enrichers resumes it, and gives the same bytes. If one enricher fails for an object, it
    keeps the results of the others.

    Args:
        objects: streamed, never all held in memory.
        out: the folder, written completely or not at all; an existing BEIR folder is replaced.
        enrichers: called one after the other for every object.
        source: a BEIR folder whose queries, judgements and AMR graphs of pairs are copied.
        objects_sha256: the `sha256` from `survey`; needed to resume interrupted work.
        workers: how many objects are processed at a time; by default the number of processors, or 8
            if an enricher waits for a network.
        elsewhere: enriches the objects outside of this process, except for a number of first ones;
            see `ray_outcomes`.
        progress: called with the number of newly finished objects.

    Returns:
        The number of objects written, and of failures.

    Raises:
        InputError: if there are no objects, `out` cannot be written or holds anything but a BEIR
            folder, or an enricher cannot work at all. Finished work is kept.
        GrapherError: if a worker process ended unexpectedly.
    """
    if workers is not None:
        check_count("workers", workers)
    out = Path(out)
    check_replaceable(out)
    settings = {
        "objects": objects_sha256,
        "enrichers": [[enricher.name, dict(enricher.settings)] for enricher in enrichers],
        "version": __version__,
    }
    remaining = iter(objects)
    with resumable(out, settings if objects_sha256 else None, names=(_CORPUS, FAILURES)) as partial:
        failures = partial.files[1]
        total = sum(1 for _ in islice(remaining, partial.done))
        progress(total)
        found = elsewhere(total) if elsewhere else _outcomes(remaining, enrichers, workers)
        total = _write_outcomes(found, partial, total, progress)
        if not total:
            raise InputError("the source has no objects; give one that has")
        partial.record(total)
        if source:
            _carry(source, partial_path(out))
            failed = _enrich_questions(partial_path(out), enrichers, workers)
            failures.writelines(map(json_line, failed))
        partial.close()
        failures_file = partial_path(out) / FAILURES
        with failures_file.open("rb") as lines:
            count = sum(1 for _ in lines)
        if not count:
            failures_file.unlink()
        complete(partial, out)
    return Enriched(total, count)


def _write_outcomes(
    found: Iterable[Outcome], partial: Partial, total: int, progress: Progress
) -> int:
    """Writes objects and failures as they come; returns the total number of objects."""
    corpus, failures = partial.files
    recorded = time.monotonic()
    try:
        for item, failed in found:
            corpus.write(json_line(object_record(item)))
            failures.writelines(map(json_line, failed))
            total += 1
            progress(1)
            if time.monotonic() - recorded > _SECONDS:
                partial.record(total)
                recorded = time.monotonic()
    except GrapherError:
        # Only this is raised between two objects; other errors may leave half a line.
        if total > partial.done:
            partial.record(total)
        raise
    return total


def _carry(source: Path, folder: Path) -> None:
    """Copy queries, judgements and AMR graphs, replacing copies from an earlier start."""
    for old_folder in ("qrels", "amr"):
        shutil.rmtree(folder / old_folder, ignore_errors=True)
    for old in folder.glob("queries.jsonl*"):
        old.unlink()
    judgements = (source / "qrels" / f"{split}.tsv" for split in splits(source))
    for file in (*source.glob("queries.jsonl*"), *judgements, *pair_graph_files(source)):
        target = folder / file.relative_to(source)
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(file, target)


def _enrich_questions(
    folder: Path, enrichers: Sequence[Enricher], workers: int | None
) -> list[dict[str, str]]:
    """Enrich the questions of a BEIR folder, too, each once; returns the failures."""
    asked = [enricher for enricher in enrichers if getattr(enricher, "questions", False)]
    if not asked or not any(folder.glob("queries.jsonl*")):
        return []
    questions = [Object(query.id, query.text, "", query.metadata) for query in read_queries(folder)]
    # By their whole content, for they may have changed since an interruption.
    records = [json_line(object_record(item)) for item in questions]
    kept = folder / _QUESTIONS
    done = _kept_outcomes(kept)
    left = [place for place, record in enumerate(records) if record not in done]
    with kept.open("a", encoding="utf-8") as file:
        file.write("\n")  # after half a line
        found = _outcomes((questions[place] for place in left), asked, workers)
        for place, (item, failed) in zip(left, found, strict=True):
            done[records[place]] = [item.metadata, failed]
            kept_as = {"_id": item.id, "of": records[place], "made": done[records[place]]}
            file.write(json_line(kept_as))
            file.flush()
    for old in folder.glob("queries.jsonl*"):
        old.unlink()
    made = [done[record] for record in records]
    pairs = zip(questions, made, strict=True)
    write_queries(folder, (Query(item.id, item.text, own) for item, (own, _) in pairs), {})
    kept.unlink()
    return [failure for _, failed in made for failure in failed]


def _kept_outcomes(file: Path) -> dict[str, Json]:
    """The metadata and failures of questions that an interrupted call has enriched."""
    found = {}
    for line in file.read_text(encoding="utf-8").split("\n") if file.exists() else ():
        with suppress(ValueError):
            record = parse_json(line)
            found[record["of"]] = record["made"]
    return found


def _outcomes(
    objects: Iterable[Object], enrichers: Sequence[Enricher], workers: int | None
) -> Iterator[Outcome]:
    """The enriched objects with their failures, in order."""
    processors = os.cpu_count() or 1
    waiting = [getattr(enricher, "waits", False) for enricher in enrichers]
    workers = workers or (CONCURRENCY if any(waiting) else processors)
    with _processes(enrichers, waiting, min(workers, processors)) as calls:
        # Twice as many threads as processes, so that no process waits for its next object.
        threads = ThreadPoolExecutor(workers if any(waiting) else 2 * workers)
        work = bound(enrich_one, [enricher.name for enricher in enrichers], calls)
        try:
            pending: deque[Future[Outcome]] = deque()
            for item in objects:
                pending.append(threads.submit(work, item))
                if len(pending) >= _AHEAD * workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        except BrokenProcessPool:
            raise GrapherError(
                "a worker process ended, perhaps for lack of memory; start again with fewer "
                '--workers, and from a script only under if __name__ == "__main__"'
            ) from None
        finally:
            threads.shutdown(cancel_futures=True)


def enrich_one(names: Sequence[str], calls: Sequence[_Call], item: Object) -> Outcome:
    """Apply the calls to one object; returns the object and the failures by name."""
    failures = []
    for name, call in zip(names, calls, strict=True):
        try:
            item = _same(item, check_object(call(item), name))
        except EnrichmentError as error:
            failures.append({"_id": item.id, "enricher": name, "reason": str(error)})
        except (GrapherError, BrokenProcessPool):
            raise
        except Exception as error:  # noqa: BLE001 - an error in one object must not stop the others
            reason = f"{type(error).__name__}: {error}"
            failures.append({"_id": item.id, "enricher": name, "reason": reason})
    return item, failures


def _same(before: Object, after: Object) -> Object:
    if after.id != before.id:
        raise EnrichmentError(f"it changed the id to {after.id!r}; keep it")
    return after


@contextmanager
def _processes(
    enrichers: Sequence[Enricher], waiting: Sequence[bool], count: int
) -> Iterator[list[_Call]]:
    """The enrichers as functions for threads; those that compute run in worker processes."""
    if all(waiting):
        yield list(enrichers)
        return
    sent = [None if waits else enricher for enricher, waits in zip(enrichers, waiting, strict=True)]
    # Not forked: the locks of JAX's threads, if loaded, would never be released.
    pool = ProcessPoolExecutor(
        count, multiprocessing.get_context("spawn"), initializer=_start, initargs=(sent,)
    )

    def elsewhere(number: int, item: Object) -> Object:
        return pool.submit(_call, number, item).result()

    try:
        yield [
            enricher if waits else bound(elsewhere, number)
            for number, (enricher, waits) in enumerate(zip(enrichers, waiting, strict=True))
        ]
    finally:
        pool.shutdown(cancel_futures=True)


_sent: Sequence[Enricher | None] = ()


def _start(enrichers: Sequence[Enricher | None]) -> None:
    """Initialise a worker process."""
    global _sent
    _sent = enrichers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles interruptions
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # If the parent is killed, the pool is not shut down, and its workers would wait forever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _call(number: int, item: Object) -> Object:
    enricher = _sent[number]
    assert enricher is not None  # noqa: S101
    return enricher(item)
