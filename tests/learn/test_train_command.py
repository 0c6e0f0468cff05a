import json
from pathlib import Path

import pytest

from grapher_jax.search import Index

# The programs of the test of --choose.
SMALL = {
    "model": {"layers": 1, "heads": 1, "channels": 4, "messages": False},
    "evaluate_every": 2,
}


# The shop has no other split.
@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore:watch. .* are learned from too")
def test_a_run_is_trained_reported_and_begun_again_from_its_configuration(grapher, beir):
    Path("small.json").write_text(json.dumps(SMALL))
    command = ["train", f"{beir}:test", "--watch", f"{beir}:test", "--config", "small.json"]
    status, out, err = grapher(*command, "--steps", 3, "--batch-size", 2, "--out", "run")
    assert (status, err) == (0, "")
    assert "shop:test: 2 questions, 0 held out, 0 left out" in out
    assert any(line.startswith("shop:test ") for line in out.splitlines())
    assert "run/weights: weights of step 2 of 3" in out
    made = sorted(path.name for path in Path("run").iterdir())
    assert made == ["checkpoints", "config.json", "curves.png", "metrics.jsonl", "weights"]
    again = ["train", "--config", "run/config.json", "--out", "again", "--json"]
    status, out, _ = grapher(*again)
    report = json.loads(out)
    assert (status, report["steps"], report["best_step"]) == (0, 3, 2)
    weights = [Path(run) / "weights" / "weights.safetensors" for run in ("run", "again")]
    assert weights[0].read_bytes() == weights[1].read_bytes()
    status, _, err = grapher(*again, "--seed", 1)
    assert status == 2
    assert "again: holds a run of another configuration (seed)" in err


@pytest.mark.nightly
def test_questions_of_a_file_are_learned_from_and_tuned_on(grapher, beir, index, tmp_path):
    Index.build([*index.objects], embedder=index.embedder).save("shop.index")
    Path("small.json").write_text(json.dumps(SMALL))
    questions = tmp_path / "own.jsonl"
    asked = [
        {"question": "Which orders were placed in stores?", "relevant": ["shop.orders"]},
        {"question": "How many animals?", "relevant": ["zoo.animals"]},
    ]
    questions.write_text("".join(f"{json.dumps(one)}\n" for one in asked))
    command = ["train", "shop.index", "--config", "small.json", "--batch-size", 2, "--steps", 2]
    status, out, _ = grapher(*command, "--questions", questions, "--out", "run")
    assert (status, "shop:own.jsonl: 2 questions, 0 held out" in out) == (0, True)
    # Other questions in the same file are other examples.
    questions.write_text(json.dumps(asked[0]))
    status, _, err = grapher(*command, "--questions", questions, "--out", "run")
    assert (status, "sources have changed" in err) == (2, True)
    status, out, _ = grapher("tune", "shop.index", "--questions", questions, "--json")
    assert (status, json.loads(out)["base"]["all"]) == (0, 1.0)
    for more in ([], ["--split", "test", "--questions", questions]):
        status, _, err = grapher("tune", beir, *more)
        assert (status, "tune: give either a split" in err) == (2, True)
    status, _, err = grapher("train", f"{beir}:test", "--questions", questions, "--out", "other")
    assert (status, "questions: they take the place of a split" in err) == (2, True)


@pytest.mark.nightly
def test_a_corpus_without_questions_is_learned_from_by_its_own_words(grapher, tmp_path):
    texts = [f"the {n} orders of the shop came from one customer in Boston" for n in range(4)]
    lines = [json.dumps({"_id": str(n), "text": text}) for n, text in enumerate(texts)]
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "corpus.jsonl").write_text("\n".join(lines))
    Path("small.json").write_text(json.dumps(SMALL))
    command = ["train", "bare", "--config", "small.json", "--steps", 2, "--batch-size", 2]
    status, out, _ = grapher(*command, "--cloze", 3, "--out", "run")
    assert (status, "bare:train+cloze: 3 questions, 0 held out" in out) == (0, True)
    status, _, err = grapher(*command, "--out", "other")
    assert (status, "no judged questions" in err, "--cloze" in err) == (2, True, True)


def test_tables_without_questions_are_learned_from_by_what_joins_them(grapher, tmp_path):
    tables = {"orders": ["stores", "customers"], "stores": [], "customers": ["stores"]}
    lines = [
        {
            "_id": name,
            "text": f"{name}: id, city, {name[:-1]}_date",
            "metadata": {"table": name, "foreign_keys": keys},
        }
        for name, keys in tables.items()
    ]
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "corpus.jsonl").write_text("\n".join(map(json.dumps, lines)))
    Path("small.json").write_text(json.dumps(SMALL))
    command = ["train", "shop", "--config", "small.json", "--steps", 2, "--batch-size", 2]
    status, out, _ = grapher(*command, "--paths", 8, "--out", "run")
    assert (status, "shop:train+paths: 8 questions, 0 held out" in out) == (0, True)
    assert json.loads(Path("run/config.json").read_text())["config"]["sets"][0]["paths"] == 8
    status, _, err = grapher(*command, "--paths", 8, "--cloze", 8, "--out", "other")
    assert (status, "paths: 8, and cloze: 8:" in err) == (2, True)


def test_bad_calls_get_one_line_and_status_2(grapher, beir):
    Path("sets.json").write_text(json.dumps({"sets": [{"source": str(beir), "split": "test"}]}))
    for arguments, message in {
        (): "nothing to learn from",
        ("nowhere",): "nowhere: no such folder",
        (f"{beir}:dev",): "no split 'dev'; its splits: test",
        (f"{beir}:test", "--loss", "l2"): "loss: 'l2' is unknown",
        (f"{beir}:test", "--held-out", 1): "held_out: 1.0 is outside [0, 1)",
        (f"{beir}:test", "--config", "none.json"): "none.json: cannot be read",
        ("--config", "sets.json", "--held-out", 0.2, "--expand"): "expand, held_out into each",
    }.items():
        status, _, err = grapher("train", *arguments, "--out", "run")
        assert (status, len(err.splitlines()), message in err) == (2, 1, True), err
    assert not Path("run").exists()
