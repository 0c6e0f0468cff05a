"""Folders of tables as files, SQLite files by their paths, and DuckDB."""

import gzip
import sqlite3
from unicodedata import normalize

import pytest

from grapher_jax.corpus import Object, is_database, read_database, read_source, write_beir
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.search import Index

SHOP = {"customers.csv": "id,name\n1,Ada\n", "orders.csv": "id,customer_id,total\n7,1,9.5\n"}


@pytest.fixture
def folder(tmp_path):
    """Writes files into a folder."""

    def write(files, name="exports"):
        made = tmp_path / name
        made.mkdir(exist_ok=True)
        for own, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            (made / own).write_bytes(data)
        return made

    return write


def read(source, **options):
    return {item.id: item for item in read_source(str(source), **options)}


def columns(item):
    return [one["name"] for one in item.metadata["columns"]]


def test_a_folder_of_files_is_a_database_whose_keys_are_inferred(folder):
    found = read(folder(SHOP))
    assert [item.text for item in found.values()] == [
        "customers: id, name",
        "orders: id, customer_id, total",
    ]
    metadata = dict(found["orders"].metadata)
    assert metadata.pop("inferred_joins")[0]["references"] == "customers"
    nameless = {"type": "", "nullable": True}
    assert metadata == {
        "db": "exports",
        "table": "orders",
        "kind": "table",
        "columns": [{"name": name} | nameless for name in ("id", "customer_id", "total")],
        "inferred_keys": ["customers"],
    }


def test_a_title_may_stand_alone_above_the_header(folder):
    files = {
        "a.csv": "Exported by Bob\n\nSKU,Full Name\nA,Pen\n",
        "b.csv": "full name\nDoe, Jane\n",
    }
    found = read(folder(files | {"c.csv": "full name"}))
    assert {name: columns(item) for name, item in found.items()} == {
        "a": ["SKU", "Full Name"],
        "b": ["full name"],
        "c": ["full name"],
    }


def test_tables_are_chosen_as_those_of_a_database(folder, tmp_path):
    place = folder({**SHOP, "tmp_old.csv": "a,b\n"})
    assert [*read(place, exclude=["tmp_*"])] == ["customers", "orders"]
    assert "inferred_keys" not in read(place, infer_keys="never")["orders"].metadata
    keys = tmp_path / "keys.yaml"
    keys.write_text(
        "- {table: orders, columns: [total], references: tmp_old, referenced_columns: [a]}"
    )
    assert read(place, keys=keys)["orders"].metadata["inferred_keys"] == ["customers", "tmp_old"]
    with pytest.raises(InputError, match="schema 'x' is not there; there are none"):
        read(place, schemas=["x"])
    with pytest.raises(InputError, match="leave none of 3 tables"):
        read(place, include=["x"])


@pytest.mark.parametrize(
    "header",
    [
        "a,b,c d\n1,2,3\n",
        "\ufeffa;b;c d\r\n1;2;3",
        'a\t"b"\tc d',
        "a|b|c d\r1|2|3",
        ',"a", "b","c d"\n0,1,2,3',
        "Unnamed: 0,a,b,c d\n0,1,2,3",
        '"a","b","c\nd"\n1,2,3',
        '\n\n"a";"b";"c d";\n1;2;3,4,5,6;\n',
        "sep=;\r\na;b;c d\r\n",
        "\ufeffsep=,\na,b,c d\n",
        "# exported 2024-01-01\na,b,c d\n1,2,3",
        "Sales per region;;\r\n;;\r\na;b;c d\r\n",
    ],
)
def test_headers_as_programs_write_them(folder, header):
    found = read(folder({"a.csv": header, "b.csv": "x,y\n"}))["a"]
    assert [name.replace("\n", " ") for name in columns(found)] == ["a", "b", "c d"]


def test_a_mark_of_inches_begins_no_name_in_quotes(folder):
    rows = '1,"a",2\n' * 200_000
    found = read(folder({"a.csv": f'id,size (12"),price\n{rows}', "b.csv": "x,y\n"}))["a"]
    assert columns(found) == ["id", 'size (12")', "price"]


