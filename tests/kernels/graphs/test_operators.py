"""Every form of a graph multiplies alike."""

import sys
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax import kernels
from grapher_jax.kernels.graphs.operators import EdgeList

sys.path.append(str(Path(__file__).parents[1]))

import oracles
from samples import products, products_agree, random_ids

RNG = np.random.default_rng(0)
RANKERS = {"gcs": kernels.gcs, "ppr": kernels.ppr, "diffusion": kernels.diffusion}
# One program each, not one for every step.
build_entities = jax.jit(kernels.SharedEntities.build)
entity_adjacency = jax.jit(kernels.shared_entity_adjacency)
semantic_neighbors = jax.jit(kernels.semantic_neighbors, static_argnums=(1, 2))
semantic_adjacency = jax.jit(
    kernels.semantic_adjacency, static_argnums=(1, 2), static_argnames="symmetric"
)
as_matrix = jax.jit(lambda operator, shape: operator.as_matrix(shape), static_argnums=1)


@pytest.mark.parametrize("shape", [(7, 3), (2, 3, 5, 2)])
def test_shared_entities_multiply_without_being_formed(shape):
    ids = random_ids(np.random.default_rng(1), shape, 6)
    mask = np.random.default_rng(2).random(shape[:-1]) < 0.8
    counts = (ids != -1).sum(-1) + 1
    operator = build_entities(ids, counts, mask=mask)
    products_agree(operator, entity_adjacency(ids, counts, mask=mask))


def test_semantic_neighbors_multiply_like_their_matrix():
    embeddings = np.random.default_rng(3).normal(size=(2, 8, 4)).astype(np.float32)
    mask = np.arange(8) < [[8], [5]]
    lists = semantic_neighbors(embeddings, 3, 0.1, mask=mask)
    products_agree(lists, semantic_adjacency(embeddings, 3, 0.1, mask=mask))


def test_semantic_neighbors_are_the_nearest_above_the_threshold():
    embeddings = np.array([[1, 0], [2, 0.1], [0, 1], [1, 0.5], [0, 0]], np.float32)
    A = np.asarray(semantic_adjacency(embeddings, 1, 0.5))
    unit = embeddings[:4] / np.linalg.norm(embeddings[:4], axis=1, keepdims=True)
    cosine = unit @ unit.T
    expected = np.zeros((5, 5))
    for i, j in ((0, 1), (1, 0), (3, 1)):  # 2 is near nobody, 4 has no direction
        expected[i, j] = cosine[i, j]
    np.testing.assert_allclose(A, expected, atol=1e-6)
    symmetric = semantic_adjacency(embeddings, 1, 0.5, symmetric=True)
    np.testing.assert_allclose(symmetric, np.maximum(expected, expected.T), atol=1e-6)


def test_a_weighted_sum_multiplies_like_the_sum():
    A, B = RNG.random((2, 3, 6, 6)).astype(np.float32)
    ids = random_ids(np.random.default_rng(4), (3, 6, 3), 5)
    combined = kernels.combine([A, kernels.Dense(B), build_entities(ids)], [1.0, 0.5, 2.0])
    products_agree(combined, A + 0.5 * B + 2 * entity_adjacency(ids))


def test_stacked_relations_stay_apart():
    A, B = RNG.random((2, 3, 4, 4)).astype(np.float32)
    np.testing.assert_array_equal(kernels.stack([A, B])[:, 1], B)


@pytest.mark.parametrize("ranker", RANKERS)
def test_rankers_take_any_form(ranker):
    ids = random_ids(np.random.default_rng(5), (2, 9, 4), 7)
    scores = RNG.random((2, 9)).astype(np.float32)
    mask = np.arange(9) < [[9], [6]]
    rank = RANKERS[ranker]
    dense = rank(entity_adjacency(ids, mask=mask), scores, mask=mask, alpha=0.3)
    sparse = rank(build_entities(ids, mask=mask), scores, mask=mask, alpha=0.3)
    np.testing.assert_allclose(sparse.scores, dense.scores, atol=1e-6)


