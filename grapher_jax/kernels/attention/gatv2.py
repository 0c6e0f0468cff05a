"""Graph attention over candidates: GATv2 (Brody et al., 2022, equation 7).

The layer of GraphER's GNN (section 2.2). Candidate i receives messages from its neighbours j, each
weighted by attention: `e[i, j] = a · LeakyReLU(W_r x[i] + W_l x[j])`, a softmax over i's neighbours
and `out[i] = Σ_j α[i, j] W_l x[j]`, separately for every head. The products with `W_l` and `W_r`
are arguments: the product of a concatenation is a sum of products, so the part of a layer's input
that depends only on the object can be projected once per object, then gathered.

`slots` and `edges` compute it. Additional shape letters: `d` neighbour slots, `h` heads, `c`
channels of a head, `f` features of an edge.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax.kernels.attention.edges import sum_messages_of_edges
from grapher_jax.kernels.attention.slots import (
    Rows,
    Terms,
    attention_weights,
    sum_messages,
)
from grapher_jax.kernels.checks import check_ids, check_mask, check_shape
from grapher_jax.kernels.types import Mask

Projected = Float[Array | ndarray, "*B n h c"]


def gatv2_attention(
    sources: Projected,
    targets: Projected,
    attention: Float[Array | ndarray, "h c"],
    neighbors: Int[Array | ndarray, "*B n d"],
    *,
    mask: Mask | None = None,
    self_loops: bool = True,
    negative_slope: float | Array = 0.2,
    edges: Float[Array | ndarray, "*B n d f"] | None = None,
    edge_projection: Float[Array | ndarray, "f h c"] | None = None,
) -> Float[Array, "*B n h c"]:
    """One layer of attention over lists of neighbours, before bias and nonlinearity.

    Equal to `torch_geometric.nn.GATv2Conv(bias=False)`, with the heads on their own axis.

    Args:
        sources: `[*B, n, h, c]` every candidate as the source of an edge, `W_l x`.
        targets: `[*B, n, h, c]` every candidate as the target of an edge, `W_r x`.
        attention: `[h, c]` the vector a of every head.
        neighbors: `[*B, n, d]` the sources of i's edges, -1 where unused; a source listed twice
            counts twice.
        mask: `[*B, n]` true for valid candidates; all by default. Other candidates have no edges.
        self_loops: give every candidate one edge to itself, even if its list already names it.
        negative_slope: the slope of the LeakyReLU below 0. Given as a JAX array, it has a gradient
            too, and `jax.jvp` works; with a number, reverse mode alone, which then is faster.
        edges: `[*B, n, d, f]` features of every edge; those of self loops are 0, as with
            `fill_value=0.0` in PyG. None by default.
        edge_projection: `[f, h, c]` W_e; its product with the features is added before the
            LeakyReLU, one slot at a time, so that it is never stored for all edges.

    Returns:
        `[*B, n, h, c]`; 0 for candidates without edges and for masked ones.

    Raises:
        TypeError: for neighbours that are not integers, or a mask that is not Boolean.
        ValueError: for shapes that do not fit, unmasked neighbours that do not exist (if `checks`
            can see them), or edges without a projection.
    """
    *batch, n, d = np.shape(neighbors)
    _check_features(edges, edge_projection, (*batch, n, d), np.shape(attention))
    _check_projected(sources, targets, attention, mask, (*batch, n))
    check_ids("neighbors", neighbors, mask, highest=n - 1)
    if not np.size(sources):
        return jnp.asarray(sources)
    count = math.prod(batch)
    own = jnp.arange(n)[None, :, None]
    listed = jnp.asarray(neighbors).reshape(count, n, d)
    # In a program, where values cannot be checked, no neighbour may be another question's.
    used = (listed >= 0) & (listed < n)
    if self_loops:
        used &= listed != own
        listed = jnp.concatenate([jnp.broadcast_to(own, (count, n, 1)), listed], axis=-1)
        used = jnp.concatenate([jnp.ones((count, n, 1), bool), used], axis=-1)
    first = n * jnp.arange(count)[:, None, None]
    # An unused slot names the candidate itself: a cached row, without another row's NaN.
    places = (jnp.where(used, listed, own) + first).reshape(count * n, -1)
    used = used.reshape(count * n, -1)
    if mask is not None:
        valid = jnp.asarray(mask).reshape(-1)
        used &= valid[:, None] & valid[places]
    features = None if edges is None else _by_slot(edges, used, self_loops=self_loops)
    terms = _terms(mask, sources, targets, attention, features, edge_projection)
    # If the slope may be learned, JAX derives the gradient.
    if isinstance(negative_slope, jax.Array) or not places.size:
        messages, _ = sum_messages(negative_slope, terms, places.T, used.T)
    else:
        slope = float(negative_slope)
        messages = sum_messages_of_edges(slope, self_loops, terms, places.T, used.T)
    return messages.reshape(np.shape(sources))


def gatv2_attention_dense(
    sources: Projected,
    targets: Projected,
    attention: Float[Array | ndarray, "h c"],
    adjacency: Float[Array | ndarray, "*B n n"] | Bool[Array | ndarray, "*B n n"],
    *,
    mask: Mask | None = None,
    self_loops: bool = True,
    negative_slope: float | Array = 0.2,
) -> Float[Array, "*B n h c"]:
    """The same layer over a matrix: an edge from j to i where `adjacency[i, j]` is not 0.

    Its time and memory grow with n², whatever the number of edges; its memory does not grow with
    the number of channels.

    Args:
        sources: `[*B, n, h, c]` every candidate as the source of an edge, `W_l x`.
        targets: `[*B, n, h, c]` every candidate as the target of an edge, `W_r x`.
        attention: `[h, c]` the vector a of every head.
        adjacency: `[*B, n, n]`; only zero or nonzero matters.
        mask: `[*B, n]` true for valid candidates; all by default. Other candidates have no edges.
        self_loops: give every candidate an edge to itself, whatever the diagonal holds; if false,
            the diagonal decides.
        negative_slope: the slope of the LeakyReLU below 0.

    Returns:
        `[*B, n, h, c]`; 0 for candidates without edges and for masked ones.

    Raises:
        TypeError: for a mask that is not Boolean.
        ValueError: for shapes that do not fit.
    """
    *batch, n, h, c = np.shape(sources)
    _check_projected(sources, targets, attention, mask, (*batch, n))
    check_shape("adjacency", adjacency, (*batch, n, n))
    if not np.size(sources):
        return jnp.asarray(sources)
    count = math.prod(batch)
    used = jnp.asarray(adjacency).astype(bool).reshape(count, n, n)
    if self_loops:
        used |= jnp.eye(n, dtype=bool)[None]
    if mask is not None:
        valid = jnp.asarray(mask).reshape(count, n)
        used &= valid[:, :, None] & valid[:, None, :]
    terms = _terms(mask, sources, targets, attention)

    def source_rows(rows: Rows, place: Int[Array, ""]) -> Rows:
        """Each query's candidate at this position, repeated for all candidates of the query."""
        return jnp.repeat(rows.reshape(count, n, h, c)[:, place], n, axis=0)

    slots = jnp.moveaxis(used, 2, 0).reshape(n, count * n)
    weights, _ = attention_weights(source_rows, negative_slope, terms, jnp.arange(n), slots)
    by_query, values = weights.reshape(n, count, n, h), terms.sources.reshape(count, n, h, c)
    messages = jnp.einsum("jbih,bjhc->bihc", by_query, values, precision="highest")
    return messages.reshape(np.shape(sources))


