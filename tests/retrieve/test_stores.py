"""Indexes with a real Chroma collection in them."""

import json
import shutil
import sys
from dataclasses import replace

import numpy as np
import pytest

from grapher_jax.corpus import Object
from grapher_jax.errors import InputError, MissingExtraError
from grapher_jax.index import Index
from grapher_jax.retrieve import ChromaStore, Store

pytest.importorskip("chromadb")
QUESTIONS = ["Which orders were placed in stores of Boston?", "How many animals are there?"]


@pytest.fixture
def saved(beir, embedder, tmp_path):
    """The small shop with a Chroma collection, on disk."""
    folder = tmp_path / "shop.index"
    Index.from_source(str(beir), embedder=embedder, store="chroma").save(folder)
    return folder


def collection(folder):
    (found,) = folder.glob("chroma-*")
    return found


def dense(index, **options):
    return index.retrieve(QUESTIONS, lexical_weight=0.0, **options)


def test_the_nearest_are_those_of_the_embeddings(tmp_path):
    rng = np.random.default_rng(0)
    objects, questions = (rng.normal(size=(n, 16)).astype(np.float32) for n in (6000, 40))
    for vectors in (objects, questions):
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store = ChromaStore.build(tmp_path / "chroma", objects)
    assert isinstance(store, Store)
    rows, cosines = store.nearest(questions, 20)
    assert (rows.dtype, cosines.dtype) == (np.int32, np.float32)
    exact = questions @ objects.T
    np.testing.assert_allclose(cosines, np.take_along_axis(exact, rows, 1), atol=1e-5)
    assert (np.diff(cosines, axis=1) <= 1e-6).all()
    best = np.argsort(-exact, axis=1)[:, :20]
    missed = [len(set(b) - set(r)) for b, r in zip(best, rows, strict=True)]
    assert sum(missed) <= 0.02 * best.size  # the search is approximate
    # More objects than a batch of Chroma's, and every number among them.
    assert rows.max() >= 5461


def test_dense_search_alone_asks_the_store(saved, embedder):
    index = Index.load(saved, embedder=embedder)
    exact = replace(index, nearest=None)
    found, expected = dense(index, candidates=4), dense(exact, candidates=4)
    np.testing.assert_array_equal(found.rows, expected.rows)
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-5)
    assert found.vectors.embedder == "offline"

    class Deaf:
        def nearest(self, questions, k):
            raise AssertionError("asked")

    deaf = replace(index, nearest=Deaf())
    with pytest.raises(AssertionError, match="asked"):
        dense(deaf)
    # What the store cannot know of is searched in the embeddings.
    deaf.retrieve(QUESTIONS)
    dense(deaf, expand=True)
    dense(deaf, filters=[{"foreign_keys": []}] * 2)


def test_fewer_objects_than_asked_for(embedder, tmp_path):
    Index.build([Object("a", "one"), Object("b", "two")], embedder=embedder, store="chroma").save(
        tmp_path / "two"
    )
    index = Index.load(tmp_path / "two", embedder=embedder)
    assert sorted(dense(index).rows[0]) == [0, 1]
    assert len(index.retrieve([], lexical_weight=0.0)) == 0


def test_opening_changes_nothing_that_is_checked(saved, embedder):
    for _ in range(2):
        dense(Index.load(saved, embedder=embedder))
    checked = json.loads((saved / "manifest.json").read_text())["sha256"]
    assert "embeddings.npy" in checked
    assert not any(name.startswith("chroma") for name in checked)


def test_an_index_keeps_its_store(saved, embedder, tmp_path):
    index = Index.load(saved, embedder=embedder)
    assert index.store == "chroma"
    grown = index.update([Object("new", "How many animals are there?")])
    assert grown.store == "chroma"
    assert grown.nearest is None
    # In the place of the one that is open.
    dense(index)
    grown.save(saved)
    found = dense(Index.load(saved, embedder=embedder), candidates=1)
    assert found.rows[1, 0] == len(index.ids)
    again = Index.load(saved, embedder=embedder, verify=False)
    again.save(tmp_path / "copy")
    assert collection(tmp_path / "copy").name != collection(saved).name


def test_without_chroma_there_is_no_folder_of_its(index, tmp_path):
    index.save(tmp_path / "plain")
    loaded = Index.load(tmp_path / "plain")
    assert (loaded.store, loaded.nearest) == ("array", None)
    assert not [*(tmp_path / "plain").glob("chroma*")]


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda file: file.unlink(), "it has no chroma.sqlite3"),
        (lambda file: file.write_bytes(b"no database"), "not a database"),
        (lambda file: file.write_bytes(b""), "does not exist"),
    ],
)
def test_a_damaged_collection_is_named(saved, embedder, harm, reason):
    harm(collection(saved) / "chroma.sqlite3")
    index = Index.load(saved, embedder=embedder)
    with pytest.raises(InputError, match=rf"chroma-\w+: damaged \(.*{reason}.*build the index"):
        dense(index)
    index.retrieve(QUESTIONS)


def test_a_lost_search_graph_is_told(tmp_path):
    vectors = np.random.default_rng(1).normal(size=(50, 8)).astype(np.float32)
    store = ChromaStore.build(tmp_path / "chroma", vectors)
    for part in (tmp_path / "chroma").glob("*/"):
        shutil.rmtree(part)
    with pytest.raises(InputError, match="damaged"):
        store.nearest(vectors[:2], 10)


def test_a_collection_of_another_index_is_told(saved, embedder):
    index = Index.load(saved, embedder=embedder)
    with pytest.raises(InputError, match=r"damaged \(it holds 6 objects instead of 7\)"):
        replace(index.nearest, objects=7).nearest(embedder.embed_queries(["x"]), 1)
    with pytest.raises(InputError, match=r"it gives 3 dimensions, .* has 384"):
        index.nearest.nearest(np.ones((1, 3), np.float32), 1)


def test_an_unknown_store_is_named(beir, embedder):
    with pytest.raises(InputError, match="store: 'faiss' is unknown; use array, chroma"):
        Index.from_source(str(beir), embedder=embedder, store="faiss")


def test_a_missing_library_is_named_with_its_extra(saved, embedder, tmp_path, monkeypatch):
    index = Index.load(saved, embedder=embedder)
    monkeypatch.setitem(sys.modules, "chromadb", None)
    for attempt in (lambda: dense(index), lambda: index.save(tmp_path / "other")):
        with pytest.raises(MissingExtraError, match=r"chromadb is not installed; .*\[chroma\]"):
            attempt()
    assert not (tmp_path / "other").exists()
