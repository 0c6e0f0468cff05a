"""Metrics of rankings, per question."""

from collections.abc import Mapping, Sequence

import jax
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.corpus import Judgements
from grapher_jax.errors import require

PERFECT_RECALL = (5, 10)
# The cut-off of G-RAG's metrics; its MRR uses all relevant objects.
HITS = 10

Values = Mapping[str, Float[ndarray, " B"]]


def perfect_recall(hits: Bool[ndarray, "B n"], counts: Int[ndarray, " B"]) -> Values:
    """Perfect recall: whether all relevant objects of a question are in its top K.

    Args:
        hits: `[B, n]` which results are relevant, best first.
        counts: `[B]` how many objects are relevant.
    """
    return {
        f"PR@{k}": np.asarray(kernels.perfect_recall(hits, counts, k), float)
        for k in PERFECT_RECALL
    }


def ir_measures(names: Sequence[Sequence[str]], judgements: Judgements) -> Values:
    """The metrics of ir-measures for each question.

    Args:
        names: the results of each question, best first, as judgements call them.
        judgements: the judgements of the questions, in the same order.
    """
    ir = require("ir_measures")
    ranked = {
        str(query): {name: float(-rank) for rank, name in enumerate(own)}
        for query, own in enumerate(names)
    }
    judged = {str(query): dict(by_id) for query, by_id in enumerate(judgements.values())}
    # Not by their names, which it parses with what Python 3.14 lacks. RR uses only the first
    # relevant object.
    measures = [ir.P @ 10, ir.R @ 5, ir.R @ 10, ir.R @ 20, ir.nDCG @ 10, ir.RR]
    values = {str(measure): np.zeros(len(judged)) for measure in measures}
    for metric in ir.iter_calc(measures, judged, ranked):
        values[str(metric.measure)][int(metric.query_id)] = metric.value
    return values


def g_rag_measures(
    hits: Bool[ndarray, "B n"], counts: Int[ndarray, " B"], scores: Float[ndarray, "B n"]
) -> Values:
    """G-RAG's metrics: means over all relevant objects of each question.

    Args:
        hits: `[B, n]` which results are relevant, best first.
        counts: `[B]` how many objects are relevant.
        scores: `[B, n]` of the results; MTRR and TMHits use their ties.
    """
    names = ("MRR", f"MHits@{HITS}", "MTRR", f"TMHits@{HITS}")
    values = _g_rag_measures(hits, counts, scores)
    return {
        name: np.asarray(of_questions, float)
        for name, of_questions in zip(names, values, strict=True)
    }


# Jitted as one program; otherwise each step would compile its own.
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
