"""Writes generated questions as a BEIR folder: resumable, and one unit of a corpus at a time."""

import shutil
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial as bound
from pathlib import Path
from typing import Protocol, runtime_checkable

from grapher_jax import __version__
from grapher_jax.checks import check_count
from grapher_jax.corpus import Object, Query, read_queries, splits, write_queries
from grapher_jax.corpus.beir import FAILURES, check_replaceable, check_split, object_record
from grapher_jax.enrich import survey
from grapher_jax.errors import EnrichmentError, GrapherError, InputError
from grapher_jax.files import Json, json_line
from grapher_jax.llm import CONCURRENCY, Cost, tokens
from grapher_jax.resume import Partial, complete, partial_path, resumable
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.text import normalise, tokenize

SPLIT = "generated"
MAX_CHARACTERS = 500  # of one question
TOKENS_OUT = tokens("x" * MAX_CHARACTERS) + 50  # for one question with its other fields

_QUERIES = "queries.jsonl"
_SECONDS = 0.5  # between records of progress

_Unit = tuple[str, Sequence[Object]]
_Outcome = tuple[list[Query], list[dict[str, str]]]


@runtime_checkable
class Writer(Protocol):
    """Writes questions about one unit at a time: a document, or tables that keys join."""

    @property
    def unit(self) -> str:
        """The field that names a unit in `failures.jsonl`, such as `document_id`."""

    @property
    def settings(self) -> Mapping[str, Json]:
        """The parameters that decide the questions."""

    def units(self, objects: Sequence[Object]) -> Mapping[str, Sequence[Object]]:
        """The units of a corpus by name, each with its objects.

        Raises:
            InputError: if there are none.
        """

    def estimate(self, name: str, objects: Sequence[Object], /) -> Cost:
        """The estimated cost of a unit."""

    def __call__(
        self, name: str, objects: Sequence[Object], /, taken: Collection[str] = ()
    ) -> list[Query]:
        """Questions whose metadata have a `kind`, and the ids of what they need as `segments`.

        Args:
            name: the unit's name.
            objects: its objects.
            taken: normalised questions that it must not ask again.

        Raises:
            EnrichmentError: if there is no usable question.
            InputError: if no question can be written at all.
        """


@dataclass(frozen=True)
class Generated:
    """The counts of what was written.

    Attributes:
        units: the number of units, such as documents, with questions requested.
        kinds: the number of questions of each kind.
        failures: units without usable questions; `failures.jsonl` lists them.
        left_out: the number of objects that are part of no unit.
    """

    units: int
    kinds: Mapping[str, int]
    failures: int
    left_out: int


