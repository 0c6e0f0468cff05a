"""Notes on why a ranking changed nothing or no object was added, and what would help."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.graph import EMPTY, MAX_DF, Steps, connecting_keys
from grapher_jax.index import IndexData
from grapher_jax.rankers.auto import AUTO
from grapher_jax.rankers.fixed_point import FIXED_POINTS
from grapher_jax.rankers.moved import moved
from grapher_jax.rankers.running import Order
from grapher_jax.retrieve.collection import Candidates, best_first
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.systems.system import Finder, Retrieval, System

# The number of best candidates of a question whose neighbours are checked.
_BEST = 10


def search_notes(
    system: System, index: IndexData, candidates: Candidates, order: Order, *, name: str, k: int
) -> list[str]:
    """The notes on a search: that no object was added, or no rank changed; usually empty.

    Args:
        system: the system that found and ranked the candidates.
        index: the index of which candidates are rows.
        candidates: the candidates of one question.
        order: the ranking of the candidates.
        name: the name of the ranking in reports.
        k: how many results were requested.
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
    """Explains why a ranking changed nothing, and what to do.

    Args:
        reranker: the reranker, which is not `base`.
        index: the index of which candidates are rows.
        candidates: the candidates of one or more questions, none of whose first k changed.
        name: the name of the ranking in reports.
        k: how many results were compared.
        questions: the number of questions, in words; empty for a single question.
    """
    own = int((candidates.rows != EMPTY).sum(axis=1).max(initial=0))
    if not own:
        return f"{name} had nothing to rank{questions}: there are no candidates"
    if own > k:
        told = f"{name} moved nothing into or out of the first {k}{questions}"
    else:
        told = f"{name} left the order of all {own} candidates as it was{questions}"
    return f"{told}: {_cause(reranker, index, candidates)}"


def expand_note(retrieval: Finder, index: IndexData, candidates: Candidates) -> str:
    """Explains why expansion added no object, if it should; empty if it added any.

    Args:
        retrieval: the retrieval method.
        index: the index of which candidates are rows.
        candidates: the candidates of one or more questions.
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
    steps = Steps(index.graph, to_hubs=True)
    if not _joined(candidates, steps, joining):
        keys = f"keys that join objects ({_keys(index)}) would help"
        other = "" if candidates.rows.shape[1] >= len(index.ids) else ", or expand"
        return f"none of the best is joined to a candidate; {keys}{other}"
    most = reranker.opened.parameters.get("max_df", MAX_DF)
    if most is not None and not _joined(candidates, replace(steps, common=most), joining):
        return (
            f"more than {most} objects have each value that the best share with a candidate; try a "
            "higher max_df"
        )
    if reranker.ranker not in (AUTO, *FIXED_POINTS):
        return "it agrees with the retriever"
    alpha = reranker.parameters(index).get("alpha")
    ways = ["the ranker diffusion"] * (reranker.name != "diffusion")
    ways += [f"an alpha below {alpha}"] if alpha else []
    told = "the candidates are joined, but too weakly for it; to move more, try "
    return told + " or ".join(ways)


def _keys(index: IndexData) -> str:
    return ", ".join(connecting_keys(index.graph.rows))


def _nothing_joins(index: IndexData) -> str:
    return (
        f"no object joins any other; their metadata needs {_keys(index)} (a "
        "database's foreign keys are read, `grapher-jax enrich` finds entities)"
    )


def _joined(candidates: Candidates, steps: Steps, proximities: Sequence[str]) -> bool:
    """Whether one of any question's best candidates is one step from another candidate."""
    order = best_first(candidates.rows, candidates.scores)[:, :_BEST]
    best = np.take_along_axis(candidates.rows, order, axis=1)
    return any(
        _any_near(steps.from_best(own[:, None], proximities=proximities), own, rows)
        for own, rows in zip(best, candidates.rows, strict=True)
    )


def _any_near(
    reached: Int[ndarray, "m l"], own: Int[ndarray, " m"], rows: Int[ndarray, " n"]
) -> bool:
    others = (reached != own[:, None]) & (reached != EMPTY)
    return bool((np.isin(reached, rows) & others).any())
