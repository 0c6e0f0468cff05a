import bm25s
import numpy as np
import pytest
from rank_bm25 import BM25Plus

from grapher_jax.errors import InputError
from grapher_jax.kernels import min_max
from grapher_jax.retrieve import LEXICAL_ENGINES, LexicalIndex
from grapher_jax.text import tokenize

TEXTS = [
    "orders: order_id, customer_id, order_date",
    "customers: customer_id, name",
    "order lines of orders: order_id, product",
    "",
]


@pytest.mark.parametrize("engine", LEXICAL_ENGINES)
def test_both_engines_agree_with_rank_bm25_in_the_variant_bm25_plus(engine):
    lexical = LexicalIndex.build(TEXTS, engine=engine)
    oracle = BM25Plus([tokenize(text) for text in TEXTS])
    questions = ["order order customer", "name of the unknown customers", "nothing known here"]
    expected = [oracle.get_scores(tokenize(question)) for question in questions]
    np.testing.assert_allclose(lexical.scores(questions).all, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("engine", LEXICAL_ENGINES)
def test_both_engines_agree_with_rank_bm25_on_real_tables(engine, benchmark_sets):
    from grapher_jax.corpus import read_objects, read_queries

    texts = [item.searchable_text for item in read_objects(benchmark_sets / "spider")]
    questions = [query.text for query in read_queries(benchmark_sets / "spider")][:50]
    oracle = BM25Plus([tokenize(text) for text in texts])
    expected = np.stack([oracle.get_scores(tokenize(question)) for question in questions])
    found = LexicalIndex.build(texts, engine=engine).scores(questions).all
    np.testing.assert_allclose(min_max(found), min_max(expected.astype(np.float32)), atol=1e-5)


def test_bm25s_by_its_own_default_is_another_variant():
    tokens = [tokenize(text) for text in TEXTS]
    lucene = bm25s.BM25()
    lucene.index(tokens, show_progress=False)
    found = LexicalIndex.build(TEXTS, engine="bm25s").scores(["orders of customers"]).all[0]
    assert not np.allclose(found, lucene.get_scores(["orders", "of", "customers"]), atol=0.1)


@pytest.mark.parametrize("engine", LEXICAL_ENGINES)
def test_a_corpus_without_words_scores_nothing(engine):
    lexical = LexicalIndex.build(["", "?!"], engine=engine)
    np.testing.assert_array_equal(lexical.scores(["a", "b"]).all, np.zeros((2, 2)))


def test_an_unknown_engine_is_named_with_the_known_ones():
    with pytest.raises(InputError, match="'lucene' is unknown; use rank-bm25, bm25s"):
        LexicalIndex.build(TEXTS, engine="lucene")
