"""Questions about all documents of a corpus, in a folder of their own."""

import json
from contextlib import nullcontext

import pytest
from written_questions import OBJECTS, names, question, shown, willing

from grapher_jax.corpus import Object, read_judgements, read_objects, read_queries, write_beir
from grapher_jax.enrich.generate import Generated, generate
from grapher_jax.enrich.questions import QuestionWriter, by_document
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.llm import Llm


def test_chunks_are_ordered_within_their_documents():
    mixed = [OBJECTS[3], OBJECTS[8], OBJECTS[0], OBJECTS[6], OBJECTS[1]]
    mixed.append(Object("x", "", "", {"document_id": "no place"}))
    found = by_document(mixed)
    assert {name: [item.id for item in chunks] for name, chunks in found.items()} == {
        "long": ["long#0", "long#1", "long#3"],
        "mill": ["mill#0"],
    }


def test_the_folder_holds_the_corpus_the_questions_and_what_they_need(writer, tmp_path):
    out, done = tmp_path / "out", []
    made = generate(OBJECTS, out, writer(), progress=done.append)
    assert made == Generated(3, {"structural": 3, "contextual": 3, "multi-hop": 2}, 0, 1)
    assert sum(done) == 3
    assert names(out) == ["corpus.jsonl", "qrels", "queries.jsonl"]
    assert list(read_objects(out)) == OBJECTS
    queries = {query.id: query for query in read_queries(out)}
    assert queries["mill-q3"].metadata == {
        "kind": "multi-hop",
        "level": 5,
        "segments": ["mill#3", "mill#0"],
    }
    judged = read_judgements(
        out, "generated", objects={item.id for item in OBJECTS}, queries=queries
    )
    assert judged["short-q1"] == {"short#0": 1}
    assert judged["mill-q3"] == {"mill#3": 1, "mill#0": 1}
    assert len(judged) == len(queries) == 8
    assert names(tmp_path) == ["out"]


def test_what_cannot_be_used_is_listed_and_costs_no_other(endpoint, writer, tmp_path):
    def answer(body):
        title = shown(body)[0]["title"]
        return {"long": "prose", "short": 3.0}.get(title, willing(body))

    endpoint.answer, out = answer, tmp_path / "out"
    made = generate(OBJECTS, out, writer(timeout=0.5), split="hard")
    assert (made.units, made.failures) == (3, 2)
    first, second = map(json.loads, (out / "failures.jsonl").read_text().splitlines())
    assert first["document_id"] == "long"
    assert "two replies that cannot be used: it is not one whole JSON list" in first["reason"]
    assert second["document_id"] == "short"
    assert "no whole answer" in second["reason"]
    assert {query.id for query in read_queries(out)} == {"mill-q1", "mill-q2", "mill-q3"}
    # Once all is well, the list goes; what was there is replaced.
    endpoint.answer = willing
    assert generate(OBJECTS, out, writer(), split="hard").failures == 0
    assert names(out) == ["corpus.jsonl", "qrels", "queries.jsonl"]
    assert names(out / "qrels") == ["hard.tsv"]


@pytest.mark.parametrize("within", [False, True])
def test_no_two_documents_have_the_same_question_unless_each_searches_its_own(
    endpoint, writer, tmp_path, within
):
    def answer(body):
        title = shown(body)[0]["title"]
        repaired = len(body["messages"]) > 2 and title == "mill"
        text = "Why in the mill?" if repaired else "Why?" if title == "mill" else "why?"
        return json.dumps([question(text, "contextual", 3, [1])])

    endpoint.answer, out = answer, tmp_path / "out"
    made = generate(OBJECTS, out, writer(within_document=within))
    texts = ["why?", "why?", "Why?"] if within else ["why?", "Why in the mill?"]
    assert [query.text for query in read_queries(out)] == texts
    assert made.failures == (0 if within else 1)
    if not within:
        (failed,) = map(json.loads, (out / "failures.jsonl").read_text().splitlines())
        assert failed["document_id"] == "short"
        assert "question 1 was asked already" in failed["reason"]


