"""The network of query-aware GNN retrieval, on small random graphs."""

import functools
from dataclasses import replace

import jax
import numpy as np
import pytest
from flax import nnx
from networks import random_network

from grapher_jax.training.ego_graphs import EgoSettings, IndexGraph, cut_graphs
from grapher_jax.training.query_gnn import (
    EncodedGraphs,
    Encoder,
    Pairs,
    QueryGnn,
    QueryGnnConfig,
    Reconstruction,
    fuse,
    fusion_features,
)
from grapher_jax.training.relations import RELATIONS

B, N, D = 2, 12, 8
SMALL = QueryGnnConfig(
    dimension=D, layers=2, heads=2, width=8, relation_width=3, fusion=(16, 16), dropout=0.0
)


def unit(values):
    return (values / np.linalg.norm(values, axis=-1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def episodes():
    rng = np.random.default_rng(0)
    neighbors = rng.integers(-1, N, (N, 4)).astype(np.int32)
    neighbors[5] = -1
    weights = np.where(neighbors >= 0, rng.random((N, 4)), 0).astype(np.float32)
    return IndexGraph(neighbors, weights, np.array([0, 0, 1, 1]), unit(rng.normal(size=(N, D))))


@pytest.fixture(scope="module")
def questions():
    return unit(np.random.default_rng(1).normal(size=(B, D)))


ROWS = np.array([[0, 3, 7, 5], [2, 9, -1, -1]])
SETTINGS = EgoSettings(threshold=-1.0, size=6)
cut = jax.jit(cut_graphs, static_argnames="settings")


@functools.partial(jax.jit, static_argnames="graph")
def _run(state, given, graph):
    return nnx.merge(graph, state)(*given)


def run(model, *given):
    graph, state = nnx.split(model)
    return np.asarray(_run(state, given, graph))


def network():
    """Random everywhere, so that the learned part counts from the start."""
    return random_network(lambda: QueryGnn(SMALL, nnx.Rngs(0)))


@pytest.mark.parametrize("layers", [2, 0])
def test_an_untrained_scorer_ranks_as_the_retriever_does(episodes, questions, layers):
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    found = run(QueryGnn(replace(SMALL, layers=layers), nnx.Rngs(0)), graphs, questions)
    np.testing.assert_allclose(found, np.asarray(graphs.similarities)[..., 0], atol=1e-5)


def test_without_layers_the_linear_score_is_all_there_is(episodes, questions):
    model = random_network(lambda: QueryGnn(replace(SMALL, layers=0, fusion=()), nnx.Rngs(0)))
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    (weights,) = jax.tree.leaves(nnx.state(model))
    expected = np.asarray(graphs.near, np.float64) @ (10 * np.asarray(weights, np.float64))
    np.testing.assert_allclose(run(model, graphs, questions), expected, rtol=1e-4, atol=1e-5)


def test_without_layers_no_embedding_is_read(episodes, questions):
    model = random_network(lambda: QueryGnn(replace(SMALL, layers=0), nnx.Rngs(0)))
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    found = run(model, graphs, questions)
    other = replace(graphs, nodes=1 - np.asarray(graphs.nodes))
    np.testing.assert_array_equal(run(model, other, 1 - np.asarray(questions)), found)
    assert np.ptp(found[0]) > 1e-3


def test_the_network_of_the_paper_reads_no_similarities(episodes, questions):
    model = random_network(lambda: QueryGnn(replace(SMALL, similarities=False), nnx.Rngs(0)))
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    other = replace(graphs, similarities=np.asarray(graphs.similarities) + 1)
    found = run(model, graphs, questions)
    np.testing.assert_array_equal(run(model, other, questions), found)
    assert np.ptp(found[0]) > 1e-3


def test_graphs_hold_the_candidate_first_and_what_it_hears(episodes, questions):
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    for query, place in np.ndindex(ROWS.shape):
        row = ROWS[query, place]
        real = np.asarray(graphs.mask)[query, place]
        if row < 0:
            assert not real.any()
            continue
        expected = {row, *episodes.neighbors[row].tolist()} - {-1}
        assert real.sum() == len(expected)
        own = np.asarray(graphs.nodes)[query, place]
        np.testing.assert_allclose(own[0], episodes.embeddings[row], atol=1e-6)
        near = np.asarray(graphs.similarities)[query, place][real]
        np.testing.assert_allclose(near, own[real] @ questions[query], atol=1e-5)
    # One candidate has no neighbours; a place of none has no edge either.
    np.testing.assert_array_equal(
        graphs.alone, [[False, False, False, True], [False, False, True, True]]
    )


def test_edges_keep_their_relation_and_weight(episodes, questions):
    model = network()
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    found = run(model, graphs, questions)
    other = replace(graphs, relations=np.asarray(graphs.relations)[:, ::-1].copy())
    heavier = replace(graphs, weights=2 * np.asarray(graphs.weights))
    for changed in (other, heavier):
        scores = run(model, changed, questions)
        assert (np.abs(scores - found)[0, :3] > 1e-6).all()
        np.testing.assert_allclose(scores[0, 3], found[0, 3], atol=1e-6)  # it has no edges


def test_neither_padding_nor_other_questions_matter(episodes, questions):
    model = network()
    found = run(model, cut(episodes, ROWS, questions, settings=SETTINGS), questions)
    alone = run(model, cut(episodes, ROWS[1:, :2], questions[1:], settings=SETTINGS), questions[1:])
    np.testing.assert_allclose(alone[0], found[1, :2], atol=1e-5)
    larger = run(
        model, cut(episodes, ROWS, questions, settings=replace(SETTINGS, size=9)), questions
    )
    np.testing.assert_allclose(larger, found, atol=1e-5)
    assert np.isfinite(found).all()


def test_the_question_decides_what_is_pooled(episodes, questions):
    model = network()
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    assert (run(model, graphs, questions) != run(model, graphs, questions[::-1].copy()))[0].all()


def test_a_layer_is_algorithm_2(episodes, questions):
    """Against a loop over edges in float64."""
    encoder = random_network(lambda: Encoder(replace(SMALL, layers=1), nnx.Rngs(3)), seed=3)
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    found = run(encoder, graphs)[0, 0]
    layer = encoder.layers[0]
    values = {
        name: np.asarray(getattr(layer, name).kernel[...], np.float64)
        for name in ("sources", "targets", "residual", "edges")
    }
    x = np.asarray(graphs.nodes, np.float64)[0, 0] * np.sqrt(D)
    neighbors, weights = np.asarray(graphs.neighbors)[0, 0], np.asarray(graphs.weights)[0, 0]
    kinds = np.asarray(encoder.relations.embedding[...])[episodes.relations]
    attention = np.asarray(layer.attention[...])
    out = x @ values["residual"] + np.asarray(layer.residual.bias[...])
    for i, listed in enumerate(neighbors):
        slots = np.flatnonzero(listed >= 0)
        if not len(slots):
            continue
        edges = np.concatenate([kinds[slots], weights[i, slots, None]], -1) @ values["edges"]
        met = x[listed[slots]] @ values["sources"] + x[i] @ values["targets"] + edges
        terms = np.where(met > 0, met, 0.2 * met).reshape(len(slots), *attention.shape)
        logits = (terms * attention).sum(-1)
        shares = np.exp(logits) / np.exp(logits).sum(0)
        said = (x[listed[slots]] @ values["sources"]).reshape(len(slots), *attention.shape)
        out[i] += (shares[..., None] * said).sum(0).reshape(-1)
    out = np.maximum(out, 0)
    expected = (out - out.mean(-1, keepdims=True)) / np.sqrt(out.var(-1, keepdims=True) + 1e-6)
    expected = expected * np.asarray(layer.norm.scale[...]) + np.asarray(layer.norm.bias[...])
    real = np.asarray(graphs.mask)[0, 0]
    np.testing.assert_allclose(found[real], expected[real], atol=1e-3)


@pytest.mark.parametrize("similarities", [True, False])
def test_a_score_is_algorithms_3_4_and_7(episodes, questions, similarities):
    """Pooling, fusion and head against NumPy in float64."""
    shape = replace(SMALL, similarities=similarities)
    model = random_network(lambda: QueryGnn(shape, nnx.Rngs(0)), seed=2)
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    found = run(model, graphs, questions)[0]
    encoded = run(model.encoder, graphs)[0]
    scorer = model.scorer

    def through(layer, x):
        bias = 0.0 if layer.bias is None else np.asarray(layer.bias[...], np.float64)
        return x @ np.asarray(layer.kernel[...], np.float64) + bias

    query = questions[0].astype(np.float64)
    marks, near = (np.asarray(part, np.float64)[0] for part in (graphs.marks, graphs.near))
    for place, own in enumerate(encoded.astype(np.float64)):
        real = np.asarray(graphs.mask)[0, place]
        nodes = np.concatenate([own, marks[place]], -1)[real] if similarities else own[real]
        asked = through(scorer.project_query, query * np.sqrt(D))
        met = np.tanh(through(scorer.project_nodes, nodes) + asked)
        logits = through(scorer.importance, met)[:, 0]
        shares = np.exp(logits) / np.exp(logits).sum()
        pooled = shares @ nodes / np.sqrt(nodes.shape[-1])
        combined = np.concatenate([pooled, *([near[place]] if similarities else []), query])
        x = combined
        for layer, norm in zip(scorer.fusion, scorer.norms, strict=True):
            x = through(layer, x)
            x = (x - x.mean()) / np.sqrt(x.var() + 1e-6)
            x = np.maximum(x * np.asarray(norm.scale[...]) + np.asarray(norm.bias[...]), 0)
        x = x + through(scorer.skip, combined)
        (expected,) = through(scorer.score, np.maximum(through(scorer.hidden, x), 0))
        if similarities:
            expected += near[place] @ (10 * np.asarray(scorer.direct[...], np.float64))
        np.testing.assert_allclose(found[place], expected, rtol=1e-3, atol=1e-3)


def test_pairs_are_joined_where_the_graph_has_an_edge(episodes, questions):
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    pairs, joined = jax.jit(Pairs.from_graphs)(graphs)
    mask, edges = (np.asarray(a).reshape(B, 4, 6, 6) for a in (pairs.mask, joined))
    neighbors = np.asarray(graphs.neighbors)
    assert edges.any()
    assert not (edges & ~mask).any()
    for query, place, i, j in np.ndindex(mask.shape):
        expected = j in neighbors[query, place, i] or i in neighbors[query, place, j]
        assert edges[query, place, i, j] == (expected and i != j)
    reconstruct = random_network(lambda: Reconstruction(SMALL, nnx.Rngs(0)))
    scores = jax.jit(lambda pairs: reconstruct(pairs, key=jax.random.key(0)))(pairs)
    assert scores.shape == pairs.mask.shape
    assert np.isfinite(scores).all()


def test_fusion_is_logistic_regression_over_standardised_scores():
    rng = np.random.default_rng(2)
    scores, network = rng.normal(size=(2, B, 5)).astype(np.float32)
    semantic = np.where(rng.random((B, 5, 3)) < 0.5, rng.random((B, 5, 3)), 0).astype(np.float32)
    alone, mask = np.zeros((B, 5), bool), np.ones((B, 5), bool)
    alone[0, 2], mask[1, 4] = True, False
    features = np.asarray(jax.jit(fusion_features)(scores, semantic, network, alone, mask=mask))
    for column in (0, 1):
        own = features[0, :, column]
        np.testing.assert_allclose((own.mean(), own.std()), (0, 1), atol=1e-5)
    assert features[0, 2, 2] == features[0, 2, 0]  # keeps the retriever's score
    assert not features[1, 4].any()
    weights = (0.5, 0.1, 0.7, -2.0)
    found = jax.jit(fuse)(scores, semantic, network, alone, np.array(weights), mask=mask)
    expected = 1 / (1 + np.exp(-(features @ np.array(weights[:3]) - 2.0)))
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_encoded_graphs_carry_marks(episodes, questions):
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    nodes = run(random_network(lambda: Encoder(SMALL, nnx.Rngs(0))), graphs)
    encoded = jax.jit(EncodedGraphs.from_nodes)(nodes, graphs, questions)
    marks = np.asarray(encoded.nodes)[..., -3:]
    np.testing.assert_allclose(
        marks[..., 0], np.where(graphs.mask, graphs.similarities, 0), atol=1e-6
    )
    assert (marks[..., 0, 1] == 1).all() and not marks[..., 1:, 1].any()
    np.testing.assert_array_equal(encoded.mask, ROWS >= 0)


def test_relations_are_those_of_the_index():
    from grapher_jax.systems.query_gnn.object_graph import SLOTS

    # Weights hold an embedding for each, in this order.
    assert RELATIONS == ("sequential", "semantic", "foreign_key", "link", "shared_entity")
    assert tuple(SLOTS) == RELATIONS
    assert SLOTS == {
        "sequential": 2,
        "semantic": 5,
        "foreign_key": 8,
        "link": 8,
        "shared_entity": 8,
    }


def test_what_neighbours_add_is_told_by_relation_and_bounded(episodes, questions):
    graphs = cut(episodes, ROWS, questions, settings=SETTINGS)
    near = np.asarray(jax.jit(lambda graphs: graphs.near)(graphs))
    own, mean, highest, any_used = np.split(near, np.cumsum([1, 5, 5]), axis=-1)
    similarities = episodes.embeddings @ questions[0]
    np.testing.assert_allclose(own[0, :, 0], similarities[ROWS[0]], atol=1e-5)
    for place, row in enumerate(ROWS[0]):
        for relation in (0, 1):
            listed = episodes.neighbors[row][episodes.relations == relation]
            above = np.tanh((similarities[listed[listed >= 0]] - similarities[row]) / 2)
            expected = (above.mean(), above.max(), 1) if len(above) else (0, 0, 0)
            found = [part[0, place, relation] for part in (mean, highest, any_used)]
            np.testing.assert_allclose(found, expected, atol=1e-5)
    assert (np.abs(near[..., 1:]) <= 1).all()
