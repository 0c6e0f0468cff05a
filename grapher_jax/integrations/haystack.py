"""Haystack: a ranker.

Raises MissingExtraError on import where haystack-ai is not installed.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from grapher_jax.errors import require
from grapher_jax.files import Json
from grapher_jax.graph import Edges
from grapher_jax.rankers.options import DEFAULT_RANKER, RankingOptions

try:
    from haystack import Document, component, default_from_dict, default_to_dict

    from grapher_jax.integrations.candidates import Found, GraphOptions, rerank
    from grapher_jax.rankers.hits import Hit
except ModuleNotFoundError:
    require("haystack")
    raise


@component
class GraphRanker:
    """Reranks retrieved documents by the graph between them.

    The arguments and what is raised are those of `GraphOptions`.
    """

    def __init__(
        self,
        *,
        ranker: str = DEFAULT_RANKER,
        alpha: float | None = RankingOptions.alpha,
        proximities: Sequence[str] | None = RankingOptions.proximities,
        weights: Mapping[str, float] | None = RankingOptions.weights,
        edges: Edges | None = RankingOptions.edges,
        max_df: int | None = RankingOptions.max_df,
        scores: str = RankingOptions.scores,
        top_k: int = 10,
        embedder: str = "offline",
        base: object = None,
        explain: bool = False,
    ) -> None:
        self._options = GraphOptions(
            ranker=ranker,
            alpha=alpha,
            proximities=proximities,
            weights=weights,
            edges=edges,
            max_df=max_df,
            scores=scores,
            top_k=top_k,
            embedder=embedder,
            base=base,
            explain=explain,
        )

    def to_dict(self) -> dict[str, Json]:
        """The component as a pipeline's YAML has it."""
        return default_to_dict(self, **self._options.model_dump())

    @classmethod
    def from_dict(cls, data: dict[str, Json]) -> "GraphRanker":
        """The component from what `to_dict` gave."""
        return default_from_dict(cls, data)

    @component.output_types(documents=list[Document])
    def run(
        self, query: str, documents: list[Document], top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """The best documents, best first, as copies with the new score.

        Args:
            query: the question.
            documents: as a retriever, or several joined, found them.
            top_k: how many come back; the component's own by default.

        Raises:
            InputError: see `candidates.rerank`.
        """
        found = [Found(d, d.id, d.score, d.content or "", d.meta) for d in documents]
        return {"documents": rerank(self._options, [query], [found], self._updated, top_k=top_k)[0]}

    @component.output_types(documents=list[Document])
    async def run_async(
        self, query: str, documents: list[Document], top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """See `run`; in a thread."""
        return await asyncio.to_thread(self.run, query, documents, top_k)

    def _updated(self, document: Document, hit: Hit) -> Document:
        meta = document.meta | self._options.explanation(hit)
        return replace(document, score=hit.score, meta=meta)
