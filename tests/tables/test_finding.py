"""The tables for a question, with a budget and without."""

import json
import sqlite3
from contextlib import closing

import pytest
from small_embedder import SmallEmbedder

from grapher_jax.corpus import Object
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.tables.context import estimate_tokens
from grapher_jax.tables.finding import with_bridges

QUESTION = "Which products did customers of each country order?"


def test_an_answer_names_tables_their_reasons_and_what_joins_them(shop):
    found = shop.tables(QUESTION, k=5)
    assert {"customer", "product", "country"} <= set(found.ids)
    assert len(found.ids) == len(set(found.ids)) == 5
    inside = set(found.ids)
    assert all({key.table, key.references} <= inside for key in found.joins)
    assert all(key.table in inside and key.references not in inside for key in found.absent)
    for one in found.tables:
        assert one.bridge or one.reason == f"rank {one.rank} by {found.ranked_by}"
    assert sorted(name for group in found.apart for name in group) == sorted(inside)


def test_the_same_question_has_the_same_answer(shop):
    once, again = (shop.tables(QUESTION, k=4, budget=400).to_dict() for _ in range(2))
    assert once == again
    assert json.loads(json.dumps(once)) == once


def test_the_ddl_of_an_answer_makes_its_tables(shop):
    found = shop.tables(QUESTION, k=4)
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(found.ddl())
        made = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    assert made >= set(found.ids)
    for key in found.absent:
        assert f"-- left out: {key.table}." in found.ddl()


def joining(found):
    """The columns of each table that join those of an answer, or identify rows."""
    kept = {one.table.id: {*one.table.primary_key} for one in found.tables}
    for key in found.joins:
        kept[key.table].update(key.columns)
        kept[key.references].update(key.referenced_columns)
    return kept


def test_a_budget_leaves_out_columns_and_never_a_key_of_the_answer(shop):
    whole = shop.tables(QUESTION, k=4)
    always = joining(whole)
    needed = estimate_tokens(whole.ddl())
    sizes = []
    for budget in range(needed, 0, -10):
        try:
            found = shop.tables(QUESTION, k=4, budget=budget)
        except InputError as error:
            assert f"budget: {budget} tokens do not hold the key columns" in str(error)
            break
        assert estimate_tokens(found.ddl()) <= budget
        left = [(one, {*one.left_out}) for one in found.tables if one.left_out]
        shown = [{column.name for column in one.table.columns} - one.keys for one in found.tables]
        if any(one.keys & gone for one, gone in left):  # keys to others go last
            assert not any(own for one, own in zip(found.tables, shown, strict=True) if one.keys)
        for key in found.absent:
            columns = {one.table.id: {c.name for c in one.table.columns} for one in found.tables}
            assert columns.get(key.table, {*key.columns}).issuperset(key.columns)
        sizes.append(sum(len(one.table.columns) for one in found.tables))
        for one, before in zip(found.tables, whole.tables, strict=True):
            kept = {column.name for column in one.table.columns}
            assert always[one.table.id] <= kept
            assert kept | set(one.left_out) == {column.name for column in before.table.columns}
    assert sizes[0] == sum(len(one.table.columns) for one in whole.tables)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0]


def many_columns(embedder, comment=""):
    """A table without keys, of which one column has a long comment."""
    columns = [{"name": f"reading_{number}", "type": "TEXT"} for number in range(300)]
    columns[299]["comment"] = comment
    metadata = {"table": "sensors", "db": "lab", "columns": columns}
    return Index.build([Object("sensors", "readings", metadata=metadata)], embedder=embedder)


def test_a_table_without_keys_keeps_its_best_column(embedder):
    lab = many_columns(embedder)
    (least,) = lab.tables("Which reading?", k=1, budget=36).tables
    assert len(least.table.columns) == 1
    with pytest.raises(InputError, match="budget: 10 tokens do not hold"):
        lab.tables("Which reading?", k=1, budget=10)


def test_few_guesses_find_the_columns_that_fit(embedder):
    counted = []

    def count(text):
        counted.append(text)
        return estimate_tokens(text)

    lab = many_columns(embedder, comment="of the old sensor " * 2000)
    lab.tables("Which reading?", k=1, budget=500, count_tokens=count)
    assert len(counted) < 25


def test_a_better_table_that_gives_way_is_told(embedder):
    scores = {"orders": 1.0, "refunds": 0.9, "stores": 0.8, "cities": 0.6, "songs": 0.0}
    keys = {"orders": ["shop.stores"], "stores": ["shop.cities"]}
    objects = [
        Object(f"shop.{name}", name, metadata={"table": name, "foreign_keys": keys.get(name, [])})
        for name in scores
    ]
    index = Index.build(objects, embedder=embedder, text=[])
    given = Reranker(ranker="base", base=lambda _, texts: [scores[text] for text in texts])
    found = index.tables("orders with refunds", k=3, ranker=given)
    assert [one.rank for one in found.tables] == [1, 3, 4]
    assert found.notes == (
        "left out for tables that keys join to better ones: shop.refunds (rank 2); a larger k has "
        "them too",
    )
    whole = index.tables("orders with refunds", k=4, ranker=given)
    assert {one.rank for one in whole.tables} == {1, 2, 3, 4}
    assert not whole.notes


def test_tokens_may_be_counted_otherwise(shop):
    lines = len(shop.tables(QUESTION, k=3).ddl().splitlines())
    found = shop.tables(QUESTION, k=3, budget=lines - 1, count_tokens=lambda text: text.count("\n"))
    assert len(found.ddl().splitlines()) < lines
    assert any(one.left_out for one in found.tables)


