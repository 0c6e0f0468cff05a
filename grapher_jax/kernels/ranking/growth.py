"""Growth along edges: candidates that belong to the best ones are chosen earlier."""

from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Shaped

from grapher_jax.kernels.checks import (
    as_number,
    as_scores,
    check_count,
    check_mask,
    check_own,
    check_scores,
    check_shape,
    check_weights,
)
from grapher_jax.kernels.masking import of_each, usable
from grapher_jax.kernels.ranking.greedy import choose_in_turn
from grapher_jax.kernels.ranking.selection import no_candidates, padded, score_gap
from grapher_jax.kernels.types import Adjacency, Mask, PerQuery, Scores, TopK


def grow_along_edges(
    scores: Scores,
    adjacency: Adjacency,
    *,
    mask: Mask | None = None,
    bonus: PerQuery = 0.3,
    keep: int = 3,
    k: int = 10,
) -> TopK:
    """Chooses k candidates, one at a time, with a bonus for those joined to a chosen one.

    Each step chooses the candidate with the highest score, where every candidate that an edge joins
    to a chosen one gets `bonus` times the gap between the best score and the tenth, times the
    largest weight of these edges. So the choice of fewer candidates is the beginning of the choice
    of more, and neither the scale of the scores nor their zero matters. Ties go to the earlier
    candidate, and a NaN is left out.

    Args:
        scores: `[*B, n]`, of any ranker.
        adjacency: `[*B, n, n]` the weights of edges from the row to the column, the transpose of
            what GCS, PPR and diffusion read, because every step reads the edges from one candidate.
            Those above 1 count as 1, and those below 0 as none. Masked candidates are not read.
        mask: `[*B, n]` true for valid candidates; all by default.
        bonus: at least 0; scalar or `[*B]`. The gap is that to the last candidate if there are
            fewer than ten, or the first ten have equal scores.
        keep: so many of the best candidates keep their places, at least 1.
        k: how many, at least 1; may exceed n.

    Returns:
        Indices `[*B, k]` and scores that never increase from one to the next: a candidate's score
        with its bonus, but at most the one before. Padded with -1 and -inf if there are fewer.

    Raises:
        TypeError: for scores that are not real numbers, or a mask that is not Boolean.
        ValueError: for wrong shapes, k or keep, and, if the values can be checked (see `checks`),
            for unmasked scores that are not finite, and a negative bonus.
    """
    values = as_scores("scores", scores)
    check_count("k", k)
    check_count("keep", keep)
    check_mask(mask, values.shape)
    check_scores("scores", scores, mask)
    check_weights("bonus", bonus)
    check_own("bonus", bonus, values.shape[:-1])
    n = values.shape[-1]
    check_shape("adjacency", adjacency, (*values.shape, n))
    if not n:  # of which no maximum can be taken
        return no_candidates(values, k)
    valid = usable(values, mask)
    each = as_number(bonus, values)
    return padded(_grow(values, jnp.asarray(adjacency), valid, each, keep, min(k, n)), k)


# Jitted: called outside of a program, its loop would be compiled at every call.
@partial(jax.jit, static_argnums=(4, 5))
def _grow(
    scores: Float[Array, "*B n"],
    adjacency: Shaped[Array, "*B n n"],
    valid: Bool[Array, "*B n"],
    bonus: PerQuery,
    keep: int,
    k: int,
) -> TopK:
    raised = of_each(bonus, scores) * score_gap(scores, valid)

    def value(weight: Float[Array, "*B n"], place: Int[Array, ""]) -> Float[Array, "*B n"]:
        return scores + jnp.where((weight > 0) & (place >= keep), weight * raised, 0.0)

    def beside(chosen: Int[Array, "*B 1"]) -> Float[Array, "*B n"]:
        row = jnp.take_along_axis(adjacency, chosen[..., None], axis=-2)[..., 0, :]
        weights = row.astype(scores.dtype)
        return jnp.where(weights > 0, jnp.minimum(weights, 1), 0)  # also where they are NaN

    top = choose_in_turn(value, beside, valid, jnp.zeros_like(scores), k)
    return TopK(top.indices, jax.lax.cummin(top.scores, axis=scores.ndim - 1))
