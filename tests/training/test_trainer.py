"""Training on a made-up corpus: ten databases of six tables, questions about two joined ones."""

import gc
import hashlib
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
import jax.numpy as jnp
import numpy as np
import optax
import orbax.checkpoint as ocp
import pytest
from flax import nnx

import grapher_jax.learn.examples
from grapher_jax import kernels
from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir
from grapher_jax.errors import GrapherError, InputError
from grapher_jax.learn.examples import Pool, epoch_batches, gather, prepare, watch_batches
from grapher_jax.search import Index
from grapher_jax.training.config import SetConfig, TrainConfig, read_config
from grapher_jax.training.gat import Gat, GatConfig
from grapher_jax.training.losses import perfect_recall_loss
from grapher_jax.training.trainer import _Program, train
from grapher_jax.training.weights import load_weights


class Words:
    """An embedder by hashed words, of which a test can embed thousands."""

    name, dimension = "words", 16

    def embed_queries(self, texts, *, progress=lambda done: None):
        vectors = [sum(map(self._vector, text.lower().split())) for text in texts]
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    embed_objects = embed_queries

    def _vector(self, word):
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "little")
        return np.random.default_rng(seed).normal(size=self.dimension)


def opened(source, *, embedder=None, progress=None):
    return Index.from_source(source, embedder=Words())


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


@pytest.fixture
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
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def run(cache):
    def run(config, out, **options):
        return train(config, out, open_source=opened, cache=cache, **options)

    return run


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
    from grapher_jax.training.config import TrainConfig, read_config
    from grapher_jax.training.trainer import train

    config, out, cache = sys.argv[1:]
    train(TrainConfig.from_json(read_config(Path(config))), out, open_source=None, cache=cache)
"""


@pytest.mark.parametrize("average", [0.0, 0.9])
def test_a_killed_run_goes_on_to_the_same_weights_to_the_bit(
    average, config, run, cache, tmp_path, monkeypatch
):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    steps = replace(config, steps=80, average=average)
    run(steps, whole)
    command = [sys.executable, "-c", textwrap.dedent(KILLED), str(whole / "config.json")]
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", str(tmp_path / "compiled"))
    for done in ("10", "40"):  # twice, wherever it then is
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


def test_averaged_weights_are_the_mean_of_all_steps(config, run, tmp_path, monkeypatch):
    """Against a weighted mean in float64, whether something is watched or not."""
    taken, take = [], _Program.step

    def step(program, *arguments):
        found = take(program, *arguments)
        taken.append(jax.tree.map(np.array, nnx.to_pure_dict(found[0])))
        return found

    monkeypatch.setattr(_Program, "step", step)
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
    jax.config.update("jax_num_cpu_devices", int(sys.argv.pop()))
    from pathlib import Path
    from grapher_jax.training.config import TrainConfig, read_config
    from grapher_jax.training.trainer import train

    config, out, cache = sys.argv[1:]
    config = TrainConfig.from_json(read_config(Path(config)))
    train(config, out, open_source=None, cache=cache)
"""


