import functools
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import oracles
import pytest

from grapher_jax import kernels
from grapher_jax.kernels import gatv2_attention, gatv2_attention_dense
from grapher_jax.kernels.attention.edges import _FEW_ROWS

N, D, H, C, F = 9, 5, 3, 16, 7  # sixteen channels: heads are summed by lanes

lists = jax.jit(gatv2_attention, static_argnames=("self_loops", "negative_slope"))
dense = jax.jit(gatv2_attention_dense, static_argnames="self_loops")


def arrays(seed, *batch, n=N, d=D, h=H, c=C):
    """Projections, attention and neighbours: each at most once, never oneself, some rows empty."""
    rng = np.random.default_rng(seed)
    sources, targets = rng.normal(size=(2, *batch, n, h, c)).astype(np.float32)
    attention = rng.normal(size=(h, c)).astype(np.float32)
    close = rng.random((*batch, n, n)) < 0.3
    close &= ~np.eye(n, dtype=bool)
    close[..., 1, :] = False
    close &= close.cumsum(-1) <= d
    return sources, targets, attention, neighbor_lists(close, d)


def neighbor_lists(close, d):
    """Padded lists in which unused slots stand anywhere."""
    n = close.shape[-1]
    found = np.where(close, np.arange(n), -1)
    order = np.argsort(~close, axis=-1, kind="stable")[..., :d]
    return np.take_along_axis(found, order, -1)[..., ::-1].astype(np.int32)


def matrix(neighbors):
    n = neighbors.shape[-2]
    return (neighbors[..., None] == np.arange(n)).any(-2).astype(np.float32)


@pytest.mark.parametrize("self_loops", [True, False])
def test_lists_and_matrix_agree_with_a_loop_over_edges(self_loops):
    *projected, attention, neighbors = arrays(0, 2)
    mask = np.random.default_rng(1).random((2, N)) < 0.8
    mask[:, :3] = [True, True, False]
    expected = [
        oracles.attention(
            *(p[b] for p in projected), attention, neighbors[b], mask=mask[b], self_loops=self_loops
        )
        for b in range(2)
    ]
    by_lists = lists(*projected, attention, neighbors, mask=mask, self_loops=self_loops)
    by_matrix = dense(*projected, attention, matrix(neighbors), mask=mask, self_loops=self_loops)
    assert by_lists.shape == (2, N, H, C)
    assert by_lists.dtype == np.float32
    np.testing.assert_allclose(by_lists, expected, atol=1e-6)
    np.testing.assert_allclose(by_matrix, expected, atol=1e-6)
    assert not np.asarray(by_lists)[~mask].any()
    # The candidate without neighbours hears itself, or nobody.
    alone = np.asarray(by_lists)[:, 1]
    np.testing.assert_allclose(alone, projected[0][:, 1] if self_loops else 0 * alone, atol=1e-6)


@pytest.mark.parametrize("used", [0.2, 1.0])
def test_a_batch_of_many_rows_agrees_with_one_of_few(used):
    # Beyond 1,024 rows a CPU goes by slots where most are used; a single question by edges.
    *projected, attention, neighbors = arrays(3, 32, n=40, d=D)
    assert projected[0][..., 0, 0].size > _FEW_ROWS
    neighbors = np.where(np.random.default_rng(4).random(neighbors.shape) < used, neighbors, -1)
    whole = lists(*projected, attention, neighbors)
    assert (2 * (neighbors >= 0).sum() < neighbors.size) == (used < 0.5)
    for query in (0, 31):
        alone = lists(*(p[query] for p in projected), attention, neighbors[query])
        np.testing.assert_allclose(whole[query], alone, atol=1e-5)
    expected = oracles.attention(*(p[7] for p in projected), attention, neighbors[7])
    np.testing.assert_allclose(whole[7], expected, atol=1e-5)


@pytest.fixture(scope="module")
def geometric():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of torch itself, while it is imported
        pytest.importorskip("torch_geometric", reason="torch-geometric is not installed")
        import torch
        from torch_geometric.nn import GATv2Conv
    return torch, GATv2Conv


