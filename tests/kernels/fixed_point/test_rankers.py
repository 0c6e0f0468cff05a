"""GCS, PPR and diffusion against float64 NumPy and networkx, and what must hold for any graph."""

import math
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapher_jax import kernels
from grapher_jax.kernels.fixed_point.score_contributions import _shares
from grapher_jax.kernels.program import ways

sys.path.append(str(Path(__file__).parents[1]))

import oracles
from callers import rerank_by

# Jitted, and over few sizes, so that a property costs one compilation a size.
RANKERS = {
    name: jax.jit(rank, static_argnames="max_steps")
    for name, rank in (
        ("gcs", kernels.gcs),
        ("ppr", kernels.ppr),
        ("diffusion", kernels.diffusion),
    )
}
# Of these, scores are of degree 0: their scale is nothing to the result.
SCALE_FREE = ("ppr", "diffusion")
contributions = jax.jit(kernels.contributions, static_argnames="ranker")
alphas = st.sampled_from([0.1, 0.3, 0.5, 0.9, 1.0])


@st.composite
def graphs(draw, negative=False):
    """A random weighted directed graph with scores: dense, sparse, empty; some nodes isolated."""
    seed = draw(st.integers(0, 2**32 - 1))
    n = draw(st.sampled_from([1, 9]))
    density = draw(st.sampled_from([0.0, 0.1, 0.4, 1.0]))
    rng = np.random.default_rng(seed)
    A = (rng.random((n, n)) < density) * rng.random((n, n))
    np.fill_diagonal(A, 0)
    scores = rng.random(n) - (0.3 if negative else 0.0)
    return A.astype(np.float32), scores.astype(np.float32)


ORACLES = {"gcs": oracles.gcs, "ppr": oracles.ppr, "diffusion": oracles.diffusion}


@pytest.mark.parametrize("ranker", RANKERS)
@given(graphs(negative=True), alphas)
def test_scores_agree_with_the_float64_oracle(ranker, graph, alpha):
    A, s = graph
    solution = RANKERS[ranker](A, s, alpha=alpha)
    assert solution.converged
    np.testing.assert_allclose(solution.scores, ORACLES[ranker](A, s, alpha), atol=1e-5)


@given(graphs(), alphas)
def test_ppr_agrees_with_networkx(graph, alpha):
    A, s = graph
    s = s + np.float32(0.01)
    seed = {i: float(score) for i, score in enumerate(s)}
    expected = nx.pagerank(
        nx.from_numpy_array(A.T.astype(float), create_using=nx.DiGraph),
        alpha=1 - alpha,
        personalization=seed,
        dangling=seed,
        tol=1e-12,
        max_iter=10_000,
    )
    np.testing.assert_allclose(
        RANKERS["ppr"](A, s, alpha=alpha).scores, [expected[i] for i in range(len(s))], atol=1e-5
    )


@pytest.mark.parametrize("ranker", RANKERS)
@given(graphs(negative=True), st.data())
def test_the_order_of_candidates_does_not_matter(ranker, graph, data):
    A, s = graph
    order = np.array(data.draw(st.permutations(range(len(s)))))
    straight = RANKERS[ranker](A, s, alpha=0.3).scores
    permuted = RANKERS[ranker](A[np.ix_(order, order)], s[order], alpha=0.3).scores
    np.testing.assert_allclose(permuted, straight[order], atol=2e-6)


@pytest.mark.parametrize("ranker", RANKERS)
@given(graphs(negative=True))
def test_padding_changes_nothing_whatever_it_holds(ranker, graph):
    A, s = graph
    n, longer = len(s), 12
    padded = np.full((longer, longer), 7.0, np.float32)
    padded[:n, :n] = A
    scores = np.full(longer, np.nan, np.float32)
    scores[:n] = s
    mask = np.arange(longer) < n
    alone = RANKERS[ranker](A, s, alpha=0.3)
    together = RANKERS[ranker](padded, scores, mask=mask, alpha=0.3)
    np.testing.assert_allclose(together.scores[:n], alone.scores, atol=2e-6)
    np.testing.assert_array_equal(together.scores[n:], 0.0)


