"""Ranking metrics over arrays."""

from functools import partial

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax.kernels.checks import (
    as_scores,
    check_count,
    check_mask,
    check_shape,
    check_truth,
    check_weights,
)
from grapher_jax.kernels.masking import reciprocal, usable
from grapher_jax.kernels.types import Mask, Scores


def perfect_recall(
    hits: Bool[Array | ndarray, "*B m"], relevant: Int[Array | ndarray, "*B"], k: int
) -> Float[Array, "*B"]:
    """PR@K (GraphER, section 3.1): 1 if all relevant objects are among the first k, else 0.

    Args:
        hits: `[*B, m]` whether the object at each rank is relevant, best rank first.
        relevant: `[*B]` how many objects are relevant, retrieved or not.
        k: the cut-off rank.

    Returns:
        `[*B]` float32, 0.0 or 1.0; 0.0 for a query without relevant objects.

    Raises:
        TypeError: for hits that are not Boolean.
        ValueError: for a k that is no integer from 1 to 2147483647, and shapes that do not fit.
    """
    check_count("k", k)
    _check(hits, relevant)
    found = jnp.asarray(hits)[..., :k].sum(-1)
    relevant = jnp.asarray(relevant)
    return ((found >= relevant) & (relevant > 0)).astype(jnp.float32)


def ties(
    scores: Scores, *, mask: Mask | None = None
) -> tuple[Int[Array, "*B n"], Int[Array, "*B n"]]:
    """For each candidate, how many have a higher score, and how many have the same.

    Args:
        scores: `[*B, n]` compared as at least float32; a NaN counts as masked.
        mask: `[*B, n]` true for valid candidates; all by default.

    Returns:
        Two `[*B, n]` int32: the number of candidates with a higher score, and with the same score,
        itself included. Both are 0 where masked.

    Raises:
        TypeError: for scores that are not real numbers, or a mask that is not Boolean.
        ValueError: for a mask of another shape.
    """
    values = as_scores("scores", scores)
    check_mask(mask, values.shape)
    valid = usable(values, mask)
    # After every number; a score of -inf is tied with valid ones alone.
    keys = jnp.where(valid, -values, jnp.inf)
    ordered = jnp.sort(keys, axis=-1)
    ahead, reached = (
        jnp.vectorize(partial(jnp.searchsorted, side=side), signature="(n),(n)->(n)")(ordered, keys)
        for side in ("left", "right")
    )
    reached = jnp.minimum(reached, valid.sum(-1, keepdims=True, dtype=reached.dtype))
    return jnp.where(valid, ahead, 0), jnp.where(valid, reached - ahead, 0)


def reciprocal_rank(hits: Bool[Array | ndarray, "*B m"]) -> Float[Array, "*B"]:
    """RR: 1 / the rank of the first relevant object.

    Args:
        hits: `[*B, m]` whether the object at each rank is relevant, best rank first.

    Returns:
        `[*B]` within [0, 1]; 0.0 if no object is relevant.

    Raises:
        TypeError: for hits that are not Boolean.
    """
    check_truth("hits", hits)
    return jnp.max(jnp.where(hits, 1 / _ranks(np.shape(hits)[-1]), 0.0), -1, initial=0.0)


def ndcg(
    gains: Float[Array | ndarray, "*B m"] | Int[Array | ndarray, "*B m"],
    relevant: Float[Array | ndarray, "*B r"] | Int[Array | ndarray, "*B r"],
    k: int,
) -> Float[Array, "*B"]:
    """nDCG@K (Järvelin and Kekäläinen, 2002): gains divided by log2(rank + 1), over the best sum.

    Gains are taken as they are, as trec_eval does.

    Args:
        gains: `[*B, m]` the gain of the object at each rank, at least 0, best rank first; 0 for one
            that is not relevant.
        relevant: `[*B, r]` the gains of all relevant objects, retrieved or not, in any order; 0 for
            padding.
        k: the cut-off rank.

    Returns:
        `[*B]` within [0, 1]; 0.0 for a query without relevant objects.

    Raises:
        TypeError: for gains that are not real numbers.
        ValueError: for a k that is no integer from 1 to 2147483647, shapes that do not fit, and, if
            the values can be checked (see `checks`), for a negative gain.
    """
    check_count("k", k)
    check_weights("gains", gains)
    check_weights("relevant", relevant)
    found, ideal = as_scores("gains", gains), as_scores("relevant", relevant)
    check_shape("relevant", relevant, (*found.shape[:-1], None))
    best = _discounted(jnp.sort(ideal, axis=-1, descending=True), k)
    return _discounted(found, k) * reciprocal(best)


