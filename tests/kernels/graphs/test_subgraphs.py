import jax
import numpy as np
import pytest

from grapher_jax import kernels

N, S = 40, 5
expand = jax.jit(kernels.expand_seeds, static_argnames=("depth", "threshold", "size"))


def oracle(seed, neighbors, similarity, *, depth, threshold, size):
    """Algorithm 8, keeping the most similar nodes after every level."""
    if seed < 0:
        return [-1] * size
    nodes = [seed]
    for _ in range(depth):
        found = {u for v in nodes for u in neighbors[v].tolist() if u >= 0}
        close = {u for u in found if similarity[u] > threshold} | set(nodes)
        ranked = sorted(close - {seed}, key=lambda u: (-similarity[u], u))
        nodes = [seed, *ranked[: size - 1]]
    return nodes + [-1] * (size - len(nodes))


@pytest.fixture(scope="module")
def graph():
    rng = np.random.default_rng(0)
    neighbors = rng.integers(-1, N, (N, S)).astype(np.int32)
    seeds = rng.integers(-1, N, (3, 7)).astype(np.int32)
    # Few different values, so that there are ties.
    similarities = rng.integers(-3, 6, (3, N)).astype(np.float32) / 5
    return seeds, neighbors, similarities


@pytest.mark.parametrize("depth", [0, 1, 3])
@pytest.mark.parametrize("size", [1, 4, 30])
def test_expansion_is_algorithm_8(graph, depth, size):
    seeds, neighbors, similarities = graph
    options = {"depth": depth, "threshold": 0.1, "size": size}
    found = expand(seeds, neighbors, similarities, **options)
    expected = [
        [oracle(seed, neighbors, similarity, **options) for seed in own.tolist()]
        for own, similarity in zip(seeds, similarities, strict=True)
    ]
    np.testing.assert_array_equal(found, expected)


def test_expansion_works_under_jit_and_for_one_question(graph):
    seeds, neighbors, similarities = graph
    together = expand(seeds, neighbors, similarities)
    alone = kernels.expand_seeds(seeds[1], neighbors, similarities[1])
    np.testing.assert_array_equal(together[1], alone)


def test_induced_edges_are_those_of_the_graph(graph):
    seeds, neighbors, similarities = graph
    nodes = np.asarray(expand(seeds, neighbors, similarities, depth=2))
    found = np.asarray(jax.jit(kernels.induced_neighbors)(nodes, neighbors))
    assert found.shape == (*nodes.shape, S)
    for own, edges in zip(nodes.reshape(-1, 16), found.reshape(-1, 16, S), strict=True):
        for node, slots in zip(own, edges, strict=True):
            heard = neighbors[node] if node >= 0 else np.full(S, -1)
            expected = [own.tolist().index(j) if j >= 0 and j in own else -1 for j in heard]
            assert slots.tolist() == expected


def test_impossible_sizes_are_named(graph):
    with pytest.raises(ValueError, match="size: 0 must be at least 1"):
        kernels.expand_seeds(*graph, size=0)


def test_wide_integers_and_nodes_without_neighbours_expand_too():
    with jax.enable_x64(True):
        found = kernels.expand_seeds(np.array([0, 1]), np.array([[1], [2], [0]]), np.ones(3))
    assert found[:, :3].tolist() == [[0, 1, -1], [1, 2, -1]]
    alone = kernels.expand_seeds(np.array([0, 1]), np.zeros((3, 0), int), np.ones(3), size=1)
    assert alone.tolist() == [[0], [1]]


@pytest.mark.parametrize("shape", [(0, 5), (2, 0), (0, 0)])
def test_no_nodes_have_no_neighbours(shape):
    found = kernels.induced_neighbors(np.zeros(shape, int), np.zeros((4, 3), int))
    assert found.shape == (*shape, 3)
