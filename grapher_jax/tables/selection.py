"""A choice of tables that belong together: one set, grown along the keys from a ranking."""

import re
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.graph import EMPTY
from grapher_jax.tables.schema import Schema
from grapher_jax.text import STOP_WORDS

# Chosen on BIRD's and Spider's train splits. The first is in units of the gap between the best
# score and the tenth: a table that is joined to a chosen one counts e^JOINED = 2 times as much.
JOINED = float(np.log(2))
# How near to a phrase's best table another must be, in cosine, to cover the phrase almost as well.
NEAR = 0.1
_FIRST = 10


def select_tables(
    rows: Sequence[int] | Int[ndarray, " n"],
    scores: Sequence[float] | Float[ndarray, " n"],
    schema: Schema,
    *,
    k: int,
    coverage: Float[ndarray, " n"] | None = None,
) -> list[int]:
    """The tables of an answer, of which the first few are the answer of fewer tables.

    One after another is chosen by its score in units of the gap between the best and the tenth,
    plus its coverage, plus `JOINED` where a key joins it to a table that is already chosen.

    Args:
        rows: the ranked tables, best first; -1 where there are fewer.
        scores: a ranker's, of any scale.
        schema: what joins the tables.
        k: how many tables at most.
        coverage: see `coverage`; none by default.

    Returns:
        At most `k` rows, in the order in which they were chosen.
    """
    rows, given = np.asarray(rows, int), np.asarray(scores, float)
    kept = np.flatnonzero((rows != EMPTY) & np.isfinite(given))
    rows, value = rows[kept], _by_gap(given[kept])
    if coverage is not None:
        value += np.asarray(coverage)[kept]
    place = np.full(len(schema.ids), EMPTY)
    place[rows] = np.arange(len(rows))
    ends = place[schema.ends]
    left, right = ends[(ends != EMPTY).all(1)].T
    chosen: list[int] = []
    bonus = np.zeros(len(rows))
    for _ in range(min(k, len(rows))):
        best = int(np.argmax(value + bonus))
        chosen.append(int(rows[best]))
        bonus[right[left == best]] = bonus[left[right == best]] = JOINED
        value[best] = -np.inf
    return chosen


def coverage(
    phrases: Float[ndarray, "p d"], columns: Float[ndarray, "c d"], tables: Int[ndarray, " c"]
) -> Float[ndarray, " n"]:
    """How much of a question each table covers, from 0 to 1.

    A phrase is covered by the column that is nearest to it: wholly in the best table, and in
    another e times less for each `NEAR` that its nearest column is further away.

    Args:
        phrases: `[p, d]` the vectors of the question's phrases, of unit length.
        columns: `[c, d]` those of the tables' names and columns, table by table.
        tables: `[c]` whose each is: 0 for the first table, and so on without a gap.
    """
    starts = np.flatnonzero(np.diff(tables, prepend=-1))
    near = np.maximum.reduceat(columns @ phrases.T, starts)
    covered: Float[ndarray, " n"] = np.exp((near - near.max(0)) / NEAR).mean(1)
    return covered


def phrases_of(question: str) -> list[str]:
    """The runs of words between stop words and punctuation, each once; at least one.

    The stop words are English; a question in another language is parted at punctuation alone.
    """
    runs: list[list[str]] = [[]]
    for word in re.findall(r"[\w']+|[^\w\s]", question):
        if word.casefold() in STOP_WORDS or not word[0].isalnum():
            runs.append([])
        else:
            runs[-1].append(word)
    return list(dict.fromkeys(" ".join(run) for run in runs if run)) or [question]


def _by_gap(scores: Float[ndarray, " n"]) -> Float[ndarray, " n"]:
    """Scores in units of the gap between the best and the tenth; 0 where all are equal."""
    if not len(scores):
        return scores
    ordered = -np.sort(-scores)
    gaps = ordered[0] - ordered
    gap = gaps[:_FIRST][-1] or gaps[-1]  # ten or more may share the best score
    return (scores - ordered[0]) / (gap or 1.0)
