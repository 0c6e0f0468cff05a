"""Write a set whose questions say how densely they name keywords, for `evaluate --level density`.

    python docs/tools/keyword_density.py INDEX SPLIT FOLDER

A question's density is how many keywords of the keyword graph its metadata and words name, divided
by the number of its words. It is `high` above the median of the split, and else `low`.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from grapher_jax.corpus import Query, write_beir
from grapher_jax.search import Index
from grapher_jax.systems.keyword_graph.graph import KeywordGraph, WalkSettings, keyword_graph


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("index", type=Path, help="of the set")
    parser.add_argument("split", help="whose questions are kept")
    parser.add_argument("folder", type=Path, help="to write, in BEIR layout")
    options = parser.parse_args(arguments)
    index = Index.load(options.index)
    judged = index.judgements(options.split)
    queries = [index.queries[name] for name in judged]
    leveled = by_density(keyword_graph(index, WalkSettings()), queries)
    write_beir(options.folder, index.objects, leveled, {options.split: judged}, compress=True)
    return 0


def by_density(graph: KeywordGraph, queries: Sequence[Query]) -> list[Query]:
    """The questions with their `density`, `high` or `low`."""
    found = [len(graph.named(query)) / max(len(query.text.split()), 1) for query in queries]
    middle = np.median(found)
    return [
        replace(query, metadata={**query.metadata, "density": "high" if own > middle else "low"})
        for query, own in zip(queries, found, strict=True)
    ]


if __name__ == "__main__":
    sys.exit(main())
