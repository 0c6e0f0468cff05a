"""The system of query-aware GNN retrieval."""

from grapher_jax.errors import InputError
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.systems.system import Retrieval, System


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

    reranker = ChosenRanker(ranker=ranker)
    if not isinstance(reranker.opened, QueryGnnRanker):
        raise InputError(f"ranker: {ranker!r} is no network of query-aware GNN retrieval")
    return System(
        name="query-gnn" if ranker == "query-gnn" else f"query-gnn-{reranker.opened.name}",
        retrieval=Retrieval(candidates=reranker.opened.settings.candidates, lexical_weight=0.0),
        reranker=reranker,
    )
