"""Compare rankers on benchmark sets and write the page of results; `--help` lists the options.

Writes a page in Markdown, `docs/results/intervals.md`, and its picture into `images` beside it. The
page says what it shows and how it was made; none of its sentences holds for some figures alone.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from pictures import SHOWN, draw_results

import grapher_jax
from grapher_jax.command_line.printable import printable
from grapher_jax.errors import GrapherError, InputError
from grapher_jax.evaluation import RESAMPLES, JudgedRun, Ranking, rank_all
from grapher_jax.files import atomic_file
from grapher_jax.kernels import DEFAULT_ALPHA
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import CANDIDATES
from grapher_jax.search import Index, open_source
from grapher_jax.systems.networks import load_weights
from grapher_jax.training.config import SetConfig
from grapher_jax.training.weights import SHIPPED_FOLDER, Weights

SETS = (
    *("spider:dev", "beaver:dev", "musique:dev", "musique:dev_matched", "hotpotqa:dev"),
    *("qmsum:val", "chunkeval:test", "covidqa:test"),
)
TITLES = {
    "spider": "Spider",
    "beaver": "Beaver",
    "musique": "MuSiQue",
    "hotpotqa": "HotpotQA",
    "qmsum": "QMSum",
    "chunkeval": "Chunkeval",
    "covidqa": "COVID-QA",
}
BASE, PPR, GCS, DIFFUSION = "base", "PPR", "GCS", "diffusion"
MLP, GAT, EXPANDED, AUTO = "MLP", "GAT", "GAT, expanded", "auto"
METRICS = ("PR@5", "PR@10", "nDCG@10", "RR")
TOP, FAILURES = 5, 3
LONGEST_TEXT, LONGEST_TITLE, LONGEST_QUESTION = 120, 60, 400
# What `gat` ranks by: all objects, and those that keys join.
GATS = ("gat", "gat-tables")
PAGE = Path(__file__).parents[2] / "docs" / "results" / "intervals.md"
# Entities mean nothing to Markdown. A `_` within a word and a `:` before a space have no meaning.
_MEANINGFUL = re.compile(r"[#$&*<>@\[\\\]^`{|}~]|:(?=\S)|(?<![^\W_])_|_(?![^\W_])")

Document = dict[str, Any]
# The networks behind a label.
Learned = Mapping[str, Sequence[Weights]]


@dataclass(frozen=True)
class Comparison:
    """Every ranker on one set.

    Attributes:
        name: of the set.
        split: which judgements.
        run: its questions with the retriever's candidates.
        expanded: the same with those that join.
        rankings: by the ranker's label.
    """

    name: str
    split: str
    run: JudgedRun
    expanded: JudgedRun
    rankings: dict[str, Ranking]

    @classmethod
    def of(
        cls, folder: Path, name: str, split: str, rerankers: dict[str, Reranker]
    ) -> "Comparison":
        """Rank the judged questions of a set in `folder`, an index if there is one."""
        index = open_set(folder, name)
        run = JudgedRun.retrieve(index, split)
        expanded = JudgedRun.retrieve(index, split, expand=True)
        rankings = {label: Ranking.from_run(run, reranker) for label, reranker in rerankers.items()}
        rankings[EXPANDED] = Ranking.from_run(expanded, rerankers[GAT])
        (rankings[AUTO],) = rank_all(index, split, [Reranker()])
        return cls(name, split, run, expanded, rankings)

    @property
    def label(self) -> str:
        """What a reader calls it."""
        return f"{TITLES.get(self.name, self.name)} {self.split}"

    @cached_property
    def questions(self) -> dict[str, str]:
        """What is averaged over: `multi`, and `all` where that is not the same."""
        several, every = int(self.run.multi.sum()), len(self.run.multi)
        if several == every:
            return {"multi": f"all {every:,} questions, each with more than one relevant object"}
        narrow = {"multi": f"the {several:,} questions with more than one relevant object"}
        return (narrow if several else {}) | {"all": f"all {every:,} questions"}

    @cached_property
    def reports(self) -> dict[str, Document]:
        """Metrics and intervals by label."""
        return {label: ranking.report().to_dict() for label, ranking in self.rankings.items()}

    @cached_property
    def versus(self) -> dict[tuple[str, str], Document]:
        """Gains of each ranker over base, then of each but base over GCS."""
        pairs = [(label, other) for other in (BASE, GCS) for label in self.rankings]
        return {
            (label, other): self.rankings[label].versus(self.rankings[other]).to_dict()
            for label, other in pairs
            if label not in (BASE, other)
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "data", type=Path, metavar="DIR", help="holds the sets: BEIR folders, or indexes NAME.index"
    )
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="NAME:SPLIT", help="which")
    parser.add_argument("--mlp", type=Path, metavar="DIR", help="a network without messages")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page")
    options = parser.parse_args(arguments)
    try:
        write(options.data, options.sets, options.mlp, options.out)
    except GrapherError as error:
        parser.error(str(error))
    return 0


def write(data: Path, sets: Sequence[str], mlp: Path | None, out: Path) -> None:
    """The page and its picture.

    Raises:
        InputError: for a set that is not there or has no such split, or an MLP with messages.
    """
    rerankers = {name: Reranker(ranker=name.lower()) for name in (BASE, PPR, GCS, DIFFUSION)}
    learned = {GAT: [load_weights(SHIPPED_FOLDER / name) for name in GATS]}
    if mlp:
        learned = {MLP: [load_weights(mlp)], **learned}
        if learned[MLP][0].model.config.messages:
            raise InputError(f"mlp: {mlp} has messages; train with `messages` false in its `model`")
        rerankers[MLP] = Reranker(ranker=str(mlp.resolve()))
    rerankers[GAT] = Reranker(ranker="gat")
    comparisons = []
    for number, wanted in enumerate(sets, start=1):
        name, _, split = wanted.partition(":")
        print(f"{number} of {len(sets)}: {wanted}", flush=True)  # noqa: T201
        comparisons.append(Comparison.of(data, name, split, rerankers))
    picture = out.parent / "images" / f"{out.stem}.png"
    with atomic_file(out) as temporary:
        temporary.write_text(page(comparisons, learned, picture.name), encoding="utf-8")
    draw_results(out, picture)
    print(f"wrote {out} and {picture}")  # noqa: T201


def open_set(folder: Path, name: str) -> Index:
    """A set in `folder`: its index if there is one, else its BEIR folder."""
    source = folder / f"{name}.index"
    return open_source(str(source if source.is_dir() else folder / name))


def page(comparisons: Sequence[Comparison], learned: Learned, picture: str) -> str:
    """The page in Markdown."""
    sets = tuple(f"{comparison.name}:{comparison.split}" for comparison in comparisons)
    command = "make results DATA=FOLDER" + (" MLP=FOLDER" if MLP in learned else "")
    command += "" if sets == SETS else f' ARGS="--sets {" ".join(sets)}"'
    parts = [
        "# Results",
        "Every ranker over the same questions, in %: PR@5 and PR@10 (perfect recall: the share of "
        "questions whose relevant objects are *all* among the first 5 or 10), nDCG@10 and RR. "
        f"Square brackets hold the interval of 95 % of {RESAMPLES:,} bootstrap resamples of the "
        "questions. Differences are paired, question by question, and **bold** if their interval "
        f"excludes 0. Won and lost: for how many questions {SHOWN} is 1 by the first ranker and 0 "
        "by the second, and the other way around.",
        "The limits of these intervals: questions about one database or document resemble each "
        "other, so an interval is rather too narrow than too wide; intervals of few questions say "
        "little; and of twenty differences by chance alone, one is bold.",
        *_rankers(learned),
        f"Failures are chosen by rule: questions for which {SHOWN} is 1 by base or GCS and 0 by "
        f"GAT, up to {FAILURES} a set, the largest falls first. The fall is how many more places "
        "one must read in GAT's order, to reach the last relevant object, than in the better of "
        "the other two.",
        "This page and its picture are written by",
        f"```bash\n{command}\n```",
        f"with grapher-jax {grapher_jax.__version__}; what is changed by hand is lost. No figure "
        "is a time, so any machine gives the same up to rounding.",
        "## All sets",
        f"![{SHOWN} of every ranker on every set, with intervals](images/{picture})",
        "The same figures, and all others, are in the tables below.",
        *_behind(comparisons),
    ]
    for comparison in comparisons:
        parts += _section(comparison, learned[GAT])
    return "\n\n".join(parts) + "\n"


def plain(text: str, longest: int) -> str:
    """A text of unknown origin on one line, shortened, without any meaning to Markdown or HTML."""
    line = printable(" ".join(text.split()))
    if len(line) > longest:
        line = line[: longest - 1].rstrip() + "…"
    return _MEANINGFUL.sub(lambda found: f"&#{ord(found[0])};", line)


def _rankers(learned: Learned) -> Iterator[str]:
    rows = [
        (BASE, f"the hybrid retriever's own order of its {CANDIDATES} candidates"),
        (PPR, f"personalised PageRank over the candidates' graph, α = {DEFAULT_ALPHA['ppr']}"),
        (GCS, f"Graph Cohesive Smoothing over the same graph, α = {DEFAULT_ALPHA['gcs']}"),
        (DIFFUSION, "sharpened scores spread over the same graph, α by which proximity joins it"),
    ]
    kinds = {
        MLP: "a network like GAT, but without messages between neighbours",
        GAT: "the shipped graph attention networks, the second for tables that keys join",
    }
    for label, networks in learned.items():
        told = (
            f"`{weights.sha256[:12]}` learned from {', '.join(_learned_from(weights))}"
            for weights in networks
        )
        rows.append((label, f"{kinds[label]}: {'; '.join(told)}"))
    rows.append(
        (EXPANDED, "GAT with `--expand`: objects one step from the best candidates are added")
    )
    rows.append(
        (AUTO, "the default: chosen by which proximity joins the candidates, expanded or not")
    )
    yield table(("ranker", ""), rows)


def _learned_from(weights: Weights) -> list[str]:
    """Names and splits."""
    names = (SetConfig(**entry).name for entry in weights.record["training"]["sets"])
    sets = (name.removesuffix("+expand").replace(":", " ") for name in names)
    return [plain(name, LONGEST_TITLE) for name in dict.fromkeys(sets)]


def _behind(comparisons: Sequence[Comparison]) -> Iterator[str]:
    yield "### Where GAT and the default are behind"
    rows = []
    for comparison in comparisons:
        for over, questions in comparison.questions.items():
            for label in (GAT, EXPANDED, AUTO):
                lacks = [_lacks(comparison.versus[label, other], over) for other in (BASE, GCS)]
                if any(lacks):
                    rows.append((f"{comparison.label}: {questions}", label, *lacks))
    yield "All differences to base and to GCS below 0" + ("." if rows else ": there are none.")
    if rows:
        yield table(("questions", "ranker", f"against {BASE}", f"against {GCS}"), rows)


def _lacks(versus: Document, over: str) -> str:
    below = (
        f"{name} {_difference(versus, name, over)}"
        for name in METRICS
        if round(100 * versus["differences"][name][over], 1) < 0
    )
    return "<br>".join(below)


def _section(comparison: Comparison, gats: Sequence[Weights]) -> Iterator[str]:
    run = comparison.run
    known = dict.fromkeys(name for weights in gats for name in _learned_from(weights))
    own = [name for name in known if comparison.name in name]
    yield f"## {comparison.label}"
    yield (
        f"{len(run.index.ids):,} objects, embedded by {plain(run.index.embedder.name, 80)}. "
        f"Of this set, GAT learned from {', '.join(own) or 'nothing'}."
    )
    for over, questions in comparison.questions.items():
        reached, expanded = (
            100 * found.ceiling(found.candidates.rows.shape[1]).to_dict()[over]
            for found in (run, comparison.expanded)
        )
        yield (
            f"**Over {questions}.** For {reached:.1f} % of them, all relevant objects are among "
            f"the candidates; for {expanded:.1f} % with expansion."
        )
        rows = [
            (label, *(_value(report, name, over) for name in METRICS), "")
            for label, report in comparison.reports.items()
        ]
        for (label, other), versus in comparison.versus.items():
            gains = (_difference(versus, name, over) for name in METRICS)
            counts = f"{versus['wins'][over]}, {versus['losses'][over]}"
            rows.append((f"{label} − {other}", *gains, counts))
        yield table(("", *METRICS, "won, lost"), rows)
    yield from _failures(comparison)


def _failures(comparison: Comparison) -> Iterator[str]:
    """Questions that base or GCS gets right and GAT gets wrong, the deepest falls first."""
    base, gcs, gat = (comparison.rankings[label] for label in (BASE, GCS, GAT))
    right = [ranking.values[SHOWN] == 1 for ranking in (base, gcs, gat)]
    failed = np.flatnonzero((right[0] | right[1]) & ~right[2])
    mended = int((~right[0] & ~right[1] & right[2]).sum())
    shallower = np.minimum(*(_depths(ranking)[failed] for ranking in (base, gcs)))
    worst = failed[np.argsort(shallower - _depths(gat)[failed], kind="stable")][:FAILURES]
    yield f"### {comparison.label}: failures of GAT"
    yield (
        f"For {len(failed)} of {len(gat.hits):,} questions, base or GCS has all relevant objects "
        f"among the first ten and GAT has not. For {mended}, GAT alone has."
    )
    for question in worst:
        yield from _failure(comparison, int(question))


def _depths(ranking: Ranking) -> np.ndarray:
    """How deep one must read for all relevant candidates, by question."""
    return ranking.hits.shape[1] - np.argmax(ranking.hits[:, ::-1], axis=1)


def _failure(comparison: Comparison, question: int) -> Iterator[str]:
    index, gat = comparison.run.index, comparison.rankings[GAT]
    identity = list(comparison.run.judgements)[question]
    asked = plain(index.queries[identity].text, LONGEST_QUESTION)
    yield f"**Question** ({plain(identity, LONGEST_TITLE)}): {asked}"
    rows, hits = gat.rows[question], gat.hits[question]
    ranks = [
        [
            str(1 + int(np.argmax(comparison.rankings[label].rows[question] == row)))
            for row in rows[hits]
        ]
        for label in (BASE, GCS, GAT)
    ]
    relevant = [_object(comparison, int(row)) for row in rows[hits]]
    yield table(
        ("relevant object, its rank by", BASE, GCS, GAT), zip(relevant, *ranks, strict=True)
    )
    first = zip(range(1, TOP + 1), rows, hits, strict=False)
    yield table(
        (f"rank by {GAT}", "object", "relevant"),
        [(str(n), _object(comparison, int(row)), "yes" if hit else "") for n, row, hit in first],
    )


def _object(comparison: Comparison, row: int) -> str:
    item = comparison.run.index.objects[row]
    name, title = (plain(text, LONGEST_TITLE) for text in (item.id, item.title))
    return f"**{f'{title} ({name})' if title else name}** {plain(item.text, LONGEST_TEXT)}"


def table(header: Sequence[str], rows: Any) -> str:
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _value(report: Document, name: str, over: str) -> str:
    low, high = (100 * bound for bound in report["intervals"][name][over])
    # Lines break before the bracket, not within it.
    return f"{100 * report['metrics'][name][over]:.1f} [{low:.1f},\u00a0{high:.1f}]"


def _difference(versus: Document, name: str, over: str) -> str:
    found = (versus["differences"][name][over], *versus["intervals"][name][over])
    return difference(*found)


def difference(*found: float) -> str:
    """A mean and the ends of its interval, in bold if that excludes 0."""
    # As they are shown: a bold interval must not read as if it held 0. The sum has no −0.
    mean, low, high = (round(100 * share, 1) + 0.0 for share in found)
    text = f"{mean:+.1f} [{low:+.1f},\u00a0{high:+.1f}]".replace("-", "−")
    return f"**{text}**" if low > 0 or high < 0 else text


if __name__ == "__main__":
    sys.exit(main())
