"""A ranker's results on judged questions, and the comparison with another ranking."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import jax
import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.evaluation.figures import Figure, intervals, means
from grapher_jax.evaluation.join_recall import join_measures, table_measures
from grapher_jax.evaluation.judged import JudgedRun
from grapher_jax.evaluation.measures import Values, g_rag_measures, ir_measures, perfect_recall
from grapher_jax.evaluation.other_runs import RunRetrieval
from grapher_jax.evaluation.reports import Gain, Level, RankingReport
from grapher_jax.files import Json
from grapher_jax.rankers.moved import moved
from grapher_jax.rankers.running import at_places
from grapher_jax.systems import Retrieval
from grapher_jax.systems.chosen import ChosenRanker

# The metric that is reported by level.
LEVELS_BY = "R@5"
# A ranker wins a question if this metric is 1 for it and 0 for the other ranker.
WON_BY = "PR@10"
# A report says whether this many first results differ from the retriever's.
MOVED_WITHIN = 10


@dataclass(frozen=True)
class Ranking:
    """A ranker's results on judged questions.

    Attributes:
        run: the questions with their candidates.
        reranker: ranks the candidates.
        positions: `[B, n]` positions in the candidate list, best first; -1 if there are fewer.
        scores: `[B, n]` the ranker's scores in this order; -inf if there are fewer.
        seconds: the times of `retrieve`, `rerank` and `compile`.
        name: its name in reports; by default that of its ranker.
        system: the name of the system to which it belongs, if any.
        tables: whether to also measure the sets of tables made from it.
    """

    run: JudgedRun
    reranker: ChosenRanker
    positions: Int[ndarray, "B n"]
    scores: Float[ndarray, "B n"]
    seconds: Mapping[str, float]
    name: str = ""
    system: str = ""
    tables: bool = False

    @classmethod
    def from_run(
        cls,
        run: JudgedRun,
        reranker: ChosenRanker,
        *,
        name: str = "",
        system: str = "",
        tables: bool = False,
    ) -> "Ranking":
        """Rank all candidates; raises as `ChosenRanker.rank`."""
        n = run.candidates.rows.shape[1]
        if (choice := reranker.choice(run.index, width=n)) is not None:
            name = name or f"auto ({choice.ranker})"
            reranker = reranker.taking(choice)
        started = time.perf_counter()
        with _compilation() as compiled:
            order = reranker.rank(run.index, run.candidates, k=n)
        elapsed = time.perf_counter() - started
        seconds = {
            "retrieve": run.seconds,
            "rerank": elapsed - compiled.seconds,
            "compile": compiled.seconds,
        }
        return cls(run, reranker, order.positions, order.scores, seconds, name, system, tables)

    @cached_property
    def rows(self) -> Int[ndarray, "B n"]:
        """The objects, best first; -1 if there are fewer."""
        return at_places(self.run.candidates.rows, self.positions)

    @cached_property
    def hits(self) -> Bool[ndarray, "B n"]:
        """Which of `rows` are relevant, see `JudgedRun.hits`."""
        return self.run.hits(self.rows)

    @cached_property
    def values(self) -> Values:
        """Each metric for each question, as a fraction."""
        run, counts = self.run, self.run.relevant_counts
        return {
            **perfect_recall(self.hits, counts),
            **ir_measures(run.names(self.rows), run.judgements),
            **g_rag_measures(self.hits, counts, self.scores),
            **join_measures(run, self.rows),
            **(table_measures(run, self.rows, self.scores) if self.tables else {}),
        }

    @property
    def ranks(self) -> dict[str, dict[str, int | None]]:
        """For each question, the rank of every relevant object; None if it is no candidate."""
        names, queries = self.run.names(self.rows), list(self.run.judgements)
        found: dict[str, dict[str, int | None]] = {
            query: {name: None for name, grade in grades.items() if grade > 0}
            for query, grades in self.run.judgements.items()
        }
        for place, before in np.argwhere(self.hits).tolist():
            found[queries[place]][names[place][before]] = before + 1
        return found

    @property
    def label(self) -> str:
        """Its name in reports."""
        return self.name or self.reranker.name

    def report(self) -> RankingReport:
        """The means of the metrics, with the parameters of the ranking."""
        return RankingReport(
            ranker=self.label,
            system=self.system,
            parameters=self._parameters,
            metrics=means(self.values, self.run.multi),
            intervals=intervals(self.values, self.run.multi),
            levels=self._levels,
            seconds=dict(self.seconds),
            moved=self.moved,
            ranks=self.ranks,
        )

    @cached_property
    def moved(self) -> int | None:
        """The number of questions whose first ten differ from the retriever's; None for `base`."""
        if self.reranker.ranker == "base":
            return None
        return int(moved(self.run.candidates, self.positions, k=MOVED_WITHIN).sum())

    def versus(self, other: "Ranking") -> Gain:
        """The gain of this ranking over another for the same questions."""
        pairs = {name: values - other.values[name] for name, values in self.values.items()}
        multi, gained = self.run.multi, pairs[WON_BY]
        wins, losses = (
            Figure(int(those.sum()), int(those[multi].sum())) for those in (gained > 0, gained < 0)
        )
        return Gain(
            ranker=other.label,
            system=other.system,
            differences=means(pairs, multi),
            intervals=intervals(pairs, multi),
            wins=wins,
            losses=losses,
        )

    @property
    def _parameters(self) -> dict[str, Json]:
        index = self.run.index
        found_by = self.run.retrieval
        told = self.system or isinstance(found_by, RunRetrieval)
        retrieval = found_by.over(index) if told else {}
        if isinstance(found_by, Retrieval) and found_by.expands:
            retrieval |= {"expand": found_by.expands}
        return retrieval | self.reranker.parameters(index)

    @property
    def _levels(self) -> dict[str, Level]:
        """The mean of `LEVELS_BY` for each level."""
        levels = self.run.levels
        known = sorted({level for level in levels if level is not None})
        known.sort(key=len)  # 2 before 10
        chosen = {level: [one == level for one in levels] for level in known}
        values = self.values[LEVELS_BY]
        return {
            level: Level(queries=sum(own), metric=LEVELS_BY, mean=float(values[own].mean()))
            for level, own in chosen.items()
        }


@dataclass
class _Compiled:
    seconds: float = 0.0


@contextmanager
def _compilation() -> Iterator[_Compiled]:
    """Measure the time that JAX spends on compilation in this context."""
    spent = _Compiled()

    def count(event: str, duration_secs: float, **_: object) -> None:
        if event.startswith("/jax/core/compile/"):
            spent.seconds += duration_secs

    jax.monitoring.register_event_duration_secs_listener(count)
    try:
        yield spent
    finally:
        jax.monitoring.unregister_event_duration_listener(count)
