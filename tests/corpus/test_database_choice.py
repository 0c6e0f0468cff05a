"""Which tables of a database are read, what their metadata tells, and what their views read."""

import logging
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from servers import create_database, execute

from grapher_jax.corpus import read_database, read_source
from grapher_jax.corpus.database.reflect import Reflected
from grapher_jax.corpus.database.views import named_tables
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.search import Index

SCHEMA = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL,
    referred_by INTEGER REFERENCES Customer(id), anything);
CREATE TABLE "order" (id INTEGER, line INTEGER, customer INTEGER REFERENCES Customer(id),
    PRIMARY KEY (id, line));
CREATE TABLE shipment (order_id INTEGER, order_line INTEGER, gone INTEGER REFERENCES nowhere(id),
    FOREIGN KEY (order_id, order_line) REFERENCES "order"(id, line));
CREATE TABLE tmp_import (x INTEGER);
CREATE TABLE "a.b ""c"" ü" (x INTEGER);
CREATE VIEW named AS WITH "order" AS (SELECT * FROM CUSTOMER)
    SELECT "order".name FROM "order" JOIN (SELECT * FROM "a.b ""c"" ü", tmp_import AS shipment) AS sub;
CREATE VIEW late AS SELECT 1 FROM main."order" WHERE id IN (SELECT order_id FROM shipment);
CREATE VIEW again AS SELECT * FROM late;
"""
TABLES = {"customer", "order", "shipment", "tmp_import", '"a.b "c" ü"'}
VIEWS = {"named", "late", "again"}


def made(path, schema=SCHEMA):
    connection = sqlite3.connect(path)
    connection.executescript(schema)
    connection.close()
    return f"sqlite:///{path}"


@pytest.fixture
def shop(tmp_path):
    return made(tmp_path / "shop.db")


def metadata_of(url, **options):
    return {item.id: item.metadata for item in read_database(url, **options)}


def test_a_database_and_its_script_tell_the_same_keys(tmp_path):
    """SQLite reads names in any case, and takes a primary key where no column is named."""
    script = """CREATE TABLE Customers (Customer_ID INTEGER PRIMARY KEY, Name TEXT);
        CREATE TABLE Notes (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES CUSTOMERS);
        CREATE TABLE Orders (id INTEGER, Buyer INTEGER,
            FOREIGN KEY (buyer) REFERENCES customers (customer_id));"""
    (tmp_path / "shop.sql").write_text(script)
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.executescript(script)
    read, of_script = (metadata_of(str(tmp_path / f"shop.{kind}")) for kind in ("db", "sql"))
    for table, column in (("Notes", "customer_id"), ("Orders", "Buyer")):
        join = {"columns": [column], "references": "Customers"}
        join["referenced_columns"] = ["Customer_ID"]
        assert read[table]["joins"] == of_script[table]["joins"] == [join]


def test_columns_that_differ_in_case_alone_are_told_apart():
    found = Reflected(None, (), columns={(None, "p"): [{"name": "a"}, {"name": "A"}]})
    assert found.spelled((None, "p"), ["a", "A", "B"]) == ["a", "A", "B"]


def test_metadata_tells_columns_and_joins(shop):
    found = metadata_of(shop)
    assert {name: found[name]["kind"] for name in found} == dict.fromkeys(
        TABLES, "table"
    ) | dict.fromkeys(VIEWS, "view")
    assert found["customer"]["columns"] == [
        {"name": "id", "type": "INTEGER", "nullable": True},
        {"name": "name", "type": "VARCHAR(20)", "nullable": False},
        {"name": "referred_by", "type": "INTEGER", "nullable": True},
        {"name": "anything", "type": "", "nullable": True},
    ]
    own = {"columns": ["referred_by"], "references": "customer", "referenced_columns": ["id"]}
    assert found["customer"]["joins"] == [own]
    assert "foreign_keys" not in found["customer"]
    composite = {"columns": ["order_id", "order_line"], "references": "order"}
    assert composite | {"referenced_columns": ["id", "line"]} in found["shipment"]["joins"]
    assert found["shipment"]["foreign_keys"] == ["nowhere", "order"]
    assert not any("schema" in each or "comment" in each for each in found.values())
    assert "joins" not in found["tmp_import"]


def test_a_view_references_the_tables_that_it_reads(shop):
    found = metadata_of(shop)
    keys = {name: found[name]["foreign_keys"] for name in VIEWS}
    assert keys == {
        "named": ['"a.b "c" ü"', "customer", "tmp_import"],
        "late": ["order", "shipment"],
        "again": ["late"],
    }
    assert not any("joins" in found[name] for name in VIEWS)
    assert "foreign_keys" not in metadata_of(shop, exclude=["late"])["again"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"views": False}, TABLES),
        ({"schemas": ["main"]}, TABLES | VIEWS),
        ({"include": ["ORDER", "ship*"]}, {"order", "shipment"}),
        ({"exclude": ["TMP_*", "*.*"], "views": False}, {"customer", "order", "shipment"}),
        ({"include": ["*e*"], "exclude": ["?rder", "cust*"]}, {"late", "shipment", "named"}),
    ],
)
def test_patterns_choose_tables(shop, options, expected):
    assert set(metadata_of(shop, **options)) == expected
    assert {item.id for item in read_source(shop, **options)} == expected


@pytest.mark.parametrize("name", ["include", "exclude"])
def test_a_pattern_that_matches_nothing_is_named(shop, name):
    with pytest.warns(GrapherWarning, match=rf"{name}: 'tmp_' matches none of 8 tables .* with \*"):
        metadata_of(shop, **{name: ["tmp_", "customer"]})


def test_references_to_what_was_not_chosen_are_left_out(shop):
    found = metadata_of(shop, include=["shipment", "ORDER"])
    assert found["shipment"]["foreign_keys"] == ["nowhere", "order"]
    assert "foreign_keys" not in found["order"]
    assert "joins" not in found["order"]  # though its key writes the name otherwise


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"schemas": ["sales"]}, r"shop\.db: schema 'sales' is not there; there are main"),
        (
            {"include": ["z*"]},
            "include, exclude and views leave none of 8 tables and views; choose",
        ),
        ({"exclude": ["*"]}, "leave none of 8 tables"),
        ({"include": "customer"}, r"include: give a list of patterns, such as \['customer'\]"),
    ],
)
def test_a_choice_that_cannot_be_made_is_named(shop, options, complaint):
    with pytest.raises(InputError, match=complaint):
        metadata_of(shop, **options)


@pytest.mark.parametrize(
    ("name", "value"),
    [("schemas", ["x"]), ("include", ["*"]), ("exclude", ["*"]), ("views", False)],
)
def test_a_choice_is_for_databases_alone(tmp_path, name, value):
    with pytest.raises(
        InputError, match=rf"{name}: .* is for databases alone, and .* is none; leave"
    ):
        Index.from_source(tmp_path, **{name: value})


@pytest.mark.parametrize(
    ("name", "value"), [("chunk_tokens", 90), ("overlap_tokens", 0), ("reader", "markitdown")]
)
def test_tables_and_ready_objects_are_not_cut(shop, beir, name, value):
    for source in (shop, beir):
        told = rf"{name}: {value!r} is for documents alone, and .*; leave it out"
        with pytest.raises(InputError, match=told):
            read_source(source, **{name: value})


def test_a_broken_view_that_is_not_chosen_is_not_warned_of(shop):
    made(shop.removeprefix("sqlite:///"), "CREATE VIEW lost AS SELECT * FROM nowhere")
    assert set(metadata_of(shop, exclude=["lost"])) == TABLES | VIEWS
    with pytest.warns(GrapherWarning, match="1 tables or views cannot be read"):
        assert set(metadata_of(shop)) == TABLES | VIEWS


def test_virtual_tables_count_once(tmp_path):
    url = made(tmp_path / "notes.db", "CREATE VIRTUAL TABLE notes USING fts5(body)")
    with pytest.raises(InputError, match="none of 1 tables"):
        metadata_of(url, exclude=["notes"])


@pytest.mark.parametrize(
    "sql",
    ["", "CREATE VIEW v AS SELEC x FRM y", "SELECT FROM WHERE (", f"SELECT {'(' * 9000}1", "'"],
)
def test_sql_that_does_not_parse_is_told(sql, caplog):
    with pytest.raises(InputError, match="its SQL cannot be parsed: "):
        named_tables(sql, "sqlite")
    assert not caplog.records
    assert not logging.getLogger("sqlglot").disabled


@pytest.mark.parametrize(
    ("dialect", "sql", "tables"),
    [
        ("mssql", "CREATE VIEW [v] AS SELECT * FROM [a.b].[order] o", {("", "a.b", "order")}),
        ("mssql", "SELECT * FROM other.dbo.t", {("other", "dbo", "t")}),
        ("unheard_of", "SELECT * FROM a.t JOIN b.t ON 1 = 1", {("", "a", "t"), ("", "b", "t")}),
        (
            "postgresql",
            "SELECT * FROM ((a JOIN b ON true) x CROSS JOIN f(1)) UNION VALUES (1)",
            None,
        ),
        ("postgresql", "WITH RECURSIVE a AS (SELECT * FROM b UNION SELECT * FROM a) TABLE a", None),
    ],
)
def test_tables_in_sql_are_found(dialect, sql, tables):
    found = named_tables(sql, dialect)
    assert found == tables if tables else {name for *_, name in found} <= {"a", "b"}


def test_views_whose_sql_does_not_parse_are_told_once(tmp_path):
    # For SQLite `rlike` and `window` are names as others; for sqlglot they are not.
    views = ("CREATE VIEW v AS SELECT x FROM t rlike", "CREATE VIEW w AS SELECT x FROM t window")
    url = made(tmp_path / "odd.db", f"CREATE TABLE t (x); {'; '.join(views)}")
    with pytest.warns(GrapherWarning, match=r"2 views have SQL that cannot be read") as warned:
        found = metadata_of(url)
    assert len(warned) == 1
    assert set(found) == {"t", "v", "w"}
    assert not any("foreign_keys" in each for each in found.values())


def test_postgresql_schemas_comments_and_kinds(postgresql):
    url = create_database(
        postgresql,
        "chosen",
        [
            "CREATE TABLE customer (id INT PRIMARY KEY, name TEXT NOT NULL, at POINT)",
            "COMMENT ON TABLE customer IS 'Who buys'",
            "COMMENT ON COLUMN customer.name IS 'In full'",
            "CREATE SCHEMA sales",
            "CREATE SCHEMA \"Odd.One\"",
            'CREATE TABLE sales.customer (a INT, b INT, up INT, upper INT, PRIMARY KEY (a, b), '
            "FOREIGN KEY (up, upper) REFERENCES sales.customer (a, b))",
            'CREATE TABLE "Odd.One"."select" (a INT, b INT, c INT REFERENCES customer(id), '
            "FOREIGN KEY (a, b) REFERENCES sales.customer (a, b))",
            "CREATE MATERIALIZED VIEW totals AS SELECT count(*) AS n FROM sales.customer",
            "COMMENT ON MATERIALIZED VIEW totals IS 'Of all'",
            "CREATE VIEW sales.who AS WITH c AS (SELECT * FROM public.customer), "
            'customer AS (SELECT * FROM "Odd.One"."select") SELECT c.name FROM c JOIN customer ON true',
            "CREATE VIEW sales.two AS SELECT x.id FROM (public.customer x JOIN sales.customer y "
            "ON x.id = y.a), LATERAL (SELECT 1 FROM totals) z, generate_series(1, 2)",
        ],
    )  # fmt: skip
    found = metadata_of(url)
    assert set(found) == {
        *("customer", "totals", "sales.customer", "sales.who", "sales.two", '"Odd.One".select'),
    }
    assert found["customer"]["comment"] == "Who buys"
    assert found["totals"]["comment"] == "Of all"
    assert [column.get("comment") for column in found["customer"]["columns"]] == [
        None,
        "In full",
        None,
    ]
    types = [column["type"] for column in found["customer"]["columns"]]
    assert types == ["INTEGER", "TEXT", "point"]  # the last is unknown to SQLAlchemy
    assert [found[name].get("schema") for name in ("customer", "sales.who")] == [None, "sales"]
    assert {name: found[name]["kind"] for name in ("customer", "totals", "sales.who")} == {
        "customer": "table",
        "totals": "materialized view",
        "sales.who": "view",
    }
    (own,) = found["sales.customer"]["joins"]
    assert own == {
        "columns": ["up", "upper"],
        "references": "sales.customer",
        "referenced_columns": ["a", "b"],
    }
    keys = {name: each.get("foreign_keys") for name, each in found.items()}
    assert keys == {
        "customer": None,
        "sales.customer": None,
        '"Odd.One".select': ["customer", "sales.customer"],
        "totals": ["sales.customer"],
        "sales.who": ['"Odd.One".select', "customer"],
        "sales.two": ["customer", "sales.customer", "totals"],
    }

    assert set(metadata_of(url, schemas=["public"])) == {"customer", "totals"}
    chosen = metadata_of(url, schemas=["sales", "Odd.One"], views=False)
    assert set(chosen) == {"sales.customer", '"Odd.One".select'}
    assert chosen['"Odd.One".select']["foreign_keys"] == ["sales.customer"]
    assert len(chosen['"Odd.One".select']["joins"]) == 1
    assert set(metadata_of(url, include=["SALES.*"], exclude=["t*"])) == {
        "sales.customer",
        "sales.who",
    }
    with pytest.raises(
        InputError, match=r"schema 'Sales' is not there; there are Odd.One, public, sales"
    ):
        metadata_of(url, schemas=["Sales"])


def test_a_partitioned_table_stands_for_its_partitions(postgresql):
    commands = [
        "CREATE TABLE sale (id INT, day DATE, PRIMARY KEY (id, day)) PARTITION BY RANGE (day)",
        "CREATE SCHEMA old",
        "CREATE TABLE old.sale PARTITION OF sale FOR VALUES FROM ('2023-01-01') TO ('2024-01-01')",
        "CREATE TABLE sale_24 PARTITION OF sale FOR VALUES FROM ('2024-01-01') TO ('2025-01-01') "
        "PARTITION BY RANGE (day)",
        "CREATE TABLE sale_24_1 PARTITION OF sale_24 FOR VALUES FROM ('2024-01-01') TO "
        "('2024-07-01')",
        "CREATE TABLE line (sale INT, day DATE, FOREIGN KEY (sale, day) REFERENCES sale)",
    ]
    found = metadata_of(create_database(postgresql, "parts", commands))
    assert set(found) == {"sale", "line"}
    # PostgreSQL copies a key to a partitioned table for each of its partitions.
    assert [join["references"] for join in found["line"]["joins"]] == ["sale"]
    assert found["line"]["foreign_keys"] == ["sale"]


def test_many_tables_are_read_in_few_queries(postgresql):
    from sqlalchemy import Engine, event

    ddl = "DO $$ BEGIN FOR i IN 1..300 LOOP EXECUTE format('CREATE TABLE t%s (a INT)', i); END LOOP; END $$"
    url, asked = create_database(postgresql, "many", [ddl]), []

    def count(*_):
        asked.append(1)

    event.listen(Engine, "before_cursor_execute", count)
    try:
        assert len(metadata_of(url, copies=True)) == 300
        assert len(metadata_of(url, exclude=["t1*"], copies=True)) == 300 - 111
    finally:
        event.remove(Engine, "before_cursor_execute", count)
    assert len(asked) < 40


@pytest.mark.nightly
def test_mariadb_reads_the_database_of_the_url(mariadb):
    execute(
        mariadb,
        "CREATE DATABASE `shop.1`",
        "CREATE DATABASE other",
        "CREATE TABLE other.t (id INT PRIMARY KEY)",
        "CREATE TABLE `shop.1`.`order` (id INT PRIMARY KEY COMMENT 'No', t INT, at POINT, "
        "FOREIGN KEY (t) REFERENCES other.t (id)) COMMENT 'What is bought'",
        "CREATE TABLE `shop.1`.gone (x INT)",
        "CREATE VIEW `shop.1`.v AS WITH c AS (SELECT id FROM `shop.1`.`order`) "
        "SELECT c.id FROM c JOIN other.t ON c.id = t.id",
        "CREATE VIEW `shop.1`.lost AS SELECT * FROM `shop.1`.gone",
        "DROP TABLE `shop.1`.gone",
    )
    url = mariadb.replace("/mysql?", "/shop.1?")
    with pytest.warns(GrapherWarning, match=r"1 tables or views cannot be read \(such as lost: "):
        found = metadata_of(url)
    assert {name: each["kind"] for name, each in found.items()} == {"order": "table", "v": "view"}
    assert found["order"]["comment"] == "What is bought"
    assert found["order"]["columns"][0] == {
        "name": "id",
        "type": "INTEGER(11)",
        "nullable": False,
        "comment": "No",
    }
    assert found["order"]["columns"][2]["type"] == "point"  # unknown to SQLAlchemy
    assert "foreign_keys" not in found["order"]  # into a database that is not read
    assert found["v"]["foreign_keys"] == ["order"]

    both = metadata_of(url, schemas=["shop.1", "other"], exclude=["lost"])
    assert set(both) == {"order", "v", "other.t"}
    assert both["order"]["foreign_keys"] == ["other.t"]
    assert both["v"]["foreign_keys"] == ["order", "other.t"]
    assert (both["other.t"]["db"], both["other.t"]["schema"]) == ("shop.1", "other")

    nowhere = mariadb.replace("/mysql?", "/?")
    with pytest.raises(
        InputError, match=r"names no database; add /NAME, or choose schemas of other"
    ):
        metadata_of(nowhere)
    assert set(metadata_of(nowhere, schemas=["other"])) == {"other.t"}


@pytest.mark.nightly
def test_the_command_line_chooses(shop, tmp_path):
    command = [sys.executable, "-m", "grapher_jax", "index", shop, "--out", tmp_path / "made"]
    command += ["--schema", "main", "--include", "*e*", "--exclude", "c*", "--no-views"]
    subprocess.run(command, check=True, capture_output=True)
    assert set(Index.load(tmp_path / "made").ids) == {"order", "shipment"}
