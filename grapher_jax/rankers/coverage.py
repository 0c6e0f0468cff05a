"""A ranking in which objects rise by the words that the first one lacks."""

from collections.abc import Sequence

import numpy as np

from grapher_jax import kernels
from grapher_jax.graph import EMPTY
from grapher_jax.kept_programs import kept_jit
from grapher_jax.rankers.running import Order, at_places, best_of, blocks, joined_blocks
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.shapes import block_shape, pad

_cover_words = kept_jit(kernels.cover_words, static_argnames=("k",))
# A smaller share of the best score counts as this one: its logarithm would only widen the scale.
_LEAST = 1e-6
# Where a smaller part of the objects is joined, few questions have two that belong together.
_LEAST_JOINED = 0.1
# The words of this many candidates take 8 MB.
_AT_ONCE = 1 << 18


def joins_many(collection: Collection, proximities: Sequence[str], *, max_df: int | None) -> bool:
    """Whether proximities join at least a tenth of a collection to others; computed once."""
    part = collection.kept.get(_joined_part, collection, tuple(proximities), max_df)
    return part >= _LEAST_JOINED


def _joined_part(collection: Collection, proximities: Sequence[str], max_df: int | None) -> float:
    graph = collection.graph
    joined = np.zeros(len(collection.ids), bool)
    for name in proximities:
        *before, last = graph.rows[name].steps(graph, max_df or len(joined))
        leads = last.filled
        for step in reversed(before):
            leading = leads[step.values]
            leads = np.zeros(len(step.filled), bool)
            leads[step.owners[leading]] = True
        joined |= leads
    return float(joined.mean())


def covered(
    collection: Collection, candidates: Candidates, order: Order, *, shares: bool, k: int
) -> Order:
    """The best k by `kernels.cover_words` with its defaults.

    If the first result is a chunk, it counts as having the words of all candidates of its document.

    Args:
        collection: the collection of which candidates are rows, which counts words.
        candidates: the candidates that were ranked.
        order: the order of all of them.
        shares: whether the scores are shares of 1, which are compared by their logarithms and
            stay shares.
        k: how many results.
    """
    parts, tiny = [], np.finfo(np.float32).tiny
    for block in blocks(candidates, _AT_ONCE):
        positions, scores = order.positions[block], order.scores[block]
        rows = at_places(candidates.rows[block], positions)
        questions = [query.text for query in candidates.questions[block]]
        has, rarity = collection.words_in(questions, rows)
        # Chunks of one document name its subject once; else each would lack what another has.
        documents = collection.graph.pick("document_ids", rows)
        of_first = (documents == documents[:, :1]) & (documents != EMPTY)
        has[:, :1] |= (has & of_first[..., None]).any(axis=1, keepdims=True)
        n, words = has.shape[1:]
        shape = block_shape((len(rows), n))
        whole = np.maximum(scores, 0.0).sum(axis=1, keepdims=True)
        if shares:
            best = scores.max(axis=1, keepdims=True, initial=tiny)
            scores = np.log(np.maximum(scores, _LEAST * best))
        top = _cover_words(
            pad(scores, shape, -np.inf),
            pad(has, (*shape, words), False),
            pad(rarity, (shape[0], words), 0.0),
            mask=pad(rows != EMPTY, shape, False),
            k=shape[1],
        )
        places, scores = best_of(top, len(rows), n)
        if shares:
            scores = np.exp(scores)
            scores *= whole / np.maximum(scores.sum(axis=1, keepdims=True), tiny)
            scores = np.where(places == EMPTY, np.float32(-np.inf), scores)
        parts.append((at_places(positions, places)[:, :k], scores[:, :k]))
    return joined_blocks(parts, k)
