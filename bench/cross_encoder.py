"""What a cross-encoder is worth alone, under the graph, and within the keyword graph.

    python bench/cross_encoder.py cross-encoder hotpotqa.index:dev spider.index:dev \
        chunkeval.index:test --keywords hotpotqa.index:dev chunkeval.index:test \
        --out docs/results/cross-encoder.md

The folder is one that `train_cross_encoder.py` wrote, or any other that sentence-transformers
opens; a set is an index or a BEIR folder, with its split. The cross-encoder scores the first
candidates of the retriever, and the rankers of the graph get the same ones.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from table_sizes import in_markdown

import grapher_jax
from grapher_jax.corpus import JudgedQueries
from grapher_jax.evaluation import Ranking, rank_all
from grapher_jax.files import atomic_file
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import Scorer, as_scorer
from grapher_jax.search import Index, open_source
from grapher_jax.systems import System, build_keyword_graph

QUESTIONS = 100
CANDIDATES = 30
RANKERS = {"base": "", "gcs": " + GCS", "gat": " + GAT"}
METRICS = ("R@5", "PR@5", "PR@10", "nDCG@10", "RR")
OF_KEYWORDS = ("P@20", "R@5", "R@10", "R@20", "nDCG@10", "RR")
GAINS = ("PR@10", "nDCG@10", "RR")
ALONE = {"joining": 0, "graph_weight": 0.0}

Rows = Mapping[str, Ranking]


def opened(named: str) -> tuple[str, Index, JudgedQueries]:
    """A set's title, and some questions of its split, drawn, in their order."""
    source, _, split = named.rpartition(":")
    index = open_source(source)
    judged = list(index.judgements(split).items())
    drawn = np.random.default_rng(0).permutation(len(judged))[:QUESTIONS]
    some = dict(judged[place] for place in sorted(drawn))
    questions = JudgedQueries([index.queries[name] for name in some], some)
    return f"{Path(source).stem} {split}", index, questions


def under_the_graph(index: Index, questions: JudgedQueries, scorer: Scorer) -> Rows:
    """The retriever and the cross-encoder, each alone and under both rankers of the graph."""
    rerankers = {
        name + told: Reranker(ranker=ranker, base=base)
        for name, base in (("retriever", None), ("cross-encoder", scorer))
        for ranker, told in RANKERS.items()
    }
    rankings = rank_all(index, questions, [*rerankers.values()], candidates=CANDIDATES)
    return dict(zip(rerankers, rankings, strict=True))


def within_keywords(index: Index, questions: JudgedQueries, folder: str) -> Rows:
    """Dense search, and the keyword graph's system with a cross-encoder, its graph, and both."""
    systems: dict[str, System] = {
        "cross-encoder": build_keyword_graph(cross_encoder=folder, **ALONE),
        "graph": build_keyword_graph(),
        "both": build_keyword_graph(cross_encoder=folder),
    }
    named = [replace(system, name=name) for name, system in systems.items()]
    rankings = rank_all(index, questions, systems=named)
    return dict(zip(["dense search", *systems], rankings, strict=True))


def table(rows: Rows, metrics: Sequence[str]) -> str:
    """The means over all questions in %, the best of each in bold, and milliseconds a question."""
    means = {}
    for name, one in rows.items():
        values = {**one.values, "P@20": one.hits[:, :20].sum(1) / 20}
        means[name] = [100 * float(values[metric].mean()) for metric in metrics]
    best = np.round([*means.values()], 1).max(axis=0)
    lines = [("", *metrics, "ms"), ("---",) * (len(metrics) + 2)]
    for name, one in rows.items():
        figures = [
            f"**{mean:.1f}**" if round(mean, 1) == most else f"{mean:.1f}"
            for mean, most in zip(means[name], best, strict=True)
        ]
        seconds = one.seconds["retrieve"] + one.seconds["rerank"]
        lines.append((name, *figures, f"{1000 * seconds / len(one.hits):.0f}"))
    return in_markdown(lines)


