"""Graph attention over candidates: GATv2 (Brody et al., 2022, equation 7).

The layer of GraphER's GNN (section 2.2). A candidate hears its neighbours, weighted by how well
each suits it: `e[i, j] = a · LeakyReLU(W_r x[i] + W_l x[j])`, a softmax over i's neighbours and
`out[i] = Σ_j α[i, j] W_l x[j]`, for every head apart. The products with `W_l` and `W_r` are
arguments: a product of a concatenation is a sum of products, so what a layer takes from an object
alone can be projected once for each object and gathered.

Neighbours are taken slot by slot: all candidates' first ones, then all second ones. A slot costs
one pass over rows of contiguous channels. A gradient goes over the used slots alone, a block of
them at a time, and on CPUs the weights that it needs do so where few are used. Nothing as large as
all edges is ever held.

Shape letters beyond the package's: `d` neighbour slots, `h` heads, `c` channels of a head, `f`
features of an edge.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Shaped
from numpy import ndarray

from grapher_jax.kernels.checks import check_ids, check_mask
from grapher_jax.kernels.masking import reciprocal
from grapher_jax.kernels.types import Mask

# Partial sums of a head's channels: as many as a vector register of the widest CPUs holds.
_LANES = 16
# Slots in one pass of the weighted sum: more save passes, fewer waste less on empty slots.
_SLOTS_AT_ONCE = 8
# Edges at a time where used slots alone are visited. On CPUs what an inner cache holds, and too
# few to be shared among threads, which would wait for each other; on others enough for a device.
_EDGES_AT_ONCE = {"cpu": 128, "default": 1 << 14}

Rows = Float[Array, "N h c"]
# Sources, targets, attention, features of edges and their projection.
Terms = tuple[
    Rows, Rows, Float[Array, "h c"], Float[Array, "s N f"] | None, Float[Array, "f h c"] | None
]
# Of every used slot who hears, who speaks and the slot, padded; and how many are used.
Edges = tuple[Int[Array, " E"], Int[Array, " E"], Int[Array, " E"], Int[Array, ""]]
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
    features = projection = None
    if edges is not None:
        features = jnp.moveaxis(jnp.asarray(edges).reshape(count * n, d, edges.shape[-1]), 1, 0)
        features = jnp.pad(features, ((int(self_loops), 0), (0, 0), (0, 0)))
        features = jnp.where(used.T[..., None], features, 0.0)
        projection = jnp.asarray(edge_projection)
    terms = (said, hearing, jnp.asarray(attention), features, projection)
    # A slope that may be learned is left to JAX.
    if isinstance(negative_slope, jax.Array) or not places.size:
        return _hear(negative_slope, terms, places.T, used.T).reshape(sources.shape)
    return _heard(negative_slope, terms, places.T, used.T).reshape(sources.shape)


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


def _take(rows: Shaped[Array, "N ..."], *places: Int[Array, " m"]) -> Shaped[Array, "m ..."]:
    return rows.at[places].get(mode="promise_in_bounds")


def _hear(
    negative_slope: float | Array,
    terms: Terms,
    places: Int[Array, "s N"],
    used: Bool[Array, "s N"],
) -> Rows:
    """What every row hears."""
    weights = _weights(negative_slope, terms, places, used)
    return _weighted_sum(terms[0], places, used, weights)


def _weights(
    negative_slope: float | Array,
    terms: Terms,
    places: Int[Array, "s N"],
    used: Bool[Array, "s N"],
) -> Float[Array, "s N h"]:
    sources, targets, attention, *edges = terms
    return _attention(_take, sources, targets, attention, negative_slope, places, used, *edges)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _heard(
    negative_slope: float, terms: Terms, places: Int[Array, "s N"], used: Bool[Array, "s N"]
) -> Rows:
    """What every row hears, with a gradient of its own.

    The one that JAX derives goes over every slot several times, and most slots are empty.
    """
    return _hear(negative_slope, terms, places, used)


def _heard_forward(
    negative_slope: float, terms: Terms, places: Array, used: Array
) -> tuple[Rows, tuple[Any, ...]]:
    by_slot = functools.partial(_weights, negative_slope)

    def by_count(terms: Terms, places: Array, used: Array) -> Array:
        size = _EDGES_AT_ONCE["cpu"]
        # Out of the branch, so that all layers share the list.
        edges = _edges(places, used, size)
        # An edge costs about as much as two slots of a pass over all rows.
        return jax.lax.cond(
            2 * used.sum() < used.size,
            lambda: _attention_by_edge(negative_slope, size, terms, edges, used.shape),
            lambda: by_slot(terms, places, used),
        )

    weights = jax.lax.platform_dependent(terms, places, used, cpu=by_count, default=by_slot)
    out = _weighted_sum(terms[0], places, used, weights)
    return out, (terms, places, used, weights, out)


def _heard_backward(
    negative_slope: float, kept: tuple[Any, ...], slopes: Rows
) -> tuple[Terms, None, None]:
    ways = {
        platform: functools.partial(_slopes, negative_slope, size)
        for platform, size in _EDGES_AT_ONCE.items()
    }
    return jax.lax.platform_dependent(*kept, slopes, **ways), None, None


_heard.defvjp(_heard_forward, _heard_backward)


def _slopes(
    negative_slope: float,
    size: int,
    terms: Terms,
    places: Int[Array, "s N"],
    used: Bool[Array, "s N"],
    weights: Float[Array, "s N h"],
    out: Rows,
    slopes: Rows,
) -> Terms:
    """The loss's slopes by the terms, from those by what was heard, edge by edge.

    With g the slopes and m what i and j meet as, a logit's slope is
    `δ = α (g[i] · W_l x[j] - g[i] · out[i])`: what a softmax subtracts, the mean over i's edges, is
    known from i's own result (FlashAttention, Dao et al., 2022, appendix B.2). That of m is
    `δ a LeakyReLU'(m)`; a source gets it from all edges on which it speaks, and `α g[i]`.

    Args:
        negative_slope: of the LeakyReLU.
        size: edges at a time.
        terms: of the layer.
        places: `[s, N]` whom each row hears.
        used: `[s, N]`.
        weights: `[s, N, h]` α.
        out: `[N, h, c]` what was heard.
        slopes: `[N, h, c]` g.
    """
    rows, h, c = out.shape
    said, hearing, a, features, projection = _flat(terms)
    rates = slopes.reshape(rows, h * c)
    means = (slopes * out).sum(-1)
    edges = _edges(places, used, size)

    def by_channel(values: Float[Array, "e h"]) -> Float[Array, "e w"]:
        return jnp.broadcast_to(values[..., None], (size, h, c)).reshape(size, h * c)

    def add(block: Array, sums: tuple[Any, ...]) -> tuple[Any, ...]:
        by_source, by_target, by_attention, by_features, by_projection = sums
        i, j, slot, real, met = _meet(terms, edges, size, block)
        weight = jnp.where(real, _take(weights, slot, i), 0.0)
        heard, rate = _take(said, j), _take(rates, i)
        fit = (rate * heard).reshape(size, h, c).sum(-1)
        bend = jnp.where(met > 0, 1.0, negative_slope).astype(met.dtype)
        bent = by_channel(weight * (fit - _take(means, i))) * bend
        moved = bent * a
        if features is not None and projection is not None:
            brought = _take(features, slot, i)
            back = jnp.dot(moved, projection.T, precision="highest")
            by_features = by_features.at[slot, i].add(back, mode="promise_in_bounds")
            by_projection += jnp.dot(brought.T, moved, precision="highest")
        return (
            by_source.at[j].add(by_channel(weight) * rate + moved, mode="promise_in_bounds"),
            by_target.at[i].add(bent, mode="promise_in_bounds"),
            by_attention + bent * met,
            by_features,
            by_projection,
        )

    sums = (said, hearing, jnp.zeros((size, h * c), a.dtype), features, projection)
    by_source, by_target, by_attention, *by_edges = jax.lax.fori_loop(
        0, _blocks(edges, size), add, jax.tree.map(jnp.zeros_like, sums)
    )
    found = (by_source, by_target * a, by_attention.sum(0), *by_edges)
    return jax.tree.map(lambda slope, term: slope.reshape(term.shape), found, terms)


def _flat(terms: Terms) -> tuple[Array, Array, Array, Array | None, Array | None]:
    """The terms with channels of all heads as one axis: gathered and scattered faster so."""
    rows, h, c = terms[0].shape
    said, hearing = (values.reshape(rows, h * c) for values in terms[:2])
    projection = None if terms[4] is None else terms[4].reshape(-1, h * c)
    return said, hearing, terms[2].reshape(h * c), terms[3], projection


def _edges(places: Int[Array, "s N"], used: Bool[Array, "s N"], size: int) -> Edges:
    # Row by row and not slot by slot: consecutive edges then read and write the same rows.
    hearers, slots = jnp.nonzero(used.T, size=used.size + size, fill_value=0)
    return hearers, _take(places, slots, hearers), slots, used.sum()


def _blocks(edges: Edges, size: int) -> Int[Array, ""]:
    return (edges[-1] + size - 1) // size


def _meet(
    terms: Terms, edges: Edges, size: int, block: Array
) -> tuple[Array, Array, Array, Bool[Array, "e 1"], Float[Array, "e w"]]:
    """A block of edges: who hears, who speaks, the slot, whether it is one, what they meet as."""
    said, hearing, _, features, projection = _flat(terms)
    *numbers, count = edges
    i, j, slot = (jax.lax.dynamic_slice_in_dim(one, block * size, size) for one in numbers)
    met = _take(said, j) + _take(hearing, i)
    if features is not None and projection is not None:
        met += jnp.dot(_take(features, slot, i), projection, precision="highest")
    return i, j, slot, (block * size + jnp.arange(size) < count)[:, None], met


def _attention_by_edge(
    negative_slope: float, size: int, terms: Terms, edges: Edges, shape: tuple[int, ...]
) -> Float[Array, "s N h"]:
    """As `_attention`, over the used slots of `shape` alone."""
    h, c = terms[2].shape
    a = terms[2].reshape(h * c)
    ones = jnp.repeat(jnp.eye(h, dtype=a.dtype), c, axis=0)

    def add(block: Array, found: Array) -> Array:
        i, _, slot, real, met = _meet(terms, edges, size, block)
        bent = jax.nn.leaky_relu(met, negative_slope) * a
        logits = jnp.where(real, jnp.dot(bent, ones, precision="highest"), -jnp.inf)
        return found.at[slot, i].max(logits, mode="promise_in_bounds")

    nobody = jnp.full((*shape, h), -jnp.inf, a.dtype)
    found = jax.lax.fori_loop(0, _blocks(edges, size), add, nobody).reshape(shape[0], -1)
    return _softmax(found, found.max(0)).reshape(nobody.shape)


def _softmax(logits: Float[Array, "s m"], highest: Float[Array, " m"]) -> Float[Array, "s m"]:
    """Over slots; 0 where all are -inf."""
    powers = jnp.exp(logits - jnp.where(jnp.isfinite(highest), highest, 0.0))
    totals = jnp.dot(jnp.ones(len(logits), powers.dtype), powers, precision="highest")
    return powers * reciprocal(totals)


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
    return _softmax(found, highest).reshape(-1, rows, h)


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
