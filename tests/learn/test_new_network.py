"""A network of one's own: its file, its row, and it is trained, kept, loaded and ranks."""

import json
from dataclasses import asdict, dataclass, replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx
from words import Words

from grapher_jax import kernels
from grapher_jax.errors import InputError
from grapher_jax.learn.choose import choose
from grapher_jax.rankers.networks import NetworkRanker
from grapher_jax.rankers.protocol import Needs
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.systems.network import Network
from grapher_jax.systems.networks import NETWORKS, architectures, load_weights
from grapher_jax.training.architecture import Architecture, check_range
from grapher_jax.training.batches import LabelledBatch
from grapher_jax.training.config import NetworkTraining, TrainConfig
from grapher_jax.training.gat import GatConfig
from grapher_jax.training.run import Task
from grapher_jax.training.trainer import train_task


@dataclass(frozen=True, kw_only=True)
class LengthConfig:
    dimension: int
    slopes: int = 2


@dataclass(frozen=True, kw_only=True)
class LengthSettings:
    candidates: int = 20


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class LengthBatch:
    scores: jax.Array
    lengths: jax.Array
    mask: jax.Array


class Lengths(nnx.Module):
    """The retriever's score, and how long a text is."""

    def __init__(self, config, rngs):
        self.config = config
        self.slopes = nnx.Param(jnp.zeros(config.slopes).at[0].set(1.0))

    def __call__(self, batch, *, key=None):
        return jnp.stack([batch.scores, batch.lengths], -1) @ self.slopes[...]


def check_lengths(model, graph):
    check_range("network.graph.candidates", graph.candidates, 1)


def lengths_of(collection, rows):
    counts = np.array([len(item.text.split()) for item in collection.objects], np.float32)
    return np.where(rows < 0, 0, counts[rows])


class LengthRanker(NetworkRanker[LengthSettings]):
    candidates_at_once = 1 << 10

    @property
    def needs(self):
        return Needs(embedder=self.embedder, dimension=self.config.dimension)

    @property
    def parameters(self):
        return self.told("candidates")

    def prepare(self, collection, proximities):
        return PreparedLengths(self, collection)


@dataclass(frozen=True)
class PreparedLengths:
    ranker: LengthRanker
    collection: Index

    @property
    def parameters(self):
        return self.ranker.parameters

    def rank(self, candidates, k):
        rows = candidates.rows
        batch = LengthBatch(candidates.scores, lengths_of(self.collection, rows), rows >= 0)
        scores = self.ranker.design.build(self.ranker.tensors)(batch)
        return self.ranker.checked(kernels.top_k(scores, k, mask=batch.mask), candidates)

    def explain(self, candidates, positions, scores):
        return []


def gather(pools, picks, size):
    """Questions of one set, padded to a batch."""
    examples, own = pools[int(picks.sets[0])].examples, picks.questions
    shape = (size, picks.candidates)

    def padded(values, fill):
        array = np.full(shape, fill, values.dtype)
        width = min(shape[1], values.shape[1])
        array[: len(own), :width] = values[own, :width]
        return array

    counts = np.zeros(size, np.int32)
    counts[: len(own)] = examples.counts[own]
    batch = LengthBatch(
        padded(examples.scores, 0),
        padded(examples.graphs["lengths"], 0),
        padded(examples.rows, -1) >= 0,
    )
    return LabelledBatch(batch, padded(examples.relevant, False), counts)


def write_lengths(folder, collection, candidates, settings, report):
    np.save(folder / "lengths.npy", lengths_of(collection, candidates.rows))
    report(len(candidates))


def train_lengths(config, data, out, devices, progress):
    network = Lengths(config.own.model, nnx.Rngs(config.seed))
    task = Task(network, gather, gather, apart=True)
    return train_task(task, config, data, out, devices=devices, progress=progress)


