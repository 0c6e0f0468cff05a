"""Write applications of `bench/applications/` as BEIR folders, whose questions are a split `train`.

`--help` lists the options.
"""

import argparse
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from grapher_jax.corpus import JudgedQueries, judge_questions
from grapher_jax.search import Index

FOLDER = Path(__file__).parent / "applications"
FOR_CHOOSING = ("superset", "mayan")
FOR_REPORTING = ("airflow", "nautobot", "tryton", "weblate")
FOR_LEARNING = (
    "galaxy",
    "indico",
    "kiwitcms",
    "kolibri",
    "neutron",
    "openimis",
    "oscar",
    "pretix",
)


@cache
def read_application(name: str) -> tuple[Index, JudgedQueries]:
    """The tables, indexed as `grapher-jax index` does by default; and its questions."""
    with TemporaryDirectory() as temporary:
        path = Path(temporary) / f"{name}.db"
        with closing(sqlite3.connect(path)) as database:
            database.executescript((FOLDER / name / "schema.sql").read_text(encoding="utf-8"))
        index = Index.from_source(f"sqlite:///{path}")
    return index, judge_questions(_questions(name), index.rows)


def _questions(name: str) -> Path:
    return FOLDER / name / "questions.jsonl"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the folders that are not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the folder that gets them, as app-NAME")
    parser.add_argument("names", nargs="*", default=FOR_LEARNING, help="which; all for learning")
    options = parser.parse_args(arguments)
    for name in options.names:
        folder = options.out / f"app-{name}"
        if not folder.exists():
            index, _ = read_application(name)
            index.export(folder, questions=_questions(name), split="train")
        print(folder, flush=True)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
