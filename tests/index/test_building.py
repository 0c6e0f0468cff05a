"""An index of any source and embedder, and what it brings back."""

from datetime import date

import numpy as np
import pytest

import grapher_jax as gj
from grapher_jax.corpus import Object
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.index.embedding import KeptEmbedder
from grapher_jax.search import Index, open_source


def test_a_source_may_be_a_path(beir, embedder):
    index = Index.from_source(beir, embedder=embedder)
    assert index.folder == beir
    assert len(index.judgements("test")) == 2


def test_misspelt_metadata_of_an_index_are_told_once(embedder):
    objects = [gj.Object(name, "x", "", {"chunkId": 1}) for name in "abc"]
    with pytest.warns(
        GrapherWarning, match="'chunkId' is not read; write it as 'chunk_id'"
    ) as told:
        Index.build(objects, embedder=embedder)
    assert len(told) == 1


def test_a_search_brings_back_what_the_question_does_not_name(index):
    question = "Which orders were placed in stores of Boston?"
    ids = [hit.id for hit in index.search(question, k=3)]
    assert set(ids) == {"shop.orders", "shop.stores", "shop.customers"}
    hit = next(hit for hit in index.search(question) if hit.id == "shop.orders")
    assert hit.text.startswith("orders: ")
    assert hit.metadata["foreign_keys"] == ["shop.customers", "shop.stores"]


def test_results_are_the_same_to_the_bit_on_every_run_and_alone(index):
    questions = ["orders of stores", "animals in cages", "long songs"]
    first = index.search_batch(questions, k=6)
    assert index.search_batch(questions, k=6) == first
    for question, together in zip(questions, first, strict=True):
        alone = index.search(question, k=6)
        assert [hit.id for hit in alone] == [hit.id for hit in together]
        np.testing.assert_allclose(
            [hit.score for hit in alone], [hit.score for hit in together], atol=1e-5
        )


def test_more_results_than_objects_give_all_objects(index):
    assert len(index.search("orders", k=500)) == 6


class Flat:
    """An embedder of two dimensions."""

    name, dimension = "flat", 2

    def embed_objects(self, texts, *, progress=lambda done: None):
        return np.tile(np.array([1.0, 0.0], np.float32), (len(texts), 1))

    embed_queries = embed_objects


def test_any_embedder_will_do(beir):
    assert (
        Index.from_source(str(beir), embedder=Flat()).search("order_date", k=1)[0].id
        == "shop.orders"
    )


def test_an_empty_question_is_refused(index):
    with pytest.raises(InputError, match="question 2 is empty"):
        index.search_batch(["orders", "  "])


def test_ids_with_spaces_and_tabs_work(embedder, tmp_path):
    objects = [Object("a b", "apples"), Object("c\td", "cheese", metadata={"links": ["a b"]})]
    Index.build(objects, embedder=embedder).save(tmp_path / "odd.index")
    hits = gj.Index.load(tmp_path / "odd.index").search("cheese", k=2)
    assert [hit.id for hit in hits] == ["c\td", "a b"]


def test_a_key_to_an_unknown_object_warns(embedder):
    with pytest.warns(GrapherWarning, match="foreign_keys: 1 name objects that the corpus lacks"):
        Index.build([Object("a", "x", metadata={"foreign_keys": ["b"]})], embedder=embedder)


def test_a_source_is_opened_or_indexed(beir, saved):
    assert open_source(str(saved)).ids == open_source(str(beir)).ids


def test_a_database_becomes_an_index(tmp_path, embedder):
    import sqlite3

    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.executescript(
        "CREATE TABLE store (id INTEGER PRIMARY KEY, city TEXT);"
        "CREATE TABLE sale (id INTEGER PRIMARY KEY, store INTEGER REFERENCES store(id));"
    )
    connection.close()
    index = Index.from_source(f"sqlite:///{tmp_path}/shop.db", embedder=embedder)
    assert index.graph.proximities() == ["foreign_key"]
    assert {hit.id for hit in index.search("which city?")} == {"store", "sale"}


def test_objects_are_checked_however_they_come(embedder):
    for bad, complaint in (
        (Object("", "x"), "object 1: id"),
        (Object("a", "x", metadata={"foreign_keys": "cd"}), "foreign_keys must be a list"),
        (Object("a", "x", metadata={"chunk_id": "3"}), "chunk_id must be an integer"),
        (
            Object("a", "x", metadata={"day": date(2026, 1, 2)}),
            "object 'a': metadata must hold JSON",
        ),
        (Object("a", "x", metadata={"share": float("nan")}), "object 'a': metadata must hold JSON"),
    ):
        with pytest.raises(InputError, match=complaint):
            Index.build([bad], embedder=embedder)
    nulls = {"document_id": None, "chunk_id": None, "foreign_keys": None}
    index = Index.build(
        [Object("a", "x", metadata=nulls), Object("b", "y", metadata=nulls)], embedder=embedder
    )
    assert index.graph.proximities() == []
    numbers = {"year": np.int64(2020), "share": np.float32(0.5)}
    index = Index.build([Object("a", "x", metadata=numbers), Object("b", "y")], embedder=embedder)
    assert [hit.id for hit in index.search("x", filter={"year": 2020, "share": 0.5})] == ["a"]
    assert index.update([Object("b", "y", metadata={"flag": 1})]) is not index


def test_an_embedding_that_is_not_finite_is_refused(tmp_path):
    class Broken(Flat):
        def embed_objects(self, texts, *, progress=lambda done: None):
            vectors = super().embed_objects(texts, progress=progress)
            return np.where(np.array(texts)[:, None] == "bad", np.nan, vectors)

    with pytest.raises(InputError, match="not finite for 'bad'; with them no question would"):
        Index.build([Object("a", "good"), Object("b", "bad")], embedder=Broken())
    kept = KeptEmbedder(Broken(), tmp_path)
    with pytest.raises(InputError, match="not finite for 'bad'"):
        kept.embed_objects(["good", "bad"])
    assert not any(tmp_path.iterdir())


def test_arguments_that_contradict_each_other_are_refused(index):
    with pytest.raises(InputError, match="alpha: the Reranker has its own"):
        index.search("x", ranker=gj.Reranker(), alpha=0.5)
    with pytest.raises(InputError, match="questions: give a list"):
        index.search_batch("xy")


def test_explanations_are_worked_out_once_a_ranking(index, monkeypatch):
    import grapher_jax.rankers.explanation as module

    calls = []
    contributions = module._contributions
    monkeypatch.setattr(
        module, "_contributions", lambda *a, **k: calls.append(1) or contributions(*a, **k)
    )
    hits = index.search("orders of stores", k=6, ranker="diffusion")
    assert [hit.explanation.id for hit in hits] == [hit.id for hit in hits]
    assert len(calls) == 1


def test_neither_number_of_results_nor_of_references_compiles_a_program(embedder, compilations):
    objects = [
        Object(
            str(i),
            f"number {i}",
            metadata={"links": [str(j) for j in range(i % 17)], "kind": i % 17},
        )
        for i in range(2 * 17)
    ]
    index = Index.build(objects, embedder=embedder)
    index.search("number", k=1, filter={"kind": 16})
    before = compilations()
    for k in range(1, 9):
        index.search("number", k=k, filter={"kind": k})
    assert compilations() == before
