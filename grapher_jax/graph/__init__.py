"""Metadata as integer arrays, the proximities that they allow, and steps along these."""

from grapher_jax.graph.arrays import (
    EMPTY,
    PROXIMITIES,
    GraphArrays,
    Ragged,
    check_proximities,
)
from grapher_jax.graph.steps import Steps
from grapher_jax.kernels.graphs.entities import MAX_DF

__all__ = [
    "EMPTY",
    "MAX_DF",
    "PROXIMITIES",
    "GraphArrays",
    "Ragged",
    "Steps",
    "check_proximities",
]
