"""Indexes whose dense search another library does: Chroma, FAISS, Qdrant and LanceDB, really."""

import json
import shutil
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grapher_jax.corpus import Object
from grapher_jax.errors import InputError, MissingExtraError, require
from grapher_jax.retrieve.stores import STORES, LocalStore, Nearest
from grapher_jax.search import Index

LIBRARIES = {
    "chroma": "chromadb",
    "faiss": "faiss",
    "qdrant": "qdrant_client",
    "lancedb": "lancedb",
}
QUESTIONS = ["Which orders were placed in stores of Boston?", "How many animals are there?"]


@pytest.fixture(params=LIBRARIES)
def kind(request):
    pytest.importorskip(LIBRARIES[request.param])
    return request.param


@pytest.fixture
def saved(kind, beir, embedder, tmp_path):
    """The small shop with a store of each kind, on disk."""
    folder = tmp_path / "shop.index"
    Index.from_source(str(beir), embedder=embedder, store=kind).save(folder)
    return folder


def own_folder(folder, kind):
    return folder / json.loads((folder / "manifest.json").read_text())["store"]


def dense(index, **options):
    return index.retrieve(QUESTIONS, lexical_weight=0.0, **options)


def test_an_object_without_direction_is_found_last(kind, tmp_path):
    objects = np.eye(4, dtype=np.float32)
    objects[2] = 0
    store = LocalStore.build(kind, tmp_path / "store", objects)
    rows, cosines = store.nearest(objects[:1], 4)
    assert rows[0, 0] == 0 and sorted(rows[0]) == [0, 1, 2, 3]
    np.testing.assert_allclose(cosines, [[1, 0, 0, 0]], atol=1e-6)


def test_the_nearest_are_those_of_the_embeddings(kind, tmp_path):
    rng = np.random.default_rng(0)
    objects, questions = (rng.normal(size=(n, 16)).astype(np.float32) for n in (6000, 40))
    for vectors in (objects, questions):
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store = LocalStore.build(kind, tmp_path / "store", objects)
    assert isinstance(store, Nearest)
    rows, cosines = store.nearest(questions, 20)
    assert (rows.dtype, cosines.dtype) == (np.int32, np.float32)
    exact = questions @ objects.T
    np.testing.assert_allclose(cosines, np.take_along_axis(exact, rows, 1), atol=1e-5)
    assert (np.diff(cosines, axis=1) <= 1e-6).all()
    best = np.argsort(-exact, axis=1)[:, :20]
    missed = sum(len(set(b) - set(r)) for b, r in zip(best, rows, strict=True))
    assert missed <= (0.02 * best.size if kind == "chroma" else 0)  # Chroma approximates
    # More objects than are written at once, and every number among them.
    assert rows.max() >= 5461


def test_dense_search_alone_asks_the_store(saved, embedder):
    index = Index.load(saved, embedder=embedder)
    exact = replace(index, nearest=None)
    found, expected = dense(index, candidates=4), dense(exact, candidates=4)
    np.testing.assert_array_equal(found.rows, expected.rows)
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-5)

    class Deaf:
        def nearest(self, questions, k):
            raise AssertionError("asked")

    deaf = replace(index, nearest=Deaf())
    with pytest.raises(AssertionError, match="asked"):
        dense(deaf)
    with pytest.raises(AssertionError, match="asked"):
        dense(deaf, candidates=1, expand=True)
    joined, expected = (dense(one, candidates=1, expand=True) for one in (index, exact))
    assert joined.rows.shape[1] > 1
    np.testing.assert_array_equal(joined.rows, expected.rows)
    # What the store cannot know of is searched in the embeddings.
    deaf.retrieve(QUESTIONS)
    dense(deaf, filters=[{"foreign_keys": []}] * 2)


def test_fewer_objects_than_asked_for(kind, embedder, tmp_path):
    Index.build([Object("a", "one"), Object("b", "two")], embedder=embedder, store=kind).save(
        tmp_path / "two"
    )
    index = Index.load(tmp_path / "two", embedder=embedder)
    assert sorted(dense(index).rows[0]) == [0, 1]
    assert len(index.retrieve([], lexical_weight=0.0)) == 0


def test_opening_changes_nothing_that_is_checked(saved, kind, embedder):
    for _ in range(2):
        dense(Index.load(saved, embedder=embedder))
    checked = json.loads((saved / "manifest.json").read_text())["sha256"]
    assert "embeddings.npy" in checked
    stored = any(name.startswith(kind) for name in checked)
    assert stored == (kind in ("faiss", "lancedb"))


def test_an_index_keeps_its_store(saved, kind, embedder, tmp_path):
    index = Index.load(saved, embedder=embedder)
    assert index.store == kind
    grown = index.update([Object("new", "How many animals are there?")])
    assert grown.store == kind
    assert grown.nearest is None
    # In the place of the one that is open.
    dense(index)
    grown.save(saved)
    found = dense(Index.load(saved, embedder=embedder), candidates=1)
    assert found.rows[1, 0] == len(index.ids)
    again = Index.load(saved, embedder=embedder, verify=False)
    again.save(tmp_path / "copy")
    assert own_folder(tmp_path / "copy", kind).name != own_folder(saved, kind).name


