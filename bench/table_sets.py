"""The quality of sets of objects, of fixed size or of a size that depends on the question."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from grapher_jax.evaluation.ranking import Ranking
from grapher_jax.graph import EMPTY
from grapher_jax.tables.finding import AUTO, Chosen, choose_tables


@dataclass(frozen=True)
class SetFigures:
    """Means over questions.

    Attributes:
        precision: the fraction of a set that is relevant.
        recall: the fraction of relevant objects that are in the set.
        f1: their harmonic mean, per question.
        perfect_recall: the fraction of questions whose relevant objects are all in the set.
        size: the number of objects in a set.
    """

    precision: float
    recall: float
    f1: float
    perfect_recall: float
    size: float


def fixed_sets(ranking: Ranking, k: int) -> list[list[int]]:
    """The first k objects of each question, as rows."""
    return [[int(row) for row in rows[:k] if row != EMPTY] for rows in ranking.rows]


def auto_sets(ranking: Ranking, *, confidence: float | None = None) -> list[Chosen]:
    """The tables that `Index.tables` takes from each ranking with `k="auto"`.

    Args:
        ranking: a ranking of tables.
        confidence: see `auto_size`.
    """
    asked, sets = ranking.run.candidates.questions, []
    for place, query in enumerate(asked.queries):
        known = ranking.rows[place] != EMPTY
        chosen = choose_tables(
            ranking.run.index,
            query.text,
            asked.embeddings[place],
            ranking.rows[place][known],
            ranking.scores[place][known],
            k=AUTO,
            confidence=confidence,
        )
        sets.append(chosen)
    return sets


def set_figures(ranking: Ranking, sets: Sequence[Sequence[int]]) -> SetFigures:
    """The figures for one set of rows per question."""
    ids, found = ranking.run.index.ids, []
    for grades, rows in zip(ranking.run.judgements.values(), sets, strict=True):
        relevant = {name for name, grade in grades.items() if grade > 0}
        hits = len(relevant & {ids[row] for row in rows})
        f1 = 2 * hits / (len(relevant) + len(rows))
        one = SetFigures(
            hits / max(len(rows), 1),
            hits / len(relevant),
            f1,
            float(hits == len(relevant)),
            float(len(rows)),
        )
        found.append(astuple(one))
    return SetFigures(*np.mean(found, axis=0).tolist())
