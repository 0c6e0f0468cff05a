"""A small shop: a database with a comment of everything that its dialect has no comments for."""

import sqlite3
from contextlib import closing

import pytest

from grapher_jax.search import Index
from grapher_jax.tables.schema import schema_of

SHOP = """
CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE customer (
  id INTEGER PRIMARY KEY, "full name" TEXT, country TEXT REFERENCES country, parent_id INTEGER,
  FOREIGN KEY (parent_id) REFERENCES customer (id)
);
CREATE TABLE sales_order (
  id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), placed_on DATE, note TEXT
);
CREATE TABLE product (id INTEGER PRIMARY KEY, title VARCHAR(40), price NUMERIC(8, 2), weight REAL);
CREATE TABLE order_line (
  order_id INTEGER, line INTEGER, product_id INTEGER REFERENCES product (id), quantity INTEGER,
  PRIMARY KEY (order_id, line), FOREIGN KEY (order_id) REFERENCES sales_order (id)
);
CREATE TABLE shipped_line (
  id INTEGER PRIMARY KEY, order_id INTEGER, line INTEGER,
  FOREIGN KEY (order_id, line) REFERENCES order_line (order_id, line)
);
CREATE TABLE weather_station (station TEXT, rainfall REAL, measured_on DATE);
CREATE VIEW heavy_product AS SELECT id, title FROM product WHERE weight > 20;
"""


@pytest.fixture(scope="session")
def shop_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("shop") / "shop.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(SHOP)
    return path


@pytest.fixture(scope="session")
def shop(shop_file, embedder):
    return Index.from_source(f"sqlite:///{shop_file}", embedder=embedder, infer_keys="never")


@pytest.fixture(scope="session")
def schema(shop):
    return schema_of(shop)
