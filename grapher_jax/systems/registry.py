"""The systems, by name."""

from collections.abc import Callable, Mapping
from typing import Any

from grapher_jax.checks import check_choice, check_kind
from grapher_jax.errors import InputError
from grapher_jax.systems.g_rag.system import build_g_rag
from grapher_jax.systems.grapher.system import build_grapher
from grapher_jax.systems.keyword_graph.system import build_keyword_graph
from grapher_jax.systems.query_gnn.system import build_query_gnn
from grapher_jax.systems.system import System

SYSTEMS: Mapping[str, Callable[[], System]] = {
    "grapher": build_grapher,
    "g-rag": build_g_rag,
    "keyword-graph": build_keyword_graph,
    "query-gnn": build_query_gnn,
}


def load_system(name: str, *, cross_encoder: str | None = None) -> System:
    """The system with this name, with the weights included in the package.

    Args:
        name: one of `SYSTEMS`.
        cross_encoder: for `keyword-graph`, see `build_keyword_graph`.

    Raises:
        InputError: for any other name, or a cross-encoder for another system.
        MissingExtraError: if the packages for its network are not installed.
    """
    check_choice("system", name, SYSTEMS)
    if cross_encoder is not None:
        if name != "keyword-graph":
            raise InputError(f"cross-encoder: of keyword-graph alone; {name!r} has none")
        return build_keyword_graph(cross_encoder=cross_encoder)
    return SYSTEMS[name]()


def choose_system(
    system: str | System, *, cross_encoder: str | None = None, **given: Any
) -> System:
    """The system with this name, or the given one; it decides everything except k and filters.

    Args:
        system: its name, or the system itself.
        cross_encoder: for a name, see `load_system`.
        given: other given options by name; None or False if not given.

    Raises:
        InputError: for an unknown name, or if any other option was given.
    """
    if isinstance(system, str):
        system = load_system(system, cross_encoder=cross_encoder)
    else:
        given |= {"cross_encoder": cross_encoder}
    check_kind("system", system, System, "a system or its name")
    for name, value in given.items():
        if value is not None and value is not False:
            raise InputError(
                f"{name}: the system {system.name!r} decides it; leave out one of the two"
            )
    return system
