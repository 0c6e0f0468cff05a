"""What documents have in common, from the names that stand in for AMR."""

import numpy as np
import pytest
from concepts_in_common import BRIDGES, candidates, common_triples, in_common

from grapher_jax.corpus import Object, Query
from grapher_jax.systems.g_rag.concepts import (
    FALLBACK,
    ConceptGraph,
    build_document_graphs,
    concept_source,
)


def test_entities_and_keywords_stand_in_for_amr():
    found = candidates(BRIDGES, Query("q", "?"))
    assert in_common(found) == {("a", "b"): {"tower bridge", "steel"}, ("b", "c"): {"thames"}}
    assert concept_source(found[0]) == FALLBACK
    # Each name is joined to every other of its text, whatever their order.
    assert common_triples(found, max_df=None) == [
        [1, 1, 0, 0],
        [1, 1, 0, 0],  # what no other has is left out
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]
    assert ConceptGraph.of_names(["b", "A ", "a", "b"]).names == ["b", "a"]
    graph = ConceptGraph.of_names(["b", "A", "c"])
    assert graph.edges({"a", "b", "d"}) == {("a", "", "b")}
    assert graph.edges({"c"}) == set()


def test_the_first_hundred_names_that_join_are_joined():
    alone, common = ([f"{what} {n}" for n in range(120)] for what in ("own", "name"))
    objects = [
        Object("a", "", metadata={"keywords": alone + common}),
        Object("b", "", metadata={"keywords": common}),
    ]
    found = candidates(objects, Query("q", "?"))
    assert len(in_common(found)["a", "b"]) == 120
    assert common_triples(found, max_df=None)[0][1] == 100 * 99 // 2


@pytest.mark.parametrize(
    ("shared", "concepts", "triples"), [(0, 16, 16), (16, 16, 256), (17, 64, 256), (65, 256, 4096)]
)
def test_lists_have_one_of_a_few_widths(shared, concepts, triples):
    """So that few programs are compiled."""
    metadata = {"keywords": [f"name {n}" for n in range(shared)]}
    found = candidates([Object(name, "", metadata=metadata) for name in "ab"], Query("q", "?"))
    graphs = build_document_graphs(*found, max_df=None, paths=False)
    assert graphs.concepts.shape == (1, 2, concepts)
    assert graphs.triples.shape == (1, 2, triples)
    assert (graphs.concepts >= 0).sum() == 2 * shared


def test_what_too_many_objects_have_joins_nobody():
    objects = [
        Object(name, "", metadata={"keywords": ["all", name[0]]}) for name in ("x1", "x2", "y1")
    ]
    found = candidates(objects, Query("q", "?"))
    assert in_common(found)["x1", "x2"] == {"all", "x"}
    assert in_common(found, max_df=2) == {("x1", "x2"): {"x"}}
    assert in_common(found, max_df=1) == {}
    assert common_triples(found, max_df=None)[0][1] == 1
    assert common_triples(found, max_df=2)[0][1] == 0
    assert (build_document_graphs(*found, max_df=1, paths=False).concepts == -1).all()


def test_padding_has_no_concepts():
    rows = np.array([[1, 0, -1], [2, -1, -1], [-1, -1, -1]], np.int32)
    found = candidates(BRIDGES, Query("q", "thames"), Query("r", "thames"), rows=rows)
    graphs = build_document_graphs(*found, max_df=None, paths=True)
    for values in (graphs.concepts, graphs.triples):
        assert (values[rows == -1] == -1).all()
    assert (graphs.places[rows == -1] == -1).all()
    assert graphs.places[0, 0] >= 0
