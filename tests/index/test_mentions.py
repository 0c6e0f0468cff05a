"""Objects are joined to those whose titles they mention."""

import random
from dataclasses import replace

import pytest

from grapher_jax import Index, Object, Reranker
from grapher_jax.index import mentions

LIBRARY = [
    Object("pump", "The pump is driven by the Red Motor.", "Water pump"),
    Object("motor", "It runs at 3,000 turns. See also: water pumps.", "Red motor"),
    Object("oil", "For every motor; not for a water pump.", "Oil"),
    Object("list", "Oil, red motor", "Parts", {"table": "parts"}),
]


def mentioned(index):
    lists = index.graph.lists("mentions")
    return {
        name: {index.ids[target] for target in lists.at(row)} for row, name in enumerate(index.ids)
    }


def test_who_mentions_whom(embedder):
    index = Index.build(LIBRARY, embedder=embedder)
    assert mentioned(index) == {"pump": {"motor"}, "motor": set(), "oil": {"pump"}, "list": set()}
    assert index.graph.proximities() == ["mention"]
    hits = index.search("What drives it?", ranker=Reranker(ranker="gcs", alpha=0.5))
    assert any("pump mentions motor" in str(hit.explanation) for hit in hits)


def test_what_keys_join_is_joined_by_no_titles(embedder):
    tables = [
        Object("orders", "orders: id, products", "Orders", {"foreign_keys": ["products"]}),
        Object("products", "products: id, name, regions of sale", "Products"),
        Object("regions", "regions: id, name", "Regions of sale"),
    ]
    assert Index.build(tables, embedder=embedder).graph.proximities() == ["foreign_key"]
    index = Index.build(tables[1:], embedder=embedder)
    assert index.graph.proximities() == ["mention"]
    assert index.update(tables[:1]).graph.proximities() == ["foreign_key"]
    assert index.update(tables[:1]).update(delete=["orders"]).graph.proximities() == ["mention"]
    to_itself = replace(tables[0], metadata={"foreign_keys": ["orders"]})
    assert index.update([to_itself]).graph.proximities() == ["mention"]


def test_a_mention_leads_to_the_first_chunk_of_a_document(embedder):
    chunks = [
        Object(f"{document}-{n}", "More of it.", "Manual", {"document_id": document, "chunk_id": n})
        for document in ("a", "b")
        for n in (2, 0, 1)
    ]
    index = Index.build([Object("note", "As in the Manual.", "Note"), *chunks], embedder=embedder)
    assert mentioned(index)["note"] == {"a-0", "b-0"}


@pytest.mark.parametrize(("times", "found"), [(16, True), (17, False)])
def test_common_titles_join_nothing(embedder, times, found):
    tool = Object("tool", "It is made of iron.", "Hammer")
    notes = [Object(f"note {n}", "A Hammer fell.", f"Day{n}") for n in range(times)]
    assert any(mentioned(Index.build([tool, *notes], embedder=embedder)).values()) == found
    tools = [Object(f"tool {n}", "It is made of iron.", "Hammer") for n in range(times)]
    assert any(mentioned(Index.build([*tools, notes[0]], embedder=embedder)).values()) == found


def test_mentions_in_the_metadata_are_taken_as_they_are(embedder):
    given = replace(LIBRARY[0], metadata={"title_mentions": ["oil"]})
    index = Index.build([given, *LIBRARY[1:]], embedder=embedder)
    assert mentioned(index)["pump"] == {"oil"} and mentioned(index)["oil"] == {"pump"}
    index = index.update([replace(LIBRARY[1], text="Oil")])
    assert mentioned(index)["pump"] == {"oil"} and mentioned(index)["motor"] == {"oil"}


WORDS = [
    *("New York", "york", "Apple", "red apple", "The Who", "of the"),
    *("大東京", "東京tower", "東", "京都", "서울 역사", "서울", "역사", "大서울"),
]
TITLES = [
    *("York (city)", "New York", "Apple", "Red apple", "The Who", "Of the", ""),
    *("東京", "京都", "東京tower", "서울 역사"),
]


def made(chance, name):
    metadata = {}
    if chance.random() < 0.3:
        metadata = {"document_id": f"d{chance.randint(0, 1)}", "chunk_id": chance.randint(0, 2)}
    if chance.random() < 0.1:
        metadata["table"] = "parts"
    text = " ".join(chance.choices(WORDS, k=chance.randint(1, 6)))
    return Object(name, text, chance.choice(TITLES), metadata)


@pytest.mark.parametrize("language", [None, "en"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.nightly) for n in (1, 2))])
def test_an_updated_index_has_the_mentions_of_a_new_one(embedder, tmp_path, seed, language):
    chance = random.Random(seed)
    objects = {str(n): made(chance, str(n)) for n in range(45)}
    index = Index.build(objects.values(), embedder=embedder, language=language)
    index.save(tmp_path / "index")
    for step in range(4):
        index = Index.load(tmp_path / "index", embedder=embedder)
        deleted = chance.sample(sorted(objects), 8)
        again = chance.sample(sorted(objects.keys() - {*deleted}), 3)
        new = {name: made(chance, name) for name in [*again, f"new {step}", f"newer {step}"]}
        index = index.update(new.values(), delete=deleted)
        index.save(tmp_path / "index")
        objects = {name: one for name, one in objects.items() if name not in deleted} | new
        fresh = Index.build(objects.values(), embedder=embedder, language=language)
        assert any(mentioned(fresh).values()) and mentioned(index) == mentioned(fresh)


def test_an_update_reads_only_texts_that_may_mention_a_new_title(embedder, tmp_path, monkeypatch):
    Index.build(LIBRARY, embedder=embedder).save(tmp_path / "index")
    index = Index.load(tmp_path / "index", embedder=embedder)
    read = []
    looked = mentions.may_mention
    monkeypatch.setattr(mentions, "may_mention", lambda item: read.append(item.id) or looked(item))
    updated = index.update([Object("turns", "How often it turns.", "3,000 turns")])
    assert read == ["turns", "motor"]
    assert mentioned(updated)["motor"] == {"turns"}


def test_all_parts_store_the_titles_after_an_update(embedder, tmp_path):
    index = Index.build(LIBRARY, embedder=embedder)
    named = [{name: own for name, own in index.named[0].items() if name != mentions.TITLES}]
    replace(index, named=named).save(tmp_path / "index")
    for name in ("one", "two"):
        read = Index.load(tmp_path / "index", embedder=embedder)
        read.update([Object(name, "Water pump", name)]).save(tmp_path / "index")
        read = Index.load(tmp_path / "index", embedder=embedder)
        assert all(mentions.TITLES in own for own in read.named)
        assert mentioned(read)[name] == {"pump"}


def test_an_index_of_an_earlier_version_gets_them_when_it_is_updated(embedder):
    index = Index.build(LIBRARY, embedder=embedder)
    arrays = index.graph.to_arrays()
    older = {n: one for n, one in arrays.items() if not n.startswith(("mentions", "titles"))}
    graph = type(index.graph).from_arrays(older, index.graph.entity_names)
    assert graph.proximities() == []
    updated = replace(index, graph=graph, named=None).update([Object("new", "Water pump", "New")])
    assert mentioned(updated)["oil"] == {"pump"} and mentioned(updated)["new"] == {"pump"}
