import numpy as np
import pytest
from rank_bm25 import BM25Plus

from grapher_jax.errors import InputError
from grapher_jax.kernels import min_max
from grapher_jax.retrieve import LexicalIndex, tokenize

TEXTS = [
    "orders: order_id, customer_id, order_date",
    "customers: customer_id, name",
    "order lines of orders: order_id, product",
    "",
]


def test_scores_are_rank_bm25s():
    lexical, oracle = LexicalIndex.build(TEXTS), BM25Plus([tokenize(text) for text in TEXTS])
    questions = ["order order customer", "name of the unknown customers", "nothing known here"]
    expected = [oracle.get_scores(tokenize(question)) for question in questions]
    np.testing.assert_allclose(lexical.scores(questions), expected, rtol=1e-5, atol=1e-5)


def test_scores_are_rank_bm25s_on_real_tables(benchmark_sets):
    from grapher_jax.corpus import read_objects, read_queries

    texts = [item.searchable_text for item in read_objects(benchmark_sets / "spider")]
    questions = [query.text for query in read_queries(benchmark_sets / "spider")][:50]
    oracle = BM25Plus([tokenize(text) for text in texts])
    expected = np.stack([oracle.get_scores(tokenize(question)) for question in questions])
    found = LexicalIndex.build(texts).scores(questions)
    np.testing.assert_allclose(min_max(found), min_max(expected.astype(np.float32)), atol=1e-5)


def test_a_corpus_without_words_scores_nothing():
    lexical = LexicalIndex.build(["", "?!"])
    np.testing.assert_array_equal(lexical.scores(["a", "b"]), np.zeros((2, 2)))


def test_an_unknown_engine_is_named_with_the_known_ones():
    with pytest.raises(InputError, match="'lucene' is unknown; use rank-bm25"):
        LexicalIndex.build(TEXTS, engine="lucene")
