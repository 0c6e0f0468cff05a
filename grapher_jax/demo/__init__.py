"""The sample: a made-up company's database, and questions with the tables that answer them."""

import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from grapher_jax.corpus import Object, read_database
from grapher_jax.evaluate import JudgedRun, evaluate
from grapher_jax.explain import relations
from grapher_jax.graph import EMPTY
from grapher_jax.index import Index
from grapher_jax.rerank import Hit, Reranker
from grapher_jax.retrieve.embedders import Embedder, Progress, no_progress

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
) -> dict[str, Any]:
    """Index the sample, answer its questions with and without the graph, and walk one of them.

    Returns:
        What `explain.render_page` draws: metrics of every ranker, and one question before and
        after. The question is the one that GCS helps most.
    """
    index = Index.build(
        sample_tables(), embedder=embedder, folder=sample_folder(), progress=progress
    )
    rerankers = [Reranker(ranker=name) for name in _RANKERS]
    report = evaluate(index, SPLIT, rerankers, dataset="sample")
    references = len(index.graph.foreign_keys.values)
    return {
        "title": "What the graph brings back",
        "subtitle": f"{len(index.ids)} tables, {references} foreign keys, "
        f"{report['queries']} questions",
        "questions": report["multi_queries"],
        "metrics": [
            {"ranker": result["ranker"], "alpha": result["parameters"].get("alpha")}
            | {name: result["metrics"][name]["multi"] for name in ("PR@5", "PR@10")}
            for result in report["results"]
        ],
        "walk": _walk(index, rerankers[-1]),
    }


def _walk(index: Index, reranker: Reranker) -> dict[str, Any]:
    run = JudgedRun.retrieve(index, SPLIT)
    n = run.candidates.rows.shape[1]
    order = reranker.rank(index.graph, run.candidates, k=n)
    # How deep one must read to have every relevant table, before and after.
    depth_before = _depth(run.relevant)
    depth_after = _depth(np.take_along_axis(run.relevant, order.positions, axis=1))
    helped = (depth_after <= _K) * (depth_before - depth_after)
    number = int(np.argmax(helped))

    query = index.queries[list(run.judgements)[number]]
    relevant = {name for name, grade in run.judgements[query.id].items() if grade > 0}
    hits = index.search(query.text, k=n, ranker=reranker)
    before = sorted(hits, key=lambda hit: hit.base_rank)
    rows = run.candidates.rows[number]
    graph = relations(index.graph, rows, index.graph.proximities())
    return {
        "question": query.text,
        "sql": query.metadata["sql"],
        "ranker": reranker.ranker,
        "alpha": reranker.parameters(index.graph)["alpha"],
        "k": _K,
        "results": [
            _node(hit, relevant)
            | {"sources": [source.to_dict() for source in hit.explanation.sources]}
            for hit in hits[:_K]
        ],
        "before": [
            {
                "id": hit.id,
                "rank": hit.base_rank,
                "score": hit.base_score,
                "relevant": hit.id in relevant,
            }
            for hit in before[:_K]
        ],
        "nodes": [_node(hit, relevant) for hit in hits],
        "edges": _edges([index.ids[row] for row in rows if row != EMPTY], graph),
    }


def _depth(relevant: np.ndarray) -> np.ndarray:
    return relevant.shape[1] - np.argmax(relevant[:, ::-1], axis=1)


def _node(hit: Hit, relevant: set[str]) -> dict[str, Any]:
    return {
        "id": hit.id,
        "rank": hit.rank,
        "base_rank": hit.base_rank,
        "score": hit.score,
        "base_score": hit.base_score,
        "relevant": hit.id in relevant,
    }


def _edges(ids: Sequence[str], graph: Mapping[str, np.ndarray]) -> list[dict[str, Any]]:
    joined: dict[tuple[int, int], list[str]] = {}
    for name, adjacency in graph.items():
        for i, j in np.argwhere(np.triu(adjacency + adjacency.T)):
            joined.setdefault((int(i), int(j)), []).append(name)
    return [
        {"source": ids[i], "target": ids[j], "relations": names} for (i, j), names in joined.items()
    ]
