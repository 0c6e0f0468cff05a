"""Several processes that share a port, as they run for users."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from grapher_jax.errors import InputError
from grapher_jax.serve.processes import Member, oversee

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="they share a port on Linux")
QUESTION = {"query": "which stores?", "documents": ["a dog", "the stores of a city"]}


def members(process: subprocess.Popen) -> list[int]:
    """The processes of a service, the oldest first."""
    return [*map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())]


def wait_for(what, seconds: float = 120):
    """The first true value of a function."""
    until = time.monotonic() + seconds
    while not (value := what()):
        assert time.monotonic() < until, "it did not come to be"
        time.sleep(0.1)
    return value


def listening(url: str) -> int:
    """How many sockets wait for connections to a port."""
    wanted = f":{int(url.rpartition(':')[2]):04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(wanted) and row[3] == "0A" for row in rows)


def counted(url: str, name: str) -> float:
    """The sum of a metric over its labels."""
    page = httpx.get(f"{url}/metrics", timeout=60).text
    return sum(map(float, re.findall(rf"^{name}(?:{{.*}})? (\S+)$", page, re.MULTILINE)))


def reloads(url: str) -> dict[str, float]:
    """How often each index was opened anew, by all processes together."""
    page = httpx.get(f"{url}/metrics", headers={"authorization": "Bearer all"}, timeout=60).text
    found = re.findall(r'reloads_total{index="(.+?)",outcome="served"} (\S+)$', page, re.MULTILINE)
    return {name: float(count) for name, count in found}


def ask(url: str) -> int:
    """The status of a request over a connection of its own."""
    return httpx.post(f"{url}/v1/rerank", json=QUESTION, timeout=600).status_code


@pytest.fixture(scope="module")
def group(start, shop_folder):
    """Two processes that both listen."""
    with start(shop_folder, "--processes", "2") as (url, process):
        wait_for(lambda: listening(url) == 2)
        yield url, process


@pytest.mark.nightly
def test_any_process_tells_what_all_have_counted(group):
    url, _ = group
    before = counted(url, "grapher_jax_batch_size_count")
    assert {ask(url) for _ in range(30)} == {200}
    told = {counted(url, "grapher_jax_batch_size_count") - before for _ in range(20)}
    assert len(told) == 1
    assert told.pop() >= 30
    assert counted(url, "grapher_jax_objects") == 6
    assert counted(url, "grapher_jax_queue_depth") == 0


@pytest.mark.nightly
def test_a_reload_reaches_every_process(group):
    url, process = group
    before = counted(url, "grapher_jax_reloads_total")
    assert httpx.post(f"{url}/v1/reload", json={}, timeout=600).json() == {"objects": 6}
    wait_for(lambda: counted(url, "grapher_jax_reloads_total") == before + 2)
    process.send_signal(signal.SIGHUP)
    wait_for(lambda: counted(url, "grapher_jax_reloads_total") == before + 4)


@pytest.mark.nightly
def test_a_process_that_dies_is_replaced_while_the_other_answers(group):
    url, process = group
    oldest, other = members(process)
    cores_of_oldest = os.sched_getaffinity(oldest)
    assert {ask(url) for _ in range(30)} == {200}
    counted_before = counted(url, "grapher_jax_batch_size_count")
    os.kill(oldest, signal.SIGKILL)
    wait_for(lambda: listening(url) == 1)
    assert {ask(url) for _ in range(5)} == {200}
    wait_for(lambda: listening(url) == 2)
    first, second = members(process)
    assert (first, second != oldest) == (other, True)
    assert os.sched_getaffinity(second) == cores_of_oldest
    told = next(line for line in iter(process.stderr.readline, "") if " INFO index " not in line)
    assert "a process ended with status -9; another starts" in told
    # What it had counted is not lost.
    assert counted(url, "grapher_jax_batch_size_count") >= counted_before + 5


@pytest.mark.nightly
def test_all_that_die_at_once_are_replaced(start, shop_folder):
    with start(shop_folder, "--processes", "4") as (url, process):
        wait_for(lambda: listening(url) == 4)
        died = members(process)
        for one in died:
            os.kill(one, signal.SIGKILL)
        wait_for(lambda: listening(url) == 4 and not {*died} & {*members(process)})
        assert ask(url) == 200


@pytest.mark.nightly
def test_signals_during_the_start_are_heard(program, shop_folder):
    command = [program, "serve", str(shop_folder), "--port", "0", "--processes", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: members(process))
    process.send_signal(signal.SIGHUP)
    assert "http://" in process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=600)[1] == ""
    assert process.returncode == 0


@pytest.mark.nightly
def test_a_request_reloads_in_all_what_it_names(start, shop_folder, tmp_path):
    other = shutil.copytree(shop_folder, tmp_path / "other.index")
    token = tmp_path / "tokens"
    token.write_text("all\nsome other.index\n")
    with start(shop_folder, str(other), "--token-file", str(token), "--processes", "2") as (url, _):
        wait_for(lambda: listening(url) == 2)
        headers = {"authorization": "Bearer some"}
        httpx.post(f"{url}/v1/reload", json={}, headers=headers, timeout=600).raise_for_status()
        # The other process may take a while.
        wait_for(lambda: reloads(url).get("other.index") == 2)
        assert reloads(url).get("shop.index", 0) == 0


@pytest.mark.nightly
def test_one_that_ends_before_it_is_ready_ends_all_with_its_error(program, tmp_path):
    command = [program, "serve", str(tmp_path), "--processes", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 2
    assert done.stderr.count("is no index") == 1


@pytest.mark.parametrize("count", ["1", "2"])
@pytest.mark.nightly
def test_a_port_that_is_taken_is_told(program, shop_folder, group, count):
    port = group[0].rpartition(":")[2]
    command = [program, "serve", str(shop_folder), "--port", port, "--processes", count]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 2
    assert f"cannot listen on 127.0.0.1 port {port}" in done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_one_that_was_started(number, program, shop_folder, tmp_path):
    command = [program, "serve", str(shop_folder), "--port", "0", "--no-warm-up"]
    process = subprocess.Popen(
        [*command, "--processes", "2"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    url = re.search(r"http://[^,\s]+", process.stderr.readline())[0]
    wait_for(lambda: len(members(process)) == 2)
    process.send_signal(number)
    # Which is at its end when no process can write to it.
    process.communicate(timeout=600)
    assert listening(url) == 0
    assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)


def test_other_systems_are_told_to_start_one(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(InputError, match="processes: 2 share a port only on Linux; start one"):
        oversee(2, "127.0.0.1", 0)


def test_a_process_that_was_started_alone_counts_for_itself(monkeypatch):
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "/nowhere")
    assert Member.from_environment() is None
    assert "PROMETHEUS_MULTIPROC_DIR" not in os.environ
