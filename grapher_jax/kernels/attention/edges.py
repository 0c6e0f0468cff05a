"""Attention over the edges that there are, a block of them at a time.

A gradient goes this way, and on CPUs so does the layer itself where few slots are used. A block's
rows stay in an inner cache, and nothing as large as all edges' channels is ever held. Self loops
are no edges here: every candidate has one at most, in the row of the same number.

Shape letters: `N` candidates of all queries in one list, `s` slots, `h` heads, `c` channels of a
head, `f` features of an edge, `E` edges of all blocks, `e` of one, `w` channels of all heads.
"""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PyTree

from grapher_jax.kernels.attention.slots import Rows, Terms, finite, sum_messages, take
from grapher_jax.kernels.lookup.bits import rank_in_rows
from grapher_jax.kernels.masking import reciprocal

# Edges at a time. On CPUs what an inner cache holds, and too few to be shared among threads, which
# would wait for each other; on others enough for a device.
_EDGES_AT_ONCE = {"cpu": 128, "default": 1 << 14}


class Edges(NamedTuple):
    """The used slots, target by target, padded.

    Attributes:
        targets: `[E]` rows.
        sources: `[E]` rows.
        slots: `[E]` in which of the target's slots the source stands.
        total: `[]` how many are no padding.
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
    """`sum_messages` by edges where that is faster, with a gradient of its own.

    The one that JAX derives goes over every slot several times, and most slots are empty.

    Args:
        negative_slope: of the LeakyReLU.
        self_loops: whether the first slot of every row is the row itself.
        terms: of the layer.
        places: `[s, N]` the row of the source in each slot.
        used: `[s, N]`.
    """
    return _attend(negative_slope, self_loops, terms, places, used)[0]


def _attend(
    negative_slope: float, self_loops: bool, terms: Terms, places: Array, used: Array
) -> tuple[Rows, Float[Array, "N h"]]:
    by_slot = functools.partial(sum_messages, negative_slope)

    def by_count(terms: Terms, places: Array, used: Array) -> tuple[Array, Array]:
        size = _EDGES_AT_ONCE["cpu"]
        # Out of the branch, so that all layers share the list.
        edges = list_edges(places, used, size, first=int(self_loops))
        own = used[0] if self_loops else jnp.zeros(used.shape[1], bool)
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
    """`sum_messages`, edge by edge.

    Args:
        negative_slope: of the LeakyReLU.
        size: edges at a time.
        terms: of the layer.
        edges: all but self loops.
        own: `[N]` which rows have one of these.
    """
    rows, h, c = terms.sources.shape
    sources, targets, *_ = _flat(terms)
    fit = functools.partial(_logits, negative_slope, terms.attention)
    lone = jnp.where(own[:, None], fit(sources + targets), -jnp.inf)

    def compare(block: Array, found: tuple[Array, Array]) -> tuple[Array, Array]:
        highest, logits = found
        i, *_, valid, met = _meet(terms, edges, size, block)
        some = jnp.where(valid, fit(met), -jnp.inf)
        logits = jax.lax.dynamic_update_slice_in_dim(logits, some, block * size, 0)
        return highest.at[i].max(some, mode="promise_in_bounds"), logits

    blocks = _blocks(edges, size)
    unknown = jnp.zeros((len(edges.targets), h), lone.dtype)
    highest, logits = jax.lax.fori_loop(0, blocks, compare, (lone, unknown))
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

    powers = jnp.exp(lone - highest)
    alone = powers, _by_channel(powers, c) * sources
    totals, out = jax.lax.fori_loop(0, blocks, add, alone)
    out *= _by_channel(reciprocal(totals), c)
    return out.reshape(rows, h, c), highest + jnp.log(totals)


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
    """The loss's slopes by the terms, from those by the messages' sums, edge by edge.

    With g the slopes and m what i and j meet as, a logit's slope is
    `δ = α (g[i] · W_l x[j] - g[i] · out[i])`: what a softmax subtracts, the mean over i's edges, is
    known from i's own result, and α from the logit and its row's total (FlashAttention, Dao et al.,
    2022, appendix B.2). That of m is `δ a LeakyReLU'(m)`; a source gets it from all its edges, and
    `α g[i]`.

    Args:
        negative_slope: of the LeakyReLU.
        self_loops: whether the first slot of every row is the row itself.
        size: edges at a time.
        terms: of the layer.
        places: `[s, N]` the source in each slot of a row.
        used: `[s, N]`.
        out: `[N, h, c]` the messages' sums.
        totals: `[N, h]` the logarithm of the sum of a row's powers.
        slopes: `[N, h, c]` g.
    """
    rows, h, c = out.shape
    sources, targets, a, features, projection = _flat(terms)
    rates = slopes.reshape(rows, h * c)
    means = (slopes * out).sum(-1)
    bend = functools.partial(_bend, negative_slope, terms.attention)

    def add(block: Array, sums: tuple[PyTree, ...]) -> tuple[PyTree, ...]:
        by_source, by_target, by_attention, by_features, by_projection = sums
        i, j, slot, valid, met = _meet(terms, edges, size, block)
        heard, bent = bend(
            met, valid, take(sources, j), take(rates, i), take(means, i), take(totals, i)
        )
        moved = bent * a[None]
        if features is not None and projection is not None:
            brought = take(features, slot, i)
            back = jnp.dot(moved, projection.T, precision="highest")
            by_features = by_features.at[slot, i].add(back, mode="promise_in_bounds")
            by_projection += jnp.dot(brought.T, moved, precision="highest")
        return (
            by_source.at[j].add(heard + moved, mode="promise_in_bounds"),
            by_target.at[i].add(bent, mode="promise_in_bounds"),
            by_attention + bent * met,
            by_features,
            by_projection,
        )

    edges = list_edges(places, used, size, first=int(self_loops))
    by_source, by_target = jnp.zeros_like(sources), jnp.zeros_like(targets)
    alone = jnp.zeros_like(a)
    if self_loops:
        met = sources + targets
        heard, by_target = bend(met, used[0][:, None], sources, rates, means, totals)
        by_source, alone = heard + by_target * a[None], (by_target * met).sum(0)
    others = jax.tree.map(jnp.zeros_like, (features, projection))
    sums = by_source, by_target, jnp.zeros((size, h * c), a.dtype), *others
    by_source, by_target, by_attention, *by_edges = jax.lax.fori_loop(
        0, _blocks(edges, size), add, sums
    )
    found = Terms(by_source, by_target * a[None], alone + by_attention.sum(0), *by_edges)
    return jax.tree.map(lambda slope, term: slope.reshape(term.shape), found, terms)


def _bend(
    negative_slope: float,
    attention: Float[Array, "h c"],
    met: Float[Array, "e w"],
    valid: Bool[Array, "e 1"],
    message: Float[Array, "e w"],
    rate: Float[Array, "e w"],
    mean: Float[Array, "e h"],
    total: Float[Array, "e h"],
) -> tuple[Float[Array, "e w"], Float[Array, "e w"]]:
    """Of every edge, the slope by its message, and the slope by m without a; see `_slopes`."""
    h, c = attention.shape
    logits = _logits(negative_slope, attention, met)
    weights = jnp.where(valid, jnp.exp(logits - total), 0.0)
    fit = (rate * message).reshape(-1, h, c).sum(-1)
    bent = _by_channel(weights * (fit - mean), c)
    return _by_channel(weights, c) * rate, jnp.where(met > 0, bent, negative_slope * bent)


def list_edges(
    places: Int[Array, "s N"], used: Bool[Array, "s N"], size: int, *, first: int
) -> Edges:
    """The used slots from the first on as edges, with a block of padding behind."""
    # Row by row and not slot by slot: consecutive edges then read and write the same rows.
    marked = used[first:].T
    most = marked.size + size
    ranks, counts = rank_in_rows(marked)
    ends = jnp.cumsum(counts)
    number = jnp.where(marked, (ends - counts)[:, None] + ranks, most)
    every = jnp.arange(marked.size, dtype=jnp.int32)
    found = jnp.zeros(most, jnp.int32).at[number.reshape(-1)].set(every, mode="drop")
    targets, slots = jnp.divmod(found, max(marked.shape[1], 1))
    slots += first
    return Edges(targets, take(places, slots, targets), slots, counts.sum())


def _logits(
    negative_slope: float, attention: Float[Array, "h c"], met: Float[Array, "e w"]
) -> Float[Array, "e h"]:
    """How well the ends of edges suit each other, from the sums of both."""
    h, c = attention.shape
    ones = jnp.repeat(jnp.eye(h, dtype=met.dtype), c, axis=0)
    bent = jax.nn.leaky_relu(met, negative_slope) * attention.reshape(1, h * c)
    return jnp.dot(bent, ones, precision="highest")


def _by_channel(values: Float[Array, "e h"], c: int) -> Float[Array, "e w"]:
    """What holds for a head, for each of its channels."""
    return jnp.repeat(values, c, axis=1)


def _flat(terms: Terms) -> tuple[Array, Array, Array, Array | None, Array | None]:
    """The terms with channels of all heads as one axis: gathered and scattered faster so."""
    rows, h, c = terms.sources.shape
    sources, targets = (values.reshape(rows, h * c) for values in terms[:2])
    projection = None if terms.projection is None else terms.projection.reshape(-1, h * c)
    return sources, targets, terms.attention.reshape(h * c), terms.features, projection


def _blocks(edges: Edges, size: int) -> Int[Array, ""]:
    return (edges.total + size - 1) // size


def _block(values: Array, size: int, block: Array) -> Array:
    return jax.lax.dynamic_slice_in_dim(values, block * size, size)


def _meet(
    terms: Terms, edges: Edges, size: int, block: Array
) -> tuple[Array, Array, Array, Bool[Array, "e 1"], Float[Array, "e w"]]:
    """A block of edges: target, source, slot, whether it is one, and the sum of both ends."""
    sources, targets, _, features, projection = _flat(terms)
    *numbers, count = edges
    i, j, slot = (_block(one, size, block) for one in numbers)
    met = take(sources, j) + take(targets, i)
    if features is not None and projection is not None:
        met += jnp.dot(take(features, slot, i), projection, precision="highest")
    return i, j, slot, (block * size + jnp.arange(size) < count)[:, None], met
