"""The training loop: exactly resumable, over all devices of this machine."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypedDict

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from jax.sharding import NamedSharding, PartitionSpec
from jaxtyping import Array, Float
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.errors import GrapherError, InputError
from grapher_jax.files import atomic_file, parse_json, write_errors
from grapher_jax.pictures import draw_curves
from grapher_jax.training.batches import Batch, LabelledBatch, Order, Picks, watch_batches
from grapher_jax.training.checkpoints import MAKE_ROOM, Checkpoints, quiet_orbax
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.data import Data, SetSummary
from grapher_jax.training.examples import Pool
from grapher_jax.training.measures import Watched, averaged, mean_over_sets, measure_names
from grapher_jax.training.program import Arrays, Disturb, Program, Ready
from grapher_jax.training.reading import JsonObject
from grapher_jax.training.schedule import learning_rates

# Maps the name and size of a stage to a context that returns a progress callback.
Stages = Callable[[str, int | None], AbstractContextManager[Callable[[int], None]]]
Gather = Callable[[Sequence[Pool], Picks, int], LabelledBatch[Batch]]


@contextmanager
def no_stages(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show nothing."""
    yield lambda done: None


@dataclass(frozen=True)
class Task:
    """A training task: a network, and how batches are built for it.

    Attributes:
        network: the untrained network; its arguments are the result of `gather` and, in training, a
            key.
        gather: builds the arrays of questions picked from pools, padded to a given number.
        watch: the same for validation questions.
        apart: whether a batch must have questions of only one set.
        disturb: see `Program`.
        ready: see `Program`.
    """

    network: nnx.Module
    gather: Gather
    watch: Gather
    apart: bool = False
    disturb: Disturb | None = None
    ready: Ready | None = None


class Outcome(TypedDict):
    """How a run ended; for a report."""

    steps: int
    best_step: int
    stopped_early: bool
    seconds: float
    questions: list[SetSummary]
    watch: Watched


def take_steps(
    task: Task,
    config: TrainConfig,
    data: Data,
    out: Path,
    *,
    devices: Sequence[jax.Device] | None,
    progress: Stages,
    what: str = "training",
) -> "Run":
    """Takes all steps of a run, or the remaining steps of a run in this folder.

    Args:
        task: the training task.
        config: everything that decides the weights.
        data: the training and validation data.
        out: the folder.
        devices: the devices that share every batch; by default all of this process.
        progress: shows the progress of training steps.
        what: the name of the work.

    Raises:
        InputError: if a checkpoint is damaged or cannot be written, or the devices cannot share a
            batch.
        GrapherError: if the loss is not finite; the last good checkpoint stays.
    """
    with quiet_orbax():
        run = Run(task, config, data, out, devices)
        try:
            run.restore()
            with progress(what, run.total) as report:
                report(run.step)
                run.go(report)
        except BaseException:
            with suppress(Exception):  # an error here would hide why the run ended
                run.draw()
            raise
        finally:
            run.close()
    return run


@dataclass
class _Standing:
    """Where a run stands: what a checkpoint holds besides arrays."""

    step: int = 0
    seconds: float = 0.0
    best_step: int = 0
    best: float = -1.0
    stale: int = 0
    watch: Watched = field(default_factory=dict)


@dataclass(frozen=True)
class _Taken:
    """A step that is not yet logged: its questions, their losses, and the gradient's norm."""

    picks: Picks
    losses: Float[Array, " B"]
    norm: Float[Array, ""]


