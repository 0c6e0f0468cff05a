"""Adjacencies that can be multiplied, formed or not.

Every ranker takes any of them, or a plain array `[*B, n, n]`. An operator knows two products: with
its weights, `y[i] = Σ_j A[i, j] p[j]`, and with their transpose.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, Shaped
from numpy import ndarray

from grapher_jax.kernels.checks import as_ids, as_scores, check_shape
from grapher_jax.kernels.entities import EMPTY, drop_repeats, representatives
from grapher_jax.kernels.types import Mask, Slots

Vector = Float[Array, "*B n"]
# Integers are declared `Shaped`: a derivative gives them tangents of JAX's own empty dtype.


@runtime_checkable
class Operator(Protocol):
    """A weighted graph over the candidates of each query."""

    def multiply(self, p: Vector) -> Vector:
        """`[*B, n]`: what every candidate hears from its neighbours."""

    def multiply_transposed(self, p: Vector) -> Vector:
        """`[*B, n]`: what every candidate says to its neighbours."""


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Dense:
    """The adjacency as a matrix.

    Attributes:
        weights: `[*B, n, n]`.
        column_scale: `[*B, n]` a factor for every column, 1 by default; a product applies it to the
            vector, which is cheaper than to the matrix.
    """

    weights: Float[Array | ndarray, "*B n n"]
    column_scale: Float[Array | ndarray, "*B n"] | None = None

    def multiply(self, p: Vector) -> Vector:
        """`A p`."""
        scaled = p if self.column_scale is None else jnp.asarray(self.column_scale) * p
        return jnp.einsum("...ij,...j->...i", self.weights, scaled, precision="highest")

    def multiply_transposed(self, p: Vector) -> Vector:
        """`Aᵀ p`."""
        product = jnp.einsum("...ij,...i->...j", self.weights, p, precision="highest")
        return product if self.column_scale is None else jnp.asarray(self.column_scale) * product


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class SharedEntities:
    """`|Ei ∩ Ej| / |Ej|` as `(B Bᵀ − its diagonal) · diag(1 / |Ej|)`, B candidate × entity.

    A product costs the number of entity slots, whatever the number of candidates. Taking off what a
    candidate said itself loses a relative `ε |Ej| / |Ei|`: next to nothing until one has hundreds
    of entities and the other a few.

    Attributes:
        slots: `[*B, n, e]` a number below `n · e` for every entity of every candidate, each once;
            `n · e` where empty.
        column_scale: `[*B, n]` `1 / |Ej|`.
    """

    slots: Shaped[Array, "*B n e"]
    column_scale: Float[Array, "*B n"]

    @classmethod
    def build(
        cls,
        entity_ids: Slots,
        entity_counts: Int[Array | ndarray, "*B n"] | None = None,
        *,
        mask: Mask | None = None,
    ) -> "SharedEntities":
        """From padded IDs; the arguments are those of `shared_entity_adjacency`."""
        ids = as_ids("entity_ids", entity_ids)
        if mask is not None:
            ids = jnp.where(jnp.asarray(mask)[..., None], ids, EMPTY)
        ids = drop_repeats(ids)
        n, e = ids.shape[-2:]
        found, _ = representatives(ids.reshape(*ids.shape[:-2], n * e))
        counts = (ids != EMPTY).sum(-1) if entity_counts is None else jnp.asarray(entity_counts)
        slots = jnp.where(found == EMPTY, n * e, found).reshape(ids.shape)
        return cls(slots, 1.0 / jnp.maximum(counts.astype(jnp.float32), 1.0))

    def multiply(self, p: Vector) -> Vector:
        """`A p`."""
        return self._through_entities(self.column_scale * p)

    def multiply_transposed(self, p: Vector) -> Vector:
        """`Aᵀ p`."""
        return self.column_scale * self._through_entities(p)

    def _through_entities(self, p: Vector) -> Vector:
        *batch, n, e = self.slots.shape
        slots = self.slots.reshape(-1, n, e)

        def of_query(slots: Array, p: Array) -> Array:
            said = jnp.broadcast_to(p[:, None], slots.shape)
            heard = jnp.zeros(n * e + 1, p.dtype).at[slots].add(said, mode="promise_in_bounds")
            # Without what the candidate said itself.
            others = heard.at[slots].get(mode="promise_in_bounds") - said
            return jnp.where(slots < n * e, others, 0.0).sum(-1)

        return jax.vmap(of_query)(slots, p.reshape(-1, n)).reshape(*batch, n)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class NeighborList:
    """For every candidate, those who speak to it.

    Attributes:
        neighbors: `[*B, n, d]` candidates, -1 where there are fewer.
        weights: `[*B, n, d]` their weights.
    """

    neighbors: Shaped[Array | ndarray, "*B n d"]
    weights: Float[Array | ndarray, "*B n d"]

    def multiply(self, p: Vector) -> Vector:
        """`A p`."""
        *batch, n, d = self.neighbors.shape
        places = jnp.maximum(self.neighbors, 0).reshape(*batch, n * d)
        heard = jnp.take_along_axis(p, places, axis=-1).reshape(*batch, n, d)
        return (jnp.where(jnp.asarray(self.neighbors) >= 0, self.weights, 0.0) * heard).sum(-1)

    def multiply_transposed(self, p: Vector) -> Vector:
        """`Aᵀ p`."""
        (heard,) = jax.linear_transpose(self.multiply, p)(p)
        return heard

    def to_dense(self) -> Float[Array, "*B n n"]:
        """The same weights as a matrix; a neighbour named twice counts twice."""
        n = self.neighbors.shape[-2]
        one_hot = jax.nn.one_hot(jnp.asarray(self.neighbors), n)
        return jnp.einsum("...ijk,...ij->...ik", one_hot, self.weights, precision="highest")


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class EdgeList:
    """Undirected edges of weight 1 over all candidates of a batch, each once.

    Attributes:
        ends: `[2, m]` candidates, numbered through the batch: query × n + candidate; batch × n
            where there are fewer edges.
    """

    ends: Shaped[Array, "2 m"]

    def multiply(self, p: Vector) -> Vector:
        """`A p`."""
        said = jnp.pad(p.reshape(-1), (0, 1))
        across = said.at[self.ends[::-1]].get(mode="promise_in_bounds")
        heard = jnp.zeros_like(said).at[self.ends].add(across, mode="promise_in_bounds")
        return heard[:-1].reshape(p.shape)

    multiply_transposed = multiply


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class WeightedSum:
    """Several relations over the same candidates, as one graph.

    Attributes:
        operators: the relations.
        weights: `[]` one for each.
    """

    operators: tuple[Operator, ...]
    weights: tuple[float | Array, ...]

    def multiply(self, p: Vector) -> Vector:
        """`A p`."""
        products = (operator.multiply(p) for operator in self.operators)
        return self._sum(products, p)

    def multiply_transposed(self, p: Vector) -> Vector:
        """`Aᵀ p`."""
        products = (operator.multiply_transposed(p) for operator in self.operators)
        return self._sum(products, p)

    def _sum(self, products: Iterable[Vector], p: Vector) -> Vector:
        return sum(
            (weight * product for weight, product in zip(self.weights, products, strict=True)),
            jnp.zeros_like(p),
        )


def as_operator(adjacency: Operator | Float[Array | ndarray, "*B n n"]) -> Operator:
    """An operator as it is, an array as `Dense`.

    Raises:
        ValueError: for an array that is not square.
    """
    if isinstance(adjacency, Operator):
        return adjacency
    weights = as_scores("adjacency", adjacency)
    n = weights.shape[-1] if weights.ndim else 0
    check_shape("adjacency", weights, (*weights.shape[:-2], n, n))
    return Dense(weights)
