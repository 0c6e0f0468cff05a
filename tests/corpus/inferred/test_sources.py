"""Keys that databases, views, queries, dbt and lists tell of, and what of these cannot be used."""

import json
import sqlite3

import pytest

from grapher_jax.corpus import Object, read_database, read_source, write_beir
from grapher_jax.corpus.inferred.listing import listed_keys, told_of_further, told_of_inferred
from grapher_jax.corpus.inferred.stage import declares_few
from grapher_jax.corpus.inferred.tables import Tables
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.search import Index

# Names tell nothing here.
SCHEMA = """
CREATE TABLE buyer (nr INTEGER PRIMARY KEY, mail TEXT UNIQUE);
CREATE TABLE deal (id INTEGER PRIMARY KEY, who INTEGER, parent INTEGER);
CREATE TABLE deal_line (deal INTEGER, place INTEGER, PRIMARY KEY (deal, place));
CREATE TABLE parcel (id INTEGER PRIMARY KEY, d INTEGER, p INTEGER);
CREATE TABLE place (town TEXT, zip TEXT);
CREATE UNIQUE INDEX half ON place (zip) WHERE town = 'x';
"""
VIEW = "CREATE VIEW bought AS SELECT mail FROM deal AS d JOIN buyer ON d.who = buyer.nr;"


@pytest.fixture
def made(tmp_path):
    def make(schema=SCHEMA):
        path = tmp_path / "shop.db"
        path.unlink(missing_ok=True)
        connection = sqlite3.connect(path)
        connection.executescript(schema)
        connection.close()
        return f"sqlite:///{path}"

    return make


def keys_of(objects, by):
    return {
        (key.table, key.columns, key.references, key.referenced_columns, key.count)
        for key in listed_keys(objects)
        if key.by == by
    }


def test_metadata_tells_what_identifies_a_row(made):
    found = {item.id: item.metadata for item in read_database(made())}
    assert found["buyer"]["primary_key"] == ["nr"]
    assert found["buyer"]["unique"] == [["mail"]]
    assert found["deal_line"]["primary_key"] == ["deal", "place"]
    assert "unique" not in found["place"] and "primary_key" not in found["place"]
    assert not any("unique" in found[name] for name in ("deal", "deal_line", "parcel"))


