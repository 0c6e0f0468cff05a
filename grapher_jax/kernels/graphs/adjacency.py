"""Adjacency matrices of candidates, built from padded integer arrays.

`A[i, j] ≥ 0` is the weight of the message from j to i. The diagonal and all masked rows and columns
are 0 (our choice: GraphER does not specify it). Proximities: GraphER, section 2.1; weights:
appendix A.3.

Every function raises TypeError and ValueError for arrays of a wrong dtype or shape, and for
unmasked IDs, embeddings and weights out of range, if their values can be checked (see `checks`).
"""

import functools
from collections.abc import Sequence
from typing import overload

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax.kernels.checks import (
    as_ids,
    as_scores,
    check_count,
    check_fit,
    check_mask,
    check_scores,
    check_shape,
    check_weights,
)
from grapher_jax.kernels.graphs.entities import shared_counts
from grapher_jax.kernels.graphs.operators import (
    Dense,
    NeighborList,
    Operator,
    WeightedSum,
    as_operator,
    entities_of,
)
from grapher_jax.kernels.types import EMPTY, Adjacency, Ids, Mask, PerQuery, Slots

# So many slots are compared at once.
_FEW_SLOTS = 16


def foreign_key_adjacency(
    object_ids: Ids, foreign_keys: Slots, *, mask: Mask | None = None
) -> Float[Array, "*B n n"]:
    """Structural proximity: 1 where i references j or j references i.

    Args:
        object_ids: `[*B, n]` the identity of each candidate; -1 references nothing.
        foreign_keys: `[*B, n, r]` the identities that each candidate references, -1 where unused.
        mask: `[*B, n]` true for valid candidates; all by default.

    Returns:
        `[*B, n, n]` float32.
    """
    return reference_adjacency("foreign_keys", object_ids, foreign_keys, mask)


def link_adjacency(
    object_ids: Ids, links: Slots, *, mask: Mask | None = None
) -> Float[Array, "*B n n"]:
    """Structural proximity between pages: 1 where either links to the other.

    The same as `foreign_key_adjacency`, under the name used for documents.
    """
    return reference_adjacency("links", object_ids, links, mask)


def shared_entity_adjacency(
    entity_ids: Slots,
    entity_counts: Int[Array | ndarray, "*B n"] | None = None,
    *,
    mask: Mask | None = None,
) -> Float[Array, "*B n n"]:
    """Conceptual proximity: `|Ei ∩ Ej| / |Ej|` over unique entities, 0 where Ej is empty.

    Args:
        entity_ids: `[*B, n, e]` the entities of each candidate, -1 where unused; repeats count
            once.
        entity_counts: `[*B, n]` the size of each Ej, needed if slots that can match nothing were
            dropped from `entity_ids`; by default counted from `entity_ids`.
        mask: `[*B, n]` true for valid candidates; all by default.

    Returns:
        `[*B, n, n]` float32.
    """
    return shared_entities(entity_ids, entity_counts, mask).to_dense()


def shared_entities(
    entity_ids: Slots, entity_counts: Int[Array | ndarray, "*B n"] | None, mask: Mask | None
) -> Dense:
    """`shared_entity_adjacency` as symmetric counts `|Ei ∩ Ej|` and column factors `1 / |Ej|`."""
    ids, inverse = entities_of(entity_ids, entity_counts, mask)
    return Dense(shared_counts(ids), inverse, symmetric=True)


def chunk_adjacency(
    document_ids: Ids, chunk_ids: Ids, *, mask: Mask | None = None
) -> Float[Array, "*B n n"]:
    """Contextual proximity: 1 between consecutive chunks of one document.

    Args:
        document_ids: `[*B, n]` the document of each candidate, -1 where it has none.
        chunk_ids: `[*B, n]` its position in that document, -1 where unknown.
        mask: `[*B, n]` true for valid candidates; all by default.

    Returns:
        `[*B, n, n]` float32.
    """
    check_shape("chunk_ids", chunk_ids, np.shape(document_ids))
    check_mask(mask, np.shape(document_ids))
    documents = as_ids("document_ids", document_ids, mask)
    chunks = as_ids("chunk_ids", chunk_ids, mask)
    known = (documents != EMPTY) & (chunks != EMPTY)
    same_document = documents[..., :, None] == documents[..., None, :]
    consecutive = jnp.abs(chunks[..., :, None] - chunks[..., None, :]) == 1
    close = same_document & consecutive & known[..., :, None] & known[..., None, :]
    return _without_diagonal(close, mask).astype(jnp.float32)


