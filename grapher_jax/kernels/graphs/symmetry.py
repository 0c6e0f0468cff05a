"""Which graphs are symmetric, or similar to a symmetric matrix, so that faster solvers apply."""

from jaxtyping import Array, Float
from numpy import ndarray

from grapher_jax.kernels.graphs.operators import (
    Dense,
    EdgeList,
    Operator,
    SharedEntities,
    SharedList,
    Transposed,
    WeightedSum,
)

# The `balance` of symmetric weights.
_EVEN = 1.0


def symmetrized(operator: Operator) -> Operator:
    """`(A + Aᵀ) / 2`; a product costs twice as much if the sum cannot be formed beforehand."""
    match operator:
        case EdgeList() | Dense(column_scale=None, symmetric=True):
            return operator
        case Dense():
            weights = operator.to_dense()
            return Dense(0.5 * (weights + weights.mT), symmetric=True)
        case WeightedSum(operators, weights):
            return WeightedSum(tuple(map(symmetrized, operators)), weights)
        case _:
            return WeightedSum((operator, Transposed(operator)), (0.5, 0.5))


def balance(operator: Operator) -> Float[Array | ndarray, "*B n"] | float | None:
    """The c for which the weights are `N diag(c)` with N symmetric; 1 for symmetric weights.

    Such weights, normalised so that rows or columns sum to 1, are similar to a symmetric matrix.
    The result depends only on the type of the graph, never on its values; None if c is not known.
    """
    match operator:
        case EdgeList():
            return _EVEN
        case SharedEntities(column_scale=scale) | SharedList(column_scale=scale):
            return scale
        case Dense(column_scale=scale, symmetric=True):
            return _EVEN if scale is None else scale
        case WeightedSum((only,)):
            return balance(only)
        case WeightedSum(operators) if all(balance(one) is _EVEN for one in operators):
            return _EVEN
        case _:
            return None
