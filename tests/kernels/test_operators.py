"""Every form of a graph multiplies alike, and every path of `rerank` gives the same ranking."""

import importlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapher_jax import kernels
from grapher_jax.kernels.graphs import entities, operators, references

program = importlib.import_module("grapher_jax.kernels.program.reranking")
RNG = np.random.default_rng(0)
RANKERS = ["gcs", "ppr"]


def random_ids(rng, shape, below, spread=1):
    """IDs with many repeats and empty slots; `spread` moves them far apart."""
    ids = rng.integers(0, below, shape) * spread
    return np.where(rng.random(shape) < 0.3, -1, ids).astype(np.int32)


def products_agree(operator, adjacency):
    p = jnp.asarray(RNG.random(adjacency.shape[:-1]), jnp.float32)
    dense = operators.Dense(adjacency)
    np.testing.assert_allclose(operator.multiply(p), dense.multiply(p), atol=1e-6, rtol=1e-6)
    np.testing.assert_allclose(
        operator.multiply_transposed(p), dense.multiply_transposed(p), atol=1e-6, rtol=1e-6
    )


@pytest.mark.parametrize("shape", [(7, 3), (2, 9, 4), (2, 3, 5, 2)])
def test_shared_entities_multiply_without_being_formed(shape):
    ids = random_ids(np.random.default_rng(1), shape, 6)
    mask = np.random.default_rng(2).random(shape[:-1]) < 0.8
    counts = (ids != -1).sum(-1) + 1
    operator = kernels.SharedEntities.build(ids, counts, mask=mask)
    products_agree(operator, kernels.shared_entity_adjacency(ids, counts, mask=mask))


def test_semantic_neighbors_multiply_like_their_matrix():
    embeddings = np.random.default_rng(3).normal(size=(2, 8, 4)).astype(np.float32)
    mask = np.arange(8) < [[8], [5]]
    lists = kernels.semantic_neighbors(embeddings, 3, 0.1, mask=mask)
    products_agree(lists, kernels.semantic_adjacency(embeddings, 3, 0.1, mask=mask))


def test_semantic_neighbors_are_the_nearest_above_the_threshold():
    embeddings = np.array([[1, 0], [2, 0.1], [0, 1], [1, 0.5], [0, 0]], np.float32)
    A = np.asarray(kernels.semantic_adjacency(embeddings, 1, 0.5))
    unit = embeddings[:4] / np.linalg.norm(embeddings[:4], axis=1, keepdims=True)
    cosine = unit @ unit.T
    expected = np.zeros((5, 5))
    for i, j in ((0, 1), (1, 0), (3, 1)):  # 2 is near nobody, 4 has no direction
        expected[i, j] = cosine[i, j]
    np.testing.assert_allclose(A, expected, atol=1e-6)
    symmetric = kernels.semantic_adjacency(embeddings, 1, 0.5, symmetric=True)
    np.testing.assert_allclose(symmetric, np.maximum(expected, expected.T), atol=1e-6)


def test_a_weighted_sum_multiplies_like_the_sum():
    A, B = RNG.random((2, 3, 6, 6)).astype(np.float32)
    ids = random_ids(np.random.default_rng(4), (3, 6, 3), 5)
    combined = kernels.combine(
        [A, kernels.Dense(B), kernels.SharedEntities.build(ids)], [1.0, 0.5, 2.0]
    )
    products_agree(combined, A + 0.5 * B + 2 * kernels.shared_entity_adjacency(ids))


def test_stacked_relations_stay_apart():
    A, B = RNG.random((2, 3, 4, 4)).astype(np.float32)
    np.testing.assert_array_equal(kernels.stack([A, B])[:, 1], B)


