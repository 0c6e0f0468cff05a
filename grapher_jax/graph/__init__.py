"""Metadata as integer arrays, the table of proximities, and steps along their edges."""

from grapher_jax.graph.arrays import GraphArrays, check_proximities, read_names
from grapher_jax.graph.edges import Edges, check_edges, edge_name, edge_rows, reads_embeddings
from grapher_jax.graph.metadata import Metadata
from grapher_jax.graph.proximities import (
    PROXIMITIES,
    Proximity,
    connecting_keys,
    decides_diffusion,
    kernel_table,
    kernel_weights,
    of_keys,
    references,
    register,
    registered,
    shared_values,
)
from grapher_jax.graph.ragged import EMPTY, Ragged
from grapher_jax.graph.steps import Steps
from grapher_jax.text import MAX_DF

__all__ = [
    "EMPTY",
    "MAX_DF",
    "PROXIMITIES",
    "Edges",
    "GraphArrays",
    "Metadata",
    "Proximity",
    "Ragged",
    "Steps",
    "check_edges",
    "check_proximities",
    "connecting_keys",
    "decides_diffusion",
    "edge_name",
    "edge_rows",
    "kernel_table",
    "kernel_weights",
    "of_keys",
    "read_names",
    "reads_embeddings",
    "references",
    "register",
    "registered",
    "shared_values",
]
