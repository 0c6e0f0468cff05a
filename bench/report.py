"""The table and the picture of a run."""

# ruff: noqa: T201

from itertools import groupby
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.ticker import FuncFormatter

Record = dict[str, Any]

COLOURS = {"ours": "#0b7285", "peer": "#adb5bd", "limit": "#c2410c"}


def groups(records: list[Record]) -> list[tuple[str, list[Record]]]:
    """The records of each workload and batch under a title, in the order of the suite."""
    order = {name: i for i, name in enumerate(dict.fromkeys(r["workload"] for r in records))}
    ordered = sorted(records, key=lambda r: (order[r["workload"]], r.get("alpha", 0), r["batch"]))
    titled = groupby(ordered, key=title_of)
    return [(title, list(same)) for title, same in titled]


def title_of(record: Record) -> str:
    """Workload, α where it has one, and batch."""
    alpha = f", α = {record['alpha']}" if "alpha" in record else ""
    return f"{record['workload']}{alpha}, batch {record['batch']}"


def label(record: Record) -> str:
    """The implementation, marked where it runs PPR."""
    return record["implementation"] + (" (PPR)" if record["ranker"] == "ppr" else "")


def print_table(records: list[Record]) -> None:
    """Milliseconds a query, and how many times faster than the fastest peer."""
    for title, same in groups(records):
        print(f"\n{title:<36}{'ms a query':>12}{'ratio':>8}{'first call s':>14}{'peak MiB':>10}")
        for r in same:
            ratio = r["ratio_to_fastest_peer"]
            row = f"  {label(r):<34}{r['ms_per_query']:>12.4f}{ratio or 0:>8.2f}"
            if r["kind"] == "ours":
                row += f"{r['first_call_seconds']:>14.2f}{r['peak_memory_mib']:>10.0f}"
            print(row)
    print("\nratio: time of the fastest peer / this time; above 1 is faster than every peer")


def print_stages(entries: list[Record]) -> None:
    """Where our time goes."""
    print("\nstages of ours over dense matrices (compiled apart), ms a query")
    for entry in entries:
        info = entry["extra_info"]
        ms = 1000 * entry["stats"]["min"] / info["queries"]
        print(f"  {info['workload']:<16}{info['stage']:<14}{ms:>10.4f}")


def print_steps(records: list[Record]) -> None:
    """Steps of training a second, and what comes before them."""
    for title, same in groups(records):
        print(f"\n{title:<32}{'steps/s':>12}{'ratio':>8}{'ready s':>14}{'first step s':>14}")
        for r in same:
            steps, ratio = 1000 / (r["ms_per_query"] * r["queries"]), r["ratio_to_fastest_peer"]
            row = f"  {label(r):<30}{steps:>12.2f}{ratio or 0:>8.2f}"
            print(f"{row}{r['prepare_seconds']:>14.2f}{r['first_call_seconds']:>14.2f}")


def draw(records: list[Record], path: Path) -> None:
    """One panel of bars for every workload and batch, all on one logarithmic scale."""
    panels = groups(records)
    heights = [len(same) + 1.2 for _, same in panels]
    figure, axes = plt.subplots(
        len(panels),
        figsize=(9, 0.24 * sum(heights) + 1),
        height_ratios=heights,
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    for axis, (title, same) in zip(axes[:, 0], panels, strict=True):
        _draw_panel(axis, title, same)
    figure.suptitle(
        "Reranking, NumPy arrays to the best ten (gat: five layers of GATv2; training: one step)\n"
        "in brackets: × the fastest peer"
    )
    slowest, fastest = (f(r["ms_per_query"] for r in records) for f in (max, min))
    axes[-1, 0].set_xlim(fastest / 2, slowest * 8)
    axes[-1, 0].set_xlabel("milliseconds a query, shorter is faster (logarithmic scale)")
    figure.savefig(path, dpi=150)
    plt.close(figure)


def _draw_panel(axis: plt.Axes, title: str, same: list[Record]) -> None:
    times = [r["ms_per_query"] for r in same]
    colours = [COLOURS[r["kind"]] for r in same]
    axis.barh([label(r) for r in same], times, color=colours, height=0.75)
    for place, (r, ms) in enumerate(zip(same, times, strict=True)):
        note = f" {ms:.0f} ms" if ms >= 100 else f" {ms:.3g} ms"
        if r["kind"] == "ours" and r["ratio_to_fastest_peer"]:
            note += f"  ({r['ratio_to_fastest_peer']:.2f} ×)"
        axis.text(ms, place, note, va="center", fontsize=8)
    axis.set_xscale("log")
    axis.xaxis.set_major_formatter(FuncFormatter(lambda ms, _: f"{ms:g}"))
    axis.invert_yaxis()
    axis.tick_params(labelsize=8, length=0)
    axis.set_title(title, loc="left", fontsize=9, fontweight="bold")
    axis.spines[["top", "right", "left"]].set_visible(False)
