"""Explains a result's rank: which candidates its score came from, and by which edges."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.checks import short_repr
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY, GraphArrays, kernel_table
from grapher_jax.graph.joins import Join, shared
from grapher_jax.kept_programs import kept_jit
from grapher_jax.kernels.graphs.proximities import compare_pairs
from grapher_jax.rankers.joins import IN_COMMON, Joins
from grapher_jax.shapes import candidate_bucket, coarse_bucket, pad

_contributions = kept_jit(kernels.contributions, static_argnames=("ranker", "max_steps"))
_compare_pairs = kept_jit(compare_pairs, static_argnames=("shape", "table"))
# Sources with a smaller share are not mentioned in sentences; `sources` has all of them.
_WORTH_SAYING = 0.005
# The number of main sources regardless of their shares, and the maximum number.
_FEW, _MOST_SOURCES = 5, 20
# Longer paths say little, and there are as many of them as candidates.
_MOST_STEPS = 4


@dataclass(frozen=True)
class Source:
    """One candidate's contribution to a result's score.

    Attributes:
        id: the candidate; the result's own id for its own contribution.
        amount: its part of the score; None for networks, which do not tell.
        share: the part as a fraction of the score; None for networks.
        relations: the proximities that join the two directly; empty if there is no direct edge.
        via: the candidates between the two on a shortest path, starting at the result; empty if
            they are neighbours, or more than four steps apart.
        joins: the edges of this path, step by step; only for the main sources.
    """

    id: str
    amount: float | None
    share: float | None
    relations: tuple[str, ...]
    via: tuple[str, ...] = ()
    joins: tuple[Join, ...] = ()

    def to_dict(self) -> dict[str, Json]:
        """The source as JSON-ready values."""
        return {**vars(self), "joins": tuple(join.to_dict() for join in self.joins)}


@dataclass(frozen=True)
class Explanation:
    """Where a result's score came from; the amounts sum to the score.

    A network's score cannot be split: its sources are the result's neighbours in the graph.

    Attributes:
        id: the result.
        score: its final score.
        ranker: the name of the ranker.
        sources: every candidate that contributed to the score, largest first.
        learned: whether the score has no exact parts, as that of a network.
        left_out: how many smaller sources are left out; they have the rest of the score.
    """

    id: str
    score: float
    ranker: str
    sources: tuple[Source, ...]
    learned: bool = False
    left_out: int = 0

    def __repr__(self) -> str:
        told = {"id": self.id, "score": round(self.score, 4), "ranker": self.ranker}
        return short_repr(self, **told, sources=len(self.sources) + self.left_out)

    @property
    def main_sources(self) -> tuple[Source, ...]:
        """The largest sources: at least a few, and others with a notable share, at most 20."""
        return tuple(
            source
            for place, source in enumerate(self.sources[:_MOST_SOURCES])
            if place < _FEW or source.share is None or abs(source.share) >= _WORTH_SAYING
        )

    def at(self, score: float) -> "Explanation":
        """The same for a score that was changed after ranking: the shares stay."""
        if self.learned or not self.score or score == self.score:
            return replace(self, score=score)
        by = score / self.score
        sources = [
            source if source.amount is None else replace(source, amount=source.amount * by)
            for source in self.sources
        ]
        return replace(self, score=score, sources=tuple(sources))

    def shortened(self) -> "Explanation":
        """The same with only its main sources."""
        told = self.main_sources
        return replace(self, sources=told, left_out=self.left_out + len(self.sources) - len(told))

    def __str__(self) -> str:
        if self.learned:
            near = "; ".join(f"{source.id} {_way(source, {})}" for source in self.sources)
            return f"{self.id}: {self.score:.4f} by {self.ranker!r}; neighbours: {near or 'none'}"
        said = [
            source
            for source in self.sources
            if source.share is not None and abs(source.share) >= _WORTH_SAYING
        ]
        ways = {source.id: source.joins for source in said}
        parts = [f"{source.share:.0%} {self._origin(source, ways)}" for source in said]
        return f"{self.id}: {self.score:.4f} = {' + '.join(parts) or 'nothing'}"

    def to_dict(self) -> dict[str, Json]:
        """The explanation as JSON-ready values; `left_out` only if it is not 0."""
        told = {**vars(self), "sources": tuple(source.to_dict() for source in self.sources)}
        if not self.left_out:
            del told["left_out"]
        return told

    def _origin(self, source: Source, ways: Mapping[str, tuple[Join, ...]]) -> str:
        if source.id == self.id:
            return "its own"
        return f"from {source.id} {_way(source, ways)}"


def _way(source: Source, ways: Mapping[str, tuple[Join, ...]]) -> str:
    """How a source is joined to the result, from where the way of another source ends."""
    names = " and ".join(source.relations).replace("_", " ")
    joins = source.joins
    before = ways.get(source.via[-1], ()) if source.via else ()
    if joins[: len(before)] == before:
        joins = joins[len(before) :]
    told = " and ".join(join.text for join in joins if join.relation != IN_COMMON)
    return f"({names or 'further off'}){f': {told}' if told else ''}"


def name_joins(
    explanations: Sequence[Explanation],
    joins: Joins,
    rows: Int[ndarray, " n"],
    relations: Sequence[str],
) -> list[Explanation]:
    """Adds to explanations which edges join each result to its main sources.

    Args:
        explanations: the explanations of one question's results.
        joins: describes the edges between two rows.
        rows: `[n]` the candidates; -1 for none.
        relations: the proximities that join candidates.
    """
    numbers = {joins.ids[row]: int(row) for row in rows if row != EMPTY}
    if any(source.id not in numbers for one in explanations for source in one.sources):
        numbers = {name: row for row, name in enumerate(joins.ids)} | numbers
    between = cache(joins.between)  # paths share steps

    def told(result: str, source: Source) -> Source:
        if source.joins:
            return source
        steps = pairwise(numbers[name] for name in (result, *source.via, source.id))
        by = tuple(relations) if source.via else source.relations
        found = tuple(join for one, other in steps for join in between(one, other, by))
        return replace(source, joins=found)

    def named(one: Explanation) -> Explanation:
        main = one.main_sources
        by = tuple(told(one.id, source) for source in main)
        return replace(one, sources=by + one.sources[len(main) :])

    return list(map(named, explanations))


def relations(
    graph: GraphArrays,
    rows: Int[ndarray, " n"],
    proximities: Sequence[str],
    *,
    max_df: int | None = None,
) -> dict[str, Float[ndarray, "n n"]]:
    """The adjacency of each proximity over one question's candidates."""

    def adjacency(name: str) -> Float[ndarray, "n n"]:
        joined = graph.gather(rows, [name], max_df=max_df)
        table = kernel_table([name], graph.rows)
        return np.asarray(
            _compare_pairs(shape=rows.shape, relations=joined, mask=rows >= 0, table=table)
        )

    return {name: adjacency(name) for name in proximities}


