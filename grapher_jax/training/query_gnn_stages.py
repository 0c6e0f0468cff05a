"""Training of query-aware GNN retrieval in two stages (section 5.1), followed by the fusion."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jaxtyping import Array, Float, Int
from numpy import ndarray
from scipy.optimize import minimize
from scipy.special import expit

from grapher_jax.errors import InputError
from grapher_jax.kernels.types import EMPTY
from grapher_jax.shapes import pad
from grapher_jax.training.batches import LabelledBatch, Picks, watch_batches
from grapher_jax.training.candidates import centre
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.data import Data
from grapher_jax.training.ego_graphs import EgoGraphs, EgoSettings, IndexGraph, cut_graphs
from grapher_jax.training.examples import Examples, Pool
from grapher_jax.training.query_gnn import (
    AskedGraphs,
    EncodedGraphs,
    Encoder,
    EndToEnd,
    Pairs,
    QueryGnn,
    Reconstruction,
    Scorer,
    fusion_features,
)
from grapher_jax.training.run import Stages, Task, take_steps
from grapher_jax.training.trainer import Trained

# The folder of the first stage's checkpoints and metrics.
_ENCODER = "encoder"
# At most one in this many candidates of a step is relevant.
_ONE_IN = 4
# The number of candidates per question whose graphs are reconstructed.
_RECONSTRUCTED = 4


def train_in_stages(
    config: TrainConfig,
    data: Data,
    out: Path,
    *,
    devices: Sequence[jax.Device] | None,
    progress: Stages,
) -> Trained:
    """Trains encoder, scorer and fusion of the network, one after the other.

    The first stage is a separate run in `encoder/`, if there is an encoder.

    Args:
        config: the configuration with the settings and dimension of this network.
        data: the training and validation data.
        out: the folder.
        devices: see `take_steps`.
        progress: see `take_steps`.

    Raises:
        InputError: for a configuration of another network, and as `take_steps`.
        GrapherError: as `take_steps`.
    """
    own = config.query_gnn
    if own is None:
        raise InputError("query_gnn: is missing; give its settings, or {} for the defaults")
    model, reader = own.model, Reader(own.graph, config.seed, data.sets)
    take = partial(take_steps, devices=devices, progress=progress)

    encoder = Encoder(model, nnx.Rngs(config.seed))
    if model.layers:
        pairs = reader.pairs
        task = Task(Reconstruction(model, nnx.Rngs(config.seed)), pairs, pairs, apart=True)
        first = replace(config, steps=own.reconstruction_steps, loss="binary", patience=0)
        place = out / _ENCODER
        place.mkdir(exist_ok=True)
        first_data = replace(data, watched=[])
        encoder = (
            take(task, first, first_data, place, what="training the encoder").network().encoder
        )

    network = QueryGnn(model, nnx.Rngs(0))
    network.encoder, network.scorer = encoder, Scorer(model, nnx.Rngs(config.seed + 1))
    learning = network.scorer if own.frozen else EndToEnd(network)
    encodes = encoder if own.frozen else None
    reading = partial(reader.sampled, encodes, own.sampled)
    watching = partial(reader.all_candidates, encodes)
    task = Task(learning, reading, watching, apart=True)
    run = take(task, config, data, out, what="training the scorer")
    if own.frozen:
        network.scorer = run.network()
    else:
        network = run.network().network
    fusion = _fit_fusion(reader, network, data.watched or data.learned, config.batch_size)
    return Trained(network, replace(own.graph, fusion=fusion), run, fusion)


class Reader:
    """Reads the questions of sets for the stages."""

    def __init__(self, settings: EgoSettings, seed: int, sets: Iterable[Examples]) -> None:
        """Copy the graphs of all sets to the device once, so that no step copies them again.

        Args:
            settings: how candidates' graphs are cut.
            seed: the seed of random draws.
            sets: the sets of questions to read.
        """
        self.settings, self.seed = settings, seed
        self._graphs = {
            digest: jax.tree.map(jnp.asarray, IndexGraph(**own.graphs, embeddings=own.embeddings))
            for digest, own in {own.digest: own for own in sets}.items()
        }

    def index_graph(self, examples: Examples) -> IndexGraph:
        """The graph from which candidates' graphs are cut, on the device."""
        return self._graphs[examples.digest]

    def pairs(self, pools: Sequence[Pool], picks: Picks, size: int) -> LabelledBatch[Pairs]:
        """Pairs of nodes in the graphs of some candidates, independent of the labels."""
        examples = _examples(pools, picks)
        columns = self._drawn(examples, picks, _RECONSTRUCTED)
        graphs = self.graphs(examples, picks, columns, size)
        pairs, joined = Pairs.from_graphs(graphs)
        return LabelledBatch(pairs, joined, np.asarray(joined.any(1), np.int32))

    def sampled(
        self, encoder: Encoder | None, sampled: int, pools: Sequence[Pool], picks: Picks, size: int
    ) -> LabelledBatch[EncodedGraphs | AskedGraphs]:
        """Relevant and other candidates for the same question; encoded, if there is an encoder."""
        examples = _examples(pools, picks)
        return self._labelled(encoder, examples, picks, self._drawn(examples, picks, sampled), size)

    def all_candidates(
        self, encoder: Encoder | None, pools: Sequence[Pool], picks: Picks, size: int
    ) -> LabelledBatch[EncodedGraphs | AskedGraphs]:
        """All candidates; encoded, if there is an encoder."""
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
        mean, deviation = _statistics(examples.scores[picks.questions], every != EMPTY)
        return _graphs(
            self.index_graph(examples),
            pad(_pick(every, columns, EMPTY), (size,), EMPTY),
            pad(examples.questions[picks.questions], (size,), 0.0),
            pad(mean, (size,), 0.0),
            pad(deviation, (size,), 0.0),
            settings=self.settings,
        )

    def _labelled(
        self,
        encoder: Encoder | None,
        examples: Examples,
        picks: Picks,
        columns: Int[ndarray, "m n"],
        size: int,
    ) -> LabelledBatch[EncodedGraphs | AskedGraphs]:
        graphs = self.graphs(examples, picks, columns, size)
        questions = pad(examples.questions[picks.questions], (size,), 0.0)
        relevant = _pick(examples.relevant[picks.questions], columns, False)
        read: AskedGraphs | EncodedGraphs = AskedGraphs(graphs, questions)
        if encoder is not None:
            network, state = nnx.split(encoder)
            nodes = _encode(state, graphs, network=network)
            read = EncodedGraphs.from_nodes(nodes, graphs, questions)
        return LabelledBatch(
            read,
            pad(relevant, (size,), False),
            pad(examples.counts[picks.questions], (size,), 0),
        )

    def _drawn(self, examples: Examples, picks: Picks, count: int) -> Int[ndarray, "m n"]:
        """Columns of relevant candidates and of others, drawn by batch; -1 for none.

        All were retrieved, so the others are hard negatives. If only the best of them were used,
        the network would learn that similarity counts against a candidate.
        """
        rng = np.random.default_rng((self.seed, *picks.questions.tolist()))
        columns = np.full((len(picks.questions), count), EMPTY)
        for row, question in enumerate(picks.questions):
            relevant = examples.relevant[question]
            own = rng.permutation(np.flatnonzero(relevant))[: max(1, count // _ONE_IN)]
            others = np.flatnonzero(~relevant & (examples.rows[question] != EMPTY))
            drawn = rng.permutation(others)[: count - len(own)]
            columns[row, : len(own) + len(drawn)] = np.concatenate([own, drawn])
        return columns


def _examples(pools: Sequence[Pool], picks: Picks) -> Examples:
    return pools[int(picks.sets[0])].examples


def _pick(values: ndarray, columns: Int[ndarray, "m n"], nothing: int | float) -> ndarray:
    return np.where(columns < 0, nothing, np.take_along_axis(values, np.maximum(columns, 0), 1))


def _statistics(
    scores: Float[ndarray, "m n"], mask: ndarray
) -> tuple[Float[ndarray, "m 1"], Float[ndarray, "m 1"]]:
    centred, deviation = centre(scores, mask)
    return np.asarray(scores[:, :1] - centred[:, :1]), np.asarray(deviation)


@partial(jax.jit, static_argnames="settings")
def _graphs(
    graph: IndexGraph,
    rows: Int[Array | ndarray, "B n"],
    questions: Float[Array | ndarray, "B d"],
    mean: Float[Array | ndarray, "B 1"],
    deviation: Float[Array | ndarray, "B 1"],
    *,
    settings: EgoSettings,
) -> EgoGraphs:
    return cut_graphs(graph, rows, questions, settings=settings, centre=mean, deviation=deviation)


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
    reader: Reader, network: QueryGnn, pools: Sequence[Pool], size: int
) -> tuple[float, ...]:
    """Logistic regression over the candidates of questions (algorithm 6)."""
    features, labels = [], []
    graph, state = nnx.split(network)
    for pool in pools:
        for picks in watch_batches(pool, size):
            examples, count = pool.examples, len(picks.questions)
            every = np.tile(np.arange(examples.rows.shape[1]), (count, 1))
            graphs = reader.graphs(examples, picks, every, size)
            questions = pad(examples.questions[picks.questions], (size,), 0.0)
            scores = _score(state, graphs, questions, network=graph)
            rows = examples.rows[picks.questions]
            found = fusion_features(
                examples.scores[picks.questions],
                reader.index_graph(examples).semantic(rows),
                scores[:count],
                graphs.alone[:count],
                mask=rows != EMPTY,
            )
            features.append(np.asarray(found)[rows != EMPTY])
            labels.append(examples.relevant[picks.questions][rows != EMPTY])
    x, y = np.concatenate(features).astype(float), 2.0 * np.concatenate(labels) - 1
    x = np.column_stack([x, np.ones(len(x))])

    def loss(weights: ndarray) -> tuple[float, ndarray]:
        margin = y * (x @ weights)
        return np.logaddexp(0, -margin).mean(), -(x.T @ (y * expit(-margin))) / len(x)

    return tuple(map(float, minimize(loss, np.zeros(x.shape[1]), jac=True).x))
