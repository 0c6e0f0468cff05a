"""Precision, recall and size of sets of objects."""

import sys
from pathlib import Path

import pytest

from grapher_jax.evaluation import rank_all
from grapher_jax.rerank import Reranker

sys.path.append(str(Path(__file__).parents[2] / "bench"))

from table_sets import auto_sets, fixed_sets, set_figures


@pytest.fixture
def ranking(index):
    (found,) = rank_all(index, "test", [Reranker(ranker="base")])
    return found


def test_figures_of_a_fixed_size_are_means_over_questions(ranking):
    run, k = ranking.run, 2
    hits = ranking.hits[:, :k].sum(1)
    counts = run.relevant_counts
    found = set_figures(ranking, fixed_sets(ranking, k))
    assert found.size == k
    assert found.precision == pytest.approx((hits / k).mean())
    assert found.recall == pytest.approx((hits / counts).mean())
    assert found.f1 == pytest.approx((2 * hits / (counts + k)).mean())
    assert found.perfect_recall == pytest.approx((hits == counts).mean())


def test_all_objects_hold_all_that_is_relevant(ranking):
    found = set_figures(ranking, fixed_sets(ranking, 10**6))
    assert (found.recall, found.perfect_recall) == (1, 1)


def test_more_confidence_gives_larger_sets_that_hold_more(ranking):
    found = [auto_sets(ranking, confidence=one) for one in (0.05, 0.99)]
    assert all(one.probability >= 0.05 for one in found[0])
    few, many = (set_figures(ranking, [one.rows for one in sets]) for sets in found)
    assert 1 <= few.size < many.size
    assert few.recall <= many.recall
    assert few.precision > many.precision
