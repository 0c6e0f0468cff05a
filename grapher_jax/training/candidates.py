"""What a learned ranker reads of a batch of questions."""

from dataclasses import dataclass, replace
from functools import reduce

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Shaped
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.kernels.graphs.proximities import TABLE, Table, compared
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.lookup.bits import list_marked
from grapher_jax.kernels.masking import reciprocal
from grapher_jax.kernels.program.reranking import rerank_relations
from grapher_jax.kernels.types import Mask, Scores
from grapher_jax.text import MAX_DF
from grapher_jax.training.relations import COUNTED_AS, DEGREES

# Deviations below this share of the largest score are rounding.
_ALIKE = 1e-5
# How many scalars `scalar_features` makes.
SCALARS = 11
# How many numbers tell what a question's words and the names of a table and its columns share.
WORDS = 9
# How many tell how near their meanings are.
MEANINGS = 6


@dataclass(frozen=True, kw_only=True)
class GraphSettings:
    """How the graphs are built that a network is trained on, and then used with.

    Attributes:
        smoothing: the fixed point whose scores the network reads: `gcs`, or `diffusion`, of which
            it reads the logarithm.
        alpha: of that fixed point; its own by default.
        max_df: entities that more objects have connect nothing; None lets all connect.
        neighbors: how many neighbours a candidate has at most.
    """

    smoothing: str = "gcs"
    alpha: float | None = None
    max_df: int | None = MAX_DF
    neighbors: int = 16

    def __post_init__(self) -> None:
        if self.alpha is None:
            object.__setattr__(self, "alpha", kernels.DEFAULT_ALPHA.get(self.smoothing))


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class CandidateBatch:
    """Candidates of B questions, with the graph over them.

    Attributes:
        scores: `[B, n]` the retriever's scores.
        smoothed: `[B, n]` the scores after the fixed point; see `GraphSettings`.
        questions: `[B, d]` the questions' embeddings, unit length.
        objects: `[B, n, d]` the candidates' embeddings, unit length.
        neighbors: `[B, n, k]` the neighbours of each candidate, -1 where there are fewer.
        degrees: `[B, n, r]` by how many edges of each relation a candidate is joined to others.
        mask: `[B, n]` true for real candidates.
        words: `[B, n, WORDS]` what the names of tables and columns say of the question, 0 where
            candidates are no tables; None for a network that does not read it.
        meanings: `[B, n, MEANINGS]` how near these names are to the question in meaning, likewise.
        scalars: `[B, n, SCALARS]` their `scalar_features`, where these are made beforehand.
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
        relations: what joins the candidates.
        mask: `[B, n]` true for real candidates.
        smoothing: see `GraphSettings`.
        alpha: likewise.
        neighbors: how many each has at most; of more, those that the retriever ranks best.
        table: the proximities whose edges join candidates; those of `DEGREES` are counted as well.
        words: see `CandidateBatch`.
        meanings: likewise.
    """
    shape = jnp.shape(scores)
    graphs = {
        row.name: compared(row, relations, mask).to_dense() > 0
        for row in table
        if row.given_by(relations)
    }
    none = jnp.zeros((*shape, shape[-1]), bool)
    joined = reduce(jnp.logical_or, graphs.values(), none)
    # As many numbers as the weights have places for, whatever else joins the candidates.
    counted = {
        name: [close for one, close in graphs.items() if COUNTED_AS.get(one, one) == name]
        for name in DEGREES
    }
    degrees = [
        reduce(jnp.logical_or, of, none).sum(-1).astype(jnp.float32) for of in counted.values()
    ]
    # The ranker finds its own graph, faster than it would read a matrix.
    top = rerank_relations(
        scores, relations, mask=mask, ranker=smoothing, alpha=alpha, k=1, table=table
    )
    smoothed = scores if top.solution is None else top.solution.scores
    if smoothing == "diffusion":
        # Shares of one whole, of which a few are nearly all.
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


