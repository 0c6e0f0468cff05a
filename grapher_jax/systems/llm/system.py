"""The system with a language model as ranker."""

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
    """Build the system: dense retrieval, and a language model that judges every candidate.

    Args:
        llm: the model to ask; it must stay open while the system is used.
        candidates: the number of candidates, and so of requests, per question; G-RAG uses 100.
        workers: see `LlmRanker`.
        progress: called with the number of newly judged candidates.

    Raises:
        InputError: for fewer than one worker.
    """
    ranker = LlmRanker(llm, workers=workers, progress=progress)
    return System(
        name=ranker.name,
        retrieval=Retrieval(candidates=candidates, lexical_weight=0.0),
        reranker=ChosenRanker(ranker=ranker),
    )
