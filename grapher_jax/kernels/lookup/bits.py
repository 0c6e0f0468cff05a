"""Packs flags into words of 32 bits, and counts and lists the flags."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Shaped, UInt32
from numpy import ndarray

from grapher_jax.kernels.types import EMPTY

WORD = 32


def pack(flags: Shaped[Array, "..."], axis: int) -> UInt32[Array, "..."]:
    """Packs up to 32 flags along an axis into one word, whose bit i is flag i.

    Args:
        flags: Booleans, or integers 0 and 1.
        axis: negative; the result does not have this axis.
    """
    shifts = _along(np.arange(flags.shape[axis], dtype=np.uint32), axis, flags.ndim)
    return (flags.astype(jnp.uint32) << shifts).sum(axis, dtype=jnp.uint32)


def count_lower(words: UInt32[Array, "..."], size: int, axis: int) -> Int[Array, "..."]:
    """For each bit position, how many lower bits of the word are set.

    Args:
        words: see `pack`.
        size: how many bit positions, at most 32.
        axis: negative; the axis of the bit positions in the result.
    """
    # For bit i: a word in which all bits below i are set.
    below = (np.uint32(1) << np.arange(size, dtype=np.uint32)) - np.uint32(1)
    masked = jnp.expand_dims(words, axis) & _along(below, axis, words.ndim + 1)
    return jax.lax.population_count(masked).astype(jnp.int32)


def rank_marked(marked: Bool[Array, "B m"]) -> tuple[Int[Array, "B m"], Int[Array, " B"]]:
    """For each position, how many marked ones precede it in some fixed order; and the total."""
    words, before, totals = _running_counts(marked)
    return _ranks(words, before)[:, : marked.shape[1]], totals


def rank_in_rows(marked: Bool[Array, "m r"]) -> tuple[Int[Array, "m r"], Int[Array, " m"]]:
    """`rank_marked` for many rows with few positions each, in the order of positions."""
    r = marked.shape[-1]
    if r > WORD:
        counted = jnp.cumsum(marked, axis=-1, dtype=jnp.int32)
        return counted - marked, counted[:, -1]
    words = pack(marked, -1)
    return count_lower(words, r, -1), jax.lax.population_count(words).astype(jnp.int32)


def list_used(
    slots: Int[Array, "B m"], capacity: int
) -> tuple[Int[Array, "B capacity"], Int[Array, "B capacity"], Bool[Array, ""]]:
    """Lists the used slots: most slots are empty, and a look-up costs time per slot.

    Args:
        slots: `[B, m]` IDs, -1 where empty.
        capacity: how many used slots per query the list can hold.

    Returns:
        `[B, capacity]` the IDs in no particular order, padded with -1; `[B, capacity]` their slots,
        padded with m; and whether the used slots of all queries fit. If they do not fit, the lists
        are empty.
    """
    batch, m = slots.shape
    used = slots != EMPTY
    words, before, totals = _running_counts(used)
    fit = (totals <= capacity).all()
    starts = before + capacity * jnp.arange(batch, dtype=jnp.int32)[:, None]
    nothing = jnp.full(batch * capacity, m, jnp.int32)
    places = _place(jnp.where(fit, words, 0), starts, 0, nothing).reshape(batch, capacity)
    return jnp.where(places < m, take(slots, places), EMPTY), places, fit


def list_of_all(marked: Bool[Array, "B m"], capacity: int) -> Int[Array, " capacity"]:
    """Lists the marked positions of all rows, row after row, numbered over the whole batch.

    Args:
        marked: `[B, m]`.
        capacity: how many the list can hold; those after them are dropped.

    Returns:
        `[capacity]` row × m + position; in a row in the order of `list_order`; padded with B × m.
    """
    batch, m = marked.shape
    words, before, totals = _running_counts(marked)
    starts = before + (jnp.cumsum(totals) - totals)[:, None]
    first = m * jnp.arange(batch, dtype=jnp.int32)[:, None]
    return _place(words, starts, first, jnp.full(capacity, batch * m, jnp.int32))


def list_order(m: int) -> Int[ndarray, " m"]:
    """The order in which `list_of_all` lists the positions of a row."""
    order = np.arange(m + -m % WORD, dtype=np.int32).reshape(WORD, -1).T.reshape(-1)
    return order[order < m]


def _place(
    words: UInt32[Array, "B w"],
    starts: Int[Array, "B w"],
    first: int | Int[Array, "B 1"],
    into: Int[Array, " k"],
) -> Int[Array, " k"]:
    """Writes the number of each set bit of words from `_running_counts` into a list.

    Args:
        words: as packed there.
        starts: where the lowest bit of a word goes; the next ones follow. What is beyond the end
            is dropped.
        first: what is added to the numbers of a row.
        into: the list.
    """
    numbers = jnp.arange(words.shape[1], dtype=jnp.int32)[None] + first

    def lowest_bits(state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        number, words, places = state
        rank = jnp.where(words != 0, jnp.minimum(starts + number, len(into)), len(into))
        found = _lowest_bit(words) * words.shape[1] + numbers
        places = places.at[rank].set(found, mode="promise_in_bounds")
        # `words & (words - 1)` clears the lowest set bit.
        return number + 1, words & (words - 1), places

    start = (jnp.int32(0), words, jnp.pad(into, (0, 1)))
    _, _, places = jax.lax.while_loop(lambda state: (state[1] != 0).any(), lowest_bits, start)
    return places[:-1]


def list_marked(marked: Bool[Array, "*B n"], k: int) -> Int[Array, "*B k"]:
    """The first k marked positions of every row, padded with -1."""
    if not marked.size:
        return jnp.full((*marked.shape[:-1], k), EMPTY)
    padded = jnp.pad(marked, [(0, 0)] * (marked.ndim - 1) + [(0, -marked.shape[-1] % WORD)])
    # Bit i of word w is position 32 w + i.
    words = pack(padded.reshape(*marked.shape[:-1], padded.shape[-1] // WORD, WORD), -1)
    numbers = jnp.arange(words.shape[-1])

    def take_first(state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        slot, words, listed = state
        first = jnp.argmax(words != 0, axis=-1, keepdims=True)
        word = jnp.take_along_axis(words, first, axis=-1)
        found = jnp.where(word != 0, WORD * first + _lowest_bit(word), EMPTY)
        # `words & (words - 1)` clears the lowest set bit.
        words = jnp.where(numbers == first, words & (words - 1), words)
        return slot + 1, words, listed.at[slot].set(found[..., 0])

    _, _, listed = jax.lax.while_loop(
        lambda state: (state[0] < k) & (state[1] != 0).any(),
        take_first,
        (jnp.int32(0), words, jnp.full((k, *marked.shape[:-1]), EMPTY)),
    )
    return jnp.moveaxis(listed, 0, -1)


def take(rows: Int[Array, "B m"], places: Int[Array, "B k"]) -> Int[Array, "B k"]:
    """Each row's values at these positions; arbitrary ones for positions outside the row."""
    inside = jnp.clip(places, 0, rows.shape[1] - 1)
    return jnp.take_along_axis(rows, inside, axis=1, mode="promise_in_bounds")


