"""The ways to compute a solution from scores and relations, and the function that chooses one.

An accelerator compares all pairs of candidates of all queries at once. A CPU uses look-ups, in
blocks of queries that fit its caches; only a single question is compared by all pairs. All ways
give the same solution.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_derivatives import SymbolicZero
from jaxtyping import Array, Float

from grapher_jax.kernels.graphs.looking_up import MOST_DENSE, Lists
from grapher_jax.kernels.graphs.operators import Operator, WeightedSum
from grapher_jax.kernels.graphs.proximities import Proximity, Table, compared, pair_graph
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.types import Mask, Scores, Solution

# The size of a block of queries, in numbers: of matrices that fit a CPU's caches, or of vectors
# only.
_MATRICES, _VECTORS = 64 * 200**2, 256 * 200
# A single question with at most this many candidates is compared by all pairs: this is hardly
# slower than look-ups, and compiles in a quarter of the time, for which the first question waits.
_FEW = 256

Rank = Callable[..., Solution]
Weights = Mapping[str, float | Array]


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Queries:
    """Candidates to rank. A way takes one batch dimension; in blocks there are two.

    Attributes:
        scores: `[*B, n]` the retriever's scores.
        mask: `[*B, n]` true for valid candidates; None if all are valid.
        relations: the metadata that joins the candidates.
        alpha: `[*B]` the weight of a candidate's own score.
        tol: `[*B]` see the ranker.
        temperature: `[*B]` for diffusion; None for its default.
        gap_part: `[*B]` for diffusion; None for its default.
        least_degree: `[*B]` for diffusion; None for its default.
    """

    scores: Scores
    mask: Mask | None
    relations: Relations
    alpha: Float[Array, "*B"]
    tol: Float[Array, "*B"]
    temperature: Float[Array, "*B"] | None = None
    gap_part: Float[Array, "*B"] | None = None
    least_degree: Float[Array, "*B"] | None = None


# Compared by identity, like the rows of its table: a cheap key of compiled programs.
@dataclass(frozen=True, eq=False)
class RankMethod:
    """A ranker and its table of proximities, fixed in the program.

    Attributes:
        rank: a fixed-point ranker, such as `gcs`.
        max_steps: see the ranker.
        solver: see the ranker.
        table: the known proximities.
    """

    rank: Rank
    max_steps: int
    solver: str | None
    table: Table

    def solve(self, adjacency: Operator | Array, queries: Queries) -> Solution:
        """The ranker's solution over this graph."""
        own = {name: getattr(queries, name) for name in ("temperature", "gap_part", "least_degree")}
        return self.rank(
            adjacency,
            queries.scores,
            mask=queries.mask,
            alpha=queries.alpha,
            tol=queries.tol,
            max_steps=self.max_steps,
            solver=self.solver,
            **{name: value for name, value in own.items() if value is not None},
        )


Arrays = tuple[Array, ...]
# A way computes a solution from scores, relations and the weights of proximities.
Way = Callable[[RankMethod, Queries, Weights], Solution]


def by_platform(method: RankMethod, queries: Queries, weights: Weights) -> Solution:
    """The best way for the platform: look-ups on a CPU, comparing all pairs on others."""
    return jax.lax.platform_dependent(
        queries,
        weights,
        cpu=partial(on_cpu, method),
        default=partial(by_pairs, method),
    )


def mapped_as_batch(way: Way, method: RankMethod, queries: Queries, weights: Weights) -> Solution:
    """The solution of a way; under `vmap`, the mapped queries become one larger batch.

    A plain `vmap` of a way would process one question at a time, and execute all branches of a
    condition that depends on a question's values. A map over weights, which a batch shares, stays a
    plain map. Derivatives are those of the way itself.
    """
    leaves, tree = jax.tree.flatten((queries, weights))
    count = len(jax.tree.leaves(queries))

    # As arrays, because `vmap` marks which of them it maps.
    def alone(*leaves: Array) -> Arrays:
        return tuple(jax.tree.leaves(way(method, *jax.tree.unflatten(tree, leaves))))

    batched = jax.custom_batching.custom_vmap(alone)

    @batched.def_vmap
    def _(size: int, mapped: list[bool], *leaves: Array) -> tuple[Arrays, tuple[bool, ...]]:
        if any(mapped[count:]):
            found = jax.vmap(alone, [0 if own else None for own in mapped])(*leaves)
        else:
            pairs = zip(leaves[:count], mapped, strict=False)
            each = [a if own else jnp.broadcast_to(a, (size, *a.shape)) for a, own in pairs]
            whole = [a.reshape(-1, *a.shape[2:]) for a in each]
            found = batched(*whole, *leaves[count:])
            found = tuple(a.reshape(size, -1, *a.shape[1:]) for a in found)
        return found, tuple(True for _ in found)

    differentiable = jax.custom_jvp(lambda *leaves: batched(*leaves))

    @partial(differentiable.defjvp, symbolic_zeros=True)
    def _(primals: Arrays, tangents: Sequence[Any]) -> tuple[Arrays, Arrays]:
        moving = [i for i, t in enumerate(tangents) if not isinstance(t, SymbolicZero)]

        def along(*moved: Array) -> Arrays:
            every = dict(enumerate(primals)) | dict(zip(moving, moved, strict=True))
            return alone(*every.values())

        return jax.jvp(along, [primals[i] for i in moving], [tangents[i] for i in moving])

    return Solution(*differentiable(*leaves))