def semantic_adjacency(
    embeddings: Float[Array | ndarray, "*B n d"],
    k: int,
    threshold: float | Array,
    *,
    symmetric: bool = False,
    mask: Mask | None = None,
) -> Float[Array, "*B n n"]:
    """Semantic proximity: the cosine where j is among i's k nearest and above the threshold.

    Args:
        embeddings: `[*B, n, d]`, not necessarily of unit length; zero vectors have no neighbours.
        k: the maximum number of neighbours per candidate.
        threshold: the cosine that a neighbour must exceed, at least 0.
        symmetric: whether an edge in one direction also gives the reverse edge, with the same
            cosine.
        mask: `[*B, n]` true for valid candidates; all by default.

    Returns:
        `[*B, n, n]`, directed as in the source (query-aware GNN retrieval, algorithm 1) unless
        symmetric.
    """
    adjacency = semantic_neighbors(embeddings, k, threshold, mask=mask).to_dense()
    return jnp.maximum(adjacency, adjacency.mT) if symmetric else adjacency


def semantic_neighbors(
    embeddings: Float[Array | ndarray, "*B n d"],
    k: int,
    threshold: float | Array,
    *,
    mask: Mask | None = None,
) -> NeighborList:
    """`semantic_adjacency` as lists of k neighbours; ties go to the earlier candidate."""
    check_count("k", k)
    check_mask(mask, np.shape(embeddings)[:-1])
    check_scores("embeddings", embeddings, mask)
    check_weights("threshold", threshold)
    vectors = as_scores("embeddings", embeddings)
    if mask is not None:  # the derivative of a masked NaN would be NaN
        vectors = jnp.where(jnp.asarray(mask)[..., None], vectors, 0.0)
    # The squares of very large or small numbers would overflow, or be flushed to 0.
    largest = jnp.abs(vectors).max(-1, keepdims=True, initial=0.0)
    vectors *= jnp.where(largest > 1e15, 1e-30, jnp.where(largest < 1e-15, 1e30, 1.0))
    squares = (vectors**2).sum(-1, keepdims=True)
    # The derivative of the square root at 0 would make every gradient NaN.
    unit = vectors * jnp.where(
        squares > 0, jax.lax.rsqrt(jnp.where(squares > 0, squares, 1.0)), 0.0
    )
    cosine = jnp.einsum("...id,...jd->...ij", unit, unit, precision="highest")
    possible = _without_diagonal(cosine > threshold, mask)
    best, neighbors = jax.lax.top_k(jnp.where(possible, cosine, -jnp.inf), min(k, cosine.shape[-1]))
    near = best > threshold
    return NeighborList(jnp.where(near, neighbors, EMPTY), jnp.where(near, best, 0.0))


@overload
def combine(
    adjacencies: Sequence[Adjacency], weights: Sequence[PerQuery] | None = None
) -> Float[Array, "*B n n"]: ...


@overload
def combine(
    adjacencies: Sequence[Adjacency | Operator], weights: Sequence[PerQuery] | None = None
) -> Float[Array, "*B n n"] | WeightedSum: ...


def combine(
    adjacencies: Sequence[Adjacency | Operator], weights: Sequence[PerQuery] | None = None
) -> Float[Array, "*B n n"] | WeightedSum:
    """The weighted sum of graphs over the same candidates: an array of arrays, else an operator.

    Args:
        adjacencies: arrays `[*B, n, n]` or operators; one array may serve a whole batch.
        weights: one number for each, 1 by default; with an operator among them also `[*B]`.

    Returns:
        `[*B, n, n]` in the widest type of the arrays and weights; a `WeightedSum` if an operator is
        among them, whose sizes are compared where it is multiplied.

    Raises:
        TypeError: for weights that are not real numbers.
        ValueError: if there are no adjacencies, their shapes do not fit, the number of weights
            differs, or a weight is negative or not finite.
    """
    _check_any(adjacencies)
    chosen = [1.0] * len(adjacencies) if weights is None else list(weights)
    if len(chosen) != len(adjacencies):
        raise ValueError(
            f"weights: {len(chosen)} for {len(adjacencies)} adjacencies; give one each"
        )
    for weight in chosen:
        check_weights("weights", weight)
    arrays = [one for one in adjacencies if not isinstance(one, Operator)]
    if len(arrays) < len(adjacencies):
        return WeightedSum(tuple(map(as_operator, adjacencies)), tuple(chosen))
    for weight in chosen:
        check_shape("weights", weight, ())
    n = (np.shape(arrays[0]) or (0,))[-1]
    for array in arrays:
        check_fit("adjacencies", array, None, n, n)
        check_weights("adjacencies", array)
    batches = [np.shape(array)[:-2] for array in arrays]
    try:
        np.broadcast_shapes(*batches)
    except ValueError:
        told = ", ".join(map(str, batches))
        raise ValueError(f"adjacencies: batches of {told} do not fit each other") from None
    return functools.reduce(
        jnp.add, (jnp.multiply(w, a) for w, a in zip(chosen, arrays, strict=True))
    )


