"""Settings of GraphER's ranker: which there are, and how JSON has them."""

import json
from dataclasses import replace

import pytest

from grapher_jax.errors import InputError
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.reading import read_config


def test_settings_that_cannot_be_used(config, run, tmp_path):
    for change, message in {
        ("loss", "l2"): "loss: 'l2' is unknown",
        ("batch_size", 0): "batch_size: 0 must be at least 1",
        ("edge_dropout", 1.0): "edge_dropout: 1.0 is outside",
        ("average", 1.0): "average: 1.0 is outside",
        ("patience", -1): "patience: -1 must be at least 0",
        ("steps", 0): "steps: 0 must be at least 1",
        ("sets", ()): "sets: nothing to learn from",
    }.items():
        with pytest.raises(InputError, match=message):
            replace(config, **dict([change]))
    for part, change, message in (
        ("model", {"dropout": 1.5}, r"model\.dropout: 1\.5 is outside \[0, 1\)"),
        ("model", {"dropout": float("nan")}, r"model\.dropout: nan is outside"),
        ("model", {"inputs": ()}, r"model\.inputs: there are none; use scalars"),
        ("model", {"inputs": ("smell",)}, r"model\.inputs: 'smell' is unknown; use scalars"),
        ("model", {"dimension": -1}, r"model\.dimension: -1 must be at least 0"),
        ("model", {"layers": 0}, r"model\.layers: 0 must be at least 1"),
        ("model", {"heads": 0}, r"model\.heads: 0 must be at least 1"),
        ("model", {"channels": -2}, r"model\.channels: -2 must be at least 1"),
        ("graph", {"alpha": 0.0}, r"graph\.alpha: 0\.0 is outside \(0, 1\]"),
        ("graph", {"max_df": 0}, r"graph\.max_df: 0 must be at least 1"),
        ("graph", {"neighbors": 0}, r"graph\.neighbors: 0 must be at least 1"),
    ):
        with pytest.raises(InputError, match=message):
            replace(config, **{part: replace(getattr(config, part), **change)})
    wide = replace(config, model=replace(config.model, dimension=8))
    with pytest.raises(InputError, match=r"model.dimension: 8, but 'words' gives 16"):
        run(wide, tmp_path / "run")


def test_a_configuration_survives_json(config, tmp_path):
    assert TrainConfig.from_json(json.loads(json.dumps(config.to_json()))) == config
    for values, message in (
        ({"sets": [{"source": 3}]}, r"sets\[0\].source: str is needed, not 3"),
        ({"sets": [{"split": "x"}]}, r"sets\[0\]: 'source' is missing"),
        ({"sets": [], "speed": 1}, "'speed' is unknown; use sets"),
        ({"epochs": 1.5}, "epochs: int is needed, not 1.5"),
        ({"seed": 2**31}, r"seed: 2147483648 must be an integer below 2\*\*31"),
        ({"clip": 1e39}, r"clip: 1e\+39 must be a finite number that float32 holds"),
        ({"model": {"depth": 3}}, "model: 'depth' is unknown"),
        ({"graph": {"max_df": "all"}}, "graph.max_df: int is needed"),
        ({"graph": []}, r"config\.graph: object is needed, not \[\]"),
        ({"model": None}, r"config\.model: object is needed, not None"),
        ({"model": [3]}, r"config\.model: object is needed, not \[3\]"),
        ({"sets": None}, r"config\.sets: list is needed, not None"),
        ({"sets": [None]}, r"config\.sets\[0\]: object is needed, not None"),
        ({"clip": 10**400}, r"config\.clip: 1000.* must be a finite number"),
    ):
        with pytest.raises(InputError, match=message):
            TrainConfig.from_json(values)
    assert (
        TrainConfig.from_json({"sets": [], "graph": {"max_df": None}} | SETS).graph.max_df is None
    )
    broken = tmp_path / "c.json"
    for text, message in (
        ("{", "malformed JSON"),
        ("[]", "a JSON object is needed, not list"),
        ('{"config": null}', "a JSON object is needed, not NoneType"),
    ):
        broken.write_text(text)
        with pytest.raises(InputError, match=message):
            read_config(broken)


SETS = {"sets": [{"source": "somewhere", "repeat": 2}]}
