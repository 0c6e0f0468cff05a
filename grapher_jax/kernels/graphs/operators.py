"""Adjacencies as operators, which are multiplied with or without forming a matrix.

Every ranker accepts an operator or a plain array `[*B, n, n]`. An operator has two products: with
its weights, `y[i] = Σ_j A[i, j] p[j]`, and with their transpose. Those of this module also add up
(`A + B`), scale (`2.0 * A`), transpose (`A.T`) and become a matrix (`A.as_matrix(shape)`).
"""

import abc
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Shaped
from numpy import ndarray

from grapher_jax.kernels.checks import (
    as_ids,
    as_scores,
    check_fit,
    check_ids,
    check_mask,
    check_own,
    check_places,
    check_shape,
    check_weights,
    where_used,
)
from grapher_jax.kernels.graphs.entities import drop_repeats, unique_counts
from grapher_jax.kernels.lookup.hashing import representatives
from grapher_jax.kernels.types import EMPTY, Mask, PerQuery, Slots, pytree

Vector = Float[Array, "*B n"]
# Integers are declared `Shaped`, because their tangents have JAX's empty dtype float0.


@runtime_checkable
class Operator(Protocol):
    """A weighted graph over the candidates of each query; one of your own must be a pytree."""

    def multiply(self, p: Vector) -> Vector:
        """`[*B, n]`: the sum of the messages that every candidate receives."""

    def multiply_transposed(self, p: Vector) -> Vector:
        """`[*B, n]`: the same product along reversed edges."""


class Algebra(abc.ABC):
    """Sums, multiples and matrices of an operator, derived from its two products."""

    # Makes NumPy leave `array + operator` and `number * operator` to the operator.
    __array_ufunc__ = None

    @abc.abstractmethod
    def multiply(self, p: Vector) -> Vector:
        """`A p`."""

    @abc.abstractmethod
    def multiply_transposed(self, p: Vector) -> Vector:
        """`Aᵀ p`."""

    @property
    def T(self) -> "Algebra":  # noqa: N802
        """The graph with every edge reversed."""
        return Transposed(self)

    def as_matrix(self, shape: tuple[int, ...]) -> Float[Array, "*B n n"]:
        """The weights as an array: column j is the product with the j-th unit vector.

        Args:
            shape: `(*B, n)`, the shape of a vector, which a list of edges does not know.
        """
        *batch, n = shape
        units = jnp.broadcast_to(jnp.eye(n).reshape(n, *[1] * len(batch), n), (n, *shape))
        return jnp.moveaxis(jax.vmap(self.multiply)(units), 0, -1)

    def __add__(self, other: "Operator | Float[Array | ndarray, '*B n n']") -> "WeightedSum":
        """The sum of two graphs over the same candidates."""
        left, right = self._terms(), _terms(other)
        return WeightedSum(left.operators + right.operators, left.weights + right.weights)

    def __radd__(self, other: "Operator | Float[Array | ndarray, '*B n n'] | int") -> "WeightedSum":
        """The sum of an array and an operator; or of 0, with which `sum` begins."""
        if isinstance(other, int):
            other = np.asarray(other)
        if isinstance(other, ndarray) and not other.ndim and other == 0:
            return self._terms()
        return _terms(other) + self

    def __mul__(self, weight: PerQuery) -> "WeightedSum":
        """The graph with all weights multiplied by a number; scalar or `[*B]`."""
        terms = self._terms()
        return WeightedSum(terms.operators, tuple(weight * own for own in terms.weights))

    __rmul__ = __mul__

    def __truediv__(self, number: PerQuery) -> "WeightedSum":
        """The graph with all weights divided by a number; scalar or `[*B]`."""
        return self * (1 / number)

    def _terms(self) -> "WeightedSum":
        return WeightedSum((self,), (1.0,))


