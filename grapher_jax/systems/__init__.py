"""Complete published methods: a retriever, a graph and a ranker each.

`SYSTEMS` lists the systems that are complete in the package. `build_llm` is not listed there,
because it needs a language model of your own.
"""

from grapher_jax.systems.g_rag.system import build_g_rag
from grapher_jax.systems.grapher.system import build_grapher
from grapher_jax.systems.keyword_graph.system import KeywordRetrieval, build_keyword_graph
from grapher_jax.systems.llm.system import build_llm
from grapher_jax.systems.networks import load_weights, save_weights
from grapher_jax.systems.query_gnn.system import build_query_gnn
from grapher_jax.systems.registry import SYSTEMS, choose_system, load_system
from grapher_jax.systems.system import Finder, Retrieval, System

__all__ = [
    "SYSTEMS",
    "Finder",
    "KeywordRetrieval",
    "Retrieval",
    "System",
    "build_g_rag",
    "build_grapher",
    "build_keyword_graph",
    "build_llm",
    "build_query_gnn",
    "choose_system",
    "load_system",
    "load_weights",
    "save_weights",
]
