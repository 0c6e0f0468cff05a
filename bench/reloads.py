"""Update the index of a busy service again and again: no request fails, and memory stays flat.

Connections that stay open rerank texts that the index of `grapher-jax serve` has, rerank tables
with scores and keys, and search, at a steady rate. Meanwhile tables join the index, change and
leave it, from another process, which the service notices by itself; after every third update a
request asks it to reload, too. A search must then find the tables that joined, none that left.

It prints how it goes, and one line of JSON at the end. The exit status is 1 where a request or a
reload failed or an update was not served, or where the service's memory, as the median of the last
tenth of the time, is more than `--growth` MiB above that of the second tenth. Memory is read from
/proc, so on Linux.
"""

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from attack import MIB, Client, honest_rerank, memory, reloads, service, settle
from million import MadeUpVectors
from soak import early_and_late, tell

from grapher_jax import Index, Object
from grapher_jax.index import rewrite

CONNECTIONS = 4
# Tables that join with every update, and tables that change; after so many updates the first leave.
EACH, STAY = 10, 5
# In the place of an update's number, for tables from the beginning, which never leave.
FIRST = -STAY - 1
DOCUMENTS = 100
# From an update to when it must be served.
LATEST_SECONDS = 300.0
PERCENTILES = (50, 95, 99, 100)


@dataclass(frozen=True)
class Seen:
    """What came of it so far, from all threads.

    Attributes:
        statuses: how often a request had this status; 0 for one without an answer.
        seconds: of every request, from when it was due.
        served: of every update, seconds until it was served; infinite if it never was.
        stop: set once no more requests and updates should begin.
    """

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    served: list[float] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def post(self, client: Client, path: str, body: dict[str, Any]) -> Any:
        """The answer to a request; None, and a line that says why, where it failed."""
        status = client.post(path, body)
        self.statuses[status] += 1
        if status == 200:
            return json.loads(client.answer)
        tell(f"{path}: {status} {client.answer[:300]!r}")
        return None


def main() -> int:
    """Load the service, update its index, and tell whether anything failed or grew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="of load and updates")
    parser.add_argument("--rate", type=float, default=3.0, help="requests a second")
    parser.add_argument("--every", type=float, default=40.0, help="seconds between updates")
    parser.add_argument("--growth", type=float, default=64.0, metavar="MIB", help="allowed memory")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="a smoke run, however memory grows")
    options = parser.parse_args()
    if options.quick:
        options.minutes, options.every, options.growth = 0.1, 2.0, np.inf
    rng, names, seen = random.Random(options.seed), [f"table{n}" for n in range(3000)], Seen()
    made = [made_up(rng, name, names) for name in names]
    texts = {item.id: item.text for item in made}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as threads:
        index = Path(folder, "index")
        Index.build(made, embedder=MadeUpVectors(), lexical="bm25s").save(index)
        # Without a warm-up, it is ready at once.
        with service(index, *["--no-warm-up"] * options.quick) as (url, process, log):
            if not options.quick:
                settle(process.pid)
            work = [
                threads.submit(ask, url, options.rate, number, texts, seen)
                for number in range(CONNECTIONS)
            ]
            work.append(threads.submit(update, url, index, options.every, rng, texts, seen))
            memories = watch(url, process.pid, 60 * options.minutes, seen)
            for one in work:
                one.result()
            reloaded = {outcome: reloads(url, outcome) for outcome in ("served", "failed")}
            tell(log.read_text()[-10_000:])
    early, late = (own / MIB for own in early_and_late(memories))
    found = {
        "requests": seen.statuses,
        "request_s": np.percentile(seen.seconds, PERCENTILES).round(3).tolist(),
        "updates": len(seen.served),
        "served_after_s": np.percentile(seen.served, PERCENTILES).round(1).tolist(),
        "reloads": reloaded,
        "MiB": [round(early, 1), round(late, 1)],
    }
    tell(json.dumps(found))
    failed = {*seen.statuses} != {200} or reloaded["failed"] or np.inf in seen.served
    return int(failed or late - early > options.growth)


def watch(url: str, pid: int, seconds: float, seen: Seen) -> list[int]:
    """Sample the service's memory for so long, tell how it goes, then stop the others."""
    begin, memories = time.monotonic(), [memory(pid)]
    for number in range(1, 201):
        time.sleep(max(0.0, begin + number * seconds / 200 - time.monotonic()))
        memories.append(memory(pid))
        if number % 20 == 0:
            tell(
                f"{time.monotonic() - begin:7.0f} s {dict(seen.statuses)} requests by status, "
                f"{len(seen.served)} updates, {reloads(url, 'served')} reloads, "
                f"{memories[-1] / MIB:,.0f} MiB"
            )
    seen.stop.set()
    return memories


def ask(url: str, rate: float, connection: int, texts: dict[str, str], seen: Seen) -> None:
    """What one of the connections asks, each request when it is due."""
    client, rng, begin = Client(url), random.Random(connection), time.monotonic()
    for number in count(connection, CONNECTIONS):
        due = begin + number / rate
        if seen.stop.wait(due - time.monotonic()):
            return
        known = [texts[name] for name in rng.sample([*texts], DOCUMENTS)]
        question = {"query": f"Has any word{rng.randrange(50)} and word{rng.randrange(2000)}?"}
        kinds = [
            ("/v1/rerank", question | {"documents": known}),
            ("/v1/rerank", honest_rerank(number)),
            ("/v1/search", question),
        ]
        seen.post(client, *rng.choice(kinds))
        seen.seconds.append(time.monotonic() - due)


def update(
    url: str, index: Path, every: float, rng: random.Random, texts: dict[str, str], seen: Seen
) -> None:
    """Update the index every so many seconds, and see that the service follows."""
    begin, names = time.monotonic(), [*texts]
    for number in count():
        if seen.stop.wait(begin + number * every - time.monotonic()):
            return
        changing = [made_up(rng, name, names) for name in rng.sample(names, EACH)]
        joining = [made_up(rng, name, names, number) for name in joined(number)]
        leaving = joined(number - STAY)
        rewrite(Index, index, partial(Index.update, objects=changing + joining, delete=leaving))
        texts.update({item.id: item.text for item in changing})
        # A new connection, because the service closes one that is not used for long.
        written, client = time.monotonic(), Client(url)
        if number % 3 == 2:
            seen.post(client, "/v1/reload", {})
        latest = time.monotonic() + LATEST_SECONDS
        while not (served := follows(client, number, seen)) and time.monotonic() < latest:
            time.sleep(0.5)
        seen.served.append(time.monotonic() - written if served else np.inf)


def follows(client: Client, number: int, seen: Seen) -> bool:
    """Whether a search finds all tables that joined by the update, and none that left by it."""
    there, gone = (
        seen.post(client, "/v1/search", {"query": "word1", "filter": {"update": own}})
        for own in (number, number - STAY)
    )
    return bool(there and gone) and len(there["results"]) == EACH and not gone["results"]


def made_up(rng: random.Random, name: str, others: Sequence[str], number: int = FIRST) -> Object:
    """A table with words, keys to others, and the number of the update by which it joined."""
    words = " ".join(f"word{int(rng.paretovariate(0.3)) % 50_000}" for _ in range(12))
    return Object(name, words, "", {"foreign_keys": rng.sample(others, 2), "update": number})


def joined(number: int) -> list[str]:
    """The names of the tables that join by an update; none before the first."""
    return [f"joined{number}x{own}" for own in range(EACH)] if number >= 0 else []


if __name__ == "__main__":
    sys.exit(main())
