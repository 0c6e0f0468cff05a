"""Take diffusion apart on benchmark sets, and write the page and its picture; see `--help`.

Every fixed point is solved directly in NumPy here, whatever its form, so that forms which the
package does not have can be compared. None of the page's sentences holds for some figures alone.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import matplotlib as mpl
import numpy as np
from applications_page import FOR_CHOOSING, FOR_REPORTING, read_application
from applications_page import TITLES as APPLICATION_TITLES
from results_page import SETS, open_set
from results_page import TITLES as SET_TITLES

mpl.use("Agg")
from matplotlib import pyplot as plt

import grapher_jax
from grapher_jax import kernels
from grapher_jax.evaluation import JudgedRun, Ranking, learn_diffusion
from grapher_jax.files import atomic_file
from grapher_jax.graph import (
    EMPTY,
    MAX_DF,
    PROXIMITIES,
    Proximity,
    decides_diffusion,
    kernel_table,
)
from grapher_jax.kernels.graphs.proximities import compare_pairs
from grapher_jax.pictures import save_figure
from grapher_jax.rerank import Reranker
from grapher_jax.systems import Retrieval

PAGE = Path(__file__).parents[2] / "docs" / "results" / "diffusion.md"
PICTURE = "images/diffusion.png"
# Of a train split, every so many questions.
TRAIN = {
    "bird:train": 8,
    "spider:train": 8,
    "musique:train": 1,
    "hotpotqa:train": 1,
    "qmsum:train": 4,
}
TEMPERATURES, ALPHAS = (0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 1.0), (0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
# Numbers learned on the first are tried on the others.
LEARNED = {
    "bird:train": ("spider:dev", "beaver:dev"),
    "hotpotqa:train": ("hotpotqa:dev", "musique:dev"),
    "qmsum:train": ("qmsum:val", "chunkeval:test"),
}
MATRICES = 64


@dataclass(frozen=True)
class Asked:
    """Judged questions with their candidates' graph as a matrix.

    Attributes:
        run: what the retriever returned.
        shared: whether entities are shared by how many of them (`share`, `count`, `binary`).
        max_df: see `RankingOptions`.
    """

    run: JudgedRun
    shared: str = "share"
    max_df: int | None = MAX_DF

    @property
    def rows(self):
        """`[Q, n]` the candidates."""
        return self.run.candidates.rows

    @property
    def mask(self):
        """`[Q, n]` where there is a candidate."""
        return self.rows != EMPTY

    @cached_property
    def scores(self):
        """`[Q, n]` float64."""
        return np.where(self.mask, self.run.candidates.scores, 0.0).astype(float)

    @cached_property
    def joined_by(self):
        """The proximities."""
        return self.run.index.graph.proximities()

    @cached_property
    def adjacency(self):
        """`[Q, n, n]` the sum of all proximities."""
        return sum(self.one(name) for name in self.joined_by)

    def one(self, name):
        """`[Q, n, n]` of one proximity."""
        graph, table = self.run.index.graph, kernel_table([name])
        parts = []
        for start in range(0, len(self.rows), MATRICES):
            rows = self.rows[start : start + MATRICES]
            relations = graph.gather(rows, [name], max_df=self.max_df)
            matrix = compare_pairs(rows.shape, relations, mask=rows != EMPTY, table=table)
            if name == "shared_entity" and self.shared == "count":
                matrix *= np.maximum(relations["entity_counts"], 1)[:, None, :]
            parts.append(np.asarray(matrix > 0 if self.shared == "binary" else matrix, float))
        return np.concatenate(parts)

    def first(self, n):
        """The same with the first n candidates of every question."""
        kept = replace(
            self.run.candidates,
            rows=self.rows[:, :n],
            scores=self.run.candidates.scores[:, :n],
        )
        return replace(self, run=replace(self.run, candidates=kept))

    def figures(self, final) -> dict[str, float]:
        """PR@5 and PR@10 where several are relevant, nDCG@10 and RR of all, in %."""
        order = np.argsort(np.where(self.mask, -final, np.inf), axis=1, kind="stable")
        ordered = np.take_along_axis(final, order, axis=1)
        return means(Ranking(self.run, Reranker(ranker="diffusion"), order, ordered, {}))


def means(ranking: Ranking) -> dict[str, float]:
    """PR@5 and PR@10 where several are relevant, nDCG@10 and RR of all, in %."""
    several = ranking.run.multi
    several = several if several.any() else ~several
    found = {name: ranking.values[name][several].mean() for name in ("PR@5", "PR@10")}
    found |= {name: ranking.values[name].mean() for name in ("nDCG@10", "RR")}
    return {name: 100 * float(figure) for name, figure in found.items()}


def power(sums, exponent: float):
    """`sums^exponent`, 0 where a sum is 0."""
    return np.where(sums > 0, np.where(sums > 0, sums, 1.0) ** exponent, 0.0)


def normalised(A, target: float, source: float):
    """`D^-target A D^-source`, the sums of rows and columns in D."""
    rows, columns = power(A.sum(2), -target), power(A.sum(1), -source)
    return rows[:, :, None] * A * columns[:, None, :]


def with_least(A, degree: float):
    """A made symmetric; who has a lower sum is joined to itself with the rest."""
    both = (A + A.swapaxes(1, 2)) / 2
    missing = np.maximum(degree - both.sum(2), 0)
    return both + missing[:, :, None] * np.eye(A.shape[1])


def symmetric(A):
    """`D^-1/2 (A + Aᵀ) D^-1/2`, what diffusion has."""
    return normalised((A + A.swapaxes(1, 2)) / 2, 0.5, 0.5)


def solved(W, seeds, alpha: float):
    """The fixed point of `p = α seeds + (1 − α) W p`."""
    parts = [
        np.linalg.solve(np.eye(W.shape[1]) - (1 - alpha) * W[block], alpha * seeds[block, :, None])
        for block in (slice(s, s + MATRICES) for s in range(0, len(W), MATRICES))
    ]
    return np.concatenate(parts)[..., 0]


def gap(scores, mask):
    """From the best score to the tenth."""
    ordered = -np.sort(np.where(mask, -scores, np.inf), axis=1)
    last = np.minimum(mask.sum(1), 10) - 1
    return ordered[:, 0] - ordered[np.arange(len(scores)), last]


def spread(scores, mask):
    """From the best score to the last."""
    lowest = np.where(mask, scores, np.inf).min(1)
    return np.where(mask, scores, -np.inf).max(1) - lowest


def deviation(scores, mask):
    """The standard deviation of the first hundred scores."""
    return np.nanstd(np.where(mask, scores, np.nan)[:, :100], axis=1)


def nothing(scores, mask):
    """No scale at all."""
    return np.ones(len(scores))


def sharpened(scores, mask, temperature=0.25, scale=gap):
    """`softmax(s / T)`, T in units of a scale."""
    T = temperature * scale(scores, mask)
    T = np.maximum(T, (spread(scores, mask) / 80 if scale is gap else 0) + 1e-9)
    high = np.where(mask, scores, -np.inf)
    e = np.exp((high - high.max(1, keepdims=True)) / T[:, None])
    return e / e.sum(1, keepdims=True)


def deciding(asked: Asked) -> Proximity:
    """The row whose numbers diffusion takes."""
    return decides_diffusion(PROXIMITIES[name] for name in asked.joined_by)


def seeds_and_alpha(asked: Asked):
    """The seeds `[Q, n]` and the α of diffusion, by what joins."""
    row = deciding(asked)
    return sharpened(asked.scores, asked.mask, row.diffusion_gap), row.diffusion_alpha


def diffused(asked: Asked):
    """Diffusion as it is shipped."""
    A = with_least(asked.adjacency, deciding(asked).diffusion_degree)
    return solved(symmetric(A), *seeds_and_alpha(asked))


def parts(asked: Asked) -> Iterator[tuple[str, Mapping[str, float]]]:
    """GCS, diffusion, and what is between them."""
    A, s, (e, alpha) = asked.adjacency, asked.scores, seeds_and_alpha(asked)
    rows, both = normalised(A, 1, 0), symmetric(A)
    yield "retriever", asked.figures(s)
    yield (
        "GCS, α = 0.1: raw scores, mean over neighbours, max(p, s)",
        asked.figures(np.maximum(solved(rows, s, kernels.DEFAULT_ALPHA["gcs"]), s)),
    )
    yield "raw scores, symmetric, no max", asked.figures(solved(both, s, alpha))
    yield "raw scores, symmetric, max(p, s)", asked.figures(np.maximum(solved(both, s, alpha), s))
    yield (
        "sharpened, mean over neighbours, max(p, e)",
        asked.figures(np.maximum(solved(rows, e, alpha), e)),
    )
    yield "sharpened, mean over neighbours, no max", asked.figures(solved(rows, e, alpha))
    yield (
        "sharpened, divided by the sender's sum (PPR's walk), no max",
        asked.figures(solved(normalised(A, 0, 1), e, alpha)),
    )
    yield "sharpened, symmetric, max(p, e)", asked.figures(np.maximum(solved(both, e, alpha), e))
    degree, plain = deciding(asked).diffusion_degree, asked.figures(solved(both, e, alpha))
    if degree:
        yield "sharpened, symmetric, no max", plain
        plain = asked.figures(diffused(asked))
    least = f", with a least degree of {degree:g}" if degree else ""
    yield f"**diffusion: sharpened, symmetric, no max{least}**", plain


def forms(asked: Asked) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Other exponents of the sums, other weights of edges."""
    e, alpha = seeds_and_alpha(asked)
    both = (asked.adjacency + asked.adjacency.swapaxes(1, 2)) / 2
    for target in (1, 0.75, 0.5, 0.25, 0):
        W = normalised(both, target, 1 - target)
        yield f"`D^-{target:g} A D^-{1 - target:g}`", asked.figures(solved(W, e, alpha))
    W = normalised(asked.adjacency, 0.5, 0.5)
    yield "A as it is, its rows and columns by their own sums", asked.figures(solved(W, e, alpha))
    if "foreign_key" in asked.joined_by:
        keys = one_way(asked)
        for down, up in ((0.5, 1), (1, 0.5)):
            W = normalised(np.maximum(down * keys, up * keys.swapaxes(1, 2)), 0.5, 0.5)
            told = f"from the referenced table to the referencing one × {down:g}, back × {up:g}"
            yield told, asked.figures(solved(W, e, alpha))
    if "shared_entity" in asked.joined_by:
        for name, other in {
            "entities by their number": replace(asked, shared="count"),
            "entities by 1": replace(asked, shared="binary"),
            "all entities, however many objects have them": replace(asked, max_df=None),
        }.items():
            yield name, asked.figures(solved(symmetric(other.adjacency), e, alpha))
    if "chunk" in asked.joined_by:
        for name in asked.joined_by:
            W = symmetric(asked.one(name))
            yield f"{name.replace('_', ' ')} alone", asked.figures(solved(W, e, alpha))


