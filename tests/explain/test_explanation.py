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


def test_each_relation_has_its_adjacency():
    found = relations(GRAPH, ROWS, ["foreign_key", "shared_entity"])
    assert found["foreign_key"][0].tolist() == [0, 1, 0, 0]
    assert found["shared_entity"][1].tolist() == [0.5, 0, 0, 0]


@pytest.mark.parametrize("ranker", ["gcs", "ppr"])
def test_sources_name_every_relation_and_sum_to_the_score(ranker):
    explanation = explain(
        GRAPH, ROWS, SCORES, 1, ids=IDS, ranker=ranker, alpha=0.3, proximities=GRAPH.proximities()
    )
    by_id = {source.id: source for source in explanation.sources}
    assert by_id["a"].relations == ("foreign_key", "shared_entity")
    assert by_id["c"].relations == ("foreign_key",)
    assert sum(source.share for source in explanation.sources) == pytest.approx(1.0)
    assert sum(source.amount for source in explanation.sources) == pytest.approx(explanation.score)
    assert "from a (foreign key and shared entity)" in str(explanation)


def test_the_way_may_be_longer_than_one_step():
    explanation = explain(
        GRAPH, ROWS, SCORES, 2, ids=IDS, ranker="gcs", alpha=0.3, proximities=["foreign_key"]
    )
    by_id = {source.id: source for source in explanation.sources}
    assert by_id["a"].relations == ()
    assert "from a (further off)" in str(explanation)


def test_shares_follow_the_weights():
    options = {"ids": IDS, "ranker": "gcs", "alpha": 0.3, "proximities": ["foreign_key"]}
    explanation = explain(GRAPH, ROWS, SCORES, 1, weights={"foreign_key": 0.0}, **options)
    assert [source.id for source in explanation.sources] == ["b"]
