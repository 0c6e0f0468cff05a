"""G-RAG's network, on small random graphs of documents."""

import functools
import warnings
from dataclasses import replace
from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx

from grapher_jax import kernels
from grapher_jax.errors import InputError
from grapher_jax.training.config import TrainConfig, check_g_rag
from grapher_jax.training.g_rag import LAYERS, DocumentBatch, DocumentSettings, GRag, GRagConfig

B, N, D, H = 2, 9, 8, 12
SMALL = GRagConfig(dimension=D, hidden=H, heads=3, dropout=0.0)
HEARING = tuple(layer for layer in LAYERS if layer != "mlp")
layers = pytest.mark.parametrize("layer", LAYERS)
# What a layer does it does without the residual too.
networks = pytest.mark.parametrize(
    ("layer", "residual"), [*product(LAYERS, [True]), ("gcn", False), ("mlp", False)]
)
hearing_networks = pytest.mark.parametrize(
    ("layer", "residual"), [*product(HEARING, [True]), ("gcn", False)]
)


def unit(values):
    return (values / np.linalg.norm(values, axis=-1, keepdims=True)).astype(np.float32)


def build_batch(seed=0):
    """The last question has two documents fewer; the fourth document of each is isolated."""
    rng = np.random.default_rng(seed)
    documents = unit(rng.normal(size=(B, N, D)))
    read = unit(documents + 0.3 * rng.normal(size=(B, N, D)))
    read[:, [1, 3]] = documents[:, [1, 3]]
    concepts = rng.integers(-3, 14, (B, N, 4)).clip(-1).astype(np.int32)
    concepts[:, 3] = 100
    mask = np.ones((B, N), bool)
    mask[1, -2:] = False
    triples = rng.integers(-3, 5, (B, N, 3)).clip(-1).astype(np.int32)
    return DocumentBatch(unit(rng.normal(size=(B, D))), documents, read, concepts, triples, mask)


@pytest.fixture(scope="module")
def batch():
    return build_batch()


@functools.partial(jax.jit, static_argnames="graph")
def _run(state, batch, key, graph):
    return nnx.merge(graph, state)(batch, key=key)


def run(model, batch, key=None):
    graph, state = nnx.split(model)
    return np.asarray(_run(state, batch, key, graph))


def network(seed=0, **options):
    """Random everywhere, so that every part counts."""
    model = nnx.eval_shape(lambda: GRag(replace(SMALL, **options), nnx.Rngs(seed)))
    rng = np.random.default_rng(seed)
    drawn = jax.tree.map(
        lambda leaf: jnp.asarray(0.4 * rng.normal(size=leaf.shape), jnp.float32), nnx.state(model)
    )
    nnx.update(model, drawn)
    return model


@functools.partial(jax.jit, static_argnames="graph")
def _run_layer(state, x, edges, joined, graph):
    return nnx.merge(graph, state)(x, edges, joined)


def run_layer(layer, *arrays):
    graph, state = nnx.split(layer)
    return np.asarray(_run_layer(state, *arrays, graph))


def over(batch, function):
    """The batch with `function` of its arrays of documents."""
    names = ("documents", "read", "concepts", "triples", "mask")
    return replace(batch, **{name: function(getattr(batch, name)) for name in names})


def dense(batch):
    return 10 * np.einsum("bd,bnd->bn", batch.questions, batch.documents)


@jax.jit
def _graph(batch):
    edges = kernels.document_edges(batch.concepts, batch.triples, mask=batch.mask)
    return edges, kernels.connected(edges)


def graph_of(batch):
    return tuple(map(np.asarray, _graph(batch)))


def parts(module, *names):
    """Kernels and biases of a layer's linear maps, in float64."""
    for name in names:
        linear = getattr(module, name)
        bias = 0.0 if linear.bias is None else np.asarray(linear.bias[...], np.float64)
        yield np.asarray(linear.kernel[...], np.float64), bias


def relu(x):
    return np.maximum(x, 0)


