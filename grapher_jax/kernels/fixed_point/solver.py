"""The loop that all fixed-point rankers share, its solvers, and its derivative.

A ranker's scores are the solution of `p = offset + L p`, with L a contraction. The residual
`r = offset + L p − p` is the change that a plain step would make; its size tells all solvers when
to stop.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PyTree

from grapher_jax.kernels.checks import check_count, check_own, check_weights
from grapher_jax.kernels.masking import reciprocal, unit_scale
from grapher_jax.kernels.types import PerQuery

Linear = Callable[[PyTree, Array], Array]
Vector = Float[Array, "*B n"]
Norm = Callable[[Array], Array]

ITERATE = "iterate"
# How many earlier directions each new direction is made orthogonal to. Zero gives the papers' plain
# steps; one is enough if L is self-adjoint; in other cases three were the best of 1, 2, 3, 5 and 8,
# on real candidates and on random directed graphs.
SOLVERS: Mapping[str, int] = {ITERATE: 0, "conjugate": 1, "orthomin": 3}
# The fraction of a change's square that must be orthogonal to the last directions.
_APART = 1e-4


def largest(vector: Vector) -> Float[Array, "*B"]:
    """The maximum norm."""
    return jnp.abs(vector).max(-1, initial=0.0)


def total(vector: Vector) -> Float[Array, "*B"]:
    """The L1 norm."""
    return jnp.abs(vector).sum(-1)


def length(vector: Vector) -> Float[Array, "*B"]:
    """The L2 norm."""
    return jnp.sqrt((vector**2).sum(-1))


# For each norm in which a map is a contraction, the norm in which its transpose is one.
_DUAL: Mapping[Norm, Norm] = {largest: total, total: largest, length: length}


class Method(NamedTuple):
    """How a fixed point is found: everything that is fixed in the compiled program.

    Attributes:
        linear: a function linear in its second argument, which closes over no traced values.
        norm: `largest`, `total` or `length`: the norm in which `linear` shrinks every vector.
        solver: one of `SOLVERS`.
        max_steps: the largest number of updates, at least 1.
    """

    linear: Linear
    norm: Norm
    solver: str
    max_steps: int


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Equation:
    """`p = offset + linear(parameters, p)`, for every query of a batch.

    Attributes:
        parameters: a pytree of everything that `linear` depends on.
        offset: `[*B, n]`.
        start: `[*B, n]` the first iterate.
        tolerance: `[*B]` the L1 norm of a residual at which a query has converged. A query with an
            infinite tolerance never converges.
        alpha: `[*B]`: `linear` shrinks every vector to at most `1 − alpha` of its norm.
        metric: `[*B, n]` weights ≥ 0 of an inner product in which `linear` is self-adjoint.
            Candidates with weight 0 influence no other candidate, or never change. None if no such
            weights are known.
    """

    parameters: PyTree
    offset: Vector
    start: Vector
    tolerance: Float[Array, "*B"]
    alpha: Float[Array, "*B"]
    metric: Vector | None = None


def equation(
    parameters: PyTree,
    alpha: Float[Array, "*#B 1"],
    seed: Vector,
    *,
    tol: PerQuery,
    metric: Vector | None,
) -> Equation:
    """The equation `p = α s + linear(parameters, p)`, with s as the first iterate.

    Raises:
        TypeError: for a tolerance that is no real number.
        ValueError: for one that is neither one number nor one for each query, and for one that is
            negative or not finite, if the values can be checked.
    """
    check_own("tol", tol, seed.shape[:-1])
    check_weights("tol", tol)
    kept = jnp.broadcast_to(alpha[..., 0], seed.shape[:-1])
    own = None if metric is None else jax.lax.stop_gradient(metric)
    return Equation(parameters, alpha * seed, seed, tolerance_of(seed, tol), kept, own)


def check_solver(solver: str | None) -> None:
    """Checks the name of a solver.

    Raises:
        ValueError: for an unknown solver.
    """
    if solver is not None and solver not in tuple(SOLVERS):
        raise ValueError(f"solver: {solver!r} is unknown; use {', '.join(map(repr, SOLVERS))}")


def fastest(metric: Vector | None) -> str:
    """The solver that takes the fewest steps and finds every fixed point."""
    return "orthomin" if metric is None else "conjugate"


class FixedPoint(NamedTuple):
    """The state of the search when it stopped, with one entry per query.

    Attributes:
        value: the last iterate.
        steps: products with the weights.
        residual: L1 norm of the residual that the solver updated at each step.
        converged: whether this norm is within the tolerance.
        error: a bound, in the norm of `Method`, on the difference of value and solution, including
            rounding errors.
    """

    value: Vector
    steps: Int[Array, "*B"]
    residual: Float[Array, "*B"]
    converged: Bool[Array, "*B"]
    error: Float[Array, "*B"]


class _Direction(NamedTuple):
    """A direction that was searched: `change = step − L step`, and `square`, its squared length."""

    step: Vector
    change: Vector
    square: Float[Array, "*B"]


class _State(NamedTuple):
    value: Vector
    residual: Vector
    steps: Int[Array, "*B"]
    size: Float[Array, "*B"]
    bound: Float[Array, "*B"]
    past: tuple[_Direction, ...]


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def solve_fixed_point(method: Method, equation: Equation) -> FixedPoint:
    """Solves `p = offset + linear(parameters, p)`.

    A query stops, and is frozen, once the L1 norm of its residual is within its tolerance or is no
    longer finite; the others go on. The residual is updated at each step, not recomputed: the
    updated one keeps shrinking, while a recomputed one stalls at its rounding noise, in float32
    often above 1e-6. At the end it is recomputed once and added, which corrects the accumulated
    error.

    Derivatives are those of the fixed point itself (implicit function theorem), independent of the
    steps taken.

    Raises:
        ValueError: for an unknown solver, and a `max_steps` below 1.
    """
    check_solver(method.solver)
    check_count("max_steps", method.max_steps)
    return _compiled(method, equation)


def _solve(method: Method, equation: Equation) -> FixedPoint:
    equation = replace(equation, metric=_unit(equation.metric))
    tolerance, support = equation.tolerance, _support(equation.metric)

    def converged(size: Float[Array, "*B"]) -> Bool[Array, "*B"]:
        return (size <= tolerance) & jnp.isfinite(tolerance)

    def unfinished(state: _State) -> Bool[Array, "*B"]:
        large = ~converged(state.size) & jnp.isfinite(state.size)
        return large & (state.steps < method.max_steps - 1)

    def advance(state: _State) -> _State:
        active = unfinished(state)
        image = support(method.linear(equation.parameters, state.residual))
        following = _step(equation, state, image)
        keep = partial(_where, active)
        return _State(
            keep(following.value, state.value),
            keep(following.residual, state.residual),
            state.steps + active.astype(jnp.int32),
            jnp.where(active, following.size, state.size),
            following.bound,
            following.past,
        )

    def residual_of(value: Vector) -> Vector:
        return equation.offset + method.linear(equation.parameters, value) - value

    begun = residual_of(equation.start)
    residual, steps = support(begun), jnp.ones_like(tolerance, jnp.int32)
    nothing = jnp.zeros_like(begun)
    nowhere = _Direction(nothing, nothing, jnp.zeros_like(tolerance))
    first = _State(
        # Where the metric is 0, `linear` gives 0: one plain step gives the solution there.
        equation.start + (begun - residual),
        residual,
        steps,
        total(residual),
        total(residual) * begun.shape[-1] ** 0.5,
        (nowhere,) * SOLVERS[method.solver],
    )
    end = jax.lax.while_loop(lambda state: unfinished(state).any(), advance, first)
    anew = begun if method.max_steps == 1 else residual_of(end.value)
    value = (equation.start if method.max_steps == 1 else end.value) + anew
    return FixedPoint(
        value,
        end.steps + int(method.max_steps > 1),
        end.size,
        # A NaN where the metric is 0 is in no residual.
        converged(end.size) & jnp.isfinite(total(begun)),
        _error(method, equation, value, anew),
    )


def _error(method: Method, equation: Equation, value: Vector, added: Vector) -> Float[Array, "*B"]:
    """A bound on the distance from the solution, after a plain step that added `added`.

    The remaining residual is `L added`, plus the rounding errors of both: a sum of n numbers, and
    the weights in it, which are divided by such a sum, have a relative error of at most n ε.
    """
    norm, alpha = method.norm, equation.alpha
    lost = (value.shape[-1] + 8) * jnp.finfo(value.dtype).eps
    size = jnp.maximum(norm(value), norm(equation.offset))
    return ((1 - alpha) * norm(added) + lost * size) / alpha


def _step(equation: Equation, state: _State, image: Vector) -> _State:
    """The next state: of a plain step, whose residual is the image, or of the best step if allowed.

    The best step leaves the smallest residual along a direction that is orthogonal to the last
    ones, in the metric: conjugate residuals (Stiefel, 1955) where that makes L self-adjoint, else
    Orthomin (Vinsome, 1976). It is taken as long as the L1 norm of its residual is within
    `(1 − α)^k √n` of the first one's. The L1 norm is the largest of the three norms in which a
    plain step shrinks the residual by `1 − α`, so after any k steps the residual in that norm is
    bounded, whichever steps they were. For vectors of equal length, L1 norms can differ by a factor
    of √n: a residual in one place may be spread.
    """
    bound = state.bound * (1 - equation.alpha)
    if not state.past:
        size = total(image)
        return state._replace(
            value=state.value + state.residual, residual=image, size=size, bound=bound
        )

    def inner(one: Vector, other: Vector) -> Float[Array, "*B"]:
        product = one * other
        return (product if equation.metric is None else equation.metric * product).sum(-1)

    step, change = state.residual, state.residual - image
    whole = inner(change, change)
    parts = [_ratio(inner(change, past.change), past.square) for past in state.past]
    for part, past in zip(parts, state.past, strict=True):
        step = step - part[..., None] * past.step
        change = change - part[..., None] * past.change
    square = inner(change, change)
    # A small orthogonal part consists mostly of rounding errors.
    square = jnp.where(square > _APART * whole, square, 0.0)
    far = _ratio(inner(state.residual, change), square)[..., None]
    left = state.residual - far * change
    good = (total(left) <= bound) & (square > 0)
    residual = _where(good, left, image)
    return _State(
        state.value + _where(good, far * step, state.residual),
        residual,
        state.steps,
        total(residual),
        bound,
        (*state.past[1:], _Direction(step, change, square)),
    )


def _unit(metric: Vector | None) -> Vector | None:
    """The metric scaled to a largest weight of 1, so that squares do not overflow."""
    return None if metric is None else metric * reciprocal(largest(metric))[..., None]


def _support(metric: Vector | None) -> Callable[[Vector], Vector]:
    """The part of a vector where the metric is not 0."""
    if metric is None:
        return lambda vector: vector
    return lambda vector: jnp.where(metric == 0, 0.0, vector)


def _where(chosen: Bool[Array, "*B"], one: Vector, other: Vector) -> Vector:
    return jnp.where(chosen[..., None], one, other)


def _ratio(one: Float[Array, "*B"], square: Float[Array, "*B"]) -> Float[Array, "*B"]:
    return jnp.where(square > 0, one / jnp.where(square > 0, square, 1.0), 0.0)


# Jitted: called outside of a program, the loop would be compiled at every call.
_compiled = jax.jit(_solve, static_argnums=0)


@solve_fixed_point.defjvp
def _fixed_point_jvp(
    method: Method, primals: tuple[Equation], tangents: tuple[Equation]
) -> tuple[FixedPoint, FixedPoint]:
    (equation,), (dot,) = primals, tangents
    solution = solve_fixed_point(method, equation)
    still = jnp.zeros_like(solution.residual)
    discrete = jnp.zeros(solution.steps.shape, jax.dtypes.float0)
    moved = _tangent(method, equation, solution.value, dot)
    return solution, FixedPoint(moved, discrete, still, discrete, still)


@partial(jax.jit, static_argnums=0)
def _tangent(method: Method, equation: Equation, value: Vector, dot: Equation) -> Vector:
    """The derivative of the fixed point along `dot`: the solution of a system like its own."""
    _, drift = jax.jvp(lambda p: method.linear(p, value), (equation.parameters,), (dot.parameters,))
    metric = equation.metric
    transposed = None if metric is None else reciprocal(metric)

    def solve(
        norm: Norm,
        metric: Vector | None,
        apply: Callable[[Array], Array],
        right: Array,
    ) -> Array:
        """The x of `apply(x) = x − linear(x) = right`, or its transpose, precisely."""
        scale = unit_scale(right)
        unit = right * scale
        own = replace(
            equation, parameters=None, offset=unit, start=unit, tolerance=tolerance_of(unit)
        )
        back = method._replace(linear=lambda _, x: x - apply(x), norm=norm)
        return _solve(back, replace(own, metric=metric)).value / scale

    return jax.lax.custom_linear_solve(
        lambda x: x - method.linear(equation.parameters, x),
        dot.offset + drift,
        partial(solve, method.norm, metric),
        transpose_solve=partial(solve, _DUAL[method.norm], transposed),
    )


def tolerance_of(scores: Vector, tol: PerQuery = 0.0) -> Float[Array, "*B"]:
    """`max(tol, 4 ε) ‖s‖₁`; an update below 4 ε is lost in the rounding of the scores."""
    own, least = jnp.asarray(tol, scores.dtype), 4 * jnp.finfo(scores.dtype).eps
    return jnp.maximum(own, least) * jnp.abs(scores).sum(-1)
