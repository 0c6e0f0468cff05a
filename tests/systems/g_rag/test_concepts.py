"""What documents have in common, from AMR or from what stands in for it."""

from itertools import combinations
from pathlib import Path

import numpy as np
import penman
import pytest
from memory_collection import MemoryCollection

from grapher_jax.corpus import Object, Query, concept_sequence, join_amr, parse_amr
from grapher_jax.errors import InputError
from grapher_jax.retrieve import Candidates, Questions
from grapher_jax.search import Index
from grapher_jax.systems.g_rag.concepts import (
    AMR,
    FALLBACK,
    ConceptGraph,
    build_document_graphs,
    concept_source,
    shared_concepts,
)
from grapher_jax.text import normalise, readable

PARSED = Path(__file__).parents[3] / "docs" / "examples" / "parsed"


class Recorder:
    """An embedder that keeps what it is given; a text's vector is its place."""

    name, dimension = "recorder", 2

    def __init__(self):
        self.read = []

    def embed_objects(self, texts, *, progress=lambda done: None):
        self.read += texts
        return np.array([[n, 1] for n, _ in enumerate(texts)], np.float32)

    embed_queries = embed_objects


def candidates(objects, *questions, rows=None, pairs=None):
    collection = MemoryCollection(objects, Recorder(), pair_graphs=pairs or {})
    if rows is None:
        rows = np.tile(np.arange(len(objects), dtype=np.int32), (len(questions), 1))
    asked = Questions(questions, lambda: np.zeros((len(questions), 2), np.float32))
    return collection, Candidates(rows, np.zeros(rows.shape, np.float32), asked)


def in_common(found, *, max_df=None):
    """By pairs of ids, the concepts that they share."""
    ids = [item.id for item in found[0].objects]
    return {
        (ids[mine], ids[other]): set(names)
        for mine, near in enumerate(shared_concepts(*found, max_df=max_df))
        for other, names in near.items()
        if mine < other
    }


def sequences(found):
    """What each of one question's documents is read as; None for itself alone."""
    graphs = build_document_graphs(*found, max_df=None, paths=True)
    read = found[0].embedder.read
    np.testing.assert_array_equal(graphs.encoded[:, 0], np.arange(len(read)))
    return [read[place] if place >= 0 else None for place in graphs.places[0]]


def spoken_of(graph):
    """An AMR graph's nodes as they are compared."""
    return set(map(normalise, graph.nodes)) - {"name", "-", "+"}


def common_triples(found, **options):
    triples = build_document_graphs(*found, paths=False, **options).triples[0]
    sets = [set(own[own >= 0].tolist()) for own in triples]
    return [[len(mine & other) for other in sets] for mine in sets]


BRIDGES = [
    Object("a", "one", metadata={"entities": ["Tower  Bridge", "London"], "keywords": ["Steel"]}),
    Object(
        "b", "two", metadata={"entities": ["tower bridge", "Thames", ""], "keywords": ["steel"]}
    ),
    Object("c", "three", title="Third", metadata={"entities": ["THAMES", "Kew"]}),
    Object("d", "four"),
]


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


def test_joint_graphs_widen_lists_likewise():
    things = " ".join(f":op{n} (x{n} / thing{n})" for n in range(17))
    pairs = {("q", "a"): f"(q / question :topic (a / and {things}))"}
    objects = [Object("a", ""), Object("b", "")]
    found = candidates(objects, Query("q", "?"), Query("r", "?"), pairs=pairs)
    graphs = build_document_graphs(*found, max_df=None, paths=False)
    assert graphs.concepts.shape == graphs.triples.shape == (2, 2, 64)
    assert (graphs.concepts >= 0).sum(2).tolist() == [[18, 0], [0, 0]]


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


@pytest.mark.parametrize(
    ("objects", "pairs", "source"),
    [
        (["(m / moth)", "(c / cat)"], (), AMR),
        ([None, None], (), FALLBACK),
        (["", None], (), FALLBACK),
        (["(m / moth)", "", None], (), "AMR of 1 of 3 objects, "),
        (["(m / moth)", "(c / cat)"], "1", AMR),
        (["(m / moth)", None], "1", "AMR of 1 of 2 objects and 1 pairs, "),
        ([None, None, None], "02", "AMR of 0 of 3 objects and 2 pairs, "),
    ],
)
def test_what_concepts_are_is_told(objects, pairs, source):
    """Each object with its AMR; the ids of those which have a joint graph with a question."""
    objects = [Object(str(n), "", metadata={"amr": amr}) for n, amr in enumerate(objects)]
    found = candidates(objects, pairs={("q", name): "(m / moth)" for name in pairs})
    told = source + "entities and keywords of the others" if source.endswith(" ") else source
    assert concept_source(found[0]) == told


