"""Checks of arguments before anything runs: dtypes, shapes and values.

Dtypes and shapes are checked for every array. Values are checked only if they are concrete and on
the CPU: NumPy arrays, numbers, and JAX arrays in CPU memory. Values that are traced, on an
accelerator or spread over devices are not checked, because the program would have to wait for them.
For those, IDs below -1 mean none, and a query with values that are not finite, or an α outside
(0, 1], does not converge. Negative weights of edges are then not noticed.
"""

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int
from numpy import ndarray

# As float64: NumPy would round a Python float to the other operand's precision.
_LARGEST_32, _LARGEST_64 = np.float64(np.finfo(np.float32).max), np.finfo(np.float64).max
_ABOVE_0 = np.nextafter(np.float64(0), 1)
# A smaller number may be flushed to 0 in a compiled program.
_SMALLEST_32 = np.float64(np.finfo(np.float32).smallest_normal)


def as_scores(name: str, scores: object) -> Float[Array, "..."]:
    """The scores as float32 or wider, in which the fixed points are solved.

    Raises:
        TypeError: for anything but real numbers.
    """
    values = jnp.asarray(without_integers(name, scores))
    return values.astype(jnp.promote_types(values.dtype, jnp.float32))


def without_integers(name: str, scores: object) -> Array | ndarray:
    """The scores, integers as floats: JAX would first cut 64-bit integers to 32 bits.

    Raises:
        TypeError: for anything but real numbers.
    """
    _largest(name, scores)
    given: Array | ndarray = (
        scores if isinstance(scores, jax.Array | ndarray) else np.asarray(scores)
    )
    widest = jax.dtypes.canonicalize_dtype(np.float64)
    return given.astype(widest) if given.dtype.kind in "iu" else given


def as_number(value: object, scores: Array | ndarray) -> Array | ndarray:
    """A number, or an array of them, in the precision in which the scores are ranked.

    So a number of any type uses the same program.
    """
    dtype = jnp.promote_types(jax.dtypes.canonicalize_dtype(scores.dtype), jnp.float32)
    if not isinstance(value, jax.Array):
        return np.asarray(value, dtype)
    return value if value.dtype == dtype and not value.weak_type else jnp.asarray(value, dtype)


def as_ids(name: str, ids: object, mask: object = None) -> Int[Array, "..."]:
    """IDs as integers, where -1 means none; arguments and errors as in `check_ids`."""
    check_ids(name, ids, mask)
    return jnp.maximum(jnp.asarray(ids), -1)


def check_ids(name: str, ids: object, mask: object = None, *, highest: int | None = None) -> None:
    """Checks IDs without moving them to a device.

    Args:
        name: the name of the argument, for messages.
        ids: integers, -1 for none.
        mask: over the leading dimensions of `ids`, false where IDs are not checked.
        highest: the largest valid ID; by default the largest that JAX can hold.

    Raises:
        TypeError: for anything but signed integers: an unsigned integer cannot represent "none".
        ValueError: for IDs below -1 or above the highest.
    """
    dtype = _dtype(name, ids)
    if dtype.kind != "i":
        raise TypeError(f"{name}: signed integers are needed, not {dtype}")
    if highest is None and dtype.itemsize > 4:
        highest = np.iinfo(jax.dtypes.canonicalize_dtype(dtype)).max
    cure = "is no ID here; -1 stands for none, and the others are numbered from 0"
    if highest is not None:
        cure += f" to {highest}"
    _check_range(name, ids, -1, highest, cure, mask)


def check_places(name: str, places: object, size: int) -> None:
    """Checks integers that are indices into `size` items, or -1 for none.

    Raises:
        TypeError: for anything but signed integers.
        ValueError: for any other number.
    """
    dtype = _dtype(name, places)
    if dtype.kind != "i":
        raise TypeError(f"{name}: signed integers are needed, not {dtype}")
    _check_range(name, places, -1, size - 1, f"is out of range; use -1 to {size - 1}")


def check_scores(name: str, scores: object, mask: object = None) -> None:
    """Checks numbers that may have any size and sign.

    Raises:
        TypeError: for anything but real numbers.
        ValueError: for one that is not finite, unless masked, and for a number that is no array.
    """
    if not np.shape(scores):  # type: ignore[call-overload]
        raise ValueError(f"{name}: one number; give an array with one for each candidate")
    largest = _largest(name, scores)
    cure = "is no finite number; give one, or mask the candidate"
    _check_range(name, scores, -largest, largest, cure, mask)