@pytest.mark.parametrize("ranker", RANKERS)
def test_rankers_take_any_form(ranker):
    ids = random_ids(np.random.default_rng(5), (2, 9, 4), 7)
    scores = RNG.random((2, 9)).astype(np.float32)
    mask = np.arange(9) < [[9], [6]]
    rank = {"gcs": kernels.gcs, "ppr": kernels.ppr}[ranker]
    dense = rank(kernels.shared_entity_adjacency(ids, mask=mask), scores, mask=mask, alpha=0.3)
    sparse = rank(kernels.SharedEntities.build(ids, mask=mask), scores, mask=mask, alpha=0.3)
    np.testing.assert_allclose(sparse.scores, dense.scores, atol=1e-6)


# Shared entities by bits.


@pytest.mark.parametrize("spread", [1, 65_536, 715_827_883])
@pytest.mark.parametrize("shape", [(3, 20, 5), (1, 40, 40)])
def test_bits_count_what_pairs_count_whatever_the_ids(shape, spread):
    # 65,536 makes all low bits equal; the blocks of bits overflow where 40 × 40 slots share many.
    few = random_ids(np.random.default_rng(6), shape, min(700, 2**31 // spread)).astype(int)
    ids = np.where(few < 0, -1, few * spread)
    expected = entities._by_pairs(jnp.asarray(ids, jnp.int32))
    np.testing.assert_array_equal(entities._by_bits(jnp.asarray(ids, jnp.int32)), expected)


@pytest.mark.parametrize("used", [0.0, 0.2, 0.9])
@pytest.mark.parametrize("shape", [(3, 20, 40), (2, 7, 17)])
def test_listed_slots_count_as_all_do(shape, used):
    # Up to 16 slots a candidate are listed, so the first two fit and the last does not.
    rng = np.random.default_rng(18)
    ids = np.where(rng.random(shape) < used, rng.integers(0, 400, shape), -1).astype(np.int32)
    ids[0, 0] = ids[0, 1]
    ids = jnp.asarray(ids)
    np.testing.assert_array_equal(entities._by_bits(ids), entities._by_pairs(ids))


def test_used_slots_are_listed_wherever_they_stand():
    slots = jnp.asarray([[-1, 5, -1, -1, 7, 7] + [-1] * 30 + [2], [-1] * 37], jnp.int32)
    listed, places, fit = entities.list_used(slots, 5)
    assert fit
    assert sorted(zip(places[0].tolist(), listed[0].tolist(), strict=True)) == [
        (1, 5), (4, 7), (5, 7), (36, 2), (37, -1)
    ]  # fmt: skip
    assert listed[1].tolist() == [-1] * 5
    listed, _, fit = entities.list_used(slots, 3)
    assert not fit
    assert (listed == -1).all()


def test_entities_beyond_a_block_of_bits_are_counted():
    ids = jnp.asarray(np.tile(np.arange(600, dtype=np.int32), (1, 2, 1)))
    assert entities._by_bits(ids).tolist() == [[[0, 600], [600, 0]]]


def test_a_query_does_not_see_what_another_left_in_the_table():
    ids = jnp.asarray([[[5], [7]], [[5], [9]], [[7], [5]]], jnp.int32)
    np.testing.assert_array_equal(entities._by_bits(ids), np.zeros((3, 2, 2)))


# References by look-up.


@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 20]), st.sampled_from([1, 4, 17]))
def test_found_references_make_the_edges_of_the_matrix(seed, density, r):
    rng = np.random.default_rng(seed)
    ids = np.stack([rng.permutation(40)[:10] for _ in range(3)]).astype(np.int32)
    targets = rng.integers(-1, 10 * density, (3, 10, r)).astype(np.int32)
    found = find(ids, targets)
    expected = kernels.foreign_key_adjacency(ids, targets)
    assert found.unique.all()
    products_agree(found.edges(), expected)
    lists, fits = found.short_lists()
    edges = (np.asarray(found.targets) >= 0).sum()
    assert fits.tolist() == [edges <= 16, edges <= 31]
    for listed, fit in zip(lists, fits, strict=True):
        if fit:
            products_agree(listed(), expected)


find = jax.jit(references.find_references)


