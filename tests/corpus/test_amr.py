import logging
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapher_jax.corpus import (
    read_judgements,
    read_objects,
    read_pair_graphs,
    read_queries,
    splits,
)
from grapher_jax.corpus.amr import AmrGraph, concept_sequence, join_amr, parse_amr, reaches
from grapher_jax.errors import InputError

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "parsed"

WANTS = """
# ::snt The boy of the maker wants not to go (alone) to "New York".
(w / want-01~e.3
   :ARG0 (b / boy~e.1 :poss-of (s / sled))
   :ARG1 (g / go-02 :polarity - :ARG0 b
      :ARG4 (c / city :name (n / name :op1 "New" :op2 "York"))))
"""


def test_a_graph():
    graph = parse_amr(WANTS, "here")
    assert graph.root == "w"
    assert graph.concepts["b"] == "boy"
    assert graph.triples == (
        ("w", ":ARG0", "b"),
        ("s", ":poss", "b"),
        ("w", ":ARG1", "g"),
        ("g", ":polarity", "-"),
        ("g", ":ARG0", "b"),
        ("g", ":ARG4", "c"),
        ("c", ":name", "n"),
        ("n", ":op1", '"New"'),
        ("n", ":op2", '"York"'),
    )
    concepts = {"want-01", "boy", "sled", "go-02", "city", "name"}
    assert graph.nodes == concepts | {"-", "New", "York"}
    assert ("go-02", ":ARG0", "boy") in graph.edges
    assert ("sled", ":poss", "boy") in graph.edges
    assert ("name", ":op2", "York") in graph.edges
    assert len(graph.edges) == len(graph.triples)


def test_documents_are_compared_by_names_not_variables():
    one = parse_amr("(a / sing-01 :ARG0 (b / bird))", "one")
    other = parse_amr("(x / bird :ARG0-of (y / sing-01 :time (z / dawn)))", "other")
    assert one.nodes & other.nodes == {"sing-01", "bird"}
    assert one.edges & other.edges == {("sing-01", ":ARG0", "bird")}


@pytest.mark.parametrize("separator", ["\n\n", " ", "\n# ::snt the second\n"])
def test_graphs_of_several_sentences_are_joined(separator):
    graph = parse_amr(f"(b / boy :mod (a / all)){separator}(b / bird :ARG0-of (s / sing-01))", "p")
    assert graph.root == "b"
    assert graph.concepts == {"b": "boy", "a": "all", "2.b": "bird", "2.s": "sing-01"}
    assert graph.triples == (("b", ":mod", "a"), ("2.s", ":ARG0", "2.b"))


def test_what_only_looks_inverse_stays():
    graph = parse_amr("(r / ring :consist-of (g / gold))", "p")
    assert graph.triples == (("r", ":consist-of", "g"),)


def test_cycles_are_kept():
    graph = parse_amr("(a / see-01 :ARG0 (b / boy :ARG1 a) :ARG2 a)", "p")
    assert graph.edges == {
        ("see-01", ":ARG0", "boy"),
        ("boy", ":ARG1", "see-01"),
        ("see-01", ":ARG2", "see-01"),
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it holds no graph"),
        (" \n ", "it holds no graph"),
        ("# ::snt (b / boy)", "it holds no graph"),
        ("the boy wants", "'the' stands outside of a graph"),
        ("(b / boy) :mod x", "':mod' stands outside of a graph"),
        ("(b / boy))", r"'\)' stands outside of a graph"),
        ("(b / boy", "unexpected end of input"),
        ('(b / boy :name "Bo', "expected: SYMBOL"),
        ("(b / boy / girl)", "expected: ROLE"),
        ("()", "a node has no concept"),
        ("(b / )", "b has no concept"),
        ("(b :mod (a / all))", "b has no concept"),
        ("(b / boy :mod)", "b has no target for :mod"),
        ("(b / boy :mod (b / girl))", "b has two concepts"),
    ],
)
def test_malformed(text, reason):
    with pytest.raises(
        InputError, match=rf"corpus\.jsonl:7: malformed AMR \({reason}.*write it like"
    ):
        parse_amr(text, "corpus.jsonl:7")


def test_a_string_without_an_end_takes_no_time():
    begun = time.process_time()
    with pytest.raises(InputError, match="malformed AMR"):
        parse_amr('(a / all :mod "' + '\\"' * 400_000 + ")", "p")
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(a / all :mod " * 5000 + "x" + ")" * 5000, "nested too deep; give one graph a sentence"),
        ("(a / all)" * 10_001, "has 10,001 triples, and 10,000 are read"),
        ("(a / all)" + " " * 10**6, "has 1,000,009 characters, and 1,000,000 are read"),
    ],
    ids=["deep", "triples", "characters"],
)
def test_enormous(text, reason):
    with pytest.raises(InputError, match=f"p: the AMR graph .*{reason}"):
        parse_amr(text, "p")


def test_penman_says_nothing_of_its_own(caplog):
    with caplog.at_level(logging.DEBUG, logger="root"), pytest.raises(InputError):
        parse_amr("(b / )", "p")
    assert not caplog.records


