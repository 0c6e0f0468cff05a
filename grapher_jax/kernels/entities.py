"""Which entities candidates share, counted without comparing all pairs of IDs.

On a CPU a scratch table renumbers a query's entities, those of two or more candidates become bits,
and pairs of candidates are compared 32 entities at a time. Exact for any IDs: what collides in the
table is looked up again under another hash, and entities beyond one block of bits go into the next.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, UInt32

EMPTY = -1
_WORD = 32
_BLOCK_WORDS = 8
_BLOCK = _BLOCK_WORDS * _WORD
# The odd part of the golden ratio: Knuth's multiplicative hash.
_GOLDEN = np.uint32(0x9E3779B1)
_MIN_TABLE = 1 << 16


def representatives(
    ids: Int[Array, "*B m"],
) -> tuple[Int[Array, "*B m"], Bool[Array, "*B m"]]:
    """For every slot, one that holds the same ID: the same for all slots of that ID.

    Queries go through one table one after the other. Each writes before it reads, so the table is
    never cleared.

    Args:
        ids: `[*B, m]`, -1 where empty.

    Returns:
        `[*B, m]` the representative of every slot, -1 where empty; and `[*B, m]` which slots
        represent others beside themselves.
    """
    m = ids.shape[-1]
    places = jnp.arange(m, dtype=jnp.int32)
    size = max(_MIN_TABLE, 1 << (4 * m - 1).bit_length())

    def of_query(tables: tuple[Array, Array, Array], query: Array) -> tuple[Any, Any]:
        table, marks, number = tables

        def missing(found: Array) -> Array:
            return (query != EMPTY) & (found == EMPTY)

        def look_up(state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
            table, found, attempt = state
            # What needs no look-up writes to a place of its own, past the end.
            slots = jnp.where(missing(found), hash_ids(query, attempt, size), size)
            table = table.at[slots].set(places, mode="promise_in_bounds")
            winners = table.at[slots].get(mode="promise_in_bounds")
            same = query.at[winners].get(mode="promise_in_bounds") == query
            return table, jnp.where(missing(found) & same, winners, found), attempt + 1

        start = (table, jnp.full(m, EMPTY, jnp.int32), jnp.int32(0))
        table, found, _ = jax.lax.while_loop(lambda s: missing(s[1]).any(), look_up, start)
        others = (found != places) & (found != EMPTY)
        represents = jnp.where(others, found, m)
        marks = marks.at[represents].set(number, mode="promise_in_bounds")
        return (table, marks, number + 1), (found, marks[:m] == number)

    tables = (jnp.zeros(size + 1, jnp.int32), jnp.zeros(m + 1, jnp.int32), jnp.int32(1))
    _, (found, marked) = jax.lax.scan(of_query, tables, ids.reshape(-1, m))
    return found.reshape(ids.shape), marked.reshape(ids.shape)


def shared_counts(ids: Int[Array, "*B n e"]) -> Float[Array, "*B n n"]:
    """How many different entities each pair of candidates shares; the diagonal is 0."""
    if not ids.size:
        return jnp.zeros((*ids.shape[:-1], ids.shape[-2]), jnp.float32)
    counted = jax.lax.platform_dependent(
        ids.reshape(-1, *ids.shape[-2:]), cpu=_by_bits, default=_by_pairs
    )
    return counted.reshape(*ids.shape[:-1], ids.shape[-2])


def hash_ids(ids: Int[Array, "*m"], attempt: Array, size: int) -> Int[Array, "*m"]:
    """Places in a table of a power of two: the low bits first, then multiplicative hashes."""
    bits = ids.astype(jnp.uint32)
    factor = _GOLDEN * (2 * attempt + 1).astype(jnp.uint32)
    mixed = (bits * factor) >> np.uint32(33 - size.bit_length())
    return jnp.where(attempt == 0, bits & np.uint32(size - 1), mixed).astype(jnp.int32)


def unique_counts(ids: Int[Array, "*B n e"]) -> Int[Array, "*B n"]:
    """How many different entities each candidate has."""
    return (drop_repeats(ids) != EMPTY).sum(-1)


def drop_repeats(ids: Int[Array, "*B n e"]) -> Int[Array, "*B n e"]:
    """Each candidate's entities once, in ascending order behind the empty slots."""
    ordered = jnp.sort(ids, axis=-1)
    repeats = ordered[..., 1:] == ordered[..., :-1]
    return ordered.at[..., 1:].set(jnp.where(repeats, EMPTY, ordered[..., 1:]))


