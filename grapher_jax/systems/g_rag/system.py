"""G-RAG's system: dense retrieval and a network over the document graph."""

from grapher_jax.systems.dense import build_dense
from grapher_jax.systems.system import System


def build_g_rag(ranker: str = "g-rag") -> System:
    """Build G-RAG: dense retrieval, and the network over the retrieved documents.

    Args:
        ranker: `g-rag` for the included network, or the folder of another network's weights.

    Raises:
        InputError: for an unknown ranker, or a network of another kind.
        MissingExtraError: if the packages for networks are not installed.
    """
    # The packages for networks are imported only when a network is loaded.
    from grapher_jax.systems.g_rag.ranker import GRagRanker

    return build_dense(ranker, included="g-rag", kind=GRagRanker, paper="G-RAG")
