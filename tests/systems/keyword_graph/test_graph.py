import numpy as np
import pytest
from memory_collection import MemoryCollection

from grapher_jax.corpus import Object, Query
from grapher_jax.errors import InputError
from grapher_jax.graph import EMPTY
from grapher_jax.systems.keyword_graph.graph import (
    FALLBACK,
    KEYWORDS,
    KeywordGraph,
    WalkSettings,
    keyword_graph,
    keyword_source,
)

# Each keyword a direction of its own, but for two that mean nearly the same.
DIRECTIONS = {
    "bridge": [1, 0, 0, 0, 0],
    "viaduct": [0.9, 0.3, 0, 0, 0.2],
    "cost": [0, 0, 1, 0, 0],
    "river": [0, 0, 0, 1, 0],
    "minutes": [0, 0, 0, 0, 1],
}


class Directions:
    """An embedder of the words above."""

    name, dimension = "directions", 5

    def embed_objects(self, texts, *, progress=None):
        vectors = np.array([DIRECTIONS.get(text, [0, 1, 0, 0, 0]) for text in texts], np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    embed_queries = embed_objects


DOCUMENTS = {
    "a": ["Bridge", "minutes", "cost"],
    "b": ["viaduct", "minutes"],
    "c": ["river", "bridge ", "minutes", "cost"],
    "d": ["minutes", "lunch"],
}


def documents_with(documents=DOCUMENTS, field="keywords"):
    objects = [Object(name, name, metadata={field: own}) for name, own in documents.items()]
    return MemoryCollection(objects, Directions())


def matrix(graph):
    """Its edges by name, each direction once."""
    names = [*"abcd"[: len(graph.listed.offsets) - 1], *graph.numbers]
    edges = {}
    for s, r, w in zip(
        graph.edges.senders, graph.edges.receivers, graph.edges.weights, strict=True
    ):
        assert (names[s], names[r]) not in edges
        edges[names[s], names[r]] = float(w)
    return edges


def walk(graph, question, rows, scores):
    """From a question that is near no keyword."""
    rows, scores = np.array([rows], np.int32), np.array([scores], np.float32)
    return next(graph.walk([Query("q", question)], np.zeros((1, 5), np.float32), rows, scores))


def test_documents_are_joined_to_keywords_by_their_rarity():
    graph = KeywordGraph.build(documents_with(), WalkSettings())
    edges = matrix(graph)
    assert graph.source == KEYWORDS
    # Half of the documents have it; the logarithm of a half is that of four.
    np.testing.assert_allclose(edges["a", "bridge"], 0.5, atol=1e-6)
    assert edges["a", "bridge"] == edges["bridge", "a"] == edges["c", "bridge"]
    assert edges["b", "viaduct"] == edges["d", "lunch"] == 1
    # What all have says nothing.
    assert edges["d", "minutes"] == 0
    assert ("b", "bridge") not in edges


def test_keywords_are_joined_by_two_documents_or_by_what_they_mean():
    edges = matrix(KeywordGraph.build(documents_with(), WalkSettings()))
    np.testing.assert_allclose(edges["bridge", "cost"], 1.0)  # in the same two documents
    np.testing.assert_allclose(edges["minutes", "cost"], 2 / np.sqrt(8), rtol=1e-6)
    assert ("river", "cost") not in edges  # one document has both
    alike = 0.9 / np.sqrt(0.81 + 0.09 + 0.04)
    np.testing.assert_allclose(edges["viaduct", "bridge"], alike, rtol=1e-6)
    assert edges["bridge", "viaduct"] == edges["viaduct", "bridge"]
    strict = matrix(KeywordGraph.build(documents_with(), WalkSettings(likeness=0.95)))
    assert ("bridge", "viaduct") not in strict


def test_a_keyword_has_only_its_nearest_like_ones():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(40, 3)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)

    class Random(Directions):
        def embed_objects(self, texts, *, progress=None):
            return vectors

    objects = [Object(str(n), "x", metadata={"keywords": [f"k{n}"]}) for n in range(40)]
    settings = WalkSettings(neighbors=2, likeness=0.5)
    graph = KeywordGraph.build(MemoryCollection(objects, Random()), settings)
    found = {
        frozenset((s - 40, r - 40))
        for s, r in np.stack([graph.edges.senders, graph.edges.receivers], axis=1).tolist()
        if s >= 40 and r >= 40
    }
    cosines = vectors @ vectors.T - 2 * np.eye(40)
    expected = {
        frozenset((one, int(other)))
        for one in range(40)
        for other in np.argsort(-cosines[one])[:2]
        if cosines[one, other] > 0.5
    }
    assert found == expected


