"""One question before and after reranking, with its graph, for text, JSON and page."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.checks import check_names
from grapher_jax.explain.tree import join_tree
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY
from grapher_jax.graph.joins import Join
from grapher_jax.rankers.explanation import Explanation, relations
from grapher_jax.rankers.hits import Hit
from grapher_jax.rankers.options import DEFAULT_RANKER
from grapher_jax.rankers.running import Order, check_k
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import Candidates
from grapher_jax.retrieve.collection import best_first
from grapher_jax.search import Index
from grapher_jax.shapes import candidate_bucket, pad
from grapher_jax.systems import System
from grapher_jax.systems.chosen import ChosenRanker

# Sources with smaller shares, or beyond this number, are combined into the rest.
_NOTABLE, _NAMED_SOURCES = 0.01, 3
_ROUNDED = 0.005

_Row = Mapping[str, Json]
Joined = dict[tuple[str, str], tuple[Join, ...]]


def explain_question(
    index: Index,
    question: str,
    *,
    k: int = 10,
    ranker: str | Reranker = DEFAULT_RANKER,
    filter: Mapping[str, Json] | None = None,  # noqa: A002
    system: System | None = None,
    relevant: Collection[str] | None = None,
) -> dict[str, Json]:
    """Search an index with one question, and explain the rank of each result.

    Args:
        index: the index to search.
        question: not empty.
        k: how many results, at least 1.
        ranker: a ranker's name, or a `Reranker` with its own parameters.
        filter: a filter on the metadata of candidates, see `Index.search`.
        system: a published method, or a ranker after a retriever, instead of `ranker`.
        relevant: the ids of the objects that answer the question, if known.

    Returns:
        JSON-ready values, which `render_page` draws: `question`, `ranker`, `parameters`, `k`;
        `before`, the best k of the retriever alone; `results`, the best k after reranking; `nodes`,
        all candidates; and `edges`, each once, with `source`, `target`, `relations` and `joins`. An
        object has `id`, `title`, `rank` and `score` (None if the ranker dropped it), `base_rank`
        and `base_score`, and whether it is `relevant`, if `relevant` is given. The objects in
        `before` and `results` also have their `text`, and results an `explanation` with its main
        sources. `tree` says how results that are tables are joined, see `join_tree`.

    Raises:
        InputError: as `Index.search`, and for `relevant` that is no list of ids.
    """
    check_k(k)
    if relevant is not None:
        relevant = frozenset(check_names("relevant", relevant, of="ids"))
    if system is None:
        reranker = ranker if isinstance(ranker, Reranker) else Reranker(ranker=ranker)
        system = System.from_reranker(reranker, k=k)
    system = system.over(index)
    found = system.retrieve(index, [question], filters=[filter])
    order = system.rank(index, found, k=found.rows.shape[1])
    asked = _Asked(index, system, found, order, relevant)
    # Fixed-point rankers explain all hits at once, so only these k are requested.
    best = asked.hits(Order(order.positions[:, :k], order.scores[:, :k]))
    return {
        "question": question,
        "ranker": system.name,
        "parameters": system.parameters(index),
        "k": k,
        "before": [asked.describe(hit) | {"text": hit.text} for hit in asked.before[:k]],
        "results": [
            asked.describe(hit)
            | {"text": hit.text, "explanation": hit.explanation.shortened().to_dict()}
            for hit in best
        ],
        "tree": join_tree(index, [hit.id for hit in best]),
        "nodes": [asked.describe(hit) for hit in asked.before],
        "edges": [_edge(*pair, joins) for pair, joins in asked.joined.items()],
    }


@dataclass(frozen=True)
class _Asked:
    """One question's candidates, in the retriever's order and as ranked.

    Attributes:
        index: the searched index.
        system: the system that found and ranked them.
        found: the candidates.
        order: the ranking of all candidates.
        relevant: the ids of the objects that answer the question, if known.
    """

    index: Index
    system: System
    found: Candidates
    order: Order
    relevant: Collection[str] | None

    def hits(self, order: Order) -> list[Hit]:
        """The hits for an order of the candidates."""
        return self.system.reranker.hits(self.index, self.found, order)[0]

    @cached_property
    def before(self) -> list[Hit]:
        """All candidates in the retriever's order."""
        rows, scores = self.found.rows, self.found.scores
        first = best_first(rows, scores)
        places = np.where(np.take_along_axis(rows, first, axis=1) == EMPTY, EMPTY, first)
        return self.hits(Order(places, np.take_along_axis(scores, first, axis=1)))

    @cached_property
    def ranked(self) -> dict[str, Hit]:
        """All ranked candidates, best first, by id."""
        return {hit.id: hit for hit in self.hits(self.order)}

    @cached_property
    def joined(self) -> Joined:
        """The joins between candidates, each pair once."""
        reranker = self.system.reranker
        if reranker.opened.needs.proximities:
            return _by_proximities(self.index, self.found.rows[0], reranker)
        return _by_explanations([hit.explanation for hit in self.ranked.values()])

    def describe(self, hit: Hit) -> dict[str, Json]:
        """A candidate's ranks and scores, before and after."""
        now = self.ranked.get(hit.id)
        described = {
            "id": hit.id,
            "title": hit.title,
            "rank": now and now.rank,
            "score": now and now.score,
            "base_rank": hit.base_rank,
            "base_score": hit.base_score,
        }
        return described | ({} if self.relevant is None else {"relevant": hit.id in self.relevant})


def _edge(source: str, target: str, joins: Sequence[Join]) -> dict[str, Json]:
    return {
        "source": source,
        "target": target,
        "relations": list(dict.fromkeys(join.relation for join in joins)),
        "joins": [join.to_dict() for join in joins],
    }


def is_notable(source: _Row) -> bool:
    """Whether a source's share is worth showing."""
    return abs(source["share"] or 0) >= _NOTABLE


def main_sources(explanation: _Row) -> tuple[list[_Row], int, float]:
    """The main sources, including the result's own part; the number of others; and their share.

    The number is 0 if the others have no notable share; a network's neighbours have no shares at
    all.
    """
    sources = explanation["sources"]
    named = [
        source
        for number, source in enumerate(sources)
        if (source["share"] is None or is_notable(source))
        and (number < _NAMED_SOURCES or source["id"] == explanation["id"])
    ]
    others = len(sources) - len(named) + explanation.get("left_out", 0)
    if explanation["learned"] or not others:
        return named, others, 0.0
    # Shares sum to 1, except for a score of 0, where all are 0.
    share = any(source["share"] for source in sources) - sum(source["share"] for source in named)
    return (named, others, share) if abs(share) >= _ROUNDED else (named, 0, 0.0)


def display_names(report: _Row) -> dict[str, str]:
    """The display name of each candidate: its title if unique, else its id."""
    named = Counter(name for row in report["nodes"] for name in {row["id"], row["title"]})
    return {
        row["id"]: row["title"] if row["title"] and named[row["title"]] == 1 else row["id"]
        for row in report["nodes"]
    }


def _by_proximities(
    index: Index,
    rows: Int[ndarray, " n"],
    reranker: ChosenRanker,
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
    """The joins for rankers with their own relations: those among results, from their sources."""
    known = {explanation.id for explanation in explanations}
    joined: Joined = {}
    for explanation in explanations:
        for source in explanation.sources:
            if source.id in known and (source.id, explanation.id) not in joined and source.joins:
                joined[explanation.id, source.id] = source.joins
    return joined
