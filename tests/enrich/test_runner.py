import gzip
import json
import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from grapher_jax.corpus import Object, read_objects, read_queries, write_pair_graphs
from grapher_jax.enrich import (
    Enriched,
    EnrichmentError,
    LlmEntities,
    SpacyEntities,
    enrich,
    runner,
    survey,
)
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.llm import Llm

OBJECTS = [Object(f"o{number}", f"Text {number}", "ü", {"db": "x"}) for number in range(40)]


@dataclass(frozen=True)
class Marker:
    """Adds what it sees; the function may raise."""

    name: str = "marker"
    function: Any = lambda item: None
    version: int = 1
    waits = True

    @property
    def settings(self):
        return {"version": self.version}

    def __call__(self, item, /):
        self.function(item)
        seen = [*item.metadata.get("keywords", []), f"{self.name} {item.id}"]
        return replace(item, metadata={**item.metadata, "keywords": seen})


def fail(*ids, error=EnrichmentError):
    def function(item):
        if item.id in ids:
            raise error(f"bad {item.id}")

    return function


@pytest.fixture
def always_recorded(monkeypatch):
    monkeypatch.setattr(runner, "_SECONDS", 0.0)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_enrichers_run_in_order_and_the_results_keep_the_order(tmp_path):
    slow = Marker("slow", lambda item: time.sleep(0.02 if item.id == "o3" else 0))
    done = []
    out = tmp_path / "new" / "out"
    assert enrich(iter(OBJECTS), out, [slow, Marker("b")], progress=done.append) == Enriched(40, 0)
    written = list(read_objects(out))
    assert [item.id for item in written] == [item.id for item in OBJECTS]
    assert written[3].metadata == {"db": "x", "keywords": ["slow o3", "b o3"]}
    assert sum(done) == 40
    assert names(out) == ["corpus.jsonl"]
    assert names(out.parent) == ["out"]


def test_a_failure_is_recorded_and_costs_only_itself(tmp_path):
    enrichers = [Marker("a"), Marker("b", fail("o2", "o5")), Marker("c", fail("o5"))]
    assert enrich(OBJECTS, tmp_path / "out", enrichers) == Enriched(40, 3)
    written = {item.id: item.metadata["keywords"] for item in read_objects(tmp_path / "out")}
    assert len(written) == 40
    assert written["o2"] == ["a o2", "c o2"]
    assert written["o5"] == ["a o5"]
    lines = (tmp_path / "out" / "failures.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"_id": "o2", "enricher": "b", "reason": "bad o2"},
        {"_id": "o5", "enricher": "b", "reason": "bad o5"},
        {"_id": "o5", "enricher": "c", "reason": "bad o5"},
    ]
    # Once all works, the list goes.
    enrich(OBJECTS, tmp_path / "out", [Marker()])
    assert names(tmp_path / "out") == ["corpus.jsonl"]


def test_queries_judgements_and_graphs_of_pairs_come_along(beir, tmp_path):
    out = tmp_path / "out"
    write_pair_graphs(beir, {("q1", "shop.orders"): "(o / order-02)"})
    (beir / "amr" / "dev.jsonl.gz").write_bytes(gzip.compress(b""))
    enrich(read_objects(beir), out, [Marker()], source=beir)
    assert names(out) == ["amr", "corpus.jsonl", "qrels", "queries.jsonl"]
    for name in ("queries.jsonl", "qrels/test.tsv", "amr/pairs.jsonl", "amr/dev.jsonl.gz"):
        assert (out / name).read_bytes() == (beir / name).read_bytes()
    # The source itself may be replaced.
    enrich(read_objects(beir), beir, [Marker()], source=beir)
    assert (beir / "corpus.jsonl").read_bytes() == (out / "corpus.jsonl").read_bytes()
    assert (beir / "qrels" / "test.tsv").read_bytes() == (out / "qrels" / "test.tsv").read_bytes()


