"""Metadata as scalars, and back."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grapher_jax.corpus.flat import flatten, unflatten
from grapher_jax.errors import InputError

STRINGS = st.text(st.characters(codec="utf-8"))
METADATA = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(["foreign_keys", "links", "entities", "keywords"], st.lists(STRINGS)),
        "document_id": STRINGS,
        "chunk_id": st.integers(0, 2**31 - 2),
        "other": STRINGS | st.integers() | st.booleans() | st.floats(allow_nan=False),
    },
)


@given(METADATA)
def test_what_was_flattened_comes_back(metadata):
    flat = flatten(metadata)
    assert all(isinstance(value, str | int | float | bool) for value in flat.values())
    assert unflatten(flat) == metadata
    assert unflatten(json.loads(json.dumps(flat))) == metadata
    # Also from a store that holds lists.
    assert unflatten(metadata) == metadata


def test_stores_have_ways_of_their_own():
    found = unflatten(
        {
            "entities": np.array(["a", "b"]),
            "links": ("c",),
            "foreign_keys": None,
            "keywords": "a, b",
            "chunk_id": 3.0,
            "document_id": 17,
            "level": 2.5,
        }
    )
    assert found == {
        "entities": ["a", "b"],
        "links": ["c"],
        "chunk_id": 3,
        "document_id": "17",
        "level": 2.5,
    }
    assert unflatten({"document_id": 17.0}) == {"document_id": "17"}
    assert isinstance(found["chunk_id"], int)
    assert {type(name) for name in found["entities"]} == {str}
    assert unflatten(None) == {}


def test_other_values_become_json():
    flat = flatten({"span": [1, 2], "more": {"é": None}, "nothing": None, "n": np.int64(3)})
    assert flat == {"span": "[1, 2]", "more": '{"é": null}', "n": 3}
    with pytest.raises(InputError, match=r"metadata.when must hold JSON values .* not <object"):
        flatten({"when": object()})


@pytest.mark.parametrize("value", ["Boston, Paris", '["a", 1]', '{"a": 1}', "3", 3, [1], {"a"}])
def test_what_is_no_list_of_strings_is_named(value):
    with pytest.raises(InputError, match=r"^record 'x': metadata.entities must be a list of str"):
        unflatten({"entities": value}, "record 'x'")
    with pytest.raises(InputError, match=r'^metadata.links .* such as \["a", "b"\], not '):
        unflatten({"links": value})
