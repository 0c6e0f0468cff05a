"""Vary the options of the retriever on benchmark sets and write the page; `--help` lists them.

None of the page's sentences holds for some figures alone.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from results_page import SETS, TITLES, open_set

import grapher_jax
from grapher_jax.evaluation import JudgedRun, Ranking
from grapher_jax.files import atomic_file
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import RetrievalOptions
from grapher_jax.search import Index

PAGE = Path(__file__).parents[2] / "docs" / "results" / "sensitivity.md"
TRAINED = ("bird:train", "spider:train")
# Of the train splits, every so many questions.
EVERY = 8
RANKERS = {"base": "base", "gcs": "GCS", "ppr": "PPR", "diffusion": "diffusion"}
WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
OPTIONS = [
    *(RetrievalOptions(lexical_weight=weight) for weight in WEIGHTS),
    *(RetrievalOptions(lexical_weight=weight, lexical_norm="max") for weight in (0.1, 0.2, 0.3)),
]
CANDIDATES = (50, 100, 400)


def measure(index: Index, split: str, every: int) -> Iterator[tuple[RetrievalOptions, list[float]]]:
    """Perfect recall at 10 of every ranker, in %, for each choice of options."""
    judged = dict(list(index.judgements(split).items())[::every])
    queries = [index.queries[query] for query in judged]
    filters = [query.metadata.get("filter") for query in queries]
    own = index.options.lexical_weight
    of_candidates = [RetrievalOptions(candidates=n, lexical_weight=own) for n in CANDIDATES]
    for options in (*OPTIONS, *of_candidates):
        found = index.retrieve(queries, filters=filters, **vars(options))
        run = JudgedRun(index, judged, found, 0.0)
        reports = [Ranking.from_run(run, Reranker(ranker=name)).report() for name in RANKERS]
        recalls = [report.metrics["PR@10"] for report in reports]
        yield (
            options,
            [100 * (one.all if one.multi is None else one.multi) for one in recalls],
        )


def section(label: str, index: Index, split: str, every: int) -> str:
    """The table of one set."""
    rows = [
        "| BM25 | candidates | " + " | ".join(RANKERS.values()) + " |",
        "|---|---|---|---|---|---|",
    ]
    for options, figures in measure(index, split, every):
        named = f"{options.lexical_weight:g}, {options.lexical_norm}"
        shown = " | ".join(f"{figure:.1f}" for figure in figures)
        mark = " (default)" if options == index.options else ""
        rows.append(f"| {named}{mark} | {options.candidates} | {shown} |")
    return "\n".join([f"## {label}", "", *rows])


def page(sections: Sequence[str]) -> str:
    """The page in Markdown."""
    parts = [
        "# Sensitivity to the retriever's options",
        "PR@10 over the questions with more than one relevant object, in %: the share for which "
        "*all* of them are among the first 10. The options are the weight of BM25, how its scores "
        "are brought to [0, 1] (see [how BM25 and cosine are fused](../how-to/index-data.md)), and "
        f"the number of candidates. Embedder `offline`; every {EVERY}th question of train splits. "
        "Settings are chosen on train splits alone.",
        "BM25+ gives a score even to objects without a word of the question. `min-max` subtracts "
        "this constant, and `max` keeps it in all scores. GCS is a weighted mean: a constant "
        "changes its scores and not their order. PPR divides its seeds by their sum, so a constant "
        "makes all seeds more alike. A constant does not change diffusion.",
        f"`make sensitivity` writes this page, here with grapher-jax {grapher_jax.__version__}; "
        "what is changed by hand is lost.",
        *sections,
    ]
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of the sets, NAME or NAME.index")
    parser.add_argument("--sets", nargs="+", default=[*TRAINED, *SETS], metavar="NAME:SPLIT")
    parser.add_argument("--out", type=Path, default=PAGE)
    chosen = parser.parse_args(arguments)
    sections = []
    for one in chosen.sets:
        name, split = one.split(":")
        index = open_set(chosen.data, name)
        every = EVERY if split == "train" else 1
        label = f"{TITLES.get(name, name.upper())} {split}"
        sys.stderr.write(f"{label}\n")
        sections.append(section(label, index, split, every))
    with atomic_file(chosen.out) as temporary:
        temporary.write_text(page(sections), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
