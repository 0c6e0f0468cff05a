import logging

import pytest

from grapher_jax.corpus.amr import parse_amr
from grapher_jax.errors import InputError

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
