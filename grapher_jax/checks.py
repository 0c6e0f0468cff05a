"""Checks of values that callers give: an unusable value raises `InputError`."""

import operator
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from difflib import get_close_matches
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsFloat, TypeVar
from urllib.parse import urlsplit

from grapher_jax.errors import InputError, shorten

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

_LONGEST_SHOWN = 100
# To compare an unknown name with a million others takes seconds.
_MOST_COMPARED = 5000
# Array shapes and jitted counters have 32 bits.
_LARGEST = 2**31 - 1
_LARGEST_FLOAT = (2 - 2**-23) * 2.0**127


def shown(value: object) -> str:
    """A value as quoted in messages, in at most 100 characters."""
    try:
        return shorten(repr(value), _LONGEST_SHOWN)
    except Exception:  # noqa: BLE001 - a caller's own class, or an integer with too many digits
        return f"<{type(value).__name__}>"


def short_repr(made: object, **told: object) -> str:
    """A one-line representation of an object with the given attributes, each shortened."""
    return f"{type(made).__name__}({', '.join(f'{n}={shown(value)}' for n, value in told.items())})"


def near_name(name: object, known: Collection[str], otherwise: str) -> str:
    """The cure for an unknown name: a question for the most similar name, or `otherwise`.

    Args:
        name: the unknown name.
        known: the possible names; of more than 5,000, none is suggested.
        otherwise: the cure if no name is similar.
    """
    compared = isinstance(name, str) and len(known) <= _MOST_COMPARED
    near = get_close_matches(str(name), known, n=1) if compared else []
    return f"did you mean {near[0]!r}?" if near else otherwise


def finite(value: object) -> float | None:
    """The value as a float; None if it is not a real number that float32 can represent.

    A number may also be an array without dimensions, of NumPy, JAX or PyTorch, or a decimal.
    """
    if not isinstance(value, Real | SupportsFloat) or getattr(value, "shape", False):
        return None
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        return None
    return number if abs(number) <= _LARGEST_FLOAT else None


def check_number(name: str, value: object) -> float:
    """Checks a finite real number that float32 can represent, and returns it as a float.

    Raises:
        InputError: naming the value, for anything else.
    """
    number = finite(value)
    if number is None:
        raise InputError(f"{name}: {shown(value)} must be a finite number that float32 holds")
    return number


def check_share(name: str, value: object) -> float:
    """Checks a fraction in [0, 1], and returns it as a float.

    Raises:
        InputError: naming the value, for anything else.
    """
    number = check_number(name, value)
    if not 0 <= number <= 1:
        raise InputError(f"{name}: {shown(value)} is outside [0, 1]")
    return number


def check_alpha(value: object) -> float:
    """Checks a restart probability, or a weight of one's own score: in (0, 1].

    Raises:
        InputError: naming the value, for anything else.
    """
    number = check_number("alpha", value)
    if not 0 < number <= 1:
        raise InputError(f"alpha: {number} is outside (0, 1]; 1 keeps the retriever's order")
    return number


def check_count(name: str, value: object, *, least: int = 1, cure: str = "") -> int:
    """Checks an integer of 32 bits that is not below `least`.

    Raises:
        InputError: naming the value, for anything else, with the cure at the end.
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


def check_stream(name: str, value: object, *, of: str) -> Iterator[Any]:
    """Checks an iterable other than a string or a mapping, and returns an iterator of its items.

    Raises:
        InputError: naming the value and what it should contain, for anything else.
    """
    if isinstance(value, str):
        raise InputError(f"{name}: give a list of {of}, such as [{shown(value)}]")
    if isinstance(value, Iterable) and not isinstance(value, bytes | Mapping):
        with suppress(TypeError):  # an array without dimensions
            return iter(value)
    raise InputError(f"{name}: give a list of {of}, not {shown(value)}")


def check_list(name: str, value: object, *, of: str) -> list[Any]:
    """A list of the items of what `check_stream` accepts.

    Raises:
        InputError: naming the value and what it should contain, for anything else.
    """
    return list(check_stream(name, value, of=of))


def check_unused(options: "DataclassInstance", told: str) -> None:
    """Checks that a dataclass of options that would be ignored has its defaults.

    Raises:
        InputError: naming an option that differs and its value, with what is told.
    """
    for field in fields(options):
        value = getattr(options, field.name)
        if value != field.default:
            raise InputError(f"{field.name}: {shown(value)} is {told}; leave it out")


def check_names(name: str, value: object, *, of: str = "names") -> list[str]:
    """Checks an iterable of strings, and returns them.

    Raises:
        InputError: naming the value, for anything else.
    """
    names = check_list(name, value, of=of)
    for item in names:
        if not isinstance(item, str):
            raise InputError(
                f"{name}: give a list of {of}, which are strings; {shown(item)} is none"
            )
    return names


def check_choice(name: str, value: object, known: Collection[str]) -> str:
    """Checks that a value is one of the known names.

    Raises:
        InputError: naming the value and the known names, for anything else.
    """
    if not isinstance(value, str) or value not in known:
        raise InputError(f"{name}: {shown(value)} is unknown; use {', '.join(known)}")
    return value


def check_kind(name: str, value: T, kind: Any, needed: str) -> T:
    """Checks that a value has one of these types.

    Raises:
        InputError: naming the value and the needed type, for anything else.
    """
    if not isinstance(value, kind):
        raise InputError(f"{name}: {needed} is needed, not {shown(value)}")
    return value


def check_text(name: str, value: object, *, cure: str = "") -> str:
    """Checks a string that UTF-8 can encode.

    Raises:
        InputError: naming the value, for anything else.
    """
    if not isinstance(value, str):
        raise InputError(f"{name} must be a string{cure}, not {shown(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{name} is not UTF-8 text ({error.reason}): {shown(value)}") from error
    return value


def check_url(name: str, value: object, *, like: str, key: str, query: bool = False) -> str:
    """Checks an http URL without name and password, and returns it.

    Args:
        name: the name of the argument, for messages.
        value: the URL.
        like: an example.
        key: the environment variable for the secret.
        query: whether something may come after a `?`.

    Raises:
        InputError: for anything else; a value that may hold a secret is not shown.
    """
    url = check_text(name, value, cure=f" like {like}")
    if "@" in url:
        raise InputError(f"{name}: a URL must hold no name or password; set {key}")
    if "?" in url and not query:
        raise InputError(f"{name}: a URL must end before the ?; a key comes from {key}")
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        valid = False
    if not valid or not url.isascii() or not url.isprintable() or " " in url:
        # What comes after a ? may be a key.
        raise InputError(f"{name}: {shown(url.partition('?')[0])} is no URL like {like}")
    return url


def check_path(name: str, value: object) -> Path:
    """Checks a path that the system can look up, whether or not something exists there.

    Raises:
        InputError: naming the value, for anything else: a name that is too long, or has a NUL.
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
