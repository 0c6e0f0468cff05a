"""How the tests check types: jaxtyping asks beartype about each call, at its begin and at its end."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from beartype import BeartypeConf, beartype

CHECKED: dict[object, Callable[..., Any]] = {}
_check = beartype(conf=BeartypeConf(violation_type=TypeError))


def check(asked: Callable[..., Any]) -> Callable[..., Any]:
    """What `beartype` makes of it, with less to do.

    What is asked at the end of a call names its arguments again, which have been checked. And a
    function inside of another is asked about whenever the other is called.
    """
    result = asked.__annotations__.get("return", Any)
    if result is not Any:
        asked.__annotations__ = {"return": result}
    about = (asked.__module__, asked.__qualname__, asked.__code__, *asked.__annotations__.items())
    with suppress(TypeError):  # some annotations have no hash
        if about not in CHECKED:
            CHECKED[about] = _when_called(asked)
        return CHECKED[about]
    return _check(asked)


def _when_called(asked: Callable[..., Any]) -> Callable[..., Any]:
    """Most functions that a process imports are never called in it."""

    def first(*arguments: Any, **options: Any) -> Any:
        made = _check(asked)
        checked.__setstate__((made, (), {}, {}))  # from now on, without this function
        return made(*arguments, **options)

    checked = partial(first)
    return checked
