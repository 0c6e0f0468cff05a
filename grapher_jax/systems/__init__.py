"""Published methods, each whole: what retrieves, what joins, what ranks.

`SYSTEMS` has those that the package holds all of. `build_llm` has no name there: what ranks is a
language model of your own.
"""

from collections.abc import Callable, Mapping
from typing import Any

from grapher_jax.errors import InputError
from grapher_jax.systems.g_rag import build_g_rag
from grapher_jax.systems.grapher import build_grapher
from grapher_jax.systems.llm import build_llm
from grapher_jax.systems.query_gnn import build_query_gnn
from grapher_jax.systems.system import Retrieval, System

SYSTEMS: Mapping[str, Callable[[], System]] = {
    "grapher": build_grapher,
    "g-rag": build_g_rag,
    "query-gnn": build_query_gnn,
}

__all__ = [
    "SYSTEMS",
    "Retrieval",
    "System",
    "build_g_rag",
    "build_grapher",
    "build_llm",
    "build_query_gnn",
    "choose_system",
    "load_system",
]


def load_system(name: str) -> System:
    """The system of that name, with what the package ships for it.

    Args:
        name: one of `SYSTEMS`.

    Raises:
        InputError: for any other name.
        MissingExtraError: where what runs its network is not installed.
    """
    if name not in SYSTEMS:
        raise InputError(f"system: {name!r} is unknown; use {', '.join(SYSTEMS)}")
    return SYSTEMS[name]()


def choose_system(system: str | System, **given: Any) -> System:
    """The system of that name, or the one given; it decides all but k and the filters.

    Args:
        system: its name, or itself.
        given: by name, what else was asked for; None or False where nothing was.

    Raises:
        InputError: for an unknown name, or where anything was.
    """
    chosen = load_system(system) if isinstance(system, str) else system
    for name, value in given.items():
        if value is not None and value is not False:
            raise InputError(
                f"{name}: the system {chosen.name!r} decides it; leave out one of the two"
            )
    return chosen
