"""LlamaIndex integration: a node post-processor and a retriever.

Raises MissingExtraError on import if llama-index-core is not installed.
"""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from grapher_jax.checks import check_count, shown
from grapher_jax.errors import InputError, require
from grapher_jax.files import Json

try:
    from llama_index.core import VectorStoreIndex
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle
    from llama_index.core.vector_stores.types import BasePydanticVectorStore

    from grapher_jax.integrations.candidates import Found, GraphOptions, rerank
    from grapher_jax.rankers.hits import Hit
    from grapher_jax.retrieve import CANDIDATES
except ModuleNotFoundError:
    require("llama_index.core")
    raise


class GraphPostprocessor(BaseNodePostprocessor, GraphOptions):
    """Reranks retrieved nodes by the graph between them.

    If a node's metadata lacks `document_id` or `chunk_id`, they are derived from its source,
    previous and next node, as node parsers write them. The returned nodes are the same objects; a
    node with an explanation is a copy, and hides it from models.

    The attributes and exceptions are those of `GraphOptions`.
    """

    @classmethod
    def class_name(cls) -> str:
        """Its name in serialised form."""
        return "GraphPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        places = _places([item.node for item in nodes])
        found = [
            Found(
                item,
                item.node.node_id,
                item.score,
                item.node.get_content(),
                places.get(item.node.node_id, {}) | item.node.metadata,
            )
            for item in nodes
        ]
        question = query_bundle.query_str if query_bundle else ""
        return rerank(self, [question], [found], self._updated)[0]

    def _updated(self, item: NodeWithScore, hit: Hit) -> NodeWithScore:
        node, told = item.node, self.explanation(hit)
        if told:
            node = node.model_copy(
                update={
                    "metadata": node.metadata | told,
                    "excluded_llm_metadata_keys": [*node.excluded_llm_metadata_keys, *told],
                    "excluded_embed_metadata_keys": [*node.excluded_embed_metadata_keys, *told],
                }
            )
        return NodeWithScore(node=node, score=hit.score)


class GraphRetriever(BaseRetriever):
    """Retrieves nodes from a vector store, and ranks them by the store's scores and the graph."""

    def __init__(
        self,
        vector_store: object,
        *,
        embed_model: Any = None,
        candidates: int = CANDIDATES,
        search_kwargs: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """Combine a store with graph ranking.

        Args:
            vector_store: a LlamaIndex store that keeps texts, or an index over any store.
            embed_model: embeds the questions for a store; by default the model in LlamaIndex's
                settings.
            candidates: how many nodes the store returns for ranking.
            search_kwargs: further arguments of `as_retriever`, such as `filters`.
            options: the options of `GraphOptions`.

        Raises:
            InputError: as `GraphOptions`, or for an object that is not a store.
        """
        super().__init__()
        if isinstance(vector_store, BasePydanticVectorStore):
            vector_store = VectorStoreIndex.from_vector_store(vector_store, embed_model=embed_model)
        if not isinstance(vector_store, VectorStoreIndex):
            cure = "a store or an index of LlamaIndex is needed"
            raise InputError(f"vector_store: {cure}, not {shown(vector_store)}")
        if "similarity_top_k" in (search_kwargs or {}):
            raise InputError(
                "search_kwargs: 'similarity_top_k' is what candidates= sets; give that"
            )
        self._ranks = GraphPostprocessor(**options)
        self._finds = vector_store.as_retriever(
            similarity_top_k=check_count("candidates", candidates), **(search_kwargs or {})
        )

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._finds.retrieve(query_bundle)
        return self._ranks.postprocess_nodes(found, query_bundle)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = await self._finds.aretrieve(query_bundle)
        return await asyncio.to_thread(self._ranks.postprocess_nodes, found, query_bundle)


def _places(nodes: Sequence[BaseNode]) -> dict[str, dict[str, Json]]:
    """The document of each node with neighbours, and a position number in it."""
    by_id = {node.node_id: node for node in nodes}
    numbers = count()
    places: dict[str, dict[str, Json]] = {}
    for first in nodes:
        before = first.prev_node
        if not (before or first.next_node) or (before and before.node_id in by_id):
            continue
        next(numbers)  # The end of one chain and the start of another are not neighbours.
        node: BaseNode | None = first
        while node and node.node_id not in places:
            places[node.node_id] = {"document_id": node.ref_doc_id, "chunk_id": next(numbers)}
            after = node.next_node
            node = by_id.get(after.node_id) if after else None
    return places
