"""Which set of tables is the answer: ours against published ways to choose one.

    python bench/table_selection.py DATA --out docs/results/tables.md

`DATA` is a folder of the sets `spider`, `bird` and `beaver`, each a BEIR folder or, as `NAME.index`
or `NAME`, an index. All have the same retriever, text, embedder, phrases and keys. Settings of the
peers were chosen by `--choose` on every eighth question of Spider train and of one half of BIRD's
databases; the other half is reported.
The phrases that stand for sub-questions are the runs of words between stop words.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from application_corpora import FOR_REPORTING, read_application
from jaxtyping import Float, Int
from numpy import ndarray
from table_peers import PEERS, Asked, phrases_of
from table_sizes import in_markdown, size_table
from timing import median_seconds

import grapher_jax
from grapher_jax.evaluation import JudgedRun, Ranking
from grapher_jax.files import atomic_file
from grapher_jax.graph import EMPTY
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index, open_source
from grapher_jax.systems import Retrieval
from grapher_jax.tables.finding import AUTO
from grapher_jax.tables.schema import Schema, schema_of
from grapher_jax.tables.selection import select_tables
from grapher_jax.text import readable

RANKERS = {"base": "retriever", "gcs": "GCS", "ppr": "PPR", "diffusion": "diffusion", "gat": "GAT"}
# Its tables are copied where times are measured, for schemas of so many.
SMALL, LARGE = "superset", "nautobot"
SIZES = (200, 1000, 5000)
KS = (5, 10)
METRICS = ("F1@5", "R@5", "PR@5", "JPR@5", "PR@10", "JPR@10")
EVERY = 8
# Peers look at no more candidates than this.
CANDIDATES = 50
GRID: Mapping[str, Mapping[str, Sequence[float]]] = {
    "JAR": {"candidates": (20, 30), "coverage": (0.0, 0.1, 0.3, 1.0), "joins": (0.1, 0.3, 0.6)},
    "greedy join-aware": {"coverage": (0.3, 1.0, 2.0, 4.0), "joins": (0.1, 0.2, 0.3, 0.6, 1.0)},
    "REaR": {"retrieved": (5, 15, 30), "expanded": (1, 4), "joins": (0.1, 0.3, 1.0, 3.0)},
    "CORE-T's adjustment": {"share": (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)},
}


@dataclass(frozen=True)
class Columns:
    """The columns of the tables of an index, and their names.

    Attributes:
        index: of the tables.
        schema: the same tables with their keys.
    """

    index: Index
    schema: Schema

    @cached_property
    def starts(self) -> Int[ndarray, " N+1"]:
        """`[N + 1]` where the columns of each table begin."""
        return np.cumsum([0, *map(len, self._texts)])

    @cached_property
    def embeddings(self) -> Float[ndarray, "c d"]:
        """`[c, d]` of all columns, table by table."""
        texts = [text for own in self._texts for text in own]
        unique = list(dict.fromkeys(texts))
        place = {text: i for i, text in enumerate(unique)}
        return self.index.embedder.embed_objects(unique)[[place[text] for text in texts]]

    @cached_property
    def between(self) -> Float[ndarray, "N N"]:
        """`[N, N]` the cosine of the nearest columns of two tables."""
        near = [
            np.maximum.reduceat(
                (self.embeddings[start:stop] @ self.embeddings.T).max(0), self.starts[:-1]
            )
            for start, stop in zip(self.starts[:-1], self.starts[1:], strict=True)
        ]
        return np.stack(near)

    def of(self, rows: Int[ndarray, " n"]) -> tuple[Float[ndarray, "c d"], Int[ndarray, " c"]]:
        """The embeddings of the columns of some tables, and whose each is."""
        lengths = np.diff(self.starts)[rows]
        tables = np.repeat(np.arange(len(rows)), lengths)
        first = np.cumsum(lengths) - lengths
        places = np.repeat(self.starts[:-1][rows] - first, lengths) + np.arange(len(tables))
        return self.embeddings[places], tables

    @cached_property
    def _texts(self) -> list[list[str]]:
        found = []
        for row in range(len(self.schema.ids)):
            table = self.schema.table(row)
            name = readable(table.name)
            told = (f"{name} {readable(one.name)} {one.comment}" for one in table.columns)
            found.append([name, *(text.rstrip() for text in told)])
        return found


@dataclass(frozen=True)
class Questions:
    """Judged questions with several relevant tables, and what is known of their candidates.

    Attributes:
        run: what the retriever returned.
        columns: of the tables.
    """

    run: JudgedRun
    columns: Columns

    @cached_property
    def phrases(self) -> list[Float[ndarray, "p d"]]:
        """`[p, d]` the embeddings of the phrases of each question."""
        told = [phrases_of(query.text) for query in self.run.candidates.questions]
        unique = list(dict.fromkeys(phrase for own in told for phrase in own))
        made = self.columns.index.embedder.embed_queries(unique)
        place = {phrase: i for i, phrase in enumerate(unique)}
        return [made[[place[phrase] for phrase in own]] for own in told]

    @cached_property
    def asked(self) -> list[Asked]:
        """Each question as a peer sees it."""
        ranking = self.ranking("base")
        schema, found = self.columns.schema, []
        joined = np.zeros((len(schema.ids),) * 2, bool)
        joined[tuple(schema.ends.T)] = joined[tuple(schema.ends.T[::-1])] = True
        for rows, scores, phrases in zip(ranking.rows, ranking.scores, self.phrases, strict=True):
            rows, scores = rows[:CANDIDATES], scores[:CANDIDATES]
            rows, scores = rows[rows != EMPTY], scores[rows != EMPTY]
            columns, tables = self.columns.of(rows)
            starts = np.flatnonzero(np.diff(tables, prepend=-1))
            near = np.maximum.reduceat(columns @ phrases.T, starts).T
            pairs = np.ix_(rows, rows)
            found.append(Asked(rows, scores, near, joined[pairs], self.columns.between[pairs]))
        return found

    @cached_property
    def relevant(self) -> list[set[int]]:
        """The rows of the relevant tables of each question."""
        rows = self.run.index.rows
        grades = self.run.judgements.values()
        return [{rows[one] for one, grade in own.items() if grade > 0} for own in grades]

    def ranking(self, ranker: str) -> Ranking:
        """What a ranker makes of the candidates."""
        return Ranking.from_run(self.run, Reranker(ranker=ranker))

    def figures(self, answer: Callable[[int, int], list[int]]) -> dict[str, float]:
        """The means of the metrics in %, and milliseconds a question.

        Args:
            answer: gives the rows of a question for a number of tables.
        """
        answer(0, 1)  # what is made once is made
        started = time.perf_counter()
        answers = {k: [answer(question, k) for question in range(len(self.relevant))] for k in KS}
        seconds = time.perf_counter() - started
        values: dict[str, list[float]] = {metric: [] for metric in METRICS}
        for k, chosen in answers.items():
            for rows, relevant in zip(chosen, self.relevant, strict=True):
                hits = len(relevant.intersection(rows))
                whole = hits == len(relevant)
                pieces = self.columns.schema.pieces(rows) if whole else []
                told = {
                    f"F1@{k}": 2 * hits / (len(rows) + len(relevant)),
                    f"R@{k}": hits / len(relevant),
                    f"PR@{k}": whole,
                    f"JPR@{k}": any(relevant.issubset(piece) for piece in pieces),
                }
                for metric in values.keys() & told.keys():
                    values[metric].append(100 * told[metric])
        means = {metric: float(np.mean(found)) for metric, found in values.items()}
        return means | {"ms": 1000 * seconds / len(KS) / len(self.relevant)}


def ours(questions: Questions, rankers: Sequence[str]) -> Iterator[tuple[str, dict[str, float]]]:
    """Each ranker alone, and with its tables chosen along the keys."""
    for ranker in rankers:
        ranking = questions.ranking(ranker)
        rows, scores = ranking.rows, ranking.scores

        def alone(question: int, k: int, rows=rows) -> list[int]:
            return [int(row) for row in rows[question, :k] if row != EMPTY]

        def grown(question: int, k: int, rows=rows, scores=scores) -> list[int]:
            return select_tables(rows[question], scores[question], questions.columns.schema, k=k)

        name = RANKERS[ranker]
        yield name, questions.figures(alone)
        yield f"{name}, along keys", questions.figures(grown)


def peers(questions: Questions) -> Iterator[tuple[str, dict[str, float]]]:
    """Each peer with its default settings."""
    for name in PEERS:
        yield name, questions.figures(partial(_of_peer, questions, name))


def _of_peer(
    questions: Questions, peer: str, question: int, k: int, **settings: float
) -> list[int]:
    asked = questions.asked[question]
    return [int(asked.rows[place]) for place in PEERS[peer](asked, k, **settings)]


def choose(sets: Mapping[str, Questions]) -> None:
    """Print the settings of each peer that have the best mean of JPR@5 and JPR@10."""
    for peer, grid in GRID.items():
        found = []
        for values in product(*grid.values()):
            settings = dict(zip(grid, values, strict=True))
            each = [own.figures(partial(_of_peer, own, peer, **settings)) for own in sets.values()]
            found.append((float(np.mean([one[f"JPR@{k}"] for one in each for k in KS])), settings))
        for figure, settings in sorted(found, key=lambda one: -one[0])[:3]:
            tell(
                peer, f"{figure:.1f}", *(f"{name} = {value:g}" for name, value in settings.items())
            )


def tell(*cells: object) -> None:
    """Print a row of a table."""
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
    sys.stdout.flush()


def opened(data: Path, name: str) -> tuple[Index, Columns]:
    """A set with the columns of its tables."""
    index = open_source(str(next(p for p in (data / f"{name}.index", data / name) if p.exists())))
    return index, Columns(index, schema_of(index))


def several(run: JudgedRun, keep: Callable[[str], bool] = lambda _: True) -> JudgedRun:
    """The questions with several relevant tables, of some databases."""
    ids = [next(iter(grades)) for grades in run.judgements.values()]
    objects, rows = run.index.objects, run.index.rows
    kept = [keep(str(objects[rows[one]].metadata.get("db", ""))) for one in ids]
    return run.take(np.flatnonzero(run.multi & kept))


def halves(index: Index) -> tuple[set[str], set[str]]:
    """The names of the databases for choosing settings, and of those that are held out."""
    names = sorted({str(item.metadata.get("db", "")) for item in index.objects})
    return {*names[::2]}, {*names[1::2]}


def of_split(index: Index, columns: Columns, split: str, *, every: int = 1, **keep) -> Questions:
    """Every so many questions of a split, of some databases, with several relevant tables."""
    return Questions(several(judged_run(index, split, every=every), **keep), columns)


def judged_run(index: Index, split: str, *, every: int = 1) -> JudgedRun:
    """Every so many questions of a split."""
    judged = dict(list(index.judgements(split).items())[::every])
    queries = [index.queries[query] for query in judged]
    found = index.retrieve(queries, filters=[q.metadata.get("filter") for q in queries])
    return JudgedRun(index, judged, found, 0.0)


def of_application(name: str, first: int | None = None) -> Questions:
    """The first questions of an application."""
    index, judged = read_application(name)
    run = several(JudgedRun.retrieve_by(Retrieval(), index, judged))
    run = run.take(np.arange(len(run.judgements))[:first])
    return Questions(run, Columns(index, schema_of(index)))


def measured(questions: Questions, rankers: Sequence[str]) -> dict[str, dict[str, float]]:
    """The figures of all rows of one set."""
    found = dict(peers(questions))
    return found | dict(ours(questions, rankers))


def copied(index: Index, count: int) -> Index:
    """So many tables: those of an index again and again, each time as a part of its own."""
    found = [
        replace(one, id=f"{copy}{one.id}", metadata=_renamed(one.metadata, str(copy)))
        for copy in range(-(-count // len(index.objects)))
        for one in index.objects
    ]
    return Index.build(found[:count])


def _renamed(metadata: Mapping[str, Any], copy: str) -> dict[str, Any]:
    joins = [{**one, "references": copy + one["references"]} for one in metadata.get("joins", [])]
    keys = [copy + name for name in metadata.get("foreign_keys", [])]
    return {**metadata, "foreign_keys": keys, "joins": joins}


def times(name: str, sizes: Sequence[int], first: int | None = None) -> str:
    """Milliseconds that a question takes in schemas of several sizes, as a table.

    Args:
        name: the application whose tables are repeated.
        sizes: numbers of tables.
        first: so many of its questions; all of them without it.
    """
    index, judged = read_application(name)
    lines = [("tables", "ranking", "ten tables", "as many as needed"), ("---",) * 4]
    for size in sizes:
        own = copied(index, size)
        calls: list[Callable[[str], object]] = [own.search, own.tables, partial(own.tables, k=AUTO)]
        texts = [query.text for query in judged.queries][:first]
        taken = (1000 * median_seconds(texts, call) for call in calls)
        lines.append((f"{size:,}", *(f"{milliseconds:.1f}" for milliseconds in taken)))
    return in_markdown(lines)


def mean_of(each: Sequence[dict[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    """The means of several sets' figures."""
    return {
        row: {metric: float(np.mean([one[row][metric] for one in each])) for metric in metrics}
        for row, metrics in each[0].items()
    }


