"""Ctrl-C, wherever it comes, ends a verb in one line with status 130, and leaves nothing half-written."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import grapher_jax as gj

PACKAGE = Path(gj.__file__).parent
# The process is told to stop by itself, when it does a thing for the n-th time.
AT = """
import os, signal, sys
event, part, left = {event!r}, {part!r}, {number}
def stop(happens, details):
    global left
    if happens == event and part in str(details):
        left -= 1
        if not left:
            {stopped}
sys.addaudithook(stop)
from grapher_jax.command_line import main
main()
"""
AT_ONCE = "os.kill(os.getpid(), signal.SIGINT)"
# Where Python ignores what is raised.
IN_A_CALLBACK = "type('Odd', (), {'__del__': lambda self: os.kill(os.getpid(), signal.SIGINT)})()"
INTERRUPTED = (130, "", "grapher-jax: interrupted\n")


@pytest.fixture
def program(tmp_path):
    """A verb in a process of its own that is stopped: status, standard output and error."""

    def run(point, *arguments, stopped=AT_ONCE):
        event, part, number = point
        code = AT.format(event=event, part=part, number=number, stopped=stopped)
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
        command = [sys.executable, "-c", code, *map(str, arguments)]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        return done.returncode, done.stdout, done.stderr

    return run


NEVER = ("never", "", 0)
LOADING, READING = ("import", "jax.numpy", 1), ("open", "model.safetensors", 1)
WRITING, LAST = ("os.mkdir", ".new.index.", 1), ("ctypes.dlsym", "renameat2", 1)


# Each point takes seconds; the others are for the night.
@pytest.mark.parametrize("point", [pytest.param(LOADING, marks=pytest.mark.nightly), READING])
def test_index_leaves_nothing_before_anything_is_embedded(program, shop_files, tmp_path, point):
    assert program(point, "index", shop_files, "--out", "new.index") == INTERRUPTED
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "point",
    [
        pytest.param(WRITING, marks=pytest.mark.nightly),
        pytest.param(LAST, marks=pytest.mark.nightly),
    ],
)
def test_index_leaves_what_it_goes_on_from_and_what_was_there(
    program, shop_files, shop_index, tmp_path, point
):
    made = {path.name for path in shop_index.iterdir()}
    if point == LAST:
        shutil.copytree(shop_index, tmp_path / "new.index")
    assert program(point, "index", shop_files, "--out", "new.index") == INTERRUPTED
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"new.index.partial"} | ({"new.index"} if point == LAST else set())
    if point == LAST:
        assert gj.Index.load(tmp_path / "new.index").ids == gj.Index.load(shop_index).ids
    assert program(NEVER, "index", shop_files, "--out", "new.index")[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["new.index"]
    assert {path.name for path in Path(tmp_path, "new.index").iterdir()} == made


@pytest.mark.parametrize(
    "point",
    [
        pytest.param(LOADING, marks=pytest.mark.nightly),
        pytest.param(("open", "manifest.json", 1), marks=pytest.mark.nightly),
        READING,
    ],
)
def test_search_ends(program, shop_index, tmp_path, point):
    assert program(point, "search", shop_index, "Which stores?", "--ranker", "gcs") == INTERRUPTED
    assert list(tmp_path.iterdir()) == []


@pytest.mark.nightly
def test_an_interruption_that_a_callback_swallows_comes_again(program, shop_index):
    ended = program(LOADING, "search", shop_index, "Which stores?", stopped=IN_A_CALLBACK)
    assert ended == INTERRUPTED


@pytest.mark.nightly
def test_rerank_leaves_nothing_or_what_it_goes_on_from(program, shop_index, shop_files, tmp_path):
    asked = ("rerank", shop_index, "--queries", shop_files / "queries.jsonl", "--ranker", "gcs")
    begun = ("open", "run.trec.partial", 2)
    assert program(begun, *asked, "--out", "run.trec") == INTERRUPTED
    assert list(tmp_path.iterdir()) == []
    # Once a block is recorded, before the run takes its place.
    recorded = ("os.rename", "run.trec.partial", 2)
    assert program(recorded, *asked, "--out", "run.trec") == INTERRUPTED
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["run.trec.partial", "run.trec.partial.json"]
    assert program(NEVER, *asked, "--out", "run.trec")[0] == 0
    assert program(NEVER, *asked, "--out", "again.trec")[0] == 0
    assert Path(tmp_path, "run.trec").read_bytes() == Path(tmp_path, "again.trec").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.nightly
def test_a_service_ends_in_one_line_too(shop_index, tmp_path):
    command = [sys.executable, "-m", "grapher_jax", "serve", shop_index, "--port", "0"]
    with subprocess.Popen(
        [*command, "--ranker", "gcs", "--no-warm-up"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        stderr=subprocess.PIPE,
        text=True,
    ) as service:
        url = re.search(r"http://127.0.0.1:\d+", service.stderr.readline())[0]
        httpx.get(f"{url}/health/live", timeout=60)  # it serves
        service.send_signal(signal.SIGINT)
        assert service.stderr.read() == "grapher-jax: interrupted\n"
    assert service.returncode == 130


def test_an_error_by_which_an_import_ends_is_the_interruption(grapher, shop_index, monkeypatch):
    def importing(*_, **__):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            raise RuntimeError("cannot release un-acquired lock") from None

    monkeypatch.setattr(gj.Index, "load", importing)
    assert grapher("search", shop_index, "Which stores?") == INTERRUPTED
