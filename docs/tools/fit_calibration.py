"""Fit how likely hits are relevant, on train splits, and tell how far that is off elsewhere.

Prints the constants of `grapher_jax/rankers/calibration.py` and the tables of
`docs/how-to/search.md`:

    python docs/tools/fit_calibration.py INDEXES

where `INDEXES/bird`, `hotpotqa`, `musique`, `qmsum` and `spider` are indexes of the sets.
"""

import argparse
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from grapher_jax.rankers.calibration import Calibration
from grapher_jax.rankers.hits import Hits
from grapher_jax.search import Index

# The sets, with what of each is not learned from.
OTHERS = {"bird": None, "hotpotqa": "dev", "musique": "dev", "qmsum": "val", "spider": "dev"}
QUESTIONS, READ = 300, 20
BINS = (0, 0.05, 0.1, 0.2, 0.4, 0.6, 1)

Judged = tuple[list[Hits], list[set[str]]]


def judged(index: Index, split: str) -> Judged:
    """Some questions' first hits, and what is relevant."""
    judgements = index.judgements(split)
    names = np.random.default_rng(0).permutation(sorted(judgements))[:QUESTIONS]
    asked = [index.queries[name] for name in names]
    hits = index.search_batch(
        [one.text for one in asked], filters=[one.metadata.get("filter") for one in asked], k=READ
    )
    return hits, [{name for name, grade in judgements[one].items() if grade > 0} for one in names]


def together(sets: list[Judged]) -> Judged:
    """Several sets as one."""
    return [hits for own, _ in sets for hits in own], [ids for _, own in sets for ids in own]


def stated(
    calibration: Calibration, found: Judged
) -> tuple[Float[ndarray, " n"], Bool[ndarray, " n"]]:
    """The probability of every hit, and whether it is relevant."""
    pairs = zip(*found, strict=True)
    wanted = [hit.id in ids for hits, ids in pairs for hit in hits]
    return np.concatenate([calibration.probabilities(hits) for hits in found[0]]), np.array(wanted)


def row(name: str, likely: Float[ndarray, " n"], wanted: Bool[ndarray, " n"]) -> str:
    """What was stated beside what was so, and the expected calibration error in ten equal bins."""
    bins = np.minimum((likely * 10).astype(int), 9)
    parts = [abs((likely - wanted)[bins == one].sum()) for one in range(10)]
    told = f"{100 * likely.mean():.1f} | {100 * wanted.mean():.1f}"
    return f"| {name} | {told} | {100 * sum(parts) / len(likely):.1f} |"


def main() -> None:
    """Print what was fitted, and how reliable it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("indexes", type=Path)
    folder = parser.parse_args().indexes
    indexes = {name: Index.load(folder / name) for name in OTHERS}
    train = {name: judged(index, "train") for name, index in indexes.items()}
    whole = Calibration.fit(*together([*train.values()]))
    whole = Calibration(tuple(np.round(whole.weights, 2).tolist()))
    lines = [f"_FITTED = {whole.weights}", "", "| fitted on the other four | stated | so | error |"]
    for name, own in train.items():
        others = Calibration.fit(*together([one for other, one in train.items() if other != name]))
        lines.append(row(f"{name} train", *stated(others, own)))
    unseen = {
        f"{name} {split}": judged(indexes[name], split) for name, split in OTHERS.items() if split
    }
    lines += ["", "| fitted on all five | stated | so | error |"]
    lines += [row(name, *stated(whole, own)) for name, own in unseen.items()]
    lines += ["", "| fitted on its own train split | stated | so | error |"]
    for place, own in unseen.items():
        lines.append(row(place, *stated(Calibration.fit(*train[place.split()[0]]), own)))
    lines += ["", "| stated between | hits | stated | so |"]
    likely, wanted = stated(whole, together([*unseen.values()]))
    for low, high in pairwise(BINS):
        held = (likely >= low) & (likely < high)
        told = f"{100 * likely[held].mean():.1f} | {100 * wanted[held].mean():.1f}"
        lines.append(f"| {low} and {high} | {held.sum()} | {told} |")
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
