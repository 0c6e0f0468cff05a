"""Tables and the keys that join them."""

import pytest

from grapher_jax.corpus import Object
from grapher_jax.corpus.columns import Column, columns_of
from grapher_jax.errors import InputError
from grapher_jax.tables.schema import Schema


def rows(schema, *names):
    return [schema.row[name] for name in names]


def test_keys_join_tables_and_what_a_view_reads_joins_nothing(schema):
    told = {
        (key.table, key.columns, key.references, key.referenced_columns) for key in schema.joins
    }
    assert told == {
        ("customer", ("country",), "country", ("code",)),
        ("customer", ("parent_id",), "customer", ("id",)),
        ("sales_order", ("customer_id",), "customer", ("id",)),
        ("order_line", ("product_id",), "product", ("id",)),
        ("order_line", ("order_id",), "sales_order", ("id",)),
        ("shipped_line", ("order_id", "line"), "order_line", ("order_id", "line")),
    }
    component = schema.component
    assert len({component[row] for row in rows(schema, "country", "product", "shipped_line")}) == 1
    alone = rows(schema, "weather_station", "heavy_product", "product")
    assert len({component[row] for row in alone}) == 3


def test_pieces_are_connected_by_keys_between_them_alone(schema):
    customer, line, order, product = rows(
        schema, "customer", "order_line", "sales_order", "product"
    )
    assert schema.pieces([product, customer, line]) == [[product, line], [customer]]
    assert schema.pieces([product, customer, line, order]) == [[product, customer, line, order]]
    assert schema.pieces([]) == []


def test_a_table_has_its_columns_and_what_names_its_rows(schema):
    product = schema.table(schema.row["product"])
    assert product.columns[1] == Column("title", "VARCHAR(40)")
    assert (product.primary_key, product.dialect, product.kind) == (("id",), "sqlite", "table")
    assert schema.keys_of(schema.row["order_line"]) == {"order_id", "line", "product_id"}
    assert schema.keys_of(schema.row["product"]) == {"id"}
    assert schema.keys_of(schema.row["weather_station"]) == set()


def test_columns_are_read_from_a_text():
    item = Object("t", "city: id, name (name of the city), Zip Code")
    assert columns_of(item) == (
        Column("id"),
        Column("name", comment="name of the city"),
        Column("Zip Code"),
    )


def test_a_key_without_columns_joins_tables_of_a_beir_folder():
    objects = [Object("a", "a: x", metadata={"foreign_keys": ["b"]}), Object("b", "b: y")]
    found = Schema(objects)
    assert found.pieces([0, 1]) == [[0, 1]]
    assert found.joins[0].columns == ()


@pytest.mark.parametrize(
    ("name", "found"),
    [("Product", "product"), ("SALES_ORDER", "sales_order"), ("public.Product", "product")],
)
def test_names_are_found_in_any_case_and_with_the_default_schema(schema, name, found):
    assert schema.ids[schema.find(name)] == found


def test_an_unknown_name_tells_near_ones(schema):
    with pytest.raises(InputError, match="'produkt' is not in the index; near names: product"):
        schema.find("produkt")


def test_near_names_are_told_once():
    objects = [Object("billing.payment", "x", metadata={"table": "payment", "schema": "billing"})]
    with pytest.raises(InputError, match=r"near names: billing\.payment$"):
        Schema(objects).find("payments")


def test_a_name_of_two_tables_is_no_answer():
    objects = [Object(f"{db}.city", "city: id", metadata={"table": "city"}) for db in "ab"]
    with pytest.raises(InputError, match=r"'city' may be any of a\.city, b\.city; give its id"):
        Schema(objects).find("city")
    assert Schema(objects).find("b.city") == 1


def test_an_id_in_another_case_goes_before_the_name_of_another_table():
    own = Object("orders", "", metadata={"table": "orders"})
    other = Object("s.orders", "", metadata={"table": "orders", "schema": "s"})
    assert Schema([other, own]).find("ORDERS") == 1


def test_columns_of_one_name_or_none_are_read_once():
    item = Object("t", "", metadata={"columns": [{"name": "a"}, {"name": "a"}, {"name": " "}]})
    assert columns_of(item) == (Column("a"),)
    assert columns_of(Object("t", "t: x, , x, y")) == (Column("x"), Column("y"))


def test_a_key_finds_its_columns_in_any_case():
    key = {"columns": ["B_ID"], "references": "b", "referenced_columns": ["Id"]}
    objects = [
        Object("a", "a: b_id", metadata={"joins": [key]}),
        Object("b", "b: id", metadata={}),
        Object("c", "c: other", metadata={"joins": [key | {"references": "b"}]}),
    ]
    known, missing = Schema(objects).joins
    assert (known.columns, known.referenced_columns) == (("b_id",), ("id",))
    assert (missing.table, missing.columns, missing.referenced_columns) == ("c", (), ())
    assert Schema(objects).keys_of(0) == {"b_id"}
