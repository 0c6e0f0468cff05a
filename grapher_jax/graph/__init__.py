"""Metadata as integer arrays, the table of proximities that they allow, and steps along these."""

from grapher_jax.graph.arrays import GraphArrays, check_proximities
from grapher_jax.graph.metadata import Metadata
from grapher_jax.graph.proximities import (
    PROXIMITIES,
    Proximity,
    connecting_keys,
    kernel_table,
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
    "GraphArrays",
    "Metadata",
    "Proximity",
    "Ragged",
    "Steps",
    "check_proximities",
    "connecting_keys",
    "kernel_table",
    "of_keys",
    "references",
    "register",
    "registered",
    "shared_values",
]
