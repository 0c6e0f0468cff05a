"""The text of an object that is searched, and the engine that searches its words."""

import json
from dataclasses import replace

import numpy as np
import pytest
from saved_indexes import save_and_load

from grapher_jax.corpus import Object
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.retrieve import RetrievalOptions
from grapher_jax.retrieve.lexical import Counts
from grapher_jax.search import Index
from grapher_jax.text import PLAIN

SCHEMA = [
    Object("customer", "customer: customerId", metadata={"table": "customer"}),
    Object("orders", "orders: buyerId", metadata={"foreign_keys": ["customer"], "db": "shop"}),
    Object("animals", "animals: cage"),
]


def test_parts_of_the_text_stay_with_an_index(embedder, tmp_path, monkeypatch):
    parts = ["neighbors", "split"]
    index = Index.build(SCHEMA, embedder=embedder, text=parts)
    assert {"customer", "customerid", "buyer", "references", "referenced"} <= set(
        index.lexical.terms
    )
    index.save(tmp_path / "index")
    loaded = Index.load(tmp_path / "index")
    assert loaded.text == index.text == ("split", "neighbors")
    question = "by whose buyerId"
    assert loaded.search(question) == index.search(question)
    # A question's identifiers are split too: nothing else has "buyer".
    assert loaded.retrieve(["BuyerKey"]).rows[0, 0] == 1
    # What an update changes is also the text of whatever it joins.
    zoo = Object("zoo", "zoo: name", metadata={"foreign_keys": ["animals"]})
    embedded = []
    embed = embedder.embed_objects
    monkeypatch.setattr(
        type(embedder),
        "embed_objects",
        lambda self, texts, **options: embedded.extend(texts) or embed(texts, **options),
    )
    updated = loaded.update([zoo])
    assert embedded == ["zoo: name references animals", "animals: cage referenced by zoo"]
    built = Index.build([*SCHEMA, zoo], embedder=embedder, text=parts)
    rows = [built.rows[name] for name in updated.ids]
    np.testing.assert_allclose(updated.embeddings, built.embeddings[rows], atol=1e-6)
    assert set(updated.lexical.terms) == set(built.lexical.terms)


def test_without_parts_an_index_is_that_of_title_and_text(embedder, tmp_path):
    built = Index.build(SCHEMA, embedder=embedder, text=())
    built.save(tmp_path / "index")
    manifest = json.loads((tmp_path / "index" / "manifest.json").read_text())
    assert manifest.pop("text") == []
    # As an index was written before there were parts.
    for name in ("language", "bigrams", "lexical_variant", "retrieval"):
        del manifest[name]
    (tmp_path / "index" / "manifest.json").write_text(json.dumps(manifest))
    with pytest.warns(GrapherWarning, match="an earlier version built it, and it is searched as"):
        index = Index.load(tmp_path / "index")
    assert index.text == ()
    assert index.options == RetrievalOptions(lexical_weight=0.3, title_weight=0.0)
    assert index.lexical.reading == PLAIN
    assert "customerid" in index.lexical.terms
    assert "customer" in index.lexical.terms
    assert "buyer" not in index.lexical.terms


@pytest.mark.parametrize("updates", [0, 1])
def test_words_that_an_earlier_version_tore_are_counted_anew(embedder, tmp_path, updates):
    path, hindi = tmp_path / "index", "हिन्दी में"
    with pytest.warns(GrapherWarning, match="has not learned the script"):
        index = Index.build(
            [Object("a", hindi, "", {}), Object("b", hindi, "", {})], embedder=embedder
        )
    torn = Counts.of([["ह", "न", "द"]] * 2)
    replace(index, lexical=replace(index.lexical, parts=(torn,))).save(path)
    for number in range(updates):
        Index.load(path).update([Object(f"c{number}", "English", "", {})]).save(path)
    manifest = json.loads((path / "manifest.json").read_text())
    assert manifest.pop("signs") is True
    assert len(manifest["parts"]) == 1 + updates
    (path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.warns(GrapherWarning, match="its words are counted at every opening; save it"):
        index = Index.load(path)
    assert {"हिन्दी", "में"} <= {*index.lexical.terms}
    index.update([Object("d", f"{hindi} नया", "", {})], delete=["b"]).save(path)
    again = Index.load(path)
    assert {"हिन्दी", "नया"} <= {*again.lexical.terms}
    assert not {"ह", "न", "द"} & {*again.lexical.terms}
    assert {hit.id for hit in again.search(hindi, k=2)} == {"a", "d"}


def test_a_part_that_is_none_is_refused(embedder, tmp_path):
    with pytest.raises(
        InputError, match="text: 'names' is unknown; use split, people, prefix, database,"
    ):
        Index.build(SCHEMA, embedder=embedder, text=["names"])
    Index.build(SCHEMA, embedder=embedder).save(tmp_path / "index")
    path = tmp_path / "index" / "manifest.json"
    for damaged in ("split", ["names"], [1]):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"text": damaged}))
        with pytest.raises(InputError, match="damaged"):
            Index.load(tmp_path / "index")


def test_both_lexical_engines_give_the_same_results(index, embedder, tmp_path):
    other = Index.build(index.objects, embedder=embedder, lexical="bm25s")
    ours, theirs = (
        one.search("orders of stores") for one in (index, save_and_load(other, tmp_path))
    )
    assert [hit.id for hit in ours] == [hit.id for hit in theirs]
    assert Index.load(tmp_path / "updated.index").lexical.engine == "bm25s"


@pytest.mark.parametrize("ranker", ["base", "gat"])
def test_a_question_about_people_is_searched_and_ranked_with_the_word_user(ranker, tmp_path):
    columns = {"orders": ["id", "approved"], "auth_user": ["id", "name"], "logs": ["id", "by"]}
    keys = {"orders": ["auth_user"], "logs": ["auth_user"]}
    tables = [
        Object(
            name,
            f"{name}: {', '.join(own)}",
            metadata={
                "db": "shop",
                "table": name,
                "columns": [{"name": column, "type": ""} for column in own],
                "foreign_keys": keys.get(name, []),
            },
        )
        for name, own in columns.items()
    ]
    Index.build(tables).save(tmp_path / "index")
    index = Index.load(tmp_path / "index")
    plain = Index.build(tables, text=[part for part in index.text if part != "people"])
    found = [(hit.id, hit.score) for hit in index.search("Who approved it?", ranker=ranker)]
    for question, same in (("Who approved it? user", True), ("Who approved it?", False)):
        others = [(hit.id, hit.score) for hit in plain.search(question, ranker=ranker)]
        assert (found == others) == same
