"""Every solver finds the fixed point, says how near it is, and is never slower than plain steps."""

import sys
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapher_jax import kernels
from grapher_jax.kernels.fixed_point.solver import SOLVERS
from grapher_jax.kernels.graphs.operators import EdgeList
from grapher_jax.kernels.graphs.proximities import pair_graph
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.graphs.symmetry import balance

sys.path.append(str(Path(__file__).parents[1]))

import oracles
from samples import random_ids

N = 9
ORACLES = {"gcs": oracles.gcs, "ppr": oracles.ppr, "diffusion": oracles.diffusion}
STATIC = ("solver", "max_steps")
RANKERS = {name: jax.jit(getattr(kernels, name), static_argnames=STATIC) for name in ORACLES}
seeds = st.integers(0, 2**32 - 1)
alphas = st.sampled_from([0.05, 0.1, 0.5, 0.9, 1.0])
solvers = st.sampled_from(tuple(SOLVERS))


def directed(rng):
    """Any graph: directed, with isolated, dangling and unheard candidates."""
    A = (rng.random((N, N)) < rng.choice([0.1, 0.3, 1.0])) * rng.random((N, N))
    np.fill_diagonal(A, 0)
    A[:, rng.random(N) < 0.2] = 0
    return A * 10.0 ** rng.integers(-6, 7, (N, 1 if rng.random() < 0.5 else N))


def balanced(rng):
    """`N diag(c)` with N symmetric."""
    counts = np.triu(directed(rng), 1)
    counts = counts + counts.T
    return counts, 10.0 ** rng.uniform(-2, 2, N)


@pytest.mark.parametrize("ranker", RANKERS)
@given(seeds, alphas, solvers)
def test_every_solver_finds_the_fixed_point(ranker, seed, alpha, solver):
    rng = np.random.default_rng(seed)
    A, s = directed(rng).astype(np.float32), rng.random(N).astype(np.float32)
    found = RANKERS[ranker](A, s, alpha=alpha, solver=solver)
    assert found.converged
    # At α = 0.05, up to 1.3e-5 of float32 was seen; what `error` says holds in any case.
    np.testing.assert_allclose(found.scores, ORACLES[ranker](A, s, alpha), atol=3e-5)


@pytest.mark.parametrize("ranker", RANKERS)
@given(seeds, alphas)
def test_what_is_similar_to_a_symmetric_matrix_is_solved_like_any_other(ranker, seed, alpha):
    rng = np.random.default_rng(seed)
    counts, c = (one.astype(np.float32) for one in balanced(rng))
    s, mask = rng.random(N).astype(np.float32), rng.random(N) < 0.8
    found = RANKERS[ranker](
        kernels.Dense(counts, c, symmetric=True), s, mask=mask, alpha=alpha, tol=0.0
    )
    assert found.converged
    expected = ORACLES[ranker](counts * c, s, alpha, mask)
    np.testing.assert_allclose(found.scores, expected, atol=1e-5)


@pytest.mark.parametrize("ranker", RANKERS)
@given(seeds, alphas, solvers, st.sampled_from([1e-1, 1e-3, 0.0]), st.sampled_from([1, 3, 400]))
def test_no_score_is_farther_off_than_the_error_says(ranker, seed, alpha, solver, tol, max_steps):
    rng = np.random.default_rng(seed)
    if rng.random() < 0.5:
        A = directed(rng).astype(np.float32)
        graph = kernels.Dense(A, np.ones(N, np.float32))
    else:
        counts, c = (one.astype(np.float32) for one in balanced(rng))
        A, graph = counts.astype(float) * c, kernels.Dense(counts, c)
    s = rng.random(N).astype(np.float32) * np.float32(10.0 ** rng.integers(-6, 7))
    found = RANKERS[ranker](
        graph, s, alpha=np.float32(alpha), solver=solver, tol=tol, max_steps=max_steps
    )
    expected = ORACLES[ranker](A, s, float(np.float32(alpha)))
    assert np.abs(found.scores - expected).max() <= found.error


@pytest.mark.parametrize("ranker", RANKERS)
def test_the_error_falls_with_the_tolerance(ranker):
    rng = np.random.default_rng(2)
    A, s = rng.random((N, N)), rng.random(N)
    with jax.enable_x64(True):
        errors = [float(RANKERS[ranker](A, s, alpha=0.3, tol=tol).error) for tol in (1e-4, 1e-12)]
    assert errors[0] < 1e-2
    assert errors[1] < 1e-10


def ring(n):
    ends = np.stack([np.arange(n), (np.arange(n) + 1) % n]).astype(np.int32)
    return EdgeList(jnp.asarray(ends))


