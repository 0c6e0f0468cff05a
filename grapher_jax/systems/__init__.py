"""Published methods, each whole: what retrieves, what joins, what ranks."""

from typing import Any


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "registry":
        raise AttributeError(name)
    registry = import_module("grapher_jax.systems.registry")
    if name in registry.__all__:
        return getattr(registry, name)
    raise AttributeError(name)
