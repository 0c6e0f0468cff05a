"""Primary keys that begin with the column of a tenant in all tables, as SAP's client."""

import pytest

from grapher_jax.corpus import read_source
from grapher_jax.corpus.inferred.listing import listed_keys

# Two tables number documents by VBELN.
TABLES = {
    "KNA1": ("KUNNR", "NAME1"),
    "VBAK": ("VBELN", "KUNNR"),
    "VBAP": ("VBELN, POSNR", "MATNR"),
    "LIKP": ("VBELN", "KUNNR"),
    "MARA": ("MATNR", "MTART"),
    "MAKT": ("MATNR, SPRAS", "MAKTX"),
}
EXPECTED = {
    ("VBAK", "KUNNR", "KNA1"),
    ("VBAP", "VBELN", "VBAK"),  # which begins as it does, as the other table with this key does not
    ("VBAP", "MATNR", "MARA"),
    ("LIKP", "KUNNR", "KNA1"),
    ("MAKT", "MATNR", "MARA"),
}


@pytest.fixture
def keys(tmp_path):
    """The inferred keys of tables, each with a tenant's column in its primary key or not."""

    def keys(tables, tenant="MANDT", without=(), further=""):
        path = tmp_path / "erp.sql"
        told = ""
        for name, (key, other) in tables.items():
            first = "" if name in without else f"{tenant}, "
            columns = [column.strip() for column in f"{first}{key}, {other}".split(",")]
            typed = ", ".join(f"{column} CHAR(10)" for column in columns)
            told += f"CREATE TABLE {name} ({typed}, PRIMARY KEY ({first}{key}));\n"
        path.write_text(told + further)
        return {
            (one.table, one.columns, one.references, one.referenced_columns)
            for one in listed_keys([*read_source(path)])
            if one.by != "declared"
        }

    return keys


def beside(tenant, expected):
    return {(table, (*tenant, name), other, (*tenant, name)) for table, name, other in expected}


def test_keys_are_known_without_the_tenant_and_joined_with_it(keys):
    assert keys(TABLES) == beside(["MANDT"], EXPECTED)
    # One table of six is of all tenants.
    found = keys(TABLES, without=["MARA"])
    of_mara = {one for one in EXPECTED if one[2] == "MARA"}
    assert found == beside(["MANDT"], EXPECTED - of_mara) | beside([], of_mara)


def test_a_table_of_tenants_is_referenced_by_all(keys):
    tenants = "CREATE TABLE TENANT (TENANT_ID CHAR(10) PRIMARY KEY, NAME CHAR(20));"
    found = keys(TABLES, tenant="TENANT_ID", further=tenants)
    whole = {(name, ("TENANT_ID",), "TENANT", ("TENANT_ID",)) for name in TABLES}
    assert found == beside(["TENANT_ID"], EXPECTED) | whole


def test_a_column_of_some_keys_is_no_tenant(keys):
    few = {name: TABLES[name] for name in ("KNA1", "VBAK", "MARA", "MAKT")}
    assert keys(few) == set()
    of_both = {one for one in EXPECTED if one[2] != "VBAK"}
    assert keys(TABLES, without=["KNA1", "MARA"]) == beside([], of_both)


def test_of_two_tables_with_a_part_of_the_key_neither_may_begin_alike(keys):
    renamed = {"VBRK" if name == "LIKP" else name: own for name, own in TABLES.items()}
    assert ("VBAP", ("MANDT", "VBELN"), "VBAK", ("MANDT", "VBELN")) in keys(renamed)
    renamed = {"ITEMS" if name == "VBAP" else name: own for name, own in TABLES.items()}
    assert not any(table == "ITEMS" and "VBELN" in own for table, own, *_ in keys(renamed))


def test_views_that_compare_the_key_alone_join_by_it(keys):
    view = "CREATE VIEW SOLD AS SELECT D FROM VBAP JOIN VBAK ON VBAP.VBELN = VBAK.VBELN;"
    of_names = {one for one in EXPECTED if one[2] != "VBAK"}
    of_view = {("VBAP", ("VBELN",), "VBAK", ("VBELN",))}
    assert keys(TABLES, further=view) == beside(["MANDT"], of_names) | of_view


def test_a_mere_id_beside_the_tenant_is_of_one_table(tmp_path):
    tables = {"campaigns": "name", "ads": "campaign_id", "clicks": "ad_id", "users": "email"}
    tables["invoices"] = "campaign_id"

    def found(beside):
        path = tmp_path / "ads.sql"
        path.write_text(
            "".join(
                f"CREATE TABLE {name} (id BIGINT, {beside} BIGINT, {column} BIGINT, "
                f"PRIMARY KEY (id, {beside}));\n"
                for name, column in tables.items()
            )
        )
        keys = listed_keys([*read_source(path)])
        return {(one.table, one.columns, one.references, one.referenced_columns) for one in keys}

    assert found("company_id") == {
        (name, ("company_id", column), other, ("company_id", "id"))
        for name, column, other in (
            ("ads", "campaign_id", "campaigns"),
            ("invoices", "campaign_id", "campaigns"),
            ("clicks", "ad_id", "ads"),
        )
    }
    # A version of an order is none of its customer.
    assert found("row_version") == set()


def test_a_date_in_all_keys_is_no_tenant(tmp_path):
    def found(kind):
        path = tmp_path / "dated.sql"
        names = ("jobs", "departments", "locations", "people", "plans")
        path.write_text(
            "".join(
                f"CREATE TABLE {name} (since {kind}, {name[:-1]}_id INT, department_id INT, "
                f"PRIMARY KEY (since, {name[:-1]}_id));\n".replace("department_id INT, department_id", "department_id")
                for name in names
            )
        )  # fmt: skip
        return {one.columns for one in listed_keys([*read_source(path)])}

    assert found("DATE") == set()
    assert found("INT") == {("since", "department_id")}


def test_a_schema_has_its_own_tenant(tmp_path):
    path = tmp_path / "two.sql"
    crm = ("customers", "orders", "items", "notes", "offers")
    told = [
        f"CREATE TABLE crm.{name} (client_id INT, {name[:-1]}_id INT, customer_id INT, "
        f"PRIMARY KEY (client_id, {name[:-1]}_id));\n".replace("customer_id INT, customer_id", "customer_id")
        for name in crm
    ]  # fmt: skip
    logs = [f"CREATE TABLE logs.l{n} (line INT PRIMARY KEY, words TEXT);\n" for n in range(9)]
    path.write_text("".join([*told, *logs]))
    keys = {one.columns for one in listed_keys([*read_source(path)])}
    assert keys == {("client_id", "customer_id")}