def _by_pairs(ids: Int[Array, "B n e"]) -> Float[Array, "B n n"]:
    """All pairs of slots: what an accelerator does almost for nothing."""
    ids = drop_repeats(ids)

    def add_slot(slot: Array, common: Array) -> Array:
        theirs = jax.lax.dynamic_index_in_dim(ids, slot, axis=-1)[..., None, :, :]
        return common + ((ids[..., :, None, :] == theirs) & (theirs != EMPTY)).any(-1)

    n = ids.shape[-2]
    common = jnp.zeros((*ids.shape[:-1], n), jnp.float32)
    common = jax.lax.fori_loop(0, ids.shape[-1], add_slot, common)
    return jnp.where(jnp.eye(n, dtype=bool), 0.0, common)


def _by_bits(ids: Int[Array, "B n e"]) -> Float[Array, "B n n"]:
    numbers, totals = _number_shared(ids)
    apart = ~jnp.eye(ids.shape[1], dtype=bool)

    def of_block(block: Array) -> Float[Array, "B n n"]:
        words = _words(numbers - _BLOCK * block)
        common = jnp.zeros((), jnp.uint32)
        for word in range(_BLOCK_WORDS):
            bits = words[:, word]
            common += jax.lax.population_count(bits[:, :, None] & bits[:, None, :])
        return jnp.where(apart, common, 0).astype(jnp.float32)

    blocks = -(-totals.max(initial=0) // _BLOCK)
    return jax.lax.fori_loop(
        1, blocks, lambda block, common: common + of_block(block), of_block(jnp.int32(0))
    )


def _number_shared(ids: Int[Array, "B n e"]) -> tuple[Int[Array, "B slots n"], Int[Array, " B"]]:
    """Number each query's shared entities from 0; -1 for the rest. Also how many there are."""
    batch, n, e = ids.shape
    width = -(-e // _WORD) * _WORD
    # Slots before candidates, so that candidates are neighbours in memory.
    slots = jnp.pad(ids, ((0, 0), (0, 0), (0, width - e)), constant_values=EMPTY).mT
    flat = slots.reshape(batch, width * n)
    found, marked = representatives(flat)
    # Rank the marked slots: bits of a word within a candidate, then words, then candidates.
    grouped = marked.reshape(batch, width // _WORD, _WORD, n)
    shifts = jnp.arange(_WORD, dtype=jnp.uint32)[:, None]
    words = (grouped.astype(jnp.uint32) << shifts).sum(2, dtype=jnp.uint32)
    sizes = jax.lax.population_count(words).astype(jnp.int32).reshape(batch, -1)
    before = (jnp.cumsum(sizes, axis=-1) - sizes).reshape(words.shape)
    below = (np.uint32(1) << shifts) - np.uint32(1)
    ranks = before[:, :, None] + jax.lax.population_count(words[:, :, None] & below).astype(
        jnp.int32
    )
    ranks = jnp.where(grouped, ranks, EMPTY).reshape(batch, width * n)
    numbers = jnp.take_along_axis(
        ranks, jnp.maximum(found, 0), axis=1, mode="promise_in_bounds"
    )
    numbers = jnp.where(found == EMPTY, EMPTY, numbers)
    return numbers.reshape(batch, width, n), sizes.sum(-1)


def _words(numbers: Int[Array, "B slots n"]) -> UInt32[Array, "B words n"]:
    """The numbers of one block as bits; what lies outside it is left out."""
    word = jnp.arange(_BLOCK_WORDS, dtype=jnp.int32)[:, None, None]
    bit = jnp.uint32(1) << (numbers & (_WORD - 1)).astype(jnp.uint32)
    bits = jnp.where((numbers >> 5)[:, None] == word, bit[:, None], np.uint32(0))
    return jax.lax.reduce(bits, np.uint32(0), jax.lax.bitwise_or, (2,))