def test_an_update_writes_what_is_new_to_a_store_of_its_own(kind, embedder, tmp_path, monkeypatch):
    written, make = [], LocalStore.build
    monkeypatch.setattr(
        LocalStore, "build", lambda *given: written.append(len(given[-1])) or make(*given)
    )
    folder = tmp_path / "index"
    objects = [Object(f"o{n}", f"Orders of store {n}") for n in range(40)]
    Index.build(objects, embedder=embedder, store=kind).save(folder)

    def updated(*objects, **options):
        Index.load(folder, embedder=embedder).update(objects, **options).save(folder)
        index = Index.load(folder, embedder=embedder)
        exact = dense(replace(index, nearest=None), candidates=20)
        found = dense(index, candidates=20)
        np.testing.assert_array_equal(found.rows, exact.rows)
        np.testing.assert_allclose(found.scores, exact.scores, atol=1e-5)
        return [index.ids[row] for row in found.rows[1]]

    asked = Object("new", QUESTIONS[1])
    assert updated(asked, Object("o3", "No animals"), delete=["o5"])[0] == "new"
    assert written == [40, 2]
    # Of deleted objects there may be more than are asked for: no store is written.
    assert "new" not in updated(delete=["new", *(f"o{n}" for n in range(10, 36))])
    assert written == [40, 2]
    assert updated(asked)[0] == "new"
    assert updated(Object("o4", "One animal"))[0] == "new"
    # The second part is written again with what comes behind it.
    assert written == [40, 2, 2, 1]


def test_without_a_store_there_is_no_folder_of_its(index, tmp_path):
    index.save(tmp_path / "plain")
    loaded = Index.load(tmp_path / "plain")
    assert (loaded.store, loaded.nearest) == ("array", None)
    stems = {file.name.partition("-")[0] for file in (tmp_path / "plain").iterdir()}
    assert not stems & {*STORES}


def remove(files):
    for file in files:
        file.unlink()


def overwrite(files, content):
    for file in files:
        file.write_bytes(content)


@pytest.mark.parametrize(
    ("kind", "pattern", "harm", "reason"),
    [
        ("chroma", "chroma.sqlite3", remove, "it has no chroma.sqlite3"),
        ("chroma", "chroma.sqlite3", lambda f: overwrite(f, b"no database"), "not a database"),
        ("chroma", "chroma.sqlite3", lambda f: overwrite(f, b""), "does not exist"),
        ("faiss", "vectors.faiss", remove, "could not open"),
        ("faiss", "vectors.faiss", lambda f: overwrite(f, b"no index"), "not recognized"),
        ("lancedb", "**/*.lance", remove, "Not found"),
        ("lancedb", "**/*.manifest", remove, "was not found"),
        ("lancedb", "**/*.manifest", lambda f: overwrite(f, b"none"), "sufficient data"),
    ],
    indirect=["kind"],
)
def test_a_damaged_store_is_named(saved, kind, embedder, pattern, harm, reason):
    harm([file for file in own_folder(saved, kind).glob(pattern) if file.is_file()])
    if kind != "chroma":
        with pytest.raises(InputError, match=r"missing; build|its checksum does not match; build"):
            Index.load(saved, embedder=embedder)
    index = Index.load(saved, embedder=embedder, verify=False)
    with pytest.raises(InputError, match=rf"{kind}-\w+: damaged \(.*{reason}.*build the index"):
        dense(index)
    index.retrieve(QUESTIONS)


@pytest.mark.parametrize("kind", ["chroma", "lancedb"], indirect=True)
def test_a_lost_folder_is_told(saved, kind, embedder):
    shutil.rmtree(own_folder(saved, kind))
    index = Index.load(saved, embedder=embedder, verify=False)
    with pytest.raises(InputError, match=r"damaged \(it (is missing|has no chroma.sqlite3)\)"):
        dense(index)


def test_a_lost_search_graph_of_chroma_is_told(tmp_path):
    pytest.importorskip("chromadb")
    vectors = np.random.default_rng(1).normal(size=(50, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store = LocalStore.build("chroma", tmp_path / "chroma", vectors)
    for part in (tmp_path / "chroma").glob("*/"):
        shutil.rmtree(part)
    with pytest.raises(InputError, match="damaged"):
        store.nearest(vectors[:2], 10)


@pytest.mark.parametrize("kind", ["chroma", "faiss", "lancedb"], indirect=True)
def test_a_store_of_another_index_is_told(saved, embedder):
    index = Index.load(saved, embedder=embedder)
    more = np.repeat(index.embeddings[:1], 7, axis=0)
    with pytest.raises(InputError, match=r"damaged \(it holds 6 objects instead of 7\); build"):
        replace(index.nearest, embeddings=more).nearest(embedder.embed_queries(["x"]), 1)


def test_questions_of_another_dimension_are_told(saved, embedder):
    index = Index.load(saved, embedder=embedder)
    with pytest.raises(InputError, match=r"it gives 3 dimensions, .* has 384"):
        index.nearest.nearest(np.ones((1, 3), np.float32), 1)


def test_an_unknown_store_is_named(beir, embedder):
    known = "array, chroma, faiss, qdrant, lancedb"
    with pytest.raises(InputError, match=f"store: 'milvus' is unknown; use {known}"):
        Index.from_source(str(beir), embedder=embedder, store="milvus")


def test_a_missing_library_is_named_with_its_extra(saved, kind, embedder, tmp_path, monkeypatch):
    index = Index.load(saved, embedder=embedder)
    library = LIBRARIES[kind]
    monkeypatch.setitem(sys.modules, library, None)
    for attempt in (lambda: dense(index), lambda: index.save(tmp_path / "other")):
        with pytest.raises(MissingExtraError, match=rf"{library} is not installed; .*\[{kind}\]"):
            attempt()
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("lancedb.expr", "lancedb"),
        ("qdrant_client.models", "qdrant"),
        ("psycopg.types.json", "postgresql"),
        ("pyarrow.parquet", "retrieval"),
        ("orbax.checkpoint", "train"),
    ],
)
def test_a_missing_part_of_a_library_is_named_with_an_extra_that_exists(module, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"{module} is not installed; .*\[{extra}\]"):
        require(module)
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert extra in project["optional-dependencies"]
