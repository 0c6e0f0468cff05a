"""An honest client of `grapher-jax serve`, while others do their worst, all at once.

The honest client asks 20 times a second, reranks and searches in turn. Beside it, from another
process: connections that send requests without waiting for answers, with and without the token;
explanations of everything in one long document; another combination of top_n, filter, number of
documents and references each time; filters of four megabytes; and every five seconds an update of
the index, which the service opens anew (`--only update`: nothing else). All of it on this machine.

It prints the honest client's failures and times, and the service's memory before, at most and at
the end, and how often the index was opened anew. The exit status is 1 where an honest request or an
opening failed, where the 95th percentile is above `--slowest`, or where memory, as the median of
the last tenth of the time, is more than `--growth` MiB above that before the attack. Memory and log
are read from /proc and disk, so on Linux.
"""

import argparse
import json
import multiprocessing
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

MIB = 1 << 20
TOKEN = "hush"
CHUNKS = 200
BODY = 4 * MIB - 1000
# Threads of the honest client: more than requests that it ever waits for at once.
THREADS = 40
WARM_SECONDS = 10.0
# Growth of memory in so many seconds, below which a service has settled.
SETTLED, SETTLING_SECONDS = 8 * MIB, 15.0

Attack = Callable[["Client", random.Random], None]


class Client:
    """One connection at a time to a service.

    Attributes:
        answer: the body of the last answer.
    """

    answer = b""

    def __init__(self, url: str, token: str | None = TOKEN, index: Path | None = None) -> None:
        """Nothing is connected yet; the folder of the index is for those who update it."""
        self.address, self.index = urlsplit(url).netloc, index
        self.head = {"content-type": "application/json"}
        if token is not None:
            self.head["authorization"] = f"Bearer {token}"
        self._connection = HTTPConnection(self.address, timeout=30)

    def post(self, path: str, body: Any) -> int:
        """The status of the answer; 0 where there was none."""
        try:
            self._connection.request("POST", path, json.dumps(body), self.head)
            response = self._connection.getresponse()
            self.answer = response.read()
        except (OSError, HTTPException):
            self._connection.close()
            return 0
        return response.status


