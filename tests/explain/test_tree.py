"""Results that are tables are told how keys join them, as data and on the page."""

import pytest

from grapher_jax.corpus import Object
from grapher_jax.explain import explain_question, render_page
from grapher_jax.explain.tree import draw_tree, join_tree
from grapher_jax.index import IndexData
from grapher_jax.search import Index

KEYS = {
    "line": [("order_id", "order", "id"), ("product_id", "product", "id")],
    "order": [("customer_id", "customer", "id"), ("sold_by", "employee", "id")],
    "employee": [("boss", "employee", "id")],
    "product": [],
    "customer": [],
    "weather": [],
}


def table(name, keys):
    joins = [
        {"columns": [own], "references": other, "referenced_columns": [its]}
        for own, other, its in keys
    ]
    columns = ", ".join(["id", *(own for own, *_ in keys)])
    targets = [other for _, other, _ in keys if other != name]
    metadata = {"table": name, "foreign_keys": targets, "joins": joins}
    return Object(name, f"{name}: {columns}", "", metadata)


@pytest.fixture(scope="module")
def index(embedder) -> IndexData:
    """Tables of a shop, and one that no key joins."""
    return Index.build([table(*row) for row in KEYS.items()], embedder=embedder)


def told(tree):
    return [(row["id"], row["parent"], row["on"], row["bridge"]) for row in tree]


def test_a_table_between_two_results_is_a_bridge(index):
    assert told(join_tree(index, ["product", "weather", "customer"])) == [
        ("product", None, "", False),
        ("line", "product", "line.product_id = product.id", True),
        ("order", "line", 'line.order_id = "order".id', True),
        ("customer", "order", '"order".customer_id = customer.id', False),
    ]


def test_what_no_key_joins_has_no_tree(index, embedder):
    assert join_tree(index, ["weather"]) == join_tree(index, ["weather", "employee"]) == []
    mixed = [table("line", KEYS["line"])]
    mixed += [Object(name, name, "", {}) for name in ("order", "product", *"abcdefg")]
    assert join_tree(Index.build(mixed, embedder=embedder), ["order", "line"]) == []
    passages = [Object("a", "apples", "", {"links": ["b"]}), Object("b", "bears", "", {})]
    assert join_tree(Index.build(passages, embedder=embedder), ["a", "b"]) == []


def test_explanations_name_the_columns(index):
    report = explain_question(index, "Which customer ordered a line?", k=3, ranker="ppr")
    by_ends = {frozenset((one["source"], one["target"])): one for one in report["edges"]}
    (join,) = by_ends[frozenset(("order", "customer"))]["joins"]
    assert join["text"] == "order.customer_id = customer.id"
    assert join["names"] == ("order", "customer")
    assert {row["id"] for row in report["tree"]} >= {row["id"] for row in report["results"]}


@pytest.mark.parametrize(
    ("joins", "text"),
    [
        ([(["a", "b"], ["x", "y"])], "one.a = two.x and one.b = two.y"),
        ([(["a"], ["x"]), (["b"], ["x"])], "one.a = two.x or one.b = two.x"),
        ([(["a"], [])], "one references two"),
        ([(["a"], "x")], "one references two"),
        ([([], [])], "one references two"),
        ([([f"c{n}"], ["x"]) for n in range(5)], " or 2 more"),
    ],
)
def test_keys_of_several_columns_and_several_keys(embedder, joins, text):
    records = [
        {"columns": own, "references": "two", "referenced_columns": other} for own, other in joins
    ]
    tables = [
        Object("one", "one: a, b", "", {"foreign_keys": ["two"], "joins": [*records, 5, None]}),
        Object("two", "two: x, y", "", {}),
    ]
    report = explain_question(Index.build(tables, embedder=embedder), "one?", ranker="gcs")
    (edge,) = report["edges"]
    (join,) = edge["joins"]
    assert join["text"].endswith(text) and len(join["text"]) < 300


def test_the_page_draws_the_tree_and_whatever_names_hold_is_text(index):
    report = explain_question(index, "Which customer ordered a line?", k=3)
    page = render_page(report | {"tree": join_tree(index, ["product", "customer"])})
    assert "<h2>How they are joined</h2>" in page
    assert page.count("connects others</small>") == 2
    assert "<code><bdi>line.product_id = product.id</bdi></code>" in page
    hostile = {"id": "<b>", "parent": None, "on": "\u202e</code>", "bridge": False}
    drawn = draw_tree([hostile], {"<b>": "<script>"})
    assert "<script>" not in drawn and "&lt;script&gt;" in drawn
    assert "&lt;/code&gt;" in drawn and "\u202e" not in drawn
    assert "How they are joined" not in render_page(report | {"tree": []})
