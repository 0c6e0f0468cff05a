"""Rerank and search with mixed sizes for a long time: memory and compiled programs must not grow.

First every kind of request is made until a round of them compiles nothing. Then requests of random
kinds and sizes follow, each within the size of a program that is there. The exit status is 1 where
another program was compiled, or where resident memory, as the median of the last tenth of the time,
is more than `--growth` MiB above that of the second tenth. Memory is read from /proc, so on Linux.
"""

import argparse
import gc
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any

import jax
import numpy as np

from grapher_jax import Index, Reranker
from grapher_jax.corpus import read_queries
from grapher_jax.demo import sample_folder, sample_tables

MIB = 1 << 20
# Lists of this length in each batch, whatever the others have, so that arrays have one width.
REFERENCES, ENTITIES = 4, 8
KINDS = ("nothing", "foreign_keys", "links", "entities", "chunks", "all")
RANKERS = ("base", "gcs", "ppr", "diffusion")
NETWORK = "gat"
# Questions, candidates and results: the largest of each program, all below them drawn at random.
SIZES = ((1, 8, 8), (8, 32, 16), (32, 64, 4), (4, 200, 128), (1, 200, 16), (16, 128, 64))
NETWORK_SIZES = ((8, 32, 16), (1, 200, 16))
SEARCHES = (1, 16)
# What a filter leaves: all, a few or one of the sample's tables.
FILTERS = (None, "group", "place")
# So many requests that compile nothing end the warm-up.
_QUIET = 117
_MOST_ROUNDS = 60

Request = Callable[[random.Random], int]


@dataclass(frozen=True)
class Sample:
    """What stands at one moment.

    Attributes:
        seconds: since the requests began.
        memory: resident bytes.
        programs: compiled since the process began.
    """

    seconds: float
    memory: int
    programs: int


def main() -> int:
    """Make requests, tell how it went, and whether anything grew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="after the warm-up")
    parser.add_argument("--growth", type=float, default=64.0, metavar="MIB", help="allowed memory")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="a smoke run: every fifth kind alone")
    options = parser.parse_args()
    compiled = count_programs()
    rng = random.Random(options.seed)
    requests = [*rerank_requests(), *search_requests()][:: 5 if options.quick else 1]
    started = time.monotonic()
    rounds = warm_up(requests, rng, compiled)
    tell(f"warm-up: {rounds} rounds, {compiled()} programs, {time.monotonic() - started:.0f} s")
    samples, made, questions = soak(requests, rng, compiled, 60 * options.minutes)
    grown, programs = growth(samples)
    tell(
        f"soak: {options.minutes:g} minutes, {made:,} requests, {questions:,} questions; "
        f"{samples[-1].programs} programs, {programs} of them new; "
        f"memory {samples[-1].memory / MIB:,.0f} MiB, {grown / MIB:+.1f} (at most "
        f"{options.growth:+.0f})"
    )
    return int(programs > 0 or grown > options.growth * MIB)


def tell(line: str) -> None:
    """Print it now."""
    print(line, flush=True)  # noqa: T201


def count_programs() -> Callable[[], int]:
    """A function that tells how many programs JAX has compiled since."""
    count = 0

    def listen(event: str, duration_secs: float, **_: object) -> None:
        nonlocal count
        count += event == "/jax/core/compile/backend_compile_duration"

    jax.monitoring.register_event_duration_secs_listener(listen)
    return lambda: count


def rerank_requests() -> list[Request]:
    """Another retriever's candidates: every ranker with every size, kinds of metadata in turn."""
    pairs = [*product(RANKERS, SIZES), *((NETWORK, size) for size in NETWORK_SIZES)]
    kinds = islice(cycle(KINDS[1:] + KINDS), len(pairs))
    return [
        rerank_request(Reranker(ranker=ranker), kind, *size)
        for (ranker, size), kind in zip(pairs, kinds, strict=True)
    ]


