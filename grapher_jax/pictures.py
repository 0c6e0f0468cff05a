"""Plots of results."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grapher_jax.errors import InputError, require
from grapher_jax.files import Json, atomic_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {
    "base": "#868e96",
    "ppr": "#c2410c",
    "gcs": "#0b7285",
    "diffusion": "#2b8a3e",
    "mlp": "#9c36b5",
    "gat": "#1971c2",
    "gat, expanded": "#74c0fc",
    "auto": "#101113",
}


def _label(ranker: str) -> str:
    return ranker.upper() if len(ranker) == 3 else ranker  # GCS, PPR, GAT, MLP


def save_figure(figure: "Figure", path: Path, *, dpi: int = 150) -> None:
    """Writes a figure in the format of the file's ending."""
    with atomic_file(path) as temporary:
        figure.savefig(temporary, format=path.suffix.lstrip("."), dpi=dpi)


def _figure(width: float, height: float) -> "Figure":
    """A figure that pyplot knows nothing of, whose backend is the caller's."""
    made: Figure = require("matplotlib.figure").Figure((width, height), layout="constrained")
    return made


def check_picture(path: Path) -> None:
    """Check a picture's path before the work for the picture begins.

    Raises:
        InputError: if the name ends neither in .png nor in .svg.
        MissingExtraError: if matplotlib is not installed.
    """
    require("matplotlib")
    if path.suffix not in (".png", ".svg") or path.is_dir():
        raise InputError(f"{path}: a picture is a file that ends in .png or .svg")


def draw_alpha_grid(report: Mapping[str, Json], path: Path) -> None:
    """Draw the report of `tune`: PR@K over α, one line per ranker; PNG or SVG by the name.

    Raises:
        InputError: for another file ending.
        MissingExtraError: if matplotlib is not installed.
    """
    check_picture(path)
    over = "all" if report["base"]["multi"] is None else "multi"
    figure = _figure(7.0, 4.2)
    axes = figure.subplots()
    for ranker, found in report["rankers"].items():
        alphas = [point["alpha"] for point in found["grid"]]
        recalled = [100 * point[over] for point in found["grid"]]
        colour = COLOURS.get(ranker)
        axes.plot(alphas, recalled, marker="o", color=colour, label=_label(ranker))
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
    save_figure(figure, path)


def draw_curves(lines: Sequence[Mapping[str, Json]], path: Path, *, measure: str) -> None:
    """Draw a training run's metrics over the steps: the loss, and a validation measure.

    Args:
        lines: the lines of the metrics file.
        path: the file, PNG or SVG by its name.
        measure: such as `PR@10`.

    Raises:
        InputError: for another file ending.
        MissingExtraError: if matplotlib is not installed.
    """
    check_picture(path)
    learned = [line for line in lines if "loss" in line]
    watched = [line for line in lines if "watch" in line]
    figure = _figure(11.0 if watched else 6.0, 4.2)
    left, *others = figure.subplots(1, 1 + bool(watched), squeeze=False)[0]
    steps, losses = zip(*((line["step"], line["loss"]) for line in learned), strict=True)
    left.plot(steps, losses, color="#adb5bd", linewidth=1, label="as logged")
    left.plot(steps, _smooth(losses), color="#0b7285", label="smoothed")
    left.set_ylabel("loss")
    left.legend(frameon=False)
    for right in others:
        for name in watched[0]["watch"]:
            found = [line["watch"][name][measure] for line in watched]
            over = "all" if found[0]["multi"] is None else "multi"
            recalled = [100 * point[over] for point in found]
            right.plot([line["step"] for line in watched], recalled, marker="o", label=name)
        right.set_ylabel(f"{measure} in %")
        right.margins(y=0.12)
        right.legend(frameon=False)
    for axes in figure.axes:
        axes.set_xlabel("step")
        axes.spines[["top", "right"]].set_visible(False)
    save_figure(figure, path)


def _smooth(values: Sequence[float], kept: float = 0.9) -> list[float]:
    """An exponential moving average, corrected for its start at 0."""
    mean, smoothed = 0.0, []
    for number, value in enumerate(values, start=1):
        mean = kept * mean + (1 - kept) * value
        smoothed.append(mean / (1 - kept**number))
    return smoothed