def test_a_comma_in_quotes_is_no_delimiter(folder):
    found = read(folder({"a.csv": '"Place, of, birth";id\n', "b.csv": "x,y\n"}))["a"]
    assert columns(found) == ["Place, of, birth", "id"]


def test_no_row_is_read(folder):
    rows = b'\xff\0 rows "that cannot be read\n' * 9
    assert [*read(folder({"a.csv": b"x,y\n" + rows, "b.tsv": b"x\ty\n" + rows}))] == ["a", "b"]


def test_packed_files(folder):
    packed = gzip.compress(b"id\tcity\n1\tRome\n")
    found = read(folder({"Stores.TSV.GZ": packed, "b.csv": "x,y\n"}))
    assert columns(found["Stores"]) == ["id", "city"]


def test_types_of_parquet_are_read(folder):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    place = folder(SHOP)
    kinds = {
        "id": arrow.int64(),
        "name": arrow.string(),
        "at": arrow.timestamp("us"),
        "price": arrow.decimal128(9, 2),
        "zone": arrow.timestamp("us", tz="UTC"),
        "time": arrow.time64("us"),
        "size": arrow.uint64(),
        "data": arrow.binary(),
        "tags": arrow.list_(arrow.string()),
        "__index_level_0__": arrow.int64(),
    }
    fields = [arrow.field(name, kind, nullable=name != "id") for name, kind in kinds.items()]
    parquet.write_table(arrow.schema(fields).empty_table(), place / "stores.parquet")
    (place / "cut.parquet").write_bytes(b"PAR1")
    with pytest.warns(GrapherWarning, match="such as cut: no Parquet that can be read"):
        found = read(place)["stores"].metadata["columns"]
    assert [(one["name"], one["type"]) for one in found[:8]] == [
        ("id", "BIGINT"),
        ("name", "VARCHAR"),
        ("at", "TIMESTAMP"),
        ("price", "DECIMAL(9, 2)"),
        ("zone", "TIMESTAMP WITH TIME ZONE"),
        ("time", "TIME"),
        ("size", "DECIMAL(20)"),
        ("data", "VARBINARY"),
    ]
    assert [one["nullable"] for one in found] == [False, *[True] * 8]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("id,name,id\n", "a header that names 'id' 2 times"),
        ("", "a first line without names of columns"),
        ("1,2,3\n4,5,6\n", "a first line without names of columns"),
        (",,\n", "a first line without names of columns"),
        ("17,Miller,Berlin\n", "a first line with values, such as '17'; put names above it"),
        ("Miller,2024-01-31 12:00\n", "a first line with values, such as '2024-01-31 12:00'"),
        (b"id,\xff\n1,\0\n", "a header that is not UTF-8; save it as UTF-8"),
        (b"i\0d,name\n", "a header that is binary"),
        ('id,"name\n1,2\n', r"a header that cannot be parsed \(unexpected end of data\)"),
        ('"a' * 999_999, "a header that does not end"),
        # So long that no line may be read many times.
        ('"5 pipe,price,note\n' + '1,2,""\n' * 100_000, "a header that cannot be parsed"),
        ('x"y,"a\n' + '""\n' * 100_000, "a header that cannot be parsed"),
        ('"5 pipe,price\n' + "1,2\n" * 300_000, "a header that does not end within 1,000,000 by"),
    ],
)
def test_a_file_without_a_usable_header_is_told_and_left_out(folder, content, told):
    place = folder({**SHOP, "bad.csv": content})
    with pytest.warns(GrapherWarning, match=rf"exports: 1 .* cannot be read \(such as bad: {told}"):
        assert [*read(place)] == ["customers", "orders"]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-8-sig"])
def test_a_header_may_have_another_encoding(folder, encoding):
    text = "Kundennr;Straße;Größe\r\n" + "17;Königsallee, über dem Café;groß – 5 €\r\n" * 9
    found = read(folder({**SHOP, "kunden.csv": text.encode(encoding)}))
    assert columns(found["kunden"]) == ["Kundennr", "Straße", "Größe"]


