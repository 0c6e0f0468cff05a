"""Graphs of documents that share concepts, with two features per edge (G-RAG, section 3).

Additional shape letters: `c` concept slots, `t` triple slots, `l` features of an edge, `w` features
of a node.
"""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax.kernels.checks import as_ids, check_mask, check_shape, check_truth
from grapher_jax.kernels.graphs.entities import shared_counts
from grapher_jax.kernels.masking import reciprocal
from grapher_jax.kernels.types import Mask

Edges = Float[Array | ndarray, "*B n n l"]


def document_edges(
    concept_ids: Int[Array | ndarray, "*B n c"],
    triple_ids: Int[Array | ndarray, "*B n t"],
    *,
    mask: Mask | None = None,
) -> Float[Array, "*B n n 2"]:
    """The normalised numbers of concepts and of triples that each two documents share.

    Equation 6. The paper normalises the first and the second axis: here each feature is divided by
    its sum over the first axis, then by its sum over the second, so that the weights of the
    messages to a document sum to 1.

    Args:
        concept_ids: `[*B, n, c]` the concepts of each document, -1 where unused.
        triple_ids: `[*B, n, t]` its relations between concepts, -1 where unused.
        mask: `[*B, n]` true for valid documents.

    Returns:
        `[*B, n, n, 2]` float32 where documents share a concept; 0 elsewhere and on the diagonal.

    Raises:
        TypeError: for ids that are not integers, or a mask that is not Boolean.
        ValueError: for shapes that do not fit, and unmasked ids below -1, if `checks` can see them.
    """
    check_mask(mask, documents := np.shape(concept_ids)[:-1])
    check_shape("triple_ids", triple_ids, (*documents, None))
    named = {"concept_ids": concept_ids, "triple_ids": triple_ids}
    counts = [shared_counts(as_ids(name, ids, mask)) for name, ids in named.items()]
    joined = counts[0] > 0
    if mask is not None:
        valid = jnp.asarray(mask)
        joined &= valid[..., :, None] & valid[..., None, :]
    edges = jnp.where(joined[..., None], jnp.stack(counts, -1), 0.0)
    for axis in (-3, -2):
        edges = edges * reciprocal(edges.sum(axis, keepdims=True))
    return edges


def connected(edges: Edges) -> Bool[Array, "*B n n"]:
    """`[*B, n, n]` which documents are joined; needed because equation 9 may set a feature to 0."""
    return (jnp.asarray(edges) != 0).any(-1)


def mean_messages(
    values: Float[Array | ndarray, "*B n w"], edges: Edges, joined: Bool[Array | ndarray, "*B n n"]
) -> Float[Array, "*B n w"]:
    """The messages to every document (equations 7 and 8).

    The message to a document is the mean over its neighbours of value × edge features. Values of a
    document that is nobody's neighbour, such as padding, are not read.

    Args:
        values: `[*B, n, w]`.
        edges: `[*B, n, n, l]`.
        joined: `[*B, n, n]` which documents are neighbours.

    Returns:
        `[*B, n, w]`; 0 for documents without neighbours.

    Raises:
        TypeError: for a `joined` that is not Boolean.
        ValueError: for shapes that do not fit.
    """
    _check_joined(edges, joined)
    check_shape("values", values, (*np.shape(joined)[:-1], None))
    weights = jnp.where(joined, jnp.asarray(edges).sum(-1), 0.0)
    shares = weights * _share(jnp.asarray(joined))
    heard = jnp.where(_is_heard(joined)[..., None], jnp.asarray(values), 0.0)
    return jnp.matmul(shares, heard, precision="highest")


def mean_edges(edges: Edges, joined: Bool[Array | ndarray, "*B n n"]) -> Float[Array, "*B n n l"]:
    """`[*B, n, n, l]` the mean of the edges to every document's neighbours (equation 9).

    Raises:
        TypeError: for a `joined` that is not Boolean.
        ValueError: for shapes that do not fit.
    """
    _check_joined(edges, joined)
    share = _share(jnp.asarray(joined))
    shares = jnp.asarray(joined, share.dtype) * share
    heard = jnp.where(_is_heard(joined)[..., None, None], jnp.asarray(edges), 0.0)
    return jnp.einsum("...vu,...ujl->...vjl", shares, heard, precision="highest")


def _check_joined(edges: Edges, joined: Bool[Array | ndarray, "*B n n"]) -> None:
    check_truth("joined", joined)
    check_shape("joined", joined, np.shape(edges)[:-1])


def _is_heard(joined: Bool[Array | ndarray, "*B n n"]) -> Bool[Array, "*B n"]:
    """Which documents are neighbours of any."""
    return jnp.asarray(joined).any(-2)


def _share(joined: Bool[Array, "*B n n"]) -> Float[Array, "*B n 1"]:
    return reciprocal(joined.sum(-1, keepdims=True).astype(jnp.float32))
