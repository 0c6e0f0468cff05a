"""Edges by meaning: candidates whose embeddings are near, and words in common."""

import numpy as np
import pytest

from grapher_jax import Index, Object, Reranker, StoreRetriever
from grapher_jax.errors import InputError
from grapher_jax.graph import GraphArrays, Steps, kernel_table
from grapher_jax.integrations.candidates import Found, GraphOptions, rerank
from grapher_jax.kernels import semantic_adjacency
from grapher_jax.kernels.graphs.proximities import compare_pairs
from grapher_jax.retrieve import FaissStore
from grapher_jax.serve.jobs import RerankJob
from grapher_jax.serve.ranking import Engine

EDGES = {"alike": "semantic"}
TEXTS = {"a": "aaaa", "b": "bbbb", "c": "aaab", "d": "zzzz"}
OBJECTS = [Object(name, text) for name, text in TEXTS.items()]
CANDIDATES = [
    {"id": name, "text": text, "score": 0.9 / 3**place}
    for place, (name, text) in enumerate(TEXTS.items())
]


@pytest.fixture
def index(embedder):
    return Index.build(OBJECTS, embedder=embedder, edges=EDGES)


def told(hits):
    """Who gave anything to whom."""
    sources = {(hit.id, source.id) for hit in hits for source in hit.explanation.sources}
    return sources - {(name, name) for name, _ in sources}


def graph_of(collection, rows):
    return np.asarray(
        compare_pairs(
            rows.shape,
            collection.graph.gather(rows, ["alike"]),
            mask=rows >= 0,
            table=kernel_table(["alike"], collection.graph.rows),
        )[0]
    )


def test_they_are_the_semantic_graph_of_the_embeddings(index, embedder):
    expected = np.zeros((5, 5))
    vectors = embedder.embed_objects([*TEXTS.values()])
    expected[:4, :4] = semantic_adjacency(vectors, 5, 0.6)
    assert 0 < (expected > 0).sum() < 12
    rows = np.array([[0, 1, 2, 3, -1]])
    np.testing.assert_allclose(graph_of(index, rows), expected, atol=1e-6)
    given, _ = Reranker(ranker="gcs", edges=EDGES).collect(["?"], [CANDIDATES], embedder=embedder)
    np.testing.assert_allclose(graph_of(given, rows), expected, atol=1e-6)


def test_they_rank_and_tell_under_their_own_name(embedder):
    plain = Reranker(ranker="gcs").rerank("?", CANDIDATES)
    joined = Reranker(ranker="gcs", edges=EDGES).rerank("?", CANDIDATES, embedder=embedder)
    assert [hit.id for hit in plain] == ["a", "b", "c", "d"]
    assert [hit.id for hit in joined][:2] == ["a", "c"]
    (source,) = [one for one in joined[1].explanation.sources if one.id == "a"]
    assert source.relations == ("alike",)
    assert [join.text for join in source.joins] == [
        f"their texts are alike, with a cosine of {cosine(embedder, 'a', 'c'):.2f}"
    ]
    none = Reranker(ranker="gcs", edges=EDGES, weights={"alike": 0.0})
    unjoined = none.rerank("?", CANDIDATES, embedder=embedder)
    assert [hit.score for hit in unjoined] == [hit.score for hit in plain]


def cosine(embedder, one, other):
    return float(np.dot(*embedder.embed_objects([TEXTS[one], TEXTS[other]])))


def test_given_embeddings_are_read_and_texts_need_none():
    given = [
        {"id": "x", "score": 0.9, "embedding": np.eye(384)[0]},
        {"id": "y", "score": 0.3, "embedding": np.eye(384)[1]},
        {"id": "z", "score": 0.1, "embedding": np.eye(384)[0] * 3},
    ]
    hits = Reranker(ranker="gcs", edges=EDGES).rerank("", given)
    assert told(hits) == {("z", "x")}
    assert [hit.id for hit in hits] == ["x", "z", "y"]
    # One that has nothing to compare leaves a question without such edges.
    hits = Reranker(ranker="gcs", edges=EDGES).rerank("", [*given, {"id": "w", "score": 0.2}])
    assert [hit.id for hit in hits] == ["x", "y", "w", "z"]


def test_an_index_keeps_them_and_a_step_leads_nowhere(index, embedder, tmp_path):
    index.save(tmp_path / "index")
    opened = Index.load(tmp_path / "index", embedder=embedder)
    assert opened.edges == EDGES
    assert opened.graph.proximities() == ["alike"]
    expected = [(hit.id, hit.score) for hit in index.search("ab", ranker="gcs")]
    assert [(hit.id, hit.score) for hit in opened.search("ab", ranker="gcs")] == expected
    assert Steps(opened.graph).from_best(np.array([[0]]), proximities=["alike"]).max() == -1
    assert not [one for one in opened.graph.to_arrays() if "own" in one or "vectors" in one]
    bare = Index.build(OBJECTS, embedder=embedder)
    assert bare.graph.proximities() == []
    hits = bare.with_edges(EDGES).search("ab", ranker="gcs")
    assert [(hit.id, hit.score) for hit in hits] == expected


def test_without_embeddings_nothing_is_alike():
    graph = GraphArrays.build(["a"], [{}], edges=EDGES)
    assert graph.proximities() == []


def test_a_service_joins_by_them_what_it_embeds(index, embedder):
    hits = Reranker(ranker="gcs", edges=EDGES).rerank("?", CANDIDATES, embedder=embedder)
    for engine, asked in (
        (Engine(index, Reranker(ranker="gcs")), None),
        (Engine(Index.build(OBJECTS, embedder=embedder), Reranker(ranker="gcs")), EDGES),
    ):
        job = RerankJob("?", CANDIDATES, 4, False, edges=engine.joined(asked))
        for _ in range(2):
            # It embeds each time, so that others are not to wait for it.
            assert not engine.is_compiled(job)
            (results,) = engine.rerank([job])
        assert [CANDIDATES[one["index"]]["id"] for one in results] == [hit.id for hit in hits]


def test_stores_and_frameworks_join_by_them_without_metadata(embedder):
    faiss = pytest.importorskip("faiss")
    vectors = faiss.IndexFlatIP(embedder.dimension)
    vectors.add(embedder.embed_objects([*TEXTS.values()]))
    retriever = StoreRetriever(FaissStore(vectors, OBJECTS), embedder, edges=EDGES)
    for ranker in ("gcs", "auto"):
        assert {("a", "c"), ("c", "a")} & told(retriever.search("ab", ranker=ranker))
    options = GraphOptions(ranker="gcs", edges=EDGES, embedder=embedder)
    documents = [Found(name, name, None, text, {}) for name, text in TEXTS.items()]
    (ranked,) = rerank(options, ["ab"], [documents], lambda name, hit: told([hit]))
    assert {("a", "c"), ("c", "a")} & set.union(*ranked)


def test_keywords_join_like_any_shared_values():
    keyed = [
        {**one, "metadata": {"keywords": words}}
        for one, words in zip(
            CANDIDATES, [["Eco Rating", "phone"], ["song"], ["eco  rating"], []], strict=True
        )
    ]
    hits = Reranker(ranker="gcs", edges={"keywords": "shared"}).rerank("?", keyed)
    assert [hit.id for hit in hits][:2] == ["a", "c"]
    assert "both have the same keywords: eco rating" in str(hits[1].explanation)


def test_the_name_must_be_free():
    with pytest.raises(InputError, match="'semantic' is the name of another proximity; rename"):
        Reranker(edges={"semantic": "semantic"})
