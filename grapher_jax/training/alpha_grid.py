"""Grid search for the α of fixed-point rankers (GraphER, appendix A.3)."""

from collections.abc import Mapping
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.kernels.checks import (
    check_alpha,
    check_count,
    check_diffusion,
    check_mask,
    check_scores,
    check_shape,
    check_truth,
)
from grapher_jax.kernels.graphs.proximities import (
    TABLE,
    Table,
    check_proximity_weights,
    check_relations,
    pair_graph,
)
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.program.reranking import RANKERS
from grapher_jax.kernels.types import Mask, Scores

ALPHAS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def check_judged(
    scores: Scores,
    relations: Relations,
    relevant: Bool[Array | ndarray, "*B n"],
    mask: Mask,
    table: Table,
) -> None:
    """Checks judged candidates and what joins them; raises as `kernels.rerank`."""
    check_mask(mask, shape := np.shape(scores))
    check_scores("scores", scores, mask)
    check_truth("relevant", relevant)
    check_shape("relevant", relevant, shape)
    check_relations(relations, shape, mask, table)


def alpha_grid(
    scores: Scores,
    relations: Relations,
    relevant: Bool[Array | ndarray, "*B n"],
    relevant_counts: Int[Array | ndarray, "*B"],
    alphas: Float[Array | ndarray, " a"],
    *,
    mask: Mask,
    weights: Mapping[str, float | Array] | None = None,
    ranker: str,
    k: int,
    gap_part: Float[Array | ndarray, "*B"] | None = None,
    least_degree: Float[Array | ndarray, "*B"] | None = None,
    table: Table = TABLE,
) -> Float[Array, " a *B"]:
    """PR@K of every query at every α; the graphs are built once.

    Args:
        scores: `[*B, n]` the retriever's scores.
        relations: the metadata that joins the candidates.
        relevant: `[*B, n]` which candidates are relevant.
        relevant_counts: `[*B]` how many objects are relevant, among the candidates or not.
        alphas: `[a]` the grid.
        mask: `[*B, n]` true for real candidates.
        weights: the weight of each proximity by name, 1 by default.
        ranker: `gcs`, `ppr` or `diffusion`.
        k: the cut-off rank.
        gap_part: `[*B]` as in `kernels.diffusion`; other rankers have none.
        least_degree: `[*B]` as in `kernels.diffusion`; other rankers have none.
        table: the table of proximities.

    Returns:
        `[a, *B]` 0.0 or 1.0.

    Raises:
        TypeError: as `kernels.rerank`.
        ValueError: as `kernels.rerank`, and for an unknown ranker, or a `gap_part` or
            `least_degree` of a ranker that has none.
    """
    if ranker not in RANKERS:
        raise ValueError(f"ranker: {ranker!r} is unknown; use one of {', '.join(RANKERS)}")
    check_count("k", k)
    check_shape("alphas", alphas, (None,))
    check_alpha(alphas)
    check_diffusion(ranker, None, gap_part, least_degree)
    check_judged(scores, relations, relevant, mask, table)
    check_shape("relevant_counts", relevant_counts, np.shape(scores)[:-1])
    check_proximity_weights(weights, table)
    diffusing = {"gap_part": gap_part, "least_degree": least_degree}
    own = {name: value for name, value in diffusing.items() if value is not None}
    counted = (relevant, relevant_counts)
    return _grid(scores, relations, *counted, alphas, mask, weights, own, ranker, k, table)


# The values were checked outside: in a program, nothing can be.
@partial(jax.jit, static_argnames=("ranker", "k", "table"))
def _grid(
    scores: Scores,
    relations: Relations,
    relevant: Bool[Array | ndarray, "*B n"],
    relevant_counts: Int[Array | ndarray, "*B"],
    alphas: Float[Array | ndarray, " a"],
    mask: Mask,
    weights: Mapping[str, float | Array] | None,
    own: Mapping[str, Float[Array | ndarray, "*B"]],
    ranker: str,
    k: int,
    table: Table,
) -> Float[Array, " a *B"]:
    rank = partial(RANKERS[ranker], mask=mask, **own)
    adjacency = pair_graph(jnp.shape(scores), relations, weights=weights, mask=mask, table=table)

    def at(alpha: Array) -> Array:
        best = kernels.top_k(rank(adjacency, scores, alpha=alpha).scores, k, mask=mask)
        hits = jnp.take_along_axis(jnp.asarray(relevant), best.indices, axis=-1)
        return kernels.perfect_recall(hits & (best.indices >= 0), relevant_counts, k)

    return jax.lax.map(at, jnp.asarray(alphas))
