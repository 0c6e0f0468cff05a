import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest
from flax import nnx
from networks import random_network
from safetensors.numpy import load_file, save

import grapher_jax.training
from grapher_jax.errors import InputError
from grapher_jax.systems.networks import load_weights, save_weights
from grapher_jax.training.candidates import GraphSettings
from grapher_jax.training.ego_graphs import EgoSettings
from grapher_jax.training.g_rag import DocumentSettings, GRag, GRagConfig, check_g_rag
from grapher_jax.training.gat import Gat, GatConfig
from grapher_jax.training.query_gnn import QueryGnn, QueryGnnConfig, check_query_gnn

CONFIG = GatConfig(dimension=6, layers=1, heads=2, channels=4)


@pytest.fixture
def saved(tmp_path):
    folder = tmp_path / "weights"
    settings = GraphSettings(alpha=0.3, max_df=None, neighbors=5)
    model = random_network(lambda: Gat(CONFIG, nnx.Rngs(1)))
    save_weights(folder, model, embedder="offline", record={"steps": 3}, graph=settings)
    return folder


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        (Gat, CONFIG),
        (Gat, replace(CONFIG, messages=False)),
        (GRag, GRagConfig(dimension=6, layer="gat", hidden=8, heads=2)),
        (GRag, GRagConfig(dimension=6, layer="gin", hidden=8, residual=False)),
        (GRag, GRagConfig(dimension=6, layer="sage", hidden=8)),
        (QueryGnn, QueryGnnConfig(dimension=6, width=8, heads=2)),
    ],
)
@pytest.mark.parametrize("wide", [False, True])
def test_weights_come_back(tmp_path, kind, config, wide):
    model = random_network(lambda: kind(config, nnx.Rngs(2)))
    save_weights(tmp_path / "w", model, embedder="offline", record={})
    # Whoever has 64 bits in a program of theirs reads the same.
    with jax.enable_x64(wide):
        loaded = load_weights(tmp_path / "w")
    (graph, state), (graph_back, state_back) = nnx.split(model), nnx.split(loaded.model)
    assert graph == graph_back
    before, after = map(dict, map(nnx.to_flat_state, (state, state_back)))
    assert before.keys() == after.keys()
    for name, value in before.items():
        np.testing.assert_array_equal(value[...], after[name][...])


def test_what_the_network_needs_comes_along(saved, tmp_path):
    loaded = load_weights(saved)
    assert (loaded.embedder, loaded.model.config) == ("offline", CONFIG)
    assert loaded.graph == GraphSettings(alpha=0.3, max_df=None, neighbors=5)
    assert loaded.record == {"steps": 3}
    assert sorted(path.name for path in saved.iterdir()) == ["config.json", "weights.safetensors"]
    assert load_weights(tmp_path).sha256 == loaded.sha256  # a training folder, with weights within


def test_the_same_weights_are_the_same_bytes(saved, tmp_path):
    other = tmp_path / "other"
    save_weights(other, load_weights(saved).model, embedder="offline", record={})
    assert (other / "weights.safetensors").read_bytes() == (
        saved / "weights.safetensors"
    ).read_bytes()


def test_a_changed_setting_is_noticed_and_another_record_is_no_other_network(saved, tmp_path):
    loaded = load_weights(saved)
    kept = {"embedder": "offline", "graph": loaded.graph}
    for name, changes in {"same": {}, "other": {"graph": GraphSettings(alpha=0.4)}}.items():
        save_weights(tmp_path / name, loaded.model, record={}, **kept | changes)
        same = load_weights(tmp_path / name).sha256 == loaded.sha256
        assert same is (name == "same")
    for name, value in {
        "network": {**json.loads((saved / "config.json").read_text())["network"], "dropout": 0.2},
        "graph": {"alpha": 0.9, "max_df": None, "neighbors": 5},
        "embedder": {"name": "words", "dimension": 6},
    }.items():
        copy = shutil.copytree(saved, tmp_path / name)
        change(copy, signed=False, **{name: value})
        with pytest.raises(InputError, match=r"damaged \(the checksum over it and weights"):
            load_weights(copy)


