"""Rerank 100,000 questions in one run, as `grapher-jax rerank` does; `--help` lists the options.

The questions are those of the given indexes, again and again under new ids, and the base run holds
what the retriever returns for them: the same files for the same indexes. Start-up (opening the
index, looking through the base run, compiling) is told apart from the rate after it, which is
counted from the end of the first block of questions.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import chain, cycle, islice
from pathlib import Path

from grapher_jax import Index, Query, Reranker
from grapher_jax.corpus import read_queries, write_queries
from grapher_jax.demo import sample_folder, sample_tables
from grapher_jax.files import sha256
from grapher_jax.runs import open_run, rerank_run, rerank_settings

CANDIDATES = 200


def main() -> None:
    """Make the files where they are missing, and measure in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="where the files are, or go")
    parser.add_argument("--index", type=Path, action="append", default=[], metavar="DIR")
    parser.add_argument("--queries", type=int, default=100_000, metavar="N")
    parser.add_argument("--questions", type=int, default=2_048, help="different ones of an index")
    parser.add_argument("--kills", type=int, default=0, help="kill and restart it so many times")
    parser.add_argument("--quick", action="store_true", help="a smoke run on the sample company")
    parser.add_argument("--measure", action="store_true", help="in this process; files must exist")
    options = parser.parse_args()
    if not (options.folder or options.quick):
        parser.error("give a folder, or --quick")
    if options.measure:
        print(json.dumps(measure(options.folder)))  # noqa: T201
    elif options.quick:
        with tempfile.TemporaryDirectory() as name:
            make(Path(name), [], 3_000, 100)
            show(finish(start(Path(name))))
    else:
        if not (options.folder / "queries.jsonl").exists():
            make(options.folder, options.index, options.queries, options.questions)
        if options.kills:
            kill(options.folder, options.kills)
        else:
            show(finish(start(options.folder)))


def make(folder: Path, sources: Sequence[Path], queries: int, questions: int) -> None:
    """Write index, base run and questions; the sample company's where there are no sources."""
    folder.mkdir(parents=True, exist_ok=True)
    if sources:
        indexes = [Index.load(source) for source in sources]
    else:
        indexes = [Index.build(sample_tables(), folder=sample_folder())]
    objects = chain.from_iterable(index.objects for index in indexes)
    index = Index.build(objects, reuse=indexes[0])
    index.save(folder / "index")
    asked = [islice(index.queries.values(), questions) for index in indexes]
    different = [query for together in zip(*asked, strict=False) for query in together]
    first = folder / "different.trec"
    rerank_run(index, different, first, Reranker(ranker="base"), k=CANDIDATES)
    found: dict[str, list[str]] = {}
    with first.open() as lines:
        for line in lines:
            query, rest = line.split(" ", 1)
            found.setdefault(query, []).append(f" {rest}")
    first.unlink()
    with (folder / "base.trec").open("w") as file:
        for number, rests in enumerate(islice(cycle(found.values()), queries)):
            name = f"q{number:07d}"
            file.write(name + name.join(rests))
    numbered = enumerate(islice(cycle(different), queries))
    write_queries(folder, (Query(f"q{n:07d}", query.text) for n, query in numbered), {})


def measure(folder: Path) -> dict[str, float]:
    """Seconds until the first block is written and for all, queries a second after it, and MiB.

    Where one block is all, there is no rate after it.
    """
    seconds, done = [time.perf_counter()], []

    def progress(count: int) -> None:
        if count:
            seconds.append(time.perf_counter())
            done.append(count)

    index, queries, base = (
        Index.load(folder / "index"),
        folder / "queries.jsonl",
        folder / "base.trec",
    )
    reranker = Reranker(ranker="gcs", scores="shift")
    settings = rerank_settings(folder / "index", queries, reranker, k=CANDIDATES, base_run=base)
    with open_run(base) as base_run:
        rerank_run(
            index,
            read_queries(queries),
            folder / "run.trec",
            reranker,
            k=CANDIDATES,
            base_run=base_run,
            settings=settings,
            progress=progress,
        )
    return {
        "queries": sum(done),
        "start_s": seconds[1] - seconds[0],
        "all_s": seconds[-1] - seconds[0],
        "peak_MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    } | ({"queries_per_s": sum(done[1:]) / (seconds[-1] - seconds[1])} if done[1:] else {})


def kill(folder: Path, times: int) -> None:
    """Kill it at a random moment, start it again, compare what it ends with; so many times."""
    out, moments = folder / "run.trec", random.Random(0)
    state = Path(f"{out}.partial.json")
    measured = finish(start(folder))
    expected, kept = sha256(out), []
    for number in range(times):
        out.unlink()
        process = start(folder)
        if number % 5:  # once it works; else while it starts
            while process.poll() is None and not state.exists():
                time.sleep(0.01)
            moment = moments.uniform(0, measured["all_s"] - measured["start_s"])
        else:
            moment = moments.uniform(0, measured["start_s"])
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        kept.append(json.loads(state.read_text())["done"] if state.exists() else 0)
        finish(start(folder))
        assert sha256(out) == expected
    print(f"killed with so many queries done, ended with the same bytes: {kept}")  # noqa: T201


def start(folder: Path) -> subprocess.Popen[str]:
    """Measure in a process of its own."""
    command = [sys.executable, __file__, str(folder), "--measure"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> dict[str, float]:
    """What it measured."""
    printed, _ = process.communicate()
    assert process.returncode == 0
    return json.loads(printed)


def show(measured: dict[str, float]) -> None:
    """Print it, with the load of the machine, which decides what it is worth."""
    load = os.getloadavg()[0]
    print(json.dumps(measured | {"load": load}, indent=1))  # noqa: T201


if __name__ == "__main__":
    main()
