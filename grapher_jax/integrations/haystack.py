"""Haystack integration: a ranker and a retriever.

Raises MissingExtraError on import if haystack-ai is not installed.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from inspect import iscoroutinefunction
from typing import Any

from grapher_jax.checks import check_count, shown
from grapher_jax.errors import InputError, require
from grapher_jax.files import Json
from grapher_jax.graph import Edges
from grapher_jax.rankers.options import DEFAULT_RANKER, RankingOptions

try:
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.core.serialization import import_class_by_name

    from grapher_jax.integrations.candidates import Found, GraphOptions, rerank
    from grapher_jax.rankers.hits import Hit
    from grapher_jax.retrieve import CANDIDATES
except ModuleNotFoundError:
    require("haystack")
    raise


@component
class GraphRanker:
    """Reranks retrieved documents by the graph between them.

    The arguments and exceptions are those of `GraphOptions`.
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
        embedder: object = "offline",
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
        """The component as a dictionary, for the YAML of a pipeline."""
        return default_to_dict(self, **self._options.model_dump())

    @classmethod
    def from_dict(cls, data: dict[str, Json]) -> "GraphRanker":
        """Restores the component from `to_dict`."""
        return default_from_dict(cls, data)

    @component.output_types(documents=list[Document])
    def run(
        self, query: str, documents: list[Document], top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """The best documents, best first, as copies with the new score.

        Args:
            query: the question.
            documents: the documents of one or several retrievers.
            top_k: how many to return; by default the component's own.

        Raises:
            InputError: see `candidates.rerank`.
        """
        found = [Found(d, d.id, d.score, d.content or "", d.meta) for d in documents]
        return {"documents": rerank(self._options, [query], [found], self._updated, top_k=top_k)[0]}

    @component.output_types(documents=list[Document])
    async def run_async(
        self, query: str, documents: list[Document], top_k: int | None = None
    ) -> dict[str, list[Document]]:
        """`run` in a thread."""
        return await asyncio.to_thread(self.run, query, documents, top_k)

    def _updated(self, document: Document, hit: Hit) -> Document:
        meta = document.meta | self._options.explanation(hit)
        return replace(document, score=hit.score, meta=meta)


@component
class GraphRetriever:
    """Retrieves documents from a store, and ranks them by the store's scores and the graph."""

    def __init__(
        self, document_store: object, *, candidates: int = CANDIDATES, **options: Any
    ) -> None:
        """Combine a store with graph ranking.

        Args:
            document_store: a store that is searched by embedding.
            candidates: how many documents the store returns for ranking.
            options: the options of `GraphRanker`.

        Raises:
            InputError: as `GraphRanker`, or for a store that cannot be searched by embedding.
        """
        self._store, self._candidates = document_store, check_count("candidates", candidates)
        self._search = _embedding_search(document_store)
        name = getattr(self._search, "__name__", "")
        twin = getattr(document_store, f"{name}_async", None)
        self._asearch = twin if iscoroutinefunction(twin) else None
        self._ranker = GraphRanker(**options)

    def to_dict(self) -> dict[str, Json]:
        """The component as a dictionary, for the YAML of a pipeline.

        Raises:
            InputError: if the store or the ranker cannot be serialised.
        """
        told = self._ranker.to_dict()["init_parameters"]
        store = getattr(self._store, "to_dict", None)
        if not callable(store):
            raise InputError(
                f"document_store: {type(self._store).__name__} has no to_dict, so no pipeline with "
                "it can be stored; give it to_dict and from_dict, or build the pipeline in Python"
            )
        return default_to_dict(self, document_store=store(), candidates=self._candidates, **told)

    @classmethod
    def from_dict(cls, data: dict[str, Json]) -> "GraphRetriever":
        """Restores the component from `to_dict`.

        Raises:
            InputError: for a store that is invalid, or cannot be restored.
        """
        given = dict(data.get("init_parameters") or {})
        given["document_store"] = _restored_store(given.get("document_store"))
        return default_from_dict(cls, {**data, "init_parameters": given})

    @component.output_types(documents=list[Document])
    def run(
        self,
        query_embedding: list[float],
        query: str = "",
        filters: dict[str, Json] | None = None,
        top_k: int | None = None,
    ) -> dict[str, list[Document]]:
        """The best documents, best first, as copies with the new score.

        Args:
            query_embedding: the embedding of the question, by the embedder of the documents.
            query: the question, for rankers and a `base` that need it.
            filters: filters in the store's own form.
            top_k: how many to return; by default the component's own.

        Raises:
            InputError: see `candidates.rerank`.
        """
        found = self._search(query_embedding, filters=filters, top_k=self._candidates)
        ranked: dict[str, list[Document]] = self._ranker.run(query, found, top_k)
        return ranked

    @component.output_types(documents=list[Document])
    async def run_async(
        self,
        query_embedding: list[float],
        query: str = "",
        filters: dict[str, Json] | None = None,
        top_k: int | None = None,
    ) -> dict[str, list[Document]]:
        """`run` with the store's own asynchronous search, or else in a thread."""
        if self._asearch is not None:
            asked = {"filters": filters, "top_k": self._candidates}
            with suppress(NotImplementedError):
                found = await self._asearch(query_embedding=query_embedding, **asked)
                return await self._ranker.run_async(query, found, top_k)
        return await asyncio.to_thread(self.run, query_embedding, query, filters, top_k)


def _restored_store(kept: object) -> object:
    """Restores the store from its `to_dict`; Haystack's own errors are not caught."""
    name = kept.get("type") if isinstance(kept, Mapping) else None
    if not isinstance(name, str):
        raise InputError(
            f"document_store: {shown(kept)} is no stored store; give what its to_dict gives, "
            '{"type": the path of its class, "init_parameters": {…}}'
        )
    try:
        found = import_class_by_name(name)
    except (ImportError, ValueError) as error:
        raise InputError(
            f"document_store: {shown(name)} cannot be imported; install its package, or mend type"
        ) from error
    restore = getattr(found, "from_dict", None)
    if not callable(restore):
        raise InputError(f"document_store: {name} has no from_dict; name the class of a store")
    try:
        return restore(kept)
    except (TypeError, ValueError, KeyError) as error:
        raise InputError(
            f"document_store: {name} cannot be made of its init_parameters ({error}); mend them"
        ) from error


def _embedding_search(store: object) -> Callable[..., list[Document]]:
    """The store's own search method, which stores in other packages have for retrievers."""
    for name in ("embedding_retrieval", "_embedding_retrieval"):
        if callable(found := getattr(store, name, None)):
            search: Callable[..., list[Document]] = found
            return search
    raise InputError(
        f"document_store: {shown(store)} is not searched by an embedding; use GraphRanker behind "
        "its own retriever"
    )
