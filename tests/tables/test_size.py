"""How many tables a question needs."""

import itertools

import numpy as np
import pytest

from grapher_jax.corpus import Object
from grapher_jax.errors import InputError
from grapher_jax.search import Index
from grapher_jax.tables.size import (
    auto_size,
    expected_f1,
    held_by_first,
    table_features,
    table_probabilities,
)


def table(name, columns, *references):
    keys = [f"shop.{one}" for one in references]
    metadata = {"db": "shop", "table": name, "foreign_keys": keys}
    return Object(f"shop.{name}", f"{name}: {columns}", metadata=metadata)


@pytest.fixture(scope="module")
def index(embedder):
    tables = [
        table("customer", "id, name, town"),
        table("sale", "id, customer, sold_on, price", "customer"),
        table("sale_line", "sale, product, amount", "sale", "product"),
        table("product", "id, title, weight"),
        table("holiday", "day, country"),
        *(table(f"log_{number}", "id, message, level") for number in range(60)),
    ]
    return Index.build(tables, embedder=embedder)


def asked(index, question):
    return {"question": question, "embedding": index.embedder.embed_queries([question])[0]}


ROWS = [1, 0, 4, 5, 6]


def test_features_are_those_that_are_told(index):
    question = asked(index, "What are the names of the customers with the highest sale price?")
    found = table_features(index, rows=[1, 4, 0, 2], **question)
    rank, first, reached, joined, best, cosine, named, gain, left = found.T
    np.testing.assert_allclose(rank, np.log([1, 2, 3, 4]))
    assert first.tolist() == [1, 0, 0, 0]
    assert reached.tolist() == [0, 0, 1, 1]
    assert joined.tolist() == [0, 0, 1, 1]
    np.testing.assert_allclose(best, [2 / 3, 0, 1 / 3, 1 / 3])
    assert cosine.max() == 0
    assert named[0] == 1
    assert named[2] > 0.7 > 0.5 > named[1]
    assert gain[2] > 0.5 > gain[1]
    assert (np.diff(left) <= 0).all()


def test_probabilities_are_of_the_rows_in_their_order(index):
    question = asked(index, "What are the names of the customers with the highest sale price?")
    likely = table_probabilities(index, rows=ROWS, **question)
    assert ((likely > 0) & (likely < 1)).all()
    assert likely[:2].min() > 3 * likely[2:].max()


def test_the_set_grows_with_the_confidence_and_holds_what_is_likely(index):
    question = asked(index, "Which customers bought something, and when was it sold?")
    rows = list(range(len(index.ids)))
    few, more, most = (
        auto_size(index, rows=rows, confidence=one, **question) for one in (0.1, 0.3, 0.95)
    )
    assert 1 <= len(few.rows) <= len(more.rows) < len(most.rows) <= 50
    assert few.rows == most.rows[: len(few.rows)]
    assert {*most.rows[:2]} == {0, 1}
    assert list(most.probabilities) == sorted(most.probabilities, reverse=True)
    for found, wanted in ((few, 0.1), (more, 0.3)):
        assert found.confidence >= wanted
        if len(found.rows) > 1:
            likely = table_probabilities(index, rows=rows[:50], **question)
            without = held_by_first(np.sort(likely)[::-1])[len(found.rows) - 2]
            assert without < wanted


def test_one_table_is_enough_where_it_says_all(index):
    question = asked(index, "How many holidays are there, by day and country?")
    found = auto_size(index, rows=[4, 5, 6, 0, 1], **question)
    assert found.rows == (4,)


def test_what_is_held_is_one_less_what_any_other_may_add():
    held = held_by_first(np.array([0.9, 0.5, 0.2]))
    np.testing.assert_allclose(held, [0.4, 0.8, 1])


def test_the_expected_f1_is_the_mean_over_all_that_may_be_needed():
    likely = np.array([0.9, 0.6, 0.3, 0.05])
    expected = np.zeros(4)
    for needed in itertools.product([True, False], repeat=4):
        chance = np.where(needed, likely, 1 - likely).prod()
        hits = np.cumsum(needed)
        expected += chance * 2 * hits / (np.arange(1, 5) + sum(needed))
    np.testing.assert_allclose(expected_f1(likely), expected, rtol=1e-12)


def test_the_default_is_the_best_expected_f1(index):
    question = asked(index, "Which customers bought something, and when was it sold?")
    rows = list(range(len(index.ids)))
    found = auto_size(index, rows=rows, **question)
    likely = np.sort(table_probabilities(index, rows=rows[:50], **question))[::-1]
    assert len(found.rows) == np.argmax(expected_f1(likely)) + 1
    assert 0 < found.confidence < 1


def test_no_tables_give_no_tables(index):
    found = auto_size(index, rows=[], **asked(index, "anything"))
    assert found.rows == ()
    assert found.confidence == 0


def test_a_question_of_asking_words_alone_is_answered(index):
    assert auto_size(index, rows=ROWS, **asked(index, "What are they?")).rows


@pytest.mark.parametrize("confidence", [0.0, 1.0, 1.5, float("nan")])
def test_a_confidence_out_of_range_is_refused(index, confidence):
    with pytest.raises(InputError, match=f"confidence: {confidence} must be "):
        auto_size(index, rows=ROWS, confidence=confidence, **asked(index, "anything"))
