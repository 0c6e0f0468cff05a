"""Columns ranked against a question."""

import numpy as np
import pytest

from grapher_jax.corpus import Object
from grapher_jax.search import Index
from grapher_jax.tables.columns import column_features, column_scores
from grapher_jax.tables.schema import Schema


def table(name, *columns):
    told = [
        {"name": one} if isinstance(one, str) else {"name": one[0], "comment": one[1]}
        for one in columns
    ]
    names = ", ".join(one["name"] for one in told)
    metadata = {"db": "shop", "table": name, "columns": told}
    return Object(f"shop.{name}", f"{name}: {names}", metadata=metadata)


@pytest.fixture(scope="module")
def index(embedder):
    tables = [
        table("customer", "customerId", "customerName", "street", "birthday"),
        table("sale", "id", "soldOn", ("amt", "price in euros"), "note"),
        table("nothing"),
        table("house", "street", "price"),
    ]
    return Index.build(tables, embedder=embedder)


def best(index, question, row, **options):
    (scores,) = column_scores(index, question, [row], **options)
    return Schema(index.objects).table(row).columns[int(scores.argmax())].name


@pytest.mark.parametrize(
    ("question", "row", "column"),
    [
        ("In which streets do they live?", 0, "street"),
        ("What are the customers' birthdays?", 0, "birthday"),
        ("When was it sold?", 1, "soldOn"),
        ("What is the total price?", 1, "amt"),
        ("Show all customers.", 0, "customerName"),
    ],
)
def test_the_column_that_a_question_speaks_of_is_first(index, question, row, column):
    assert best(index, question, row) == column


def test_meaning_finds_what_words_do_not(index):
    question = "How expensive was it?"
    assert best(index, question, 3) == "street"
    asked = index.embedder.embed_queries([question])[0]
    assert best(index, question, 3, embedding=asked) == "price"


def test_what_the_table_is_called_tells_its_columns_apart_no_further(index):
    (features,) = column_features(index, "customer", [0])
    (name,) = np.flatnonzero([one.name == "customerName" for one in index_columns(index, 0)])
    whole, further = features[name, :2]
    assert whole > 0.5
    assert further == 0


def index_columns(index, row):
    return Schema(index.objects).table(row).columns


def test_scores_are_probabilities_in_the_order_of_the_rows(index):
    together = column_scores(index, "Which customers were sold to?", [1, 2, 0])
    assert [len(scores) for scores in together] == [4, 0, 4]
    assert all(((scores > 0) & (scores < 1)).all() for scores in together)
    (alone,) = column_scores(index, "Which customers were sold to?", [0])
    np.testing.assert_array_equal(together[2], alone)


def test_a_column_is_embedded_once(index, monkeypatch):
    asked = index.embedder.embed_queries(["prices"])[0]
    first = column_scores(index, "prices", [0, 1, 2], embedding=asked)
    monkeypatch.setattr(type(index.embedder), "embed_objects", None)
    again = column_scores(index, "prices", [0, 1, 2], embedding=asked)
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, other)


def test_nothing_is_embedded_without_an_embedding(embedder, monkeypatch):
    index = Index.build([table("sale", "price")], embedder=embedder)
    monkeypatch.setattr(type(index.embedder), "embed_objects", None)
    assert column_scores(index, "prices", [0])[0] > 0.3


def test_a_question_without_letters_is_answered_by_the_order(index):
    (scores,) = column_scores(index, "?!", [1])
    assert scores[1] > scores[2] > scores[3]
    assert column_scores(index, "?!", []) == []
