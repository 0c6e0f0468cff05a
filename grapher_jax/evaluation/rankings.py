"""How much the graph brings: metrics of rankers on judged questions, and the α grid."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import jax
import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.corpus import Judgements
from grapher_jax.errors import InputError, require
from grapher_jax.graph import EMPTY, MAX_DF, check_proximities
from grapher_jax.rankers.running import blocks
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import CANDIDATES, Candidates
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.search import Index
from grapher_jax.shapes import candidate_bucket, pad, power_of_two
from grapher_jax.systems import Finder, Retrieval, System
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.training import ALPHAS, alpha_grid

PERFECT_RECALL = (5, 10)
# By ir-measures, under its names; RR is of the first relevant object alone.
MEASURES = ("P@10", "R@5", "R@10", "R@20", "nDCG@10", "RR")
# The cut-off of G-RAG's metrics; its MRR is of all relevant objects.
HITS = 10
# What is told by level of complexity.
LEVELS_BY = "R@5"
# A question is won where it has this metric and the other ranker does not.
WON_BY = "PR@10"
RESAMPLES = 2000
_INTERVAL = (0.025, 0.975)
_SEED = 0


@dataclass(frozen=True)
class JudgedRun:
    """Judged questions with the retriever's candidates for them.

    Attributes:
        index: what was searched.
        judgements: query id → object id → grade, in the order of `candidates`.
        candidates: what the retriever returned.
        seconds: what retrieval took, embedding the questions included.
        retrieval: what the retriever was told.
        levels: of complexity, one a question, None where its metadata have none; or none at all.
    """

    index: Index
    judgements: Judgements
    candidates: Candidates
    seconds: float
    retrieval: Finder = field(default_factory=Retrieval)
    levels: Sequence[int | None] = ()

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
        """Retrieve for every judged question of a split by the base retriever; see `by`."""
        retrieval = Retrieval(candidates=candidates, expand=expand)
        return cls.by(retrieval, index, split, progress=progress)

    @classmethod
    def by(
        cls,
        retrieval: Finder,
        index: Index,
        split: str,
        *,
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
        found = retrieval(
            index,
            queries,
            filters=[query.metadata.get("filter") for query in queries],
            progress=progress,
        )
        seconds = time.perf_counter() - started
        levels = [query.metadata.get("level") for query in queries]
        levels = [level if type(level) is int else None for level in levels]
        return cls(index, judgements, found, seconds, retrieval, levels)

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


@dataclass(frozen=True)
class Ranking:
    """What a ranker makes of judged questions.

    Attributes:
        run: the questions with their candidates.
        reranker: ranks them.
        positions: `[B, n]` places in the candidate list, best first; -1 where there are fewer.
        scores: `[B, n]` the ranker's scores in this order; -inf where there are fewer.
        seconds: of `retrieve`, `rerank` and `compile`, each apart.
        name: what a report calls it, by default as its ranker.
        system: the name of the system that it belongs to, if any.
    """

    run: JudgedRun
    reranker: ChosenRanker
    positions: Int[ndarray, "B n"]
    scores: Float[ndarray, "B n"]
    seconds: Mapping[str, float]
    name: str = ""
    system: str = ""

    @classmethod
    def of(
        cls, run: JudgedRun, reranker: ChosenRanker, *, name: str = "", system: str = ""
    ) -> "Ranking":
        """Rank all candidates; raises as `Reranker.rank`."""
        started = time.perf_counter()
        with _compilation() as compiled:
            n = run.candidates.rows.shape[1]
            order = reranker.rank(run.index, run.candidates, k=n)
        elapsed = time.perf_counter() - started
        seconds = {
            "retrieve": run.seconds,
            "rerank": elapsed - compiled.seconds,
            "compile": compiled.seconds,
        }
        return cls(run, reranker, order.positions, order.scores, seconds, name, system)

    @cached_property
    def rows(self) -> Int[ndarray, "B n"]:
        """The objects, best first; -1 where there are fewer."""
        rows = np.take_along_axis(self.run.candidates.rows, self.positions, axis=1)
        return np.where(self.positions == EMPTY, EMPTY, rows)

    @cached_property
    def hits(self) -> Bool[ndarray, "B n"]:
        """Which of `rows` are relevant."""
        return np.take_along_axis(self.run.relevant, self.positions, axis=1) & (self.rows != EMPTY)

    @cached_property
    def values(self) -> dict[str, Float[ndarray, " B"]]:
        """Each metric of each question, a fraction."""
        counts = self.run.relevant_counts
        recalled = {
            f"PR@{k}": np.asarray(kernels.perfect_recall(self.hits, counts, k), float)
            for k in PERFECT_RECALL
        }
        return recalled | _ir_measures(self) | _g_rag_measures(self)

    def report(self) -> dict[str, Any]:
        """`ranker`, `parameters`, `metrics`, their `intervals` and `seconds`; see `evaluate`."""
        retrieval = self.run.retrieval.over(self.run.index) if self.system else {}
        levels = _by_level(self.values[LEVELS_BY], self.run.levels)
        return {
            **self._named,
            "parameters": retrieval | self._parameters,
            "metrics": _means(self.values, self.run.multi),
            "intervals": _intervals(self.values, self.run.multi),
            **({"levels": levels} if levels else {}),
            "seconds": dict(self.seconds),
        }

    def versus(self, other: "Ranking") -> dict[str, Any]:
        """What this ranker gains over another on the same questions; see `evaluate`."""
        pairs = {name: values - other.values[name] for name, values in self.values.items()}
        multi, gained = self.run.multi, pairs[WON_BY]
        return {
            **other._named,
            "differences": _means(pairs, multi),
            "intervals": _intervals(pairs, multi),
            "wins": {"all": int((gained > 0).sum()), "multi": int((gained[multi] > 0).sum())},
            "losses": {"all": int((gained < 0).sum()), "multi": int((gained[multi] < 0).sum())},
        }

    @property
    def _parameters(self) -> dict[str, Any]:
        return self.reranker.parameters(self.run.index)

    @property
    def _named(self) -> dict[str, str]:
        system = {"system": self.system} if self.system else {}
        return {"ranker": self.name or self.reranker.name, **system}


def evaluate(
    index: Index,
    split: str,
    rerankers: Sequence[Reranker] = (),
    *,
    systems: Sequence[System] = (),
    dataset: str = "",
    expand: bool | Sequence[str] = False,
    candidates: int = CANDIDATES,
    progress: Progress = no_progress,
) -> dict[str, Any]:
    """Compare rankers behind the base retriever, and whole systems, on one split's questions.

    The metrics are PR@5 and PR@10 (perfect recall: whether all relevant objects are in the top K),
    P@10, R@5, R@10, R@20, nDCG@10 and RR by ir-measures, where RR looks at the first relevant
    object alone, and those of G-RAG, means over all relevant objects of a question: MRR (1 / rank),
    MHits@10 (whether in the top 10, so the same as R@10), MTRR and TMHits@10 (these two where
    ties of the ranker's scores count as ties; see `kernels.mean_reciprocal_rank` and
    `kernels.mean_hits`).

    Args:
        index: an index with queries and judgements.
        split: which judgements.
        rerankers: the rankers to compare.
        systems: the systems to compare; one whose retrieval is not that of a row before it is
            preceded by a row for its retriever alone.
        dataset: a name for the report.
        expand: of the rankers, see `Index.retrieve`.
        candidates: of the rankers, how many objects the retriever returns to be reranked.
        progress: told how many more questions are embedded.

    Returns:
        JSON-ready: `dataset`, `split`, `queries`, `multi_queries` (more than one relevant object),
        `objects`, `embedder`, `ceiling` (share of queries whose relevant objects are all among the
        candidates, those of the rankers' `retriever` alone and with those that joined, those of a
        system with another, and `NAME, joined` where a system lets others join), and `results`:
        for each ranker its `parameters`, `metrics` (fractions over `all` queries and over the
        `multi` ones), their `intervals` (95 % by the percentile bootstrap over queries, 2,000
        resamples, always the same) and `seconds` (compilation apart); for each but the first also
        `versus` the first: its `ranker`, the paired `differences` of the metrics with their
        `intervals`, and `wins` and `losses`, the numbers of queries whose PR@10 only the one or the
        other has. A row of a system has its name as `system`, and as `ranker` either the same or
        `base`, for its retriever alone.
        Where queries have a `level` of complexity, `levels` tells how many `queries` are of each,
        and their R@5.

    Raises:
        InputError: for an unknown split, malformed judgements, or nothing to compare.
    """
    rankings = rank_all(
        index,
        split,
        rerankers,
        systems=systems,
        expand=expand,
        candidates=candidates,
        progress=progress,
    )
    return compare(rankings, split=split, dataset=dataset)


def rank_all(
    index: Index,
    split: str,
    rerankers: Sequence[Reranker] = (),
    *,
    systems: Sequence[System] = (),
    expand: bool | Sequence[str] = False,
    candidates: int = CANDIDATES,
    progress: Progress = no_progress,
) -> list[Ranking]:
    """The rankings that `evaluate` compares, one a row, with its arguments and errors."""
    own = Retrieval(candidates=candidates, expand=expand)
    retrievals: list[Finder] = [own] if rerankers else []
    rows: list[tuple[Finder, ChosenRanker, str, str]] = [(own, one, "", "") for one in rerankers]
    for number, system in enumerate(systems):
        if system.name in (other.name for other in systems[:number]):
            raise InputError(f"systems: {system.name!r} stands twice; give each a name of its own")
        base = system.retrieval.base
        if base not in retrievals:
            retrievals.append(base)
            rows.append((base, Reranker(ranker="base"), "base", system.name))
        if system.retrieval not in retrievals:
            retrievals.append(system.retrieval)
        rows.append((system.retrieval, system.reranker, system.name, system.name))
    if not rows:
        raise InputError("rerankers: there are none, nor systems; give one of either")
    runs = [JudgedRun.by(retrieval, index, split, progress=progress) for retrieval in retrievals]
    return [
        Ranking.of(run, reranker, name=name, system=of)
        for retrieval, reranker, name, of in rows
        for run in runs
        if run.retrieval == retrieval
    ]


def compare(rankings: Sequence[Ranking], *, split: str, dataset: str = "") -> dict[str, Any]:
    """What `evaluate` returns, of rankings of the same questions."""
    runs: dict[str, JudgedRun] = {}
    for ranking in rankings:
        name = ranking.system or "retriever"
        if not any(ranking.run is known for known in runs.values()):
            runs[f"{name}, joined" if name in runs else name] = ranking.run
    ceiling = {name: run.ceiling(run.candidates.rows.shape[1]) for name, run in runs.items()}
    run = rankings[0].run
    if "retriever" in ceiling and isinstance(run.retrieval, Retrieval) and run.retrieval.expand:
        ceiling["expanded"] = ceiling["retriever"]
        ceiling["retriever"] = run.ceiling(run.retrieval.candidates)
    return {
        "dataset": dataset,
        "split": split,
        "queries": len(run.judgements),
        "multi_queries": int(run.multi.sum()),
        "objects": len(run.index.ids),
        "embedder": run.index.embedder.name,
        "ceiling": ceiling,
        "results": [
            ranking.report() | ({"versus": ranking.versus(rankings[0])} if place else {})
            for place, ranking in enumerate(rankings)
        ],
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


def _ir_measures(ranking: Ranking) -> dict[str, Float[ndarray, " B"]]:
    ir = require("ir_measures")
    ids = np.asarray(ranking.run.index.ids, object)
    ranked = {
        str(query): {
            str(identity): float(-rank) for rank, identity in enumerate(ids[rows[rows != EMPTY]])
        }
        for query, rows in enumerate(ranking.rows)
    }
    by_query = ranking.run.judgements.values()
    judged = {str(query): dict(by_id) for query, by_id in enumerate(by_query)}
    values = {name: np.zeros(len(judged)) for name in MEASURES}
    measures = {ir.parse_measure(name): name for name in MEASURES}
    for metric in ir.iter_calc(list(measures), judged, ranked):
        values[measures[metric.measure]][int(metric.query_id)] = metric.value
    return values


def _g_rag_measures(ranking: Ranking) -> dict[str, Float[ndarray, " B"]]:
    hits, counts, scores = ranking.hits, ranking.run.relevant_counts, ranking.scores
    values = {
        "MRR": kernels.mean_reciprocal_rank(hits, counts),
        f"MHits@{HITS}": kernels.mean_hits(hits, counts, HITS),
        "MTRR": kernels.mean_reciprocal_rank(hits, counts, scores=scores),
        f"TMHits@{HITS}": kernels.mean_hits(hits, counts, HITS, scores=scores),
    }
    return {name: np.asarray(of_questions, float) for name, of_questions in values.items()}


def _over(values: Float[ndarray, " B"], multi: Bool[ndarray, " B"]) -> dict[str, float | None]:
    return {
        "all": float(values.mean()),
        "multi": float(values[multi].mean()) if multi.any() else None,
    }


def _by_level(
    values: Float[ndarray, " B"], levels: Sequence[int | None]
) -> dict[str, dict[str, Any]]:
    known = sorted({level for level in levels if level is not None})
    chosen = {level: [one == level for one in levels] for level in known}
    return {
        str(level): {"queries": sum(those), LEVELS_BY: float(values[those].mean())}
        for level, those in chosen.items()
    }


def _means(
    values: Mapping[str, Float[ndarray, " B"]], multi: Bool[ndarray, " B"]
) -> dict[str, dict[str, float | None]]:
    return {name: _over(of_questions, multi) for name, of_questions in values.items()}


def _intervals(
    values: Mapping[str, Float[ndarray, " B"]], multi: Bool[ndarray, " B"]
) -> dict[str, dict[str, list[float] | None]]:
    table = np.stack(list(values.values()), axis=1)
    over_all = bootstrap(table)
    over_multi = bootstrap(table[multi]) if multi.any() else [None] * len(over_all)
    return {
        name: {"all": every, "multi": several}
        for name, every, several in zip(values, over_all, over_multi, strict=True)
    }


def bootstrap(table: Float[ndarray, "B m"]) -> list[Any]:
    """Where 95 % of the means over resampled questions lie: the percentile bootstrap.

    Args:
        table: `[B, m]` a column a metric.

    Returns:
        For each metric the lower and the upper end.
    """
    n, rng = len(table), np.random.default_rng(_SEED)
    # How often each question is drawn is all that a mean needs, and fits the caches.
    drawn = (np.bincount(rng.integers(n, size=n), minlength=n) for _ in range(RESAMPLES))
    means = np.stack([times @ table for times in drawn]) / n
    return np.quantile(means, _INTERVAL, axis=0).T.tolist()


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
