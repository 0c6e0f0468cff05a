"""What documents have in common, from AMR."""

from itertools import combinations

import pytest
from concepts_in_common import (
    candidates,
    common_triples,
    in_common,
    of_parsed,
    sequences,
    spoken_of,
)

from grapher_jax.corpus import Object, Query, parse_amr
from grapher_jax.systems.g_rag.concepts import AMR, ConceptGraph, concept_source


def test_concepts_are_those_of_amr(parsed):
    index, graphs = parsed
    common = in_common(of_parsed(index, "q1"))
    assert concept_source(index) == AMR
    for mine, other in combinations(index.ids, 2):
        assert common.get((mine, other), set()) == spoken_of(graphs[mine]) & spoken_of(
            graphs[other]
        )
    # All three have a name, and nothing else in common.
    assert ("lighthouse", "warsaw") not in common
    assert ("moth", "opera") not in common
    assert common["lighthouse", "storm"] == {"lighthouse", "skarholm", "person"}
    rare = in_common(of_parsed(index, "q1"), max_df=4)
    assert rare["lighthouse", "storm"] == {"lighthouse", "skarholm"}


def test_triples_are_relations_of_concepts_that_join(parsed):
    index, graphs = parsed
    found = common_triples(of_parsed(index, "q1"), max_df=None)
    for (n, mine), (m, other) in combinations(enumerate(index.ids), 2):
        edges = graphs[mine].edges & graphs[other].edges
        assert found[n][m] == sum("name" not in (edge[0], edge[2]) for edge in edges)
    places = [index.rows[name] for name in ("polonium", "curie", "yeast")]
    assert found[places[0]][places[1]] == 0  # a person and a name: no relation without it
    assert not any(found[places[2]])


def test_amr_is_compared_as_names_are():
    stated = '(h / have-03 :polarity - :ARG0 (p / person :name (n / name :op1 "Élan  REY")))'
    graph = ConceptGraph.of_amr(parse_amr(stated, "here"))
    assert graph.names == ["have-03", "person", "élan rey"]
    # Nothing is said of a relation to a name, or to a denial.
    assert graph.edges({*graph.names}) == {("have-03", ":ARG0", "person")}
    assert graph.edges({"have-03", "élan rey"}) == set()
    objects = [
        Object("amr", "", metadata={"amr": stated}),
        Object("names", "", metadata={"entities": ["élan Rey"]}),
    ]
    assert in_common(candidates(objects, Query("q", "?"))) == {("amr", "names"): {"élan rey"}}


@pytest.mark.parametrize("sign", [":polarity -", ":polite +"])
def test_signs_join_nobody(sign):
    told = f"(h / have-03 {sign} :ARG1 (w / wing))", f"(e / eat-01 {sign} :ARG0 (c / cat))"
    objects = [Object(str(n), "x", metadata={"amr": graph}) for n, graph in enumerate(told)]
    found = candidates(objects, Query("q", "which cat is it?"))
    assert in_common(found) == {}
    assert sequences(found) == [None, "x question cat eat"]
