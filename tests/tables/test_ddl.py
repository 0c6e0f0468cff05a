"""CREATE TABLE statements that a database accepts."""

import sqlite3
from contextlib import closing

import pytest

from grapher_jax.corpus.inferred.types import InferredKey
from grapher_jax.search import Index
from grapher_jax.tables.ddl import create_tables, told_join
from grapher_jax.tables.schema import Column, Table


def statements(schema, *names, dialect="sqlite"):
    rows = [schema.row[name] for name in names]
    return create_tables([*map(schema.table, rows)], schema.among(rows), dialect=dialect)


def test_the_statements_make_the_same_tables(schema, shop_file):
    names = [item.id for item in schema.objects if item.metadata["kind"] == "table"]
    with closing(sqlite3.connect(":memory:")) as made, closing(sqlite3.connect(shop_file)) as own:
        made.executescript(statements(schema, *names))
        for name in names:
            assert columns(made, name) == columns(own, name)
            assert keys(made, name) == keys(own, name)


def columns(database, table):
    return database.execute("SELECT * FROM pragma_table_info(?)", [table]).fetchall()


def keys(database, table):
    told = 'SELECT "table", "from", "to" FROM pragma_foreign_key_list(?)'
    # One that names no column means the primary key.
    return {(to, own, other or "code") for to, own, other in database.execute(told, [table])}


def test_the_dialect_decides_quotes_and_comments():
    table = Table("a.Order", "Order", (Column("Id", "INT", False, "which\none"),), comment="orders")
    assert create_tables([table], [], dialect="mysql") == (
        "CREATE TABLE `Order` (\n  `Id` INT NOT NULL COMMENT 'which\none'\n)COMMENT='orders';\n"
    )
    assert create_tables([table], [], dialect="postgresql").splitlines()[3:] == [
        "COMMENT ON TABLE \"Order\" IS 'orders';",
        'COMMENT ON COLUMN "Order"."Id" IS \'which',
        "one';",
    ]
    assert create_tables([table], [], dialect="sqlite").splitlines()[:3] == [
        "-- orders",
        "-- Id: which one",
        'CREATE TABLE "Order" (',
    ]
    # One that SQLAlchemy does not know.
    assert 'CREATE TABLE "Order"' in create_tables([table], [], dialect="nonesuch")


def test_keys_that_nobody_declared_are_comments():
    tables = [Table(name, name, (Column("id"), Column("other"))) for name in ("a", "b")]
    keys = [
        InferredKey("a", ("other",), "b", ("id",), "name"),
        InferredKey("b", (), "a", (), "view"),
    ]
    written = create_tables(tables, keys)
    assert "REFERENCES" not in written
    assert (
        "-- a.other = b.id (not declared; name)\n-- b references a (not declared; view)" in written
    )


def test_a_name_with_a_line_break_stays_a_comment():
    key = InferredKey("a\nDROP TABLE b;", ("x",), "b", ("y",), "name")
    tables = [Table(key.table, "a", (Column("x"),)), Table("b", "b", (Column("y"),))]
    assert not any(line.startswith("DROP") for line in create_tables(tables, [key]).splitlines())


def test_tables_of_two_databases_may_have_one_name():
    tables = [Table(f"{db}.t", "t", (Column("id"),), database=db) for db in "ab"]
    key = InferredKey("a.t", ("id",), "b.t", ("id",), "declared")
    written = create_tables(tables, [key])
    assert written.count("CREATE TABLE t (") == 2
    assert "-- of the database a" in written


@pytest.mark.parametrize("kind", ["view", "materialized view"])
def test_a_view_is_told(kind):
    assert create_tables([Table("v", "v", (Column("id"),), kind)], []).startswith(f"-- a {kind} of")


def test_a_join_is_told_as_a_condition():
    key = InferredKey("line", ("order_id", "no"), "order", ("id", "number"), "declared")
    assert told_join(key) == "line.order_id = order.id and line.no = order.number"


@pytest.mark.parametrize("dialect", ["postgresql", "mysql", "mssql", "oracle", "sqlite", "a.b.c"])
def test_a_percent_sign_and_comments_are_written_in_any_dialect(dialect):
    table = Table("t", "t", (Column("rate%", "INT", comment="in %"),), comment="100 %")
    written = create_tables([table], [], dialect=dialect)
    assert "rate%" in written
    assert "in %" in written
    assert "%%" not in written


def test_a_database_that_finds_columns_in_any_case(tmp_path, embedder):
    path = tmp_path / "case.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);"
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER,"
            " FOREIGN KEY (CUSTOMER) REFERENCES Customers (ID));"
        )
    index = Index.from_source(f"sqlite:///{path}", embedder=embedder)
    found = index.describe_tables(["orders", "customers"])
    assert found.tables[0].keys == {"id", "customer"}
    assert "REFERENCES customers (id)" in found.ddl()


def test_the_command_line_takes_a_database_as_it_takes_its_index(grapher, shop_file):
    url, question = f"sqlite:///{shop_file}", "Which customers ordered?"
    assert grapher("index", url, "--out", "shop.index")[0] == 0
    indexed = grapher("tables", "shop.index", question, "--ddl")
    assert indexed[0] == 0
    assert "CREATE TABLE" in indexed[1]
    assert grapher("tables", url, question, "--ddl") == indexed
    status, _, err = grapher("tables", "nowhere", question)
    assert (status, "nowhere" in err) == (2, True)


ODD = "a\x1b[31m\x07\u2028b"


@pytest.fixture
def odd_url(tmp_path):
    """A database whose table's name a terminal would obey."""
    with closing(sqlite3.connect(tmp_path / "odd.db")) as database:
        database.execute(f'CREATE TABLE "{ODD}" (id INTEGER PRIMARY KEY)')
    return f"sqlite:///{tmp_path}/odd.db"


@pytest.mark.parametrize("form", ["--ddl", "--sql-comments"])
def test_names_are_whole_for_a_program_and_obeyed_by_no_terminal(
    grapher, on_a_terminal, odd_url, form
):
    status, out, _ = grapher("tables", odd_url, "Which?", form)
    assert status == 0 and (ODD if form == "--ddl" else ODD.replace("\u2028", " ")) in out
    status, shown = on_a_terminal(b"", "tables", odd_url, "Which?", form)
    assert status == 0 and rb"\x1b[31m\x07" in shown and b"\x1b[31m" not in shown
