"""Fit what ranks columns and what chooses how many tables, on BIRD train and Spider train.

Prints the constants of `grapher_jax/tables/columns.py` and `grapher_jax/tables/size.py`:

    python docs/tools/fit_tables.py INDEXES

where `INDEXES/bird` and `INDEXES/spider` are indexes of the sets, or the sets themselves.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from grapher_jax.evaluation.gold_columns import gold_columns
from grapher_jax.evaluation.judged import JudgedRun
from grapher_jax.evaluation.ranking import Ranking
from grapher_jax.graph import EMPTY
from grapher_jax.rankers.calibration import logistic
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index, open_source
from grapher_jax.tables.columns import column_features
from grapher_jax.tables.schema import Schema, schema_of
from grapher_jax.tables.selection import select_tables
from grapher_jax.tables.size import READ, table_features

SETS = ("bird", "spider")
QUESTIONS = 3000


def fitted(features: Float[ndarray, "n f"], wanted: Bool[ndarray, " n"]) -> tuple[float, ...]:
    """The weights of logistic regression, then the bias, as the package has them."""
    return tuple(np.round(logistic(features, wanted), 2).tolist())


def judged(index: Index, questions: int) -> JudgedRun:
    """Some of the questions for training, with what the retriever finds for them."""
    run = JudgedRun.retrieve(index, "train")
    chosen = np.random.default_rng(0).permutation(len(run.judgements))[:questions]
    return run.take(np.sort(chosen))


def columns(
    run: JudgedRun, *, embedded: bool
) -> Iterator[tuple[Float[ndarray, "C f"], Bool[ndarray, " C"]]]:
    """The features of the columns of each question's relevant tables, and which it asks for."""
    index, schema = run.index, Schema(run.index.objects)
    gold = gold_columns(index.objects, index.queries, run.judgements) or {}
    for place, (query, grades) in enumerate(run.judgements.items()):
        if query not in gold or not gold[query].asked:
            continue
        rows = [schema.row[name] for name, grade in grades.items() if grade > 0]
        embedding = run.candidates.questions.embeddings[place] if embedded else None
        text = index.queries[query].text
        found = column_features(index, text, rows, embedding=embedding)
        for row, features in zip(rows, found, strict=True):
            names = [column.name for column in schema.table(row).columns]
            asked = [(schema.ids[row], name) in gold[query].asked for name in names]
            yield features, np.array(asked, bool)


def tables(run: JudgedRun) -> Iterator[tuple[Float[ndarray, "n f"], Bool[ndarray, " n"]]]:
    """The features of each question's tables in the order of `Index.tables`, and the relevant."""
    ranking, asked = Ranking.from_run(run, Reranker()), run.candidates.questions
    for place, query in enumerate(asked.queries):
        known = ranking.rows[place] != EMPTY
        ranked, scores = ranking.rows[place][known], ranking.scores[place][known]
        rows = select_tables(ranked, scores, schema_of(run.index), k=READ)
        embedding = asked.embeddings[place]
        features = table_features(run.index, query.text, rows, embedding=embedding)
        yield features, np.isin(rows, ranked[ranking.hits[place][known]])


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("indexes", type=Path)
    parser.add_argument(
        "--questions", type=int, default=QUESTIONS, help="of each set, drawn at random"
    )
    told = parser.parse_args()
    runs = [judged(open_source(str(told.indexes / name)), told.questions) for name in SETS]
    for name, embedded in (("_BY_WORDS", False), ("_BY_MEANING", True)):
        found = [pair for run in runs for pair in columns(run, embedded=embedded)]
        features, wanted = map(np.concatenate, zip(*found, strict=True))
        sys.stdout.write(f"{name} = {fitted(features, wanted)}\n")
    found = [pair for run in runs for pair in tables(run)]
    features, wanted = map(np.concatenate, zip(*found, strict=True))
    sys.stdout.write(f"_WEIGHTS = {fitted(features, wanted)}\n")


if __name__ == "__main__":
    main()