@pytest.mark.parametrize("ranker", RANKERS)
def test_a_batch_is_its_queries_one_by_one(ranker):
    rng = np.random.default_rng(1)
    A = ((rng.random((5, 9, 9)) < 0.3) * rng.random((5, 9, 9))).astype(np.float32)
    A[2] = 0  # converges at once, while the others go on
    s = rng.random((5, 9)).astype(np.float32)
    mask = rng.random((5, 9)) < 0.8
    batch = RANKERS[ranker](A, s, mask=mask, alpha=0.2)
    mapped = jax.vmap(lambda A, s, m: RANKERS[ranker](A, s, mask=m, alpha=0.2))(A, s, mask)
    for query in range(5):
        alone = RANKERS[ranker](A[query], s[query], mask=mask[query], alpha=0.2)
        for together in (batch, mapped):
            np.testing.assert_allclose(together.scores[query], alone.scores, atol=1e-6)
            assert together.steps[query] == alone.steps
    assert len(set(batch.steps.tolist())) > 1


@pytest.mark.parametrize("ranker", RANKERS)
def test_one_matrix_serves_a_batch(ranker, types_unchecked):
    rng = np.random.default_rng(2)
    A, s = rng.random((9, 9)).astype(np.float32), rng.random((5, 9)).astype(np.float32)
    own = np.linspace(0.1, 0.9, 5, dtype=np.float32)
    shared, copied = (RANKERS[ranker](one, s, alpha=own) for one in (A, np.tile(A, (5, 1, 1))))
    np.testing.assert_allclose(shared.scores, copied.scores, atol=1e-6)


@given(graphs(), alphas)
def test_gcs_never_falls_below_the_seed_and_isolated_candidates_keep_theirs(graph, alpha):
    A, s = graph
    scores = np.asarray(RANKERS["gcs"](A, s, alpha=alpha).scores)
    assert (scores >= s).all()
    isolated = A.sum(1) == 0
    np.testing.assert_array_equal(scores[isolated], s[isolated])


def test_a_negative_isolated_score_is_scaled():
    solution = kernels.gcs(np.zeros((1, 1), np.float32), np.array([-0.5], np.float32), alpha=0.4)
    np.testing.assert_allclose(solution.scores, [-0.2], atol=1e-6)


@given(graphs(negative=True), alphas)
def test_ppr_sums_to_one(graph, alpha):
    A, s = graph
    assert math.isclose(RANKERS["ppr"](A, s, alpha=alpha).scores.sum(), 1.0, abs_tol=1e-5)


def test_ppr_starts_from_all_real_candidates_where_no_score_is_positive():
    scores, mask = np.array([-1.0, 0.0, 5.0], np.float32), np.array([True, True, False])
    solution = kernels.ppr(np.zeros((3, 3), np.float32), scores, mask=mask, alpha=0.3)
    np.testing.assert_allclose(solution.scores, [0.5, 0.5, 0.0], atol=1e-6)


@pytest.mark.parametrize("ranker", RANKERS)
@given(graphs(), st.sampled_from([0.1, 0.3, 0.5, 0.9]))
def test_steps_stay_within_the_a_priori_bound(ranker, graph, alpha):
    # A step shrinks an update by 1 − α: GCS in the maximum norm, PPR in L1, diffusion in L2.
    A, s = graph
    solution = RANKERS[ranker](A, s, alpha=alpha, tol=1e-4)
    first_update = {"gcs": 2 * len(s) * float(s.max()), "ppr": 2.0, "diffusion": 2 * len(s) ** 0.5}[
        ranker
    ]
    bound = 2 + math.log(1e-4 / max(first_update, 1e-4)) / math.log(1 - alpha)
    assert solution.steps <= math.ceil(bound)


@pytest.mark.parametrize("ranker", RANKERS)
def test_too_few_steps_are_reported(ranker):
    A = 1 - np.eye(4, dtype=np.float32)
    A[0, 1] = 0
    solution = RANKERS[ranker](A, np.arange(4, dtype=np.float32), alpha=0.1, max_steps=2)
    assert not solution.converged
    assert solution.steps == 2
    assert solution.residual > 1e-6


