"""How the tests call the program by the way that it shall take."""

import inspect
from dataclasses import fields

from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.program.reranking import rerank_relations

METADATA = [field.name for field in fields(Relations)]
# Without the tests' own type checks, which would speak before those of the program.
_rerank = inspect.unwrap(rerank_relations)


def rerank_by(way, scores, **given):
    """`kernels.rerank` by one of the functions of `program.ways`."""
    relations = Relations(**{name: given.pop(name) for name in METADATA if name in given})
    return _rerank(scores, relations, way=way, **given)
