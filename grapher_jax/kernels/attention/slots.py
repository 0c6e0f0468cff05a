"""Attention over all neighbour slots, slot by slot.

It processes the first neighbours of all candidates, then all second ones, and so on: a slot costs
one pass over rows of contiguous channels, and nothing as large as all edges is ever stored.

Shape letters: `N` candidates of all queries in one list, `s` slots, `h` heads, `c` channels of a
head, `f` features of an edge.
"""

import functools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Shaped

from grapher_jax.kernels.masking import reciprocal

# The number of partial sums over a head's channels: the width of the widest CPUs' vector registers.
_LANES = 16
# Slots per pass of the weighted sum: more slots save passes, fewer waste less on empty slots.
_SLOTS_AT_ONCE = 8

Rows = Float[Array, "N h c"]


class Terms(NamedTuple):
    """The inputs of a layer; their gradients have the same form.

    Attributes:
        sources: `[N, h, c]` `W_l x`.
        targets: `[N, h, c]` `W_r x`.
        attention: `[h, c]` the vector a of every head.
        features: `[s, N, f]` of the slots' edges.
        projection: `[f, h, c]` W_e, applied to the features.
    """

    sources: Rows
    targets: Rows
    attention: Float[Array, "h c"]
    features: Float[Array, "s N f"] | None = None
    projection: Float[Array, "f h c"] | None = None


def sum_messages(
    negative_slope: float | Array,
    terms: Terms,
    places: Int[Array, "s N"],
    used: Bool[Array, "s N"],
) -> tuple[Rows, Float[Array, "N h"]]:
    """`out[i] = Σ_j α[i, j] W_l x[j]` for every row i, and the totals of `attention_weights`."""
    weights, totals = attention_weights(take, negative_slope, terms, places, used)
    return weighted_sum(terms.sources, places, used, weights), totals


def attention_weights(
    source_rows: Callable[[Rows, Array], Rows],
    negative_slope: float | Array,
    terms: Terms,
    slots: Int[Array, "s ..."],
    used: Bool[Array, "s N"],
) -> tuple[Float[Array, "s N h"], Float[Array, "N h"]]:
    """The weight of every slot: a softmax over the used slots of a row, 0 in unused slots.

    The second result is the logarithm of the softmax's denominator, -inf for a row without used
    slots.

    Args:
        source_rows: a function of the sources and one item of `slots` that gives the source of each
            candidate in that slot.
        negative_slope: the slope of the LeakyReLU below 0.
        terms: the inputs of the layer.
        slots: for every slot, what `source_rows` needs to find the rows.
        used: `[s, N]` which slots hold an edge.
    """
    sources, targets, attention, edges, projection = terms
    rows, h, c = sources.shape
    lanes = _LANES if c % _LANES == 0 else c
    parameters = [attention] if projection is None else [attention, projection]
    negative_slope = jnp.asarray(negative_slope, sources.dtype)
    # Summing the lanes is a product with ones, which is much faster than a reduction on CPUs.
    ones = jnp.repeat(jnp.eye(h, dtype=sources.dtype), lanes, axis=0)

    def partial_sums(slot: Array, features: Array | None, *arrays: Array) -> Array:
        sources, targets, a, *projection = arrays
        met = source_rows(sources, slot) + targets
        if features is not None:
            met += jnp.tensordot(features, projection[0], 1, precision="highest")
        bent = jax.nn.leaky_relu(met, negative_slope) * a[None]
        return sum((bent[..., i : i + lanes] for i in range(lanes, c, lanes)), bent[..., :lanes])

    def logits(
        highest: Array, slot: tuple[Array, Array, Array, Array | None]
    ) -> tuple[Array, Array]:
        which, any_used, unused, features = slot
        empty = jnp.zeros((rows, h, lanes), sources.dtype)
        arrays = (which, features, sources, targets, *parameters)
        sums = _apart(any_used, partial_sums, empty, *arrays)
        found = jnp.dot(sums.reshape(rows, h * lanes), ones, precision="highest")
        found = found.reshape(-1) + unused
        return jnp.maximum(highest, jax.lax.stop_gradient(found)), found

    # Rows and heads as one axis: a loop over few heads would not be vectorised.
    unused = jnp.repeat(jnp.where(used, 0.0, -jnp.inf).astype(sources.dtype), h, axis=1)
    # The backward pass recomputes each slot: stored, they would be as large as all edges.
    again = jax.checkpoint(logits, prevent_cse=False)
    lowest = jnp.full(rows * h, -jnp.inf, sources.dtype)
    highest, found = jax.lax.scan(again, lowest, (slots, used.any(1), unused, edges))
    highest = finite(highest)
    powers = jnp.exp(found - highest[None])
    totals = jnp.dot(jnp.ones(len(found), powers.dtype), powers, precision="highest")
    weights = powers * reciprocal(totals)[None]
    return weights.reshape(-1, rows, h), log_total(highest, totals).reshape(rows, h)


def finite(highest: Float[Array, "..."]) -> Float[Array, "..."]:
    """The highest logits, with 0 where a row has none."""
    return jnp.where(jnp.isfinite(highest), highest, 0.0)


def log_total(
    highest: Float[Array, "*shape"], totals: Float[Array, "*shape"]
) -> Float[Array, "*shape"]:
    """The logarithm of a softmax's divisor, in float32 at least: weights are computed from it."""
    wide = jnp.promote_types(totals.dtype, jnp.float32)
    return highest.astype(wide) + jnp.log(totals.astype(wide))


def weighted_sum(
    sources: Rows,
    places: Int[Array, "s N"],
    used: Bool[Array, "s N"],
    weights: Float[Array, "s N h"],
) -> Rows:
    """`out[i] = Σ_s weights[s, i] sources[places[s, i]]`, several slots per pass."""

    def add(rows: Rows, places: Array, weights: Array, total: Array | None) -> Rows:
        messages = [w[..., None] * take(rows, p) for p, w in zip(places, weights, strict=True)]
        return functools.reduce(jnp.add, messages if total is None else [total, *messages])

    total = None
    for start in range(0, len(places), _SLOTS_AT_ONCE):
        some = slice(start, start + _SLOTS_AT_ONCE)
        arguments = (sources, places[some], weights[some], total)
        otherwise = jnp.zeros_like(sources) if total is None else total
        total = _apart(used[some].any(), add, otherwise, *arguments)
    return jnp.zeros_like(sources) if total is None else total


def take(rows: Shaped[Array, "N ..."], *places: Int[Array, " m"]) -> Shaped[Array, "m ..."]:
    """The rows at indices that are known to be in range."""
    return rows.at[places].get(mode="promise_in_bounds")


def _apart(
    needed: Bool[Array, ""],
    compute: Callable[..., Array],
    otherwise: Array,
    *arguments: Array | None,
) -> Array:
    """The function's result where it is needed, else `otherwise`.

    It keeps XLA from fusing the computation. On CPUs, XLA fuses whatever it can into one loop,
    which is then no longer vectorised or computes a value once per channel. It fuses nothing into a
    branch.
    """

    def by_branch(*arguments: Array | None) -> Array:
        return jax.lax.cond(needed, compute, lambda *_: otherwise, *arguments)

    return jax.lax.platform_dependent(*arguments, cpu=by_branch, default=compute)
