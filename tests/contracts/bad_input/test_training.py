"""Weights on disk, and labels to learn from."""

import json

from bad_input import Row, each, rows
from small_embedder import SmallEmbedder

import grapher_jax as gj
from grapher_jax.corpus import Object, write_beir
from grapher_jax.errors import GrapherError


def weights(world, change):
    from flax import nnx

    from grapher_jax.systems.networks import load_weights, save_weights
    from grapher_jax.training.gat import Gat, GatConfig

    folder = world.root / "weights"
    config = GatConfig(dimension=4, layers=1, heads=1, channels=2)
    save_weights(folder, Gat(config, nnx.Rngs(0)), embedder="offline", record={})
    described, tensors = folder / "config.json", folder / "weights.safetensors"
    if callable(change):
        tensors.write_bytes(change(tensors.read_bytes()))
    elif isinstance(change, str):
        described.write_text(change)
    else:
        described.write_text(json.dumps(json.loads(described.read_text()) | change))
    load_weights(folder)


def trained(world, change):
    from grapher_jax.learn.trainer import train
    from grapher_jax.training.config import SetConfig, TrainConfig
    from grapher_jax.training.gat import GatConfig

    source = world.root / "labels"
    objects = [Object(f"{d}.{n}", f"word{n} thing{d}", "", {"db": d}) for d in "ab" for n in "012"]
    questions = [gj.Query(f"q{d}", f"word0 thing{d}") for d in "ab"]
    positive = {f"q{d}": {f"{d}.0": 1, f"{d}.1": 1} for d in "ab"}
    negative = {"qa": {"a.0": 0}}
    write_beir(source, objects, questions, {"train": positive, "none": negative})
    qrels, settings = source / "qrels" / "train.tsv", {"split": "train"} | change
    if lines := settings.pop("lines", None):
        qrels.write_text(f"query-id\tcorpus-id\tscore\n{lines}")
    parts = {name: settings.pop(name) for name in ("split", "repeat") if name in settings}
    folder = settings.pop("source", str(source))
    model = GatConfig(dimension=0, layers=1, heads=1, channels=2, dropout=0.0)
    config = TrainConfig(
        sets=(SetConfig(source=folder, **parts),),
        model=model,
        **{"steps": 2, "batch_size": 2, "warmup": 0, "evaluate_every": 2} | settings,
    )
    train(config, world.root / "out", embedder=SmallEmbedder(), cache=world.root / "cache")


CURE = "train again, or take a copy that is whole"
TRAINING = [
    *rows(
        "weights",
        weights,
        [
            ({"format": 99}, "weights of format 99, this version reads 2; use the version of"),
            ("{", rf"config\.json: damaged; {CURE}"),
            ("[]", rf"config\.json: damaged; {CURE}"),
            ({"kind": "gcn"}, "kind: 'gcn' is unknown; this version reads gat"),
            ({"embedder": {}}, rf"config\.json: damaged .*; {CURE}"),
            ({"sha256": "0"}, r"weights\.safetensors does not match"),
        ],
    ),
    Row(
        "half of the weights",
        lambda w: weights(w, lambda data: data[:-9]),
        "does not match.*" + CURE,
    ),
    Row("no tensors", lambda w: weights(w, lambda data: b""), "does not match"),
    *rows(
        "labels",
        trained,
        [
            ({"lines": "qa\ta.0\t1\nqa\tgone\t1\n"}, r"train\.tsv:3: unknown object 'gone'"),
            ({"split": "none"}, "split 'none' has no question with a relevant object"),
            ({"split": "test"}, "no split 'test'; its splits: none, train"),
            ({"source": "nowhere"}, "nowhere: no such folder"),
            ({"repeat": 0}, "repeat: 0 must be above 0 and at most 1000; train for more epochs"),
            ({"repeat": 1e30}, r"repeat: 1e\+30 must be above 0 and at most 1000"),
        ],
    ),
    Row(
        "a loss that is none",
        lambda w: trained(w, {"learning_rate": 1e30, "steps": 3}),
        "the loss is",
        GrapherError,
    ),
]


@each(TRAINING)
def test_bad_input_is_named_with_its_cure_and_costs_nothing(row, world):
    row.check(world)
