"""Graphs and scores at the edges of what there is, against float64 NumPy.

On CPUs, XLA flushes numbers below the smallest normal one to 0, and so do the oracles' arguments
there. Sizes are few, so that a property costs one compilation a size.
"""

import sys
from pathlib import Path

import jax
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapher_jax import kernels
from grapher_jax.kernels.program import ways

sys.path.append(str(Path(__file__).parent))

import oracles
from callers import rerank_by

SIZES = [1, 2, 33]
SCORES = np.array(
    [0.0, -0.0, 0.25, 0.25, 0.5, 1.0, -1.0, 1e30, -1e30, 1e-30, 1e-40, -1e-40], np.float32
)
ORACLES = {"gcs": oracles.gcs, "ppr": oracles.ppr, "diffusion": oracles.diffusion}
RANKERS = {name: jax.jit(getattr(kernels, name)) for name in ORACLES}
contributions = jax.jit(kernels.contributions, static_argnames="ranker")
top_k, min_max = jax.jit(kernels.top_k, static_argnames="k"), jax.jit(kernels.min_max)
seeds = st.integers(0, 2**32 - 1)
sizes = st.sampled_from(SIZES)
alphas = st.sampled_from([0.1, 0.5, 1.0])
# Some ten of `SCORES`, so that examples without huge numbers are common too.
palettes = st.sampled_from([SCORES, SCORES[:7], SCORES[:1], SCORES[3:5], SCORES[-3:], -SCORES[4:6]])


def flushed(array):
    if jax.default_backend() != "cpu":
        return array
    return np.where(np.abs(array) < np.finfo(np.float32).tiny, 0, array).astype(np.float32)


def draw_mask(rng, n):
    """All real, some, none."""
    return [np.ones(n, bool), rng.random(n) < 0.7, np.zeros(n, bool)][
        rng.choice(3, p=[0.4, 0.4, 0.2])
    ]


def empty(rng, n):
    return np.zeros((n, n))


def complete(rng, n):
    return 1 - np.eye(n)


def star(rng, n):
    A = np.zeros((n, n))
    A[0, 1:] = A[1:, 0] = 1
    return A


def disconnected(rng, n):
    half = np.arange(n) < n // 2
    return complete(rng, n) * (half[:, None] == half) * rng.random((n, n))


def sparse(rng, n):
    return complete(rng, n) * (rng.random((n, n)) < 0.2) * rng.random((n, n))


def uneven(rng, n):
    return sparse(rng, n) * 10.0 ** rng.integers(-30, 30, (n, n))


shapes = st.sampled_from([empty, complete, star, disconnected, sparse, uneven])
scales = st.sampled_from([1.0, 1e30, 1e-30, 1e-40])


@pytest.mark.parametrize("ranker", RANKERS)
@given(seeds, sizes, shapes, scales, palettes, alphas)
def test_rankers_agree_with_the_oracle(ranker, seed, n, shape, scale, palette, alpha):
    rng = np.random.default_rng(seed)
    scores, mask = rng.choice(palette, n), draw_mask(rng, n)
    A = (shape(rng, n) * (scale if shape is not uneven else 1)).astype(np.float32)
    found = RANKERS[ranker](A, scores, mask=mask, alpha=alpha)
    size = float(np.abs(np.where(mask, scores, 0)).sum(dtype=float)) if ranker == "gcs" else 1.0
    if not found.converged:
        # What overflows is said to have no solution, and nothing smaller is.
        assert size * float(A.max()) > 1e36
        return
    expected = ORACLES[ranker](flushed(A), flushed(scores), alpha, mask)
    np.testing.assert_allclose(found.scores, expected, rtol=1e-5, atol=1e-5 * max(size, 1))
    np.testing.assert_array_equal(np.asarray(found.scores)[~mask], 0)
    if ranker == "gcs":
        assert (np.asarray(found.scores)[mask] >= flushed(scores)[mask]).all()
    elif ranker == "ppr" and mask.any():
        assert float(found.scores.sum()) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("ranker", RANKERS)
@given(seeds, sizes, st.sampled_from([empty, complete, star, sparse]), palettes)
def test_shares_sum_to_the_score(ranker, seed, n, shape, palette):
    rng = np.random.default_rng(seed)
    A, scores, mask = shape(rng, n).astype(np.float32), rng.choice(palette, n), draw_mask(rng, n)
    found = RANKERS[ranker](A, scores, mask=mask, alpha=0.5)
    if ranker == "ppr" and not (flushed(scores)[mask] > 0).any():
        return  # a uniform seed is no candidate's own
    shares = contributions(A, scores, np.arange(n), ranker=ranker, mask=mask, alpha=0.5)
    size = max(float(np.abs(found.scores).max()), 1)
    np.testing.assert_allclose(shares.sum(-1), found.scores, rtol=1e-5, atol=1e-5 * size)


