"""The network of query-aware GNN retrieval (appendix A): graphs and a question in, scores out.

Every candidate has its own graph (`kernels.expand_seeds`), of which it is the first node. The
encoder does not read the question; pooling, fusion and the head do. Our addition is a linear score
of the similarity of the candidate and its neighbours to the question; without layers, it is used
alone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import jax
import jax.numpy as jnp
from flax import nnx
from jaxtyping import Array, Bool, Float, PRNGKeyArray
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.errors import InputError
from grapher_jax.kernels.precision import full_precision
from grapher_jax.training.architecture import UNSET, Architecture, check_range, check_rate
from grapher_jax.training.candidates import standardised
from grapher_jax.training.dropout import dropped
from grapher_jax.training.ego_graphs import MARKS, NEAR, EgoGraphs, EgoSettings
from grapher_jax.training.relations import RELATIONS

# The weights of the fusion: of three scores, and a constant.
FUSED = 4
# Limits: all nodes of a graph are compared, and each step from a candidate enlarges the program.
_MOST_NODES, _MOST_STEPS = 256, 64
# The decoder of stage 1 has a fourth of the width.
_LEAST_WIDTH = 4
# The few weights of a linear score need larger steps than a network.
_PACE = 10.0


@dataclass(frozen=True, kw_only=True)
class QueryGnnConfig:
    """The shape of the network, by default the paper's (section 6.3).

    Attributes:
        dimension: the dimension of the embeddings.
        layers: the number of attention layers; with 0, only `EgoGraphs.near` is read.
        heads: the number of heads per layer.
        width: the width of a node, all heads together.
        relation_width: the width of the embedding of an edge's relation.
        fusion: the widths of the fusion network; may be empty without layers, which leaves a linear
            score.
        dropout: the dropout rate in training.
        similarities: read similarities to the question: of the nodes in pooling, and
            `EgoGraphs.near` in the fusion and the linear score. The paper's network reads none.
    """

    dimension: int
    layers: int = 2
    heads: int = 4
    width: int = 256
    relation_width: int = 16
    fusion: tuple[int, ...] = (512, 256, 128)
    dropout: float = 0.3
    similarities: bool = True


class EdgeAwareLayer(nnx.Module):
    """Attention over typed and weighted edges, with a residual (algorithm 2)."""

    def __init__(self, inputs: int, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        width, heads = config.width, config.heads
        self.sources = nnx.Linear(inputs, width, use_bias=False, rngs=rngs)
        self.targets = nnx.Linear(inputs, width, use_bias=False, rngs=rngs)
        self.residual = nnx.Linear(inputs, width, rngs=rngs)
        # The last input is the edge weight.
        self.edges = nnx.Linear(config.relation_width + 1, width, use_bias=False, rngs=rngs)
        shape = (heads, width // heads)
        self.attention = nnx.Param(
            nnx.initializers.glorot_normal()(rngs.params(), shape, jnp.float32)
        )
        self.norm = nnx.LayerNorm(width, rngs=rngs)

    def __call__(
        self, x: Float[Array, "B n m w"], relations: Float[Array, "B s r"], graphs: EgoGraphs
    ) -> Float[Array, "B n m v"]:
        """Updates nodes by messages from their neighbours."""
        heads = self.attention[...].shape
        weights = jnp.asarray(graphs.weights)[..., None]
        kinds = jnp.broadcast_to(
            relations[:, None, None], (*weights.shape[:-1], relations.shape[-1])
        )
        message = kernels.gatv2_attention(
            self.sources(x).reshape(*x.shape[:-1], *heads),
            self.targets(x).reshape(*x.shape[:-1], *heads),
            self.attention[...],
            graphs.neighbors,
            self_loops=False,
            edges=jnp.concatenate([kinds, weights], axis=-1),
            edge_projection=self.edges.kernel[...].reshape(-1, *heads),
        )
        return self.norm(jax.nn.relu(message.reshape(*x.shape[:-1], -1) + self.residual(x)))


class Encoder(nnx.Module):
    """Encodes nodes with their graphs (algorithm 2)."""

    def __init__(self, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        self.config = config
        if config.layers:
            self.relations = nnx.Embed(len(RELATIONS), config.relation_width, rngs=rngs)
        widths = [config.dimension, *[config.width] * (config.layers - 1)][: config.layers]
        self.layers = nnx.List([EdgeAwareLayer(width, config, rngs) for width in widths])

    @full_precision
    def __call__(
        self,
        graphs: EgoGraphs,
        *,
        key: PRNGKeyArray | None = None,
    ) -> Float[Array, "B n m w"]:
        """`[B, n, m, w]` encoded nodes; of width 0 without layers.

        Args:
            graphs: the candidates' graphs.
            key: a random key for dropout in training.
        """
        # Scaled, because components of a unit vector are about 1 / √d.
        x = jnp.asarray(graphs.nodes) * jnp.sqrt(self.config.dimension)
        if not self.config.layers:
            return x[..., :0]
        kinds = self.relations(jnp.asarray(graphs.relations))
        for number, layer in enumerate(self.layers):
            x = dropped(layer(x, kinds, graphs), self.config.dropout, key, number)
        return x


class Scorer(nnx.Module):
    """Scores candidates by query-guided pooling, fusion and head (algorithms 3, 4 and 7).

    If the configuration reads similarities, a linear score over the candidate's features is added.
    It is initialised as the retriever's score: an untrained scorer ranks like the retriever.
    """

    def __init__(self, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        width = config.width
        self.config = config
        if config.similarities:
            # The first feature is the candidate's own similarity.
            self.direct = nnx.Param(jnp.zeros(NEAR, jnp.float32).at[0].set(1.0 / _PACE))
        if not config.fusion:
            return
        marks, near = (MARKS, NEAR) if config.similarities else (0, 0)
        read = near
        if config.layers:
            self.project_nodes = nnx.Linear(width + marks, width, rngs=rngs)
            self.project_query = nnx.Linear(config.dimension, width, use_bias=False, rngs=rngs)
            self.importance = nnx.Linear(width, 1, use_bias=False, rngs=rngs)
            read = width + marks + near + config.dimension
        widths = [read, *config.fusion]
        self.fusion = nnx.List([nnx.Linear(a, b, rngs=rngs) for a, b in pairwise(widths)])
        self.norms = nnx.List([nnx.LayerNorm(b, rngs=rngs) for b in config.fusion])
        self.skip = nnx.Linear(widths[0], widths[-1], use_bias=False, rngs=rngs)
        self.hidden = nnx.Linear(widths[-1], widths[-1] // 4, rngs=rngs)
        self.score = nnx.Linear(
            widths[-1] // 4, 1, kernel_init=nnx.initializers.zeros_init(), rngs=rngs
        )

    @full_precision
    def __call__(
        self,
        graphs: "EncodedGraphs",
        *,
        key: PRNGKeyArray | None = None,
    ) -> Float[Array, "B n"]:
        """`[B, n]` the logits of relevance; the paper's sigmoid is left to the caller."""
        found = jnp.zeros(jnp.shape(graphs.mask), jnp.float32)
        if self.config.fusion:
            found = self._of_fused(graphs, key)
        if self.config.similarities:
            found = found + jnp.asarray(graphs.near) @ (_PACE * self.direct[...])
        return found

    def _of_fused(self, graphs: "EncodedGraphs", key: PRNGKeyArray | None) -> Float[Array, "B n"]:
        """`[B, n]` the head's score."""
        known = [jnp.asarray(graphs.near)] if self.config.similarities else []
        if self.config.layers:
            pooled = self._pooled(graphs, key)
            asked = jnp.asarray(graphs.questions)[:, None]
            asked = jnp.broadcast_to(asked, (*pooled.shape[:2], asked.shape[-1]))
            known = [pooled, *known, asked]
        combined = jnp.concatenate(known, -1)
        x = combined
        for number, (layer, norm) in enumerate(zip(self.fusion, self.norms, strict=True), start=1):
            x = dropped(jax.nn.relu(norm(layer(x))), self.config.dropout, key, number)
        x = x + self.skip(combined)
        return self.score(jax.nn.relu(self.hidden(x)))[..., 0]

    def _pooled(self, graphs: "EncodedGraphs", key: PRNGKeyArray | None) -> Float[Array, "B n w"]:
        """`[B, n, w]` each graph's nodes, pooled by attention to the question (algorithm 3)."""
        query = jnp.asarray(graphs.questions) * jnp.sqrt(self.config.dimension)
        nodes, real = jnp.asarray(graphs.nodes), jnp.asarray(graphs.real)
        if not self.config.similarities:
            nodes = nodes[..., :-MARKS]
        met = jnp.tanh(self.project_nodes(nodes) + self.project_query(query)[:, None, None])
        # A graph without nodes would have a softmax over nothing.
        importance = jnp.where(real, self.importance(met)[..., 0], -1e9)
        shares = jnp.where(real, jax.nn.softmax(importance, -1), 0.0)
        pooled = dropped(jnp.einsum("bnm,bnmw->bnw", shares, nodes), self.config.dropout, key, 0)
        # Inputs that identify objects and questions get small weights, to prevent memorising them.
        return pooled / jnp.sqrt(pooled.shape[-1])