@pytest.mark.parametrize(
    ("question", "objects", "pairs", "parsed"),
    [
        (True, "ab", "", True),
        (False, "ab", "", False),  # whoever asks in plain text
        (True, "a", "", False),
        (True, "a", "b", True),
        (False, "", "ab", True),
        (False, "ab", "a", False),
        (False, "", "", False),
    ],
)
def test_a_batch_tells_whether_all_was_parsed(question, objects, pairs, parsed):
    """Whether the question has AMR, the ids of objects that do, and of those with a joint graph."""
    stated = {"amr": "(m / moth)"}
    items = [Object(name, name, metadata=stated if name in objects else {}) for name in "ab"]
    joint = {("q", name): "(q / question :topic (m / moth))" for name in pairs}
    asked = Query("q", "?", stated if question else {})
    found = candidates(items, asked, pairs=joint)
    assert build_document_graphs(*found, max_df=None, paths=False).parsed == parsed
    # Only what is ranked counts, and of a batch all of it.
    first = candidates(items, asked, rows=np.array([[0, -1]], np.int32), pairs=joint)
    alone = build_document_graphs(*first, max_df=None, paths=True).parsed
    assert alone == ("a" in pairs or (question and "a" in objects))
    two = candidates(items, Query("r", "?"), asked, pairs=joint)
    assert not build_document_graphs(*two, max_df=None, paths=False).parsed


def test_an_empty_graph_is_none():
    stated = {"amr": "", "keywords": ["moth"]}
    objects = [Object(name, name, metadata=stated) for name in "ab"]
    found = candidates(objects, Query("q", "moths?", stated))
    assert in_common(found) == {("a", "b"): {"moth"}}
    assert sequences(found) == ["a question moth", "b question moth"]


@pytest.mark.parametrize(
    "question",
    [
        "Is Washington D.C. a city?",
        "is washington  d.c. , a city?",
        "the mayor of Washington D.C.",
        "Who is from Washington D.C.?",
        "Is (Washington D.C.) a city?",
        "Who said “Washington D.C.”, and when?",
    ],
)
def test_names_that_end_in_a_mark_are_found(question):
    objects = [Object("a", "x", metadata={"entities": ["Washington D.C."]})]
    assert sequences(candidates(objects, Query("q", question))) == ["x question washington d.c."]


def test_a_number_at_the_end_of_a_name_is_no_sense():
    objects = [Object("a", "x", metadata={"keywords": ["COVID-19"]})]
    asked = Query("q", "What is COVID-19?")
    assert sequences(candidates(objects, asked)) == ["x question covid-19"]
    stated = '(s / spread-03 :ARG1 (d / disease :name (n / name :op1 "COVID-19")))'
    parsed = [Object("a", "x", metadata={"amr": stated})]
    assert sequences(candidates(parsed, asked)) == ["x question covid-19 disease spread"]


@pytest.mark.parametrize(
    ("question", "read"),
    [
        (Query("q", "What crosses the thames, and where?"), [None, "thames", "thames", None]),
        (Query("q", "Who built “Tower Bridge”?"), ["tower bridge", "tower bridge", None, None]),
        (Query("q", "What of it?", {"entities": ["KEW"]}), [None, None, "kew", None]),
        (Query("q", "What of it?", {"keywords": ["Steel"]}), ["steel", "steel", None, None]),
        (Query("q", "Who has the tower?"), [None] * 4),
        (Query("q", "Anything?", {"entities": ["Paris"]}), [None] * 4),
    ],
)
def test_documents_are_read_with_the_names_that_a_question_leads_to_them_by(question, read):
    own = ["tower bridge london steel", "tower bridge thames steel", "thames kew", ""]
    expected = []
    for item, asked, names in zip(BRIDGES, read, own, strict=True):
        rest = names.replace(asked, "").split() if asked else []
        words = " ".join(["question", asked or "", *rest])
        expected.append(f"{item.searchable_text} {words}" if asked else None)
    assert sequences(candidates(BRIDGES, question)) == expected


def test_a_document_without_text_is_read_as_it_was_given():
    rivers = {"entities": ["Thames"]}
    objects = [
        Object("neither", "", metadata=rivers),
        Object("title", "", title="River", metadata=rivers),
    ]
    asked = Query("q", "the Thames?")
    assert sequences(candidates(objects, asked)) == [None, "River question thames"]


def test_a_document_is_read_once_for_all_questions_that_lead_there_alike():
    asked = [Query("q", "the Thames?"), Query("r", "about thames"), Query("s", "in london")]
    found = candidates(BRIDGES, *asked)
    graphs = build_document_graphs(*found, max_df=None, paths=True)
    assert len(found[0].embedder.read) == len(graphs.encoded) == 3
    np.testing.assert_array_equal(graphs.places[0], graphs.places[1])
    assert (graphs.places[2] >= 0).tolist() == [True, False, False, False]
    without = build_document_graphs(*found, max_df=None, paths=False)
    assert without.encoded.shape == (0, 2)
    assert (without.places == -1).all()
    np.testing.assert_array_equal(without.concepts, graphs.concepts)