def table(found: Mapping[str, Mapping[str, float]]) -> str:
    """Figures as a table, the best of each column in bold."""
    columns = (*METRICS, "ms")
    best = {metric: max(round(own[metric], 1) for own in found.values()) for metric in METRICS}
    lines = [("tables", *columns), ("---",) * (len(columns) + 1)]
    for row, own in found.items():
        figures = (f"{own[name]:.1f}" for name in columns)
        bold = (
            f"**{figure}**" if round(own[name], 1) == best.get(name) else figure
            for name, figure in zip(columns, figures, strict=True)
        )
        lines.append((row, *bold))
    return in_markdown(lines)


_INTRODUCTION = (
    "# Sets of tables",
    "The tables of an answer as one set. PR@K is the share of questions for which all relevant "
    "tables are among K; JPR@K also requires that one connected piece of the K tables holds them. "
    "Questions with several relevant tables; means in %. The milliseconds a question are for "
    "choosing the set once its candidates are ranked and, for the published methods, once its "
    "phrases are embedded. All methods have the same retriever, text, phrases and keys.",
    '"Along keys" is `select_tables`: the answer of `Index.tables` without the tables that only '
    "connect others. JAR, greedy join-aware, REaR and CORE-T's adjustment are published methods "
    "without their language models; `bench/table_peers.py` tells what was simplified. Their "
    "settings were chosen on Spider train and half of BIRD's databases, those of `select_tables` "
    "on all of BIRD train and two applications as well; chosen on that half alone, they come out "
    "the same. GAT was trained on BIRD train, so its rows there say little.",
)