def heard_of(x, edges, joined):
    """Equations 7 and 8 in float64; of one question."""
    near = [np.flatnonzero(own) for own in joined]
    return np.stack(
        [(edges[v, u].sum(-1)[:, None] * x[u]).sum(0) / max(len(u), 1) for v, u in enumerate(near)]
    )


def gcn(layer, x, edges, joined):
    (kernel, bias) = next(parts(layer, "update"))
    return relu(np.concatenate([x, heard_of(x, edges, joined)], -1) @ kernel + bias)


def gin(layer, x, edges, joined):
    (first, first_bias), (second, second_bias) = parts(layer, "hidden", "update")
    met = (1 + float(layer.own[...])) * x + heard_of(x, edges, joined)
    return relu(relu(met @ first + first_bias) @ second + second_bias)


def gat(layer, x, edges, joined):
    (update, _), (own, bias) = parts(layer, "update", "own")
    hears, speaks = np.asarray(layer.attention[...], np.float64)
    said = (x @ update).reshape(len(x), *hears.shape)
    out = x @ own + bias
    for v, near in enumerate(map(np.flatnonzero, joined)):
        logits = (said[v] * hears).sum(-1) + (said[near] * speaks).sum(-1)
        shares = np.exp(np.where(logits > 0, logits, 0.2 * logits))
        weights = shares / shares.sum(0) * edges[v, near].sum(-1)[:, None]
        out[v] += (weights[..., None] * said[near]).sum(0).reshape(-1)
    return np.where(out > 0, out, np.expm1(out))


def sage(layer, x, edges, joined):
    """PyTorch's LSTM over the messages, the best ranked last."""
    import torch

    width = layer.update.kernel.shape[1]
    cell = layer.reader.cell
    reader = torch.nn.LSTM(x.shape[-1], width, batch_first=True, dtype=torch.float64)
    given = {
        "weight_ih_l0": cell.dense_i.kernel[...].T,
        "weight_hh_l0": cell.dense_h.kernel[...].T,
        "bias_ih_l0": jnp.zeros(4 * width),
        "bias_hh_l0": cell.dense_h.bias[...],
    }
    reader.load_state_dict({k: torch.tensor(np.asarray(v, np.float64)) for k, v in given.items()})
    heard = np.zeros((len(x), width))
    for v in np.flatnonzero(joined.any(-1)):
        near = np.flatnonzero(joined[v])[::-1].copy()
        messages = torch.tensor(edges[v, near].sum(-1)[:, None] * x[near])
        with torch.inference_mode():
            heard[v] = reader(messages[None])[0][0, -1].numpy()
    (kernel, bias) = next(parts(layer, "update"))
    return relu(np.concatenate([x, heard], -1) @ kernel + bias)


def mlp(layer, x, edges, joined):
    (kernel, bias) = next(parts(layer, "update"))
    return relu(x @ kernel + bias)


ORACLES = {"gcn": gcn, "gat": gat, "sage": sage, "gin": gin, "mlp": mlp}


@pytest.fixture(autouse=True, scope="module")
def torch():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of torch itself, while it is imported
        yield pytest.importorskip("torch", reason="torch is not installed")


@layers
def test_a_layer_is_that_of_the_paper(layer, batch):
    """Against loops over neighbours in float64, the LSTM against PyTorch's."""
    own = network(layer=layer).layers[0]
    x = np.random.default_rng(1).normal(size=(B, N, 2 * D)).astype(np.float32)
    edges, joined = graph_of(batch)
    found = run_layer(own, x, edges, joined)
    assert found.shape == (B, N, H)
    assert joined.any() and not joined[:, 3].any()
    for b in range(B):
        expected = ORACLES[layer](own, x[b].astype(np.float64), edges[b], joined[b])
        np.testing.assert_allclose(found[b], expected, atol=1e-4)


