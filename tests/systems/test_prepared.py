"""What rankers prepare belongs to the collection, and is there once."""

import numpy as np
import pytest

from grapher_jax import Reranker
from grapher_jax.rankers.protocol import Prepared, Ranker
from grapher_jax.systems import SYSTEMS, load_system
from grapher_jax.systems.query_gnn import ranker as query_gnn
from grapher_jax.systems.query_gnn.object_graph import ObjectGraph


@pytest.fixture
def built(monkeypatch):
    """How often a graph over all objects was built."""
    built, build = [], ObjectGraph.build

    def counted(*arguments, **options):
        built.append(1)
        return build(*arguments, **options)

    monkeypatch.setattr(query_gnn.ObjectGraph, "build", counted)
    return built


def test_an_index_builds_its_graph_once_for_all_that_rank_with_it(index, built):
    first = index.search("Which stores are there?", system="query-gnn")
    again = index.search("Which stores are there?", ranker="query-gnn", k=len(first))
    Reranker(ranker="query-gnn").prepare(index)
    assert {hit.id for hit in again} <= set(index.ids)
    assert len(built) == 1


def test_a_result_is_explained_by_who_has_not_ranked(index, built):
    found = index.retrieve(["Which stores are there?"])
    prepared = Reranker(ranker="query-gnn").prepare(index)
    (explanation,) = prepared.explain(found, np.array([0]), np.array([0.5], np.float32))
    assert explanation.id == index.ids[found.rows[0, 0]]
    assert len(built) == 1


@pytest.mark.parametrize("name", [name for name in SYSTEMS if name != "keyword-graph"])
def test_every_system_ranks_by_the_protocol(index, name):
    system = load_system(name)
    assert isinstance(system.reranker.opened, Ranker)
    prepared = system.reranker.prepare(index)
    assert isinstance(prepared, Prepared)
    assert system.reranker.opened.parameters.items() <= prepared.parameters.items()
