"""Attention over the used slots alone, a block of edges at a time.

A gradient goes this way, and on CPUs the weights that it needs do so where few slots are used. A
block's rows stay in an inner cache, and nothing as large as all edges is ever held.

Shape letters: `N` candidates of all queries in one list, `s` slots, `h` heads, `c` channels of a
head, `f` features of an edge, `E` edges of all blocks, `e` of one, `w` channels of all heads.
"""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PyTree

from grapher_jax.kernels.attention.slots import (
    Rows,
    Terms,
    softmax,
    sum_messages,
    take,
    weighted_sum,
    weights_of_slots,
)

# Edges at a time. On CPUs what an inner cache holds, and too few to be shared among threads, which
# would wait for each other; on others enough for a device.
_EDGES_AT_ONCE = {"cpu": 128, "default": 1 << 14}


class Edges(NamedTuple):
    """The used slots, target by target, padded.

    Attributes:
        targets: `[E]` rows.
        sources: `[E]` rows.
        slots: `[E]` in which of the target's slots the source stands.
        used: `[]` how many are no padding.
    """

    targets: Int[Array, " E"]
    sources: Int[Array, " E"]
    slots: Int[Array, " E"]
    used: Int[Array, ""]


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def sum_messages_of_used(
    negative_slope: float, terms: Terms, places: Int[Array, "s N"], used: Bool[Array, "s N"]
) -> Rows:
    """`sum_messages` with a gradient of its own.

    The one that JAX derives goes over every slot several times, and most slots are empty.
    """
    return sum_messages(negative_slope, terms, places, used)


def _forward(
    negative_slope: float, terms: Terms, places: Array, used: Array
) -> tuple[Rows, tuple[PyTree, ...]]:
    by_slot = functools.partial(weights_of_slots, negative_slope)

    def by_count(terms: Terms, places: Array, used: Array) -> Array:
        size = _EDGES_AT_ONCE["cpu"]
        # Out of the branch, so that all layers share the list.
        edges = list_edges(places, used, size)
        # An edge costs about as much as two slots of a pass over all rows.
        return jax.lax.cond(
            2 * used.sum() < used.size,
            lambda: weights_of_edges(negative_slope, size, terms, edges, used.shape),
            lambda: by_slot(terms, places, used),
        )

    weights = jax.lax.platform_dependent(terms, places, used, cpu=by_count, default=by_slot)
    out = weighted_sum(terms.sources, places, used, weights)
    return out, (terms, places, used, weights, out)


def _backward(
    negative_slope: float, kept: tuple[PyTree, ...], slopes: Rows
) -> tuple[Terms, None, None]:
    ways = {
        platform: functools.partial(_slopes, negative_slope, size)
        for platform, size in _EDGES_AT_ONCE.items()
    }
    return jax.lax.platform_dependent(*kept, slopes, **ways), None, None


