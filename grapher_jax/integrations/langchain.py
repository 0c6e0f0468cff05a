"""LangChain integration: a document compressor, which is also a runnable, and a retriever.

Raises MissingExtraError on import if langchain-core is not installed.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from grapher_jax.checks import shown
from grapher_jax.errors import InputError, require

try:
    from langchain_core.callbacks import (
        AsyncCallbackManagerForRetrieverRun,
        CallbackManagerForRetrieverRun,
        Callbacks,
    )
    from langchain_core.documents import BaseDocumentCompressor, Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnableConfig, RunnableSerializable, run_in_executor
    from langchain_core.vectorstores import VectorStore
    from pydantic import Field, field_validator

    from grapher_jax.integrations.candidates import Found, GraphOptions, rerank
    from grapher_jax.rankers.hits import Hit
    from grapher_jax.retrieve import CANDIDATES
except ModuleNotFoundError:
    require("langchain_core")
    raise

_SCORE = "relevance_score"
# So many documents tell whether a store gives distances.
_TELLING = 10
_PAIR = 2  # a document with its score


class GraphCompressor(
    RunnableSerializable[Mapping[str, object], list[Document]], BaseDocumentCompressor, GraphOptions
):
    """Reranks retrieved documents by the graph between them.

    As a runnable, it takes `{"query": …, "documents": …}`. A document's score is in its metadata or
    next to it, as `similarity_search_with_relevance_scores` returns it. The results are copies with
    the new score as `relevance_score` in their metadata. A batch of questions is ranked together.

    Attributes:
        score_key: the metadata key of the retriever's score, higher is better.

    The other attributes and the exceptions are those of `GraphOptions`.
    """

    score_key: str = _SCORE

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """True: `load(…, allowed_objects=[GraphCompressor], valid_namespaces=["grapher_jax"])`."""
        return True

    def compress_documents(
        self,
        documents: Iterable[Document | tuple[Document, float]],
        query: str,
        callbacks: Callbacks | None = None,
    ) -> list[Document]:
        """The best documents, best first.

        Raises:
            InputError: see `candidates.rerank`.
        """
        return self._rerank([{"query": query, "documents": documents}])[0]

    def invoke(
        self,
        input: Any,  # noqa: A002
        config: RunnableConfig | None = None,
        **kwargs: object,
    ) -> list[Document]:
        """See `compress_documents`; `top_k=3` is for one call."""
        return self._call_with_config(lambda one: self._rerank([one], **kwargs)[0], input, config)

    def batch(
        self,
        inputs: list[Mapping[str, object]],
        config: RunnableConfig | list[RunnableConfig] | None = None,
        *,
        return_exceptions: bool = False,
        **kwargs: object,
    ) -> list[Any]:
        """All questions in one kernel call, unless exceptions are returned per question."""
        if return_exceptions:
            return super().batch(inputs, config, return_exceptions=True, **kwargs)

        def rerank_all(inputs: list[Mapping[str, object]]) -> list[Exception | list[Document]]:
            return [*self._rerank(inputs, **kwargs)]

        return self._batch_with_config(rerank_all, inputs, config)

    async def abatch(
        self,
        inputs: list[Mapping[str, object]],
        config: RunnableConfig | list[RunnableConfig] | None = None,
        *,
        return_exceptions: bool = False,
        **kwargs: object,
    ) -> list[Any]:
        """`batch` in a thread."""
        return await run_in_executor(
            None, self.batch, inputs, config, return_exceptions=return_exceptions, **kwargs
        )

    def _rerank(
        self, inputs: Sequence[object], *, top_k: Any = None, **unknown: object
    ) -> list[list[Document]]:
        _check_known(unknown)
        asked = [_question_and_documents(one) for one in inputs]
        return rerank(
            self,
            [question for question, _ in asked],
            [[_found(item, self.score_key) for item in documents] for _, documents in asked],
            partial(_updated, self),
            top_k=top_k,
        )


class GraphRetriever(BaseRetriever, GraphOptions):
    """Retrieves documents from a vector store, and ranks them by its scores and the graph.

    Attributes:
        vector_store: any vector store of LangChain.
        candidates: how many documents the store returns for ranking.
        search_kwargs: further arguments of its search, such as a `filter`.

    `invoke(…, top_k=3)` is for one question, as in the asynchronous methods.

    The other attributes and the exceptions are those of `GraphOptions`.
    """

    vector_store: VectorStore
    candidates: int = Field(default=CANDIDATES, ge=1)
    search_kwargs: dict[str, Any] = Field(default_factory=dict)

    @field_validator("search_kwargs")
    @classmethod
    def _check_search(cls, given: dict[str, Any]) -> dict[str, Any]:
        if "k" in given:
            raise ValueError("'k' is what candidates= sets; give that")
        return given

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        top_k: int | None = None,
        **unknown: object,
    ) -> list[Document]:
        _check_known(unknown)
        documents = _scored(self.vector_store, query, self.candidates, self.search_kwargs)
        return self._ranked(query, documents, top_k)

    def _ranked(
        self, query: str, documents: Sequence[tuple[Document, float]], top_k: int | None
    ) -> list[Document]:
        found = [_found(item, _SCORE) for item in documents]
        # With its own options object, which caches the reranker: a model is loaded once, not per
        # question.
        return rerank(self, [query], [found], partial(_updated, self), top_k=top_k)[0]

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        top_k: int | None = None,
        **unknown: object,
    ) -> list[Document]:
        _check_known(unknown)
        asked = (self.vector_store, query, self.candidates, self.search_kwargs)
        try:
            documents = await run_in_executor(None, _scored, *asked)
        except NotImplementedError:  # some stores have asynchronous searches alone
            documents = await _ascored(*asked)
        return await run_in_executor(None, self._ranked, query, documents, top_k)


def _check_known(unknown: Mapping[str, object]) -> None:
    for name in unknown:
        raise InputError(f"{name}: is no option of a call; use top_k")


def _found(item: Document | tuple[Document, float], score_key: str) -> Found[Document]:
    document, score = item if isinstance(item, tuple) and len(item) == _PAIR else (item, None)
    if not isinstance(document, Document):
        raise InputError(
            f"documents: {shown(document)} is no Document of LangChain; write "
            "Document(page_content=…)"
        )
    metadata = dict(document.metadata)
    own = metadata.pop(score_key, None)
    return Found(
        document, document.id, own if score is None else score, document.page_content, metadata
    )


def _updated(options: GraphOptions, document: Document, hit: Hit) -> Document:
    metadata = document.metadata | {_SCORE: hit.score} | options.explanation(hit)
    return document.model_copy(update={"id": hit.id, "metadata": metadata})


def _scored(
    store: VectorStore, query: str, k: int, further: Mapping[str, Any]
) -> list[tuple[Document, float]]:
    """The documents that a store finds, with scores where higher is better."""
    try:
        return store.similarity_search_with_relevance_scores(query, k=k, **further)
    except NotImplementedError:
        found = store.similarity_search_with_score(query, k=k, **further)
    # One document does not tell whether its score is a distance, but others that the filter leaves
    # out do.
    told = found
    if found and not _differ(found):
        told = store.similarity_search_with_score(query, k=_TELLING)
    return _similarities(found, told)


async def _ascored(
    store: VectorStore, query: str, k: int, further: Mapping[str, Any]
) -> list[tuple[Document, float]]:
    """`_scored` by the asynchronous methods of a store."""
    try:
        return await store.asimilarity_search_with_relevance_scores(query, k=k, **further)
    except NotImplementedError:
        found = await store.asimilarity_search_with_score(query, k=k, **further)
    told = found
    if found and not _differ(found):
        told = await store.asimilarity_search_with_score(query, k=_TELLING)
    return _similarities(found, told)


def _similarities(
    found: list[tuple[Document, float]], told: Sequence[tuple[Document, float]]
) -> list[tuple[Document, float]]:
    """Similarities as they are, and distances turned into such; `told` tells which they are.

    Both come with the best first, so that distances increase. A negative inner product is one too.
    """
    if not (_differ(told) and told[-1][1] > told[0][1]):
        return found
    nearest = min(0.0, *(distance for _, distance in told))
    return [(document, 1 / (1 + max(distance - nearest, 0.0))) for document, distance in found]


def _differ(found: Sequence[tuple[Document, float]]) -> bool:
    return len(found) > 1 and found[0][1] != found[-1][1]


def _question_and_documents(
    given: object,
) -> tuple[str, Iterable[Document | tuple[Document, float]]]:
    if isinstance(given, Mapping) and "documents" in given:
        question = given.get("query")
        if isinstance(question, str):
            return question, given["documents"]
    raise InputError(f'input: give {{"query": "…", "documents": […]}}, not {repr(given)[:200]}')