@given(seeds, sizes, palettes, st.sampled_from([1, 5, 40]))
def test_the_best_are_those_of_a_stable_sort(seed, n, palette, k):
    rng = np.random.default_rng(seed)
    scores, mask = rng.choice(palette, n), draw_mask(rng, n)
    top = top_k(scores, k, mask=mask)
    expected = [i for i in np.argsort(-flushed(scores), kind="stable") if mask[i]][:k]
    assert top.indices.tolist() == expected + [-1] * (k - len(expected))
    np.testing.assert_array_equal(flushed(top.scores[: len(expected)]), flushed(scores[expected]))


@given(seeds, sizes, palettes)
def test_min_max_agrees_with_the_oracle(seed, n, palette):
    rng = np.random.default_rng(seed)
    scores, mask = rng.choice(palette, n), draw_mask(rng, n)
    real = flushed(scores)[mask].astype(float)
    expected = np.zeros(n)
    if np.ptp(real) if real.size else 0:
        expected[mask] = (real - real.min()) / np.ptp(real)
    np.testing.assert_allclose(min_max(scores, mask=mask), expected, atol=1e-6)


def draw_metadata(rng, n):
    """IDs with repeats, self references, references to nobody, and slots that are empty."""
    return {
        "entity_ids": rng.integers(-1, rng.choice([1, 4, 40]), (n, 3)),
        "object_ids": rng.integers(-1, n, n) if rng.random() < 0.5 else rng.permutation(n),
        "foreign_keys": np.where(rng.random((n, 2)) < 0.3, rng.integers(0, n + 2, (n, 2)), -1),
        "links": np.where(rng.random((n, 2)) < 0.3, rng.integers(0, n + 2, (n, 2)), -1),
        "document_ids": rng.integers(-1, 2, n),
        "chunk_ids": rng.integers(-1, 5, n),
    }


def draw_embeddings(rng, n):
    """Generic directions, so that cosines have no ties; some have none."""
    embeddings = (
        rng.normal(size=(n, 4)) * rng.choice([1, 1e30, 1e-30, 1e-20]) * (rng.random((n, 1)) < 0.9)
    )
    return embeddings.astype(np.float32)


def relations(arrays, mask, embeddings, neighbors, threshold):
    ids = arrays["object_ids"]
    return {
        "shared_entity": oracles.shared_entities(arrays["entity_ids"], mask=mask),
        "foreign_key": oracles.references(ids, arrays["foreign_keys"], mask),
        "link": oracles.references(ids, arrays["links"], mask),
        "chunk": oracles.chunks(arrays["document_ids"], arrays["chunk_ids"], mask),
        "semantic": oracles.semantic(embeddings, neighbors, threshold, mask),
    }


@jax.jit
def build_all(arrays, embeddings, mask):
    ids = arrays["object_ids"]
    return {
        "shared_entity": kernels.shared_entity_adjacency(arrays["entity_ids"], mask=mask),
        "foreign_key": kernels.foreign_key_adjacency(ids, arrays["foreign_keys"], mask=mask),
        "link": kernels.link_adjacency(ids, arrays["links"], mask=mask),
        "chunk": kernels.chunk_adjacency(arrays["document_ids"], arrays["chunk_ids"], mask=mask),
        "semantic": kernels.semantic_adjacency(embeddings, 3, 0.2, mask=mask),
    }


@given(seeds, sizes)
def test_adjacencies_agree_with_their_definitions(seed, n):
    rng = np.random.default_rng(seed)
    arrays, mask, embeddings = draw_metadata(rng, n), draw_mask(rng, n), draw_embeddings(rng, n)
    expected = relations(arrays, mask, embeddings, 3, 0.2)
    found = build_all(arrays, embeddings, mask)
    for name, adjacency in found.items():
        np.testing.assert_allclose(adjacency, expected[name], atol=1e-6, err_msg=name)


def test_a_lone_candidate_that_repeats_an_entity_hears_nobody():
    product = jax.jit(lambda ids, p: kernels.SharedEntities.build(ids).multiply(p))
    for slots in (3, 4, 9):
        ids = np.full((1, slots), 5)
        np.testing.assert_array_equal(product(ids, np.ones(1, np.float32)), [0.0])


