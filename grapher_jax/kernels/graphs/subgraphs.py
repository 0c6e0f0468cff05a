"""Small graphs around candidates, cut from a larger graph by similarity to the question.

Query-aware GNN retrieval, algorithms 5 and 8, for all candidates of a batch at once. The larger
graph is a table of neighbours; nodes are its rows. Additional shape letters: `N` nodes of the
larger graph, `s` neighbour slots of a node, `m` nodes of a small graph.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int
from numpy import ndarray

from grapher_jax.kernels.checks import check_ids, check_shape

Nodes = Int[Array | ndarray, "*B n"]
Neighbors = Int[Array | ndarray, "N s"]


def expand_seeds(
    seeds: Nodes,
    neighbors: Neighbors,
    similarities: Float[Array | ndarray, "*B N"],
    *,
    depth: int = 1,
    threshold: float | Array = 0.0,
    size: int = 16,
) -> Int[Array, "*B n m"]:
    """The nodes around every seed that can be reached through nodes similar to the question.

    Algorithm 8 of query-aware GNN retrieval, run separately for each seed: a step leads to a
    neighbour whose similarity is above the threshold. If there are more nodes than fit, each step
    keeps the most similar ones.

    Args:
        seeds: `[*B, n]` the nodes where expansion begins, -1 for none.
        neighbors: `[N, s]` the neighbours of every node, -1 where unused.
        similarities: `[*B, N]` the similarity of every node to the question.
        depth: the maximum number of steps from a seed, at least 0.
        threshold: a node's similarity must exceed it; that of a seed need not.
        size: m, the maximum number of nodes of a small graph, including the seed.

    Returns:
        `[*B, n, m]` the seed, then the others by falling similarity (ties: the lower node first);
        -1 where there are fewer.

    Raises:
        TypeError: for seeds or neighbours that are not integers.
        ValueError: for a size below 1, a depth below 0 or similarities of another shape, and for
            nodes that do not exist, if `checks` can see them.
    """
    _check_nodes("seeds", seeds, neighbors)
    if size < 1 or depth < 0:
        raise ValueError(f"size: {size} must be at least 1, and depth: {depth} at least 0")
    check_shape("similarities", similarities, (*np.shape(seeds)[:-1], len(neighbors)))
    listed = jnp.asarray(neighbors).astype(jnp.int32)

    def around(seed: Array, similarity: Array) -> Array:
        nodes = jnp.full(size, -1, jnp.int32).at[0].set(seed.astype(jnp.int32))
        reached = nodes[:1]
        for _ in range(depth):
            found = jnp.where(reached[:, None] >= 0, listed[reached], -1).reshape(-1)
            pool = jnp.sort(jnp.concatenate([nodes[1:], found]))
            known = (pool == seed) | jnp.pad(pool[1:] == pool[:-1], (1, 0))[: len(pool)]
            near = similarity[pool]
            usable = (pool >= 0) & ~known & (near > threshold)
            # A sort is stable, so that ties go to the lower node.
            order = jnp.argsort(jnp.where(usable, -near, jnp.inf), stable=True)[: size - 1]
            best = jnp.where(usable[order], pool[order], -1)
            reached = nodes = nodes.at[1:].set(-1).at[1 : 1 + len(best)].set(best)
        return nodes

    each = jax.vmap(around, (0, None))
    for _ in range(jnp.ndim(seeds) - 1):
        each = jax.vmap(each)
    return each(jnp.asarray(seeds), jnp.asarray(similarities))


def _check_nodes(name: str, nodes: Nodes, neighbors: Neighbors) -> None:
    highest = np.shape(neighbors)[0] - 1
    check_ids(name, nodes, highest=highest)
    check_ids("neighbors", neighbors, highest=highest)


def induced_neighbors(
    nodes: Int[Array | ndarray, "*B m"], neighbors: Neighbors
) -> Int[Array, "*B m s"]:
    """The larger graph's edges between the nodes of a small one, as positions in the small one.

    Args:
        nodes: `[*B, m]` different nodes, -1 for none.
        neighbors: `[N, s]` the neighbours of every node, -1 where unused.

    Returns:
        `[*B, m, s]`: for each slot, the position of the node's neighbour in `nodes`; -1 if it is
        not there, so that every slot keeps its meaning.

    Raises:
        TypeError: for nodes or neighbours that are not integers.
        ValueError: for nodes that do not exist, if `checks` can see them.
    """
    _check_nodes("nodes", nodes, neighbors)
    own = jnp.asarray(nodes)
    listed = jnp.where(own[..., None] >= 0, jnp.asarray(neighbors)[own], -1)
    same = (listed[..., None] == own[..., None, None, :]) & (listed[..., None] >= 0)
    places = jax.lax.broadcasted_iota(jnp.int32, same.shape, same.ndim - 1)
    return jnp.where(same, places, -1).max(-1, initial=-1)  # nodes differ, so one place at most
