"""Training that begins with trained weights."""

import json
from dataclasses import replace

import numpy as np
import pytest

from grapher_jax.errors import InputError
from grapher_jax.systems.networks import load_weights
from grapher_jax.training.config import SetConfig, TrainConfig
from grapher_jax.training.gat import GatConfig
from grapher_jax.training.weights import SHIPPED_FOLDER


@pytest.fixture
def tables(school):
    return TrainConfig(
        sets=(SetConfig(source=str(school), held_out=0.2),),
        start="gat-tables",
        batch_size=8,
        steps=2,
        learning_rate=1e-9,
    )


def same(one, other, rtol=1e-5):
    return all(np.allclose(one.tensors[name], other.tensors[name], rtol) for name in other.tensors)


@pytest.mark.nightly
def test_training_begins_with_the_included_weights_and_keeps_their_model(tables, run, tmp_path):
    run(tables, tmp_path / "run")
    begun, found = load_weights(SHIPPED_FOLDER / "gat-tables"), load_weights(tmp_path / "run")
    assert same(found, begun, rtol=1e-4)
    # Neither reads the axes of embeddings, so the embedder may have any dimension.
    assert found.design.shape == replace(begun.design.shape, dimension=16)
    assert found.graph == begun.graph
    recorded = json.loads((tmp_path / "run" / "config.json").read_text())["config"]
    assert recorded["start"] == "gat-tables"
    assert TrainConfig.from_json(recorded).model == found.design.shape


@pytest.mark.nightly
def test_weights_that_only_get_worse_are_those_that_training_began_with(tables, run, tmp_path):
    report = run(
        replace(tables, learning_rate=100.0, clip=1e6, steps=8, evaluate_every=2, patience=2),
        tmp_path / "run",
    )
    assert (report["best_step"], report["steps"], report["stopped_early"]) == (0, 4, True)
    assert same(load_weights(tmp_path / "run"), load_weights(SHIPPED_FOLDER / "gat-tables"))


@pytest.mark.nightly
def test_training_begins_with_a_folder_and_resumes(config, run, tmp_path):
    run(replace(config, epochs=1), tmp_path / "first")
    (source,) = config.sets
    more = replace(
        config,
        sets=(replace(source, held_out=0.0),),
        model=GatConfig(dimension=0),
        start=str(tmp_path / "first"),
        steps=3,
    )
    report = run(more, tmp_path / "second")
    assert run(more, tmp_path / "second") == report
    first, second = (load_weights(tmp_path / own) for own in ("first", "second"))
    assert second.design.shape == first.design.shape
    assert not same(second, first)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"start": "gat-table"}, "start: 'gat-table' is unknown; use gat-tables, gat, or a folder"),
        (
            {"start": str(SHIPPED_FOLDER / "g-rag")},
            "kind: 'g-rag' is unknown; this version reads gat",
        ),
        (
            {"model": GatConfig(dimension=0, layers=2)},
            "model: training begins with 'gat-tables', which has its own; leave it out",
        ),
    ],
)
def test_a_start_that_does_not_fit_is_named(tables, run, tmp_path, changes, complaint):
    with pytest.raises(InputError, match=complaint):
        run(replace(tables, **changes), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_other_networks_begin_with_random_weights(school):
    given = {"sets": [{"source": str(school)}], "start": "gat", "g_rag": {}}
    with pytest.raises(InputError, match="start: of GraphER's ranker; g_rag has its own settings"):
        TrainConfig.from_json(given)