def _lowest_bit(words: UInt32[Array, "..."]) -> Int[Array, "..."]:
    """The position of the lowest set bit of each word; 32 for 0."""
    # `word & -word` keeps only that bit; minus 1, it has all bits below that.
    return jax.lax.population_count((words & -words) - 1).astype(jnp.int32)


def _running_counts(
    marked: Bool[Array, "B m"],
) -> tuple[UInt32[Array, "B w"], Int[Array, "B w"], Int[Array, " B"]]:
    """Marks packed into words, how many are set in earlier words, and the total."""
    # Bit s of word w is position s × words + w: neighbours in memory are bits of different words.
    padded = jnp.pad(marked, ((0, 0), (0, -marked.shape[1] % WORD)))
    words = pack(padded.reshape(len(marked), WORD, -1), -2)
    sizes = jax.lax.population_count(words).astype(jnp.int32)
    return words, jnp.cumsum(sizes, axis=-1) - sizes, sizes.sum(-1)


def _ranks(words: UInt32[Array, "B w"], before: Int[Array, "B w"]) -> Int[Array, "B m"]:
    """How many marked positions precede each: earlier words, then lower bits of its word."""
    return (before[:, None] + count_lower(words, WORD, -2)).reshape(len(words), -1)


def _along(bits: ndarray, axis: int, rank: int) -> ndarray:
    """A vector that broadcasts along an axis (negative) of an array of this rank."""
    return bits.reshape(*[1] * (rank + axis), -1, *[1] * (-axis - 1))
