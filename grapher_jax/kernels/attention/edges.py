"""Attention over the existing edges only, one block of edges at a time.

The gradient is computed this way and, on CPUs with few used slots, so is the layer itself. A
block's rows fit an inner cache, and nothing as large as the channels of all edges is ever held.
Self loops are not listed as edges here: every candidate has at most one, in the row of its own
number.

Shape letters: `N` candidates of all queries in one list, `s` slots, `h` heads, `c` channels of a
head, `f` features of an edge, `E` edges of all blocks, `e` edges of one block, `w` channels of all
heads.
"""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PyTree

from grapher_jax.kernels.attention.slots import (
    Rows,
    Terms,
    finite,
    log_total,
    sum_messages,
    take,
)
from grapher_jax.kernels.lookup.bits import rank_in_rows
from grapher_jax.kernels.masking import reciprocal

# Edges per block. On CPUs: as many as fit an inner cache, and too few to be split among threads,
# which would wait for each other. On other platforms: enough to fill a device.
_EDGES_AT_ONCE = {"cpu": 128, "default": 1 << 14}
# So few rows, as of one question, are attended to edge by edge whatever is used: a first question
# waits for the second way to be compiled longer than many questions would gain by it.
_FEW_ROWS = 1_024


class Edges(NamedTuple):
    """The used slots as a padded list of edges, sorted by target.

    Attributes:
        targets: `[E]` rows.
        sources: `[E]` rows.
        slots: `[E]` the slot of the target that holds the source.
        total: `[]` the number of edges without padding.
    """

    targets: Int[Array, " E"]
    sources: Int[Array, " E"]
    slots: Int[Array, " E"]
    total: Int[Array, ""]


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def sum_messages_of_edges(
    negative_slope: float,
    self_loops: bool,
    terms: Terms,
    places: Int[Array, "s N"],
    used: Bool[Array, "s N"],
) -> Rows:
    """`sum_messages` over edges where that is faster, with a custom gradient.

    The gradient that JAX derives visits every slot several times, and most slots are empty.

    Args:
        negative_slope: the slope of the LeakyReLU below 0.
        self_loops: whether the first slot of every row is the row itself.
        terms: the inputs of the layer.
        places: `[s, N]` the row of the source in each slot.
        used: `[s, N]` which slots hold an edge.
    """
    return _attend(negative_slope, self_loops, terms, places, used)[0]


# Jitted, so that layers of equal shapes are traced once.
@functools.partial(jax.jit, static_argnums=(0, 1))
def _attend(
    negative_slope: float, self_loops: bool, terms: Terms, places: Array, used: Array
) -> tuple[Rows, Float[Array, "N h"]]:
    by_slot = functools.partial(sum_messages, negative_slope)

    def by_count(terms: Terms, places: Array, used: Array) -> tuple[Array, Array]:
        size = _EDGES_AT_ONCE["cpu"]
        # Outside of the branch, so that all layers share the list.
        edges = list_edges(places, used, size, first=int(self_loops))
        own = used[0] if self_loops else jnp.zeros(used.shape[1], bool)
        if used.shape[1] <= _FEW_ROWS:
            return by_edge(negative_slope, size, terms, edges, own)
        # An edge costs about as much as two slots of a pass over all rows.
        return jax.lax.cond(
            2 * edges.total < used.size,
            lambda: by_edge(negative_slope, size, terms, edges, own),
            lambda: by_slot(terms, places, used),
        )

    return jax.lax.platform_dependent(terms, places, used, cpu=by_count, default=by_slot)


def _forward(
    negative_slope: float, self_loops: bool, terms: Terms, places: Array, used: Array
) -> tuple[Rows, tuple[PyTree, ...]]:
    out, totals = _attend(negative_slope, self_loops, terms, places, used)
    return out, (terms, places, used, out, totals)


def _backward(
    negative_slope: float, self_loops: bool, kept: tuple[PyTree, ...], slopes: Rows
) -> tuple[Terms, None, None]:
    ways = {
        platform: functools.partial(_slopes, negative_slope, self_loops, size)
        for platform, size in _EDGES_AT_ONCE.items()
    }
    return jax.lax.platform_dependent(*kept, slopes, **ways), None, None


sum_messages_of_edges.defvjp(_forward, _backward)