def test_gradients_with_respect_to_embeddings_survive_zero_vectors():
    embeddings = np.random.default_rng(17).random((4, 3)).astype(np.float32)
    embeddings[3] = 0
    gradient = jax.jit(jax.grad(lambda e: semantic_adjacency(e, 2, 0.1).sum()))(embeddings)
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

    by_weight, by_seed = jax.jit(jax.grad(through_edges, argnums=(0, 1)))(
        jnp.asarray(operator.weights), jnp.asarray(seed)
    )
    dense, seed_dense = jax.jit(jax.grad(through_matrix, argnums=(0, 1)))(
        jnp.asarray(matrix, jnp.float32), jnp.asarray(seed)
    )
    np.testing.assert_allclose(by_weight, dense[operator.receivers, operator.senders], atol=1e-5)
    np.testing.assert_allclose(by_seed, seed_dense, atol=1e-5)


def test_shared_edges_are_looked_at():
    senders, weights = np.array([0, 1], np.int32), np.ones(2, np.float32)
    scores = np.ones(2, np.float32)
    with pytest.raises(ValueError, match=r"(senders|receivers): 2 at \[1\] is out of range"):
        kernels.ppr(kernels.WeightedEdges(senders, senders * 2, weights), scores)
    with pytest.raises(ValueError, match=r"weights: -1.0 at \[1\] is outside"):
        kernels.ppr(kernels.WeightedEdges(senders, senders, -weights * senders), scores)


# Algebra.


class Own:
    """What a user may give: the two products alone."""

    def multiply(self, p):
        return 3 * p

    multiply_transposed = multiply


def forms(seed=8):
    """One graph of each form, and its matrix."""
    rng = np.random.default_rng(seed)
    ids = random_ids(rng, (2, 7, 3), 5)
    embeddings = rng.normal(size=(2, 7, 4)).astype(np.float32)
    edges, matrix = shared_edges(seed, 7, 20)
    weights = rng.random((2, 7, 7)).astype(np.float32)
    return {
        "dense": (kernels.Dense(weights), weights),
        "entities": (build_entities(ids), np.asarray(entity_adjacency(ids))),
        "neighbors": (
            semantic_neighbors(embeddings, 3, 0.1),
            np.asarray(semantic_adjacency(embeddings, 3, 0.1)),
        ),
        "edges": (edges, np.broadcast_to(matrix.astype(np.float32), (2, 7, 7))),
    }


@pytest.mark.parametrize("form", ["dense", "entities", "neighbors", "edges"])
def test_every_form_is_its_matrix(form):
    operator, matrix = forms()[form]
    np.testing.assert_allclose(as_matrix(operator, (2, 7)), matrix, atol=1e-6)
    np.testing.assert_allclose(
        as_matrix(operator.T, (2, 7)), np.swapaxes(matrix, -1, -2), atol=1e-6
    )
    products_agree(operator.T, np.swapaxes(matrix, -1, -2))
    products_agree(operator.T.T, matrix)


def every_form():
    """The forms, of which neighbours and edges are directed, and what is made of them."""
    found = forms()
    A = found["dense"][1]
    neighbors, B = found["neighbors"]
    scale = np.linspace(0.1, 1, 14, dtype=np.float32).reshape(2, 7)
    scaled = kernels.Dense(A, scale), A * scale[:, None]
    # Through the batch: 0-1 and 1-6 of the first query, 2-5 of the second, and none.
    ends = jnp.array([[0, 1, 9, 14], [1, 6, 12, 14]])
    undirected = np.zeros((2, 7, 7), np.float32)
    for query, one, other in ((0, 0, 1), (0, 1, 6), (1, 2, 5)):
        undirected[query, [one, other], [other, one]] = 1
    return found | {
        "scaled": scaled,
        "transposed": (neighbors.T, np.swapaxes(B, -1, -2)),
        "undirected": (EdgeList(ends), undirected),
        "sum": (2.0 * scaled[0] + neighbors + found["entities"][0] * 0.5, None),
    }


