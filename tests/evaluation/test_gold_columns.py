"""The columns that the SQL of questions reads, and how many of them are kept."""

import pytest

from grapher_jax.corpus import JudgedQuestion, Object, Query
from grapher_jax.corpus.inferred.statements import read_columns
from grapher_jax.corpus.inferred.tables import Tables
from grapher_jax.errors import InputError
from grapher_jax.evaluation import evaluate
from grapher_jax.evaluation.gold_columns import column_recall, gold_columns
from grapher_jax.search import Index


def table(name, columns, **metadata):
    database, _, bare = name.partition(".")
    told = {"db": database, "table": bare, **metadata}
    return Object(name, f"{bare}: {columns}", metadata=told)


OBJECTS = [
    table("shop.orders", "id, customer_id, Placed, total"),
    table("shop.customer", "id, name, town"),
    table("zoo.orders", "rank, latin"),
]


@pytest.mark.parametrize(
    ("sql", "asked", "joining"),
    [
        ("SELECT count(*), max(placed) FROM orders", {"orders.Placed"}, set()),
        ("SELECT * FROM orders", set(), set()),
        (
            "SELECT name FROM orders AS o JOIN customer c ON (o.customer_id) = c.id WHERE total > 3",
            {"customer.name", "orders.total"},
            {"orders.customer_id", "customer.id"},
        ),
        ("SELECT name FROM customer JOIN orders USING (id)", {"customer.name"}, {"orders.id"}),
        (
            "SELECT name FROM customer WHERE id NOT IN (SELECT customer_id FROM orders)",
            {"customer.name"},
            {"customer.id", "orders.customer_id"},
        ),
        (
            "SELECT s.n FROM (SELECT town AS n FROM customer GROUP BY id) AS s ORDER BY s.n",
            {"customer.town", "customer.id"},
            set(),
        ),
        (
            "SELECT name FROM customer c WHERE EXISTS (SELECT 1 FROM orders WHERE total = town)",
            {"customer.name"},
            {"orders.total", "customer.town"},
        ),
        (
            'SELECT `name` FROM customer WHERE town = "Rome"',
            {"customer.name", "customer.town"},
            set(),
        ),
        ("SELECT latin FROM orders, elsewhere", set(), set()),
    ],
)
def test_columns_that_join_are_apart_from_those_that_are_asked_for(sql, asked, joining):
    read = read_columns(Tables(OBJECTS[:2]), sql, "sqlite")
    told = (
        {".".join(one).removeprefix("shop.") for one in own} for own in (read.asked, read.joining)
    )
    found_asked, found_joining = told
    assert found_asked == asked
    assert found_joining >= joining
    if not joining:
        assert not found_joining


def test_sql_that_is_none_is_told():
    with pytest.raises(InputError, match="cannot be parsed"):
        read_columns(Tables(OBJECTS), "SELECT FROM WHERE (", "sqlite")


def test_gold_columns_are_of_the_questions_database_and_its_relevant_tables():
    queries = {
        "a": Query("a", "", {"sql": "SELECT rank FROM orders"}),
        "b": Query("b", "", {"sql": "SELECT name, total FROM orders JOIN customer"}),
        "c": Query("c", "", {"sql": "SELECT ((("}),
        "d": Query("d", ""),
    }
    judged = {
        "a": {"zoo.orders": 1},
        "b": {"shop.customer": 1, "shop.orders": 0},
        "c": {"shop.orders": 1},
        "d": {"shop.orders": 1},
    }
    found = gold_columns(OBJECTS, queries, judged)
    assert {query: set(read.asked) for query, read in found.items()} == {
        "a": {("zoo.orders", "rank")},
        "b": {("shop.customer", "name")},
    }
    assert gold_columns(OBJECTS, queries, {"d": judged["d"]}) is None


def test_sql_is_read_in_the_dialect_of_its_tables():
    orders = table("shop.orders", "id, total", dialect="mssql")
    queries = {"a": Query("a", "", {"sql": "SELECT TOP 5 [total] FROM orders"})}
    found = gold_columns([orders], queries, {"a": {"shop.orders": 1, "gone": 1}})
    assert found["a"].asked == {("shop.orders", "total")}


@pytest.fixture(scope="module")
def index(embedder):
    keyed = table("shop.customer", "id, name, town", primary_key=["id"])
    return Index.build([OBJECTS[0], keyed], embedder=embedder)


def recall(index, text, sql, relevant, **options):
    queries = {"q": Query("q", text, {"sql": sql})}
    return column_recall(index, {"q": dict.fromkeys(relevant, 1)}, queries=queries, **options)


def test_column_recall_counts_what_is_kept_of_what_is_asked_for(index):
    text, sql = "What is the total of all orders, and the id?", "SELECT total, id FROM orders"
    found = recall(index, text, sql, ["shop.orders"], shares=(0.25, 0.5, 1.0))
    # Of four columns one, two and all are kept.
    assert found == {0.25: 0.5, 0.5: 1.0, 1.0: 1.0}
    asked = index.embedder.embed_queries([text])
    assert recall(index, text, sql, ["shop.orders"], embeddings=asked)[0.75] == 1
    # A judged table that the index lacks has none.
    assert recall(index, text, sql, ["shop.orders", "gone"], shares=(0.5,)) == {0.5: 1.0}


def test_columns_of_several_relevant_tables_compete(index):
    found = recall(
        index, "Which towns?", "SELECT town FROM customer", index.ids, shares=(0.1, 0.01)
    )
    assert found == {0.1: 1.0, 0.01: 1.0}
    found = recall(index, "Which towns?", "SELECT placed FROM orders", index.ids, shares=(0.1,))
    assert found == {0.1: 0.0}


def test_keys_are_kept_anyhow_and_do_not_count(index):
    assert recall(index, "ids", "SELECT id FROM customer", ["shop.customer"]) is None


def test_questions_without_sql_have_no_column_recall(index):
    queries = {"q": Query("q", "Which towns?")}
    assert column_recall(index, {"q": {"shop.customer": 1}}, queries=queries) is None


def test_an_evaluation_tells_column_recall_where_questions_have_sql(index):
    told = {"sql": "SELECT town FROM customer"}
    questions = [
        JudgedQuestion("Which towns have customers?", ["shop.customer"], metadata=told),
        JudgedQuestion("Which orders?", ["shop.orders"]),
    ]
    report = evaluate(index, None, ["base"], questions=questions, tables=True)
    assert report.to_dict()["columns"] == {"0.25": 1.0, "0.5": 1.0, "0.75": 1.0}
    bare = evaluate(index, None, ["base"], questions=questions[1:], tables=True)
    assert "columns" not in bare.to_dict()
