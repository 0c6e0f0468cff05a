"""The recipe of a cross-encoder, and what measures one, on a handful of pairs."""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "bench"))

import cross_encoder as measuring

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir
from grapher_jax.evaluation import evaluate
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve.cross_encoder import CrossEncoder

WORDS = ("bridge", "cost", "river", "engineer", "lunch", "soup", "school")


@pytest.fixture(scope="module")
def pairs_of_words(tmp_path_factory):
    """Objects of two words each; a question names one of the words, and all that have it answer."""
    texts = {f"{one}-{other}": f"the {one} {other}" for one, other in combinations(WORDS, 2)}
    objects = [
        Object(name, text, metadata={"entities": name.split("-"), "keywords": name.split("-")})
        for name, text in texts.items()
    ]
    judged = {word: {name: 1 for name in texts if word in name.split("-")} for word in WORDS}
    folder = tmp_path_factory.mktemp("words") / "words"
    queries = [Query(word, f"what {word}") for word in WORDS]
    write_beir(folder, objects, queries, {"train": judged, "dev": judged})
    return folder


@pytest.fixture
def recipe():
    """It loads PyTorch, which no worker needs to find the tests."""
    pytest.importorskip("sentence_transformers")
    import train_cross_encoder

    return train_cross_encoder


@pytest.fixture
def quick(monkeypatch, recipe):
    monkeypatch.setattr(recipe, "HELD_OUT", 1)
    monkeypatch.setattr(recipe, "RATE", 1e-2)
    monkeypatch.setattr(recipe, "WARMUP", 5)


@pytest.mark.nightly
def test_it_learns_what_answers(quick, recipe, pairs_of_words, cross_encoder, tmp_path, capsys):
    out = tmp_path / "trained"
    given = [str(pairs_of_words), "--out", str(out), "--start", cross_encoder]
    recipe.main([*given, "--layers", "1", "--epochs", "40"])
    told = capsys.readouterr().out
    assert "loss" in told
    assert "RR of 1 held out by the retriever" in told
    texts = ("the bridge cost", "the soup school", "the river bridge", "the engineer lunch")
    scores = CrossEncoder(str(out)).logits([("what bridge", text) for text in texts])
    assert scores[[0, 2]].min() > scores[[1, 3]].max()
    with pytest.raises(SystemExit):
        recipe.main([*given, "--layers", "1"])
    assert "is there already; give another folder" in capsys.readouterr().err


@pytest.mark.nightly
def test_without_questions_to_learn_from_it_says_so(
    recipe, pairs_of_words, cross_encoder, tmp_path
):
    given = [str(pairs_of_words), "--out", str(tmp_path / "trained"), "--start", cross_encoder]
    with pytest.raises(SystemExit):
        recipe.main([*given, "--layers", "1"])
    assert not (tmp_path / "trained").exists()


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore:.*no cross-encoder")
def test_the_page_has_what_evaluate_finds(pairs_of_words, cross_encoder, tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "RANKERS", {"base": "", "gcs": " + GCS"})
    out, named = tmp_path / "page.md", f"{pairs_of_words}:dev"
    measuring.main([cross_encoder, named, "--keywords", named, "--out", str(out)])
    rows = {
        cells[1].strip(): [cell.strip(" *") for cell in cells[2:-1]]
        for line in out.read_text().splitlines()
        if len(cells := line.split("|")) > 2
    }
    rerankers = [Reranker(ranker=name, base=cross_encoder) for name in ("base", "gcs")]
    report = evaluate(pairs_of_words, "dev", rerankers)
    for name, row in zip(("cross-encoder + GCS",), report.results[1:], strict=True):
        expected = [f"{100 * row.metrics[metric].all:.1f}" for metric in measuring.METRICS]
        assert rows[name][:-1] == expected
    gain = report.results[1].versus
    low, high = (100 * end for end in gain.intervals["nDCG@10"].all)
    assert rows["cross-encoder + GCS − cross-encoder"][1].endswith(f"[{low:+.1f}, {high:+.1f}]")
    assert {"dense search", "graph", "both"} < rows.keys()
    assert np.isfinite(float(rows["both"][0]))