sum_messages_of_used.defvjp(_forward, _backward)


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
    """The loss's slopes by the terms, from those by the messages' sums, edge by edge.

    With g the slopes and m what i and j meet as, a logit's slope is
    `δ = α (g[i] · W_l x[j] - g[i] · out[i])`: what a softmax subtracts, the mean over i's edges, is
    known from i's own result (FlashAttention, Dao et al., 2022, appendix B.2). That of m is
    `δ a LeakyReLU'(m)`; a source gets it from all its edges, and `α g[i]`.

    Args:
        negative_slope: of the LeakyReLU.
        size: edges at a time.
        terms: of the layer.
        places: `[s, N]` the source in each slot of a row.
        used: `[s, N]`.
        weights: `[s, N, h]` α.
        out: `[N, h, c]` the messages' sums.
        slopes: `[N, h, c]` g.
    """
    rows, h, c = out.shape
    sources, targets, a, features, projection = _flat(terms)
    rates = slopes.reshape(rows, h * c)
    means = (slopes * out).sum(-1)
    edges = list_edges(places, used, size)

    def by_channel(values: Float[Array, "e h"]) -> Float[Array, "e w"]:
        return jnp.broadcast_to(values[..., None], (size, h, c)).reshape(size, h * c)

    def add(block: Array, sums: tuple[PyTree, ...]) -> tuple[PyTree, ...]:
        by_source, by_target, by_attention, by_features, by_projection = sums
        i, j, slot, valid, met = _meet(terms, edges, size, block)
        weight = jnp.where(valid, take(weights, slot, i), 0.0)
        message, rate = take(sources, j), take(rates, i)
        fit = (rate * message).reshape(size, h, c).sum(-1)
        bend = jnp.where(met > 0, 1.0, negative_slope).astype(met.dtype)
        bent = by_channel(weight * (fit - take(means, i))) * bend
        moved = bent * a[None]
        if features is not None and projection is not None:
            brought = take(features, slot, i)
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

    sums = (sources, targets, jnp.zeros((size, h * c), a.dtype), features, projection)
    by_source, by_target, by_attention, *by_edges = jax.lax.fori_loop(
        0, _blocks(edges, size), add, jax.tree.map(jnp.zeros_like, sums)
    )
    found = Terms(by_source, by_target * a[None], by_attention.sum(0), *by_edges)
    return jax.tree.map(lambda slope, term: slope.reshape(term.shape), found, terms)


def weights_of_edges(
    negative_slope: float, size: int, terms: Terms, edges: Edges, shape: tuple[int, ...]
) -> Float[Array, "s N h"]:
    """`weights_of_slots` over the used slots of `shape` alone."""
    h, c = terms.attention.shape
    a = terms.attention.reshape(h * c)
    ones = jnp.repeat(jnp.eye(h, dtype=a.dtype), c, axis=0)

    def add(block: Array, found: Array) -> Array:
        i, _, slot, valid, met = _meet(terms, edges, size, block)
        bent = jax.nn.leaky_relu(met, negative_slope) * a[None]
        logits = jnp.where(valid, jnp.dot(bent, ones, precision="highest"), -jnp.inf)
        return found.at[slot, i].max(logits, mode="promise_in_bounds")

    lowest = jnp.full((*shape, h), -jnp.inf, a.dtype)
    found = jax.lax.fori_loop(0, _blocks(edges, size), add, lowest).reshape(shape[0], -1)
    return softmax(found, found.max(0)).reshape(lowest.shape)


def _flat(terms: Terms) -> tuple[Array, Array, Array, Array | None, Array | None]:
    """The terms with channels of all heads as one axis: gathered and scattered faster so."""
    rows, h, c = terms.sources.shape
    sources, targets = (values.reshape(rows, h * c) for values in terms[:2])
    projection = None if terms.projection is None else terms.projection.reshape(-1, h * c)
    return sources, targets, terms.attention.reshape(h * c), terms.features, projection


def list_edges(places: Int[Array, "s N"], used: Bool[Array, "s N"], size: int) -> Edges:
    """The used slots as edges, with a block of padding behind."""
    # Row by row and not slot by slot: consecutive edges then read and write the same rows.
    targets, slots = jnp.nonzero(used.T, size=used.size + size, fill_value=0)
    return Edges(targets, take(places, slots, targets), slots, used.sum())


def _blocks(edges: Edges, size: int) -> Int[Array, ""]:
    return (edges.used + size - 1) // size


def _meet(
    terms: Terms, edges: Edges, size: int, block: Array
) -> tuple[Array, Array, Array, Bool[Array, "e 1"], Float[Array, "e w"]]:
    """A block of edges: target, source, slot, whether it is one, and the sum of both ends."""
    sources, targets, _, features, projection = _flat(terms)
    *numbers, count = edges
    i, j, slot = (jax.lax.dynamic_slice_in_dim(one, block * size, size) for one in numbers)
    met = take(sources, j) + take(targets, i)
    if features is not None and projection is not None:
        met += jnp.dot(take(features, slot, i), projection, precision="highest")
    return i, j, slot, (block * size + jnp.arange(size) < count)[:, None], met