def test_identifiers_are_read_as_words():
    objects = [Object("t", "first_name", metadata={"keywords": ["first_name"]})]
    asked = Query("q", "which first_name is it?")
    assert sequences(candidates(objects, asked)) == ["first name question first name"]


def test_padding_has_no_concepts():
    rows = np.array([[1, 0, -1], [2, -1, -1], [-1, -1, -1]], np.int32)
    found = candidates(BRIDGES, Query("q", "thames"), Query("r", "thames"), rows=rows)
    graphs = build_document_graphs(*found, max_df=None, paths=True)
    for values in (graphs.concepts, graphs.triples):
        assert (values[rows == -1] == -1).all()
    assert (graphs.places[rows == -1] == -1).all()
    assert graphs.places[0, 0] >= 0


@pytest.fixture(scope="module")
def parsed():
    """The example corpus, with what every question and document was parsed into."""
    index = Index.from_source(str(PARSED), embedder=Recorder())
    graphs = {item.id: parse_amr(item.metadata["amr"], item.id) for item in index.objects}
    return index, graphs


def of_parsed(index, *queries, pairs=False):
    asked = [index.queries[name] for name in queries]
    return candidates(index.objects, *asked, pairs=index.pair_graphs if pairs else None)


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


def test_a_way_leads_from_the_question_into_a_document(parsed):
    index, graphs = parsed
    read = sequences(of_parsed(index, "q1"))
    asked = parse_amr(index.queries["q1"].metadata["amr"], "q1")
    for item, text in zip(index.objects, read, strict=True):
        near = (asked.nodes & graphs[item.id].nodes) - {"name"}
        assert (text is not None) == bool(near), item.id
        if near:
            words = concept_sequence(join_amr(asked, graphs[item.id]))
            assert text == readable(f"{item.searchable_text} {' '.join(words)}")
    by_id = dict(zip(index.ids, read, strict=True))
    assert by_id["yeast"] is by_id["glacier"] is None
    assert "question bear person design lighthouse Skarholm" in by_id["lighthouse"]


@pytest.mark.parametrize(
    ("question", "concept"),
    [
        ("Who is from Skarholm?", "skarholm"),
        ("Who might design one?", "design-01"),
        ("By which name?", None),
    ],
)
def test_a_question_without_amr_leads_to_that_of_documents_by_its_words(parsed, question, concept):
    index, graphs = parsed
    read = sequences(candidates(index.objects, Query("q", question)))
    for item, text in zip(index.objects, read, strict=True):
        own = spoken_of(graphs[item.id])
        if concept not in own:
            assert text is None, item.id
            continue
        word = concept.removesuffix("-01")
        assert text.startswith(f"{item.searchable_text} question {word} ")
        others = {name for name in own if not name[-1:].isdigit()} - {word}
        assert others <= set(text.removeprefix(item.searchable_text).split())
    assert any(read) == bool(concept)


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


def test_a_corpus_may_have_amr_in_part():
    objects = [
        Object("amr", "x", metadata={"amr": "(e / eat-01 :ARG0 (m / moth))", "entities": ["Rey"]}),
        Object("names", "y", metadata={"entities": ["Moth", "Rey"]}),
        Object("none", "z"),
    ]
    asked = Query("q", "what does a moth eat?")
    found = candidates(objects, asked)
    assert in_common(found) == {("amr", "names"): {"moth"}}  # AMR hides entities
    assert sequences(found) == ["x question moth eat", "y question moth eat rey", None]
    parsed = Query("q", "what does a moth eat?", {"amr": "(e / eat-01 :ARG0 (m / moth))"})
    read = sequences(candidates(objects, parsed))
    assert read[:2] == ["x question eat moth", "y question eat moth rey"]


@pytest.mark.parametrize(
    ("amr", "place"),
    [
        ({"item": "(a / b"}, "object 'bad'"),
        ({"asked": "(a / b :ARG0"}, "query 'q'"),
        ({"pair": "a / b)"}, "query 'q' with 'bad'"),
    ],
)
def test_malformed_amr_is_named(amr, place):
    objects = [
        Object("good", "x"),
        Object("bad", "y", metadata={"amr": amr["item"]} if "item" in amr else {}),
    ]
    asked = Query("q", "?", {"amr": amr["asked"]} if "asked" in amr else {})
    pairs = {("q", "bad"): amr["pair"]} if "pair" in amr else {}
    with pytest.raises(InputError, match=f"^{place}: malformed AMR"):
        build_document_graphs(*candidates(objects, asked, pairs=pairs), max_df=None, paths=False)