def test_weights_of_another_version_are_not_called_damaged(tmp_path):
    """Networks had a linear score once whatever they read."""
    folder = tmp_path / "older"
    model = random_network(lambda: Gat(CONFIG, nnx.Rngs(1)))
    save_weights(folder, model, embedder="offline", record={})
    # Its tensors are those that `smoothed`, which is one number, would have beside `direct`.
    tensors = load_file(folder / "weights.safetensors")
    tensors["inputs.smoothed.kernel"] = tensors.pop("inputs.scalars.kernel")[:1]
    (folder / "weights.safetensors").write_bytes(save(tensors))
    change(folder, network={**NETWORK, "inputs": ["smoothed"]})
    with pytest.raises(
        InputError, match=r"direct is float32 .* has none; the checksum is right, so another versi"
    ) as caught:
        load_weights(folder)
    assert "damaged" not in str(caught.value)
    assert "train again" in str(caught.value)


def test_weights_are_for_all_who_may_read_their_folder(saved):
    modes = {file.stat().st_mode for file in saved.iterdir()}
    assert len(modes) == 1


def change(folder, *, signed=True, **values):
    """Change the configuration, by default together with the checksum over it."""
    path = folder / "config.json"
    config = json.loads(path.read_text())
    config |= values
    if signed:
        decisive = {name: config[name] for name in ("kind", "network", "embedder", "graph")}
        tensors = (folder / "weights.safetensors").read_bytes()
        decisive["tensors"] = hashlib.sha256(tensors).hexdigest()
        signature = json.dumps(decisive, sort_keys=True).encode()
        config["sha256"] = hashlib.sha256(signature).hexdigest()
    path.write_text(json.dumps(config))


def retype(folder, name, dtype):
    """Store one tensor as another type."""
    path = folder / "weights.safetensors"
    tensors = load_file(path)
    path.write_bytes(save(tensors | {name: tensors[name].astype(dtype)}))
    change(folder)


def test_a_model_that_is_no_network_of_the_package_is_refused(tmp_path):
    model = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
    with pytest.raises(
        InputError, match="model: Linear is no network of this package, which are gat"
    ):
        save_weights(tmp_path / "w", model, embedder="offline", record={})


NETWORK = {"dimension": 6, "inputs": ["scalars"], "layers": 1, "heads": 2, "channels": 4}


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda f: shutil.rmtree(f), "no weights"),
        (lambda f: (f / "weights.safetensors").unlink(), "no weights"),
        (lambda f: (f / "config.json").write_text("{"), r"config\.json: damaged; train again"),
        (lambda f: (f / "config.json").write_text("{}"), r"config\.json: damaged"),
        (lambda f: (f / "config.json").write_text("[]"), r"config\.json: damaged"),
        (lambda f: (f / "config.json").write_text("[" * 100_000), r"config\.json: damaged"),
        (lambda f: (f / "config.json").write_bytes(b"\xff"), r"config\.json: damaged"),
        (lambda f: change(f, format=1), "weights of format 1, this version reads 2"),
        (
            lambda f: change(f, kind="gcn"),
            "kind: 'gcn' is unknown; this version reads gat, query-gnn",
        ),
        (lambda f: change(f, network=None), r"config\.json: damaged"),
        (lambda f: change(f, network={"depth": 3}), r"config\.json: damaged"),
        (lambda f: change(f, graph={"beta": 3}), r"config\.json: damaged"),
        (lambda f: change(f, embedder={}), r"config\.json: damaged"),
        (
            lambda f: change(f, network=NETWORK | {"inputs": ["smell"]}),
            r"config\.json: damaged \(model\.inputs: 'smell' is unknown; use scalars",
        ),
        *(
            (lambda f, network=network: change(f, network=NETWORK | network), complaint)
            for network, complaint in (
                ({"inputs": []}, r"damaged \(model\.inputs: there are none"),
                ({"inputs": 3}, r"damaged \(network\.inputs: list is needed, not 3"),
                ({"messages": False}, r"attention is float32 \(2, 4\), the network .* has none"),
                ({"channels": "many"}, r"damaged \(network\.channels: int is needed"),
                ({"channels": -4}, r"damaged \(model\.channels: -4 must be at least 1"),
                (
                    {"channels": 10**400},
                    r"network\.channels: 10{39}.* must be an integer below 2\*\*31",
                ),
                ({"channels": 2**40}, r"network\.channels: 1099511627776 must be an integer below"),
                ({"layers": 10**9}, r"damaged \(network\.layers: 1000000000 for 11 tensors"),
                ({"inputs": ["scalars"] * 10**5}, r"\(network\.inputs: 100000 for 11 tensors"),
                ({"heads": 0}, r"damaged \(model\.heads: 0 must be at least 1"),
                ({"layers": 1.5}, r"damaged \(network\.layers: int is needed, not 1\.5"),
                ({"dropout": 1.5}, r"damaged \(model\.dropout: 1\.5 is outside"),
            )
        ),
        (
            lambda f: change(f, graph={"alpha": 0.0}),
            r"damaged \(graph\.alpha: 0\.0 is outside",
        ),
        (lambda f: change(f, graph={"neighbors": "all"}), r"damaged \(graph\.neighbors: int"),
        (
            lambda f: change(f, graph={"neighbors": 2**40}),
            r"damaged \(graph\.neighbors: 1099511627776 must be an integer below",
        ),
        (
            lambda f: retype(f, "hidden.bias", np.int8),
            r"hidden\.bias is I8 \(8,\), the network of its config\.json has float32 \(8,\); the checksum is right, so another version",
        ),
        (
            lambda f: retype(f, "score.kernel", np.float16),
            r"score\.kernel is F16 \(8, 1\), the net",
        ),
        (lambda f: change(f, graph=[]), r"damaged \(graph: object is needed, not \[\]"),
        (lambda f: change(f, embedder={"name": 3}), r"damaged \(embedder\.name: str is needed"),
        (
            lambda f: change(f, network=NETWORK | {"inputs": ["scalars", "object"]}),
            r"inputs\.object\.kernel is missing, the network of its config\.json has float32 \(6",
        ),
        (
            lambda f: change(f, network=NETWORK | {"channels": 8}),
            r"hidden\.bias is float32 \(8,\), the network of its config\.json has float32 \(16",
        ),
        (lambda f: change(f, signed=False, sha256="0"), r"weights\.safetensors does not match"),
    ],
)
def test_weights_that_cannot_be_used_are_named(saved, spoil, complaint):
    spoil(saved)
    with pytest.raises(InputError, match=complaint):
        load_weights(saved)


