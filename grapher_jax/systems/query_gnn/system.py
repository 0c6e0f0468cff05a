"""The system of query-aware GNN retrieval."""

from grapher_jax.errors import InputError
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.systems.system import Retrieval, System


def build_query_gnn(ranker: str = "query-gnn") -> System:
    """Dense retrieval, and the network over each candidate's graph.

    Args:
        ranker: `query-gnn` for the shipped network, or the folder of another's weights.

    Raises:
        InputError: for an unknown ranker, or a network of another kind.
        MissingExtraError: where what runs networks is not installed.
    """
    # What runs networks is loaded when one is.
    from grapher_jax.systems.query_gnn.ranker import QueryGnnRanker

    reranker = ChosenRanker(ranker=ranker)
    if not isinstance(reranker.opened, QueryGnnRanker):
        raise InputError(f"ranker: {ranker!r} is no network of query-aware GNN retrieval")
    return System(
        name="query-gnn" if ranker == "query-gnn" else f"query-gnn-{reranker.opened.name}",
        retrieval=Retrieval(candidates=reranker.opened.settings.candidates, lexical_weight=0.0),
        reranker=reranker,
    )
