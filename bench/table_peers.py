"""Published ways to choose a set of tables, as far as they need no language model.

Each takes what `Asked` holds and returns places of candidates. What all have in common here: the
candidates, their scores, the phrases of the question in the place of sub-questions that a language
model would write, the cosines of phrases and columns, and the keys in the place of compatibilities
guessed from names and values. A weight is chosen on train splits, see `table_selection.py`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.optimize import Bounds, LinearConstraint, milp

from grapher_jax.text import STOP_WORDS


@dataclass(frozen=True)
class Asked:
    """A question with its candidates, best first.

    Attributes:
        rows: `[n]` the candidates.
        scores: `[n]` the retriever's.
        near: `[p, n]` the cosine of each phrase and the candidate's nearest column.
        joined: `[n, n]` whether a key joins two candidates.
        columns: `[n, n]` the cosine of the nearest columns of two candidates.
    """

    rows: Int[ndarray, " n"]
    scores: Float[ndarray, " n"]
    near: Float[ndarray, "p n"]
    joined: Bool[ndarray, "n n"]
    columns: Float[ndarray, "n n"]

    def first(self, n: int) -> "Asked":
        """The same with the first n candidates."""
        return Asked(
            self.rows[:n],
            self.scores[:n],
            self.near[:, :n],
            self.joined[:n, :n],
            self.columns[:n, :n],
        )


Choice = Callable[..., list[int]]


def phrases_of(question: str) -> list[str]:
    """The runs of words between stop words and punctuation, each once; at least one."""
    runs: list[list[str]] = [[]]
    for word in re.findall(r"[\w']+|[^\w\s]", question):
        if word.casefold() in STOP_WORDS or not word[0].isalnum():
            runs.append([])
        else:
            runs[-1].append(word)
    return list(dict.fromkeys(" ".join(run) for run in runs if run)) or [question]


def jar(
    asked: Asked, k: int, *, candidates: int = 30, coverage: float = 0.3, joins: float = 0.3
) -> list[int]:
    """Join-aware retrieval by a mixed-integer program (JAR, arXiv 2404.09889).

    Maximises the sum of the chosen tables' scores, plus `coverage` times the cosine by which each
    phrase is covered (by one chosen table), plus `joins` for each key of a spanning forest. As in
    the paper a flow counts the connected pieces. Simplified: the paper has one piece, which no set
    of ten tables of a small database is, so here each further piece forgoes a key; columns are the
    best of their table beforehand; a key is a key, without a degree of compatibility; the constant
    for a phrase being covered at all is left out, since every phrase always is.

    Args:
        asked: the question.
        k: how many tables.
        candidates: among how many.
        coverage: weight.
        joins: weight.
    """
    asked = asked.first(max(candidates, k))
    n, phrases, (source, target) = len(asked.rows), len(asked.near), np.nonzero(asked.joined)
    if n <= k:
        return list(range(n))
    # Chosen tables, where a piece begins, what is supplied there, what flows along each key in
    # either direction, and which table covers a phrase.
    sizes = {"chosen": n, "begins": n, "supply": n, "flow": len(source), "covers": phrases * n}
    one = np.eye(n)

    def bound(low: float, high: float, **parts: ndarray) -> LinearConstraint:
        height = len(next(iter(parts.values())))
        every = [parts.get(name, np.zeros((height, size))) for name, size in sizes.items()]
        return LinearConstraint(np.hstack(every), low, high)

    constraints = [
        # What begins a piece, supplies, sends or covers is chosen.
        bound(-np.inf, 0, chosen=-one, begins=one),
        bound(-np.inf, 0, begins=-k * one, supply=one),
        bound(-np.inf, 0, chosen=-k * one, flow=one[:, source]),
        bound(-np.inf, 0, chosen=-np.tile(one, (phrases, 1)), covers=np.eye(phrases * n)),
        bound(-np.inf, 1, covers=np.kron(np.eye(phrases), np.ones((1, n)))),
        # Each chosen table keeps one unit of what flows into it.
        bound(0, 0, chosen=-one, supply=one, flow=one[:, target] - one[:, source]),
        bound(k, k, chosen=np.ones((1, n))),
    ]
    gain = {"chosen": asked.scores, "begins": np.full(n, -joins)}
    gain["covers"] = coverage * asked.near.ravel()
    upper = {"supply": float(k), "flow": float(k)}
    found = milp(
        -np.concatenate([gain.get(name, np.zeros(size)) for name, size in sizes.items()]),
        constraints=constraints,
        bounds=Bounds(0, np.repeat([upper.get(name, 1.0) for name in sizes], [*sizes.values()])),
        integrality=np.repeat([name in ("chosen", "begins") for name in sizes], [*sizes.values()]),
        options={"time_limit": 60.0},
    )
    return list(range(k)) if found.x is None else np.flatnonzero(np.round(found.x[:n])).tolist()


def greedy(
    asked: Asked, k: int, *, candidates: int = 50, coverage: float = 1.0, joins: float = 0.2
) -> list[int]:
    """Greedy join-aware retrieval (arXiv 2511.13418).

    One table after another by its score, plus `coverage` times what it adds to the cosines by which
    the phrases are covered, plus `joins` where a key joins it to a chosen one. Simplified: phrases
    are not weighted, and a key is a key.

    Args:
        asked: the question.
        k: how many tables.
        candidates: among how many.
        coverage: weight, of the mean over the phrases.
        joins: weight.
    """
    asked = asked.first(max(candidates, k))
    covered = np.zeros(len(asked.near))
    joined = np.zeros(len(asked.rows))
    free = np.zeros(len(asked.rows))
    chosen: list[int] = []
    for _ in range(min(k, len(asked.rows))):
        more = np.maximum(asked.near - covered[:, None], 0).mean(0)
        best = int(np.argmax(asked.scores + coverage * more + joins * joined + free))
        chosen.append(best)
        free[best] = -np.inf
        covered = np.maximum(covered, asked.near[:, best])
        joined = np.maximum(joined, asked.joined[best])
    return chosen


def rear(
    asked: Asked, k: int, *, retrieved: int = 15, expanded: int = 1, joins: float = 1.0
) -> list[int]:
    """Retrieve, expand and refine (REaR, arXiv 2511.00805).

    Each of the best few tables brings in the tables whose columns are nearest to its own, a key
    counting as the same column; what is so found is pruned to k tables by score plus `joins` times
    the mean of the best score that joins it. Simplified: cosines alone in the place of a
    cross-encoder, in expansion and in pruning.

    Args:
        asked: the question.
        k: how many tables.
        retrieved: how many tables, beside k, are there before expansion.
        expanded: how many each of them brings in.
        joins: weight.
    """
    base = np.arange(min(k + retrieved, len(asked.rows)))
    joinable = np.where(asked.joined, 1.0, asked.columns)
    np.fill_diagonal(joinable, 0)
    brought = np.argsort(-joinable[base], axis=1, kind="stable")[:, :expanded]
    pool = np.union1d(base, brought)
    refined = asked.scores[pool] + joins * (joinable[pool][:, base] * asked.scores[base]).max(1)
    return pool[np.argsort(-refined, kind="stable")[:k]].tolist()


def core_t(asked: Asked, k: int, *, share: float = 0.5) -> list[int]:
    """The additive adjustment of CORE-T (arXiv 2601.13111).

    The best tables are taken, and each adds the table that goes with it best, if a key joins them.
    Simplified: the paper's language model selects the tables, here the retriever does, and a key
    is a key, so that of several joined tables the best score decides.

    Args:
        asked: the question.
        k: how many tables.
        share: of them that the retriever selects; it also fills what is not added.
    """
    selected = max(1, round(share * k))
    chosen = dict.fromkeys(range(min(selected, len(asked.rows))))
    for place in list(chosen):
        with_it = np.flatnonzero(asked.joined[place])
        if len(with_it):
            chosen.setdefault(int(with_it[0]))
    added = sorted(place for place in chosen if place >= selected)
    order = [*range(min(selected, len(asked.rows))), *added, *range(len(asked.rows))]
    return list(dict.fromkeys(order))[:k]


PEERS: Mapping[str, Choice] = {
    "JAR": jar,
    "greedy join-aware": greedy,
    "REaR": rear,
    "CORE-T's adjustment": core_t,
}