def main() -> int:
    """Attack, tell how it went, and whether the honest client noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="of the attack")
    parser.add_argument("--rate", type=float, default=20.0, help="honest requests a second")
    parser.add_argument("--slowest", type=float, default=200.0, metavar="MS", help="allowed p95")
    parser.add_argument("--growth", type=float, default=300.0, metavar="MIB", help="allowed memory")
    parser.add_argument("--only", choices=[*ATTACKS], nargs="*", help="these attacks alone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, service(build(Path(name))) as (url, process, log):
        settle(process.pid)
        quiet, _ = honest(url, options.rate, WARM_SECONDS, process.pid)
        tell(f"alone: {told(quiet)}")
        begin = memory(process.pid)
        stop = multiprocessing.get_context("spawn").Event()
        attackers = multiprocessing.get_context("spawn").Process(
            target=attack, args=(url, options.only or [*ATTACKS], stop, log.with_name("index"))
        )
        attackers.start()
        times, memories = honest(url, options.rate, 60 * options.minutes, process.pid)
        stop.set()
        attackers.join()
        alive = process.poll() is None
        end = statistics.median(memories[-(len(memories) // 10 + 1) :])
        unopened = reloads(url, "failed")
        tell(f"attacked: {told(times)}")
        tell(f"index: opened anew {reloads(url, 'served')} times, {unopened} failed")
        tell(
            f"memory: {begin / MIB:,.0f} MiB before, {max(memories) / MIB:,.0f} at most, "
            f"{end / MIB:,.0f} at the end ({(end - begin) / MIB:+,.0f}); "
            f"log {log.stat().st_size / MIB:.2f} MiB; alive: {alive}"
        )
    slow = np.percentile([taken for taken, _ in times], 95) > options.slowest / 1000
    failed = any(status != 200 for _, status in times)
    return int(failed or slow or unopened or not alive or end - begin > options.growth * MIB)


def tell(line: str) -> None:
    """Print it now."""
    print(line, flush=True)  # noqa: T201


def told(times: list[tuple[float, int]]) -> str:
    """Numbers of answers, and their times in milliseconds."""
    statuses = Counter(status for _, status in times)
    failed = {status: count for status, count in statuses.items() if status != 200}
    p50, p95, p99 = np.percentile([1000 * taken for taken, _ in times], [50, 95, 99])
    return (
        f"{len(times)} honest requests, {sum(failed.values())} failed {failed or ''}; "
        f"p50 {p50:.0f} ms, p95 {p95:.0f} ms, p99 {p99:.0f} ms"
    )


def build(folder: Path) -> Path:
    """The index of the sample company and one long document."""
    from grapher_jax.corpus import Object
    from grapher_jax.demo import sample_tables
    from grapher_jax.search import Index

    chunks = [Object(f"minutes#{n}", f"item {n}", "", place(n)) for n in range(CHUNKS)]
    Index.build([*sample_tables(), *chunks]).save(folder / "index")
    return folder / "index"


@contextmanager
def service(index: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[bytes], Path]]:
    """A service over an index that is ready; its address, process, and log beside the index."""
    program, log = Path(sys.executable).with_name("grapher-jax"), index.with_name("log")
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [program, "serve", str(index), "--port", "0", *options],
            stderr=errors,
            env={**os.environ, "GRAPHER_JAX_TOKEN": TOKEN},
        )
    try:
        while not (found := re.search(r"http://[\d.:]+", log.read_text())):
            if process.poll() is not None:
                raise SystemExit(f"the service has ended before it began: {log.read_text()}")
            time.sleep(0.1)
        while not is_ready(found[0]):
            time.sleep(0.2)
        yield found[0], process, log
    finally:
        process.terminate()
        process.wait()


def place(number: int) -> dict[str, Any]:
    """The metadata of a chunk of the long document."""
    return {"document_id": "minutes", "chunk_id": number}


def is_ready(url: str) -> bool:
    """Whether everything is compiled."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=30)
    with suppress(OSError, HTTPException):
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    return False


