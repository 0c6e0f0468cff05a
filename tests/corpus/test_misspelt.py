import warnings

import pytest

import grapher_jax as gj
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


@pytest.mark.parametrize(
    ("reference", "other", "told"),
    [
        ("public.customers", "customers", True),
        ("CUSTOMERS", "customers", True),
        ("customers", "public.customers", False),  # that of the default schema may be missing
        ("old.customers", "new.customers", False),  # two tables
        ("nowhere", "customers", False),
        ("orders", "customers", False),  # to itself
    ],
)
def test_references_that_miss_by_case_or_schema_are_told(reference, other, told):
    found = [
        {"id": "orders", "score": 0.9, "metadata": {"foreign_keys": [reference]}},
        {"id": other, "score": 0.1},
    ]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        gj.Reranker(ranker="gcs").rerank("who?", found)
        # One that hits is enough: the others may be of tables that were not retrieved.
        hit = {"id": "bills", "score": 0.2, "metadata": {"foreign_keys": ["orders"]}}
        gj.Reranker(ranker="gcs").rerank("who?", [*found, hit])
    message = f"foreign_keys: {reference!r} is no candidate, but {other!r} is"
    assert [message in str(one.message) for one in warned] == [True] * told


def test_only_candidates_of_ones_own_list_are_missed():
    orders = {"id": "orders", "score": 0.9, "metadata": {"foreign_keys": ["Customers"]}}
    here = [orders, {"id": "bills", "score": 0.1}]
    elsewhere = [{"id": "customers", "score": 0.9}, {"id": "bills", "score": 0.1}]
    twins = [orders | {"id": "Customers"}, {"id": "customers", "score": 0.1}]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gj.Reranker(ranker="gcs").rerank_batch(["who?"] * 3, [here, elsewhere, twins])
