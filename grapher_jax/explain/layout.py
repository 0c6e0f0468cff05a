"""Where the nodes of a drawing and their labels stand, in pixels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

MARGIN = 24.0
# How much farther the ring around a node reaches.
RING = 3.0
_LAYOUT_STEPS = 200
# The positions of a label around its node, the best first.
_SIDES = np.array([(1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1)])
_TOLERATED_OVERLAP = 0.1


@dataclass(frozen=True)
class Frame:
    """A size of the drawing, in pixels; the radii of nodes grow with their scores."""

    name: str
    width: int
    height: int
    font: int
    radii: tuple[int, int]


# Text that shrinks with its drawing is unreadable on a phone, which therefore gets its own drawing.
FRAMES = (
    Frame("wide", 1040, 640, 13, (4, 13)),
    Frame("narrow", 360, 560, 13, (3, 9)),
)


def places_of(
    ends: Int[ndarray, "m 2"], widths: Float[ndarray, " n"], frame: Frame
) -> Float[ndarray, "n 2"]:
    """Node positions: joined nodes by a spring layout, the others in rows below them."""
    at = np.zeros((len(widths), 2))
    joined = np.unique(ends)
    height = 0.0
    if len(joined):
        height = min(frame.height, 60 + 20 * len(joined))  # a few nodes need less space
        room = np.array([frame.width, height]) - 2 * MARGIN
        near = _layout(np.searchsorted(joined, ends), widths[joined] > 0)
        at[joined] = MARGIN + room * near
    x, y = MARGIN, height + MARGIN
    for lone in np.setdiff1d(np.arange(len(at)), joined):
        if x + widths[lone] > frame.width - MARGIN:
            x, y = MARGIN, y + MARGIN
        at[lone] = x, y
        x += widths[lone] + MARGIN
    return at


def _layout(ends: Int[ndarray, "m 2"], named: Bool[ndarray, " n"]) -> Float[ndarray, "n 2"]:
    """Fruchterman-Reingold spring layout in the unit square; points are complex numbers."""
    n = len(named)
    joined = np.zeros((n, n))
    joined[ends, ends[:, ::-1]] = 1
    at = np.random.default_rng(0).uniform(size=(n, 2)) @ (1, 1j)
    spring = n**-0.5 * (1 + np.outer(named, named))  # names need space
    for heat in np.linspace(0.1, 0.001, _LAYOUT_STEPS):
        apart = at[:, None] - at
        distance = np.maximum(np.abs(apart), 1e-4)
        force = (apart * ((spring / distance) ** 2 - joined * distance / spring)).sum(axis=1)
        force -= at - at.mean()  # otherwise unconnected parts would drift away
        at += force * np.minimum(1, heat / np.maximum(np.abs(force), 1e-9))
    flat = np.stack([at.real, at.imag], axis=1)
    flat = (flat - flat.min(0)) / np.maximum(np.ptp(flat, axis=0), 1e-9)
    # Move halfway to evenly spread coordinates, which loosens crowds and uses the corners.
    return (flat + flat.argsort(0).argsort(0) / max(n - 1, 1)) / 2


def labels_of(
    at: Float[ndarray, "n 2"],
    radii: Float[ndarray, " n"],
    sizes: Float[ndarray, "n 2"],
    chosen: Sequence[int],
    box: Float[ndarray, " 2"],
) -> list[str]:
    """The opening tag of every label; quiet (shown on demand) if it would cover another."""
    labels = [""] * len(at)
    taken, halves = at, np.stack([radii, radii], axis=1)
    for i in [*chosen, *set(range(len(at))).difference(chosen)]:
        half = sizes[i] / 2
        low, high = half + RING, box - half - RING
        options = np.clip(at[i] + _SIDES * (half + radii[i]), low, np.maximum(low, high))
        shared = np.maximum(half + halves - np.abs(options[:, None] - taken), 0)
        overlap = shared.prod(axis=2).sum(axis=1)
        best = options[overlap.argmin()]
        clear = i in chosen and overlap.min() < _TOLERATED_OVERLAP * sizes[i].prod()
        if clear:
            taken, halves = np.vstack([taken, best]), np.vstack([halves, half])
        side = int(np.sign(best[0] - at[i, 0]))
        labels[i] = (
            f'<text class="{"clear" if clear else "quiet"}" '
            f'text-anchor="{("middle", "start", "end")[side]}" '
            f'x="{best[0] - side * half[0]:.1f}" y="{best[1]:.1f}">'
        )
    return labels
