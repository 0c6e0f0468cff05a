"""Values of any type, checked where a caller gives them: what cannot be used is an `InputError`."""

import operator
import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from numbers import Real
from pathlib import Path
from typing import Any, TypeVar

from grapher_jax.errors import InputError, shorten

T = TypeVar("T")

_LONGEST_SHOWN = 100
# Array shapes and jitted counters have 32 bits.
_LARGEST = 2**31 - 1
_LARGEST_FLOAT = (2 - 2**-23) * 2.0**127


def shown(value: object) -> str:
    """A value as a message quotes it, in at most 100 characters."""
    try:
        return shorten(repr(value), _LONGEST_SHOWN)
    except Exception:  # noqa: BLE001 - a caller's own, or an integer of too many digits
        return f"<{type(value).__name__}>"


def short_repr(made: object, **told: object) -> str:
    """An object as a line of a session shows it: what is worth telling, each shortened."""
    return f"{type(made).__name__}({', '.join(f'{n}={shown(value)}' for n, value in told.items())})"


def finite(value: object) -> float | None:
    """The value as a float; None where it is no real number, or none that float32 can hold."""
    if not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) <= _LARGEST_FLOAT else None


def check_number(name: str, value: object) -> float:
    """A finite real number that float32 can hold, as a float.

    Raises:
        InputError: naming what it is, for anything else.
    """
    number = finite(value)
    if number is None:
        raise InputError(f"{name}: {shown(value)} must be a finite number that float32 holds")
    return number


def check_count(name: str, value: object, *, least: int = 1, cure: str = "") -> int:
    """An integer of 32 bits that is not below `least`.

    Raises:
        InputError: naming what it is, for anything else, with the cure at the end.
    """
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or number > _LARGEST:
        raise InputError(f"{name}: {shown(value)} must be an integer below 2**31{cure}")
    if number < least:
        raise InputError(f"{name}: {shown(value)} must be at least {least}{cure}")
    return int(number)


def check_list(name: str, value: object, *, of: str) -> list[Any]:
    """The items of any iterable but a string or a mapping.

    Raises:
        InputError: naming what it is and what it should hold, for anything else.
    """
    if isinstance(value, str):
        raise InputError(f"{name}: give a list of {of}, such as [{shown(value)}]")
    if isinstance(value, Iterable) and not isinstance(value, bytes | Mapping):
        with suppress(TypeError):  # an array without dimensions
            return list(value)
    raise InputError(f"{name}: give a list of {of}, not {shown(value)}")


def check_names(name: str, value: object, *, of: str = "names") -> list[str]:
    """The strings of any iterable of them.

    Raises:
        InputError: naming what it is, for anything else.
    """
    names = check_list(name, value, of=of)
    for item in names:
        if not isinstance(item, str):
            raise InputError(
                f"{name}: give a list of {of}, which are strings; {shown(item)} is none"
            )
    return names


def check_choice(name: str, value: object, known: Collection[str]) -> str:
    """One of the known names.

    Raises:
        InputError: naming what it is and what is known, for anything else.
    """
    if not isinstance(value, str) or value not in known:
        raise InputError(f"{name}: {shown(value)} is unknown; use {', '.join(known)}")
    return value


def check_kind(name: str, value: T, kind: Any, needed: str) -> T:
    """The value, where it is of one of these types.

    Raises:
        InputError: naming what it is and what is needed, for anything else.
    """
    if not isinstance(value, kind):
        raise InputError(f"{name}: {needed} is needed, not {shown(value)}")
    return value


def check_text(name: str, value: object, *, cure: str = "") -> str:
    """A string that UTF-8 can hold.

    Raises:
        InputError: naming what it is, for anything else.
    """
    if not isinstance(value, str):
        raise InputError(f"{name} must be a string{cure}, not {shown(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{name} is not UTF-8 text ({error.reason}): {shown(value)}") from error
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