@pytest.mark.parametrize("layer", ["gat", "gin"])
def test_a_layer_over_edges_of_weight_1_is_pytorch_geometrics(layer, batch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("torch_geometric", reason="torch-geometric is not installed")
        import torch
        from torch_geometric.nn import GATConv, GINConv

    def tensor(values):
        return torch.tensor(np.asarray(values))

    own = network(layer=layer).layers[0]
    x = np.random.default_rng(2).normal(size=(B, N, 2 * D)).astype(np.float32)
    joined = graph_of(batch)[1]
    edges = np.stack([joined, np.zeros_like(joined)], -1).astype(np.float32)
    found = run_layer(own, x, edges, joined)[0]
    hearer, speaker = np.nonzero(joined[0])
    with torch.inference_mode(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if layer == "gat":
            peer = GATConv(2 * D, H // 3, heads=3, add_self_loops=False, bias=False)
            peer.lin.weight.copy_(tensor(own.update.kernel[...]).T)
            peer.att_dst.copy_(tensor(own.attention[...])[:1])
            peer.att_src.copy_(tensor(own.attention[...])[1:])
        else:
            inner = torch.nn.Sequential(
                torch.nn.Linear(2 * D, H), torch.nn.ReLU(), torch.nn.Linear(H, H), torch.nn.ReLU()
            )
            peer = GINConv(inner, eps=float(own.own[...]), aggr="mean")  # draws their weights anew
            for place, linear in ((0, own.hidden), (2, own.update)):
                inner[place].weight.copy_(tensor(linear.kernel[...]).T)
                inner[place].bias.copy_(tensor(linear.bias[...]))
        expected = peer(tensor(x[0]), tensor(np.stack([speaker, hearer]))).numpy()
    if layer == "gat":
        own_part = x[0] @ np.asarray(own.own.kernel[...]) + np.asarray(own.own.bias[...])
        expected = expected + own_part
        expected = np.where(expected > 0, expected, np.expm1(expected))
    np.testing.assert_allclose(found, expected, atol=1e-5)


@networks
def test_scores_are_equation_11(layer, residual, batch):
    """The whole network in float64, edges updated by equation 9 in between."""
    model = network(layer=layer, residual=residual)
    found = run(model, batch)
    assert found.shape == (B, N)
    assert found.dtype == np.float32
    edges, joined = (array.astype(np.float64) for array in graph_of(batch))
    for b in range(B):
        question, documents, read, own, near = (
            np.asarray(array[b], np.float64)
            for array in (batch.questions, batch.documents, batch.read, edges, joined)
        )
        near = near > 0
        x = np.concatenate([read, read - documents], -1) * np.sqrt(D)
        first = read
        if residual:
            led = (batch.read[b] != batch.documents[b]).any(-1, keepdims=True)
            first = documents + 10 * float(model.reading[...]) * (read - documents)
            first = first + led * np.asarray(model.reached[...])
        scores = first @ question
        heard = scores
        hears = layer in HEARING
        for number, layer_module in enumerate(model.layers):
            if number and hears:
                (kernel, bias) = next(parts(model.edges[number - 1], "update"))
                shares = near / np.maximum(near.sum(-1, keepdims=True), 1)
                others = np.einsum("vu,ujl->vjl", shares, own)
                own = relu(np.concatenate([own, others], -1) @ kernel + bias) * near[..., None]
            if residual and hears:
                said = [heard_of(heard[:, None], own[..., m, None], near)[:, 0] for m in range(2)]
                scores = scores + 10 * np.stack(said, -1) @ np.asarray(model.heard[...])[number]
                heard = said[0] + said[1]
            x = ORACLES[layer](layer_module, x, own, near)
        (leave, _) = next(parts(model, "leave"))
        found_here = x @ leave @ question + (scores if residual else 0)
        expected = 10 * np.where(near.any(-1) | (not hears), found_here, scores)
        np.testing.assert_allclose(found[b, batch.mask[b]], expected[batch.mask[b]], atol=2e-3)


@networks
def test_an_untrained_network_ranks_as_dense_retrieval(layer, residual, batch):
    model = GRag(replace(SMALL, layer=layer, residual=residual), nnx.Rngs(0))
    if residual:
        np.testing.assert_allclose(run(model, batch), dense(batch), atol=1e-5)
    else:
        changed = np.abs(run(model, batch) - dense(batch)) > 1e-3
        assert changed[graph_of(batch)[1].any(-1)].all()


@hearing_networks
def test_isolated_documents_keep_the_retrievers_scores(layer, residual, batch):
    apart = np.broadcast_to(np.arange(N, dtype=np.int32)[:, None], batch.concepts.shape)
    unled = replace(batch, concepts=apart, read=batch.documents)
    model = network(layer=layer, residual=residual)
    np.testing.assert_allclose(run(model, unled), dense(batch), atol=1e-4)
    # Beside others that are joined as well.
    np.testing.assert_allclose(run(model, batch)[:, 3], dense(batch)[:, 3], atol=1e-4)


@layers
def test_neither_padding_nor_other_questions_matter(layer, batch):
    model = network(layer=layer)
    found = run(model, batch)
    rng = np.random.default_rng(3)

    def longer(array):
        spare = np.zeros((B, 4, *array.shape[2:]), array.dtype)
        if array.dtype == np.float32:
            spare = unit(rng.normal(size=spare.shape))
        return np.concatenate([array, spare], 1)  # its concepts are some that others have

    wide = over(batch, longer)
    width = ((0, 0), (0, 0), (0, 5))
    wide = replace(
        wide,
        concepts=np.pad(wide.concepts, width, constant_values=-1),
        triples=np.pad(wide.triples, width, constant_values=-1),
    )
    padded = run(model, jax.tree.map(lambda array: array[1:], wide))[0, :N]
    np.testing.assert_allclose(padded[batch.mask[1]], found[1, batch.mask[1]], atol=1e-4)
    other = replace(batch, documents=batch.documents.copy())
    other.documents[1, -2:] = other.documents[1, :2]
    again = run(model, replace(other, read=np.where(batch.mask[..., None], batch.read, 9)))
    np.testing.assert_allclose(again[batch.mask], found[batch.mask], atol=1e-4)


@layers
def test_the_order_of_documents_counts_where_it_is_read(layer, batch):
    """An LSTM reads neighbours in the retriever's order; all else takes means of them."""
    model = network(layer=layer)
    order = np.random.default_rng(4).permutation(N)
    found = run(model, batch)[:, order]
    permuted = run(model, over(batch, lambda array: array[:, order]))
    close = np.isclose(permuted, found, atol=1e-4)
    assert close[batch.mask[:, order]].all() == (layer != "sage")


@pytest.mark.parametrize("residual", [True, False])
def test_an_mlp_ranks_every_document_by_itself(residual, batch):
    model = network(layer="mlp", residual=residual)
    found = run(model, batch)
    nothing = np.full_like(batch.concepts, -1)
    unjoined = replace(batch, concepts=nothing, triples=np.full_like(batch.triples, -1))
    np.testing.assert_array_equal(run(model, unjoined), found)
    alone = run(model, over(batch, lambda array: array[:, :1]))
    np.testing.assert_allclose(alone, found[:, :1], atol=1e-4)
    assert (np.abs(found - dense(batch)) > 1e-3)[batch.mask].all()


@pytest.mark.parametrize("residual", [True, False])
def test_the_question_and_every_feature_count(residual, batch):
    model = network(residual=residual)
    found = run(model, batch)
    joined = graph_of(batch)[1].any(-1)
    changes = {
        "questions": batch.questions[::-1].copy(),
        "read": batch.documents,
        "triples": np.full_like(batch.triples, -1),
    }
    for name, values in changes.items():
        other = run(model, replace(batch, **{name: values}))
        assert (np.abs(other - found)[joined] > 1e-5).any(), name
    # Without the residual a document itself counts through what it is read as.
    other = run(model, replace(batch, read=batch.documents, documents=batch.read))
    assert (np.abs(other - found)[joined] > 1e-5).any()


def test_dropout_is_drawn_by_the_key(batch):
    model, found = network(dropout=0.5), run(network(), batch)
    keys = jax.random.key(1), jax.random.key(2)
    drawn = run(model, batch, keys[0])
    np.testing.assert_array_equal(run(model, batch, keys[0]), drawn)
    joined = graph_of(batch)[1].any(-1)
    for other in (run(model, batch, keys[1]), found):
        assert (other != drawn)[joined].any()
    np.testing.assert_allclose(drawn[~joined], found[~joined], atol=1e-5)


@pytest.mark.nightly
@networks
def test_gradients_are_finite(layer, residual, batch):
    # What is left out does not depend on the layer.
    dropout = 0.2 if (layer, residual) == ("gcn", True) else 0.0
    graph, state = nnx.split(network(layer=layer, residual=residual, dropout=dropout))

    @jax.jit
    def slope(state, batch):
        def total(state):
            scores = nnx.merge(graph, state)(batch, key=jax.random.key(0))
            return jnp.where(batch.mask, scores, 0.0).sum()

        return jax.grad(total)(state)

    isolated = np.broadcast_to(np.arange(N, dtype=np.int32)[:, None], batch.concepts.shape)
    nothing = np.full_like(batch.concepts, -1)
    for changed in (
        batch,
        replace(batch, concepts=isolated),
        replace(batch, concepts=nothing, triples=np.full_like(batch.triples, -1)),
        replace(batch, mask=np.zeros_like(batch.mask)),
    ):
        assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(slope(state, changed)))
    learned = slope(state, batch)
    for path, leaf in jax.tree.leaves_with_path(learned):
        assert np.asarray(leaf).any(), jax.tree_util.keystr(path)


@pytest.mark.parametrize("layer", ["gat", "sage"])
def test_one_layer_and_one_document(layer, batch):
    model = network(layer=layer, layers=1)
    single = over(batch, lambda array: array[:, :1])
    unled = replace(single, read=single.documents)
    np.testing.assert_allclose(run(model, unled), dense(batch)[:, :1], atol=1e-4)


@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        (
            {"model": {"layer": "gcn2"}},
            r"model\.layer: 'gcn2' is unknown; use gcn, gat, sage, gin, mlp",
        ),
        ({"model": {"layers": 0}}, r"model\.layers: 0 must be at least 1"),
        ({"model": {"hidden": 0}}, r"model\.hidden: 0 must be at least 1"),
        ({"model": {"heads": 0}}, r"model\.heads: 0 must be at least 1"),
        ({"model": {"dimension": -1}}, r"model\.dimension: -1 must be at least 0"),
        ({"model": {"dropout": 1.0}}, r"model\.dropout: 1\.0 is outside \[0, 1\)"),
        ({"model": {"dropout": float("nan")}}, r"model\.dropout: nan must be a finite number"),
        (
            {"model": {"layer": "gat", "hidden": 12}},
            r"model\.hidden: 12 is not a multiple of 8 heads",
        ),
        ({"graph": {"candidates": 0}}, r"graph\.candidates: 0 must be at least 1"),
        ({"graph": {"max_df": 0}}, r"graph\.max_df: 0 must be at least 1"),
        ({"graph": {"paths": 1}}, r"graph\.paths: bool is needed, not 1"),
        ({"graph": {"words": True}}, r"graph: 'words' is unknown; use candidates, max_df, paths"),
        ({"heads": 3}, r"'heads' is unknown; use model, graph"),
    ],
)
def test_settings_that_cannot_be_used(part, complaint):
    with pytest.raises(InputError, match=complaint):
        TrainConfig.from_json({"sets": [{"source": "x"}], "g_rag": part})


def test_settings_that_can_be_used():
    check_g_rag(GRagConfig(dimension=D, hidden=8, heads=3), DocumentSettings(max_df=None))
    check_g_rag(GRagConfig(dimension=0, layer="gat", hidden=64), DocumentSettings())
