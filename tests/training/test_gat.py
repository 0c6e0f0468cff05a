import functools
import itertools
import warnings
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx
from networks import random_network

from grapher_jax import kernels
from grapher_jax.errors import InputError
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.training.candidates import (
    CandidateBatch,
    GraphSettings,
    build_candidates,
    scalar_features,
    standardised,
)
from grapher_jax.training.gat import Gat, GatLayer, _draw
from grapher_jax.training.gat_shape import INPUTS, GatConfig, check_gat

B, N, D = 3, 12, 6
SMALL = GatConfig(dimension=D, layers=2, heads=2, channels=16)


def unit(values):
    return values / np.linalg.norm(values, axis=-1, keepdims=True)


def candidates(seed=0, *, neighbors=4):
    """Random tables with keys, entities and chunks."""
    lengths = (N, 9, 1)
    rng = np.random.default_rng(seed)
    mask = np.arange(N) < np.array(lengths)[:, None]
    metadata = {
        "object_ids": np.tile(np.arange(N, dtype=np.int32), (len(lengths), 1)),
        "foreign_keys": rng.integers(-1, N, (len(lengths), N, 2)).astype(np.int32),
        "entity_ids": rng.integers(-1, 9, (len(lengths), N, 2)).astype(np.int32),
        "document_ids": rng.integers(-1, 3, (len(lengths), N)).astype(np.int32),
        "chunk_ids": rng.integers(0, 4, (len(lengths), N)).astype(np.int32),
    }
    return build(
        np.where(mask, rng.random((len(lengths), N), np.float32), 0.0),
        unit(rng.normal(size=(len(lengths), D)).astype(np.float32)),
        unit(rng.normal(size=(len(lengths), N, D)).astype(np.float32)),
        metadata,
        mask=mask,
        neighbors=neighbors,
    ), metadata


_build = jax.jit(build_candidates, static_argnames=("smoothing", "neighbors"))


def build(scores, questions, objects, metadata, **settings):
    return _build(scores, questions, objects, Relations(**metadata), **settings)


def network(config=SMALL, seed=0):
    """Random everywhere, so that the learned part counts from the start."""
    return random_network(lambda: Gat(config, nnx.Rngs(seed)), seed=seed)


def run(model, batch, *, projected=None, key=None):
    """Compiled once for every shape, whatever the weights."""
    graph, state = nnx.split(model)
    return _run(state, batch, projected, key, graph=graph)


@functools.partial(jax.jit, static_argnames="graph")
def _run(state, batch, projected, key, *, graph):
    return nnx.merge(graph, state)(batch, projected=projected, key=key)


@functools.partial(jax.jit, static_argnames="graph")
def _run_layer(state, x, neighbors, mask, *, graph):
    return nnx.merge(graph, state)(x, neighbors, mask)


def run_layer(layer, *arrays):
    graph, state = nnx.split(layer)
    return np.asarray(_run_layer(state, *arrays, graph=graph))


features = jax.jit(scalar_features)
smooth = jax.jit(kernels.gcs)
spread_out = jax.jit(kernels.diffusion)
adjacency_of = jax.jit(kernels.build_adjacency, static_argnums=0)


def test_neighbours_and_degrees_are_those_of_the_graph():
    batch, metadata = candidates(neighbors=4)
    adjacency = np.asarray(adjacency_of((B, N), **metadata, mask=batch.mask))
    listed = np.asarray(batch.neighbors)
    for query in range(B):
        for i in range(N):
            expected = np.flatnonzero(adjacency[query, i])[:4]
            assert listed[query, i][listed[query, i] >= 0].tolist() == expected.tolist()
    relations = [
        {"object_ids", "foreign_keys"},
        set(),
        {"entity_ids"},
        {"document_ids", "chunk_ids"},
    ]
    for column, names in enumerate(relations):
        alone = {name: metadata[name] for name in names}
        one = np.asarray(adjacency_of((B, N), **alone, mask=batch.mask))
        np.testing.assert_array_equal(np.asarray(batch.degrees)[..., column], (one > 0).sum(-1))
    smoothed = smooth(adjacency, batch.scores, mask=batch.mask)
    np.testing.assert_allclose(batch.smoothed, smoothed.scores, atol=2e-6)


