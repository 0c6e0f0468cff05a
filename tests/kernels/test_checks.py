import sys
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental.sparse import BCOO
from scipy.sparse import csr_array

from grapher_jax import kernels
from grapher_jax.kernels.program import ways

sys.path.append(str(Path(__file__).parent))

from callers import rerank_by

rerank = partial(rerank_by, ways.by_pairs)  # values are checked before any way is taken
SCORES = np.array([0.5, 0.2, 0.1], np.float32)
IDS = np.arange(3)


@pytest.mark.parametrize(
    ("arrays", "complaint"),
    [
        ({"entity_ids": np.zeros((2, 4), int)}, r"entity_ids: shape \(2, 4\) .* \(3, any\)"),
        ({"foreign_keys": np.zeros((3, 1), int)}, "foreign_keys: object_ids is needed with it"),
        ({"links": np.zeros((3, 1), int)}, "links: object_ids is needed with it"),
        ({"document_ids": IDS}, "document_ids: chunk_ids is needed with it"),
        ({"entity_counts": IDS}, "entity_counts: entity_ids is needed with it"),
        ({"mask": np.ones(4, bool)}, r"mask: shape \(4,\) does not fit; it must be \(3\)"),
        ({"weights": {"fk": 3.0}}, "weights: 'fk' is unknown; use foreign_key"),
        ({"alpha": 0.0}, r"alpha: 0.0 is outside \(0, 1\]"),
        ({"alpha": 1.5}, r"alpha: 1.5 is outside"),
        ({"k": 0}, "k: 0 must be at least 1"),
        ({"max_steps": 0}, "max_steps: 0 must be at least 1"),
    ],
)
def test_what_cannot_be_ranked_is_named(arrays, complaint):
    with pytest.raises(ValueError, match=complaint):
        rerank(SCORES, **arrays)


def test_one_number_is_no_list_of_scores():
    with pytest.raises(ValueError, match="scores: one number; give an array"):
        rerank(np.float32(1))


@pytest.mark.parametrize("k", [0, -1, 2**31])
def test_a_number_of_results_is_an_integer_that_programs_can_hold(k):
    hits = np.array([True, False])
    for call in (
        lambda: rerank(SCORES, k=k),
        lambda: kernels.top_k(SCORES, k),
        lambda: kernels.maximal_marginal_relevance(SCORES, 1 - np.eye(3), k=k),
        lambda: kernels.grow_along_edges(SCORES, 1 - np.eye(3), k=k),
        lambda: kernels.perfect_recall(hits, np.array(1), k),
        lambda: kernels.gcs(1 - np.eye(3), SCORES, alpha=0.3, max_steps=k),
    ):
        with pytest.raises(ValueError, match=rf": {k} must be at least 1, and an integer of 32"):
            call()


def test_numbers_in_the_order_of_other_machines_are_named():
    for name, call in (
        ("scores", lambda: rerank(SCORES.astype(">f4"))),
        ("document_ids", lambda: rerank(SCORES, document_ids=IDS.astype(">i8"), chunk_ids=IDS)),
    ):
        with pytest.raises(TypeError, match=f"{name}: its bytes are in the order of other machi"):
            call()


def test_ids_must_be_integers():
    for call in (
        lambda: rerank(SCORES, object_ids=SCORES, foreign_keys=IDS[:, None]),
        lambda: rerank(SCORES, entity_ids=np.zeros((3, 2), np.float32)),
    ):
        with pytest.raises(TypeError, match="signed integers are needed, not float32"):
            call()


def test_ids_that_do_not_fit_32_bits_are_refused():
    with pytest.raises(
        ValueError, match=r"object_ids: 4294967298 at \[1\] .* numbered from 0 to 2147483647"
    ):
        kernels.foreign_key_adjacency(np.array([1, 2**32 + 2]), np.array([[2], [-1]]))


def test_an_adjacency_must_be_square():
    with pytest.raises((ValueError, TypeError), match="adjacency"):
        kernels.gcs(np.ones((3, 2), np.float32), SCORES)


@pytest.mark.parametrize("dtype", [np.int32, jnp.bfloat16, np.float16])
def test_scores_are_ranked_in_float32_at_least(dtype):
    scores = jnp.asarray([3, 1, 2], dtype)
    for rank in (kernels.gcs, kernels.ppr, kernels.diffusion):
        found = rank(1 - jnp.eye(3), scores, alpha=0.3)
        expected = rank(1 - jnp.eye(3), scores.astype(jnp.float32), alpha=0.3)
        np.testing.assert_array_equal(found.scores, expected.scores)
        assert found.scores.dtype == jnp.float32