def test_other_files_that_are_left_out_are_told(folder):
    place = folder({**SHOP, "orders.tsv": "a\tb\n", "cut.csv.gz": gzip.compress(b"a,b")[:-9]})
    (place / "linked.csv").symlink_to(place / "orders.csv")
    with pytest.warns(GrapherWarning, match=r"exports: 3 .*\(such as cut: cannot be read"):
        assert columns(read(place)["orders"]) == ["id", "customer_id", "total"]
    with pytest.warns(GrapherWarning, match='"orders.tsv": another file has its name'):
        read(place, exclude=["linked", "cut"])
    empty = folder({"a.csv": "", "b.csv": "1,2"}, "empty")
    with pytest.raises(InputError, match="empty: all 2 tables or views cannot be read"):
        read(empty)


def test_what_is_no_folder_of_tables(folder, embedder, tmp_path):
    assert is_database(str(folder(SHOP)))
    assert not is_database(folder({"a.md": "Notes."}))
    assert "a.md#0" in read(folder({}))
    assert not is_database(folder({"only.csv": "a,b\n"}, "one"))
    index = tmp_path / "shop.index"
    Index.build([Object("a", "one")], embedder=embedder).save(index)
    assert not is_database(index)
    beir = tmp_path / "beir"
    write_beir(beir, [Object("a", "one")], [], {})
    assert not is_database(folder(SHOP, "beir"))


def test_spreadsheets_are_documents_for_the_reader_that_reads_them(folder):
    pytest.importorskip("markitdown")
    place = folder({**SHOP, "notes.xlsx": ""})
    assert is_database(place)
    assert not is_database(place, "markitdown")


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"a.sql": "", "b.sql": ""}, r"of files of SQL, give one, such as a\.sql, as the source"),
        (
            {"dbt_project.yml": ""},
            "of a dbt project, give the database that it builds, with --dbt-",
        ),
        (
            {"issues.csv": "Key,Summary\n"},
            r"a file of records, such as issues\.csv, may be a source",
        ),
        ({"a.csv": "a,b"}, r"two or more files of tables .* directly in a folder are read as"),
        ({"a.parquet": b"PAR1"}, r"two or more files of tables .* directly in a folder are read"),
    ],
)
def test_a_refused_folder_names_the_way_on(folder, files, told):
    with pytest.raises(InputError, match=f"no document is in it .*; {told}"):
        read(folder(files))


def test_verbs_take_a_folder_of_tables(folder, grapher):
    place = folder({**SHOP, "schema.sql": "CREATE TABLE a (id INT)"})
    status, _, told = grapher("index", place, "--out", "index")
    assert not status
    assert "2 CSV files, read as the tables of one database (their headers alone)" in told
    assert "beside a document, such as a README.md, each of their rows is one too" in told
    assert "schema.sql may tell more" in told
    assert "keys that nobody declared were inferred" in told
    folder({"stores.csv": "id,city\n"})
    assert not grapher("update", "index", "--add", place)[0]
    assert "customer_id" in grapher("keys", "index")[1]
    assert "stores" in grapher("tables", place, "Which stores are in Rome?", "--ddl")[1]


def test_tables_that_nothing_joins(folder, grapher):
    place = folder({"a.csv": "x,y\n", "b.csv": "z,w\n"})
    out = grapher("index", place, "--out", "index")[1]
    assert "joined by nothing: no key was found; give keys by --keys, --queries-from or" in out
    assert "index their source with --keys" in grapher("tables", "index", "What is x?")[2]


def test_a_sqlite_file_is_a_database_by_its_path(tmp_path, grapher):
    path = tmp_path / "50% of #1?.data"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE shops (id INTEGER PRIMARY KEY, city TEXT)")
    connection.close()
    found = list(read_source(path))
    assert [item.text for item in found] == ["shops: id, city"]
    assert found[0].metadata["primary_key"] == ["id"]
    assert not grapher("index", path, "--out", "index")[0]
    assert not grapher("update", "index", "--add", path.name)[0]
    assert "shops" in grapher("tables", path.name, "Which shops are in Rome?")[1]


