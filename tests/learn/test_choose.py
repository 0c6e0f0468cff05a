"""Choosing settings on the made-up corpus, a copy of which is watched."""

import json
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from words import Words

import grapher_jax.training
from grapher_jax.command_line import main
from grapher_jax.errors import GrapherError, InputError
from grapher_jax.learn.choose import choose, read_settings
from grapher_jax.learn.trainer import train
from grapher_jax.systems.networks import load_weights
from grapher_jax.training.config import SetConfig, TrainConfig
from grapher_jax.training.gat import GatConfig
from grapher_jax.training.reading import read_config

HERE = str(Path(__file__).parent)


@pytest.fixture
def config(school):
    """Learns from the first questions about each database, and watches the others."""
    college = school.parent / "college"
    if not college.exists():
        shutil.copytree(school, college)
        for folder, tables in ((school, "012"), (college, "34")):
            qrels = folder / "qrels" / "train.tsv"
            head, *lines = qrels.read_text().splitlines(keepends=True)
            own = [line for line in lines if line.split("\t")[0][-1] in tables]
            qrels.write_text(head + "".join(own))
    return TrainConfig(
        sets=(SetConfig(source=str(school)),),
        watch=(SetConfig(source=str(college)),),
        # One shape for all tests, so that it is compiled once; without messages that is quick.
        model=GatConfig(dimension=0, layers=1, heads=1, channels=4, messages=False, dropout=0.0),
        k=4,
        batch_size=16,
        epochs=2,
        evaluate_every=2,
        warmup=0,
    )


@pytest.fixture
def run(cache):
    def run(config, out, settings, **options):
        return choose(config, out, settings=settings, embedder=Words(), cache=cache, **options)

    return run


def tensors(out):
    return (out / "weights" / "weights.safetensors").read_bytes()


@pytest.mark.nightly
def test_the_best_combination_is_trained_on_what_was_watched_too(config, run, cache, tmp_path):
    out = tmp_path / "run"
    settings = {"model.dropout": [0.0], "learning_rate": [1e-30, 0.03], "epochs": [2, 6]}
    report = run(replace(config, model=replace(config.model, dropout=0.5)), out, settings)
    choice = json.loads((out / "choice.json").read_text())
    assert (choice, choice["measure"]) == (report["choice"], "PR@4")
    assert [trial["settings"] for trial in choice["trials"]] == [
        {"model.dropout": 0.0, "learning_rate": rate, "epochs": epochs}
        for rate in (1e-30, 0.03)
        for epochs in (2, 6)
    ]
    found = [trial["PR@4"] for trial in choice["trials"]]
    assert found[0] == found[1] < found[2] < found[3]  # with so low a rate nothing is learned
    best = choice["trials"][3]
    assert choice["chosen"] == best["settings"]
    assert best["watch"]["college:train"]["PR@4"]["multi"] == found[3]
    # Each trial is a run of its own, and so is the last.
    own = replace(config, learning_rate=0.03, epochs=6)
    options = {"embedder": Words(), "cache": cache}
    train(own, tmp_path / "trial", **options)
    assert tensors(tmp_path / "trial") == tensors(out / best["folder"])
    both = replace(own, sets=(*config.sets, *config.watch), watch=())
    train(both, tmp_path / "both", **options)
    assert tensors(tmp_path / "both") == tensors(out / "final")
    assert [(found["set"], found["learned_from"]) for found in report["questions"]] == [
        ("school:train", 29),
        ("college:train", 20),
    ]
    assert report["weights"] == str(out / "final" / "weights")
    assert load_weights(out / "final").record["training"]["epochs"] == 6
    assert len(list(cache.iterdir())) == 2  # shared by all


@pytest.mark.nightly
def test_of_two_alike_the_earlier_is_chosen_and_what_was_held_out_is_learned(
    config, tmp_path, monkeypatch
):
    held = replace(config, watch=(), sets=(replace(config.sets[0], held_out=0.2),), epochs=1)
    settings = {"learning_rate": [1e-30, 1e-31]}
    report = choose(held, tmp_path / "run", settings=settings, embedder=Words())
    first, second = report["choice"]["trials"]
    assert first["PR@4"] == second["PR@4"]
    assert report["choice"]["chosen"] == {"learning_rate": 1e-30}
    (learned,) = report["questions"]
    assert (learned["learned_from"], learned["held_out"], report["watch"]) == (29, 0, {})
    # The examples lie in the folder itself, and there is nothing left to do.
    assert len(list((tmp_path / "run" / "examples").iterdir())) == 1
    monkeypatch.setattr("grapher_jax.learn.examples.open_source", pytest.fail)
    assert choose(held, tmp_path / "run", settings=settings, embedder=Words()) == report


