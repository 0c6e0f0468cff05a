"""Draw the documentation's pictures of results and benchmarks from what is stored.

`intervals.png` shows the figures of `docs/results/intervals.md`, `gains.png` those of the retriever
and of the default among them, and `benchmarks.png` those of `bench/results/latest.json`. Nothing is
measured.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.ticker import FuncFormatter

from grapher_jax.pictures import COLOURS, save_figure

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "results" / "intervals.md"
MEASURED = ROOT / "bench" / "results" / "latest.json"
IMAGES = ROOT / "docs" / "results" / "images"
GAINS = ROOT / "docs" / "images" / "gains.png"
SHOWN = "PR@10"
# What of ours is compared, by workload and batch.
PANELS = {
    ("tables-200", 1024): "grapher-jax",
    ("entities-200", 1024): "grapher-jax",
    ("chunks-200", 1024): "grapher-jax",
    ("entities-20k", 1): "grapher-jax",
    ("gat-200 degree 4", 32): "grapher-jax neighbor lists",
    ("gat-200 degree 20", 32): "grapher-jax neighbor lists",
}
# The α of the fixed points among them.
ALPHA = 0.5
# What does less than all of the work, or only this one case, is no peer.
LIMITS = ("c++ limit", "bare matrix products")
# What the picture of gains compares, on sets with so many questions that it says something.
BASE, DEFAULT = "base", "auto"
FEWEST = 50
KINDS = {"Spider": "tables", "Beaver": "tables", "MuSiQue": "passages", "HotpotQA": "passages"}
# Colours of the pictures of benchmarks and of gains.
OURS, SLOWER, FASTER = "#0b7285", "#adb5bd", "#c2410c"
_OVER = re.compile(
    r"^\*\*Over (?:the|all) ([\d,]+) questions(.*?)\.\*\*.*\n\n((?:\|.*\n)+)", re.MULTILINE
)
_FIGURES = re.compile(r"([\d.]+) \[([\d.]+),\s([\d.]+)\]")

Document = dict[str, Any]


def main() -> int:
    """Draw all of them."""
    draw_results(PAGE, IMAGES / "intervals.png")
    draw_gains(PAGE, GAINS)
    draw_benchmarks(MEASURED, IMAGES / "benchmarks.png")
    return 0


def draw_results(page: Path, picture: Path) -> None:
    """One metric of every ranker on every set, with intervals, as the page's tables have it."""
    reports = [*read_results(page.read_text(encoding="utf-8"))]
    overs = ["multi" if report["multi_queries"] else "all" for report in reports]
    names = dict.fromkeys(found["ranker"] for report in reports for found in report["results"])
    width = max(7, 1.5 + 1.1 * len(reports))
    figure, axes = plt.subplots(figsize=(width, 4.2), layout="constrained")
    for number, name in enumerate(names):
        points = [
            (place, found["metrics"][SHOWN][over], *found["intervals"][SHOWN][over])
            for place, (report, over) in enumerate(zip(reports, overs, strict=True))
            for found in report["results"]
            if found["ranker"] == name
        ]
        places, shares, lows, highs = np.array(points).T
        places += (number + 1) / (len(names) + 1) - 0.5
        colour = COLOURS.get(name.lower(), f"C{number}")
        axes.vlines(places, 100 * lows, 100 * highs, color=colour, linewidth=1.6)
        axes.plot(places, 100 * shares, "o", markersize=5, color=colour, label=name)
    for place in range(1, len(reports)):
        axes.axvline(place - 0.5, color="#dee2e6", linewidth=0.8)
    ticks = [
        f"{report['dataset']}\n{report['split']}\n{report['multi_queries'] or report['queries']}"
        for report in reports
    ]
    axes.set_xticks(range(len(reports)), ticks)
    axes.set_xlim(-0.5, len(reports) - 0.5)
    axes.set_ylim(0, 100)
    axes.tick_params(axis="x", length=0)
    axes.set_xlabel("set, split, number of questions")
    axes.set_ylabel(f"{SHOWN} in %{', more than one relevant' if 'multi' in overs else ''}")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(frameon=False, loc="outside upper center", ncols=len(names))
    save_figure(figure, picture)


