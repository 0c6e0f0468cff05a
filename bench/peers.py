"""What others rank candidates with: from padded arrays to the best ten, graph building included.

Every function here takes the keyword arguments of `kernels.rerank` as one dictionary and returns
indices and scores `[B, 10]`. NumPy and SciPy run GCS, SciPy diffusion too; networkx, igraph and
scikit-network have neither and run personalised PageRank on the same graph. All end as near to the
fixed point as float32 gets: where the L1 norm of a residual is within `TOLERANCE` of the scores'.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy import ndarray
from scipy import sparse
from scipy.linalg.blas import sasum

Arrays = dict[str, ndarray]
Best = tuple[ndarray, ndarray]

ALPHA = 0.5
TOLERANCE = float(4 * np.finfo(np.float32).eps)
BEST = 10
EMPTY = -1
QUERIES_PER_BLOCK = 32  # the fastest of 4, 8, 16, 32, 64 and 256

_lookup = np.empty(0, np.int32)


def numpy_dense(arrays: Arrays, alpha: float = ALPHA) -> Best:
    """GCS over a dense matrix a query; the products are BLAS's."""
    return _one_by_one(arrays, alpha, _dense_gcs)


def scipy_loop(arrays: Arrays, alpha: float = ALPHA) -> Best:
    """GCS over one sparse matrix a query."""
    return _joined(_sparse_gcs(query, alpha) for query in _blocks(arrays, 1))


def scipy_block_diagonal(arrays: Arrays, alpha: float = ALPHA) -> Best:
    """GCS over the block-diagonal sparse matrix of many queries at once."""
    return _joined(_sparse_gcs(block, alpha) for block in _blocks(arrays, QUERIES_PER_BLOCK))


def scipy_diffusion(arrays: Arrays, alpha: float = ALPHA) -> Best:
    """Diffusion over the block-diagonal sparse matrix of many queries at once."""
    return _joined(_sparse_diffusion(block, alpha) for block in _blocks(arrays, QUERIES_PER_BLOCK))


def scipy_matrix_free(arrays: Arrays, alpha: float = ALPHA) -> Best:
    """GCS over shared entities without forming their graph, in the same blocks."""
    return _joined(_matrix_free_gcs(block, alpha) for block in _blocks(arrays, QUERIES_PER_BLOCK))


def networkx_ppr(arrays: Arrays, alpha: float = ALPHA) -> Best:
    """`networkx.pagerank`. Each column's scale cancels in PPR, so the graph is undirected."""
    return _one_by_one(arrays, alpha, _networkx_scores)


def igraph_ppr(arrays: Arrays, alpha: float = ALPHA) -> Best:
    """PRPACK, the exact solver of igraph."""
    return _one_by_one(arrays, alpha, _igraph_scores)


def scikit_network_ppr(arrays: Arrays, alpha: float = ALPHA) -> Best:
    """scikit-network's `PageRank`, run until it is exact in float32."""
    return _one_by_one(arrays, alpha, _scikit_network_scores)


def best(scores: ndarray) -> Best:
    """Indices and scores of the ten highest of every row, best first."""
    rows = np.arange(len(scores))[:, None]
    found = np.argpartition(-scores, BEST, axis=1)[:, :BEST]
    found = found[rows, np.argsort(-scores[rows, found], axis=1)]
    return found, scores[rows, found]


# --- graphs -------------------------------------------------------------------------------------


def common_weights(arrays: Arrays) -> sparse.csr_matrix:
    """The block-diagonal symmetric graph, before shared entities are divided by `|Ej|`.

    Its diagonal holds explicit zeros where entities are shared.
    """
    if "entity_ids" in arrays:
        return _shared_entities(arrays["entity_ids"])
    pairs = _references(arrays) if "foreign_keys" in arrays else _consecutive(arrays)
    return _symmetric(*pairs, arrays["scores"].size)


def inverse_counts(arrays: Arrays) -> ndarray | None:
    """`1 / |Ej|` for every candidate of the batch, None where weights are 1."""
    counts = arrays.get("entity_counts")
    return None if counts is None else 1 / np.maximum(counts.ravel(), np.float32(1))


def _shared_entities(ids: ndarray) -> sparse.csr_matrix:
    incidence = _incidence(ids)
    common = (incidence @ incidence.T).tocsr()
    rows = np.repeat(np.arange(common.shape[0], dtype=np.int32), np.diff(common.indptr))
    common.data[rows == common.indices] = 0
    return common


def _incidence(ids: ndarray) -> sparse.csr_matrix:
    """Candidates by those entities that two or more candidates of one query have."""
    queries, n, slots = ids.shape
    used = np.flatnonzero(ids != EMPTY)
    named = ids.ravel()[used]
    if queries > 1:  # the same entity of another query is another entity
        named = named + used // (n * slots) * (named.max(initial=0) + 1)
    first = _renumbered(named)
    shared = np.bincount(first, minlength=1) > 1
    keep = shared[first]
    columns = np.cumsum(shared, dtype=np.int32)[first[keep]] - 1
    sizes = np.bincount(used[keep] // slots, minlength=queries * n)
    starts = np.zeros(queries * n + 1, np.int32)
    np.cumsum(sizes, out=starts[1:])
    shape = (queries * n, int(shared.sum()))
    return sparse.csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape)