QUESTION = parse_amr(
    """(c / cross-02 :ARG1 (w / world-region)
         :ARG0 (r / religion :name (n / name :op1 "Catholicism")))""",
    "question",
)
DOCUMENT = parse_amr(
    """(x / crucifix :location (w / world-region)
         :quant (n / number :ARG1-of (b / be-located-at-91
            :ARG2 (c / country :name (n2 / name :op1 "Spain")))))

       (b / belief :topic (r / religion) :ARG0-of (w / worship-01))""",
    "document",
)


def test_the_sequence_of_the_papers_example():
    joint = join_amr(QUESTION, DOCUMENT)
    words = "question cross world-region crucifix number be-located-at country Spain"
    assert " ".join(concept_sequence(joint)) == f"{words} religion Catholicism belief worship"
    assert reaches(joint, DOCUMENT)


def test_a_joint_graph():
    joint = join_amr(QUESTION, DOCUMENT)
    assert joint.concepts[joint.root] == "question"
    assert sorted(joint.concepts.values()) == sorted(
        [
            *("question", "crucifix", "number", "be-located-at-91", "country", "name", "belief"),
            *("worship-01", *QUESTION.concepts.values()),
        ]
    )
    assert joint.edges == QUESTION.edges | DOCUMENT.edges | {("question", ":topic", "cross-02")}
    assert joint.nodes == QUESTION.nodes | DOCUMENT.nodes | {"question"}
    assert join_amr(QUESTION, DOCUMENT) == joint


@pytest.mark.parametrize("sense", ["", "-01"])
def test_a_question_that_has_a_node_of_that_name_gets_no_second(sense):
    question = parse_amr(f"(a / ask-01 :ARG1 (q / question{sense} :topic (o / owl)))", "q")
    joint = join_amr(question, parse_amr("(h / hunt-01 :ARG0 (o / owl))", "d"))
    assert joint.concepts[joint.root] == f"question{sense}"
    assert sorted(joint.concepts.values()) == ["ask-01", "hunt-01", "owl", f"question{sense}"]
    assert concept_sequence(joint) == ("question", "ask", "owl", "hunt")
    rooted = parse_amr("(q / question :topic (o / owl))", "q")
    assert len(join_amr(rooted, rooted).triples) == 2  # no edge from the node to itself


def test_a_joint_graph_can_be_joined_again():
    owls = parse_amr("(h / hunt-01 :ARG0 (o / owl))", "d")
    joint = join_amr(join_amr(QUESTION, DOCUMENT), owls)
    assert list(joint.concepts.values()).count("question") == 1
    assert joint.nodes == {"question"} | QUESTION.nodes | DOCUMENT.nodes | owls.nodes


def test_nothing_clashes_when_graphs_are_joined():
    question = parse_amr("(b / boy :mod x :ARG1 (t / tall))", "q")
    document = parse_amr("(x / lamp :ARG1 b :ARG2 t)", "d")  # constants named as variables there
    joint = join_amr(question, document)
    assert joint.nodes == {"question", "boy", "x", "tall", "lamp", "b", "t"}
    assert concept_sequence(joint) == ("question", "boy", "x", "tall")
    assert not reaches(joint, document)


def test_equal_concepts_of_one_side_stay_apart():
    question = parse_amr("(s / see-01 :ARG0 (p / person) :ARG1 (p2 / person))", "q")
    document = parse_amr("(k / know-01 :ARG0 (p / person) :ARG1 (p2 / person))", "d")
    joint = join_amr(question, document)
    assert sorted(joint.concepts.values()) == ["know-01", "person", "person", "question", "see-01"]
    told = parse_amr("(a / and :op1 (p / pie) :op2 (p2 / pie))", "d")
    assert list(join_amr(question, told).concepts.values()).count("pie") == 2


def test_names_are_not_one_for_being_names():
    question = parse_amr('(e / eat-01 :ARG0 (c / cat :name (n / name :op1 "Tom")))', "q")
    document = parse_amr('(r / river :name (n / name :op1 "Vistula"))', "d")
    assert not reaches(join_amr(question, document), document)
    tom = parse_amr('(s / singer :name (n / name :op1 "Tom"))', "d")
    joint = join_amr(question, tom)
    assert reaches(joint, tom)
    assert concept_sequence(joint) == ("question", "eat", "cat", "Tom", "singer")


def test_neither_numbers_nor_signs_are_ways():
    question = parse_amr("(o / owl :quant 2 :polarity - :polite +)", "q")
    moths = parse_amr("(m / moth :quant 2 :mod (r / red))", "d")
    assert concept_sequence(join_amr(question, moths)) == ("question", "owl", "2")
    signs = parse_amr("(m / moth :polarity - :polite +)", "d")
    assert concept_sequence(join_amr(question, signs)) == ("question", "owl", "2")
    assert not reaches(join_amr(question, signs), signs)
    # But what is quoted is a name, whatever it is made of.
    numbered = parse_amr('(o / owl :name (n / name :op1 "2"))', "q")
    named = parse_amr('(m / moth :name (n / name :op1 "2"))', "d")
    assert concept_sequence(join_amr(numbered, named)) == ("question", "owl", "2", "moth")
    # A number before a name hides neither it nor what is behind it.
    mixed = parse_amr('(q / question :quant 2 :name "Tom" :time (y / year :quant 2))', "p")
    assert concept_sequence(mixed) == ("question", "2", "Tom", "year")


