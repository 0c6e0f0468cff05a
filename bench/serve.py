"""Load on `grapher-jax serve`, from wrk and hey: requests a second, and how long they take.

The service and the load generator share this machine. Each request reranks 200 tables with scores
and foreign keys: made up (`workloads.tables`), or with `--index` what the base retriever finds for
the index's own questions, and then its 50 best as strings, too. wrk keeps connections busy and
gives requests a second; hey sends 50 requests a second and gives percentiles. Embedding is timed
apart: the same tables without scores, and questions to the index.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np
from workloads import EMPTY, tables

TOOLS = ("wrk", "hey")
QUESTIONS = 32
# Strings that the index has: how many a request brings, and of how many questions.
STRINGS, ASKED = 50, 100
COLUMNS = ["id", "name", "city", "created", "status", "amount", "owner", "kind", "note", "parent"]
# Requests a second at times that connections choose by chance, and how many take turns for that.
RATE, CROWD = 300, 64
# Every connection sends the bodies of all files in turn, and the summary is one line of JSON.
SCRIPT = """
local bodies, at, run, pause = {}, 0, "%s", %d
for name in io.popen("ls %s/*.json"):lines() do
  local file = io.open(name)
  table.insert(bodies, file:read("*a"))
  file:close()
end
request = function()
  at = at + 1
  local body = bodies[at %% #bodies + 1]
  -- A question that nobody has asked before, whose embedding is not known.
  if run ~= "" then body = body:gsub('"query": "', '"query": "' .. run .. at .. ' ', 1) end
  return wrk.format("POST", nil, {["content-type"] = "application/json"}, body)
end
if pause > 0 then delay = function() return math.random(2 * pause) end end
done = function(summary, latency, requests)
  local failed = 0
  for _, count in pairs(summary.errors) do failed = failed + count end
  io.write(string.format('{"rate": %%f, "p50": %%f, "p95": %%f, "p99": %%f, "failed": %%d}\\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3,
    latency:percentile(95) / 1e3, latency:percentile(99) / 1e3, failed))
end
"""

Record = dict[str, Any]


def main() -> int:
    """Start the service, load it, print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smoke run, a second a kind of load")
    parser.add_argument("--index", type=Path, help="serve this index, with its own questions")
    parser.add_argument("--processes", type=int, default=1, help="of the service")
    parser.add_argument("--seconds", type=float, default=10.0, help="of every load")
    options = parser.parse_args()
    missing = [tool for tool in TOOLS if which(tool) is None]
    if missing:
        print(f"service: not timed, for want of {', '.join(missing)}; apt-get install them")  # noqa: T201
        return 0
    seconds = 1.0 if options.quick else options.seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scored, unscored = folder / "scored", folder / "unscored"
        index = options.index or sample_index(folder / "sample.index")
        requests = from_index(index) if options.index else made_up()
        write(requests, scored)
        write([without_scores(request) for request in requests], unscored)
        if options.index:
            asked_of = from_index(index, ASKED)
            write([as_strings(request) for request in asked_of], folder / "known")
        with service(index, options.processes) as url:
            connections, rates = ((4,), (50,)) if options.quick else ((1, 4, 16), (50, 100))
            records = [closed(url, scored, seconds, count) for count in connections]
            records += [open_loop(url, scored, seconds, rate) for rate in rates]
            if options.index:
                records += known(url, folder / "known", seconds)
            apart = [embedded(url, unscored, seconds), asked(url, requests, seconds)]
    print_records(records, apart, options.processes)
    return 0 if all(record["failed"] == 0 for record in records) else 1


def made_up() -> list[Record]:
    """Tables of nobody, as `workloads.tables` joins them."""
    arrays = tables(np.random.default_rng(0), QUESTIONS)
    names = np.char.add("table_", arrays["object_ids"].astype(str)).tolist()
    requests = []
    for question in range(QUESTIONS):
        documents = []
        for place, name in enumerate(names[question]):
            keys = arrays["foreign_keys"][question, place]
            columns = ", ".join(f"{name}_{column}" for column in COLUMNS)
            documents.append(
                {
                    "id": name,
                    "text": f"{name}: {columns}",
                    "score": float(arrays["scores"][question, place]),
                    "metadata": {
                        "foreign_keys": [f"table_{key}" for key in keys if key != EMPTY],
                        "db": "made_up",
                        "table": name,
                    },
                }
            )
        requests.append({"query": f"question {question}", "documents": documents})
    return requests


def sample_index(folder: Path) -> Path:
    """The sample company's tables, indexed."""
    from grapher_jax.demo import sample_tables
    from grapher_jax.search import Index

    Index.build(sample_tables()).save(folder)
    return folder


def from_index(folder: Path, count: int = QUESTIONS) -> list[Record]:
    """What the base retriever finds for the index's own questions, taken evenly."""
    from grapher_jax.search import Index

    index = Index.load(folder)
    every = [query.text for query in index.queries.values()]
    questions = every[:: max(1, len(every) // count)][:count]
    found = index.retrieve(questions)
    return [
        {
            "query": question,
            "documents": [
                {
                    "id": item.id,
                    "text": item.text,
                    "score": float(score),
                    "metadata": dict(item.metadata),
                }
                for row, score in zip(rows, scores, strict=True)
                if row != EMPTY
                for item in (index.objects[int(row)],)
            ],
        }
        for question, rows, scores in zip(questions, found.rows, found.scores, strict=True)
    ]


def without_scores(request: Record) -> Record:
    """The same, so that the service must embed."""
    documents = [
        {key: value for key, value in document.items() if key != "score"}
        for document in request["documents"]
    ]
    return request | {"documents": documents}


def as_strings(request: Record) -> Record:
    """The best of them as strings, which the service finds in its index."""
    best = request["documents"][:STRINGS]
    return request | {"documents": [document["text"] for document in best]}


def known(url: str, bodies: Path, seconds: float) -> list[Record]:
    """Strings that the index has, without scores: the question alone is embedded."""
    found = [closed(url, bodies, seconds, connections) for connections in (1, 4, 8, 16)]
    pause = round(1000 * CROWD / RATE) - 15  # what an answer takes
    many = closed(url, bodies, seconds, CROWD, pause=pause)
    found.append(many | {"load": f"wrk, {CROWD} connections that pause"})
    new = [closed(url, bodies, seconds, connections, fresh=True) for connections in (1, 8)]
    return [
        record | {"load": f"{record['load']}, strings{told}"}
        for records, told in ((found, ""), (new, " and new questions"))
        for record in records
    ]


def write(requests: list[Record], folder: Path) -> None:
    """A file for each body."""
    folder.mkdir()
    for number, request in enumerate(requests):
        (folder / f"{number:03}.json").write_text(json.dumps(request))


@contextmanager
def service(index: Path, processes: int) -> Iterator[str]:
    """The service in processes of its own, warm."""
    program = Path(sys.executable).with_name("grapher-jax")
    command = [program, "serve", str(index), "--port", "0", "--processes", str(processes)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        while not (match := re.search(r"http://\S+?(?=,)", process.stderr.readline())):
            if process.poll() is not None:
                raise SystemExit("the service has ended before it began")
        while not (ready(match[0]) and listening(match[0]) == processes):
            time.sleep(0.2)
        yield match[0]
    finally:
        process.terminate()
        process.communicate()


def ready(url: str) -> bool:
    """Whether everything is compiled."""
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=10) as response:
            return response.status == 200
    except (urllib.error.HTTPError, OSError):
        return False


def listening(url: str) -> int:
    """How many processes take connections to a port of IPv4."""
    port = f":{int(url.rpartition(':')[2]):04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(port) and row[3] == "0A" for row in rows)


def closed(
    url: str,
    bodies: Path,
    seconds: float,
    connections: int,
    *,
    fresh: bool = False,
    pause: int = 0,
) -> Record:
    """wrk: each connection asks again as soon as it is answered, or after some milliseconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT % (f"{time.time_ns()} " if fresh else "", pause, bodies))
        script.flush()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s"]
        command += ["-s", script.name, f"{url}/v1/rerank"]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {"load": f"wrk, {connections} connections", **json.loads(output.splitlines()[-1])}


def open_loop(url: str, bodies: Path, seconds: float, rate: int) -> Record:
    """hey: a fixed number of requests a second, from five connections at once."""
    body = sorted(bodies.iterdir())[0]
    command = ["hey", "-o", "csv", "-z", f"{seconds}s", "-c", "5", "-q", str(rate // 5)]
    command += ["-m", "POST", "-T", "application/json", "-D", str(body), f"{url}/v1/rerank"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = [line.split(",") for line in output.splitlines()[1:]]
    times = [1000 * float(row[0]) for row in rows]
    failed = sum(row[6] != "200" for row in rows)
    # Its list leaves out what was not answered; the last of each connection may come too late.
    missing = max(0, round(rate * seconds) - 5 - len(rows))
    load = {"load": f"hey, {rate} requests a second", "failed": failed, "missing": missing}
    return load | summary(times, seconds)


def embedded(url: str, bodies: Path, seconds: float) -> Record:
    """The same tables without scores, one request after the other."""
    return {"load": "without scores"} | timed(
        f"{url}/v1/rerank", [path.read_bytes() for path in sorted(bodies.iterdir())], seconds
    )


def asked(url: str, requests: list[Record], seconds: float) -> Record:
    """Questions to the index, one after the other."""
    bodies = [json.dumps({"query": request["query"]}).encode() for request in requests]
    return {"load": "/v1/search"} | timed(f"{url}/v1/search", bodies, seconds)


def timed(url: str, bodies: list[bytes], seconds: float) -> Record:
    """One connection, each body in turn."""
    times, until = [], time.perf_counter() + seconds
    while not times or time.perf_counter() < until:
        body = bodies[len(times) % len(bodies)]
        request = urllib.request.Request(url, body, {"content-type": "application/json"})
        began = time.perf_counter()
        with urllib.request.urlopen(request, timeout=60) as response:
            response.read()
        times.append(1000 * (time.perf_counter() - began))
    return {"failed": 0} | summary(times, sum(times) / 1000)


def summary(times: list[float], seconds: float) -> Record:
    """Requests a second, and milliseconds by percentile."""
    p50, p95, p99 = np.percentile(times, [50, 95, 99])
    return {"rate": len(times) / seconds, "p50": p50, "p95": p95, "p99": p99}


def print_records(records: list[Record], apart: list[Record], processes: int) -> None:
    """A table in Markdown, and the machine."""
    model = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    cores = len(os.sched_getaffinity(0))
    named = model[1] if model else platform.processor()
    lines = [f"\nservice: {processes} of its processes, {cores} cores of {named} for all", ""]
    lines += [
        "| load | requests a second | p50 ms | p95 ms | p99 ms | failed | not sent or answered |"
    ]
    lines += ["|---|---|---|---|---|---|---|"]
    for r in [*records, *apart]:
        figures = [f"{r['rate']:.1f}", *(f"{r[name]:.1f}" for name in ("p50", "p95", "p99"))]
        lines += [
            f"| {r['load']} | {' | '.join(figures)} | {r['failed']} | {r.get('missing', 0)} |"
        ]
    print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