def test_an_endpoint_that_refuses_ends_it_and_leaves_nothing(tmp_path):
    with (
        Llm("m", endpoint="http://127.0.0.1:1/v1", max_retries=0) as llm,
        pytest.raises(InputError, match=r"cannot be reached .*refused"),
    ):
        generate(OBJECTS, tmp_path / "out", QuestionWriter(llm))
    assert names(tmp_path) == []


def test_bad_calls_leave_nothing(writer, beir, tmp_path):
    asking, before = writer(), (beir / "queries.jsonl").read_bytes()
    out = tmp_path / "out"
    for call, complaint in (
        (lambda: generate([], out, asking), "none of 0 objects has a document_id and a chunk_id"),
        (lambda: generate(OBJECTS[6:7], out, asking), "documents: none of 1 objects has"),
        (lambda: generate(OBJECTS, out, asking, workers=0), "workers: 0 must be at least 1"),
        (
            lambda: generate(OBJECTS, out, asking, split="../x"),
            "'../x' cannot be the name of a file",
        ),
        (lambda: generate(OBJECTS, out, asking, split=""), "split: '' cannot be the name"),
        # Questions that people have written.
        (lambda: generate(OBJECTS, beir, asking), "shop: holds other questions"),
        (lambda: generate(OBJECTS, beir / "qrels", asking), "not a BEIR folder"),
    ):
        with pytest.raises(InputError, match=complaint):
            call()
    assert (beir / "queries.jsonl").read_bytes() == before
    assert names(tmp_path) == ["shop"]


@pytest.mark.parametrize("changed", [None, "writer", "objects", "split"])
def test_stopped_work_goes_on_where_it_is_the_same(endpoint, writer, tmp_path, changed):
    whole, out = tmp_path / "whole", tmp_path / "out"
    generate(OBJECTS, whole, writer())
    endpoint.answer = lambda body: (401, {}) if len(shown(body)) == 4 else willing(body)
    with pytest.raises(InputError, match="the key was refused"):
        generate(OBJECTS, out, writer(), workers=1)
    assert names(tmp_path) == ["out.partial", "out.partial.json", "whole"]
    with (tmp_path / "out.partial" / "queries.jsonl").open("a") as file:
        file.write('{"_id": "mill-q1')
    # Killed a moment before it was complete, long ago.
    (tmp_path / "out.partial" / "qrels").mkdir()
    (tmp_path / "out.partial" / "qrels" / "old.tsv").touch()
    endpoint.answer, endpoint.requests = willing, []
    options = {"per_document": 5} if changed == "writer" else {}
    with pytest.warns(GrapherWarning, match=r"out\.partial: ") if changed else nullcontext():
        generate(
            OBJECTS[:-1] if changed == "objects" else OBJECTS,
            out,
            writer(**options),
            split="other" if changed == "split" else "generated",
        )
    assert len(endpoint.requests) == (3 if changed else 1)
    if not changed:
        for name in ("corpus.jsonl", "queries.jsonl", "qrels/generated.tsv"):
            assert (out / name).read_bytes() == (whole / name).read_bytes()
    assert names(tmp_path) == ["out", "whole"]
    assert names(out / "qrels") == ["other.tsv" if changed == "split" else "generated.tsv"]


def test_kinds_and_levels_of_any_set_are_read(tmp_path):
    # Other sets have words for levels.
    lines = [
        {"_id": "a", "text": "Why?", "metadata": {"kind": "structural", "level": 4}},
        {"_id": "b", "text": "How?", "metadata": {"kind": "bridge", "level": "hard"}},
    ]
    write_beir(tmp_path / "set", [Object("o", "Text")])
    (tmp_path / "set" / "queries.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert [query.metadata for query in read_queries(tmp_path / "set")] == [
        line["metadata"] for line in lines
    ]
