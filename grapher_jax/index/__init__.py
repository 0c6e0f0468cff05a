"""An indexed corpus, in memory and on disk; `grapher_jax.Index` adds search."""

from grapher_jax.index.data import IndexData
from grapher_jax.index.manifest import FORMAT, read_edges, written
from grapher_jax.index.objects import ParquetObjects
from grapher_jax.index.storage import check_target, merged, rewrite

__all__ = [
    "FORMAT",
    "IndexData",
    "ParquetObjects",
    "check_target",
    "merged",
    "read_edges",
    "rewrite",
    "written",
]