def reloads(url: str, outcome: str) -> int:
    """How often the index was opened anew, with this outcome."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=30)
    with suppress(OSError, HTTPException):
        connection.request("GET", "/metrics", headers={"authorization": f"Bearer {TOKEN}"})
        lines = connection.getresponse().read().decode()
        found = re.search(
            rf'^grapher_jax_reloads_total{{.*"{outcome}"}} (\S+)', lines, re.MULTILINE
        )
        return int(float(found[1])) if found else 0
    return 0


def settle(pid: int) -> None:
    """Wait until memory hardly grows: once the service is ready, it goes on reading programs."""
    before = 0
    while (now := memory(pid)) > before + SETTLED:
        before = now
        time.sleep(SETTLING_SECONDS)


def memory(pid: int) -> int:
    """Resident bytes of a process; 0 where it has ended."""
    with suppress(OSError, IndexError):
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


def honest(
    url: str, rate: float, seconds: float, pid: int
) -> tuple[list[tuple[float, int]], list[int]]:
    """Ask at a rate, whatever the answers; seconds and status of each request, and memory."""
    local, began = threading.local(), time.perf_counter()
    memories: list[int] = []

    def ask(number: int) -> tuple[float, int]:
        if not hasattr(local, "client"):
            local.client = Client(url)
        if number % 2:
            status = local.client.post("/v1/rerank", honest_rerank(number))
        else:
            asked = f"Which customers bought item {number % 50}?"
            status = local.client.post("/v1/search", {"query": asked})
        # From when it was due, not from when there was room to send it.
        return time.perf_counter() - began - number / rate, status

    with ThreadPoolExecutor(THREADS) as threads:
        answers = []
        for number in range(int(rate * seconds)):
            time.sleep(max(0.0, began + number / rate - time.perf_counter()))
            answers.append(threads.submit(ask, number))
            if number % int(rate) == 0:
                memories.append(memory(pid))
        return [answer.result() for answer in answers], memories


def honest_rerank(number: int) -> dict[str, Any]:
    """Thirty tables with scores and foreign keys."""
    documents = [
        {
            "id": f"table {place}",
            "score": 1 / (1 + place),
            "text": "id, name, city, created, status, amount",
            "metadata": {"foreign_keys": [f"table {(place * 7 + number) % 30}"]},
        }
        for place in range(30)
    ]
    return {"query": f"question {number}", "documents": documents, "top_n": 10}


def attack(url: str, names: list[str], stop: Any, index: Path) -> None:
    """Do these attacks, each in a thread of its own, until told to stop."""

    def again_and_again(name: str) -> None:
        token, pause, once = ATTACKS[name]
        rng, client = random.Random(name), Client(url, token, index)
        while not stop.wait(pause):
            once(client, rng)

    threads = [threading.Thread(target=again_and_again, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def pipeline(client: Client, rng: random.Random) -> None:
    """Thousands of requests on one connection, of which no answer is waited for."""
    head = "".join(f"{name}: {value}\r\n" for name, value in client.head.items())
    body = b'{"query": "?", "documents": []}'
    request = f"POST /v1/rerank HTTP/1.1\r\nhost: x\r\n{head}content-length: {len(body)}\r\n\r\n"
    host, _, port = client.address.rpartition(":")
    until = time.monotonic() + 10.0
    with suppress(OSError), socket.create_connection((host, int(port)), timeout=1) as connection:
        connection.setblocking(False)
        block, sent = (request.encode() + body) * 500, 0
        while time.monotonic() < until:
            with suppress(BlockingIOError):
                sent = (sent + connection.send(block[sent:])) % len(block)
            with suppress(BlockingIOError):
                connection.recv(MIB)
            time.sleep(0.001)


def explain(client: Client, rng: random.Random) -> None:
    """Forty-eight bytes that ask for two hundred explanations of two hundred chunks."""
    client.post("/v1/search", {"query": "item", "top_n": 200, "explain": True})


def combine(client: Client, rng: random.Random) -> None:
    """A search and a rerank of sizes that were not there before."""
    keys = [f"{rng.random()}" for _ in range(rng.randint(1, 256))]
    filters = [None, {"document_id": "minutes"}, {"chunk_id": rng.randrange(CHUNKS)}]
    asked = {"query": "word " * rng.randint(1, 50), "top_n": rng.randint(1, 200)}
    client.post("/v1/search", asked | {"filter": rng.choice(filters)})
    kind = rng.choice(["foreign_keys", "links", "entities"])
    documents = [
        {"id": str(n), "score": rng.random(), "metadata": {kind: keys[: rng.randint(1, 256)]}}
        for n in range(rng.randint(1, 60))
    ]
    body = {"query": "?", "documents": documents, "top_n": rng.randint(1, 60)}
    client.post("/v1/rerank", body)


def filter_badly(client: Client, rng: random.Random) -> None:
    """Four megabytes that no object fits, and a key that none has."""
    large = {"document_id": f"{rng.random()}" + "x" * (BODY - 200)}
    client.post("/v1/search", {"query": "item", "filter": large})
    client.post("/v1/search", {"query": "item", "filter": {f"{rng.random()}": 1}})


def update(client: Client, rng: random.Random) -> None:
    """Replace ten chunks of the index that is served."""
    from grapher_jax.corpus import Object
    from grapher_jax.index import rewrite
    from grapher_jax.search import Index

    numbers = rng.sample(range(CHUNKS), 10)
    said = [Object(f"minutes#{n}", f"item {n} {rng.random()}", "", place(n)) for n in numbers]
    rewrite(Index, client.index, lambda found: found.update(said))


# With which token, how many seconds apart, what.
ATTACKS: dict[str, tuple[str | None, float, Attack]] = {
    "pipeline": (None, 0.1, pipeline),
    "pipeline with the token": (TOKEN, 0.1, pipeline),
    "explain": (TOKEN, 1.0, explain),
    "combine": (TOKEN, 0.5, combine),
    "filter": (TOKEN, 1.0, filter_badly),
    "update": (TOKEN, 5.0, update),
}


if __name__ == "__main__":
    sys.exit(main())
