import asyncio
import json

import pytest

pytest.importorskip("haystack")

from haystack import Document, Pipeline
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import (
    InMemoryBM25Retriever,
    InMemoryEmbeddingRetriever,
)
from haystack.core.errors import DeserializationError
from haystack.document_stores.in_memory import InMemoryDocumentStore

from grapher_jax import Reranker
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.integrations.haystack import GraphRanker, GraphRetriever


@pytest.fixture
def store(embedder, shop):
    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    vectors = embedder.embed_objects([item["text"] for item in shop])
    store.write_documents(
        [
            Document(
                id=item["id"], content=item["text"], meta=item["metadata"], embedding=list(vector)
            )
            for item, vector in zip(shop, vectors.tolist(), strict=True)
        ]
    )
    return store


@pytest.fixture
def asked(embedder, question):
    return embedder.embed_queries([question])[0].tolist()


@pytest.fixture
def pipeline(store):
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryEmbeddingRetriever(store, top_k=6))
    pipeline.add_component("ranker", GraphRanker(top_k=3))
    pipeline.connect("retriever", "ranker")
    return pipeline


@pytest.fixture
def inputs(question, asked):
    return {"retriever": {"query_embedding": asked}, "ranker": {"query": question}}


@pytest.fixture
def expected(store, question, asked):
    found = InMemoryEmbeddingRetriever(store, top_k=6).run(asked)["documents"]
    candidates = [{"id": d.id, "score": d.score, "metadata": d.meta} for d in found]
    return [(hit.id, hit.score) for hit in Reranker().rerank(question, candidates, k=3)]


def told(documents):
    return [(document.id, document.score) for document in documents]


def test_a_pipeline_reranks_what_its_retriever_finds(pipeline, inputs, expected):
    assert told(pipeline.run(inputs)["ranker"]["documents"]) == expected
    found = asyncio.run(pipeline.run_async(inputs))
    assert told(found["ranker"]["documents"]) == expected


def test_documents_are_copied_whole(store, question):
    documents = store.filter_documents()
    before = [document.to_dict() for document in documents]
    ranked = GraphRanker().run(question, documents, top_k=3)["documents"]
    assert len(ranked) == 3
    by_id = {document.id: document for document in documents}
    for document in ranked:
        assert document.score is not None
        assert document.embedding == by_id[document.id].embedding
        assert document.meta == by_id[document.id].meta
    assert [document.to_dict() for document in documents] == before
    assert asyncio.run(GraphRanker().run_async(question, documents, top_k=3))["documents"] == ranked
    assert GraphRanker().run(question, []) == {"documents": []}


def test_what_two_retrievers_find_is_ranked_once(store, question, asked):
    pipeline = Pipeline()
    pipeline.add_component("words", InMemoryBM25Retriever(store, scale_score=True))
    pipeline.add_component("meaning", InMemoryEmbeddingRetriever(store))
    pipeline.add_component("joiner", DocumentJoiner(join_mode="concatenate"))
    pipeline.add_component("ranker", GraphRanker())
    pipeline.connect("words", "joiner")
    pipeline.connect("meaning", "joiner")
    pipeline.connect("joiner", "ranker")
    ranked = pipeline.run(
        {
            "words": {"query": question},
            "meaning": {"query_embedding": asked},
            "ranker": {"query": question},
        }
    )["ranker"]["documents"]
    names = [document.id for document in ranked]
    assert sorted(names) == sorted(document.id for document in store.filter_documents())


def test_a_pipeline_is_serialised_and_loaded(pipeline, inputs, expected):
    ranker = GraphRanker(alpha=0.5, max_df=None, proximities=("link",), explain=True)
    assert GraphRanker.from_dict(ranker.to_dict()).to_dict() == ranker.to_dict()
    yaml = pipeline.dumps()
    loaded = Pipeline.loads(yaml, allowed_modules=["grapher_jax.*"])
    assert loaded.dumps() == yaml
    assert told(loaded.run(inputs)["ranker"]["documents"]) == expected
    # Without leave, Haystack loads no class but its own.
    with pytest.raises(DeserializationError, match="grapher_jax"):
        Pipeline.loads(yaml)


def test_documents_that_nothing_joins_come_back_as_they_came():
    documents = [Document(content=text) for text in ("two", "one")]
    with pytest.warns(GrapherWarning, match="no metadata of 2"):
        assert GraphRanker().run("one?", documents) == {"documents": documents}