@pytest.mark.parametrize(
    "form",
    ["entities", "neighbors", "edges", "scaled", "transposed", "undirected", "sum"],
)
def test_diffusion_makes_every_form_symmetric_as_it_does_a_matrix(form):
    operator, matrix = every_form()[form]
    if matrix is None:
        matrix = np.asarray(as_matrix(operator, (2, 7)))
    assert form == "undirected" or np.abs(matrix - np.swapaxes(matrix, -1, -2)).max() > 0.05
    scores = np.random.default_rng(9).random((2, 7)).astype(np.float32)
    mask = np.arange(7) < [[7], [6]]
    found = kernels.diffusion(operator, scores, mask=mask, alpha=0.2, tol=1e-7)
    for query in range(2):
        expected = oracles.diffusion(matrix[query].astype(float), scores[query], 0.2, mask[query])
        np.testing.assert_allclose(found.scores[query], expected, atol=2e-6)


@pytest.mark.parametrize("form", ["dense", "entities", "neighbors"])
@pytest.mark.parametrize("ranker", RANKERS)
def test_a_graph_of_one_query_serves_a_batch(form, ranker):
    operator, _ = forms()[form]
    one = jax.tree.map(lambda array: array[0], operator)
    same = jax.tree.map(lambda array: jnp.broadcast_to(array[:1], array.shape), operator)
    scores = RNG.random((2, 7)).astype(np.float32)
    rank = jax.jit(RANKERS[ranker])
    np.testing.assert_allclose(rank(one, scores).scores, rank(same, scores).scores, rtol=1e-6)


def test_graphs_add_up_and_scale():
    (dense, A), (entities, B), (neighbors, C), _ = forms().values()
    whole = np.float64(0.5) * dense + jnp.float32(2.0) * entities + neighbors * 3.0
    assert len(whole.operators) == 3
    products_agree(whole, 0.5 * A + 2.0 * B + 3.0 * C)
    products_agree(2.0 * (dense + entities).T, 2.0 * np.swapaxes(A + B, -1, -2))
    products_agree(A + entities, A + B)
    products_agree(entities + A, A + B)
    products_agree(entities + Own(), B + 3 * np.eye(7, dtype=np.float32), products.__wrapped__)
    products_agree(Own() + entities, B + 3 * np.eye(7, dtype=np.float32), products.__wrapped__)
    products_agree(sum([dense, neighbors]) / 4.0, (A + C) / 4)
    own = np.array([0.5, 2.0], np.float32)
    products_agree(own * dense + entities, own[:, None, None] * A + B)


def test_an_operator_that_is_no_pytree_is_refused():
    with pytest.raises(TypeError, match="operator Own is no pytree; decorate its class with jax"):
        kernels.gcs(Own(), np.ones(3, np.float32))
    with pytest.raises(TypeError, match="operator Own is no pytree"):
        kernels.gcs(kernels.Dense(np.ones((3, 3), np.float32)) + Own(), np.ones(3, np.float32))


def test_one_array_serves_a_batch_in_a_sum():
    (_, A), (entities, B), *_ = forms().values()
    shared, weights = A[0], np.array([0.5, 2.0], np.float32)
    np.testing.assert_allclose(kernels.combine([shared, B]), shared + B, rtol=1e-6)
    both = kernels.combine([shared, entities], [2.0, weights])
    products_agree(both, 2 * shared + weights[:, None, None] * B)


def test_weights_of_padding_are_not_read():
    scores, weights = np.float32([3, 2, 1]), np.float32([1, np.nan])
    edges = kernels.WeightedEdges(np.array([0, -1]), np.array([1, 1]), weights)
    assert kernels.gcs(edges, scores).converged


@pytest.mark.parametrize("ranker", RANKERS)
def test_a_transposed_graph_is_ranked_and_looked_at(ranker):
    rank = RANKERS[ranker]
    A, s = RNG.random((5, 5)).astype(np.float32), RNG.random(5).astype(np.float32)
    found, expected = rank(kernels.Dense(A).T, s), rank(A.T, s)
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-6)
    with pytest.raises(ValueError, match="weights: -"):
        rank(kernels.Dense(-A).T, s)


