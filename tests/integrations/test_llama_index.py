import asyncio
import json

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core import Document, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms.mock import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import (
    MetadataMode,
    NodeRelationship,
    NodeWithScore,
    RelatedNodeInfo,
    TextNode,
)

from grapher_jax import Reranker
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.integrations.llama_index import GraphPostprocessor, GraphRetriever


@pytest.fixture
def retriever(embedder, shop):
    class Offline(BaseEmbedding):
        def _get_query_embedding(self, query):
            return embedder.embed_queries([query])[0].tolist()

        def _get_text_embedding(self, text):
            return embedder.embed_objects([text])[0].tolist()

        async def _aget_query_embedding(self, query):
            return self._get_query_embedding(query)

    nodes = [
        TextNode(id_=item["id"], text=item["text"], metadata=item["metadata"]) for item in shop
    ]
    index = VectorStoreIndex(nodes, embed_model=Offline())
    return index.as_retriever(similarity_top_k=6)


@pytest.fixture
def expected(retriever, question):
    candidates = [
        {"id": item.node_id, "score": item.score, "metadata": item.metadata}
        for item in retriever.retrieve(question)
    ]
    return [(hit.id, hit.score) for hit in Reranker().rerank(question, candidates, k=3)]


def told(items):
    return [(item.node_id, item.score) for item in items]


def scored(*items):
    return [NodeWithScore(node=node, score=score) for node, score in items]


def node(name, **metadata):
    return TextNode(id_=name, text=name, metadata=metadata)


def test_a_query_engine_reranks_what_its_retriever_finds(retriever, expected, question):
    engine = RetrieverQueryEngine.from_args(
        retriever, llm=MockLLM(), node_postprocessors=[GraphPostprocessor(top_k=3)]
    )
    assert told(engine.query(question).source_nodes) == expected
    assert told(asyncio.run(engine.aquery(question)).source_nodes) == expected


def test_it_takes_what_a_retriever_gives(retriever, expected, question):
    postprocessor = GraphPostprocessor(top_k=3)
    nodes = retriever.retrieve(question)
    before = [item.to_dict() for item in nodes]
    ranked = postprocessor.postprocess_nodes(nodes, query_str=question)
    assert told(ranked) == expected
    assert [item.to_dict() for item in nodes] == before
    assert asyncio.run(postprocessor.apostprocess_nodes(nodes, query_str=question)) == ranked
    assert postprocessor.postprocess_nodes([], query_str=question) == []


def test_neighbours_that_a_node_parser_wrote_join_chunks():
    text = "Boats sail out early. Herring is caught far north. Nets are dried on the pier."
    parse = SentenceSplitter(chunk_size=8, chunk_overlap=0, include_metadata=False)
    chunks = parse.get_nodes_from_documents([Document(id_=n, text=text) for n in ("one", "two")])
    assert len(chunks) == 6
    first, second, third, _, _, other_third = chunks
    given = scored((third, 0.1), (other_third, 0.11), (first, 0.5), (second, 0.9))
    ranked = GraphPostprocessor(alpha=0.5).postprocess_nodes(given)
    # What stands next to the best is raised over what stands in another document.
    candidates = [
        {"id": item.node_id, "score": item.score, "metadata": {"document_id": d, "chunk_id": c}}
        for item, (d, c) in zip(
            given, [("one", 3), ("two", 3), ("one", 1), ("one", 2)], strict=True
        )
    ]
    assert told(ranked) == [(h.id, h.score) for h in Reranker(alpha=0.5).rerank("", candidates)]
    assert [item.node for item in ranked] == [second, first, third, other_third]
    # With the chunk between them gone, first and third are no neighbours.
    apart = scored((third, 0.1), (other_third, 0.11), (first, 0.5))
    ranked = GraphPostprocessor(alpha=0.5).postprocess_nodes(apart)
    assert [item.node for item in ranked] == [first, other_third, third]


