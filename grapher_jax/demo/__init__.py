"""The sample: a fictitious company's database, and questions with the tables that answer them."""

import sqlite3
import tempfile
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

import numpy as np

from grapher_jax.corpus import Object, read_database
from grapher_jax.errors import require
from grapher_jax.evaluation import Ranking, compare, rank_all
from grapher_jax.explain import explain_question
from grapher_jax.files import Json
from grapher_jax.rankers.fixed_point import FIXED_POINTS
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve.embedders import Embedder, Progress, no_progress
from grapher_jax.search import Index

SPLIT = "test"
_K = 10


def sample_tables() -> list[Object]:
    """The tables of the sample database, reflected from a real SQLite file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "company.db"
        connection = sqlite3.connect(path)
        connection.executescript((sample_folder() / "company.sql").read_text(encoding="utf-8"))
        connection.close()
        return list(read_database(f"sqlite:///{path}"))


def sample_folder() -> Path:
    """The folder with the sample's SQL, questions and judgements."""
    return Path(str(resources.files(__name__)))


def run_demo(
    *, embedder: str | Embedder = "offline", progress: Progress = no_progress
) -> dict[str, Json]:
    """Index the sample, search it with and without the graph, and explain one question.

    Returns:
        The report that `explain.render_page` draws: the question that the default ranker improves
        most, before and after, and the metrics of every ranker over all questions. In addition,
        `asked` has for each question how many tables it `needs`, and how many of these are among
        the first ten of the retriever (`alone`) and after reranking (`ranked`); `changed` counts
        the questions that get `better` and `worse`; and `moved` counts, by ranker, the questions
        whose first ten differ.

    Raises:
        MissingExtraError: if ir-measures is not installed.
    """
    require("ir_measures")  # checked early, because it is needed only after ranking
    index = Index.build(
        sample_tables(), embedder=embedder, folder=sample_folder(), progress=progress
    )
    default = Reranker().over(index).name
    rankings = {one.label: one for one in _rank(index, dict.fromkeys((*FIXED_POINTS, default)))}
    report = compare([*rankings.values()], split=SPLIT, dataset="sample")
    references = len(index.graph.foreign_keys.values)
    asked = _asked(rankings["base"], rankings[default])
    gains = [one["ranked"] - one["alone"] for one in asked]
    better, worse = (sum(sign * gain > 0 for gain in gains) for sign in (1, -1))
    told = (
        f"{default} brings more of the tables into the first {_K} for {better}, fewer for "
        f"{worse}, and changes nothing of it for {len(gains) - better - worse}"
    )
    return _walk(index, rankings[default], int(np.argmax(gains))) | {
        "title": "What the graph brings back, and what it does not",
        "subtitle": f"{len(index.ids)} tables and views, {references} foreign keys, "
        f"{report.queries} questions: {told}",
        "questions": report.multi_queries,
        "metrics": [
            {"ranker": row.ranker, "alpha": row.parameters.get("alpha")}
            | {name: row.metrics[name].multi for name in ("PR@5", "PR@10")}
            for row in report.results
        ],
        "moved": {row.ranker: row.moved for row in report.results if row.moved is not None},
        "changed": {"better": better, "worse": worse},
        "asked": asked,
    }


def _rank(index: Index, names: Iterable[str]) -> list[Ranking]:
    return rank_all(index, SPLIT, [Reranker(ranker=name) for name in names])


def _asked(alone: Ranking, ranked: Ranking) -> list[dict[str, Json]]:
    """For every question, how many tables it needs, and how many of these are among the first."""
    run = alone.run
    counts = (run.relevant_counts, *(one.hits[:, :_K].sum(axis=1) for one in (alone, ranked)))
    return [
        {"question": run.index.queries[name].text}
        | dict(zip(("needs", "alone", "ranked"), map(int, own), strict=True))
        for name, *own in zip(run.judgements, *counts, strict=True)
    ]


def _walk(index: Index, ranking: Ranking, number: int) -> dict[str, Json]:
    judgements = ranking.run.judgements
    query = index.queries[list(judgements)[number]]
    relevant = {name for name, grade in judgements[query.id].items() if grade > 0}
    report = explain_question(index, query.text, k=_K, relevant=relevant)
    return report | {"sql": query.metadata["sql"]}
