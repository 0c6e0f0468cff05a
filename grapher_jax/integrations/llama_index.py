"""LlamaIndex: a node post-processor.

Raises MissingExtraError on import where llama-index-core is not installed.
"""

from collections.abc import Sequence
from itertools import count

from grapher_jax.errors import require
from grapher_jax.files import Json

try:
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle

    from grapher_jax.integrations.candidates import Found, GraphOptions, rerank
    from grapher_jax.rankers.hits import Hit
except ModuleNotFoundError:
    require("llama_index.core")
    raise


class GraphPostprocessor(BaseNodePostprocessor, GraphOptions):
    """Reranks retrieved nodes by the graph between them.

    Where a node's metadata lack `document_id` or `chunk_id`, they follow from its source, previous
    and next node, as node parsers write them. The nodes that come back are the same; one with an
    explanation is a copy, and shows it to no model.

    The attributes and what is raised are those of `GraphOptions`.
    """

    @classmethod
    def class_name(cls) -> str:
        """What it is called when it is serialised."""
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


def _places(nodes: Sequence[BaseNode]) -> dict[str, dict[str, Json]]:
    """The document of each node that has neighbours, and a number that tells who they are."""
    by_id = {node.node_id: node for node in nodes}
    numbers = count()
    places: dict[str, dict[str, Json]] = {}
    for first in nodes:
        before = first.prev_node
        if not (before or first.next_node) or (before and before.node_id in by_id):
            continue
        next(numbers)  # The end of one chain and the start of another are no neighbours.
        node: BaseNode | None = first
        while node and node.node_id not in places:
            places[node.node_id] = {"document_id": node.ref_doc_id, "chunk_id": next(numbers)}
            after = node.next_node
            node = by_id.get(after.node_id) if after else None
    return places