def explain(
    graph: GraphArrays,
    rows: Int[ndarray, " n"],
    scores: Float[ndarray, " n"],
    positions: Int[ndarray, " k"],
    *,
    ids: Sequence[str],
    ranker: str,
    proximities: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    max_df: int | None = None,
    **numbers: int | float | None,
) -> list[Explanation]:
    """Explain results of one question; the amounts sum to the converged score.

    Args:
        graph: the metadata of all objects.
        rows: `[n]` the candidates, as rows of `graph`; -1 for none.
        scores: `[n]` the retriever's scores.
        positions: `[k]` which candidates are the results.
        ids: the id of every row of `graph`.
        ranker: the ranker's name.
        proximities: the proximities that the graph was built from.
        weights: their weights, 1 by default.
        max_df: as in the ranker.
        numbers: the others that the ranker was given, such as `alpha`; see `contributions`.
    """
    names = [ids[row] if row != EMPTY else "" for row in rows]
    if ranker == "base":
        own = [(names[p], float(scores[p])) for p in positions]
        return [Explanation(i, s, ranker, (Source(i, s, 1.0, ()),)) for i, s in own]
    chosen = {name: (weights or {}).get(name, 1.0) for name in proximities}
    n = candidate_bucket(len(rows))
    padded = pad(rows, (n,), EMPTY)
    joining = [name for name in chosen if chosen[name] > 0]
    by_relation = relations(graph, padded, joining, max_df=max_df)
    adjacency = np.zeros((n, n), np.float32)
    for name, matrix in by_relation.items():
        adjacency += np.float32(chosen[name]) * matrix
    amounts = np.asarray(
        _contributions(
            adjacency,
            pad(scores, (n,), 0.0),
            pad(positions, (coarse_bucket(len(positions)),), EMPTY),
            ranker=ranker,
            mask=padded != EMPTY,
            **numbers,
        )
    )
    joined = adjacency > 0
    return [
        _explanation(int(position), names, amounts[place], ranker, by_relation, joined)
        for place, position in enumerate(positions)
    ]


