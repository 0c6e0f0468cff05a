"""The page of networks over seeds has the figures of `evaluate`, averaged before they are paired."""

import sys
from pathlib import Path

import jax
import numpy as np
import pytest
from flax import nnx

import grapher_jax
from grapher_jax.demo import sample_folder, sample_tables
from grapher_jax.evaluation import evaluate
from grapher_jax.files import parse_json
from grapher_jax.search import Index
from grapher_jax.systems.networks import save_weights
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.gat import Gat, GatConfig

sys.path.append(str(Path(__file__).parents[2] / "docs" / "tools"))

import seeds_page
from seeds_page import NETWORKS, RECIPES, _row, main, page

EMBEDDINGS = ("question", "object")


def test_every_network_has_a_recipe_that_learns_from_tables_alone():
    recipes = Path(grapher_jax.__file__).parents[1] / RECIPES
    read = {}
    for name in NETWORKS:
        config = TrainConfig.from_json(
            parse_json((recipes / f"{name}.json").read_text(encoding="utf-8"))
        )
        assert [own.name for own in config.sets] == ["bird:train", "spider:train"]
        read[name] = (config.model.inputs, config.model.messages)
    assert read == {
        "paper-gat": (("smoothed", *EMBEDDINGS), True),
        "paper-scalars": (("scalars",), True),
        "paper-scalars-embeddings": (("scalars", *EMBEDDINGS), True),
        "paper-mlp": (("smoothed", *EMBEDDINGS), False),
        "paper-mlp-no-graph": (("score", *EMBEDDINGS), False),
    }


@pytest.mark.nightly
@pytest.mark.parametrize(("fewest", "over"), [(1, "multi"), (50, "all")])
def test_a_row_has_the_mean_of_the_figures_of_evaluate(
    embedder, tmp_path, monkeypatch, fewest, over
):
    index = Index.build(sample_tables(), embedder=embedder, folder=sample_folder())
    index.save(tmp_path / "shop.index")
    monkeypatch.setattr(seeds_page, "NETWORKS", {"small": "GAT"})
    monkeypatch.setattr(seeds_page, "SEEDS", (0, 1))
    monkeypatch.setattr(seeds_page, "FEWEST", fewest)
    folders = [tmp_path / "runs" / f"small-{seed}" for seed in (0, 1)]
    for seed, folder in enumerate(folders):
        network = Gat(GatConfig(dimension=384, inputs=EMBEDDINGS, layers=1), nnx.Rngs(seed))
        # Of an untrained network, all scores are 0.
        network.score.kernel[...] = jax.random.normal(jax.random.key(seed), (128, 1))
        save_weights(folder, network, embedder="offline", record={})
    out = tmp_path / "seeds.md"
    main([str(tmp_path), str(tmp_path / "runs"), "--sets", "shop:test", "--out", str(out)])
    table = [
        [cell.strip() for cell in line.split("|")[2:]]
        for line in out.read_text().splitlines()
        if line.startswith("|")
    ]
    header, _, base, gcs, learned = table
    report = evaluate(index, "test", ["base", "gcs", *map(str, folders)]).to_dict()
    found = [
        [100 * result["metrics"][name][over] for name in ("PR@5", "PR@10")]
        for result in report["results"]
    ]
    assert found[2] != found[3]
    assert header[1:5] == ["PR@5", "PR@10", "PR@5 − GCS", "PR@10 − GCS"]
    assert base[1:3] == [f"{value:.1f}" for value in found[0]]
    assert gcs[:3] == ["GCS", *(f"{value:.1f}" for value in found[1])]
    for place, values in enumerate(zip(*found[2:], strict=True)):
        shown = f"{np.mean(values):.1f} ({min(values):.1f} to {max(values):.1f})"
        assert learned[1 + place] == shown
        gain = f"{np.mean(values) - found[1][place]:+.1f} [".replace("-", "−")
        assert learned[3 + place].strip("*").startswith(gain)


def test_seeds_are_averaged_by_question_before_the_bootstrap():
    # Each question is won by one seed of two, so no resample of questions changes the mean.
    seeds = np.array([[[1.0], [0.0]], [[0.0], [1.0]]])
    row = _row("GAT", seeds, np.zeros((2, 1)))
    assert row == ("GAT", "50.0 (50.0 to 50.0)", "**+50.0 [+50.0,\u00a0+50.0]**")


def test_the_page_trains_what_it_shows():
    assert f"for recipe in {' '.join(NETWORKS)}; do" in page([])