def check_weights(name: str, weights: object, mask: object = None) -> None:
    """Checks numbers that must not be negative.

    Raises:
        TypeError: for anything but real numbers.
        ValueError: for one that is negative or not finite, unless masked.
    """
    if isinstance(weights, float) and 0 <= weights < 1e38:
        return
    if hasattr(weights, "todense"):
        raise TypeError(
            f"{name}: a sparse matrix is not read; give its todense(), or its entries as "
            "WeightedEdges(columns, rows, data)"
        )
    _check_range(name, weights, 0.0, _largest(name, weights), "is outside [0, ∞)", mask)


def check_alpha(alpha: object) -> None:
    """Checks an α, a number or an array of them.

    Raises:
        TypeError: for anything but real numbers.
        ValueError: outside (0, 1].
    """
    if alpha is None or (isinstance(alpha, float) and 0 < alpha <= 1):
        return
    _largest("alpha", alpha)
    _check_range("alpha", alpha, _ABOVE_0, 1.0, "is outside (0, 1]")


def check_diffusion(
    ranker: str, temperature: object, gap_part: object, least_degree: object
) -> None:
    """Checks the numbers that only diffusion has; None for its own.

    Raises:
        TypeError: for anything but real numbers.
        ValueError: if one is given for another ranker, a temperature or part of the gap that is not
            finite and above 0, and a least degree that is negative or not finite.
    """
    given = {"temperature": temperature, "gap_part": gap_part, "least_degree": least_degree}
    for name, number in given.items():
        if number is not None and ranker != "diffusion":
            raise ValueError(
                f"{name}: of the ranker 'diffusion'; {ranker!r} has none; leave it out"
            )
    for name in ("temperature", "gap_part"):
        if (number := given[name]) is not None:
            largest = _largest(name, number)
            _check_range(name, number, _SMALLEST_32, largest, "is no number above 0")
    if least_degree is not None:
        check_weights("least_degree", least_degree)


def check_share(name: str, share: object) -> None:
    """Checks a fraction, a number or an array of them.

    Raises:
        TypeError: for anything but real numbers.
        ValueError: outside [0, 1].
    """
    _largest(name, share)
    _check_range(name, share, 0.0, 1.0, "is outside [0, 1]; give a number from 0 to 1")


def check_order(name: str, low: object, high: object) -> None:
    """Checks that no number is above the one that belongs to it, if both can be checked.

    Raises:
        ValueError: for one that is.
    """
    lows, highs = _at_hand(low), _at_hand(high)
    if lows is None or highs is None:
        return
    if (above := lows > highs).any():
        lows, highs = (np.broadcast_to(one, above.shape)[above] for one in (lows, highs))
        raise ValueError(f"{name}: {lows[0]} is above {highs[0]}; give the lower one first")


def check_count(name: str, count: object) -> None:
    """Checks a number of results or steps, which programs hold in 32 bits.

    Raises:
        ValueError: for anything but an integer from 1 to 2147483647.
    """
    if isinstance(count, jax.core.Tracer):
        raise ValueError(
            f"{name}: a program is compiled for one; give a number that is not traced, as by jit's "
            "static_argnames"
        )
    if not isinstance(count, int | np.integer) or not 1 <= count < 2**31:
        raise ValueError(f"{name}: {count!r} must be at least 1, and an integer of 32 bits")


def check_mask(mask: object, shape: tuple[int, ...]) -> None:
    """Checks a mask, if there is one.

    Raises:
        TypeError: for anything but Booleans.
        ValueError: if its shape is not that of the candidates.
    """
    if mask is None:
        return
    check_truth("mask", mask)
    check_shape("mask", mask, shape)


def check_truth(name: str, array: object) -> None:
    """Checks that an array is Boolean: `~` and `&` mean other things for integers.

    Raises:
        TypeError: for anything else.
    """
    dtype = _dtype(name, array)
    if dtype != np.bool_:
        raise TypeError(f"{name}: truth values are needed, not {dtype}; try {name} != 0")


def check_own(name: str, number: object, batch: tuple[int, ...]) -> None:
    """Checks a number that is one for all queries, or one for each, but not its value.

    Raises:
        TypeError: for anything but real numbers.
        ValueError: for any other shape.
    """
    _largest(name, number)
    shape = np.shape(number)  # type: ignore[call-overload]
    if not _fits(shape, batch):
        raise ValueError(
            f"{name}: shape {shape} does not fit; give one number, or one for each query: {batch}"
        )