@pytest.mark.parametrize(("devices", "dropout"), [(8, 0.0), (4, 0.1)])
def test_many_devices_learn_what_one_does(devices, dropout, config, run, cache, tmp_path):
    """Those with an even share of a batch also where units are left out."""
    config = replace(config, steps=12, model=replace(config.model, dropout=dropout))
    one, many = tmp_path / "one", tmp_path / "many"
    run(config, one)
    command = [sys.executable, "-c", textwrap.dedent(DEVICES), str(one / "config.json")]
    command += [str(many), str(cache), str(devices)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    for wanted, found in zip(metrics(one), metrics(many), strict=True):
        assert found.get("loss", 0) == pytest.approx(wanted.get("loss", 0), rel=1e-5)
        assert found.get("watch") == wanted.get("watch")


CORES = """
    import os, sys
    import jax
    from grapher_jax.training.trainer import use_cores

    os.sched_getaffinity = lambda process: set(range(6))
    use_cores(int(sys.argv[1]))
    devices = jax.local_device_count()
    use_cores(2)  # JAX has started
    assert jax.local_device_count() == devices
    print(devices)
"""


@pytest.mark.parametrize(
    ("batch", "environment", "devices"),
    [
        (32, {}, 4),
        (33, {}, 1),
        (32, {"JAX_NUM_CPU_DEVICES": "3"}, 3),
        (32, {"XLA_FLAGS": "--xla_force_host_platform_device_count=3"}, 3),
    ],
)
def test_cores_share_a_batch_unless_told_otherwise(batch, environment, devices):
    told = ("JAX_NUM_CPU_DEVICES", "XLA_FLAGS")
    kept = {name: value for name, value in os.environ.items() if name not in told}
    command = [sys.executable, "-c", textwrap.dedent(CORES), str(batch)]
    done = subprocess.run(command, capture_output=True, text=True, env=kept | environment)
    assert done.stdout.strip() == str(devices), done.stderr[-3000:]


@pytest.mark.parametrize("questions", [8, 5])
def test_a_gradient_is_taken_a_few_questions_at_a_time(questions, config, pools):
    batch = gather(pools, watch_batches(pools[0], 4)[0], questions)
    arrays = (batch.candidates, batch.relevant, batch.counts)
    model = Gat(replace(config.model, dimension=16), nnx.Rngs(0))
    model.score.kernel[...] = jnp.linspace(-1, 1, 16)[:, None]
    graph, weights = nnx.split(model)

    @jax.jit
    def mean(weights):
        scores = nnx.merge(graph, weights)(batch.candidates)
        losses = perfect_recall_loss(scores, batch.relevant, batch.candidates.mask)
        return jnp.where(batch.counts > 0, losses, 0.0).sum() / 4, losses

    expected, losses = jax.jit(jax.grad(mean, has_aux=True))(weights)
    still = replace(config, edge_dropout=0.0, score_noise=0.0)
    program = _Program.build(graph, kernels.query_mesh(jax.local_devices()[:1]), still)
    state, key = program.optimizer.init(weights), jax.random.key(0)
    *_, found, norm = program.step(weights, state, arrays, key, jnp.float32(0.0))
    np.testing.assert_allclose(found[:4], losses[:4], rtol=1e-5)
    np.testing.assert_allclose(norm, optax.tree.norm(expected), rtol=1e-5)


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


@pytest.fixture
def twice_kept(config, run, tmp_path):
    """A run with two checkpoints."""
    run(replace(config, steps=20), tmp_path / "run")
    return tmp_path / "run"


# TensorStore's callbacks find nobody who waits for them any more.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "spoil",
    [
        shutil.rmtree,
        lambda kept: shutil.rmtree(kept / "arrays" / "ocdbt.process_0"),
        lambda kept: (kept / "arrays" / "_METADATA").write_text("{"),
        lambda kept: (kept / "progress" / "metadata").unlink(),
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
    with pytest.raises(InputError, match="all questions are about 'db1'"):
        trained_on(folder, held_out=0.5)
    assert not (tmp_path / "out").exists()


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


def test_settings_that_cannot_be_used(config, run, tmp_path):
    for change, message in {
        ("loss", "l2"): "loss: 'l2' is unknown",
        ("batch_size", 0): "batch_size: 0 must be above 0",
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
        ({"model": {"depth": 3}}, "model: 'depth' is unknown"),
        ({"graph": {"max_df": "all"}}, "graph.max_df: int is needed"),
        ({"graph": []}, r"config\.graph: object is needed, not \[\]"),
        ({"model": None}, r"config\.model: object is needed, not None"),
        ({"model": [3]}, r"config\.model: object is needed, not \[3\]"),
        ({"sets": None}, r"config\.sets: list is needed, not None"),
        ({"sets": [None]}, r"config\.sets\[0\]: object is needed, not None"),
        ({"clip": 10**400}, r"config\.clip: float is needed, not 1000"),
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


@pytest.fixture
def pools(config, school, cache):
    examples = prepare(config.sets[0], config.graph, cache, open_source=opened)
    held = examples.held_out(0.2)
    return [
        Pool(examples, np.flatnonzero(~held), 1.5),
        Pool(examples, np.flatnonzero(held)),
    ]


def test_an_epoch_visits_every_question_as_often_as_asked(pools):
    seen = {number: [] for number in range(len(pools))}
    batches = epoch_batches(pools, 8, seed=0, epoch=3)
    for picks in batches:
        assert 0 < len(picks.questions) <= 8
        for number, question in zip(picks.sets, picks.questions, strict=True):
            seen[number].append(question)
    times = np.bincount(seen[0])[pools[0].questions]
    assert set(times) == {1, 2}
    assert times.sum() == round(1.5 * len(pools[0].questions) + 0.1)
    assert sorted(seen[1]) == list(pools[1].questions)

    def drawn(**which):
        drawn = epoch_batches(pools, 8, **which)
        return [(*picks.sets, *picks.questions, picks.candidates) for picks in drawn]

    assert drawn(seed=0, epoch=3) == drawn(seed=0, epoch=3)
    assert drawn(seed=0, epoch=3) != drawn(seed=0, epoch=4) != drawn(seed=1, epoch=4)


def test_whole_databases_are_held_out(pools):
    own, held = ({pool.examples.groups[q] for q in pool.questions} for pool in pools)
    assert not own & held
    assert len(held) == 2


def test_a_batch_holds_what_was_retrieved(pools):
    examples = pools[0].examples
    (picks,) = watch_batches(replace(pools[0], questions=pools[0].questions[:3]), 4)
    batch = gather(pools, picks, 4)
    candidates = batch.candidates
    assert candidates.objects.shape == (4, 64, 16)
    assert candidates.mask.sum(1).tolist() == [60, 60, 60, 0]
    for place, question in enumerate(picks.questions):
        rows = examples.rows[question]
        np.testing.assert_array_equal(candidates.objects[place, 0], examples.embeddings[rows[0]])
        assert batch.relevant[place].sum() == batch.counts[place] == 2
        cosine = candidates.objects[place, :60] @ candidates.questions[place]
        assert (0.7 * cosine <= candidates.scores[place, :60] + 1e-5).all()
        assert (candidates.smoothed[place] >= candidates.scores[place]).all()
        assert (candidates.degrees[place, :60, 0] == 2).all()
    assert batch.counts[3] == 0


def test_examples_come_from_the_cache(config, school, cache, pools):
    again = prepare(config.sets[0], config.graph, cache, open_source=opened)
    np.testing.assert_array_equal(again.rows, pools[0].examples.rows)
    assert isinstance(again.rows, np.memmap)
    assert not list(Path(cache).rglob("*.pkl"))


def test_examples_are_made_anew_where_the_embedder_or_the_retriever_has_changed(
    config, cache, tmp_path, monkeypatch
):
    def digest(embedder=None):
        found = prepare(config.sets[0], config.graph, cache, open_source=opened, embedder=embedder)
        return found.digest

    model = tmp_path / "model"
    model.mkdir()
    digests = [digest(), digest(str(model))]
    (model / "weights").write_text("1, 2")
    digests += [digest(str(model))]
    package = Path(grapher_jax.__file__).parent
    copy = tmp_path / "package"
    shutil.copytree(package / "retrieve", copy / "retrieve")
    for folder in ("corpus", "training"):
        (copy / folder).mkdir()
    single = (
        *("concepts.py", "corpus/amr.py", "episodes.py", "expansion.py", "text.py"),
        "training/cloze.py",
    )
    for name in single:
        shutil.copy(package / name, copy / name)
    monkeypatch.setattr(grapher_jax.learn.examples, "__file__", str(copy / "training" / "e.py"))
    assert digest() == digests[0]
    for name in (*single, "retrieve/hybrid.py"):
        with (copy / name).open("a") as file:
            file.write("CANDIDATES = SEEDS = 3\n")
        digests += [digest()]
    assert len(set(digests)) == 10
