"""Both stages of query-aware GNN retrieval, on meetings of six chunks."""

import json
from contextlib import contextmanager
from dataclasses import replace

import jax
import numpy as np
import pytest
from flax import nnx
from words import Words

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir
from grapher_jax.errors import InputError
from grapher_jax.learn.examples import prepare
from grapher_jax.systems.networks import find_network, load_weights
from grapher_jax.training.batches import watch_batches
from grapher_jax.training.config import QueryGnnTraining, SetConfig, TrainConfig
from grapher_jax.training.ego_graphs import EgoSettings
from grapher_jax.training.examples import Pool
from grapher_jax.training.query_gnn import QueryGnnConfig
from grapher_jax.training.query_gnn_stages import Reader


@pytest.fixture(scope="module")
def meetings(tmp_path_factory):
    """A question names a chunk's word; that chunk and the next one are relevant."""
    folder = tmp_path_factory.mktemp("sets") / "meetings"
    objects, queries, judged = [], [], {}
    for meeting in range(10):
        for chunk in range(6):
            name = f"m{meeting}.{chunk}"
            document = {"document_id": f"m{meeting}", "chunk_id": chunk}
            objects.append(
                Object(name, f"word{6 * meeting + chunk} talk{meeting}", metadata=document)
            )
        for chunk in range(5):
            name = f"q{meeting}.{chunk}"
            queries.append(Query(name, f"who said word{6 * meeting + chunk}"))
            judged[name] = {f"m{meeting}.{chunk}": 1, f"m{meeting}.{chunk + 1}": 1}
    write_beir(folder, objects, queries, {"train": judged})
    return folder


@pytest.fixture
def config(meetings):
    return TrainConfig(
        sets=(SetConfig(source=str(meetings), held_out=0.2),),
        query_gnn=QueryGnnTraining(
            model=QueryGnnConfig(
                dimension=0, layers=1, heads=2, width=8, fusion=(16, 16), dropout=0.1
            ),
            graph=EgoSettings(candidates=30, threshold=-1.0, size=4),
            sampled=8,
            reconstruction_steps=6,
        ),
        loss="triplet",
        k=5,
        watch_by="R",
        batch_size=8,
        steps=60,
        learning_rate=5e-3,
        evaluate_every=10,
        log_every=5,
    )


def lines(folder):
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("sampled", [1, 3, 8])
def test_a_step_has_a_relevant_candidate_of_each_question(config, tmp_path, sampled):
    settings = replace(config.query_gnn, sampled=sampled)
    examples = prepare(
        config.sets[0], find_network("query-gnn"), settings.graph, tmp_path, embedder=Words()
    )
    pool = Pool(examples, examples.learnable)
    (picks,) = watch_batches(pool, len(pool.questions))
    reader = Reader(settings.graph, config.seed, [examples])
    batch = reader.sampled(None, sampled, [pool], picks, len(pool.questions))
    assert batch.relevant.shape[1] == sampled
    assert batch.relevant.any(1).all()


@pytest.mark.nightly
def test_it_learns_and_ships_all_that_is_needed(config, run, tmp_path):
    out = tmp_path / "run"
    report = run(config, out)
    losses = [line["loss"] for line in lines(out) if "loss" in line]
    assert np.mean(losses[-3:]) < 0.8 * np.mean(losses[:3])
    watched = [line["watch"] for line in lines(out) if "watch" in line]
    assert report["watch"] == max(
        watched[1:], key=lambda w: w["meetings:train (held out)"]["R@5"]["multi"]
    )
    assert [line["step"] for line in lines(out / "encoder")][-1] == 6
    weights = load_weights(out)
    assert weights.architecture == "query-gnn"
    assert weights.graph == replace(config.query_gnn.graph, fusion=tuple(report["fusion"]))
    assert weights.model.config.dimension == 16
    assert np.isfinite(report["fusion"]).all()


@pytest.mark.nightly
@pytest.mark.parametrize("frozen", [True, False])
def test_the_encoder_is_trained_on_unless_it_is_frozen(config, run, tmp_path, frozen):
    own = replace(config.query_gnn, frozen=frozen)
    weights = []
    for steps in (1, 20):
        out = tmp_path / str(steps)
        run(replace(config, query_gnn=own, steps=steps, evaluate_every=steps), out)
        network = load_weights(out).model
        weights.append([nnx.to_pure_dict(nnx.state(x)) for x in (network.encoder, network.scorer)])
    same = [trees_equal(*pair) for pair in zip(*weights, strict=True)]
    assert same == [frozen, False]


def trees_equal(one, other):
    return all(map(np.array_equal, jax.tree.leaves(one), jax.tree.leaves(other)))


