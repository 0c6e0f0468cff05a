"""How near names are to questions in meaning, against a plain loop over words."""

import numpy as np
import pytest
from memory_collection import MemoryCollection

import grapher_jax as gj
from grapher_jax import Object
from grapher_jax.graph import EMPTY
from grapher_jax.systems.grapher.meanings import MEANINGS, meaning_features
from grapher_jax.systems.grapher.word_vectors import WordVectors, shipped_vectors
from grapher_jax.text import STOP_WORDS, name_words


def table(name, *columns):
    return Object(name, f"{name}: {', '.join(columns)}", "", {"table": name})


OBJECTS = [
    table("customers", "id", "cityName"),
    table("orderItems", "order_id", "quantity"),
    table("employees", "id", "wage"),
    Object("note", "customers of the city", "clients", {}),
    table("注文"),
]
QUESTIONS = ["Which clients live in Rome?", "What is the salary of each worker?", "which", "注文"]
NAMES = [["customer"], ["order", "item"], ["employee"], [], ["注文"]]
TEXTS = [
    ["customer", "id", "city", "name"],
    ["order", "item", "id", "quantity"],
    ["employee", "id", "wage"],
    [],
    ["注文"],
]


def told(question, rows):
    """The numbers of every candidate, one word after the other."""
    embed = lambda word: shipped_vectors().embed([word])  # noqa: E731
    asked = name_words(question)
    asked = [word for word in asked if word not in STOP_WORDS] or asked
    weights = np.array([embed(word)[1][0] for word in asked])
    weights = weights / max(weights.sum(), 1e-6)

    def nearest(words, word):
        return max((float(embed(one)[0][0] @ embed(word)[0][0]) for one in words), default=0.0)

    real = [row for row in rows if row != EMPTY and TEXTS[row]]
    text = {row: [nearest(TEXTS[row], word) for word in asked] for row in real}
    name = {row: [nearest(NAMES[row], word) for word in asked] for row in real}

    def as_near(of, row):
        best = np.max(list(of.values()), axis=0)
        return float(np.exp((np.array(of[row]) - best) / 0.2) @ weights)

    numbers = []
    for place, row in enumerate(rows):
        if row not in real:
            numbers.append([0.0] * MEANINGS)
            continue
        better = np.max([np.zeros(len(asked)), *(text[o] for o in rows[:place] if o in real)], 0)
        numbers.append(
            [
                as_near(text, row),
                as_near(name, row),
                float(np.array(text[row]) @ weights),
                float(np.array(name[row]) @ weights),
                float(np.maximum(np.array(text[row]) - better, 0) @ weights),
                np.mean([max(nearest([own], word) for word in asked) for own in NAMES[row]]),
            ]
        )
    return numbers


@pytest.mark.parametrize("rows", [[0, 1, 2, 3, 4], [2, 3, 0, EMPTY, EMPTY]])
def test_numbers_are_those_of_a_plain_loop(rows):
    asked = np.array([rows] * len(QUESTIONS), np.int32)
    found = meaning_features(MemoryCollection(OBJECTS), QUESTIONS, asked)
    assert (found.shape, found.dtype) == ((len(QUESTIONS), 5, MEANINGS), np.float32)
    for own, question in zip(found, QUESTIONS, strict=True):
        np.testing.assert_allclose(own, told(question, rows), atol=2e-5)


def test_what_means_the_same_is_near_without_a_word_in_common():
    found = meaning_features(MemoryCollection(OBJECTS), QUESTIONS, np.array([[1, 0, 2]] * 4))
    assert found[0, :, 0].argmax() == 1
    assert found[1, :, 0].argmax() == 2


def test_a_batch_is_its_questions_one_by_one_and_padding_changes_nothing():
    rows = np.array([[0, 1, 2], [4, 2, EMPTY]], np.int32)
    collection, asked = MemoryCollection(OBJECTS), QUESTIONS[:2]
    together = meaning_features(collection, asked, rows)
    for place in range(2):
        alone = meaning_features(collection, asked[place : place + 1], rows[place : place + 1])
        np.testing.assert_array_equal(alone[0], together[place])
    wider = np.full((2, 5), EMPTY, np.int32)
    wider[:, :3] = rows
    padded = meaning_features(collection, asked, wider)
    np.testing.assert_array_equal(padded[:, :3], together)
    assert not padded[:, 3:].any()


@pytest.mark.parametrize("objects", [[], [OBJECTS[3]]], ids=["none", "no table"])
def test_where_there_are_no_tables_nothing_is_near(objects):
    rows = np.full((1, 2), EMPTY, np.int32)
    rows[0, : len(objects)] = 0
    assert not meaning_features(MemoryCollection(objects), ["Who?"], rows).any()


def test_a_word_has_the_mean_of_its_longest_pieces():
    pieces = ["a", "ab", "##c", "##cd"]
    vectors = WordVectors(pieces, np.array([[1, 0], [0, 2], [3, 0], [4, 0]]), np.ones(4))
    found, weights = vectors.embed(["abcd", "abc", "a", "?", "xa", ""])
    expected = np.array([[4, 2], [3, 2], [1, 0], [0, 0], [0, 0], [0, 0]], float)
    lengths = np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected / np.where(lengths, lengths, 1), rtol=1e-6)
    np.testing.assert_allclose(weights, [np.log(3), np.log(3), np.log(2), 0, 0, 0], rtol=1e-6)


def test_stop_words_of_another_language_have_no_meaning():
    pytest.importorskip("bm25s")
    objects = [Object(name, name, "", {"table": name}) for name in ("patient", "chambre")]
    index = gj.Index.build(objects, language="french")
    rows = np.array([[0, 1], [0, 1]], np.int32)
    with_stop_words, without = meaning_features(
        index, ["Que sont les patients ?", "patients"], rows
    )
    np.testing.assert_array_equal(with_stop_words, without)