def test_a_walk_is_pagerank_without_what_is_its_own():
    networkx = pytest.importorskip("networkx")
    settings = WalkSettings(alpha=0.4, keyword_share=0.25)
    graph = KeywordGraph.build(documents_with(), settings)
    found = walk(graph, "what does the river bring", [0, 1, 3, EMPTY], [0.9, 0.7, 0.5, 0.0])
    edges = networkx.DiGraph()
    edges.add_nodes_from([*DOCUMENTS, *graph.numbers])
    edges.add_weighted_edges_from((s, r, w) for (s, r), w in matrix(graph).items())
    # Squares of how far they are above the lowest; one keyword is named.
    seed = {"a": 0.75 * 1 / 1.25, "b": 0.75 * 0.25 / 1.25, "river": 0.25}
    ranks = networkx.pagerank(edges, alpha=0.6, personalization=seed, dangling=seed, tol=1e-12)
    expected = [ranks[name] - 0.4 * seed.get(name, 0) for name in DOCUMENTS]
    np.testing.assert_allclose(found, expected, atol=2e-6)
    assert found[2] > 0  # which no retriever returned
    assert found[2] > found[3]


def test_batches_of_questions_are_walked_alike():
    graph = keyword_graph(documents_with(), WalkSettings())
    rng = np.random.default_rng(0)
    questions = [Query(str(n), text) for n, text in enumerate(["river", "cost", "lunch"] * 5)]
    vectors = Directions().embed_queries([query.text for query in questions])
    rows = np.tile(np.arange(4, dtype=np.int32), (15, 1))
    scores = rng.random((15, 4)).astype(np.float32)
    together = [*graph.walk(questions, vectors, rows, scores)]
    for n, query in enumerate(questions):
        part = slice(n, n + 1)
        alone = next(graph.walk([query], vectors[part], rows[part], scores[part]))
        np.testing.assert_allclose(together[n], alone, atol=1e-6)
    assert not [*graph.walk([], vectors[:0], rows[:0], scores[:0])]


def test_a_question_has_the_keywords_it_names_and_those_near_it():
    graph = keyword_graph(documents_with(), WalkSettings(question_likeness=0.5))
    names = list(graph.numbers)

    def asked(text, metadata=None, vector=(0, 0, 0, 0, 0)):
        weights = graph.of_question(Query("q", text, metadata or {}), np.array(vector, np.float32))
        return {names[n]: float(weights[n]) for n in np.flatnonzero(weights)}

    assert asked("The Viaduct, and the LUNCH?") == {"viaduct": 1.0, "lunch": 1.0}
    assert asked("nothing", {"keywords": ["River"]}) == {"river": 1.0}
    near = asked("nothing", vector=(1, 0, 0, 0, 0))
    np.testing.assert_allclose(near["bridge"], 0.5, atol=1e-6)  # a cosine of 1, half as rare
    assert set(near) == {"bridge", "viaduct"}
    assert asked("The minutes of the meeting") == {}  # which every document has
    assert asked("of the and") == {}