def test_float64_is_kept():
    with jax.enable_x64(True):
        solution = kernels.gcs(np.ones((2, 2)) - np.eye(2), np.array([1.0, 0.0]), alpha=0.3)
        assert solution.scores.dtype == jnp.float64


def test_no_slots_make_no_edges():
    none = np.zeros((3, 0), np.int32)
    np.testing.assert_array_equal(kernels.shared_entity_adjacency(none), np.zeros((3, 3)))
    np.testing.assert_array_equal(kernels.foreign_key_adjacency(IDS, none), np.zeros((3, 3)))


def test_nothing_cannot_be_combined():
    with pytest.raises(ValueError, match="adjacencies: there are none"):
        kernels.combine([])


def test_unsigned_ids_are_refused():
    with pytest.raises(TypeError, match="entity_ids: signed integers are needed, not uint32"):
        rerank(SCORES, entity_ids=np.zeros((3, 2), np.uint32))
    with pytest.raises(TypeError, match=r"signed integers are needed|parameter"):
        kernels.shared_entity_adjacency(np.zeros((3, 2), np.uint32))


def test_the_program_refuses_ids_that_do_not_fit_32_bits():
    with pytest.raises(ValueError, match=r"entity_ids: 4294967301 at \[1, 0\] .* to 2147483647"):
        rerank(SCORES, entity_ids=np.array([[5], [2**32 + 5], [7]]))


# Values: told where they are at hand, harmless where they are not.

A = 1 - np.eye(3, dtype=np.float32)
MASK = np.array([True, True, False])
BELOW = np.array([0, -2, -1])
NOT_FINITE = np.array([0.5, np.nan, 0.1], np.float32)
NEGATIVE = A * np.array([1, -0.5, 1], np.float32)
neighbors = np.array([[1], [2], [0]])
# Values that lie on another device are not looked at.
FORMS = [np.asarray, jnp.asarray] if jax.default_backend() == "cpu" else [np.asarray]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("entity_ids", {}),
        ("entity_counts", {"entity_ids": IDS[:, None]}),
        ("object_ids", {"links": IDS[:, None]}),
        ("foreign_keys", {"object_ids": IDS}),
        ("links", {"object_ids": IDS}),
        ("document_ids", {"chunk_ids": IDS}),
        ("chunk_ids", {"document_ids": IDS}),
    ],
)
def test_ids_below_minus_one_are_refused_unless_masked(form, name, needed):
    wide = name in ("entity_ids", "foreign_keys", "links")
    arrays = {name: form(BELOW[:, None] if wide else BELOW)} | needed
    place = r"\[1, 0\]" if wide else r"\[1\]"
    for call in (
        lambda **given: rerank(SCORES, **given),
        lambda **given: kernels.build_adjacency(SCORES.shape, **given),
    ):
        with pytest.raises(ValueError, match=f"{name}: -2 at {place} .* -1 stands for none"):
            call(**arrays)
        call(**arrays, mask=np.array([True, False, True]))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_scores_that_are_not_finite_are_refused_unless_masked(form, bad):
    scores = form(np.array([0.5, 0.2, bad], np.float32))
    for rank in (rerank, kernels.min_max, lambda s, **rest: kernels.gcs(A, s, **rest)):
        with pytest.raises(ValueError, match=r"scores: -?(nan|inf) at \[2\] is no finite number"):
            rank(scores)
        rank(scores, mask=form(MASK))


