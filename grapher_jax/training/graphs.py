"""Candidate graphs as jraph's `GraphsTuple`, the form in which JAX libraries exchange graphs."""

import jraph
import numpy as np

from grapher_jax.training.candidates import CandidateBatch


def to_graphs_tuple(batch: CandidateBatch) -> jraph.GraphsTuple:
    """One graph per question, with the real candidates as nodes and their neighbours as edges.

    Nodes are numbered without masked candidates between them.

    Nodes have `scores`, `smoothed`, `objects`, `degrees` and, where the batch has them, `words`,
    `meanings` and `scalars`; graphs have `questions`; an edge leads from the neighbour (`senders`)
    to the candidate (`receivers`).
    """
    mask, neighbors = np.asarray(batch.mask), np.asarray(batch.neighbors)
    numbers = (np.cumsum(mask) - 1).reshape(mask.shape)
    query, targets, slot = np.nonzero((neighbors >= 0) & mask[..., None])
    sources = neighbors[query, targets, slot]
    real = mask[query, sources]
    given = ((name, getattr(batch, name)) for name in _NODES)
    nodes = {name: np.asarray(values)[mask] for name, values in given if values is not None}
    return jraph.GraphsTuple(
        nodes=nodes,
        edges=None,
        senders=numbers[query, sources][real],
        receivers=numbers[query, targets][real],
        globals={"questions": np.asarray(batch.questions)},
        n_node=mask.sum(-1),
        n_edge=np.bincount(query[real], minlength=len(mask)),
    )


def from_graphs_tuple(
    graphs: jraph.GraphsTuple, *, candidates: int, neighbors: int
) -> CandidateBatch:
    """Restores the padded batch from `to_graphs_tuple`, with all padding at the end.

    Args:
        graphs: one per question, without padding of their own; nodes have features of the names
            that `to_graphs_tuple` gives.
        candidates: the padded number of candidates.
        neighbors: the padded number of a candidate's neighbours.

    Raises:
        ValueError: if a graph has more nodes, a node has more neighbours, or a feature another
            name.
    """
    if unknown := sorted({*graphs.nodes} - {*_NODES}):
        raise ValueError(f"graphs: {unknown[0]!r} is no feature of nodes; use {', '.join(_NODES)}")
    n_node, receivers = np.asarray(graphs.n_node), np.asarray(graphs.receivers)
    degrees = np.bincount(receivers, minlength=n_node.sum())
    if n_node.max(initial=0) > candidates or degrees.max(initial=0) > neighbors:
        raise ValueError(
            f"graphs: up to {n_node.max()} nodes and {degrees.max()} neighbours, which do not fit "
            f"{candidates} candidates with {neighbors}"
        )
    mask = np.arange(candidates) < n_node[:, None]

    def padded(values: np.ndarray) -> np.ndarray:
        array = np.zeros((*mask.shape, *values.shape[1:]), values.dtype)
        array[mask] = values
        return array

    order = np.argsort(receivers, kind="stable")
    slots = np.arange(len(order)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
    starts = np.repeat(np.cumsum(n_node) - n_node, n_node)
    listed = np.full((n_node.sum(), neighbors), -1, np.int32)
    listed[receivers[order], slots] = (np.asarray(graphs.senders) - starts[receivers])[order]
    return CandidateBatch(
        **{name: padded(np.asarray(values)) for name, values in graphs.nodes.items()},
        questions=np.asarray(graphs.globals["questions"]),
        neighbors=np.where(mask[..., None], padded(listed), -1),
        mask=mask,
    )


_NODES = ("scores", "smoothed", "objects", "degrees", "words", "meanings", "scalars")
