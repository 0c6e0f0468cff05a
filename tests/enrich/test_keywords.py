import json
import pickle

import pytest

from grapher_jax.corpus import Object
from grapher_jax.enrich.keywords import Keywords
from grapher_jax.errors import InputError

# The passage of keyword-graph RAG's listing 1, shortened.
ECO = Object(
    "eco",
    "A1 Serbia is the first company in Serbia to introduce Eco Rating, an international methodology "
    "for assessing the impact of mobile phones on the environment. A phone with a high Eco Rating "
    "has a long life and is easy to repair; the device can be recycled. Customers see the Eco "
    "Rating of every mobile phone on the website of the company.",
    title="Eco Rating in Serbia",
    metadata={"chunk_id": 3},
)


def keywords(enricher: Keywords, text: str, title: str = "") -> list[str]:
    return list(enricher(Object("x", text, title)).metadata["keywords"])


def test_keywords_are_added_to_the_metadata():
    found = Keywords()(ECO)
    assert (found.id, found.text, found.title) == (ECO.id, ECO.text, ECO.title)
    assert found.metadata["chunk_id"] == 3
    assert "keywords" not in ECO.metadata
    assert len(found.metadata["keywords"]) == 8
    assert "Eco Rating" in found.metadata["keywords"]


def test_medoids_are_chosen_among_the_candidates_and_keep_their_order():
    candidates = Keywords(candidates=12, keywords=12)(ECO).metadata["keywords"]
    chosen = Keywords(candidates=12, keywords=4)(ECO).metadata["keywords"]
    assert len(candidates) == 12
    assert len(chosen) == 4
    assert chosen == [phrase for phrase in candidates if phrase in chosen]
    assert chosen != candidates[:4]  # the best four are all about ratings


def test_words_of_one_kind_share_a_keyword():
    text = "A violin, a cello and a viola. A banana, an apple and an orange. A python and a cobra."
    kinds = [{"violin", "cello", "viola"}, {"banana", "apple", "orange"}, {"python", "cobra"}]
    chosen = keywords(Keywords(keywords=3, max_ngram=1), text)
    assert [len(kind.intersection(chosen)) for kind in kinds] == [1, 1, 1]


@pytest.mark.parametrize("text", ["", " ", "the of and", "a", "!!! ...", "12 345", "\0\0"])
def test_nothing_to_choose_from(text):
    assert keywords(Keywords(), text) == []


def test_a_short_text_keeps_what_it_has():
    assert keywords(Keywords(), "Harbour") == ["Harbour"]


def test_no_keyword_spans_title_and_text_and_none_is_a_blob():
    found = keywords(Keywords(keywords=20), f"tides {'x' * 1000}", title="Harbour")
    assert sorted(found) == ["Harbour", "tides"]


def test_words_of_a_keyword():
    found = Keywords(max_ngram=1, keywords=20)(ECO).metadata["keywords"]
    assert found
    assert all(len(phrase.split()) == 1 for phrase in found)


def test_the_same_wherever_it_runs():
    enricher = Keywords(candidates=15, keywords=5)
    sent = pickle.loads(pickle.dumps(enricher))
    assert sent == enricher
    assert sent(ECO) == enricher(ECO)


def test_settings_decide_the_result():
    assert Keywords().name == "keywords"
    settings = json.loads(json.dumps(dict(Keywords(keywords=5).settings)))
    versions = settings.pop("versions")
    assert settings == {
        "candidates": 20,
        "keywords": 5,
        "max_ngram": 3,
        "embedder": "offline",
        "language": "en",
    }
    assert len(versions) == 2


@pytest.mark.parametrize("field", ["candidates", "keywords", "max_ngram"])
def test_numbers_are_checked(field):
    with pytest.raises(InputError, match=f"{field}: 0 must be at least 1"):
        Keywords(**{field: 0})


def test_stop_words_are_those_of_the_language():
    text = "Der Bericht und die Zahlen der Bahn und die Berichte der Bahn"
    assert any("und" in phrase.split() for phrase in keywords(Keywords(), text))
    found = keywords(Keywords(language="de"), text)
    assert "Bahn" in found
    assert not any(phrase.split()[0] in ("und", "die", "der") for phrase in found)
    with pytest.raises(
        InputError, match="language: YAKE has no stop words of 'klingon'; give a code"
    ):
        Keywords(language="klingon")
