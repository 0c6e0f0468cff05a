"""Reads JSON as typed values."""

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from grapher_jax.checks import check_count, check_number
from grapher_jax.errors import InputError
from grapher_jax.files import Json, parse_json

JsonObject = dict[str, Json]
T = TypeVar("T")


def read_config(path: Path) -> JsonObject:
    """The settings in a JSON file, or those of the run whose `config.json` it is.

    Raises:
        InputError: if it is not a JSON object.
    """
    try:
        values = parse_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise InputError(f"{path}: malformed JSON ({error})") from error
    if isinstance(values, dict):
        values = values.get("config", values)
    if not isinstance(values, dict):
        raise InputError(f"{path}: a JSON object is needed, not {type(values).__name__}")
    return values


def read_value(needed: type[T], value: object, place: str) -> T:
    """The value as this type; JSON has lists instead of tuples, and integers for whole floats.

    Raises:
        InputError: naming the place, if it has another type, or is a number beyond 32 bits.
    """
    found: T = _read(needed, value, place)
    return found


def _read(needed: Any, value: object, place: str) -> Any:
    """As `read_value`, also for unions and tuples."""
    if is_dataclass(needed) and isinstance(value, Mapping):
        return _read_fields(needed, value, place)
    if get_origin(needed) is tuple and isinstance(value, list | tuple):
        each = get_args(needed)[0]
        return tuple(_read(each, item, f"{place}[{n}]") for n, item in enumerate(value))
    if get_origin(needed) is dict and isinstance(value, dict):
        return value
    if isinstance(needed, types.UnionType):
        if value is None:
            return None
        option = next(option for option in get_args(needed) if option is not types.NoneType)
        return _read(option, value, place)
    if needed is float and type(value) in (int, float):
        return check_number(place, value)
    if needed is int and type(value) is int:
        return check_count(place, value, least=-(2**31))
    if not isinstance(needed, type) or type(value) is not needed:
        raise InputError(f"{place}: {_said(needed)} is needed, not {value!r}")
    return value


def _said(needed: Any) -> str:
    """The name of the type in JSON."""
    if is_dataclass(needed) or get_origin(needed) is dict:
        return "object"
    return "list" if get_origin(needed) else needed.__name__


def _read_fields(needed: Any, values: Mapping[str, object], place: str) -> Any:
    """A dataclass from an object with all required fields and no unknown ones."""
    hints = get_type_hints(needed)
    own = [field for field in fields(needed) if field.init]
    if unknown := sorted(set(values) - {field.name for field in own}):
        raise InputError(f"{place}: {unknown[0]!r} is unknown; use {', '.join(hints)}")
    given = {name: _read(hints[name], v, f"{place}.{name}") for name, v in values.items()}
    lacking = [
        field.name
        for field in own
        if field.default is field.default_factory is MISSING and field.name not in given
    ]
    if lacking:
        raise InputError(f"{place}: {lacking[0]!r} is missing")
    return needed(**given)
