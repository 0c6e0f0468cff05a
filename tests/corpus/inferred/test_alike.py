"""Columns reference what declared keys of the same name do."""

from dataclasses import replace

import pytest

from grapher_jax.corpus.inferred.alike import infer_alike
from grapher_jax.corpus.inferred.types import Table


def table(name, *columns, **declared):
    types = dict.fromkeys(("id", *columns), "integer")
    keys = {(column,): target for column, target in declared.items()}
    return Table(name, name, ("id", *columns), types, (("id",),), declared=keys)


def found(*tables):
    return [(key.table, *key.columns, key.references) for key in infer_alike(tables)]


def test_a_column_references_what_its_name_does_elsewhere():
    people, pet = table("people"), table("pet", "keeper", keeper="people")
    assert found(people, pet, table("visit", "keeper")) == [("visit", "keeper", "people")]


@pytest.mark.parametrize(
    "others",
    [
        # The same name leads to two tables, or to a table itself.
        [table("pet", "keeper", keeper="people"), table("lion", "keeper", keeper="zoo")],
        [table("pet", "parent", parent="pet")],
        # It says nothing.
        [
            Table(
                "extra", "extra", ("id",), {"id": "integer"}, (("id",),), declared={("id",): "zoo"}
            )
        ],
        # A declared key of two columns has its own meaning.
        [
            Table(
                "pet",
                "pet",
                ("id", "keeper", "place"),
                {},
                (("id",),),
                declared={("keeper", "place"): "people"},
            )
        ],
    ],
)
def test_names_that_mean_several_tables_or_none_are_left_alone(others):
    assert found(table("people"), table("zoo"), *others, table("visit", "keeper", "parent")) == []


def test_what_most_tables_have_joins_none_of_them():
    others = [table(f"thing{number}", "writer") for number in range(18)]
    told = table("page", "writer", writer="people")
    assert found(table("people"), told, *others) == []
    few = others[:9]
    assert len(found(table("people"), told, *few, *(table(f"a{n}") for n in range(9)))) == len(few)


def test_what_a_history_copies_joins_nothing():
    page = table("page", "writer", "title", writer="people")
    history = table("historical_page", "writer", "title", "changed")
    assert found(table("people"), page, history) == []


def test_types_must_fit():
    visit = Table("visit", "visit", ("keeper",), {"keeper": "date"})
    assert found(table("people"), table("pet", "keeper", keeper="people"), visit) == []


def test_a_family_of_tables_references_its_own():
    old = [table("v4_subnet"), table("v4_pool", "subnet", subnet="v4_subnet")]
    assert found(*old, table("host", "subnet")) == [("host", "subnet", "v4_subnet")]
    assert found(*old, table("v6_subnet"), table("v6_pool", "subnet")) == []
    # A name need not have words.
    assert found(*old, table("_", "subnet")) == [("_", "subnet", "v4_subnet")]


def test_a_table_of_the_own_family_may_end_as_that_of_another():
    declared = table("res_partner", "category_id", category_id="res_partner_category")
    known = table("res_partner_category"), table("uom_category"), declared
    assert found(*known, table("uom_uom", "category_id")) == []
    assert found(*known, table("crm_lead", "category_id")) == [
        ("crm_lead", "category_id", "res_partner_category")
    ]


def test_declared_keys_are_left_as_they_are():
    pets = [table(name, "keeper", keeper="people") for name in ("pet", "horse")]
    assert found(table("people"), *pets) == []


def test_a_copy_of_a_schema_has_tables_of_its_own():
    public = [table("customer"), table("order", "buyer", buyer="customer")]
    copies = [replace(one, id=f"copy.{one.name}", schema="copy", declared={}) for one in public]
    assert found(*public, *copies) == []
    others = replace(copies[1], id="other.order", schema="other")
    assert found(*public, *copies, others) == [("other.order", "buyer", "customer")]