@pytest.mark.parametrize(
    ("check", "network", "graph", "complaint"),
    [
        (
            check_query_gnn,
            QueryGnnConfig,
            EgoSettings(depth=65),
            "graph.depth: 65 must be at most 64",
        ),
        (check_query_gnn, QueryGnnConfig, EgoSettings(size=257), "graph.size: 257 must be at most"),
        (check_g_rag, GRagConfig, DocumentSettings(candidates=2**31), "must be at most 2147483647"),
    ],
)
def test_graphs_that_no_memory_holds_are_refused(check, network, graph, complaint):
    with pytest.raises(InputError, match=complaint):
        check(network(dimension=6), graph)


@pytest.mark.parametrize("length", [0, 4, 100, -1])
def test_truncated_weights_are_noticed(saved, length):
    path = saved / "weights.safetensors"
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(InputError, match=r"the checksum over it and weights\.safetensors does not"):
        load_weights(saved)


def test_a_file_that_is_no_safetensors_is_noticed(saved):
    (saved / "weights.safetensors").write_bytes(b"no tensors at all")
    change(saved)
    with pytest.raises(InputError, match=r"weights\.safetensors: damaged \("):
        load_weights(saved)


def test_saving_replaces_weights_and_nothing_else(saved, tmp_path):
    model = load_weights(saved).model
    (saved / ".DS_Store").touch()  # which a file manager writes
    save_weights(saved, model, embedder="offline", record={"steps": 4})
    assert load_weights(saved).record == {"steps": 4}
    with pytest.raises(InputError, match=r"holds more than weights \(weights\)"):
        save_weights(tmp_path, model, embedder="offline", record={})
    (tmp_path / "empty").mkdir()
    save_weights(tmp_path / "empty", model, embedder="offline", record={})
    with pytest.raises(InputError, match="cannot be written"):
        save_weights(saved / "config.json", model, embedder="offline", record={})


def test_a_failed_save_leaves_the_old_weights(saved, monkeypatch):
    model = load_weights(saved).model
    monkeypatch.setattr("grapher_jax.training.weights.sha256", lambda path: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save_weights(saved, model, embedder="offline", record={})
    monkeypatch.undo()
    assert load_weights(saved).record == {"steps": 3}
    assert [path.name for path in saved.parent.iterdir()] == ["weights"]


@pytest.mark.parametrize("name", ["gat", "gat-tables", "query-gnn", "g-rag"])
def test_the_shipped_weights_are_whole_and_small(name):
    folder = Path(grapher_jax.training.__file__).parent / "shipped" / name
    shipped = load_weights(name)
    assert shipped.sha256 == load_weights(folder).sha256
    assert (shipped.embedder, shipped.model.config.dimension) == ("offline", 384)
    assert sum(file.stat().st_size for file in folder.iterdir()) < 8e6