def explain_neighbors(
    graph: GraphArrays,
    rows: Int[ndarray, " n"],
    positions: Int[ndarray, " k"],
    found: Float[ndarray, " k"],
    *,
    ids: Sequence[str],
    ranker: str,
    proximities: Sequence[str],
    max_df: int | None,
    neighbors: int,
) -> list[Explanation]:
    """Name the neighbours that a network read for each result; its score cannot be split.

    Args:
        graph: the metadata of all objects.
        rows: `[n]` the candidates, as rows of `graph`; -1 for none.
        positions: `[k]` which candidates are the results.
        found: `[k]` the network's scores of the results.
        ids: the id of every row of `graph`.
        ranker: the ranker's name.
        proximities: the proximities that the graph was built from.
        max_df: as in the ranker.
        neighbors: the maximum number of neighbours per candidate.
    """
    padded = pad(rows, (candidate_bucket(len(rows)),), EMPTY)
    by_relation = relations(graph, padded, proximities, max_df=max_df)

    def around(position: int) -> tuple[Source, ...]:
        near = [np.flatnonzero(matrix[position]) for matrix in by_relation.values()]
        listed = np.unique(np.concatenate([np.array([], int), *near]))[:neighbors]
        return tuple(
            Source(ids[rows[j]], None, None, _joining(by_relation, position, int(j)))
            for j in listed
        )

    return [
        Explanation(ids[rows[p]], float(score), ranker, around(int(p)), learned=True)
        for p, score in zip(positions, found, strict=True)
    ]


def in_common(own: Sequence[Set[str]], positions: Iterable[int]) -> list[dict[int, list[str]]]:
    """For some candidates, what each has in common with others, by their positions."""
    return [
        {
            place: sorted(both)
            for place, theirs in enumerate(own)
            if place != here and (both := own[here] & theirs)
        }
        for here in positions
    ]


def explain_shared(
    rows: Int[ndarray, " n"],
    positions: Int[ndarray, " k"],
    found: Float[ndarray, " k"],
    near: Sequence[Mapping[int, Sequence[str]]],
    *,
    ids: Sequence[str],
    ranker: str,
) -> list[Explanation]:
    """Name the candidates that have something in common with each result, and what they share.

    Args:
        rows: `[n]` the candidates; -1 for none.
        positions: `[k]` which candidates are the results.
        found: `[k]` the ranker's scores of the results.
        near: the result of `in_common`, for each result.
        ids: the id of every row.
        ranker: the ranker's name.
    """
    return [
        Explanation(
            ids[rows[place]],
            float(score),
            ranker,
            tuple(
                Source(ids[rows[other]], None, None, join.names, joins=(join,))
                for other, names in others.items()
                for join in (shared(IN_COMMON, names),)
            ),
            learned=True,
        )
        for place, score, others in zip(positions, found, near, strict=True)
    ]


def _joining(
    by_relation: Mapping[str, Float[ndarray, "n n"]], one: int, other: int
) -> tuple[str, ...]:
    return tuple(name for name, matrix in by_relation.items() if matrix[one, other] > 0)


def _explanation(
    position: int,
    names: Sequence[str],
    amounts: Float[ndarray, " n"],
    ranker: str,
    by_relation: Mapping[str, Float[ndarray, "n n"]],
    joined: Bool[ndarray, "n n"],
) -> Explanation:
    total = float(amounts.sum())
    ways = _ways(joined, position)
    sources = tuple(
        Source(
            names[j],
            float(amounts[j]),
            float(amounts[j]) / total if total else 0.0,
            _joining(by_relation, position, int(j)),
            tuple(names[between] for between in ways.get(int(j), ())[1:]),
        )
        for j in np.argsort(-np.abs(amounts), kind="stable")
        if amounts[j] != 0
    )
    return Explanation(names[position], total, ranker, sources)


def _ways(joined: Bool[ndarray, "n n"], start: int) -> dict[int, tuple[int, ...]]:
    """For each candidate a few steps away, those before it on a shortest path from the start."""
    ways: dict[int, tuple[int, ...]] = {start: ()}
    unseen = np.arange(len(joined)) != start
    front = [start]
    for _ in range(_MOST_STEPS):
        reached = []
        for near in front:
            fresh = np.flatnonzero(joined[near] & unseen).tolist()
            unseen[fresh] = False
            ways |= dict.fromkeys(fresh, (*ways[near], near))
            reached += fresh
        front = reached
    return ways