@pytree
@dataclass(frozen=True)
class Transposed(Algebra):
    """A graph with every edge reversed.

    Attributes:
        operator: the graph.
    """

    operator: Operator

    def multiply(self, p: Vector) -> Vector:
        """`Aᵀ p`."""
        return self.operator.multiply_transposed(p)

    def multiply_transposed(self, p: Vector) -> Vector:
        """`A p`."""
        return self.operator.multiply(p)


def _like(weights: float | Array | ndarray, p: Vector) -> Array:
    """Weights in the precision of a vector, whose type a loop over products cannot change."""
    return jnp.asarray(weights, p.dtype if jnp.issubdtype(p.dtype, jnp.inexact) else None)


@pytree
@dataclass(frozen=True)
class Dense(Algebra):
    """The adjacency as a matrix.

    Attributes:
        weights: `[*B, n, n]`.
        column_scale: `[*B, n]` a factor for every column, 1 by default. Products apply it to the
            vector, which is cheaper than scaling the matrix.
        symmetric: whether the weights, without the column factors, are known to be symmetric: then
            fixed points are found in fewer steps (see `balance`).
    """

    weights: Float[Array | ndarray, "*B n n"]
    column_scale: Float[Array | ndarray, "*B n"] | None = None
    symmetric: bool = field(default=False, metadata={"static": True})

    def multiply(self, p: Vector) -> Vector:
        """`A p`."""
        scaled = p if self.column_scale is None else _like(self.column_scale, p) * p
        weights = _like(self.weights, p)
        return jnp.einsum("...ij,...j->...i", weights, scaled, precision="highest")

    def multiply_transposed(self, p: Vector) -> Vector:
        """`Aᵀ p`."""
        weights = _like(self.weights, p)
        product = jnp.einsum("...ij,...i->...j", weights, p, precision="highest")
        return product if self.column_scale is None else _like(self.column_scale, p) * product

    def to_dense(self) -> Float[Array, "*B n n"]:
        """The same weights as a matrix."""
        weights = jnp.asarray(self.weights)
        return weights if self.column_scale is None else weights * self.column_scale[..., None, :]


class _Shared(Algebra):
    """Both products of a graph of shared entities, by adding up every entity's candidates."""

    column_scale: Float[Array, "*B n"]

    def multiply(self, p: Vector) -> Vector:
        """`A p`."""
        return self._through_entities(_like(self.column_scale, p) * p)

    def multiply_transposed(self, p: Vector) -> Vector:
        """`Aᵀ p`."""
        return _like(self.column_scale, p) * self._through_entities(p)

    @abc.abstractmethod
    def _through_entities(self, p: Vector) -> Vector:
        """For every candidate, the sums over its entities of the others' values."""


