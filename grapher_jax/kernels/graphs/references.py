"""Who is meant by a reference, looked up instead of comparing all pairs.

A scratch table finds the candidates that references name, and the few edges they make go into a
short list: what a CPU does best. Where that cannot be exact (an identity that two candidates share,
more edges than the list holds) the caller is told, and compares all pairs instead.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from grapher_jax.kernels.graphs.entities import EMPTY, drop_repeats, hash_ids
from grapher_jax.kernels.graphs.operators import EdgeList

_TABLE = 1 << 16
_ATTEMPTS = 4
_WORD = 32
# Slots up to which comparing all pairs of a candidate's own beats sorting them.
_COMPARED = 16
_PRIME = np.int32(1_000_003)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class References:
    """Which candidates reference which, of a batch of queries.

    Attributes:
        targets: `[B, n, r]` the candidates that each references, each once; -1 where unused.
        unique: `[B]` whether no two candidates share an identity; the targets are exact then.
    """

    targets: Int[Array, "B n r"]
    unique: Bool[Array, " B"]

    def edges(self) -> EdgeList:
        """Every edge, in a list with a place for every reference."""
        batch, n, r = self.targets.shape
        return self._list(jnp.arange(batch * n * r, dtype=jnp.int32))

    def short_lists(self) -> tuple[list[Callable[[], EdgeList]], Bool[Array, " lists"]]:
        """How to make lists for few and for more edges, and whether each holds all that there are.

        One has room for an edge of every two candidates, the other for one of each.
        """
        batch, n, r = self.targets.shape
        real = (self.targets != EMPTY).reshape(batch * n, r)
        within, each = _ranks(real)
        rooms = [batch * n // 2 + 1, batch * n + 1]

        def listed(room: int) -> EdgeList:
            rank = (jnp.cumsum(each) - each)[:, None] + within
            place = jnp.where(real & (rank < room), rank, room).reshape(-1)
            slots = jnp.full(room + 1, batch * n * r, jnp.int32)
            numbers = jnp.arange(batch * n * r, dtype=jnp.int32)
            slots = slots.at[place].set(numbers, mode="promise_in_bounds")
            return self._list(slots[:room])

        return [functools.partial(listed, room) for room in rooms], each.sum() <= np.array(rooms)

    def _list(self, slots: Int[Array, " m"]) -> EdgeList:
        batch, n, r = self.targets.shape
        sources = slots // r
        targets = jnp.pad(self.targets.reshape(-1), (0, 1), constant_values=EMPTY)[slots]
        ends = jnp.stack([sources, sources // n * n + targets])
        # Of two that reference each other one edge is enough.
        rows = self.targets.reshape(batch * n, r)[jnp.clip(ends[1], 0, batch * n - 1)]
        mutual = (rows == (sources % n)[:, None]).any(-1) & (sources > ends[1])
        return EdgeList(jnp.where((targets == EMPTY) | mutual, batch * n, ends))


def find_references(object_ids: Int[Array, "B n"], references: Int[Array, "B n r"]) -> References:
    """Foreign keys or links, as candidates of the same query.

    Args:
        object_ids: `[B, n]` identities, -1 for none.
        references: `[B, n, r]` the identities that each references, -1 where unused.
    """
    batch, n, r = references.shape
    targets, unique = _locate((object_ids,), (references.reshape(batch, n * r),))
    targets = targets.reshape(batch, n, r)
    sources = jnp.arange(n, dtype=jnp.int32)[:, None]
    # A candidate that references another by two keys makes one edge.
    if r <= _COMPARED:
        earlier = np.tri(r, k=-1, dtype=bool)
        again = ((targets[..., :, None] == targets[..., None, :]) & earlier).any(-1)
        targets = jnp.where(again, EMPTY, targets)
    else:
        targets = drop_repeats(targets)
    return References(jnp.where(targets == sources, EMPTY, targets), unique)


def find_successors(document_ids: Int[Array, "B n"], chunk_ids: Int[Array, "B n"]) -> References:
    """Consecutive chunks: a chunk references its successor."""
    known = (document_ids != EMPTY) & (chunk_ids != EMPTY)
    documents = jnp.where(known, document_ids, EMPTY)
    targets, unique = _locate((documents, chunk_ids), (documents, chunk_ids + 1))
    return References(targets[..., None], unique)


def _locate(
    keys: tuple[Int[Array, "B n"], ...], wanted: tuple[Int[Array, "B m"], ...]
) -> tuple[Int[Array, "B m"], Bool[Array, " B"]]:
    """The candidate whose key is wanted, -1 for none; and whether no two candidates share a key.

    A key is a tuple of integers and counts where the first is not -1.
    """
    n, m = keys[0].shape[-1], wanted[0].shape[-1]
    places = jnp.arange(n, dtype=jnp.int32)
    size = max(_TABLE, 1 << (4 * n - 1).bit_length())

    def places_of(key: tuple[Array, ...], attempt: Array, use: Array) -> Array:
        mixed = key[0] if len(key) == 1 else key[0] * _PRIME + key[1]
        return jnp.where(use, hash_ids(mixed, attempt, size), size)

    def of_query(table: Array, query: Any) -> tuple[Any, Any]:
        key, want = query

        def look_up(
            state: tuple[Array, Any, Any, Array, Any],
        ) -> tuple[Array, Any, Any, Array, Any]:
            table, lost, repeated, found, attempt = state
            open_ = (want[0] != EMPTY) & (found == EMPTY)
            at = places_of(key, attempt, lost)
            table = table.at[at].set(places, mode="promise_in_bounds")
            winner = table.at[at].get(mode="promise_in_bounds")
            lost &= winner != places
            repeated |= (lost & same(key, winner, key)).any()
            # What an earlier query left in the table is told by its key.
            guess = table.at[places_of(want, attempt, open_)].get(mode="promise_in_bounds")
            found = jnp.where(open_ & same(key, guess, want), guess, found)
            return table, lost, repeated, found, attempt + 1

        def same(one: tuple[Array, ...], place: Array, other: tuple[Array, ...]) -> Array:
            pairs = zip(one, other, strict=True)
            equal = [a.at[place].get(mode="promise_in_bounds") == b for a, b in pairs]
            return functools.reduce(jnp.logical_and, equal)

        start = (
            table,
            key[0] != EMPTY,
            jnp.bool(False),
            jnp.full(m, EMPTY, jnp.int32),
            jnp.int32(0),
        )
        table, lost, repeated, found, _ = jax.lax.while_loop(
            lambda state: state[1].any() & ~state[2] & (state[4] < _ATTEMPTS), look_up, start
        )
        return table, (found, ~repeated & ~lost.any())

    _, (found, unique) = jax.lax.scan(of_query, jnp.zeros(size + 1, jnp.int32), (keys, wanted))
    return found, unique


def _ranks(real: Bool[Array, "m r"]) -> tuple[Int[Array, "m r"], Int[Array, " m"]]:
    """How many real slots stand before each of its row, and how many the row has."""
    r = real.shape[-1]
    if r > _WORD:
        counted = jnp.cumsum(real, axis=-1, dtype=jnp.int32)
        return counted - real, counted[:, -1]
    shifts = np.arange(r, dtype=np.uint32)
    words = (real.astype(jnp.uint32) << shifts).sum(-1, dtype=jnp.uint32)
    below = (np.uint32(1) << shifts) - np.uint32(1)
    before = jax.lax.population_count(words[:, None] & below)
    return before.astype(jnp.int32), jax.lax.population_count(words).astype(jnp.int32)
