"""`evaluate` as a function does all that the verb does."""

import json
from contextlib import contextmanager

import pytest

from grapher_jax.corpus import Object, read_objects
from grapher_jax.errors import GrapherError, InputError
from grapher_jax.evaluation import Answering, evaluate, pair_proximities
from grapher_jax.llm import Cost, Llm
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.systems import build_llm


@pytest.fixture
def llm(endpoint):
    with Llm("m", endpoint=endpoint.url, max_retries=0) as client:
        yield client


def without_seconds(report):
    rows = [{**row, "seconds": sorted(row["seconds"])} for row in report["results"]]
    return {**report, "results": rows}


def test_a_folder_is_opened_and_names_are_looked_up(grapher, beir):
    report = evaluate(str(beir), "test", ["base", "gcs"], systems=["grapher"], expand=True)
    assert report.dataset == "shop"
    assert [(row.ranker, row.system) for row in report.results] == [
        ("base", ""),
        ("gcs", ""),
        ("base", "grapher"),
        ("grapher", "grapher"),
    ]
    arguments = ("--ranker", "base", "--ranker", "gcs", "--expand", "--json")
    _, out, _ = grapher("evaluate", beir, "--split", "test", *arguments)
    own = evaluate(str(beir), "test", ["base", "gcs"], expand=True)
    assert without_seconds(json.loads(out)) == without_seconds(own.to_dict())


def test_a_report_tells_which_rankings_moved_nothing(grapher, beir, tmp_path, embedder):
    objects = [Object(item.id, item.text) for item in read_objects(beir)]
    index = Index.build(objects, embedder=embedder, folder=beir)
    report = evaluate(index, "test", ["base", "gcs"], expand=True)
    assert [row.moved for row in report.results] == [None, 0]
    expand, unmoved = report.notes
    assert expand.startswith("expand: all 6 objects are among the candidates already")
    assert unmoved.startswith("gcs left the order of all 6 candidates as it was of any of 2 quest")
    assert (
        "no object joins any other; their metadata needs foreign_keys, inferred_keys, links"
        in unmoved
    )
    index.save(tmp_path / "apart")
    status, out, err = grapher(
        "evaluate", tmp_path / "apart", "--split", "test", "--ranker", "gcs", "--expand", "--json"
    )
    document = json.loads(out)
    assert (status, document["notes"]) == (0, list(report.notes))
    assert [row["moved"] for row in document["results"]] == [0]
    assert err.splitlines() == [f"grapher-jax: note: {note}" for note in report.notes]


def test_a_report_counts_the_questions_that_a_ranking_moved(grapher, beir):
    report = evaluate(beir, "test", ["base", "gcs"])
    count = report.results[1].moved
    assert count in (1, 2)
    assert (report.notes, "notes" in report.to_dict()) == ([], False)
    _, out, err = grapher("evaluate", beir, "--split", "test", "--ranker", "gcs")
    assert f"queries whose first 10 changed: gcs {count}\n" in out
    assert "note:" not in err


@pytest.mark.nightly
def test_the_json_of_the_verb_is_that_of_the_function(grapher, beir):
    arguments = ("--ranker", "base", "--ranker", "ppr", "--proximity", "foreign_key")
    arguments += ("--proximity", "foreign_key,chunk", "--alpha", 0.5, "--max-df", 0)
    _, out, _ = grapher("evaluate", beir, "--split", "test", *arguments, "--json")
    sets = [["foreign_key"], ["foreign_key", "chunk"]]
    rerankers = pair_proximities(["base", "ppr"], sets, alpha=0.5, max_df=None)
    report = evaluate(beir, "test", rerankers)
    assert [one.proximities for one in rerankers] == [None, *map(tuple, sets)]
    assert without_seconds(json.loads(out)) == without_seconds(report.to_dict())


def test_an_index_that_is_open_has_an_embedder_and_no_name(index):
    assert evaluate(index, "test", ["base"]).dataset == ""
    with pytest.raises(InputError, match="embedder: of a folder"):
        evaluate(index, "test", ["base"], embedder="offline")


def test_stages_are_told(beir, endpoint, llm):
    endpoint.answer, told = lambda body: "50", {}

    @contextmanager
    def stages(what):
        told[what] = 0

        def progress(done):
            told[what] += done

        yield progress

    evaluate(beir, "test", ["base"], progress=stages)
    assert told == {"embedding objects": 6, "embedding questions": 2}
    told.clear()
    evaluate(beir, "test", systems=[build_llm(llm, candidates=3)], progress=stages)
    assert told["asking about candidates"] == 6


def test_the_cost_is_confirmed_before_a_model_is_asked(index, endpoint, llm):
    endpoint.answer, told = lambda body: "50", []

    def refuse(cost):
        raise GrapherError(f"{cost.requests} are too many")

    systems = [build_llm(llm, candidates=2)]
    with pytest.raises(GrapherError, match="4 are too many"):
        evaluate(index, "test", systems=systems, confirm=refuse)
    assert endpoint.requests == []
    evaluate(index, "test", ["base"], confirm=told.append)
    assert told == []
    report = evaluate(index, "test", systems=systems, confirm=told.append)
    assert [cost.requests for cost in told] == [4] == [len(endpoint.requests)]
    assert isinstance(told[0], Cost)
    assert report.results[-1].ranker == "llm-m"


def test_a_model_is_also_a_reranker(index, endpoint, llm):
    endpoint.answer, told = lambda body: "50", []
    ranker = build_llm(llm).reranker.ranker
    report = evaluate(index, "test", [Reranker(ranker=ranker)], candidates=2, confirm=told.append)
    assert [cost.requests for cost in told] == [4]
    assert [row.ranker for row in report.results] == ["llm-m"]


def test_answers_are_judged(beir, embedder, endpoint, llm, grapher):
    lines = (beir / "queries.jsonl").read_text()
    (beir / "queries.jsonl").write_text(lines.replace("{}", '{"answer": "seven"}', 1))

    def knowing(body):
        return "yes" if "reference answer" in body["messages"][1]["content"] else "Seven [1]."

    endpoint.answer, told = knowing, []
    report = evaluate(
        beir, "test", ["base", "gcs"], answers=Answering(llm=llm), confirm=told.append
    )
    answers = [row.answers for row in report.results]
    assert [(one.questions, one.left_out, one.shares["judged_yes"]) for one in answers] == [
        (1, 1, 1.0)
    ] * 2
    assert told[0].requests >= 2
    arguments = ("--ranker", "base", "--ranker", "gcs", "--answers", "--model", "m")
    arguments += ("--endpoint", endpoint.url, "--json")
    _, out, _ = grapher("evaluate", beir, "--split", "test", *arguments)
    assert without_seconds(json.loads(out)) == without_seconds(report.to_dict())


def test_sets_of_tables_are_measured_beside_the_rankings(beir, grapher):
    arguments = ("--ranker", "gcs", "--proximity", "foreign_key", "--proximity", "shared_entity")
    status, out, _ = grapher("evaluate", beir, "--split", "test", *arguments, "--tables")
    assert not status
    rankings, sets, *_ = (part.splitlines() for part in out.split("\nranker ")[1:])
    assert all(name in rankings[0] for name in ("PR@5", "nDCG@10", "RR", "graph"))
    assert all(name in sets[0] for name in ("JPR@5", "tables JPR@10", "graph"))
    for table in (rankings, sets):
        assert [row.split()[0] for row in table[1:3]] == ["gcs", "gcs"]
        assert "foreign key" in table[1] and "shared entity" in table[2]
