"""An index after an update: what one built afresh would be, and what belongs to its objects."""

import json

import numpy as np
import pytest
from saved_indexes import save_and_load

from grapher_jax.corpus import Object, write_pair_graphs
from grapher_jax.errors import InputError
from grapher_jax.search import Index

NEW = Object(
    "shop.returns", "returns: order_id, reason", metadata={"foreign_keys": ["shop.orders"]}
)

CHANGED = Object("zoo.cages", "cages: cage_id, size, keeper")


def test_an_updated_index_equals_one_built_afresh(index, embedder, tmp_path):
    updated = index.update([NEW, CHANGED], delete=["music.songs"])
    # Those that name another one that changed come last.
    objects = {item.id: item for item in index.objects[:-1] if item.id != "shop.orders"}
    del objects["zoo.cages"]
    afresh = Index.build([*objects.values(), NEW, CHANGED, index["shop.orders"]], embedder=embedder)
    for one in (updated, save_and_load(updated, tmp_path)):
        assert list(one.objects) == list(afresh.objects)
        np.testing.assert_allclose(one.embeddings, afresh.embeddings, atol=1e-6)
        question = "Which orders were returned?"
        scores = [own.lexical.scores([question]).all for own in (one, afresh)]
        np.testing.assert_allclose(*scores, atol=1e-6)
        for name, array in afresh.graph.to_arrays().items():
            np.testing.assert_array_equal(one.graph.to_arrays()[name], array)
        assert [h.id for h in one.search(question)] == [h.id for h in afresh.search(question)]


def test_an_update_embeds_nothing_but_what_changed(index, monkeypatch):
    embedded = []
    embed = type(index.embedder).embed_objects

    def listen(self, texts, **options):
        embedded.extend(texts)
        return embed(self, texts, **options)

    monkeypatch.setattr(type(index.embedder), "embed_objects", listen)
    index.update([NEW, CHANGED], delete=["music.songs"])
    index.update(delete=["music.songs"])
    assert embedded == [
        "returns: order id, reason references shop.orders",
        "cages: cage id, size, keeper referenced by zoo.animals",
        # Its neighbours are among its words.
        "orders: order id, customer id, store id, total "
        "references shop.customers, shop.stores referenced by shop.returns",
    ]


def test_one_and_true_differ_as_filters_tell_them_apart(embedder):
    objects = [Object("a", "x", metadata={"f": 1}), Object("b", "y", metadata={"f": 2})]
    index = Index.build(objects, embedder=embedder)
    changed = index.update([Object("a", "x", metadata={"f": True})])
    assert [hit.id for hit in changed.search("x", filter={"f": True})] == ["a"]
    assert changed.update([Object("a", "x", metadata={"f": True})]) is changed


def test_judgements_of_deleted_objects_are_gone(index, tmp_path):
    left = {"q1": index.judgements("test")["q1"]}
    updated = index.update(delete=["zoo.animals"])
    for one in (updated, save_and_load(updated, tmp_path)):
        assert one.judgements("test") == left


def test_amr_graphs_of_pairs_come_along(beir, embedder, tmp_path):
    assert Index.from_source(str(beir), embedder=embedder).pair_graphs == {}
    pairs = {("q1", "shop.orders"): "(o / order-02)", ("q2", "zoo.animals"): "(a / animal)"}
    write_pair_graphs(beir, pairs)
    index = Index.from_source(str(beir), embedder=embedder)
    assert index.pair_graphs == pairs
    assert save_and_load(index, tmp_path).pair_graphs == pairs
    manifest = json.loads((tmp_path / "updated.index" / "manifest.json").read_text())
    assert "amr/pairs.jsonl" in manifest["sha256"]
    # Those of deleted objects are gone.
    updated = index.update(delete=["zoo.animals"])
    del pairs["q2", "zoo.animals"]
    for one in (updated, save_and_load(updated, tmp_path)):
        assert one.pair_graphs == pairs


def test_an_amr_graph_of_an_unknown_pair_is_named(beir, embedder, tmp_path):
    write_pair_graphs(beir, {("q1", "shop.gone"): "(o / order-02)"})
    with pytest.raises(InputError, match=r"pairs\.jsonl:1: unknown corpus-id 'shop\.gone'"):
        save_and_load(Index.from_source(str(beir), embedder=embedder), tmp_path)
    without = Index.build([Object("shop.gone", "x")], embedder=embedder)
    assert without.pair_graphs == {}
