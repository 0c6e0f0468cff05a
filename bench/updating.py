"""Time updating a large index, and searching it before and after; `--help` lists the options.

The index is that of `million.py`, with embeddings that are given. Ten updates of as many made-up
objects each, of which one in ten replaces another, leave a few parts; each is timed from opening to
the manifest, in seconds and in those of the processor, and then a question to the parts and to the
same index as one, in processor seconds.
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
from grapher_jax.corpus.documents import holds_index
from grapher_jax.index import merged

UPDATES = 10
ROUNDS = 6


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


def questions(indexes: dict[str, Index]) -> dict[str, float]:
    """Processor seconds of a question to every index, asked in turn: the least of each question."""
    least = {name: np.full(len(QUESTIONS), np.inf) for name in indexes}
    for _ in range(ROUNDS):
        for number, question in enumerate(QUESTIONS):
            for name, index in indexes.items():
                began = time.process_time()
                index.search(question, ranker="gcs")
                used = time.process_time() - began
                least[name][number] = min(least[name][number], used)
    return {name: float(own.mean()) for name, own in least.items()}


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
    many = Index.load(folder, embedder=MadeUpVectors())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    used = time.process_time()
    merged(many).save(folder / "as-one")
    compacting = time.process_time() - used
    one = Index.load(folder / "as-one", embedder=MadeUpVectors())
    return (
        found
        | {
            "processor_s": processor,
            "parts": len(many.named or ()),
            "peak_MiB": peak,
            "compact_processor_s": compacting,
        }
        | {
            f"question_of_{name}_processor_s": own
            for name, own in questions({"parts": many, "one": one}).items()
        }
    )


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
        if not holds_index(folder):
            build(folder, objects)
        copy = Path(scratch, "updated")
        shutil.copytree(folder, copy)
        print(json.dumps(measure(copy, objects, each), indent=1))  # noqa: T201


if __name__ == "__main__":
    main()
