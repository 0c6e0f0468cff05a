"""A hash look-up: finds the position that holds a key, with a scratch table.

Every key writes its position into the table entry given by its hash; a key that then reads the
position of an equal key has been found. Keys that collide try again with another hash, so the
result is exact for any keys. Queries use the same table one after the other; each query writes
before it reads, so the table is never cleared.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, PyTree

from grapher_jax.kernels.types import EMPTY

# The odd part of the golden ratio: Knuth's multiplicative hash.
_GOLDEN = np.uint32(0x9E3779B1)
_PRIME = np.int32(1_000_003)
_MIN_TABLE = 1 << 16

# Each key is a tuple of integers; a key counts if its first integer is not -1.
Keys = tuple[Int[Array, "*B n"], ...]
Wanted = tuple[Int[Array, "*B m"], ...]


def scratch_table(keys: int) -> Int[Array, " places"]:
    """A table for this many keys per query; its last entry is for slots without a key."""
    size = max(_MIN_TABLE, 1 << (2 * keys - 1).bit_length())
    return jnp.zeros(size + 1, jnp.int32)


def look_up(
    table: Int[Array, " places"], keys: Keys, wanted: Wanted | None = None
) -> tuple[Int[Array, " places"], Int[Array, " n"], Int[Array, " m"] | None]:
    """Finds the positions of one query's keys, and of other keys that are wanted.

    Args:
        table: see `scratch_table`; its content does not matter.
        keys: one array `[n]` for each integer of a key.
        wanted: arrays `[m]` in the same form.

    Returns:
        The table; `[n]` for every key the position of an equal key, the same one for all equal
        keys, -1 where there is no key; and `[m]` the position of a key that equals the wanted one,
        -1 if there is none.
    """
    size = len(table) - 1
    places = jnp.arange(len(keys[0]), dtype=jnp.int32)

    def missing(key: tuple[Array, ...], found: Array) -> Array:
        return (key[0] != EMPTY) & (found == EMPTY)

    def slots(key: tuple[Array, ...], found: Array, attempt: Array) -> Array:
        return jnp.where(missing(key, found), _hash(key, attempt, size), size)

    def verified(key: tuple[Array, ...], found: Array, guess: Array) -> Array:
        """The guess if it is right: the entry may come from an earlier query or another key."""
        pairs = zip(keys, key, strict=True)
        equal = [held.at[guess].get(mode="promise_in_bounds") == own for held, own in pairs]
        same = functools.reduce(jnp.logical_and, equal)
        return jnp.where(missing(key, found) & same, guess, found)

    def attempt(state: tuple[Array, Array, Array | None, Array]) -> tuple[PyTree, ...]:
        table, holders, found, number = state
        at = slots(keys, holders, number)
        table = table.at[at].set(places, mode="promise_in_bounds")
        winners = table.at[at].get(mode="promise_in_bounds")
        if wanted is not None and found is not None:
            guess = table.at[slots(wanted, found, number)].get(mode="promise_in_bounds")
            found = verified(wanted, found, guess)
        return table, verified(keys, holders, winners), found, number + 1

    nothing = None if wanted is None else jnp.full(len(wanted[0]), EMPTY, jnp.int32)
    start = (table, jnp.full(len(places), EMPTY, jnp.int32), nothing, jnp.int32(0))
    # One key per table entry finds its own position, so that each attempt leaves fewer keys.
    table, holders, found, _ = jax.lax.while_loop(
        lambda state: missing(keys, state[1]).any(), attempt, start
    )
    return table, holders, found


# Jitted: called outside of a program, its loops would be compiled at every call.
@jax.jit
def representatives(
    ids: Int[Array, "*B m"],
) -> tuple[Int[Array, "*B m"], Bool[Array, "*B m"]]:
    """For every slot, a representative: one slot for all slots with the same ID.

    Args:
        ids: `[*B, m]`, -1 where empty.

    Returns:
        `[*B, m]` the representative of every slot, -1 where empty; and `[*B, m]` which slots also
        represent other slots.
    """
    m = ids.shape[-1]
    if not ids.size:
        return ids.astype(jnp.int32), ids != EMPTY
    places = jnp.arange(m, dtype=jnp.int32)

    def of_query(tables: tuple[Array, Array, Array], query: Array) -> tuple[PyTree, PyTree]:
        table, marks, number = tables
        table, holders, _ = look_up(table, (query,))
        others = (holders != places) & (holders != EMPTY)
        represents = jnp.where(others, holders, m)
        # Slots are marked with the query's number, so that marks need not be cleared either.
        marks = marks.at[represents].set(number, mode="promise_in_bounds")
        return (table, marks, number + 1), (holders, marks[:m] == number)

    tables = (scratch_table(m), jnp.zeros(m + 1, jnp.int32), jnp.int32(1))
    _, (holders, marked) = jax.lax.scan(of_query, tables, ids.reshape(-1, m))
    return holders.reshape(ids.shape), marked.reshape(ids.shape)


def locate(keys: Keys, wanted: Wanted) -> tuple[Int[Array, "B m"], Bool[Array, " B"]]:
    """The position of each wanted key, -1 if there is none; and whether all keys are different.

    Args:
        keys: one array `[B, n]` for each integer of a key.
        wanted: arrays `[B, m]` in the same form.
    """
    n = keys[0].shape[-1]
    places = jnp.arange(n, dtype=jnp.int32)

    def of_query(table: Array, query: tuple[Keys, Wanted]) -> tuple[PyTree, PyTree]:
        table, holders, found = look_up(table, *query)
        return table, (found, ((holders == places) | (holders == EMPTY)).all())

    return jax.lax.scan(of_query, scratch_table(n), (keys, wanted))[1]


def _hash(key: tuple[Array, ...], attempt: Array, size: int) -> Int[Array, " m"]:
    """Entries of a table of size 2^k: by the low bits first, then by multiplicative hashes."""
    mixed = functools.reduce(lambda mixed, part: mixed * _PRIME + part, key).astype(jnp.uint32)
    factor = _GOLDEN * (2 * attempt + 1).astype(jnp.uint32)
    # The high bits of the product, as many as index the table.
    high = (mixed * factor) >> np.uint32(33 - size.bit_length())
    return jnp.where(attempt == 0, mixed & np.uint32(size - 1), high).astype(jnp.int32)