_SIZES = (
    'A fixed number of tables of the default ranking; as many as needed (`k="auto"`), which is '
    "the set with the best expected F1; and the smallest set that holds all tables at a given "
    "confidence. Means in % over all questions, including those with one relevant table; then the "
    "number of tables, and the tokens of their DDL, at three bytes a token. For sets of a "
    "confidence, the last column is the confidence that they state on average, to be compared "
    "with their perfect recall, the share of questions for which the set does hold all tables."
)
_TIMES = (
    "Milliseconds from a question to its answer, by the default ranker: the median over the "
    "questions of Nautobot, whose tables are copied to reach each size. `Index.search` ranks "
    "tables, including the embedding of the question; `Index.tables` chooses ten of them, or as "
    "many as needed, with their joins and bridges."
)


def page(
    found: Mapping[str, Mapping[str, Mapping[str, float]]], sizes: Mapping[str, str], timed: str
) -> str:
    """The page in Markdown."""
    made = (
        "`python bench/table_selection.py DATA --out FILE` writes this page, here with grapher-jax "
        f"{grapher_jax.__version__}; what is changed by hand is lost."
    )
    parts = [*_INTRODUCTION, made]
    for title, rows in found.items():
        parts += [f"## {title}", table(rows)]
    parts += ["## How many tables", _SIZES]
    for title, rows in sizes.items():
        parts += [f"### {title}, all questions", rows]
    parts += ["## Time of a question", _TIMES, timed]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Choose settings, or measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?", help="the folder of the sets")
    parser.add_argument("--out", type=Path, help="the page")
    parser.add_argument(
        "--choose", action="store_true", help="the peers' settings, on train splits"
    )
    parser.add_argument("--every", type=int, default=EVERY, help="of the train splits' questions")
    parser.add_argument("--quick", action="store_true", help="a smoke run on one application")
    options = parser.parse_args()
    if not (options.data or options.quick):
        parser.error("give the folder of the sets, or --quick")
    if options.quick:
        few = of_application(SMALL, 2)
        sys.stdout.write(table(measured(few, ["base"])) + "\n\n")
        sys.stdout.write(size_table([few.run]) + "\n\n")
        sys.stdout.write(times(SMALL, [60], first=1) + "\n")
        return
    spider, bird = (opened(options.data, name) for name in ("spider", "bird"))
    choosing, held_out = halves(bird[0])
    train = partial(of_split, split="train", every=options.every)
    if options.choose:
        half = train(*bird, keep=choosing.__contains__)
        choose({"BIRD": half, "Spider": train(*spider)})
        return
    sets: dict[str, Callable[[], list[Questions]]] = {
        "Spider dev": lambda: [of_split(*spider, "dev")],
        "BIRD train, databases held out": lambda: [train(*bird, keep=held_out.__contains__)],
        "Beaver dev": lambda: [of_split(*opened(options.data, "beaver"), "dev")],
        "Airflow, Nautobot, Tryton, Weblate (mean)": lambda: [*map(of_application, FOR_REPORTING)],
    }
    found = {}
    for title, make in sets.items():
        found[title] = mean_of([measured(one, [*RANKERS]) for one in make()])
        sys.stdout.write(f"\n{title}\n\n{table(found[title])}\n")
        sys.stdout.flush()
    if options.out:
        reporting = [
            JudgedRun.retrieve_by(Retrieval(), *read_application(n)) for n in FOR_REPORTING
        ]
        runs = {
            "Spider dev": [judged_run(spider[0], "dev")],
            "Beaver dev": [judged_run(opened(options.data, "beaver")[0], "dev")],
            "Airflow, Nautobot, Tryton, Weblate (mean)": reporting,
        }
        sizes = {title: size_table(own) for title, own in runs.items()}
        with atomic_file(options.out) as temporary:
            temporary.write_text(page(found, sizes, times(LARGE, SIZES)), encoding="utf-8")


if __name__ == "__main__":
    main()