@pytest.mark.nightly
def test_settings_with_which_the_loss_is_no_number_are_not_chosen(config, run, tmp_path):
    config = replace(config, epochs=1)
    report = run(config, tmp_path / "run", {"learning_rate": [1e30, 1e-3]})
    assert report["choice"]["chosen"] == {"learning_rate": 1e-3}
    lost = report["choice"]["trials"][0]
    assert (lost["PR@4"], "step 2: the loss is nan" in lost["error"]) == (None, True)
    with pytest.raises(GrapherError, match=r"trials/2-learning_rate=1e\+31: step 2: the loss is"):
        run(config, tmp_path / "other", {"learning_rate": [1e30, 1e31]})


@pytest.mark.nightly
def test_the_last_run_is_as_long_as_a_stopped_trial_was_at_its_best(config, run, tmp_path):
    # Nothing is learned, so the first look stays the best.
    still = replace(config, learning_rate=1e-30, patience=1, epochs=5)
    report = run(still, tmp_path / "run", {"seed": [3]})
    (trial,) = report["choice"]["trials"]
    assert (trial["stopped_early"], trial["steps"], trial["best_step"]) == (True, 4, 2)
    # 29 questions are two steps, and as many passes over 49 are four.
    assert (report["steps"], report["stopped_early"]) == (4, False)
    report = run(replace(still, steps=9), tmp_path / "steps", {"seed": [3]})
    assert report["steps"] == 2


@pytest.mark.nightly
def test_of_a_stopped_trial_shares_of_epochs_count(config, run, tmp_path):
    still = replace(config, learning_rate=1e-30, patience=1, epochs=5, evaluate_every=3)
    run(still, tmp_path / "run", {"seed": [3]})
    final = TrainConfig.from_json(read_config(tmp_path / "run" / "final" / "config.json"))
    assert (final.epochs, [own.repeat for own in final.sets]) == (2, [0.75, 0.75])


class Interrupted(BaseException):
    """As by a kill."""


@pytest.mark.nightly
def test_a_choice_that_is_stopped_again_and_again_ends_the_same(config, run, tmp_path):
    settings = {"learning_rate": [0.03, 0.1]}
    config = replace(config, epochs=1)
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    wanted = run(config, whole, settings)

    def for_three_steps():
        left = iter(range(3))

        @contextmanager
        def progress(what, total=None):
            def report(done):
                if done == 1 and next(left, None) is None:
                    raise Interrupted(what)

            yield report

        return progress

    for what in ("2 of 2: training", "final: training", "final: training"):
        with pytest.raises(Interrupted, match=what):
            run(config, stopped, settings, progress=for_three_steps())
    found = run(config, stopped, settings, progress=for_three_steps())
    assert found["choice"] == wanted["choice"]
    assert tensors(stopped / "final") == tensors(whole / "final")


KILLED = """
    import sys
    from pathlib import Path
    sys.path.append(sys.argv.pop(1))
    from words import Words
    from grapher_jax.learn.choose import choose
    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.reading import read_config

    config, out, cache = sys.argv[1:]
    config = TrainConfig.from_json(read_config(Path(config)))
    settings = {"learning_rate": [0.03, 0.1]}
    choose(config, out, settings=settings, cache=cache, embedder=Words())
"""


@pytest.mark.nightly
def test_a_killed_choice_goes_on_to_the_same(config, run, cache, tmp_path):
    settings = {"learning_rate": [0.03, 0.1]}
    config = replace(config, epochs=5, evaluate_every=3)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    wanted = run(config, whole, settings)
    (tmp_path / "config.json").write_text(json.dumps(config.to_json()))
    command = [sys.executable, "-c", textwrap.dedent(KILLED), HERE, str(tmp_path / "config.json")]
    process = subprocess.Popen([*command, str(killed), str(cache)], stderr=subprocess.PIPE)
    second = killed / "trials" / "2-learning_rate=0.1"
    while not (second / "checkpoints").is_dir() and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, process.stderr.read().decode()
    process.stderr.close()
    assert not (killed / "final" / "weights").exists()
    assert run(config, killed, settings)["choice"] == wanted["choice"]
    assert tensors(killed / "final") == tensors(whole / "final")


@pytest.mark.nightly
def test_a_folder_that_holds_something_else_is_refused(config, run, cache, tmp_path):
    settings = {"learning_rate": [0.03, 0.1]}
    config = replace(config, steps=1)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").touch()
    train(config, tmp_path / "plain", embedder=Words(), cache=cache)
    (tmp_path / "file").touch()
    for name in ("full", "plain", "file"):
        with pytest.raises(InputError, match=f"{name}: exists and holds no choice of settings;"):
            run(config, tmp_path / name, settings)
    out = tmp_path / "run"
    run(config, out, settings)
    with pytest.raises(InputError, match=r"between other settings \(1-learning_rate=0.01\); give"):
        run(config, out, {"learning_rate": [0.01, 0.1]})
    with pytest.raises(InputError, match=r"between other settings \(3-learning_rate=0.2\); give"):
        run(config, out, {"learning_rate": [0.03, 0.1, 0.2]})
    with pytest.raises(InputError, match=r"trials/1-.*: holds a run of another .* \(seed\)"):
        run(replace(config, seed=1), out, settings)
    with pytest.raises(InputError, match="run: exists and holds no training run"):
        train(config, out, embedder=Words(), cache=cache)


