"""Joint graphs: AMR of a question and a document, parsed together."""

import penman
import pytest
from concepts_in_common import (
    candidates,
    common_triples,
    in_common,
    of_parsed,
    sequences,
    spoken_of,
)

from grapher_jax.corpus import Object, Query, concept_sequence, parse_amr
from grapher_jax.systems.g_rag.concepts import AMR, build_document_graphs, concept_source


def test_joint_graphs_widen_lists_likewise():
    things = " ".join(f":op{n} (x{n} / thing{n})" for n in range(17))
    pairs = {("q", "a"): f"(q / question :topic (a / and {things}))"}
    objects = [Object("a", ""), Object("b", "")]
    found = candidates(objects, Query("q", "?"), Query("r", "?"), pairs=pairs)
    graphs = build_document_graphs(*found, max_df=None, paths=False)
    assert graphs.concepts.shape == graphs.triples.shape == (2, 2, 64)
    assert (graphs.concepts >= 0).sum(2).tolist() == [[18, 0], [0, 0]]


def test_joint_graphs_take_the_place_of_those_parsed_apart(parsed):
    index, _ = parsed
    apart = build_document_graphs(*of_parsed(index, "q6"), max_df=None, paths=True)
    found = of_parsed(index, "q6", pairs=True)
    joint = build_document_graphs(*found, max_df=None, paths=True)
    assert concept_source(found[0]) == AMR
    text = dict(zip(index.ids, joint.places[0], strict=True))
    for name in ("lighthouse", "storm"):
        graph = parse_amr(index.pair_graphs["q6", name], name)
        words = " ".join(concept_sequence(graph))
        expected = f"{index.objects[index.rows[name]].searchable_text} {words}"
        assert found[0].embedder.read[text[name]] == expected
    others = [n for n, name in enumerate(index.ids) if name not in ("lighthouse", "storm")]
    assert (apart.concepts[0, others] >= 0).sum() <= (joint.concepts[0, others] >= 0).sum()
    assert "question" not in set().union(*in_common(found).values())
    # Of another question they say nothing.
    assert in_common(of_parsed(index, "q1", pairs=True)) == in_common(of_parsed(index, "q1"))


@pytest.mark.parametrize(
    ("query", "names"),
    [("q7", ["warsaw"]), ("q6", ["lighthouse", "storm"])],
)
def test_joint_graphs_join_by_what_the_questions_own_does_not_say(parsed, query, names):
    index, _ = parsed
    found = of_parsed(index, query, pairs=True)
    concepts = build_document_graphs(*found, max_df=None, paths=False).concepts[0]
    asked = parse_amr(index.queries[query].metadata["amr"], query)
    for name in names:
        graph = parse_amr(index.pair_graphs[query, name], name)
        own = spoken_of(graph) - spoken_of(asked) - {"question"}
        assert (concepts[index.rows[name]] >= 0).sum() == len(own)
    if query == "q6":
        assert in_common(found)["lighthouse", "keeper"] == {"skarholm"}


@pytest.mark.parametrize(
    "asked",
    [Query("q", "?"), Query("q", "Does a moth run?"), Query("q", "?", {"keywords": ["red"]})],
    ids=["unknown words", "known words", "keywords"],
)
def test_what_all_joint_graphs_say_is_the_questions_where_it_has_no_amr(asked):
    objects = [Object(name, name) for name in "abc"]
    objects.append(Object("d", "d", metadata={"amr": "(r / run-02 :ARG0 (m / moth))"}))
    colours = ("red :mod (s / soft)", "red :mod (s / soft)", "blue :mod (s / dark)")
    told = "(q / question :topic (r / run-02 :ARG0 (m / moth :mod (c / {}))))"
    pairs = {("q", name): told.format(c) for name, c in zip("abc", colours, strict=True)}
    found = candidates(objects, asked, pairs=pairs)
    assert in_common(found) == {("a", "b"): {"red", "soft"}}
    assert common_triples(found, max_df=None) == [
        [1, 1, 0, 0],  # a soft red; that a moth has it is a relation of the question's moth
        [1, 1, 0, 0],
        [0, 0, 1, 0],  # a dark blue
        [0, 0, 0, 1],  # a moth that runs, as all the others' question says
    ]
    # Of one alone nobody knows what is the question's.
    single = candidates(objects, asked, pairs={("q", "a"): pairs["q", "a"]})
    assert in_common(single) == {("a", "d"): {"run-02", "moth"}}
    assert common_triples(single, max_df=None)[0] == [3, 0, 0, 1]


def test_what_joint_graphs_alone_say_has_numbers_for_its_batch_alone():
    objects = [Object("a", ""), Object("b", "", metadata={"amr": "(r / run-02 :ARG0 (m / moth))"})]
    told = "(q / question :topic (r / run-02 :mod (c / {})))"
    pairs = {(name, "a"): told.format(c) for name, c in (("q", "red"), ("r", "blue"))}
    both = candidates(objects, Query("q", "?"), Query("r", "?"), pairs=pairs)

    def numbers(found):
        graphs = build_document_graphs(*found, max_df=None, paths=False)
        return [
            [set(own[own >= 0].tolist()) for own in array[:, 0]]
            for array in (graphs.concepts, graphs.triples)
        ]

    singles = [(both[0], both[1].block(slice(n, n + 1), (1, 2))) for n in range(2)]
    (first,), (related,) = numbers(singles[0])
    assert len(first) == 2
    assert not first & related
    assert numbers(singles[1]) == [[first], [related]]  # what `red` was, `blue` is
    concepts, triples = numbers(both)
    assert len(concepts[0] & concepts[1]) == 1  # to run
    assert not triples[0] & triples[1]
    assert not set.union(*concepts) & set.union(*triples)
    assert numbers(singles[0]) == [[first], [related]]


def test_joint_graphs_are_parsed_once(monkeypatch):
    loads, read = penman.loads, []

    def counted(text, **options):
        read.append(text)
        return loads(text, **options)

    monkeypatch.setattr(penman, "loads", counted)
    pairs = {("q", "a"): "(q / question :topic (o / once-only))"}
    for _ in range(3):
        found = candidates([Object("a", "x")], Query("q", "?"), pairs=pairs)
        assert sequences(found) == ["x question once-only"]
    assert read == [*pairs.values()]


@pytest.mark.parametrize("question", ["question", "question-01"])
def test_joint_graphs_alone_join_what_they_share(question):
    objects = [Object("a", "one"), Object("b", "two"), Object("c", "three")]
    pairs = {
        ("q", "a"): f"(q / {question} :topic (r / run-02) :beside (m / moth :mod (r2 / red)))",
        ("q", "b"): f"(q / {question} :topic (r / run-02) :beside (m / moth :mod (r2 / red)))",
        ("q", "c"): "(m / meow-01)",
    }
    asked = Query("q", "?", {"amr": "(r / run-02)"})
    found = candidates(objects, asked, pairs=pairs)
    assert in_common(found) == {("a", "b"): {"moth", "red"}}
    assert common_triples(found, max_df=None)[0] == [1, 1, 0]
    assert concept_source(found[0]).startswith("AMR of 0 of 3 objects and 3 pairs, ")
    read = sequences(found)
    assert read[:2] == ["one question run moth red", "two question run moth red"]
    assert read[2] is None  # no node is the question's
