"""The one loop behind every fixed-point ranker, and its derivative."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PyTree

Linear = Callable[[PyTree, Array], Array]


class FixedPoint(NamedTuple):
    """Where the iteration stood when it stopped; one entry a query."""

    value: Float[Array, "*B n"]
    steps: Int[Array, "*B"]
    residual: Float[Array, "*B"]
    converged: Bool[Array, "*B"]


class _State(NamedTuple):
    value: Float[Array, "*B n"]
    update: Float[Array, "*B n"]
    steps: Int[Array, "*B"]
    residual: Float[Array, "*B"]


@partial(jax.custom_jvp, nondiff_argnums=(0, 5))
def solve_fixed_point(
    linear: Linear,
    parameters: PyTree,
    offset: Float[Array, "*B n"],
    start: Float[Array, "*B n"],
    tolerance: Float[Array, "*B"],
    max_steps: int,
) -> FixedPoint:
    """Iterates `p ← offset + linear(p)` from `start` until every query's update is small.

    The map is affine, so an update is the image of the last one: `Δ ← linear(Δ)`, `p ← p + Δ`. That
    costs what the plain iteration costs, and the residual shrinks with every step, where that of
    the plain iteration stalls at its rounding noise, in float32 often above 1e-6.

    A query stops, and is frozen, once the L1 norm of its update is within its `tolerance` or is no
    longer finite; the others go on. Nothing is within an infinite tolerance. Derivatives are those
    of the fixed point itself (implicit function theorem), whatever the number of steps taken to get
    there.

    Args:
        linear: linear in its second argument and a contraction; holds no traced values of its own.
        parameters: a pytree of everything that `linear` depends on.
        offset: `[*B, n]`.
        start: `[*B, n]` the first iterate.
        tolerance: `[*B]` the L1 norm of an update at which a query has converged.
        max_steps: the largest number of updates, at least 1.

    Returns:
        The last iterate with its steps, residual and whether it converged.

    Raises:
        ValueError: for a `max_steps` below 1.
    """
    if max_steps < 1:
        raise ValueError(f"max_steps: {max_steps} must be at least 1")
    return _compiled(linear, parameters, offset, start, tolerance, max_steps)


def _iterate(
    linear: Linear,
    parameters: PyTree,
    offset: Float[Array, "*B n"],
    start: Float[Array, "*B n"],
    tolerance: Float[Array, "*B"],
    max_steps: int,
) -> FixedPoint:
    def converged(residual: Float[Array, "*B"]) -> Bool[Array, "*B"]:
        return (residual <= tolerance) & jnp.isfinite(tolerance)

    def unfinished(state: _State) -> Bool[Array, "*B"]:
        large = ~converged(state.residual) & jnp.isfinite(state.residual)
        return large & (state.steps < max_steps)

    def advance(state: _State) -> _State:
        active = unfinished(state)
        update = jnp.where(active[..., None], linear(parameters, state.update), state.update)
        return _State(
            jnp.where(active[..., None], state.value + update, state.value),
            update,
            state.steps + active,
            jnp.abs(update).sum(-1),
        )

    update = offset + linear(parameters, start) - start
    steps = jnp.ones(start.shape[:-1], jnp.int32)
    first = _State(start + update, update, steps, jnp.abs(update).sum(-1))
    end = jax.lax.while_loop(lambda state: unfinished(state).any(), advance, first)
    return FixedPoint(end.value, end.steps, end.residual, converged(end.residual))


# Called outside of a program, the loop would be compiled again each time.
_compiled = jax.jit(_iterate, static_argnums=(0, 5))


@solve_fixed_point.defjvp
def _fixed_point_jvp(
    linear: Linear, max_steps: int, primals: tuple[PyTree, ...], tangents: tuple[PyTree, ...]
) -> tuple[FixedPoint, FixedPoint]:
    parameters, offset, start, tolerance = primals
    parameters_dot, offset_dot, *_ = tangents
    solution = solve_fixed_point(linear, parameters, offset, start, tolerance, max_steps)
    _, drift = jax.jvp(lambda p: linear(p, solution.value), (parameters,), (parameters_dot,))

    def solve(equation: Callable[[Array], Array], right: Array) -> Array:
        """The x of `equation(x) = x − linear(x) = right`, or its transpose, precisely."""
        back = lambda _, x: x - equation(x)  # noqa: E731
        return _iterate(back, None, right, right, tolerance_of(right), max_steps).value

    value_dot = jax.lax.custom_linear_solve(
        lambda x: x - linear(parameters, x), offset_dot + drift, solve, transpose_solve=solve
    )
    no_tangent = jnp.zeros_like(solution.residual)
    discrete = jnp.zeros(solution.steps.shape, jax.dtypes.float0)
    return solution, FixedPoint(value_dot, discrete, no_tangent, discrete)


def tolerance_of(scores: Float[Array, "*B n"], tol: float | Array = 0.0) -> Float[Array, "*B"]:
    """`max(tol, 4 ε) ‖s‖₁`; below 4 ε an update is lost in the rounding of the scores."""
    return jnp.maximum(tol, 4 * jnp.finfo(scores.dtype).eps) * jnp.abs(scores).sum(-1)
