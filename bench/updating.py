"""Time updating a large index, and searching it before and after; `--help` lists the options.

The index is that of `million.py`, with embeddings that are given. Ten updates of as many made-up
objects each, of which one in ten replaces another, make eleven parts; each is timed from opening to
the manifest, and then the median question of the parts and of the same index as one.
"""

import argparse
import json
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from million import QUESTIONS, WORDS, WORDS_EACH, MadeUpVectors, build

from grapher_jax import Index, Object
from grapher_jax.index import is_index, merged, rewrite

UPDATES = 10


def changes(objects: int, each: int) -> Iterator[list[Object]]:
    """For every update the objects that join, of which one in ten replaces another."""
    rng = np.random.default_rng(1)
    for number in range(UPDATES):
        words = np.minimum(rng.zipf(1.3, (each, WORDS_EACH)), WORDS)
        keys = rng.integers(objects, size=(each, 2))
        yield [
            Object(
                f"table{rng.integers(objects)}x" if own % 10 else f"table{number * each + own}",
                " ".join(f"word{word}" for word in words[own]),
                metadata={"foreign_keys": [f"table{key}" for key in keys[own]], "round": number},
            )
            for own in range(each)
        ]


def questions(folder: Path) -> tuple[float, float]:
    """Seconds for the median question, and to open the index."""
    began = time.perf_counter()
    index = Index.load(folder, embedder=MadeUpVectors())
    opened, seconds = time.perf_counter() - began, []
    for question in QUESTIONS * 3:
        began = time.perf_counter()
        index.search(question, ranker="gcs")
        seconds.append(time.perf_counter() - began)
    return float(np.median(seconds[len(QUESTIONS) :])), opened


def measure(folder: Path, objects: int, each: int) -> dict[str, float | list[float]]:
    """Seconds of opening, changing and saving for every update, and of questions, and MiB."""
    found: dict[str, list[float]] = {"open_s": [], "update_s": [], "save_s": []}
    processor = []
    for number, joining in enumerate(changes(objects, each)):
        distinct = [*{item.id: item for item in joining}.values()]
        seconds, used = [time.perf_counter()], time.process_time()
        index = Index.load(folder, embedder=MadeUpVectors())
        seconds.append(time.perf_counter())
        index = index.update(distinct)
        seconds.append(time.perf_counter())
        index.save(folder)
        seconds.append(time.perf_counter())
        for name, own in zip(found, np.diff(seconds).round(2).tolist(), strict=True):
            found[name].append(own)
        processor.append(round(time.process_time() - used, 2))
        print(number, {name: own[-1] for name, own in found.items()}, file=sys.stderr)  # noqa: T201
    parts = len(index.named or ())
    many, opening = questions(folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    began = time.perf_counter()
    rewrite(Index, folder, merged)
    compacting = time.perf_counter() - began
    one, opening_one = questions(folder)
    return found | {
        "processor_s": processor,
        "parts": parts,
        "peak_MiB": peak,
        "question_of_parts_s": many,
        "question_of_one_s": one,
        "open_parts_s": opening,
        "open_one_s": opening_one,
        "compact_s": compacting,
    }


def main() -> None:
    """Build the index where it is missing, and update a copy of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="where the index is, or goes")
    parser.add_argument("--objects", type=int, default=1_000_000)
    parser.add_argument("--each", type=int, default=1_000, help="objects of an update")
    parser.add_argument("--quick", action="store_true", help="a smoke run")
    options = parser.parse_args()
    if not (options.folder or options.quick):
        parser.error("give a folder, or --quick")
    with tempfile.TemporaryDirectory(dir=options.folder and options.folder.parent) as scratch:
        objects, each = (300, 20) if options.quick else (options.objects, options.each)
        folder = options.folder or Path(scratch, "made-up")
        if not is_index(folder):
            build(folder, objects)
        copy = Path(scratch, "updated")
        shutil.copytree(folder, copy)
        print(json.dumps(measure(copy, objects, each), indent=1))  # noqa: T201


if __name__ == "__main__":
    main()
