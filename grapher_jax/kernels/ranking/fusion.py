"""Score normalisation and hybrid fusion."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Real
from numpy import ndarray

from grapher_jax.kernels.checks import (
    as_scores,
    check_fit,
    check_mask,
    check_order,
    check_own,
    check_scores,
    check_shape,
    check_share,
    check_weights,
)
from grapher_jax.kernels.masking import masked_scores, of_each, reciprocal
from grapher_jax.kernels.ranking.metrics import ties
from grapher_jax.kernels.types import Mask, PerQuery, Scores

# The lowest and the highest score of every query.
Bounds = tuple[Float[Array | ndarray, "*B"], Float[Array | ndarray, "*B"]]


def min_max(
    scores: Scores, *, bounds: Bounds | None = None, mask: Mask | None = None
) -> Float[Array, "*B n"]:
    """Scales scores to [0, 1] per query: lowest to 0, highest to 1; 0 if all are equal.

    Up to rounding, so that the highest may be the next number below 1.

    Args:
        scores: `[*B, n]`.
        bounds: `[*B]` the lowest and the highest score, if `scores` is only a part of them; a score
            outside of them is not cut off.
        mask: `[*B, n]` true for the scores that count; all by default.

    Returns:
        `[*B, n]`, at least float32; 0 where masked.

    Raises:
        TypeError: for scores that are not real numbers, or a mask that is not Boolean.
        ValueError: for shapes that do not fit, and, if `checks` can see them, for unmasked scores
            that are not finite, and a lowest score above the highest.
    """
    # The product of a masked infinity and a derivative of 0 would be NaN.
    values = masked_scores(scores, mask)
    check_scores("scores", scores, mask)
    valid = jnp.ones(values.shape, bool) if mask is None else jnp.asarray(mask)
    if bounds is None:
        bounds = (
            jnp.where(valid, values, jnp.inf).min(-1, initial=jnp.inf),
            jnp.where(valid, values, -jnp.inf).max(-1, initial=-jnp.inf),
        )
    else:
        for bound in bounds:
            check_own("bounds", bound, values.shape[:-1])
        check_order("bounds", *bounds)
    # The range of finite scores may be infinite; an eighth has a reciprocal, and dividing is exact.
    low, high = (jnp.asarray(bound, values.dtype)[..., None] / 8 for bound in bounds)
    return jnp.where(valid, (values / 8 - low) * reciprocal(high - low), 0.0)


def hybrid(
    lexical: Scores,
    cosine: Scores,
    *,
    lexical_weight: PerQuery = 0.3,
    lexical_bounds: Bounds | None = None,
    mask: Mask | None = None,
) -> Float[Array, "*B n"]:
    """GraphER's base retriever (section 3.1): 0.3 × min-max BM25 + 0.7 × cosine.

    Args:
        lexical: `[*B, n]` BM25 scores over the whole corpus, any scale.
        cosine: `[*B, n]` cosine similarities.
        lexical_weight: the weight of the lexical part, in [0, 1], one for all queries or `[*B]`;
            the cosine has the rest.
        lexical_bounds: `[*B]` the lowest and the highest BM25 score, if `lexical` covers only a
            part of the corpus.
        mask: `[*B, n]` true for the objects that count; all by default.

    Returns:
        `[*B, n]` fused scores; 0 where masked.

    Raises:
        TypeError: for scores or a weight that are not real numbers, and a mask that is not Boolean.
        ValueError: for a weight outside [0, 1], and a shape that does not fit.
    """
    check_mask(mask, np.shape(lexical))
    check_scores("lexical", lexical, mask)
    check_scores("cosine", cosine, mask)
    check_shape("cosine", cosine, np.shape(lexical))
    check_share("lexical_weight", lexical_weight)
    check_own("lexical_weight", lexical_weight, np.shape(cosine)[:-1])
    normalized = min_max(lexical, bounds=lexical_bounds, mask=mask)
    weight = of_each(lexical_weight, normalized)
    return weight * normalized + (1 - weight) * masked_scores(cosine, mask)


def reciprocal_rank_fusion(
    scores: Real[Array | ndarray, "*B r n"],
    *,
    weights: Float[Array | ndarray, "*#B r"] | None = None,
    offset: PerQuery = 60.0,
    mask: Bool[Array | ndarray, "*B r n"] | None = None,
) -> Float[Array, "*B n"]:
    """Fuses r rankings of the same candidates: the sum of `weight / (offset + rank)` over them.

    This is reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009), with ranks from 1. It reads
    only the order of each ranking, so that scores may have any scales. Of tied candidates, each has
    the best of their ranks, so that the order of candidates does not matter.

    Args:
        scores: `[*B, r, n]` the scores by each ranking, higher is better; a NaN counts as masked.
        weights: `[r]` or `[*B, r]` how much each ranking counts, at least 0; all alike by default.
        offset: at least 0; the larger it is, the less the first ranks stand out. Scalar or `[*B]`.
        mask: `[*B, r, n]` true for the candidates that a ranking has; all by default.

    Returns:
        `[*B, n]` float32, the fused scores; 0 for a candidate that no ranking has.

    Raises:
        TypeError: for scores, weights or an offset that are not real numbers, and a mask that is
            not Boolean.
        ValueError: for shapes that do not fit, and, if the values can be checked (see `checks`),
            for a negative weight or offset.
    """
    check_fit("scores", scores, None, None, None)
    *batch, rankings, _ = np.shape(scores)
    ahead, tied = ties(scores, mask=mask)
    check_weights("offset", offset)
    check_own("offset", offset, tuple(batch))
    given = ahead.astype(jnp.float32)
    shares = 1 / (of_each(offset, given[..., 0])[..., None] + 1 + given)
    if weights is not None:
        check_weights("weights", weights)
        check_fit("weights", weights, batch, rankings)
        shares *= jnp.asarray(weights, shares.dtype)[..., None]
    return jnp.where(tied > 0, shares, 0.0).sum(-2)


def adjust_scores(
    scores: Scores,
    weights: Float[Array | ndarray, "*B n k"],
    *,
    alpha: PerQuery = 0.5,
    mask: Mask | None = None,
) -> Float[Array, "*B n"]:
    """Mixes scores with the mean weight of a candidate's edges (query-aware GNN, algorithm 9).

    Args:
        scores: `[*B, n]` the retriever's scores.
        weights: `[*B, n, k]` the weights of each candidate's semantic edges, 0 for no edge. The
            paper's mean is undefined without edges; here it is 0.
        alpha: the weight of a candidate's own score, in [0, 1], one for all queries or `[*B]`.
        mask: `[*B, n]` true for valid candidates; all by default.

    Returns:
        `[*B, n]` `alpha × score + (1 − alpha) × mean weight`; 0 where masked.

    Raises:
        TypeError: for scores, weights or an α that are not real numbers, and a mask that is not
            Boolean.
        ValueError: for an α outside [0, 1], a negative weight, and a shape that does not fit.
    """
    check_mask(mask, np.shape(scores))
    check_scores("scores", scores, mask)
    check_shape("weights", weights, (*np.shape(scores), None))
    check_weights("weights", weights, mask)
    check_share("alpha", alpha)
    check_own("alpha", alpha, np.shape(scores)[:-1])
    values = as_scores("weights", weights)
    mean = values.sum(-1) * reciprocal((values != 0).sum(-1).astype(values.dtype))
    own, mean = masked_scores(scores, mask), masked_scores(mean, mask)
    share = of_each(alpha, own)
    return share * own + (1 - share) * mean
