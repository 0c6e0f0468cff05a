"""The jitted program from padded IDs and scores to the best k."""

import functools
from collections.abc import Mapping
from functools import partial
from typing import TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jaxtyping import Array, Float, Int, PyTree
from numpy import ndarray

from grapher_jax.kernels.checks import (
    as_number,
    as_scores,
    check_alpha,
    check_count,
    check_diffusion,
    check_mask,
    check_own,
    check_scores,
    check_weights,
    without_integers,
)
from grapher_jax.kernels.fixed_point.graph_cohesive_smoothing import GCS_ALPHA, gcs
from grapher_jax.kernels.fixed_point.graph_diffusion import DIFFUSION_ALPHA, diffusion
from grapher_jax.kernels.fixed_point.pagerank import PPR_ALPHA, ppr
from grapher_jax.kernels.fixed_point.solver import check_solver
from grapher_jax.kernels.graphs.proximities import (
    TABLE,
    Table,
    check_proximity_weights,
    check_relations,
    wide_arrays,
)
from grapher_jax.kernels.graphs.relations import Metadata, Relations
from grapher_jax.kernels.program.cores import in_parts
from grapher_jax.kernels.program.devices import check_mesh, spread_queries
from grapher_jax.kernels.program.ways import (
    Queries,
    Rank,
    RankMethod,
    Way,
    Weights,
    block_size,
    by_platform,
    mapped_as_batch,
)
from grapher_jax.kernels.ranking.selection import top_k
from grapher_jax.kernels.types import Ids, Mask, PerQuery, Scores, Slots, Solution, TopK

RANKERS: Mapping[str, Rank] = {"gcs": gcs, "ppr": ppr, "diffusion": diffusion}
DEFAULT_ALPHA = {"gcs": GCS_ALPHA, "ppr": PPR_ALPHA, "diffusion": DIFFUSION_ALPHA}
BASE = "base"
Number: TypeAlias = PerQuery | np.generic | None
# The numbers that each question may have for itself, in the order of a program's arguments.
_NUMBERS = ("temperature", "gap_part", "least_degree", "alpha", "tol")


def rerank(
    scores: Scores,
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
    ranker: str = "gcs",
    temperature: PerQuery | None = None,
    gap_part: PerQuery | None = None,
    least_degree: PerQuery | None = None,
    alpha: PerQuery | None = None,
    tol: PerQuery = 1e-6,
    max_steps: int = 1000,
    solver: str | None = None,
    k: int = 10,
    mesh: Mesh | None = None,
    donate: bool = False,
) -> TopK:
    """Builds the candidate graphs, ranks, and takes the best k: one jitted program.

    Args:
        scores: `[*B, n]` the retriever's scores.
        entity_ids: `[*B, n, e]`, see `shared_entity_adjacency`.
        entity_counts: `[*B, n]`, see `shared_entity_adjacency`.
        object_ids: `[*B, n]`, -1 for none; all references need them; see `foreign_key_adjacency`.
        foreign_keys: `[*B, n, r]`, see `foreign_key_adjacency`.
        inferred_keys: `[*B, n, r]`, inferred (undeclared) keys, in the same form.
        links: `[*B, n, r]`, see `link_adjacency`.
        document_ids: `[*B, n]`, see `chunk_adjacency`.
        chunk_ids: `[*B, n]`, see `chunk_adjacency`.
        embeddings: `[*B, n, d]`, see `semantic_adjacency`; the 5 nearest above 0.6.
        weights: by the name of a proximity (`PROXIMITIES`); 1 for all whose arrays are given.
        mask: `[*B, n]` true for valid candidates; all by default.
        ranker: `gcs`, `ppr`, `diffusion`, or `base` for the retriever's own order.
        temperature: for `diffusion` only, in units of the scores; see there for the default.
        gap_part: for `diffusion` only, of its default temperature; see there.
        least_degree: for `diffusion` only; see there.
        alpha: one or `[*B]`, in (0, 1]: the weight of the own score; the ranker's own by default.
        tol: one or `[*B]`, see the ranker.
        max_steps: see the ranker.
        solver: see the ranker.
        k: how many results.
        mesh: devices that share the queries, see `query_mesh`; else a CPU's cores share large ones.
        donate: reuse the memory of `scores` for the results; `scores` cannot be used afterwards.

    Returns:
        Indices into the candidates and scores `[*B, k]`, with the ranker's solution.

    Raises:
        TypeError, ValueError: for types, names, shapes and values that do not fit, see `checks`.
    """
    return rerank_relations(
        scores,
        Relations(
            entity_ids=entity_ids,
            entity_counts=entity_counts,
            object_ids=object_ids,
            foreign_keys=foreign_keys,
            inferred_keys=inferred_keys,
            links=links,
            document_ids=document_ids,
            chunk_ids=chunk_ids,
            embeddings=embeddings,
        ),
        weights=weights,
        mask=mask,
        ranker=ranker,
        temperature=temperature,
        gap_part=gap_part,
        least_degree=least_degree,
        alpha=alpha,
        tol=tol,
        max_steps=max_steps,
        solver=solver,
        k=k,
        mesh=mesh,
        donate=donate,
    )


