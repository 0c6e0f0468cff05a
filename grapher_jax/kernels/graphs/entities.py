"""Which entities candidates share, counted without comparing all pairs of IDs.

On a CPU the used slots are listed, a scratch table renumbers a query's entities, those of two or
more candidates become bits, and pairs of candidates are compared 32 entities at a time. Exact for
any IDs: more slots than the list holds are looked up in full, what collides in the table is looked
up again under another hash, and entities beyond one block of bits go into the next.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, UInt32

from grapher_jax.kernels.lookup.bits import WORD, list_used, pack, rank_marked, take
from grapher_jax.kernels.lookup.hashing import representatives
from grapher_jax.kernels.types import EMPTY

_BLOCK_WORDS = 8
_BLOCK = _BLOCK_WORDS * WORD
# Used slots a candidate, on average, up to which they are listed.
LISTED = 16


# Called outside of a program, its loops would be compiled again each time.
@jax.jit
def shared_counts(ids: Int[Array, "*B n e"]) -> Float[Array, "*B n n"]:
    """How many different entities each pair of candidates shares; the diagonal is 0."""
    if not ids.size:
        return jnp.zeros((*ids.shape[:-1], ids.shape[-2]), jnp.float32)
    counted = jax.lax.platform_dependent(
        ids.reshape(-1, *ids.shape[-2:]), cpu=count_by_bits, default=count_by_pairs
    )
    return counted.reshape(*ids.shape[:-1], ids.shape[-2])


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


def count_by_pairs(ids: Int[Array, "B n e"]) -> Float[Array, "B n n"]:
    """All pairs of slots: what an accelerator does almost for nothing."""
    ids = drop_repeats(ids)

    def add_slot(slot: Array, common: Array) -> Array:
        other = jax.lax.dynamic_index_in_dim(ids, slot, axis=-1)[..., None, :, :]
        return common + ((ids[..., :, None, :] == other) & (other != EMPTY)).any(-1)

    n = ids.shape[-2]
    common = jnp.zeros((*ids.shape[:-1], n), jnp.float32)
    common = jax.lax.fori_loop(0, ids.shape[-1], add_slot, common)
    return jnp.where(jnp.eye(n, dtype=bool), 0.0, common)


def count_by_bits(ids: Int[Array, "B n e"]) -> Float[Array, "B n n"]:
    """Shared entities as bits of words: what a CPU does fastest."""
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
            # Bits that two words both have are entities that two candidates share.
            common += jax.lax.population_count(bits[:, :, None] & bits[:, None, :])
        return jnp.where(apart, common, 0).astype(jnp.float32)

    blocks = -(-totals.max(initial=0) // _BLOCK)
    return jax.lax.fori_loop(
        1, blocks, lambda block, common: common + of_block(block), of_block(jnp.int32(0))
    )


def _number_shared(ids: Int[Array, "B m"]) -> tuple[Int[Array, "B m"], Int[Array, " B"]]:
    """Each query's shared entities numbered from 0, -1 for the rest; and how many there are."""
    found, marked = representatives(ids)
    ranks, totals = rank_marked(marked)
    ranks = jnp.where(marked, ranks, EMPTY)
    return jnp.where(found == EMPTY, EMPTY, take(ranks, found)), totals


def _words(
    numbers: Int[Array, "B m"], owners: Int[Array, "... m"], n: int
) -> UInt32[Array, "B words n"]:
    """The numbers of one block as bits of their owners; what lies outside it is left out."""
    size = _BLOCK * n
    inside = (numbers >= 0) & (numbers < _BLOCK)

    def of_query(_: None, places: Array) -> tuple[None, Array]:
        has = jnp.zeros(size + 1, jnp.uint8).at[places].set(1, mode="promise_in_bounds")
        # Bit i of word w of a candidate: whether it has entity 32 w + i of the block.
        return None, pack(has[:size].reshape(_BLOCK_WORDS, WORD, n), -2)

    return jax.lax.scan(of_query, None, jnp.where(inside, numbers * n + owners, size))[1]
