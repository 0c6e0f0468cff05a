from functools import partial

import jax
import numpy as np
import pytest

from grapher_jax import kernels

B, N, C, T, W = 3, 7, 6, 4, 5

document_edges, connected = jax.jit(kernels.document_edges), jax.jit(kernels.connected)
mean_messages, mean_edges = jax.jit(kernels.mean_messages), jax.jit(kernels.mean_edges)


def shared(ids, i, j):
    return len((set(ids[i].tolist()) & set(ids[j].tolist())) - {-1})


def oracle(concepts, triples, mask=None):
    """Equation 6 of one question, pair by pair in float64."""
    n = len(concepts)
    real = np.ones(n, bool) if mask is None else mask
    edges = np.zeros((n, n, 2))
    for i, j in np.ndindex(n, n):
        common = shared(concepts, i, j)
        if i != j and real[i] and real[j] and common:
            edges[i, j] = common, shared(triples, i, j)
    for feature in (0, 1):
        for j in range(n):
            edges[:, j, feature] /= edges[:, j, feature].sum() or 1
        for i in range(n):
            edges[i, :, feature] /= edges[i, :, feature].sum() or 1
    return edges


def lists(seed, *batch, n=N):
    """IDs drawn from few, so that they stand in a list twice, with empty slots anywhere."""
    rng = np.random.default_rng(seed)
    concepts = rng.integers(-3, 12, (*batch, n, C)).clip(-1).astype(np.int32)
    triples = rng.integers(-3, 6, (*batch, n, T)).clip(-1).astype(np.int32)
    concepts[..., 1, :] = -1  # a document without concepts has triples in vain
    return concepts, triples


@pytest.fixture(scope="module")
def mask():
    real = np.random.default_rng(5).random((B, N)) < 0.8
    real[:, 0] = [True, True, False]
    return real


@pytest.mark.parametrize("masked", [False, True])
def test_edges_are_equation_6(mask, masked):
    concepts, triples = lists(0, B)
    given = mask if masked else None
    found = document_edges(concepts, triples, mask=given)
    expected = [
        oracle(concepts[b], triples[b], mask[b] if masked else None) for b in range(len(concepts))
    ]
    assert found.shape == (B, N, N, 2)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=1e-6)
    joined = np.asarray(connected(found))
    np.testing.assert_array_equal(joined, np.stack(expected)[..., 0] > 0)
    np.testing.assert_array_equal(joined, joined.swapaxes(1, 2))  # the weights are not alike
    sums = np.asarray(found)[..., 0].sum(-1)
    np.testing.assert_allclose(sums, joined.any(-1), atol=1e-5)


def test_a_known_graph():
    concepts, triples = np.full((N, C), -1, np.int32), np.full((N, T), -1, np.int32)
    concepts[:4, :3] = [[1, 2, 3], [2, 1, 1], [3, -1, 9], [-1, -1, 8]]
    triples[:4, 1:3] = [[10, -1], [10, 11], [11, -1], [10, -1]]
    found = np.asarray(document_edges(concepts, triples))[:4, :4]
    # Concepts: 2 with the second and 1 with the third, who hear nobody else.
    np.testing.assert_allclose(found[0, :, 0], [0, 0.5, 0.5, 0])
    np.testing.assert_allclose(found[1, :, 0], [1, 0, 0, 0])
    # The second and the third share a triple, and so does the last, but no concept.
    np.testing.assert_allclose(found[..., 1], [[0, 1, 0, 0], [1, 0, 0, 0], [0] * 4, [0] * 4])


def test_neither_padding_nor_other_questions_matter():
    concepts, triples = lists(1, B)
    together = np.asarray(document_edges(concepts, triples))
    for b in range(B):
        alone = document_edges(concepts[b], triples[b])
        np.testing.assert_allclose(alone, together[b], atol=1e-6)
    spare = ((0, 0), (0, 3))
    longer = np.pad(concepts, (*spare, (0, 2)), constant_values=-1)
    related = np.pad(triples, (*spare, (0, 3)), constant_values=-1)
    longer[:, N:], related[:, N:] = 3, 2  # a mask is enough
    real = np.broadcast_to(np.arange(N + 3) < N, (B, N + 3))
    padded = np.asarray(document_edges(longer, related, mask=real))
    np.testing.assert_allclose(padded[:, :N, :N], together, atol=1e-6)
    assert not padded[:, N:].any()
    assert not padded[:, :, N:].any()


@pytest.mark.parametrize(
    ("concepts", "triples"),
    [
        (np.zeros((1, C)), np.zeros((1, T))),  # nobody else
        (np.full((N, C), -1), np.zeros((N, T))),
        (np.arange(N * C).reshape(N, C), np.zeros((N, T))),
        (np.zeros((N, 0)), np.zeros((N, 0))),
    ],
)
def test_isolated_documents_have_no_edges_and_hear_nothing(concepts, triples):
    edges = document_edges(concepts.astype(np.int32), triples.astype(np.int32))
    joined = connected(edges)
    assert not np.asarray(edges).any()
    assert not np.asarray(joined).any()
    values = np.ones((len(concepts), W), np.float32)
    assert not np.asarray(mean_messages(values, edges, joined)).any()
    assert not np.asarray(mean_edges(edges, joined)).any()