def generate(
    objects: Sequence[Object],
    out: str | Path,
    writer: Writer,
    *,
    split: str = SPLIT,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> Generated:
    """Write a BEIR folder of all objects with questions about them.

    The objects that a question needs get the grade 1. A question that searches the whole corpus
    and was asked about an earlier unit already is requested once more, in other words. Finished
    work is kept in `<out>.partial`; after an interruption, a call with the same objects and writer
    resumes it, and gives the same bytes.

    Args:
        objects: all are written, also those about which nothing is asked.
        out: the folder, written whole or not at all; one without other questions is replaced.
        writer: called for every unit.
        split: the name of the judgements.
        workers: how many units are processed at a time, 8 by default.
        progress: called with the number of newly finished units.

    Raises:
        InputError: if there are no units, `out` cannot be written or holds anything but generated
            questions, or the endpoint, model or key does not work. Finished work is kept.
    """
    out = Path(out)
    check_target(out, split)
    if workers is not None:
        check_count("workers", workers)
    units = writer.units(objects)
    settings = {
        "objects": survey(objects).sha256,
        "writer": dict(writer.settings),
        "split": split,
        "version": __version__,
    }
    folder = partial_path(out)
    with resumable(out, settings, names=("corpus.jsonl", _QUERIES, FAILURES)) as partial:
        if not partial.done:
            partial.files[0].writelines(json_line(object_record(item)) for item in objects)
        progress(partial.done)
        taken = _taken(read_queries(folder / _QUERIES))
        _write(partial, list(units.items()), writer, taken, workers or CONCURRENCY, progress)
        partial.close()
        made = _judge(folder, split)
        failed_count = (folder / FAILURES).read_bytes().count(b"\n")
        if not failed_count:
            (folder / FAILURES).unlink()
        complete(partial, out)
    kinds = Counter(query.metadata["kind"] for query in made)
    part_of_one = {item.id for own in units.values() for item in own}
    return Generated(len(units), kinds, failed_count, len(objects) - len(part_of_one))


def check_target(out: Path, split: str) -> None:
    """Check that only generated questions would be replaced.

    Raises:
        InputError: if `out` holds anything else, or `split` cannot be a file name.
    """
    check_split(split)
    check_replaceable(out)
    if any(out.glob("queries.jsonl*")) and splits(out) != [split]:
        raise InputError(f"{out}: holds other questions; give another folder")


def question_text(text: Json, place: str, taken: Collection[str]) -> str:
    """A question of a model's reply, on one line.

    Args:
        text: what the model gave as the question.
        place: its place in the reply, in messages.
        taken: normalised questions that must not be asked again.

    Raises:
        ValueError: for anything that cannot be such a question.
    """
    if not isinstance(text, str) or not tokenize(text):
        raise ValueError(f"{place} has no words")
    text = " ".join(text.split())
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"{place} has {len(text)} characters; at most {MAX_CHARACTERS} may be")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"{place} has half of a character (a lone surrogate)")
    if normalise(text) in taken:
        raise ValueError(f"{place} was asked already; word it otherwise")
    return text


def _write(
    partial: Partial,
    units: Sequence[_Unit],
    writer: Writer,
    taken: set[str],
    workers: int,
    progress: Progress,
) -> None:
    """Appends the questions and failures of the units that are left, in their order."""
    _, queries, failures = partial.files
    done, recorded = partial.done, time.monotonic()
    todo, attempt = units[done:], bound(_attempt, writer)
    threads = ThreadPoolExecutor(workers)
    try:
        for unit, (asked, failed) in zip(todo, threads.map(attempt, todo), strict=True):
            if not taken.isdisjoint(_taken(asked)):
                # In the units' order, so that the result does not depend on which thread was first.
                asked, failed = attempt(unit, taken)
            taken |= _taken(asked)
            queries.writelines(
                json_line({"_id": q.id, "text": q.text, "metadata": dict(q.metadata)})
                for q in asked
            )
            failures.writelines(map(json_line, failed))
            done += 1
            if time.monotonic() - recorded > _SECONDS:
                partial.record(done)
                recorded = time.monotonic()
            progress(1)
    except GrapherError:
        # Only this is raised between two units; other errors may leave half a line.
        if done > partial.done:
            partial.record(done)
        raise
    finally:
        threads.shutdown(cancel_futures=True)
    partial.record(done)


def _attempt(writer: Writer, unit: _Unit, taken: Collection[str] = ()) -> _Outcome:
    """The questions of a unit, and its failures."""
    try:
        return writer(*unit, taken), []
    except EnrichmentError as error:
        return [], [{writer.unit: unit[0], "reason": str(error)}]


def _taken(asked: Iterable[Query]) -> set[str]:
    """The questions that search the whole corpus, so that no other may have the same words."""
    return {normalise(query.text) for query in asked if "filter" not in query.metadata}


def _judge(folder: Path, split: str) -> list[Query]:
    """The written questions, with the objects that each needs as judgements."""
    made = list(read_queries(folder / _QUERIES))
    shutil.rmtree(folder / "qrels", ignore_errors=True)  # from an earlier start
    judged = {query.id: dict.fromkeys(query.metadata["segments"], 1) for query in made}
    write_queries(folder, made, {split: judged})
    return made
