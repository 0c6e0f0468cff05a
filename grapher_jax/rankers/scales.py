"""The scale of another retriever's scores, and their conversion before a graph reads them."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.errors import InputError, warn
from grapher_jax.graph import EMPTY
from grapher_jax.rankers.options import AUTO_SCALE, NONE, SHIFT
from grapher_jax.rankers.protocol import Needs
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.retrieve.hybrid import non_negative
from grapher_jax.retrieve.stores.records import HIGHEST_COSINE

_GUESSED = (
    "scores: some are negative, which a graph would turn over; those of each such question were "
    "{}, so that what nothing joins keeps its order. Say what they are: scores="
    '"logit", "cosine", "rank", "shift" to move them up, or "none" to have them as they are'
)
_TOLD = {
    "logit": "taken for logits and read as probabilities",
    SHIFT: "moved up by its lowest",
}


def _as_probabilities(found: Candidates) -> Float[ndarray, "B n"]:
    # Arranged to avoid the exponential of a number above 0, which could overflow.
    small = np.exp(-np.abs(found.scores, dtype=float))
    return np.where(found.scores < 0, small, 1.0) / (1.0 + small)


def _from_zero(found: Candidates) -> Float[ndarray, "B n"]:
    return np.maximum(found.scores, 0.0)


def _moved_up(found: Candidates) -> Float[ndarray, "B n"]:
    return non_negative(found.scores)


def _as_they_are(found: Candidates) -> Float[ndarray, "B n"]:
    return found.scores


def _places(found: Candidates) -> Int[ndarray, "B n"]:
    """Ranks from 0; equal scores share the rank of the first. Candidates are sorted, best first."""
    begins = np.diff(found.scores, axis=1, prepend=np.inf) != 0
    return np.maximum.accumulate(np.where(begins, np.arange(begins.shape[1]), 0), axis=1)


def _reciprocal(found: Candidates) -> Float[ndarray, "B n"]:
    return 1.0 / (1.0 + _places(found))


def _linear(found: Candidates) -> Float[ndarray, "B n"]:
    counts = (found.rows != EMPTY).sum(axis=1, keepdims=True)
    return 1.0 - _places(found) / np.maximum(counts, 1)


_Reading = Callable[[Candidates], Float[ndarray, "B n"]]
# The conversions for rankers that add scores up, and for rankers that use only their differences:
# networks, which standardise scores, and diffusion. Measured on training splits, see
# docs/decisions.md.
_READ: Mapping[str, tuple[_Reading, _Reading]] = {
    "logit": (_as_probabilities, _moved_up),
    "cosine": (_from_zero, _from_zero),
    "probability": (_as_they_are, _as_they_are),
    "rank": (_reciprocal, _linear),
    SHIFT: (_moved_up, _moved_up),
    NONE: (_as_they_are, _as_they_are),
}
# The valid range of each scale.
_RANGES = {"cosine": (-HIGHEST_COSINE, HIGHEST_COSINE), "probability": (0.0, 1.0)}

# Outside this range, probabilities cannot be distinguished: in float32 they become 1 or 0, or all
# of a question are so close to 0 that they do not matter next to the edges.
_BEST_LOGIT, _LOWEST_LOGIT = 12.0, -80.0


def scales_of(candidates: Candidates, asked: str, needs: Needs) -> list[str]:
    """The scale assumed for each question's scores: one of `SCALES` except `auto`.

    Args:
        candidates: the candidates of a retriever.
        asked: one of `SCALES`. `auto` leaves the scores of a question as they are, unless one is
            negative and the ranker depends on the sign. Then it is `logit` if the ranker adds
            scores up, one lies outside [-1, 1] and probabilities can still distinguish them, else
            `shift`.
        needs: what the ranker reads; the retriever's own order leaves all scores as they are.
    """
    foreign = candidates.foreign
    if needs.scores_alone or (asked == AUTO_SCALE and not (needs.proximities and needs.signs)):
        return [NONE] * len(candidates)
    if asked != AUTO_SCALE:
        return np.where(foreign, asked, NONE).tolist()
    # Smoothing would raise a negative score s, since α s > s.
    lowest = candidates.scores.min(axis=1, initial=0.0)
    widest = np.abs(candidates.scores).max(axis=1, initial=0.0)
    best = np.max(candidates.scores, axis=1, initial=-np.inf, where=candidates.rows != EMPTY)
    told_apart = (np.abs(best) <= _BEST_LOGIT) & (lowest >= _LOWEST_LOGIT)
    logits = (widest > 1) & told_apart & _adds_up(needs)
    return np.where(foreign & (lowest < 0), np.where(logits, "logit", SHIFT), NONE).tolist()


def check_scale(collection: Collection, candidates: Candidates, asked: str) -> None:
    """Check that the scores of another retriever lie in the range of the given scale.

    Raises:
        InputError: naming the candidate, for a score out of range.
    """
    low, high = _RANGES.get(asked, (-np.inf, np.inf))
    given = (candidates.rows != EMPTY) & candidates.foreign[:, None]
    scores = candidates.scores
    outside = np.argwhere(given & ((scores < low) | (scores > high)))
    if len(outside):
        query, place = map(int, outside[0])
        name = collection.ids[candidates.rows[query, place]]
        raise InputError(
            f"scores: {scores[query, place]:g} of candidate {name!r} of query {query + 1} is no "
            f"{asked}; give another scale, such as {AUTO_SCALE!r}"
        )


def rescaled(candidates: Candidates, asked: str, needs: Needs) -> Candidates:
    """The candidates with scores converted for a ranker; unchanged if nothing is to convert.

    The conversion never reverses the order of two candidates, but may make them equal; the first
    then stays first.

    Args:
        candidates: best first.
        asked: see `scales_of`.
        needs: see `scales_of`.
    """
    scales = np.array(scales_of(candidates, asked, needs), object)
    real = candidates.rows != EMPTY
    scores = candidates.scores
    for scale in sorted({*scales} - {NONE}):
        own = real & (scales == scale)[:, None]
        read = _READ[scale][0 if _adds_up(needs) else 1](candidates)
        scores = np.where(own, read, scores).astype(np.float32)
    return candidates if scores is candidates.scores else replace(candidates, scores=scores)


def warn_of_guess(given: Candidates, asked: str, needs: Needs) -> None:
    """Warn if `auto` had to guess the scale of negative scores."""
    # A network standardises scores, which removes any constant.
    if asked == AUTO_SCALE and not needs.embeddings:
        told = " or ".join(
            _TOLD[name] for name in sorted({*scales_of(given, asked, needs)} - {NONE})
        )
        if told:
            warn(_GUESSED.format(told))


def _adds_up(needs: Needs) -> bool:
    return needs.proximities and needs.signs and not needs.embeddings