@pytest.mark.parametrize("features", [None, 3])
@pytest.mark.parametrize("self_loops", [True, False])
def test_equal_to_pytorch_geometric(geometric, self_loops, features):
    torch, layer = geometric
    rng = np.random.default_rng(2)
    x = rng.normal(size=(N, F)).astype(np.float32)
    left, right = rng.normal(size=(2, F, H * C)).astype(np.float32)
    _, _, attention, neighbors = arrays(3)
    neighbors[0, 0] = neighbors[4, 0] = 4  # a self loop that is named, too
    heard, slot = np.nonzero(neighbors >= 0)
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")
        options = {"bias": False, "add_self_loops": self_loops, "fill_value": 0.0}
        peer = layer(F, C, heads=H, edge_dim=features, **options)
        peer.lin_l.weight.copy_(torch.tensor(left.T))
        peer.lin_r.weight.copy_(torch.tensor(right.T))
        peer.att.copy_(torch.tensor(attention[None]))
        edges = torch.tensor(np.stack([neighbors[heard, slot], heard]), dtype=torch.long)
        own, known = {}, None
        if features:
            values = rng.normal(size=(1, N, D, features)).astype(np.float32)
            across = rng.normal(size=(features, H, C)).astype(np.float32)
            peer.lin_edge.weight.copy_(torch.tensor(across.reshape(features, -1).T))
            own = {"edges": values, "edge_projection": across}
            known = torch.tensor(values[0, heard, slot])
        expected = peer(torch.tensor(x), edges, known).numpy()
    projected = [(x @ w).reshape(1, N, H, C) for w in (left, right)]
    ours = lists(*projected, attention, neighbors[None], self_loops=self_loops, **own)
    np.testing.assert_allclose(ours.reshape(N, H * C), expected, atol=1e-5)


def test_edges_are_added_and_those_of_self_loops_are_zero():
    *projected, attention, neighbors = arrays(4, c=5)
    rng = np.random.default_rng(5)
    edges = rng.normal(size=(N, D, 2)).astype(np.float32)
    projection = rng.normal(size=(2, H, 5)).astype(np.float32)
    given = {"edges": edges, "edge_projection": projection, "negative_slope": 0.1}
    ours = lists(*projected, attention, neighbors, **given)
    projected_edges = np.einsum("ndf,fhc->ndhc", edges, projection)
    expected = oracles.attention(*projected, attention, neighbors, edges=projected_edges, slope=0.1)
    np.testing.assert_allclose(ours, expected, atol=1e-5)
    with pytest.raises(ValueError, match="edges: need edge_projection"):
        gatv2_attention(*projected, attention, neighbors, edges=edges)


def test_a_neighbour_named_twice_speaks_twice():
    *projected, attention, neighbors = arrays(6)
    neighbors[0] = [3, 5, 3, -1, -1]
    ours = lists(*(p[None] for p in projected), attention, neighbors[None])
    np.testing.assert_allclose(
        ours[0], oracles.attention(*projected, attention, neighbors), atol=1e-6
    )


def test_neither_padding_nor_other_queries_matter():
    *projected, attention, neighbors = arrays(7, 2)
    ours = np.asarray(lists(*projected, attention, neighbors))
    alone = lists(*(p[1:2] for p in projected), attention, neighbors[1:2])
    np.testing.assert_allclose(alone[0], ours[1], atol=1e-6)
    spare = 4
    sources, targets = (
        np.pad(p, ((0, 0), (0, spare), (0, 0), (0, 0)), constant_values=np.nan) for p in projected
    )
    longer = np.pad(neighbors, ((0, 0), (0, spare), (0, 2)), constant_values=-1)
    mask = np.broadcast_to(np.arange(N + spare) < N, (2, N + spare))
    padded = np.asarray(lists(sources, targets, attention, longer, mask=mask))
    np.testing.assert_allclose(padded[:, :N], ours, atol=1e-6)
    assert not padded[:, N:].any()
    by_matrix = np.asarray(dense(sources, targets, attention, matrix(longer), mask=mask))
    np.testing.assert_allclose(by_matrix, padded, atol=1e-6)


def test_many_slots_are_summed_in_several_passes():
    *projected, attention, neighbors = arrays(8, 1, n=24, d=17)
    by_matrix = dense(*projected, attention, matrix(neighbors))
    np.testing.assert_allclose(lists(*projected, attention, neighbors), by_matrix, atol=1e-6)


def test_a_neighbour_that_cannot_be_checked_is_of_no_other_question():
    rng = np.random.default_rng(0)
    x = rng.random((2, 3, 1, 4), np.float32)
    lists = np.full((2, 3, 1), -1)
    attend = jax.jit(lambda lists: kernels.gatv2_attention(x, x, np.ones((1, 4)), lists))
    alone = attend(lists)
    lists[0, 0] = 3
    np.testing.assert_array_equal(attend(lists), alone)


