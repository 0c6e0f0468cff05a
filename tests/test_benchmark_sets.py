"""Figures on real data, against those of an independent NumPy implementation."""

import json

import pytest

from grapher_jax.evaluate import JudgedRun, evaluate, tune
from grapher_jax.index import Index
from grapher_jax.kernels import DEFAULT_ALPHA
from grapher_jax.rerank import Reranker

# PR@5 and PR@10 in %, over queries with more than one relevant object: base, then GCS at α = 0.3.
REFERENCE = {
    "spider": (1032, 378, [54.0, 73.0], [70.1, 83.6]),
    "beaver": (209, 206, [11.2, 23.3], [12.1, 26.2]),
}


@pytest.fixture(scope="module", params=REFERENCE)
def evaluated(request, benchmark_sets):
    index = Index.from_source(str(benchmark_sets / request.param))
    rankers = [Reranker(ranker="base"), Reranker(alpha=0.3), Reranker()]
    return REFERENCE[request.param], evaluate(index, "dev", rankers, dataset=request.param)


def percent(result):
    return [100 * result["metrics"][name]["multi"] for name in ("PR@5", "PR@10")]


def test_no_query_is_dropped(evaluated):
    (queries, multi, *_), report = evaluated
    assert (report["queries"], report["multi_queries"]) == (queries, multi)


def test_base_and_gcs_lie_near_the_reference(evaluated):
    (_, _, *references), report = evaluated
    for result, reference in zip(report["results"][:2], references, strict=True):
        assert percent(result) == pytest.approx(reference, abs=1.0)


def test_gcs_at_its_default_gains_over_base(evaluated):
    _, report = evaluated
    base, _, gcs = (percent(result)[1] for result in report["results"])
    assert gcs - base >= (9 if report["dataset"] == "spider" else 0)


def test_default_alphas_are_the_best_of_the_grid_on_bird_train(benchmark_sets):
    run = JudgedRun.retrieve(Index.from_source(str(benchmark_sets / "bird")), "train")
    report = tune(run)
    assert {name: found["best"] for name, found in report["rankers"].items()} == DEFAULT_ALPHA
    json.dumps(report)