@pytest.mark.parametrize("unit", [-120, -60, 60, 120])
def test_the_unit_of_scores_does_not_matter(unit):
    scores, mask = jnp.array([[0.75, 0.5, 0.125, 0.25]]), np.array([[1, 1, 1, 0]]) > 0
    expected = standardised(scores, mask)
    np.testing.assert_array_equal(standardised(jnp.ldexp(scores, unit), mask), expected)
    assert np.ptp(expected) > 2


def test_features_are_standardised_and_ranked():
    batch, _ = candidates()
    found = np.asarray(features(batch))
    for query, length in enumerate((N, 9)):
        scores = np.asarray(batch.scores)[query, :length]
        np.testing.assert_allclose(
            found[query, :length, 0], (scores - scores.mean()) / scores.std(), atol=1e-4
        )
        ranks = np.argsort(np.argsort(-scores))
        np.testing.assert_allclose(
            found[query, :length, 3], np.log1p(ranks) / np.log(200), atol=1e-6
        )


def test_the_scale_of_scores_does_not_matter():
    batch, metadata = candidates()
    larger = build(
        30 * batch.scores, batch.questions, batch.objects, metadata, mask=batch.mask, neighbors=4
    )
    np.testing.assert_allclose(features(larger), features(batch), atol=1e-3)
    own, mean = np.asarray(features(batch))[..., 1], np.asarray(features(batch))[..., 6]
    listed = np.asarray(batch.neighbors)
    for query, i in np.ndindex(B, N):
        heard = listed[query, i][listed[query, i] >= 0]
        expected = own[query, heard].mean() - own[query, i] if len(heard) else 0
        np.testing.assert_allclose(mean[query, i], expected, atol=1e-5)


def test_equal_scores_have_their_ranks_in_order():
    batch, _ = candidates()
    equal = replace(batch, scores=np.ones((B, N), np.float32))
    ranks = np.asarray(features(equal))[0, :, 3]
    np.testing.assert_allclose(ranks, np.log1p(np.arange(N)) / np.log(200), atol=1e-6)


def test_before_training_the_order_is_that_of_gcs():
    batch, _ = candidates()
    scores = np.asarray(run(Gat(SMALL, nnx.Rngs(0)), batch))
    order = np.argsort(-np.asarray(batch.smoothed)[0])
    assert (np.diff(scores[0][order]) <= 0).all()


@pytest.mark.nightly
def test_diffusion_may_take_the_place_of_gcs():
    batch, metadata = candidates()
    given = (batch.scores, batch.questions, batch.objects, metadata)
    diffused = build(*given, mask=batch.mask, smoothing="diffusion", alpha=0.3, neighbors=4)
    adjacency = adjacency_of((B, N), **metadata, mask=batch.mask)
    expected = spread_out(adjacency, batch.scores, mask=batch.mask).scores
    real = np.asarray(batch.mask)
    found = np.exp(np.asarray(diffused.smoothed, float))[real]
    np.testing.assert_allclose(found, np.asarray(expected)[real], rtol=1e-3, atol=1e-6)
    scores = np.asarray(run(Gat(SMALL, nnx.Rngs(0)), diffused))
    order = np.argsort(-np.asarray(diffused.smoothed)[0])
    assert (np.diff(scores[0][order]) <= 0).all()


def test_another_smoothing_is_unknown():
    with pytest.raises(InputError, match=r"graph\.smoothing: 'ppr' is unknown; use gcs, diffusion"):
        check_gat(SMALL, GraphSettings(smoothing="ppr"))


def test_neither_padding_nor_other_questions_matter():
    batch, _ = candidates()
    model = network()
    together = np.asarray(run(model, batch))
    spoilt = replace(
        batch,
        scores=np.where(batch.mask, batch.scores, np.float32(99.0)),
        objects=np.where(batch.mask[..., None], batch.objects, np.float32(99.0)),
    )
    batch, mask = jax.tree.map(np.asarray, batch), np.asarray(batch.mask)
    np.testing.assert_allclose(np.asarray(run(model, spoilt))[mask], together[mask], atol=1e-5)
    alone = jax.tree.map(lambda a: a[1:2, :9] if a.ndim > 1 and a.shape[1] == N else a[1:2], batch)
    np.testing.assert_allclose(np.asarray(run(model, alone))[0], together[1, :9], atol=1e-5)


