"""What the names of tables and columns say of questions, against a plain loop over words."""

import math

import numpy as np
import pytest
from memory_collection import MemoryCollection

import grapher_jax as gj
from grapher_jax import Object
from grapher_jax.graph import EMPTY
from grapher_jax.systems.grapher.words import WORDS, word_features
from grapher_jax.text import name_words


def table(name, *columns, readable=""):
    return Object(name, f"{name}: {', '.join(columns)}{readable}", "", {"table": name})


OBJECTS = [
    table("orderItems", "order_id", "productId", "quantity"),
    table("products", "id", "product_name", "unitPrice"),
    table("stores", "id", "city", readable=", zip (postal code)"),
    Object("note", "orders of the city: price, product", "orders", {}),
    table("product_prices", "product_id", "price", "price"),
    Object("listed", "", "", {"columns": [{"name": "cityName", "comment": "where it lies"}]}),
]
QUESTIONS = ["What is the price of each product?", "Cities and postal codes of stores", "", "xyz"]


def told(question, rows):
    """The numbers of every candidate, one word after the other."""
    tables = [OBJECTS[row] if row != EMPTY else None for row in rows]
    is_table = [
        one is not None and bool({"table", "columns"} & set(one.metadata)) for one in tables
    ]
    columns, texts, names = [], [], []
    for one, real in zip(tables, is_table, strict=True):
        if not real:
            columns, texts, names = [*columns, []], [*texts, []], [*names, []]
        elif one.metadata.get("columns"):
            columns.append([["city", "name"]])
            texts.append(["city", "name", "where", "it", "lie"])
            names.append([])
        else:
            found = list(dict.fromkeys(one.text.partition(": ")[2].split(", ")))
            columns.append([name_words(c.partition(" (")[0]) for c in found])
            names.append(name_words(one.metadata["table"]))
            texts.append(name_words(f"{one.metadata['table']} {' '.join(found)}"))
    real = sum(row != EMPTY for row in rows)

    def weight(word):
        having = sum(word in text for text in texts)
        return math.log((real + 1) / (having + 0.5)) if having else 0.0

    asked = set(name_words(question))
    total = max(sum(map(weight, asked)), 1e-6)

    def share(words):
        whole = sum(map(weight, words))
        return sum(weight(w) for w in words if w in asked) / max(whole, 1e-6)

    numbers = []
    for place, (text, name, own) in enumerate(zip(texts, names, columns, strict=True)):
        earlier = {word: sum(word in other for other in texts[:place]) for word in text}
        said = [word for word in text if word in asked]
        shares = [share(column) for column in own]
        numbers.append(
            [
                sum(map(weight, said)) / total,
                sum(weight(w) for w in name if w in asked) / total,
                share(name),
                sum(weight(w) for w in said if not earlier[w]) / total,
                sum(weight(w) / (1 + earlier[w]) for w in said) / total,
                max(shares, default=0.0),
                math.log1p(sum(one > 0.999 for one in shares)),
                math.log1p(sum(one**2 for one in shares)),
                math.log1p(len(own)),
            ]
        )
    return numbers


@pytest.mark.parametrize(
    "rows", [[0, 1, 2, 3, 4, 5], [4, 2, EMPTY, EMPTY, EMPTY, EMPTY], [3, 5, 1, 0, EMPTY, EMPTY]]
)
def test_numbers_are_those_of_a_plain_loop(rows):
    found = word_features(
        MemoryCollection(OBJECTS), QUESTIONS, np.array([rows] * len(QUESTIONS), np.int32)
    )
    assert (found.shape, found.dtype) == ((len(QUESTIONS), 6, WORDS), np.float32)
    for own, question in zip(found, QUESTIONS, strict=True):
        np.testing.assert_allclose(own, told(question, rows), atol=1e-5)
    assert found[0].any()
    # What is no table says nothing.
    assert not found[:, [place for place, row in enumerate(rows) if row in (3, EMPTY)]].any()


def test_a_batch_is_its_questions_one_by_one_and_padding_changes_nothing():
    rows = np.array([[0, 1, 2], [4, 5, EMPTY]], np.int32)
    collection, asked = MemoryCollection(OBJECTS), QUESTIONS[:2]
    together = word_features(collection, asked, rows)
    for place in range(2):
        alone = word_features(collection, asked[place : place + 1], rows[place : place + 1])
        np.testing.assert_array_equal(alone[0], together[place])
    wider = np.full((4, 5), EMPTY, np.int32)
    wider[:2, :3] = rows
    padded = word_features(collection, asked, wider)
    np.testing.assert_array_equal(padded[:2, :3], together)
    assert not padded[2:].any()
    assert not padded[:, 3:].any()


def test_words_of_names():
    assert name_words("orderItems of ORDER_2 categories") == [
        "order",
        "item",
        "of",
        "2",
        "category",
    ]
    assert name_words("address bus 顧客名簿") == ["address", "bus", "顧客", "客名", "名簿"]
    assert name_words("") == []


def test_words_of_another_language_are_compared_by_their_stems():
    pytest.importorskip("Stemmer")
    objects = [table("infirmier", "nom"), table("service", "sont", "chef")]
    question, rows = ["Quelles infirmières sont de nuit ?"], np.array([[0, 1]], np.int32)
    plain, french, english = (
        word_features(gj.Index.build(objects, language=spoken), question, rows)
        for spoken in (None, "fr", "english")
    )
    # A word and a column of that name, which is a stop word.
    assert (plain[0, 0, 1], plain[0, 1, 5]) == (0, 1)
    assert (french[0, 0, 1] > 0, french[0, 1, 0]) == (True, 0)
    # Networks have learned English names as they are.
    np.testing.assert_array_equal(english, plain)