def on_cpu(method: RankMethod, queries: Queries, weights: Weights) -> Solution:
    """The best way for a CPU: all pairs for one question with few candidates, else blocks."""
    batch, n = queries.scores.shape
    way = by_pairs if batch == 1 and n <= _FEW else in_blocks
    return way(method, queries, weights)


def by_pairs(method: RankMethod, queries: Queries, weights: Weights) -> Solution:
    """Dense graphs of all queries at once, if the candidates are not too many for a matrix."""
    shape = queries.scores.shape
    if shape[-1] > MOST_DENSE:
        return by_look_up(method, queries, weights)
    adjacency = pair_graph(
        shape, queries.relations, weights=weights, mask=queries.mask, table=method.table
    )
    return method.solve(adjacency, queries)


def in_blocks(
    method: RankMethod, queries: Queries, weights: Weights, *, size: int | None = None
) -> Solution:
    """Graphs by look-up, one block of queries after the other.

    Args:
        method: see `RankMethod`.
        queries: see `Queries`.
        weights: the weights of the proximities.
        size: how many queries a block has; see `block_size` for the default.
    """
    batch, n = queries.scores.shape
    if size is None:
        size = block_size(n, queries.relations)
    return _divided(partial(by_look_up, method, weights=weights), queries, min(batch, size))


def block_size(n: int, relations: Relations) -> int:
    """How many queries of n candidates fit a CPU's caches, as a power of two."""
    matrices = n <= MOST_DENSE and bool({"entity_ids", "embeddings"} & relations.given().keys())
    most = max(1, (_MATRICES // n if matrices else _VECTORS) // n)
    return 1 << (most.bit_length() - 1)


def _divided(way: Callable[[Queries], Solution], queries: Queries, size: int) -> Solution:
    """Solves this many queries at a time."""
    batch = len(queries.scores)
    if batch == size:
        return way(queries)

    def split(array: Array) -> Array:
        missing = [(0, -batch % size)] + [(0, 0)] * (array.ndim - 1)
        # Padded with copies of the last query, which converge as it does and are cut off.
        return jnp.pad(array, missing, mode="edge").reshape(-1, size, *array.shape[1:])

    blocks = jax.tree.map(split, queries)
    solution = jax.lax.map(way, blocks)
    return jax.tree.map(lambda a: a.reshape(-1, *a.shape[2:])[:batch], solution)


def by_look_up(method: RankMethod, queries: Queries, weights: Weights) -> Solution:
    """Sparse graphs by look-up in scratch tables, with exact fallbacks."""
    whole, listed = _look_up(method.table, queries)

    def solve(lists: Mapping[str, Operator]) -> Solution:
        graphs = {**whole, **lists}
        chosen = tuple(weights[name] for name in graphs)
        return method.solve(WeightedSum(tuple(graphs.values()), chosen), queries)

    if not listed:
        return solve({})
    most = max(len(lists.forms) for lists in listed.values())
    # A graph with fewer lists than another repeats its last, which holds every edge.
    each = (
        jnp.pad(one.fits, (0, most - len(one.forms)), constant_values=True)
        for one in listed.values()
    )
    fits = functools.reduce(jnp.logical_and, each)
    exact = [lists.exact for lists in listed.values() if lists.exact is not None]

    def solve_with(number: int) -> Solution:
        return solve({name: lists.forms[: number + 1][-1]() for name, lists in listed.items()})

    ways: list[Callable[[], Solution]] = [partial(solve_with, number) for number in range(most)]
    way = len(fits) - fits.sum()  # lists are sorted by length: what fits one fits all longer ones
    if not exact:
        return jax.lax.switch(way, ways)
    unique = functools.reduce(jnp.logical_and, exact)
    if queries.scores.shape[-1] <= MOST_DENSE:
        # One query after the other: matrices of all queries would be memory that every call
        # allocates and clears, even if it does not need them.
        ways.append(lambda: _divided(partial(by_pairs, method, weights=weights), queries, 1))
        return jax.lax.switch(jnp.where(unique.all(), way, most), ways)
    # Too many candidates to compare all pairs: for repeated identities, mark the result as not
    # exact.
    solution = jax.lax.switch(way, ways)
    return replace(solution, converged=solution.converged & unique)


def _look_up(table: Table, queries: Queries) -> tuple[dict[str, Operator], dict[str, Lists]]:
    """The graphs that are operators at once, and those that are lists of edges to be built."""
    rows = [row for row in table if row.given_by(queries.relations)]
    found = {row.name: _graph(row, queries) for row in rows}
    listed = {name: graph for name, graph in found.items() if isinstance(graph, Lists)}
    whole = {name: graph for name, graph in found.items() if not isinstance(graph, Lists)}
    return whole, listed


def _graph(row: Proximity, queries: Queries) -> Operator | Lists:
    if row.look_up is None:
        return compared(row, queries.relations, queries.mask)
    return row.look_up(queries.relations, queries.mask)
