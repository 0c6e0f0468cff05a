"""How many declared keys inference finds by names and types when all of them are hidden.

    python bench/inferred_keys.py shared/bird shared/spider schema.sql shop.db --rank train

A source is a BEIR folder of tables, a SQLite file, or a file of DDL that SQLite reads. Databases
are divided by name: every second one is of the half on which the rules were chosen, the others are
held out; a file is held out whole. Pairs of tables count once, whichever references the other, as
rankers read them; `directed` counts them with their direction, `columns` those of single columns
where the source declares columns. Tables to themselves are left out.

With `--rank SPLIT` every eighth question of the folders' split is answered with the declared keys,
with none, with the inferred ones, and with inferred ones beside the declared ones.
"""

import argparse
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from grapher_jax.corpus import (
    JudgedQuestion,
    Object,
    read_database,
    read_judgements,
    read_objects,
    read_queries,
)
from grapher_jax.corpus.inferred.stage import AUTO, KeyChoice, with_inferred_keys, without_keys
from grapher_jax.evaluation import evaluate
from grapher_jax.search import Index

RANKERS = ("base", "gcs", "ppr", "diffusion", "gat")
EVERY = 8


@dataclass(frozen=True)
class Found:
    """What was found of what there is.

    Attributes:
        both: how many are declared and inferred.
        inferred: how many are inferred.
        declared: how many are declared.
    """

    both: int = 0
    inferred: int = 0
    declared: int = 0

    @classmethod
    def of(cls, inferred: set[object], declared: set[object]) -> "Found":
        """Of two sets."""
        return cls(len(inferred & declared), len(inferred), len(declared))

    def __add__(self, other: "Found") -> "Found":
        return Found(
            self.both + other.both, self.inferred + other.inferred, self.declared + other.declared
        )

    def __str__(self) -> str:
        precision = self.both / self.inferred if self.inferred else float("nan")
        recall = self.both / self.declared if self.declared else float("nan")
        return f"{precision:.3f} / {recall:.3f} ({self.declared})"


def main() -> None:
    """Print precision, recall and the number of declared keys of each source, and PR@10."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--rank", metavar="SPLIT")
    arguments = parser.parse_args()
    tell("precision / recall (declared), of: tables, directed, columns")
    for source in arguments.sources:
        for half, objects in halves(source):
            found = [Found()] * 3
            for own in by_database(objects).values():
                found = [one + more for one, more in zip(found, compared(own), strict=True)]
            name = source.name if source.is_dir() else f"{source.parent.name}/{source.name}"
            tell(name, half, *found)
    for source in arguments.sources if arguments.rank else ():
        if source.is_dir():
            rank(source, arguments.rank)


def tell(*cells: object) -> None:
    """Print a row of a table."""
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
    sys.stdout.flush()


def halves(source: Path) -> Iterator[tuple[str, list[Object]]]:
    """The objects of each half of a source's databases."""
    objects = objects_of(source)
    if not source.is_dir():
        yield "held out", objects
        return
    names = sorted(by_database(objects))
    for half, place in (("choosing", 0), ("held out", 1)):
        chosen = {*names[place::2]}
        yield half, [item for item in objects if item.metadata["db"] in chosen]


def objects_of(source: Path) -> list[Object]:
    """The tables of a folder, a SQLite file or a file of DDL."""
    if source.is_dir():
        return list(read_objects(source))
    with tempfile.TemporaryDirectory() as folder:
        if source.suffix == ".sql":
            made = Path(folder) / f"{source.stem}.db"
            with sqlite3.connect(made) as connection:
                connection.executescript(source.read_text(encoding="utf-8"))
            source = made
        return list(read_database(f"sqlite:///{source}", infer_keys="never"))


def by_database(objects: Iterable[Object]) -> dict[str, list[Object]]:
    """The tables of each database."""
    found: dict[str, list[Object]] = {}
    for item in objects:
        found.setdefault(item.metadata["db"], []).append(item)
    return found


def compared(objects: Sequence[Object]) -> list[Found]:
    """Pairs of tables, pairs with direction and pairs of columns, of one database."""
    inferred = with_inferred_keys(without_keys(objects), KeyChoice("always"))
    views = {item.id for item in objects if "view" in item.metadata.get("kind", "")}
    known = {item.id for item in objects} - views
    tables = [
        {
            (item.id, other)
            for item in made
            for other in item.metadata.get(key) or ()
            if {item.id, other} <= known and item.id != other
        }
        for made, key in ((inferred, "inferred_keys"), (objects, "foreign_keys"))
    ]
    columns = [
        {
            (item.id, *join["columns"], join["references"], *join["referenced_columns"])
            for item in made
            for join in item.metadata.get(key) or ()
            if len(join["columns"]) == 1 and join["references"] != item.id
        }
        for made, key in ((inferred, "inferred_joins"), (objects, "joins"))
    ]
    if not tables[1]:  # nothing is known of a database that declares nothing
        return [Found()] * 3
    unordered = [{frozenset(pair) for pair in pairs} for pairs in tables]
    of_columns = Found.of(*columns) if columns[1] else Found()
    return [Found.of(*unordered), Found.of(*tables), of_columns]


def rank(folder: Path, split: str) -> None:
    """Print PR@10 of each ranker, over questions with several relevant tables, in %."""
    objects = objects_of(folder)
    queries = {query.id: query for query in read_queries(folder)}
    judged = read_judgements(
        folder, split, objects={item.id for item in objects}, queries=queries.keys()
    )
    questions = [
        JudgedQuestion(queries[name].text, [one for one, grade in grades.items() if grade > 0])
        for name, grades in islice(judged.items(), 0, None, EVERY)
    ]
    always = KeyChoice("always")
    beside = with_inferred_keys(objects, always)
    corpora = {
        "declared": objects,
        "none": without_keys(objects),
        "inferred": with_inferred_keys(without_keys(objects), always),
        "declared, and inferred where few are": with_inferred_keys(objects, KeyChoice(AUTO)),
        "declared and inferred": beside,
    }
    tell(f"PR@10 of {folder.name}, {len(questions)} questions: {', '.join(RANKERS)}")
    index = None
    for name, corpus in corpora.items():
        index = Index.build(corpus, reuse=index)
        report = evaluate(index, questions=questions, rerankers=RANKERS)
        figures = [f"{100 * (row.metrics['PR@10'].multi or 0):.1f}" for row in report.results]
        tell(name, " / ".join(figures))


if __name__ == "__main__":
    main()
