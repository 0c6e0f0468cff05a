"""Time updating a large index, and searching it before and after; `--help` lists the options.

The index is that of `million.py`, with embeddings that are given. Ten updates of as many made-up
objects each, of which one in ten replaces another, make eleven parts; each is timed from opening to
the manifest, in seconds and in those of the processor, and then the median question of the parts
and of the same index as one.
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
from grapher_jax.index import is_index, merged

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


def questions(indexes: dict[str, Index]) -> dict[str, float]:
    """Seconds of the median question for every index, asked in turn: whoever else is at work."""
    seconds: dict[str, list[float]] = {name: [] for name in indexes}
    for question in QUESTIONS * 4:
        for name, index in indexes.items():
            began = time.perf_counter()
            index.search(question, ranker="gcs")
            seconds[name].append(time.perf_counter() - began)
    # The first ones compile, and read what is mapped.
    return {name: float(np.median(own[len(QUESTIONS) :])) for name, own in seconds.items()}


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
            f"question_of_{name}_s": own
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
        if not is_index(folder):
            build(folder, objects)
        copy = Path(scratch, "updated")
        shutil.copytree(folder, copy)
        print(json.dumps(measure(copy, objects, each), indent=1))  # noqa: T201


if __name__ == "__main__":
    main()
