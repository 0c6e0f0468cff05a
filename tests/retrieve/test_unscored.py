from types import SimpleNamespace

import numpy as np
import pytest

from grapher_jax.retrieve import HybridRetriever, LexicalIndex
from grapher_jax.retrieve.unscored import Unscored, similarities

TEXTS = ["dogs and cats", "a city and its_store", "a store", "nothing of it"]
QUESTIONS = ["which store in the city", "dogs"]


@pytest.mark.parametrize("engine", ["rank-bm25", "bm25s"])
def test_scores_are_the_base_retrievers_with_the_documents_as_its_corpus(embedder, engine):
    lists = [TEXTS, TEXTS[:2]]
    documents = [[Unscored(text) for text in texts] for texts in lists]
    found = similarities(QUESTIONS, documents, embedder, engine=engine)
    for question, texts, one in zip(QUESTIONS, lists, found, strict=True):
        vectors = embedder.embed_objects([text.replace("_", " ") for text in texts])
        np.testing.assert_allclose(one.embeddings, vectors, atol=1e-6)
        words = LexicalIndex.build(texts, engine=engine)
        expected = HybridRetriever(embedder, vectors, words).retrieve([question])
        scores = expected.scores[0][np.argsort(expected.rows[0])]
        np.testing.assert_allclose(one.scores, scores - min(scores.min(), 0), atol=1e-6)
        assert one.scores.min() >= 0


def test_an_embedding_that_is_given_is_taken(embedder):
    (vector,) = embedder.embed_objects(["a store"])
    given = [Unscored("a store"), Unscored("a store", vector), Unscored("", vector)]
    (found,) = similarities(["which store"], [given], embedder)
    np.testing.assert_allclose(found.embeddings, [vector] * 3, atol=1e-6)
    assert found.scores[0] == pytest.approx(found.scores[1])
    assert found.scores[2] < found.scores[0]


def test_an_embedder_whose_methods_are_its_own_and_not_its_classs_scores_alike(embedder):
    names = ("name", "dimension", "embed_objects", "embed_queries")
    delegating = SimpleNamespace(**{name: getattr(embedder, name) for name in names})
    documents = [[Unscored(text) for text in TEXTS]]
    one, other = (similarities(QUESTIONS[:1], documents, by) for by in (embedder, delegating))
    np.testing.assert_allclose(one[0].scores, other[0].scores, atol=1e-6)


def test_the_width_of_a_program_changes_no_score(embedder):
    documents = [[Unscored(text) for text in TEXTS]]
    one, other = (
        similarities(QUESTIONS[:1], documents, embedder, width=lambda n, more=more: n + more)
        for more in (0, 9)
    )
    np.testing.assert_allclose(one[0].scores, other[0].scores, atol=1e-7)
