"""The input of a learned ranker for a batch of questions."""

from dataclasses import dataclass, replace
from functools import reduce

import jax.numpy as jnp
from jaxtyping import Array, Float, Shaped
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.kernels.checks import as_scores, check_count, check_shape
from grapher_jax.kernels.graphs.proximities import TABLE, Table, check_relations, compared
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.lookup.bits import list_marked
from grapher_jax.kernels.masking import reciprocal, unit_scale
from grapher_jax.kernels.precision import full_precision
from grapher_jax.kernels.program.reranking import rerank_relations
from grapher_jax.kernels.types import Mask, Scores, pytree
from grapher_jax.text import MAX_DF
from grapher_jax.training.relations import COUNTED_AS, DEGREES

# Deviations below this fraction of the largest score are rounding errors.
_ALIKE = 1e-5
# The number of scalars from `scalar_features`.
SCALARS = 11
# The number of features for the word overlap of question and names of table and columns.
WORDS = 9
# The number of features for their semantic similarity.
MEANINGS = 6


@dataclass(frozen=True, kw_only=True)
class GraphSettings:
    """How the graphs are built for training a network and for using it.

    Attributes:
        smoothing: the fixed-point ranker whose scores the network reads: `gcs`, or `diffusion` (as
            logarithm).
        alpha: the α of that ranker; its own default if None.
        max_df: ignore entities that more than this many objects have; None for no limit.
        neighbors: the maximum number of neighbours per candidate.
    """

    smoothing: str = "gcs"
    alpha: float | None = None
    max_df: int | None = MAX_DF
    neighbors: int = 16

    def __post_init__(self) -> None:
        if self.alpha is None:
            object.__setattr__(self, "alpha", kernels.DEFAULT_ALPHA.get(self.smoothing))


@pytree
@dataclass(frozen=True)
class CandidateBatch:
    """Candidates of B questions, with the graph over them.

    Values must be finite where masked too: a network's gradients multiply them by 0.

    Attributes:
        scores: `[B, n]` the retriever's scores.
        smoothed: `[B, n]` the scores after the fixed point; see `GraphSettings`.
        questions: `[B, d]` the questions' embeddings, of unit length.
        objects: `[B, n, d]` the candidates' embeddings, of unit length.
        neighbors: `[B, n, k]` the neighbours of each candidate, -1 for padding.
        degrees: `[B, n, r]` the number of a candidate's edges of each relation.
        mask: `[B, n]` true for real candidates.
        words: `[B, n, WORDS]` the word overlap of table and column names with the question, 0 for
            candidates that are not tables; None for a network that does not read it.
        meanings: `[B, n, MEANINGS]` the semantic similarity of these names to the question; 0 and
            None as for `words`.
        scalars: `[B, n, SCALARS]` their `scalar_features`, if computed in advance.
    """

    scores: Scores
    smoothed: Float[Array | ndarray, "B n"]
    questions: Float[Array | ndarray, "B d"]
    objects: Float[Array | ndarray, "B n d"]
    neighbors: Shaped[Array | ndarray, "B n k"]
    degrees: Float[Array | ndarray, "B n r"]
    mask: Mask
    words: Float[Array | ndarray, "B n w"] | None = None
    meanings: Float[Array | ndarray, "B n m"] | None = None
    scalars: Float[Array | ndarray, "B n s"] | None = None


def build_candidates(
    scores: Scores,
    questions: Float[Array | ndarray, "B d"],
    objects: Float[Array | ndarray, "B n d"],
    relations: Relations,
    *,
    mask: Mask,
    smoothing: str = "gcs",
    alpha: float | Array | None = None,
    neighbors: int = 16,
    table: Table = TABLE,
    words: Float[Array | ndarray, "B n w"] | None = None,
    meanings: Float[Array | ndarray, "B n m"] | None = None,
) -> CandidateBatch:
    """Build the graphs, smooth the scores, and list the neighbours of every candidate.

    Args:
        scores: `[B, n]` the retriever's scores.
        questions: `[B, d]` embeddings.
        objects: `[B, n, d]` embeddings.
        relations: the metadata that joins the candidates.
        mask: `[B, n]` true for real candidates.
        smoothing: see `GraphSettings`.
        alpha: see `GraphSettings`.
        neighbors: the maximum number of neighbours per candidate; if there are more, the best
            ranked by the retriever.
        table: the proximities whose edges join candidates; edges in `DEGREES` are also counted.
        words: see `CandidateBatch`.
        meanings: see `CandidateBatch`.

    Raises:
        TypeError: as `kernels.rerank`.
        ValueError: as `kernels.rerank`, for no neighbours, and for shapes that do not fit.
    """
    check_count("neighbors", neighbors)
    scores = as_scores("scores", scores)  # the square of a score may exceed float16
    shape = jnp.shape(scores)
    check_relations(relations, shape, mask, table)
    _check_read(shape, questions, objects, words=words, meanings=meanings)
    graphs = {
        row.name: compared(row, relations, mask).to_dense() > 0
        for row in table
        if row.given_by(relations)
    }
    none = jnp.zeros((*shape, shape[-1]), bool)
    joined = reduce(jnp.logical_or, graphs.values(), none)
    # As many numbers as the weights expect, even if other proximities join the candidates.
    counted = {
        name: [close for one, close in graphs.items() if COUNTED_AS.get(one, one) == name]
        for name in DEGREES
    }
    degrees = [
        reduce(jnp.logical_or, of, none).sum(-1).astype(jnp.float32) for of in counted.values()
    ]
    # The ranker builds its own graph, which is faster than reading a matrix.
    top = rerank_relations(
        scores, relations, mask=mask, ranker=smoothing, alpha=alpha, k=1, table=table
    )
    smoothed = scores if top.solution is None else top.solution.scores
    if smoothing == "diffusion":
        # Diffusion scores sum to 1, and a few of them have almost all.
        smoothed = jnp.log(jnp.maximum(smoothed, jnp.finfo(jnp.float32).tiny))
    return CandidateBatch(
        scores=scores,
        smoothed=smoothed,
        questions=questions,
        objects=objects,
        neighbors=list_marked(joined, neighbors),
        degrees=jnp.stack(degrees, -1),
        mask=mask,
        words=words,
        meanings=meanings,
    )