def test_nothing_to_hear():
    *projected, attention, _ = arrays(9, 2)
    no_slots = np.zeros((2, N, 0), np.int32)
    assert not lists(*projected, attention, no_slots, self_loops=False).any()
    np.testing.assert_allclose(lists(*projected, attention, no_slots), projected[0], atol=1e-6)
    nobody = np.zeros((2, N, N), bool)
    assert not dense(*projected, attention, nobody, self_loops=False).any()


def test_large_logits_stay_finite():
    *projected, attention, neighbors = arrays(10, 2)
    ours = lists(*(100 * p for p in projected), 100 * attention, neighbors)
    assert np.isfinite(ours).all()


def test_vmap_is_a_leading_dimension():
    *projected, attention, neighbors = arrays(11, 2)
    mapped = jax.vmap(lists, in_axes=(0, 0, None, 0))(*projected, attention, neighbors)
    np.testing.assert_allclose(mapped, lists(*projected, attention, neighbors), atol=1e-6)


def test_a_vector_may_be_narrower_than_what_it_weighs():
    sources, targets, attention, neighbors = arrays(14, 1, n=30, d=10)
    neighbors[..., 1:] = -1  # weights go over the used slots alone
    with jax.enable_x64(True):
        wide = [jnp.asarray(a, jnp.float64) for a in (sources, targets)]
        slope = jax.jit(jax.grad(lambda a: lists(*wide, a, neighbors).sum()))(attention)
    narrow = jax.jit(jax.grad(lambda a: lists(sources, targets, a, neighbors).sum()))(attention)
    np.testing.assert_allclose(slope, narrow, atol=1e-4)


@pytest.mark.parametrize(
    "narrow",
    [
        pytest.param((0,), marks=pytest.mark.nightly),
        pytest.param((1,), marks=pytest.mark.nightly),
        (0, 2),
        pytest.param((0, 1, 2), marks=pytest.mark.nightly),
    ],
)
def test_the_widest_precision_is_that_of_the_result(narrow):
    *projected, attention, neighbors = arrays(25, 1)
    terms = [*projected, attention]
    for place in narrow:
        terms[place] = jnp.asarray(terms[place], jnp.bfloat16)
    dtype = jnp.result_type(*terms)
    expected = lists(*(jnp.asarray(term, jnp.float32) for term in terms), neighbors)
    for attend, graph in ((gatv2_attention, neighbors), (gatv2_attention_dense, matrix(neighbors))):
        for slope in (0.2, jnp.float32(0.2)):

            @jax.jit
            def heard(terms, attend=attend, graph=graph, slope=slope):
                out, back = jax.vjp(lambda *t: attend(*t, graph, negative_slope=slope), *terms)
                return out, back(out)

            out, slopes = heard(terms)
            assert out.dtype == dtype
            close = {"atol": 1e-5 if dtype == jnp.float32 else 0.1}
            np.testing.assert_allclose(out.astype(jnp.float32), expected, **close)
            assert [slope.dtype for slope in slopes] == [term.dtype for term in terms]


@pytest.mark.parametrize("shape", [(0, N, D), (2, 0, D), (2, 0, 0)])
@pytest.mark.parametrize("self_loops", [True, False])
def test_neither_queries_nor_candidates(shape, self_loops):
    empty = np.zeros((*shape[:2], H, C), np.float32)
    attention, neighbors = arrays(0)[2], np.zeros(shape, np.int32)
    assert lists(empty, empty, attention, neighbors, self_loops=self_loops).shape == empty.shape
    graph = np.zeros((*shape[:2], shape[1]), np.float32)
    assert dense(empty, empty, attention, graph, self_loops=self_loops).shape == empty.shape