@pytest.mark.parametrize("ranker", RANKERS)
def test_solvers_take_a_fraction_of_the_plain_steps(ranker):
    n = 40
    scores = np.random.default_rng(3).random(n).astype(np.float32)
    steps = {
        solver: int(RANKERS[ranker](ring(n), scores, alpha=0.05, solver=solver).steps)
        for solver in ("iterate", None, "orthomin")
    }
    assert steps[None] < steps["iterate"] / 4
    assert steps["orthomin"] < steps["iterate"] / 4


def test_a_cycle_of_one_direction_costs_little_more_than_plain_steps():
    # The hardest case there is: no direction leaves less of a residual than its own length.
    A = np.roll(np.eye(N, dtype=np.float32), 1, axis=1)
    scores = np.eye(N, dtype=np.float32)[0]
    plain, best = (RANKERS["gcs"](A, scores, alpha=0.1, solver=s) for s in ("iterate", None))
    assert best.converged
    assert best.steps <= plain.steps + np.log(N**0.5) / -np.log(0.9) + 2


def test_directions_that_end_leave_no_noise():
    # Of a star the residual is gone after three steps, and what a fourth finds is rounding.
    A = np.zeros((33, 33), np.float32)
    A[0, 1:] = A[1:, 0] = 1
    scores = np.full(33, 0.5, np.float32)
    scores[0] = 0.1  # so that it gains
    slopes = jax.grad(lambda s: kernels.gcs(A, s, alpha=0.5).scores[0])(scores)
    np.testing.assert_allclose(slopes[0], 2 / 3, atol=1e-6)
    np.testing.assert_allclose(slopes[1:], 1 / 3 / 32, atol=1e-6)


def test_a_gradient_outside_of_a_program_compiles_once(compilations):
    A, scores = jnp.roll(jnp.eye(17), 1, axis=1), jnp.linspace(0, 1, 17)

    def slope(alpha):
        return jax.grad(lambda a: kernels.gcs(A, scores, alpha=a).scores[0])(alpha)

    slope(0.3)
    before = compilations()
    assert float(slope(0.4)) != float(slope(0.5))
    assert compilations() == before


def test_the_graph_tells_what_it_is_similar_to():
    ids, scale = random_ids(np.random.default_rng(0), (N, 3), 6), jnp.full(N, 0.5)
    shared, links = kernels.SharedEntities.build(ids), ring(N)
    matrix = jnp.ones((N, N))
    assert balance(links) == 1
    assert balance(shared) is shared.column_scale
    assert balance(2.0 * shared) is shared.column_scale
    assert balance(links + 0.5 * links) == 1
    assert balance(kernels.Dense(matrix, symmetric=True)) == 1
    assert balance(kernels.Dense(matrix, scale, symmetric=True)) is scale
    for unknown in (kernels.Dense(matrix), links + shared, shared + shared, shared.T):
        assert balance(unknown) is None


def test_relations_choose_the_solver():
    keys = {"object_ids": np.arange(N), "foreign_keys": np.roll(np.arange(N), 1)[:, None]}
    entities = {"entity_ids": random_ids(np.random.default_rng(0), (N, 3), 6)}
    vectors = {"embeddings": np.eye(N, dtype=np.float32)}
    kinds = {
        "one": pair_graph((N,), Relations(**keys)),
        "several": pair_graph((N,), Relations(**keys, links=keys["foreign_keys"])),
        "counted": pair_graph((N,), Relations(**entities)),
        "none": pair_graph((N,), Relations()),
    }
    assert all(graph.symmetric for graph in kinds.values())
    assert kinds["counted"].column_scale is not None
    assert not pair_graph((N,), Relations(**keys, **entities)).symmetric
    assert not pair_graph((N,), Relations(**vectors)).symmetric


@pytest.mark.parametrize("ranker", RANKERS)
def test_derivatives_are_those_of_plain_steps(ranker):
    rng = np.random.default_rng(4)
    counts, c = balanced(rng)
    s, mask, direction = rng.random(N), np.arange(N) != 4, rng.random(N)

    def value(graph, solver, counts, c, s, alpha):
        options = {"mask": mask, "alpha": alpha, "solver": solver, "tol": 1e-13}
        return direction @ getattr(kernels, ranker)(graph(counts, c), s, **options).scores

    with jax.enable_x64(True):
        conjugate, plain = (
            jax.jit(jax.grad(partial(value, graph, solver), argnums=(0, 1, 2, 3)))(
                counts, c, s, 0.2
            )
            for graph, solver in (
                (partial(kernels.Dense, symmetric=True), None),
                (kernels.Dense, "iterate"),
            )
        )
    for found, expected in zip(conjugate, plain, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


def test_a_solver_that_there_is_not_is_named():
    scores = np.ones(3, np.float32)
    for call in (partial(kernels.gcs, np.zeros((3, 3))), kernels.rerank):
        with pytest.raises(ValueError, match="solver: 'cholesky' is unknown; use 'iterate', "):
            call(scores, solver="cholesky")
