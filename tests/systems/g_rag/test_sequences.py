"""What a document is read as: its text, and the way that leads there from a question."""

import numpy as np
import pytest
from concepts_in_common import BRIDGES, candidates, of_parsed, sequences, spoken_of

from grapher_jax.corpus import Object, Query, concept_sequence, join_amr, parse_amr
from grapher_jax.systems.g_rag.concepts import build_document_graphs
from grapher_jax.text import readable


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