@pytree
@dataclass(frozen=True)
class SharedEntities(_Shared):
    """`|Ei ∩ Ej| / |Ej|` as `(B Bᵀ − its diagonal) · diag(1 / |Ej|)`, with B candidate × entity.

    The cost of a product grows with the number of entity slots, not with the number of candidates.
    Subtracting a candidate's own part causes a relative error of `ε |Ej| / |Ei|`: negligible unless
    one candidate has hundreds of entities and another only a few.

    Attributes:
        entities: `[*B, m]` a number below m for every entity of every candidate, without repeats;
            each candidate has m / n consecutive slots. Each empty slot has a number that occurs
            nowhere else.
        column_scale: `[*B, n]` `1 / |Ej|`.
    """

    entities: Shaped[Array, "*B m"]
    column_scale: Float[Array, "*B n"]

    @classmethod
    def build(
        cls,
        entity_ids: Slots,
        entity_counts: Int[Array | ndarray, "*B n"] | None = None,
        *,
        mask: Mask | None = None,
    ) -> "SharedEntities":
        """The graph of padded IDs; the arguments are those of `shared_entity_adjacency`."""
        ids, inverse = entities_of(entity_ids, entity_counts, mask)
        slots = jax.lax.collapse(drop_repeats(ids), ids.ndim - 2)
        found, _ = representatives(slots)
        own = jnp.arange(slots.shape[-1], dtype=jnp.int32)
        return cls(jnp.where(found == EMPTY, own, found), inverse)

    def _through_entities(self, p: Vector) -> Vector:
        n, m = p.shape[-1], self.entities.shape[-1]
        if not p.size:
            return p

        def of_query(entities: Array, p: Array) -> Array:
            own = jnp.repeat(p, m // n)
            sums = jnp.zeros(m, p.dtype).at[entities].add(own, mode="promise_in_bounds")
            others = sums.at[entities].get(mode="promise_in_bounds") - own
            return others.reshape(n, -1).sum(-1)

        # The entities of one query may serve a whole batch.
        entities = jnp.broadcast_to(self.entities, (*p.shape[:-1], m))
        return jax.vmap(of_query)(entities.reshape(-1, m), p.reshape(-1, n)).reshape(p.shape)


@pytree
@dataclass(frozen=True)
class SharedList(_Shared):
    """The weights of `SharedEntities` from one list over all candidates of a batch.

    The cost of a product grows with the number of slots whose entities are shared.

    Attributes:
        entities: `[m]` a number below m for every shared entity of every candidate.
        owners: `[m]` the candidate that has it, numbered over the whole batch: query × n +
            candidate. Padding is m, and batch × n.
        column_scale: `[*B, n]` `1 / |Ej|`.
    """

    entities: Shaped[Array, " m"]
    owners: Shaped[Array, " m"]
    column_scale: Float[Array, "*B n"]

    def _through_entities(self, p: Vector) -> Vector:
        # One extra position, for padding.
        values = jnp.pad(p.reshape(-1), (0, 1))
        own = values.at[self.owners].get(mode="promise_in_bounds")
        sums = (
            jnp.zeros(len(self.entities) + 1, p.dtype)
            .at[self.entities]
            .add(own, mode="promise_in_bounds")
        )
        others = sums.at[self.entities].get(mode="promise_in_bounds") - own
        received = jnp.zeros_like(values).at[self.owners].add(others, mode="promise_in_bounds")
        return received[:-1].reshape(p.shape)


def entities_of(
    entity_ids: Slots, entity_counts: Int[Array | ndarray, "*B n"] | None, mask: Mask | None
) -> tuple[Int[Array, "*B n e"], Float[Array, "*B n"]]:
    """The checked entities of valid candidates, and `1 / |Ej|`, 1 where Ej is empty."""
    check_mask(mask, np.shape(entity_ids)[:-1])
    ids = as_ids("entity_ids", entity_ids, mask)
    if entity_counts is not None:
        entity_counts = as_ids("entity_counts", entity_counts, mask)
        check_shape("entity_counts", entity_counts, ids.shape[:-1])
    if mask is not None:
        ids = jnp.where(jnp.asarray(mask)[..., None], ids, EMPTY)
    return ids, reciprocal_counts(ids, entity_counts)


def reciprocal_counts(
    ids: Int[Array, "*B n e"], counts: Int[Array | ndarray, "*B n"] | None
) -> Float[Array, "*B n"]:
    """`1 / |Ej|`, by default counted from the IDs; 1 where Ej is empty."""
    counts = unique_counts(ids) if counts is None else jnp.asarray(counts)
    return 1.0 / jnp.maximum(counts.astype(jnp.float32), 1.0)


@pytree
@dataclass(frozen=True)
class NeighborList(Algebra):
    """For every candidate, the sources of its edges, as padded lists.

    Attributes:
        neighbors: `[*B, n, d]` the source candidates, -1 where there are fewer.
        weights: `[*B, n, d]` their weights.
    """

    neighbors: Shaped[Array | ndarray, "*B n d"]
    weights: Float[Array | ndarray, "*B n d"]

    def multiply(self, p: Vector) -> Vector:
        """`A p`."""
        batch = p.shape[:-1]
        # The lists of one query may serve a whole batch.
        places = jnp.broadcast_to(
            jnp.maximum(self.neighbors, 0), (*batch, *self.neighbors.shape[-2:])
        )
        flat = jax.lax.collapse(places, len(batch))
        messages = jnp.take_along_axis(p, flat, axis=-1).reshape(places.shape)
        weights = _like(self.weights, p)
        return (jnp.where(jnp.asarray(self.neighbors) >= 0, weights, 0.0) * messages).sum(-1)

    def multiply_transposed(self, p: Vector) -> Vector:
        """`Aᵀ p`."""
        (product,) = jax.linear_transpose(self.multiply, p)(p)
        return product

    def to_dense(self) -> Float[Array, "*B n n"]:
        """The same weights as a matrix; a neighbour listed twice counts twice."""
        n = self.neighbors.shape[-2]
        one_hot = jax.nn.one_hot(
            jnp.asarray(self.neighbors), n, dtype=jnp.asarray(self.weights).dtype
        )
        return jnp.einsum("...ijk,...ij->...ik", one_hot, self.weights, precision="highest")


@pytree
@dataclass(frozen=True)
class EdgeList(Algebra):
    """Undirected edges of weight 1 over all candidates of a batch, each once.

    Attributes:
        ends: `[2, m]` the two candidates of each edge, numbered over the whole batch: query × n +
            candidate. Padding is batch × n.
    """

    ends: Shaped[Array, "2 m"]

    def multiply(self, p: Vector) -> Vector:
        """`A p`."""
        # One extra position, for padding.
        values = jnp.pad(p.reshape(-1), (0, 1))
        messages = values.at[self.ends[::-1]].get(mode="promise_in_bounds")
        sums = jnp.zeros_like(values).at[self.ends].add(messages, mode="promise_in_bounds")
        return sums[:-1].reshape(p.shape)

    multiply_transposed = multiply


@pytree
@dataclass(frozen=True)
class WeightedEdges(Algebra):
    """One graph that all queries of a batch share, as a list of its edges.

    For graphs over a whole index, whose matrix would not fit in memory: the cost of a product is
    the number of edges. An edge listed twice counts twice.

    Attributes:
        senders: `[m]` the sources of the edges; -1, here or below, where there is none.
        receivers: `[m]` their targets.
        weights: `[m]` their weights.
    """

    senders: Shaped[Array | ndarray, " m"]
    receivers: Shaped[Array | ndarray, " m"]
    weights: Float[Array | ndarray, " m"]

    def multiply(self, p: Vector) -> Vector:
        """`A p`."""
        return self._send(p, self.senders, self.receivers)

    def multiply_transposed(self, p: Vector) -> Vector:
        """`Aᵀ p`."""
        return self._send(p, self.receivers, self.senders)

    def _send(self, p: Vector, senders: Array | ndarray, receivers: Array | ndarray) -> Vector:
        check_places("senders", senders, p.shape[-1])
        check_places("receivers", receivers, p.shape[-1])
        # As elsewhere, -1 is padding.
        used = (jnp.asarray(senders) >= 0) & (jnp.asarray(receivers) >= 0)
        weights = jnp.where(used, _like(self.weights, p), 0.0)
        senders, receivers = jnp.maximum(senders, 0), jnp.maximum(receivers, 0)
        heard = jnp.asarray(p).at[..., senders].get(mode="promise_in_bounds")
        messages = jnp.broadcast_to(weights, heard.shape) * heard
        return jnp.zeros_like(p).at[..., receivers].add(messages, mode="promise_in_bounds")


@pytree
@dataclass(frozen=True)
class WeightedSum(Algebra):
    """The weighted sum of several graphs over the same candidates.

    Attributes:
        operators: the graphs.
        weights: for each, one number for all queries or `[*B]`.
    """

    operators: tuple[Operator, ...]
    weights: tuple[PerQuery, ...]

    def multiply(self, p: Vector) -> Vector:
        """`A p`."""
        products = (operator.multiply(p) for operator in self.operators)
        return self._sum(products, p)

    def multiply_transposed(self, p: Vector) -> Vector:
        """`Aᵀ p`."""
        products = (operator.multiply_transposed(p) for operator in self.operators)
        return self._sum(products, p)

    def _terms(self) -> "WeightedSum":
        return self

    def _sum(self, products: Iterable[Vector], p: Vector) -> Vector:
        weights = (_like(weight, p) for weight in self.weights)
        each = (weight[..., None] if weight.ndim else weight for weight in weights)
        return sum(map(jnp.multiply, each, products), jnp.zeros_like(p))


def as_operator(
    adjacency: Operator | Float[Array | ndarray, "*B n n"],
    scores: Float[Array, "*C n"] | None = None,
) -> Operator:
    """Returns an operator unchanged, and an array as `Dense`.

    Args:
        adjacency: the operator or array.
        scores: `[*C, n]` scores whose shape the graph must fit, and whose type an array gets; by
            default any. One graph may serve a whole batch.

    Raises:
        TypeError: for weights that are not real numbers, and an operator that is no pytree.
        ValueError: for a graph of another shape, for weights that are negative or not finite,
            and for neighbours that do not exist, if the values can be checked.
    """
    if isinstance(adjacency, Operator):
        leaves = [] if scores is None else jax.tree.leaves(adjacency)
        if plain := [leaf for leaf in leaves if isinstance(leaf, Operator)]:
            raise TypeError(
                f"adjacency: the operator {type(plain[0]).__name__} is no pytree; decorate its "
                "class with jax.tree_util.register_dataclass"
            )
        _check(adjacency, None if scores is None else scores.shape)
        return adjacency
    check_weights("adjacency", adjacency)
    weights = as_scores("adjacency", adjacency)
    if scores is not None:  # a loop over scores cannot change their type
        weights = weights.astype(scores.dtype)
    *batch, n = (weights.shape[:-1] if scores is None else scores.shape) or (0,)
    check_fit("adjacency", weights, batch, n, n)
    return Dense(weights)


def _check(operator: Operator, shape: tuple[int, ...] | None) -> None:
    """Checks the arrays of this module's operators; operators of users cannot be checked.

    Args:
        operator: the graph.
        shape: `(*C, n)`, that of the scores; None if there are none.
    """
    batch, n = (None, None) if shape is None else (shape[:-1], (shape or (0,))[-1])
    match operator:
        case Dense(weights, column_scale, _):
            check_weights("weights", weights)
            check_fit("weights", weights, batch, n, n)
            if column_scale is not None:
                check_weights("column_scale", column_scale)
                check_fit("column_scale", column_scale, batch, n)
        case SharedEntities(_, column_scale):
            check_fit("column_scale", column_scale, batch, n)
        case NeighborList(neighbors, weights):
            check_fit("neighbors", neighbors, batch, n, None)
            check_shape("weights", weights, np.shape(neighbors))
            check_ids("neighbors", neighbors, highest=neighbors.shape[-2] - 1)
            check_weights("weights", weights, where_used(neighbors))
        case WeightedEdges(senders, receivers, weights):
            check_shape("senders", senders, np.shape(weights))
            check_shape("receivers", receivers, np.shape(weights))
            check_weights("weights", weights, where_used(senders, receivers))
        case Transposed(graph):
            _check(graph, shape)
        case WeightedSum(operators, weights):
            for relation, weight in zip(operators, weights, strict=True):
                check_weights("weights", weight)
                if batch is not None:
                    check_own("weights", weight, batch)
                _check(relation, shape)


def _terms(adjacency: Operator | Float[Array | ndarray, "*B n n"]) -> WeightedSum:
    operator = as_operator(adjacency)
    return operator._terms() if isinstance(operator, Algebra) else WeightedSum((operator,), (1.0,))
