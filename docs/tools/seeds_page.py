"""Compare networks of several seeds with GCS and write the page; `--help` lists the options.

None of the page's sentences holds for some figures alone.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from results_page import SETS, TITLES, difference, open_set, table

import grapher_jax
from grapher_jax.evaluation import RESAMPLES, JudgedRun, Ranking
from grapher_jax.evaluation.figures import bootstrap
from grapher_jax.evaluation.measures import perfect_recall
from grapher_jax.files import atomic_file
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index

PAGE = Path(__file__).parents[2] / "docs" / "results" / "seeds.md"
RECIPES = "grapher_jax/training/recipe"
# Recipes of networks that learn from tables alone.
NETWORKS = {
    "paper-gat": "GAT of the paper's inputs",
    "paper-scalars": "GAT of the numbers",
    "paper-scalars-embeddings": "GAT of the numbers and the embeddings",
    "paper-mlp": "MLP of the paper's inputs",
    "paper-mlp-no-graph": "MLP without the graph",
}
SEEDS = (0, 1, 2)
METRICS = ("PR@5", "PR@10")
# With fewer questions of several relevant objects than this, all questions count.
FEWEST = 50


def measure(index: Index, split: str, runs: Path) -> Iterator[tuple[str, ...]]:
    """The number of questions, then the rows of a set, each with the label of its ranker."""
    run = JudgedRun.retrieve(index, split)
    several = int(run.multi.sum())
    over = run.multi if several >= FEWEST else np.ones_like(run.multi)
    yield (f"{several:,} questions" if several >= FEWEST else f"all {len(over):,} questions",)

    def perfect(ranker: str) -> Float[ndarray, "B m"]:
        hits = Ranking.from_run(run, Reranker(ranker=ranker)).hits
        values = perfect_recall(hits, run.relevant_counts)
        return np.stack([values[name][over] for name in METRICS], axis=1)

    gcs = perfect("gcs")
    yield _row("retriever", perfect("base")[None], gcs)
    yield ("GCS", *_means(gcs[None]), *("" for _ in METRICS))
    for recipe, label in NETWORKS.items():
        seeds = [perfect(str((runs / f"{recipe}-{seed}").resolve())) for seed in SEEDS]
        yield _row(label, np.stack(seeds), gcs)


def _row(label: str, seeds: Float[ndarray, "s B m"], gcs: Float[ndarray, "B m"]) -> tuple[str, ...]:
    gains = seeds.mean(0) - gcs
    ends = zip(gains.mean(0), bootstrap(gains), strict=True)
    return (label, *_means(seeds), *(difference(mean, *interval) for mean, interval in ends))


def _means(seeds: Float[ndarray, "s B m"]) -> Iterator[str]:
    """The mean over seeds of each metric; of several seeds, also the lowest and the highest."""
    for each in 100 * seeds.mean(1).T:
        spread = f" ({each.min():.1f} to {each.max():.1f})" if len(each) > 1 else ""
        yield f"{each.mean():.1f}{spread}"


def page(rows: Sequence[tuple[str, ...]]) -> str:
    """The page in Markdown."""
    seeds = ", ".join(map(str, SEEDS[:-1])) + f" and {SEEDS[-1]}"
    parts = [
        "# Networks of the paper's inputs, over three seeds",
        "Five networks that learn from the tables of BIRD and Spider train alone, each trained "
        f"with the seeds {seeds}, and measured on tables, passages and chunks that they have not "
        "seen. Those of the paper's inputs read a candidate's GCS score and the embeddings of "
        "candidate and question; their MLP reads the same and passes no messages between "
        "neighbours. The MLP without the graph reads the retriever's score instead of the GCS "
        "score, so that nothing it reads comes from the graph. *The numbers* are the eleven of the "
        "[shipped network for passages and chunks](../concepts/networks.md#what-ships-as-gat), "
        "which name no object: scores, ranks and numbers of neighbours. None reads the words of "
        "names or their meanings.",
        "PR@5 and PR@10 are the share of the questions with several relevant objects for which "
        "*all* of them are among the first 5 or 10, in %; COVID-QA has nearly no such questions, "
        "so there all count. A figure is the mean of the three seeds, with the lowest and the "
        "highest in brackets. For the difference to GCS, the values of the three seeds are "
        "averaged question by question, and then paired with GCS; square brackets hold the "
        f"interval of 95 % of {RESAMPLES:,} bootstrap resamples of the questions, and **bold** "
        "differences are those whose interval excludes 0. An interval tells how much other "
        "questions, not other seeds, would change a difference.",
        "Candidates, text and GCS are the defaults with the embedder `offline`, without expansion. "
        "Learning rate (0.0003 or 0.001), weight decay (0.01 or 0.1) and epochs (one or two) were "
        "chosen by [the paper's protocol](../how-to/train.md#choosing-settings-as-grapher-did), on "
        "BIRD train by 500 questions of Spider train: for both networks of the paper's inputs, and "
        "for the numbers. The GAT of numbers and embeddings has those of the other GATs, which are "
        "the same; the MLP without the graph has those of the other MLP. The following trains the "
        "networks and writes this page; what is changed by hand is lost:",
        "\n".join(
            [
                "```bash",
                f"for recipe in {' '.join(NETWORKS)}; do",
                f"  for seed in {' '.join(map(str, SEEDS))}; do",
                f"    grapher-jax train --config {RECIPES}/$recipe.json --seed $seed \\",
                "      --out RUNS/$recipe-$seed",
                "  done",
                "done",
                "make seeds DATA=FOLDER RUNS=FOLDER",
                "```",
            ]
        ),
        f"The figures are those of grapher-jax {grapher_jax.__version__}.",
        table(("set", "ranker", *METRICS, *(f"{name} − GCS" for name in METRICS)), rows),
    ]
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of the sets, NAME or NAME.index")
    parser.add_argument("runs", type=Path, help="the folder of the runs, RECIPE-SEED")
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="NAME:SPLIT")
    parser.add_argument("--out", type=Path, default=PAGE)
    chosen = parser.parse_args(arguments)
    rows: list[tuple[str, ...]] = []
    for one in chosen.sets:
        name, split = one.split(":")
        sys.stderr.write(f"{one}\n")
        (questions,), *measured = measure(open_set(chosen.data, name), split, chosen.runs)
        label = f"{TITLES.get(name, name)} {split} ({questions})"
        rows += [("" if number else label, *row) for number, row in enumerate(measured)]
    with atomic_file(chosen.out) as temporary:
        temporary.write_text(page(rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
