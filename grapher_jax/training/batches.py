"""Batches of examples: which questions a step uses, and their arrays."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar, runtime_checkable

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, PRNGKeyArray
from numpy import ndarray

from grapher_jax.kernels.types import EMPTY, Mask
from grapher_jax.shapes import pad, slices
from grapher_jax.training.candidates import CandidateBatch, centre
from grapher_jax.training.config import StepSettings, TrainConfig
from grapher_jax.training.examples import Pool
from grapher_jax.training.g_rag import DocumentBatch, read_documents


@runtime_checkable
class Batch(Protocol):
    """The input of a network, a pytree."""

    @property
    def mask(self) -> Mask:
        """True for candidates with real scores."""


BatchT = TypeVar("BatchT", bound=Batch, covariant=True)


@dataclass(frozen=True)
class Picks:
    """The questions of one batch.

    Attributes:
        sets: `[m]` the pool of each question.
        questions: `[m]` its position in the pool.
        candidates: the padded number of candidates.
    """

    sets: Int[ndarray, " m"]
    questions: Int[ndarray, " m"]
    candidates: int


@dataclass(frozen=True)
class LabelledBatch(Generic[BatchT]):
    """The input of a training step.

    Attributes:
        candidates: the network's input.
        relevant: `[B, n]` which candidates are relevant.
        counts: `[B]` how many objects are relevant, retrieved or not; 0 for padding of the batch.
    """

    candidates: BatchT
    relevant: Bool[Array | ndarray, "B n"]
    counts: Int[ndarray, " B"]


def epoch_batches(
    pools: Sequence[Pool], size: int, *, seed: int, epoch: int, apart: bool = False
) -> list[Picks]:
    """The batches of an epoch over all pools; the order depends only on seed and epoch.

    Args:
        pools: the pools of questions.
        size: questions per batch.
        seed: the seed of the order.
        epoch: the number of the epoch.
        apart: never mix questions of two pools in a batch.
    """
    rng = np.random.default_rng((seed, epoch))
    chosen = [_repeated(pool, rng) for pool in pools]
    return _batches(pools, chosen, size, rng, apart=apart)


def watch_batches(pool: Pool, size: int) -> list[Picks]:
    """The batches of a pool, each question once."""
    return _batches([pool], [pool.questions], size)


class Order:
    """The batch of every step; the order of an epoch is drawn on demand."""

    def __init__(self, pools: Sequence[Pool], config: TrainConfig, apart: bool) -> None:
        """Count the steps of all epochs; `apart` keeps sets in separate batches."""
        self._pools, self._config, self._apart = pools, config, apart
        # With fractional repeats, epochs may differ in their number of batches.
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

    def epochs(self, step: int) -> float:
        """The number of epochs for this many steps."""
        return float(np.interp(step, self._ends, np.arange(len(self._ends))))

    def _draw(self, epoch: int) -> list[Picks]:
        return epoch_batches(
            self._pools,
            self._config.batch_size,
            seed=self._config.seed,
            epoch=epoch,
            apart=self._apart,
        )


def gather(pools: Sequence[Pool], picks: Picks, size: int) -> LabelledBatch[CandidateBatch]:
    """The arrays of a batch, padded to `size` questions."""
    n, m = picks.candidates, len(picks.questions)
    first = pools[int(picks.sets[0])].examples
    shape = (size, n)
    widths = {name: array.shape[2:] for name, array in first.graphs.items()}
    arrays: dict[str, ndarray] = {
        "rows": np.full(shape, EMPTY, np.int32),
        "scores": np.zeros(shape, np.float32),
        "smoothed": np.zeros(shape, np.float32),
        "neighbors": np.full((*shape, *widths["neighbors"]), EMPTY, np.int32),
        "degrees": np.zeros((*shape, *widths["degrees"]), np.float32),
        "words": np.zeros((*shape, *widths["words"]), np.float32),
        "meanings": np.zeros((*shape, *widths["meanings"]), np.float32),
        "relevant": np.zeros(shape, bool),
        "counts": np.zeros(size, np.int32),
    }
    dimension = first.questions.shape[1]
    questions = np.zeros((size, dimension), np.float32)
    objects = np.zeros((*shape, dimension), np.float32)
    for number in np.unique(picks.sets):
        examples = pools[number].examples
        places, own = np.flatnonzero(picks.sets == number), picks.questions[picks.sets == number]
        width = min(n, examples.rows.shape[1])
        for name in ("rows", "scores", "relevant"):
            arrays[name][places, :width] = getattr(examples, name)[own, :width]
        for name, array in examples.graphs.items():
            arrays[name][places, :width] = array[own, :width]
        arrays["counts"][places] = examples.counts[own]
        questions[places] = examples.questions[own]
        objects[places, :width] = examples.embeddings[np.maximum(examples.rows[own, :width], 0)]
    mask = arrays.pop("rows") != EMPTY
    mask[m:] = False
    relevant, counts = arrays.pop("relevant"), arrays.pop("counts")
    candidates = CandidateBatch(questions=questions, objects=objects, mask=mask, **arrays)
    return LabelledBatch(candidates, relevant, counts)


def disturb(batch: CandidateBatch, settings: StepSettings, key: PRNGKeyArray) -> CandidateBatch:
    """The batch with dropout of neighbours, cosines and names, and noise on its scores."""
    if settings.edge_dropout:
        kept = jax.random.bernoulli(key, 1 - settings.edge_dropout, batch.neighbors.shape)
        batch = replace(batch, neighbors=jnp.where(kept, batch.neighbors, EMPTY))
    if settings.score_noise:
        noise = settings.score_noise * jax.random.normal(
            jax.random.fold_in(key, 1), batch.scores.shape
        )
        batch = replace(
            batch,
            scores=batch.scores + noise * centre(batch.scores, batch.mask)[1],
            smoothed=batch.smoothed + noise * centre(batch.smoothed, batch.mask)[1],
        )
    if settings.cosine_dropout:
        shown = _shown(batch, settings.cosine_dropout, jax.random.fold_in(key, 2))
        batch = replace(batch, questions=jnp.where(shown, batch.questions, 0.0))
    if settings.names_dropout:
        shown = _shown(batch, settings.names_dropout, jax.random.fold_in(key, 3))[..., None]
        said = {"words": batch.words, "meanings": batch.meanings}
        batch = replace(
            batch,
            **{
                name: jnp.where(shown, array, 0.0)
                for name, array in said.items()
                if array is not None
            },
        )
    return batch


def _shown(batch: CandidateBatch, dropout: float, key: PRNGKeyArray) -> Bool[Array, "B 1"]:
    """The questions for which an input is not dropped."""
    return jax.random.bernoulli(key, 1 - dropout, (len(batch.questions), 1))


def gather_documents(
    pools: Sequence[Pool], picks: Picks, size: int
) -> LabelledBatch[DocumentBatch]:
    """`gather` for networks over documents; all questions are from one set."""
    examples = pools[int(picks.sets[0])].examples
    own, width = picks.questions, min(picks.candidates, examples.rows.shape[1])
    shape = (size, picks.candidates)

    def padded(values: ndarray, fill: int | float) -> ndarray:
        return pad(values, shape, fill)

    rows = examples.rows[own, :width]
    documents = examples.embeddings[np.maximum(rows, 0)]
    read = read_documents(
        documents, examples.graphs["encoded"], examples.graphs["places"][own, :width]
    )
    batch = DocumentBatch(
        questions=pad(examples.questions[own], (size,), 0.0),
        documents=padded(documents, 0.0),
        read=padded(read, 0.0),
        concepts=padded(examples.graphs["concepts"][own, :width], EMPTY),
        triples=padded(examples.graphs["triples"][own, :width], EMPTY),
        mask=padded(rows, EMPTY) != EMPTY,
    )
    relevant = padded(examples.relevant[own, :width], False)
    return LabelledBatch(batch, relevant, pad(examples.counts[own], (size,), 0))


def _repeated(pool: Pool, rng: np.random.Generator) -> Int[ndarray, " m"]:
    whole, fraction = divmod(pool.repeat, 1)
    # At least one, so that an epoch has at least one step.
    share = max(round(fraction * len(pool.questions)), int(pool.repeat < 1))
    some = rng.permutation(pool.questions)[:share]
    return np.concatenate([np.tile(pool.questions, int(whole)), some])


def _batches(
    pools: Sequence[Pool],
    chosen: Sequence[Int[ndarray, " _"]],
    size: int,
    rng: np.random.Generator | None = None,
    *,
    apart: bool = False,
) -> list[Picks]:
    sets = np.repeat(np.arange(len(pools)), [len(own) for own in chosen])
    questions = np.concatenate(chosen)
    order = np.arange(len(sets)) if rng is None else rng.permutation(len(sets))
    sets, questions = sets[order], questions[order]
    widths = np.concatenate(
        [np.zeros(0, np.int64)]
        + [pool.examples.widths[own] for pool, own in zip(pools, chosen, strict=True)]
    )[order]
    made: list[Picks] = []
    groups = sets if apart else np.zeros_like(sets)
    for width, group in np.unique(np.stack([widths, groups]), axis=1).T:
        members = np.flatnonzero((widths == width) & (groups == group))
        blocks = (members[block] for block in slices(len(members), size))
        made += (Picks(sets[some], questions[some], int(width)) for some in blocks)
    return made if rng is None else [made[i] for i in rng.permutation(len(made))]