def test_an_explanation_is_put_into_the_metadata():
    documents = [
        Document(id=name, meta={"entities": '["x"]'}, score=score)
        for name, score in [("a", 0.9), ("b", 0.1)]
    ]
    [_, b] = GraphRanker(explain=True).run("q", documents)["documents"]
    assert b.meta["explanation"]["sources"][0]["relations"] == ("shared_entity",)
    json.dumps(b.meta)


def test_bad_input_is_named():
    with pytest.raises(InputError, match=r"alpha: 2.0 is outside"):
        GraphRanker(alpha=2.0)
    with pytest.raises(InputError, match="top_k: "):
        GraphRanker(top_k=0)
    ranker = GraphRanker()
    document = Document(id="a", content="text", meta={"entities": "x, y"}, score=0.5)
    with pytest.warns(GrapherWarning, match=r"document 'a': metadata\.entities must be a list"):
        assert ranker.run("q", [document])["documents"] == [document]
    with pytest.raises(InputError, match="k: -1 must be at least 1"):
        ranker.run("q", [Document(id="a", meta={"links": ["b"]}, score=0.5)], top_k=-1)
    with pytest.raises(InputError, match="candidate 'a' has no score, no text and no embedding"):
        ranker.run("q", [Document(id="a", meta={"links": ["b"]})])


def test_a_retriever_asks_the_store_for_scores(store, embedder, question, expected):
    retriever = GraphRetriever(store, candidates=6, top_k=3)
    vector = embedder.embed_queries([question])[0].tolist()
    assert told(retriever.run(vector, question)["documents"]) == expected
    later = asyncio.run(retriever.run_async(vector, question, top_k=2))
    assert told(later["documents"]) == expected[:2]
    again = GraphRetriever.from_dict(retriever.to_dict())
    assert again.to_dict() == retriever.to_dict()
    wanted = {"field": "id", "operator": "!=", "value": expected[0][0]}
    found = retriever.run(vector, filters=wanted, top_k=1)["documents"]
    assert [one.id != expected[0][0] for one in found] == [True]
    with pytest.raises(InputError, match=r"document_store: .* is not searched by an embedding"):
        GraphRetriever(object())


def test_a_store_that_searches_asynchronously_is_awaited(store, asked, question, monkeypatch):
    awaited, own = [], store.embedding_retrieval_async

    async def search(*given, **options):
        awaited.append(options["top_k"])
        return await own(*given, **options)

    monkeypatch.setattr(store, "embedding_retrieval_async", search)
    retriever = GraphRetriever(store, candidates=6, top_k=3)
    later = asyncio.run(retriever.run_async(asked, question))
    assert awaited == [6] and later == retriever.run(asked, question)

    async def unable(query_embedding, **options):
        raise NotImplementedError

    monkeypatch.setattr(store, "embedding_retrieval_async", unable)
    again = GraphRetriever(store, candidates=6, top_k=3)
    assert asyncio.run(again.run_async(asked, question)) == later


def test_a_store_that_cannot_be_written_is_named():
    class Bare:
        def embedding_retrieval(self, vector, *, filters, top_k):
            return []

    retriever = GraphRetriever(Bare())
    assert retriever.run([1.0]) == {"documents": []}
    with pytest.raises(InputError, match="document_store: Bare has no to_dict, so no pipeline"):
        retriever.to_dict()


IN_MEMORY = "haystack.document_stores.in_memory.document_store.InMemoryDocumentStore"


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        (None, "None is no stored store; give what its to_dict gives"),
        ("shop.index", "'shop.index' is no stored store"),
        ({"init_parameters": {}}, "is no stored store"),
        (
            {"type": "haystack.nothing.Store"},
            "'haystack.nothing.Store' cannot be imported; install",
        ),
        ({"type": "Store"}, "'Store' cannot be imported; install"),
        ({"type": "haystack.dataclasses.StreamingChunk.x"}, "cannot be imported"),
        (
            {"type": "haystack.core.errors.PipelineError"},
            "PipelineError has no from_dict; name the",
        ),
        ({"type": IN_MEMORY, "init_parameters": {"size": 3}}, r"cannot be made .*'size'.*; mend"),
        ({"type": "haystack.Document", "id": "a"}, "is not searched by an embedding"),
    ],
)
def test_a_stored_store_that_is_none_is_named(store, kept, told):
    stored = GraphRetriever(store).to_dict()
    stored["init_parameters"]["document_store"] = kept
    with pytest.raises(InputError, match=f"^document_store: .*{told}") as caught:
        GraphRetriever.from_dict(stored)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="document_store: None is no stored store"):
        GraphRetriever.from_dict({"type": stored["type"]})