def test_shared_keywords_are_named():
    graph = keyword_graph(documents_with(), WalkSettings())
    rows = np.array([0, 2, 3])
    assert graph.shared(rows, [2]) == graph.shared(rows, range(3))[2:]
    assert graph.shared(rows, range(3)) == [
        {1: ["bridge", "cost", "minutes"], 2: ["minutes"]},
        {0: ["bridge", "cost", "minutes"], 2: ["minutes"]},
        {0: ["minutes"], 1: ["minutes"]},
    ]


def test_entities_stand_in_for_keywords():
    assert keyword_source(documents_with(field="entities")) == FALLBACK
    graph = keyword_graph(documents_with(field="entities"), WalkSettings())
    assert graph.source == FALLBACK
    assert "bridge" in graph.numbers
    both = documents_with()
    both.objects[0].metadata["entities"] = ["elsewhere"]
    assert "elsewhere" not in keyword_graph(both, WalkSettings()).numbers


@pytest.mark.parametrize("documents", [{"a": [], "b": []}, {"a": [" ", "\t"]}])
def test_without_either_the_cure_is_told(documents):
    with pytest.raises(InputError, match=r"keywords: no object .* --enricher keywords"):
        keyword_graph(documents_with(documents), WalkSettings())


@pytest.mark.parametrize(
    ("name", "value"),
    [("alpha", 0.0), ("keyword_share", -1.0), ("neighbors", -3), ("likeness", float("nan"))],
)
def test_numbers_out_of_range_are_named(name, value):
    with pytest.raises(InputError, match=f"{name}: "):
        WalkSettings(**{name: value})


def test_one_document_is_walked():
    graph = keyword_graph(documents_with({"a": ["bridge", "cost"]}), WalkSettings())
    np.testing.assert_array_equal(graph.rarity, [1, 1])
    assert np.isfinite(walk(graph, "bridge", [0], [0.5])).all()


def test_a_keyword_in_every_document_leads_nowhere():
    graph = keyword_graph(documents_with({name: ["minutes"] for name in "abc"}), WalkSettings())
    np.testing.assert_array_equal(walk(graph, "the minutes", [0, 1], [0.9, 0.5])[2], 0)


def test_unicode_names_are_compared_folded():
    graph = keyword_graph(
        documents_with({"a": ["Straße", "東京"], "b": ["STRASSE"]}), WalkSettings()
    )
    assert list(graph.numbers) == ["strasse", "東京"]
    weights = graph.of_question(Query("q", "Wo ist die „Straße“ in 東京?"), np.zeros(5, np.float32))
    assert (weights > 0).tolist() == [False, True]  # both documents have the first


def test_the_graph_is_built_once():
    read = documents_with()
    first = keyword_graph(read, WalkSettings())
    again = keyword_graph(read, WalkSettings(alpha=0.9))
    assert again.edges is first.edges
    assert again.settings.alpha == 0.9
    assert keyword_graph(read, WalkSettings(likeness=0.95)).edges is not first.edges


@pytest.mark.parametrize("number", [6, 7, 37, 47])
def test_what_all_documents_have_weighs_nothing_at_all(number):
    everyone = {f"d{place}": ["minutes"] for place in range(number)}
    graph = KeywordGraph.build(documents_with(everyone), WalkSettings())
    assert graph.rarity.tolist() == [0.0]
    assert (graph.edges.weights == 0).all()


def test_the_graph_has_no_word_on_a_candidate_without_edges():
    told = documents_with({"a": ["bridge"], "b": ["bridge"], "c": [], "d": []})
    graph = KeywordGraph.build(told, WalkSettings())
    vectors = np.array([[0, 1, 0, 0, 0]], np.float32)
    rows, scores = np.array([[2, 0, 3]]), np.array([[0.9, 0.7, 0.5]], np.float32)
    walked = next(graph.walk([Query("q", "soup")], vectors, rows, scores))
    assert walked[2] == walked[3] == 0
    assert walked[0] > 0
    assert walked[1] > 0
