import numpy as np
import pytest

from grapher_jax.corpus import Object
from grapher_jax.errors import InputError
from grapher_jax.graph import GraphArrays
from grapher_jax.search import Index
from grapher_jax.systems.query_gnn.object_graph import SLOTS, THRESHOLD, ObjectGraph
from grapher_jax.systems.query_gnn.ranker import build_object_graph

METADATA = [
    {"document_id": "d", "chunk_id": 0, "entities": ["x"]},
    {"document_id": "d", "chunk_id": 1},
    {"document_id": "d", "chunk_id": 2, "foreign_keys": ["e"]},
    {"document_id": "f", "chunk_id": 3, "entities": ["X"]},
    {},
]


def unit(angles):
    return np.stack([np.cos(angles), np.sin(angles)], -1).astype(np.float32)


def heard(graph, relation):
    slots = np.array(graph.relations) == relation
    return [set(row[row >= 0].tolist()) for row in graph.neighbors[:, slots]]


def test_relations_are_kept_apart():
    # Within a document 0 and 2 are alike, 1 is not; 3 equals 0, in another document.
    graph = ObjectGraph.build(
        GraphArrays.build(list("abcde"), METADATA), unit(np.array([0.0, 1.5, 0.3, 0.0, 0.0]))
    )
    assert heard(graph, "sequential") == [{1}, {0, 2}, {1}, set(), set()]
    assert heard(graph, "semantic") == [{2}, set(), {0}, set(), set()]
    assert heard(graph, "shared_entity") == [{3}, set(), set(), {0}, set()]
    assert heard(graph, "foreign_key") == [set(), set(), {4}, set(), {2}]
    semantic = np.array(graph.relations) == "semantic"
    strongest = graph.weights[:, semantic].max(-1)
    np.testing.assert_allclose(strongest, [np.cos(0.3), 0, np.cos(0.3), 0, 0], atol=1e-6)


def test_an_index_without_documents_is_one_episode():
    rng = np.random.default_rng(0)
    embeddings = unit(rng.uniform(0, 6, 1500))
    graph = ObjectGraph.build(
        GraphArrays.build(list(map(str, range(1500))), [{}] * 1500), embeddings
    )
    cosines = embeddings @ embeddings.T
    np.fill_diagonal(cosines, -1)
    best = -np.sort(-cosines, axis=1)[:, : SLOTS["semantic"]]
    slots = np.array(graph.relations) == "semantic"
    found = -np.sort(-graph.weights[:, slots], axis=1)[:, : SLOTS["semantic"]]
    np.testing.assert_allclose(found, np.where(best > THRESHOLD, best, 0), atol=1e-5)


def test_of_many_neighbours_the_most_similar_are_kept():
    ids = [f"o{n}" for n in range(12)]
    metadata = [{"foreign_keys": ids[1:]}, *({} for _ in ids[1:])]
    graph = ObjectGraph.build(
        GraphArrays.build(ids, metadata), unit(np.arange(12) / 10), relations=("foreign_key",)
    )
    assert heard(graph, "foreign_key")[0] == set(range(1, 1 + SLOTS["foreign_key"]))
    assert heard(graph, "foreign_key")[5] == {0}


@pytest.mark.parametrize("relations", [(), ("chunk",)])
def test_unknown_relations_are_named(relations):
    with pytest.raises(InputError, match=r"relations: .*; give some of sequential, semantic"):
        ObjectGraph.build(GraphArrays.build(["a"], [{}]), unit(np.zeros(1)), relations=relations)


def test_objects_without_any_metadata_have_no_edges():
    graph = ObjectGraph.build(GraphArrays.build(["a", "b"], [{}, {}]), unit(np.array([0.0, 2.0])))
    assert (graph.neighbors == -1).all()
    assert graph.neighbors.shape == graph.weights.shape == (2, len(graph.relations))


def test_an_inferred_key_is_read_as_a_foreign_one():
    ids = list("abcd")
    metadata = [
        {"foreign_keys": ["b"], "inferred_keys": ["c", "b"]},
        {},
        {},
        {"inferred_keys": ["a"]},
    ]
    graph = ObjectGraph.build(
        GraphArrays.build(ids, metadata), unit(np.arange(4.0)), relations=("foreign_key",)
    )
    assert heard(graph, "foreign_key") == [{1, 2, 3}, {0}, {0}, {0}]


def test_the_graph_of_an_updated_index_is_that_of_one_built_afresh(index):
    joining = [Object("shop.returns", "returns", metadata={"foreign_keys": ["shop.orders"]})]
    updated = index.update(joining, delete=["music.songs"])
    found, expected = (
        build_object_graph(one) for one in (updated, Index.build([*updated.objects]))
    )
    np.testing.assert_array_equal(found.neighbors, expected.neighbors)
    np.testing.assert_allclose(found.weights, expected.weights, atol=1e-6)
