"""Time opening a large index and answering a question of it; `--help` lists the options.

The objects are made up: ids, a dozen words of a Zipf vocabulary, two foreign keys each, and random
unit vectors in place of embeddings, so that the index is built in minutes. Questions are embedded
by the real embedder, which is loaded before the clock starts.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from grapher_jax import Index, Object
from grapher_jax.corpus.documents import holds_index
from grapher_jax.retrieve.embedders import Progress, no_progress

WORDS, WORDS_EACH, KEYS_EACH = 50_000, 12, 2
QUESTIONS = [f"Which word{n} stands with word{3 * n + 1} and word{7 * n + 2}?" for n in range(20)]


class MadeUpVectors:
    """Random unit vectors under the name of the embedder that reads the questions."""

    name, dimension = "offline", 384

    def embed_objects(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> np.ndarray:
        """`[N, 384]` float32, unit length."""
        vectors = np.random.default_rng(1).normal(size=(len(texts), self.dimension))
        progress(len(texts))
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    embed_queries = embed_objects


def build(folder: Path, objects: int) -> None:
    """Write an index of so many made-up objects."""
    rng = np.random.default_rng(0)
    words = np.minimum(rng.zipf(1.3, (objects, WORDS_EACH)), WORDS)
    keys = rng.integers(objects, size=(objects, KEYS_EACH))
    made = (
        Object(
            f"table{n}",
            " ".join(f"word{word}" for word in words[n]),
            metadata={"foreign_keys": [f"table{key}" for key in keys[n]]},
        )
        for n in range(objects)
    )
    Index.build(made, embedder=MadeUpVectors(), lexical="bm25s").save(folder)


def measure(folder: Path) -> dict[str, float | dict[str, float]]:
    """Seconds to open the index and of its questions, MiB, and bytes an object by file or folder.

    The key of the filter has another value for every object.
    """
    from grapher_jax.retrieve.embedders import load_embedder

    embedder = load_embedder("offline")
    embedder.embed_queries(["warm"])
    seconds = [time.perf_counter()]
    index = Index.load(folder, embedder=embedder)
    seconds.append(time.perf_counter())
    for question in QUESTIONS:
        index.search(question, ranker="gcs")
        seconds.append(time.perf_counter())
    opening, first, *rest = np.diff(seconds)
    began = time.perf_counter()
    index.search(QUESTIONS[0], ranker="gcs", filter={"foreign_keys": {"$ne": []}})
    filtered = time.perf_counter() - began
    sizes = Counter[str]()
    for file in filter(Path.is_file, folder.rglob("*")):
        sizes[file.relative_to(folder).parts[0]] += file.stat().st_size
    return {
        "objects": len(index.ids),
        "open_s": opening,
        "first_question_s": first,
        "question_s": float(np.median(rest)),
        "first_filter_s": filtered,
        "peak_MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "bytes_per_object": {
            name: round(size / len(index.ids), 1) for name, size in sorted(sizes.items())
        },
    }


def main() -> None:
    """Build the index where it is missing, and measure it in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the index is, or goes")
    parser.add_argument("--objects", type=int, default=1_000_000)
    parser.add_argument("--measure", action="store_true", help="in this process; it must exist")
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.folder), indent=1))  # noqa: T201
        return
    if not holds_index(options.folder):
        build(options.folder, options.objects)
    subprocess.run([sys.executable, __file__, str(options.folder), "--measure"], check=True)


if __name__ == "__main__":
    main()
