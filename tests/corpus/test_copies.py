"""Tables that differ in a number of their names alone: the newest stands for them."""

import sqlite3
import time
from contextlib import closing

import pytest

from grapher_jax.command_line import main
from grapher_jax.corpus import read_database, read_source
from grapher_jax.corpus.database.copies import newest_of_copies
from grapher_jax.corpus.database.reflect import Reflected
from grapher_jax.errors import InputError
from grapher_jax.search import Index
from grapher_jax.tables.ddl import create_tables
from grapher_jax.tables.schema import Schema

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE sales_2020 (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id));
CREATE TABLE sales_2021 (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id));
CREATE TABLE sales_2022 (id INTEGER PRIMARY KEY, buyer INTEGER, customer_id INTEGER REFERENCES
  customers (id), replaces INTEGER REFERENCES sales_2021 (id));
CREATE TABLE sales_2023 (id INTEGER PRIMARY KEY, buyer INTEGER, customer_id INTEGER REFERENCES
  customers (id));
CREATE TABLE refunds (id INTEGER, sale INTEGER REFERENCES sales_2022 (id));
CREATE VIEW early_sales AS SELECT * FROM sales_2021;
"""


def tables(path, text, **options):
    path.write_text(text)
    return {item.id: item for item in read_source(str(path), **options)}


@pytest.fixture
def of(tmp_path):
    """Makes tables of names and columns, and reads them."""

    def read(columns, **options):
        made = [f'CREATE TABLE "{name}" ({own});' for name, own in columns.items()]
        return tables(tmp_path / "made.sql", "\n".join(made), infer_keys="never", **options)

    return read


def test_the_newest_stands_for_its_copies_and_gets_their_references(tmp_path):
    found = tables(tmp_path / "shop.sql", SHOP)
    assert set(found) == {"customers", "sales_2023", "refunds", "early_sales"}
    assert found["sales_2023"].metadata["copies"] == ["sales_2020", "sales_2021", "sales_2022"]
    assert "copies" not in found["customers"].metadata
    assert found["refunds"].metadata["foreign_keys"] == ["sales_2023"]
    assert found["refunds"].metadata["joins"][0]["references"] == "sales_2023"
    assert found["early_sales"].metadata["foreign_keys"] == ["sales_2023"]


def test_a_sqlite_database_is_read_alike_and_each_copy_on_request(tmp_path):
    with closing(sqlite3.connect(tmp_path / "shop.db")) as made:
        made.executescript(SHOP)
    url = f"sqlite:///{tmp_path / 'shop.db'}"
    script = tables(tmp_path / "shop.sql", SHOP)
    assert {item.id for item in read_database(url)} == set(script)
    every = {item.id: item.metadata for item in read_database(url, copies=True)}
    assert {"sales_2021", "sales_2022", "sales_2023"} <= set(every)
    assert every["sales_2022"]["foreign_keys"] == ["customers", "sales_2021"]
    assert not any("copies" in own for own in every.values())


def test_tables_as_files_are_copies_too(tmp_path):
    for month in range(1, 13):
        (tmp_path / f"trips-2024-{month:02}.csv").write_text("trip_id,zone_id,fare\n")
    (tmp_path / "zones.csv").write_text("zone_id,name\n")
    found = {item.id: item for item in read_source(str(tmp_path))}
    assert set(found) == {"trips-2024-12", "zones"}
    assert len(found["trips-2024-12"].metadata["copies"]) == 11
    assert found["trips-2024-12"].metadata["inferred_keys"] == ["zones"]


def test_the_highest_number_is_the_newest_and_not_the_last_name(of):
    (newest,) = of(
        dict.fromkeys(("log_9", "log_10", "log_8", "log_7"), "id INTEGER, line TEXT")
    ).values()
    assert (newest.id, newest.metadata["copies"]) == ("log_10", ["log_7", "log_8", "log_9"])


@pytest.mark.parametrize(
    "columns",
    [
        dict.fromkeys(("recode_3", "recode_5", "recode_40"), "code TEXT, label TEXT"),
        {f"t{n}": f"a{n} TEXT, b{n} TEXT" for n in range(11, 15)},
        dict.fromkeys(("region_1", "region_2", "region_3", "region_4"), "id INTEGER, name TEXT"),
        dict.fromkeys(
            ("red_sales", "blue_sales", "green_sales", "pink_sales"), "id INTEGER, amount REAL"
        ),
        dict.fromkeys((f"covid19_level_{n}" for n in range(1, 6)), "id INTEGER, name TEXT"),
        dict.fromkeys((f"log_{d}_01_{y}" for d in (11, 12) for y in (2020, 2021)), "a TEXT"),
        dict.fromkeys(("v11_a", "v12_b", "v13_c", "v14_d"), "id INTEGER, amount REAL"),
    ],
    ids=["few", "other columns", "low", "no number", "levels", "day first", "other words"],
)
def test_other_tables_stay(of, columns):
    assert set(of(columns)) == set(columns)


def test_a_date_is_one_number_and_other_numbers_are_not_mixed(of):
    dates = [f"day_{y}_{m:02}_28" for y in (2023, 2024) for m in (1, 11)]
    quarters = [f"wages_{y}_q{q}" for y in (2023, 2024) for q in (1, 4)]
    products = [f"acs_{y}_{n}yr" for y in range(2016, 2020) for n in (1, 5)]
    found = of(dict.fromkeys([*dates, *quarters, *products], "id INTEGER, name TEXT"))
    assert {name: len(own.metadata["copies"]) for name, own in found.items()} == {
        "day_2024_11_28": 3,
        "wages_2024_q4": 3,
        "acs_2019_1yr": 3,
        "acs_2019_5yr": 3,
    }


def test_copies_of_copies_have_one_table_that_stands_for_all(of):
    names = [f"sensor_{place}_of_{year}" for place in range(8, 12) for year in range(2020, 2024)]
    (newest,) = of(dict.fromkeys(names, "id INTEGER, value REAL")).values()
    assert newest.id == "sensor_11_of_2023"
    assert set(newest.metadata["copies"]) == set(names) - {newest.id}


def test_columns_may_change_with_time(of):
    columns = dict.fromkeys(("day_11", "day_12", "day_13"), "a TEXT, b TEXT")
    columns |= {"day_14": "a TEXT, b TEXT, c TEXT"}
    columns |= dict.fromkeys(("day_15", "day_16", "day_17"), "x TEXT, y TEXT")
    columns |= {"day_18": "x TEXT, y TEXT, z TEXT"}
    found = of(columns)
    assert {name: own.metadata["copies"] for name, own in found.items()} == {
        "day_14": ["day_11", "day_12", "day_13"],
        "day_18": ["day_15", "day_16", "day_17"],
    }


def test_keys_have_columns_that_are_there(tmp_path):
    made = "CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT);"
    for year in (2020, 2021, 2022):
        declared = "REFERENCES regions (id)" if year == 2020 else ""
        made += f"""CREATE TABLE sales_{year} (id INTEGER PRIMARY KEY, region_id INTEGER {declared},
          old INTEGER REFERENCES regions (id));"""
    made += """CREATE TABLE sales_2023 (key INTEGER, region_id INTEGER, old INTEGER);
    CREATE TABLE refunds (a INTEGER REFERENCES sales_2021 (id),
      b INTEGER REFERENCES sales_2021 (region_id), c INTEGER,
      FOREIGN KEY (c) REFERENCES sales_2020 (region_id),
      FOREIGN KEY (c) REFERENCES sales_2021 (region_id));"""
    found = tables(tmp_path / "shop.sql", made, infer_keys="never")
    assert set(found) == {"regions", "sales_2023", "refunds"}
    # The keys that older ones declare, as far as the newest has their columns.
    assert {tuple(join["columns"]) for join in found["sales_2023"].metadata["joins"]} == {
        ("region_id",),
        ("old",),
    }
    refunds = found["refunds"].metadata
    assert refunds["foreign_keys"] == ["sales_2023"]
    assert [(join["columns"], join["referenced_columns"]) for join in refunds["joins"]] == [
        (["b"], ["region_id"]),
        (["c"], ["region_id"]),
    ]


def test_an_update_replaces_the_table_that_stood_for_the_others(tmp_path, capsys):
    script, index = tmp_path / "logs.sql", tmp_path / "index"
    for last in (14, 15, 16):
        days = (f"CREATE TABLE log_{n} (id INTEGER, line TEXT);" for n in range(10, last))
        script.write_text("CREATE TABLE users (id INTEGER);" + "".join(days))
        verb = (
            ["update", index, "--add", script] if last > 14 else ["index", script, "--out", index]
        )
        with pytest.raises(SystemExit) as ended:
            main([*map(str, verb)])
        assert not ended.value.code
    assert set(Index.load(index).ids) == {"users", "log_15"}
    told = capsys.readouterr().err
    assert "are not in the database" not in told
    assert "5 tables are left out" in told


def test_schemas_have_copies_of_their_own(tmp_path):
    made = [
        f"CREATE TABLE {schema}.log_{year} (id INTEGER, line TEXT);"
        for schema, years in {"one": range(2020, 2024), "two": range(2021, 2024)}.items()
        for year in years
    ]
    found = tables(tmp_path / "logs.sql", "\n".join(made))
    assert set(found) == {"one.log_2023", "two.log_2021", "two.log_2022", "two.log_2023"}
    schema = Schema([*found.values()])
    assert schema.ids[schema.find("one.log_2021")] == "one.log_2023"
    assert schema.ids[schema.find("log_2021")] == "two.log_2021"  # which is there itself
    assert schema.ids[schema.find("log_2020")] == "one.log_2023"


def test_a_comment_of_all_copies_describes_the_newest(tmp_path):
    made = "".join(
        f"CREATE TABLE log_{day} (id INTEGER, line TEXT);"
        f"COMMENT ON TABLE log_{day} IS 'What machines wrote';"
        for day in range(20)
    )
    (newest,) = tables(tmp_path / "logs.sql", made).values()
    assert newest.metadata["comment"] == "What machines wrote"


def test_the_time_grows_with_the_number_of_tables():
    columns = {(None, f"part_{n}"): [{"name": f"c{n}"}, {"name": f"d{n}"}] for n in range(20_000)}
    begun = time.process_time()
    assert newest_of_copies(Reflected(None, [None], columns=columns)) == {}
    assert time.process_time() - begun < 5


def test_keys_and_names_may_be_those_of_a_copy(tmp_path):
    (tmp_path / "keys.yaml").write_text(
        "- {table: sales_2021, columns: buyer, references: customers, referenced_columns: id}\n"
    )
    (tmp_path / "log.sql").write_text(
        "SELECT * FROM customers c JOIN sales_2022 s ON c.id = s.buyer;\n" * 2
    )
    found = tables(tmp_path / "shop.sql", SHOP, keys=tmp_path / "keys.yaml")
    joins = found["sales_2023"].metadata["inferred_joins"]
    assert [(join["columns"], join["references"]) for join in joins] == [(["buyer"], "customers")]
    found = tables(tmp_path / "shop.sql", SHOP, queries_from=tmp_path / "log.sql")
    joins = found["sales_2023"].metadata["inferred_joins"]
    assert [(join["columns"], join["references"]) for join in joins] == [(["buyer"], "customers")]
    schema = Schema([*found.values()])
    assert schema.find("SALES_2021") == schema.row["sales_2023"]


def test_statements_tell_the_copies(tmp_path):
    schema = Schema([*tables(tmp_path / "shop.sql", SHOP).values()])
    written = create_tables([schema.table(schema.row["sales_2023"])], (), dialect="sqlite")
    assert written.startswith(
        "-- with about these columns, too: sales_2020, sales_2021, sales_2022\n"
    )

    days = "".join(f"CREATE TABLE log_{day} (id INTEGER, line TEXT);" for day in range(20))
    schema = Schema([*tables(tmp_path / "logs.sql", days).values()])
    written = create_tables([schema.table(0)], (), dialect="sqlite")
    assert written.startswith("-- with about these columns, too: log_0 to log_18, 19 tables\n")


def test_an_index_finds_the_newest_among_other_tables(tmp_path):
    days = "".join(f"CREATE TABLE log_{day} (id INTEGER, line TEXT);" for day in range(300))
    (tmp_path / "shop.sql").write_text(SHOP + days)
    index = Index.from_source(str(tmp_path / "shop.sql"))
    assert len(index.ids) == 5
    assert index.search("lines of the log", k=1)[0].id == "log_299"


@pytest.mark.usefixtures("types_unchecked")
def test_copies_are_a_choice_for_databases_alone(tmp_path):
    with pytest.raises(InputError, match="copies: "):
        [*read_database(str(tmp_path / "shop.sql"), copies="yes")]
    (tmp_path / "notes.md").write_text("# Notes\n\nNone.\n")
    with pytest.raises(InputError, match="copies"):
        read_source(str(tmp_path), copies=True)
