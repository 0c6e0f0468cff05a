"""The training losses: one number per question, from the scores of its candidates.

Every loss takes `scores[*B, n]`, `relevant[*B, n]` and `mask[*B, n]`, by default all, and returns
`[*B]`, in float32 at least. Masked candidates are ignored, whatever their values. If a question has
only relevant or only irrelevant candidates, all values and gradients are still finite. They raise
TypeError for scores that are not real numbers, and labels or a mask that are not Boolean, and
ValueError for shapes that differ.
"""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jaxtyping import Array, Bool, Float
from numpy import ndarray

from grapher_jax.kernels.checks import check_count, check_shape, check_truth
from grapher_jax.kernels.masking import masked_scores
from grapher_jax.kernels.types import Mask, Scores

Relevant = Bool[Array | ndarray, "*B n"]
Loss = Callable[[Scores, Relevant, Mask | None], Float[Array, "*B"]]

# Below any score, but finite, because differences of infinities are NaN.
_LOWEST = -1e9


def softmax_loss(
    scores: Scores, relevant: Relevant, mask: Mask | None = None
) -> Float[Array, "*B"]:
    """Softmax cross-entropy, with equal target probabilities for the relevant candidates."""
    scores, relevant, mask = _real(scores, relevant, mask)
    shares = jax.nn.log_softmax(jnp.where(mask, scores, _LOWEST), axis=-1)
    return -_mean(jnp.where(relevant, shares, 0.0), relevant)


def hinge_loss(scores: Scores, relevant: Relevant, mask: Mask | None = None) -> Float[Array, "*B"]:
    """The mean over pairs of `max(0, 1 − (relevant's score − the other's))`."""
    scores, relevant, mask = _real(scores, relevant, mask)
    pairs = relevant[..., :, None] & (mask & ~relevant)[..., None, :]
    short = jnp.maximum(0.0, 1.0 - (scores[..., :, None] - scores[..., None, :]))
    each = jnp.where(pairs, short, 0.0).reshape(*pairs.shape[:-2], -1)
    return _mean(each, pairs.reshape(each.shape))


def binary_loss(scores: Scores, relevant: Relevant, mask: Mask | None = None) -> Float[Array, "*B"]:
    """The mean binary cross-entropy of a question's candidates."""
    scores, relevant, mask = _real(scores, relevant, mask)
    each = optax.sigmoid_binary_cross_entropy(scores, relevant.astype(scores.dtype))
    return _mean(jnp.where(mask, each, 0.0), mask)


def perfect_recall_loss(
    scores: Scores, relevant: Relevant, mask: Mask | None = None, *, k: int = 10
) -> Float[Array, "*B"]:
    """The lowest relevant candidate against the one that decides PR@K.

    It is derived in docs/concepts/losses.md.

    Args:
        scores: `[*B, n]`.
        relevant: `[*B, n]`.
        mask: `[*B, n]` true for real candidates; all by default.
        k: the cut-off rank.

    Raises:
        ValueError: for a k that is no integer from 1 to 2147483647.
    """
    check_count("k", k)
    scores, relevant, mask = _real(scores, relevant, mask)
    count = relevant.sum(-1)
    others = jnp.where(mask & ~relevant, scores, _LOWEST)
    best, _ = jax.lax.top_k(others, min(k, others.shape[-1]))
    place = jnp.clip(k - count, 0, best.shape[-1] - 1)
    decides = jnp.take_along_axis(best, place[..., None], axis=-1)[..., 0]
    # With fewer irrelevant candidates, nothing competes with the lowest relevant one.
    decides = jnp.where(k - count < best.shape[-1], decides, _LOWEST)
    lowest = jnp.where(relevant, scores, -_LOWEST).min(-1, initial=-_LOWEST)
    crowd = jax.nn.logsumexp(others, axis=-1, keepdims=True)
    each = jnp.where(relevant, jax.nn.softplus(crowd - scores), 0.0)
    return 0.5 * _mean(each, relevant) + jax.nn.softplus(decides - lowest)


def triplet_loss(
    scores: Scores, relevant: Relevant, mask: Mask | None = None
) -> Float[Array, "*B"]:
    """Pairwise hinge and binary cross-entropy together (query-aware GNN retrieval, section 4.1)."""
    return hinge_loss(scores, relevant, mask) + binary_loss(scores, relevant, mask)


def find_loss(name: str, k: int) -> Loss:
    """The loss with this name, one of `config.LOSSES`; k is the cut-off, if it has one."""
    found: dict[str, Loss] = {
        "perfect-recall": partial(perfect_recall_loss, k=k),
        "softmax": softmax_loss,
        "hinge": hinge_loss,
        "binary": binary_loss,
        "triplet": triplet_loss,
    }
    if name not in found:
        raise ValueError(f"loss: {name!r} is unknown; use {', '.join(found)}")
    return found[name]


def _mean(each: Float[Array, "*B m"], counted: Bool[Array, "*B m"]) -> Float[Array, "*B"]:
    """The sum of numbers, over how many count; 0 if none does."""
    return each.sum(-1) / jnp.maximum(counted.sum(-1), 1).astype(each.dtype)


def _real(
    scores: Scores, relevant: Relevant, mask: Mask | None
) -> tuple[Float[Array, "*B n"], Bool[Array, "*B n"], Bool[Array, "*B n"]]:
    """The arrays in JAX, with masked candidates 0 and irrelevant.

    Raises:
        TypeError: for scores that are not real numbers, and labels or a mask that are not Boolean.
        ValueError: for shapes that differ.
    """
    check_truth("relevant", relevant)
    check_shape("relevant", relevant, shape := np.shape(scores))
    values = masked_scores(scores, mask)
    real = jnp.ones(shape, bool) if mask is None else jnp.asarray(mask)
    return values, jnp.asarray(relevant) & real, real