def rerank_request(
    reranker: Reranker, kind: str, questions: int, candidates: int, k: int
) -> Request:
    """Draw lists of candidates, rerank them, and now and then ask why."""

    def request(rng: random.Random) -> int:
        # All that a program is for, which is more than half of its sizes.
        batch, results = (rng.randint(size // 2 + 1, size) for size in (questions, k))
        lists = [
            draw_candidates(rng, kind, rng.randint(candidates * 4 // 5, candidates))
            for _ in range(batch - 1)
        ]
        lists.append(draw_candidates(rng, kind, candidates))
        asked = [f"question {rng.random()}" for _ in lists]
        for hits in reranker.rerank_batch(asked, lists, k=results):
            if [hit.rank for hit in hits] != list(range(1, min(results, len(hits)) + 1)):
                raise AssertionError(hits)
        return batch

    return request


def draw_candidates(rng: random.Random, kind: str, n: int) -> list[dict[str, Any]]:
    """Candidates with random scores, vectors and metadata."""
    names = [str(number) for number in range(n)]
    vectors = np.random.default_rng(rng.getrandbits(32)).normal(size=(n, 384))
    shared = [f"shared {number}" for number in range(ENTITIES)]

    def metadata(place: int) -> dict[str, Any]:
        size = REFERENCES if place == 0 else rng.randint(0, REFERENCES)
        own = rng.sample([f"entity {number}" for number in range(2 * n)], rng.randint(0, ENTITIES))
        whole = {
            "foreign_keys": rng.sample(names, size),
            "links": rng.sample(names, size),
            "entities": shared if place < 2 else own,
            "document_id": str(rng.randint(0, 3)),
            "chunk_id": rng.randint(0, n),
        }
        keys = {"nothing": (), "chunks": ("document_id", "chunk_id"), "all": tuple(whole)}
        return {key: whole[key] for key in keys.get(kind, (kind,))}

    return [
        {"id": name, "score": rng.random(), "metadata": metadata(place), "embedding": vector}
        for place, (name, vector) in enumerate(zip(names, vectors, strict=True))
    ]


def search_requests() -> list[Request]:
    """Questions to the sample company's index: every ranker and filter, with explanations."""
    tables = [
        replace(table, metadata={**table.metadata, "group": place % 3, "place": place})
        for place, table in enumerate(sample_tables())
    ]
    index = Index.build(tables)
    questions = [query.text for query in read_queries(sample_folder())]
    kinds = [*product(RANKERS, SEARCHES, FILTERS), (NETWORK, 4, None)]
    return [search_request(index, questions, *kind) for kind in kinds]


def search_request(
    index: Index, questions: Sequence[str], ranker: str, size: int, key: str | None = None
) -> Request:
    """Ask as many questions as a program takes, for any number of results."""
    reranker = Reranker(ranker=ranker)

    def request(rng: random.Random) -> int:
        asked = rng.choices(questions, k=rng.randint(size // 2 + 1, size))
        wanted = {key: rng.choice(index.objects).metadata[key]} if key else None
        k = rng.randint(1, len(index.ids))
        found = index.search_batch(asked, k=k, ranker=reranker, filters=[wanted] * len(asked))
        str(rng.choice(found[0]).explanation)
        return len(asked)

    return request


def warm_up(requests: Sequence[Request], rng: random.Random, compiled: Callable[[], int]) -> int:
    """Make every request again and again until none of many compiles, and tell the rounds."""
    quiet = 0
    for number in range(1, _MOST_ROUNDS + 1):
        before = compiled()
        for request in requests:
            request(rng)
        quiet = quiet + len(requests) if compiled() == before else 0
        if quiet >= _QUIET:
            return number
    raise SystemExit(f"warm-up: {_MOST_ROUNDS} rounds, and programs are compiled still")


def soak(
    requests: Sequence[Request], rng: random.Random, compiled: Callable[[], int], seconds: float
) -> tuple[list[Sample], int, int]:
    """Make random requests for so long; samples, requests and questions."""
    begin = time.monotonic()
    samples, made, questions = [sample(begin, compiled)], 0, 0
    told = 0
    while samples[-1].seconds < seconds:
        due = samples[-1].seconds + seconds / 200
        while time.monotonic() - begin < due:
            questions += rng.choice(requests)(rng)
            made += 1
        samples.append(sample(begin, compiled))
        now = samples[-1]
        if now.seconds >= told * seconds / 10:
            told += 1
            tell(
                f"{now.seconds:7.0f} s {made:10,} requests {now.programs:6} programs "
                f"{now.memory / MIB:8,.0f} MiB"
            )
    return samples, made, questions


def sample(begin: float, compiled: Callable[[], int]) -> Sample:
    """What stands now, garbage left out."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Sample(time.monotonic() - begin, pages * os.sysconf("SC_PAGE_SIZE"), compiled())


def growth(samples: Sequence[Sample]) -> tuple[float, int]:
    """How many bytes and programs more there are at the end."""
    early, late = early_and_late([one.memory for one in samples])
    return late - early, samples[-1].programs - samples[0].programs


def early_and_late(memories: Sequence[int]) -> tuple[float, float]:
    """The medians of the second tenth and of the last."""
    tenth = max(len(memories) // 10, 1)
    parts = (memories[tenth : 2 * tenth] or memories[:1], memories[-tenth:])
    early, late = (statistics.median(part) for part in parts)
    return early, late


if __name__ == "__main__":
    sys.exit(main())
