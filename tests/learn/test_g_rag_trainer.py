"""Training of G-RAG, on stories whose parts share a name."""

import json
import shutil
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from flax import nnx
from networks import random_network
from words import Words

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir, write_pair_graphs
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.learn.examples import prepare
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.systems.networks import find_network, load_weights, save_weights
from grapher_jax.training.config import GRagTraining, QueryGnnTraining, SetConfig, TrainConfig
from grapher_jax.training.g_rag import DocumentSettings, GRag, GRagConfig


@pytest.fixture(scope="module")
def stories(tmp_path_factory):
    """A question names a place's word; both texts that share its name are relevant."""
    folder = tmp_path_factory.mktemp("sets") / "stories"
    objects, queries, judged = [], [], {}
    for story in range(24):
        name, db = f"Place {story}", f"db{story % 12}"
        for part, word in (("near", f"word{story}"), ("far", f"other{story}")):
            metadata = {"entities": [name], "keywords": [f"{part} talk"], "db": db}
            objects.append(Object(f"{part}{story}", f"{word} told here", metadata=metadata))
        queries.append(Query(f"q{story}", f"who told word{story}", {"entities": [name]}))
        judged[f"q{story}"] = {f"near{story}": 1, f"far{story}": 1}
    write_beir(folder, objects, queries, {"train": judged})
    return folder


@pytest.fixture
def config(stories):
    return TrainConfig(
        sets=(SetConfig(source=str(stories), held_out=0.25),),
        g_rag=GRagTraining(
            model=GRagConfig(dimension=0, hidden=8, heads=2, dropout=0.1),
            graph=DocumentSettings(candidates=48),
        ),
        loss="hinge",
        k=5,
        watch_by="MRR",
        batch_size=8,
        steps=40,
        learning_rate=1e-2,
        evaluate_every=20,
        log_every=5,
    )


def changed(config, **model):
    own = config.g_rag
    return replace(config, g_rag=replace(own, model=replace(own.model, **model)))


def lines(folder):
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.nightly
def test_it_learns_and_ships_all_that_is_needed(config, run, tmp_path):
    out = tmp_path / "run"
    report = run(config, out)
    losses = [line["loss"] for line in lines(out) if "loss" in line]
    assert np.mean(losses[-2:]) < 0.6 * losses[0]
    watched = [line["watch"]["stories:train (held out)"] for line in lines(out) if "watch" in line]
    assert watched[-1]["MRR@5"]["all"] > watched[0]["MRR@5"]["all"] + 0.2
    best = max(watched, key=lambda found: found["MRR@5"]["all"])
    assert report["watch"]["stories:train (held out)"] == best
    weights = load_weights(out)
    assert weights.architecture == "g-rag"
    assert weights.graph == config.g_rag.graph
    assert weights.model.config == replace(config.g_rag.model, dimension=16)
    assert weights.embedder == "words"
    assert weights.record["training"]["loss"] == "hinge"


@pytest.mark.nightly
def test_other_layers_are_trained_and_read_back(config, run, tmp_path):
    out = tmp_path / "run"
    config = changed(config, layer="sage", layers=1, residual=False)
    run(replace(config, steps=2, evaluate_every=2), out)
    model = load_weights(out).model
    assert isinstance(model, GRag)
    assert model.config.layer == "sage"
    assert [line["step"] for line in lines(out) if "watch" in line] == [0, 2]


class StoppedError(Exception):
    pass


def stopped_after(steps):
    @contextmanager
    def progress(what, total=None):
        left = iter(range(steps if "training" in what else total or 1000))

        def report(done):
            for _ in range(done):
                if next(left, None) is None:
                    raise StoppedError

        yield report

    return progress


@pytest.mark.nightly
def test_a_run_that_was_stopped_ends_with_the_same_weights(config, run, tmp_path):
    config = replace(config, steps=12, evaluate_every=5)
    run(config, tmp_path / "whole")
    with pytest.raises(StoppedError):
        run(config, tmp_path / "stopped", progress=stopped_after(8))
    assert not (tmp_path / "stopped" / "weights").exists()
    run(config, tmp_path / "stopped")
    whole, stopped = (
        (tmp_path / name / "weights" / "weights.safetensors").read_bytes()
        for name in ("whole", "stopped")
    )
    assert whole == stopped
    assert load_weights(tmp_path / "whole").sha256 == load_weights(tmp_path / "stopped").sha256
    with pytest.raises(InputError, match=r"another configuration \(g_rag\)"):
        run(changed(config, hidden=16), tmp_path / "stopped")


