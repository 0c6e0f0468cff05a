"""The network of query-aware GNN retrieval (appendix A): graphs and a question in, scores out.

Every candidate has a graph of its own (`kernels.expand_seeds`), whose first node it is. An encoder
knows nothing of the question; pooling, fusion and a head do. Beside them, and without them where
there are no layers, stands a linear score of how similar the candidate and its neighbours are to
the question, which is ours.
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
from grapher_jax.training.architecture import UNSET, Architecture, check_range, check_share
from grapher_jax.training.candidates import standardised
from grapher_jax.training.dropout import dropped
from grapher_jax.training.ego_graphs import MARKS, NEAR, EgoGraphs, EgoSettings
from grapher_jax.training.relations import RELATIONS

# Weights of the fusion: of three scores, and a constant.
FUSED = 4
# Nodes of one graph are compared with each other, and each step from a candidate is a part of the
# program.
_MOST_NODES, _MOST_STEPS = 256, 64
# The few weights of a linear score need larger steps than those of a network.
_PACE = 10.0


@dataclass(frozen=True, kw_only=True)
class QueryGnnConfig:
    """The shape of the network, by default the paper's (section 6.3).

    Attributes:
        dimension: of the embeddings.
        layers: of attention; without any nothing is read but `EgoGraphs.near`.
        heads: of each.
        width: of a node, all heads together.
        relation_width: of the embedding of an edge's relation.
        fusion: the widths of the fusion network; without layers perhaps none, which leaves a linear
            score.
        dropout: the share of values that is left out in training.
        similarities: read what is known of similarities to the question: those of the nodes in
            pooling, and `EgoGraphs.near` in the fusion and a linear score. The paper's reads none.
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
        # The last input is the weight.
        self.edges = nnx.Linear(config.relation_width + 1, width, use_bias=False, rngs=rngs)
        shape = (heads, width // heads)
        self.attention = nnx.Param(
            nnx.initializers.glorot_normal()(rngs.params(), shape, jnp.float32)
        )
        self.norm = nnx.LayerNorm(width, rngs=rngs)

    def __call__(
        self, x: Float[Array, "B n m w"], relations: Float[Array, "B s r"], graphs: EgoGraphs
    ) -> Float[Array, "B n m v"]:
        """Nodes with the messages of their neighbours."""
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
    """Nodes with what their graph says of them (algorithm 2)."""

    def __init__(self, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        self.config = config
        if config.layers:
            self.relations = nnx.Embed(len(RELATIONS), config.relation_width, rngs=rngs)
        widths = [config.dimension, *[config.width] * (config.layers - 1)][: config.layers]
        self.layers = nnx.List([EdgeAwareLayer(width, config, rngs) for width in widths])

    def __call__(
        self,
        graphs: EgoGraphs,
        *,
        key: PRNGKeyArray | None = None,
    ) -> Float[Array, "B n m w"]:
        """`[B, n, m, w]` nodes; of no width where there are no layers.

        Args:
            graphs: the candidates' graphs.
            key: leave out values at random, in training.
        """
        # Components of a unit vector are about 1 / √d.
        x = jnp.asarray(graphs.nodes) * jnp.sqrt(self.config.dimension)
        if not self.config.layers:
            return x[..., :0]
        kinds = self.relations(jnp.asarray(graphs.relations))
        for number, layer in enumerate(self.layers):
            x = dropped(layer(x, kinds, graphs), self.config.dropout, key, number)
        return x


class Scorer(nnx.Module):
    """Query-guided pooling, fusion and head (algorithms 3, 4 and 7).

    Beside the head's score stands a linear one over what is known of the candidate, unless the
    configuration reads no similarities. It begins as the retriever's: an untrained scorer ranks as
    the retriever does.
    """

    def __init__(self, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        width = config.width
        self.config = config
        if config.similarities:
            # The first is the candidate's own similarity.
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

    def __call__(
        self,
        graphs: "EncodedGraphs",
        *,
        key: PRNGKeyArray | None = None,
    ) -> Float[Array, "B n"]:
        """`[B, n]` the logits of relevance; the paper's sigmoid is left to whoever needs one."""
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
        """`[B, n, w]` each graph's nodes as one, weighed by the question (algorithm 3)."""
        query = jnp.asarray(graphs.questions) * jnp.sqrt(self.config.dimension)
        nodes, real = jnp.asarray(graphs.nodes), jnp.asarray(graphs.real)
        if not self.config.similarities:
            nodes = nodes[..., :-MARKS]
        met = jnp.tanh(self.project_nodes(nodes) + self.project_query(query)[:, None, None])
        # A graph of no nodes would have a softmax over nothing.
        importance = jnp.where(real, self.importance(met)[..., 0], -1e9)
        shares = jnp.where(real, jax.nn.softmax(importance, -1), 0.0)
        pooled = dropped(jnp.einsum("bnm,bnmw->bnw", shares, nodes), self.config.dropout, key, 0)
        # What names objects and questions weighs little, or the network learns these by heart.
        return pooled / jnp.sqrt(pooled.shape[-1])


class QueryGnn(nnx.Module):
    """Encoder and scorer."""

    def __init__(self, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        self.config = config
        self.encoder = Encoder(config, rngs)
        self.scorer = Scorer(config, rngs)

    def __call__(
        self, graphs: EgoGraphs, questions: Float[Array | ndarray, "B d"]
    ) -> Float[Array, "B n"]:
        """`[B, n]` the logits of relevance."""
        return self.scorer(EncodedGraphs.from_nodes(self.encoder(graphs), graphs, questions))


class Reconstruction(nnx.Module):
    """Which nodes of a graph are joined, by an encoder that reads half of its edges (stage 1)."""

    def __init__(self, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        self.encoder = Encoder(config, rngs)
        self.decoder = nnx.Linear(config.width, config.width // 4, use_bias=False, rngs=rngs)
        self.bias = nnx.Param(jnp.zeros((), jnp.float32))

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
    """What reconstruction reads.

    Attributes:
        graphs: `[B, n, …]`.
        mask: `[B, n m²]` true for pairs of different real nodes.
    """

    graphs: EgoGraphs
    mask: Bool[Array | ndarray, "B p"]

    @classmethod
    def from_graphs(cls, graphs: EgoGraphs) -> tuple["Pairs", Bool[Array, "B p"]]:
        """The pairs of graphs, and which of them are joined."""
        real = jnp.asarray(graphs.mask)
        m = real.shape[-1]
        pairs = real[..., :, None] & real[..., None, :] & ~jnp.eye(m, dtype=bool)
        listed = (jnp.asarray(graphs.neighbors)[..., None] == jnp.arange(m)).any(-2)
        joined = (listed | listed.mT) & pairs
        return cls(graphs, pairs.reshape(len(real), -1)), joined.reshape(len(real), -1)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class EncodedGraphs:
    """What a scorer reads: graphs whose nodes are encoded.

    Attributes:
        nodes: `[B, n, m, w]` what the encoder says of them, and their marks.
        real: `[B, n, m]` true for real nodes.
        near: `[B, n, NEAR]` what is known of the candidates.
        questions: `[B, d]`.
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
        """From what the encoder says of the nodes of graphs."""
        nodes = jnp.concatenate([encoded, graphs.marks], -1)
        return cls(nodes, graphs.mask, graphs.near, questions, jnp.asarray(graphs.mask)[..., 0])


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
        scores: `[B, n]` the retriever's.
        semantic: `[B, n, k]` the weights of every candidate's semantic edges, 0 for none.
        network: `[B, n]` the network's.
        alone: `[B, n]` true for candidates without edges, whose retriever's score stands for the
            network's.
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
    """`[B, n, 3]` what `fuse` weighs."""
    real = jnp.asarray(mask)
    # Of algorithm 9, with nothing kept of the scores, which stand beside it.
    graph = kernels.adjust_scores(jnp.where(real, scores, 0.0), semantic, alpha=0.0, mask=real)
    retriever = standardised(jnp.asarray(scores), real)
    learned = jnp.where(alone, retriever, standardised(jnp.asarray(network), real))
    return jnp.stack([retriever, standardised(graph, real), learned], -1)


def check_query_gnn(model: QueryGnnConfig, graph: EgoSettings) -> None:
    """Raise InputError, naming the field, where there can be no such network or no such graphs."""
    # What layers make of nodes is scored by a head, which must have a width.
    widths = model.fusion or ((0,) if model.layers else ())
    for name, value, least in (
        ("model.dimension", model.dimension, UNSET),
        ("model.layers", model.layers, 0),
        ("model.heads", model.heads, 1),
        ("model.width", model.width, 1),
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
    check_share("query_gnn.model.dropout", model.dropout)
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
