"""CREATE TABLE statements that a database accepts."""

import re
import sqlite3
from contextlib import closing

import pytest

from grapher_jax.corpus import Object
from grapher_jax.search import Index
from grapher_jax.tables.ddl import SqlJoin, create_tables, sql_joins
from grapher_jax.tables.schema import Column, Schema, Table


def statements(schema, *names, dialect="sqlite"):
    rows = [schema.row[name] for name in names]
    joins = sql_joins(schema, schema.among(rows))
    return create_tables([*map(schema.table, rows)], joins, dialect=dialect)


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


def test_referenced_tables_come_first_where_keys_form_no_ring():
    columns = (Column("id"), Column("other"))
    tables = [Table(name, name, columns) for name in "abcde"]
    pairs = ("ab", "bc", "de", "ed", "aa")
    joins = [SqlJoin(one, ("other",), other, ("id",), "declared") for one, other in pairs]
    written = create_tables(tables, joins)
    made = re.findall("CREATE TABLE (.)", written)
    assert made == ["c", "b", "a", "e", "d"]


def test_columns_that_differ_in_case_alone_are_told_apart():
    metadata = {
        "table": "users",
        "columns": [{"name": "Id"}, {"name": "id"}],
        "primary_key": ["Id"],
    }
    join = {"columns": ["UserId"], "references": "users", "referenced_columns": ["Id"]}
    own = {"table": "orders", "columns": [{"name": "UserId"}, {"name": "userid"}], "joins": [join]}
    schema = Schema([Object("users", "", metadata=metadata), Object("orders", "", metadata=own)])
    (key,) = schema.joins
    assert (key.columns, key.referenced_columns) == (("UserId",), ("Id",))


def test_keys_that_nobody_declared_are_comments():
    tables = [Table(name, name, (Column("id"), Column("other"))) for name in ("a", "b")]
    keys = [
        SqlJoin("a", ("other",), "b", ("id",), "name", on="a.other = b.id"),
        SqlJoin("b", (), "a", (), "view", on="b references a"),
    ]
    written = create_tables(tables, keys)
    assert "REFERENCES" not in written
    assert (
        "-- a.other = b.id -- not declared, inferred by name\n"
        "-- b references a -- not declared, inferred by view" in written
    )


def test_a_name_with_a_line_break_stays_a_comment():
    tables = [Table("a", "a", (Column("x"),)), Table("b", "b", (Column("y"),))]
    join = SqlJoin("a", ("x",), "b", ("y",), "name", on='"a\nDROP TABLE b;".x = b.y')
    assert not any(line.startswith("DROP") for line in create_tables(tables, [join]).splitlines())


def test_tables_of_two_databases_may_have_one_name():
    tables = [Table(f"{db}.t", "t", (Column("id"),), database=db) for db in "ab"]
    written = create_tables(tables, [SqlJoin("a.t", ("id",), "b.t", ("id",), "declared")])
    assert written.count("CREATE TABLE t (") == 2
    assert "-- of the database a" in written


@pytest.mark.parametrize("kind", ["view", "materialized view"])
def test_a_view_is_told(kind):
    assert create_tables([Table("v", "v", (Column("id"),), kind)], []).startswith(f"-- a {kind} of")


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("sqlite", 'line.order_id = s."Order".id and line."group" = s."Order"."the no"'),
        ("mysql", "line.order_id = s.`Order`.id and line.`group` = s.`Order`.`the no`"),
        ("", 'line.order_id = s."Order".id and line."group" = s."Order"."the no"'),
    ],
)
def test_a_join_quotes_names_as_the_statements_do(dialect, expected):
    pairs = {"columns": ["order_id", "group"], "referenced_columns": ["id", "the no"]}
    joins = [{"references": "s.Order", **pairs}]
    order = {"table": "Order", "schema": "s", "dialect": dialect}
    schema = Schema(
        [
            Object("line", "line: order_id, group", metadata={"joins": joins, "dialect": dialect}),
            Object("s.Order", "Order: id, the no", metadata=order),
        ]
    )
    (join,) = sql_joins(schema, schema.among([0, 1]))
    assert (join.on, str(join)) == (expected, expected)


def test_lines_of_comment_can_be_pasted_into_sql(tmp_path, embedder):
    path = tmp_path / "odd.db"
    url = f"sqlite:///{path}"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            'CREATE TABLE "group" (id INTEGER PRIMARY KEY);'
            'CREATE TABLE "Order Details" (id INTEGER PRIMARY KEY, "group" INTEGER);'
        )
        index = Index.from_source(url, embedder=embedder, infer_keys="always")
        found = index.describe_tables(["group", "Order Details"])
        *_, told, join = found.sql_comments().splitlines()
        assert told == '-- "Order Details"(id INTEGER, "group" INTEGER)'
        (record,) = found.to_dict()["joins"]
        assert join == f"-- join: {record['on']} -- not declared, inferred by name"
        for condition in (record["on"], join.removeprefix("-- join: ")):
            database.execute(f'SELECT * FROM "group", "Order Details" WHERE {condition}\nLIMIT 1')


def test_lines_of_comment_name_the_database_if_there_are_several(embedder):
    tables = [
        Object(f"{db}.t", "t: id", metadata={"table": "t", "db": db, "columns": [{"name": "id"}]})
        for db in "ab"
    ]
    found = Index.build(tables, embedder=embedder).describe_tables(["a.t", "b.t"])
    told = found.sql_comments()
    assert told.startswith("-- t(id) -- of the database a\n-- t(id) -- of the database b\n")


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
