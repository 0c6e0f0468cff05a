"""Pictures of results."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grapher_jax.errors import InputError, require
from grapher_jax.files import atomic_file

_COLOURS = {"gcs": "#0b7285", "ppr": "#c2410c"}


def check_picture(path: Path) -> None:
    """Raise InputError for a picture's name that ends neither in .png nor in .svg."""
    if path.suffix not in (".png", ".svg") or path.is_dir():
        raise InputError(f"{path}: a picture is a file that ends in .png or .svg")


def draw_alpha_grid(report: Mapping[str, Any], path: Path) -> None:
    """Draw what `evaluate.tune` reports: PR@K over α, a line a ranker, as PNG or SVG by the name.

    Raises:
        InputError: for another ending.
        MissingExtraError: where matplotlib is not installed.
    """
    check_picture(path)
    over = "all" if report["base"]["multi"] is None else "multi"
    matplotlib = require("matplotlib")
    matplotlib.use("Agg")
    pyplot = require("matplotlib.pyplot")
    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    for ranker, found in report["rankers"].items():
        alphas = [point["alpha"] for point in found["grid"]]
        recalled = [100 * point[over] for point in found["grid"]]
        colour = _COLOURS.get(ranker)
        axes.plot(alphas, recalled, marker="o", color=colour, label=ranker.upper())
        best = alphas.index(found["best"])
        axes.annotate(
            f"α = {found['best']}",
            (alphas[best], recalled[best]),
            xytext=(0, 8),
            textcoords="offset points",
            ha="center",
            color=colour,
        )
    axes.axhline(100 * report["base"][over], color="#555555", linestyle="--", label="base")
    axes.set_xlabel("α, the weight kept on a candidate's own score")
    axes.set_ylabel(f"PR@{report['k']} in %{', more than one relevant' if over == 'multi' else ''}")
    axes.margins(y=0.12)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    with atomic_file(path) as temporary:
        figure.savefig(temporary, format=path.suffix.lstrip("."), dpi=150)
    pyplot.close(figure)


def draw_curves(lines: Sequence[Mapping[str, Any]], path: Path, *, k: int) -> None:
    """Draw a training run's metrics: the loss, and PR@K of what was watched, over the steps.

    Args:
        lines: of the metrics file.
        path: PNG or SVG by the name.
        k: the cut-off rank.

    Raises:
        InputError: for another ending.
        MissingExtraError: where matplotlib is not installed.
    """
    check_picture(path)
    matplotlib = require("matplotlib")
    matplotlib.use("Agg")
    pyplot = require("matplotlib.pyplot")
    learned = [line for line in lines if "loss" in line]
    watched = [line for line in lines if "watch" in line]
    figure, panels = pyplot.subplots(
        1, 1 + bool(watched), figsize=(11 if watched else 6, 4.2), layout="constrained"
    )
    left, right = (panels[0], panels[1]) if watched else (panels, None)
    steps, losses = zip(*((line["step"], line["loss"]) for line in learned), strict=True)
    left.plot(steps, losses, color="#adb5bd", linewidth=1, label="as logged")
    left.plot(steps, _smooth(losses), color="#0b7285", label="smoothed")
    left.set_ylabel("loss")
    left.legend(frameon=False)
    if right is not None:
        for name in watched[0]["watch"]:
            found = [line["watch"][name][f"PR@{k}"] for line in watched]
            over = "all" if found[0]["multi"] is None else "multi"
            recalled = [100 * point[over] for point in found]
            right.plot([line["step"] for line in watched], recalled, marker="o", label=name)
        right.set_ylabel(f"PR@{k} in %")
        right.margins(y=0.12)
        right.legend(frameon=False)
    for axes in figure.axes:
        axes.set_xlabel("step")
        axes.spines[["top", "right"]].set_visible(False)
    with atomic_file(path) as temporary:
        figure.savefig(temporary, format=path.suffix.lstrip("."), dpi=150)
    pyplot.close(figure)


def _smooth(values: Sequence[float], kept: float = 0.9) -> list[float]:
    """A running mean that forgets, corrected for having begun at 0."""
    mean, smoothed = 0.0, []
    for number, value in enumerate(values, start=1):
        mean = kept * mean + (1 - kept) * value
        smoothed.append(mean / (1 - kept**number))
    return smoothed