def test_metadata_come_before_neighbours():
    a, b = node("a", document_id="d", chunk_id=1), node("b", document_id="d", chunk_id=7)
    c = node("c", document_id="d", chunk_id=2)
    for one, relation, other in [(a, NodeRelationship.NEXT, b), (b, NodeRelationship.PREVIOUS, a)]:
        one.relationships[relation] = RelatedNodeInfo(node_id=other.node_id)
        one.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id="source")
    ranked = GraphPostprocessor().postprocess_nodes(scored((a, 0.9), (b, 0.2), (c, 0.1)))
    assert [item.node_id for item in ranked] == ["a", "c", "b"]


def test_neighbours_in_a_circle_are_no_chain():
    a, b = node("a", entities=["x"]), node("b", entities=["x"])
    for one, other in [(a, b), (b, a)]:
        one.relationships[NodeRelationship.NEXT] = RelatedNodeInfo(node_id=other.node_id)
        one.relationships[NodeRelationship.PREVIOUS] = RelatedNodeInfo(node_id=other.node_id)
    ranked = GraphPostprocessor().postprocess_nodes(scored((a, 0.9), (b, 0.2)))
    assert [item.node_id for item in ranked] == ["a", "b"]


def test_nodes_without_a_score_need_a_question():
    nodes = scored(
        (node("lunch", entities='["x"]'), None), (node("a boat", entities='["x"]'), None)
    )
    [first, second] = GraphPostprocessor().postprocess_nodes(nodes, query_str="Who sails the boat?")
    assert first.node_id == "a boat"
    assert 1 > first.score > second.score
    with pytest.raises(InputError, match="question 1: empty"):
        GraphPostprocessor().postprocess_nodes(nodes)


def test_nodes_that_nothing_joins_come_back_as_they_came():
    nodes = scored((node("b"), None), (node("a"), None))
    with pytest.warns(GrapherWarning, match="no metadata of 2"):
        assert GraphPostprocessor().postprocess_nodes(nodes, query_str="a?") == nodes


def test_an_explanation_is_for_people_alone():
    a, b = node("a", entities=["x"]), node("b", entities=["x"])
    [_, told_b] = GraphPostprocessor(explain=True).postprocess_nodes(scored((a, 0.9), (b, 0.1)))
    assert told_b.metadata["explanation"]["id"] == "b"
    json.dumps(told_b.metadata)
    for mode in (MetadataMode.LLM, MetadataMode.EMBED):
        assert told_b.node.get_content(mode) == b.get_content(mode)
    assert "explanation" not in b.metadata


def test_it_is_serialised_and_loaded():
    postprocessor = GraphPostprocessor(alpha=0.5, proximities=["chunk"], max_df=None, top_k=2)
    data = postprocessor.to_dict()
    assert data["class_name"] == "GraphPostprocessor"
    assert GraphPostprocessor.from_dict(data).to_dict() == data
    assert GraphPostprocessor.from_json(postprocessor.to_json()).to_dict() == data


def test_bad_input_is_named():
    with pytest.raises(InputError, match=r"alpha: 0.0 is outside"):
        GraphPostprocessor(alpha=0)
    with pytest.raises(InputError, match="top_n: Extra inputs are not permitted"):
        GraphPostprocessor(top_n=3)
    with pytest.warns(GrapherWarning, match=r"document 'a': metadata\.entities must be a list"):
        GraphPostprocessor().postprocess_nodes(scored((node("a", entities="x, y"), 0.5)))


def test_a_retriever_over_a_store_or_an_index(retriever, question, expected):
    index = retriever._index
    of_index = GraphRetriever(index, candidates=6, top_k=3)
    # A simple store keeps no texts, and so none of LlamaIndex's own opens it without its index.
    for found in (of_index.retrieve(question), asyncio.run(of_index.aretrieve(question))):
        assert [(one.node_id, one.score) for one in found] == expected
    with pytest.raises(
        InputError, match="vector_store: a store or an index of LlamaIndex is needed"
    ):
        GraphRetriever("store")
    with pytest.raises(InputError, match="candidates: 0 must be at least 1"):
        GraphRetriever(index, candidates=0)
    with pytest.raises(InputError, match="search_kwargs: 'similarity_top_k' is what candidates="):
        GraphRetriever(index, search_kwargs={"similarity_top_k": 4})