@pytest.mark.parametrize("ranker", RANKERS)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_scores_that_are_not_finite_never_count_as_converged(ranker, bad):
    A = 1 - np.eye(3, dtype=np.float32)
    solution = RANKERS[ranker](A, np.array([1.0, bad, 0.5], np.float32))
    assert not solution.converged


@pytest.mark.parametrize("ranker", RANKERS)
@given(graphs(negative=True), st.integers(-100, 100))
def test_the_scale_of_the_scores_does_not_matter(ranker, graph, exponent):
    # Sixty orders of magnitude; a power of two rounds nothing, so that every bit must agree.
    A, s = graph
    plain = RANKERS[ranker](A, s, alpha=0.1)
    scaled = RANKERS[ranker](A, np.ldexp(s, exponent), alpha=0.1)
    back = 0 if ranker in SCALE_FREE else -exponent
    np.testing.assert_array_equal(np.ldexp(scaled.scores, back), plain.scores)
    assert scaled.steps == plain.steps
    assert scaled.converged
    assert plain.converged


@pytest.mark.parametrize("ranker", RANKERS)
@given(graphs(), st.integers(-30, 30))
def test_scaled_scores_agree_with_the_oracle(ranker, graph, order):
    A, s = graph
    s = ((s + np.float32(0.01)) * np.float64(10) ** order).astype(np.float32)
    unit = 1.0 if ranker in SCALE_FREE else 10.0**order
    solution = RANKERS[ranker](A, s, alpha=0.1)
    expected = ORACLES[ranker](A, s, 0.1) / unit
    np.testing.assert_allclose(np.float64(solution.scores) / unit, expected, atol=2e-5)


@pytest.mark.parametrize("ranker", RANKERS)
def test_an_infinite_tolerance_is_never_met(ranker):
    A = 1 - np.eye(3, dtype=np.float32)
    solution = RANKERS[ranker](A, np.arange(3, dtype=np.float32), tol=np.inf, max_steps=3)
    assert not solution.converged
    assert solution.steps == 3


@pytest.mark.parametrize("ranker", RANKERS)
def test_gradients_do_not_depend_on_the_scale(ranker):
    A, s = 1 - np.eye(4, dtype=np.float32), np.array([0.9, 0.1, 0.5, 0.2], np.float32)
    gradient = jax.jit(jax.grad(lambda s: RANKERS[ranker](A, s, alpha=0.3).scores[1]))
    # The derivative of a function of degree 1 is of degree 0; of degree 0, is of -1.
    back = 60 if ranker in SCALE_FREE else 0
    scaled = np.ldexp(gradient(np.ldexp(s, 60)), back)
    np.testing.assert_allclose(scaled, gradient(s), rtol=1e-6)


@pytest.mark.parametrize("ranker", [*RANKERS, "base"])
def test_wide_integers_are_scores_too(ranker):
    # Cut to 32 bits, the best would be 1 and the second negative.
    s = np.array([2**30, 2**32 + 1, 2**31, 3 * 2**29], np.int64)
    graph = {"object_ids": np.array([0, 1, 2, 3]), "foreign_keys": np.full((4, 1), -1)}
    # No way sees them: they are floats before.
    given = [
        rerank_by(ways.by_pairs, scores, **graph, ranker=ranker, k=4)
        for scores in (s, s.astype(float))
    ]
    np.testing.assert_array_equal(given[0].indices, [1, 2, 3, 0])
    np.testing.assert_array_equal(given[0].scores, given[1].scores)
    if ranker in RANKERS:
        A = np.zeros((4, 4), np.float32)
        alone = [RANKERS[ranker].__wrapped__(A, scores) for scores in (s, s.astype(float))]
        np.testing.assert_array_equal(alone[0].scores, alone[1].scores)


@pytest.mark.parametrize("ranker", RANKERS)
def test_everything_masked_is_harmless(ranker):
    solution = RANKERS[ranker](
        np.ones((3, 3), np.float32), np.ones(3, np.float32), mask=np.zeros(3, bool)
    )
    assert solution.converged
    np.testing.assert_array_equal(solution.scores, 0.0)