@jax.jit
def multiply_all(entity_ids, embeddings, listed, mask, p):
    operators = [
        kernels.SharedEntities.build(entity_ids, mask=mask),
        kernels.semantic_neighbors(embeddings, 3, 0.2, mask=mask),
        listed,
    ]
    return [(operator.multiply(p), operator.multiply_transposed(p)) for operator in operators]


@given(seeds, sizes, palettes)
def test_operators_multiply_like_their_matrices(seed, n, palette):
    rng = np.random.default_rng(seed)
    arrays, mask, p = draw_metadata(rng, n), draw_mask(rng, n), flushed(rng.choice(palette, n))
    places, weights = rng.integers(0, n, (2, 20)), rng.choice([0.0, 1.0, 1e-30, 3.5], 20)
    edges = np.zeros((n, n))
    np.add.at(edges, (places[1], places[0]), weights)
    embeddings = draw_embeddings(rng, n)
    matrices = [
        oracles.shared_entities(arrays["entity_ids"], mask=mask),
        oracles.semantic(embeddings, 3, 0.2, mask),
        edges,
    ]
    listed = kernels.WeightedEdges(*places.astype(np.int32), weights.astype(np.float32))
    found = multiply_all(arrays["entity_ids"], embeddings, listed, mask, p)
    atol = 2e-5 * max(float(np.abs(p).max()), 1)
    for (product, transposed), matrix in zip(found, matrices, strict=True):
        np.testing.assert_allclose(product, matrix @ p, rtol=1e-5, atol=atol)
        np.testing.assert_allclose(transposed, matrix.T @ p, rtol=1e-5, atol=atol)


@pytest.mark.parametrize(
    ("way", "ranker", "sizes"),
    [
        (ways.in_blocks, "gcs", [1, 33]),
        (ways.in_blocks, "ppr", [33]),
        (ways.by_pairs, "gcs", [33]),
        (ways.by_pairs, "ppr", [1, 33]),
        (ways.in_blocks, "diffusion", [33]),
        (ways.by_pairs, "diffusion", [33]),
    ],
)
@given(st.data(), seeds, palettes)
def test_one_program_agrees_with_the_oracle(way, ranker, sizes, data, seed, palette):
    n = data.draw(st.sampled_from(sizes))
    rng = np.random.default_rng(seed)
    arrays, mask, embeddings = draw_metadata(rng, n), draw_mask(rng, n), draw_embeddings(rng, n)
    scores, k = rng.choice(palette, n), 5
    weights = {name: float(rng.choice([0.0, 1.0, 2.5])) for name in kernels.PROXIMITIES}
    given_arrays = {**arrays, "embeddings": embeddings, "mask": mask}
    top = rerank_by(way, scores, **given_arrays, weights=weights, ranker=ranker, k=k)
    parts = relations(arrays, mask, embeddings, 5, 0.6)
    A = sum(weights[name] * part for name, part in parts.items())
    expected = ORACLES[ranker](A, flushed(scores), kernels.DEFAULT_ALPHA[ranker], mask)
    assert top.solution.converged
    found = [index for index in top.indices.tolist() if index != -1]
    assert len(found) == len(set(found)) == min(k, mask.sum())
    assert mask[found].all()
    atol = 2e-5 * max(float(np.abs(expected).max()), 1)
    np.testing.assert_allclose(top.scores[: len(found)], expected[found], atol=atol)
    left = np.setdiff1d(np.flatnonzero(mask), found)
    if left.size:
        assert expected[left].max() <= expected[found].min() + 2 * atol


A, IDS, SLOTS = np.eye(5, dtype=np.float32)[::-1], np.arange(5), np.array([[0, 3]] * 5)
P = np.linspace(0, 1, 5, dtype=np.float32)


@pytest.mark.parametrize(
    "call",
    [
        lambda: kernels.gcs(A, P),
        lambda: kernels.ppr(kernels.SharedEntities.build(SLOTS), P),
        lambda: kernels.diffusion(A, P, temperature=0.2),
        lambda: kernels.build_adjacency((5,), object_ids=IDS, links=SLOTS, entity_ids=SLOTS),
        lambda: kernels.contributions(A, P, IDS, ranker="ppr"),
        lambda: kernels.maximal_marginal_relevance(P, A, k=2),
        lambda: kernels.grow_along_edges(P, A, k=2),
        lambda: kernels.semantic_adjacency(A, 2, 0.1),
        lambda: kernels.expand_seeds(IDS.astype(np.int32), SLOTS.astype(np.int32), P),
    ],
)
def test_a_call_outside_of_a_program_compiles_once(call, compilations):
    call()
    before = compilations()
    call()
    assert compilations() == before