def one_way(asked: Asked):
    """`[Q, n, n]` 1 where i references j."""
    found = np.zeros((*asked.rows.shape, asked.rows.shape[1]))
    for query, rows in enumerate(asked.rows):
        relations = asked.run.index.graph.gather(rows, ["foreign_key"])
        for target in np.asarray(relations["foreign_keys"]).T:
            named = (target[:, None] == relations["object_ids"]) & (target != EMPTY)[:, None]
            found[query] += named & ~np.eye(len(rows), dtype=bool)
    return np.minimum(found, 1) * asked.mask[:, :, None] * asked.mask[:, None, :]


def scales(asked: Asked) -> Iterator[tuple[str, Mapping[str, float]]]:
    """What the temperature is measured by, on the retriever's scores and on worse ones."""
    W, (_, alpha) = symmetric(asked.adjacency), seeds_and_alpha(asked)
    places = np.argsort(np.argsort(-asked.scores, kind="stable"), kind="stable")
    clipped = np.clip(asked.scores, 0.01, 0.99)
    given = {
        "the retriever's scores": asked.scores,
        "their logits": np.log(clipped / (1 - clipped)),
        "ranks: 1 / (60 + rank)": 1 / (60.0 + places),
        "ranks: −rank": -1.0 * places,
    }
    measures = {
        "nothing, T = 0.07": (0.07, nothing),
        "standard deviation of the first 100, × 0.9": (0.9, deviation),
        "range, × 0.15": (0.15, spread),
        "gap from the best to the tenth, × 0.25": (0.25, gap),
        "gap from the best to the tenth, × 1": (1.0, gap),
    }
    for name, scores in given.items():
        for told, (temperature, scale) in measures.items():
            e = sharpened(np.where(asked.mask, scores, 0.0), asked.mask, temperature, scale)
            yield f"{name}: {told}", asked.figures(solved(W, e, alpha))