def test_references_beyond_the_table_are_found():
    ids = jnp.asarray([[1 << 16, 2 << 16, 3 << 16, 7]], jnp.int32)  # one place in the table
    targets = jnp.asarray([[[2 << 16], [3 << 16], [-1], [1 << 16]]], jnp.int32)
    found = references.find_references(ids, targets)
    assert found.unique.all()
    assert found.targets.tolist() == [[[1], [2], [-1], [0]]]


def test_repeated_identities_are_told():
    ids = jnp.asarray([[4, 5, 4]], jnp.int32)
    assert not references.find_references(ids, jnp.asarray([[[5], [4], [-1]]], jnp.int32)).unique


def test_successors_are_found():
    documents, chunks = jnp.asarray([[1, 1, 2, 1, -1]]), jnp.asarray([[3, 4, 5, 2, 3]])
    found = references.find_successors(documents, chunks)
    assert found.targets[..., 0].tolist() == [[1, -1, -1, 0, -1]]


# The program.


def batch(rng, queries, n):
    return {
        "scores": rng.random((queries, n)).astype(np.float32),
        "entity_ids": random_ids(rng, (queries, n, 3), 9),
        "object_ids": np.stack([rng.permutation(3 * n)[:n] for _ in range(queries)]),
        "foreign_keys": random_ids(rng, (queries, n, 2), 3 * n),
        "document_ids": random_ids(rng, (queries, n), 3),
        "chunk_ids": np.stack([rng.permutation(n) for _ in range(queries)]),
        "mask": rng.random((queries, n)) < 0.9,
    }


def by_pairs(arrays, **options):
    """The ranking over one dense matrix, built as an accelerator builds it."""
    rest = {name: array for name, array in arrays.items() if name not in ("scores", "mask")}
    mask = arrays.get("mask")
    adjacency = kernels.build_adjacency(arrays["scores"].shape, **rest, mask=mask)
    rank = {"gcs": kernels.gcs, "ppr": kernels.ppr}[options.pop("ranker", "gcs")]
    return rank(adjacency, arrays["scores"], mask=mask, **options).scores


def agrees_with_pairs(arrays, **options):
    top = kernels.rerank(**arrays, k=3, **options)
    expected = by_pairs(arrays, **options)
    np.testing.assert_allclose(top.solution.scores, expected, atol=2e-6)
    assert top.solution.converged.all()


@pytest.mark.parametrize("ranker", RANKERS)
def test_look_up_ranks_as_all_pairs_do(ranker):
    agrees_with_pairs(batch(np.random.default_rng(7), 5, 12), ranker=ranker, alpha=0.3)


def test_more_queries_than_a_block_rank_alike(monkeypatch):
    monkeypatch.setattr(program, "_MATRICES", 3 * 11**2)
    agrees_with_pairs(batch(np.random.default_rng(8), 7, 11), alpha=0.3)


def test_many_edges_rank_alike():
    arrays = batch(np.random.default_rng(9), 2, 10)
    only = {name: arrays[name] for name in ("scores", "object_ids")}
    crowded = np.random.default_rng(0).choice(arrays["object_ids"][0], (2, 10, 6))
    agrees_with_pairs(only | {"foreign_keys": crowded}, alpha=0.3)


def test_repeated_identities_rank_alike():
    arrays = batch(np.random.default_rng(10), 3, 10)
    arrays["object_ids"][1, 4] = arrays["object_ids"][1, 2]
    arrays["mask"][1] = True
    agrees_with_pairs(arrays, alpha=0.3)


def test_semantic_neighbors_join_the_program():
    embeddings = np.random.default_rng(11).normal(size=(2, 9, 3)).astype(np.float32)
    scores = RNG.random((2, 9)).astype(np.float32)
    agrees_with_pairs({"scores": scores, "embeddings": embeddings}, alpha=0.3)


