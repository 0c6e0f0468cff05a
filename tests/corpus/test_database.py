import sqlite3
import warnings
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from servers import create_database
from sqlalchemy.exc import SAWarning

from grapher_jax.corpus import read_database
from grapher_jax.corpus.database import reflect
from grapher_jax.corpus.database.sqlite_comments import comments_in
from grapher_jax.errors import GrapherWarning, InputError

SCHEMA = """
CREATE TABLE "Größe" (id INTEGER PRIMARY KEY, "Länge in cm" REAL);
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, referred_by INTEGER REFERENCES customer(id));
CREATE TABLE "order" (id INTEGER, line INTEGER, customer INTEGER REFERENCES Customer(id),
    payer INTEGER REFERENCES customer(id), size INTEGER REFERENCES "Größe"(id), PRIMARY KEY (id, line));
CREATE TABLE shipment (order_id INTEGER, order_line INTEGER, gone INTEGER REFERENCES nowhere(id),
    FOREIGN KEY (order_id, order_line) REFERENCES "order"(id, line));
CREATE TABLE "a.b" (x INTEGER);
CREATE VIEW big_customers AS SELECT name FROM customer;
"""


@pytest.fixture
def shop(tmp_path):
    path = tmp_path / "shop.db"
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA)
    connection.close()
    return f"sqlite:///{path}"


def test_tables_and_views_are_reflected_with_their_keys(shop):
    objects = {item.id: item for item in read_database(shop)}
    assert set(objects) == {"Größe", "customer", "order", "shipment", '"a.b"', "big_customers"}
    assert objects["Größe"].text == "Größe: id, Länge in cm"
    keys = {name: item.metadata.get("foreign_keys") for name, item in objects.items()}
    assert keys["customer"] is None  # to itself alone
    assert keys["order"] == ["Größe", "customer"]  # two keys to customer are one relation
    assert keys["shipment"] == ["nowhere", "order"]  # a composite key is one relation
    assert objects["order"].metadata["db"] == "shop"
    assert objects["order"].metadata["table"] == "order"


