"""The graph around each candidate, cut from the index's graph (query-aware GNN retrieval)."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Shaped
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.kernels.masking import reciprocal
from grapher_jax.kernels.precision import full_precision
from grapher_jax.training.relations import RELATIONS

# The number of features of a node besides its encoding: see `EgoGraphs.marks`.
MARKS = 3
# The number of features of a candidate: see `EgoGraphs.near`.
NEAR = 1 + 3 * len(RELATIONS)


@dataclass(frozen=True, kw_only=True)
class EgoSettings:
    """How the candidates' graphs are cut, and how three scores are fused.

    Attributes:
        candidates: how many candidates the dense retriever returns.
        depth: the maximum number of steps from a candidate.
        threshold: the similarity to the question that a node on the path must exceed.
        size: the maximum number of nodes of a graph.
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
    """The graph from which candidates' graphs are cut, as built by `ObjectGraph`.

    Attributes:
        neighbors: `[N, s]` the neighbours of each object, -1 where unused.
        weights: `[N, s]` the weights of these edges.
        relations: `[s]` the relation of each slot, as an index into `RELATIONS`.
        embeddings: `[N, d]` the embeddings, of unit length.
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
        nodes: `[B, n, m, d]` the embeddings of the nodes.
        neighbors: `[B, n, m, s]` the neighbours of each node, as positions in its graph; -1 for
            none.
        weights: `[B, n, m, s]` the weights of these edges.
        relations: `[B, s]` the relation of each slot, as an index into `RELATIONS`.
        similarities: `[B, n, m]` the similarities of nodes to their question, standardised like the
            retriever's scores.
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
        """`[B, n, NEAR]` a candidate's similarity, and for each relation that of its neighbours.

        The latter is how far the neighbours' similarities are above its own, squashed to [-1, 1]:
        the mean, the highest, and whether there are any.
        """
        own = jnp.asarray(self.similarities)[..., :1]
        listed = jnp.asarray(self.neighbors)[..., 0, :]
        near = jnp.take_along_axis(self.similarities, jnp.maximum(listed, 0), axis=-1)
        # Bounded, because the neighbours of a single answer are far below it, and should not pull
        # it down.
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
        """`[B, n, m, MARKS]` a node's similarity, whether it is the candidate, their product."""
        near = jnp.where(self.mask, self.similarities, 0.0)
        own = jnp.zeros(near.shape).at[..., 0].set(1.0)
        return jnp.stack([near, own, near * own], -1)


@full_precision
def cut_graphs(
    graph: IndexGraph,
    rows: Int[Array | ndarray, "B n"],
    questions: Float[Array | ndarray, "B d"],
    *,
    settings: EgoSettings,
    centre: Float[Array | ndarray, "B 1"] | float = 0.0,
    deviation: Float[Array | ndarray, "B 1"] | float = 1.0,
) -> EgoGraphs:
    """Cuts the graphs of candidates, along nodes similar to the question (algorithm 8).

    Args:
        graph: the graph from which they are cut.
        rows: `[B, n]` the candidates, as rows of it; -1 for none.
        questions: `[B, d]` the questions' embeddings, of unit length.
        settings: how the graphs are cut.
        centre: `[B, 1]` the mean of the retriever's scores.
        deviation: `[B, 1]` their standard deviation.
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
