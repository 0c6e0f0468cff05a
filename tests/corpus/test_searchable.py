from dataclasses import replace

import pytest

from grapher_jax.corpus import TEXT_PARTS, Object, searchable_texts
from grapher_jax.corpus.searchable import are_tables, default_text
from grapher_jax.errors import InputError

COLUMNS = [
    {"name": "id", "type": "INTEGER"},
    {"name": "payer", "type": "INTEGER", "comment": "who pays"},
    {"name": "note", "type": "TEXT", "comment": " "},
]
SHOP = [
    Object("s.customer", "customer: id", metadata={"db": "shop", "table": "customer"}),
    Object(
        "s.order",
        "order: id, payer, note",
        metadata={
            "db": "shop",
            "table": "order",
            "schema": "s",
            "comment": "what was bought",
            "columns": COLUMNS,
            # Itself, what is not there, and one named twice say nothing more.
            "foreign_keys": ["s.customer", "s.order", "gone", "s.customer"],
        },
    ),
    Object("s.line", "line: order", metadata={"foreign_keys": ["s.order", "s.customer"]}),
    Object("page", "no table at all", "A title"),
]


def text_of_order(*parts):
    return searchable_texts(SHOP, parts)[1]


def test_without_parts_a_text_is_title_and_text():
    assert searchable_texts(SHOP) == [item.searchable_text for item in SHOP]
    assert searchable_texts(SHOP, ["split"]) == searchable_texts(SHOP)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("database", "shop order: id, payer, note"),
        ("schema", "s order: id, payer, note"),
        ("neighbors", "order: id, payer, note references customer referenced by s.line"),
        ("comments", "order: id, payer, note what was bought who pays"),
        ("types", "order: id, payer, note INTEGER TEXT"),
    ],
)
def test_each_part_adds_its_own(part, text):
    assert text_of_order(part) == text


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("ARRAY<STRUCT<sku STRING, unit_price NUMERIC(10, 2)>>", "sku unit_price"),
        ("STRUCT<name STRING, at STRUCT<zip_code STRING OPTIONS(description='a, b c')>>", None),
        ("STRUCT<x: INT, `y`: MAP<STRING, INT>>", "x y"),
        ('STRUCT(a INTEGER, "b" VARCHAR)[]', "a b"),
        ("Nested(a UInt8, b Array(String))", "a b"),
        ("DECIMAL(10, 2)", ""),
        ("ARRAY<STRING>", ""),
    ],
)
def test_fields_within_a_column_are_told_with_the_comments(kind, fields):
    table = Object("a", "", "a: lines", {"columns": [{"name": "lines", "type": kind}]})
    expected = "name at zip_code" if fields is None else fields
    assert searchable_texts([table], ["comments"]) == [f"a: lines {expected}".strip()]


def test_neighbours_are_told_from_both_ends_in_order():
    texts = searchable_texts(SHOP, ["neighbors"])
    assert texts[0] == "customer: id referenced by order, s.line"
    assert texts[2] == "line: order references customer, order"
    assert texts[3] == "A title no table at all"


def test_the_order_in_which_parts_are_named_does_not_matter():
    assert text_of_order(*TEXT_PARTS) == text_of_order(*reversed(TEXT_PARTS))
    assert text_of_order("types", "types") == text_of_order("types")


def test_linked_titles_are_told_from_both_ends():
    pages = [
        Object("a", "one", "Apples", {"links": ["b", "gone"], "headings": ["Fruit", "Kernels"]}),
        Object("b", "two", "", {"links": ["a"]}),
    ]
    texts = searchable_texts(pages, ["links", "headings"])
    assert texts == [
        "Fruit Kernels Apples one links to b linked from b",
        "two links to Apples linked from Apples",
    ]


def test_an_inferred_key_makes_a_neighbour():
    tables = [Object("a", "a", metadata={"inferred_keys": ["b"]}), Object("b", "b")]
    assert searchable_texts(tables, ["neighbors"]) == ["a references b", "b referenced by a"]


def test_how_all_names_of_a_database_begin_is_left_out():
    names = ["my_app_order", "my_app_line", "my_app_item", "my_app_user", "my_app_list"]
    others = ["my_app_note", "notes", "nodes", "noses", "noise"]
    tables = [
        Object(f"{db}.{name}", f"{name}: id", metadata={"db": db, "table": name})
        for db, listed in (("one", names), ("other", others), ("few", names[:3]))
        for name in listed
    ]
    texts = searchable_texts(tables, ["prefix"])
    assert texts[:5] == ["order: id", "line: id", "item: id", "user: id", "list: id"]
    assert texts[5:] == [item.text for item in tables[5:]]


def test_metadata_of_other_forms_says_nothing():
    odd = Object("a", "b", metadata={"db": 3, "schema": [], "comment": "", "columns": ["c", {}]})
    assert searchable_texts([odd], TEXT_PARTS) == ["b"]


def test_an_unknown_part_is_named():
    with pytest.raises(
        InputError, match="text: 'neighbours' is unknown; use split, people, prefix, "
    ):
        searchable_texts(SHOP, ["neighbours"])


@pytest.mark.parametrize(
    ("objects", "tables"),
    [
        (SHOP, True),
        ([Object("a", "a", metadata={"foreign_keys": ["b"]}), Object("b", "b")], True),
        ([Object("a", "a", metadata={"columns": COLUMNS}), Object("b", "b")], False),
        ([Object("a", "a", metadata={"links": ["b"], "entities": ["x"]}), Object("b", "b")], False),
        ([], False),
    ],
)
def test_tables_are_told_from_what_joins_them(objects, tables):
    assert are_tables(objects) == tables
    assert default_text(objects) == (("split", "schema", "neighbors", "comments") if tables else ())


def table(name, database="crm"):
    return Object(name, f"{name}: id", metadata={"db": database, "table": name})


@pytest.mark.parametrize(
    ("objects", "people"),
    [
        ([table("orders"), table("auth_user")], True),
        ([table("orders"), table("FacilityUsers")], True),
        ([table("orders"), table("staff")], False),
        ([table("orders"), table("user_agents")], False),
        ([table("orders"), table("auth_user", "other")], False),
        ([Object("orders", "id", metadata={"table": "users"})], False),
    ],
)
def test_people_are_asked_for_where_one_database_has_users(objects, people):
    parts = default_text(objects)
    assert ("people" in parts) == people
    assert [part for part in parts if part != "people"] == [
        "split",
        "schema",
        "neighbors",
        "comments",
    ]


def test_what_is_not_there_makes_no_tables():
    pages = [Object(f"p{n}", "text") for n in range(9)]
    pages.append(Object("odd", "text", metadata={"foreign_keys": [f"gone{n}" for n in range(60)]}))
    assert not are_tables(pages)


def test_a_prefix_is_left_out_where_a_word_begins_alone():
    tables = [
        Object(f"t_x{n}", f"t_x{n}: cost_total, t_x0", metadata={"db": "d", "table": f"t_x{n}"})
        for n in range(5)
    ]
    assert searchable_texts(tables, ["prefix"])[1] == "x1: cost_total, t_x0"
    titled = [replace(item, title=item.id, text="id, t_x0") for item in tables]
    assert searchable_texts(titled, ["prefix"])[1] == "x1 id, t_x0"
