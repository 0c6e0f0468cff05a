"""Training of query-aware GNN retrieval in two stages (section 5.1), and the fusion after them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jaxtyping import Array, Float, Int
from numpy import ndarray
from scipy.optimize import minimize
from scipy.special import expit

from grapher_jax.errors import InputError
from grapher_jax.learn.examples import (
    Examples,
    LabelledBatch,
    OpenSource,
    Picks,
    Pool,
    Progress,
    watch_batches,
)
from grapher_jax.shapes import pad
from grapher_jax.training.candidates import centre
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.query_gnn import (
    EgoGraphs,
    EgoSettings,
    EncodedGraphs,
    Encoder,
    Episodes,
    Pairs,
    QueryGnn,
    Reconstruction,
    Scorer,
    cut_graphs,
    fusion_features,
)
from grapher_jax.training.trainer import Data, Task, check_target, claim, learn
from grapher_jax.training.weights import WEIGHTS, save_weights

_EMPTY = -1
# Where the first stage keeps its checkpoints and metrics.
_ENCODER = "encoder"
# Of the candidates that a step reads, one in so many is relevant, at most.
_ONE_IN = 4
# Of how many candidates of a question the graphs are reconstructed.
_RECONSTRUCTED = 4


def train_query_gnn(
    config: TrainConfig,
    out: Path,
    *,
    open_source: OpenSource,
    cache: Path,
    devices: Sequence[jax.Device] | None,
    progress: Progress,
) -> dict[str, Any]:
    """Train encoder, scorer and fusion one after the other; see `trainer.train`.

    The first stage is a run of its own, in `encoder/`.
    """
    own = config.query_gnn
    if own is None:
        raise InputError("query_gnn: is missing; give its settings, or {} for the defaults")
    check_target(out, config)
    data = Data.prepare(config, own.graph, cache, open_source, progress)
    model = replace(own.model, dimension=data.dimension)
    config = config.of_dimension(data.dimension)
    claim(out, config, data)

    cut = _Reader(own.graph, config.seed)
    task = Task(Reconstruction(model, nnx.Rngs(config.seed)), cut.pairs, cut.pairs, apart=True)
    first = replace(config, steps=own.reconstruction_steps, loss="binary", patience=0)
    (out / _ENCODER).mkdir(exist_ok=True)
    found = learn(
        task,
        first,
        replace(data, watched=[]),
        out / _ENCODER,
        devices,
        progress,
        what="training the encoder",
    )
    encoder = found.network().encoder

    reading, watching = partial(cut.sampled, encoder, own.sampled), partial(cut.every, encoder)
    task = Task(Scorer(model, nnx.Rngs(config.seed + 1)), reading, watching, apart=True)
    run = learn(task, config, data, out, devices, progress, what="training the scorer")

    network = QueryGnn(model, nnx.Rngs(0))
    network.encoder, network.scorer = encoder, run.network()
    fusion = _fit_fusion(cut, network, data.watched or data.learned, config.batch_size)
    save_weights(
        out / WEIGHTS,
        network,
        embedder=data.embedder,
        graph=replace(own.graph, fusion=fusion),
        record={"training": config.to_json()} | run.outcome(),
    )
    run.draw()
    return {"weights": str(out / WEIGHTS), "fusion": list(fusion)} | run.outcome()


@dataclass(frozen=True)
class _Reader:
    """Questions of one set as the stages read them.

    Attributes:
        settings: how graphs are cut.
        seed: of what is drawn.
    """

    settings: EgoSettings
    seed: int

    def pairs(self, pools: Sequence[Pool], picks: Picks, size: int) -> LabelledBatch:
        """Which nodes of the graphs of some candidates are joined, whatever the labels say."""
        examples = _examples(pools, picks)
        columns = self._drawn(examples, picks, _RECONSTRUCTED)
        graphs = self.graphs(examples, picks, columns, size)
        pairs, joined = Pairs.of(graphs)
        return LabelledBatch(pairs, joined, np.asarray(joined.any(1), np.int32))

    def sampled(
        self, encoder: Encoder, sampled: int, pools: Sequence[Pool], picks: Picks, size: int
    ) -> LabelledBatch:
        """Relevant candidates, and others that the retriever returned for the same question."""
        examples = _examples(pools, picks)
        return self._labelled(encoder, examples, picks, self._drawn(examples, picks, sampled), size)

    def every(
        self, encoder: Encoder, pools: Sequence[Pool], picks: Picks, size: int
    ) -> LabelledBatch:
        """All candidates."""
        examples = _examples(pools, picks)
        every = np.arange(min(picks.candidates, examples.rows.shape[1]))
        return self._labelled(
            encoder, examples, picks, np.tile(every, (len(picks.questions), 1)), size
        )

    def graphs(
        self, examples: Examples, picks: Picks, columns: Int[ndarray, "m n"], size: int
    ) -> EgoGraphs:
        """The graphs of the candidates in these columns."""
        every = examples.rows[picks.questions]
        mean, deviation = _statistics(examples.scores[picks.questions], every != _EMPTY)
        return _graphs(
            _episodes(examples),
            pad(_pick(every, columns, _EMPTY), (size,), _EMPTY),
            pad(examples.questions[picks.questions], (size,), 0.0),
            pad(mean, (size,), 0.0),
            pad(deviation, (size,), 0.0),
            settings=self.settings,
        )

    def _labelled(
        self,
        encoder: Encoder,
        examples: Examples,
        picks: Picks,
        columns: Int[ndarray, "m n"],
        size: int,
    ) -> LabelledBatch:
        graphs = self.graphs(examples, picks, columns, size)
        network, state = nnx.split(encoder)
        questions = pad(examples.questions[picks.questions], (size,), 0.0)
        relevant = _pick(examples.relevant[picks.questions], columns, False)
        return LabelledBatch(
            EncodedGraphs.of(_encode(state, graphs, network=network), graphs, questions),
            pad(relevant, (size,), False),
            pad(examples.counts[picks.questions], (size,), 0),
        )

    def _drawn(self, examples: Examples, picks: Picks, count: int) -> Int[ndarray, "m n"]:
        """Columns of relevant candidates and of others, drawn by batch; -1 for none.

        All were retrieved, which makes the others hard to tell. Were they the best of these, the
        network would learn that similarity speaks against a candidate.
        """
        rng = np.random.default_rng((self.seed, *picks.questions.tolist()))
        columns = np.full((len(picks.questions), count), _EMPTY)
        for row, question in enumerate(picks.questions):
            relevant = examples.relevant[question]
            own = rng.permutation(np.flatnonzero(relevant))[: count // _ONE_IN]
            others = np.flatnonzero(~relevant & (examples.rows[question] != _EMPTY))
            drawn = rng.permutation(others)[: count - len(own)]
            columns[row, : len(own) + len(drawn)] = np.concatenate([own, drawn])
        return columns


def _examples(pools: Sequence[Pool], picks: Picks) -> Examples:
    return pools[int(picks.sets[0])].examples


def _episodes(examples: Examples) -> Episodes:
    if examples.digest not in _DEVICE:
        given = Episodes(**examples.graphs, embeddings=examples.embeddings)
        _DEVICE[examples.digest] = jax.tree.map(jnp.asarray, given)
    return _DEVICE[examples.digest]


# What graphs are cut from, by the digest of its examples: a step must not bring it again.
_DEVICE: dict[str, Episodes] = {}


def _pick(values: ndarray, columns: Int[ndarray, "m n"], nothing: Any) -> ndarray:
    return np.where(columns < 0, nothing, np.take_along_axis(values, np.maximum(columns, 0), 1))


def _statistics(
    scores: Float[ndarray, "m n"], mask: ndarray
) -> tuple[Float[ndarray, "m 1"], Float[ndarray, "m 1"]]:
    centred, deviation = centre(scores, mask)
    return np.asarray(scores[:, :1] - centred[:, :1]), np.asarray(deviation)


@partial(jax.jit, static_argnames="settings")
def _graphs(
    episodes: Episodes,
    rows: Int[Array | ndarray, "B n"],
    questions: Float[Array | ndarray, "B d"],
    mean: Float[Array | ndarray, "B 1"],
    deviation: Float[Array | ndarray, "B 1"],
    *,
    settings: EgoSettings,
) -> EgoGraphs:
    return cut_graphs(
        episodes, rows, questions, settings=settings, centre=mean, deviation=deviation
    )


@partial(jax.jit, static_argnames="network")
def _encode(
    state: nnx.State, graphs: EgoGraphs, *, network: nnx.GraphDef
) -> Float[Array, "B n m w"]:
    return nnx.merge(network, state)(graphs)


@partial(jax.jit, static_argnames="network")
def _score(
    state: nnx.State,
    graphs: EgoGraphs,
    questions: Float[Array | ndarray, "B d"],
    *,
    network: nnx.GraphDef,
) -> Float[Array, "B n"]:
    return nnx.merge(network, state)(graphs, questions)


def _fit_fusion(
    cut: _Reader, network: QueryGnn, pools: Sequence[Pool], size: int
) -> tuple[float, ...]:
    """Logistic regression over the candidates of questions (algorithm 6)."""
    features, labels = [], []
    graph, state = nnx.split(network)
    for pool in pools:
        for picks in watch_batches(pool, size):
            examples, count = pool.examples, len(picks.questions)
            every = np.tile(np.arange(examples.rows.shape[1]), (count, 1))
            graphs = cut.graphs(examples, picks, every, size)
            questions = pad(examples.questions[picks.questions], (size,), 0.0)
            scores = _score(state, graphs, questions, network=graph)
            rows = examples.rows[picks.questions]
            found = fusion_features(
                examples.scores[picks.questions],
                _episodes(examples).semantic(rows),
                scores[:count],
                graphs.alone[:count],
                mask=rows != _EMPTY,
            )
            features.append(np.asarray(found)[rows != _EMPTY])
            labels.append(examples.relevant[picks.questions][rows != _EMPTY])
    x, y = np.concatenate(features).astype(float), 2.0 * np.concatenate(labels) - 1
    x = np.column_stack([x, np.ones(len(x))])

    def loss(weights: ndarray) -> tuple[float, ndarray]:
        margin = y * (x @ weights)
        return np.logaddexp(0, -margin).mean(), -(x.T @ (y * expit(-margin))) / len(x)

    return tuple(map(float, minimize(loss, np.zeros(x.shape[1]), jac=True).x))