@pytest.mark.parametrize(
    "ranker", ["gcs", pytest.param("ppr", marks=pytest.mark.nightly), "diffusion"]
)
def test_contributions_need_no_matrix(ranker):
    rng = np.random.default_rng(5)
    ids, scores = random_ids(rng, (2, 9, 3), 8), rng.random((2, 9)).astype(np.float32)
    best = np.array([[0, 3, -1], [5, 1, 2]])
    shares = partial(kernels.contributions, ranker=ranker, alpha=0.4)
    of_matrix = shares(kernels.shared_entity_adjacency(ids), scores, best)
    of_operator = shares(kernels.SharedEntities.build(ids), scores, best)
    np.testing.assert_allclose(of_operator, of_matrix, atol=1e-6)


def test_edges_of_a_program_are_padded_with_minus_one():
    scores, weights = RNG.random(5).astype(np.float32), np.ones(2, np.float32)

    @jax.jit
    def ranked(senders, receivers, weights):
        return kernels.ppr(kernels.WeightedEdges(senders, receivers, weights), scores).scores

    padded = ranked(np.array([0, -1]), np.array([1, -1]), weights)
    np.testing.assert_array_equal(padded, ranked(np.array([0]), np.array([1]), weights[:1]))


def test_vectors_of_integers_keep_the_fractions_of_weights(types_unchecked):
    half = np.full((3, 3), 0.5, np.float32)
    for operator in (kernels.Dense(half), kernels.NeighborList(np.array([[0, 1, 2]] * 3), half)):
        np.testing.assert_array_equal(operator.multiply(jnp.array([1, 2, 3])), [3.0, 3.0, 3.0])


@pytest.mark.parametrize("shape", [(0, 5), (2, 0), (0, 0)])
def test_shared_entities_of_nobody_join_nobody(shape):
    graph = kernels.SharedEntities.build(np.zeros((*shape, 2), np.int32))
    for rank in (kernels.gcs, kernels.ppr, kernels.diffusion):
        assert rank(graph, np.zeros(shape, np.float32)).scores.shape == shape


GRAPHS = {
    "relations": kernels.Relations(entity_ids=np.array([[0, -1], [0, 1], [1, -1]])),
    "dense": kernels.Dense(np.eye(3, dtype=np.float32)[::-1].copy(), symmetric=True),
    "neighbours": kernels.NeighborList(np.array([[1], [0], [-1]]), np.ones((3, 1), np.float32)),
    "entities": kernels.SharedEntities.build(np.array([[0, -1], [0, 1], [1, -1]])),
    "edges": kernels.WeightedEdges(np.array([0]), np.array([2]), np.ones(1, np.float32)),
}
GRAPHS["sum"] = 2.0 * GRAPHS["edges"] + GRAPHS["dense"].T


@pytest.mark.parametrize("name", GRAPHS)
def test_an_exported_program_takes_and_returns_it(name, types_unchecked):
    forms = jax.tree.map(lambda a: jax.ShapeDtypeStruct(jnp.shape(a), jnp.asarray(a).dtype), GRAPHS)
    exported = jax.export.export(jax.jit(lambda graph: graph))(forms[name])
    again = jax.export.deserialize(exported.serialize()).call(GRAPHS[name])
    assert type(again) is type(GRAPHS[name])
    for one, other in zip(*map(jax.tree.leaves, (again, GRAPHS[name])), strict=True):
        np.testing.assert_array_equal(one, other)
    assert getattr(again, "symmetric", None) == getattr(GRAPHS[name], "symmetric", None)


def test_edges_that_are_padding_are_none_outside_of_a_program_too():
    edges = kernels.WeightedEdges(
        np.array([0, -1]), np.array([1, -1]), np.array([1.0, 0.5], np.float32)
    )
    scores = np.array([1.0, 0.0, 0.5], np.float32)
    expected = kernels.gcs(edges.as_matrix((3,)), scores).scores
    np.testing.assert_allclose(kernels.gcs(edges, scores).scores, expected, atol=1e-6)
    np.testing.assert_allclose(jax.jit(kernels.gcs)(edges, scores).scores, expected, atol=1e-6)
