"""What can be told of arguments before anything runs: dtypes, shapes and ranges."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int


def as_scores(name: str, scores: Any) -> Float[Array, "..."]:
    """Numbers as at least float32, in which the fixed points are solved.

    Raises:
        TypeError: for anything but real numbers.
    """
    values = jnp.asarray(scores)
    if not (jnp.issubdtype(values.dtype, jnp.floating) or is_integer(values)):
        raise TypeError(f"{name}: real numbers are needed, not {values.dtype}")
    return values.astype(jnp.promote_types(values.dtype, jnp.float32))


def as_ids(name: str, ids: Any) -> Int[Array, "..."]:
    """IDs as integers; -1, like any negative one, means none.

    Raises:
        TypeError: for anything but integers.
        ValueError: for IDs that JAX would cut to 32 bits.
    """
    if not is_integer(ids):
        raise TypeError(f"{name}: integers are needed, not {np.result_type(ids)}")
    values = jnp.asarray(ids)
    if isinstance(ids, np.ndarray) and ids.size and ids.dtype.itemsize > values.dtype.itemsize:
        limits = np.iinfo(values.dtype)
        if ids.max() > limits.max or ids.min() < limits.min:
            raise ValueError(f"{name}: IDs must fit {values.dtype}; number them from 0")
    return jnp.maximum(values, -1)


def check_shape(name: str, array: Any, expected: tuple[int | None, ...]) -> None:
    """Compare a shape with the expected one, in which None stands for any size.

    Raises:
        ValueError: where it differs.
    """
    found = jnp.shape(array)
    fits = len(found) == len(expected) and all(
        want is None or have == want for have, want in zip(found, expected, strict=True)
    )
    if not fits:
        wanted = ", ".join("any" if size is None else str(size) for size in expected)
        raise ValueError(f"{name}: shape {found} does not fit; it must be ({wanted})")


def check_alpha(alpha: Any) -> None:
    """Look at an α that is a plain number; a traced one cannot be looked at.

    Raises:
        ValueError: outside (0, 1].
    """
    if isinstance(alpha, (int, float)) and not 0 < alpha <= 1:
        raise ValueError(f"alpha: {alpha} is outside (0, 1]")


def is_integer(array: Any) -> bool:
    """Whether an array holds integers; it is not moved to a device to find out."""
    dtype = array.dtype if hasattr(array, "dtype") else np.asarray(array).dtype
    return jnp.issubdtype(dtype, jnp.integer)