def test_the_perceptron_ignores_edges_and_the_network_does_not():
    batch, _ = candidates()
    scalars, heard = np.asarray(features(batch)[0]), np.asarray(batch.neighbors)[0]
    mask, nobody = np.asarray(batch.mask)[0], np.full_like(heard, -1)
    for messages in (True, False):
        config = replace(SMALL, messages=messages)
        layer = random_network(lambda config=config: GatLayer(config, nnx.Rngs(0)))
        x = np.tile(scalars, 3)[:, :32]
        same = np.allclose(run_layer(layer, x, heard, mask), run_layer(layer, x, nobody, mask))
        assert same is not messages


def test_objects_may_be_projected_once():
    batch, _ = candidates()
    rng = np.random.default_rng(1)
    table = unit(rng.normal(size=(20, D)).astype(np.float32))
    rows = rng.integers(0, 20, (B, N))
    batch = replace(batch, objects=table[rows])
    model = network(replace(SMALL, inputs=("smoothed", "question", "object")))
    gathered = np.asarray(model.project_objects(jnp.asarray(table)))[rows]
    np.testing.assert_allclose(run(model, batch, projected=gathered), run(model, batch), atol=1e-5)


@pytest.mark.parametrize("name", INPUTS)
def test_every_input_is_read(name):
    batch, _ = candidates()
    model = network(replace(SMALL, layers=1, messages=False, inputs=(name,)))
    assert set(model.inputs) == {name}
    assert np.isfinite(run(model, batch)).all()


@pytest.mark.parametrize(
    "config, unread",
    [
        ({"inputs": ("smoothed", "question", "object")}, ("scores", "degrees")),
        (
            {"inputs": ("score", "question", "object"), "messages": False},
            ("smoothed", "degrees", "neighbors"),
        ),
    ],
    ids=["GraphER's", "its MLP, which reads no graph"],
)
def test_the_papers_networks_read_nothing_beside_their_inputs(config, unread):
    batch, _ = candidates()
    model = network(replace(SMALL, layers=1, **config))
    mask = np.asarray(batch.mask)
    before = np.asarray(run(model, batch))[mask]
    others = {name: np.roll(getattr(batch, name), 1, axis=1) for name in unread}
    after = np.asarray(run(model, replace(batch, **others)))[mask]
    np.testing.assert_allclose(after, before, atol=1e-5)
    turned = replace(batch, objects=-np.asarray(batch.objects))
    assert not np.allclose(np.asarray(run(model, turned))[mask], before, atol=1e-2)


