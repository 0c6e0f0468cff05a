"""One packing of flags into words of 32 bits, and what is counted and listed by it."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Shaped, UInt32
from numpy import ndarray

from grapher_jax.kernels.types import EMPTY

WORD = 32


def pack(flags: Shaped[Array, "..."], axis: int) -> UInt32[Array, "..."]:
    """Up to 32 flags along an axis as one word: its bit i is flag i.

    Args:
        flags: truth values, or integers 0 and 1.
        axis: negative; it is gone from the result.
    """
    shifts = _along(np.arange(flags.shape[axis], dtype=np.uint32), axis, flags.ndim)
    return (flags.astype(jnp.uint32) << shifts).sum(axis, dtype=jnp.uint32)


def count_lower(words: UInt32[Array, "..."], size: int, axis: int) -> Int[Array, "..."]:
    """How many lower bits of its word are set, for each of the first bits.

    Args:
        words: see `pack`.
        size: how many bits a word has, at most 32.
        axis: negative; where in the result the bits lie.
    """
    # Of bit i: a word with all bits below i.
    below = (np.uint32(1) << np.arange(size, dtype=np.uint32)) - np.uint32(1)
    masked = jnp.expand_dims(words, axis) & _along(below, axis, words.ndim + 1)
    return jax.lax.population_count(masked).astype(jnp.int32)


def rank_marked(marked: Bool[Array, "B m"]) -> tuple[Int[Array, "B m"], Int[Array, " B"]]:
    """How many places are marked before each of its row, in an order of its own, and in all."""
    words, before, totals = _running_counts(marked)
    return _ranks(words, before)[:, : marked.shape[1]], totals


def rank_in_rows(marked: Bool[Array, "m r"]) -> tuple[Int[Array, "m r"], Int[Array, " m"]]:
    """`rank_marked` for many rows of a few places, in the order of places."""
    r = marked.shape[-1]
    if r > WORD:
        counted = jnp.cumsum(marked, axis=-1, dtype=jnp.int32)
        return counted - marked, counted[:, -1]
    words = pack(marked, -1)
    return count_lower(words, r, -1), jax.lax.population_count(words).astype(jnp.int32)


def list_used(
    slots: Int[Array, "B m"], capacity: int
) -> tuple[Int[Array, "B capacity"], Int[Array, "B capacity"], Bool[Array, ""]]:
    """The used slots: most are empty, and a table is paid for by the slot.

    Args:
        slots: `[B, m]` IDs, -1 where empty.
        capacity: how many used slots of a query the list holds.

    Returns:
        `[B, capacity]` the IDs in no particular order, -1 where there are fewer; `[B, capacity]`
        where they stood, m where there are fewer; and whether those of all queries fit, else there
        are none.
    """
    m = slots.shape[1]
    used = slots != EMPTY
    words, before, totals = _running_counts(used)
    fit = (totals <= capacity).all()

    def of_query(_: None, ranks: Array) -> tuple[None, Array]:
        places = jnp.full(capacity + 1, m, jnp.int32)
        every = jnp.arange(m, dtype=jnp.int32)
        return None, places.at[ranks].set(every, mode="promise_in_bounds")[:capacity]

    def of_used() -> Int[Array, "B capacity"]:
        ranks = jnp.where(used, _ranks(words, before)[:, :m], capacity)
        return jax.lax.scan(of_query, None, ranks)[1]

    # In a branch, outside of which XLA would compute the running counts again for every slot.
    nothing = lambda: jnp.full((len(slots), capacity), m, jnp.int32)  # noqa: E731
    places = jax.lax.cond(fit, of_used, nothing)
    return jnp.where(places < m, take(slots, places), EMPTY), places, fit


def list_marked(marked: Bool[Array, "*B n"], k: int) -> Int[Array, "*B k"]:
    """The first k marked places of every row, -1 where there are fewer."""
    padded = jnp.pad(marked, [(0, 0)] * (marked.ndim - 1) + [(0, -marked.shape[-1] % WORD)])
    # Bit i of word w is place 32 w + i.
    words = pack(padded.reshape(*marked.shape[:-1], -1, WORD), -1)
    numbers = jnp.arange(words.shape[-1])

    def take_first(state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        slot, words, listed = state
        first = jnp.argmax(words != 0, axis=-1, keepdims=True)
        word = jnp.take_along_axis(words, first, axis=-1)
        # `word & -word` is its lowest set bit alone; less 1, all bits below that.
        below = jax.lax.population_count((word & -word) - 1).astype(jnp.int32)
        found = jnp.where(word != 0, WORD * first + below, EMPTY)
        # `words & (words - 1)` is without the lowest set bit.
        words = jnp.where(numbers == first, words & (words - 1), words)
        return slot + 1, words, listed.at[slot].set(found[..., 0])

    _, _, listed = jax.lax.while_loop(
        lambda state: (state[0] < k) & (state[1] != 0).any(),
        take_first,
        (jnp.int32(0), words, jnp.full((k, *marked.shape[:-1]), EMPTY)),
    )
    return jnp.moveaxis(listed, 0, -1)


def take(rows: Int[Array, "B m"], places: Int[Array, "B k"]) -> Int[Array, "B k"]:
    """Each row's values at these places; any of them where a place is outside the row."""
    inside = jnp.clip(places, 0, rows.shape[1] - 1)
    return jnp.take_along_axis(rows, inside, axis=1, mode="promise_in_bounds")


def _running_counts(
    marked: Bool[Array, "B m"],
) -> tuple[UInt32[Array, "B w"], Int[Array, "B w"], Int[Array, " B"]]:
    """Marked places as bits of words, how many are marked in earlier words, and in all."""
    # Bit s of word w is place s × words + w: neighbours in memory are bits of different words.
    padded = jnp.pad(marked, ((0, 0), (0, -marked.shape[1] % WORD)))
    words = pack(padded.reshape(len(marked), WORD, -1), -2)
    sizes = jax.lax.population_count(words).astype(jnp.int32)
    return words, jnp.cumsum(sizes, axis=-1) - sizes, sizes.sum(-1)


def _ranks(words: UInt32[Array, "B w"], before: Int[Array, "B w"]) -> Int[Array, "B m"]:
    """How many places are marked before each: earlier words, then earlier bits of its own."""
    return (before[:, None] + count_lower(words, WORD, -2)).reshape(len(words), -1)


def _along(bits: ndarray, axis: int, rank: int) -> ndarray:
    """A vector that broadcasts along an axis, counted from the end, of an array of this rank."""
    return bits.reshape(*[1] * (rank + axis), -1, *[1] * (-axis - 1))