def stack(adjacencies: Sequence[Adjacency]) -> Float[Array, "*B R n n"]:
    """Stacks the relations on a new axis, for rankers that treat each relation differently.

    Raises:
        ValueError: if there are no adjacencies, their shapes differ, or a weight is negative or not
            finite.
    """
    _check_any(adjacencies)
    shape = np.shape(adjacencies[0])
    n = (shape or (0,))[-1]
    for adjacency in adjacencies:
        check_shape("adjacencies", adjacency, (*shape[:-2], n, n))
        check_weights("adjacencies", adjacency)
    return jnp.stack([jnp.asarray(adjacency) for adjacency in adjacencies], axis=-3)


def _check_any(adjacencies: Sequence[Adjacency | Operator]) -> None:
    if not len(adjacencies):
        raise ValueError("adjacencies: there are none; give at least one")


def reference_adjacency(
    name: str, object_ids: Ids, references: Slots, mask: Mask | None
) -> Float[Array, "*B n n"]:
    """1 where i references j or j references i; `name` names `references` in error messages."""
    shape = np.shape(object_ids)
    check_shape(name, references, (*shape, None))
    check_mask(mask, shape)
    identities, targets = as_ids("object_ids", object_ids, mask), as_ids(name, references, mask)
    return _undirected(_compare_references(identities, targets).astype(jnp.float32), mask)


def weighted_adjacency(
    object_ids: Ids,
    references: Slots,
    weights: Float[Array | ndarray, "*B n r"],
    *,
    mask: Mask | None = None,
) -> Float[Array, "*B n n"]:
    """The larger of the two weights with which i and j reference each other; 0 without any.

    Args:
        object_ids: `[*B, n]` the identity of each candidate; -1 references nothing.
        references: `[*B, n, r]` the identities that each candidate references, -1 where unused.
        weights: `[*B, n, r]` the weight of each reference, at least 0.
        mask: `[*B, n]` true for valid candidates; all by default.

    Returns:
        `[*B, n, n]` float32.
    """
    shape = np.shape(object_ids)
    check_shape("references", references, (*shape, None))
    check_shape("weights", weights, np.shape(references))
    check_mask(mask, shape)
    used = jnp.asarray(references) != EMPTY
    check_weights("weights", weights, used if mask is None else used & jnp.asarray(mask)[..., None])
    identities, targets = (
        as_ids("object_ids", object_ids, mask),
        as_ids("references", references, mask),
    )
    weights = jnp.asarray(weights, jnp.float32)
    return _undirected(_compare_weighted(identities, targets, weights), mask)


@jax.jit
def _compare_weighted(
    identities: Int[Array, "*B n"],
    targets: Int[Array, "*B n r"],
    weights: Float[Array, "*B n r"],
) -> Float[Array, "*B n n"]:
    """The weight with which i references j."""

    def add_slot(slot: Array, found: Array) -> Array:
        target, weight = (
            jax.lax.dynamic_index_in_dim(of, slot, axis=-1) for of in (targets, weights)
        )
        close = (target == identities[..., None, :]) & (target != EMPTY)
        return jnp.maximum(found, jnp.where(close, weight, 0.0))

    none = jnp.zeros((*identities.shape, identities.shape[-1]), jnp.float32)
    return jax.lax.fori_loop(0, targets.shape[-1], add_slot, none) if targets.size else none


# Jitted: called outside of a program, its loop would be compiled at every call.
@jax.jit
def _compare_references(
    identities: Int[Array, "*B n"], targets: Int[Array, "*B n r"]
) -> Bool[Array, "*B n n"]:
    """Whether i references j."""
    if targets.shape[-1] <= _FEW_SLOTS:
        close = targets[..., None] == identities[..., None, None, :]
        return (close & (targets != EMPTY)[..., None]).any(-2)

    # One slot at a time, so that an object with a thousand references does not need a thousand
    # matrices.
    def add_slot(slot: Array, close: Array) -> Array:
        target = jax.lax.dynamic_index_in_dim(targets, slot, axis=-1)
        return close | ((target == identities[..., None, :]) & (target != EMPTY))

    none = jnp.zeros((*identities.shape, identities.shape[-1]), bool)
    return jax.lax.fori_loop(0, targets.shape[-1], add_slot, none) if targets.size else none


def _undirected(one_way: Float[Array, "*B n n"], mask: Mask | None) -> Float[Array, "*B n n"]:
    """The larger of both directions, as numbers: on a CPU, XLA is slow to transpose bits."""
    every = _without_diagonal(jnp.ones(one_way.shape, bool), mask)
    return jnp.where(every, jnp.maximum(one_way, one_way.mT), 0.0)


def _without_diagonal(close: Bool[Array, "*B n n"], mask: Mask | None) -> Bool[Array, "*B n n"]:
    n = close.shape[-1]
    close &= ~jnp.eye(n, dtype=bool).reshape((1,) * (close.ndim - 2) + (n, n))
    if mask is None:
        return close
    valid = jnp.asarray(mask)
    return close & valid[..., :, None] & valid[..., None, :]