def test_relations_are_undirected_and_paths_shortest():
    graph = parse_amr(
        "(t / tell-01 :ARG1 (q / question) :ARG0 (b / boy :mod (c / calm-03 :ARG1-of (d / doubt-01))))",
        "p",
    )
    assert concept_sequence(graph) == ("question", "tell", "boy", "calm", "doubt")
    around = parse_amr(
        "(q / question :ARG1 (a / axe :part (b / bolt :part (c / cap))) :ARG2 c)", "p"
    )
    # The cap is next to the question, so the path through the bolt is none to it.
    assert concept_sequence(around) == ("question", "axe", "bolt", "cap")
    assert concept_sequence(
        parse_amr("(q / question :ARG2 c :ARG1 (a / axe :part (b / bolt :part (c / cap))))", "p")
    ) == ("question", "cap", "bolt", "axe")


def test_words_are_distinct_and_without_senses():
    graph = parse_amr(
        '(q / question :ARG0 (g / go-02 :ARG0 (g2 / go-01 :year 2019)) :ARG1 (x / x-ray :op1 "F-16"))',
        "p",
    )
    assert concept_sequence(graph) == ("question", "go", "2019", "x-ray", "F-16")


def test_cycles_and_disconnected_parts():
    graph = parse_amr(
        "(q / question :ARG0 q :ARG1 (b / boy :ARG1 q :ARG2 (g / girl :ARG3 b))) (d / dog)", "p"
    )
    assert concept_sequence(graph) == ("question", "boy", "girl")
    assert not reaches(graph, parse_amr("(d / dog)", "d"))


def test_without_a_question_there_are_no_words():
    graph = parse_amr("(b / boy :ARG0-of (s / sing-01))", "p")
    assert concept_sequence(graph) == ()
    assert not reaches(graph, graph)


@pytest.mark.parametrize(
    "above",
    [lambda n: 0, lambda n: n - 1, lambda n: n - 2 + n % 2],
    ids=["star", "path", "comb"],
)
def test_as_many_triples_as_are_read(above):
    concepts = {f"v{n}": f"w{n}" for n in range(10_001)} | {"v0": "question"}
    triples = tuple((f"v{above(n)}", ":op1", f"v{n}") for n in range(1, 10_001))
    graph = AmrGraph("v0", concepts, triples)
    assert len(concept_sequence(graph)) == 10_001
    assert concept_sequence(join_amr(graph, graph)) == concept_sequence(graph)


names = st.sampled_from([*"abcdefgh", "question"])


@given(st.lists(st.tuples(names, names), max_size=12))
def test_the_words_are_those_on_shortest_paths(pairs):
    import networkx as nx

    concepts = {name: name for pair in pairs for name in pair} | {"question": "question"}
    graph = AmrGraph("question", concepts, tuple((a, ":mod", b) for a, b in pairs))
    plain = nx.Graph(pairs)
    plain.add_node("question")
    sequence = concept_sequence(graph)
    far = nx.single_source_shortest_path_length(plain, "question")
    assert set(sequence) == set(far)
    assert sequence[0] == "question"
    # Each begins a path or is one step farther than a word before it that it stands beside.
    for place, word in enumerate(sequence[1:], start=1):
        assert any(
            far[before] == far[word] - 1 and plain.has_edge(before, word)
            for before in sequence[:place]
        )


def test_the_example_corpus_can_be_read():
    documents = {
        item.id: parse_amr(item.metadata["amr"], item.id) for item in read_objects(EXAMPLE)
    }
    questions = {
        item.id: parse_amr(item.metadata["amr"], item.id) for item in read_queries(EXAMPLE)
    }
    known = {"objects": documents, "queries": questions}
    assert splits(EXAMPLE) == ["dev", "train"]
    judged = [read_judgements(EXAMPLE, split, **known) for split in splits(EXAMPLE)]
    assert [len(by_query) for by_query in judged] == [3, 5]
    for by_query in judged:
        for query, relevant in by_query.items():
            for identity in relevant:
                joint = join_amr(questions[query], documents[identity])
                assert reaches(joint, documents[identity])
    pairs = read_pair_graphs(EXAMPLE, **known)
    for (_, identity), text in pairs.items():
        assert reaches(parse_amr(text, identity), documents[identity])
    assert {query for query, _ in pairs} == {"q6", "q7"}


def test_some_documents_of_the_example_stand_alone():
    documents = {
        item.id: parse_amr(item.metadata["amr"], item.id) for item in read_objects(EXAMPLE)
    }
    alone = {
        name
        for name, graph in documents.items()
        if not any(graph.nodes & other.nodes for other in documents.values() if other is not graph)
    }
    assert alone == {"yeast", "glacier"}