@pytest.mark.parametrize("ranker", RANKERS)
def test_gradients_are_those_of_the_fixed_point(ranker):
    rng = np.random.default_rng(3)
    A = (rng.random((6, 6)) < 0.5) * rng.random((6, 6))
    s, direction = rng.random(6), rng.random(6)

    def value(A, s, alpha):
        return direction @ RANKERS[ranker](A, s, alpha=alpha, tol=1e-13).scores

    with jax.enable_x64(True):
        gradients = jax.jit(jax.grad(value, argnums=(0, 1, 2)))(A, s, 0.3)
        step = 1e-6
        i, j = np.argwhere(A)[1]
        nudges = [
            (np.eye(36)[6 * i + j].reshape(6, 6), np.zeros(6), 0.0, gradients[0][i, j]),
            (np.zeros((6, 6)), np.eye(6)[2], 0.0, gradients[1][2]),
            (np.zeros((6, 6)), np.zeros(6), 1.0, gradients[2]),
        ]
        for dA, ds, dalpha, gradient in nudges:
            ahead = value(A + step * dA, s + step * ds, 0.3 + step * dalpha)
            behind = value(A - step * dA, s - step * ds, 0.3 - step * dalpha)
            np.testing.assert_allclose(gradient, (ahead - behind) / (2 * step), atol=1e-7)


temperatures = st.sampled_from([0.02, 0.3, 5.0])


@given(graphs(negative=True), temperatures, alphas)
def test_a_temperature_sharpens_the_seeds_as_the_oracles_does(graph, temperature, alpha):
    A, s = graph
    solution = RANKERS["diffusion"](A, s, alpha=alpha, temperature=temperature)
    assert solution.converged
    expected = oracles.diffusion(A, s, alpha, temperature=temperature)
    np.testing.assert_allclose(solution.scores, expected, atol=1e-5)
    # In units of the scores: of twice the scores, twice the temperature is the same.
    doubled = RANKERS["diffusion"](A, 2 * s, alpha=alpha, temperature=2 * temperature)
    np.testing.assert_allclose(doubled.scores, solution.scores, atol=1e-6)
    shares = contributions(
        A, s, np.arange(len(s)), ranker="diffusion", alpha=alpha, temperature=temperature
    )
    np.testing.assert_allclose(shares.sum(-1), solution.scores, atol=1e-5)


@pytest.mark.nightly
@given(graphs(negative=True), st.sampled_from([0.1, 1.0, 3.0]), alphas)
def test_a_part_of_the_gap_is_the_temperature_if_none_is_given(graph, part, alpha):
    A, s = graph
    solution = RANKERS["diffusion"](A, s, alpha=alpha, gap_part=part)
    expected = oracles.diffusion(A, s, alpha, gap_part=part)
    np.testing.assert_allclose(solution.scores, expected, atol=1e-5)
    shares = contributions(A, s, np.arange(len(s)), ranker="diffusion", alpha=alpha, gap_part=part)
    np.testing.assert_allclose(shares.sum(-1), solution.scores, atol=1e-5)
    given = RANKERS["diffusion"](A, s, alpha=alpha, temperature=0.3, gap_part=part)
    plain = RANKERS["diffusion"](A, s, alpha=alpha, temperature=0.3)
    np.testing.assert_array_equal(given.scores, plain.scores)


@given(graphs(negative=True), st.sampled_from([0.0, 0.2, 1.5, 8.0]), alphas)
def test_few_neighbours_leave_a_candidate_more_of_its_own(graph, degree, alpha):
    A, s = graph
    solution = RANKERS["diffusion"](A, s, alpha=alpha, least_degree=degree)
    assert solution.converged
    expected = oracles.diffusion(A, s, alpha, least_degree=degree)
    np.testing.assert_allclose(solution.scores, expected, atol=1e-5)
    assert np.abs(solution.scores - expected).max() <= solution.error + 1e-6
    own = {"ranker": "diffusion", "alpha": alpha, "least_degree": degree}
    shares = contributions(A, s, np.arange(len(s)), **own)
    np.testing.assert_allclose(shares.sum(-1), solution.scores, atol=1e-5)