def grid(asked: Asked) -> Iterator[tuple[str, Mapping[str, float]]]:
    """PR@10 of every temperature and α."""
    W = symmetric(asked.adjacency)
    for alpha in ALPHAS:
        yield (
            f"{alpha:g}",
            {
                f"{T:g}": asked.figures(solved(W, sharpened(asked.scores, asked.mask, T), alpha))[
                    "PR@10"
                ]
                for T in TEMPERATURES
            },
        )


def fewer(asked: Asked) -> Iterator[tuple[str, Mapping[str, float]]]:
    """PR@10 of the first candidates alone."""
    for n in (20, 50, 100, 200):
        few = asked.first(n)
        gcs = np.maximum(solved(normalised(few.adjacency, 1, 0), few.scores, 0.1), few.scores)
        yield (
            f"{n}",
            {
                "retriever": few.figures(few.scores)["PR@10"],
                "GCS": few.figures(gcs)["PR@10"],
                "diffusion": few.figures(diffused(few))["PR@10"],
            },
        )


def table(rows: Iterator[tuple[str, Mapping[str, float]]], head: str) -> str:
    """A table in Markdown: a row a name."""
    found = list(rows)
    columns = [head, *found[0][1]]
    lines = [columns, ["---"] * len(columns)]
    lines += [[name, *(f"{figure:.1f}" for figure in own.values())] for name, own in found]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def draw(found: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """PR@10 of the retriever, of GCS, of each part of diffusion, and of all, a group a set."""
    shown = {
        "retriever": ("retriever", "#adb5bd"),
        "GCS, α = 0.1: raw scores, mean over neighbours, max(p, s)": ("GCS", "#0b7285"),
        "sharpened, mean over neighbours, max(p, e)": ("GCS of sharpened scores", "#74c0fc"),
        "sharpened, symmetric, max(p, e)": ("and symmetric", "#8ce99a"),
        "**diffusion: sharpened, symmetric, no max**": ("and no max: diffusion", "#2b8a3e"),
    }
    figure, axes = plt.subplots(figsize=(10, 4.2), layout="constrained")
    for number, (name, (label, colour)) in enumerate(shown.items()):
        heights = [own[name] for own in found.values()]
        axes.bar(
            np.arange(len(found)) + 0.16 * (number - 2), heights, 0.15, color=colour, label=label
        )
    axes.set_xticks(range(len(found)), found, rotation=20, ha="right")
    axes.set_ylabel("PR@10 in %, several relevant")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=3, loc="upper left", bbox_to_anchor=(0, 1.16))
    path.parent.mkdir(parents=True, exist_ok=True)
    save_figure(figure, path)


