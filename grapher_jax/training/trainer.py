"""Training of the learned ranker: resumable to the bit, over all devices of this machine."""

import errno
import json
import logging
import math
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import orbax.checkpoint as ocp
from flax import nnx
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from jaxtyping import Array, Float, Int, PRNGKeyArray
from numpy import ndarray

import grapher_jax
from grapher_jax import kernels
from grapher_jax.errors import GrapherError, InputError
from grapher_jax.files import atomic_file, parse_json, write_errors
from grapher_jax.learn.examples import (
    Examples,
    LabelledBatch,
    OpenSource,
    Picks,
    Pool,
    Progress,
    epoch_batches,
    gather,
    gather_documents,
    no_progress,
    prepare,
    watch_batches,
)
from grapher_jax.pictures import draw_curves
from grapher_jax.training.candidates import (
    CandidateBatch,
    GraphSettings,
    centre,
    scalar_features,
)
from grapher_jax.training.config import MEASURES, UNSET, SetConfig, TrainConfig
from grapher_jax.training.g_rag import DocumentSettings, GRag
from grapher_jax.training.gat import Gat
from grapher_jax.training.losses import find_loss
from grapher_jax.training.query_gnn import EgoSettings
from grapher_jax.training.weights import WEIGHTS, save_weights

PERFECT_RECALL = (5, 10)
# Questions whose gradient is taken at a time, one after another: on CPUs as few as have their
# activations in an inner cache, on others all that a device has.
_AT_ONCE = {"cpu": 2}
_FORCED = "xla_force_host_platform_device_count"
# Candidates, which of them are relevant, and how many objects are.
Arrays = tuple[Any, Array, Array]


def train(
    config: TrainConfig,
    out: str | Path,
    *,
    open_source: OpenSource,
    cache: str | Path | None = None,
    devices: Sequence[jax.Device] | None = None,
    progress: Progress = no_progress,
) -> dict[str, Any]:
    """Train a network, or go on where a call with the same configuration was stopped.

    The folder gets `config.json`, `metrics.jsonl` (a JSON object a line), `curves.png`,
    `checkpoints/` and, in the end, the best weights in `weights/`. On the same machine a call that
    was killed and started again ends with the same weights, to the bit, as one that was not.

    Args:
        config: all that decides the weights.
        out: a new folder, or one that holds a run of the same configuration.
        open_source: `grapher_jax.index.data.open_source`.
        cache: where examples are kept for other runs; by default `<out>/examples`.
        devices: which share every batch; all of this process by default. The drawing of `dropout`
            alone depends on their number, and not on CPUs of which each has an even share.
        progress: shown while examples are made and steps taken.

    Returns:
        JSON-ready: `weights` (the folder), `steps`, `best_step`, `stopped_early`, `seconds`,
        `questions` and what was left out by set, and `watch`: PR@K by set at `best_step`.

    Raises:
        InputError: for questions or labels that cannot be used, a folder that holds another run or
            a damaged one, or one that cannot be written; what was there stays.
        GrapherError: where the loss is no number; the last good checkpoint stays.
    """
    out = Path(out)
    kept = Path(cache) if cache else out / "examples"
    if config.query_gnn:
        # That module needs this one.
        from grapher_jax.training.query_gnn_trainer import train_query_gnn

        return train_query_gnn(
            config, out, open_source=open_source, cache=kept, devices=devices, progress=progress
        )
    check_target(out, config)
    data = Data.prepare(config, config.own.graph, kept, open_source, progress)
    config = config.of_dimension(data.dimension)
    claim(out, config, data)
    rngs = nnx.Rngs(config.seed)
    if config.g_rag:
        network = GRag(config.g_rag.model, rngs)
        task = Task(network, gather_documents, gather_documents, apart=True)
    else:
        task = Task(Gat(config.model, rngs), gather, gather)
    run = learn(task, config, data, out, devices, progress)
    save_weights(
        out / WEIGHTS,
        run.network(),
        embedder=data.embedder,
        graph=config.own.graph,
        record={"training": config.to_json()} | run.outcome(),
    )
    run.draw()
    return {"weights": str(out / WEIGHTS)} | run.outcome()