def test_who_has_no_neighbour_keeps_the_whole_seed_with_a_least_degree():
    A, s = np.zeros((3, 3), np.float32), np.float32([0.9, 0.5, 0.1])
    A[0, 1] = A[1, 0] = 1
    mask, padded = np.array([True] * 3 + [False]), np.float32([0.9, 0.5, 0.1, 7.0])
    seeds = oracles.seeds(s)
    each = RANKERS["diffusion"](
        np.stack([A, A]), np.stack([s, s]), alpha=0.3, least_degree=np.float32([0, 1.5])
    )
    np.testing.assert_allclose(each.scores[:, 2], [0.3 * seeds[2], seeds[2]], rtol=1e-5)
    # Nothing is lost any more: the scores sum to 1 as the seeds do.
    np.testing.assert_allclose(each.scores[1].sum(), 1, rtol=1e-5)
    full = np.ones((4, 4), np.float32)
    full[:3, :3] = A
    masked = RANKERS["diffusion"](full, padded, mask=mask, alpha=0.3, least_degree=1.5)
    np.testing.assert_allclose(masked.scores, [*each.scores[1], 0], atol=1e-6)


def test_the_least_degree_and_missing_edges_have_derivatives():
    rng = np.random.default_rng(6)
    A, s, direction = rng.random((5, 5)), rng.random(5), rng.random(5)
    A[3:] = A[:, 3:] = 0  # two without neighbours

    def value(degree, edge):
        joined = jnp.asarray(A).at[3, 0].add(edge)
        own = {"alpha": 0.3, "least_degree": degree, "tol": 1e-13}
        return direction @ RANKERS["diffusion"](joined, s, **own).scores

    with jax.enable_x64(True):
        found = jax.jit(jax.grad(value, (0, 1)))(2.5, 0.1)
        for place, gradient in enumerate(found):
            step = np.eye(2)[place] * 1e-6
            ahead, behind = value(*(np.array([2.5, 0.1]) + step)), value(*([2.5, 0.1] - step))
            np.testing.assert_allclose(gradient, (ahead - behind) / 2e-6, atol=1e-7)
            assert abs(gradient) > 1e-4


def test_the_temperature_has_a_derivative():
    rng = np.random.default_rng(5)
    A, s, direction = rng.random((6, 6)), rng.random(6), rng.random(6)

    def value(temperature):
        solution = RANKERS["diffusion"](A, s, alpha=0.3, temperature=temperature, tol=1e-13)
        return direction @ solution.scores

    with jax.enable_x64(True):
        for temperature in (0.1, 1.0):
            gradient = jax.jit(jax.grad(value))(temperature)
            ahead, behind = (value(temperature + nudge) for nudge in (1e-6, -1e-6))
            np.testing.assert_allclose(gradient, (ahead - behind) / 2e-6, atol=1e-7)
            assert abs(gradient) > 1e-4


@given(graphs(negative=True), st.sampled_from([-8.0, 0.5, 64.0]))
def test_a_constant_moves_no_diffusion(graph, constant):
    A, s = graph
    s = np.round(s * 1024) / 1024  # what is added rounds nothing
    moved = RANKERS["diffusion"](A, s.astype(np.float32) + np.float32(constant), alpha=0.3)
    plain = RANKERS["diffusion"](A, s.astype(np.float32), alpha=0.3)
    np.testing.assert_allclose(moved.scores, plain.scores, atol=1e-6)


def test_gradients_work_for_a_mapped_batch():
    rng = np.random.default_rng(4)
    A = rng.random((3, 5, 5)).astype(np.float32)
    s = rng.random((3, 5)).astype(np.float32)
    gradient = jax.jit(jax.grad(lambda A, s: kernels.gcs(A, s, alpha=0.3).scores[0], argnums=1))
    mapped = jax.jit(jax.vmap(gradient))(A, s)
    for query in range(3):
        np.testing.assert_allclose(mapped[query], gradient(A[query], s[query]), atol=1e-6)


@pytest.mark.parametrize("ranker", RANKERS)
@given(graphs(), alphas)
def test_contributions_sum_to_the_score(ranker, graph, alpha):
    A, s = graph
    s = s + np.float32(0.01)
    indices = np.array([0, len(s) - 1, -1])
    shares = contributions(A, s, indices, ranker=ranker, alpha=alpha)
    scores = RANKERS[ranker](A, s, alpha=alpha).scores
    np.testing.assert_allclose(shares[:2].sum(-1), scores[indices[:2]], atol=1e-5)
    np.testing.assert_array_equal(shares[2], 0.0)


