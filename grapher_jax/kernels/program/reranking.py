"""One program from padded IDs and scores to the best k."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.sharding import Mesh
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax.kernels.checks import (
    as_scores,
    check_alpha,
    check_ids,
    check_mask,
    check_scores,
    check_shape,
    check_weights,
    without_integers,
)
from grapher_jax.kernels.fixed_point.pagerank import PPR_ALPHA, ppr
from grapher_jax.kernels.fixed_point.smoothing import GCS_ALPHA, gcs
from grapher_jax.kernels.graphs.adjacency import (
    chunk_adjacency,
    combine,
    foreign_key_adjacency,
    link_adjacency,
    semantic_adjacency,
    semantic_neighbors,
    shared_entity_adjacency,
)
from grapher_jax.kernels.graphs.entities import EMPTY, shared_counts, unique_counts
from grapher_jax.kernels.graphs.operators import Dense, Operator, SharedEntities, WeightedSum
from grapher_jax.kernels.graphs.references import find_references, find_successors
from grapher_jax.kernels.program.devices import spread_queries
from grapher_jax.kernels.ranking.selection import top_k
from grapher_jax.kernels.types import Ids, Mask, Scores, Slots, Solution, TopK

Rank = Callable[..., Solution]
FIXED_POINT_RANKERS: dict[str, Callable[..., Solution]] = {"gcs": gcs, "ppr": ppr}
DEFAULT_ALPHA = {"gcs": GCS_ALPHA, "ppr": PPR_ALPHA}
BASE = "base"
PROXIMITIES = ("foreign_key", "link", "shared_entity", "chunk", "semantic")
# Query-aware GNN retrieval, section 3: the five nearest above 0.6.
SEMANTIC_NEIGHBORS, SEMANTIC_THRESHOLD = 5, 0.6
# Arrays with slots or dimensions for every candidate.
_WIDE = ("entity_ids", "foreign_keys", "links", "embeddings")
# What is of no use without another array.
_NEEDS = {
    "foreign_keys": "object_ids",
    "links": "object_ids",
    "entity_counts": "entity_ids",
    "document_ids": "chunk_ids",
    "chunk_ids": "document_ids",
}
# What a block of queries holds, in numbers: matrices that a CPU's caches keep, or vectors alone.
_MATRICES, _VECTORS = 64 * 200**2, 256 * 200
# Candidates above which no n × n matrix is formed.
_DENSE = 1024
# Candidates of a single question up to which all pairs are compared: that takes hardly longer than
# looking up, and references compile in a quarter of the time, for which a first question waits.
_FEW = 256


def build_adjacency(
    shape: tuple[int, ...],
    *,
    entity_ids: Slots | None = None,
    entity_counts: Int[Array | ndarray, "*B n"] | None = None,
    object_ids: Ids | None = None,
    foreign_keys: Slots | None = None,
    links: Slots | None = None,
    document_ids: Ids | None = None,
    chunk_ids: Ids | None = None,
    embeddings: Float[Array | ndarray, "*B n d"] | None = None,
    weights: Mapping[str, float | Array] | None = None,
    mask: Mask | None = None,
) -> Float[Array, "*B n n"]:
    """The weighted sum of every proximity whose arrays are given; see `rerank` for the arguments.

    `shape` is `(*B, n)`, for the empty graph of candidates without any metadata.
    """
    relations: dict[str, Float[Array, "*B n n"]] = {}
    if foreign_keys is not None and object_ids is not None:
        relations["foreign_key"] = foreign_key_adjacency(object_ids, foreign_keys, mask=mask)
    if links is not None and object_ids is not None:
        relations["link"] = link_adjacency(object_ids, links, mask=mask)
    if entity_ids is not None:
        relations["shared_entity"] = shared_entity_adjacency(entity_ids, entity_counts, mask=mask)
    if document_ids is not None and chunk_ids is not None:
        relations["chunk"] = chunk_adjacency(document_ids, chunk_ids, mask=mask)
    if embeddings is not None:
        relations["semantic"] = semantic_adjacency(
            embeddings, SEMANTIC_NEIGHBORS, SEMANTIC_THRESHOLD, mask=mask
        )
    if not relations:
        return jnp.zeros((*shape, shape[-1]), jnp.float32)
    chosen = weights or {}
    return combine(list(relations.values()), [chosen.get(name, 1.0) for name in relations])


def rerank(
    scores: Scores,
    *,
    entity_ids: Slots | None = None,
    entity_counts: Int[Array | ndarray, "*B n"] | None = None,
    object_ids: Ids | None = None,
    foreign_keys: Slots | None = None,
    links: Slots | None = None,
    document_ids: Ids | None = None,
    chunk_ids: Ids | None = None,
    embeddings: Float[Array | ndarray, "*B n d"] | None = None,
    weights: Mapping[str, float | Array] | None = None,
    mask: Mask | None = None,
    ranker: str = "gcs",
    alpha: float | Array | None = None,
    tol: float | Array = 1e-6,
    max_steps: int = 1000,
    k: int = 10,
    mesh: Mesh | None = None,
    donate: bool = False,
) -> TopK:
    """Build the candidate graphs, rank, and take the best k: one jitted program.

    A proximity joins the graph where its arrays are given: `foreign_keys` or `links` with
    `object_ids`, `entity_ids`, `document_ids` with `chunk_ids`, `embeddings`. An ID of -1 means
    none. On a CPU graphs are looked up and worked through in blocks that the caches hold, but for
    those of a single question; on an accelerator all pairs of all queries are compared at once.

    Args:
        scores: `[*B, n]` the retriever's scores.
        entity_ids: `[*B, n, e]`, see `shared_entity_adjacency`.
        entity_counts: `[*B, n]`, see `shared_entity_adjacency`.
        object_ids: `[*B, n]`, see `foreign_key_adjacency`.
        foreign_keys: `[*B, n, r]`, see `foreign_key_adjacency`.
        links: `[*B, n, r]`, see `link_adjacency`.
        document_ids: `[*B, n]`, see `chunk_adjacency`.
        chunk_ids: `[*B, n]`, see `chunk_adjacency`.
        embeddings: `[*B, n, d]`, see `semantic_adjacency`; the 5 nearest above 0.6.
        weights: the weight of each proximity by name (`PROXIMITIES`), 1 by default.
        mask: `[*B, n]` true for real candidates; all by default.
        ranker: `gcs`, `ppr`, or `base` for the retriever's own order.
        alpha: the weight kept on a candidate's own score, in (0, 1]; the ranker's own by default.
        tol: see the ranker.
        max_steps: see the ranker.
        k: how many results.
        mesh: devices to spread the queries over, one axis; see `query_mesh`. The first dimension of
            every array is then the queries.
        donate: let the results take the memory of `scores`, which is gone afterwards.

    Returns:
        Indices into the candidates and scores `[*B, k]`, with the ranker's solution.

    Raises:
        TypeError: for IDs that are no integers, scores that are no numbers or a mask of no truth
            values.
        ValueError: for an unknown ranker or weight, shapes that do not fit, or an array that lacks
            the one it goes with; where values are at hand (see `checks`) and not masked, also for
            IDs below -1, scores and embeddings that are not finite, weights that are negative or
            not finite and an alpha outside (0, 1].
    """
    metadata = {
        "entity_ids": entity_ids,
        "entity_counts": entity_counts,
        "object_ids": object_ids,
        "foreign_keys": foreign_keys,
        "links": links,
        "document_ids": document_ids,
        "chunk_ids": chunk_ids,
        "embeddings": embeddings,
    }
    _check(scores, metadata, weights, mask, ranker, alpha, k)
    # Defaults become arguments too: leaving one out or giving it compiles the same program.
    program = _rerank_donating if donate else _rerank
    return program(
        without_integers("scores", scores),
        metadata,
        mask,
        DEFAULT_ALPHA.get(ranker) if alpha is None else alpha,
        tol,
        {name: (weights or {}).get(name, 1.0) for name in PROXIMITIES},
        ranker=ranker,
        max_steps=max_steps,
        k=k,
        mesh=mesh,
    )


def _program(
    scores: Scores,
    metadata: dict[str, Any],
    mask: Mask | None,
    alpha: float | Array | None,
    tol: float | Array,
    weights: dict[str, float | Array],
    *,
    ranker: str,
    max_steps: int,
    k: int,
    mesh: Mesh | None,
) -> TopK:
    if mesh is not None:
        if alpha is not None:
            alpha = _for_each(alpha, scores)
        alone = partial(_program, ranker=ranker, max_steps=max_steps, k=k, mesh=None)
        by_query = (scores, metadata, mask, alpha, _for_each(tol, scores))
        return spread_queries(alone, mesh)(by_query, (weights,))
    if ranker == BASE:
        return top_k(scores, k, mask=mask)
    batch = jnp.shape(scores)[:-1]
    if not jnp.size(scores):
        nothing = jnp.zeros(batch, jnp.float32)
        done = Solution(as_scores("scores", scores), nothing.astype(int), nothing, nothing == 0)
        return top_k(scores, k, mask=mask, solution=done)

    def flatten(array: Array) -> Array:
        return jnp.reshape(array, (-1, *jnp.shape(array)[len(batch) :]))

    given = {
        name: array
        for name, array in metadata.items()
        if array is not None and not (name in _WIDE and array.shape[-1] == 0)
    }
    queries = jax.tree.map(flatten, {"scores": scores, "mask": mask, "metadata": given})
    queries |= {
        name: flatten(_for_each(value, scores)) for name, value in (("alpha", alpha), ("tol", tol))
    }
    rank = partial(FIXED_POINT_RANKERS[ranker], max_steps=max_steps)
    solution = jax.lax.platform_dependent(
        queries,
        weights,
        cpu=partial(_rank_in_blocks, rank),
        default=partial(_rank_all_pairs, rank),
    )
    solution = jax.tree.map(lambda a: jnp.reshape(a, (*batch, *a.shape[1:])), solution)
    return top_k(solution.scores, k, mask=mask, solution=solution)


def _check(
    scores: Any,
    metadata: Mapping[str, Any],
    weights: Mapping[str, Any] | None,
    mask: Any,
    ranker: str,
    alpha: Any,
    k: int,
) -> None:
    if ranker != BASE and ranker not in FIXED_POINT_RANKERS:
        known = ", ".join([BASE, *FIXED_POINT_RANKERS])
        raise ValueError(f"ranker: {ranker!r} is unknown; use one of {known}")
    if k < 1:
        raise ValueError(f"k: {k} must be at least 1")
    check_alpha(alpha)
    shape = jnp.shape(scores)
    check_mask(mask, shape)
    check_scores("scores", scores, mask)
    for name, array in metadata.items():
        if array is None:
            continue
        check_shape(name, array, (*shape, None) if name in _WIDE else shape)
        check = check_scores if name == "embeddings" else check_ids
        check(name, array, mask)
        needed = _NEEDS.get(name)
        if needed and metadata[needed] is None:
            raise ValueError(f"{name}: {needed} is needed with it")
    for name, weight in (weights or {}).items():
        if name not in PROXIMITIES:
            raise ValueError(f"weights: {name!r} is unknown; use {', '.join(PROXIMITIES)}")
        check_weights(f"weights[{name!r}]", weight)


_STATIC = ("ranker", "max_steps", "k", "mesh")
_rerank = jax.jit(_program, static_argnames=_STATIC)
_rerank_donating = jax.jit(_program, static_argnames=_STATIC, donate_argnames="scores")


def _for_each(alpha: Any, scores: Scores) -> Float[Array, "*B"]:
    dtype = jnp.promote_types(scores.dtype, jnp.float32)
    return jnp.broadcast_to(jnp.asarray(alpha, dtype), scores.shape[:-1])


def _rank_all_pairs(rank: Rank, queries: Any, weights: Any) -> Solution:
    """Dense graphs of all queries at once: what an accelerator does best."""
    scores, mask = queries["scores"], queries["mask"]
    if scores.shape[-1] > _DENSE:
        return _rank_by_lookup(rank, queries, weights)
    adjacency = build_adjacency(scores.shape, **queries["metadata"], weights=weights, mask=mask)
    return rank(adjacency, scores, mask=mask, alpha=queries["alpha"], tol=queries["tol"])


def _rank_in_blocks(rank: Rank, queries: Any, weights: Any) -> Solution:
    """Blocks of queries whose graphs stay in a CPU's caches."""
    batch, n = queries["scores"].shape
    if batch == 1 and n <= _FEW:
        return _rank_all_pairs(rank, queries, weights)
    dense = n <= _DENSE and bool({"entity_ids", "embeddings"} & queries["metadata"].keys())
    size = min(batch, max(1, (_MATRICES // n if dense else _VECTORS) // n))

    def split(array: Array) -> Array:
        missing = [(0, -batch % size)] + [(0, 0)] * (array.ndim - 1)
        # The last query again: one that converges as it does, and is cut off.
        return jnp.pad(array, missing, mode="edge").reshape(-1, size, *array.shape[1:])

    blocks = jax.tree.map(split, queries)
    solution = jax.lax.map(lambda block: _rank_by_lookup(rank, block, weights), blocks)
    return jax.tree.map(lambda a: a.reshape(-1, *a.shape[2:])[:batch], solution)


def _rank_by_lookup(rank: Rank, queries: Any, weights: Any) -> Solution:
    """Sparse graphs from scratch tables, with fallbacks where those would not be exact."""
    scores, mask = queries["scores"], queries["mask"]
    dense, sparse, unique = _look_up(queries)

    def solve(lists: Mapping[str, Operator]) -> Solution:
        relations = {**dense, **lists}
        chosen = tuple(weights[name] for name in relations)
        adjacency = WeightedSum(tuple(relations.values()), chosen)
        return rank(adjacency, scores, mask=mask, alpha=queries["alpha"], tol=queries["tol"])

    if not sparse:
        return solve({})
    fits = functools.reduce(jnp.logical_and, (relation.fits for relation in sparse.values()))

    def solve_with(number: int) -> Solution:
        return solve({name: relation.lists[number]() for name, relation in sparse.items()})

    ways: list[Callable[[], Solution]] = [
        partial(solve_with, number) for number in range(len(fits) + 1)
    ]
    way = len(fits) - fits.sum()  # what a list holds, a longer one holds too
    if scores.shape[-1] <= _DENSE:
        ways.append(lambda: _rank_all_pairs(rank, queries, weights))
        return jax.lax.switch(jnp.where(unique.all(), way, len(fits) + 1), ways)
    # Too many candidates to compare all pairs: where identities repeat, say so.
    solution = jax.lax.switch(way, ways)
    return replace(solution, converged=solution.converged & unique)


class _Sparse(NamedTuple):
    """How to make lists of a relation, the last for all of it, and whether the others hold it."""

    lists: Sequence[Callable[[], Operator]]
    fits: Bool[Array, " lists"]


def _look_up(
    queries: Any,
) -> tuple[dict[str, Operator], dict[str, _Sparse], Bool[Array, " B"]]:
    """Relations as matrices, others as lists, and where no two candidates share an identity."""
    mask, (batch, n) = queries["mask"], queries["scores"].shape

    def real(name: str) -> Array | None:
        array = queries["metadata"].get(name)
        if array is None:
            return None
        array = jnp.maximum(array, EMPTY)
        if mask is None:
            return array
        return jnp.where(mask if array.ndim == mask.ndim else mask[..., None], array, EMPTY)

    references = {}
    for name, key in (("foreign_key", "foreign_keys"), ("link", "links")):
        targets, identities = real(key), real("object_ids")
        if targets is not None and identities is not None:
            references[name] = find_references(identities, targets)
    documents, chunks = real("document_ids"), real("chunk_ids")
    if documents is not None and chunks is not None:
        references["chunk"] = find_successors(documents, chunks)
    sparse = {}
    for name, found in references.items():
        lists, fits = found.short_lists()
        sparse[name] = _Sparse([*lists, found.edges], fits)
    unique = jnp.ones(batch, bool)
    for found in references.values():
        unique &= found.unique

    dense: dict[str, Operator] = {}
    ids, counts = real("entity_ids"), queries["metadata"].get("entity_counts")
    if ids is not None and n > _DENSE:
        few, fits, every = SharedEntities.lists(ids, counts)
        sparse["shared_entity"] = _Sparse([lambda: few, lambda: few, every], jnp.stack([fits] * 2))
    elif ids is not None:
        counts = unique_counts(ids) if counts is None else counts
        scale = 1.0 / jnp.maximum(jnp.asarray(counts, jnp.float32), 1.0)
        dense["shared_entity"] = Dense(shared_counts(ids), scale)
    if "embeddings" in queries["metadata"]:
        dense["semantic"] = semantic_neighbors(
            queries["metadata"]["embeddings"], SEMANTIC_NEIGHBORS, SEMANTIC_THRESHOLD, mask=mask
        )
    return dense, sparse, unique
