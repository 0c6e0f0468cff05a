"""Documents of requests that the index has are ranked as a search ranks them."""

from collections.abc import Sequence

import numpy as np
import pytest
from engines import engine

from grapher_jax.corpus import Object
from grapher_jax.search import Index
from grapher_jax.serve.jobs import KnownJob, RerankJob


def test_an_id_alone_is_an_object_of_the_index(shop):
    made = engine(shop)
    given = [{"id": "orders", "score": 0.5}, {"id": "songs", "text": "mine"}, {"id": "nobody"}]
    given.append({"id": "songs", "embedding": [1.0]})
    assert made.known.any_of(given)
    assert not made.known.any_of(given[1:])
    ((orders, *others),) = made.known.look_up([given])
    assert orders["metadata"]["foreign_keys"] == ["customers", "stores"]
    assert (orders["score"], orders["text"]) == (0.5, shop.objects[0].text)
    assert others == given[1:]


def test_texts_that_are_alike_are_objects_in_turn(embedder, monkeypatch):
    objects = [Object("a", "a shop"), Object("b", "a zoo"), Object("c", "a shop")]
    made = engine(Index.build(objects, embedder=embedder))
    texts = [{"text": "a shop"}] * 3 + [{"text": "a zoo"}]
    for _ in range(2):
        ((first, second, third, zoo),) = made.known.look_up([texts])
        assert [one.get("id") for one in (first, second, third, zoo)] == ["a", "c", None, "b"]
    # No document is embedded, not even the one that is no object.
    np.testing.assert_array_equal(third["embedding"], made.index.embeddings[0])

    def embed_objects(self, texts, **options):
        raise AssertionError(texts)

    monkeypatch.setattr(type(embedder), "embed_objects", embed_objects)
    given = [{"id": "third"} | one for one in (first, second, third, zoo)]
    (scores,) = made.similarities([("shop", given)])
    assert scores[0] == scores[1] == scores[2] > scores[3]
    # What a request changes in its documents stays its own.
    first["title"] = "changed"
    assert made.known.look_up([texts])[0][0]["title"] == ""


@pytest.mark.parametrize("ranker", ["auto", "gcs", "base"])
def test_documents_of_the_index_are_ranked_as_a_search_among_them(shop, ranker):
    made = engine(shop, ranker=ranker)
    texts = [item.text for item in shop.objects]
    (question, other), every = ("orders of customers", "animals"), range(len(texts))
    rows = made.known_rows([{"text": text} for text in texts])
    assert rows == [*every]
    # All objects of an index: a search finds and ranks the same.
    jobs = [KnownJob(question, rows, len(rows), False), KnownJob(other, [5, 0, 2], 2, True)]
    assert made.known_kind(jobs[0]) == made.known_kind(jobs[1])
    first, second = made.rerank_known(jobs)
    hits = shop.search(question, k=6, ranker=ranker)
    assert [shop.ids[rows[one["index"]]] for one in first] == [hit.id for hit in hits]
    scores = [one["relevance_score"] for one in first]
    np.testing.assert_allclose(scores, [hit.score for hit in hits], atol=1e-5)
    named = "gat" if ranker == "auto" else ranker
    assert (first.ranker, first.scale) == (named, "compared")
    # Of some, in any order; alone and in a batch.
    assert len(second) == 2
    assert {one["index"] for one in second} < {0, 1, 2}
    assert all("explanation" in one for one in second)
    (alone,) = made.rerank_known([jobs[1]])
    assert [one["index"] for one in alone] == [one["index"] for one in second]
    for one, same in zip(alone, second, strict=True):
        assert one["relevance_score"] == pytest.approx(same["relevance_score"], abs=1e-6)


@pytest.mark.parametrize("ranker", ["auto", "gcs", "base"])
def test_scores_of_documents_of_the_index_are_read_on_their_scale(shop, ranker):
    question, rows, scores = "orders of customers", [5, 0, 2], [-9.0, 4.0, -7.5]
    made = engine(shop, ranker=ranker)
    given = [KnownJob(question, rows, 3, False, scores, scale) for scale in ("logit", "shift")]
    assert made.known_kind(given[0]) != made.known_kind(given[1])
    named = "gat" if ranker == "auto" else ranker
    for job in given:
        (found,) = made.rerank_known([job])
        asked = [
            {"id": shop.ids[row], "score": score} for row, score in zip(rows, scores, strict=True)
        ]
        (documents,) = made.known.look_up([asked])
        (expected,) = engine(shop, ranker=named, scores=job.scale).rerank(
            [RerankJob(question, documents, 3, False)]
        )
        assert (found.ranker, found.scale) == (named, expected.scale)
        assert [one["index"] for one in found] == [one["index"] for one in expected]
        np.testing.assert_allclose(
            [one["relevance_score"] for one in found],
            [one["relevance_score"] for one in expected],
            atol=1e-5,
        )


@pytest.mark.parametrize(
    "documents",
    [
        [{"id": "orders"}, {"text": "not of the index"}],
        [{"id": "orders"}, {"text": "orders: order_id, customer_id, store_id, total"}],
        [{"id": "mine", "text": "songs: title, artist, length"}],
        [{"id": "orders", "metadata": {}}],
        [{"id": "orders"}, {"id": "orders"}],
        [{}],
    ],
)
def test_other_documents_are_ranked_for_themselves(shop, documents):
    made = engine(shop)
    assert made.known_rows([{"id": "orders"}, {"text": "songs: title, artist, length"}]) == [0, 5]
    assert made.known_rows(documents) is None


def test_a_text_that_comes_again_is_the_next_of_the_objects_that_have_it(embedder):
    texts = ["a dog", "a cat", "a dog", "a dog"]
    objects = [Object(str(number), text, "", {}) for number, text in enumerate(texts)]
    known = engine(Index.build(objects, embedder=embedder)).known
    dog, cat = {"text": "a dog"}, {"text": "a cat"}
    assert known.rows([dog, cat, dog]) == [0, 1, 2]
    assert known.rows([cat, dog, dog, dog]) == [1, 0, 2, 3]
    assert known.rows([dog] * 4) is None
    assert known.rows([cat, cat]) is None
    assert known.rows([dog, {"text": "a horse"}]) is None


def test_many_objects_with_one_text_are_looked_up_once_each(embedder):
    index = Index.build([Object(str(n), "the same", "", {}) for n in range(40)], embedder=embedder)
    known, looked = engine(index).known, []
    ids = known.index.ids

    class Counted(Sequence):
        def __getitem__(self, row):
            looked.append(row)
            return ids[row]

        def __len__(self):
            return len(ids)

    object.__setattr__(known.index, "ids", Counted())
    own = [{"text": "the same", "score": 1.0}] * 40
    (found,) = known.look_up([own])
    assert [one["id"] for one in found] == [str(n) for n in range(40)]
    assert len(looked) < 4 * 40
    assert known.any_of(own)
