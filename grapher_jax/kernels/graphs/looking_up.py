"""The graph of each proximity, looked up from the arrays instead of comparing all pairs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import jax.numpy as jnp
from jaxtyping import Array, Bool

from grapher_jax.kernels.graphs.adjacency import semantic_neighbors
from grapher_jax.kernels.graphs.entities import shared_counts, unique_counts
from grapher_jax.kernels.graphs.operators import Dense, Operator, SharedEntities
from grapher_jax.kernels.graphs.references import References, find_references, find_successors
from grapher_jax.kernels.graphs.relations import Relations, without_masked
from grapher_jax.kernels.types import Mask

# Query-aware GNN retrieval, section 3: the five nearest above 0.6.
SEMANTIC_NEIGHBORS, SEMANTIC_THRESHOLD = 5, 0.6
# Candidates above which no n × n matrix is formed.
MOST_DENSE = 1024


@dataclass(frozen=True)
class Lists:
    """A relation as lists of edges, made where they are needed.

    Attributes:
        forms: how to make the lists, from the shortest to one that holds every edge.
        fits: `[forms - 1]` whether each but the last holds every edge.
        exact: `[B]` where no two candidates share an identity: elsewhere the lists lack edges.
    """

    forms: Sequence[Callable[[], Operator]]
    fits: Bool[Array, " _"]
    exact: Bool[Array, " B"]


def _listed(found: References) -> Lists:
    lists, fits = found.short_lists()
    return Lists([*lists, found.edges], fits, found.unique)


def look_up_references(name: str, relations: Relations, mask: Mask | None) -> Lists:
    """The graph of references, of the array of this name."""
    identities, targets = (without_masked(relations[one], mask) for one in ("object_ids", name))
    return _listed(find_references(identities, targets))


def look_up_sequences(whole: str, place: str, relations: Relations, mask: Mask | None) -> Lists:
    """The graph of what follows what, of the arrays of these names."""
    places = (without_masked(relations[one], mask) for one in (whole, place))
    return _listed(find_successors(*places))


def look_up_shared(
    name: str, count: str, relations: Relations, mask: Mask | None
) -> Operator | Lists:
    """The graph of what candidates share, of the arrays of these names."""
    ids, given = without_masked(relations[name], mask), relations.given().get(count)
    counts = None if given is None else jnp.asarray(given)
    batch, n, _ = ids.shape
    if n > MOST_DENSE:
        few, fits, every = SharedEntities.lists(ids, counts)
        return Lists(
            [lambda: few, lambda: few, every], jnp.stack([fits] * 2), jnp.ones(batch, bool)
        )
    counts = unique_counts(ids) if counts is None else counts
    scale = 1.0 / jnp.maximum(counts.astype(jnp.float32), 1.0)
    return Dense(shared_counts(ids), scale, symmetric=True)


def look_up_semantic(relations: Relations, mask: Mask | None) -> Operator:
    """The graph of the nearest embeddings."""
    vectors = relations["embeddings"]
    return semantic_neighbors(vectors, SEMANTIC_NEIGHBORS, SEMANTIC_THRESHOLD, mask=mask)