def use_cores(batch_size: int) -> None:
    """Let JAX have a device for every core of a CPU, before it has started.

    For as many cores as can have the same number of a batch's questions, and an even one: what
    `dropout` draws is then the same for any number of cores. Nothing is changed where JAX was told
    how many devices to make, or has started.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    told = "JAX_NUM_CPU_DEVICES" in os.environ or _FORCED in os.environ.get("XLA_FLAGS", "")
    if told:
        return
    shares = (n for n in range(cores or 1, 1, -1) if not batch_size % (n * _AT_ONCE["cpu"]))
    with suppress(RuntimeError):  # it has started
        jax.config.update("jax_num_cpu_devices", next(shares, 1))


Gather = Callable[[Sequence[Pool], Picks, int], LabelledBatch]


@dataclass(frozen=True)
class Task:
    """What is learned.

    Attributes:
        network: before its first step; it takes what `gather` gives, and a key in training.
        gather: the arrays of the questions picked from pools, padded to so many.
        watch: likewise, of questions that are watched.
        apart: whether a batch must hold questions of one set alone.
    """

    network: nnx.Module
    gather: Gather
    watch: Gather
    apart: bool = False


def learn(
    task: Task,
    config: TrainConfig,
    data: "Data",
    out: Path,
    devices: Sequence[jax.Device] | None,
    progress: Progress,
    *,
    what: str = "training",
) -> "Run":
    """Take all steps, or those that a run in this folder has left; raises as `train`."""
    with _quiet_orbax():
        run = Run(task, config, data, out, devices)
        try:
            run.restore()
            with progress(what, run.total) as report:
                report(run.step)
                run.go(report)
        except BaseException:
            with suppress(Exception):  # or it would hide why the run ended
                run.draw()
            raise
        finally:
            run.close()
    return run


@dataclass(frozen=True)
class Data:
    """Pools to learn from and to watch, and what was left out."""

    learned: list[Pool]
    watched: list[Pool]
    summary: list[dict[str, Any]]

    @classmethod
    def prepare(
        cls,
        config: TrainConfig,
        graph: GraphSettings | EgoSettings | DocumentSettings,
        cache: Path,
        open_source: OpenSource,
        progress: Progress,
    ) -> "Data":
        """The examples of all sets; raises as `train`."""

        def examples(chosen: SetConfig) -> Examples:
            return prepare(
                chosen,
                graph,
                cache,
                open_source=open_source,
                embedder=config.embedder,
                progress=progress,
            )

        learned, watched, summary = [], [], []
        for chosen in config.sets:
            found = examples(chosen)
            held = found.held_out(chosen.held_out)
            own = found.learnable[~held[found.learnable]]
            if not len(own):
                raise InputError(
                    f"{chosen.source}: no question of split {chosen.split!r} has a relevant object "
                    "among its candidates; nothing can be learned from it"
                )
            learned.append(Pool(found, own, chosen.repeat))
            summary.append(
                {
                    "set": chosen.name,
                    "learned_from": len(own),
                    "held_out": int(held.sum()),
                    "no_relevant_object": found.without_positives,
                    "no_relevant_candidate": int((~held).sum()) - len(own),
                }
            )
            if held.any():
                watched.append(_watched(found, np.flatnonzero(held), config, " (held out)"))
        for chosen in config.watch:
            found = examples(chosen)
            watched.append(_watched(found, np.arange(len(found.ids)), config))
        names = [pool.name for pool in watched]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"watch: two sets are called {name!r}; rename a folder")
        data = cls(learned, watched, summary)
        data.check(config)
        return data

    @property
    def embedder(self) -> str:
        """Whose embeddings all sets have."""
        return self.learned[0].examples.embedder

    @property
    def dimension(self) -> int:
        """Of these."""
        return int(self.learned[0].examples.questions.shape[1])

    def check(self, config: TrainConfig) -> None:
        """Raise InputError where the sets do not go together, or with the network."""
        first = self.learned[0].examples
        for other in (pool.examples for pool in (*self.learned, *self.watched)):
            if other.embedder != first.embedder:
                raise InputError(
                    f"{other.name}: embedded by {other.embedder!r}, {first.name} by "
                    f"{first.embedder!r}; use indexes of one embedder"
                )
        model = config.own.model
        if model.dimension not in (UNSET, self.dimension):
            raise InputError(
                f"model.dimension: {model.dimension}, but {first.embedder!r} gives "
                f"{self.dimension}; leave it out"
            )


def _watched(
    examples: Examples, questions: Int[ndarray, " m"], config: TrainConfig, held_out: str = ""
) -> Pool:
    """As many of the questions as are watched, spread over all of them."""
    count = min(config.watch_limit, len(questions))
    places = np.linspace(0, len(questions) - 1, count).round().astype(int)
    return Pool(examples, questions[places], name=examples.name + held_out)


def check_target(out: Path, config: TrainConfig) -> None:
    """Fail before anything is computed where the folder holds something else."""
    if not out.exists():
        return
    recorded = _recorded(out)
    if recorded is None:
        # A run that was killed before its first file was whole may have left a hidden one.
        if not out.is_dir() or any(
            entry.name != "examples" and not entry.name.startswith(".") for entry in out.iterdir()
        ):
            raise InputError(f"{out}: exists and holds no training run; give another --out")
        return
    if recorded.get("version") != grapher_jax.__version__:
        raise InputError(
            f"{out}: begun by version {recorded.get('version')} of grapher-jax, and this is "
            f"{grapher_jax.__version__}; go on with that version, or give another --out"
        )
    given, found = config.to_json(), dict(recorded["config"])
    for asked, had in zip(_models(given), _models(found), strict=False):
        if asked["dimension"] == UNSET:
            had["dimension"] = UNSET
    if given != found:
        differing = sorted(name for name in given if given[name] != found.get(name))
        raise InputError(
            f"{out}: holds a run of another configuration ({', '.join(differing)}); "
            "give another --out, or the same configuration to go on"
        )


def _models(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The shapes of networks within."""
    parts = (config, config.get("query_gnn"), config.get("g_rag"))
    return [part["model"] for part in parts if part]


