"""Which entities candidates share, counted without comparing all pairs of IDs.

On a CPU the used slots are listed, a scratch table renumbers a query's entities, those of two or
more candidates become bits, and pairs of candidates are compared 32 entities at a time. Exact for
any IDs: more slots than the list holds are looked up in full, what collides in the table is looked
up again under another hash, and entities beyond one block of bits go into the next.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, UInt32

EMPTY = -1
_WORD = 32
_SHIFTS = np.arange(_WORD, dtype=np.uint32)
_BLOCK_WORDS = 8
_BLOCK = _BLOCK_WORDS * _WORD
# The odd part of the golden ratio: Knuth's multiplicative hash.
_GOLDEN = np.uint32(0x9E3779B1)
_MIN_TABLE = 1 << 16
# Used slots a candidate, on average, up to which they are listed.
LISTED = 16


# Here and below: called outside of a program, a loop would be compiled again each time.
@jax.jit
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


def list_used(
    slots: Int[Array, "B m"], room: int
) -> tuple[Int[Array, "B room"], Int[Array, "B room"], Bool[Array, ""]]:
    """The used slots: most are empty, and a table is paid for by the slot.

    Args:
        slots: `[B, m]` IDs, -1 where empty.
        room: how many used slots of a query the list holds.

    Returns:
        `[B, room]` the IDs in no particular order, -1 where there are fewer; `[B, room]` where they
        stood, m where there are fewer; and whether those of all queries fit, else there are none.
    """
    m = slots.shape[1]
    used = slots != EMPTY
    words, before, totals = _running_counts(used)
    fit = (totals <= room).all()

    def of_query(_: None, ranks: Array) -> tuple[None, Array]:
        places = jnp.full(room + 1, m, jnp.int32)
        every = jnp.arange(m, dtype=jnp.int32)
        return None, places.at[ranks].set(every, mode="promise_in_bounds")[:room]

    def of_used() -> Int[Array, "B room"]:
        ranks = jnp.where(used, _ranks(words, before)[:, :m], room)
        return jax.lax.scan(of_query, None, ranks)[1]

    # In a branch, outside of which XLA would compute the running counts again for every slot.
    nothing = lambda: jnp.full((len(slots), room), m, jnp.int32)  # noqa: E731
    places = jax.lax.cond(fit, of_used, nothing)
    return jnp.where(places < m, _take(slots, places), EMPTY), places, fit


@jax.jit
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
    # Not set in place: XLA may then compare with what it has emptied already.
    again = jnp.pad(repeats, [(0, 0)] * (ids.ndim - 1) + [(1, 0)])[..., : ids.shape[-1]]
    return jnp.where(again, EMPTY, ordered)


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
    batch, n, e = ids.shape
    # Slots before candidates, so that candidates are neighbours in memory.
    slots = ids.mT.reshape(batch, e * n)

    def of_all() -> Float[Array, "B n n"]:
        return _count(slots, jnp.arange(e * n, dtype=jnp.int32) % n, n)

    if e <= LISTED:
        return of_all()
    listed, places, fit = list_used(slots, LISTED * n)
    return jax.lax.cond(fit, lambda: _count(listed, places % n, n), of_all)


def _count(ids: Int[Array, "B m"], owners: Int[Array, "... m"], n: int) -> Float[Array, "B n n"]:
    """How many of these entities each pair of n candidates shares."""
    numbers, totals = _number_shared(ids)
    apart = ~jnp.eye(n, dtype=bool)

    def of_block(block: Array) -> Float[Array, "B n n"]:
        words = _words(numbers - _BLOCK * block, owners, n)
        common = jnp.zeros((), jnp.uint32)
        for word in range(_BLOCK_WORDS):
            bits = words[:, word]
            common += jax.lax.population_count(bits[:, :, None] & bits[:, None, :])
        return jnp.where(apart, common, 0).astype(jnp.float32)

    blocks = -(-totals.max(initial=0) // _BLOCK)
    return jax.lax.fori_loop(
        1, blocks, lambda block, common: common + of_block(block), of_block(jnp.int32(0))
    )


def _number_shared(ids: Int[Array, "B m"]) -> tuple[Int[Array, "B m"], Int[Array, " B"]]:
    """Number each query's shared entities from 0; -1 for the rest. Also how many there are."""
    found, marked = representatives(ids)
    words, before, totals = _running_counts(marked)
    ranks = jnp.where(marked, _ranks(words, before)[:, : ids.shape[1]], EMPTY)
    return jnp.where(found == EMPTY, EMPTY, _take(ranks, found)), totals


def _words(
    numbers: Int[Array, "B m"], owners: Int[Array, "... m"], n: int
) -> UInt32[Array, "B words n"]:
    """The numbers of one block as bits of their owners; what lies outside it is left out."""
    size = _BLOCK * n
    inside = (numbers >= 0) & (numbers < _BLOCK)

    def of_query(_: None, places: Array) -> tuple[None, Array]:
        has = jnp.zeros(size + 1, jnp.uint8).at[places].set(1, mode="promise_in_bounds")
        bits = has[:size].reshape(_BLOCK_WORDS, _WORD, n).astype(jnp.uint32) << _SHIFTS[:, None]
        return None, bits.sum(1, dtype=jnp.uint32)

    return jax.lax.scan(of_query, None, jnp.where(inside, numbers * n + owners, size))[1]


def _running_counts(
    marked: Bool[Array, "B m"],
) -> tuple[UInt32[Array, "B w"], Int[Array, "B w"], Int[Array, " B"]]:
    """Marked places as bits of words, how many are marked in earlier words, and in all."""
    padded = jnp.pad(marked, ((0, 0), (0, -marked.shape[1] % _WORD)))
    grouped = padded.reshape(len(marked), _WORD, -1).astype(jnp.uint32)
    words = (grouped << _SHIFTS[:, None]).sum(1, dtype=jnp.uint32)
    sizes = jax.lax.population_count(words).astype(jnp.int32)
    return words, jnp.cumsum(sizes, axis=-1) - sizes, sizes.sum(-1)


def _ranks(words: UInt32[Array, "B w"], before: Int[Array, "B w"]) -> Int[Array, "B m"]:
    """How many places are marked before each: earlier words, then earlier bits of its own."""
    below = (np.uint32(1) << _SHIFTS[:, None]) - np.uint32(1)
    within = jax.lax.population_count(words[:, None] & below).astype(jnp.int32)
    return (before[:, None] + within).reshape(len(words), -1)


def _take(rows: Int[Array, "B m"], places: Int[Array, "B k"]) -> Int[Array, "B k"]:
    """Each row's values at these places; any of them where a place is outside the row."""
    inside = jnp.clip(places, 0, rows.shape[1] - 1)
    return jnp.take_along_axis(rows, inside, axis=1, mode="promise_in_bounds")