def test_dates_may_be_the_names_of_columns(folder):
    months = "2000-01-31,2000-02-29,2000-03-31"
    found = read(folder({**SHOP, "rents.csv": f"RegionID,RegionName,{months}\n"}))
    assert columns(found["rents"]) == ["RegionID", "RegionName", *months.split(",")]


def test_accents_of_a_files_name_may_be_apart(folder):
    name = normalize("NFD", "Künstler.csv")
    found = read(folder({name: "id,name\n", "werke.csv": "id,künstler_id\n"}))
    assert found["werke"].metadata["inferred_keys"] == ["Künstler"]


def test_types_that_sqlite_alone_knows_are_read_as_declared(tmp_path):
    path = tmp_path / "shop.db"
    kinds = ("STRING", "TIMESTAMPTZ", "LONGBLOB", "NUMERIC(10, 2)", "NUMERIC", "VARCHAR(20)", "")
    kinds += ("POINT", "BIGINT UNSIGNED", "VARCHAR2(20)", "DOUBLE PRECISION", "INT", "MONEY(10,2)")
    with sqlite3.connect(path) as connection:
        own = ", ".join(f"c{n} {kind}" for n, kind in enumerate(kinds))
        connection.execute(f"CREATE TABLE users ({own})")
        connection.execute("CREATE VIEW broken AS SELECT * FROM nowhere")
    connection.close()
    with pytest.warns(GrapherWarning, match="broken"):
        found = read(path)["users"]
    assert [one["type"] for one in found.metadata["columns"]] == [*kinds]


def test_what_is_too_long_for_a_path_is_no_folder():
    assert not is_database("a" * 999)
    with pytest.raises(InputError, match="malformed"):
        list(read_database("a" * 999))


def test_duckdb_is_read_and_not_changed(tmp_path):
    pytest.importorskip("duckdb_engine")
    import duckdb

    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR UNIQUE); CREATE TABLE "
            "orders (id INTEGER NOT NULL, customer INTEGER REFERENCES customers (id), tags VARCHAR[]);"
            "CREATE VIEW named AS SELECT o.*, c.name FROM orders o JOIN customers c ON customer = c.id;"
            "CREATE SCHEMA sales; CREATE TABLE sales.stores (id BIGINT);"
            "COMMENT ON TABLE orders IS 'what was bought'; COMMENT ON COLUMN orders.tags IS 'words'"
        )
    data = path.read_bytes()
    found = {item.id: item.metadata for item in read_database(f"duckdb:///{path}")}
    assert sorted(found) == ["customers", "named", "orders", "sales.stores"]
    assert found["customers"]["primary_key"] == ["id"]
    assert found["customers"]["unique"] == [["name"]]
    assert found["named"]["foreign_keys"] == ["customers", "orders"]
    orders = found["orders"]
    assert (orders["db"], orders["comment"]) == ("shop", "what was bought")
    assert orders["joins"] == [
        {"columns": ["customer"], "references": "customers", "referenced_columns": ["id"]}
    ]
    assert orders["columns"][0] == {"name": "id", "type": "INTEGER", "nullable": False}
    assert orders["columns"][2]["type"] == "VARCHAR[]"
    assert orders["columns"][2]["comment"] == "words"
    assert [one.id for one in read_database(f"duckdb:///{path}", schemas=["sales"])] == [
        "sales.stores"
    ]
    with pytest.raises(InputError, match="schema 'x' is not there; there are main, sales"):
        list(read_database(f"duckdb:///{path}", schemas=["x"]))
    assert path.read_bytes() == data
    with pytest.raises(InputError, match=r"none\.duckdb: the database cannot be read"):
        list(read_database(f"duckdb:///{tmp_path}/none.duckdb"))
    assert not (tmp_path / "none.duckdb").exists()
