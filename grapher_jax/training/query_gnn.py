"""The network of query-aware GNN retrieval (appendix A): graphs and a question in, scores out.

Every candidate has a graph of its own (`kernels.expand_seeds`), whose first node it is. An encoder
knows nothing of the question; pooling, fusion and a head do.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import jax
import jax.numpy as jnp
from flax import nnx
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray, Shaped
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.errors import InputError
from grapher_jax.kernels.masking import reciprocal
from grapher_jax.training.architecture import UNSET, Architecture, check_range, check_share
from grapher_jax.training.candidates import standardised
from grapher_jax.training.dropout import dropped
from grapher_jax.training.relations import RELATIONS

# Weights of the fusion: of three scores, and a constant.
FUSED = 4
# What is known of a node beside what the encoder says: see `EgoGraphs.marks`.
MARKS = 3
# What is known of a candidate: see `EgoGraphs.near`.
NEAR = 1 + 3 * len(RELATIONS)
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
        layers: of attention.
        heads: of each.
        width: of a node, all heads together.
        relation_width: of the embedding of an edge's relation.
        fusion: the widths of the fusion network.
        dropout: the share of values that is left out in training.
    """

    dimension: int
    layers: int = 2
    heads: int = 4
    width: int = 256
    relation_width: int = 16
    fusion: tuple[int, ...] = (512, 256, 128)
    dropout: float = 0.3


@dataclass(frozen=True, kw_only=True)
class EgoSettings:
    """How the candidates' graphs are cut, and what is made of three scores.

    Attributes:
        candidates: how many the dense retriever returns.
        depth: the most steps from a candidate.
        threshold: the similarity to the question that a node on the way must exceed.
        size: how many nodes a graph has at most.
        fusion: the weights of the retriever's score, of the mean weight of semantic edges and of
            the network's score, each standardised over a question's candidates, and a constant
            (algorithm 6).
    """

    candidates: int = 100
    depth: int = 1
    threshold: float = 0.0
    size: int = 16
    fusion: tuple[float, ...] = (1.0, 0.0, 1.0, 0.0)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class IndexGraph:
    """The graph that candidates' graphs are cut from, as `ObjectGraph` builds it.

    Attributes:
        neighbors: `[N, s]` -1 where a slot is unused.
        weights: `[N, s]`.
        relations: `[s]` the relation of each slot, as a place in `RELATIONS`.
        embeddings: `[N, d]` of unit length.
    """

    neighbors: Int[Array | ndarray, "N s"]
    weights: Float[Array | ndarray, "N s"]
    relations: Int[Array | ndarray, " s"]
    embeddings: Float[Array | ndarray, "N d"]

    def semantic(self, rows: Int[Array | ndarray, "B n"]) -> Float[Array, "B n s"]:
        """`[B, n, s]` the weights of these objects' semantic edges, 0 in all other slots."""
        chosen = jnp.asarray(self.relations) == RELATIONS.index("semantic")
        found = jnp.where(chosen, jnp.asarray(self.weights)[rows], 0.0)
        return jnp.where(jnp.asarray(rows)[..., None] >= 0, found, 0.0)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class EgoGraphs:
    """The graphs of n candidates of B questions; a graph's first node is the candidate.

    Attributes:
        nodes: `[B, n, m, d]` embeddings.
        neighbors: `[B, n, m, s]` who speaks to each node, as places in its graph; -1 for nobody.
        weights: `[B, n, m, s]` of these edges.
        relations: `[B, s]` the relation of each slot, as a place in `RELATIONS`.
        similarities: `[B, n, m]` of nodes to their question, in deviations of the retriever's
            scores.
        mask: `[B, n, m]` true for real nodes.
    """

    nodes: Float[Array | ndarray, "B n m d"]
    neighbors: Shaped[Array | ndarray, "B n m s"]
    weights: Float[Array | ndarray, "B n m s"]
    relations: Int[Array | ndarray, "B s"]
    similarities: Float[Array | ndarray, "B n m"]
    mask: Bool[Array | ndarray, "B n m"]

    @property
    def alone(self) -> Bool[Array, "B n"]:
        """`[B, n]` true for candidates whose graph has no edge (algorithm 5)."""
        return (jnp.asarray(self.neighbors) < 0).all((-2, -1))

    @property
    def near(self) -> Float[Array, "B n f"]:
        """`[B, n, NEAR]` a candidate's similarity, and by relation what its neighbours add.

        That is how far their similarities lie above its own, each squeezed to between -1 and 1: the
        mean, the highest, and whether there are any.
        """
        own = jnp.asarray(self.similarities)[..., :1]
        listed = jnp.asarray(self.neighbors)[..., 0, :]
        near = jnp.take_along_axis(self.similarities, jnp.maximum(listed, 0), axis=-1)
        # Bounded: the neighbours of a lone answer lie far below it, and should not pull it down.
        above = jnp.tanh((near - own) / 2)
        kinds = jax.nn.one_hot(self.relations, len(RELATIONS))[:, None]
        used = (listed >= 0)[..., None] & (kinds > 0)
        any_used = used.any(-2)
        mean = jnp.where(used, above[..., None], 0.0).sum(-2) * reciprocal(used.sum(-2) * 1.0)
        highest = jnp.where(used, above[..., None], -jnp.inf).max(-2)
        highest = jnp.where(any_used, highest, 0.0)
        return jnp.concatenate([own, mean, highest, any_used * 1.0], -1)

    @property
    def marks(self) -> Float[Array, "B n m 3"]:
        """`[B, n, m, MARKS]` its similarity, whether it is the candidate, and both multiplied."""
        near = jnp.where(self.mask, self.similarities, 0.0)
        own = jnp.zeros(near.shape).at[..., 0].set(1.0)
        return jnp.stack([near, own, near * own], -1)


