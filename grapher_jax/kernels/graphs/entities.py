"""Counts the entities that candidates share, without comparing all pairs of IDs.

Entities of two or more candidates are numbered and become bits, so that pairs of candidates are
compared 32 entities at a time. On an accelerator, the slots of a query are sorted. On a CPU, the
used slots are listed and looked up in a scratch table. The counts are exact for any IDs: if the
list is too short, all slots are looked up; IDs that collide in the table are looked up again with
another hash; and entities beyond one block of bits go into the next block.
"""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, UInt32

from grapher_jax.kernels.lookup.bits import WORD, list_used, pack, rank_marked, take
from grapher_jax.kernels.lookup.hashing import look_up, representatives, scratch_table
from grapher_jax.kernels.types import EMPTY

# Sizes of a block, in words of shared entities: the smallest one that is enough for every query is
# used; if none is, several blocks of the largest size. Adding a block to matrices that do not fit
# the inner cache takes as long as comparing five more words; the matrix of a single question fits.
_BLOCKS, _BLOCKS_OF_ONE = (4, 8, 12), (4,)
# The used slots are listed up to this average number per candidate.
_LISTED = 16
# So many words does an accelerator compare in a pass over the matrices.
_WORDS_AT_ONCE = 8
_BITS_AT_ONCE = WORD * _WORDS_AT_ONCE


# Jitted: called outside of a program, its loops would be compiled at every call.
@jax.jit
def shared_counts(ids: Int[Array, "*B n e"]) -> Float[Array, "*B n n"]:
    """How many different entities each pair of candidates shares; the diagonal is 0."""
    if not ids.size:
        return jnp.zeros((*ids.shape[:-1], ids.shape[-2]), jnp.float32)
    counted = jax.lax.platform_dependent(
        ids.reshape(-1, *ids.shape[-2:]), cpu=count_by_bits, default=count_by_order
    )
    return counted.reshape(*ids.shape[:-1], ids.shape[-2])


def unique_counts(ids: Int[Array, "*B n e"]) -> Int[Array, "*B n"]:
    """How many different entities each candidate has."""
    return (drop_repeats(ids) != EMPTY).sum(-1)


def drop_repeats(ids: Int[Array, "*B n e"]) -> Int[Array, "*B n e"]:
    """Each candidate's distinct entities in ascending order, after the empty slots."""
    ordered = jnp.sort(ids, axis=-1)
    repeats = ordered[..., 1:] == ordered[..., :-1]
    # Not updated in place: XLA might then compare with slots that it has already emptied.
    again = jnp.pad(repeats, [(0, 0)] * (ids.ndim - 1) + [(1, 0)])[..., : ids.shape[-1]]
    return jnp.where(again, EMPTY, ordered)


