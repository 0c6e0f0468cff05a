"""Query-aware graph neural networks for retrieval (Agrawal et al., MLoG-GenAI at KDD 2025).

| paper | here |
|---|---|
| 4.1, index search | `Index.retrieve`, dense alone |
| A.1, episode graph | `episodes`; further relations where the metadata has them |
| A.2, edge-aware attention | `training.query_gnn.Encoder`, on `kernels.gatv2_attention` |
| A.3, query-guided pooling; A.4 and A.7, fusion, scoring head | `training.query_gnn.Scorer` |
| A.5, conversion, isolated nodes | `training.query_gnn.EgoGraphs.alone` |
| A.6, score fusion | `training.query_gnn.fuse` |
| A.8, query-aware sub-graph | `kernels.expand_seeds`, in `training.query_gnn.cut_graphs` |
| A.9, score adjustment | `kernels.adjust_scores`, as the fusion's second score |
| 4.2, hard questions | `questions` |
| 5.1, two stages of training | `training.query_gnn_trainer` |

The paper scores graphs; here each candidate is scored by the graph around it. A candidate without
edges keeps the retriever's score in the network's place. docs/decisions.md tells what else the
paper leaves open.
"""

from grapher_jax.errors import InputError
from grapher_jax.rerank import Reranker
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
    from grapher_jax.learned_episodes import QueryGnnRanker

    reranker = Reranker(ranker=ranker)
    if not isinstance(reranker.kind, QueryGnnRanker):
        raise InputError(f"ranker: {ranker!r} is no network of query-aware GNN retrieval")
    return System(
        name="query-gnn" if ranker == "query-gnn" else f"query-gnn-{reranker.kind.name}",
        retrieval=Retrieval(candidates=reranker.kind.settings.candidates, lexical_weight=0.0),
        reranker=reranker,
    )