def test_integers_and_lists_are_numbers(types_unchecked):
    projected = np.arange(12).reshape(3, 2, 2)
    attention, neighbors = np.array([[1, 0], [0, 1]]), np.array([[1], [2], [-1]])
    expected = lists(
        projected.astype(np.float32), projected.astype(np.float32), attention, neighbors
    )
    for given in (projected, projected.tolist()):
        found = gatv2_attention(given, given, attention, neighbors)
        np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize(
    ("edges", "projection", "message"),
    [
        ((5, 4, 1), (1, H, C), r"edges: shape \(5, 4, 1\) does not fit; it must be \(2, "),
        ((2, N, D, 2), (3, H, C), r"edges: shape .* it must be \(2, \d+, \d+, 3\)"),
        ((2, N, D, 2), (2, C, H), "edge_projection: shape .* does not fit"),
    ],
)
def test_features_that_do_not_fit_are_named(edges, projection, message, types_unchecked):
    *projected, attention, neighbors = arrays(0, 2)
    features = {"edges": np.zeros(edges), "edge_projection": np.zeros(projection)}
    with pytest.raises(ValueError, match=message):
        lists(*projected, attention, neighbors, **features)


@pytest.mark.parametrize("by_matrix", [False, True])
def test_gradients_are_those_of_finite_differences(by_matrix):
    *projected, attention, neighbors = arrays(12, 2)
    mask = np.ones((2, N), bool)
    mask[0, 2] = False
    with jax.enable_x64(True):
        point = [jnp.asarray(a, jnp.float64) for a in (*projected, attention)]
        rng = np.random.default_rng(13)
        rate = rng.normal(size=(2, N, H, C))
        graph = matrix(neighbors) if by_matrix else neighbors
        attend = gatv2_attention_dense if by_matrix else gatv2_attention

        @jax.jit
        @functools.partial(jax.value_and_grad, argnums=(0, 1, 2))
        def loss(sources, targets, attention):
            return (
                rate * attend(sources, targets, attention, graph, mask=mask, self_loops=False)
            ).sum()

        slopes = loss(*point)[1]
        for place, slope in enumerate(slopes):
            direction = rng.normal(size=slope.shape)
            step = 1e-6 * direction
            ends = [
                loss(*point[:place], point[place] + sign * step, *point[place + 1 :])[0]
                for sign in (1, -1)
            ]
            np.testing.assert_allclose(
                (slope * direction).sum(), (ends[0] - ends[1]) / 2e-6, rtol=1e-6
            )


@pytest.mark.parametrize(("self_loops", "with_edges"), [(True, True), (False, False)])
def test_gradients_are_those_that_jax_derives(self_loops, with_edges):
    """Several blocks of edges, with padding, gaps in lists, and neighbours named twice.

    Then with most slots empty: on CPUs weights go over the used ones alone.
    """
    slots = 10  # summed in two passes
    *projected, attention, neighbors = arrays(20, 2, n=40, d=slots)
    rng = np.random.default_rng(21)
    neighbors[:, ::5, 2:4] = neighbors[:, ::5, 5:6]
    neighbors[:, ::7, 1] = np.arange(0, 40, 7)  # oneself
    few = np.where(np.arange(slots) < slots - 4, -1, neighbors)
    few[:, ::5, -1] = few[:, ::5, -2]
    few[:, ::7, -3] = np.arange(0, 40, 7)
    assert (neighbors >= 0).mean() > 0.8 and (few >= 0).mean() < 0.4
    mask = rng.random((2, 40)) < 0.9
    rate = rng.normal(size=(2, 40, H, C)).astype(np.float32)
    edges = rng.normal(size=(2, 40, slots, F)).astype(np.float32)
    projection = rng.normal(size=(F, H, C)).astype(np.float32)
    point = (*projected, attention, *([edges, projection] if with_edges else [None, None]))

    def loss(point, slope, neighbors):
        *terms, edges, projection = point
        own = {"mask": mask, "self_loops": self_loops, "negative_slope": slope}
        heard = gatv2_attention(*terms, neighbors, **own, edges=edges, edge_projection=projection)
        return (rate * heard).sum()

    # A slope that is an array may be learned too: all gradients are then derived.
    by_jax = jax.jit(jax.grad(loss))
    by_block = jax.jit(jax.grad(functools.partial(loss, slope=0.2)))
    for given in (neighbors, few):
        assert (given >= 0).sum() > 2 * 128
        ours, derived = by_block(point, neighbors=given), by_jax(point, 0.2, given)
        for own, other in zip(jax.tree.leaves(ours), jax.tree.leaves(derived), strict=True):
            np.testing.assert_allclose(own, other, atol=5e-6 * np.abs(other).max())


