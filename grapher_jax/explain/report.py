"""One question before and after, with its candidate graph: what text, JSON and page show."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.graph import EMPTY
from grapher_jax.rankers.explanation import Explanation, relations
from grapher_jax.rankers.joins import Join
from grapher_jax.shapes import candidate_bucket, pad

if TYPE_CHECKING:
    from grapher_jax.rankers.hits import Hit
    from grapher_jax.rerank import Reranker
    from grapher_jax.search import Index
    from grapher_jax.systems import System
    from grapher_jax.systems.chosen import ChosenRanker

# Smaller shares are counted among the rest, as are all but so many sources.
WORTH_SAYING, _NAMED_SOURCES = 0.01, 3
_ROUNDED = 0.005

_Row = Mapping[str, Any]
Joined = dict[tuple[str, str], tuple[Join, ...]]


def explain_question(
    index: "Index",
    question: str,
    *,
    k: int = 10,
    ranker: "str | Reranker" = "gcs",
    filter: Mapping[str, Any] | None = None,  # noqa: A002
    system: "System | None" = None,
    relevant: Collection[str] | None = None,
) -> dict[str, Any]:
    """Ask an index, and say why each result stands where it stands.

    Args:
        index: what is asked.
        question: not empty.
        k: how many results, at least 1.
        ranker: a ranker's name, or a `Reranker` with its own parameters.
        filter: metadata keys with the values that candidates must have.
        system: a published method, or a ranker behind a retriever, instead of `ranker`.
        relevant: the ids of what answers the question, where that is known.

    Returns:
        JSON-ready values, which `render_page` draws: `question`, `ranker`, `parameters`, `k`; the
        best k by the retriever alone, `before`, and as ranked, `results`; `nodes`, all candidates;
        and `edges`, each once, with `source`, `target`, `relations` and `joins`. An object has
        `id`, `title`, `rank` and `score` (None where the ranker dropped it), `base_rank` and
        `base_score`, where `relevant` is given whether it is `relevant`; before and results have
        their `text`, and results an `explanation`.

    Raises:
        InputError: as `Index.search`.
    """
    from grapher_jax.rankers.running import Order, best_first, check_k
    from grapher_jax.rerank import Reranker
    from grapher_jax.retrieve import CANDIDATES
    from grapher_jax.systems import System

    check_k(k)
    if system is None:
        reranker = ranker if isinstance(ranker, Reranker) else Reranker(ranker=ranker)
        system = System.from_reranker(reranker, candidates=max(k, CANDIDATES))
    found = system.retrieve(index, [question], filters=[filter])
    order = system.rank(index, found, k=found.rows.shape[1])
    first = best_first(found.rows, found.scores)
    by_retriever = Order(
        np.where(np.take_along_axis(found.rows, first, axis=1) == EMPTY, EMPTY, first),
        np.take_along_axis(found.scores, first, axis=1),
    )

    def hits(order: Order) -> "list[Hit]":
        return system.reranker.hits(index, found, order)[0]

    before, after = hits(by_retriever), hits(order)
    ranked = {hit.id: hit for hit in after}

    def describe(hit: "Hit") -> dict[str, Any]:
        now = ranked.get(hit.id)
        described = {
            "id": hit.id,
            "title": hit.title,
            "rank": now and now.rank,
            "score": now and now.score,
            "base_rank": hit.base_rank,
            "base_score": hit.base_score,
        }
        return described | ({} if relevant is None else {"relevant": hit.id in relevant})

    # Of a fixed point all are explained at once, so those k alone are asked for.
    best = hits(Order(order.positions[:, :k], order.scores[:, :k]))
    if system.reranker.opened.needs.proximities:
        joined = _by_proximities(index, found.rows[0], system.reranker)
    else:
        joined = _by_explanations([hit.explanation for hit in after])
    return {
        "question": question,
        "ranker": system.name,
        "parameters": system.parameters(index),
        "k": k,
        "before": [describe(hit) | {"text": hit.text} for hit in before[:k]],
        "results": [
            describe(hit) | {"text": hit.text, "explanation": hit.explanation.to_dict()}
            for hit in best
        ],
        "nodes": [describe(hit) for hit in before],
        "edges": [
            {
                "source": source,
                "target": target,
                "relations": list(dict.fromkeys(join.relation for join in joins)),
                "joins": [join.to_dict() for join in joins],
            }
            for (source, target), joins in joined.items()
        ],
    }


def main_sources(explanation: _Row) -> tuple[list[_Row], list[_Row]]:
    """The sources worth naming, the result's own part among them, and the rest.

    The rest are none where they have no part to speak of; of a network's neighbours, nobody has.
    """
    named: list[_Row] = []
    rest: list[_Row] = []
    for number, source in enumerate(explanation["sources"]):
        told = source["share"] is None or abs(source["share"]) >= WORTH_SAYING
        first = number < _NAMED_SOURCES or source["id"] == explanation["id"]
        (named if told and first else rest).append(source)
    heard = explanation["learned"] or abs(sum(source["share"] for source in rest)) >= _ROUNDED
    return named, rest if heard else []


def display_names(report: _Row) -> dict[str, str]:
    """What each candidate is called: by its title where that is no other's, else by its id."""
    named = Counter(name for row in report["nodes"] for name in {row["id"], row["title"]})
    return {
        row["id"]: row["title"] if row["title"] and named[row["title"]] == 1 else row["id"]
        for row in report["nodes"]
    }


def _by_proximities(
    index: "Index",
    rows: Int[ndarray, " n"],
    reranker: "ChosenRanker",
) -> Joined:
    joins = reranker.joins(index)
    by: dict[tuple[int, int], list[str]] = {}
    rows = pad(rows, (candidate_bucket(len(rows)),), EMPTY)
    graph = relations(index.graph, rows, reranker.joining(index.graph), max_df=joins.max_df)
    for name, adjacency in graph.items():
        for i, j in np.argwhere(np.triu(adjacency + adjacency.T)):
            by.setdefault((int(rows[i]), int(rows[j])), []).append(name)
    return {
        (index.ids[one], index.ids[other]): joins.between(one, other, names)
        for (one, other), names in by.items()
    }


def _by_explanations(explanations: Sequence[Explanation]) -> Joined:
    """Of rankers with relations of their own: among the results, whoever their sources name."""
    known = {explanation.id for explanation in explanations}
    joined: Joined = {}
    for explanation in explanations:
        for source in explanation.sources:
            if source.id in known and (source.id, explanation.id) not in joined and source.joins:
                joined[explanation.id, source.id] = source.joins
    return joined
