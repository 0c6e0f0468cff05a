from dataclasses import replace

import numpy as np
import pytest

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir
from grapher_jax.errors import InputError
from grapher_jax.evaluation import evaluate
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.systems import build_query_gnn, load_system

TALK = [
    "The committee met on Monday to plan the new bridge.",
    "Its cost was put at forty million, said the engineer.",
    "The river floods every spring and delays all work.",
    "Lunch was soup.",
]


@pytest.fixture(scope="module")
def minutes(embedder, tmp_path_factory):
    """Two meetings of four chunks, and a note that is joined to nothing."""
    folder = tmp_path_factory.mktemp("sets") / "minutes"
    objects = [
        Object(f"{meeting}{n}", f"{text} {extra}", metadata={"document_id": meeting, "chunk_id": n})
        for meeting, extra in (("a", "North bank."), ("b", "In the school hall."))
        for n, text in enumerate(TALK)
    ]
    objects.append(Object("note", "Buy milk, bread and eggs."))
    queries = [
        Query("q", "What does the new bridge cost?", {"level": 4}),
        Query("r", "What was eaten?"),
    ]
    write_beir(folder, objects, queries, {"train": {"q": {"a0": 1, "a1": 1}, "r": {"a3": 1}}})
    return Index.build(objects, embedder=embedder, folder=folder)


@pytest.fixture(scope="module")
def system():
    return load_system("query-gnn")


def test_it_is_dense_retrieval_with_a_network_over_documents(minutes, system):
    found = minutes.search("What does the new bridge cost?", k=9, system="query-gnn")
    assert {hit.id for hit in found} == set(minutes.ids)
    assert all(0 < hit.score < 1 for hit in found)
    cosines = (
        minutes.embeddings @ minutes.embedder.embed_queries(["What does the new bridge cost?"])[0]
    )
    by_id = dict(zip(minutes.ids, cosines, strict=True))
    for hit in found:
        np.testing.assert_allclose(hit.base_score, by_id[hit.id], atol=1e-5)
    assert [hit.id for hit in found] != sorted(minutes.ids, key=lambda name: -by_id[name])
    parameters = system.parameters(minutes)
    assert parameters["candidates"] == 100
    assert parameters["lexical_weight"] == 0
    assert parameters["weights"] == "query-gnn"


def test_a_batch_equals_its_questions_one_by_one(minutes, system):
    questions = ["What does the new bridge cost?", "What was eaten?", "Which river floods?"]
    together = minutes.search_batch(questions, k=5, system=system)
    for question, hits in zip(questions, together, strict=True):
        alone = minutes.search(question, k=5, system=system)
        assert [hit.id for hit in hits] == [hit.id for hit in alone]
        np.testing.assert_allclose([h.score for h in hits], [h.score for h in alone], atol=1e-5)


def test_neighbours_explain_a_result(minutes, system):
    hits = {hit.id: hit for hit in minutes.search("Who pays for the bridge?", k=9, system=system)}
    near = {source.id: source.relations for source in hits["a1"].explanation.sources}
    assert near["a0"][0] == near["a2"][0] == "sequential"
    assert not any(name.startswith("b") for name in near)
    assert hits["note"].explanation.sources == ()


def test_one_chunk_alone_is_found(embedder, system):
    index = Index.build([Object("only", "The one chunk there is.")], embedder=embedder)
    (hit,) = index.search("Which chunk is there?", system=system)
    assert hit.id == "only"


def test_without_an_index_there_is_no_document_to_read(system):
    with pytest.raises(InputError, match="reads the documents around candidates"):
        Reranker(ranker="query-gnn").rerank("question", [{"id": "a", "score": 1.0, "text": "x"}])


@pytest.mark.nightly
def test_it_is_evaluated_beside_its_own_retriever(minutes, system):
    report = evaluate(minutes, "train", [], systems=[system, load_system("grapher")]).to_dict()
    rows = [(row["ranker"], row.get("system")) for row in report["results"]]
    assert rows == [
        ("base", "query-gnn"),
        ("query-gnn", "query-gnn"),
        ("base", "grapher"),
        ("grapher", "grapher"),
    ]
    assert report["results"][1]["levels"]["4"]["queries"] == 1


def test_the_scale_of_another_retrievers_scores_does_not_matter(minutes, system):
    found = minutes.retrieve(["What does the new bridge cost?"], lexical_weight=0.0)
    order = system.rank(minutes, found, k=9)
    for scores in (0.01 * found.scores, 50 * found.scores, found.scores + 5):
        changed = system.rank(minutes, replace(found, scores=scores.astype(np.float32)), k=9)
        np.testing.assert_array_equal(changed.positions, order.positions)


def test_explanations_are_of_their_own_index(minutes, embedder, system):
    hits = minutes.search("Who pays for the bridge?", k=9, system=system)
    other = Index.build([Object("x", "Another index.")], embedder=embedder)
    other.search("Which index?", system=system)
    near = {hit.id: hit.explanation.sources for hit in hits}
    assert {source.id for source in near["b1"]} >= {"b0", "b2"}


def test_what_it_does_not_read_is_refused():
    with pytest.raises(InputError, match="proximities: 'query-gnn' has relations of its own"):
        Reranker(ranker="query-gnn", proximities=["chunk"])
    with pytest.raises(InputError, match="'gat' is no network of query-aware GNN"):
        build_query_gnn("gat")