def gains(rows: Rows, pairs: Sequence[tuple[str, str]]) -> str:
    """What a row has over another in points, bold where its 95 % interval leaves out 0."""
    lines = [("", *GAINS), ("---",) * (len(GAINS) + 1)]
    for name, other in pairs:
        gain = rows[name].versus(rows[other])
        cells = []
        for metric in GAINS:
            low, high = (100 * end for end in gain.intervals[metric].all)
            told = f"{100 * gain.differences[metric].all:+.1f}"
            told = f"**{told}**" if low > 0 or high < 0 else told
            cells.append(f"{told} [{low:+.1f}, {high:+.1f}]")
        lines.append((f"{name} − {other}", *cells))
    return in_markdown(lines)


_INTRODUCTION = f"""
# A cross-encoder under the graph

What a cross-encoder is worth alone, and what GCS and GAT make of its scores, compared with the same
rankers on the retriever's own scores. All rows rank the same {CANDIDATES} candidates of the
retriever (BM25 and the offline embedder), for {QUESTIONS} questions drawn from each split. Means
over all questions in %. Square brackets hold the interval of 95 % of 2,000 bootstrap resamples of
the questions. Differences are paired, question by question, and **bold** if their interval excludes
0. Milliseconds a question include retrieval, the cross-encoder and ranking, on a shared machine.

`bench/train_cross_encoder.py` made the cross-encoder from the first layers of all-MiniLM-L6-v2,
trained on a part of the train splits of HotpotQA, MuSiQue, QMSum and Spider, because no package
brings the weights of one ([decisions](../decisions.md#a-cross-encoder-of-ones-own)). It is small
and has been trained little compared with the published ones, so these rows tell what a graph adds
to such scores, not how good a cross-encoder can be. GAT reads more than scores, for tables also
their names, so its rows do not depend on the cross-encoder alone.

`python bench/cross_encoder.py FOLDER SET:SPLIT … --keywords SET:SPLIT … --out FILE` writes this
page, here with grapher-jax {grapher_jax.__version__}; what is changed by hand is lost.
""".strip()
_KEYWORDS = """
## Within the keyword graph

The [system](../concepts/systems.md#keyword-graph-rag) with and without the cross-encoder, and with
and without its graph. Without the cross-encoder, the cosine takes its place; without the graph, no
documents are added and the graph's part of the merge is 0. Dense search alone finds 20 candidates.
""".strip()


def page(folder: str, sets: Sequence[str], keywords: Sequence[str]) -> str:
    """The page in Markdown, of which each set is printed once it is measured."""
    scorer = as_scorer(folder)
    scorer.load()
    parts = [_INTRODUCTION]
    for title, index, questions in map(opened, sets):
        rows = under_the_graph(index, questions, scorer)
        crossed = [row for row in rows if row.startswith("cross-encoder")]
        pairs = [(row, "retriever") for row in crossed]
        pairs += [(row, "cross-encoder") for row in crossed[1:]]
        pairs += [(f"cross-encoder{told}", f"retriever{told}") for told in RANKERS.values() if told]
        parts.append(section(f"## {title}", rows, METRICS, pairs))
    if keywords:
        parts.append(_KEYWORDS)
    for title, index, questions in map(opened, keywords):
        rows = within_keywords(index, questions, folder)
        pairs = [("cross-encoder", "dense search"), ("both", "graph"), ("both", "cross-encoder")]
        parts.append(section(f"### {title}", rows, OF_KEYWORDS, pairs))
    return "\n\n".join(parts) + "\n"


def section(
    heading: str, rows: Rows, metrics: Sequence[str], pairs: Sequence[tuple[str, str]]
) -> str:
    """One set's tables, which are printed too."""
    told = "\n\n".join((heading, table(rows, metrics), gains(rows, pairs)))
    sys.stdout.write(f"{told}\n\n")
    sys.stdout.flush()
    return told


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="of the cross-encoder")
    parser.add_argument("sets", nargs="+", metavar="SET:SPLIT")
    parser.add_argument("--keywords", nargs="*", default=[], metavar="SET:SPLIT")
    parser.add_argument("--out", type=Path, help="the page")
    options = parser.parse_args(arguments)
    written = page(options.folder, options.sets, options.keywords)
    if options.out:
        with atomic_file(options.out) as temporary:
            temporary.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
