"""What networks read of names, where a question is in another language than these."""

import numpy as np
import pytest
from memory_collection import MemoryCollection

from grapher_jax import Object
from grapher_jax.systems.grapher.meanings import meaning_features
from grapher_jax.systems.grapher.reading import name_features
from grapher_jax.systems.grapher.words import word_features


def table(name, *columns):
    return Object(name, "", metadata={"table": name, "columns": [*columns]})


OBJECTS = [
    table("t_ck", {"name": "id", "comment": "仓库编号"}, {"name": "dz"}),
    table("t_kh", {"name": "id", "comment": "客户编号"}),
    table("注文", {"name": "id"}),
]
ROWS = np.array([[0, 1, 2]], np.int32)


@pytest.mark.parametrize(
    ("question", "read"),
    [("哪个仓库最大?", False), ("注文は何件ですか", True), ("Which warehouse is large?", True)],
)
def test_names_count_only_where_they_say_something_of_the_question(question, read):
    collection = MemoryCollection(OBJECTS)
    words = word_features(collection, [question], ROWS)
    assert words.any()
    found = name_features(collection, [question, "Which id?"], np.repeat(ROWS, 2, 0))
    np.testing.assert_array_equal(found["words"][0], words[0] if read else 0)
    assert found["words"][1].any()
    np.testing.assert_array_equal(
        found["meanings"][:1], meaning_features(collection, [question], ROWS)
    )


def test_what_a_network_does_not_read_is_left_out():
    found = name_features(MemoryCollection(OBJECTS), ["哪个仓库最大?"], ROWS, inputs=["words"])
    assert found["meanings"] is None and found["words"].any()
    assert set(name_features(MemoryCollection(OBJECTS), ["x"], ROWS, inputs=()).values()) == {None}