def check_shape(name: str, array: object, expected: tuple[int | None, ...]) -> None:
    """Compares a shape with the expected one, in which None stands for any size.

    Raises:
        ValueError: if it differs.
    """
    found = np.shape(array)  # type: ignore[call-overload]  # also for lists and numbers
    if len(found) != len(expected) or any(
        want not in (None, have) for have, want in zip(found, expected, strict=True)
    ):
        wanted = ", ".join("any" if size is None else str(size) for size in expected)
        raise ValueError(f"{name}: shape {found} does not fit; it must be ({wanted})")


def check_fit(name: str, array: object, batch: Sequence[int] | None, *own: int | None) -> None:
    """Checks a shape `(*B, *own)`, where B is that of a batch or has fewer dimensions, or 1, there.

    Args:
        name: the name of the argument, for messages.
        array: one array for all queries of a batch, or one for each.
        batch: the shape of the batch; None for any.
        own: the sizes of the last dimensions; None for any.

    Raises:
        ValueError: if it does not fit.
    """
    leading: Sequence[int] = np.shape(array)[: -len(own)]  # type: ignore[call-overload]
    if batch is not None and not _fits(leading, batch):
        leading = batch
    check_shape(name, array, (*leading, *own))


def _fits(shape: Sequence[int], batch: Sequence[int]) -> bool:
    """Whether a shape broadcasts to that of a batch."""
    pairs = zip(shape[::-1], batch[::-1], strict=False)
    return len(shape) <= len(batch) and all(size in (want, 1) for size, want in pairs)


def where_used(*ids: object) -> Callable[[], ndarray | None]:
    """A mask for `check_weights` that is computed only if a weight is wrong.

    It is true where all IDs are 0 or above, and None if they cannot be checked.
    """

    def used() -> ndarray | None:
        known = [_at_hand(own) for own in ids]
        if any(own is None for own in known):
            return None
        return np.logical_and.reduce([own >= 0 for own in known if own is not None])

    return used


def _check_range(
    name: str,
    array: object,
    lowest: int | float,
    highest: int | float | None,
    complaint: str,
    mask: object = None,
) -> None:
    values = _at_hand(array)
    if values is None or not values.size:
        return
    # A fast vectorised check first; details only on failure. NaN is in no range.
    low = np.minimum.reduce(values, axis=None) >= lowest
    if low and (highest is None or np.maximum.reduce(values, axis=None) <= highest):
        return
    bad = ~(values >= lowest)
    if highest is not None:
        bad |= ~(values <= highest)
    if mask is not None:
        valid = mask() if callable(mask) else _at_hand(mask)
        if valid is None:
            return
        bad &= valid.reshape(valid.shape + (1,) * (bad.ndim - valid.ndim))
    if bad.any():
        place = [int(i) for i in np.argwhere(bad)[0]]
        where = f" at {place}" if place else ""
        raise ValueError(f"{name}: {values[tuple(place)]}{where} {complaint}")


def _at_hand(array: object) -> ndarray | None:
    """The values as a view; None if looking at them would be impossible or slow."""
    if isinstance(array, ndarray):
        return array
    if isinstance(array, jax.core.Tracer):
        return None
    if isinstance(array, jax.Array):
        devices = array.devices()
        if len(devices) > 1 or next(iter(devices)).platform != "cpu":
            return None
    return np.asarray(array)


def _dtype(name: str, array: object) -> np.dtype[np.generic]:
    dtype = array.dtype if hasattr(array, "dtype") else np.asarray(array).dtype
    try:
        known = np.dtype(dtype)
    except TypeError:  # other libraries' arrays, such as torch's
        cure = f"give a NumPy or JAX array, such as numpy.asarray({name})"
        raise TypeError(f"{name}: {dtype} is no dtype of NumPy or JAX; {cure}") from None
    if not known.isnative:
        cure = f"give {name}.astype({name}.dtype.newbyteorder('='))"
        raise TypeError(f"{name}: its bytes are in the order of other machines; {cure}")
    return known


def _largest(name: str, numbers: object) -> np.float64:
    """The largest number of the precision in which these numbers will be computed."""
    dtype = _dtype(name, numbers)
    # Extension types, such as bfloat16, have no kind that NumPy knows.
    if dtype.kind not in "fiu" and not jnp.issubdtype(dtype, jnp.floating):
        cure = f"; try {name}.astype(float)" if dtype == np.bool_ else ""
        raise TypeError(f"{name}: real numbers are needed, not {dtype}{cure}")
    wide = dtype.itemsize > 4 and jax.dtypes.canonicalize_dtype(dtype).itemsize > 4
    return _LARGEST_64 if wide else _LARGEST_32
