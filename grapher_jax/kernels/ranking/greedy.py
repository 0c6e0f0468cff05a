"""Greedy choice: one candidate at a time, each by what it is beside those already chosen."""

from collections.abc import Callable
from typing import TypeAlias

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Shaped

from grapher_jax.kernels.types import TopK

# The largest of what the chosen candidates are to each of the others.
Nearest: TypeAlias = Shaped[Array, "*B n"]
_State: TypeAlias = tuple[Bool[Array, "*B n"], Nearest]


def choose_in_turn(
    value: Callable[[Nearest, Int[Array, ""]], Float[Array, "*B n"]],
    beside: Callable[[Int[Array, "*B 1"]], Nearest],
    valid: Bool[Array, "*B n"],
    nearest: Nearest,
    k: int,
) -> TopK:
    """Chooses k candidates in turn, each time the one with the highest value.

    Ties go to the earlier candidate, and a value of NaN counts as -inf.

    Args:
        value: the values of all candidates, from `nearest` and the number of those chosen.
        beside: what a chosen candidate is to each of the others.
        valid: `[*B, n]` which candidates can be chosen.
        nearest: `[*B, n]` before any candidate is chosen.
        k: how many, at most n.

    Returns:
        Indices `[*B, k]` and the values at which they were chosen; -1 and -inf where none is left.
    """
    places = jax.lax.broadcasted_iota(jnp.int32, valid.shape, valid.ndim - 1)

    def choose(state: _State, place: Int[Array, ""]) -> tuple[_State, tuple[Array, Array]]:
        left, nearest = state
        # Of the others, no value may spoil a derivative.
        values = value(jnp.where(left, nearest, jnp.zeros((), nearest.dtype)), place)
        values = jnp.where(left & ~jnp.isnan(values), values, -jnp.inf)
        best = values.max(-1, keepdims=True)
        # XLA is slow to find the place of a maximum on a CPU, and a smallest number is quick.
        chosen = jnp.where(left & (values == best), places, valid.shape[-1] - 1)
        chosen = chosen.min(-1, keepdims=True)
        index = jnp.where(left.any(-1), chosen[..., 0], -1)
        state = left & (places != chosen), jnp.maximum(nearest, beside(chosen))
        return state, (index, best[..., 0])

    indices, values = jax.lax.scan(choose, (valid, nearest), jnp.arange(k))[1]
    return TopK(jnp.moveaxis(indices, 0, -1), jnp.moveaxis(values, 0, -1))
