import numpy as np
import pytest

from grapher_jax.explain import explain, relations
from grapher_jax.graph import GraphArrays

IDS = ["a", "b", "c", "d"]
METADATA = [
    {"foreign_keys": ["b"], "entities": ["X", "Y"]},
    {"entities": ["y"]},
    {"foreign_keys": ["b"]},
    {},
]
ROWS, SCORES = np.array([0, 1, 2, 3]), np.array([0.9, 0.1, 0.2, 0.4], np.float32)
GRAPH = GraphArrays.build(IDS, METADATA)


def explain_one(position, ranker="gcs", alpha=0.3, **options):
    positions = np.array([position])
    (explanation,) = explain(
        GRAPH, ROWS, SCORES, positions, ids=IDS, ranker=ranker, alpha=alpha, **options
    )
    return explanation


def test_each_relation_has_its_adjacency():
    found = relations(GRAPH, ROWS, ["foreign_key", "shared_entity"])
    assert found["foreign_key"][0].tolist() == [0, 1, 0, 0]
    assert found["shared_entity"][1].tolist() == [0.5, 0, 0, 0]


@pytest.mark.parametrize("ranker", ["gcs", "ppr"])
def test_sources_name_every_relation_and_sum_to_the_score(ranker):
    explanation = explain_one(1, ranker=ranker, proximities=GRAPH.proximities())
    by_id = {source.id: source for source in explanation.sources}
    assert by_id["a"].relations == ("foreign_key", "shared_entity")
    assert by_id["c"].relations == ("foreign_key",)
    assert sum(source.share for source in explanation.sources) == pytest.approx(1.0)
    assert sum(source.amount for source in explanation.sources) == pytest.approx(explanation.score)
    assert "from a (foreign key and shared entity)" in str(explanation)


def test_the_way_may_be_longer_than_one_step():
    explanation = explain_one(2, proximities=["foreign_key"])
    by_id = {source.id: source for source in explanation.sources}
    assert by_id["a"].relations == ()
    assert "from a (further off)" in str(explanation)


def test_shares_follow_the_weights():
    explanation = explain_one(1, proximities=["foreign_key"], weights={"foreign_key": 0.0})
    assert [source.id for source in explanation.sources] == ["b"]


def test_a_relation_without_weight_is_not_named():
    weights = {"shared_entity": 0.0}
    explanation = explain_one(1, proximities=GRAPH.proximities(), weights=weights)
    assert {name for source in explanation.sources for name in source.relations} == {"foreign_key"}


def test_the_rankers_own_stopping_rule_is_explained():
    options = {"proximities": ["foreign_key"], "alpha": 0.05}
    loose = explain_one(1, tol=0.1, max_steps=2, **options)
    strict = explain_one(1, **options)
    assert sum(source.amount for source in loose.sources) == pytest.approx(loose.score)
    assert loose.score != pytest.approx(strict.score, abs=1e-3)


def test_missing_candidates_have_no_part():
    rows = np.array([0, 1, -1])
    scores = np.array([0.9, 0.1, 0.0], np.float32)
    (explanation,) = explain(
        GRAPH, rows, scores, np.array([1]), ids=IDS, ranker="gcs", proximities=["foreign_key"]
    )
    assert {source.id for source in explanation.sources} == {"a", "b"}
