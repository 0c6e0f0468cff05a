"""Everything that is timed: one line each in `IMPLEMENTATIONS`, ours and the peers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

import jax
import numpy as np
import peers
from workloads import Arrays

from grapher_jax import kernels

Best = peers.Best


@dataclass(frozen=True)
class Implementation:
    """A way from padded arrays to the best ten.

    Attributes:
        name: as it stands in the results.
        run: from the keyword arguments of `kernels.rerank` and α to indices and scores `[B, 10]`.
        ranker: `gcs`, `ppr` or `diffusion`.
        package: what it needs installed.
        queries: where its time grows with the queries, so many are timed at most, and the time is
            reported for one.
        candidates: it is not asked for more; a dense graph of 20,000 would take gigabytes.
        needs: an array that it cannot do without.
        uses_blas: whether the number of BLAS threads matters to it.
    """

    name: str
    run: Callable[[Arrays, float], Best]
    ranker: str = "gcs"
    package: str = "numpy"
    queries: int = 1024
    candidates: int = 100_000
    needs: str = "scores"
    uses_blas: bool = False

    @property
    def kind(self) -> str:
        """`ours` or `peer`."""
        return "ours" if self.name.startswith("grapher-jax") else "peer"

    @property
    def installed(self) -> bool:
        """Whether its package can be imported."""
        return find_spec(self.package) is not None

    def takes(self, arrays: Arrays) -> bool:
        """Whether it can rank these arrays in reasonable time and memory."""
        return self.needs in arrays and arrays["scores"].shape[1] <= self.candidates


def grapher_jax(
    arrays: Arrays, alpha: float = peers.ALPHA, ranker: str = "gcs", solver: str | None = None
) -> Best:
    """The one program, from NumPy arrays to NumPy arrays: it chooses the form of the graph."""
    found = kernels.rerank(
        **arrays, ranker=ranker, alpha=alpha, tol=peers.TOLERANCE, solver=solver, k=peers.BEST
    )
    return jax.device_get((found.indices, found.scores))


@jax.jit
def _dense(arrays: dict[str, jax.Array], alpha: float) -> Best:
    metadata = {name: array for name, array in arrays.items() if name != "scores"}
    adjacency = kernels.build_adjacency(arrays["scores"].shape, **metadata)
    return _best(adjacency, arrays["scores"], alpha)


@jax.jit
def _operator(arrays: dict[str, jax.Array], alpha: float) -> Best:
    operator = kernels.SharedEntities.build(arrays["entity_ids"], arrays["entity_counts"])
    return _best(operator, arrays["scores"], alpha)


def _best(graph: kernels.Operator | jax.Array, scores: jax.Array, alpha: float) -> Best:
    found = kernels.gcs(graph, scores, alpha=alpha, tol=peers.TOLERANCE)
    top = kernels.top_k(found.scores, peers.BEST)
    return top.indices, top.scores


def grapher_jax_dense(arrays: Arrays, alpha: float = peers.ALPHA) -> Best:
    """A matrix for every query."""
    return jax.device_get(_dense(arrays, alpha))


def grapher_jax_operator(arrays: Arrays, alpha: float = peers.ALPHA) -> Best:
    """Shared entities multiplied without forming a matrix."""
    return jax.device_get(_operator(arrays, alpha))


IMPLEMENTATIONS = (
    Implementation("grapher-jax", grapher_jax, package="jax"),
    Implementation(
        "grapher-jax plain steps", partial(grapher_jax, solver="iterate"), package="jax"
    ),
    Implementation("grapher-jax dense", grapher_jax_dense, package="jax", candidates=4_000),
    Implementation("grapher-jax operator", grapher_jax_operator, package="jax", needs="entity_ids"),
    Implementation(
        "grapher-jax diffusion",
        partial(grapher_jax, ranker="diffusion"),
        ranker="diffusion",
        package="jax",
    ),
    Implementation("numpy", peers.numpy_dense, queries=128, candidates=4_000, uses_blas=True),
    Implementation("scipy loop", peers.scipy_loop, package="scipy", queries=128),
    Implementation("scipy block-diagonal", peers.scipy_block_diagonal, package="scipy"),
    Implementation("scipy diffusion", peers.scipy_diffusion, ranker="diffusion", package="scipy"),
    Implementation(
        "scipy matrix-free", peers.scipy_matrix_free, package="scipy", needs="entity_ids"
    ),
    Implementation("networkx", peers.networkx_ppr, ranker="ppr", package="networkx", queries=8),
    Implementation("igraph", peers.igraph_ppr, ranker="ppr", package="igraph", queries=32),
    Implementation(
        "scikit-network", peers.scikit_network_ppr, ranker="ppr", package="sknetwork", queries=32
    ),
)


def reference(arrays: Arrays, ranker: str, alpha: float = peers.ALPHA) -> np.ndarray:
    """Scores `[B, n]` in float64 by plain iteration to 1e-12, over the textbook formulas."""
    graph = peers.common_weights(arrays).astype(np.float64)
    inverse = peers.inverse_counts(arrays)
    if inverse is not None:
        graph = graph.multiply(inverse.astype(np.float64)).tocsr()
    seed = arrays["scores"].astype(np.float64)
    if ranker == "ppr":
        seed /= seed.sum(axis=1, keepdims=True)
    if ranker == "diffusion":
        seed, graph = peers.sharpened(seed), (graph + graph.T) / 2
    totals = np.asarray(graph.sum(axis=0 if ranker == "ppr" else 1)).ravel()
    scale = np.divide(1.0, totals, out=np.zeros_like(totals), where=totals > 0)
    roots = np.sqrt(scale)
    p, before = seed, np.full_like(seed, np.inf)
    while np.abs(p - before).sum() > 1e-12 * len(p):
        before, flat = p, p.ravel()
        if ranker == "ppr":
            lost = np.where(totals == 0, flat, 0).reshape(p.shape).sum(axis=1, keepdims=True)
            moved = (graph @ (scale * flat)).reshape(p.shape) + lost * seed
        elif ranker == "diffusion":
            moved = (roots * (graph @ (roots * flat))).reshape(p.shape)
        else:
            moved = (scale * (graph @ flat)).reshape(p.shape)
        p = alpha * seed + (1 - alpha) * moved
    return np.maximum(p, seed) if ranker == "gcs" else p


def check(found: Best, expected: np.ndarray, alpha: float = peers.ALPHA) -> None:
    """Whether these are the best ten of the expected scores `[B, n]`.

    To 1e-5 at an α of 0.5, and to as many times more as a residual may leave at a smaller one.

    Raises:
        AssertionError: where they are not.
    """
    indices, scores = found
    atol = 5e-6 / alpha
    ten = -np.sort(-expected, axis=1)[:, : peers.BEST]
    np.testing.assert_allclose(scores, ten, rtol=0, atol=atol)
    np.testing.assert_allclose(np.take_along_axis(expected, indices, 1), ten, rtol=0, atol=atol)
