"""Graph attention over candidates: GATv2 (Brody et al., 2022, equation 7).

The layer of GraphER's GNN (section 2.2). A candidate hears its neighbours, weighted by how well
each suits it: `e[i, j] = a · LeakyReLU(W_r x[i] + W_l x[j])`, a softmax over i's neighbours and
`out[i] = Σ_j α[i, j] W_l x[j]`, for every head apart. The products with `W_l` and `W_r` are
arguments: a product of a concatenation is a sum of products, so what a layer takes from an object
alone can be projected once for each object and gathered.

Neighbours are taken slot by slot: all candidates' first ones, then all second ones. A slot costs
one pass over rows of contiguous channels, and nothing as large as all edges is ever held.

Shape letters beyond the package's: `d` neighbour slots, `h` heads, `c` channels of a head, `f`
features of an edge.
"""

import functools
import math
from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax.kernels.checks import check_ids, check_mask
from grapher_jax.kernels.masking import reciprocal
from grapher_jax.kernels.types import Mask

# Partial sums of a head's channels: as many as a vector register of the widest CPUs holds.
_LANES = 16
# Slots in one pass of the weighted sum: more save passes, fewer waste less on empty slots.
_SLOTS_AT_ONCE = 8

Rows = Float[Array, "N h c"]
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

    Equal to `torch_geometric.nn.GATv2Conv(bias=False)` with the heads kept apart.

    Args:
        sources: `[*B, n, h, c]` what every candidate says, `W_l x`.
        targets: `[*B, n, h, c]` how every candidate listens, `W_r x`.
        attention: `[h, c]` the vector a of every head.
        neighbors: `[*B, n, d]` the candidates who speak to i, -1 where unused; one named twice
            speaks twice.
        mask: `[*B, n]` true for real candidates; all by default. The others neither speak nor hear.
        self_loops: let every candidate hear itself once, whether or not its list names it.
        negative_slope: of the LeakyReLU.
        edges: `[*B, n, d, f]` features of every edge; those of self loops are 0, as with
            `fill_value=0.0` in PyG. None by default.
        edge_projection: `[f, h, c]` W_e; its product with the features is added before the
            LeakyReLU, a slot at a time, so that it is never held for all edges.

    Returns:
        `[*B, n, h, c]`; 0 for a candidate who hears nobody and where masked.

    Raises:
        TypeError: for neighbours that are no integers, or a mask of no truth values.
        ValueError: for neighbours that do not exist, where these are at hand and not masked, and
            for edges without a projection.
    """
    if (edges is None) != (edge_projection is None):
        raise ValueError("edges: need edge_projection, and it them; give both or neither")
    *batch, n, d = neighbors.shape
    check_mask(mask, (*batch, n))
    check_ids("neighbors", neighbors, mask, highest=n - 1)
    count = math.prod(batch)
    own = jnp.arange(n)[:, None]
    heard = jnp.asarray(neighbors).reshape(count, n, d)
    used = heard >= 0
    if self_loops:
        used &= heard != own
        heard = jnp.concatenate([jnp.broadcast_to(own, (count, n, 1)), heard], axis=-1)
        used = jnp.concatenate([jnp.ones((count, n, 1), bool), used], axis=-1)
    first = n * jnp.arange(count)[:, None, None]
    # An unused slot names the candidate itself: a row that is at hand, and no other's NaN.
    places = (jnp.where(used, heard, own) + first).reshape(count * n, -1)
    used = used.reshape(count * n, -1)
    if mask is not None:
        real = jnp.asarray(mask).reshape(-1)
        used &= real[:, None] & real[places]
    said, hearing = _rows(sources, mask), _rows(targets, mask)
    features = None
    if edges is not None:
        features = jnp.moveaxis(jnp.asarray(edges).reshape(count * n, d, -1), 1, 0)
        features = jnp.pad(features, ((int(self_loops), 0), (0, 0), (0, 0)))
    weights = _attention(
        _take,
        said,
        hearing,
        attention,
        negative_slope,
        places.T,
        used.T,
        features,
        edge_projection,
    )
    return _weighted_sum(said, places.T, used.T, weights).reshape(sources.shape)


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
    """The same layer over a matrix: j speaks to i where `adjacency[i, j]` is not 0.

    Its time grows with n², whatever the number of edges; its memory too, but not with channels.

    Args:
        sources: `[*B, n, h, c]` what every candidate says, `W_l x`.
        targets: `[*B, n, h, c]` how every candidate listens, `W_r x`.
        attention: `[h, c]` the vector a of every head.
        adjacency: `[*B, n, n]`; only whether a weight is 0 matters.
        mask: `[*B, n]` true for real candidates; all by default. The others neither speak nor hear.
        self_loops: let every candidate hear itself, whatever the diagonal holds; else the diagonal
            decides.
        negative_slope: of the LeakyReLU.

    Returns:
        `[*B, n, h, c]`; 0 for a candidate who hears nobody and where masked.
    """
    *batch, n, h, c = sources.shape
    count = math.prod(batch)
    used = (jnp.asarray(adjacency) != 0).reshape(count, n, n)
    if self_loops:
        used |= jnp.eye(n, dtype=bool)
    if mask is not None:
        real = jnp.asarray(mask).reshape(count, n)
        used &= real[:, :, None] & real[:, None, :]
    said, hearing = _rows(sources, mask), _rows(targets, mask)

    def speaker(rows: Rows, place: Int[Array, ""]) -> Rows:
        return jnp.repeat(rows.reshape(count, n, h, c)[:, place], n, axis=0)

    slots = jnp.moveaxis(used, 2, 0).reshape(n, count * n)
    weights = _attention(speaker, said, hearing, attention, negative_slope, jnp.arange(n), slots)
    by_query, values = weights.reshape(n, count, n, h), said.reshape(count, n, h, c)
    heard = jnp.einsum("jbih,bjhc->bihc", by_query, values, precision="highest")
    return heard.reshape(sources.shape)


def _rows(projected: Projected, mask: Mask | None) -> Rows:
    """All candidates of the batch in one list, padding as 0."""
    values = jnp.asarray(projected)
    if mask is not None:
        values = jnp.where(jnp.asarray(mask)[..., None, None], values, 0.0)
    return values.reshape(-1, *values.shape[-2:])


def _take(rows: Rows, places: Int[Array, " N"]) -> Rows:
    return rows.at[places].get(mode="promise_in_bounds")


def _attention(
    speaker: Callable[[Rows, Array], Rows],
    sources: Rows,
    targets: Rows,
    attention: Float[Array | ndarray, "h c"],
    negative_slope: float | Array,
    slots: Int[Array, "s ..."],
    used: Bool[Array, "s N"],
    edges: Float[Array, "s N f"] | None = None,
    edge_projection: Float[Array | ndarray, "f h c"] | None = None,
) -> Float[Array, "s N h"]:
    """The weight of every slot: a softmax over the used slots of a row, 0 in others.

    Args:
        speaker: from sources and one of `slots` to the row that each candidate hears.
        sources: `[N, h, c]`.
        targets: `[N, h, c]`.
        attention: `[h, c]`.
        negative_slope: of the LeakyReLU.
        slots: for every slot, what tells `speaker` the rows.
        used: `[s, N]`.
        edges: `[s, N, f]` features of the slots' edges.
        edge_projection: `[f, h, c]` of these.
    """
    rows, h, c = sources.shape
    lanes = _LANES if c % _LANES == 0 else c
    parameters = [attention] if edge_projection is None else [attention, edge_projection]
    # Summing the lanes is a product with ones, which is much faster than a reduction on CPUs.
    ones = jnp.repeat(jnp.eye(h, dtype=sources.dtype), lanes, axis=0)

    def partial_sums(slot: Array, features: Array | None, *arrays: Array) -> Array:
        said, hearing, a, *projection = arrays
        met = speaker(said, slot) + hearing
        if features is not None:
            met += jnp.tensordot(features, projection[0], 1, precision="highest")
        terms = jax.nn.leaky_relu(met, negative_slope) * a
        return sum((terms[..., i : i + lanes] for i in range(lanes, c, lanes)), terms[..., :lanes])

    def logits(
        highest: Array, slot: tuple[Array, Array, Array, Array | None]
    ) -> tuple[Array, Array]:
        which, anyone, silence, features = slot
        empty = jnp.zeros((rows, h, lanes), sources.dtype)
        arrays = (which, features, sources, targets, *map(jnp.asarray, parameters))
        sums = _apart(anyone, partial_sums, empty, *arrays)
        found = jnp.dot(sums.reshape(rows, h * lanes), ones, precision="highest")
        found = found.reshape(-1) + silence
        return jnp.maximum(highest, jax.lax.stop_gradient(found)), found

    # Rows and heads as one axis: a loop over few heads would not be vectorised.
    silence = jnp.repeat(jnp.where(used, 0.0, -jnp.inf).astype(sources.dtype), h, axis=1)
    # A gradient computes each slot again: kept, they would be as large as all edges.
    again = jax.checkpoint(logits, prevent_cse=False)
    nobody = jnp.full(rows * h, -jnp.inf, sources.dtype)
    highest, found = jax.lax.scan(again, nobody, (slots, used.any(1), silence, edges))
    powers = jnp.exp(found - jnp.where(jnp.isfinite(highest), highest, 0.0))
    totals = jnp.dot(jnp.ones(len(slots), powers.dtype), powers, precision="highest")
    return (powers * reciprocal(totals)).reshape(-1, rows, h)


def _weighted_sum(
    sources: Rows,
    places: Int[Array, "s N"],
    used: Bool[Array, "s N"],
    weights: Float[Array, "s N h"],
) -> Rows:
    """`out[i] = Σ_s weights[s, i] sources[places[s, i]]`, several slots in a pass."""

    def add(rows: Rows, places: Array, weights: Array, total: Array | None) -> Rows:
        heard = [w[..., None] * _take(rows, p) for p, w in zip(places, weights, strict=True)]
        return functools.reduce(jnp.add, heard if total is None else [total, *heard])

    total = None
    for start in range(0, len(places), _SLOTS_AT_ONCE):
        some = slice(start, start + _SLOTS_AT_ONCE)
        arguments = (sources, places[some], weights[some], total)
        otherwise = jnp.zeros_like(sources) if total is None else total
        total = _apart(used[some].any(), add, otherwise, *arguments)
    return jnp.zeros_like(sources) if total is None else total


def _apart(
    needed: Bool[Array, ""],
    compute: Callable[..., Array],
    otherwise: Array,
    *arguments: Array | None,
) -> Array:
    """The function's result where it is needed, else the other.

    XLA for CPUs merges whatever it can into one loop, which then is no longer vectorised, or
    computes a value once for each channel that needs it. It merges nothing into a branch.
    """

    def by_branch(*arguments: Array | None) -> Array:
        return jax.lax.cond(needed, compute, lambda *_: otherwise, *arguments)

    return jax.lax.platform_dependent(*arguments, cpu=by_branch, default=compute)
