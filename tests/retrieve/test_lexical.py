from itertools import compress

import bm25s
import numpy as np
import pytest
from rank_bm25 import BM25Okapi, BM25Plus

from grapher_jax.errors import InputError
from grapher_jax.graph import EMPTY
from grapher_jax.graph.stacked import Places
from grapher_jax.kernels import min_max
from grapher_jax.retrieve import LEXICAL_ENGINES, LexicalIndex
from grapher_jax.retrieve.lexical import WORDS
from grapher_jax.text import PLAIN, Reading, tokenize

OKAPI_OF_BM25S = ("bm25s", "okapi")
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
    found = LexicalIndex.build(texts, engine=engine, reading=PLAIN).scores(questions).all
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


def test_okapi_is_that_of_rank_bm25():
    lexical = LexicalIndex.build(TEXTS, variant="okapi")
    oracle = BM25Okapi([tokenize(text) for text in TEXTS])
    expected = oracle.get_scores(["order", "id", "customer", "customer"])
    found = lexical.scores(["order id, customer customer"]).all[0]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_both_engines_agree_in_bm25l():
    questions = ["order order customer", "nothing known here"]
    first, other = (
        LexicalIndex.build(TEXTS, engine=engine, variant="bm25l").scores(questions).all
        for engine in LEXICAL_ENGINES
    )
    np.testing.assert_allclose(first, other, rtol=1e-5)
    assert first[0, 1] > first[0, 3] > 0  # what every object has


def test_a_variant_that_is_none_is_refused():
    with pytest.raises(InputError, match=r"lexical_variant: 'bm25' is unknown; use bm25\+, bm25l"):
        LexicalIndex.build(TEXTS, variant="bm25")
    with pytest.raises(InputError, match="bm25s has no 'okapi'"):
        LexicalIndex.build(TEXTS, engine="bm25s", variant="okapi")


def test_a_language_is_read_in_objects_and_questions():
    texts = ["Die Häuser der Kunden", "Die Kunden", "die die die"]
    lexical = LexicalIndex.build(texts, reading=Reading(language="german"))
    assert sorted(lexical.terms) == ["haus", "kund"] or "die" in lexical.terms
    scores = lexical.scores(["Welches Haus?"]).all[0]
    assert scores[0] > scores[1]


@pytest.mark.parametrize(
    ("engine", "variant"),
    [
        (e, v)
        for v in ("bm25+", "bm25l", "okapi")
        for e in LEXICAL_ENGINES
        if (e, v) != OKAPI_OF_BM25S
    ],
)
def test_counts_that_change_score_as_those_that_are_taken_afresh(engine, variant):
    """Also where every text of a part is gone, and where a term is in most texts."""
    dice = np.random.default_rng(7)

    def some(size):
        return [
            " ".join(f"w{n}" for n in dice.zipf(1.5, dice.integers(12)) % 40) for _ in range(size)
        ]

    options = {"engine": engine, "variant": variant}
    texts = some(30)
    lexical = LexicalIndex.build(texts, **options)
    questions = ["w1 w2 w2 w3", "w1", "w17 w39 nothing", ""]
    for change in range(12):
        gone = np.flatnonzero(dice.random(len(texts)) < 0.2)
        if change == 6:
            gone = np.arange(30 - 10, len(texts))
        kept = np.ones(len(texts), bool)
        kept[gone] = False
        new = some(dice.integers(4))
        texts = [*compress(texts, kept), *new]
        lexical = lexical.changed(gone, new)
        afresh = LexicalIndex.build(texts, **options)
        found, expected = lexical.scores(questions), afresh.scores(questions)
        np.testing.assert_allclose(found.all, expected.all, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(found.bounds, expected.bounds, rtol=1e-6, atol=1e-6)
        rows = np.stack([dice.permutation(len(texts))[:7] for _ in questions])
        given = np.take_along_axis(expected.all, rows, axis=1)
        np.testing.assert_allclose(lexical.scores_of(questions, rows), given, rtol=1e-6, atol=1e-6)
        assert set(lexical.terms) == set(afresh.terms)
        (merged,) = LexicalIndex((lexical.merged(),), Places.whole(len(texts)), **options).parts
        assert merged.found.nnz == afresh.parts[0].found.nnz
        again = LexicalIndex((merged,), Places.whole(len(texts)), **options).scores(questions)
        np.testing.assert_array_equal(again.all, found.all)
    assert len(lexical.parts) > 5


def test_which_words_of_a_question_objects_have():
    index = LexicalIndex.build(["red fox", "red hen", "a blue hen", "gone"])
    index = index.changed(np.array([3]), ["green fox hen"])
    rows = np.array([[2, 0, EMPTY], [3, EMPTY, EMPTY]])
    has, rarity = index.words_in(["Red hen hen, unknown?", "green"], rows)
    assert has.shape == (2, 3, WORDS) and rarity.shape == (2, WORDS)
    # The rarest first: red is in two objects, hen in three.
    assert has[0, :, :2].tolist() == [[False, True], [True, False], [False, False]]
    assert has[1, :, 0].tolist() == [True, False, False]
    assert not has[0, :, 2:].any() and not has[1, :, 1:].any()
    np.testing.assert_allclose(rarity[0, :2], np.log([5 / 2, 5 / 3]), rtol=1e-6)
    assert not rarity[0, 2:].any()
    many = [f"w{number}" for number in range(2 * WORDS)]
    index = LexicalIndex.build([" ".join(many[place:]) for place in range(len(many))])
    has, rarity = index.words_in([" ".join(reversed(many))], np.array([[0, len(many) - 1]]))
    assert has[0, 0].all() and not has[0, 1].any()
    assert (np.diff(rarity[0]) <= 0).all() and rarity[0, 0] == rarity.max()
