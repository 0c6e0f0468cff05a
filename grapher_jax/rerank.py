"""The reranker of any retriever's candidates."""

from dataclasses import dataclass

from grapher_jax.rankers.hits import Hit
from grapher_jax.rankers.running import Order
from grapher_jax.systems.chosen import ChosenRanker

__all__ = ["Hit", "Order", "Reranker"]


@dataclass(frozen=True, kw_only=True)
class Reranker(ChosenRanker):
    """A ranker with its parameters, which are those of `RankingOptions`.

    It ranks what any retriever returned (`rerank`, `rerank_batch`), and rows of a collection such
    as an index (`rank`).

    Raises:
        InputError: for an unknown ranker, weights that cannot be used, or a parameter out of its
            range.
    """