@pytest.mark.parametrize(("slots", "used"), [(3, 0.7), (20, 0.3), (20, 0.9)])
def test_thousands_of_candidates_are_ranked_without_a_matrix(slots, used):
    rng = np.random.default_rng(13)
    arrays = batch(np.random.default_rng(12), 1, 1500)
    ids = rng.integers(0, 300 * slots, (1, 1500, slots))
    arrays["entity_ids"] = np.where(rng.random(ids.shape) < used, ids, -1).astype(np.int32)
    agrees_with_pairs(arrays, alpha=0.5)


def test_repeated_identities_among_thousands_are_told():
    arrays = batch(np.random.default_rng(14), 1, 1100)
    arrays["mask"][:] = True
    del arrays["entity_ids"]
    assert kernels.rerank(**arrays).solution.converged.all()
    arrays["object_ids"][0, 0] = arrays["object_ids"][0, 1]
    assert not kernels.rerank(**arrays).solution.converged.any()


def test_the_program_maps_and_differentiates():
    arrays = batch(np.random.default_rng(15), 3, 8)
    together = kernels.rerank(**arrays, alpha=0.4, k=4)
    mapped = jax.vmap(lambda given: kernels.rerank(**given, alpha=0.4, k=4))(arrays)
    np.testing.assert_array_equal(mapped.indices, together.indices)

    def best(scores, alpha):
        rest = {name: array for name, array in arrays.items() if name != "scores"}
        return kernels.rerank(scores, **rest, alpha=alpha, tol=1e-12, k=4).scores.sum()

    with jax.enable_x64(True):
        scores = arrays["scores"].astype(np.float64)
        gradient = jax.grad(best, argnums=1)(scores, 0.4)
        nudged = (best(scores, 0.4 + 1e-6) - best(scores, 0.4 - 1e-6)) / 2e-6
        np.testing.assert_allclose(gradient, nudged, atol=1e-4)


def test_donated_scores_are_gone():
    scores = jnp.asarray(RNG.random((2, 8)), jnp.float32)
    kernels.rerank(scores, donate=True)
    assert scores.is_deleted()


def test_padding_queries_change_no_flag():
    # 47 queries make blocks of 46: the last block is nearly all padding.
    n, queries = 1100, 47
    ids = np.tile(np.arange(n, dtype=np.int32), (queries, 1))
    scores = RNG.random((queries, n)).astype(np.float32)
    top = kernels.rerank(scores, object_ids=ids, foreign_keys=np.roll(ids, 1, 1)[..., None])
    assert top.solution.converged.all()


def test_a_query_answers_for_its_own_identities_alone():
    n = 1100
    ids = np.tile(np.arange(n, dtype=np.int32), (2, 1))
    keys = np.roll(ids, 1, 1)[..., None]
    ids[1, 0] = 1
    scores = RNG.random((2, n)).astype(np.float32)
    top = kernels.rerank(scores, object_ids=ids, foreign_keys=keys)
    assert top.solution.converged.tolist() == [True, False]


def test_each_query_may_have_its_own_tolerance(monkeypatch):
    monkeypatch.setattr(program, "_MATRICES", 2 * 12**2)
    arrays = batch(np.random.default_rng(16), 5, 12)
    tol = jnp.array([1e-1, 1e-6, 1e-1, 1e-6, 1e-1])
    steps = kernels.rerank(**arrays, alpha=0.2, tol=tol).solution.steps
    assert (steps[::2] < steps[1]).all()


@pytest.mark.parametrize("shape", [(0, 5), (2, 0), (2, 3)])
def test_nothing_to_rank_or_to_build_from_is_no_error(shape):
    slots = 2 if 0 in shape else 0
    arrays = {
        "entity_ids": np.zeros((*shape, slots), np.int32),
        "object_ids": np.zeros(shape, np.int32),
        "links": np.zeros((*shape, slots), np.int32),
    }
    top = kernels.rerank(np.ones(shape, np.float32), **arrays, k=2)
    assert top.indices.shape == (shape[0], 2)
    assert top.solution.converged.all()