def _recorded(out: Path) -> dict[str, Any] | None:
    try:
        recorded = parse_json((out / "config.json").read_text(encoding="utf-8"))
        return recorded if {"config", "data"} <= recorded.keys() else None
    except (OSError, ValueError, AttributeError):
        return None


def claim(out: Path, config: TrainConfig, data: Data) -> None:
    """Write what this run is; raise InputError where it was begun with other data."""
    digests = [pool.examples.digest for pool in (*data.learned, *data.watched)]
    recorded = _recorded(out)
    if recorded is None:
        content = {"config": config.to_json(), "data": digests, "version": grapher_jax.__version__}
        with atomic_file(out / "config.json") as temporary:
            temporary.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    elif recorded["data"] != digests:
        raise InputError(
            f"{out}: its sources have changed since it was begun, or what retrieves from them; "
            "give another --out to begin anew"
        )


@dataclass
class _Progress:
    """What a checkpoint knows beside arrays."""

    step: int = 0
    seconds: float = 0.0
    best_step: int = 0
    best: float = -1.0
    stale: int = 0
    watch: dict[str, Any] = field(default_factory=dict)


class Run:
    """One run: its arrays, its files, and how far it has come."""

    def __init__(
        self,
        task: Task,
        config: TrainConfig,
        data: Data,
        out: Path,
        devices: Sequence[jax.Device] | None,
    ) -> None:
        self.config, self.data, self.out, self.task = config, data, out, task
        self.mesh = kernels.query_mesh(devices or jax.local_devices())
        if config.batch_size % self.mesh.size:
            raise InputError(
                f"batch_size: {config.batch_size} is not a multiple of the {self.mesh.size} devices"
            )
        self.batches = _Order(data.learned, config, task.apart)
        self.total = self.batches.total
        graph, weights = nnx.split(task.network)
        self.program = _Program.build(graph, self.mesh, config)
        whole = NamedSharding(self.mesh, PartitionSpec())
        self.weights = jax.device_put(weights, whole)
        self.optimizer = jax.device_put(self.program.optimizer.init(weights), whole)
        self.average = jax.tree.map(jnp.copy, self.weights) if config.average else None
        self.best_weights = jax.tree.map(jnp.copy, self.weights)
        self.at = _Progress()
        self.metrics = out / "metrics.jsonl"
        self.checkpoints = ocp.CheckpointManager(
            (out / "checkpoints").resolve(),
            options=ocp.CheckpointManagerOptions(
                max_to_keep=2, enable_async_checkpointing=False, cleanup_tmp_directories=True
            ),
        )

    @property
    def step(self) -> int:
        """How many are taken."""
        return self.at.step

    @property
    def stopped_early(self) -> bool:
        """Whether patience is at its end."""
        return bool(self.config.patience) and self.at.stale >= self.config.patience

    @property
    def kept(self) -> Any:
        """The weights that are watched and written."""
        return self.weights if self.average is None else self.average

    def rate(self, step: int) -> float:
        """The learning rate of a step, counted from 0: up along a line, down along a cosine."""
        warmup = min(self.config.warmup, self.total // 10 + 1)
        if step < warmup:
            return self.config.learning_rate * (step + 1) / warmup
        share = (step - warmup) / max(self.total - warmup, 1)
        return self.config.learning_rate * (1 + math.cos(math.pi * share)) / 2

    def restore(self) -> None:
        """Go back to the last checkpoint; what was logged after it is cut off.

        Raises:
            InputError: where it is damaged.
        """
        latest = self.checkpoints.latest_step()
        if latest is not None:
            try:
                self._read(latest)
            except Exception as error:  # TensorStore's readers raise nothing more special
                raise InputError(
                    f"{self.out / 'checkpoints' / str(latest)}: damaged "
                    f"({' '.join(str(error).split())[:100]}); delete this folder to go on from the "
                    "checkpoint before it, or give another --out"
                ) from error
        # Without a checkpoint, the look before the first step is taken again as well.
        last = -1 if latest is None else self.step
        lines = [line for line in self.lines() if line["step"] <= last]
        with atomic_file(self.metrics) as temporary:
            temporary.write_text("".join(map(_line, lines)), encoding="utf-8")

    def _read(self, step: int) -> None:
        arrays = ocp.args.StandardRestore(self._arrays())
        restored = self.checkpoints.restore(
            step, args=ocp.args.Composite(arrays=arrays, progress=ocp.args.JsonRestore())
        )
        self.at = _Progress(**restored["progress"])
        for name in _TREES:
            structure = jax.tree.structure(getattr(self, name))
            setattr(self, name, jax.tree.unflatten(structure, restored["arrays"][name]))

    def go(self, report: Callable[[int], None]) -> None:
        """Take the steps that are left."""
        began = time.perf_counter() - self.at.seconds
        taken: list[tuple[Picks, Any]] = []
        if not self.step and self.data.watched:
            self._log({"step": 0, "seconds": 0.0, "watch": self.watch()})
        while self.step < self.total and not self.stopped_early:
            picks = self.batches[self.step]
            batch = self.task.gather(self.data.learned, picks, self.config.batch_size)
            key = jax.random.fold_in(jax.random.key(self.config.seed), self.step)
            rate = jnp.float32(self.rate(self.step))
            self.weights, self.optimizer, losses, norm = self.program.step(
                self.weights, self.optimizer, self._spread(batch), key, rate
            )
            taken.append((picks, (losses, norm)))
            self.at.step += 1
            if self.average is not None:
                decay = self.config.average
                # After the first step all of it, so that where it began leaves no trace.
                share = (1 - decay) / (1 - decay**self.step)
                self.average = _moved(self.weights, self.average, share)
            report(1)
            look = self.step % self.config.evaluate_every == 0 or self.step == self.total
            if not look and self.step % self.config.log_every:
                continue
            entry = self._summary(taken)
            taken = []
            if look and self.data.watched:
                entry["watch"] = self.watch()
                self._compare(entry["watch"])
            self.at.seconds = time.perf_counter() - began
            self._log(entry | {"seconds": round(self.at.seconds, 3)})
            if look:
                self._save()

    def watch(self) -> dict[str, Any]:
        """PR@K and R@K of the watched questions by set, over `multi` and `all` of them."""
        found = {}
        for pool in self.data.watched:
            recalled, counts = self._judge(pool)
            found[pool.name] = {
                name: _over(recalled[:, column], counts > 1)
                for column, name in enumerate(_measures(self.config))
            }
        return found

    def network(self) -> Any:
        """With the best weights, or the last where none were watched."""
        chosen = self.best_weights if self.data.watched else self.kept
        return nnx.merge(self.program.graph, jax.tree.map(np.asarray, chosen))

    def outcome(self) -> dict[str, Any]:
        """JSON-ready, for a report."""
        return {
            "steps": self.step,
            "best_step": self.at.best_step if self.data.watched else self.step,
            "stopped_early": self.stopped_early,
            "seconds": round(self.at.seconds, 3),
            "questions": self.data.summary,
            "watch": self.at.watch,
        }

    def lines(self) -> Iterator[dict[str, Any]]:
        """The metrics file; a line that a kill cut short is its last, and passed over."""
        if self.metrics.is_file():
            for line in self.metrics.read_text(encoding="utf-8").splitlines():
                try:
                    yield parse_json(line)
                except ValueError:
                    return

    def draw(self) -> None:
        """Draw the curves, where there are any."""
        lines = list(self.lines())
        if any("loss" in line for line in lines):
            draw_curves(lines, self.out / "curves.png", measure=_watched_by(self.config))

    def close(self) -> None:
        """Let go of the checkpoints."""
        self.checkpoints.close()

    def _judge(self, pool: Pool) -> tuple[ndarray, ndarray]:
        recalled, counts = [], []
        for picks in watch_batches(pool, self.config.batch_size):
            batch = self.task.watch([pool], picks, self.config.batch_size)
            found = self.program.recall(self.kept, self._spread(batch))
            recalled.append(np.asarray(found)[: len(picks.questions)])
            counts.append(batch.counts[: len(picks.questions)])
        return np.concatenate(recalled), np.concatenate(counts)

    def _spread(self, batch: LabelledBatch) -> Arrays:
        arrays = (batch.candidates, batch.relevant, batch.counts)
        return kernels.shard_queries(arrays, self.mesh)

    def _summary(self, taken: Sequence[tuple[Picks, Any]]) -> dict[str, Any]:
        """A line of metrics over the last steps.

        Raises:
            GrapherError: where one of their losses or gradients is not finite.
        """
        every, norms = [], []
        for back, (picks, (losses, norm)) in zip(range(len(taken) - 1, -1, -1), taken, strict=True):
            values = np.asarray(losses)[: len(picks.questions)]
            if not (np.isfinite(values).all() and np.isfinite(norm)):
                self._stop(self.step - back, picks, values)
            every.append(values)
            norms.append(float(norm))
        return {
            "step": self.step,
            "epoch": round(self.batches.epoch(self.step), 4),
            "loss": float(np.concatenate(every).mean()),
            "learning_rate": self.rate(self.step - 1),
            "gradient_norm": float(np.mean(norms)),
        }

    def _stop(self, step: int, picks: Picks, losses: ndarray) -> None:
        bad = np.flatnonzero(~np.isfinite(losses))
        place = int(bad[0]) if len(bad) else 0
        examples = self.data.learned[int(picks.sets[place])].examples
        what = f"the loss is {losses[place]}" if len(bad) else "the gradient is not finite"
        kept = self.checkpoints.latest_step()
        good = "nothing was kept" if kept is None else f"the checkpoint of step {kept} is kept"
        raise GrapherError(
            f"{self.out}: step {step}: {what} (query {examples.ids[picks.questions[place]]!r} of "
            f"{examples.name}); {good}; try a lower learning rate, with another --out"
        )

    def _compare(self, watched: Mapping[str, Any]) -> None:
        """Keep the weights where they are the best so far."""
        values = [_headline(found[_watched_by(self.config)]) for found in watched.values()]
        mean = sum(values) / len(values)
        if mean > self.at.best:
            self.at.best, self.at.best_step, self.at.stale = mean, self.step, 0
            self.at.watch = dict(watched)
            self.best_weights = jax.tree.map(jnp.copy, self.kept)
        else:
            self.at.stale += 1

    def _log(self, entry: Mapping[str, Any]) -> None:
        with (
            write_errors(self.metrics, self.metrics, _CURE),
            self.metrics.open("a", encoding="utf-8") as file,
        ):
            file.write(_line(entry))

    def _save(self) -> None:
        arrays = self._arrays()
        try:
            # Orbax reports a full disk from many threads at once.
            needed = sum(leaf.nbytes for leaf in jax.tree.leaves(arrays))
            if shutil.disk_usage(self.out).free < 2 * needed:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self.checkpoints.save(
                self.step,
                args=ocp.args.Composite(
                    arrays=ocp.args.StandardSave(arrays),
                    progress=ocp.args.JsonSave(asdict(self.at)),
                ),
            )
        except (OSError, ValueError, RuntimeError) as error:  # TensorStore's own are ValueErrors
            kept = self.checkpoints.latest_step()
            good = "none is kept" if kept is None else f"that of step {kept} is kept"
            raise InputError(
                f"{self.out / 'checkpoints'}: the checkpoint of step {self.step} cannot be written "
                f"({' '.join(str(error).split())[-200:]}); {good}; {_CURE}"
            ) from error

    def _arrays(self) -> dict[str, list[Array]]:
        return {name: jax.tree.leaves(getattr(self, name)) for name in _TREES}


_TREES = ("weights", "optimizer", "average", "best_weights")
_moved = jax.jit(optax.incremental_update, donate_argnums=1)
_CURE = "make room and start again with the same configuration"


class _Order:
    """Which batch every step takes; an epoch is drawn when a step asks for it."""

    def __init__(self, pools: Sequence[Pool], config: TrainConfig, apart: bool) -> None:
        self._pools, self._config, self._apart = pools, config, apart
        # Where repeats are fractions, epochs may differ in their number of batches.
        self._ends = [0]
        while self._ends[-1] < (config.steps or math.inf) and (
            config.steps or len(self._ends) <= config.epochs
        ):
            self._ends.append(self._ends[-1] + len(self._draw(len(self._ends) - 1)))
        self.total = config.steps or self._ends[-1]
        self._drawn: tuple[int, list[Picks]] = (-1, [])

    def __getitem__(self, step: int) -> Picks:
        epoch = int(np.searchsorted(self._ends, step, side="right")) - 1
        if self._drawn[0] != epoch:
            self._drawn = (epoch, self._draw(epoch))
        return self._drawn[1][step - self._ends[epoch]]

    def epoch(self, step: int) -> float:
        """How many epochs so many steps are."""
        return float(np.interp(step, self._ends, np.arange(len(self._ends))))

    def _draw(self, epoch: int) -> list[Picks]:
        return epoch_batches(
            self._pools,
            self._config.batch_size,
            seed=self._config.seed,
            epoch=epoch,
            apart=self._apart,
        )


@dataclass(frozen=True)
class _Program:
    """What is compiled: once for all runs that agree in these.

    Attributes:
        graph: the network without its weights.
        mesh: whose devices share every batch.
        config: of the run, without what arrays decide.
    """

    graph: nnx.GraphDef
    mesh: Mesh
    config: TrainConfig

    @classmethod
    def build(cls, graph: nnx.GraphDef, mesh: Mesh, config: TrainConfig) -> "_Program":
        kept = ("loss", "k", "clip", "weight_decay", "edge_dropout", "score_noise")
        alike = {name: getattr(config, name) for name in (*kept, "mixed_precision")}
        return cls(graph, mesh, TrainConfig(sets=(SetConfig(source=""),), **alike))

    @property
    def optimizer(self) -> optax.GradientTransformation:
        """AdamW, but for the learning rate."""
        return optax.chain(
            optax.clip_by_global_norm(self.config.clip),
            optax.scale_by_adam(),
            optax.add_decayed_weights(
                self.config.weight_decay,
                mask=lambda tree: jax.tree.map(lambda leaf: leaf.ndim > 1, tree),
            ),
        )

    @partial(jax.jit, static_argnums=0, donate_argnums=(1, 2))
    def step(
        self, weights: Any, state: Any, batch: Arrays, key: PRNGKeyArray, rate: Float[Array, ""]
    ) -> tuple[Any, Any, Float[Array, " B"], Float[Array, ""]]:
        """The weights and the optimizer's state anew, every question's loss, and a norm."""
        keys = jax.random.split(key)
        # Drawn over the whole batch, so that it does not matter how many devices share it.
        candidates = batch[0]
        if isinstance(candidates, CandidateBatch):
            candidates = _disturbed(candidates, self.config, keys[0])
        (axis,) = self.mesh.axis_names
        whole, shared = PartitionSpec(), PartitionSpec(axis)
        spread: Callable[..., tuple[Any, Array]] = jax.shard_map(
            self._gradients,
            mesh=self.mesh,
            in_specs=(whole, shared, shared, shared, whole),
            out_specs=(whole, shared),
            check_vma=False,  # as in kernels: loops start from constants, of no device yet
        )
        gradients, losses = spread(weights, candidates, *batch[1:], keys[1])
        updates, state = self.optimizer.update(gradients, state, weights)
        weights = jax.tree.map(lambda w, update: w - rate * update, weights, updates)
        return weights, state, losses, optax.tree.norm(gradients)

    @partial(jax.jit, static_argnums=0)
    def recall(self, weights: Any, batch: Arrays) -> Float[Array, "B c"]:
        """`[B, c]` every measure of every question."""
        (axis,) = self.mesh.axis_names
        whole, shared = PartitionSpec(), PartitionSpec(axis)
        spread: Callable[..., Array] = jax.shard_map(
            self._recall,
            mesh=self.mesh,
            in_specs=(whole, shared, shared, shared),
            out_specs=shared,
            check_vma=False,
        )
        return spread(weights, *batch)

    def _gradients(
        self, weights: Any, batch: Any, relevant: Array, counts: Array, key: Array
    ) -> tuple[Any, Array]:
        (axis,) = self.mesh.axis_names
        loss = find_loss(self.config.loss, self.config.k)
        platform = self.mesh.devices.flat[0].platform
        parts = len(counts) // math.gcd(len(counts), _AT_ONCE.get(platform, len(counts)))

        def cut(array: Array, number: Array) -> Array:
            size = len(array) // parts
            return jax.lax.dynamic_slice_in_dim(array, number * size, size)

        def summed(weights: Any, part: Arrays, key: Array) -> tuple[Array, Array]:
            batch, relevant, counts = part
            losses = loss(self._scores(weights, batch, key), relevant, batch.mask)
            return jnp.where(counts > 0, losses, 0.0).sum(), losses

        def add(sums: Any, number: Array) -> tuple[Any, Array]:
            part = jax.tree.map(partial(cut, number=number), (batch, relevant, counts))
            own = jax.random.fold_in(key, parts * jax.lax.axis_index(axis) + number)
            gradients, losses = jax.grad(summed, has_aux=True)(weights, part, own)
            return jax.tree.map(jnp.add, sums, gradients), losses

        if isinstance(batch, CandidateBatch):  # in that loop XLA for CPUs would be slow in it
            batch = replace(batch, scalars=scalar_features(batch))
        nothing = jax.tree.map(jnp.zeros_like, weights)
        sums, losses = jax.lax.scan(add, nothing, jnp.arange(parts))
        questions = jax.lax.psum((counts > 0).sum(), axis)
        gradients = jax.tree.map(lambda g: jax.lax.psum(g, axis) / questions, sums)
        return gradients, losses.reshape(-1)

    def _recall(self, weights: Any, batch: Any, relevant: Array, counts: Array) -> Array:
        scores = self._scores(weights, batch)
        cutoffs = _cutoffs(self.config)
        best = kernels.top_k(scores, min(cutoffs[-1], scores.shape[-1]), mask=batch.mask)
        hits = jnp.take_along_axis(relevant, jnp.maximum(best.indices, 0), axis=-1)
        hits &= best.indices >= 0
        perfect = [kernels.perfect_recall(hits, counts, k) for k in cutoffs]
        found = [kernels.mean_hits(hits, counts, k) for k in cutoffs]
        ranks = [kernels.mean_reciprocal_rank(hits[:, :k], counts) for k in cutoffs]
        return jnp.stack([*perfect, *found, *ranks], -1)

    def _scores(self, weights: Any, batch: Any, key: Array | None = None) -> Array:
        # Scores, norms and the loss stay float32: in half precision ranks would tie.
        with jax.default_matmul_precision("BF16_BF16_F32" if self.config.mixed_precision else None):
            return nnx.merge(self.graph, weights)(batch, key=key)


def _disturbed(batch: CandidateBatch, config: TrainConfig, key: PRNGKeyArray) -> CandidateBatch:
    """The batch with neighbours dropped and noise on its scores, as the configuration says."""
    if config.edge_dropout:
        heard = jax.random.bernoulli(key, 1 - config.edge_dropout, batch.neighbors.shape)
        batch = replace(batch, neighbors=jnp.where(heard, batch.neighbors, -1))
    if config.score_noise:
        noise = config.score_noise * jax.random.normal(
            jax.random.fold_in(key, 1), batch.scores.shape
        )
        batch = replace(
            batch,
            scores=batch.scores + noise * centre(batch.scores, batch.mask)[1],
            smoothed=batch.smoothed + noise * centre(batch.smoothed, batch.mask)[1],
        )
    return batch


def _cutoffs(config: TrainConfig) -> list[int]:
    return sorted({*PERFECT_RECALL, config.k})


def _measures(config: TrainConfig) -> list[str]:
    return [f"{measure}@{k}" for measure in MEASURES for k in _cutoffs(config)]


def _watched_by(config: TrainConfig) -> str:
    return f"{config.watch_by}@{config.k}"


@contextmanager
def _quiet_orbax() -> Iterator[None]:
    """Keep Orbax from printing the traceback of an error that it raises as well."""
    logger = logging.getLogger("absl")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _over(recalled: Float[ndarray, " Q"], multi: ndarray) -> dict[str, float | None]:
    return {
        "all": float(recalled.mean(dtype=float)),
        "multi": float(recalled[multi].mean(dtype=float)) if multi.any() else None,
    }


def _headline(found: Mapping[str, float | None]) -> float:
    """Over questions with several relevant objects, as the papers report perfect recall."""
    return found["all"] or 0.0 if found["multi"] is None else found["multi"]


def _line(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry) + "\n"
