"""The graph of each proximity by table look-up, instead of comparing all pairs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jaxtyping import Array, Bool

from grapher_jax.kernels.graphs.adjacency import semantic_neighbors
from grapher_jax.kernels.graphs.entities import list_shared, shared_counts
from grapher_jax.kernels.graphs.operators import (
    Dense,
    Operator,
    SharedEntities,
    SharedList,
    reciprocal_counts,
)
from grapher_jax.kernels.graphs.references import References, find_references, find_successors
from grapher_jax.kernels.graphs.relations import Relations, without_masked
from grapher_jax.kernels.types import Mask

# Query-aware GNN retrieval, section 3: the five nearest above 0.6.
SEMANTIC_NEIGHBORS, SEMANTIC_THRESHOLD = 5, 0.6
# With more candidates than this, no n × n matrix is formed, but for embeddings and weighted edges.
MOST_DENSE = 1024
# How many used slots, and shared entities, a candidate may have on average for one list of shared
# entities: with more, a matrix is faster, where one may be formed.
_LISTED, _LISTED_OF_MANY = (4, 1), (16, 8)


@dataclass(frozen=True)
class Lists:
    """A graph as lists of edges, which are built only where needed.

    Attributes:
        forms: functions that build the lists, from the shortest to one that holds every edge.
        fits: `[forms - 1]` for each list but the last, whether it holds every edge.
        exact: `[B]` true where no two candidates have the same identity; elsewhere edges are
            missing. None if that does not matter.
    """

    forms: Sequence[Callable[[], Operator]]
    fits: Bool[Array, " _"]
    exact: Bool[Array, " B"] | None = None


def _listed(found: References) -> Lists:
    lists, fits = found.short_lists()
    return Lists([*lists, found.edges], fits, found.unique)


def look_up_references(name: str, relations: Relations, mask: Mask | None) -> Lists:
    """The graph of the references in the array with this name."""
    identities, targets = (without_masked(relations[one], mask) for one in ("object_ids", name))
    return _listed(find_references(identities, targets))


def look_up_sequences(whole: str, place: str, relations: Relations, mask: Mask | None) -> Lists:
    """The graph of consecutive items, from the arrays with these names."""
    places = (without_masked(relations[one], mask) for one in (whole, place))
    return _listed(find_successors(*places))


def look_up_shared(name: str, count: str, relations: Relations, mask: Mask | None) -> Lists:
    """The graph of shared values, from the arrays with these names."""
    ids, counts = without_masked(relations[name], mask), relations.given().get(count)
    scale = reciprocal_counts(ids, counts)
    dense = ids.shape[1] <= MOST_DENSE
    entities, owners, fit = list_shared(ids, *(_LISTED if dense else _LISTED_OF_MANY))

    def of_every() -> Operator:
        if dense:
            return Dense(shared_counts(ids), scale, symmetric=True)
        return SharedEntities.build(ids, counts)

    return Lists([lambda: SharedList(entities, owners, scale), of_every], fit[None])


def look_up_semantic(relations: Relations, mask: Mask | None) -> Operator:
    """The graph of the nearest embeddings."""
    vectors = relations["embeddings"]
    return semantic_neighbors(vectors, SEMANTIC_NEIGHBORS, SEMANTIC_THRESHOLD, mask=mask)
