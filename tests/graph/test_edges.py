"""Edges of one's own: what joins, what is told of it, and what is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest

from grapher_jax import Index, Object, Reranker, StoreRetriever
from grapher_jax.corpus.flat import flatten
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.explain.page import render_page
from grapher_jax.explain.report import explain_question
from grapher_jax.graph import GraphArrays, Steps, check_edges, kernel_table
from grapher_jax.kernels.graphs.proximities import compare_pairs
from grapher_jax.retrieve import FaissStore
from grapher_jax.serve.jobs import RerankJob
from grapher_jax.serve.ranking import Engine
from grapher_jax.systems.grapher.examples import write_candidate_graphs
from grapher_jax.training.candidates import GraphSettings

EDGES = {
    "cites": "reference",
    "authors": "shared",
    ("thread", "position"): "sequence",
    "near": "weighted",
}
METADATA = [
    {"cites": "d", "authors": ["Ann Lee", "Bo"], "thread": "t", "position": 1},
    {"authors": "ANN  LEE", "near": {"c": 0.3, "gone": 9}},
    {"thread": "t", "position": 2.0, "near": [["b", 0.5], ["a", 0]]},
    {"cites": '["a", "gone"]', "near": '{"d": 1}', "position": 3},
]
IDS = ["a", "b", "c", "d"]
OBJECTS = [
    Object(name, f"text of {name}", metadata=own) for name, own in zip(IDS, METADATA, strict=True)
]
CANDIDATES = [
    {"id": name, "score": 0.5**place, "metadata": own}
    for place, (name, own) in enumerate(zip(IDS, METADATA, strict=True))
]
# The graph of each, by hand: what a message from the column to the row weighs.
JOINED = {
    "cites": [[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]],
    "authors": [[0, 1, 0, 0], [0.5, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    "thread": [[0, 0, 1, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]],
    "near": [[0, 0, 0, 0], [0, 0, 0.5, 0], [0, 0.5, 0, 0], [0, 0, 0, 0]],
}
TOLD = {
    "cites": ("a", "d", "a refers by cites to d"),
    "authors": ("a", "b", "both have the same authors: ann lee"),
    "thread": ("a", "c", "c follows a in t"),
    "near": ("b", "c", "b refers by near to c with weight 0.3"),
}


@pytest.fixture
def graph():
    return GraphArrays.build(IDS, METADATA, warn_of_unknown=False, edges=check_edges(EDGES))


@pytest.fixture
def index(embedder):
    with pytest.warns(GrapherWarning, match="cites: 1 name objects that the corpus lacks"):
        return Index.build(OBJECTS, embedder=embedder, edges=EDGES)


@pytest.mark.parametrize("name", JOINED)
def test_an_edge_joins_what_its_key_says(graph, name):
    assert graph.proximities() == [*JOINED]
    rows = np.array([[0, 1, 2, 3, -1]])
    found = compare_pairs(
        rows.shape,
        graph.gather(rows, [name]),
        mask=rows >= 0,
        table=kernel_table([name], graph.rows),
    )
    expected = np.zeros((5, 5))
    expected[:4, :4] = JOINED[name]
    np.testing.assert_allclose(found[0], expected)


@pytest.mark.parametrize("name", JOINED)
def test_an_edge_leads_a_step_on(graph, name):
    one, other, _ = TOLD[name]
    rows = np.array([[IDS.index(one)]])
    assert IDS.index(other) in Steps(graph).from_best(rows, proximities=[name])


def test_it_ranks_and_tells_under_its_own_name():
    reranker = Reranker(ranker="gcs", edges=EDGES, weights={"cites": 2.0, "near": 0.5})
    hits = reranker.rerank("?", CANDIDATES)
    sources = {(hit.id, source.id): source for hit in hits for source in hit.explanation.sources}
    for name, (one, other, words) in TOLD.items():
        source = sources.get((one, other)) or sources[other, one]
        assert name in source.relations
        assert words in [join.text for join in source.joins if join.relation == name]
    weighed = {hit.id: hit.score for hit in hits}
    plain = Reranker(ranker="gcs", edges=EDGES).rerank("?", CANDIDATES)
    assert weighed != {hit.id: hit.score for hit in plain}
    alone = Reranker(ranker="gcs", edges=EDGES, proximities=["cites"]).rerank("?", CANDIDATES)
    assert [(hit.id, hit.score) for hit in alone if hit.id in "bc"] == [("b", 0.5), ("c", 0.25)]


def test_other_names_compile_no_other_program(compilations):
    names = {"cites": "mentions", "authors": "by", "thread": "talk", "position": "n", "near": "to"}

    def renamed(given):
        return {names[key]: value for key, value in given.items()}

    other = {"mentions": "reference", "by": "shared", "talk,n": "sequence", "to": "weighted"}
    candidates = [{**one, "metadata": renamed(one["metadata"])} for one in CANDIDATES]
    first = Reranker(ranker="gcs", edges=EDGES).rerank("?", CANDIDATES)
    before = compilations()
    second = Reranker(ranker="gcs", edges=other).rerank("?", candidates)
    assert compilations() == before
    assert [(hit.id, hit.score) for hit in first] == [(hit.id, hit.score) for hit in second]


def test_an_index_keeps_its_edges(index, embedder, tmp_path):
    index.save(tmp_path / "index")
    opened = Index.load(tmp_path / "index", embedder=embedder)
    assert opened.edges == index.edges == check_edges(EDGES)
    for name, array in index.graph.to_arrays().items():
        np.testing.assert_array_equal(opened.graph.to_arrays()[name], array)
    added = Object("e", "text of e", metadata={"authors": "Bo"})
    with pytest.warns(GrapherWarning, match="the corpus lacks"):
        updated = opened.update([added])
    assert updated.graph.joined()["authors"].tolist() == [1, 1, 0, 0, 1]
    # What the index has joins, whoever ranks; and a reranker may name it.
    for ranker in ("gcs", Reranker(ranker="gcs", edges=EDGES)):
        (hit,) = [hit for hit in opened.search("text of a", ranker=ranker) if hit.id == "d"]
        assert "a refers by cites to d" in str(hit.explanation)


def test_edges_of_an_index_may_be_changed(index):
    other = index.with_edges({"near": "weighted"})
    assert other.graph.proximities() == ["near"]
    assert other.graph.lists("own_weighted_1").values.tolist() == [2, 1, 3]
    with pytest.raises(InputError, match="'cites' is no reference edge of this index"):
        other.search("text", ranker=Reranker(edges={"cites": "reference"}))
    with pytest.raises(InputError, match=r"proximity: 'cites' is unknown; use .*near"):
        other.search("text", ranker=Reranker(proximities=["cites"]))


@pytest.mark.nightly
def test_a_network_learns_from_them(index, tmp_path):
    found = index.retrieve(["text of a"])
    write_candidate_graphs(tmp_path, index, found, GraphSettings(neighbors=4), lambda count: None)
    neighbors = np.load(tmp_path / "neighbors.npy")[0]
    places = {row: place for place, row in enumerate(found.rows[0].tolist())}
    near = {frozenset((one, other)) for one, other, _ in TOLD.values()}
    for one in IDS:
        known = {other for other in IDS if frozenset((one, other)) in near}
        expected = {places[IDS.index(other)] for other in known}
        assert {*neighbors[places[IDS.index(one)]].tolist()} - {-1} == expected


def test_a_page_draws_and_names_them(index):
    page = render_page(explain_question(index, "text of a", ranker=Reranker(ranker="gcs")))
    for name in JOINED:
        assert f"</svg>{name}</li>" in page
    assert 'class="line further' in page


@pytest.mark.nightly
def test_a_service_joins_documents_by_those_of_its_index(index):
    engine = Engine(index, Reranker(ranker="gcs"))
    results = engine.rerank([RerankJob("?", CANDIDATES, 4, True)])[0]
    hits = Reranker(ranker="gcs", edges=EDGES).rerank("?", CANDIDATES)
    assert [CANDIDATES[one["index"]]["id"] for one in results] == [hit.id for hit in hits]
    assert "b refers by near to c" in json.dumps(results)
    with pytest.raises(InputError, match="'cites' is no shared edge"):
        Engine(index, Reranker(edges={"cites": "shared"}))


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ("cites", "edges: give keys of metadata with one of reference"),
        ({3: "reference"}, "edges: 3 is no key of metadata"),
        ({"cites": "link"}, "'cites': 'link' cannot be used; give keys"),
        ({"cites": "sequence"}, "'cites': 'sequence' cannot be used"),
        ({("a", "b"): "shared"}, "'shared' cannot be used"),
        ({"a=b": "shared"}, "'a=b' cannot be a key here"),
        ({"": "shared"}, "'' cannot be a key here"),
        ({"entities": "shared"}, "'entities' is read already, as shared_entity"),
        ({"document_id,chunk_id": "sequence"}, "'chunk_id' is read already, as chunk"),
        ({"link": "reference"}, "'link' is the name of another proximity"),
        ({"a": "shared", ("a", "b"): "sequence"}, "'a' is the name of two"),
        ({"a": "shared", " a ": "reference"}, "' a ' is there twice"),
    ],
)
def test_what_is_no_edge(edges, message):
    with pytest.raises(InputError, match=message):
        check_edges(edges)


@pytest.mark.parametrize(
    ("key", "value", "needed"),
    [
        ("cites", {"a": 1}, "a string or a list of strings"),
        ("authors", [True], "a string or a list of strings"),
        ("cites", "[1", "a string or a list of strings"),
        ("cites", "['Bo', 'Al']", "a string or a list of strings"),
        ("cites", "[Bo, Al]", "a string or a list of strings"),
        ("thread", 0.5, "a string"),
        ("position", -1, "an integer from 0 to 2147483646"),
        ("near", {"a": -1}, "ids with numbers from 0 to 3e38"),
        ("near", ["a"], "ids with numbers from 0 to 3e38"),
        ("near", "a", "ids with numbers from 0 to 3e38"),
    ],
)
def test_metadata_that_are_none_of_an_edge(key, value, needed):
    candidate = {"id": "x", "score": 1.0, "metadata": {key: value}}
    with pytest.raises(InputError, match=f"'x': metadata.{key} must be {needed}"):
        Reranker(edges=EDGES).rerank("?", [candidate])


def test_a_name_in_brackets_is_no_list():
    named = [{"authors": "[anonymous]"}, {"authors": '["[anonymous]", "Bo"]'}, {"authors": "Bo"}]
    graph = GraphArrays.build(list("abc"), named, edges=check_edges({"authors": "shared"}))
    found = Steps(graph).from_best(np.arange(3)[:, None], proximities=["authors"])
    assert [{*own} - {-1} for own in found.tolist()] == [{0, 1}, {0, 1, 2}, {1, 2}]


def test_weights_of_edges_that_there_are():
    with pytest.raises(InputError, match=r"weights: cited=1.0 cannot be used; .* to .*, cites"):
        Reranker(edges={"cites": "reference"}, weights={"cited": 1.0})


def test_a_store_is_ranked_by_them(embedder):
    faiss = pytest.importorskip("faiss")
    vectors = faiss.IndexFlatIP(embedder.dimension)
    vectors.add(embedder.embed_objects([one.text for one in OBJECTS]))
    # As stores have it that hold no lists.
    flat = [replace(one, metadata=flatten(one.metadata)) for one in OBJECTS]
    retriever = StoreRetriever(FaissStore(vectors, flat), embedder, edges=EDGES)
    for ranker in ("gcs", Reranker(ranker="gcs")):
        told = [str(hit.explanation) for hit in retriever.search("text of a", ranker=ranker)]
        for *_, words in TOLD.values():
            assert words in " ".join(told)
    with pytest.raises(InputError, match="edges: 'a': 'b' cannot be used"):
        replace(retriever, edges={"a": "b"})


def test_the_command_line_reads_them_from_a_file(grapher, tmp_path):
    objects = [
        {"_id": one.id, "text": one.text, "metadata": dict(one.metadata)} for one in OBJECTS[:3]
    ]
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "corpus.jsonl").write_text("\n".join(map(json.dumps, objects)))
    (tmp_path / "edges.yaml").write_text("authors: shared\nthread, position: sequence\n")
    made = ["index", "papers", "--out", "papers.index", "--edges"]
    assert "joined by authors, thread" in grapher(*made, "edges.yaml")[1]
    asked = ["search", "papers.index", "text of a", "--ranker", "gcs", "--explain"]
    assert "c follows a in t" in grapher(*asked, "--weight", "thread=2")[1]
    status, _, err = grapher(*asked, "--weight", "near=2")
    assert (status, "near=2.0 cannot be used" in err, "thread" in err) == (2, True, True)
    (tmp_path / "edges.yaml").write_text("author: shared\nthread, position: sequence\n")
    _, out, err = grapher(*made, "edges.yaml")
    assert (
        "joined by thread" in out,
        "edges 'author' (shared) join nothing: no object has" in err,
    ) == (True, True)
    (tmp_path / "edges.yaml").write_text("- cites")
    status, _, err = grapher(*made, "edges.yaml")
    assert (status, "edges: give keys of metadata" in err) == (2, True)
    status, _, err = grapher(*made, "none.yaml")
    assert (status, "none.yaml cannot be read" in err) == (2, True)
    (tmp_path / "deep.yaml").write_text("[" * 50_000)
    status, _, err = grapher(*made, "deep.yaml")
    assert (status, "deep.yaml cannot be read" in err) == (2, True)
