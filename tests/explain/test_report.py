import json

import pytest

from grapher_jax import InputError, Object, Reranker
from grapher_jax.explain import explain_question, main_sources, render_page
from grapher_jax.search import Index
from grapher_jax.systems import build_keyword_graph, build_query_gnn

QUESTION = "Which orders were placed in stores of Boston?"


def test_a_report_has_the_question_before_and_after(index):
    report = explain_question(index, QUESTION, k=3, ranker=Reranker(alpha=0.2))
    # What auto takes for keys.
    assert (report["question"], report["ranker"], report["k"]) == (QUESTION, "diffusion", 3)
    assert report["parameters"]["alpha"] == 0.2
    assert json.loads(json.dumps(report))["question"] == QUESTION
    hits = index.search(QUESTION, k=3, ranker="diffusion", alpha=0.2)
    assert [(row["id"], row["rank"], row["score"]) for row in report["results"]] == [
        (hit.id, hit.rank, hit.score) for hit in hits
    ]
    assert [row["explanation"] for row in report["results"]] == [
        hit.explanation.shortened().to_dict() for hit in hits
    ]
    base = index.search(QUESTION, k=6, ranker="base")
    assert [row["id"] for row in report["before"]] == [hit.id for hit in base[:3]]
    assert [(row["id"], row["base_rank"], row["base_score"]) for row in report["nodes"]] == [
        (hit.id, hit.rank, hit.score) for hit in base
    ]
    assert sorted(row["rank"] for row in report["nodes"]) == [1, 2, 3, 4, 5, 6]
    assert "relevant" not in report["nodes"][0]


def test_edges_say_what_joins(index):
    edges = explain_question(index, QUESTION)["edges"]
    found = {frozenset((edge["source"], edge["target"])): edge for edge in edges}
    assert len(found) == len(edges) == 3
    edge = found[frozenset(("shop.orders", "shop.customers"))]
    assert edge["relations"] == ["foreign_key"]
    assert edge["joins"][0]["text"] == "shop.orders references shop.customers"


def test_what_is_relevant_is_marked_where_it_is_known(index):
    report = explain_question(index, QUESTION, relevant=["shop.stores"])
    for rows in (report["nodes"], report["results"], report["before"]):
        assert {row["id"] for row in rows if row["relevant"]} == {"shop.stores"}


def test_an_id_alone_is_no_list_of_those_that_are_relevant(index, types_unchecked):
    with pytest.raises(InputError, match="relevant: give a list of ids"):
        explain_question(index, QUESTION, relevant="shop.stores")


def test_the_retriever_alone_has_no_edges(index):
    report = explain_question(index, QUESTION, ranker="base")
    assert report["edges"] == []
    assert [row["id"] for row in report["results"]] == [row["id"] for row in report["before"]]


def test_a_filter_that_nothing_passes_leaves_an_empty_report(embedder):
    index = Index.build([Object("a", "apples", "", {"kind": "fruit"})], embedder=embedder)
    with pytest.warns(match="no object fits"):
        report = explain_question(index, "apples", filter={"kind": "tool"})
    assert (report["results"], report["before"], report["nodes"]) == ([], [], [])
    assert "0 candidates, 0 edges" in render_page(report)


def test_questions_and_ranges_are_checked(index):
    with pytest.raises(InputError, match="k: 0 must be at least 1"):
        explain_question(index, QUESTION, k=0)
    with pytest.raises(InputError, match="empty"):
        explain_question(index, " ")


@pytest.fixture(scope="module")
def minutes(embedder):
    texts = ["The council met.", "Who pays for the bridge? The towns.", "Lunch was soup."]
    return Index.build(
        [
            Object(f"m#{n}", text, "", {"document_id": "m", "chunk_id": n, "keywords": words})
            for n, (text, words) in enumerate(
                zip(texts, [["bridge", "council"], ["bridge"], ["soup"]], strict=True)
            )
        ],
        embedder=embedder,
    )


def test_a_network_over_the_whole_index_names_its_neighbours(minutes):
    report = explain_question(minutes, "Who pays for the bridge?", system=build_query_gnn())
    assert report["ranker"] == "query-gnn"
    joins = [join["text"] for edge in report["edges"] for join in edge["joins"]]
    assert {"m#1 follows m#0", "m#2 follows m#1"} <= set(joins)
    assert "m#1 follows m#0" in render_page(report)


@pytest.mark.filterwarnings("ignore:.*no cross-encoder")
def test_what_a_ranker_drops_has_no_rank(minutes):
    report = explain_question(minutes, "Who pays for the bridge?", system=build_keyword_graph())
    ranked = {row["id"]: row["rank"] for row in report["nodes"]}
    assert ranked["m#2"] is None
    assert ranked["m#0"] and ranked["m#1"]
    (edge,) = report["edges"]
    assert {edge["source"], edge["target"]} == {"m#0", "m#1"}
    assert [join["text"] for join in edge["joins"]] == ["both have bridge"]
    assert edge["relations"] == ["in_common"]


def explanation(*shares, learned=False):
    sources = [{"id": name, "share": share} for name, share in shares]
    return {"id": "a", "learned": learned, "sources": sources}


def test_main_sources_are_few_and_the_rest_is_counted():
    named, others, share = main_sources(
        explanation(("b", 0.4), ("c", 0.3), ("d", 0.2), ("e", 0.06), ("a", 0.03), ("f", 0.01))
    )
    assert [source["id"] for source in named] == ["b", "c", "d", "a"]
    assert (others, share) == (2, pytest.approx(0.07))
    named, others, share = main_sources(explanation(("b", 0.4), ("c", 0.3)) | {"left_out": 9})
    assert (len(named), others, share) == (2, 9, pytest.approx(0.3))


def test_a_rest_that_rounds_to_nothing_is_none():
    assert main_sources(explanation(("a", 0.998), ("b", 0.002)))[1:] == (0, 0.0)


def test_of_a_networks_neighbours_the_first_are_named():
    named, others, _ = main_sources(explanation(*((n, None) for n in "bcdef"), learned=True))
    assert ([source["id"] for source in named], others) == (["b", "c", "d"], 2)
