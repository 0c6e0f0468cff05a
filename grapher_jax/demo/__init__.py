"""The sample: a made-up company's database, and questions with the tables that answer them."""

import sqlite3
import tempfile
from importlib import resources
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from grapher_jax.corpus import Object, read_database
from grapher_jax.evaluation import JudgedRun, evaluate
from grapher_jax.explain import explain_question
from grapher_jax.files import Json
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve.embedders import Embedder, Progress, no_progress
from grapher_jax.search import Index

SPLIT = "test"
_RANKERS = ("base", "ppr", "gcs")
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
    """Where the sample's SQL, questions and judgements lie."""
    return Path(str(resources.files(__name__)))


def run_demo(
    *, embedder: str | Embedder = "offline", progress: Progress = no_progress
) -> dict[str, Json]:
    """Index the sample, answer its questions with and without the graph, and walk one of them.

    Returns:
        What `explain.render_page` draws: the question that GCS helps most, before and after, and
        the metrics of every ranker over all questions.
    """
    index = Index.build(
        sample_tables(), embedder=embedder, folder=sample_folder(), progress=progress
    )
    rerankers = [Reranker(ranker=name) for name in _RANKERS]
    report = evaluate(index, SPLIT, rerankers, dataset="sample")
    references = len(index.graph.foreign_keys.values)
    return _walk(index, rerankers[-1]) | {
        "title": "What the graph brings back",
        "subtitle": f"{len(index.ids)} tables, {references} foreign keys, "
        f"{report.queries} questions",
        "questions": report.multi_queries,
        "metrics": [
            {"ranker": row.ranker, "alpha": row.parameters.get("alpha")}
            | {name: row.metrics[name].multi for name in ("PR@5", "PR@10")}
            for row in report.results
        ],
    }


def _walk(index: Index, reranker: Reranker) -> dict[str, Json]:
    run = JudgedRun.retrieve(index, SPLIT)
    n = run.candidates.rows.shape[1]
    order = reranker.rank(index, run.candidates, k=n)
    # How deep one must read to have every relevant table, before and after.
    depth_before = _depth(run.relevant)
    depth_after = _depth(np.take_along_axis(run.relevant, order.positions, axis=1))
    helped = (depth_after <= _K) * (depth_before - depth_after)
    number = int(np.argmax(helped))

    query = index.queries[list(run.judgements)[number]]
    relevant = {name for name, grade in run.judgements[query.id].items() if grade > 0}
    report = explain_question(index, query.text, k=_K, ranker=reranker, relevant=relevant)
    return report | {"sql": query.metadata["sql"]}


def _depth(relevant: Bool[ndarray, "B n"]) -> Int[ndarray, " B"]:
    """The rank of the last relevant candidate of each question."""
    return relevant.shape[1] - np.argmax(relevant[:, ::-1], axis=1)
