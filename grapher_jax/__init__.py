"""Graph-based reranking for retrieval-augmented generation, in JAX.

`kernels` is pure JAX; everything else is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grapher_jax.corpus import Object, Query
    from grapher_jax.errors import GrapherError, GrapherWarning, InputError
    from grapher_jax.rankers.calibration import Calibration
    from grapher_jax.rankers.explanation import Explanation
    from grapher_jax.rankers.hits import Hit, Hits
    from grapher_jax.rerank import Reranker
    from grapher_jax.search import Index, StoreRetriever

__version__ = "0.1.0"

_HOMES = {
    "Calibration": "rankers.calibration",
    "Explanation": "rankers.explanation",
    "GrapherError": "errors",
    "GrapherWarning": "errors",
    "Hit": "rankers.hits",
    "Hits": "rankers.hits",
    "Index": "search",
    "InputError": "errors",
    "Object": "corpus",
    "Query": "corpus",
    "Reranker": "rerank",
    "StoreRetriever": "search",
}

__all__ = [
    "Calibration",
    "Explanation",
    "GrapherError",
    "GrapherWarning",
    "Hit",
    "Hits",
    "Index",
    "InputError",
    "Object",
    "Query",
    "Reranker",
    "StoreRetriever",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
