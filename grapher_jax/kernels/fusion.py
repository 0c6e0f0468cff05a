"""One score from several: normalisation and hybrid fusion."""

import jax.numpy as jnp
from jaxtyping import Array, Float
from numpy import ndarray

from grapher_jax.kernels.checks import check_mask, check_scores
from grapher_jax.kernels.masking import reciprocal
from grapher_jax.kernels.types import Mask, Scores


def min_max(scores: Scores, *, mask: Mask | None = None) -> Float[Array, "*B n"]:
    """Scores moved to [0, 1] per query: lowest to 0, highest to 1; 0 where all are equal."""
    check_mask(mask, jnp.shape(scores))
    check_scores("scores", scores, mask)
    values = jnp.asarray(scores)
    real = jnp.ones(values.shape, bool) if mask is None else jnp.asarray(mask)
    low = jnp.where(real, values, jnp.inf).min(-1, keepdims=True)
    high = jnp.where(real, values, -jnp.inf).max(-1, keepdims=True)
    return jnp.where(real, (values - low) * reciprocal(high - low), 0.0)


def hybrid(
    lexical: Scores,
    cosine: Scores,
    *,
    lexical_weight: float | Array = 0.3,
    mask: Mask | None = None,
) -> Float[Array, "*B n"]:
    """GraphER's base retriever (section 3.1): 0.3 × min-max BM25 + 0.7 × cosine.

    Args:
        lexical: `[*B, n]` BM25 scores over the whole corpus, any scale.
        cosine: `[*B, n]` cosine similarities.
        lexical_weight: the weight of the lexical part; the rest goes to the cosine.
        mask: `[*B, n]` true for the objects that count; all by default.

    Returns:
        `[*B, n]` fused scores.
    """
    cosine = jnp.asarray(cosine)
    return lexical_weight * min_max(lexical, mask=mask) + (1 - lexical_weight) * cosine


def adjust_scores(
    scores: Scores,
    weights: Float[Array | ndarray, "*B n k"],
    *,
    alpha: float | Array = 0.5,
    mask: Mask | None = None,
) -> Float[Array, "*B n"]:
    """Scores mixed with how strongly a candidate is tied to others (query-aware GNN, algorithm 9).

    Args:
        scores: `[*B, n]` the retriever's.
        weights: `[*B, n, k]` of each candidate's semantic edges, 0 where there is none. The paper's
            mean over no edges is undefined; here it counts as 0.
        alpha: the weight kept on a candidate's own score.
        mask: `[*B, n]` true for real candidates; all by default.

    Returns:
        `[*B, n]` `alpha × score + (1 − alpha) × mean weight`; 0 where masked.
    """
    check_mask(mask, jnp.shape(scores))
    check_scores("scores", scores, mask)
    values = jnp.asarray(weights)
    mean = values.sum(-1) * reciprocal((values != 0).sum(-1).astype(values.dtype))
    adjusted = alpha * jnp.asarray(scores) + (1 - alpha) * mean
    return adjusted if mask is None else jnp.where(mask, adjusted, 0.0)