class QueryGnn(nnx.Module):
    """Encoder and scorer."""

    def __init__(self, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        self.config = config
        self.encoder = Encoder(config, rngs)
        self.scorer = Scorer(config, rngs)

    def __call__(
        self,
        graphs: EgoGraphs,
        questions: Float[Array | ndarray, "B d"],
        *,
        key: PRNGKeyArray | None = None,
    ) -> Float[Array, "B n"]:
        """`[B, n]` the logits of relevance; `key` is for dropout in training."""
        encoding, scoring = (None, None) if key is None else jax.random.split(key)
        encoded = self.encoder(graphs, key=encoding)
        return self.scorer(EncodedGraphs.from_nodes(encoded, graphs, questions), key=scoring)


class EndToEnd(nnx.Module):
    """The whole network as one step trains it, if its encoder is not frozen."""

    def __init__(self, network: QueryGnn) -> None:
        self.network = network

    def __call__(
        self, asked: "AskedGraphs", *, key: PRNGKeyArray | None = None
    ) -> Float[Array, "B n"]:
        """`[B, n]` the logits of relevance; `key` is for dropout in training."""
        return self.network(asked.graphs, asked.questions, key=key)


class Reconstruction(nnx.Module):
    """Predicts which nodes of a graph are joined, from half of its edges (stage 1)."""

    def __init__(self, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        self.encoder = Encoder(config, rngs)
        narrow = config.width // _LEAST_WIDTH
        self.decoder = nnx.Linear(config.width, narrow, use_bias=False, rngs=rngs)
        self.bias = nnx.Param(jnp.zeros((), jnp.float32))

    @full_precision
    def __call__(self, pairs: "Pairs", *, key: PRNGKeyArray | None = None) -> Float[Array, "B p"]:
        """`[B, n m²]` the logits of every pair of nodes of the same graph."""
        graphs = pairs.graphs
        if key is not None:
            key, own = jax.random.split(key)
            kept = jax.random.bernoulli(own, 0.5, graphs.neighbors.shape)
            graphs = replace(graphs, neighbors=jnp.where(kept, graphs.neighbors, -1))
        nodes = self.decoder(self.encoder(graphs, key=key))
        joined = jnp.einsum("bniw,bnjw->bnij", nodes, nodes) / jnp.sqrt(nodes.shape[-1])
        return (joined + self.bias[...]).reshape(len(nodes), -1)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Pairs:
    """The input of reconstruction.

    Attributes:
        graphs: `[B, n, …]` the graphs.
        mask: `[B, n m²]` true for pairs of different real nodes.
    """

    graphs: EgoGraphs
    mask: Bool[Array | ndarray, "B p"]

    @classmethod
    def from_graphs(cls, graphs: EgoGraphs) -> tuple["Pairs", Bool[Array, "B p"]]:
        """The pairs of nodes in graphs, and which of them are joined."""
        real = jnp.asarray(graphs.mask)
        m = real.shape[-1]
        pairs = real[..., :, None] & real[..., None, :] & ~jnp.eye(m, dtype=bool)
        listed = (jnp.asarray(graphs.neighbors)[..., None] == jnp.arange(m)).any(-2)
        joined = (listed | listed.mT) & pairs
        return cls(graphs, pairs.reshape(len(real), -1)), joined.reshape(len(real), -1)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class EncodedGraphs:
    """The input of a scorer: graphs with encoded nodes.

    Attributes:
        nodes: `[B, n, m, w]` the encoded nodes, and their marks.
        real: `[B, n, m]` true for real nodes.
        near: `[B, n, NEAR]` the features of the candidates.
        questions: `[B, d]` the questions' embeddings.
        mask: `[B, n]` true for real candidates.
    """

    nodes: Float[Array | ndarray, "B n m w"]
    real: Bool[Array | ndarray, "B n m"]
    near: Float[Array | ndarray, "B n f"]
    questions: Float[Array | ndarray, "B d"]
    mask: Bool[Array | ndarray, "B n"]

    @classmethod
    def from_nodes(
        cls,
        encoded: Float[Array, "B n m w"],
        graphs: EgoGraphs,
        questions: Float[Array | ndarray, "B d"],
    ) -> "EncodedGraphs":
        """Builds it from the encoded nodes of graphs."""
        nodes = jnp.concatenate([encoded, graphs.marks], -1)
        return cls(nodes, graphs.mask, graphs.near, questions, jnp.asarray(graphs.mask)[..., 0])


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class AskedGraphs:
    """The input of `EndToEnd`.

    Attributes:
        graphs: `[B, n, …]` the graphs.
        questions: `[B, d]` the questions' embeddings.
    """

    graphs: EgoGraphs
    questions: Float[Array | ndarray, "B d"]

    @property
    def mask(self) -> Bool[Array | ndarray, "B n"]:
        """`[B, n]` true for real candidates."""
        return jnp.asarray(self.graphs.mask)[..., 0]


def fuse(
    scores: Float[Array | ndarray, "B n"],
    semantic: Float[Array | ndarray, "B n k"],
    network: Float[Array | ndarray, "B n"],
    alone: Bool[Array | ndarray, "B n"],
    weights: Sequence[float] | Float[Array | ndarray, " 4"],
    *,
    mask: Bool[Array | ndarray, "B n"],
) -> Float[Array, "B n"]:
    """`[B, n]` the probability of relevance by logistic regression (algorithm 6).

    Args:
        scores: `[B, n]` the retriever's scores.
        semantic: `[B, n, k]` the weights of every candidate's semantic edges, 0 for none.
        network: `[B, n]` the network's scores.
        alone: `[B, n]` true for candidates without edges, for which the retriever's score replaces
            the network's.
        weights: as in `EgoSettings.fusion`.
        mask: `[B, n]` true for real candidates.
    """
    features = fusion_features(scores, semantic, network, alone, mask=mask)
    *slopes, constant = jnp.asarray(weights)
    return jax.nn.sigmoid(features @ jnp.stack(slopes) + constant)


def fusion_features(
    scores: Float[Array | ndarray, "B n"],
    semantic: Float[Array | ndarray, "B n k"],
    network: Float[Array | ndarray, "B n"],
    alone: Bool[Array | ndarray, "B n"],
    *,
    mask: Bool[Array | ndarray, "B n"],
) -> Float[Array, "B n 3"]:
    """`[B, n, 3]` the inputs of `fuse`."""
    real = jnp.asarray(mask)
    # From algorithm 9 with α = 0, because the scores are a separate input.
    graph = kernels.adjust_scores(jnp.where(real, scores, 0.0), semantic, alpha=0.0, mask=real)
    retriever = standardised(jnp.asarray(scores), real)
    learned = jnp.where(alone, retriever, standardised(jnp.asarray(network), real))
    return jnp.stack([retriever, standardised(graph, real), learned], -1)


def check_query_gnn(model: QueryGnnConfig, graph: EgoSettings) -> None:
    """Raise InputError, naming the field, for an impossible network or graphs."""
    # With layers, the head needs a fusion network with a width.
    widths = model.fusion or ((0,) if model.layers else ())
    for name, value, least in (
        ("model.dimension", model.dimension, UNSET),
        ("model.layers", model.layers, 0),
        ("model.heads", model.heads, 1),
        ("model.width", model.width, _LEAST_WIDTH),
        ("model.relation_width", model.relation_width, 1),
        *(("model.fusion", width, 4) for width in widths),
        ("graph.candidates", graph.candidates, 1),
    ):
        check_range(f"query_gnn.{name}", value, least)
    check_range("query_gnn.graph.depth", graph.depth, 0, _MOST_STEPS)
    check_range("query_gnn.graph.size", graph.size, 1, _MOST_NODES)
    if model.width % model.heads:
        raise InputError(
            f"query_gnn.model.width: {model.width} is not a multiple of {model.heads} heads"
        )
    check_rate("query_gnn.model.dropout", model.dropout)
    if not model.layers and not model.similarities:
        raise InputError(
            "query_gnn.model.similarities: without layers there is nothing else to read"
        )
    if not math.isfinite(graph.threshold):
        raise InputError(f"query_gnn.graph.threshold: {graph.threshold} must be finite")
    if len(graph.fusion) != FUSED or not all(map(math.isfinite, graph.fusion)):
        raise InputError(
            f"query_gnn.graph.fusion: {list(graph.fusion)} must be {FUSED} finite numbers"
        )


ARCHITECTURE = Architecture("query-gnn", QueryGnn, QueryGnnConfig, EgoSettings, check_query_gnn)
