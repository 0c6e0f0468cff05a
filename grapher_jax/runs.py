"""Runs: rankings of many queries in TREC run format, streamed and resumable."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from grapher_jax import __version__
from grapher_jax.corpus import Query
from grapher_jax.errors import InputError
from grapher_jax.files import read_lines, sha256
from grapher_jax.graph import EMPTY
from grapher_jax.index import Index
from grapher_jax.rerank import Reranker, check_k
from grapher_jax.resume import complete, resumable
from grapher_jax.retrieve import CANDIDATES, Candidates
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.systems import System

# Everything a reader splits or decodes on is encoded: white space, controls, % and non-ASCII.
_PLAIN = "!\"#$&'()*+,/:;<=>?@[\\]^`{|}~"
_BLOCK = 1024
_FIELDS = 6

Run = Mapping[str, Sequence[tuple[str, float]]]


def write_ranking(
    file: TextIOWrapper, query: str, ranked: Iterable[tuple[str, float]], tag: str
) -> None:
    """Append one query's ranking, best first.

    Ids are percent-encoded. Scores strictly decrease in float32, which is what trec_eval reads, so
    that no reader re-orders ties: a score that does not is lowered by one step.
    """
    last = np.float32(np.inf)
    for rank, (identity, score) in enumerate(ranked, start=1):
        last = min(np.float32(score), np.nextafter(last, np.float32(-np.inf)))
        file.write(f"{_encode(query)} Q0 {_encode(identity)} {rank} {last:.9g} {tag}\n")


def read_run(path: Path) -> Run:
    """Read a TREC run: query id → (object id, score), best first.

    Raises:
        InputError: naming file and line, for a line without six fields, an object that its query
            has already, or a score that is no finite number in float32.
    """
    run: dict[str, dict[str, float]] = {}
    for number, line in read_lines(path):
        fields = line.split()
        if not fields:
            continue
        place = f"{path}:{number}"
        if len(fields) != _FIELDS:
            raise InputError(
                f"{place}: {len(fields)} fields; a run has six: query Q0 object rank score tag"
            )
        query, _, identity, _, score, _ = fields
        try:
            value = float(score)
        except ValueError:
            value = np.nan
        if not abs(value) <= float(np.finfo(np.float32).max):
            raise InputError(f"{place}: score must be a finite number, not {score!r}")
        found = run.setdefault(unquote(query), {})
        if unquote(identity) in found:
            raise InputError(f"{place}: {identity!r} stands twice in the ranking of {query!r}")
        found[unquote(identity)] = value
    # Python's sort keeps the order of ties.
    return {q: sorted(found.items(), key=lambda hit: -hit[1]) for q, found in run.items()}


def rerank_run(
    index: Index,
    queries: Iterable[Query],
    out: Path,
    ranker: Reranker | System,
    *,
    k: int = CANDIDATES,
    base_run: Run | None = None,
    settings: Mapping[str, Any] | None = None,
    progress: Progress = no_progress,
) -> int:
    """Rerank every query and write the run.

    What is done is kept in `<out>.partial`; an interrupted call with the same settings goes on
    where it stopped and ends with the same bytes.

    Args:
        index: the objects.
        queries: streamed.
        out: the run, written whole or not at all.
        ranker: ranks what the base retriever returns, or a system whole.
        k: how many results a query, at least 1; from a system, at most its candidates.
        base_run: another retriever's candidates and scores, which no filter restricts and nothing
            joins.
        settings: whatever decides the result, such as `rerank_settings`; a partial run is continued
            where it was made with the same, and never without any.
        progress: told how many more queries are done.

    Returns:
        The number of queries.

    Raises:
        InputError: for a k below 1, no queries, an `out` that cannot be a file, or a base run that
            lacks a query or names an unknown object. What was done before is kept; where nothing
            was, nothing is left.
    """
    check_k(k)
    system = _system(ranker, k)
    if out.is_dir() or not out.parent.is_dir():
        raise InputError(f"{out}: give a file in an existing folder")
    total = 0
    with resumable(out, settings) as partial:
        for block in _blocks(queries, _BLOCK):
            total += len(block)
            if total > partial.done:
                _rerank_block(index, block, partial.files[0], system, k, base_run)
                partial.record(total)
            progress(len(block))
        if not total:
            raise InputError("queries: there are none; give at least one")
        complete(out)
    return total


def rerank_settings(
    index_folder: Path,
    queries: Path,
    ranker: Reranker | System,
    *,
    k: int,
    base_run: Path | None = None,
) -> dict[str, Any]:
    """What decides the bytes of a run, for `rerank_run`."""
    system = _system(ranker, k)
    given = {field.name: getattr(system.reranker, field.name) for field in fields(Reranker)}
    return {
        "index": sha256(index_folder / "manifest.json"),
        "queries": sha256(queries),
        "base_run": sha256(base_run) if base_run else None,
        "system": system.name,
        "retrieval": system.retrieval.parameters,
        "reranker": given | {"ranker": system.reranker.name},
        "parameters": system.reranker.kind.parameters,
        "k": k,
        "block": _BLOCK,
        "version": __version__,
    }


def _system(ranker: Reranker | System, k: int) -> System:
    if isinstance(ranker, System):
        return ranker
    return System.of(ranker, candidates=max(k, CANDIDATES))


def _blocks(queries: Iterable[Query], size: int) -> Iterator[list[Query]]:
    remaining = iter(queries)
    while block := list(islice(remaining, size)):
        yield block


def _rerank_block(
    index: Index,
    block: Sequence[Query],
    file: TextIOWrapper,
    system: System,
    k: int,
    base_run: Run | None,
) -> None:
    if base_run is None:
        filters = [query.metadata.get("filter") for query in block]
        candidates = system.retrieve(index, block, filters=filters)
    else:
        candidates = _candidates(index, block, base_run)
        if system.reranker.kind.embedder or system.reranker.kind.reads_others:
            vectors = index.retriever.embed([query.text for query in block])
            candidates = replace(candidates, vectors=vectors)
    order = system.rank(index, candidates, k=k)
    tag = _encode(f"grapher-jax-{system.name}")
    for number, query in enumerate(block):
        positions = order.positions[number]
        found = positions != EMPTY
        rows = candidates.rows[number, positions[found]]
        ranked = zip((index.ids[row] for row in rows), order.scores[number, found], strict=True)
        write_ranking(file, query.id, ranked, tag)


def _candidates(index: Index, block: Sequence[Query], base_run: Run) -> Candidates:
    lacking = next((query.id for query in block if query.id not in base_run), None)
    if lacking is not None:
        raise InputError(f"the base run has no candidates for query {lacking!r}")
    found = [base_run[query.id] for query in block]
    rows = np.full((len(block), max(map(len, found))), EMPTY, np.int32)
    scores = np.zeros(rows.shape, np.float32)
    for number, (query, hits) in enumerate(zip(block, found, strict=True)):
        for place, (identity, score) in enumerate(hits):
            if identity not in index.rows:
                raise InputError(
                    f"the base run names object {identity!r} for query {query.id!r}, "
                    "which the index lacks"
                )
            rows[number, place] = index.rows[identity]
            scores[number, place] = score
    return Candidates(rows, scores, questions=block, passages=index.passages)


def _encode(identity: str) -> str:
    return quote(identity, safe=_PLAIN)
