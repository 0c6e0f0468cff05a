"""A made-up corpus: ten databases of six tables, questions about two joined ones."""

import sys
from pathlib import Path

import jax
import numpy as np
import pytest

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir
from grapher_jax.learn.examples import prepare
from grapher_jax.learn.trainer import train
from grapher_jax.systems.networks import find_network
from grapher_jax.training.config import SetConfig, TrainConfig
from grapher_jax.training.examples import Pool
from grapher_jax.training.gat import GatConfig

sys.path.append(str(Path(__file__).parent))

from words import Words


@pytest.fixture(autouse=True, scope="session")
def started():
    """JAX with the devices it has by default: `train` cannot change them for other tests."""
    return jax.devices()


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    """A BEIR folder."""
    folder = tmp_path_factory.mktemp("sets") / "school"
    objects, queries, judged = [], [], {}
    for db in range(10):
        for table in range(6):
            key = [f"db{db}.t{(table + 1) % 6}"]
            objects.append(
                Object(
                    f"db{db}.t{table}",
                    f"base{db} word{table} thing{7 * db + table}",
                    metadata={"db": f"db{db}", "foreign_keys": key},
                )
            )
        for table in range(5):
            name = f"q{db}.{table}"
            queries.append(Query(name, f"which thing{7 * db + table} word{table} there"))
            judged[name] = {f"db{db}.t{table}": 1, f"db{db}.t{table + 1}": 1}
    judged["q0.0"] = {"db0.t0": 0}
    write_beir(folder, objects, queries, {"train": judged, "none": {"q0.0": {"db0.t0": 0}}})
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def config(school):
    return TrainConfig(
        sets=(SetConfig(source=str(school), held_out=0.2),),
        model=GatConfig(dimension=0, layers=1, heads=2, channels=8, dropout=0.0),
        batch_size=8,
        epochs=5,
        evaluate_every=10,
        log_every=2,
        edge_dropout=0.1,
        score_noise=0.1,
    )


@pytest.fixture(scope="module")
def run(cache):
    def run(config, out, **options):
        return train(config, out, **{"cache": cache, "embedder": Words()} | options)

    return run


@pytest.fixture
def pools(config, school, cache):
    examples = prepare(config.sets[0], find_network("gat"), config.graph, cache, embedder=Words())
    held = examples.held_out(0.2)
    return [
        Pool(examples, np.flatnonzero(~held), 1.5),
        Pool(examples, np.flatnonzero(held)),
    ]