def by_edge(
    negative_slope: float, size: int, terms: Terms, edges: Edges, own: Bool[Array, " N"]
) -> tuple[Rows, Float[Array, "N h"]]:
    """`sum_messages`, computed edge by edge.

    Args:
        negative_slope: the slope of the LeakyReLU below 0.
        size: how many edges a block has.
        terms: the inputs of the layer.
        edges: all edges except self loops.
        own: `[N]` which rows have a self loop.
    """
    rows, h, c = terms.sources.shape
    sources, targets, *_ = _flat(terms)
    logits_of = functools.partial(_logits, negative_slope, terms.attention)
    self_logits = jnp.where(own[:, None], logits_of(sources + targets), -jnp.inf)

    def compare(block: Array, found: tuple[Array, Array]) -> tuple[Array, Array]:
        highest, logits = found
        i, *_, valid, m = _block_of_edges(terms, edges, size, block)
        some = jnp.where(valid, logits_of(m), -jnp.inf)
        logits = jax.lax.dynamic_update_slice_in_dim(logits, some, block * size, 0)
        return highest.at[i].max(some, mode="promise_in_bounds"), logits

    blocks = _blocks(edges, size)
    unknown = jnp.zeros((len(edges.targets), h), self_logits.dtype)
    highest, logits = jax.lax.fori_loop(0, blocks, compare, (self_logits, unknown))
    highest = finite(highest)

    def add(block: Array, sums: tuple[Array, Array]) -> tuple[Array, Array]:
        totals, out = sums
        i, j, some = (_block(one, size, block) for one in (edges.targets, edges.sources, logits))
        powers = jnp.exp(some - take(highest, i))
        messages = _by_channel(powers, c) * take(sources, j)
        return (
            totals.at[i].add(powers, mode="promise_in_bounds"),
            out.at[i].add(messages, mode="promise_in_bounds"),
        )

    powers = jnp.exp(self_logits - highest)
    alone = powers, _by_channel(powers, c) * sources
    totals, out = jax.lax.fori_loop(0, blocks, add, alone)
    out *= _by_channel(reciprocal(totals), c)
    return out.reshape(rows, h, c), log_total(highest, totals)


def _slopes(
    negative_slope: float,
    self_loops: bool,
    size: int,
    terms: Terms,
    places: Int[Array, "s N"],
    used: Bool[Array, "s N"],
    out: Rows,
    totals: Float[Array, "N h"],
    slopes: Rows,
) -> Terms:
    """The gradients of the loss by the terms, from those by the sums of messages, edge by edge.

    With g the given gradients and m the sum of both ends of the edge from j to i, the gradient of a
    logit is `δ = α (g[i] · W_l x[j] - g[i] · out[i])`: the mean over i's edges, which a softmax
    subtracts, is known from i's own result, and α from the logit and the total of its row
    (FlashAttention, Dao et al., 2022, appendix B.2). The gradient of m is `δ a LeakyReLU'(m)`; a
    source adds it up over all its edges, together with `α g[i]`.

    Args:
        negative_slope: the slope of the LeakyReLU below 0.
        self_loops: whether the first slot of every row is the row itself.
        size: how many edges a block has.
        terms: the inputs of the layer.
        places: `[s, N]` the source in each slot of a row.
        used: `[s, N]` which slots hold an edge.
        out: `[N, h, c]` the sums of messages.
        totals: `[N, h]` the logarithm of a row's sum of exponentials.
        slopes: `[N, h, c]` g, the gradients by `out`.
    """
    rows, h, c = out.shape
    sources, targets, a, features, projection = _flat(terms)
    rates = slopes.reshape(rows, h * c)
    means = (slopes * out).sum(-1)
    gradients = functools.partial(_edge_gradients, negative_slope, terms.attention)

    def add(block: Array, sums: tuple[PyTree, ...]) -> tuple[PyTree, ...]:
        by_source, by_target, by_attention, by_features, by_projection = sums
        i, j, slot, valid, m = _block_of_edges(terms, edges, size, block)
        by_message, delta = gradients(
            m, valid, take(sources, j), take(rates, i), take(means, i), take(totals, i)
        )
        by_m = delta * a[None]
        if features is not None and projection is not None:
            edge_features = take(features, slot, i)
            back = jnp.dot(by_m, projection.T, precision="highest")
            by_features = by_features.at[slot, i].add(back, mode="promise_in_bounds")
            by_projection += jnp.dot(edge_features.T, by_m, precision="highest")
        return (
            by_source.at[j].add(by_message + by_m, mode="promise_in_bounds"),
            by_target.at[i].add(delta, mode="promise_in_bounds"),
            by_attention + delta * m,
            by_features,
            by_projection,
        )

    edges = list_edges(places, used, size, first=int(self_loops))
    by_source, by_target = jnp.zeros_like(sources), jnp.zeros_like(targets)
    alone = jnp.zeros_like(a)
    if self_loops:
        m = sources + targets
        by_message, by_target = gradients(m, used[0][:, None], sources, rates, means, totals)
        by_source, alone = by_message + by_target * a[None], (by_target * m).sum(0)
    others = jax.tree.map(jnp.zeros_like, (features, projection))
    sums = by_source, by_target, jnp.zeros((size, h * c), a.dtype), *others
    by_source, by_target, by_attention, *by_edges = jax.lax.fori_loop(
        0, _blocks(edges, size), add, sums
    )
    found = Terms(by_source, by_target * a[None], alone + by_attention.sum(0), *by_edges)
    return jax.tree.map(lambda slope, term: slope.reshape(term.shape), found, terms)


