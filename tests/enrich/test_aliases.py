import json
import sys

import pytest

from grapher_jax.corpus import Object
from grapher_jax.enrich.aliases import Aliases, find_aliases
from grapher_jax.errors import MissingExtraError

ENTITIES = {
    "a": ["United Nations", "UN", "Beyoncé Knowles", "Catherine Deneuve"],
    "b": ["UN", "World War II", "Ultimate Nachos"],
    "c": ["united  nations", "World War I", "U.S."],
    "d": ["Beyonce Knowles", "US", "Catharine Deneuve"],
    "e": ["UN", "US", "2002 FIFA World Cup", "1998 FIFA World Cup", "Catherine Deneuve"],
    "f": ["United States", "Museum of Modern Art", "9/11"],
    "g": ["911", "MoMA", "un."],
    "h": ["MoMA", "Museum of Modern Art"],
}
OBJECTS = [Object(name, "text", metadata={"entities": own}) for name, own in ENTITIES.items()]


def test_spellings_and_abbreviations_of_a_name_are_found():
    told = []
    found = find_aliases([*OBJECTS, Object("x", "text")], progress=told.append)
    assert found == {
        "un": "United Nations",
        "un.": "United Nations",
        "u.s.": "US",
        "beyoncé knowles": "Beyonce Knowles",
        "catharine deneuve": "Catherine Deneuve",
        "moma": "Museum of Modern Art",
    }
    assert sum(told) == 14


def test_signs_and_numbers_tell_names_of_the_same_letters_apart():
    names = ["C", "C++", "C#", "Django 1.11", "Django 11.1", "GPT-3.5", "GPT-35", ".NET", "Net"]
    assert find_aliases([Object(name, "t", metadata={"entities": [name]}) for name in names]) == {}


def test_one_name_is_written_for_all_and_once():
    written = Aliases({"un": "United Nations", "gone": "x"})
    item = Object("x", "t", metadata={"entities": ["UN", "Boston", "united nations"], "db": "d"})
    assert written(item).metadata == {"entities": ["United Nations", "Boston"], "db": "d"}
    assert item.metadata["entities"][0] == "UN"
    bare = Object("y", "t", metadata={"entities": []})
    assert written(bare) is bare
    assert Aliases({"un": "US"}).settings != written.settings


def test_initials_are_no_name_for_themselves():
    assert find_aliases([Object("x", "t", metadata={"entities": ["U. S.", "J. R. R."]})]) == {}


def test_no_names():
    assert find_aliases([Object("x", "text"), Object("y", "t", metadata={"entities": [" "]})]) == {}


@pytest.mark.nightly
def test_the_command_writes_them_into_the_corpus(grapher, tmp_path):
    folder, out = tmp_path / "corpus", tmp_path / "out"
    folder.mkdir()
    records = [{"_id": one.id, "text": one.text, "metadata": one.metadata} for one in OBJECTS]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, records)))
    query = {"_id": "q", "text": "Who?", "metadata": {"entities": ["U.S."]}}
    (folder / "queries.jsonl").write_text(json.dumps(query))
    status, _, err = grapher("enrich", folder, "--out", out, "--aliases")
    assert (status, "6 names are written as another" in err) == (0, True)
    lines = [json.loads(line) for line in (out / "corpus.jsonl").read_text().splitlines()]
    written = {line["_id"]: line["metadata"]["entities"] for line in lines}
    assert written["b"] == ["United Nations", "World War II", "Ultimate Nachos"]
    assert written["c"] == ["united  nations", "World War I", "US"]
    assert written["d"] == ["Beyonce Knowles", "US", "Catherine Deneuve"]
    assert json.loads((out / "queries.jsonl").read_text())["metadata"]["entities"] == ["US"]
    status, _, err = grapher(
        "enrich", folder, "--out", out, "--aliases", "--enricher", "spacy-entities"
    )
    assert (status, "aliases: entities are compared once all are there; run" in err) == (2, True)
    status, _, err = grapher("enrich", folder, "--out", out)
    assert (status, "enricher: none is given; use spacy-entities" in err) == (2, True)


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(MissingExtraError, match=r'pip install "grapher-jax\[enrich\]"'):
        find_aliases(OBJECTS)