def _discounted(gains: Float[Array, "*B m"], k: int) -> Float[Array, "*B"]:
    first = gains[..., :k]
    return (first / jnp.log2(1 + _ranks(first.shape[-1]))).sum(-1)


def _ranks(count: int) -> Float[Array, " m"]:
    return jnp.arange(1, count + 1, dtype=jnp.float32)


def mean_reciprocal_rank(
    hits: Mask,
    relevant: Int[Array | ndarray, "*B"],
    *,
    scores: Scores | None = None,
    mask: Mask | None = None,
) -> Float[Array, "*B"]:
    """MRR and, with scores, MTRR (G-RAG, section 4.1.1, equation 14): the mean of 1 / rank.

    The mean is over all relevant objects of a query, unlike the RR of other tools, which uses only
    the first one. MTRR replaces a tied rank by the mean of the best and the worst rank possible.

    Args:
        hits: `[*B, n]` whether the object at each rank is relevant, best rank first; in any order
            if scores are given.
        relevant: `[*B]` how many objects are relevant, retrieved or not. One that was not retrieved
            adds 0.
        scores: `[*B, n]` scores of the same objects, which give order and ties instead of the
            positions.
        mask: `[*B, n]` true for valid candidates; all by default.

    Returns:
        `[*B]` within [0, 1]; 0.0 for a query without relevant objects.

    Raises:
        TypeError: for hits that are not Boolean.
        ValueError: for shapes that do not fit.
    """
    _check(hits, relevant)
    ahead, tied = _standing(hits, scores, mask)
    return _mean(2 / (2 * ahead + 1 + tied), (tied > 0) & hits, relevant)


def mean_hits(
    hits: Mask,
    relevant: Int[Array | ndarray, "*B"],
    k: int,
    *,
    scores: Scores | None = None,
    mask: Mask | None = None,
) -> Float[Array, "*B"]:
    """MHits@K and, with scores, TMHits@K (G-RAG, section 4.1.1): relevant objects in the top k.

    TMHits@K is the expectation of MHits@K where ties are broken at random; equation 21 as printed
    differs in two cases (docs/decisions.md).

    Args:
        hits: see `mean_reciprocal_rank`, also for the other arguments.
        relevant: `[*B]`.
        k: the cut-off rank.
        scores: `[*B, n]`.
        mask: `[*B, n]`.

    Returns:
        `[*B]` the fraction of the relevant objects; 0.0 for a query without any.

    Raises:
        TypeError: for hits that are not Boolean.
        ValueError: for a k that is no integer from 1 to 2147483647, and shapes that do not fit.
    """
    check_count("k", k)
    _check(hits, relevant)
    ahead, tied = _standing(hits, scores, mask)
    return _mean(jnp.clip((k - ahead) / tied, 0, 1), (tied > 0) & hits, relevant)


def _standing(
    hits: Mask, scores: Scores | None, mask: Mask | None
) -> tuple[Int[Array, "*B n"], Int[Array, "*B n"]]:
    shape = np.shape(hits)
    if scores is None:
        scores = jnp.broadcast_to(-jnp.arange(shape[-1]), shape)
    check_shape("scores", scores, shape)
    return ties(scores, mask=mask)


def _check(hits: Mask, relevant: Int[Array | ndarray, "*B"]) -> None:
    check_truth("hits", hits)
    if np.ndim(relevant):  # one number for all is clear
        check_shape("relevant", relevant, np.shape(hits)[:-1])


def _mean(
    gains: Float[Array, "*B n"], hits: Bool[Array, "*B n"], relevant: Int[Array | ndarray, "*B"]
) -> Float[Array, "*B"]:
    """The mean gain over the relevant objects; gains of objects that are not hits are ignored."""
    counts = jnp.asarray(relevant)
    mean = jnp.where(hits, gains, 0.0).sum(-1) / jnp.maximum(counts, 1).astype(gains.dtype)
    return jnp.where(counts > 0, mean, 0.0)