def draw_gains(page: Path, picture: Path) -> None:
    """A line for each set, from the retriever's metric to that of the default."""
    sets = [
        (found, {row["ranker"]: row["metrics"][SHOWN]["multi"] for row in found["results"]})
        for found in read_results(page.read_text(encoding="utf-8"))
        if found["multi_queries"] >= FEWEST
    ]
    figure, axis = plt.subplots(figsize=(8, 0.42 * len(sets) + 1.2), layout="constrained")
    for place, (_, shares) in enumerate(sets):
        before, after = (100 * shares[ranker] for ranker in (BASE, DEFAULT))
        axis.plot((before, after), (place, place), color=OURS, linewidth=3, solid_capstyle="round")
        axis.plot(before, place, "o", color=SLOWER, markersize=9)
        axis.plot(after, place, "o", color=OURS, markersize=9)
        near = {"va": "center", "fontsize": 9}
        axis.text(before - 1.5, place, f"{before:.1f}", ha="right", color="#495057", **near)
        axis.text(after + 1.5, place, f"{after:.1f}", ha="left", fontweight="bold", **near)
    names = [
        f"{KINDS.get(found['dataset'], 'chunks')}: {found['dataset']} {found['split']}, "
        f"{found['multi_queries']:,} questions"
        for found, _ in sets
    ]
    axis.set_yticks(range(len(sets)), names, fontsize=9)
    axis.set_ylim(len(sets) - 0.5, -0.5)
    axis.set_xlim(0, 110)
    axis.set_xticks(range(0, 101, 20))
    axis.tick_params(length=0)
    axis.grid(axis="x", color="#e9ecef")
    axis.set_axisbelow(True)
    axis.spines[["top", "right", "left"]].set_visible(False)
    axis.set_xlabel("% of questions whose relevant objects are all among the first ten", fontsize=9)
    axis.plot([], [], "o", color=SLOWER, label="hybrid retriever")
    axis.plot([], [], "o", color=OURS, label="reranked, with defaults")
    figure.legend(loc="outside upper center", ncols=2, frameon=False, fontsize=9)
    save_figure(figure, picture)


def read_results(page: str) -> Iterator[Document]:
    """The sets of a page: over their questions with several relevant objects, if there are any."""
    for section in page.split("\n## ")[1:]:
        if found := _OVER.search(section):
            number, which, table = found.groups()
            several = "more than one" in which
            dataset, _, split = section.splitlines()[0].rpartition(" ")
            questions = int(number.replace(",", ""))
            yield {
                "dataset": dataset,
                "split": split,
                "queries": questions,
                "multi_queries": questions if several else 0,
                "results": [*_read_rankers(table, "multi" if several else "all")],
            }


def _read_rankers(table: str, over: str) -> Iterator[Document]:
    header, _, *rows = ([cell.strip() for cell in line.split("|")] for line in table.splitlines())
    place = header.index(SHOWN)
    for row in rows:
        if shown := _FIGURES.fullmatch(row[place]):  # differences have signs
            share, *interval = (float(figure) / 100 for figure in shown.groups())
            metrics, intervals = {SHOWN: {over: share}}, {SHOWN: {over: interval}}
            yield {"ranker": row[1], "metrics": metrics, "intervals": intervals}


def ratios(records: list[Document]) -> dict[tuple[str, int], dict[str, float]]:
    """For each panel, how many times as long as ours every peer takes."""
    shown = [r for r in records if r.get("alpha", ALPHA) == ALPHA]
    times = {(r["workload"], r["batch"], r["implementation"]): r["ms_per_query"] for r in shown}
    return {
        panel: {
            peer: ms / times[*panel, ours]
            for (*where, peer), ms in times.items()
            if tuple(where) == panel and not peer.startswith("grapher-jax") and peer not in LIMITS
        }
        for panel, ours in PANELS.items()
    }


def draw_benchmarks(measured: Path, picture: Path) -> None:
    """A panel of bars for each workload: the time of every peer as a multiple of ours."""
    panels = ratios(json.loads(measured.read_text(encoding="utf-8")))
    heights = [len(peers) for peers in panels.values()]
    figure, axes = plt.subplots(
        len(panels),
        figsize=(8, 0.25 * sum(heights) + 0.4 * len(panels) + 0.6),
        height_ratios=heights,
        sharex=True,
        layout="constrained",
    )
    for axis, ((workload, batch), peers) in zip(axes, panels.items(), strict=True):
        colours = [SLOWER if ratio >= 1 else FASTER for ratio in peers.values()]
        axis.barh([*peers], [ratio - 1 for ratio in peers.values()], left=1, color=colours)
        for place, ratio in enumerate(peers.values()):
            told = f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"
            axis.text(max(ratio, 1), place, f" {told} ×", va="center", fontsize=8)
        axis.set_ylim(len(peers) - 0.5, -0.5)
        axis.axvline(1, color=OURS, linewidth=2)
        axis.set_xscale("log")
        axis.xaxis.set_major_formatter(FuncFormatter(lambda ratio, _: f"{ratio:g} ×"))
        axis.tick_params(labelsize=8, length=0)
        title = f"{workload}, batch {batch:,}"
        axis.set_title(title, loc="left", fontsize=9, fontweight="bold")
        axis.spines[["top", "right", "left"]].set_visible(False)
    axes[-1].set_xlim(0.4, 400)
    axes[-1].set_xlabel(
        "time a question, as a multiple of ours (the line); orange: faster than ours"
    )
    save_figure(figure, picture)


if __name__ == "__main__":
    sys.exit(main())
