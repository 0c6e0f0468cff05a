import os
import shutil
import sqlite3
import subprocess

import pytest

from grapher_jax.corpus import read_database
from grapher_jax.errors import InputError, MissingExtraError

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


def test_a_missing_sqlite_file_is_not_created(tmp_path):
    with pytest.raises(InputError, match="no such SQLite database"):
        list(read_database(f"sqlite:///{tmp_path}/none.db"))
    assert not (tmp_path / "none.db").exists()


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "text.db").write_text("not a database at all, but long enough to look like one" * 9)
    with pytest.raises(InputError, match=r"text\.db: the database cannot be read"):
        list(read_database(f"sqlite:///{tmp_path}/text.db"))


def test_an_unreachable_database_keeps_its_password():
    url = "postgresql+psycopg://reader:s3cret-word@127.0.0.1:1/shop?connect_timeout=2"
    with pytest.raises(InputError, match="the database cannot be read") as raised:
        list(read_database(url))
    assert "s3cret-word" not in str(raised.value)
    assert "reader:***@127.0.0.1" in str(raised.value)


def test_a_malformed_url_is_named():
    with pytest.raises(InputError, match="malformed; write it like sqlite:///"):
        list(read_database("sql ite://"))


def test_an_unknown_kind_of_database_is_named():
    with pytest.raises(InputError, match="unknown kind of database"):
        list(read_database("gonesql://host/db"))


def test_a_missing_driver_is_named_with_its_cure():
    with pytest.raises(MissingExtraError, match="pip install"):
        list(read_database("oracle://host/db"))


@pytest.fixture(scope="module")
def postgresql(tmp_path_factory):
    """A PostgreSQL server of this test's own, on a socket in a temporary folder."""
    binaries = sorted(__import__("pathlib").Path("/usr/lib/postgresql").glob("*/bin"))
    if not binaries:
        pytest.skip("no PostgreSQL server is installed")
    folder = tmp_path_factory.mktemp("postgresql")
    folder.chmod(0o755)
    folder.parent.chmod(0o755)
    folder.parent.parent.chmod(0o755)
    as_user = {}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.
        shutil.chown(folder, "postgres", "postgres")
        as_user = {"user": "postgres"}
    run = {"check": True, "capture_output": True, "cwd": folder, **as_user}
    data, control = folder / "data", str(binaries[-1] / "pg_ctl")
    subprocess.run([binaries[-1] / "initdb", "-D", data, "-A", "trust", "-U", "tester"], **run)
    options = f"-k {folder} -c listen_addresses=''"
    subprocess.run([control, "-D", data, "-w", "-l", folder / "log", "-o", options, "start"], **run)
    yield f"postgresql+psycopg://tester@/postgres?host={folder}"
    subprocess.run([control, "-D", data, "-m", "immediate", "stop"], **run)


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
