"""Training on a made-up corpus: ten databases of six tables, questions about two joined ones."""

import gc
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import jax
import numpy as np
import orbax.checkpoint as ocp
import pytest
from flax import nnx

from grapher_jax.errors import GrapherError, GrapherWarning, InputError
from grapher_jax.files import BusyError, alone
from grapher_jax.systems.networks import load_weights
from grapher_jax.training.config import SetConfig, TrainConfig
from grapher_jax.training.program import Program
from grapher_jax.training.reading import read_config

HERE = str(Path(__file__).parent)

# What TensorStore leaves of a save that failed is found when Python collects it, which may be tests later.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <coroutine object async_:pytest.PytestUnraisableExceptionWarning"
)


def metrics(out):
    return [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]


def tensors(out):
    return (out / "weights" / "weights.safetensors").read_bytes()


def test_training_learns_and_leaves_all_that_is_needed(config, run, tmp_path):
    out = tmp_path / "run"
    report = run(replace(config, epochs=6), out)
    lines = metrics(out)
    losses = [line["loss"] for line in lines if "loss" in line]
    assert np.mean(losses[-5:]) < np.mean(losses[:5])
    watched = [
        line["watch"]["school:train (held out)"]["PR@10"] for line in lines if "watch" in line
    ]
    assert report["watch"]["school:train (held out)"]["PR@10"] == max(
        watched[1:], key=lambda found: found["multi"]
    )
    assert lines[-1]["step"] == report["steps"] == 6 * 5
    assert (out / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert report["questions"] == [
        {
            "set": "school:train",
            "learned_from": 40,
            "held_out": 9,
            "no_relevant_object": 1,
            "no_relevant_candidate": 0,
        }
    ]
    weights = load_weights(out)
    assert (weights.embedder, weights.model.config.dimension) == ("words", 16)
    assert weights.record["training"] == read_config(out / "config.json")
    assert TrainConfig.from_json(weights.record["training"]).epochs == 6
    assert run(replace(config, epochs=6), out) == report  # there is nothing left to do


KILLED = """
    import sys
    from pathlib import Path
    sys.path.append(sys.argv.pop(1))
    from words import Words
    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.reading import read_config
    from grapher_jax.learn.trainer import train

    config, out, cache = sys.argv[1:]
    train(TrainConfig.from_json(read_config(Path(config))), out, cache=cache, embedder=Words())
"""


def test_a_folder_in_which_another_process_trains_is_refused(config, run, tmp_path):
    refused = pytest.raises(BusyError, match="another process is writing it")
    with alone(tmp_path / "run", wait=False), refused:
        run(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.nightly
def test_a_killed_run_goes_on_to_the_same_weights_to_the_bit(
    config, run, cache, tmp_path, monkeypatch
):
    """Its averaged weights too; those of runs that average nothing: test_choose.py."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    steps = replace(config, steps=80, average=0.9)
    run(steps, whole)
    command = [sys.executable, "-c", textwrap.dedent(KILLED), HERE, str(whole / "config.json")]
    # What is compiled, in a folder in which a kill may leave half a program.
    compiled = tmp_path / "compiled"
    if known := jax.config.jax_compilation_cache_dir:
        shutil.copytree(Path(known).resolve(), compiled, copy_function=os.symlink)
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", str(compiled))
    for done in ("10", "20"):  # twice, wherever it then is
        process = subprocess.Popen([*command, str(killed), str(cache)], stderr=subprocess.PIPE)
        while not (killed / "checkpoints" / done).is_dir() and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, process.stderr.read().decode()
        process.stderr.close()
    assert not (killed / "weights").exists()
    run(steps, killed)
    assert tensors(killed) == tensors(whole)

    def timeless(out):
        return [{k: v for k, v in line.items() if k != "seconds"} for line in metrics(out)]

    assert timeless(killed) == timeless(whole)


@pytest.mark.nightly
def test_averaged_weights_are_the_mean_of_all_steps(config, run, tmp_path, monkeypatch):
    """Against a weighted mean in float64, whether something is watched or not."""
    taken, take = [], Program.step

    def step(program, *arguments):
        found = take(program, *arguments)
        taken.append(jax.tree.map(np.array, nnx.to_pure_dict(found[0])))
        return found

    monkeypatch.setattr(Program, "step", step)
    averaged = replace(config, average=0.9, steps=30, learning_rate=1e-2)
    watched = run(averaged, tmp_path / "run")
    run(replace(averaged, sets=(SetConfig(source=config.sets[0].source),)), tmp_path / "alone")
    for out, steps in (("run", taken[: watched["best_step"]]), ("alone", taken[30:])):
        weights = 0.9 ** np.arange(len(steps))[::-1]
        found = nnx.to_pure_dict(nnx.state(load_weights(tmp_path / out).model))
        for path, leaf in jax.tree.leaves_with_path(found):
            every = np.stack([dict(jax.tree.leaves_with_path(one))[path] for one in steps])
            mean = np.average(every.astype(float), axis=0, weights=weights)
            assert np.abs(mean - every[-1]).max() > 1e-4
            np.testing.assert_allclose(leaf, mean, rtol=1e-5, atol=1e-6, err_msg=str(path))


@pytest.mark.nightly
def test_a_run_that_averages_takes_the_same_steps(config, run, tmp_path):
    losses = []
    for average in (0.0, 0.9):
        run(replace(config, average=average), tmp_path / str(average))
        losses.append([line.get("loss") for line in metrics(tmp_path / str(average))])
    assert losses[0] == losses[1]
    assert tensors(tmp_path / "0.0") != tensors(tmp_path / "0.9")


DEVICES = """
    import sys
    import jax
    jax.config.update("jax_num_cpu_devices", 8)
    from pathlib import Path
    sys.path.append(sys.argv.pop(1))
    from words import Words
    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.reading import read_config
    from grapher_jax.learn.trainer import train

    cache, *runs = sys.argv[1:]
    for folder, devices in zip(runs, (8, 4), strict=True):
        one = Path(folder, "one", "config.json")
        config = TrainConfig.from_json(read_config(one))
        many = {"devices": jax.devices()[:devices], "cache": cache, "embedder": Words()}
        train(config, Path(folder, "many"), **many)
"""


@pytest.mark.nightly
def test_many_devices_learn_what_one_does(config, run, cache, tmp_path):
    """Those with an even share of a batch also where units are left out."""
    runs = tmp_path / "eight", tmp_path / "four"
    models = config.model, replace(config.model, dropout=0.1, messages=False)
    for folder, model in zip(runs, models, strict=True):
        run(replace(config, steps=12, model=model), folder / "one")
    command = [sys.executable, "-c", textwrap.dedent(DEVICES), HERE, str(cache), *map(str, runs)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    for folder in runs:
        one, many = metrics(folder / "one"), metrics(folder / "many")
        for wanted, found in zip(one, many, strict=True):
            assert found.get("loss", 0) == pytest.approx(wanted.get("loss", 0), rel=1e-5)
            assert found.get("watch") == wanted.get("watch")


def test_a_loss_that_is_no_number_stops_and_says_where(config, run, tmp_path):
    out = tmp_path / "run"
    wild = replace(config, learning_rate=1e30, warmup=0, evaluate_every=1)
    with pytest.raises(GrapherError, match=r"step 2: .*query 'q\d.\d' of school:train.*step 1 is"):
        run(wild, out)
    assert [path.name for path in (out / "checkpoints").iterdir()] == ["1"]
    assert not (out / "weights").exists()
    assert metrics(out)[-1]["step"] == 1
    # That the picture cannot be drawn either does not hide it.
    (out / "curves.png").unlink()
    (out / "curves.png").mkdir()
    with pytest.raises(GrapherError, match="the loss is nan"):
        run(wild, out)


def test_a_run_that_stopped_before_its_first_checkpoint_begins_anew(config, run, tmp_path):
    out = tmp_path / "run"
    wild = replace(config, learning_rate=1e30, warmup=0)
    for _ in range(2):
        with pytest.raises(GrapherError, match="nothing was kept"):
            run(wild, out)
    assert [line["step"] for line in metrics(out)] == [0]
    with pytest.raises(InputError, match=rf"not finished; run: .* --config .* --out {out}$"):
        load_weights(out)


@pytest.fixture(scope="module")
def run_of_twenty(config, run, tmp_path_factory):
    """A run with two checkpoints; whoever changes it takes a copy."""
    out = tmp_path_factory.mktemp("runs") / "twenty"
    run(replace(config, steps=20), out)
    return out


@pytest.fixture
def twice_kept(run_of_twenty, tmp_path):
    return Path(shutil.copytree(run_of_twenty, tmp_path / "run"))


def of_other_arrays(kept):
    """As if the numbers of some block had changed unseen."""
    progress = json.loads((kept / "progress" / "metadata").read_text())
    (kept / "progress" / "metadata").write_text(json.dumps(progress | {"sha256": "0" * 64}))


# TensorStore's callbacks find nobody who waits for them any more.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(shutil.rmtree, marks=pytest.mark.nightly),
        pytest.param(
            lambda kept: shutil.rmtree(kept / "arrays" / "ocdbt.process_0"),
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            lambda kept: (kept / "arrays" / "_METADATA").write_text("{"), marks=pytest.mark.nightly
        ),
        pytest.param(
            lambda kept: (kept / "progress" / "metadata").unlink(), marks=pytest.mark.nightly
        ),
        pytest.param(of_other_arrays, marks=pytest.mark.nightly),
    ],
)
def test_a_damaged_checkpoint_is_named_and_the_one_before_it_serves(config, run, twice_kept, spoil):
    before = tensors(twice_kept)
    kept = twice_kept / "checkpoints" / "20"
    spoil(kept)
    kept.mkdir(exist_ok=True)
    held = sorted(kept.rglob("*"))
    with pytest.raises(InputError, match=r"checkpoints/20: damaged \(.+; delete this folder to"):
        run(replace(config, steps=20), twice_kept)
    assert sorted(kept.rglob("*")) == held
    shutil.rmtree(kept)
    assert run(replace(config, steps=20), twice_kept)["steps"] == 20
    assert tensors(twice_kept) == before
    gc.collect()  # what TensorStore left, while nobody minds


# TensorStore's callbacks find nobody who waits for them any more.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.nightly
def test_a_full_disk_in_mid_checkpoint_loses_nothing(config, run, tmp_path, monkeypatch):
    out, whole = tmp_path / "run", tmp_path / "whole"
    config = replace(config, steps=30)
    save = ocp.CheckpointManager.save

    def without_room(manager, step, **options):
        if step != 20:
            return save(manager, step, **options)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, before[1]))
        try:
            return save(manager, step, **options)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    with monkeypatch.context() as patch:
        patch.setattr(ocp.CheckpointManager, "save", without_room)
        with pytest.raises(InputError, match=r"step 20 cannot be written .* step 10 is kept; make"):
            run(config, out)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1000))
        with pytest.raises(InputError, match=r"step 20 cannot be written \(.*No space left"):
            run(config, out)
    # What is unfinished is cleared away when the run goes on.
    assert [path.name for path in (out / "checkpoints").iterdir() if path.name.isdigit()] == ["10"]
    run(config, out)
    run(config, whole)
    assert tensors(out) == tensors(whole)
    gc.collect()  # what TensorStore left, while nobody minds


def test_patience_stops_early_with_the_best_weights(config, run, tmp_path):
    # Nothing is learned, so the first look stays the best.
    still = replace(config, learning_rate=1e-30, patience=2, evaluate_every=2)
    report = run(still, tmp_path / "run")
    assert (report["stopped_early"], report["steps"], report["best_step"]) == (True, 6, 2)
    assert run(still, tmp_path / "run") == report


@pytest.mark.nightly
def test_dropout_half_precision_and_another_loss_learn_too(config, run, tmp_path):
    model = replace(config.model, dropout=0.1)
    run(replace(config, loss="softmax", model=model, mixed_precision=True), tmp_path / "run")
    losses = [line["loss"] for line in metrics(tmp_path / "run") if "loss" in line]
    assert np.mean(losses[-3:]) < np.mean(losses[:3])


def test_a_changed_configuration_or_source_does_not_go_on(config, school, run, cache, tmp_path):
    out = tmp_path / "run"
    run(replace(config, steps=1), out)
    with pytest.raises(InputError, match=r"another configuration \(loss, steps\)"):
        run(replace(config, loss="hinge"), out)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").touch()
    with pytest.raises(InputError, match="holds no training run"):
        run(config, tmp_path / "full")
    copy = tmp_path / "copy"
    write_qrels(school, copy, "q1.0\tdb1.t0\t1\n")
    moved = replace(config, sets=(SetConfig(source=str(copy)),), steps=1)
    run(moved, tmp_path / "other")
    write_qrels(school, copy, "q1.1\tdb1.t1\t1\n")
    with pytest.raises(InputError, match="its sources have changed"):
        run(moved, tmp_path / "other")
    begun = json.loads((out / "config.json").read_text())
    (out / "config.json").write_text(json.dumps(begun | {"version": "0.0.9"}))
    with pytest.raises(
        InputError, match=r"begun by version 0\.0\.9 of .*, and this is 0\.1\.0; go"
    ):
        run(replace(config, steps=1), out)


def write_qrels(school, folder, lines):
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    for name in ("corpus.jsonl", "queries.jsonl"):
        (folder / name).write_bytes((school / name).read_bytes())
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n" + lines)


def test_labels_that_cannot_be_used(config, school, run, tmp_path):
    def trained_on(source, split="train", **changes):
        sets = (SetConfig(source=str(source), split=split, **changes),)
        return run(replace(config, sets=sets, steps=1), tmp_path / "out")

    folder = tmp_path / "labels"
    write_qrels(school, folder, "q1.0\tdb1.t0\t1\nq1.0\tgone\t1\n")
    with pytest.raises(InputError, match=r"train.tsv:3: unknown object 'gone'"):
        trained_on(folder)
    with pytest.raises(InputError, match="split 'none' has no question with a relevant object"):
        trained_on(school, "none")
    with pytest.raises(InputError, match="no split 'test'; its splits: none, train"):
        trained_on(school, "test")
    with pytest.raises(InputError, match="nowhere: no such folder"):
        trained_on("nowhere")
    write_qrels(school, folder, "q1.0\tdb1.t0\t1\n")
    with (
        pytest.warns(GrapherWarning, match="all questions are about 'db1', so single"),
        pytest.raises(InputError, match="has one question, so that none can be held out"),
    ):
        trained_on(folder, held_out=0.5)
    assert not (tmp_path / "out").exists()


@pytest.mark.nightly
def test_every_judged_question_is_counted_once(config, school, run, tmp_path):
    """Also one that is held out and has no relevant candidate."""
    folder = shutil.copytree(school, tmp_path / "school")
    lines = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
    for line in lines[1::5]:
        line["metadata"] = {"filter": {"db": "db9"}}
    (folder / "queries.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    sets = (SetConfig(source=str(folder), held_out=0.2),)
    (found,) = run(replace(config, sets=sets, steps=1), tmp_path / "run")["questions"]
    counts = [count for name, count in found.items() if name != "set"]
    assert counts == [33, 9, 1, 7]
    assert sum(counts) == len(lines)