def test_a_declared_key_is_never_repeated(made):
    schema = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id),
        payer_customer_id INTEGER);
    CREATE TABLE bill (id INTEGER PRIMARY KEY, order_id INTEGER, customer_id INTEGER);
    """
    url = made(schema)
    found = {item.id: item.metadata for item in read_database(url, infer_keys="always")}
    (own,) = found["orders"]["inferred_joins"]
    assert own["columns"] == ["payer_customer_id"]
    # The pair is joined already.
    assert "inferred_keys" not in found["orders"]
    assert found["bill"]["inferred_keys"] == ["customer", "orders"]
    assert not any(
        "inferred_joins" in one.metadata for one in read_database(url, infer_keys="never")
    )
    # One declared key of three tables is half of what would join them all.
    parts = {item.id: item.metadata for item in read_database(url)}
    assert "inferred_joins" not in parts["orders"]
    assert parts["bill"]["inferred_keys"] == ["customer", "orders"]


@pytest.mark.parametrize(
    ("parts", "telling"), [(7, False), (8, False), (9, False), (9, True), (30, True)]
)
def test_keys_between_many_parts_are_inferred_where_names_tell_the_declared_ones(
    made, parts, telling
):
    schema = "CREATE TABLE customer (id INTEGER PRIMARY KEY, referrer_customer_id INTEGER);"
    schema += "CREATE TABLE visit (id INTEGER PRIMARY KEY, customer_id INTEGER);"
    names = [f"{first}{then}lt" for first in "bdfghm" for then in "aeiou"][: parts - 2]
    for name, other in zip(names, [*names[1:], names[0]], strict=True):
        schema += f"CREATE TABLE {name} (id INTEGER PRIMARY KEY);"
        schema += f"CREATE TABLE {name}_line ({name}_id INTEGER REFERENCES {name} (id)"
        # Names suggest one key that is declared, and another one that is not.
        schema += ");" if telling else f", other_{other}_id INTEGER);"
    found = [*read_database(made(schema))]
    told = {(key.table, key.references) for key in listed_keys(found) if key.by == "name"}
    assert (("visit", "customer") in told) is (parts <= 8 or telling)
    assert bool(told) is (parts <= 8 or telling)
    assert told <= {
        (key.table, key.references)
        for key in listed_keys(read_database(made(schema), infer_keys="always"))
    }


@pytest.mark.parametrize(
    ("keys", "few"),
    [
        # Less than a third of a tree of the seven tables.
        ({}, True),
        ({1: 0, 2: 2}, True),
        # A tree of some tables, of which more than half, or less, are left without any key.
        ({1: 0, 2: 0}, True),
        ({1: 0, 2: 0, 3: 0}, False),
        ({1: 0, 3: 2}, False),
        (dict.fromkeys(range(1, 7), 0), False),
    ],
)
def test_few_keys_join_few_pairs_or_few_tables(keys, few):
    objects = [
        Object(
            f"t{n}",
            "",
            metadata={"table": f"t{n}", "foreign_keys": [f"t{keys[n]}"] if n in keys else []},
        )
        for n in range(7)
    ]
    assert declares_few([*Tables(objects).by_id.values()]) == few


def test_views_tell_keys_between_the_parts_of_a_database_that_declares_others(made):
    schema = "".join(
        f"CREATE TABLE part{n} (id INTEGER PRIMARY KEY, code TEXT UNIQUE);"
        f"CREATE TABLE bit{n} (id INTEGER PRIMARY KEY, part{n} INTEGER REFERENCES part{n} (id),"
        f" wanted TEXT);"
        for n in range(10)
    )
    schema += "CREATE VIEW v AS SELECT b.id FROM bit1 b JOIN part2 p ON p.code = b.wanted;"
    # This pair is of one part.
    schema += "CREATE VIEW w AS SELECT b.id FROM bit3 b JOIN part3 p ON p.code = b.wanted;"
    told = {(key.table, key.references, key.by) for key in listed_keys(read_database(made(schema)))}
    assert {one for one in told if one[2] != "declared"} == {("bit1", "part2", "view")}


def test_views_tell_keys(made):
    objects = [*read_database(made(SCHEMA + VIEW))]
    assert keys_of(objects, "view") == {("deal", ("who",), "buyer", ("nr",), 1)}
    assert keys_of(read_database(made(SCHEMA + VIEW), infer_keys="never"), "view") == set()


def test_keys_of_a_view_come_in_its_order(made):
    names = [f"t{n}" for n in range(8)]
    columns = ", ".join(f"{name}_of INTEGER" for name in names)
    joins = " ".join(f"JOIN {name} ON f.{name}_of = {name}.id" for name in names[::-1])
    schema = "".join(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY);" for name in names)
    url = made(f"{schema} CREATE TABLE f ({columns}); CREATE VIEW v AS SELECT 1 FROM f {joins};")
    told = {item.id: item.metadata for item in read_database(url)}
    assert [key["references"] for key in told["f"]["inferred_joins"]] == names[::-1]


QUERIES = """
-- who bought; and what
SELECT * FROM deal, buyer b WHERE deal.who = b.nr AND b.mail = ';';
select * from DEAL join BUYER on (NR = WHO);
SELECT FROM WHERE (;
SELECT * FROM parcel JOIN deal_line l ON parcel.d = l.deal AND l.place = parcel.p;
WITH some AS (SELECT parent AS up FROM deal) SELECT * FROM some JOIN deal ON deal.id = some.up;
SELECT * FROM elsewhere e JOIN deal ON e.deal = deal.id;
SELECT * FROM place a JOIN place b ON a.town = b.town;
UPDATE buyer SET mail = 'x' WHERE nr = 3
"""


def test_queries_tell_keys_with_counts(made, tmp_path):
    (tmp_path / "log.sql").write_text(QUERIES)
    with pytest.warns(
        GrapherWarning, match=r"1 of 8 statements of .*log.sql .* line 5 .* are used"
    ):
        objects = [*read_database(made(), queries_from=tmp_path / "log.sql", infer_keys="never")]
    assert keys_of(objects, "queries") == {
        ("deal", ("who",), "buyer", ("nr",), 2),
        ("parcel", ("d", "p"), "deal_line", ("deal", "place"), 1),
        ("deal", ("parent",), "deal", ("id",), 1),
    }
    assert told_of_inferred(objects) == "keys that nobody declared were inferred: 3 by queries"


def test_a_quote_that_never_ends_hides_no_other_statement(made, tmp_path):
    (tmp_path / "log.sql").write_text("SELECT 'x;\nSELECT * FROM deal JOIN buyer ON nr = who;")
    with pytest.warns(GrapherWarning, match="1 of 2 statements"):
        objects = [*read_database(made(), queries_from=tmp_path / "log.sql")]
    assert len(keys_of(objects, "queries")) == 1


def manifest(version=12):
    def model(name, **more):
        same = {"name": name, "resource_type": "model", "package_name": "p", "path": "", "fqn": []}
        made = {"original_file_path": "", "unique_id": f"model.p.{name}", "alias": name}
        checksum = {"checksum": {"name": "none", "checksum": ""}}
        return same | made | checksum | {"schema": "main", "database": "shop"} | more

    def test(name, child, column, to, field):
        arguments = {"column_name": column, "to": f"ref('{to}')", "field": field}
        return model(name) | {
            "resource_type": "test",
            "test_metadata": {"name": "relationships", "kwargs": arguments},
            "column_name": column,
            "attached_node": f"model.p.{child}",
            "depends_on": {"nodes": [f"model.p.{to}", f"model.p.{child}"], "macros": []},
        }

    nodes = [
        model("deals") | {"alias": "deal"},
        model("buyer"),
        test("a", "deals", "who", "buyer", "nr"),
        test("b", "deals", "gone", "buyer", "nr"),
    ]
    empty = ("sources", "macros", "docs", "exposures", "metrics", "groups", "selectors", "disabled")
    empty += (
        "parent_map",
        "child_map",
        "group_map",
        "saved_queries",
        "semantic_models",
        "unit_tests",
    )
    schema = f"https://schemas.getdbt.com/dbt/manifest/v{version}.json"
    return {
        "metadata": {"dbt_schema_version": schema},
        "nodes": {f"{one['resource_type']}.p.{one['name']}": one for one in nodes},
    } | {name: {} for name in empty}


def test_tests_of_dbt_tell_keys(made, tmp_path):
    pytest.importorskip("dbt_artifacts_parser")
    (tmp_path / "manifest.json").write_text(json.dumps(manifest()))
    with pytest.warns(GrapherWarning, match=r"1 tests .* such as test\.p\.b; the others are used"):
        objects = [*read_database(made(), dbt_manifest=str(tmp_path / "manifest.json"))]
    assert keys_of(objects, "dbt") == {("deal", ("who",), "buyer", ("nr",), 0)}


LIST = "- {table: Deal, columns: [who], references: buyer, referenced_columns: [nr]}\n"


def test_a_list_tells_keys_and_goes_before_all_others(made, tmp_path):
    (tmp_path / "keys.yaml").write_text(LIST.replace("[who]", "[WHO]"))
    (tmp_path / "log.sql").write_text(QUERIES.splitlines()[2])
    objects = [
        *read_database(
            made(SCHEMA + VIEW), keys=tmp_path / "keys.yaml", queries_from=tmp_path / "log.sql"
        )
    ]
    assert keys_of(objects, "yaml") == {("deal", ("who",), "buyer", ("nr",), 0)}
    assert not keys_of(objects, "queries") and not keys_of(objects, "view")


@pytest.mark.parametrize(
    ("option", "text", "complaint"),
    [
        ("keys", LIST.replace("buyer", "buyers"), r"key 1: references: 'buyers' is no table of the source; there are buyer"),
        ("keys", LIST.replace("who", "whom"), r"key 1: columns: 'whom' is no column of deal; there are who"),
        ("keys", LIST.replace("[nr]", "[nr, mail]"), "key 1: 1 columns and 2 referenced_columns; give as many"),
        ("keys", LIST.replace("columns: [who], ", ""), "key 1: .* must have these fields: {table: "),
        ("keys", LIST.replace("[who]", "{a: 1}"), r"columns: {'a': 1} must be a list of columns"),
        ("keys", "table: deal", "holds {'table': 'deal'}; give a list of {table"),
        ("keys", "- [", "is no YAML .*; give a list of"),
        ("keys", "- !!python/object/apply:os.getcwd []", "is no YAML .*; give a list of"),
        ("keys", None, r"keys: .* cannot be read \(No such file or directory\); give a YAML file"),
        ("queries_from", None, "queries_from: .* cannot be read .*; give a file of SQL"),
        ("queries_from", b"\xff", "queries_from: .* is not UTF-8; give a file of SQL"),
        ("dbt_manifest", "{}", "dbt_manifest: .* is no manifest of a version that can be read .*; make it anew"),
        ("dbt_manifest", json.dumps(manifest(99)), "is no manifest of a version that can be read"),
        ("dbt_manifest", "[1", "is no manifest of a version that can be read"),
        ("dbt_manifest", None, "dbt_manifest: .* cannot be read .*; give dbt's manifest.json"),
        ("infer_keys", "perhaps", "infer_keys: 'perhaps' is unknown; use auto, always, parts, never"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_named_with_the_cure(made, tmp_path, option, text, complaint):
    if option == "dbt_manifest":
        pytest.importorskip("dbt_artifacts_parser")
    path = tmp_path / "file"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=complaint) as raised:
        list(read_source(made(), **{option: text if option == "infer_keys" else path}))
    assert "\n" not in str(raised.value)


def test_a_folder_of_tables_is_asked_for_it(tmp_path):
    tables = [("customers", "id, name (full name)"), ("orders", "id, customer_id (customer)")]
    objects = [
        Object(f"shop.{name}", f"{name}: {columns}", metadata={"db": "shop", "table": name})
        for name, columns in tables
    ]
    write_beir(tmp_path / "set", objects)
    assert list(read_source(tmp_path / "set", infer_keys="never")) == objects
    found = [*read_source(tmp_path / "set", infer_keys="always")]
    assert [*read_source(tmp_path / "set")] == found  # two tables that nothing else joins
    assert keys_of(found, "name") == {
        ("shop.orders", ("customer_id",), "shop.customers", ("id",), 0)
    }
    (tmp_path / "set" / "log.sql").write_text(
        "select * from orders o join customers c on o.id = c.id"
    )
    told = [
        *read_source(
            tmp_path / "set", queries_from=tmp_path / "set" / "log.sql", infer_keys="never"
        )
    ]
    assert not keys_of(told, "name") and "inferred_keys" not in told[0].metadata


def test_documents_have_no_keys(tmp_path):
    (tmp_path / "a.txt").write_text("Here.")
    with pytest.raises(
        InputError, match=r"infer_keys: 'always' is for tables alone, and .* leave it"
    ):
        read_source(tmp_path, infer_keys="always")


NAMED = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, day TEXT);
CREATE TABLE weather (station TEXT, rain REAL);
"""


def test_a_database_without_keys_is_searched_by_inferred_ones(made, tmp_path, grapher, embedder):
    url = made(NAMED)
    status, out, err = grapher("index", url, "--out", "shop.index")
    assert (status, out) == (0, "shop.index: 3 objects, joined by inferred_key\n")
    assert err == (
        "keys that nobody declared were inferred: 1 by name; look at them with "
        "`grapher-jax keys shop.index`\n"
    )
    index = Index.load(tmp_path / "shop.index", embedder=embedder)
    question = "On which day was something ordered?"
    moved = {hit.id: hit for hit in index.search(question)}
    alone = {hit.id: hit for hit in index.search(question, ranker="base")}
    assert moved["customers"].score > alone["customers"].score
    assert moved["weather"].score <= alone["weather"].score
    (source,) = [one for one in moved["customers"].explanation.sources if one.id == "orders"]
    assert source.relations == ("inferred_key",)
    assert [join.text for join in source.joins] == ["orders.customer_id = customers.id by name"]
    plain = Index.from_source(url, embedder=embedder, infer_keys="never")
    assert plain.graph.proximities() == []
    status, out, _ = grapher("keys", "shop.index")
    assert status == 0
    assert out.split()[-5:] == ["orders", "customer_id", "customers", "id", "name"]
    _, out, _ = grapher("keys", "shop.index", "--json")
    assert json.loads(out) == [
        {
            "table": "orders",
            "columns": ["customer_id"],
            "references": "customers",
            "referenced_columns": ["id"],
            "by": "name",
        }
    ]


def test_keys_lists_declared_ones_too(made, tmp_path, grapher):
    made(NAMED.replace("customer_id INTEGER", "customer_id INTEGER REFERENCES customers(id)"))
    assert grapher("index", f"sqlite:///{tmp_path}/shop.db", "--out", "shop.index")[2] == ""
    assert "declared" in grapher("keys", "shop.index")[1]
    status, _, err = grapher("keys", tmp_path)
    assert status == 2 and "not an index" in err


def test_a_file_that_cannot_be_used_writes_no_index(made, tmp_path, grapher):
    (tmp_path / "keys.yaml").write_text(LIST.replace("Deal", "deals"))
    status, _, err = grapher("index", made(), "--out", "shop.index", "--keys", "keys.yaml")
    assert status == 2 and "'deals' is no table of the source; there are deal" in err
    assert not (tmp_path / "shop.index").exists()


def test_keys_that_a_corpus_brought_along_stay(tmp_path):
    first = Object(
        "a",
        "a: b_id",
        metadata={
            "db": "d",
            "table": "a",
            "inferred_keys": ["c"],
            "inferred_joins": [{"references": "c", "columns": 5, "by": "name"}],
        },
    )
    tables = [
        first,
        Object("b", "b: id", metadata={"db": "d", "table": "b"}),
        Object("c", "c: id", metadata={"db": "d", "table": "c"}),
    ]
    write_beir(tmp_path / "corpus", tables)
    keys = tmp_path / "keys.yaml"
    keys.write_text("- {table: a, columns: [b_id], references: b, referenced_columns: [id]}\n")
    found = next(iter(read_source(str(tmp_path / "corpus"), keys=keys)))
    assert found.metadata["inferred_keys"] == ["b", "c"]
    assert {key.references for key in listed_keys([found])} == {"b", "c"}


HALF_DECLARED = """
CREATE TABLE part (id INTEGER PRIMARY KEY, vendor_id INTEGER REFERENCES vendor(id));
CREATE TABLE vendor (id INTEGER PRIMARY KEY);
CREATE TABLE orders (id INTEGER PRIMARY KEY, vendor_id INTEGER REFERENCES vendor(id));
CREATE TABLE line (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), part_id INTEGER{});
"""


@pytest.mark.parametrize(
    ("declared", "taken"),
    [(10, True), (7, False), (40, False)],  # too few judge, or too few are left out
)
def test_keys_are_inferred_where_a_part_is_declared_and_names_tell_it(made, declared, taken):
    lines = [
        f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, vendor_id INTEGER REFERENCES vendor(id));"
        for name in ["depot", "wagon", *(f"t{n}" for n in range(declared - 2))]
    ]
    left_out = [
        f"CREATE TABLE of_{name} (id INTEGER PRIMARY KEY, {name}_id INTEGER, "
        "vendor_id INTEGER REFERENCES vendor(id));"
        for name in ("depot", "wagon")
    ]
    vendor = "CREATE TABLE vendor (id INTEGER PRIMARY KEY);"
    found = [*read_database(made("\n".join([vendor, *lines, *left_out])))]
    assert bool(told_of_inferred(found)) == taken


def test_keys_that_a_view_tells_are_no_further_ones(made):
    text = """CREATE TABLE buyer (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE sale (id INTEGER PRIMARY KEY, buyer_id INTEGER, part_id INTEGER);
    CREATE TABLE part (id INTEGER PRIMARY KEY, name TEXT);
    CREATE VIEW sold AS SELECT b.name FROM buyer b
      JOIN sale s ON s.buyer_id = b.id JOIN part p ON s.part_id = p.id;"""
    assert told_of_further([*read_database(made(text))]) == ""


def test_keys_that_are_left_out_of_a_database_with_others_are_told(made):
    objects = [*read_database(made(HALF_DECLARED.format("")))]
    assert not told_of_inferred(objects)
    told = "names suggest 1 further key, which --infer-keys always takes too"
    assert told_of_further(objects) == told
    every = [*read_database(made(HALF_DECLARED.format(" REFERENCES part(id)")))]
    assert told_of_further(every) == ""
    assert told_of_further([]) == ""
