"""Reranking, search and schemas for other programs: over HTTP, and as tools for models."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapher_jax.serve.app import create_app
    from grapher_jax.serve.settings import Settings

__all__ = ["Settings", "create_app"]

_HOMES = {"Settings": "settings", "create_app": "app"}


# The Model Context Protocol does not need the packages for HTTP.
def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
