"""G-RAG's system: dense retrieval and a network over the document graph."""

from grapher_jax.errors import InputError
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.systems.system import Retrieval, System


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

    reranker = ChosenRanker(ranker=ranker)
    if not isinstance(reranker.opened, GRagRanker):
        raise InputError(f"ranker: {ranker!r} is no network of G-RAG")
    return System(
        name="g-rag" if ranker == "g-rag" else f"g-rag-{reranker.opened.name}",
        retrieval=Retrieval(candidates=reranker.opened.settings.candidates, lexical_weight=0.0),
        reranker=reranker,
    )