def _edge_gradients(
    negative_slope: float,
    attention: Float[Array, "h c"],
    m: Float[Array, "e w"],
    valid: Bool[Array, "e 1"],
    message: Float[Array, "e w"],
    rate: Float[Array, "e w"],
    mean: Float[Array, "e h"],
    total: Float[Array, "e h"],
) -> tuple[Float[Array, "e w"], Float[Array, "e w"]]:
    """For every edge, the gradient by its message, and by m without a; see `_slopes`."""
    h, c = attention.shape
    logits = _logits(negative_slope, attention, m)
    weights = jnp.where(valid, jnp.exp(logits - total), 0.0).astype(m.dtype)
    along = (rate * message).reshape(-1, h, c).sum(-1)
    delta = _by_channel(weights * (along - mean), c)
    return _by_channel(weights, c) * rate, jnp.where(m >= 0, delta, negative_slope * delta)


def list_edges(
    places: Int[Array, "s N"], used: Bool[Array, "s N"], size: int, *, first: int
) -> Edges:
    """The used slots, starting with slot `first`, as edges, followed by one block of padding."""
    # Row by row and not slot by slot: consecutive edges then read and write the same rows.
    marked = used[first:].T
    most = marked.size + size
    ranks, counts = rank_in_rows(marked)
    ends = jnp.cumsum(counts)
    number = jnp.where(marked, (ends - counts)[:, None] + ranks, most)
    every = jnp.arange(marked.size, dtype=jnp.int32)
    found = jnp.zeros(most, jnp.int32).at[number.reshape(-1)].set(every, mode="drop")
    targets, slots = jnp.divmod(found, max(marked.shape[1], 1))
    # Of padding it may not exist, where self loops alone are there.
    slots = jnp.minimum(slots + first, len(places) - 1)
    return Edges(targets, take(places, slots, targets), slots, counts.sum())


def _logits(
    negative_slope: float, attention: Float[Array, "h c"], m: Float[Array, "e w"]
) -> Float[Array, "e h"]:
    """The attention logits of edges, from the sums of both ends."""
    h, c = attention.shape
    ones = jnp.repeat(jnp.eye(h, dtype=m.dtype), c, axis=0)
    leaky = jax.nn.leaky_relu(m, negative_slope) * attention.reshape(1, h * c)
    return jnp.dot(leaky, ones, precision="highest")


def _by_channel(values: Float[Array, "e h"], c: int) -> Float[Array, "e w"]:
    """Repeats a value per head for each channel of the head."""
    return jnp.repeat(values, c, axis=1)


def _flat(terms: Terms) -> tuple[Array, Array, Array, Array | None, Array | None]:
    """The terms with the channels of all heads on one axis: faster to gather and scatter."""
    rows, h, c = terms.sources.shape
    sources, targets = (values.reshape(rows, h * c) for values in terms[:2])
    projection = None if terms.projection is None else terms.projection.reshape(-1, h * c)
    return sources, targets, terms.attention.reshape(h * c), terms.features, projection


def _blocks(edges: Edges, size: int) -> Int[Array, ""]:
    return (edges.total + size - 1) // size


def _block(values: Array, size: int, block: Array) -> Array:
    return jax.lax.dynamic_slice_in_dim(values, block * size, size)


def _block_of_edges(
    terms: Terms, edges: Edges, size: int, block: Array
) -> tuple[Array, Array, Array, Bool[Array, "e 1"], Float[Array, "e w"]]:
    """A block of edges: target, source, slot, whether it is an edge, and the sum of both ends."""
    sources, targets, _, features, projection = _flat(terms)
    *numbers, count = edges
    i, j, slot = (_block(one, size, block) for one in numbers)
    m = take(sources, j) + take(targets, i)
    if features is not None and projection is not None:
        m += jnp.dot(take(features, slot, i), projection, precision="highest")
    return i, j, slot, (block * size + jnp.arange(size) < count)[:, None], m
