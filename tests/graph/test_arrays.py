import numpy as np
import pytest

from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.graph import PROXIMITIES, GraphArrays, Ragged, check_proximities
from grapher_jax.graph.joins import Context

METADATA = [
    {"foreign_keys": ["b"], "entities": ["New  York", "Alone"], "document_id": "d", "chunk_id": 0},
    {
        "links": ["a", "c"],
        "entities": ["new york", "NEW YORK", " "],
        "document_id": "d",
        "chunk_id": 1,
    },
    {"chunk_id": 5},
]


@pytest.fixture
def graph():
    return GraphArrays.build(["a", "b", "c"], METADATA)


def test_ragged_lists_are_padded_and_missing_rows_are_empty():
    ragged = Ragged.build([[5, 6, 7], [], [8]])
    rows = np.array([[2, 0], [-1, 1]])
    assert ragged.padded(rows).tolist() == [[[8, -1, -1, -1], [5, 6, 7, -1]], [[-1] * 4, [-1] * 4]]


def test_ragged_without_values_has_one_empty_slot():
    assert Ragged.build([[], []]).padded(np.array([0, 1])).tolist() == [[-1], [-1]]


@pytest.mark.parametrize(
    ("most", "rows", "slots"),
    [(3, [0], 4), (16, [0], 16), (16, [1], 16), (100, [1], 16), (100, [2], 64), (20, [2], 32)],
)
def test_slots_of_what_is_compiled_are_few_numbers(most, rows, slots):
    ragged = Ragged.build([[], [1] * 3, [2] * 20])
    padded = ragged.padded(np.array(rows), most=most)
    assert padded.shape == (1, slots)
    assert [value for value in padded[0] if value != -1] == [rows[0]] * [0, 3, 20][rows[0]]


def test_metadata_becomes_integers(graph):
    arrays = graph.gather(np.array([[0, 1, 2, -1]]), graph.proximities())
    assert arrays["object_ids"].tolist() == [[0, 1, 2, -1]]
    assert arrays["foreign_keys"].tolist() == [[[1], [-1], [-1], [-1]]]
    assert arrays["links"].tolist() == [[[-1, -1], [0, 2], [-1, -1], [-1, -1]]]
    assert arrays["document_ids"].tolist() == [[0, 0, -1, -1]]
    assert arrays["chunk_ids"].tolist() == [[0, 1, 5, -1]]


def test_entities_compare_normalised_and_lonely_ones_take_no_slot(graph):
    arrays = graph.gather(np.array([[0, 1, 2]]), ["shared_entity"])
    assert arrays["entity_ids"].tolist() == [[[0], [0], [-1]]]
    assert arrays["entity_counts"].tolist() == [[2, 1, 0]]  # the lonely one still counts


def test_entities_that_too_many_objects_have_can_be_left_out():
    graph = GraphArrays.build(
        list("abcd"),
        [{"entities": ["hub", "pair"]}, {"entities": ["hub", "pair"]}, {"entities": ["hub"]}, {}],
    )
    assert dict(zip(graph.entity_names, graph.document_frequency, strict=True)) == {
        "hub": 3,
        "pair": 2,
    }
    arrays = graph.gather(np.arange(4), ["shared_entity"], max_df=2)
    assert arrays["entity_ids"].tolist() == [[1], [1], [-1], [-1]]
    assert arrays["entity_counts"].tolist() == [1, 1, 0, 0]


def test_ragged_lists_turned_around_tell_who_holds_a_value():
    ragged = Ragged.build([[2, 0], [], [2]])
    turned = ragged.transposed(4)
    assert turned.padded(np.arange(4)).tolist() == [[0, -1], [-1, -1], [0, 2], [-1, -1]]


def test_of_many_references_those_to_other_candidates_are_kept(monkeypatch):
    monkeypatch.setattr("grapher_jax.graph.reference_lists._MANY", 1)
    metadata = [{"links": list("bcd")}, {}, {"links": ["a"]}, {"links": list("ab")}]
    graph = GraphArrays.build(list("abcd"), metadata)
    arrays = graph.gather(np.array([[0, 2, -1], [3, 1, 2]]), ["link"])
    links = np.array([[[2], [0], [-1]], [[1], [-1], [-1]]])
    np.testing.assert_array_equal(
        arrays["links"], np.pad(links, [(0, 0)] * 2 + [(0, 3)], constant_values=-1)
    )