def cut_graphs(
    graph: IndexGraph,
    rows: Int[Array | ndarray, "B n"],
    questions: Float[Array | ndarray, "B d"],
    *,
    settings: EgoSettings,
    centre: Float[Array | ndarray, "B 1"] | float = 0.0,
    deviation: Float[Array | ndarray, "B 1"] | float = 1.0,
) -> EgoGraphs:
    """The graphs of candidates, each cut where it no longer suits the question (algorithm 8).

    Args:
        graph: what they are cut from.
        rows: `[B, n]` the candidates, as rows of it; -1 for none.
        questions: `[B, d]` of unit length.
        settings: how they are cut.
        centre: `[B, 1]` the mean of the retriever's scores.
        deviation: `[B, 1]` theirs.
    """
    embeddings = jnp.asarray(graph.embeddings)
    similarities = jnp.asarray(questions) @ embeddings.T
    nodes = kernels.expand_seeds(
        rows,
        graph.neighbors,
        similarities,
        depth=settings.depth,
        threshold=settings.threshold,
        size=settings.size,
    )
    neighbors = kernels.induced_neighbors(nodes, graph.neighbors)
    mask = nodes >= 0
    near = jnp.take_along_axis(similarities[:, None], jnp.maximum(nodes, 0), axis=2)
    near = (near - jnp.asarray(centre)[..., None]) * reciprocal(jnp.asarray(deviation))[..., None]
    return EgoGraphs(
        nodes=jnp.where(mask[..., None], embeddings[nodes], 0.0),
        neighbors=neighbors,
        weights=jnp.where(neighbors >= 0, jnp.asarray(graph.weights)[nodes], 0.0),
        relations=jnp.tile(jnp.asarray(graph.relations), (len(nodes), 1)),
        similarities=jnp.where(mask, near, 0.0),
        mask=mask,
    )


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
        self.attention = nnx.Param(nnx.initializers.glorot_normal()(rngs.params(), shape))
        self.norm = nnx.LayerNorm(width, rngs=rngs)

    def __call__(
        self, x: Float[Array, "B n m w"], relations: Float[Array, "B s r"], graphs: EgoGraphs
    ) -> Float[Array, "B n m v"]:
        """What nodes say after they heard their neighbours."""
        heads = self.attention[...].shape
        weights = jnp.asarray(graphs.weights)[..., None]
        kinds = jnp.broadcast_to(
            relations[:, None, None], (*weights.shape[:-1], relations.shape[-1])
        )
        heard = kernels.gatv2_attention(
            self.sources(x).reshape(*x.shape[:-1], *heads),
            self.targets(x).reshape(*x.shape[:-1], *heads),
            self.attention[...],
            graphs.neighbors,
            self_loops=False,
            edges=jnp.concatenate([kinds, weights], axis=-1),
            edge_projection=self.edges.kernel[...].reshape(-1, *heads),
        )
        return self.norm(jax.nn.relu(heard.reshape(*x.shape[:-1], -1) + self.residual(x)))