def _check_read(
    shape: tuple[int, ...],
    questions: Float[Array | ndarray, "B d"],
    objects: Float[Array | ndarray, "B n d"],
    **features: Float[Array | ndarray, "B n _"] | None,
) -> None:
    """Checks the shapes of what a network reads beside scores and relations."""
    check_shape("questions", questions, (*shape[:-1], None))
    check_shape("objects", objects, (*shape, jnp.shape(questions)[-1]))
    for name, own in features.items():
        if own is not None:
            check_shape(name, own, (*shape, None))


@full_precision
def scalar_features(batch: CandidateBatch) -> Float[Array, "B n s"]:
    """`[B, n, SCALARS]` features independent of object identities and of embedding axes.

    They are scores standardised per question, their ranks, the difference between the mean smoothed
    score of a candidate's neighbours and its own, and numbers of edges. The retriever's scale does
    not matter. If all cosines of a question are equal, as without embeddings, they and their ranks
    are 0.
    """
    mask = jnp.asarray(batch.mask)
    cosine = jnp.einsum("bd,bnd->bn", batch.questions, batch.objects)
    scores = [jnp.asarray(batch.scores), jnp.asarray(batch.smoothed), cosine]
    columns = [standardised(score, mask) for score in scores]
    near = neighbor_means(columns[1], batch.neighbors)
    ranks = [_log_rank(score, mask) for score in scores]
    # Ranks of equal values would be positions in the list, which the retriever's ranks already are.
    ranks[2] = jnp.where(centre(cosine, mask)[1] > 0, ranks[2], 0.0)
    columns += ranks
    joined = (jnp.asarray(batch.neighbors) >= 0).any(-1)
    columns += [jnp.where(mask & joined, near - columns[1], 0.0)]
    columns += [*jnp.moveaxis(jnp.log1p(jnp.asarray(batch.degrees)), -1, 0)]
    return jnp.stack(columns, -1)


def with_scalars(batch: CandidateBatch) -> CandidateBatch:
    """The batch with its `scalars` computed."""
    return replace(batch, scalars=scalar_features(batch))


def neighbor_means(
    values: Float[Array, "B n"], neighbors: Shaped[Array | ndarray, "B n k"]
) -> Float[Array, "B n"]:
    """`[B, n]` the mean over the neighbours of each candidate; 0 if there are none."""
    listed = jnp.asarray(neighbors)
    used = listed >= 0
    found = jnp.take_along_axis(values[:, None], jnp.maximum(listed, 0), axis=2)
    return jnp.where(used, found, 0.0).sum(-1) * reciprocal(used.sum(-1).astype(values.dtype))


def centre(scores: Scores, mask: Mask) -> tuple[Float[Array, "B n"], Float[Array, "B 1"]]:
    """`[B, n]` scores minus their mean, and `[B, 1]` their deviation, over real candidates.

    If all scores are equal, the deviation is exactly 0, not a rounding error.
    """
    count = jnp.maximum(jnp.asarray(mask).sum(-1, keepdims=True), 1)
    centred = jnp.asarray(scores) - jnp.where(mask, scores, 0.0).sum(-1, keepdims=True) / count
    variance = jnp.where(mask, centred**2, 0.0).sum(-1, keepdims=True) / count
    # The derivative of the square root at 0 would make every gradient NaN.
    deviation = jnp.where(variance > 0, jnp.sqrt(jnp.where(variance > 0, variance, 1.0)), 0.0)
    largest = jnp.where(mask, jnp.abs(scores), 0.0).max(-1, keepdims=True)
    return centred, jnp.where(deviation > _ALIKE * largest, deviation, 0.0)


def standardised(scores: Float[Array, "B n"], mask: Mask) -> Float[Array, "B n"]:
    """`[B, n]` standardised scores over real candidates; 0 if all are equal."""
    # The squares of huge scores would overflow, and those of tiny ones vanish.
    scores = jnp.where(mask, scores, 0.0)
    centred, deviation = centre(scores * unit_scale(scores), mask)
    return jnp.where(mask, centred * reciprocal(deviation), 0.0)


def _log_rank(scores: Float[Array, "B n"], mask: Array) -> Float[Array, "B n"]:
    """The logarithmic rank: 0 for the best, 1 for the 200th."""
    # Counting better ones is faster than sorting twice; on CPUs, it is faster down the rows than
    # along.
    ranked = jnp.where(mask, scores, -jnp.inf)
    other, own = ranked[..., :, None], ranked[..., None, :]
    earlier = ~jnp.tri(scores.shape[-1], dtype=bool)
    ranks = ((other > own) | ((other == own) & earlier)).sum(-2)
    return jnp.where(mask, jnp.log1p(ranks) / jnp.log(200.0), 0.0)