def test_dropout_needs_a_key():
    batch, _ = candidates()
    model = network()
    np.testing.assert_array_equal(run(model, batch), run(model, batch))
    dropped = [run(model, batch, key=jax.random.key(seed)) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(dropped[0], dropped[1])
    assert not np.allclose(dropped[0], dropped[2])


def test_layers_leave_out_their_own_share_of_units():
    draws = _draw(jax.random.key(0), 0.9, (50, 40))
    layers = [np.asarray(next(draws)) for _ in range(5)]
    assert {round(kept.mean(), 1) for kept in layers} == {0.9}
    for one, other in itertools.combinations(layers, 2):
        assert 0.78 < (one == other).mean() < 0.86  # as of two that know nothing of each other


@pytest.fixture(scope="module")
def geometric():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of torch itself, while it is imported
        pytest.importorskip("torch_geometric", reason="torch-geometric is not installed")
        import torch
        from torch_geometric.nn import GATv2Conv
    return torch, GATv2Conv


def test_a_layer_equals_pytorch_geometrics(geometric):
    torch, convolution = geometric
    batch, _ = candidates()
    layer = random_network(lambda: GatLayer(SMALL, nnx.Rngs(3)), seed=3)
    rng = np.random.default_rng(4)
    width = SMALL.heads * SMALL.channels
    x = rng.normal(size=(N, width)).astype(np.float32)
    listed = np.asarray(batch.neighbors)[0]
    heard, slot = np.nonzero(listed >= 0)
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")
        norm = torch.nn.LayerNorm(width, eps=1e-6)
        norm.weight.copy_(torch.tensor(np.array(layer.norm.scale[...])))
        norm.bias.copy_(torch.tensor(np.array(layer.norm.bias[...])))
        peer = convolution(width, SMALL.channels, heads=SMALL.heads, bias=True)
        for linear, ours in ((peer.lin_l, layer.sources), (peer.lin_r, layer.targets)):
            linear.weight.copy_(torch.tensor(np.array(ours.kernel[...]).T))
            linear.bias.zero_()
        peer.att.copy_(torch.tensor(np.array(layer.attention[...])[None]))
        peer.bias.copy_(torch.tensor(np.array(layer.bias[...])))
        edges = torch.tensor(np.stack([listed[heard, slot], heard]), dtype=torch.long)
        values = torch.tensor(x)
        expected = values + torch.nn.functional.elu(peer(norm(values), edges))
    found = x + run_layer(layer, x, listed, np.asarray(batch.mask)[0])
    np.testing.assert_allclose(found, expected.numpy(), atol=1e-5)


def test_a_batch_is_a_pytree():
    batch, _ = candidates()
    assert isinstance(jax.tree.map(jnp.asarray, batch), CandidateBatch)


def test_equal_scores_do_not_spoil_gradients():
    mask = np.array([[True, True, False], [True, False, False]])
    moved = jax.grad(lambda scores: standardised(scores, mask).sum())(jnp.full((2, 3), 0.5))
    np.testing.assert_array_equal(moved, np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"inputs": ("scalarz",)}, "model.inputs: 'scalarz' is unknown; use "),
        ({"inputs": ()}, "model.inputs: there are none; use "),
        ({"dropout": 1.5}, "model.dropout: 1.5"),
        ({"layers": 0}, "model.layers: 0"),
    ],
)
def test_a_network_that_cannot_be_is_named(changed, message):
    with pytest.raises(InputError, match=message):
        Gat(GatConfig(**({"dimension": 8} | changed)), nnx.Rngs(0))


@pytest.mark.usefixtures("types_unchecked")
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"questions": np.zeros((B + 1, D), np.float32)},
            r"questions: shape .* must be \({B}, any",
        ),
        ({"objects": np.zeros((B, N, D + 1), np.float32)}, r"objects: shape .* \({B}, {N}, {D}\)"),
        ({"words": np.zeros((B, N + 1, 9), np.float32)}, r"words: shape .* \({B}, {N}, any\)"),
        (
            {"relations": Relations(entity_ids=np.zeros((B, N + 1, 2), np.int32))},
            r"entity_ids: shape .* \({B}, {N}, any\)",
        ),
    ],
)
def test_candidates_that_do_not_fit_are_named(changed, message):
    given = {
        "questions": np.zeros((B, D), np.float32),
        "objects": np.zeros((B, N, D), np.float32),
        "relations": Relations(),
        "mask": np.ones((B, N), bool),
    }
    with pytest.raises(ValueError, match=message.format(B=B, N=N, D=D)):
        build_candidates(np.zeros((B, N), np.float32), **given | changed)


def test_there_may_be_no_candidates():
    nothing = np.zeros((2, 0), np.float32)
    given = (np.zeros((2, D), np.float32), np.zeros((2, 0, D), np.float32), Relations())
    batch = build_candidates(nothing, *given, mask=np.ones((2, 0), bool))
    assert batch.neighbors.shape[:2] == (2, 0)


def test_large_scores_in_16_bits_are_read_as_numbers():
    rng = np.random.default_rng(0)
    scores = (300 * rng.random((B, N))).astype(np.float16)
    given = (np.zeros((B, D), np.float32), np.zeros((B, N, D), np.float32), Relations())
    batches = [
        build_candidates(of, *given, mask=np.ones((B, N), bool), smoothing="base")
        for of in (scores, scores.astype(np.float32))
    ]
    found, expected = map(scalar_features, batches)
    assert np.isfinite(found).all()
    np.testing.assert_array_equal(found, expected)
