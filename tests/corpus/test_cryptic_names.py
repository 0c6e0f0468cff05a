"""Tables whose names tell nothing, as SAP's, and what their comments call them."""

from dataclasses import replace

import numpy as np
import pytest
from memory_collection import MemoryCollection

from grapher_jax.corpus import Object, searchable_texts
from grapher_jax.corpus.columns import is_cryptic, readable_names
from grapher_jax.search import Index
from grapher_jax.systems.grapher.meanings import meaning_features
from grapher_jax.systems.grapher.words import word_features


def table(name, columns, comment="", keys=()):
    told = [{"name": own} | ({"comment": said} if said else {}) for own, said in columns.items()]
    return Object(
        name,
        f"{name}: {', '.join(columns)}",
        metadata={"table": name, "comment": comment, "columns": told, "foreign_keys": [*keys]},
    )


KNA1 = table("KNA1", {"KUNNR": "Customer number", "ORT01": "City"}, "Customers: master data")
VBAK = table(
    "VBAK", {"VBELN": "Document", "KUNNR": "Customer number", "ERDAT": ""}, "Sales", ["KNA1"]
)
ORDERS = table("orders", {"id": "", "customer_id": "who pays"}, "Loaded every night")


def test_names_of_codes_are_cryptic_where_comments_tell():
    assert [*map(is_cryptic, (KNA1, VBAK, ORDERS))] == [True, True, False]
    assert not is_cryptic(table("KNA1", {"KUNNR": "", "ORT01": ""}))
    # Names and comments of another language say as much as each other.
    assert not is_cryptic(table("bestellung", {"kundennr": "Nummer des Bestellers"}, "Aufträge"))
    assert not is_cryptic(Object("KNA1", "KNA1: KUNNR", metadata={"comment": "Customers"}))
    assert readable_names(KNA1) == ("Customers", ["Customer number", "City"])
    assert readable_names(VBAK) == ("Sales", ["Document", "Customer number", "ERDAT"])
    assert readable_names(ORDERS) == ("orders", ["id", "customer_id"])
    assert readable_names(Object("page", "No table.")) == ("", [])


@pytest.mark.parametrize("odd", [3, ["x"], {"a": "b"}, None, " "])
def test_comments_of_other_forms_tell_nothing(odd):
    metadata = {**KNA1.metadata, "comment": odd, "columns": ["KUNNR", {"name": "ORT01"}]}
    assert readable_names(replace(KNA1, metadata=metadata))[0] == "KNA1"


def test_comments_of_cryptic_tables_come_first_and_name_them_to_their_neighbours():
    parts = ["neighbors", "comments"]
    assert searchable_texts([KNA1, VBAK], parts) == [
        "Customers: master data Customer number City KNA1: KUNNR, ORT01 referenced by Sales",
        "Sales Document Customer number VBAK: VBELN, KUNNR, ERDAT references Customers",
    ]
    assert searchable_texts([ORDERS], parts) == [
        "orders: id, customer_id Loaded every night who pays"
    ]
    assert searchable_texts([KNA1], []) == ["KNA1: KUNNR, ORT01"]


@pytest.mark.parametrize("features", [word_features, meaning_features])
def test_words_are_those_of_a_table_that_is_called_as_its_comments_say(features):
    """But for the words of codes, which no question here says."""
    plain = [
        table("Customers", {"Customer number": "", "City": ""}),
        table("Sales", {"Document": "", "Customer number": "", "ERDAT": ""}),
    ]
    rows = np.array([[0, 1]], np.int32)
    asked = ["What sales were there to customers in the city?"]
    cryptic = [replace(KNA1, metadata={**KNA1.metadata, "comment": "Customers"}), VBAK]
    np.testing.assert_array_equal(
        features(MemoryCollection(cryptic), asked, rows),
        features(MemoryCollection(plain), asked, rows),
    )


def test_an_update_that_changes_a_comment_changes_the_text_of_neighbours(embedder):
    parts = ["neighbors", "comments"]
    index = Index.build([KNA1, VBAK], embedder=embedder, text=parts)
    buyers = replace(KNA1, metadata={**KNA1.metadata, "comment": "Buyers"})
    updated = index.update([buyers])
    built = Index.build([buyers, VBAK], embedder=embedder, text=parts)
    rows = [built.rows[name] for name in updated.ids]
    np.testing.assert_allclose(updated.embeddings, built.embeddings[rows], atol=1e-6)


@pytest.mark.parametrize(
    ("comment", "called"),
    [
        ("Purch. Doc. Item", "Purch. Doc. Item"),
        ("No. of items", "No. of items"),
        ("Customer master. One row each", "Customer master"),
        ("Plants of the company.", "Plants of the company"),
    ],
)
def test_an_abbreviation_ends_no_name(comment, called):
    columns = [{"name": "KUNNR"}, {"name": ["odd"], "comment": "Of no column"}]
    metadata = {**KNA1.metadata, "comment": comment, "columns": columns}
    assert readable_names(replace(KNA1, metadata=metadata))[0] == called
