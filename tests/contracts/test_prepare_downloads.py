"""The files of benchmark sets, fetched from a server."""

import hashlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "bench"))

import prepare
from released_files import hotpot_row


@pytest.fixture
def served():
    """A server of files that can begin in the middle: its address, its files, what was asked."""
    files, ranges, short = {}, [], set()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.lstrip("/")
            if name not in files:
                self.send_error(404)
                return
            wanted = self.headers.get("range")
            ranges.append(wanted)
            first = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
            if wanted and first >= len(files[name]):
                self.send_error(416)
                return
            self.send_response(206 if wanted else 200)
            kind = "text/html" if files[name].startswith(b"<html") else "application/json"
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(files[name]) - first))
            self.end_headers()
            self.wfile.write(files[name][first : len(files[name]) // 2 if name in short else None])

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", files, ranges, short
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def fetched(served, tmp_path, monkeypatch, capsys):
    """Make HotpotQA from a server; the status and what was told."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    address, files, _, _ = served
    name = "hotpot_dev_distractor_v1.json"
    files[name] = json.dumps([hotpot_row(n, "A", "B", "C") for n in range(3)]).encode()

    def make(*options):
        demanded = ["--sha256", f"{name}={hashlib.sha256(files[name]).hexdigest()}"]
        out = ["--out", str(tmp_path / "made"), "--from", address]
        status = prepare.main(["hotpotqa", *out, *(options or demanded)])
        return status, capsys.readouterr().err

    make.part = tmp_path / "made.sources" / f"{name}.part"
    make.file = make.part.with_suffix("")
    return make


def test_a_download_that_stopped_goes_on(served, fetched):
    _, files, ranges, short = served
    short.add("hotpot_dev_distractor_v1.json")
    status, told = fetched()
    assert status == 1
    assert "ended early" in told
    short.clear()
    half = fetched.part.stat().st_size
    assert half == len(files["hotpot_dev_distractor_v1.json"]) // 2
    assert fetched()[0] == 0
    assert ranges == [None, f"bytes={half}-"]
    assert not fetched.part.exists()
    assert fetched()[0] == 0  # it is there
    assert len(ranges) == 2


def test_what_another_version_left_is_dropped(served, fetched):
    fetched.part.parent.mkdir()
    fetched.part.write_bytes(b"x" * 10_000)
    status, told = fetched()
    assert (status, "416" in told) == (1, True)
    assert fetched()[0] == 0


def test_a_page_in_place_of_a_file_is_refused(served, fetched):
    served[1]["hotpot_dev_distractor_v1.json"] = b"<html>quota exceeded</html>"
    status, told = fetched()
    assert (status, "a page, not a file" in told, "--from" in told) == (1, True, True)
    assert not fetched.file.exists()


def test_a_file_must_have_the_recorded_digest_or_the_demanded_one(fetched, tmp_path):
    status, told = fetched("--seed", "0")
    assert status == 1
    assert "not 4e9ecb5c8d3b" in told
    assert "--sha256 hotpot_dev_distractor_v1.json=" in told
    assert not (tmp_path / "made").exists()
    status, told = fetched("--sha256", f"hotpot_dev_distractor_v1.json={'0' * 64}")
    assert (status, f"not {'0' * 64}" in told) == (1, True)
