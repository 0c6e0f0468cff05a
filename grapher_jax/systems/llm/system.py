"""The system whose ranker is a language model."""

from grapher_jax.llm import CONCURRENCY, Llm
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.systems.llm.ranker import LlmRanker
from grapher_jax.systems.system import Retrieval, System

CANDIDATES = 100


def build_llm(
    llm: Llm,
    *,
    candidates: int = CANDIDATES,
    workers: int = CONCURRENCY,
    progress: Progress = no_progress,
) -> System:
    """Dense retrieval, and a language model that is asked about every candidate.

    Args:
        llm: what is asked; it must stay open as long as the system ranks.
        candidates: how many requests a question; 100 is what G-RAG ranks.
        workers: see `LlmRanker`.
        progress: told how many more candidates are judged.

    Raises:
        InputError: for fewer workers than one.
    """
    ranker = LlmRanker(llm, workers=workers, progress=progress)
    return System(
        name=ranker.name,
        retrieval=Retrieval(candidates=candidates, lexical_weight=0.0),
        reranker=ChosenRanker(ranker=ranker),
    )
