"""Draw why the mean over a hub's neighbours says nothing: `docs/concepts/images/hub.png`.

A made-up schema of 14 tables, ranked by the kernels as they are shipped.
"""

import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
from matplotlib import pyplot as plt

from grapher_jax import kernels
from grapher_jax.pictures import save_figure

PICTURE = Path(__file__).parents[1] / "concepts" / "images" / "hub.png"
# By name: the retriever's score, and where the table is drawn.
TABLES = {
    "order": (0.80, (0.2, 0.8)),
    "product": (0.74, (0.2, 0.2)),
    "price_list": (0.66, (-0.15, 0.05)),
    "order_status": (0.64, (-0.15, 0.95)),
    "invoice": (0.62, (0.55, 1.0)),
    "payment": (0.60, (0.85, 0.95)),
    "shipment": (0.58, (1.05, 0.8)),
    "return_note": (0.57, (1.15, 0.62)),
    "employee": (0.56, (1.15, 0.4)),
    "supplier": (0.55, (1.05, 0.2)),
    "complaint": (0.54, (0.85, 0.05)),
    "order_line": (0.44, (0.2, 0.5)),
    "company": (0.42, (0.75, 0.5)),
    "tax_rate": (0.35, (-0.25, 0.5)),
}
KEYS = {
    "order_line": ("order", "product", "tax_rate", "company"),
    **dict.fromkeys(
        ("order", "invoice", "payment", "shipment", "return_note", "employee", "supplier"),
        ("company",),
    ),
    "complaint": ("company",),
    "order_status": (),
    "price_list": (),
}
NEEDED, HUB = "order_line", "company"
COLOURS = {NEEDED: "#2b8a3e", HUB: "#c2410c"}
RANKERS = {
    "retriever": None,
    "GCS": kernels.gcs,
    "PPR": kernels.ppr,
    "diffusion": kernels.diffusion,
}


def draw(path: Path) -> None:
    """Draw the schema, and where each table stands by each ranker."""
    names = list(TABLES)
    scores = np.array([score for score, _ in TABLES.values()], np.float32)
    A = np.zeros((len(names), len(names)), np.float32)
    for name, targets in KEYS.items():
        for target in targets:
            one, other = names.index(name), names.index(target)
            A[one, other] = A[other, one] = 1
    ranks = []
    for rank in RANKERS.values():
        final = scores if rank is None else np.asarray(rank(A, scores).scores)
        ranks.append(np.argsort(np.argsort(-final, kind="stable"), kind="stable") + 1)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(11, 5), layout="constrained", width_ratios=(1.1, 1)
    )
    for one, other in np.argwhere(np.triu(A)):
        ends = [TABLES[names[place]][1] for place in (one, other)]
        left.plot(*zip(*ends, strict=True), color="#ced4da", zorder=1)
    for name, (score, (x, y)) in TABLES.items():
        colour = COLOURS.get(name, "#868e96")
        left.scatter(x, y, s=2600 * (score - 0.25), color=colour, alpha=0.85, zorder=2)
        left.annotate(
            f"{name}\n{score:.2f}", (x, y), ha="center", va="center", fontsize=8, zorder=3
        )
    left.set_title("Keys, and the retriever's scores")
    left.set_axis_off()
    left.margins(0.12)
    for place, name in enumerate(names):
        colour, marked = COLOURS.get(name, "#adb5bd"), name in COLOURS
        heights = [own[place] for own in ranks]
        right.plot(range(4), heights, color=colour, lw=2.5 if marked else 1, marker="o", ms=4)
        right.annotate(name, (3.08, heights[-1]), va="center", fontsize=8, color="#101113")
    right.axhline(10.5, color="#868e96", ls=":", lw=1)
    right.annotate("the first ten", (-0.1, 10.4), fontsize=8, color="#868e96", va="bottom")
    right.set_xticks(range(4), RANKERS)
    right.set_ylim(14.6, 0.4)
    right.set_xlim(-0.15, 3.75)
    right.set_ylabel("rank")
    right.spines[["top", "right"]].set_visible(False)
    right.set_title("Where each table stands")
    path.parent.mkdir(parents=True, exist_ok=True)
    save_figure(figure, path, dpi=130)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