class Run:
    """A run: its arrays, its files, and its progress."""

    def __init__(
        self,
        task: Task,
        config: TrainConfig,
        data: Data,
        out: Path,
        devices: Sequence[jax.Device] | None,
    ) -> None:
        """Start with the untrained network; `restore` returns to a checkpoint."""
        self.config, self.data, self.out, self.task = config, data, out, task
        self.mesh = kernels.query_mesh(devices or jax.local_devices())
        if config.batch_size % self.mesh.size:
            raise InputError(
                f"batch_size: {config.batch_size} is not a multiple of the {self.mesh.size} devices"
            )
        self.batches = Order(data.learned, config, task.apart)
        self.total = self.batches.total
        self.rates = learning_rates(config, self.total)
        graph, weights = nnx.split(task.network)
        self.program = Program(graph, self.mesh, config.step, task.disturb, task.ready)
        whole = NamedSharding(self.mesh, PartitionSpec())
        # Steps give their weights away, and these are the caller's.
        self.weights = jax.device_put(jax.tree.map(jnp.copy, weights), whole)
        self.optimizer = jax.device_put(self.program.optimizer(0.0).init(weights), whole)
        self.average = jax.tree.map(jnp.copy, self.weights) if config.average else None
        self.best_weights = jax.tree.map(jnp.copy, self.weights)
        self.at = _Standing()
        self.metrics = out / "metrics.jsonl"
        self.checkpoints = Checkpoints(out / "checkpoints")
        self.watched_by = f"{config.watch_by}@{config.k}"

    @property
    def step(self) -> int:
        """The number of steps taken."""
        return self.at.step

    @property
    def stopped_early(self) -> bool:
        """Whether early stopping has ended the run."""
        return bool(self.config.patience) and self.at.stale >= self.config.patience

    @property
    def kept(self) -> nnx.State:
        """The weights that are validated and written."""
        return self.weights if self.average is None else self.average

    def restore(self) -> None:
        """Return to the last checkpoint; later lines of the log are cut off.

        Raises:
            InputError: if it is damaged.
        """
        latest = self.checkpoints.latest
        if latest is not None:
            arrays, progress = self.checkpoints.read(latest, self._arrays())
            self.at = _Standing(**progress)
            for name in _TREES:
                structure = jax.tree.structure(getattr(self, name))
                setattr(self, name, jax.tree.unflatten(structure, arrays[name]))
        # Without a checkpoint, the validation before the first step is repeated, too.
        last = -1 if latest is None else self.step
        lines = [line for line in self.lines() if line["step"] <= last]
        with atomic_file(self.metrics) as temporary:
            temporary.write_text("".join(map(_line, lines)), encoding="utf-8")

    def go(self, report: Callable[[int], None]) -> None:
        """Take the remaining steps."""
        began = time.perf_counter() - self.at.seconds
        taken: list[_Taken] = []
        if not self.step and self.data.watched:
            watched = self.watch()
            if self.config.start:  # these weights have learned, too, and may be the best
                self._compare(watched)
            self._log({"step": 0, "seconds": 0.0, "watch": watched})
        while self.step < self.total and not self.stopped_early:
            taken.append(self._take_step())
            report(1)
            look = self.step % self.config.evaluate_every == 0 or self.step == self.total
            if not look and self.step % self.config.log_every:
                continue
            entry = self._summary(taken)
            taken = []
            if look and self.data.watched:
                watched = self.watch()
                entry["watch"] = watched
                self._compare(watched)
            self.at.seconds = time.perf_counter() - began
            self._log(entry | {"seconds": round(self.at.seconds, 3)})
            if look:
                self.checkpoints.save(self.step, self._arrays(), asdict(self.at))

    def _take_step(self) -> _Taken:
        picks = self.batches[self.step]
        batch = self.task.gather(self.data.learned, picks, self.config.batch_size)
        key = jax.random.fold_in(jax.random.key(self.config.seed), self.step)
        rate = jnp.float32(self.rates[self.step])
        self.weights, self.optimizer, losses, norm = self.program.step(
            self.weights, self.optimizer, self._spread(batch), key, rate
        )
        self.at.step += 1
        if self.average is not None:
            decay = self.config.average
            # The first step replaces the whole average, so that its start has no influence.
            share = (1 - decay) / (1 - decay**self.step)
            self.average = _moved(self.weights, self.average, share)
        return _Taken(picks, losses, norm)

    def watch(self) -> Watched:
        """All measures on the validation sets, over `multi` and `all` of their questions."""
        found: Watched = {}
        for pool in self.data.watched:
            values, counts = self._judge(pool)
            found[pool.name] = {
                name: averaged(values[:, column], counts > 1)
                for column, name in enumerate(measure_names(self.config.k))
            }
        return found

    def network(self) -> nnx.Module:
        """The network with the best weights, or the last ones without validation."""
        chosen = self.best_weights if self.data.watched else self.kept
        return nnx.merge(self.program.graph, jax.tree.map(np.asarray, chosen))

    def outcome(self) -> Outcome:
        """The result of the run, as JSON-ready values."""
        return Outcome(
            steps=self.step,
            best_step=self.at.best_step if self.data.watched else self.step,
            stopped_early=self.stopped_early,
            seconds=round(self.at.seconds, 3),
            questions=self.data.summary,
            watch=self.at.watch,
        )

    def lines(self) -> Iterator[JsonObject]:
        """The lines of the metrics file; an incomplete last line, after a kill, is skipped."""
        if self.metrics.is_file():
            for line in self.metrics.read_text(encoding="utf-8").splitlines():
                try:
                    yield parse_json(line)
                except ValueError:
                    return

    def draw(self) -> None:
        """Draw the curves, if there are any."""
        lines = list(self.lines())
        if any("loss" in line for line in lines):
            draw_curves(lines, self.out / "curves.png", measure=self.watched_by)

    def close(self) -> None:
        """Close the checkpoints."""
        self.checkpoints.close()

    def _judge(self, pool: Pool) -> tuple[Float[ndarray, "Q c"], ndarray]:
        measured, counts = [], []
        for picks in watch_batches(pool, self.config.batch_size):
            batch = self.task.watch([pool], picks, self.config.batch_size)
            found = self.program.measure(self.kept, self._spread(batch))
            measured.append(np.asarray(found)[: len(picks.questions)])
            counts.append(batch.counts[: len(picks.questions)])
        return np.concatenate(measured), np.concatenate(counts)

    def _spread(self, batch: LabelledBatch[Batch]) -> Arrays:
        arrays = (batch.candidates, batch.relevant, batch.counts)
        return kernels.shard_queries(arrays, self.mesh)

    def _summary(self, taken: Sequence[_Taken]) -> JsonObject:
        """A line of metrics over the last steps.

        Raises:
            GrapherError: if one of their losses or gradients is not finite.
        """
        every, norms = [], []
        first = self.step - len(taken) + 1
        for step, one in enumerate(taken, start=first):
            values = np.asarray(one.losses)[: len(one.picks.questions)]
            if not (np.isfinite(values).all() and np.isfinite(one.norm)):
                self._stop(step, one.picks, values)
            every.append(values)
            norms.append(float(one.norm))
        return {
            "step": self.step,
            "epoch": round(self.batches.epochs(self.step), 4),
            "loss": float(np.concatenate(every).mean()),
            "learning_rate": float(self.rates[self.step - 1]),
            "gradient_norm": float(np.mean(norms)),
        }

    def _stop(self, step: int, picks: Picks, losses: ndarray) -> None:
        what = "the gradient is not finite"
        for place in np.flatnonzero(~np.isfinite(losses))[:1].tolist():
            examples = self.data.learned[int(picks.sets[place])].examples
            query = f"query {examples.ids[picks.questions[place]]!r} of {examples.name}"
            what = f"the loss is {losses[place]} ({query})"
        kept = self.checkpoints.latest
        good = "nothing was kept" if kept is None else f"the checkpoint of step {kept} is kept"
        raise GrapherError(
            f"{self.out}: step {step}: {what}; {good}; try a lower learning rate, with another "
            "--out"
        )

    def _compare(self, watched: Watched) -> None:
        """Keep the weights if they are the best so far."""
        mean = mean_over_sets(watched, self.watched_by)
        if mean > self.at.best:
            self.at.best, self.at.best_step, self.at.stale = mean, self.step, 0
            self.at.watch = watched
            self.best_weights = jax.tree.map(jnp.copy, self.kept)
        else:
            self.at.stale += 1

    def _log(self, entry: Mapping[str, object]) -> None:
        with (
            write_errors(self.metrics, self.metrics, MAKE_ROOM),
            self.metrics.open("a", encoding="utf-8") as file,
        ):
            file.write(_line(entry))

    def _arrays(self) -> dict[str, list[Array]]:
        """The arrays of a checkpoint; as lists, so that the nesting of trees does not matter."""
        return {name: jax.tree.leaves(getattr(self, name)) for name in _TREES}


_TREES = ("weights", "optimizer", "average", "best_weights")
_moved = jax.jit(optax.incremental_update, donate_argnums=1)


def _line(entry: Mapping[str, object]) -> str:
    return json.dumps(entry) + "\n"