def learned_edges(seed):
    """Edges as a layer may have left them: of a feature nothing, or of both."""
    rng = np.random.default_rng(seed)
    joined = np.asarray(connected(document_edges(*lists(seed, B))))
    edges = rng.normal(size=(B, N, N, 2)).clip(0).astype(np.float32)
    return rng.normal(size=(B, N, W)).astype(np.float32), edges * joined[..., None], joined


def test_messages_are_equations_7_and_8():
    values, edges, joined = learned_edges(2)
    found = mean_messages(values, edges, joined)
    expected = np.zeros((B, N, W))
    for b, v in np.ndindex(B, N):
        near = np.flatnonzero(joined[b, v])
        for u in near:
            for m in range(2):
                expected[b, v] += float(edges[b, v, u, m]) * values[b, u] / len(near)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    # What stands where nobody is a neighbour is not read.
    stray = edges + 7 * ~joined[..., None]
    np.testing.assert_allclose(mean_messages(values, stray, joined), expected, atol=1e-6)


def test_edges_are_heard_by_equation_9():
    _, edges, joined = learned_edges(3)
    found = mean_edges(edges, joined)
    expected = np.zeros((B, N, N, 2))
    for b, v in np.ndindex(B, N):
        near = np.flatnonzero(joined[b, v])
        for u in near:
            expected[b, v] += edges[b, u].astype(np.float64) / len(near)
    np.testing.assert_allclose(found, expected, atol=1e-6)


def heard(values, concepts, triples):
    edges = document_edges(concepts, triples)
    joined = kernels.connected(edges)
    edges = edges + kernels.mean_edges(edges, joined)
    return kernels.mean_messages(values, edges, joined)


def test_jit_and_vmap_give_the_same():
    values = np.random.default_rng(4).normal(size=(B, N, W)).astype(np.float32)
    given = (values, *lists(4, B))
    edges = np.asarray(document_edges(*given[1:]))
    joined = np.asarray(connected(edges))
    # Each part by itself.
    expected = mean_messages(values, edges + np.asarray(mean_edges(edges, joined)), joined)
    np.testing.assert_allclose(jax.jit(heard)(*given), expected, atol=1e-6)
    np.testing.assert_allclose(jax.jit(jax.vmap(heard))(*given), expected, atol=1e-6)


def test_gradients_are_finite_and_right_where_there_are_no_edges():
    values, edges, joined = learned_edges(6)
    joined = joined & (np.arange(B) > 0)[:, None, None]

    def total(values, edges):
        return (kernels.mean_messages(values, edges, joined) ** 2).sum() + (
            kernels.mean_edges(edges, joined) ** 2
        ).sum()

    total = jax.jit(total)
    by_values, by_edges = jax.jit(jax.grad(total, argnums=(0, 1)))(values, edges)
    for gradient in (by_values, by_edges):
        assert np.isfinite(gradient).all()
        assert not np.asarray(gradient)[0].any()
        assert np.asarray(gradient)[1:].any()
    step = np.random.default_rng(7).normal(size=values.shape).astype(np.float32)
    along = (total(values + 1e-2 * step, edges) - total(values - 1e-2 * step, edges)) / 2e-2
    np.testing.assert_allclose((by_values * step).sum(), along, rtol=1e-2)


def test_what_a_document_that_nobody_hears_has_is_not_read():
    joined = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], bool)
    values, edges = np.ones((3, 2), np.float32), np.ones((3, 3, 2), np.float32)
    expected = kernels.mean_messages(values, edges, joined), kernels.mean_edges(edges, joined)
    values[2], edges[2] = np.nan, np.nan
    found = kernels.mean_messages(values, edges, joined), kernels.mean_edges(edges, joined)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_concepts_and_triples_are_of_the_same_documents(types_unchecked):
    with pytest.raises(ValueError, match=r"triple_ids: shape \(4, 2\) does not fit"):
        kernels.document_edges(np.zeros((3, 2), int), np.zeros((4, 2), int))


def test_messages_are_of_the_same_documents_and_a_count_is_no_truth(types_unchecked):
    values, edges, joined = np.ones((3, 4)), np.ones((3, 3, 2)), np.ones((3, 3), bool)
    assert kernels.mean_messages(values, edges, joined).shape == (3, 4)
    for heard in (partial(kernels.mean_messages, values), kernels.mean_edges):
        with pytest.raises(TypeError, match="joined: truth values are needed"):
            heard(edges, joined * 2)
        with pytest.raises(ValueError, match=r"joined: shape \(2, 2\) does not fit"):
            heard(edges, joined[:2, :2])
    with pytest.raises(ValueError, match=r"values: shape \(2, 4\) does not fit"):
        kernels.mean_messages(values[:2], edges, joined)
