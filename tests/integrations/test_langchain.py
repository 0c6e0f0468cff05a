import asyncio
import json

import numpy as np
import pytest

pytest.importorskip("langchain_core")

from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.embeddings import Embeddings
from langchain_core.load import dumpd, dumps, load, loads
from langchain_core.runnables import Runnable, RunnablePassthrough
from langchain_core.tracers.context import collect_runs
from langchain_core.vectorstores import InMemoryVectorStore

from grapher_jax import Reranker
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.integrations.langchain import GraphCompressor, GraphRetriever

ALLOWED = {"allowed_objects": [GraphCompressor], "valid_namespaces": ["grapher_jax"]}


@pytest.fixture
def store(embedder, shop):
    class Offline(Embeddings):
        def embed_documents(self, texts):
            return embedder.embed_objects(texts).tolist()

        def embed_query(self, text):
            return embedder.embed_queries([text])[0].tolist()

    store = InMemoryVectorStore(Offline())
    store.add_documents(
        [
            Document(id=item["id"], page_content=item["text"], metadata=item["metadata"])
            for item in shop
        ]
    )
    return store


@pytest.fixture
def chain(store):
    """Retrieval with the store's scores, then the compressor."""

    def search(query):
        return store.similarity_search_with_score(query, k=6)

    return {"query": RunnablePassthrough(), "documents": search} | GraphCompressor(top_k=3)


@pytest.fixture
def expected(store, question):
    candidates = [
        {"id": document.id, "score": score, "metadata": document.metadata}
        for document, score in store.similarity_search_with_score(question, k=6)
    ]
    return [(hit.id, hit.score) for hit in Reranker().rerank(question, candidates, k=3)]


def told(documents):
    return [(document.id, document.metadata["relevance_score"]) for document in documents]


def test_a_chain_reranks_what_a_store_finds(chain, expected, question):
    assert told(chain.invoke(question)) == expected
    assert asyncio.run(chain.ainvoke(question)) == chain.invoke(question)
    assert list(chain.stream(question)) == [chain.invoke(question)]


def test_it_is_a_compressor_of_a_retrievers_documents(store, expected, question):
    compressor = GraphCompressor(top_k=3)
    assert isinstance(compressor, BaseDocumentCompressor)
    assert isinstance(compressor, Runnable)
    documents = store.as_retriever(search_kwargs={"k": 6}).invoke(question)
    before = [document.model_copy(deep=True) for document in documents]
    ranked = compressor.compress_documents(documents, question)
    assert {document.id for document in ranked} == {name for name, _ in expected}
    assert documents == before
    assert asyncio.run(compressor.acompress_documents(documents, question)) == ranked
    assert compressor.compress_documents([], question) == []


def test_a_batch_is_what_its_questions_are_one_by_one(chain, question):
    questions = [question, "How many animals are there?", "Which songs are long?"]
    alone = [told(chain.invoke(each)) for each in questions]
    for together in (chain.batch(questions), asyncio.run(chain.abatch(questions))):
        for own, expected in zip(map(told, together), alone, strict=True):
            assert [name for name, _ in own] == [name for name, _ in expected]
            # What shares a batch decides how sums are rounded.
            scores = ([score for _, score in one] for one in (own, expected))
            np.testing.assert_allclose(*scores, atol=1e-6)
    assert chain.batch([]) == []


def test_a_batch_may_return_its_exceptions(shop):
    good = {"query": "q", "documents": [(Document("a", metadata={"links": ["b"]}), 0.5)]}
    bad = {"query": "q", "documents": [(Document("a", metadata={"links": ["b"]}), float("nan"))]}
    compressor = GraphCompressor()
    ranked, error = compressor.batch([good, bad], return_exceptions=True)
    assert ranked == compressor.invoke(good)
    assert isinstance(error, InputError)
    with pytest.raises(InputError, match="score must be a finite number"):
        compressor.batch([good, bad])
    with pytest.raises(InputError, match="score must be a finite number"):
        asyncio.run(compressor.abatch([good, bad]))


def test_runs_are_traced(chain, question):
    with collect_runs() as runs:
        chain.invoke(question)
        chain.batch([question, question])
    for run in runs.traced_runs:
        [compressed] = [child for child in run.child_runs if child.name == "GraphCompressor"]
        assert len(compressed.outputs["output"]) == 3
    assert len(runs.traced_runs) == 3