def learned(ask: Callable[[str], Asked]) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Numbers learned on a train split, on sets that they have not seen."""
    for source, targets in LEARNED.items():
        found = learn_diffusion(ask(source).run)
        reranker = Reranker(
            ranker="diffusion",
            temperature=found.temperature,
            alpha=found.alpha,
            weights=found.weights,
        )
        for target in targets:
            run = ask(target).run
            own = {}
            for name, one in {"default": Reranker(ranker="diffusion"), "learned": reranker}.items():
                figures = means(Ranking.from_run(run, one))
                own |= {f"{metric}, {name}": figures[metric] for metric in ("PR@5", "PR@10")}
            told = found.options.removeprefix("--ranker diffusion ")
            yield f"{label(target)}; from {label(source)}: `{told}`", own


def label(name: str) -> str:
    """A set as a reader knows it."""
    own, _, split = name.partition(":")
    if own == "app":
        return APPLICATION_TITLES[split]
    return f"{SET_TITLES.get(own, own.upper())} {split}"


def opener(data: Path) -> Callable[[str], Asked]:
    """Gives the questions of a set by its name."""

    def ask(name: str) -> Asked:
        own, split = name.split(":")
        if own == "app":
            index, questions = read_application(split)
            return Asked(JudgedRun.retrieve_by(Retrieval(), index, questions))
        index = open_set(data, own)
        judged = dict(list(index.judgements(split).items())[:: TRAIN.get(name, 1)])
        queries = [index.queries[query] for query in judged]
        found = index.retrieve(queries, filters=[q.metadata.get("filter") for q in queries])
        return Asked(JudgedRun(index, judged, found, 0.0))

    return ask


def page(
    ask: Callable[[str], Asked], images: Path, train: Sequence[str], rest: Sequence[str]
) -> str:
    """The page in Markdown; draws its picture."""
    taken_apart, bars, further = [], {}, []
    for name in (*train, *rest):
        sys.stderr.write(f"{name}\n")
        asked = ask(name)
        rows = list(parts(asked))
        bars[label(name)] = {row: own["PR@10"] for row, own in rows}
        told = f"{label(name)}{', where settings may be chosen' if name in train else ''}"
        row = deciding(asked)
        title = f"### {told} (α = {row.diffusion_alpha:g}, T = {row.diffusion_gap:g} × the gap)"
        taken_apart += [title, table(iter(rows), "form")]
        if name in train and not name.startswith("app:"):
            further += [
                f"## Choices, on {label(name)}",
                "Other normalisations and edges:",
                table(forms(asked), "form"),
                "Measures of the temperature:",
                table(scales(asked), "scores: measure"),
                "PR@10 by α (rows) and by the temperature in units of the gap (columns):",
                table(grid(asked), "α"),
                "PR@10 by the number of candidates:",
                table(fewer(asked), "candidates"),
            ]
    draw(bars, images / PICTURE)
    return (
        "\n\n".join([*_INTRODUCTION, *taken_apart, *further, *_LEARNED, table(learned(ask), "set")])
        + "\n"
    )


_INTRODUCTION = (
    "# Diffusion, taken apart",
    "Diffusion is `p ← α e + (1 − α) W p` with the seeds `e = softmax(s / T)` and the weights `W "
    "= D^-1/2 A D^-1/2`. It differs from GCS in three points: the seeds are sharpened; the "
    "weight of an edge is divided by the square roots of the sums of both of its ends, instead "
    "of by the receiver's sum; and a candidate does not keep the larger of its own score and the "
    "result. Below, each of these is removed in turn.",
    "PR@5 and PR@10 are the share of the questions with several relevant objects for which *all* "
    "of them are among the first 5 or 10; nDCG@10 and RR are over all questions. In %. Embedder "
    "`offline`, the text and the candidates of the default retriever; of long train splits a "
    "part of the questions (BIRD and Spider every 8th, QMSum every 4th). T and α were chosen on "
    "train splits, and Superset and Mayan were looked at while choosing; the other sets are only "
    "reported.",
    "`make diffusion DATA=FOLDER` writes this page, here with grapher-jax "
    f"{grapher_jax.__version__}; what is changed by hand is lost. Each fixed point is solved "
    "directly in float64, by code of its own.",
    f"![PR@10 of the retriever, GCS, and diffusion part by part, on every set]({PICTURE})",
    "## The parts",
)
_LEARNED = (
    "## Learned numbers",
    "Temperature, α and weights learned by `grapher-jax tune --learn` on a train split, and their "
    "results on questions, databases and documents that are not in it.",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of the sets, NAME or NAME.index")
    parser.add_argument("--out", type=Path, default=PAGE)
    chosen = parser.parse_args(arguments)
    train = [*TRAIN, *(f"app:{name}" for name in FOR_CHOOSING)]
    rest = [*SETS, *(f"app:{name}" for name in FOR_REPORTING)]
    text = page(opener(chosen.data), chosen.out.parent, train, rest)
    with atomic_file(chosen.out) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