def test_scores_that_overflow_float32_are_refused():
    with pytest.raises(ValueError, match=r"scores: 1e\+39 at \[0\]"):
        rerank(np.array([1e39, 0.0]))
    with jax.enable_x64(True):
        assert rerank(np.array([1e39, 0.0])).solution.converged


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: kernels.ppr(A, NOT_FINITE), r"scores: nan at \[1\]"),
        (lambda: kernels.contributions(A, NOT_FINITE, IDS), r"scores: nan at \[1\]"),
        (lambda: kernels.contributions(A, SCORES, BELOW), r"indices: -2 at \[1\]"),
        (lambda: kernels.contributions(A, SCORES, IDS + 1), r"indices: 3 at \[2\]"),
        (lambda: rerank(SCORES, embeddings=NOT_FINITE[:, None]), r"embeddings: nan at \[1, 0\]"),
        (lambda: kernels.semantic_adjacency(A, 1, -0.5), r"threshold: -0.5 is outside \[0, ∞\)"),
        (lambda: kernels.gcs(NEGATIVE, SCORES), r"adjacency: -0.5 at \[0, 1\] is outside \[0, ∞\)"),
        (lambda: kernels.ppr(A + np.inf, SCORES), r"adjacency: inf at \[0, 0\]"),
        (lambda: kernels.gcs(kernels.Dense(NEGATIVE), SCORES), r"weights: -0.5 at \[0, 1\]"),
        (lambda: kernels.gcs(kernels.Dense(A, NOT_FINITE), SCORES), r"column_scale: nan at \[1\]"),
        (
            lambda: kernels.ppr(kernels.NeighborList(neighbors, -A[:, :1]), SCORES),
            r"weights: -1.0 at \[1, 0\]",
        ),
        (
            lambda: kernels.gcs(kernels.NeighborList(neighbors + 1, A[:, :1]), SCORES),
            r"neighbors: 3 at \[1, 0\] .* to 2",
        ),
        (lambda: kernels.combine([A, A], [1.0, -2.0]), "weights: -2.0 is outside"),
        (lambda: kernels.combine([A, NEGATIVE]), r"adjacencies: -0.5 at \[0, 1\]"),
        (lambda: kernels.combine([A, kernels.Dense(NEGATIVE)]), r"weights: -0.5 at \[0, 1\]"),
        (lambda: kernels.stack([A, NEGATIVE]), r"adjacencies: -0.5 at \[0, 1\]"),
        (lambda: rerank(SCORES, weights={"link": -1.0}), r"weights\['link'\]: -1.0 is outside"),
        (lambda: rerank(SCORES, weights={"link": np.nan}), r"weights\['link'\]: nan is outside"),
        (lambda: rerank(SCORES, alpha=jnp.array(1.5)), "alpha: 1.5 is outside"),
        (lambda: kernels.gcs(A, SCORES, alpha=jnp.array(0.0)), "alpha: 0.0 is outside"),
        (lambda: kernels.ppr(A, SCORES, alpha=jnp.array([0.5, jnp.nan])), r"alpha: nan at \[1\]"),
        (lambda: kernels.diffusion(A, NOT_FINITE), r"scores: nan at \[1\]"),
        (lambda: kernels.diffusion(NEGATIVE, SCORES), r"adjacency: -0.5 at \[0, 1\]"),
        (lambda: kernels.diffusion(A, SCORES, temperature=0.0), "temperature: 0.0 is no number ab"),
        (lambda: kernels.diffusion(A, SCORES, gap_part=-1.0), "gap_part: -1.0 is no number above"),
        (lambda: kernels.diffusion(A, SCORES, least_degree=-1.0), "least_degree: -1.0 is outside"),
        (
            lambda: kernels.rerank(SCORES, least_degree=1.0),
            "least_degree: of the ranker 'diffusion'; 'gcs'",
        ),
        (
            lambda: kernels.rerank(SCORES, gap_part=1.0),
            "gap_part: of the ranker 'diffusion'; 'gcs'",
        ),
        (
            lambda: kernels.diffusion(A, SCORES, temperature=jnp.array([1.0, jnp.inf])),
            r"temperature: inf at \[1\] is no number above 0",
        ),
        (
            lambda: rerank(SCORES, ranker="diffusion", temperature=np.float32([-2.0])),
            r"temperature: -2.0 at \[0\] is no",
        ),
        (
            lambda: kernels.contributions(A, SCORES, IDS, ranker="diffusion", temperature=np.nan),
            "temperature: nan is no number above 0",
        ),
        (lambda: rerank(SCORES, temperature=0.5), "temperature: of the ranker 'diffusion'; 'gcs'"),
        (
            lambda: kernels.contributions(A, SCORES, IDS, ranker="ppr", temperature=0.5),
            "temperature: of the ranker 'diffusion'; 'ppr' has none",
        ),
        (
            lambda: kernels.gatv2_attention(A[..., None], A[..., None], A[:, :1], IDS[:, None] + 1),
            r"neighbors: 3 at \[2, 0\]",
        ),
    ],
)
def test_values_that_make_no_sense_are_refused(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()


@pytest.mark.usefixtures("types_unchecked")
@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: kernels.stack([]), "adjacencies: there are none; give at least one"),
        (lambda: kernels.stack([A, A[:2, :2]]), r"adjacencies: shape \(2, 2\) .* be \(3, 3\)"),
        (lambda: kernels.combine([A[:1], A]), r"adjacencies: shape \(1, 3\) .* be \(3, 3\)"),
        (
            lambda: kernels.gcs(kernels.Dense(A[:2, :2]), SCORES),
            r"weights: shape \(2, 2\) does not fit; it must be \(3, 3\)",
        ),
        (
            lambda: kernels.ppr(kernels.Dense(np.stack([A, A])).T, SCORES),
            r"weights: shape \(2, 3, 3\) does not fit; it must be \(3, 3\)",
        ),
        (
            lambda: kernels.diffusion(2 * kernels.NeighborList(neighbors[:2], A[:2, :1]), SCORES),
            r"neighbors: shape \(2, 1\) does not fit; it must be \(3, any\)",
        ),
        (
            lambda: kernels.gcs(kernels.NeighborList(neighbors, A), SCORES),
            r"weights: shape \(3, 3\) does not fit; it must be \(3, 1\)",
        ),
        (
            lambda: kernels.gcs(np.ones(2) * kernels.Dense(A), SCORES),
            r"weights: shape \(2,\) does not fit; give one number, or one for each query: \(\)",
        ),
        (
            lambda: kernels.min_max(SCORES, bounds=(2.0, 1.0)),
            "bounds: 2.0 is above 1.0; give the lower one first",
        ),
        (lambda: kernels.hybrid(NOT_FINITE, SCORES), r"lexical: nan at \[1\] is no finite number"),
        (
            lambda: kernels.gcs(kernels.SharedEntities.build(np.zeros((1, 2), np.int32)), SCORES),
            r"column_scale: shape \(1,\) does not fit; it must be \(3\)",
        ),
    ],
)
def test_graphs_and_bounds_that_do_not_fit_are_named(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()


@pytest.mark.parametrize("make", [BCOO.fromdense, csr_array])
def test_a_sparse_matrix_is_named_with_what_reads_its_entries(make, types_unchecked):
    with pytest.raises(TypeError, match="adjacency: a sparse matrix is not read; give its todense"):
        kernels.gcs(make(A), SCORES)
    matrix = csr_array(A).tocoo()
    edges = kernels.WeightedEdges(
        np.int32(matrix.col), np.int32(matrix.row), matrix.data.astype(np.float32)
    )
    np.testing.assert_allclose(
        kernels.gcs(edges, SCORES).scores, kernels.gcs(A, SCORES).scores, atol=1e-6
    )


def test_unused_places_of_a_neighbor_list_may_hold_anything():
    unused = kernels.NeighborList(jnp.array([[1], [-1], [0]]), np.float32([[1], [np.nan], [1]]))
    assert kernels.gcs(unused, SCORES).converged


def test_a_mask_holds_truth_values():
    for call in (rerank, lambda s, mask: kernels.gcs(A, s, mask=mask)):
        with pytest.raises(TypeError, match=r"mask: truth values are needed, not int64|parameter"):
            call(SCORES, mask=np.array([1, 1, 0]))


def test_a_mask_fits_the_candidates():
    for call in (
        lambda mask: kernels.shared_entity_adjacency(IDS[:, None], mask=mask),
        lambda mask: kernels.SharedEntities.build(IDS[:, None], mask=mask),
        lambda mask: kernels.chunk_adjacency(IDS, IDS, mask=mask),
    ):
        with pytest.raises((ValueError, TypeError), match="mask"):
            call(np.ones(1, bool))


def test_nothing_raises_inside_a_program():
    edges = jax.jit(kernels.foreign_key_adjacency)(BELOW, np.array([[-2], [-2], [-1]]))
    np.testing.assert_array_equal(edges, np.zeros((3, 3)))
    for adjacency, scores in ((A + np.inf, SCORES), (A, NOT_FINITE)):
        for rank in (kernels.gcs, kernels.ppr, kernels.diffusion):
            assert not jax.jit(rank)(adjacency, scores).converged
    temperatures = jnp.array([0.0, -1.0, jnp.nan, jnp.inf, 0.5])
    by_temperature = jax.jit(jax.vmap(lambda T: kernels.diffusion(A, SCORES, temperature=T)))
    assert by_temperature(temperatures).converged.tolist() == [False] * 4 + [True]
    assert not jax.jit(lambda s: rerank(s, entity_ids=IDS[:, None]).solution)(NOT_FINITE).converged
    assert jax.vmap(lambda s, a: rerank(s, alpha=a).scores)(SCORES[None], jnp.ones(1)).shape == (
        1,
        10,
    )
