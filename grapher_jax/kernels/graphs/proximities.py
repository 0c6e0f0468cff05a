"""The table of proximities: which arrays each one reads, and how its graph is built.

A row holds everything that the program knows about a proximity. Which arrays exist, their shapes,
which arrays need another one, and what `build_adjacency` and `rerank` do with them follow from the
table.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import jax.numpy as jnp
from jaxtyping import Array, Float, Int
from numpy import ndarray

from grapher_jax.kernels.checks import (
    check_ids,
    check_mask,
    check_scores,
    check_shape,
    check_weights,
)
from grapher_jax.kernels.graphs.adjacency import (
    chunk_adjacency,
    combine,
    reference_adjacency,
    semantic_adjacency,
    shared_entities,
    weighted_adjacency,
)
from grapher_jax.kernels.graphs.looking_up import (
    SEMANTIC_NEIGHBORS,
    SEMANTIC_THRESHOLD,
    Lists,
    look_up_references,
    look_up_semantic,
    look_up_sequences,
    look_up_shared,
)
from grapher_jax.kernels.graphs.operators import Dense, Operator, WeightedSum
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.graphs.symmetry import balance
from grapher_jax.kernels.types import Ids, Mask, Slots


@dataclass(frozen=True)
class Reads:
    """An array that a proximity reads.

    Attributes:
        name: the name of the array in `Relations`.
        wide: whether the shape is `[*B, n, _]`, with slots or dimensions per candidate, or
            `[*B, n]`.
        ids: whether it holds integers (-1 for none) or real numbers.
        optional: whether the proximity also works without it.
    """

    name: str
    wide: bool = False
    ids: bool = True
    optional: bool = False


Compare = Callable[[Relations, Mask | None], Float[Array, "*B n n"] | Dense]
LookUp = Callable[[Relations, Mask | None], Operator | Lists]


# Rows are compared by identity, so that a table is a cheap key of compiled programs.
@dataclass(frozen=True, eq=False)
class Proximity:
    """A row of the table.

    Attributes:
        name: the name of the proximity in `weights`.
        reads: the arrays that it reads.
        compare: computes the matrix from the arrays `[*B, n, _]` and the mask, by comparing all
            pairs. It may return `Dense`, to mark the matrix as symmetric.
        look_up: computes the same graph from arrays `[B, n, _]` without comparing all pairs; None
            if only `compare` exists.
    """

    name: str
    reads: tuple[Reads, ...]
    compare: Compare
    look_up: LookUp | None = None

    @property
    def needs(self) -> tuple[str, ...]:
        """The arrays without which the proximity joins nothing."""
        return tuple(array.name for array in self.reads if not array.optional)

    def given_by(self, relations: Relations) -> bool:
        """Whether the arrays that the proximity needs are given."""
        return relations.given().keys() >= set(self.needs)


Table = tuple[Proximity, ...]


_OBJECTS = Reads("object_ids")


# The same arrays give the same row object, because rows are keys of compiled programs.
@functools.cache
def reference_row(name: str, targets: str) -> Proximity:
    """A row for references between candidates.

    Args:
        name: the name of the proximity.
        targets: the array `[*B, n, r]` of the identities that each references, -1 where unused.
    """
    return Proximity(
        name,
        (_OBJECTS, Reads(targets, wide=True)),
        lambda r, mask: Dense(
            reference_adjacency(targets, r["object_ids"], r[targets], mask), symmetric=True
        ),
        functools.partial(look_up_references, targets),
    )


@functools.cache
def shared_row(name: str, ids: str, counts: str) -> Proximity:
    """A row for values that candidates share; see `shared_entity_adjacency`.

    Args:
        name: the name of the proximity.
        ids: the array `[*B, n, e]` of each candidate's values, -1 where unused.
        counts: the array `[*B, n]` of how many values each has, needed if slots were dropped.
    """
    return Proximity(
        name,
        (Reads(ids, wide=True), Reads(counts, optional=True)),
        lambda r, mask: shared_entities(r[ids], r.given().get(counts), mask),
        functools.partial(look_up_shared, ids, counts),
    )


@functools.cache
def sequence_row(name: str, whole: str, place: str) -> Proximity:
    """A row for candidates that follow each other; see `chunk_adjacency`.

    Args:
        name: the name of the proximity.
        whole: the array `[*B, n]` of the document, thread etc. of each candidate, -1 for none.
        place: the array `[*B, n]` of its position there, -1 where unknown.
    """
    return Proximity(
        name,
        (Reads(whole), Reads(place)),
        lambda r, mask: Dense(chunk_adjacency(r[whole], r[place], mask=mask), symmetric=True),
        functools.partial(look_up_sequences, whole, place),
    )


@functools.cache
def weighted_row(name: str, targets: str, strengths: str) -> Proximity:
    """A row for weighted references between candidates; see `weighted_adjacency`.

    Args:
        name: the name of the proximity.
        targets: the array `[*B, n, r]` of the identities that each references, -1 where unused.
        strengths: the array `[*B, n, r]` of the weights, 0 where unused.
    """
    return Proximity(
        name,
        (_OBJECTS, Reads(targets, wide=True), Reads(strengths, wide=True, ids=False)),
        lambda r, mask: Dense(
            weighted_adjacency(r["object_ids"], r[targets], r[strengths], mask=mask),
            symmetric=True,
        ),
    )


@functools.cache
def semantic_row(name: str) -> Proximity:
    """A row that joins candidates with near `embeddings`; see `semantic_adjacency`.

    Args:
        name: the name of the proximity.
    """
    return Proximity(
        name,
        (Reads("embeddings", wide=True, ids=False),),
        lambda r, mask: semantic_adjacency(
            r["embeddings"], SEMANTIC_NEIGHBORS, SEMANTIC_THRESHOLD, mask=mask
        ),
        look_up_semantic,
    )


SEMANTIC = semantic_row("semantic")
TABLE: Table = (
    reference_row("foreign_key", "foreign_keys"),
    reference_row("inferred_key", "inferred_keys"),
    reference_row("link", "links"),
    # Only indexes have this array; it is among the `others` of `Relations`.
    reference_row("mention", "mentions"),
    shared_row("shared_entity", "entity_ids", "entity_counts"),
    sequence_row("chunk", "document_ids", "chunk_ids"),
    SEMANTIC,
)
PROXIMITIES = tuple(row.name for row in TABLE)


@functools.cache
def wide_arrays(table: Table = TABLE) -> frozenset[str]:
    """The arrays with slots or dimensions per candidate."""
    return frozenset(array.name for row in table for array in row.reads if array.wide)


@functools.cache
def _arrays(table: Table) -> dict[str, Reads]:
    return {array.name: array for row in table for array in row.reads}


@functools.cache
def arrays_needed_with(name: str, table: Table = TABLE) -> frozenset[str]:
    """The other arrays that every proximity reading this array needs."""
    readers = [row for row in table if name in (array.name for array in row.reads)]
    return frozenset.intersection(*(frozenset(row.needs) - {name} for row in readers))


def build_adjacency(
    shape: tuple[int, ...],
    *,
    entity_ids: Slots | None = None,
    entity_counts: Int[Array | ndarray, "*B n"] | None = None,
    object_ids: Ids | None = None,
    foreign_keys: Slots | None = None,
    inferred_keys: Slots | None = None,
    links: Slots | None = None,
    document_ids: Ids | None = None,
    chunk_ids: Ids | None = None,
    embeddings: Float[Array | ndarray, "*B n d"] | None = None,
    weights: Mapping[str, float | Array] | None = None,
    mask: Mask | None = None,
) -> Float[Array, "*B n n"]:
    """The weighted sum of every proximity whose arrays are given; see `rerank` for the arguments.

    `shape` is `(*B, n)`, for the empty graph of candidates without any metadata.

    Raises:
        TypeError: for IDs that are not integers, and a mask that is not Boolean.
        ValueError: for shapes that do not fit, an array given without another that it needs, an
            unknown proximity's weight, and invalid values (see `checks`).
    """
    relations = Relations(
        entity_ids=entity_ids,
        entity_counts=entity_counts,
        object_ids=object_ids,
        foreign_keys=foreign_keys,
        inferred_keys=inferred_keys,
        links=links,
        document_ids=document_ids,
        chunk_ids=chunk_ids,
        embeddings=embeddings,
    )
    check_mask(mask, shape)
    check_relations(relations, shape, mask)
    check_proximity_weights(weights)
    return compare_pairs(shape, relations, weights=weights, mask=mask)


def compare_pairs(
    shape: tuple[int, ...],
    relations: Relations,
    *,
    weights: Mapping[str, float | Array] | None = None,
    mask: Mask | None = None,
    table: Table = TABLE,
) -> Float[Array, "*B n n"]:
    """`build_adjacency` from relations, for any table of proximities."""
    return pair_graph(shape, relations, weights=weights, mask=mask, table=table).to_dense()


def pair_graph(
    shape: tuple[int, ...],
    relations: Relations,
    *,
    weights: Mapping[str, float | Array] | None = None,
    mask: Mask | None = None,
    table: Table = TABLE,
) -> Dense:
    """`compare_pairs` for a ranker, marked as symmetric if all parts are symmetric."""
    given = [row for row in table if row.given_by(relations)]
    if not given:
        return Dense(jnp.zeros((*shape, shape[-1]), jnp.float32), symmetric=True)
    parts = [compared(row, relations, mask) for row in given]
    chosen = [(weights or {}).get(row.name, 1.0) for row in given]
    if len(parts) == 1:
        return replace(parts[0], weights=combine([parts[0].weights], chosen))
    alike = balance(WeightedSum(tuple(parts), tuple(chosen))) is not None
    return Dense(combine([part.to_dense() for part in parts], chosen), symmetric=alike)


def compared(row: Proximity, relations: Relations, mask: Mask | None) -> Dense:
    """The matrix of one row, by comparing all pairs."""
    matrix = row.compare(relations, mask)
    return matrix if isinstance(matrix, Dense) else Dense(matrix)


def check_relations(
    relations: Relations, shape: tuple[int, ...], mask: Mask | None, table: Table = TABLE
) -> None:
    """Checks the metadata of candidates.

    Args:
        relations: the metadata that joins the candidates.
        shape: `(*B, n)`.
        mask: `[*B, n]`.
        table: the known proximities.

    Raises:
        TypeError: for IDs that are not integers.
        ValueError: for a wrong shape, an array given without another that it needs, an array that
            no proximity reads, and invalid values (see `checks`).
    """
    known = _arrays(table)
    given = relations.given()
    for name, values in given.items():
        if name not in known:
            raise ValueError(f"{name}: no proximity reads it; use {', '.join(known)}")
        array = known[name]
        check_shape(name, values, (*shape, None) if array.wide else shape)
        check = check_ids if array.ids else check_scores
        check(name, values, mask)
        if missing := arrays_needed_with(name, table) - given.keys():
            raise ValueError(f"{name}: {', '.join(sorted(missing))} is needed with it")


def check_proximity_weights(
    weights: Mapping[str, float | Array] | None, table: Table = TABLE
) -> None:
    """Checks the weights of proximities.

    Raises:
        ValueError: for a name that is not in the table, and a weight that is no single number,
            negative or not finite.
    """
    names = [row.name for row in table]
    for name, weight in (weights or {}).items():
        if name not in names:
            raise ValueError(f"weights: {name!r} is unknown; use {', '.join(names)}")
        check_shape(f"weights[{name!r}]", weight, ())
        check_weights(f"weights[{name!r}]", weight)
