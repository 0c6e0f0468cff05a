"""Metrics of rankings, question by question."""

from collections.abc import Mapping, Sequence

import jax
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.corpus import Judgements
from grapher_jax.errors import require
from grapher_jax.graph import EMPTY

PERFECT_RECALL = (5, 10)
# By ir-measures, under its names; RR is of the first relevant object alone.
MEASURES = ("P@10", "R@5", "R@10", "R@20", "nDCG@10", "RR")
# The cut-off of G-RAG's metrics; its MRR is of all relevant objects.
HITS = 10

Values = Mapping[str, Float[ndarray, " B"]]


def perfect_recall(hits: Bool[ndarray, "B n"], counts: Int[ndarray, " B"]) -> Values:
    """Whether all relevant objects are in the top K of each question.

    Args:
        hits: `[B, n]` which results are relevant, best first.
        counts: `[B]` how many objects are.
    """
    return {
        f"PR@{k}": np.asarray(kernels.perfect_recall(hits, counts, k), float)
        for k in PERFECT_RECALL
    }


def ir_measures(rows: Int[ndarray, "B n"], ids: Sequence[str], judgements: Judgements) -> Values:
    """What ir-measures finds for each question.

    Args:
        rows: `[B, n]` the objects, best first; -1 where there are fewer.
        ids: the id of every object.
        judgements: of the questions, in this order.
    """
    ir = require("ir_measures")
    names = np.asarray(ids, object)
    ranked = {
        str(query): {
            str(identity): float(-rank) for rank, identity in enumerate(names[own[own != EMPTY]])
        }
        for query, own in enumerate(rows)
    }
    judged = {str(query): dict(by_id) for query, by_id in enumerate(judgements.values())}
    values = {name: np.zeros(len(judged)) for name in MEASURES}
    measures = {ir.parse_measure(name): name for name in MEASURES}
    for metric in ir.iter_calc(list(measures), judged, ranked):
        values[measures[metric.measure]][int(metric.query_id)] = metric.value
    return values


def g_rag_measures(
    hits: Bool[ndarray, "B n"], counts: Int[ndarray, " B"], scores: Float[ndarray, "B n"]
) -> Values:
    """G-RAG's means over all relevant objects of each question.

    Args:
        hits: `[B, n]` which results are relevant, best first.
        counts: `[B]` how many objects are.
        scores: `[B, n]` of the results, whose ties MTRR and TMHits take for ties.
    """
    names = ("MRR", f"MHits@{HITS}", "MTRR", f"TMHits@{HITS}")
    values = _g_rag_measures(hits, counts, scores)
    return {
        name: np.asarray(of_questions, float)
        for name, of_questions in zip(names, values, strict=True)
    }


# One program, where each step alone would be another.
@jax.jit
def _g_rag_measures(
    hits: Bool[Array, "B n"], counts: Int[Array, " B"], scores: Float[Array, "B n"]
) -> tuple[Float[Array, " B"], ...]:
    return (
        kernels.mean_reciprocal_rank(hits, counts),
        kernels.mean_hits(hits, counts, HITS),
        kernels.mean_reciprocal_rank(hits, counts, scores=scores),
        kernels.mean_hits(hits, counts, HITS, scores=scores),
    )