@pytest.mark.parametrize("error", [InputError, KeyboardInterrupt])
@pytest.mark.parametrize("stop", [0, 17, 39])
def test_stopped_work_goes_on_and_ends_with_the_same_bytes(tmp_path, always_recorded, error, stop):
    failing, whole, out = Marker("f", fail("o4")), tmp_path / "whole", tmp_path / "out"
    enrich(OBJECTS, whole, [failing, Marker()])
    digest = survey(OBJECTS).sha256
    stopping = Marker(function=fail(f"o{stop}", error=error))
    with pytest.raises(error, match=f"bad o{stop}"):
        enrich(OBJECTS, out, [failing, stopping], objects_sha256=digest)
    assert not out.exists()
    if not stop:
        assert names(tmp_path) == ["whole"]
    else:
        with (tmp_path / "out.partial" / "corpus.jsonl").open("a") as file:
            file.write('{"_id": "o')
    seen, done = [], []
    watching = Marker(function=lambda item: seen.append(item.id))
    options = {"objects_sha256": digest, "progress": done.append}
    assert enrich(OBJECTS, out, [failing, watching], **options) == Enriched(40, 1)
    assert sorted(seen) == sorted(item.id for item in OBJECTS[stop:])
    assert sum(done) == 40
    for name in names(whole):
        assert (out / name).read_bytes() == (whole / name).read_bytes()
    assert names(tmp_path) == ["out", "whole"]


@dataclass(frozen=True)
class AskedMarker(Marker):
    """A marker of questions too."""

    questions = True


