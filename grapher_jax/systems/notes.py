"""What to say where a ranking moved nothing, or no object joined: why, and what would help."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.graph import EMPTY, Steps, connecting_keys
from grapher_jax.index import IndexData
from grapher_jax.rankers.fixed_point import FIXED_POINTS
from grapher_jax.rankers.moved import moved
from grapher_jax.rankers.running import Order, best_first
from grapher_jax.retrieve.collection import Candidates
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.systems.system import Finder, Retrieval, System

# The best of a question's candidates, whose neighbours are looked at.
_BEST = 10


def search_notes(
    system: System, index: IndexData, candidates: Candidates, order: Order, *, name: str, k: int
) -> list[str]:
    """What to say of a search: that nothing joined, and that nothing moved; mostly nothing.

    Args:
        system: found and ranked the candidates.
        index: what they are rows of.
        candidates: of one question.
        order: of them.
        name: what a report calls the ranking.
        k: how many results were asked for.
    """
    notes = [expand_note(system.retrieval, index, candidates)]
    several = (candidates.rows != EMPTY).sum() > 1
    if (
        several
        and system.reranker.ranker != "base"
        and not moved(candidates, order.positions, k=k).any()
    ):
        notes.append(unmoved_note(system.reranker, index, candidates, name=name, k=k))
    return [note for note in notes if note]


def unmoved_note(
    reranker: ChosenRanker,
    index: IndexData,
    candidates: Candidates,
    *,
    name: str,
    k: int,
    questions: str = "",
) -> str:
    """Why a ranking moved nothing, and what would.

    Args:
        reranker: ranked them, and is not `base`.
        index: what the candidates are rows of.
        candidates: of one question or many, none of whose first k changed.
        name: what a report calls the ranking.
        k: how many were looked at.
        questions: of how many questions, in words; empty for the one that was asked.
    """
    own = int((candidates.rows != EMPTY).sum(axis=1).max(initial=0))
    if own > k:
        told = f"{name} moved nothing into or out of the first {k}{questions}"
    else:
        told = f"{name} left the order of all {own} candidates as it was{questions}"
    return f"{told}: {_cause(reranker, index, candidates)}"


def expand_note(retrieval: Finder, index: IndexData, candidates: Candidates) -> str:
    """Why no object joined the candidates, where some were to; empty where any did.

    Args:
        retrieval: found them.
        index: what they are rows of.
        candidates: of one question or many.
    """
    if not isinstance(retrieval, Retrieval) or not retrieval.expand:
        return ""
    total, asked = len(index.ids), retrieval.options_of(index.options).candidates
    if total <= asked:
        return (
            f"expand: all {total} objects are among the candidates already; it adds something "
            f"where there are more than {asked}"
        )
    if (candidates.rows[:, asked:] != EMPTY).any():
        return ""
    if not index.graph.proximities():
        return f"expand: {_nothing_joins(index)}"
    return "expand: no object one step from the best candidates is not among them already"


def _cause(reranker: ChosenRanker, index: IndexData, candidates: Candidates) -> str:
    if not reranker.opened.needs.proximities:
        return "try another system, or the ranker auto"
    joining = reranker.joining(index.graph)
    if not joining:
        return _nothing_joins(index)
    if not _joined(index, candidates, joining):
        keys = f"keys that join objects ({_keys(index)}) would help"
        other = "" if candidates.rows.shape[1] >= len(index.ids) else ", or expand"
        return f"none of the best is joined to a candidate; {keys}{other}"
    others = ", ".join(one for one in ("diffusion", "ppr", "gat", "gcs") if one != reranker.name)
    alpha = reranker.parameters(index).get("alpha")
    lower = f", or an alpha below {alpha}" if reranker.ranker in FIXED_POINTS and alpha else ""
    return f"the candidates are joined, but too weakly for it; try the ranker {others}{lower}"


def _keys(index: IndexData) -> str:
    return ", ".join(connecting_keys(index.graph.rows))


def _nothing_joins(index: IndexData) -> str:
    return (
        f"no object joins any other; their metadata needs {_keys(index)} (a "
        "database's foreign keys are read, `grapher-jax enrich` finds entities)"
    )


def _joined(index: IndexData, candidates: Candidates, proximities: Sequence[str]) -> bool:
    """Whether one of the best candidates of any question is one step from another candidate."""
    order = best_first(candidates.rows, candidates.scores)[:, :_BEST]
    best = np.take_along_axis(candidates.rows, order, axis=1)
    steps = Steps(index.graph)
    return any(
        _any_near(steps.from_best(own[:, None], proximities=proximities), own, rows)
        for own, rows in zip(best, candidates.rows, strict=True)
    )


def _any_near(
    reached: Int[ndarray, "m l"], own: Int[ndarray, " m"], rows: Int[ndarray, " n"]
) -> bool:
    others = (reached != own[:, None]) & (reached != EMPTY)
    return bool((np.isin(reached, rows) & others).any())