def rerank_relations(
    scores: Scores,
    relations: Relations,
    *,
    weights: Weights | None = None,
    mask: Mask | None = None,
    ranker: str = "gcs",
    temperature: PerQuery | None = None,
    gap_part: PerQuery | None = None,
    least_degree: PerQuery | None = None,
    alpha: PerQuery | None = None,
    tol: PerQuery = 1e-6,
    max_steps: int = 1000,
    solver: str | None = None,
    k: int = 10,
    mesh: Mesh | None = None,
    donate: bool = False,
    table: Table = TABLE,
    way: Way = by_platform,
) -> TopK:
    """`rerank` from relations, with any table of proximities and any way to solve them.

    Args:
        scores: as in `rerank`, like all arguments that are not explained here.
        relations: the metadata that joins the candidates.
        weights: the weight of each proximity in the table by name, 1 by default.
        mask: `[*B, n]`.
        ranker: see `RANKERS`.
        temperature: for `diffusion`; scalar or `[*B]`, as all numbers to `tol` are.
        gap_part: for `diffusion`.
        least_degree: for `diffusion`.
        alpha: see the ranker.
        tol: see the ranker.
        max_steps: see the ranker.
        solver: see the ranker.
        k: how many results.
        mesh: devices.
        donate: whether the memory of `scores` may be reused.
        table: the proximities; fixed in the program, as is `way`.
        way: how the solution is computed, see `ways`; by default the best for the platform.

    Returns:
        As `rerank`.

    Raises:
        TypeError: as `rerank`.
        ValueError: as `rerank`, and for an array that no row of the table reads.
    """
    if ranker != BASE and ranker not in RANKERS:
        raise ValueError(f"ranker: {ranker!r} is unknown; use one of {', '.join([BASE, *RANKERS])}")
    check_count("k", k)
    check_solver(solver)
    # JAX would treat lists as pytrees of numbers.
    relations = relations.map(lambda _, array: _as_array(array))
    mask = None if mask is None else _as_array(mask)
    check_diffusion(ranker, temperature, gap_part, least_degree)
    check_alpha(alpha)
    check_weights("tol", tol)
    check_mask(mask, shape := np.shape(scores))
    check_scores("scores", scores, mask)
    check_relations(relations, shape, mask, table)
    check_proximity_weights(weights, table)
    check_mesh(mesh, scores)
    method = None if ranker == BASE else _method(RANKERS[ranker], max_steps, solver, table)
    # Defaults are passed as arguments too, and numbers with one type, so that leaving one out or
    # giving it, also as an integer or as NumPy's, uses the same program.
    alpha = DEFAULT_ALPHA.get(ranker) if alpha is None else alpha
    scores = without_integers("scores", scores)
    own = zip(_NUMBERS, (temperature, gap_part, least_degree, alpha, tol), strict=True)
    numbers = tuple(_checked_own(name, value, scores) for name, value in own)
    shared = {row.name: as_number((weights or {}).get(row.name, 1.0), scores) for row in table}
    given = (scores, relations, mask, numbers, shared)
    program = _rerank_donating if donate and method else _rerank  # `base` returns its scores

    def run(given: tuple[PyTree, ...]) -> TopK:
        return program(*given, method=method, way=way, k=int(k), mesh=mesh)

    if len(shape) != 2 or min(shape) < 2 or way is not by_platform or mesh is not None or donate:
        return run(given)
    return in_parts(run, given, shape[0], block_size(shape[1], _without_empty(relations, table)))


# One object for equal settings, so that no program is compiled twice.
_method = functools.cache(RankMethod)


def _program(
    scores: Scores,
    relations: Relations,
    mask: Mask | None,
    numbers: tuple[PerQuery | None, ...],
    weights: Weights,
    *,
    method: RankMethod | None,
    way: Way,
    k: int,
    mesh: Mesh | None,
) -> TopK:
    each = zip(_NUMBERS, numbers, strict=True)
    own = {name: _for_each(value, scores) for name, value in each if value is not None}
    if mesh is not None:
        alone = partial(_program, method=method, way=way, k=k, mesh=None)
        by_query = (scores, relations, mask, tuple(map(own.get, _NUMBERS)))
        return spread_queries(alone, mesh)(by_query, (weights,))
    if method is None:
        return top_k(scores, k, mask=mask)
    batch = jnp.shape(scores)[:-1]
    if not jnp.size(scores):
        values = as_scores("scores", scores)
        nothing = jnp.zeros(batch, values.dtype)
        done = Solution(values, nothing.astype(jnp.int32), nothing, nothing == 0, nothing)
        return top_k(scores, k, mask=mask, solution=done)

    def flatten(array: Array) -> Array:
        return jnp.reshape(array, (-1, *jnp.shape(array)[len(batch) :]))

    queries = Queries(scores, mask, _without_empty(relations, method.table), **own)
    solution = mapped_as_batch(way, method, jax.tree.map(flatten, queries), weights)
    solution = jax.tree.map(lambda a: jnp.reshape(a, (*batch, *a.shape[1:])), solution)
    return top_k(solution.scores, k, mask=mask, solution=solution)


_STATIC = ("method", "way", "k", "mesh")
_rerank = jax.jit(_program, static_argnames=_STATIC)
_rerank_donating = jax.jit(_program, static_argnames=_STATIC, donate_argnames="scores")


def _without_empty(relations: Relations, table: Table) -> Relations:
    """The relations whose arrays have slots."""
    wide = wide_arrays(table)

    def drop_empty(name: str, array: Metadata) -> Metadata | None:
        return None if name in wide and array.shape[-1] == 0 else array

    return relations.map(drop_empty)


def _as_array(given: Array | ndarray) -> Array | ndarray:
    return given if hasattr(given, "shape") else np.asarray(given)


def _checked_own(name: str, value: Number, scores: Array | ndarray) -> Number:
    """One number for all queries, or an array of one for each.

    Checked here, because parts of a batch would also take an array that fits a part alone.
    """
    if value is None:
        return None
    check_own(name, value, scores.shape[:-1])
    return as_number(value, scores)


def _for_each(value: PerQuery, scores: Scores) -> Float[Array, "*B"]:
    dtype = jnp.promote_types(scores.dtype, jnp.float32)
    return jnp.broadcast_to(jnp.asarray(value, dtype), scores.shape[:-1])
