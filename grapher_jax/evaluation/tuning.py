"""Grid search over α (GraphER, appendix A.3)."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.errors import InputError
from grapher_jax.evaluation.figures import mean
from grapher_jax.evaluation.judged import JudgedRun
from grapher_jax.evaluation.reports import AlphaGrid, GridPoint, TuningReport
from grapher_jax.graph import EMPTY, MAX_DF, kernel_table, kernel_weights
from grapher_jax.rankers.fixed_point import suited_numbers
from grapher_jax.rankers.running import blocks
from grapher_jax.rerank import Reranker
from grapher_jax.shapes import block_shape, pad
from grapher_jax.training import ALPHAS, alpha_grid


def tune(
    run: JudgedRun,
    *,
    rankers: Sequence[str] = ("gcs", "ppr", "diffusion"),
    k: int = 10,
    proximities: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    max_df: int | None = MAX_DF,
    alphas: Sequence[float] = ALPHAS,
) -> TuningReport:
    """Measure PR@K of fixed-point rankers at every α.

    Args:
        run: judged questions of a training split.
        rankers: any of `gcs`, `ppr` and `diffusion`.
        k: the cut-off rank.
        proximities: the proximities that the graph is built from; by default all that the metadata
            allows.
        weights: see `RankingOptions`.
        max_df: see `RankingOptions`.
        alphas: the values of α to try.

    Raises:
        InputError: if there is no ranker or no α.
        ValueError: for an unknown ranker, and for a k or an α that is out of its range.
    """
    for name, given in (("rankers", rankers), ("alphas", alphas)):
        if not len(given):
            raise InputError(f"{name}: there are none; give at least one")
    edges = run.index.edges or None
    options = Reranker(proximities=proximities, weights=weights, max_df=max_df, edges=edges)
    base = np.asarray(kernels.perfect_recall(run.relevant, run.relevant_counts, k))
    grids = {}
    for ranker in rankers:
        table = _recalled(run, ranker, k, options, alphas)
        points = [
            GridPoint(alpha, mean(recalled, run.multi))
            for alpha, recalled in zip(alphas, table, strict=True)
        ]
        grids[ranker] = AlphaGrid(max(points, key=_reached).alpha, points)
    return TuningReport(k, mean(base, run.multi), grids)


def _reached(point: GridPoint) -> float:
    """The figure by which an α is chosen."""
    recall = point.recall
    return recall.all if recall.multi is None else recall.multi


def _recalled(
    run: JudgedRun,
    ranker: str,
    k: int,
    options: Reranker,
    alphas: Sequence[float],
) -> Float[ndarray, "alphas B"]:
    """Whether all relevant objects of each question are in the top K, at every α."""
    graph, parts = run.index.graph, []
    proximities = options.joining(graph)
    for block in blocks(run.candidates):
        rows = run.candidates.rows[block]
        shape = block_shape(rows.shape)
        padded = pad(rows, shape, EMPTY)
        own: dict[str, Float[ndarray, " B"]] = {}
        if ranker == "diffusion":  # at every α with the other numbers that it takes by default
            own = suited_numbers(run.index, padded, proximities, options.weights)
            del own["alpha"]
        recalled = alpha_grid(
            pad(run.candidates.scores[block], shape, 0.0),
            graph.gather(padded, proximities, max_df=options.max_df),
            pad(run.relevant[block], shape, False),
            pad(run.relevant_counts[block], shape[:1], 0),
            np.array(alphas, np.float32),
            mask=padded != EMPTY,
            ranker=ranker,
            k=k,
            weights=kernel_weights(options.weights, proximities, graph.rows),
            table=kernel_table(proximities, graph.rows),
            **own,
        )
        parts.append(np.asarray(recalled)[:, : len(rows)])
    return np.concatenate(parts, axis=1)