def scalar_features(batch: CandidateBatch) -> Float[Array, "B n s"]:
    """`[B, n, SCALARS]` what names neither an object nor an embedding's axis.

    Scores are standardised per question, their ranks follow, how far the mean smoothed score of a
    candidate's neighbours lies above its own, and how it is joined to others. The retriever's scale
    does not matter. Where all cosines of a question are alike, as where there are no embeddings,
    they and their ranks are 0.
    """
    mask = jnp.asarray(batch.mask)
    cosine = jnp.einsum("bd,bnd->bn", batch.questions, batch.objects)
    scores = [jnp.asarray(batch.scores), jnp.asarray(batch.smoothed), cosine]
    columns = [standardised(score, mask) for score in scores]
    near = neighbor_means(columns[1], batch.neighbors)
    ranks = [_log_rank(score, mask) for score in scores]
    # Ranks of what is alike are places in the list, which the retriever's ranks are already.
    ranks[2] = jnp.where(centre(cosine, mask)[1] > 0, ranks[2], 0.0)
    columns += ranks
    joined = (jnp.asarray(batch.neighbors) >= 0).any(-1)
    columns += [jnp.where(mask & joined, near - columns[1], 0.0)]
    columns += [*jnp.moveaxis(jnp.log1p(jnp.asarray(batch.degrees)), -1, 0)]
    return jnp.stack(columns, -1)


def with_scalars(batch: CandidateBatch) -> CandidateBatch:
    """The batch with its `scalars` made."""
    return replace(batch, scalars=scalar_features(batch))


def neighbor_means(
    values: Float[Array, "B n"], neighbors: Shaped[Array | ndarray, "B n k"]
) -> Float[Array, "B n"]:
    """`[B, n]` the mean over the neighbours of each; 0 where there are none."""
    listed = jnp.asarray(neighbors)
    used = listed >= 0
    found = jnp.take_along_axis(values[:, None], jnp.maximum(listed, 0), axis=2)
    return jnp.where(used, found, 0.0).sum(-1) * reciprocal(used.sum(-1).astype(values.dtype))


def centre(scores: Scores, mask: Mask) -> tuple[Float[Array, "B n"], Float[Array, "B 1"]]:
    """`[B, n]` scores without their mean, and `[B, 1]` their deviation, over real candidates.

    Where all are alike, the deviation is 0, not what rounding leaves.
    """
    count = jnp.maximum(jnp.asarray(mask).sum(-1, keepdims=True), 1)
    centred = jnp.asarray(scores) - jnp.where(mask, scores, 0.0).sum(-1, keepdims=True) / count
    variance = jnp.where(mask, centred**2, 0.0).sum(-1, keepdims=True) / count
    deviation = jnp.sqrt(variance)
    largest = jnp.where(mask, jnp.abs(scores), 0.0).max(-1, keepdims=True)
    return centred, jnp.where(deviation > _ALIKE * largest, deviation, 0.0)


def standardised(scores: Float[Array, "B n"], mask: Mask) -> Float[Array, "B n"]:
    """`[B, n]` scores in deviations from their mean over real candidates; 0 where all are alike."""
    centred, deviation = centre(scores, mask)
    return jnp.where(mask, centred * reciprocal(deviation), 0.0)


def _log_rank(scores: Float[Array, "B n"], mask: Array) -> Float[Array, "B n"]:
    """0 for the best; 1 for the 200th."""
    # Counting those ahead is faster than sorting twice, and on CPUs down the rows, not along them.
    ranked = jnp.where(mask, scores, -jnp.inf)
    other, own = ranked[..., :, None], ranked[..., None, :]
    earlier = ~jnp.tri(scores.shape[-1], dtype=bool)
    ranks = ((other > own) | ((other == own) & earlier)).sum(-2)
    return jnp.where(mask, jnp.log1p(ranks) / jnp.log(200.0), 0.0)