def test_only_chosen_proximities_are_gathered(graph):
    assert graph.gather(np.array([[0]]), ["chunk"]).given().keys() == {"document_ids", "chunk_ids"}


def test_unknown_references_are_dropped_with_a_count():
    metadata = [{"foreign_keys": ["b", "gone", "lost"]}, {}]
    with pytest.warns(GrapherWarning, match=r"foreign_keys: 2 name objects .* 'gone'"):
        graph = GraphArrays.build(["a", "b"], metadata)
    assert graph.foreign_keys.values.tolist() == [1]


def test_arrays_survive_a_round_trip(graph):
    restored = GraphArrays.from_arrays(graph.to_arrays(), graph.entity_names)
    assert restored.entity_names == ["new york"]
    for name, array in graph.to_arrays().items():
        np.testing.assert_array_equal(restored.to_arrays()[name], array)


def test_an_unknown_proximity_is_named_with_the_known_ones(graph):
    assert check_proximities(None, graph) == ["foreign_key", "link", "shared_entity", "chunk"]
    with pytest.raises(InputError, match="'friendship' is unknown; use foreign_key"):
        check_proximities(["friendship"], graph)


def test_an_inferred_key_joins_as_a_declared_one_does_and_tells_by_what():
    ids, joins = ["a", "b", "c"], [{"references": "b", "by": "dbt"}, {"by": "x"}, 3]
    own = [{"inferred_keys": ["gone", "b"], "inferred_joins": joins}, {"inferred_keys": ["c"]}, {}]
    graph = GraphArrays.build(ids, own, warn_of_unknown=False)
    declared = GraphArrays.build(ids, [{"foreign_keys": ["b"]}, {"foreign_keys": ["c"]}, {}])
    assert graph.proximities() == ["inferred_key"]
    assert declared.proximities() == ["foreign_key"]
    rows = np.array([[0, 1, 2]])
    np.testing.assert_array_equal(
        graph.gather(rows, ["inferred_key"])["inferred_keys"],
        declared.gather(rows, ["foreign_key"])["foreign_keys"],
    )
    context = Context(graph, ids, None, own.__getitem__)
    told = [PROXIMITIES["inferred_key"].words(context, *pair) for pair in ((1, 0), (1, 2), (0, 2))]
    assert [[join.text for join in joins] for joins in told] == [
        ["a references b by a test of dbt"],
        ["b references c by name"],
        [],
    ]
    again = GraphArrays.from_arrays(graph.to_arrays(), graph.entity_names)
    assert again.inferred_by.values.tolist() == graph.inferred_by.values.tolist() == [3, 0]


def test_arrays_of_an_earlier_version_have_no_inferred_keys(graph):
    arrays = graph.to_arrays()
    earlier = {name: array for name, array in arrays.items() if not name.startswith("inferred")}
    read = GraphArrays.from_arrays(earlier, graph.entity_names)
    assert read.proximities() == graph.proximities()
    assert len(read.inferred_keys.offsets) == len(graph.inferred_keys.offsets)


def test_a_reference_of_an_object_to_itself_joins_nothing():
    keys = {"a": ["a"], "b": ["b", "a"], "c": []}
    made = GraphArrays.build([*keys], [{"foreign_keys": own} for own in keys.values()])
    assert PROXIMITIES["foreign_key"].joins(made).tolist() == [False, True, False]


def test_the_only_chunk_of_a_document_joins_nothing():
    chunks = [{"document_id": name, "chunk_id": n} for name, n in (("a", 0), ("b", 0), ("b", 2))]
    assert GraphArrays.build(["a", "b", "c"], chunks).proximities() == []
    last = {"document_id": "b", "chunk_id": 1}
    joined = GraphArrays.build(["a", "b", "c", "d"], [*chunks, last]).joined()["chunk"]
    assert joined.tolist() == [False, True, True, True]
