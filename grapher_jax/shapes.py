"""Shapes rounded up to a few sizes, so that programs compiled once serve every batch."""

from typing import Any

import numpy as np
from numpy import ndarray

# 200 is what a retriever returns (GraphER, section 3.1), and worth a program of its own.
_CANDIDATES = (8, 16, 32, 64, 128, 200, 256)
MAX_BATCH = 1024


def candidate_bucket(n: int) -> int:
    """The padded number of candidates for n of them."""
    return next((size for size in _CANDIDATES if size >= n), power_of_two(n))


def power_of_two(n: int) -> int:
    """The smallest power of two that is at least n, and at least 1."""
    return 1 << max(n - 1, 0).bit_length()


def coarse_bucket(n: int) -> int:
    """The smallest of 16, 64, 256 and so on that is at least n.

    For sizes that meet others in one program, whose numbers multiply.
    """
    bits = max(n - 1, 0).bit_length()
    return 1 << max(4, bits + bits % 2)


def pad(array: ndarray, shape: tuple[int, ...], fill: Any) -> ndarray:
    """The array grown at the end of its first axes to `shape`, filled with `fill`."""
    missing = [(0, size - have) for size, have in zip(shape, array.shape, strict=False)]
    missing += [(0, 0)] * (array.ndim - len(shape))
    return np.pad(array, missing, constant_values=fill) if any(m[1] for m in missing) else array
