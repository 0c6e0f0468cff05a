"""Which objects and questions have AMR, whole, in part, empty or malformed, and what is told of it."""

import numpy as np
import pytest
from concepts_in_common import candidates, in_common, sequences

from grapher_jax.corpus import Object, Query
from grapher_jax.errors import InputError
from grapher_jax.systems.g_rag.concepts import AMR, FALLBACK, build_document_graphs, concept_source


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
