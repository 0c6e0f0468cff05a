"""G-RAG: documents joined by the concepts that they share (Dong et al., arXiv 2405.18414).

| paper | here |
|---|---|
| 3.1, AMR graphs | `corpus.amr`; parsed by `enrich.amr`, or given beside the judgements |
| 3.1, document graph | `concepts`; without isolated documents in `training.g_rag.GRag` |
| 3.2.1, concept sequences (equation 2) | `corpus.amr.concept_sequence` |
| 3.2.2, edge features (equation 6) | `kernels.document_edges` |
| 3.2.3, messages and edges (equations 7 to 9) | `kernels.mean_messages`, `kernels.mean_edges` |
| 3.2.4, score (equation 11) | `training.g_rag.GRag` |
| 3.2.4, losses (equations 12 and 13) | `training.losses`: `softmax` and `hinge` |
| 4.1, dense retrieval of 100 documents | `Index.retrieve` |
| 4.1.1, metrics | `kernels.metrics`, in `evaluate` |
| 4.4, a language model as the reranker | `llm_ranker` |
| B, other layers | `training.g_rag.LAYERS` |

Where there is no AMR, entities and keywords stand in for concepts, and every report says so.
docs/decisions.md tells what else the paper leaves open.
"""

from grapher_jax.errors import InputError
from grapher_jax.rerank import Reranker
from grapher_jax.systems.system import Retrieval, System


def build_g_rag(ranker: str = "g-rag") -> System:
    """Dense retrieval, and the network over the documents that it returns.

    Args:
        ranker: `g-rag` for the shipped network, or the folder of another's weights.

    Raises:
        InputError: for an unknown ranker, or a network of another kind.
        MissingExtraError: where what runs networks is not installed.
    """
    # What runs networks is loaded when one is.
    from grapher_jax.learned_documents import GRagRanker

    reranker = Reranker(ranker=ranker)
    if not isinstance(reranker.kind, GRagRanker):
        raise InputError(f"ranker: {ranker!r} is no network of G-RAG")
    return System(
        name="g-rag" if ranker == "g-rag" else f"g-rag-{reranker.kind.name}",
        retrieval=Retrieval(candidates=reranker.kind.settings.candidates, lexical_weight=0.0),
        reranker=reranker,
    )
