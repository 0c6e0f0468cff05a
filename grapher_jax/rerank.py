"""Rerank candidates, whoever retrieved them."""

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import chain, repeat
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.buckets import MAX_BATCH, candidate_bucket, pad, power_of_two
from grapher_jax.corpus import check_metadata
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.explain import Explanation, explain
from grapher_jax.graph import EMPTY, MAX_DF, PROXIMITIES, GraphArrays, check_proximities
from grapher_jax.retrieve.hybrid import Candidates

RANKERS = ("base", "gcs", "ppr")
# Candidates in one program: enough to fill the cores, few enough for the arrays of their metadata.
_CANDIDATES_AT_ONCE = 1 << 18


@dataclass(frozen=True)
class Hit:
    """One result.

    Attributes:
        id: the object's id.
        score: the ranker's score.
        rank: from 1.
        base_score: the retriever's score.
        base_rank: the retriever's rank, from 1.
        title: the object's title, where known.
        text: the object's text, where known.
        metadata: the object's metadata.
    """

    id: str
    score: float
    rank: int
    base_score: float
    base_rank: int
    title: str = ""
    text: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    _explanations: Callable[[], Sequence[Explanation]] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def explanation(self) -> Explanation:
        """Which candidates this score came from; computed for the whole ranking when asked for.

        Raises:
            InputError: for a hit that was not made by ranking.
        """
        if self._explanations is None:
            raise InputError(f"hit {self.id!r}: made by hand, so there is nothing to explain")
        return self._explanations()[self.rank - 1]


@dataclass(frozen=True)
class Order:
    """The best k of every query's candidates.

    Attributes:
        positions: `[B, k]` places in the candidate list, best first; -1 where there are fewer.
        scores: `[B, k]` the ranker's scores; -inf where there are fewer.
    """

    positions: Int[ndarray, "B k"]
    scores: Float[ndarray, "B k"]


