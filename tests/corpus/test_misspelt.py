import warnings

import pytest

from grapher_jax.corpus import NearKeys, warn_of_misspelt
from grapher_jax.errors import GrapherWarning


def told_of(key, value=("a",), **options):
    found = NearKeys(**options)
    found.look("x", {key: value})
    return found.told()


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("foreign_key", "foreign_keys"),
        ("ForeignKeys", "foreign_keys"),
        ("foreignkeys", "foreign_keys"),
        ("FOREIGN-KEY", "foreign_keys"),
        ("foriegn_keys", "foreign_keys"),
        ("entity", "entities"),
        ("Entities", "entities"),
        ("link", "links"),
        ("links_to", "links"),
        ("documentId", "document_id"),
        ("chunk_ids", "chunk_id"),
    ],
)
def test_a_key_that_is_almost_one_is_told_with_its_right_name(key, meant):
    assert told_of(key) == f"{key!r} is not read; write it as {meant!r} (1 object, such as 'x')"
    assert told_of(key, beside=True).startswith(f"{key!r} beside metadata is not read; put it into")


@pytest.mark.parametrize(
    "key",
    [
        "table",
        "db",
        "schema",
        "title",
        "link_count",
        "entity_type",
        "keys",
        "key",
        "ids",
        "chunk",
        "document",
        "keywords",
        "amr",
    ],
)
def test_keys_of_ones_own_are_left_alone(key):
    assert told_of(key) == told_of(key, beside=True) == ""


def test_a_link_that_is_a_string_is_the_objects_own_address():
    assert told_of("link", "https://example.org/a") == ""
    assert "'links'" in told_of("link", ["a", "b"])


def test_the_right_key_is_wrong_beside_metadata_alone():
    assert told_of("links") == ""
    assert told_of("links", beside=True).startswith("'links' beside metadata is not read")


def test_metadata_within_metadata_is_told():
    assert told_of("metadata", {"foreign_keys": ["a"]}).startswith(
        "'metadata' within metadata is not read; put its keys one level up"
    )
    assert told_of("metadata", {"colour": "red"}) == told_of("metadata", "red") == ""
    assert told_of("metadata", {"foreign_keys": ["a"]}, beside=True) == ""


def test_a_corpus_gets_one_warning_that_counts_and_names_an_object():
    metadata = [{"entity": ["a"]}, {}, {"entity": ["b"], "links_to": []}]
    with pytest.warns(GrapherWarning) as told:
        warn_of_misspelt(["p", "q", "r"], metadata)
    assert [str(one.message) for one in told] == [
        "metadata: 'entity' is not read; write it as 'entities' (2 objects, such as 'p'); "
        "'links_to' is not read; write it as 'links' (1 object, such as 'r')"
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_misspelt(["p"], [{"entities": ["a"], "colour": "red"}])