def _renumbered(values: ndarray) -> ndarray:
    """For every value a position that holds it, the same for equal values; no sorting."""
    table = _scratch(int(values.max(initial=0)))
    table[values] = np.arange(len(values), dtype=np.int32)
    return table[values]


def _scratch(largest: int) -> ndarray:
    """A table that values up to `largest` can index. It is reused, and what it holds is garbage."""
    global _lookup
    if len(_lookup) <= largest:
        _lookup = np.zeros(2 * largest + 1, np.int32)
    return _lookup


def _references(arrays: Arrays) -> tuple[ndarray, ndarray]:
    """Pairs of candidates of which the first references the second, as rows of the batch."""
    objects, keys = arrays["object_ids"], arrays["foreign_keys"]
    queries, n, slots = keys.shape
    used = np.flatnonzero(keys != EMPTY)
    names, targets = objects.ravel(), keys.ravel()[used]
    if queries > 1:
        span = int(max(names.max(), targets.max(initial=0))) + 1
        names = names + np.repeat(np.arange(queries) * span, n)
        targets = targets + used // (n * slots) * span
    table = _scratch(int(max(names.max(), targets.max(initial=0))))
    table[targets] = 0
    table[names] = np.arange(len(names), dtype=np.int32)
    found = table[targets]
    inside = names[found] == targets
    return (used // slots)[inside], found[inside]


def _consecutive(arrays: Arrays) -> tuple[ndarray, ndarray]:
    """Pairs of candidates of which the second is the chunk after the first."""
    documents, chunks = arrays["document_ids"], arrays["chunk_ids"]
    gap = int(chunks.max()) + 2  # so that no document's last chunk precedes another's first
    query = np.arange(len(documents))[:, None] * (int(documents.max()) + 1)
    places = ((query + documents) * gap + chunks).ravel()
    order = np.argsort(places)
    follows = np.diff(places[order]) == 1
    return order[:-1][follows], order[1:][follows]


def _symmetric(rows: ndarray, columns: ndarray, size: int) -> sparse.csr_matrix:
    both = np.concatenate([rows, columns]), np.concatenate([columns, rows])
    weights = np.ones(len(both[0]), np.float32)
    graph = sparse.coo_matrix((weights, both), (size, size)).tocsr()  # adds up repeated pairs
    graph.data[:] = 1
    return graph


# --- GCS ----------------------------------------------------------------------------------------


def _sparse_gcs(arrays: Arrays, alpha: float) -> ndarray:
    graph, inverse = common_weights(arrays), inverse_counts(arrays)
    if inverse is not None:
        graph.data *= inverse[graph.indices]
    rows = graph @ np.ones(graph.shape[1], np.float32)
    scale = np.divide(1 - alpha, rows, out=np.zeros_like(rows), where=rows > 0)
    graph.data *= np.repeat(scale, np.diff(graph.indptr))
    return _smoothed(lambda p: graph @ p, arrays["scores"], alpha)


def _sparse_diffusion(arrays: Arrays, alpha: float) -> ndarray:
    graph, inverse = common_weights(arrays), inverse_counts(arrays)
    if inverse is not None:
        # The mean of both directions; what is shared is the same in both.
        ends = np.repeat(inverse, np.diff(graph.indptr))
        graph.data *= (inverse[graph.indices] + ends) / 2
    sums = graph @ np.ones(graph.shape[1], np.float32)
    roots = np.divide(1, np.sqrt(sums), out=np.zeros_like(sums), where=sums > 0)
    graph.data *= (1 - alpha) * np.repeat(roots, np.diff(graph.indptr)) * roots[graph.indices]
    return _iterated(lambda p: graph @ p, sharpened(arrays["scores"]), alpha)


def sharpened(scores: ndarray) -> ndarray:
    """The seeds of diffusion at its own temperature, float32 or float64 as the scores are."""
    best = scores.max(axis=1, keepdims=True)
    tenth = -np.partition(-scores, BEST - 1, axis=1)[:, BEST - 1 : BEST]
    last = scores.min(axis=1, keepdims=True)
    width = np.maximum((best - tenth) / 4, (best - last) / 80)
    seeds = np.exp((scores - best) / np.where(width > 0, width, 1))  # all alike: alike they stay
    return seeds / seeds.sum(axis=1, keepdims=True)


def _matrix_free_gcs(arrays: Arrays, alpha: float) -> ndarray:
    """`A p = B (Bᵀ c⁻¹ p) − k c⁻¹ p`, B the incidence, k its row sums, c the entity counts."""
    incidence, inverse = _incidence(arrays["entity_ids"]), inverse_counts(arrays)
    transposed = incidence.T.tocsr()
    own = np.diff(incidence.indptr).astype(np.float32)
    rows = incidence @ (transposed @ inverse) - own * inverse
    # A candidate without shared entities has an empty row, whose sum is 0 exactly.
    scale = np.divide(1 - alpha, rows, out=np.zeros_like(rows), where=rows > 0)

    def linear(p: ndarray) -> ndarray:
        weighted = p * inverse
        return scale * (incidence @ (transposed @ weighted) - own * weighted)

    return _smoothed(linear, arrays["scores"], alpha)


def _dense_gcs(arrays: Arrays, alpha: float) -> ndarray:
    graph, inverse = _dense(arrays), inverse_counts(arrays)
    if inverse is not None:
        graph *= inverse
    rows = graph.sum(axis=1)
    graph *= np.divide(1 - alpha, rows, out=np.zeros_like(rows), where=rows > 0)[:, None]
    return _smoothed(lambda p: graph @ p, arrays["scores"], alpha)


def _dense(arrays: Arrays) -> ndarray:
    if "entity_ids" not in arrays:
        return common_weights(arrays).toarray()
    incidence = _incidence(arrays["entity_ids"]).toarray()
    graph = incidence @ incidence.T
    np.fill_diagonal(graph, 0)
    return graph


def _smoothed(linear: Callable[[ndarray], ndarray], scores: ndarray, alpha: float) -> ndarray:
    """The fixed point of `p ← α s + linear(p)`, then `max(p, s)`."""
    p = _iterated(linear, scores, alpha)
    return np.maximum(p, scores, out=p)


def _iterated(linear: Callable[[ndarray], ndarray], scores: ndarray, alpha: float) -> ndarray:
    """The fixed point of `p ← α s + linear(p)`, iterated on its updates."""
    seed = scores.ravel()
    tolerance = np.float32(TOLERANCE) * np.abs(scores).sum(axis=1)
    update = linear(seed) - (1 - alpha) * seed
    p = seed + update
    while not _finished(update, tolerance):
        update = linear(update)
        p += update
    return p.reshape(scores.shape)


def _finished(update: ndarray, tolerance: ndarray) -> bool:
    if len(tolerance) == 1:
        return sasum(update) <= tolerance[0]
    return bool((np.abs(update).reshape(len(tolerance), -1).sum(axis=1) <= tolerance).all())


# --- PPR ----------------------------------------------------------------------------------------


def _networkx_scores(arrays: Arrays, alpha: float) -> ndarray:
    import networkx

    n = arrays["scores"].size
    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    rows, columns, weights = _undirected(arrays)
    graph.add_weighted_edges_from(
        zip(rows.tolist(), columns.tolist(), weights.tolist(), strict=True)
    )
    seed = dict(enumerate(arrays["scores"].ravel().tolist()))
    ranked = networkx.pagerank(
        graph, 1 - alpha, personalization=seed, dangling=seed, tol=TOLERANCE / n, max_iter=1000
    )
    return np.fromiter(ranked.values(), np.float64, n)[None]


def _igraph_scores(arrays: Arrays, alpha: float) -> ndarray:
    import igraph

    rows, columns, weights = _undirected(arrays)
    edges = np.column_stack([rows, columns]).astype(np.int64)
    graph = igraph.Graph(n=arrays["scores"].size, edges=edges, directed=False)
    ranked = graph.personalized_pagerank(
        reset=arrays["scores"].ravel().tolist(), damping=1 - alpha, weights=weights.tolist()
    )
    return np.array(ranked)[None]


def _scikit_network_scores(arrays: Arrays, alpha: float) -> ndarray:
    from sknetwork.ranking import PageRank

    graph = common_weights(arrays)
    # What later steps would add is below 0.5 ** 21.
    steps = int(np.ceil(21 * np.log(0.5) / np.log(1 - alpha)))
    ranker = PageRank(1 - alpha, solver="RH", n_iter=steps)
    return ranker.fit_predict(graph, arrays["scores"].ravel())[None]


def _undirected(arrays: Arrays) -> tuple[ndarray, ndarray, ndarray]:
    graph = common_weights(arrays)
    rows = np.repeat(np.arange(graph.shape[0], dtype=np.int32), np.diff(graph.indptr))
    upper = rows < graph.indices
    return rows[upper], graph.indices[upper], graph.data[upper]


# --- batches ------------------------------------------------------------------------------------


def _blocks(arrays: Arrays, queries: int) -> Iterator[Arrays]:
    for start in range(0, len(arrays["scores"]), queries):
        yield {name: values[start : start + queries] for name, values in arrays.items()}


def _joined(scores: Iterator[ndarray]) -> Best:
    found = [best(block) for block in scores]
    return np.concatenate([f[0] for f in found]), np.concatenate([f[1] for f in found])


def _one_by_one(arrays: Arrays, alpha: float, scores: Callable[[Arrays, float], ndarray]) -> Best:
    return _joined(scores(query, alpha) for query in _blocks(arrays, 1))
