"""Learns the parameters of diffusion from judged questions."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from jaxtyping import Array, Float
from numpy import ndarray

from grapher_jax.errors import InputError, require
from grapher_jax.evaluation.figures import Figure, mean
from grapher_jax.evaluation.judged import JudgedRun
from grapher_jax.evaluation.measures import perfect_recall
from grapher_jax.evaluation.ranking import Ranking
from grapher_jax.evaluation.reports import LearnedDiffusion
from grapher_jax.graph import EMPTY, MAX_DF, decides_diffusion, kernel_table
from grapher_jax.kernels.fixed_point.graph_diffusion import GAP_PLACE
from grapher_jax.rankers.running import blocks
from grapher_jax.rerank import Reranker
from grapher_jax.shapes import block_shape, pad
from grapher_jax.training import DiffusionNumbers, diffusion_loss

# The maximum number of questions to learn from: a few parameters need no more.
_MOST = 768
# One in this many questions is held out.
_EVERY = 4
# The number of candidates in a block, of which all pairs are compared.
_AT_ONCE = 1 << 14
# The maximum factor between each parameter and its start.
_TEMPERATURE, _ODDS, _WEIGHT = 30.0, 50.0, 100.0

Loss = Callable[[Float[ndarray, " numbers"]], tuple[Array, Array]]


def learn_diffusion(
    run: JudgedRun,
    *,
    proximities: Sequence[str] | None = None,
    max_df: int | None = MAX_DF,
) -> LearnedDiffusion:
    """Learn the temperature, α and the weights of proximities, by L-BFGS.

    Every fourth question is held out, to measure the learned parameters.

    Args:
        run: judged questions of a training split.
        proximities: the proximities that the graph is built from; by default all that the metadata
            allows.
        max_df: see `RankingOptions`.

    Raises:
        InputError: if nothing joins the objects, or there are too few questions.
        MissingExtraError: if SciPy is not installed.
    """
    edges = run.index.edges or None
    options = Reranker(ranker="diffusion", proximities=proximities, max_df=max_df, edges=edges)
    joining = tuple(options.joining(run.index.graph))
    if not joining:
        raise InputError("learn: nothing joins the objects, so there is nothing to learn")
    places = np.arange(len(run.candidates))
    held_out, own = run.take(places[::_EVERY]), run.take(places[places % _EVERY > 0])
    own = own.take(np.flatnonzero(own.relevant.any(axis=1)))
    if not len(own.candidates):
        raise InputError("learn: no question has a relevant candidate; give more questions")
    own = own.take(np.arange(0, len(own.candidates), -(-len(own.candidates) // _MOST)))
    started = time.perf_counter()
    numbers = _descend(own, options, joining)
    weights = dict(numbers.weights) if len(joining) > 1 else {}
    seconds = time.perf_counter() - started
    learned = replace(
        options, temperature=numbers.temperature, alpha=numbers.alpha, weights=weights
    )
    return LearnedDiffusion(
        temperature=numbers.temperature,
        alpha=numbers.alpha,
        weights=weights,
        proximities=options.proximities,
        max_df=max_df,
        learned_from=len(own.candidates),
        seconds=seconds,
        measured_on=len(held_out.candidates),
        held_out=_recall(held_out, learned),
        default=_recall(held_out, options),
    )


def _descend(run: JudgedRun, options: Reranker, joining: tuple[str, ...]) -> DiffusionNumbers:
    """The parameters with the lowest loss, starting at the package's defaults."""
    losses = _losses(run, options, joining)

    def mean_loss(
        numbers: Float[ndarray, " numbers"],
    ) -> tuple[float, Float[ndarray, " numbers"]]:
        found = [own(numbers) for own in losses]
        loss = sum(float(one) for one, _ in found)
        slope = np.sum([np.asarray(one, float) for _, one in found], axis=0)
        return loss / len(run.candidates), slope / len(run.candidates)

    default = options.parameters(run.index)
    alpha: float = default["alpha"]
    first = DiffusionNumbers(
        _temperature(run, default["gap_part"]), alpha, dict.fromkeys(joining, 1.0)
    )
    start = first.free()
    reach = np.log([_TEMPERATURE, _ODDS, *[_WEIGHT] * (len(start) - 2)])
    found = require("scipy.optimize").minimize(
        mean_loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=list(zip(start - reach, start + reach, strict=True)),
        options={"maxiter": 40, "ftol": 1e-5},
    )
    return DiffusionNumbers.of_free(found.x, joining)


def _losses(run: JudgedRun, options: Reranker, joining: tuple[str, ...]) -> list[Loss]:
    """The functions for the loss of each block of questions and its gradient."""
    rows_of = run.index.graph.rows
    decides = decides_diffusion([rows_of[name] for name in joining])

    def of_block(block: slice) -> Loss:
        rows = run.candidates.rows[block]
        shape = block_shape(rows.shape)
        padded = pad(rows, shape, EMPTY)
        return partial(
            diffusion_loss,
            scores=pad(run.candidates.scores[block], shape, 0.0),
            relations=run.index.graph.gather(padded, joining, max_df=options.max_df),
            relevant=pad(run.relevant[block], shape, False),
            mask=padded != EMPTY,
            proximities=tuple(rows_of[name].kernel_row.name for name in joining),
            least_degree=decides.diffusion_degree,
            measure=decides.kernel_row.name,
            table=kernel_table(joining, rows_of),
        )

    return [of_block(block) for block in blocks(run.candidates, _AT_ONCE)]


def _temperature(run: JudgedRun, gap_part: float) -> float:
    """The median of the temperatures that diffusion takes by default."""
    found = run.candidates.rows != EMPTY
    ordered = -np.sort(-np.where(found, run.candidates.scores, -np.inf), axis=1)
    last = np.minimum(GAP_PLACE, found.sum(1)).clip(1) - 1
    gaps = ordered[:, 0] - np.take_along_axis(ordered, last[:, None], 1)[:, 0]
    return float(np.median(gaps)) * gap_part or 1.0


def _recall(run: JudgedRun, options: Reranker) -> Figure[float]:
    hits = Ranking.from_run(run, options).hits
    return mean(perfect_recall(hits, run.relevant_counts)["PR@10"], run.multi)