def test_logits_of_a_cross_encoder_are_moved_up():
    documents = [
        Document("a", id="a", metadata={"relevance_score": -2.0, "foreign_keys": ["c"]}),
        Document("b", id="b", metadata={"relevance_score": -6.0}),
        Document("c", id="c", metadata={"relevance_score": -9.0}),
    ]
    with pytest.warns(GrapherWarning, match="scores: some are negative"):
        ranked = GraphCompressor(ranker="gcs").compress_documents(documents, "q")
    assert [document.id for document in ranked] == ["a", "c", "b"]
    # Diffusion, which is the default of keys, needs no such move.
    ranked = GraphCompressor().compress_documents(documents, "q")
    assert [document.id for document in ranked] == ["a", "c", "b"]


@pytest.mark.parametrize("key", ["relevance_score", "score"])
def test_scores_are_read_from_metadata(key):
    documents = [
        Document("a", metadata={key: 0.2, "entities": ["x"]}),
        Document("b", metadata={key: 0.9, "entities": '["x"]'}),
        Document("c", metadata={key: 0.3}),
    ]
    compressor = GraphCompressor(ranker="gcs", score_key=key, alpha=0.5)
    ranked = compressor.compress_documents(documents, "q")
    assert [document.page_content for document in ranked] == ["b", "a", "c"]
    assert [document.metadata["relevance_score"] for document in ranked[::2]] == pytest.approx(
        [0.9, 0.3]
    )
    # The second reranker begins with the scores of the first.
    again = GraphCompressor(ranker="base").compress_documents(ranked, "q")
    assert told(again) == told(ranked)
    with pytest.raises(InputError, match="score must be a finite number, not 'high'"):
        GraphCompressor(score_key=key).compress_documents(
            [Document("a", metadata={key: "high", "links": ["b"]})], "q"
        )


def test_documents_that_nothing_joins_come_back_as_they_came():
    documents = [Document(text, metadata={"page": 1}) for text in ("two", "one", "three")]
    with pytest.warns(GrapherWarning, match="no metadata of 3"):
        assert GraphCompressor().compress_documents(documents, "one?") == documents


def test_an_explanation_is_put_into_the_metadata():
    documents = [
        (Document(t, id=t, metadata={"entities": ["x"]}), s) for t, s in [("a", 0.9), ("b", 0.1)]
    ]
    [_, b] = GraphCompressor(explain=True).invoke({"query": "q", "documents": documents})
    assert b.metadata["explanation"]["id"] == "b"
    json.dumps(b.metadata)


@pytest.mark.parametrize(
    "options", [{}, {"alpha": 0.5, "max_df": None, "proximities": ["link"], "score_key": "score"}]
)
@pytest.mark.filterwarnings("ignore:The function `loads?` is in beta")
def test_it_is_serialised_and_loaded(options):
    compressor = GraphCompressor(**options)
    assert load(dumpd(compressor), **ALLOWED) == compressor
    assert loads(dumps(compressor), **ALLOWED) == compressor
    # Without leave, LangChain loads no class but its own.
    with pytest.raises(ValueError, match="grapher_jax"):
        loads(dumps(compressor), allowed_objects="core")


@pytest.mark.parametrize("given", ["question", {"query": "q"}, {"query": None, "documents": []}])
def test_bad_input_is_named(given):
    with pytest.raises(InputError, match=r'input: give \{"query": "…", "documents": '):
        GraphCompressor().invoke(given)


def test_a_call_may_say_how_many(chain, expected, question):
    given, ranker = chain.first.invoke(question), chain.last
    assert [one.id for one in ranker.bind(top_k=1).invoke(given)] == [expected[0][0]]
    assert [len(one) for one in ranker.batch([given] * 2, top_k=2)] == [2, 2]
    for call in (ranker.invoke, lambda one, **options: ranker.batch([one], **options)):
        with pytest.raises(InputError, match="topk: is no option of a call; use top_k"):
            call(given, topk=1)


def test_bad_options_are_named():
    with pytest.raises(InputError, match="top_n: Extra inputs are not permitted"):
        GraphCompressor(top_n=3)


