"""How much the graph brings: metrics of rankers on judged questions, and the α grid."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jax
import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.buckets import candidate_bucket, pad, power_of_two
from grapher_jax.corpus import Judgements
from grapher_jax.errors import InputError, require
from grapher_jax.graph import EMPTY, MAX_DF, check_proximities
from grapher_jax.index import Index
from grapher_jax.rerank import Reranker, blocks
from grapher_jax.retrieve import CANDIDATES, Candidates
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.training import ALPHAS, alpha_grid

PERFECT_RECALL = (5, 10)
# The rest, by ir-measures, under its names; RR is MRR once averaged.
MEASURES = ("P@10", "R@5", "R@10", "nDCG@10", "RR")


@dataclass(frozen=True)
class JudgedRun:
    """Judged questions with the retriever's candidates for them.

    Attributes:
        index: what was searched.
        judgements: query id → object id → grade, in the order of `candidates`.
        candidates: what the base retriever returned.
        seconds: what retrieval took, embedding the questions included.
    """

    index: Index
    judgements: Judgements
    candidates: Candidates
    seconds: float

    @classmethod
    def retrieve(
        cls,
        index: Index,
        split: str,
        *,
        expand: bool | Sequence[str] = False,
        candidates: int = CANDIDATES,
        progress: Progress = no_progress,
    ) -> "JudgedRun":
        """Retrieve for every judged question of a split, within its own filter.

        Raises:
            InputError: for an unknown split or malformed judgements.
        """
        judgements = index.judgements(split)
        if not judgements:
            raise InputError(f"{split}: no judged questions")
        queries = [index.queries[query] for query in judgements]
        started = time.perf_counter()
        found = index.retrieve(
            [query.text for query in queries],
            filters=[query.metadata.get("filter") for query in queries],
            expand=expand,
            candidates=candidates,
            progress=progress,
        )
        return cls(index, judgements, found, time.perf_counter() - started)

    @cached_property
    def relevant(self) -> Bool[ndarray, "B n"]:
        """Which candidates are relevant."""
        rows = self.index.rows
        wanted = [
            query * len(rows) + rows[identity]
            for query, grades in enumerate(self.judgements.values())
            for identity, grade in grades.items()
            if grade > 0
        ]
        keys = np.arange(len(self.candidates))[:, None] * len(rows) + self.candidates.rows
        return np.isin(keys, wanted) & (self.candidates.rows != EMPTY)

    @cached_property
    def relevant_counts(self) -> Int[ndarray, " B"]:
        """How many objects are relevant to each question, retrieved or not."""
        grades = self.judgements.values()
        return np.array([sum(grade > 0 for grade in by_id.values()) for by_id in grades], np.int32)

    def ceiling(self, n: int) -> dict[str, float | None]:
        """The share of questions whose relevant objects are all among the first n candidates."""
        recalled = kernels.perfect_recall(self.relevant, self.relevant_counts, n)
        return _over(np.asarray(recalled), self.multi)

    @cached_property
    def multi(self) -> Bool[ndarray, " B"]:
        """Which questions have more than one relevant object."""
        return self.relevant_counts > 1


def evaluate(
    index: Index,
    split: str,
    rerankers: Sequence[Reranker],
    *,
    dataset: str = "",
    expand: bool | Sequence[str] = False,
    candidates: int = CANDIDATES,
    progress: Progress = no_progress,
) -> dict[str, Any]:
    """Compare rankers on the judged questions of one split.

    Args:
        index: an index with queries and judgements.
        split: which judgements.
        rerankers: the rankers to compare.
        dataset: a name for the report.
        expand: see `Index.retrieve`.
        candidates: how many objects the retriever returns to be reranked.
        progress: told how many more questions are embedded.

    Returns:
        JSON-ready: `dataset`, `split`, `queries`, `multi_queries` (more than one relevant object),
        `objects`, `embedder`, `ceiling` (share of queries whose relevant objects are all among the
        candidates, those of the retriever alone and with those that joined), and `results`: for
        each ranker its `parameters`, `metrics` (fractions over `all` queries and over the `multi`
        ones) and `seconds` (compilation apart).

    Raises:
        InputError: for an unknown split or malformed judgements.
    """
    run = JudgedRun.retrieve(index, split, expand=expand, candidates=candidates, progress=progress)
    ceiling = {"retriever": run.ceiling(candidates)}
    if expand:
        ceiling["expanded"] = run.ceiling(run.candidates.rows.shape[1])
    return {
        "dataset": dataset,
        "split": split,
        "queries": len(run.judgements),
        "multi_queries": int(run.multi.sum()),
        "objects": len(index.ids),
        "embedder": index.embedder.name,
        "ceiling": ceiling,
        "results": [_evaluate_one(run, reranker) for reranker in rerankers],
    }


def tune(
    run: JudgedRun,
    *,
    rankers: Sequence[str] = ("gcs", "ppr"),
    k: int = 10,
    proximities: Sequence[str] | None = None,
    max_df: int | None = MAX_DF,
    alphas: Sequence[float] = ALPHAS,
) -> dict[str, Any]:
    """The α grid of GraphER A.3: PR@K of GCS and PPR at every α.

    Args:
        run: judged questions of a train split.
        rankers: `gcs`, `ppr` or both.
        k: the cut-off rank.
        proximities: what the graph is built from; by default all that the metadata allows.
        max_df: see `Reranker`.
        alphas: the grid.

    Returns:
        JSON-ready: `base` with its PR@K, and for each ranker the `best` α (over queries with more
        than one relevant object) and the `grid`, each with PR@K over `all` and `multi` queries.
    """
    graph = run.index.graph
    chosen = check_proximities(proximities, graph)
    base = np.asarray(kernels.perfect_recall(run.relevant, run.relevant_counts, k))
    report: dict[str, Any] = {"k": k, "base": _over(base, run.multi), "rankers": {}}
    for ranker in rankers:
        parts = []
        for block in blocks(run.candidates):
            rows = run.candidates.rows[block]
            shape = (power_of_two(len(rows)), candidate_bucket(rows.shape[1]))
            padded = pad(rows, shape, EMPTY)
            recalled = alpha_grid(
                pad(run.candidates.scores[block], shape, 0.0),
                pad(run.relevant[block], shape, False),
                pad(run.relevant_counts[block], shape[:1], 0),
                np.array(alphas, np.float32),
                mask=padded != EMPTY,
                ranker=ranker,
                k=k,
                **graph.gather(padded, chosen, max_df=max_df),
            )
            parts.append(np.asarray(recalled)[:, : len(rows)])
        table = np.concatenate(parts, axis=1)
        grid = [
            {"alpha": alpha, **_over(recalled, run.multi)}
            for alpha, recalled in zip(alphas, table, strict=True)
        ]
        over = "multi" if run.multi.any() else "all"
        best = max(grid, key=lambda point: point[over] or 0.0)
        report["rankers"][ranker] = {"best": best["alpha"], "grid": grid}
    return report


def _evaluate_one(run: JudgedRun, reranker: Reranker) -> dict[str, Any]:
    started = time.perf_counter()
    with _compilation() as compiled:
        n = run.candidates.rows.shape[1]
        order = reranker.rank(run.index.graph, run.candidates, k=n)
    elapsed = time.perf_counter() - started
    hits = np.take_along_axis(run.relevant, order.positions, axis=1) & (order.positions != EMPTY)
    metrics = {
        f"PR@{k}": _over(
            np.asarray(kernels.perfect_recall(hits, run.relevant_counts, k)), run.multi
        )
        for k in PERFECT_RECALL
    }
    for name, values in _ir_measures(run, order.positions).items():
        metrics[name] = _over(values, run.multi)
    return {
        "ranker": reranker.ranker,
        "parameters": reranker.parameters(run.index.graph),
        "metrics": metrics,
        "seconds": {
            "retrieve": run.seconds,
            "rerank": elapsed - compiled.seconds,
            "compile": compiled.seconds,
        },
    }


def _ir_measures(run: JudgedRun, positions: Int[ndarray, "B k"]) -> dict[str, Float[ndarray, " B"]]:
    ir = require("ir_measures")
    ids = np.asarray(run.index.ids, object)
    rows = np.take_along_axis(run.candidates.rows, positions, axis=1)
    ranked = {
        str(query): {
            str(identity): float(-rank) for rank, identity in enumerate(ids[found[place != EMPTY]])
        }
        for query, (found, place) in enumerate(zip(rows, positions, strict=True))
    }
    judged = {str(query): dict(by_id) for query, by_id in enumerate(run.judgements.values())}
    values = {name: np.zeros(len(judged)) for name in MEASURES}
    measures = {ir.parse_measure(name): name for name in MEASURES}
    for metric in ir.iter_calc(list(measures), judged, ranked):
        values[measures[metric.measure]][int(metric.query_id)] = metric.value
    return values


def _over(values: Float[ndarray, " B"], multi: Bool[ndarray, " B"]) -> dict[str, float | None]:
    return {
        "all": float(values.mean()),
        "multi": float(values[multi].mean()) if multi.any() else None,
    }


@dataclass
class _Compiled:
    seconds: float = 0.0


@contextmanager
def _compilation() -> Iterator[_Compiled]:
    """Count what JAX spends on compiling meanwhile."""
    spent = _Compiled()

    def count(event: str, duration_secs: float, **_: Any) -> None:
        if event.startswith("/jax/core/compile/"):
            spent.seconds += duration_secs

    jax.monitoring.register_event_duration_secs_listener(count)
    try:
        yield spent
    finally:
        jax.monitoring.unregister_event_duration_listener(count)