class StoppedError(Exception):
    pass


def stopped_after(steps):
    @contextmanager
    def progress(what, total=None):
        left = iter(range(steps if "scorer" in what else total or 1000))

        def report(done):
            for _ in range(done):
                if next(left, None) is None:
                    raise StoppedError

        yield report

    return progress


@pytest.mark.nightly
def test_a_run_that_was_stopped_ends_with_the_same_weights(config, run, tmp_path):
    config = replace(config, steps=20)
    run(config, tmp_path / "whole")
    with pytest.raises(StoppedError):
        run(config, tmp_path / "stopped", progress=stopped_after(15))
    run(config, tmp_path / "stopped")
    whole, stopped = (
        (tmp_path / name / "weights" / "weights.safetensors").read_bytes()
        for name in ("whole", "stopped")
    )
    assert whole == stopped
    assert load_weights(tmp_path / "whole").graph == load_weights(tmp_path / "stopped").graph


@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        ({"sampled": 0}, r"query_gnn\.sampled: 0 must be at least 1"),
        ({"model": {"width": 10, "heads": 4}}, r"model\.width: 10 is not a multiple of 4 heads"),
        ({"model": {"fusion": []}}, r"model\.fusion: 0 must be at least 4"),
        ({"model": {"layers": 0, "fusion": [2]}}, r"model\.fusion: 2 must be at least 4"),
        (
            {"model": {"layers": 0, "fusion": [], "similarities": False}},
            r"model\.similarities: without layers",
        ),
        ({"model": {"dropout": 1.0}}, r"model\.dropout: 1\.0 is outside"),
        ({"graph": {"size": 0}}, r"graph\.size: 0 must be at least 1"),
        ({"graph": {"fusion": [1.0]}}, r"graph\.fusion: \[1\.0\] must be 4 finite numbers"),
        ({"relations": ["family"]}, r"'relations' is unknown; use model, graph"),
    ],
)
def test_settings_that_cannot_be_used(part, complaint):
    with pytest.raises(InputError, match=complaint):
        TrainConfig.from_json({"sets": [{"source": "x"}], "query_gnn": part})
    with pytest.raises(InputError, match="watch_by: 'MAP' is unknown; use PR, R"):
        TrainConfig(sets=(SetConfig(source="x"),), watch_by="MAP")


@pytest.mark.parametrize("ignored", [{"edge_dropout": 0.5}, {"model": {"dropout": 0.3}}])
def test_settings_of_the_other_ranker_are_refused(ignored):
    with pytest.raises(InputError, match=f"{next(iter(ignored))}: of GraphER's ranker"):
        TrainConfig.from_json({"sets": [{"source": "x"}], "query_gnn": {}, **ignored})


@pytest.mark.parametrize("similarities", [True, False])
def test_a_configuration_survives_json(config, similarities):
    own = replace(
        config.query_gnn,
        model=replace(config.query_gnn.model, similarities=similarities),
        frozen=similarities,
    )
    config = replace(config, query_gnn=own)
    assert TrainConfig.from_json(config.to_json()) == config
    # A run that was begun before there was a choice goes on.
    written = config.to_json()["query_gnn"]
    assert ("similarities" in written["model"]) == ("frozen" in written) != similarities


@pytest.mark.nightly
@pytest.mark.parametrize("fusion", [(), (8, 4)])
def test_without_layers_there_is_no_first_stage(config, run, fusion, tmp_path):
    own = replace(config.query_gnn, model=replace(config.query_gnn.model, layers=0, fusion=fusion))
    run(replace(config, query_gnn=own, steps=20), tmp_path / "run")
    assert not (tmp_path / "run" / "encoder").exists()
    losses = [line["loss"] for line in lines(tmp_path / "run") if "loss" in line]
    assert losses[-1] < losses[0]
    assert load_weights(tmp_path / "run").model.config.layers == 0


@pytest.mark.nightly
def test_objects_that_nothing_joins_have_no_pairs_to_learn_from(config, run, tmp_path):
    objects = [Object(f"o{number}", f"word{number}") for number in range(20)]
    queries = [Query(f"q{number}", f"who said word{number}") for number in range(20)]
    judged = {f"q{number}": {f"o{number}": 1} for number in range(20)}
    write_beir(tmp_path / "set", objects, queries, {"train": judged})
    own = replace(config.query_gnn, reconstruction_steps=2)
    source = replace(config.sets[0], source=str(tmp_path / "set"))
    run(replace(config, sets=(source,), query_gnn=own, steps=2), tmp_path / "run")
    assert all(np.isfinite(line["loss"]) for line in lines(tmp_path / "run") if "loss" in line)
