"""Coverage of words: candidates rise that have words of the question which the first one lacks."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float
from numpy import ndarray

from grapher_jax.kernels.checks import (
    as_scores,
    check_count,
    check_mask,
    check_own,
    check_scores,
    check_shape,
    check_truth,
    check_weights,
)
from grapher_jax.kernels.masking import of_each, reciprocal, usable
from grapher_jax.kernels.ranking.selection import no_candidates, score_gap, top_k
from grapher_jax.kernels.types import Mask, PerQuery, Scores, TopK


def cover_words(
    scores: Scores,
    has: Bool[Array | ndarray, "*B n w"],
    rarity: Float[Array | ndarray, "*B w"],
    *,
    mask: Mask | None = None,
    bonus: PerQuery = 0.5,
    k: int = 10,
) -> TopK:
    """Raises candidates by the words of the question that they have and the best one lacks.

    A question that needs several objects names what each of them is about, so what the best one
    does not mention is what the next ones should. Of the words that the best candidate lacks, each
    has the square of its rarity as its weight, as in a product of two TF-IDF vectors. A candidate
    that has all of them gets `bonus` times the gap between the best score and the tenth, others a
    part of that. The best candidate stays the first. Neither the scale of the scores nor their zero
    matters. Ties go to the earlier candidate, and a NaN is left out.

    Args:
        scores: `[*B, n]`, of any ranker; shares, such as those of diffusion, as logarithms.
        has: `[*B, n, w]` which of the question's words each candidate has.
        rarity: `[*B, w]` how rare each word is, at least 0, such as its inverse document frequency;
            0 for padding.
        mask: `[*B, n]` true for valid candidates; all by default.
        bonus: at least 0; scalar or `[*B]`.
        k: how many, at least 1; may exceed n.

    Returns:
        Indices `[*B, k]` and scores with what was added; that of the first is at least that of the
        second. Padded with -1 and -inf if there are fewer.

    Raises:
        TypeError: for scores that are not real numbers, and a `has` or mask that is not Boolean.
        ValueError: for wrong shapes or k, and, if the values can be checked (see `checks`), for
            unmasked scores that are not finite, and a negative rarity or bonus.
    """
    values = as_scores("scores", scores)
    check_count("k", k)
    check_mask(mask, values.shape)
    check_scores("scores", scores, mask)
    check_weights("rarity", rarity)
    check_weights("bonus", bonus)
    check_own("bonus", bonus, values.shape[:-1])
    check_truth("has", has)
    words = (jnp.shape(rarity) or (None,))[-1]
    check_shape("has", has, (*values.shape, words))
    check_shape("rarity", rarity, (*values.shape[:-1], words))
    if not values.shape[-1]:  # of which no maximum can be taken
        return no_candidates(values, k)
    valid = usable(values, mask)
    first = jnp.where(valid, values, -jnp.inf).argmax(-1)[..., None].astype(jnp.int32)
    said = jnp.asarray(has)
    lacking = ~jnp.take_along_axis(said, first[..., None], axis=-2)[..., 0, :]
    left = jnp.where(lacking, jnp.asarray(rarity, values.dtype) ** 2, 0.0)
    covered = jnp.where(said, left[..., None, :], 0.0).sum(-1)
    share = covered * reciprocal(left.sum(-1, keepdims=True))
    raised = values + of_each(bonus, values) * score_gap(values, valid) * share
    highest = jnp.where(valid, raised, -jnp.inf).max(-1, keepdims=True)
    places = jax.lax.broadcasted_iota(jnp.int32, values.shape, values.ndim - 1)
    is_first = places == first
    best = top_k(jnp.where(is_first, jnp.inf, raised), k, mask=valid)
    return TopK(best.indices, jnp.where(best.indices == first, highest, best.scores))
