"""What an update knows by names that were kept, and therefore does not read again."""

import numpy as np
import pytest
from updated_indexes import Hashed, build, opened, plain, same

from grapher_jax.corpus import Object
from grapher_jax.graph.proximities import Proximity, registered
from grapher_jax.index import merged, updating
from grapher_jax.index.objects import StackedObjects
from grapher_jax.search import Index


def table(number, name, *, db="shop", key=None):
    text = f"{name}: id, of {number}"
    keys = [] if key is None else [key]
    return Object(f"{db}.{number}", text, "", {"db": db, "table": name, "foreign_keys": keys})


@pytest.fixture
def told(monkeypatch):
    """The objects whose texts an update makes."""
    ids, texts = set(), updating.searchable_texts
    monkeypatch.setattr(
        updating,
        "searchable_texts",
        lambda items, *a, **k: ids.update(item.id for item in items) or texts(items, *a, **k),
    )
    return ids


@pytest.mark.nightly
def test_a_prefix_is_known_without_the_texts_of_all_tables(saved, told):
    shop = [table(n, f"app_t{n}") for n in range(6)]
    zoo = [table(n, f"zoo_t{n}", db="zoo") for n in range(6)]
    text = ("prefix", "neighbors")
    build([*shop, *zoo], text=text).save(saved)

    def updated(*objects, **options):
        told.clear()
        opened(saved).update(objects, **options).save(saved)
        same(opened(saved), build(opened(saved).objects, text=text))

    # The prefix remains.
    updated(table(6, "app_t6", key="shop.0"))
    assert told == {"shop.6", "shop.0"}
    # It is gone, and with it the texts of all tables of this database, and of no other.
    updated(table(7, "t7"))
    assert told == {f"shop.{n}" for n in range(8)}
    # It is back.
    updated(delete=["shop.7"])
    assert told == {f"shop.{n}" for n in range(8)}


def test_a_part_that_lacks_names_is_read_until_it_is_written_again(saved, told, monkeypatch):
    tables = [table(n, f"app_t{n}") for n in range(9)]
    build(tables, text=("prefix",)).save(saved)
    for path in saved.glob("names/tables.*"):
        path.unlink()
    for written_again in (False, True):
        index = Index.load(saved, embedder=Hashed(), verify=False)
        assert ("tables" in index.named[0]) == written_again
        grown = index.update([table(9, "app_t9")])
        assert told == {"shop.9"}
        same(grown, build(grown.objects, text=("prefix",)))
        merged(index).save(saved)


WORDY = Proximity(
    name="wordy",
    keys=(),
    arrays=("wordy_links",),
    build=lambda objects: {"wordy_links": np.array([len(own["links"]) for own in objects.values])},
    joins=lambda graph: np.zeros(len(graph.object_ids), bool),
    gather=lambda graph, rows, max_df: {},
    kernel=lambda: None,
    steps=lambda graph, max_df: [],
    seeds=1,
    words=lambda context, one, other: iter(()),
)


def test_a_proximity_without_names_is_built_from_metadata_and_no_text(saved, monkeypatch):
    opened(saved).update([plain(3, "word5"), plain(20)], delete=["o7"]).save(saved)
    index = opened(saved)
    assert [*index.objects.metadata] == [item.metadata for item in index.objects]

    def read(self):
        raise AssertionError("texts are read")

    monkeypatch.setattr(StackedObjects, "__iter__", read)
    with registered(WORDY):
        index = opened(saved)
        assert index.graph.numbers("wordy_links").tolist() == [1] * 20
        grown = index.update([plain(21)])
        assert grown.graph.numbers("wordy_links").tolist() == [1] * 21