def test_gradients_alike_under_vmap_and_over_devices():
    *projected, attention, neighbors = arrays(22, 2, d=2)
    rate = np.random.default_rng(23).normal(size=projected[0].shape).astype(np.float32)

    def slopes(sources, targets, rate, neighbors):
        def loss(*projected):
            return (rate * gatv2_attention(*projected, attention, neighbors)).sum()

        return jax.grad(loss, argnums=(0, 1))(sources, targets)

    mesh = kernels.query_mesh()
    shares = jax.sharding.PartitionSpec(*mesh.axis_names)
    shared = jax.shard_map(slopes, mesh=mesh, in_specs=shares, out_specs=shares, check_vma=False)
    given = (*projected, rate, neighbors)
    expected = jax.jit(slopes)(*given)
    for way in (jax.vmap(slopes), shared):
        for ours, other in zip(jax.jit(way)(*given), expected, strict=True):
            np.testing.assert_allclose(ours, other, atol=1e-5)


def test_gradients_where_nobody_is_heard():
    *projected, attention, _ = arrays(24, 2)
    slope = jax.jit(jax.grad(lambda *p, n: lists(*p, attention, n, self_loops=False).sum()))
    for slots in (0, 3):
        assert not slope(*projected, n=np.full((2, N, slots), -1, np.int32)).any()


def test_gradients_ignore_what_padding_holds():
    *projected, attention, neighbors = arrays(14, 1)
    mask = (np.arange(N) != 3)[None]
    for values in projected:
        values[:, 3] = np.nan
    slopes = jax.jit(jax.grad(lambda *a: lists(*a, neighbors, mask=mask).sum(), argnums=(0, 1, 2)))(
        *projected, attention
    )
    assert all(np.isfinite(slope).all() for slope in slopes)
    assert not np.asarray(slopes[0])[:, 3].any()


def test_what_is_taken_from_the_object_alone_can_be_projected_once():
    """x = [score, query, object]: the whole product is the sum of the products of its parts."""
    rng = np.random.default_rng(15)
    queries, objects, width = 2, 20, 6
    table = rng.normal(size=(objects, width)).astype(np.float32)
    asked = rng.normal(size=(queries, width)).astype(np.float32)
    scores = rng.random((queries, N, 1), np.float32)
    retrieved = np.stack([rng.choice(objects, N, replace=False) for _ in range(queries)])
    _, _, attention, neighbors = arrays(16, queries)
    spread = np.broadcast_to(asked[:, None], (queries, N, width))
    x = np.concatenate([scores, spread, table[retrieved]], -1)
    whole, parts = [], []
    for _ in range(2):  # W_l and W_r
        w = rng.normal(size=(1 + 2 * width, H * C)).astype(np.float32)
        whole.append((x @ w).reshape(queries, N, H, C))
        by_score, by_query, by_object = np.split(w, [1, 1 + width])
        offline = table @ by_object
        product = scores * by_score + (asked @ by_query)[:, None] + offline[retrieved]
        parts.append(product.reshape(queries, N, H, C))
    expected = lists(*whole, attention, neighbors)
    np.testing.assert_allclose(lists(*parts, attention, neighbors), expected, atol=1e-5)


def test_one_program_for_every_graph_of_a_shape(compilations):
    attend = jax.jit(functools.partial(gatv2_attention, negative_slope=0.3))
    attend(*arrays(17, 2))
    before = compilations()
    attend(*arrays(18, 2))
    assert compilations() == before


@pytest.mark.usefixtures("types_unchecked")
def test_a_slope_that_is_an_array_has_derivatives_in_both_modes():
    rng = np.random.default_rng(21)
    sources, targets = rng.normal(size=(2, 1, 5, 2, 3)).astype(np.float32)
    attention = rng.normal(size=(2, 3)).astype(np.float32)
    neighbors = rng.integers(-1, 5, (1, 5, 3)).astype(np.int32)

    def loss(values, slope):
        heard = gatv2_attention(values, targets, attention, neighbors, negative_slope=slope)
        return (heard**2).sum()

    slope, direction = jnp.float32(0.2), np.ones_like(sources)
    backward = jax.jit(jax.grad(loss))(sources, slope)
    _, forward = jax.jit(lambda v, d: jax.jvp(lambda v: loss(v, slope), (v,), (d,)))(
        sources, direction
    )
    np.testing.assert_allclose(forward, backward.sum(), rtol=1e-4)
    numbers = (0.2, np.float64(0.2), np.array(0.2))
    np.testing.assert_allclose(
        [loss(sources, one) for one in numbers], loss(sources, slope), rtol=1e-6
    )