def test_what_cannot_be_chosen_is_refused_before_anything_is_made(config, run, tmp_path):
    alone = replace(config, watch=())
    held = {"sets": [[{"source": "a", "held_out": share}] for share in (0.1, 0.2)]}
    for given, settings, message in (
        (
            alone,
            {"epochs": [1, 2]},
            "choose: nothing is watched, .*; give --watch .* or --held-out",
        ),
        (config, {"epochs": []}, "choose: epochs has no values; give some, such as epochs=1,2"),
        (config, {"epoch": [1]}, "choose: 'epoch' is unknown; use sets, watch, "),
        (config, {"model.depth": [1]}, r"choose\.model: 'depth' is unknown; use dimension, "),
        (config, {"epochs.last": [1]}, r"choose\.epochs: int is needed, not {'last': 1}"),
        (config, {"epochs": [1, "2"]}, r"choose\.epochs: int is needed, not '2'"),
        (config, {"model.dropout": [0.1, 1]}, r"model\.dropout: 1\.0 is outside"),
        (config, {"clip": [1, 2, 1.0]}, "choose: 3-clip=1.0 is the same as 1-clip=1; give every"),
        (config, {"k": [5, 10]}, "2-k=10 does not watch what 1-k=5 does, .* other settings than k"),
        (alone, held, "does not watch what"),
        (config, {"sets": [[{"source": "nowhere"}]]}, "nowhere: no such folder"),
    ):
        with pytest.raises(InputError, match=message):
            run(given, tmp_path / "run", settings)
    assert not (tmp_path / "run").exists()


def test_a_run_that_was_begun_before_there_was_another_smoothing_goes_on():
    config = TrainConfig.from_json({"sets": [{"source": "x"}]})
    assert list(config.to_json()["graph"]) == ["alpha", "max_df", "neighbors"]
    chosen = TrainConfig.from_json({"sets": [{"source": "x"}], "graph": {"smoothing": "diffusion"}})
    assert TrainConfig.from_json(chosen.to_json()) == chosen


def test_settings_are_read_as_they_are_written():
    listed = [
        "epochs=1,2",
        "graph.max_df=8,null",
        'model.inputs=["scalars"],["smoothed","object"]',
        "loss=hinge,binary",
        "clip=.5,1",
        "seed=",
    ]
    assert read_settings(listed) == {
        "epochs": [1, 2],
        "graph.max_df": [8, None],
        "model.inputs": [["scalars"], ["smoothed", "object"]],
        "loss": ["hinge", "binary"],
        "clip": [".5", 1],
        "seed": [],
    }
    with pytest.raises(InputError, match="choose: 'epochs' must be NAME=VALUE,VALUE, such as"):
        read_settings(["epochs"])
    with pytest.raises(InputError, match="choose: epochs is given twice; give all its values"):
        read_settings(["epochs=1", "epochs=2"])


# The shop has no other split.
@pytest.mark.filterwarnings("ignore:watch. .* are learned from too")
@pytest.mark.nightly
def test_the_command_line_chooses(beir, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("small.json").write_text(
        json.dumps(
            {
                "model": {"layers": 1, "heads": 1, "channels": 4, "messages": False},
                "batch_size": 2,
            }
        )
    )

    def grapher(*arguments):
        with pytest.raises(SystemExit) as stopped:
            main(["train", f"{beir}:test", "--config", "small.json", *arguments])
        return stopped.value.code, *capsys.readouterr()

    watch = ["--watch", f"{beir}:test", "--steps", "3"]
    status, out, err = grapher(*watch, "--choose", "learning_rate=0.001,1e30")
    assert (status, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    assert ["learning_rate", "PR@10", "at", "step"] in rows
    assert ["0.001", "100.0", "*", "3", "of", "3"] in rows
    assert ["1e+30", "diverged"] in rows
    assert "run/final/weights: weights of step 3 of 3" in out
    status, _, err = grapher("--choose", "epochs=1,2", "--out", "other")
    assert (status, len(err.splitlines()), "nothing is watched" in err) == (2, 1, True)
    assert not Path("other").exists()


def test_the_recipe_learns_from_bird_and_watches_spider():
    folder = Path(grapher_jax.training.__file__).parent / "recipe"
    config = TrainConfig.from_json(read_config(folder / "a3.json"))
    assert [own.name for own in (*config.sets, *config.watch)] == ["bird:train", "spider:train"]
    assert (config.watch_limit, config.model.inputs) == (500, ("scalars",))
