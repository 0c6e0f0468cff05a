"""What can be told of arguments before anything runs: dtypes, shapes and ranges."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int


def as_scores(name: str, scores: Any) -> Float[Array, "..."]:
    """Numbers as at least float32, in which the fixed points are solved.

    Raises:
        TypeError: for anything but real numbers.
    """
    values = jnp.asarray(scores)
    kinds = (jnp.floating, jnp.integer)
    if not any(jnp.issubdtype(values.dtype, kind) for kind in kinds):
        raise TypeError(f"{name}: real numbers are needed, not {values.dtype}")
    return values.astype(jnp.promote_types(values.dtype, jnp.float32))


def as_ids(name: str, ids: Any) -> Int[Array, "..."]:
    """IDs as integers; -1, like any negative one, means none.

    Raises:
        TypeError: for anything but signed integers.
        ValueError: for IDs that JAX would cut to 32 bits.
    """
    check_ids(name, ids)
    return jnp.maximum(jnp.asarray(ids), -1)


def check_ids(name: str, ids: Any) -> None:
    """Look at IDs without moving them to a device.

    Raises:
        TypeError: for anything but signed integers: an unsigned one cannot say "none".
        ValueError: for IDs that JAX would cut to 32 bits.
    """
    dtype = np.dtype(ids.dtype if hasattr(ids, "dtype") else np.asarray(ids).dtype)
    if not jnp.issubdtype(dtype, jnp.signedinteger):
        raise TypeError(f"{name}: signed integers are needed, not {dtype}")
    kept = jax.dtypes.canonicalize_dtype(dtype)
    if isinstance(ids, np.ndarray) and ids.size and dtype.itemsize > kept.itemsize:
        limits = np.iinfo(kept)
        if ids.max() > limits.max or ids.min() < limits.min:
            raise ValueError(f"{name}: IDs must fit {kept}; number them from 0")


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
