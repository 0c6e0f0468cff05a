"""Values that JAX would take for something else are named, and what a program does with them."""

import sys
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pandas as pd
import pytest

from grapher_jax import kernels
from grapher_jax.kernels.program import ways

sys.path.append(str(Path(__file__).parent))

from callers import rerank_by

rerank = partial(rerank_by, ways.by_pairs)  # values are checked before any way is taken
SCORES = np.array([0.5, 0.2, 0.1], np.float32)
IDS = np.arange(3)
MARKS = np.array([1, 1, 0])
PAIRS = (np.ones((3, 3)) - np.eye(3)).astype(np.float32)


@pytest.mark.parametrize(
    ("call", "error", "named"),
    [
        (lambda: kernels.top_k(SCORES, 1, mask=MARKS), TypeError, "mask: truth values"),
        (lambda: kernels.top_k(SCORES, 1, mask=MARKS[:2] > 0), ValueError, "mask: shape"),
        (
            lambda: kernels.gcs(PAIRS > 0, SCORES),
            TypeError,
            r"real numbers are needed, not bool; try adjacency.astype\(float\)",
        ),
        (
            lambda: kernels.cover_words(SCORES, np.ones((3, 1), int), np.ones(1, np.float32)),
            TypeError,
            "has: truth values are needed, not int64; try has != 0",
        ),
        (
            lambda: kernels.cover_words(SCORES, np.ones((3, 1), bool), np.ones(1), bonus=SCORES),
            ValueError,
            r"bonus: shape \(3,\) does not fit; give one number",
        ),
        (
            lambda: kernels.document_edges(np.array([[-2], [-2]]), np.array([[-1], [-1]])),
            ValueError,
            "concept_ids: -2",
        ),
        (
            lambda: kernels.document_edges(np.array([[0], [0]]), np.array([[1.0], [1.0]])),
            TypeError,
            "triple_ids: signed integers",
        ),
        (
            lambda: kernels.expand_seeds(np.array([9]), np.array([[1], [0]]), np.ones(2)),
            ValueError,
            "seeds: 9",
        ),
        (
            lambda: kernels.induced_neighbors(np.array([0, 1]), np.array([[1], [5]])),
            ValueError,
            "neighbors: 5",
        ),
        (
            lambda: kernels.rerank(
                SCORES, entity_ids=IDS[:, None], weights={"shared_entity": SCORES}
            ),
            ValueError,
            r"weights\['shared_entity'\]: shape \(3,\)",
        ),
        (
            lambda: kernels.combine([np.eye(3)], [np.ones(3)]),
            ValueError,
            r"weights: shape \(3,\)",
        ),
        (lambda: kernels.mean_hits(SCORES > 0, np.array(1), 0), ValueError, "k: 0"),
        (
            lambda: kernels.gcs(np.eye(3), SCORES, alpha=np.full(3, 0.5)),
            ValueError,
            r"alpha: shape \(3,\) does not fit; give one number, or one for each query: \(\)",
        ),
        (lambda: kernels.gcs(np.eye(4), SCORES), ValueError, r"adjacency: shape \(4, 4\)"),
        (
            lambda: kernels.gcs(PAIRS, SCORES, tol=np.full(3, 1e-6)),
            ValueError,
            r"tol: shape \(3,\) does not fit; give one number",
        ),
        (
            lambda: kernels.gcs(PAIRS, SCORES, tol=np.nan),
            ValueError,
            r"tol: nan is outside \[0, ∞\)",
        ),
        (
            lambda: kernels.rerank(SCORES, tol=-1.0),
            ValueError,
            r"tol: -1.0 is outside \[0, ∞\)",
        ),
        (
            lambda: kernels.ppr(PAIRS, SCORES, tol="small"),
            TypeError,
            "tol: real numbers are needed, not <U5",
        ),
        (
            lambda: kernels.diffusion(PAIRS, SCORES, temperature=SCORES),
            ValueError,
            r"temperature: shape \(3,\) does not fit; give one number",
        ),
        (
            lambda: kernels.diffusion(PAIRS, SCORES, least_degree=SCORES),
            ValueError,
            r"least_degree: shape \(3,\) does not fit; give one number",
        ),
        (
            lambda: kernels.diffusion(PAIRS, SCORES, gap_part=SCORES),
            ValueError,
            r"gap_part: shape \(3,\) does not fit; give one number",
        ),
        (
            lambda: kernels.rerank(SCORES, alpha="0.3"),
            TypeError,
            "alpha: real numbers are needed, not <U3",
        ),
        (
            lambda: kernels.rerank(SCORES, tol="1e-6"),
            TypeError,
            "tol: real numbers are needed, not <U4",
        ),
        (
            lambda: kernels.gcs(PAIRS, pd.array([1, 2, 3])),
            TypeError,
            r"scores: Int64 is no dtype of NumPy or JAX; give .* numpy.asarray\(scores\)",
        ),
        (
            lambda: kernels.build_adjacency((2, 3), entity_ids=IDS[:, None]),
            ValueError,
            r"entity_ids: shape \(3, 1\) does not fit; it must be \(2, 3, any\)",
        ),
        (
            lambda: kernels.build_adjacency((3,), links=IDS[:, None]),
            ValueError,
            "links: object_ids is needed with it",
        ),
        (
            lambda: kernels.build_adjacency((3,), weights={"fk": 1.0}),
            ValueError,
            "weights: 'fk' is unknown",
        ),
        (
            lambda: kernels.ppr(np.ones((2, 3, 3)), np.ones((4, 3))),
            ValueError,
            r"adjacency: shape \(2, 3, 3\) does not fit; it must be \(4, 3, 3\)",
        ),
        (
            lambda: kernels.semantic_adjacency(np.ones((3, 2), np.float32), -1, 0.5),
            ValueError,
            "k: -1",
        ),
        (
            lambda: kernels.gatv2_attention_dense(
                np.ones((3, 1, 2), np.float32),
                np.ones((3, 1, 2), np.float32),
                np.ones((1, 2), np.float32),
                np.eye(3, dtype=np.float32),
                mask=MARKS,
            ),
            TypeError,
            "mask: truth values",
        ),
        (
            lambda: kernels.warm_up({"links": IDS[:, None]}),
            ValueError,
            "no 'scores' among links; add them",
        ),
        (
            lambda: kernels.rerank(SCORES, entity_ids=IDS[:, None], mesh=kernels.query_mesh()),
            ValueError,
            r"mesh: scores of shape \(3,\) are one query; leave the mesh out",
        ),
    ],
)
def test_what_jax_would_take_for_something_else_is_named(call, error, named, monkeypatch):
    # As for users, whose calls jaxtyping does not check.
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(error, match=named):
        call()