class Encoder(nnx.Module):
    """Nodes with what their graph says of them (algorithm 2)."""

    def __init__(self, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        self.config = config
        self.relations = nnx.Embed(len(RELATIONS), config.relation_width, rngs=rngs)
        widths = [config.dimension] + [config.width] * (config.layers - 1)
        self.layers = nnx.List([EdgeAwareLayer(width, config, rngs) for width in widths])

    def __call__(
        self,
        graphs: EgoGraphs,
        *,
        key: PRNGKeyArray | None = None,
    ) -> Float[Array, "B n m w"]:
        """`[B, n, m, w]` nodes.

        Args:
            graphs: the candidates' graphs.
            key: leave out values at random, in training.
        """
        # Components of a unit vector are about 1 / √d.
        x = jnp.asarray(graphs.nodes) * jnp.sqrt(self.config.dimension)
        kinds = self.relations(jnp.asarray(graphs.relations))
        for number, layer in enumerate(self.layers):
            x = dropped(layer(x, kinds, graphs), self.config.dropout, key, number)
        return x


class Scorer(nnx.Module):
    """Query-guided pooling, fusion and head (algorithms 3, 4 and 7).

    Beside the head's score stands a linear one over what is known of the candidate. It begins as
    the retriever's: an untrained scorer ranks as the retriever does.
    """

    def __init__(self, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        width = config.width
        self.config = config
        self.project_nodes = nnx.Linear(width + MARKS, width, rngs=rngs)
        self.project_query = nnx.Linear(config.dimension, width, use_bias=False, rngs=rngs)
        self.importance = nnx.Linear(width, 1, use_bias=False, rngs=rngs)
        widths = [width + MARKS + NEAR + config.dimension, *config.fusion]
        self.fusion = nnx.List([nnx.Linear(a, b, rngs=rngs) for a, b in pairwise(widths)])
        self.norms = nnx.List([nnx.LayerNorm(b, rngs=rngs) for b in config.fusion])
        self.skip = nnx.Linear(widths[0], widths[-1], use_bias=False, rngs=rngs)
        self.hidden = nnx.Linear(widths[-1], widths[-1] // 4, rngs=rngs)
        self.score = nnx.Linear(
            widths[-1] // 4, 1, kernel_init=nnx.initializers.zeros_init(), rngs=rngs
        )
        # The first is the candidate's own similarity.
        self.direct = nnx.Param(jnp.zeros(NEAR).at[0].set(1.0 / _PACE))

    def __call__(
        self,
        graphs: "EncodedGraphs",
        *,
        key: PRNGKeyArray | None = None,
    ) -> Float[Array, "B n"]:
        """`[B, n]` the logits of relevance; the paper's sigmoid is left to whoever needs one."""
        rate = self.config.dropout
        query = jnp.asarray(graphs.questions) * jnp.sqrt(self.config.dimension)
        nodes, real = jnp.asarray(graphs.nodes), jnp.asarray(graphs.real)
        met = jnp.tanh(self.project_nodes(nodes) + self.project_query(query)[:, None, None])
        # A graph of no nodes would have a softmax over nothing.
        importance = jnp.where(real, self.importance(met)[..., 0], -1e9)
        shares = jnp.where(real, jax.nn.softmax(importance, -1), 0.0)
        pooled = dropped(jnp.einsum("bnm,bnmw->bnw", shares, nodes), rate, key, 0)
        # What names objects and questions speaks softly, or the network learns these by heart.
        asked = jnp.broadcast_to(
            jnp.asarray(graphs.questions)[:, None], (*pooled.shape[:2], query.shape[-1])
        )
        pooled = pooled / jnp.sqrt(pooled.shape[-1])
        combined = jnp.concatenate([pooled, graphs.near, asked], -1)
        x = combined
        for number, (layer, norm) in enumerate(zip(self.fusion, self.norms, strict=True), start=1):
            x = dropped(jax.nn.relu(norm(layer(x))), rate, key, number)
        x = x + self.skip(combined)
        learned = self.score(jax.nn.relu(self.hidden(x)))[..., 0]
        return learned + jnp.asarray(graphs.near) @ (_PACE * self.direct[...])


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
    """Which nodes of a graph are joined, by an encoder that hears half of its edges (stage 1)."""

    def __init__(self, config: QueryGnnConfig, rngs: nnx.Rngs) -> None:
        self.encoder = Encoder(config, rngs)
        self.decoder = nnx.Linear(config.width, config.width // 4, use_bias=False, rngs=rngs)
        self.bias = nnx.Param(jnp.zeros(()))

    def __call__(self, pairs: "Pairs", *, key: PRNGKeyArray | None = None) -> Float[Array, "B p"]:
        """`[B, n m²]` the logits of every pair of nodes of the same graph."""
        graphs = pairs.graphs
        if key is not None:
            key, own = jax.random.split(key)
            heard = jax.random.bernoulli(own, 0.5, graphs.neighbors.shape)
            graphs = replace(graphs, neighbors=jnp.where(heard, graphs.neighbors, -1))
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
        heard = (jnp.asarray(graphs.neighbors)[..., None] == jnp.arange(m)).any(-2)
        joined = (heard | heard.mT) & pairs
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
    for name, value, least in (
        ("model.dimension", model.dimension, UNSET),
        ("model.layers", model.layers, 1),
        ("model.heads", model.heads, 1),
        ("model.width", model.width, 1),
        ("model.relation_width", model.relation_width, 1),
        ("model.fusion", min(model.fusion, default=0), 4),
        ("model.fusion", max(model.fusion, default=0), 4),
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
    if not math.isfinite(graph.threshold):
        raise InputError(f"query_gnn.graph.threshold: {graph.threshold} must be finite")
    if len(graph.fusion) != FUSED or not all(map(math.isfinite, graph.fusion)):
        raise InputError(
            f"query_gnn.graph.fusion: {list(graph.fusion)} must be {FUSED} finite numbers"
        )


ARCHITECTURE = Architecture("query-gnn", QueryGnn, QueryGnnConfig, EgoSettings, check_query_gnn)
