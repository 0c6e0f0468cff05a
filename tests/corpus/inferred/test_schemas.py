"""Keys by name within schemas and between them."""

import pytest

from grapher_jax.corpus import Object
from grapher_jax.corpus.inferred.stage import KeyChoice, with_inferred_keys


def test_databases_and_schemas_are_kept_apart():
    def table(db, schema, name, columns):
        metadata = {"db": db, "table": name} | ({"schema": schema} if schema else {})
        return Object(f"{db}.{schema}.{name}", f"{name}: {columns}", metadata=metadata)

    objects = [
        table("one", "", "customer", "id, name"),
        table("two", "", "orders", "id, customer_id"),
        table("three", "old", "customer", "id, name"),
        table("three", "new", "customer", "id, name"),
        table("three", "new", "orders", "id, customer_id"),
        table("four", "people", "employee", "id, name"),
        table("four", "shop", "sale", "id, employee_id"),
        Object("text", "employee_id", metadata={"table": ["none"]}),
    ]
    found = with_inferred_keys(objects, KeyChoice("always"))
    assert {item.id: item.metadata["inferred_keys"] for item in found if "inferred_keys" in item.metadata} == {
        "three.new.orders": ["three.new.customer"],
        "four.shop.sale": ["four.people.employee"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("own", "key", "referenced"),
    [
        ("shop_users", "id", "core.users"),
        ("users", "id", "shop.users"),
        # The column has the name of the key in its own schema.
        ("shop_users", "user_id", "shop.shop_users"),
    ],
)
def test_the_whole_name_of_another_schema_precedes_a_part_of_one_beside(own, key, referenced):
    def table(schema, name, columns):
        metadata = {"db": "d", "schema": schema, "table": name}
        return Object(f"{schema}.{name}", f"{name}: {columns}", metadata=metadata)

    objects = [
        table("core", "users", "id, name"),
        table("shop", own, f"{key}, name"),
        table("shop", "orders", "id, user_id, total"),
    ]
    *_, orders = with_inferred_keys(objects, KeyChoice("always"))
    assert orders.metadata["inferred_keys"] == [referenced]


def test_a_schema_whose_tables_begin_with_its_name_keeps_its_keys():
    tables = {
        "sales": {
            "sales_user": "id, name",
            "sales_order": "id, user_id",
            "sales_item": "id, order_id",
        },
        "hr": {"user": "id, name", "order": "id, x", "leave": "id, user_id", "team": "id, name"},
    }
    objects = [
        Object(f"{schema}.{name}", f"{name}: {columns}", metadata={"db": "d", "schema": schema, "table": name})
        for schema, own in tables.items()
        for name, columns in own.items()
    ]  # fmt: skip
    found = with_inferred_keys(objects, KeyChoice("always"))
    assert {item.id: item.metadata["inferred_keys"] for item in found if "inferred_keys" in item.metadata} == {
        "sales.sales_order": ["sales.sales_user"],
        "sales.sales_item": ["sales.sales_order"],
        "hr.leave": ["hr.user"],
    }  # fmt: skip
