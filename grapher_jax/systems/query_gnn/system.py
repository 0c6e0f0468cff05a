"""The system of query-aware GNN retrieval."""

from grapher_jax.systems.dense import build_dense
from grapher_jax.systems.system import System


def build_query_gnn(ranker: str = "query-gnn") -> System:
    """Build the system: dense retrieval, and the network over each candidate's graph.

    Args:
        ranker: `query-gnn` for the included network, or the folder of another network's weights.

    Raises:
        InputError: for an unknown ranker, or a network of another kind.
        MissingExtraError: if the packages for networks are not installed.
    """
    # The packages for networks are imported only when a network is loaded.
    from grapher_jax.systems.query_gnn.ranker import QueryGnnRanker

    paper = "query-aware GNN retrieval"
    return build_dense(ranker, included="query-gnn", kind=QueryGnnRanker, paper=paper)