def test_gradients_with_respect_to_embeddings_survive_zero_vectors():
    embeddings = np.random.default_rng(17).random((4, 3)).astype(np.float32)
    embeddings[3] = 0
    gradient = jax.grad(lambda e: kernels.semantic_adjacency(e, 2, 0.1).sum())(embeddings)
    assert np.isfinite(gradient).all()
    assert np.abs(gradient[:3]).max() > 0


# Edges that all queries share.


def shared_edges(seed, n, m):
    """A random graph as a list of edges, some named twice, and as its matrix in float64."""
    rng = np.random.default_rng(seed)
    senders, receivers = rng.integers(0, n, (2, m)).astype(np.int32)
    weights = rng.random(m).astype(np.float32)
    matrix = np.zeros((n, n))
    np.add.at(matrix, (receivers, senders), weights)
    return kernels.WeightedEdges(senders, receivers, weights), matrix


@pytest.mark.parametrize("batch", [(), (3,), (2, 2)])
def test_shared_edges_multiply_like_their_matrix(batch):
    operator, matrix = shared_edges(0, 11, 40)
    adjacency = np.broadcast_to(matrix.astype(np.float32), (*batch, 11, 11))
    products_agree(operator, jnp.asarray(adjacency))


@pytest.mark.parametrize("alpha", [0.15, 0.5, 0.9])
def test_pagerank_over_shared_edges_is_that_of_networkx(alpha):
    networkx = pytest.importorskip("networkx")
    operator, matrix = shared_edges(1, 30, 60)
    assert (matrix.sum(0) == 0).any()
    seeds = np.random.default_rng(2).random((2, 30)).astype(np.float32)
    seeds[:, ::3] = 0
    found = kernels.ppr(operator, seeds, alpha=alpha, tol=1e-9)
    graph = networkx.DiGraph(matrix.T)
    for query, seed in enumerate(seeds):
        personal = dict(enumerate(seed.astype(float)))
        expected = networkx.pagerank(
            graph, alpha=1 - alpha, personalization=personal, dangling=personal, tol=1e-12
        )
        np.testing.assert_allclose(found.scores[query], [*expected.values()], atol=1e-6)


def test_derivatives_over_shared_edges_are_those_of_the_matrix():
    operator, matrix = shared_edges(3, 9, 30)
    seed = np.random.default_rng(4).random(9).astype(np.float32)
    target = jnp.asarray(np.random.default_rng(5).random(9), jnp.float32)

    def through_edges(weights, seed):
        edges = kernels.WeightedEdges(operator.senders, operator.receivers, weights)
        return (kernels.ppr(edges, seed, alpha=0.3, tol=1e-9).scores * target).sum()

    def through_matrix(matrix, seed):
        return (kernels.ppr(matrix, seed, alpha=0.3, tol=1e-9).scores * target).sum()

    by_weight, by_seed = jax.grad(through_edges, argnums=(0, 1))(
        jnp.asarray(operator.weights), jnp.asarray(seed)
    )
    dense, seed_dense = jax.grad(through_matrix, argnums=(0, 1))(
        jnp.asarray(matrix, jnp.float32), jnp.asarray(seed)
    )
    np.testing.assert_allclose(by_weight, dense[operator.receivers, operator.senders], atol=1e-5)
    np.testing.assert_allclose(by_seed, seed_dense, atol=1e-5)


def test_shared_edges_are_looked_at():
    senders, weights = np.array([0, 1], np.int32), np.ones(2, np.float32)
    scores = np.ones(2, np.float32)
    with pytest.raises(ValueError, match=r"(senders|receivers): 2 at \[1\] is nobody"):
        kernels.ppr(kernels.WeightedEdges(senders, senders * 2, weights), scores)
    with pytest.raises(ValueError, match=r"weights: -1.0 at \[1\] is outside"):
        kernels.ppr(kernels.WeightedEdges(senders, senders, -weights * senders), scores)