def test_questions_that_were_enriched_are_not_enriched_again(tmp_path, beir):
    asked = [{"_id": f"q{n}", "text": f"What is {n}?"} for n in range(9)]
    (beir / "queries.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in asked))
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n")
    objects = [*read_objects(beir)]
    options = {"source": beir, "workers": 1, "objects_sha256": survey(objects).sha256}
    enrich(objects, tmp_path / "whole", [AskedMarker()], **options)
    stopping = AskedMarker(function=fail("q5", error=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        enrich(objects, tmp_path / "out", [stopping], **options)
    with (tmp_path / "out.partial" / "questions.partial.jsonl").open("a") as file:
        file.write('{"_id": "q')
    # One of them is another question now.
    asked[1]["text"] = "Which?"
    (beir / "queries.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in asked))
    seen = []
    enrich(
        objects, tmp_path / "out", [AskedMarker(function=lambda i: seen.append(i.id))], **options
    )
    assert sorted(seen) == ["q1", "q5", "q6", "q7", "q8"]
    found, whole = ([*read_queries(tmp_path / name)] for name in ("out", "whole"))
    assert [one.metadata for one in found] == [one.metadata for one in whole]
    assert found[1].text == "Which?"
    assert names(tmp_path / "out") == names(tmp_path / "whole")


@pytest.mark.parametrize("changed", ["objects", "settings", "nothing known"])
def test_other_work_starts_afresh(tmp_path, always_recorded, changed):
    out, digest = tmp_path / "out", survey(OBJECTS).sha256
    with pytest.raises(InputError):
        enrich(OBJECTS, out, [Marker(function=fail("o9", error=InputError))], objects_sha256=digest)
    objects, marker = OBJECTS, Marker()
    if changed == "objects":
        objects = [replace(item, text="other") for item in OBJECTS]
        digest = survey(objects).sha256
    elif changed == "settings":
        marker = Marker(version=2)
    else:
        digest = None
    seen = []
    marker = replace(marker, function=lambda item: seen.append(item.id))
    with pytest.warns(GrapherWarning, match=r"out\.partial: 9 were done with other settings"):
        enrich(objects, out, [marker], objects_sha256=digest)
    assert len(seen) == 40
    assert len(list(read_objects(out))) == 40


def test_a_full_disk_is_named_and_costs_nothing_that_was_done(tmp_path, always_recorded):
    out, digest = tmp_path / "out", survey(OBJECTS).sha256
    enrich(OBJECTS, tmp_path / "whole", [Marker()])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        with pytest.raises(InputError) as raised:
            enrich(OBJECTS, out, [Marker()], objects_sha256=digest)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert str(raised.value) == (
        f"{out}: cannot be written (File too large); what is done is kept: make room and start "
        "again, or give another place"
    )
    seen = []
    enrich(
        OBJECTS, out, [Marker(function=lambda item: seen.append(item.id))], objects_sha256=digest
    )
    assert 0 < len(seen) < 40
    assert (out / "corpus.jsonl").read_bytes() == (tmp_path / "whole/corpus.jsonl").read_bytes()


def test_an_error_over_one_object_costs_no_other(tmp_path):
    done = enrich(OBJECTS, tmp_path / "out", [Marker(function=fail("o4", error=ZeroDivisionError))])
    assert done == Enriched(40, 1)
    (line,) = (tmp_path / "out" / "failures.jsonl").read_text().splitlines()
    assert json.loads(line)["reason"] == "ZeroDivisionError: bad o4"


def test_two_that_write_the_same_place_are_told_apart(tmp_path):
    out = tmp_path / "out"

    def second(item):
        enrich(OBJECTS, out, [Marker()])

    with pytest.raises(InputError, match="another process is writing it"):
        enrich(OBJECTS, out, [Marker(function=second)])
    assert enrich(OBJECTS, out, [Marker()]) == Enriched(40, 0)
    assert names(tmp_path) == ["out"]


def test_bad_calls_leave_nothing(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "diary.txt").touch()
    for call, complaint in (
        (lambda: enrich([], tmp_path / "out", [Marker()]), "the source has no objects"),
        (lambda: enrich(OBJECTS, folder, [Marker()]), "mine: exists and is not a BEIR folder"),
        (lambda: enrich(OBJECTS, tmp_path / "out", [Marker()], workers=0), "workers: 0 must be"),
        (
            lambda: enrich(OBJECTS, folder / "diary.txt" / "out", [Marker()]),
            r"out: cannot be written \(File exists\)",
        ),
    ):
        with pytest.raises(InputError, match=complaint):
            call()
        assert names(tmp_path) == ["mine"]


@pytest.mark.nightly
def test_what_computes_runs_in_other_processes(endpoint, tmp_path):
    endpoint.answer = lambda body: '["Berlin"]'
    long = Object("long", "x" * 1_000_001)
    objects = [Object("a", "Angela Merkel flew to Paris."), long, *OBJECTS]
    with Llm("m", endpoint=endpoint.url) as llm:
        enrichers = [SpacyEntities(), LlmEntities(llm, keep=True)]
        assert enrich(objects, tmp_path / "out", enrichers, workers=2) == Enriched(42, 2)
    first = next(read_objects(tmp_path / "out"))
    assert first.metadata["entities"] == ["Angela Merkel", "Paris", "Berlin"]


# ---- the command line


def start(*arguments, **options):
    command = [sys.executable, "-m", "grapher_jax", "enrich", *map(str, arguments)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def wait_for(condition, seconds=30.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def write_corpus(folder, objects):
    folder.mkdir()
    lines = (json.dumps({"_id": item.id, "text": item.text}) + "\n" for item in objects)
    (folder / "corpus.jsonl").write_text("".join(lines))
    return folder


@pytest.mark.nightly
def test_a_killed_program_goes_on_and_ends_with_the_same_bytes(endpoint, tmp_path, grapher):
    source = write_corpus(tmp_path / "source", OBJECTS)
    slow = 0.0

    def answer(body):
        time.sleep(slow)
        text = json.loads(body["messages"][1]["content"])
        return "prose" if text == "Text 3" else json.dumps([text])

    endpoint.answer = answer
    llm = ["--enricher", "llm-entities", "--model", "m", "--endpoint", endpoint.url]

    def arguments(out, cache):
        return [source, "--out", tmp_path / out, *llm, "--cache", tmp_path / cache, "--workers", 2]

    status, out, err = grapher("enrich", *arguments("whole", "whole.jsonl"), "--json")
    assert status == 1
    assert json.loads(out) == {
        "folder": str(tmp_path / "whole"),
        "enrichers": ["llm-entities"],
        "objects": 40,
        "failures": 1,
    }
    assert "requests: 40, about" in err
    assert "failures: 1, listed in" in err
    asked = len(endpoint.requests)
    slow = 0.1
    with start(*arguments("out", "first.jsonl")) as process:
        wait_for((tmp_path / "out.partial.json").exists)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "out").exists()
    slow, before = 0.0, len(endpoint.requests)
    # Another cache: what is done is known from the folder alone.
    status, out, err = grapher("enrich", *arguments("out", "second.jsonl"))
    assert (status, out) == (1, f"{tmp_path / 'out'}: 40 objects\n")
    assert 0 < len(endpoint.requests) - before < asked - 3
    for name in ("corpus.jsonl", "failures.jsonl"):
        expected = (tmp_path / "whole" / name).read_bytes()
        assert (tmp_path / "out" / name).read_bytes() == expected
    # A later run asks about the failed one alone.
    endpoint.answer = lambda body: '["at last"]'
    before = len(endpoint.requests)
    status, _, err = grapher("enrich", *arguments("whole", "whole.jsonl"))
    assert (status, len(endpoint.requests) - before) == (0, 1)
    assert "requests: 1," in err
    assert names(tmp_path / "whole") == ["corpus.jsonl"]
    assert list(read_objects(tmp_path / "whole"))[3].metadata["entities"] == ["at last"]
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or b"hush" not in path.read_bytes()


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")
@pytest.mark.nightly
def test_the_workers_of_a_killed_program_end_too(tmp_path):
    objects = [Object(f"o{n}", "Ada Lovelace met Charles Babbage. " * 20) for n in range(2000)]
    source = write_corpus(tmp_path / "source", objects)
    with start(source, "--out", tmp_path / "out", "--enricher", "spacy-entities") as process:
        wait_for((tmp_path / "out.partial.json").exists, 600)
        workers = children(process.pid)
        assert workers
        process.send_signal(signal.SIGKILL)
    wait_for(lambda: not any(map(running, workers)))


def test_nothing_can_work_is_one_line_and_keeps_what_was_done(endpoint, tmp_path, grapher):
    source = write_corpus(tmp_path / "source", OBJECTS)
    endpoint.answer = lambda body: (401, {}) if len(endpoint.requests) > 20 else '["x"]'
    arguments = [source, "--out", tmp_path / "out", "--enricher", "llm-entities", "--model", "m"]
    arguments += ["--endpoint", endpoint.url, "--cache", tmp_path / "cache", "--yes"]
    status, out, err = grapher("enrich", *arguments, "--price-in", 1, "--price-out", 2.5)
    assert (status, out) == (2, "")
    cost, complaint = err.splitlines()
    assert "4 characters a token), at most about 0.0" in cost
    assert complaint.startswith(f"grapher-jax: {endpoint.url}: the key was refused")
    assert "hush" not in err
    state = json.loads((tmp_path / "out.partial.json").read_text())
    assert 0 < state["done"] <= 20
    assert os.environ["OPENAI_API_KEY"] == "sk-hush"


def test_wrong_usage_is_one_line(capsys, tmp_path, beir, monkeypatch):
    from grapher_jax.command_line import main

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for arguments, complaint in (
        (
            (beir,),
            "enricher: none is given; use spacy-entities, llm-entities, keywords, mentions, --amr "
            "or --aliases",
        ),
        (
            (beir, "--enricher", "magic"),
            "'magic' is unknown; use spacy-entities, llm-entities, key",
        ),
        ((beir, "--enricher", "llm-entities"), "model: is empty"),
        ((tmp_path / "no", "--enricher", "spacy-entities"), "no: no such folder"),
        ((beir, "--enricher", "spacy-entities", "--workers", 0), "workers: 0 must be at least 1"),
        ((beir, "--enricher", "spacy-entities", "--spacy-model", "x"), "'x' is not installed"),
    ):
        with pytest.raises(SystemExit) as stopped:
            main(["enrich", "--out", str(tmp_path / "out"), *map(str, arguments)])
        captured = capsys.readouterr()
        assert (stopped.value.code, captured.out) == (2, "")
        assert complaint in captured.err
        assert captured.err.count("\n") == 1
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("agreed", [True, False])
def test_on_a_terminal_the_cost_is_asked_about(endpoint, tmp_path, on_a_terminal, agreed):
    source = write_corpus(tmp_path / "source", OBJECTS[:1])
    llm = ["--enricher", "llm-entities", "--model", "m", "--endpoint", endpoint.url]
    arguments = [source, "--out", tmp_path / "out", *llm, "--cache", tmp_path / "cache"]
    status, shown = on_a_terminal(b"y\n" if agreed else b"n\n", "enrich", *arguments)
    assert b"requests: 1, about" in shown
    assert b"Go on?" in shown
    assert status == (0 if agreed else 1)
    assert (b"not begun, as asked" in shown) != agreed
    assert len(endpoint.requests) == agreed