def test_a_retriever_asks_the_store_for_scores(store, question, expected):
    retriever = GraphRetriever(vector_store=store, candidates=6, top_k=3)
    for found in (retriever.invoke(question), asyncio.run(retriever.ainvoke(question))):
        assert [(one.id, one.metadata["relevance_score"]) for one in found] == expected
    within = GraphRetriever(
        vector_store=store, search_kwargs={"filter": lambda document: document.id != "orders"}
    )
    assert "orders" not in [one.id for one in within.invoke(question)]
    with pytest.raises(InputError, match="top_k: 0 must be at least 1"):
        retriever.invoke(question, top_k=0)
    few = asyncio.run(retriever.ainvoke(question, top_k=1))
    assert [one.id for one in few] == [expected[0][0]]
    for ask in (retriever.invoke, lambda *a, **k: asyncio.run(retriever.ainvoke(*a, **k))):
        with pytest.raises(InputError, match="k: is no option of a call; use top_k"):
            ask(question, k=3)
    with pytest.raises(InputError, match="search_kwargs: 'k' is what candidates= sets"):
        GraphRetriever(vector_store=store, search_kwargs={"k": 20})
    with pytest.raises(InputError, match="candidates: Input should be greater"):
        GraphRetriever(vector_store=store, candidates=0)


def test_distances_of_a_store_become_scores(store, question):
    class Distances(InMemoryVectorStore):
        def similarity_search_with_score(self, query, k=4, **further):
            found = super().similarity_search_with_score(query, k, **further)
            return [(document, 1 - score) for document, score in found]

    distances = Distances(store.embedding)
    distances.store = store.store
    options = {"candidates": 6, "ranker": "base"}
    orders = [
        [one.id for one in GraphRetriever(vector_store=own, **options).invoke(question)]
        for own in (store, distances)
    ]
    assert orders[0] == orders[1]
    found = GraphRetriever(vector_store=distances, **options).invoke(question)
    assert all(0 < one.metadata["relevance_score"] < 1 for one in found)
    # One document alone, too.
    alone = {"filter": lambda document: document.id == found[0].id}
    (one,) = GraphRetriever(vector_store=distances, search_kwargs=alone, **options).invoke(question)
    assert one.metadata["relevance_score"] == found[0].metadata["relevance_score"]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_negative_distances_keep_their_order(store, asynchronous):
    """Of a store that gives negative inner products, by one of both ways to search alone."""
    documents = [Document(id=name, page_content=name) for name in "abc"]

    class Products(InMemoryVectorStore):
        def similarity_search_with_score(self, query, k=4, **further):
            if asynchronous:
                raise NotImplementedError
            return [*zip(documents, (-0.9, -0.2, 0.1), strict=True)]

        async def asimilarity_search_with_score(self, query, k=4, **further):
            assert asynchronous, "as of a store whose engine is no asynchronous one"
            return [*zip(documents, (-0.9, -0.2, 0.1), strict=True)]

    retriever = GraphRetriever(vector_store=Products(store.embedding), ranker="base")
    found = asyncio.run(retriever.ainvoke("q"))
    assert [one.id for one in found] == ["a", "b", "c"]
    scores = [one.metadata["relevance_score"] for one in found]
    assert scores == pytest.approx([1.0, 1 / 1.7, 1 / 2])


def test_a_blank_page_beside_others_is_left_out():
    pages = [
        Document("a lease of a house", id="1", metadata={"links": ["2"]}),
        Document("the rent of a flat", id="2"),
        Document(" ", id="blank"),
    ]
    with pytest.warns(GrapherWarning, match="1 have no text to compare .* such as 'blank'; left"):
        found = GraphCompressor(top_k=3).compress_documents(pages, "lease")
    assert [one.id for one in found] == ["1", "2"]
    scored = [(page, 0.5) for page in pages]
    assert len(GraphCompressor(top_k=3).compress_documents(scored, "lease")) == 3


@pytest.mark.usefixtures("types_unchecked")
def test_a_document_with_two_scores_is_refused():
    with pytest.raises(InputError, match="is no Document of LangChain"):
        GraphCompressor().compress_documents([(Document("a lease"), 0.5, 0.4)], "lease")


def test_a_compressor_keeps_few_rerankers():
    compressor = GraphCompressor(ranker="gcs")
    first = compressor.reranker()
    for step in range(20):
        compressor.alpha = (step + 1) / 40
        compressor.reranker()
        compressor.alpha = None
        assert compressor.reranker() is first
    assert len(compressor._rerankers) <= 8


def test_the_embeddings_of_a_store_compare_documents_without_scores(store, shop, question):
    documents = [Document(id=one["id"], page_content=one["text"]) for one in shop]
    joined = [one.model_copy(update={"metadata": {"links": ["songs"]}}) for one in documents]
    given = {"query": question, "documents": joined}
    own, offline = (
        [one.id for one in GraphCompressor(ranker="gcs", embedder=embedder).invoke(given)]
        for embedder in (store.embedding, "offline")
    )
    assert own == offline
    with pytest.raises(InputError, match="embedder: a name or an embedder is needed"):
        GraphCompressor(embedder=3)
