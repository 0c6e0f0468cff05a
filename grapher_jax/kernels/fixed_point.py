"""The one loop behind every fixed-point ranker, and its derivative."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

Step = Callable[[Any, Array], Array]


class FixedPoint(NamedTuple):
    """Where the iteration stood when it stopped; one entry a query."""

    value: Float[Array, "*B n"]
    steps: Int[Array, "*B"]
    residual: Float[Array, "*B"]
    converged: Bool[Array, "*B"]


@partial(jax.custom_jvp, nondiff_argnums=(0, 4))
def fixed_point(
    step: Step,
    parameters: Any,
    start: Float[Array, "*B n"],
    tolerance: Float[Array, "*B"],
    max_steps: int,
) -> FixedPoint:
    """Iterate `p ← step(parameters, p)` from `start` until every query's update is small.

    A query stops, and is frozen, once the L1 norm of its update is below its `tolerance` or is no
    longer finite; the others go on. Derivatives with respect to `parameters` are those of the fixed
    point itself (implicit function theorem), whatever the number of steps taken to get there.

    Args:
        step: a contraction, affine in its second argument; may hold no traced values of its own.
        parameters: a pytree of everything that `step` depends on.
        start: `[*B, n]` the first iterate.
        tolerance: `[*B]` the L1 norm of an update below which a query has converged.
        max_steps: the largest number of updates.

    Returns:
        The last iterate with its steps, residual and whether it converged.
    """

    class State(NamedTuple):
        value: Array
        steps: Array
        residual: Array

        def unfinished(self) -> Array:
            return (self.residual >= tolerance) & jnp.isfinite(self.residual) | (self.steps == 0)

    def advance(state: State) -> State:
        active = state.unfinished() & (state.steps < max_steps)
        value = step(parameters, state.value)
        residual = jnp.abs(value - state.value).sum(-1)
        return State(
            jnp.where(active[..., None], value, state.value),
            state.steps + active,
            jnp.where(active, residual, state.residual),
        )

    batch = start.shape[:-1]
    end = jax.lax.while_loop(
        lambda state: (state.unfinished() & (state.steps < max_steps)).any(),
        advance,
        State(start, jnp.zeros(batch, jnp.int32), jnp.full(batch, jnp.inf, start.dtype)),
    )
    return FixedPoint(end.value, end.steps, end.residual, end.residual < tolerance)


@fixed_point.defjvp
def _fixed_point_jvp(
    step: Step, max_steps: int, primals: tuple[Any, ...], tangents: tuple[Any, ...]
) -> tuple[FixedPoint, FixedPoint]:
    parameters, start, tolerance = primals
    solution = fixed_point(step, parameters, start, tolerance, max_steps)
    _, drift = jax.jvp(lambda p: step(p, solution.value), (parameters,), (tangents[0],))
    _, slope = jax.linearize(lambda value: step(parameters, value), solution.value)

    def solve(equation: Callable[[Array], Array], right: Array) -> Array:
        """Neumann series for `equation(x) = x − slope(x) = right`, to the dtype's own precision."""
        floor = rounding_floor(right) + jnp.finfo(right.dtype).tiny
        return fixed_point(
            lambda b, x: b + x - equation(x), right, right, floor, max_steps
        ).value

    value_dot = jax.lax.custom_linear_solve(
        lambda x: x - slope(x), drift, solve=solve, transpose_solve=solve
    )
    no_tangent = jnp.zeros_like(solution.residual)
    float0 = jax.dtypes.float0
    return solution, FixedPoint(
        value_dot,
        jnp.zeros(solution.steps.shape, float0),
        no_tangent,
        jnp.zeros(solution.converged.shape, float0),
    )


def rounding_floor(scores: Float[Array, "*B n"]) -> Float[Array, "*B"]:
    """The L1 size of an update below which rounding alone can keep an iteration moving."""
    return 4 * jnp.finfo(scores.dtype).eps * jnp.abs(scores).sum(-1)