def test_comments_in_the_sql_of_sqlite_belong_to_table_and_columns(tmp_path):
    path = tmp_path / "commented.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        -- before the statement: SQLite does not keep this
        CREATE TABLE "order" ( -- what customers bought
            id INTEGER, -- surrogate
            -- the customer's number,
            -- as in the CRM
            Cust_No TEXT NOT NULL, /* not the
                                      name */
            price DECIMAL(10, 2) DEFAULT '-- 1 /* 2 */', -- in euros
            state TEXT, -- one of open, closed,
                        -- rejected by the driver
            "check" INT /* 1 open, 2 paid */,
            -- legacy text not null,
            -- code VARCHAR(8) NOT NULL
            -- UNIX TIMESTAMP
            --------- sums ---------
            total REAL GENERATED ALWAYS AS (price * (1 /* with VAT */ + 0.2)),
            PRIMARY KEY (id), -- no customer has two
            CHECK (price > 0) -- nothing is free
            -- FOREIGN KEY (Cust_No) REFERENCES customer (id)
        );
        CREATE TABLE led ( a TEXT DEFAULT '-- x'
                                         -- b's own
                         , b TEXT,\t-- of tabs
                        \t\t-- too
                           c TEXT -- one\u2028two's
        );
        ALTER TABLE "order" ADD COLUMN note TEXT /* of the driver */;
        CREATE TABLE plain (id INTEGER);
        CREATE VIEW sums AS SELECT total FROM "order" -- all
        """
    )
    connection.close()
    found = {item.id: item.metadata for item in read_database(f"sqlite:///{path}")}
    told = {column["name"]: column.get("comment") for column in found["order"]["columns"]}
    assert told == {
        "id": "surrogate",
        "Cust_No": "the customer's number, as in the CRM not the name",
        "price": "in euros",
        "check": "1 open, 2 paid",
        "state": "one of open, closed, rejected by the driver",
        "total": "UNIX TIMESTAMP sums with VAT",
        "note": "of the driver",
    }
    assert found["order"]["comment"] == "what customers bought"
    told = {column["name"]: column.get("comment") for column in found["led"]["columns"]}
    assert told == {"a": None, "b": "b's own of tabs too", "c": "one two's"}
    for name in ("plain", "sums"):
        assert "comment" not in found[name]
        assert not any("comment" in column for column in found[name]["columns"])


def test_a_comment_of_many_rules_is_read_at_once():
    rules = " default x" * 60
    told = comments_in(f"CREATE TABLE t (a INT, -- b int{rules}\n c INT -- at int{rules[8:]}\n)")
    assert told.columns == {"c": f"at int{rules[8:]}"}


def test_a_missing_sqlite_file_is_not_created(tmp_path):
    with pytest.raises(InputError, match="no such SQLite database"):
        list(read_database(f"sqlite:///{tmp_path}/none.db"))
    assert not (tmp_path / "none.db").exists()


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "text.db").write_text("not a database at all, but long enough to look like one" * 9)
    with pytest.raises(
        InputError, match=r"text\.db: the database cannot be read .* not a data"
    ) as e:
        list(read_database(f"sqlite:///{tmp_path}/text.db"))
    assert "credentials" not in str(e.value)  # it was reached


def test_a_broken_view_is_left_out_with_a_warning(shop):
    connection = sqlite3.connect(shop.removeprefix("sqlite:///"))
    connection.executescript(
        "CREATE TABLE gone (x); CREATE VIEW lost AS SELECT * FROM gone;"
        "CREATE VIEW adrift AS SELECT * FROM gone; DROP TABLE gone"
    )
    connection.close()
    complaint = (
        r"shop\.db: 2 tables or views cannot be read \(such as adrift: no such table: main.gone"
    )
    with pytest.warns(GrapherWarning, match=complaint) as warned:
        objects = {item.id: item for item in read_database(shop)}
    assert len(warned) == 1
    assert set(objects) == {"Größe", "customer", "order", "shipment", '"a.b"', "big_customers"}
    assert objects["order"].metadata["foreign_keys"] == ["Größe", "customer"]


def test_the_insides_of_full_text_search_are_left_out(tmp_path):
    connection = sqlite3.connect(tmp_path / "notes.db")
    connection.executescript(
        "CREATE VIRTUAL TABLE notes USING fts5(body); CREATE TABLE notes_x (y)"
    )
    connection.close()
    found = {item.id for item in read_database(f"sqlite:///{tmp_path}/notes.db")}
    assert found == {"notes", "notes_x"}


@pytest.mark.parametrize("name", ["shop.db", "shop%2Edb"])
def test_a_read_only_sqlite_uri_is_read(shop, tmp_path, monkeypatch, name):
    for folder in ("", f"{tmp_path}/", f"//{tmp_path}/"):
        monkeypatch.chdir(tmp_path)
        objects = list(read_database(f"sqlite:///file:{folder}{name}?mode=ro&uri=true"))
        assert len(objects) == 6
        assert {item.metadata["db"] for item in objects} == {"shop"}


def test_a_missing_sqlite_uri_is_not_created(tmp_path):
    with pytest.raises(InputError, match="no such SQLite database"):
        list(read_database(f"sqlite:///file:{tmp_path}/none.db?uri=true"))
    assert not list(tmp_path.iterdir())


def test_a_table_without_a_name_has_an_id(tmp_path):
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.execute('CREATE TABLE "" (id INTEGER PRIMARY KEY)')
    connection.execute('CREATE TABLE orders (buyer INTEGER REFERENCES "")')
    connection.close()
    nameless, orders = read_database(f"sqlite:///{tmp_path}/shop.db")
    assert nameless.id == '""'
    assert orders.metadata["foreign_keys"] == ['""']


def test_postgresql_schemas_and_views_are_reflected(postgresql):
    import sqlalchemy

    engine = sqlalchemy.create_engine(postgresql)
    with engine.begin() as connection:
        connection.execute(
            sqlalchemy.text(
                """
                CREATE TABLE customer (id INT PRIMARY KEY, name TEXT);
                CREATE SCHEMA sales;
                CREATE TABLE sales."Order" (id INT PRIMARY KEY, customer INT REFERENCES customer(id));
                CREATE TABLE sales.line (no INT, "order" INT REFERENCES sales."Order"(id));
                CREATE VIEW sales.recent AS SELECT * FROM sales."Order";
                CREATE MATERIALIZED VIEW totals AS SELECT count(*) AS n FROM customer;
                """
            )
        )
    engine.dispose()
    objects = {item.id: item for item in read_database(postgresql)}
    assert set(objects) == {"customer", "sales.Order", "sales.line", "sales.recent", "totals"}
    assert objects["sales.Order"].metadata["foreign_keys"] == ["customer"]
    assert objects["sales.line"].metadata["foreign_keys"] == ["sales.Order"]
    assert objects["totals"].text == "totals: n"


def test_schemas_that_other_databases_keep_for_themselves_are_read(postgresql):
    names = ["db_sales", "guest", "mysql", "sys", "temp"]
    commands = [f"CREATE SCHEMA {name} CREATE TABLE t (x INT)" for name in names]
    objects = list(read_database(create_database(postgresql, "shop.2024", commands)))
    assert [item.id for item in objects] == [f"{name}.t" for name in names]
    assert {item.metadata["db"] for item in objects} == {"shop.2024"}  # the end of no file's name


def test_a_failed_transaction_does_not_spoil_the_other_tables(postgresql, monkeypatch):
    from sqlalchemy.dialects.postgresql.base import PGDialect

    reflect = PGDialect.get_multi_columns

    def broken(dialect, connection, **options):
        if not options["filter_names"] or "b" in options["filter_names"]:
            connection.exec_driver_sql("SELECT 1 / 0")
        return reflect(dialect, connection, **options)

    url = create_database(postgresql, "broken", [f"CREATE TABLE {name} (x INT)" for name in "abc"])
    monkeypatch.setattr(PGDialect, "get_multi_columns", broken)
    with pytest.warns(GrapherWarning, match=r"1 tables .* \(such as b: division by zero\)"):
        objects = list(read_database(url))
    assert {item.id for item in objects} == {"a", "c"}


@pytest.mark.parametrize(
    ("dialect", "hidden", "shown"),
    [
        ("mssql", ["INFORMATION_SCHEMA", "db_datareader", "guest", "sys"], ["db_sales", "temp"]),
        ("mysql", ["information_schema", "mysql", "performance_schema", "sys"], ["guest"]),
        ("another", ["information_schema"], ["db_owner", "guest", "pg_x", "sys", "temp"]),
    ],
)
def test_each_database_hides_its_own_schemas_only(shop, monkeypatch, dialect, hidden, shown):
    from sqlalchemy.dialects.sqlite.base import SQLiteDialect

    from grapher_jax.corpus.database import reflect

    # SQLite stands in for servers that are not at hand.
    known = reflect._SYSTEM_SCHEMAS
    monkeypatch.setattr(
        reflect, "_SYSTEM_SCHEMAS", {"sqlite": known[dialect]} if dialect in known else {}
    )
    asked = []
    monkeypatch.setattr(SQLiteDialect, "get_schema_names", lambda *_, **__: hidden + shown)
    monkeypatch.setattr(reflect, "_kinds", lambda _, schema: asked.append(schema) or {})
    with pytest.raises(InputError, match="the database has no tables"):
        list(read_database(shop))
    assert asked == [None, *shown]


# Quotes, what ends a statement or a parameter, what separates names, words that mean something,
# and as many bytes as PostgreSQL allows; not what it forbids.
names = (
    st.text(alphabet=st.sampled_from("a'\"`;:%.()[]\\$-/ \tÜ表😀\u200b"), min_size=1, max_size=15)
    | st.sampled_from(
        ["select", "table", "USER", "drop table x; --", "%s", ":p", "x" * 63, "ü" * 31]
    )
).filter(lambda name: len(name.encode()) <= 63)
tables = st.dictionaries(
    names, st.lists(names, min_size=1, max_size=3, unique_by=str.casefold), min_size=1, max_size=3
)


def identity(*parts):
    return ".".join(f'"{part}"' if "." in part else part for part in parts)


def check_reflected(url, shapes, schema=None):
    """Tables that SQLAlchemy makes, each of which references the one before it, are read back."""
    import sqlalchemy

    data = sqlalchemy.MetaData(schema=schema)
    made = []
    for name, columns in shapes.items():
        table = sqlalchemy.Table(name, data)
        for place, column in enumerate(columns):
            # A first column that others can reference.
            unique, keys = place == 0, [sqlalchemy.ForeignKey(made[-1].c[0])] if made else []
            kept = keys if place == len(columns) - 1 else []
            table.append_column(
                sqlalchemy.Column(column, sqlalchemy.Integer, *kept, unique=unique, key=f"c{place}")
            )
        made.append(table)
    engine = sqlalchemy.create_engine(url)
    try:
        with engine.begin() as connection:
            if schema:
                connection.execute(sqlalchemy.schema.CreateSchema(schema))
            data.create_all(connection)
        found = {item.id: item for item in read_database(url)}
    finally:
        with engine.begin() as connection:
            data.drop_all(connection)
            if schema:
                connection.execute(sqlalchemy.schema.DropSchema(schema, if_exists=True))
        engine.dispose()
    prefix = [schema] if schema else []
    assert {name: item.text for name, item in found.items()} == {
        identity(*prefix, name): f"{name}: {', '.join(columns)}" for name, columns in shapes.items()
    }
    order = [identity(*prefix, name) for name in shapes]
    for before, name in pairwise(order):
        assert found[name].metadata["foreign_keys"] == [before]


reflecting = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@reflecting
@given(shapes=tables.filter(lambda found: len({name.casefold() for name in found}) == len(found)))
def test_any_name_in_sqlite_is_reflected(tmp_path, shapes):
    sqlite3.connect(tmp_path / "names.db").close()
    check_reflected(f"sqlite:///{tmp_path}/names.db", shapes)


@pytest.mark.nightly
@reflecting
@given(shapes=tables, schema=names.filter(lambda name: not name.startswith("pg_")))
def test_any_name_in_postgresql_is_reflected(postgresql, shapes, schema):
    if "names" not in read_names(postgresql):
        create_database(postgresql, "names", [])
    check_reflected(postgresql.replace("/postgres?", "/names?"), shapes, schema)


def read_names(server):
    """The databases of a server."""
    import sqlalchemy

    engine = sqlalchemy.create_engine(server)
    with engine.connect() as connection:
        found = set(connection.scalars(sqlalchemy.text("SELECT datname FROM pg_database")))
    engine.dispose()
    return found


def test_a_key_with_a_line_break_in_its_name_costs_its_table_alone(postgresql):
    url = create_database(
        postgresql,
        "breaks",
        [
            "CREATE TABLE a (id INT PRIMARY KEY)",
            'CREATE TABLE b ("x\n" INT REFERENCES a (id))',
            "CREATE TABLE c (a INT REFERENCES a (id))",
        ],
    )
    with pytest.warns(GrapherWarning, match=r"1 tables or views cannot be read \(such as b: "):
        found = {item.id: item.metadata.get("foreign_keys") for item in read_database(url)}
    assert found == {"a": None, "c": ["a"]}


def test_a_declared_key_that_cannot_be_read_is_told(shop, monkeypatch):
    reflect_all = reflect._reflect

    def read(*given):
        warnings.warn(
            "Unknown schema content: 'CONSTRAINT `k` FOREIGN KEY (`x(y)`)'", SAWarning, stacklevel=1
        )
        warnings.warn("Did not recognize type 'GEOMETRY'", SAWarning, stacklevel=1)
        warnings.warn("Of another library", UserWarning, stacklevel=1)
        reflect_all(*given)

    monkeypatch.setattr(reflect, "_reflect", read)
    with pytest.warns(UserWarning) as told:
        list(read_database(shop))
    messages = [str(one.message) for one in told]
    assert any("a declared key is left out" in one and "x(y)" in one for one in messages)
    assert "Of another library" in messages and not any("GEOMETRY" in one for one in messages)
