"""Rank the questions of `bench/applications` and write the page of results.

Each schema becomes an empty SQLite database, which is indexed and ranked as shipped. None of the
page's sentences holds for some figures alone.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import grapher_jax
from grapher_jax.evaluation import rank_all
from grapher_jax.files import atomic_file
from grapher_jax.rerank import Reranker

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "bench"))

from application_corpora import FOR_CHOOSING, FOR_REPORTING, read_application  # noqa: E402

APPLICATIONS = ROOT / "bench" / "applications"
PAGE = ROOT / "docs" / "results" / "applications.md"
TITLES = {
    "superset": "Apache Superset",
    "mayan": "Mayan EDMS",
    "airflow": "Apache Airflow",
    "nautobot": "Nautobot",
    "tryton": "Tryton",
    "weblate": "Weblate",
}
RANKERS = {
    "base": "base",
    "ppr": "PPR",
    "gcs": "GCS",
    "diffusion": "diffusion",
    "gat": "GAT",
    "auto": "auto: GAT, along keys",
}
METRICS = ("PR@5", "PR@10")


@dataclass(frozen=True)
class Application:
    """What was found for one application.

    Attributes:
        tables: how many there are.
        keys: how many foreign keys are declared.
        several: how many questions need several tables.
        single: how many need one.
        figures: by ranker, perfect recalls of the former and RR of the latter, in %.
    """

    tables: int
    keys: int
    several: int
    single: int
    figures: dict[str, tuple[float, ...]]


def measure(name: str) -> Application:
    """Index one application's tables and rank its questions."""
    index, questions = read_application(name)
    rankings = rank_all(index, questions, [Reranker(ranker=ranker) for ranker in RANKERS])
    several = rankings[0].run.multi
    figures = {
        ranker: (
            *(100 * float(ranking.values[metric][several].mean()) for metric in METRICS),
            100 * float(ranking.values["RR"][~several].mean()),
        )
        for ranker, ranking in zip(RANKERS, rankings, strict=True)
    }
    schema = (APPLICATIONS / name / "schema.sql").read_text(encoding="utf-8")
    keys = schema.count("FOREIGN KEY")
    return Application(len(index.ids), keys, int(several.sum()), int((~several).sum()), figures)


def page(found: dict[str, Application]) -> str:
    """The page in Markdown."""
    parts = [
        "# Applications",
        "The tables of six real applications, with 20 questions about each. The questions were "
        "written from the columns and from the purpose of the applications, before any ranking of "
        "them was seen; `bench/applications/README.md` gives versions, licences and how they were "
        "made. PR@5 and PR@10 are the share of questions that need several tables for which *all* "
        "of them are among the first 5 or 10; RR is the mean of 1 / rank over the questions that "
        "need one table. In %, all as shipped: embedder `offline`, the text of `grapher-jax "
        "index`, default options, names and keys alone (the tables have no rows).",
        "There are few questions: one more with all its tables changes an application's PR by "
        f"{100 / max(each.several for each in found.values()):.0f} points, so read the means. "
        "Settings may be chosen on the first two applications; the other four are only reported.",
        f"`make applications` writes this page, here with grapher-jax {grapher_jax.__version__}; "
        "what is changed by hand is lost.",
        "## For choosing settings",
        _table({name: found[name] for name in FOR_CHOOSING}),
        "## For reporting alone",
        _table({name: found[name] for name in FOR_REPORTING}),
    ]
    return "\n\n".join(parts) + "\n"


def _table(found: dict[str, Application]) -> str:
    rows = [("application", "ranker", *METRICS, "RR")]
    rows.append(("---",) * len(rows[0]))
    for name, each in found.items():
        label = (
            f"{TITLES[name]} ({each.tables} tables, {each.keys} foreign keys; "
            f"{each.several} questions of several tables, {each.single} of one)"
        )
        rows += _rows(label, each.figures)
    means = {
        ranker: tuple(
            map(fmean, zip(*(each.figures[ranker] for each in found.values()), strict=True))
        )
        for ranker in RANKERS
    }
    rows += _rows(f"mean of the {len(found)}", means)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _rows(label: str, figures: dict[str, tuple[float, ...]]) -> list[tuple[str, ...]]:
    figures = {ranker: tuple(round(value, 1) for value in each) for ranker, each in figures.items()}
    best = [max(column) for column in zip(*figures.values(), strict=True)]
    return [
        (
            "" if number else label,
            RANKERS[ranker],
            *(
                f"**{value:.1f}**" if value == top else f"{value:.1f}"
                for value, top in zip(values, best, strict=True)
            ),
        )
        for number, (ranker, values) in enumerate(figures.items())
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=PAGE, help="the page")
    options = parser.parse_args(arguments)
    found = {}
    for name in TITLES:
        print(TITLES[name], flush=True)  # noqa: T201
        found[name] = measure(name)
    with atomic_file(options.out) as temporary:
        temporary.write_text(page(found), encoding="utf-8")
    print(f"wrote {options.out}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