@pytest.mark.nightly
def test_its_weights_rank_an_index_as_the_trainer_saw_it(config, run, stories, cache, tmp_path):
    out = tmp_path / "run"
    report = run(replace(config, steps=20), out)
    index = Index.from_source(stories, embedder=Words())
    reranker = Reranker(ranker=str(out))
    assert reranker.opened.parameters == {
        "weights": "run",
        "sha256": load_weights(out).sha256,
        "layer": "gcn",
        "max_df": 8,
        "paths": True,
    }
    judged = index.judgements("train")
    examples = prepare(
        config.sets[0], find_network("g-rag"), config.g_rag.graph, cache, embedder=Words()
    )
    held = [name for name, own in zip(examples.ids, examples.held_out(0.25), strict=True) if own]
    found = index.retrieve(
        [index.queries[name] for name in held], candidates=48, lexical_weight=0.0
    )
    with pytest.warns(GrapherWarning, match="run: entities and keywords stand in"):
        order = reranker.rank(index, found, k=5)
    reciprocal = []
    for name, rows, positions in zip(held, found.rows, order.positions, strict=True):
        ranked = [index.ids[row] for row in rows[positions]]
        ranks = [1 / (ranked.index(own) + 1) if own in ranked else 0 for own in judged[name]]
        reciprocal.append(np.mean(ranks))
    watched = report["watch"]["stories:train (held out)"]["MRR@5"]["all"]
    np.testing.assert_allclose(np.mean(reciprocal), watched, atol=1e-5)


def test_other_joint_graphs_are_other_examples(config, stories, cache, tmp_path):
    folder = shutil.copytree(stories, tmp_path / "stories")

    def read():
        chosen = SetConfig(source=str(folder))
        return prepare(chosen, find_network("g-rag"), config.g_rag.graph, cache, embedder=Words())

    before = read()
    assert before.digest == read().digest
    write_pair_graphs(folder, {("q0", "near0"): "(q / question :topic (m / moth))"})
    after = read()
    assert after.digest != before.digest
    changed = (after.graphs["concepts"] != before.graphs["concepts"]).any((1, 2))
    assert changed[before.ids.index("q0")]


def test_another_embedders_index_is_refused(embedder, tmp_path):
    model = random_network(lambda: GRag(GRagConfig(dimension=16, hidden=8), nnx.Rngs(0)))
    save_weights(tmp_path / "own", model, embedder="words", record={})
    assert load_weights(tmp_path / "own").graph == DocumentSettings()
    index = Index.build([Object("a", "x"), Object("b", "y")], embedder=embedder)
    reranker = Reranker(ranker=str(tmp_path / "own"))
    with pytest.raises(InputError, match="was trained on embeddings of 'words'"):
        reranker.rank(index, index.retrieve(["x"]), k=2)


def test_a_configuration_survives_json(config):
    read = TrainConfig.from_json(json.loads(json.dumps(config.to_json())))
    assert read == config
    assert read.own is read.g_rag
    assert isinstance(read.g_rag.graph, DocumentSettings)
    assert read.with_dimension(7).g_rag.model.dimension == 7
    assert TrainConfig.from_json({"sets": [{"source": "x"}], "g_rag": {}}).g_rag == GRagTraining()


@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        ({"g_rag": {}, "edge_dropout": 0.5}, "edge_dropout: of GraphER's ranker"),
        ({"g_rag": {}, "score_noise": 0.5}, "score_noise: of GraphER's ranker"),
        ({"g_rag": {}, "model": {"layers": 3}}, "model: of GraphER's ranker"),
        ({"g_rag": {}, "query_gnn": {}}, "g_rag: query_gnn is given too"),
        ({"g_rag": {"model": {"depth": 3}}}, r"config\.g_rag\.model: 'depth' is unknown"),
        ({"grag": {}}, "config: 'grag' is unknown"),
        ({"g_rag": 3}, r"config\.g_rag: object is needed, not 3"),
        ({"g_rag": {}, "watch_by": "MAP"}, "watch_by: 'MAP' is unknown; use PR, R, MRR"),
    ],
)
def test_settings_that_do_not_go_together(part, complaint):
    with pytest.raises(InputError, match=complaint):
        TrainConfig.from_json({"sets": [{"source": "x"}], **part})


def test_both_networks_at_once_are_refused(config):
    with pytest.raises(InputError, match="train one network at a time"):
        replace(config, query_gnn=QueryGnnTraining())
