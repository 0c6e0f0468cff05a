"""Who is meant by a reference, looked up instead of comparing all pairs.

A scratch table finds the candidates that references name, and the few edges they make go into a
short list: what a CPU does best. Where that cannot be exact (an identity that two candidates share,
more edges than the list holds) the caller is told, and compares all pairs instead.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from grapher_jax.kernels.entities import EMPTY, hash_ids
from grapher_jax.kernels.operators import EdgeList

_TABLE = 1 << 16
_ATTEMPTS = 4
_PRIME = np.int32(1_000_003)


def reference_edges(
    object_ids: Int[Array, "B n"], references: Int[Array, "B n r"]
) -> tuple[EdgeList, Bool[Array, ""]]:
    """The edges between candidates of which either references the other.

    Args:
        object_ids: `[B, n]` identities, -1 for none.
        references: `[B, n, r]` the identities that each references, -1 where unused.

    Returns:
        The edges, and whether the list is exact.
    """
    batch, n, r = references.shape
    targets, unique = _locate((object_ids,), (references.reshape(batch, n * r),))
    targets = targets.reshape(batch, n, r)
    real = (targets != EMPTY) & (targets != jnp.arange(n)[:, None])
    # A candidate that references another twice, by two keys, makes one edge.
    earlier = np.tri(r, k=-1, dtype=bool)
    real &= ~((targets[..., :, None] == targets[..., None, :]) & earlier).any(-1)
    ends, fits = _compact(real, targets)
    low, high = ends[:, 0], ends[:, 1]
    back = jnp.take_along_axis(targets, jnp.minimum(high, n - 1)[..., None], axis=1)
    mutual = (back == low[..., None]).any(-1) & (low > high)
    return EdgeList(jnp.where(mutual[:, None], n, ends)), unique & fits


def successor_edges(
    document_ids: Int[Array, "B n"], chunk_ids: Int[Array, "B n"]
) -> tuple[EdgeList, Bool[Array, ""]]:
    """The edges between consecutive chunks of a document, and whether they are exact."""
    known = (document_ids != EMPTY) & (chunk_ids != EMPTY)
    documents = jnp.where(known, document_ids, EMPTY)
    targets, unique = _locate((documents, chunk_ids), (documents, chunk_ids + 1))
    n = documents.shape[-1]
    none = targets == EMPTY
    sources = jnp.where(none, n, jnp.arange(n, dtype=jnp.int32))
    return EdgeList(jnp.stack([sources, jnp.where(none, n, targets)], axis=1)), unique


def _locate(
    keys: tuple[Int[Array, "B n"], ...], wanted: tuple[Int[Array, "B m"], ...]
) -> tuple[Int[Array, "B m"], Bool[Array, ""]]:
    """The candidate whose key is wanted, -1 for none; and whether no two candidates share a key.

    A key is a tuple of integers and counts where the first is not -1.
    """
    n, m = keys[0].shape[-1], wanted[0].shape[-1]
    places = jnp.arange(n, dtype=jnp.int32)

    def places_of(key: tuple[Array, ...], attempt: Array, use: Array) -> Array:
        mixed = key[0] if len(key) == 1 else key[0] * _PRIME + key[1]
        return jnp.where(use, hash_ids(mixed, attempt, _TABLE), _TABLE)

    def of_query(table: Array, query: Any) -> tuple[Any, Any]:
        key, want = query

        def look_up(state: tuple[Array, ...]) -> tuple[Array, ...]:
            table, lost, found, attempt = state
            open_ = (want[0] != EMPTY) & (found == EMPTY)
            at = places_of(key, attempt, lost)
            table = table.at[at].set(places, mode="promise_in_bounds")
            # What an earlier query left in the table is told by its key.
            guess = table.at[places_of(want, attempt, open_)].get(mode="promise_in_bounds")
            same = open_
            for k, w in zip(key, want, strict=True):
                same &= k.at[guess].get(mode="promise_in_bounds") == w
            won = table.at[at].get(mode="promise_in_bounds") == places
            return table, lost & ~won, jnp.where(same, guess, found), attempt + 1

        start = (table, key[0] != EMPTY, jnp.full(m, EMPTY, jnp.int32), jnp.int32(0))
        table, lost, found, _ = jax.lax.while_loop(
            lambda s: s[1].any() & (s[3] < _ATTEMPTS), look_up, start
        )
        return table, (found, ~lost.any())

    _, (found, unique) = jax.lax.scan(of_query, jnp.zeros(_TABLE + 1, jnp.int32), (keys, wanted))
    return found, unique.all()


def _compact(
    real: Bool[Array, "B n r"], targets: Int[Array, "B n r"]
) -> tuple[Int[Array, "B 2 n"], Bool[Array, ""]]:
    """The real edges as a list of n, padded with n; and whether all of them are in it."""
    batch, n, _ = real.shape
    within = jnp.cumsum(real, axis=-1, dtype=jnp.int32)
    each = within[..., -1]
    before = jnp.cumsum(each, axis=-1) - each
    rank = before[..., None] + within - 1
    row = (n + 1) * jnp.arange(batch, dtype=jnp.int32)[:, None, None]
    place = row + jnp.where(real & (rank < n), rank, n)
    edge = jnp.arange(n, dtype=jnp.int32)[:, None] * (n + 1) + targets
    empty = jnp.full(batch * (n + 1), n * (n + 1) + n, jnp.int32)
    listed = empty.at[place].set(jnp.where(real, edge, empty[0]), mode="promise_in_bounds")
    listed = listed.reshape(batch, n + 1)[:, :n]
    return jnp.stack([listed // (n + 1), listed % (n + 1)], axis=1), each.sum(-1).max() <= n
