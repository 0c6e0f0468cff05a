"""Finds the targets of references by look-up, instead of comparing all pairs.

A scratch table finds the candidates that references name, and the few resulting edges go into a
short list: the fastest way on a CPU. If this cannot be exact (two candidates have the same
identity, or there are more edges than the list holds), the result says so, and the caller compares
all pairs instead.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from grapher_jax.kernels.graphs.entities import drop_repeats
from grapher_jax.kernels.graphs.operators import EdgeList
from grapher_jax.kernels.lookup.bits import list_of_all, list_order
from grapher_jax.kernels.lookup.hashing import locate
from grapher_jax.kernels.types import EMPTY

# With at most this many slots, comparing all pairs of a candidate's slots is faster than sorting.
_COMPARED = 16


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class References:
    """Which candidates reference which others, for a batch of queries.

    Attributes:
        targets: `[B, n, r]` the candidates that each references, without repeats; -1 where unused.
        unique: `[B]` whether no two candidates have the same identity; only then are the targets
            exact.
    """

    targets: Int[Array, "B n r"]
    unique: Bool[Array, " B"]

    def edges(self) -> EdgeList:
        """Every edge, in a list with one position per reference."""
        batch, n, r = self.targets.shape
        # In the order of short lists, so that sums are rounded alike.
        every = n * r * np.arange(batch, dtype=np.int32)[:, None] + list_order(n * r)
        return self._list(jnp.asarray(every).reshape(-1))

    def short_lists(self) -> tuple[list[Callable[[], EdgeList]], Bool[Array, " lists"]]:
        """Functions that build a short and a longer list, and whether each holds all edges.

        The short list has room for n / 2 edges, the longer one for n.
        """
        batch, n, r = self.targets.shape
        valid = (self.targets != EMPTY).reshape(batch, n * r)
        capacities = [batch * n // 2 + 1, batch * n + 1]

        def listed(capacity: int) -> EdgeList:
            return self._list(list_of_all(valid, capacity))

        lists: list[Callable[[], EdgeList]] = [partial(listed, own) for own in capacities]
        return lists, valid.sum() <= np.array(capacities)

    def _list(self, slots: Int[Array, " m"]) -> EdgeList:
        batch, n, r = self.targets.shape
        sources = slots // r
        targets = jnp.pad(self.targets.reshape(-1), (0, 1), constant_values=EMPTY)[slots]
        ends = jnp.stack([sources, sources // n * n + targets])
        # If two candidates reference each other, one edge is enough.
        rows = self.targets.reshape(batch * n, r)[jnp.clip(ends[1], 0, batch * n - 1)]
        mutual = (rows == (sources % n)[:, None]).any(-1) & (sources > ends[1])
        return EdgeList(jnp.where((targets == EMPTY) | mutual, batch * n, ends))


def find_references(object_ids: Int[Array, "B n"], references: Int[Array, "B n r"]) -> References:
    """Resolves foreign keys or links to candidates of the same query.

    Args:
        object_ids: `[B, n]` identities, -1 for none.
        references: `[B, n, r]` the identities that each references, -1 where unused.
    """
    batch, n, r = references.shape
    targets, unique = locate((object_ids,), (references.reshape(batch, n * r),))
    targets = targets.reshape(batch, n, r)
    sources = jnp.arange(n, dtype=jnp.int32)[None, :, None]
    # Two keys to the same candidate give one edge.
    if r <= _COMPARED:
        earlier = np.tri(r, k=-1, dtype=bool)[None, None]
        again = ((targets[..., :, None] == targets[..., None, :]) & earlier).any(-1)
        targets = jnp.where(again, EMPTY, targets)
    else:
        targets = drop_repeats(targets)
    return References(jnp.where(targets == sources, EMPTY, targets), unique)


def find_successors(document_ids: Int[Array, "B n"], chunk_ids: Int[Array, "B n"]) -> References:
    """Consecutive chunks, where each chunk references its successor."""
    known = (document_ids != EMPTY) & (chunk_ids != EMPTY)
    documents = jnp.where(known, document_ids, EMPTY)
    targets, unique = locate((documents, chunk_ids), (documents, chunk_ids + 1))
    return References(targets[..., None], unique)
