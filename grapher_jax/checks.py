"""Values of any type, checked where a caller gives them: what cannot be used is an `InputError`."""

import math
import os
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from grapher_jax.errors import InputError

_LONGEST_SHOWN = 100
# Array shapes and jitted counters have 32 bits.
_LARGEST = 2**31 - 1


def shown(value: object) -> str:
    """A value as a message quotes it, in at most 100 characters."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a caller's own, or an integer of too many digits
        return f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def finite(value: object) -> float | None:
    """The value as a float; None where it is no real number, or none that a float can hold."""
    if not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def check_number(name: str, value: object) -> float:
    """A finite real number as a float.

    Raises:
        InputError: naming what it is, for anything else.
    """
    number = finite(value)
    if number is None:
        raise InputError(f"{name}: {shown(value)} must be a finite number")
    return number


def check_count(name: str, value: object, *, least: int = 1, cure: str = "") -> int:
    """An integer of 32 bits that is not below `least`.

    Raises:
        InputError: naming what it is, for anything else, with the cure at the end.
    """
    if not isinstance(value, Integral) or isinstance(value, bool) or value > _LARGEST:
        raise InputError(f"{name}: {shown(value)} must be an integer below 2**31{cure}")
    if value < least:
        raise InputError(f"{name}: {shown(value)} must be at least {least}{cure}")
    return int(value)


def check_list(name: str, value: object, *, of: str) -> list[Any]:
    """The items of any iterable but a string or a mapping.

    Raises:
        InputError: naming what it is and what it should hold, for anything else.
    """
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
        try:
            return list(value)
        except TypeError:  # such as an array without dimensions
            pass
    raise InputError(f"{name}: give a list of {of}, not {shown(value)}")


def check_text(name: str, value: object) -> str:
    """A string that UTF-8 can hold.

    Raises:
        InputError: naming what it is, for anything else.
    """
    if not isinstance(value, str):
        raise InputError(f"{name}: {shown(value)} must be a string")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{name}: {shown(value)} is not UTF-8 text ({error.reason})") from error
    return value


def check_path(name: str, value: object) -> Path:
    """A path that the system can look up, whether something is there or not.

    Raises:
        InputError: naming what it is, for anything else: a name that is too long, or has a NUL.
    """
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"{name}: {shown(value)} must be a path")
    try:
        path = Path(value)
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return path
    except (OSError, ValueError, TypeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{name}: {shown(value)} cannot be a path ({reason})") from error
    return path
