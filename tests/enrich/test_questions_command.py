"""The verb `questions`."""

import json
import signal
import subprocess
import sys
import time

import pytest
from written_questions import OBJECTS, document, names, shown, wanted, willing

from grapher_jax.corpus.beir import object_record
from grapher_jax.enrich.generate import generate
from grapher_jax.enrich.questions import QuestionWriter
from grapher_jax.llm import Llm


def write_corpus(folder, objects):
    folder.mkdir()
    lines = (json.dumps(object_record(item)) + "\n" for item in objects)
    (folder / "corpus.jsonl").write_text("".join(lines))
    return folder


@pytest.mark.nightly
def test_a_killed_program_goes_on_and_ends_with_the_same_bytes(endpoint, tmp_path, grapher):
    objects = [item for number in range(30) for item in document(f"d{number}")]
    source = write_corpus(tmp_path / "source", objects)
    slow = 0.0

    def answer(body):
        time.sleep(slow)
        return "prose" if shown(body)[0]["title"] == "d1" else willing(body)

    endpoint.answer = answer
    model = ["--model", "m", "--endpoint", endpoint.url, "--workers", 2]

    def arguments(out, cache):
        return [source, "--out", tmp_path / out, *model, "--cache", tmp_path / cache]

    status, out, err = grapher(
        "questions", *arguments("whole", "whole.jsonl"), "--json", "--price-in", 9
    )
    assert status == 1
    assert json.loads(out) == {
        "folder": str(tmp_path / "whole"),
        "split": "generated",
        "questions": {"structural": 29, "contextual": 29, "multi-hop": 29},
        "documents": 30,
        "failures": 1,
        "left_out": 0,
    }
    assert "requests: 30, about" in err
    assert "at most about 0." in err
    assert "failures: 1, listed in" in err
    asked, slow = len(endpoint.requests), 0.2
    command = [sys.executable, "-m", "grapher_jax", "questions"]
    with subprocess.Popen([*command, *map(str, arguments("out", "first.jsonl"))]) as process:
        end = time.monotonic() + 30
        while not (tmp_path / "out.partial.json").exists():
            assert time.monotonic() < end, "it did not begin in time"
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "out").exists()
    slow, before = 0.0, len(endpoint.requests)
    # Another cache: what is done is known from the folder alone.
    status, out, _ = grapher("questions", *arguments("out", "second.jsonl"))
    assert (status, "29 structural; about 30 documents" in out) == (1, True)
    assert 0 < len(endpoint.requests) - before < asked
    for name in ("corpus.jsonl", "queries.jsonl", "qrels/generated.tsv", "failures.jsonl"):
        expected = (tmp_path / "whole" / name).read_bytes()
        assert (tmp_path / "out" / name).read_bytes() == expected
    # A later run asks about the failed one alone; Python's defaults are those of the command line.
    endpoint.answer, endpoint.requests = willing, []
    with Llm("m", endpoint=endpoint.url, cache=tmp_path / "whole.jsonl") as llm:
        generate(objects, tmp_path / "whole", QuestionWriter(llm))
    assert len(endpoint.requests) == 1
    assert not (tmp_path / "whole" / "failures.jsonl").exists()
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or b"hush" not in path.read_bytes()


def test_rankers_are_compared_on_the_questions(endpoint, grapher, tmp_path):
    endpoint.answer = willing
    source = write_corpus(tmp_path / "source", OBJECTS)
    model = ("--model", "m", "--endpoint", endpoint.url, "--yes", "--within-document")
    status, out, err = grapher("questions", source, "--out", "hard", *model, "--per-document", 8)
    assert status == 0
    assert out.splitlines() == [
        "hard: questions: 3 contextual, 2 multi-hop, 3 structural; about 3 documents",
        "1 objects have no document_id and chunk_id: no question is about them",
    ]
    assert err.startswith("requests: 3, about")
    # What an LLM has answered it is not asked again.
    assert grapher("questions", source, "--out", "hard", *model, "--per-document", 8)[0] == 0
    assert len(endpoint.requests) == 3
    status, out, _ = grapher(
        "evaluate", "hard", "--split", "generated", "--ranker", "base", "--json"
    )
    report = json.loads(out)
    assert (status, report["queries"], report["multi_queries"]) == (0, 8, 2)
    # Six chunks at most, and a filter: all are found.
    assert report["results"][0]["metrics"]["R@10"]["all"] == 1.0


def test_documents_can_be_the_source(endpoint, grapher, tmp_path):
    endpoint.answer = willing
    (tmp_path / "handbook").mkdir()
    (tmp_path / "handbook" / "mill.md").write_text("# Mill\n\nIt burnt down.\n\nIt was rebuilt.\n")
    options = ("--chunk-tokens", 4, "--overlap-tokens", 0, "--kinds", "structural=1, contextual=1")
    status, _, err = grapher(
        "questions",
        "handbook",
        "--out",
        "hard",
        "--model",
        "m",
        "--endpoint",
        endpoint.url,
        *options,
    )
    assert (status, "multi-hop" in wanted(endpoint)) == (1, False)
    assert "failures: 1, listed in" in err  # it asks a multi-hop question nevertheless


def test_wrong_usage_is_one_line(grapher, tmp_path, beir):
    source = write_corpus(tmp_path / "source", OBJECTS)
    given = names(tmp_path)
    for arguments, complaint in (
        ((source,), "model: is missing; name one by --model, or give --paths"),
        ((source, "--model", ""), "model: is empty"),
        ((source, "--model", "m", "--kinds", "multi-hop"), "'multi-hop' must be KIND=SHARE"),
        ((source, "--model", "m", "--kinds", "all=1"), "kinds: 'all' is unknown"),
        ((source, "--model", "m", "--per-document", 0), "per_document: 0 must be from 1 to 20"),
        ((source, "--model", "m", "--endpoint", "here"), "endpoint: 'here' is no URL"),
        ((beir, "--model", "m"), "none of 6 objects has a document_id and a chunk_id"),
        ((tmp_path / "no", "--model", "m"), "no: no such folder"),
    ):
        status, out, err = grapher("questions", "--out", tmp_path / "out", *arguments)
        assert (status, out) == (2, "")
        assert complaint in err
        assert err.count("\n") == 1
    assert set(names(tmp_path)) - {"cache"} == set(given)


@pytest.mark.parametrize("agreed", [True, False])
def test_on_a_terminal_the_cost_is_asked_about(endpoint, tmp_path, on_a_terminal, agreed):
    endpoint.answer = willing
    source = write_corpus(tmp_path / "source", OBJECTS)
    arguments = [source, "--out", tmp_path / "out", "--model", "m", "--endpoint", endpoint.url]
    arguments += ["--cache", tmp_path / "cache"]
    status, said = on_a_terminal(b"y\n" if agreed else b"n\n", "questions", *arguments)
    assert b"requests: 3, about" in said
    assert b"Go on?" in said
    assert status == (0 if agreed else 1)
    assert (b"not begun, as asked" in said) != agreed
    assert len(endpoint.requests) == (3 if agreed else 0)
