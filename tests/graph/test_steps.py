import numpy as np
import pytest

from grapher_jax.corpus import Object
from grapher_jax.errors import InputError
from grapher_jax.graph import PROXIMITIES, GraphArrays, Steps, check_edges
from grapher_jax.search import Index

METADATA = [
    {"foreign_keys": ["b"], "entities": ["x"], "document_id": "d", "chunk_id": 7},
    {"links": ["d"], "document_id": "d", "chunk_id": 8},
    {"entities": ["X", "y"], "document_id": "d", "chunk_id": 10},
    {"entities": ["y"], "document_id": "e", "chunk_id": 9},
]


@pytest.fixture
def steps():
    return Steps(GraphArrays.build(list("abcd"), METADATA))


@pytest.mark.parametrize(
    ("proximity", "neighbors"),
    [
        ("foreign_key", [{1}, {0}, set(), set()]),
        ("link", [set(), {3}, set(), {1}]),
        ("chunk", [{1}, {0}, set(), set()]),
        ("shared_entity", [{0, 2}, set(), {0, 2, 3}, {2, 3}]),
    ],
)
def test_steps_lead_to_neighbors(steps, proximity, neighbors):
    found = steps.from_best(np.array([[0], [1], [2], [3]]), proximities=[proximity])
    assert [set(row.tolist()) - {-1} for row in found] == neighbors


@pytest.mark.parametrize("order", ["abcde", "edcba", "bdaec"])
def test_several_objects_of_one_place_lead_to_all_of_the_next(order):
    places = {"a": 3, "b": 3, "c": 4, "d": 4, "e": 6}
    metadata = [{"document_id": "d", "chunk_id": places[name]} for name in order]
    graph = GraphArrays.build(list(order), metadata)
    found = Steps(graph).from_best(np.arange(5)[:, None], proximities=["chunk"])
    expected = {"a": "cd", "b": "cd", "c": "ab", "d": "ab", "e": ""}
    for name, row in zip(order, found.tolist(), strict=True):
        assert {order[place] for place in row if place >= 0} == {*expected[name]}
    assert graph.joined()["chunk"].tolist() == [name != "e" for name in order]


@pytest.mark.parametrize("many_first", [True, False])
def test_steps_lead_from_nobody_beside_very_many_and_to_it(many_first):
    places = [0] * 70 + [1] if many_first else [1] * 70 + [0]
    metadata = [{"document_id": "d", "chunk_id": place} for place in places]
    graph = GraphArrays.build([str(row) for row in range(71)], metadata)
    found = Steps(graph).from_best(np.array([[70], [5]]), proximities=["chunk"])
    assert [{*row} - {-1} for row in found.tolist()] == [set(), {70}]
    assert graph.joined()["chunk"].all()


def test_only_the_best_candidates_bring_others(steps):
    rows = np.array([[-1] * PROXIMITIES["chunk"].seeds + [0]])
    assert set(steps.from_best(rows, proximities=["chunk"]).ravel()) == {-1}
    assert set(steps.from_best(rows[:, 1:], proximities=["chunk"]).ravel()) == {-1, 1}


def test_an_entity_that_many_objects_have_brings_nobody():
    metadata = [{"entities": ["hub", "pair"] if row < 2 else ["hub"]} for row in range(100)]
    steps = Steps(GraphArrays.build([str(row) for row in range(100)], metadata))
    found = steps.from_best(np.array([[0]]), proximities=["shared_entity"])
    assert set(found.ravel()) == {-1, 0, 1}


@pytest.fixture
def shop(embedder):
    """A chain of keys: `orders` names `customers`, which names `regions`."""
    return Index.build(
        [
            Object("orders", "orders: order_id", metadata={"foreign_keys": ["customers"]}),
            Object("customers", "people: name", metadata={"foreign_keys": ["regions"]}),
            Object("regions", "zones: area"),
            Object("lunch", "menu of the day"),
        ],
        embedder=embedder,
    )


def test_neighbors_join_behind_with_their_own_score(shop):
    alone = shop.retrieve(["orders"], candidates=1)
    joined = shop.retrieve(["orders"], candidates=1, expand=["foreign_key"])
    everything = shop.retrieve(["orders"])
    scores = dict(zip(everything.rows[0], everything.scores[0], strict=True))
    assert alone.rows.tolist() == [[0]]
    assert joined.rows.tolist() == [[0, 1]]
    np.testing.assert_allclose(joined.scores[0], [scores[0], scores[1]], atol=1e-6)


def test_who_is_a_candidate_already_joins_once(shop):
    found = shop.retrieve(["orders", "zones"], candidates=2, expand=True)
    for rows in found.rows:
        real = rows[rows >= 0].tolist()
        assert len(real) == len(set(real)) <= 4


def test_the_filter_holds_for_those_who_join(shop):
    with_keys = {"foreign_keys": ["customers"]}
    found = shop.retrieve(["orders"], candidates=1, filters=[with_keys], expand=["foreign_key"])
    assert found.rows.tolist() == [[0]]


def test_an_unknown_way_is_named(shop):
    with pytest.raises(InputError, match="'friends' is unknown"):
        shop.retrieve(["orders"], expand=["friends"])


@pytest.mark.parametrize(
    ("key", "found"),
    [("links", {"b"}), ("foreign_keys", {"a", "b"}), ("inferred_keys", {"a", "b"})],
)
def test_a_step_leads_to_no_hub_but_a_table(key, found):
    """All others refer to a; b refers to c alone."""
    names = ["a", "b", "c", *(f"n{number}" for number in range(65))]
    metadata = [{}, {key: ["c"]}, {key: ["a"]}, *({key: ["a"]} for _ in range(65))]
    graph = GraphArrays.build(names, metadata)
    (row,) = graph.proximities()
    reached = Steps(graph).from_best(np.array([[2]]), proximities=[row])
    assert {names[place] for place in reached[reached >= 0].tolist()} == found
    near = Steps(graph).neighbors(PROXIMITIES[row], 2)
    assert {names[place] for place in near.at(2).tolist()} == {"a", "b"}


@pytest.mark.parametrize("form", ["reference", "weighted"])
def test_a_step_along_an_edge_of_ones_own_leads_to_no_hub(form):
    names = ["a", "b", "c", *(f"n{number}" for number in range(65))]
    metadata = [{}, {"needs": ["c"]}, {"needs": ["a"]}, *({"needs": ["a"]} for _ in range(65))]
    if form == "weighted":
        metadata = [{key: dict.fromkeys(own, 1.0) for key, own in one.items()} for one in metadata]
    graph = GraphArrays.build(names, metadata, edges=check_edges({"needs": form}))
    (row,) = graph.proximities()
    reached = Steps(graph).from_best(np.array([[2]]), proximities=[row])
    assert {names[place] for place in reached[reached >= 0].tolist()} == {"b"}