def _by_slot(
    edges: Float[Array | ndarray, "*B n d f"], used: Bool[Array, "N s"], *, self_loops: bool
) -> Float[Array, "s N f"]:
    """The features of the edges in each slot, 0 for self loops and where a slot is unused."""
    listed = jnp.asarray(edges).reshape(len(used), *edges.shape[-2:])
    features = jnp.pad(jnp.moveaxis(listed, 1, 0), ((int(self_loops), 0), (0, 0), (0, 0)))
    return jnp.where(used.T[..., None], features, 0.0)


def _check_features(
    edges: Float[Array | ndarray, "*B n d f"] | None,
    projection: Float[Array | ndarray, "f h c"] | None,
    slots: tuple[int, ...],
    heads: tuple[int, ...],
) -> None:
    if edges is None and projection is None:
        return
    if edges is None or projection is None:
        raise ValueError("edges: need edge_projection, and it them; give both or neither")
    features = (np.shape(projection) or (None,))[0]
    check_shape("edges", edges, (*slots, features))
    check_shape("edge_projection", projection, (features, *heads))


def _check_projected(
    sources: Projected,
    targets: Projected,
    attention: Float[Array | ndarray, "h c"],
    mask: Mask | None,
    candidates: tuple[int, ...],
) -> None:
    check_mask(mask, candidates)
    heads = np.shape(attention)
    check_shape("sources", sources, (*candidates, *heads))
    check_shape("targets", targets, (*candidates, *heads))


def _terms(
    mask: Mask | None, sources: Projected, targets: Projected, *others: Array | ndarray | None
) -> Terms:
    """The terms in the widest precision of all inputs, with 0 in padding."""
    widest = jnp.result_type(*jax.tree.leaves((sources, targets, others)))
    widest = widest if jnp.issubdtype(widest, jnp.inexact) else jnp.float32
    rows = (_rows(jnp.asarray(values, widest), mask) for values in (sources, targets))
    return Terms(*rows, *jax.tree.map(lambda one: jnp.asarray(one, widest), others))


def _rows(projected: Projected, mask: Mask | None) -> Rows:
    """All candidates of the batch in one list, with padding set to 0."""
    values = jnp.asarray(projected)
    if mask is not None:
        values = jnp.where(jnp.asarray(mask)[..., None, None], values, 0.0)
    return values.reshape(-1, *values.shape[-2:])
