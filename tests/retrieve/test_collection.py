import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from memory_collection import MemoryCollection

from grapher_jax import Object, Query
from grapher_jax.retrieve import Candidates, Kept, Questions

TWO = MemoryCollection([Object("a", "milk"), Object("b", "", "A bridge")])


def test_a_thing_is_made_once_whatever_the_threads():
    kept, made, barrier = Kept(), [], threading.Barrier(8)

    def make(collection, size):
        made.append(size)
        return [size]

    def ask(number):
        barrier.wait()
        return kept.get(make, TWO, number % 2)

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(ask, range(8)))
    assert sorted(made) == [0, 1]
    assert found == [[number % 2] for number in range(8)]
    assert len({id(one) for one in found}) == 2


def test_what_makes_a_thing_may_ask_for_another():
    kept = Kept()

    def first(collection):
        return len(collection.ids)

    def second(collection):
        return kept.get(first, collection) + 1

    assert kept.get(second, TWO) == 3


def test_what_fails_is_made_again():
    kept, tries = Kept(), []

    def make(collection):
        tries.append(1)
        return 1 / (len(tries) - 1)

    for _ in range(2):
        try:
            found = kept.get(make, TWO)
        except ZeroDivisionError:
            found = None
    assert found == 1.0


def test_questions_are_embedded_when_they_are_first_read_and_as_a_whole():
    asked = []

    def embed():
        asked.append(1)
        return np.eye(3, dtype=np.float32)

    questions = Questions([Query(str(n), f"{n}?") for n in range(3)], embed)
    found = Candidates(np.zeros((3, 1), np.int32), np.ones((3, 1), np.float32), questions)
    block = found.block(slice(1, 3), (4, 2))
    assert not asked
    assert [query.id for query in block.questions] == ["1", "2"]
    np.testing.assert_array_equal(block.questions.embeddings[:2], np.eye(3)[1:])
    assert (block.questions.embeddings[2:] == 0).all()
    assert questions.embeddings.shape == (3, 3)
    assert len(asked) == 1


def test_texts_stand_beside_their_questions():
    questions = Questions([Query("q", "which?")], lambda: np.zeros((1, 2), np.float32))
    found = Candidates(np.array([[1, 0, -1]], np.int32), np.ones((1, 3), np.float32), questions)
    assert list(found.texts(TWO.objects)) == [
        ((0, 0), ("which?", "A bridge")),
        ((0, 1), ("which?", "milk")),
    ]