@pytest.mark.parametrize("ranker", ["gcs", "ppr", "diffusion"])
def test_a_traced_alpha_out_of_range_does_not_converge(ranker):
    solve = jax.jit(lambda alpha: getattr(kernels, ranker)(PAIRS, SCORES, alpha=alpha).converged)
    for alpha, converges in ((-0.5, False), (0.0, False), (0.5, True), (1.0, True), (1.5, False)):
        assert bool(solve(alpha)) == converges


def test_weights_that_are_masked_or_belong_to_no_reference_are_not_checked():
    weights = np.array([[0.5], [np.nan], [np.nan]], np.float32)
    given = np.array([0, 1, 2]), np.array([[1], [-1], [0]])
    joined = kernels.weighted_adjacency(*given, weights, mask=np.array([True, True, False]))
    np.testing.assert_allclose(joined, [[0, 0.5, 0], [0.5, 0, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match=r"weights: nan at \[2, 0\]"):
        kernels.weighted_adjacency(*given, weights)


@pytest.mark.usefixtures("types_unchecked")
def test_a_number_that_a_program_is_compiled_for_is_not_traced():
    with pytest.raises(ValueError, match=r"k: a program is compiled for one; .* static_argnames"):
        jax.jit(kernels.top_k)(SCORES, 2)


@pytest.mark.usefixtures("types_unchecked")
def test_results_to_explain_are_of_the_same_questions():
    with pytest.raises(ValueError, match=r"indices: shape \(2,\) does not fit"):
        kernels.contributions(
            np.stack([PAIRS, PAIRS]), np.stack([SCORES, SCORES]), np.array([0, 1])
        )


def test_a_number_of_every_process_is_its_own():
    assert kernels.local_queries(jnp.float32(3.0)) == 3.0