NETWORK = Network(
    architecture=Architecture("lengths", Lengths, LengthConfig, LengthSettings, check_lengths),
    graphs=("lengths",),
    make_ranker=LengthRanker.from_weights,
    retrieving=lambda settings: {"candidates": settings.candidates, "lexical_weight": 0.0},
    decisive=asdict,
    write_graphs=write_lengths,
    train=train_lengths,
)


@pytest.fixture
def row(monkeypatch):
    """The table, with one row more."""
    monkeypatch.setitem(NETWORKS, "lengths", __name__)


@pytest.fixture
def own(config):
    """GraphER's settings put aside."""
    network = NetworkTraining(
        name="lengths", model=LengthConfig(dimension=0), graph=LengthSettings()
    )
    plain = {"model": GatConfig(dimension=0), "edge_dropout": 0.0, "score_noise": 0.0}
    return replace(config, **plain, network=network, steps=6, evaluate_every=2)


@pytest.mark.nightly
def test_it_is_trained_kept_and_ranks(row, own, run, school, tmp_path):
    report = run(own, tmp_path / "run")
    assert (report["steps"], len(report["questions"])) == (6, 1)
    assert run(own, tmp_path / "run") == report
    weights = load_weights(tmp_path / "run")
    assert (weights.architecture, weights.graph) == ("lengths", LengthSettings())
    assert weights.model.config == LengthConfig(dimension=16)
    assert np.abs(weights.model.slopes[...] - jnp.array([1.0, 0.0])).max() > 0
    index = Index.from_source(school, embedder=Words())
    found = index.retrieve(["which thing9 word2 there"], candidates=20, lexical_weight=0.0)
    order = Reranker(ranker=str(tmp_path / "run")).rank(index, found, k=3)
    slopes = np.asarray(weights.model.slopes[...])
    scores = slopes[0] * found.scores[0] + slopes[1] * lengths_of(index, found.rows)[0]
    np.testing.assert_allclose(order.scores[0], np.sort(scores)[:-4:-1], rtol=1e-5)


@pytest.mark.nightly
def test_its_settings_are_chosen_and_survive_json(row, own, cache, tmp_path):
    assert TrainConfig.from_json(own.to_json(), architectures=architectures()) == own
    settings = {"network.graph.candidates": [5, 20]}
    found = choose(own, tmp_path / "run", settings=settings, cache=cache, embedder=Words())
    assert [len(trial["settings"]) for trial in found["choice"]["trials"]] == [1, 1]
    recorded = json.loads((tmp_path / "run" / "final" / "config.json").read_text())
    assert recorded["config"]["network"]["name"] == "lengths"
    with pytest.raises(InputError, match=r"choose\.network\.graph: 'candidate' is unknown; use "):
        choose(own, tmp_path / "other", settings={"network.graph.candidate": [5]}, cache=cache)
    with pytest.raises(InputError, match=r"network\.graph\.candidates: 0 must be at least 1"):
        choose(own, tmp_path / "other", settings={"network.graph.candidates": [0]}, cache=cache)


def test_an_unknown_one_is_named(own, run, config, tmp_path):
    known = "is unknown; add it to `NETWORKS`"
    with pytest.raises(InputError, match=f"network.name: 'lengths' {known}"):
        run(own, tmp_path / "run")
    with pytest.raises(InputError, match=rf"config\.network\.name: 'lengths' {known}"):
        TrainConfig.from_json(own.to_json(), architectures=architectures())
    with pytest.raises(InputError, match=r"config\.network: 'name' is missing"):
        TrainConfig.from_json({"sets": [{"source": "x"}], "network": {}})
    named = {"name": "g-rag", "model": {"hidden": 8}}
    with pytest.raises(InputError, match=r"network\.name: 'g-rag' has settings .* give `g_rag`"):
        TrainConfig.from_json(
            {"sets": [{"source": "x"}], "network": named}, architectures=architectures()
        )
    with pytest.raises(InputError, match="edge_dropout: of GraphER's ranker"):
        replace(config, network=own.network, model=GatConfig(dimension=0))
    assert "network" not in config.to_json()
