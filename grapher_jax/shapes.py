"""Shapes rounded up to a few sizes, so that compiled programs serve every batch."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy import ndarray

# 200 is the usual number of candidates (GraphER, section 3.1), so it has its own program.
_CANDIDATES = (8, 16, 32, 64, 128, 200, 256)
MAX_BATCH = 1024


def candidate_bucket(n: int) -> int:
    """The padded size for n candidates."""
    return next((size for size in _CANDIDATES if size >= n), power_of_two(n))


def power_of_two(n: int) -> int:
    """The smallest power of two that is at least n, and at least 1."""
    return 1 << max(n - 1, 0).bit_length()


def block_shape(shape: tuple[int, ...]) -> tuple[int, int]:
    """The padded shape of a block of B questions with n candidates each, from `(B, n)`."""
    questions, candidates = shape
    return power_of_two(questions), candidate_bucket(candidates)


def slices(total: int, size: int) -> Iterator[slice]:
    """Slices of at most `size` places each that cover the first `total`, in order."""
    return (slice(start, min(start + size, total)) for start in range(0, total, size))


def batch_within(most: int, each: int) -> int:
    """The largest power of two of rows, of `each` values, that have at most `most` in all.

    At least 1, and at most `MAX_BATCH`.
    """
    return min(MAX_BATCH, 1 << (max(1, most // each).bit_length() - 1))


def coarse_bucket(n: int) -> int:
    """The smallest of 16, 64, 256 and so on that is at least n.

    For sizes that are combined with others in one program, where the numbers of shapes multiply.
    """
    bits = max(n - 1, 0).bit_length()
    return 1 << max(4, bits + bits % 2)


def pad(array: ndarray, shape: tuple[int, ...], fill: Any) -> ndarray:
    """The array padded with `fill` at the end of its first axes, to `shape`."""
    missing = [(0, size - have) for size, have in zip(shape, array.shape, strict=False)]
    missing += [(0, 0)] * (array.ndim - len(shape))
    return np.pad(array, missing, constant_values=fill) if any(m[1] for m in missing) else array
