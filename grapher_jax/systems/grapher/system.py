"""GraphER's system: the hybrid retriever and a ranker over a candidate graph."""

from dataclasses import asdict

from grapher_jax.retrieve.options import GRAPHER
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.systems.system import Retrieval, System


def build_grapher(ranker: str = "gat") -> System:
    """Build GraphER: the hybrid retriever, and a ranker over all proximities of the metadata.

    Args:
        ranker: `gat` for GraphER-GAT, `gcs` or `ppr` for the paper's other variants, or the folder
            of a network's weights.

    Raises:
        InputError: for an unknown ranker.
        MissingExtraError: if the packages for networks are not installed.
    """
    reranker = ChosenRanker(ranker=ranker)
    return System(
        name="grapher" if ranker == "gat" else f"grapher-{reranker.opened.name}",
        retrieval=Retrieval(**asdict(GRAPHER)),
        reranker=reranker,
    )