def test_named_tables_are_described(shop):
    found = shop.describe_tables(["Product", "order_line", "product"])
    assert found.ids == ["product", "order_line"]
    assert [key.references for key in found.joins] == ["product"]
    assert "notes" not in found.to_dict()
    assert found.sql_comments().startswith("-- product(id INTEGER, title VARCHAR(40), price")


def test_lines_of_comment_tell_what_no_key_connects(shop):
    told = shop.describe_tables(["product", "weather_station"]).sql_comments()
    assert told.splitlines()[-1] == "-- no key connects: product | weather_station"


def test_lines_of_comment_tell_what_a_view_is(shop):
    lines = shop.describe_tables(["heavy_product", "product", "weather_station"]).sql_comments()
    view, *_, last = lines.splitlines()
    assert view.startswith("-- heavy_product(") and view.endswith("-- a view -- reads product")
    assert last.startswith("-- no key connects: ") and last.endswith(" (views declare none)")


def test_a_view_tells_which_of_the_tables_it_reads(shop):
    view = shop.tables("heavy product", k=3).tables[0]
    assert view.table.id == "heavy_product"
    assert view.reason == f"rank 1 by {shop.tables('heavy product').ranked_by}; reads product"
    named = shop.describe_tables(["heavy_product", "product", "country"])
    assert [one.reason for one in named.tables] == ["reads product", "", ""]
    (alone,) = shop.describe_tables(["heavy_product"]).tables
    assert alone.reason == ""


def test_another_ranker_and_a_filter_are_heard(shop):
    found = shop.tables(QUESTION, k=3, ranker=Reranker(ranker="base"))
    assert found.ranked_by == "base"
    assert found.because == ""
    views = shop.tables(QUESTION, k=3, filter={"kind": "view"})
    assert views.ids[0] == "heavy_product"
    with pytest.warns(GrapherWarning, match="no object fits"):
        nothing = shop.tables(QUESTION, filter={"kind": "index"})
    assert (nothing.tables, nothing.notes) == ((), ("no table fits the filter",))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 0}, "k: 0 must be at least 1"),
        ({"budget": 0}, "budget: 0 must be at least 1"),
        ({"budget": "many"}, "budget: 'many' must be an integer"),
        ({"ranker": "nonesuch"}, "nonesuch"),
        ({"k": "some"}, "k: 'some' must be an integer"),
        ({"confidence": 1.0}, "confidence: 1.0 must be above 0 and below 1"),
        ({"confidence": 0.8}, "confidence: it is for k='auto', not k=10; leave one out"),
        ({"confidence": "0.8", "k": "auto"}, "confidence: '0.8' must be a finite number"),
    ],
)
@pytest.mark.usefixtures("types_unchecked")
def test_bad_arguments_are_told(shop, arguments, message):
    with pytest.raises(InputError, match=message):
        shop.tables(QUESTION, **arguments)


def test_an_index_without_joins_is_told(embedder):
    objects = [
        Object(name, f"{name}: id, name", metadata={"table": name, "columns": [{"name": "id"}]})
        for name in ("bridge", "river")
    ]
    found = Index.build(objects, embedder=embedder).tables("Which rivers have a bridge?", k=2)
    assert sorted(found.ids) == ["bridge", "river"]
    assert found.notes[0].startswith("no key joins any tables of this index")
    assert found.to_dict()["notes"] == list(found.notes)


def test_an_index_of_passages_has_no_tables(embedder):
    index = Index.build([Object("p", "A passage."), Object("q", "Another.")], embedder=embedder)
    with pytest.raises(InputError, match="its objects are no tables"):
        index.tables("What?")


def test_as_many_as_needed(shop):
    few, many = (
        shop.tables(QUESTION, k="auto", confidence=confidence) for confidence in (0.2, 0.99)
    )
    assert 1 <= len(few.ids) <= len(many.ids)
    assert few.probability >= 0.2
    assert many.probability >= 0.99
    assert few.to_dict()["probability"] == few.probability
    assert shop.tables(QUESTION).probability is None


def test_what_ranks_is_what_auto_takes(shop, embedder):
    assert shop.tables(QUESTION).ranked_by == "gat"
    assert shop.tables(QUESTION, ranker="diffusion").ranked_by == "diffusion"
    other = Index.build(list(shop.objects), embedder=SmallEmbedder())
    assert other.tables(QUESTION).ranked_by == "gat"
    bare = Index.build([Object("a", "a: id", metadata={"table": "a"})], embedder=embedder)
    assert bare.tables(QUESTION).ranked_by == "gcs"


def test_the_better_half_is_connected_where_that_fits(schema):
    def named(*names):
        return [schema.row[name] for name in names]

    ranked = named("country", "product", "weather_station", "heavy_product", "shipped_line")
    between = named("customer", "order_line", "sales_order")
    whole = with_bridges(schema, ranked, 10)
    assert whole.rows == [*ranked, *between]
    assert whole.bridges == {*between}
    six = with_bridges(schema, ranked, 6)  # its better half is the first three
    assert six.rows == [*ranked[:3], *between]
    # Two tables and three between them do not fit.
    assert with_bridges(schema, ranked, 4).rows == ranked[:4]
    assert with_bridges(schema, ranked, 4).bridges == frozenset()
    assert with_bridges(schema, [], 4).rows == []
