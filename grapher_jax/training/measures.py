"""Validation measures during training: perfect recall, recall and reciprocal rank."""

from collections.abc import Mapping

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.kernels.types import Mask, Scores
from grapher_jax.training.config import MEASURES

# Besides the one for early stopping.
_CUTOFFS = (5, 10)
# By set and measure: over all questions, and over those with several relevant objects, if any.
Watched = dict[str, dict[str, dict[str, float | None]]]


def cutoffs(k: int) -> list[int]:
    """The cut-offs of the measures."""
    return sorted({*_CUTOFFS, k})


def measure_names(k: int) -> list[str]:
    """The measures, in the order of `measured`, such as `PR@10`."""
    return [f"{measure}@{cutoff}" for measure in MEASURES for cutoff in cutoffs(k)]


def measured(
    scores: Scores,
    relevant: Bool[Array | ndarray, "B n"],
    counts: Int[Array | ndarray, " B"],
    *,
    mask: Mask,
    k: int,
) -> Float[Array, "B c"]:
    """`[B, c]` every measure of every question.

    Args:
        scores: `[B, n]` the network's scores.
        relevant: `[B, n]` which candidates are relevant.
        counts: `[B]` how many objects are relevant, retrieved or not.
        mask: `[B, n]` true for real candidates.
        k: the cut-off for early stopping.
    """
    places = cutoffs(k)
    best = kernels.top_k(scores, min(places[-1], scores.shape[-1]), mask=mask)
    hits = jnp.take_along_axis(jnp.asarray(relevant), jnp.maximum(best.indices, 0), axis=-1)
    hits &= best.indices >= 0
    perfect = [kernels.perfect_recall(hits, counts, k) for k in places]
    found = [kernels.mean_hits(hits, counts, k) for k in places]
    ranks = [kernels.mean_reciprocal_rank(hits[:, :k], counts) for k in places]
    return jnp.stack([*perfect, *found, *ranks], -1)


def averaged(values: Float[ndarray, " Q"], several: Bool[ndarray, " Q"]) -> dict[str, float | None]:
    """The mean over `all` questions, and over the `multi` with several relevant objects."""
    return {
        "all": float(values.mean(dtype=float)),
        "multi": float(values[several].mean(dtype=float)) if several.any() else None,
    }


def mean_over_sets(
    watched: Mapping[str, Mapping[str, Mapping[str, float | None]]], name: str
) -> float:
    """The mean of one measure over the validation sets, which early stopping and choices use.

    For each set, over questions with several relevant objects, as in the papers' perfect recall.
    """
    values = [found[name] for found in watched.values()]
    headlines = [own["all"] if own["multi"] is None else own["multi"] for own in values]
    return sum(value or 0.0 for value in headlines) / len(headlines)