def test_a_result_that_keeps_its_own_score_owes_nothing():
    A = np.array([[0, 1], [1, 0]], np.float32)
    shares = kernels.contributions(A, np.array([1.0, 0.1], np.float32), np.array([0, 1]), alpha=0.3)
    np.testing.assert_allclose(shares[0], [1.0, 0.0], atol=1e-6)
    assert shares[1, 0] > shares[1, 1]


def test_contributions_want_a_linear_ranker():
    with pytest.raises(ValueError, match="'gat' has no exact contributions"):
        kernels.contributions(np.eye(2), np.ones(2), np.array([0]), ranker="gat")


def test_default_alphas_differ_by_ranker():
    A, s = np.ones((3, 3), np.float32), jnp.array([0.1, 0.5, 0.9])
    assert kernels.DEFAULT_ALPHA["gcs"] < kernels.DEFAULT_ALPHA["ppr"]
    for ranker, alpha in kernels.DEFAULT_ALPHA.items():
        np.testing.assert_array_equal(
            RANKERS[ranker](A, s).scores, RANKERS[ranker](A, s, alpha=alpha).scores
        )


def test_contributions_of_a_masked_query_are_nothing():
    nobody = np.zeros((1, 3), bool)
    A, scores = np.zeros((1, 3, 3), np.float32), np.ones((1, 3), np.float32)
    for ranker in RANKERS:
        shares = kernels.contributions(A, scores, np.array([[-1]]), ranker=ranker, mask=nobody)
        np.testing.assert_array_equal(shares, np.zeros((1, 1, 3)))


def test_huge_scores_do_not_overflow_the_seed():
    huge = np.array([2e38, 2e38, 1e38], np.float32)
    solution = kernels.ppr(np.zeros((3, 3), np.float32), huge)
    np.testing.assert_allclose(solution.scores, [0.4, 0.4, 0.2], atol=1e-6)


@pytest.mark.parametrize("ranker", ["gcs", "ppr", "diffusion"])
def test_weights_in_double_precision_serve_scores_in_single(ranker):
    scores = np.array([0.9, 0.2, 0.1], np.float32)
    with jax.enable_x64(True):
        rank = getattr(kernels, ranker)
        found = rank(np.ones((3, 3)) - np.eye(3), scores).scores
        assert found.dtype == jnp.float32
        near = kernels.semantic_adjacency(np.eye(3, dtype=np.float32) + 0.5, 2, 0.1)
        assert near.dtype == jnp.float32
        wanted = rank(np.ones((3, 3)) - np.eye(3), scores.astype(np.float64)).scores
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


@pytest.mark.parametrize("ranker", RANKERS)
def test_an_alpha_out_of_range_does_not_converge_whatever_has_edges(ranker):
    graph = np.zeros((4, 3, 3), np.float32)
    graph[1, 0, 1] = graph[1, 1, 0] = 1
    scores = np.float32([[0.5, 0.4, 0.3]] * 4)
    symmetric = kernels.Dense(graph, symmetric=True)
    rank = jax.jit(lambda alpha: RANKERS[ranker](symmetric, scores, alpha=alpha))
    found = rank(np.float32([1.5, 1.5, 0.0, 0.5]))
    assert found.converged.tolist() == [False, False, False, True]
    assert np.isnan(found.scores[:3]).all() and np.isfinite(found.scores[3]).all()


@pytest.mark.usefixtures("types_unchecked")
def test_contributions_compile_once_whatever_type_a_number_has():
    A, scores = np.ones((3, 3), np.float32) - np.eye(3, dtype=np.float32), np.float32([3, 2, 1])
    before = _shares._cache_size()
    for number in (0.5, 1, np.float64(0.5), np.float32(2), np.int64(1)):
        for name in ("temperature", "gap_part"):
            kernels.contributions(A, scores, np.array([0]), ranker="diffusion", **{name: number})
    assert _shares._cache_size() == before + 2


def test_integers_keep_their_order_in_double_precision():
    with jax.enable_x64(True):
        assert kernels.top_k(np.array([2**24, 2**24 + 1]), 1).indices.tolist() == [1]