def list_shared(
    ids: Int[Array, "B n e"], used: int, shared: int
) -> tuple[Int[Array, " m"], Int[Array, " m"], Bool[Array, ""]]:
    """One list of which candidates of a batch have which shared entities, if they are few.

    Args:
        ids: `[B, n, e]` the entities of each candidate, -1 where unused; repeats count once.
        used: how many used slots a candidate may have, on average over a query.
        shared: how many of them may be shared, on average over the batch; m is B × n times this.

    Returns:
        `[m]` a number below m for every shared entity of every candidate, different for every
        query; `[m]` the candidate that has it, numbered over the whole batch: query × n +
        candidate; padded with m, and B × n. And whether the list is complete.
    """
    batch, n, e = ids.shape
    m = batch * n * shared
    listed, places, few = list_used(ids.reshape(batch, n * e), min(used, e) * n)
    rows = n * jnp.arange(batch, dtype=jnp.int32)[:, None]

    def of_few() -> tuple[Array, Array, Array]:
        numbers, totals = _number_shared(listed)
        numbers = jnp.where(numbers == EMPTY, EMPTY, shared * rows + numbers)
        entities, at, fit = list_used(numbers.reshape(1, -1), m)
        owners = take((rows + places // e).reshape(1, -1), at)
        # A candidate that names an entity twice has it once.
        _, holders, _ = look_up(scratch_table(m), (entities[0], owners[0]))
        once = holders == jnp.arange(m)
        own = (jnp.where(once, entities[0], m), jnp.where(once, owners[0], batch * n))
        return *own, fit & (totals <= n * shared).all()

    def nothing() -> tuple[Array, Array, Array]:
        return jnp.full(m, m, jnp.int32), jnp.full(m, batch * n, jnp.int32), few

    return jax.lax.cond(few, of_few, nothing)


def count_by_order(ids: Int[Array, "B n e"]) -> Float[Array, "B n n"]:
    """Counts by comparing bits of entities that were numbered in order: faster on a GPU.

    The bits of a query take up to about n² e / 16 bytes.
    """
    batch, n, e = ids.shape
    slots = ids.reshape(batch, n * e)
    owners = jnp.broadcast_to(jnp.arange(n * e, dtype=jnp.int32) // e, slots.shape)
    slots, owners = jax.lax.sort((slots, owners), dimension=1, num_keys=2)
    first = jnp.ones((batch, 1), bool)
    new = jnp.concatenate([first, slots[:, 1:] != slots[:, :-1]], axis=1)
    alone = new & jnp.concatenate([new[:, 1:], first], axis=1)
    again = ~new & jnp.concatenate([~first, owners[:, 1:] == owners[:, :-1]], axis=1)
    # An entity that one candidate names twice gets a number too, which costs nothing but its bit.
    numbers = jnp.cumsum(new & ~alone & (slots != EMPTY), axis=1, dtype=jnp.int32) - 1
    unused = (slots == EMPTY) | alone | again
    words = _WORDS_AT_ONCE * max(1, -(-(n * e // 2) // _BITS_AT_ONCE))
    # Every bit is added once, so that a sum is the union.
    bits = jnp.zeros((words, batch, n), jnp.uint32)
    places = jnp.where(unused, words, numbers // WORD), jnp.arange(batch)[:, None], owners
    bits = bits.at[places].add(jnp.uint32(1) << (numbers % WORD).astype(jnp.uint32), mode="drop")

    def add(block: Array, common: Array) -> Array:
        for word in jax.lax.dynamic_slice_in_dim(bits, block * _WORDS_AT_ONCE, _WORDS_AT_ONCE):
            both = word[:, :, None] & word[:, None, :]
            common += jax.lax.population_count(both).astype(jnp.int32)
        return common

    blocks = -(-(numbers.max(initial=-1) + 1) // _BITS_AT_ONCE)
    common = jax.lax.fori_loop(0, blocks, add, jnp.zeros((batch, n, n), jnp.int32))
    return jnp.where(jnp.eye(n, dtype=bool)[None], 0, common).astype(jnp.float32)


def count_by_bits(ids: Int[Array, "B n e"]) -> Float[Array, "B n n"]:
    """Counts by comparing entities as bits of words, which is fastest on a CPU."""
    batch, n, e = ids.shape
    slots = ids.reshape(batch, n * e)

    def of_all() -> Float[Array, "B n n"]:
        return _count(slots, jnp.arange(n * e, dtype=jnp.int32)[None] // e, n)

    # For one question, a list saves no time, and doubles the time to compile.
    if e <= _LISTED or batch == 1:
        return of_all()
    listed, places, fit = list_used(slots, _LISTED * n)
    return jax.lax.cond(fit, lambda: _count(listed, places // e, n), of_all)


def _count(ids: Int[Array, "B m"], owners: Int[Array, "#B m"], n: int) -> Float[Array, "B n n"]:
    """How many of these entities each pair of n candidates shares."""
    numbers, totals = _number_shared(ids)
    *few, largest = _BLOCKS if len(ids) > 1 else _BLOCKS_OF_ONE
    most = totals.max(initial=0)
    apart = ~jnp.eye(n, dtype=bool)[None]

    def of_block(size: int, first: int | Array) -> Float[Array, "B n n"]:
        words = _words(numbers - first, owners, n, size)
        common = jnp.zeros((), jnp.uint32)
        for word in range(size):
            bits = words[:, word]
            # Bits set in both words are entities that both candidates have.
            common += jax.lax.population_count(bits[:, :, None] & bits[:, None, :])
        return jnp.where(apart, common, 0).astype(jnp.float32)

    def of_blocks() -> Float[Array, "B n n"]:
        def add(block: Array, common: Array) -> Array:
            return common + of_block(largest, block * largest * WORD)

        none = jnp.zeros((len(ids), n, n), jnp.float32)
        return jax.lax.fori_loop(0, -(-most // (largest * WORD)), add, none)

    ways: list[Callable[[], Array]] = [*(partial(of_block, size, 0) for size in few), of_blocks]
    return jax.lax.switch((most > np.array(few, int) * WORD).sum(), ways)


def _number_shared(ids: Int[Array, "B m"]) -> tuple[Int[Array, "B m"], Int[Array, " B"]]:
    """Numbers each query's shared entities from 0 (-1 for other slots), and counts them."""
    found, marked = representatives(ids)
    ranks, totals = rank_marked(marked)
    ranks = jnp.where(marked, ranks, EMPTY)
    return jnp.where(found == EMPTY, EMPTY, take(ranks, found)), totals


def _words(
    numbers: Int[Array, "B m"], owners: Int[Array, "#B m"], n: int, words: int
) -> UInt32[Array, "B words n"]:
    """Entity numbers below 32 × `words` as bits of their owners; larger ones are left out."""
    size = words * WORD * n
    inside = (numbers >= 0) & (numbers < words * WORD)

    def of_query(_: None, places: Array) -> tuple[None, Array]:
        has = jnp.zeros(size + 1, jnp.uint8).at[places].set(1, mode="promise_in_bounds")
        # Bit i of a candidate's word w is set if it has entity 32 w + i.
        return None, pack(has[:size].reshape(words, WORD, n), -2)

    return jax.lax.scan(of_query, None, jnp.where(inside, numbers * n + owners, size))[1]
