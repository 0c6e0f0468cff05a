"""Runs a prepared ranker: checks candidates, ranks them block by block, and sorts them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.checks import check_count, check_number, short_repr
from grapher_jax.errors import InputError, warn
from grapher_jax.graph import EMPTY
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.options import AUTO_SCALE
from grapher_jax.rankers.protocol import Needs, Prepared
from grapher_jax.rankers.scales import rescaled, warn_of_guess
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.shapes import batch_within, block_shape, coarse_bucket, pad, slices

# A network compares all candidates of a question with each other.
MOST_CANDIDATES = 4096
# For fixed-point rankers: enough to fill the cores, but not too many for the memory of their
# metadata arrays.
AT_ONCE = 1 << 18


@dataclass(frozen=True)
class Order:
    """The best k of every query's candidates.

    Attributes:
        positions: `[B, k]` positions in the candidate list, best first; -1 if there are fewer.
        scores: `[B, k]` the ranker's scores; -inf if there are fewer.
    """

    positions: Int[ndarray, "B k"]
    scores: Float[ndarray, "B k"]

    def __repr__(self) -> str:
        return short_repr(self, questions=len(self.positions), k=self.positions.shape[1])


def rank_blocks(
    prepared: Prepared,
    candidates: Candidates,
    *,
    needs: Needs,
    name: str,
    at_once: int,
    max_steps: int,
    k: int,
    scores: str = AUTO_SCALE,
) -> Order:
    """The best k of every question's candidates, with a few questions per program call.

    Args:
        prepared: the prepared ranker.
        candidates: checked (`check_candidates`).
        needs: what the ranker reads.
        name: the name of the ranker, for warnings.
        at_once: how many candidates one program ranks.
        max_steps: the ranker's limit, for warnings.
        k: how many results, at least 1.
        scores: the scale of the scores, see `scales_of`.
    """
    given = rescaled(candidates, scores, needs)
    warn_of_guess(candidates, scores, needs)
    parts, stuck = [], 0
    for block in blocks(given, at_once):
        rows = given.rows[block]
        shape = block_shape(rows.shape)
        top = prepared.rank(given.block(block, shape), min(coarse_bucket(k), shape[1]))
        parts.append(best_of(top, len(rows), k))
        if top.solution is not None:
            stuck += int((~np.asarray(top.solution.converged)[: len(rows)]).sum())
    if stuck:
        warn(
            f"{name}: {stuck} of {len(candidates)} queries had not converged after "
            f"{max_steps} steps; raise max_steps or alpha",
        )
    return joined_blocks(parts, k)


def best_of(top: TopK, questions: int, k: int) -> tuple[Int[ndarray, "b m"], Float[ndarray, "b m"]]:
    """The first k places of a padded block's first questions."""
    return np.asarray(top.indices)[:questions, :k], np.asarray(top.scores)[:questions, :k]


def at_places(values: Int[ndarray, "b n"], places: Int[ndarray, "b m"]) -> Int[ndarray, "b m"]:
    """The values at these places of each row; EMPTY where a place is."""
    found = np.take_along_axis(values, np.maximum(places, 0), axis=1)
    return np.where(places == EMPTY, EMPTY, found)


def joined_blocks(
    parts: Iterable[tuple[Int[ndarray, "b m"], Float[ndarray, "b m"]]], k: int
) -> Order:
    """The order of all questions from the positions and scores of each block, at most k."""
    positions, scores = (np.concatenate(part) for part in zip(*parts, strict=True))
    shape = (len(positions), k)
    return Order(pad(positions, shape, EMPTY), pad(scores, shape, -np.inf))


def check_candidates(
    collection: Collection, candidates: Candidates, needs: Needs, name: str
) -> None:
    """Check that a ranker can read the candidates.

    Raises:
        InputError: for more candidates than a network can read, a score that is not finite, or
            embeddings of another embedder than it needs.
    """
    check_width(candidates.rows.shape[1], needs, name)
    bad = np.argwhere(~np.isfinite(candidates.scores) & (candidates.rows != EMPTY))
    if len(bad):
        query, place = map(int, bad[0])
        name, value = collection.ids[candidates.rows[query, place]], candidates.scores[query, place]
        raise InputError(
            f"scores: candidate {name!r} of query {query + 1} has score {value}; "
            "scores must be finite numbers"
        )
    if needs.embedder is None:
        return
    own, have = collection.embedder.name, collection.embeddings.shape[1]
    if (own, have) != (needs.embedder, needs.dimension):
        raise InputError(
            f"ranker: {name!r} was trained on embeddings of {needs.embedder!r} ({needs.dimension} "
            f"dimensions), the index has those of {own!r} ({have}); build the index with "
            f"--embedder {needs.embedder}, or use weights trained on {own!r}"
        )


def check_width(candidates: int, needs: Needs, name: str) -> None:
    """Raise InputError if a question has more candidates than a network can read."""
    if needs.embeddings and candidates > MOST_CANDIDATES:
        raise InputError(
            f"candidates: {candidates} for a question; {name!r} reads {MOST_CANDIDATES} at most; "
            "give it the best of them, or use gcs"
        )


def blocks(candidates: Candidates, at_once: int = AT_ONCE) -> Iterator[slice]:
    """Slices of as many queries as one program ranks, `at_once` candidates in all."""
    # A power of two, because the batch is padded to one.
    size = batch_within(at_once, candidates.rows.shape[1])
    return slices(max(len(candidates), 1), size)


def check_k(k: int) -> int:
    """Checks a number of results; raises InputError if it is invalid."""
    return check_count("k", k)


def check_min_score(min_score: float | None) -> float:
    """Checks the minimum score of a result; raises InputError if it is not a number."""
    return -np.inf if min_score is None else check_number("min_score", min_score)