@dataclass(frozen=True, kw_only=True)
class Reranker:
    """A ranker with its parameters.

    Attributes:
        ranker: `gcs`, `ppr`, or `base` for the retriever's own order.
        alpha: the weight kept on a candidate's own score, in (0, 1]; the ranker's own by default.
        proximities: what the graph is built from; by default all that the metadata allows.
        weights: the weight of each proximity by name, 1 by default.
        max_df: entities that more objects have connect nobody; None lets all connect. Counted over
            the index; where there is none, over a question's candidates.
        tol: see `kernels.gcs`.
        max_steps: see `kernels.gcs`.

    Raises:
        InputError: for an unknown ranker, or a parameter out of its range.
    """

    ranker: str = "gcs"
    alpha: float | None = None
    proximities: Sequence[str] | None = None
    weights: Mapping[str, float] | None = None
    max_df: int | None = MAX_DF
    tol: float = 1e-6
    max_steps: int = 1000

    def __post_init__(self) -> None:
        if isinstance(self.proximities, str):
            raise InputError(f"proximities: give a list, such as [{self.proximities!r}]")
        if self.ranker not in RANKERS:
            raise InputError(f"ranker: {self.ranker!r} is unknown; use {', '.join(RANKERS)}")
        if self.alpha is not None and not 0 < self.alpha <= 1:
            raise InputError(
                f"alpha: {self.alpha} is outside (0, 1]; 1 keeps the retriever's order"
            )
        if self.max_df is not None and self.max_df < 1:
            raise InputError(f"max_df: {self.max_df} must be at least 1, or None for all entities")
        if not self.tol > 0:
            raise InputError(f"tol: {self.tol} must be above 0")
        if self.max_steps < 1:
            raise InputError(f"max_steps: {self.max_steps} must be at least 1")
        for name, weight in (self.weights or {}).items():
            if name not in PROXIMITIES or not (math.isfinite(weight) and weight >= 0):
                raise InputError(
                    f"weights: {name}={weight} cannot be used; give numbers ≥ 0 to "
                    f"{', '.join(PROXIMITIES)}"
                )

    def parameters(self, graph: GraphArrays) -> dict[str, Any]:
        """What decides the ranking over this graph, for a report."""
        if self.ranker == "base":
            return {}
        alpha = kernels.DEFAULT_ALPHA[self.ranker] if self.alpha is None else self.alpha
        return {
            "alpha": alpha,
            "proximities": check_proximities(self.proximities, graph),
            "max_df": self.max_df,
        }

    def rank(self, graph: GraphArrays, candidates: Candidates, *, k: int) -> Order:
        """Rank a batch of candidate lists.

        Args:
            graph: the metadata of the objects.
            candidates: rows of `graph` with the retriever's scores.
            k: how many results, at least 1.

        Raises:
            InputError: for a k below 1 or a score that is not finite.
        """
        check_k(k)
        bad = np.argwhere(~np.isfinite(candidates.scores) & (candidates.rows != EMPTY))
        if len(bad):
            query, place = map(int, bad[0])
            value = candidates.scores[query, place]
            raise InputError(
                f"scores: candidate {place + 1} of query {query + 1} has score {value}; "
                "scores must be finite numbers"
            )
        parts, stuck = [], 0
        for block in blocks(candidates):
            rows, scores = candidates.rows[block], candidates.scores[block]
            shape = (power_of_two(len(rows)), candidate_bucket(rows.shape[1]))
            padded = pad(rows, shape, EMPTY)
            top = kernels.rerank(
                pad(scores, shape, 0.0),
                **(self._gather(graph, padded) if self.ranker != "base" else {}),
                weights=self.weights,
                mask=padded != EMPTY,
                ranker=self.ranker,
                alpha=self.alpha,
                tol=self.tol,
                max_steps=self.max_steps,
                k=min(power_of_two(k), shape[1]),
            )
            parts.append([np.asarray(a)[: len(rows), :k] for a in (top.indices, top.scores)])
            if top.solution is not None:
                stuck += int((~np.asarray(top.solution.converged)[: len(rows)]).sum())
        if stuck:
            warnings.warn(
                f"{self.ranker}: {stuck} of {len(candidates)} queries had not converged after "
                f"{self.max_steps} steps; raise max_steps or alpha",
                GrapherWarning,
                stacklevel=2,
            )
        positions, best = (np.concatenate(part) for part in zip(*parts, strict=True))
        shape = (len(positions), k)
        return Order(pad(positions, shape, EMPTY), pad(best, shape, -np.inf))

    def _gather(self, graph: GraphArrays, rows: Int[ndarray, "B n"]) -> dict[str, Any]:
        chosen = check_proximities(self.proximities, graph)
        return graph.gather(rows, chosen, max_df=self.max_df)

    def rerank(
        self,
        question: str,
        candidates: Sequence[Mapping[str, Any]],
        *,
        k: int | None = None,
    ) -> list[Hit]:
        """Rerank one question's candidates; see `rerank_batch`."""
        return self.rerank_batch([question], [candidates], k=k)[0]

    def rerank_batch(
        self,
        questions: Sequence[str],
        candidate_lists: Sequence[Sequence[Mapping[str, Any]]],
        *,
        k: int | None = None,
    ) -> list[list[Hit]]:
        """Rerank any retriever's output, one list of candidates a question.

        Args:
            questions: for rankers that read them; GCS and PPR do not.
            candidate_lists: each candidate has an `id`, a `score`, and `metadata` as in the BEIR
                layout; `title` and `text` come back with the hit.
            k: how many results; all by default.

        Returns:
            One list of hits a question, best first.

        Raises:
            InputError: naming the candidate, for a missing or repeated id, a score that is not a
                finite number, or metadata of a wrong type.
        """
        if len(questions) != len(candidate_lists):
            raise InputError(
                f"candidate_lists: {len(candidate_lists)} lists for {len(questions)} questions; "
                "give one each"
            )
        flat: list[Mapping[str, Any]] = []
        metadata: list[Mapping[str, Any]] = []
        widest = max(map(len, candidate_lists), default=0)
        rows = np.full((len(candidate_lists), max(widest, 1)), EMPTY, np.int32)
        scores = np.zeros(rows.shape, np.float32)
        for number, candidates in enumerate(candidate_lists):
            rows[number, : len(candidates)] = len(flat) + np.arange(len(candidates))
            scores[number, : len(candidates)] = _check_candidates(candidates, number)
            flat += candidates
            metadata += [
                check_metadata(c.get("metadata"), f"candidate {c['id']!r}") for c in candidates
            ]
        ids = [candidate["id"] for candidate in flat]
        # A candidate may well reference what the retriever did not return.
        questions_of = chain.from_iterable(
            repeat(number, len(candidates)) for number, candidates in enumerate(candidate_lists)
        )
        graph = GraphArrays.build(ids, metadata, scopes=questions_of, warn_of_unknown=False)
        order = self.rank(graph, Candidates(rows, scores), k=max(widest, 1) if k is None else k)

        def describe(row: int) -> dict[str, Any]:
            found = flat[row]
            return {
                "id": found["id"],
                "title": found.get("title", ""),
                "text": found.get("text", ""),
                "metadata": metadata[row],
            }

        return self.hits(graph, Candidates(rows, scores), order, ids, describe)

    def hits(
        self,
        graph: GraphArrays,
        candidates: Candidates,
        order: Order,
        ids: Sequence[str],
        describe: Callable[[int], Mapping[str, Any]],
    ) -> list[list[Hit]]:
        """The hits of an order over candidates.

        Args:
            graph: the metadata of the objects.
            candidates: as they were ranked.
            order: what `rank` returned for them.
            ids: the id of every row of `graph`.
            describe: a row's `id`, `title`, `text` and `metadata`, read for the hits alone.
        """
        rankings = []
        for query in range(len(candidates)):
            rows, scores = candidates.rows[query], candidates.scores[query]
            base_ranks = np.empty(len(rows), int)
            order_of_base = np.argsort(np.where(rows == EMPTY, np.inf, -scores), kind="stable")
            base_ranks[order_of_base] = np.arange(1, len(rows) + 1)
            positions = order.positions[query][order.positions[query] != EMPTY]
            explanations = cache(
                partial(
                    explain,
                    graph,
                    rows,
                    scores,
                    positions,
                    ids=ids,
                    ranker=self.ranker,
                    alpha=self.alpha,
                    tol=self.tol,
                    max_steps=self.max_steps,
                    proximities=check_proximities(self.proximities, graph),
                    weights=self.weights,
                    max_df=self.max_df,
                )
            )
            rankings.append(
                [
                    Hit(
                        **describe(int(rows[position])),
                        score=float(order.scores[query, place]),
                        rank=place + 1,
                        base_score=float(scores[position]),
                        base_rank=int(base_ranks[position]),
                        _explanations=explanations,
                    )
                    for place, position in enumerate(positions)
                ]
            )
        return rankings


def blocks(candidates: Candidates) -> Iterator[slice]:
    """Slices of as many queries as one program ranks."""
    size = min(MAX_BATCH, max(1, _CANDIDATES_AT_ONCE // candidates.rows.shape[1]))
    for start in range(0, max(len(candidates), 1), size):
        yield slice(start, start + size)


def check_k(k: int) -> None:
    """Raise InputError for a number of results below 1."""
    if k < 1:
        raise InputError(f"k: {k} must be at least 1")


def _check_candidates(candidates: Sequence[Mapping[str, Any]], number: int) -> list[float]:
    seen: set[str] = set()
    scores = []
    for place, candidate in enumerate(candidates):
        where = f"candidate {place + 1} of question {number + 1}"
        identity, score = candidate.get("id"), candidate.get("score")
        if not isinstance(identity, str) or not identity:
            raise InputError(f"{where}: id must be a string that is not empty, not {identity!r}")
        if identity in seen:
            raise InputError(f"{where}: id {identity!r} stands in the list twice")
        if not isinstance(score, (int, float, np.number)) or not math.isfinite(score):
            raise InputError(f"{where}: score must be a finite number, not {score!r}")
        seen.add(identity)
        scores.append(float(score))
    return scores
