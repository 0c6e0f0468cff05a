"""Which dialect a file of SQL is read as, and what is no column, change or row in each."""

import time
from functools import partial

import pytest
from told_tables import columns, joins


@pytest.fixture
def script(script):
    """Reads a file of SQL without inferring keys; returns its tables by id."""
    return partial(script, infer_keys="never")


def test_a_dump_stays_what_its_head_says_though_a_parser_fails_at_it(script):
    found = script(
        """-- MySQL dump 10.13
        CREATE TABLE `places` (`id` int unsigned NOT NULL, `at` point NOT NULL, `kind` int,
          PRIMARY KEY (`id`), SPATIAL KEY `at` (`at`), KEY `kind` (`kind`)) ENGINE=InnoDB;
        CREATE TABLE `areas` (`id` int unsigned NOT NULL, `middle` point NOT NULL);"""
    )
    assert {item.metadata["dialect"] for item in found.values()} == {"mysql"}
    assert columns(found["places"]) == [("id", "INT UNSIGNED"), ("at", "POINT"), ("kind", "INT")]


@pytest.mark.parametrize(
    ("text", "dialect", "types", "target"),
    [
        (
            "CREATE TABLE public.a (id BIGINT ENCODE az64 IDENTITY(1,1), at TIMESTAMPTZ,"
            " PRIMARY KEY (id)) DISTSTYLE KEY SORTKEY (at);"
            "CREATE TABLE b (a_id BIGINT REFERENCES public.a (id)) DISTSTYLE ALL;",
            "redshift",
            ["BIGINT", "TIMESTAMP WITH TIME ZONE"],
            "a",
        ),
        (
            "CREATE TABLE s.a (id BIGINT, at STRUCT<x: INT>) USING DELTA TBLPROPERTIES ('x'='y');"
            "CREATE TABLE s.b (a_id BIGINT, FOREIGN KEY (a_id) REFERENCES s.a(id)) USING DELTA;",
            "databricks",
            ["BIGINT", "STRUCT<x: INT>"],
            "s.a",
        ),
        (
            "CREATE TABLE default.a (`id` UInt64, `at` DateTime64(3, 'UTC'),"
            " INDEX i at TYPE minmax GRANULARITY 4) ENGINE = MergeTree ORDER BY (id);",
            "clickhouse",
            ["UInt64", "DateTime64(3, 'UTC')"],
            None,
        ),
        (
            "CREATE TABLE public.a (id INT8 NOT NULL, at STRING NULL, INDEX i (at ASC) STORING (id),"
            ' FAMILY "primary" (id, at));'
            "CREATE TABLE public.b (a_id INT8 REFERENCES public.a(id), UNIQUE INDEX u (a_id ASC));",
            "postgresql",  # CockroachDB
            ["BIGINT", "TEXT"],
            "a",
        ),
        (
            'CREATE TABLE "a" ("id" NUMBER GENERATED ALWAYS AS (1) VIRTUAL, "at" VARCHAR2(5 BYTE));',
            "oracle",
            ["NUMBER", "VARCHAR2(5 BYTE)"],
            None,
        ),
    ],
)
def test_dialects_have_their_own_types(script, text, dialect, types, target):
    first, *others = script(text).values()
    assert first.metadata["dialect"] == dialect
    assert columns(first) == [*zip(("id", "at"), types, strict=True)]
    assert [joins(item) for item in others] == ([[(["a_id"], target, ["id"])]] if target else [])


@pytest.mark.parametrize(
    ("column", "dialect"),
    [
        ('"sortkey" text, at jsonb', "postgresql"),
        ("distkey text, at jsonb", "postgresql"),
        ("uint8 int, at jsonb", "postgresql"),
        ("at varchar(5)[2], tag jsonb", "postgresql"),
    ],
)
def test_names_of_columns_are_no_signs_of_a_dialect(script, column, dialect):
    text = f"CREATE TABLE delta (id serial, {column});"
    assert script(text)["delta"].metadata["dialect"] == dialect


def test_a_single_sign_of_a_dialect_that_reads_nothing_decides_nothing(script):
    text = "CREATE OR REPLACE VIEW v AS SELECT array_agg(ARRAY[a]) AS x, a FROM t GROUP BY a;"
    assert [name for name, _ in columns(script(text)["v"])] == ["x", "a"]


@pytest.mark.parametrize(
    "index",
    [
        "INDEX i (a)",
        "INDEX i NONCLUSTERED ([a] ASC)",
        "INDEX i UNIQUE CLUSTERED (a)",
        "INDEX i CLUSTERED COLUMNSTORE",
        "KEY i (a)",
        "VECTOR INDEX (a)",
        "VECTOR INDEX i (a)",
    ],
)
@pytest.mark.parametrize("begin", ["[t] (a int", "`t` (a int", "`t` (a int, b point"])
def test_an_index_is_no_column(script, index, begin):
    item = script(f"CREATE TABLE {begin}, {index});")["t"]
    assert [name for name, _ in columns(item)] == ["a", "b"][: begin.count(",") + 1]


def test_columns_may_be_called_as_indexes(script):
    text = """CREATE TABLE t (key PRIMARY KEY, "index" own(a), family own DEFAULT f(1),
      vector own REFERENCES u(a), inverted own(3), clustered own CHECK (clustered IN (1)));"""
    assert [name for name, _ in columns(script(text)["t"])] == [
        "key",
        "index",
        "family",
        "vector",
        "inverted",
        "clustered",
    ]


def test_types_and_comments_of_columns_are_changed(script):
    found = script(
        """CREATE TABLE public.t (id serial PRIMARY KEY, a int, b text NOT NULL);
        ALTER TABLE t ALTER COLUMN a TYPE bigint USING a::bigint, ALTER A SET NOT NULL;
        ALTER TABLE t ALTER COLUMN b DROP NOT NULL, ALTER b SET DEFAULT 'x', ALTER no TYPE int;"""
    )
    told = [(one["name"], one["type"], one["nullable"]) for one in found["t"].metadata["columns"]]
    assert told == [("id", "SERIAL", False), ("a", "BIGINT", False), ("b", "TEXT", True)]
    found = script(
        "CREATE TABLE [dbo].[t] ([a] nvarchar(10))\nGO\n"
        "ALTER TABLE dbo.t ALTER COLUMN A nvarchar(200) NOT NULL\nGO\n"
    )
    (only,) = found["t"].metadata["columns"]
    assert (only["type"], only["nullable"]) == ("NVARCHAR(200)", False)
    found = script("CREATE TABLE s.t (a VARIANT, b int); ALTER TABLE s.t ALTER a COMMENT 'of it';")
    assert found["s.t"].metadata["columns"][0]["comment"] == "of it"


@pytest.mark.parametrize(
    ("row", "between"),
    [
        ("INSERT IGNORE INTO `a` VALUES (1,'it\\'s; x');\n", ""),
        ("INSERT OR REPLACE INTO a VALUES (1, 'x; y');\n", ""),
        ("  INSERT INTO a VALUES (1, 'x; y');\n", ""),
        ("REPLACE INTO a VALUES (1, 'x');\n", ""),
        ("INSERT [dbo].[a] ([id], [t]) VALUES (1, CAST(N'it''s (1' AS Date))\n", "GO\n"),
    ],
)
def test_rows_are_skipped_however_they_are_written(script, row, between):
    begin = time.process_time()
    rows = "".join(row * 100 + between for _ in range(200))
    found = script(f"CREATE TABLE a (id int, t text);\n{rows}\nCREATE TABLE b (id int);")
    assert [*found] == ["a", "b"]
    # To read the statements of all rows takes more than ten seconds.
    assert time.process_time() - begin < 5


def test_a_line_that_begins_with_replace_is_no_row(script):
    text = "CREATE VIEW v AS SELECT\nREPLACE(a, 'x', 'y') AS b,\na AS c FROM t;"
    assert [name for name, _ in columns(script(text)["v"])] == ["b", "c"]


def test_lines_for_the_client_of_oracle_end_by_themselves(script):
    found = script(
        """SET FEEDBACK 1
rem It makes the regions; see countries.
Prompt ** Creating tables ...
CREATE TABLE regions ( region_id NUMBER NOT NULL, region_name VARCHAR2(25));
REM x
ALTER TABLE regions ADD ( CONSTRAINT reg_id_pk PRIMARY KEY (region_id), size NUMBER(3) ) ;
@more.sql
CREATE TABLE countries (country_id CHAR(2), region_id NUMBER) ORGANIZATION INDEX;
ALTER TABLE countries
ADD ( CONSTRAINT fk FOREIGN KEY (region_id) REFERENCES regions(region_id));"""
    )
    assert [name for name, _ in columns(found["regions"])] == ["region_id", "region_name", "size"]
    assert joins(found["countries"]) == [(["region_id"], "regions", ["region_id"])]
    # Columns may be called so, and text may have such lines.
    text = "CREATE TABLE t (\nremark VARCHAR2(9),\nexit NUMBER(3),\nprompt VARCHAR2(9));\n"
    item = script(f"{text}COMMENT ON TABLE t IS 'one\nremark: see b\nset of things';\n")["t"]
    assert [name for name, _ in columns(item)] == ["remark", "exit", "prompt"]
    assert item.metadata["comment"] == "one\nremark: see b\nset of things"


def test_a_schema_may_be_created_with_its_tables(script):
    found = script(
        """CREATE SCHEMA hr AUTHORIZATION me
          CREATE TABLE a (id int primary key, name text)
          CREATE DOMAIN d AS int
          CREATE TABLE b (id int primary key, a_id int references a(id))
          CREATE VIEW v AS SELECT id FROM a;
        CREATE TABLE c (id int);"""
    )
    assert [*found] == ["hr.a", "hr.b", "hr.v", "c"]
    assert joins(found["hr.b"]) == [(["a_id"], "hr.a", ["id"])]
    found = script("CREATE SCHEMA [2x]\nCREATE TABLE t (a int, b text COMMENT 'to CREATE x');")
    assert [*found] == ["2x.t"]


def test_a_table_that_adds_no_column_to_another_is_its_partition(script):
    found = script(
        """CREATE TABLE public.payment (id integer NOT NULL);
        CREATE TABLE public.p1 (CONSTRAINT c CHECK (id > 1)) INHERITS (public.payment);
        CREATE TABLE public.payment_2 () INHERITS (public.payment);
        CREATE TABLE public.p3 (extra text) INHERITS (public.payment);
        CREATE TABLE public.refund (PRIMARY KEY (id)) INHERITS (public.payment);
        CREATE TABLE public.gift () INHERITS (public.payment);
        CREATE TABLE public.payment_gift () INHERITS (public.payment, public.gift);"""
    )
    assert [*found] == ["payment", "p3", "refund", "gift", "payment_gift"]
    assert columns(found["p3"]) == [("id", "INT"), ("extra", "TEXT")]


@pytest.mark.parametrize(
    ("name", "quoted"), [("a`b", "`a``b`"), ("Order]s", "[Order]]s]"), ('a"b', '"a""b"')]
)
def test_names_may_have_quotes_of_their_own(script, name, quoted):
    # The second column is none that a parser knows, so that the table is read by its parts.
    text = f"CREATE TABLE {quoted} (id int, at ! int);\nCREATE TABLE other (id int);"
    head = "-- MySQL dump 10.13\n" if "`" in quoted else ""
    assert name in script(head + text)


def test_a_key_of_one_column_of_sql_server_may_say_that_it_is_foreign(script):
    found = script(
        """CREATE TABLE Person (Id INT PRIMARY KEY, Name NVARCHAR(20))
GO
CREATE TABLE House (Id INT PRIMARY KEY, Owner INT NOT NULL FOREIGN KEY REFERENCES Person(Id))
GO
CREATE TABLE Flat (Id INT PRIMARY KEY,
  Owner INT CONSTRAINT FK_x FOREIGN KEY REFERENCES [Person]([Id]) ON DELETE CASCADE)
GO
ALTER TABLE House ADD Guest INT NOT NULL FOREIGN KEY REFERENCES Person(Id)
GO"""
    )
    assert joins(found["House"]) == [(["Owner"], "Person", ["Id"]), (["Guest"], "Person", ["Id"])]
    assert joins(found["Flat"]) == [(["Owner"], "Person", ["Id"])]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE PUBLICATION p FOR TABLE a, b;",
        "create stream s on table a;",
        "create stream s on view v;",
        "create task t schedule = '1 minute' as truncate table a;",
        "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO TRUNCATE TABLE a;",
        'CREATE ALIAS c FOR TABLE "a";',
        "CREATE MATERIALIZED VIEW LOG ON a PCTFREE 10;",
    ],
)
def test_what_mentions_a_table_does_not_create_it(script, statement):
    found = script(
        f"""CREATE TABLE a (id integer PRIMARY KEY);
        CREATE TABLE b (a_id integer REFERENCES a (id));
        CREATE VIEW v AS SELECT a_id FROM b;
        {statement}"""
    )
    assert {name: item.metadata.get("foreign_keys") for name, item in found.items()} == {
        "a": None,
        "b": ["a"],
        "v": ["b"],
    }


@pytest.mark.parametrize(
    "before",
    [
        "CREATE USER app FOR LOGIN app",
        "CREATE SEQUENCE OrderNo AS BIGINT START WITH 1",
        "CREATE SYNONYM x FOR y",
        "CREATE DATABASE Shop ON PRIMARY",
        "CREATE EXTENSION IF NOT EXISTS pgcrypto\n\n-- tables for customers",
        "CREATE SCHEMA shop\n/* as seen on the invoice */",
    ],
)
def test_statements_without_an_end_hide_no_table(script, before):
    found = script(
        f"{before}\nCREATE TABLE a (id integer PRIMARY KEY)\n"
        "CREATE TABLE b (a_id integer REFERENCES a (id));\n"
        "CREATE /* for the shop */ TABLE c (id integer);"
    )
    assert {name.rpartition(".")[2] for name in found} == {"a", "b", "c"}


def test_what_comments_say_is_no_sign_of_hive(script):
    found = script(
        """-- Amounts are stored as cents, and times are stored by the hour.
        CREATE TABLE "Order" ("Id" INTEGER PRIMARY KEY, "At" TIMESTAMP NOT NULL);"""
    )
    assert found["Order"].metadata["dialect"] != "hive"
    assert found["Order"].metadata["primary_key"] == ["Id"]


@pytest.mark.parametrize(
    ("kind", "dialect", "after"),
    [
        ("EXTERNAL TABLE", "hive", "STORED AS PARQUET LOCATION 's3://logs'"),
        ("TABLE", "hive", "ROW FORMAT DELIMITED FIELDS TERMINATED BY ','"),
        ("TABLE", "databricks", "USING DELTA"),
    ],
)
def test_columns_by_which_a_table_is_partitioned(script, kind, dialect, after):
    before, after = ("", after) if dialect == "hive" else (after, "")
    found = script(
        f"""CREATE {kind} hits (user_id BIGINT, url STRING) {before}
        PARTITIONED BY (dt DATE COMMENT 'day', region_id INT) {after};
        CREATE TABLE t (a INT, dt DATE) PARTITIONED BY (dt);"""
    )
    assert found["hits"].metadata["dialect"] == dialect
    hits = [("user_id", "BIGINT"), ("url", "STRING"), ("dt", "DATE"), ("region_id", "INT")]
    assert columns(found["hits"]) == hits
    assert found["hits"].metadata["columns"][2]["comment"] == "day"
    assert columns(found["t"]) == [("a", "INT"), ("dt", "DATE")]


@pytest.mark.parametrize(
    "copy",
    [
        "CREATE TABLE b AS a ENGINE = Distributed(cluster, shop, a, rand());",
        "CREATE TABLE b CLONE a;",
        "CREATE OR REPLACE TABLE b COPY a;",
    ],
)
def test_a_table_may_be_made_like_another(script, copy):
    mark = "ENGINE = MergeTree" if "ENGINE" in copy else "OPTIONS()"
    found = script(f"CREATE TABLE a (id INT64, name STRING) {mark};\n{copy}")
    assert [name for name, _ in columns(found["b"])] == ["id", "name"]


def test_what_oracle_writes_around_the_columns(script):
    found = script(
        """CREATE TABLE "HR"."T" SHARING=METADATA ("ID" NUMBER(10,0) NOT NULL ENABLE,
          PRIMARY KEY ("ID")) DEFAULT COLLATION "USING_NLS_COMP" ;
        CREATE GLOBAL TEMPORARY TABLE "HR"."G" ("ID" NUMBER(10,0), "X" VARCHAR2(10))
          ON COMMIT PRESERVE ROWS;
        CREATE OR REPLACE FORCE EDITIONABLE VIEW "HR"."V" ("N") DEFAULT COLLATION "USING_NLS_COMP" AS
          SELECT "ID" FROM "HR"."T";
        CREATE VIEW "HR"."W" AS SELECT "ID" FROM "HR"."T" WHERE sharing = 1 AND "ID" > 2;
        COMMENT ON TABLE "HR"."T" IS 'made with SHARING = METADATA for all';"""
    )
    assert {name: [column for column, _ in columns(item)] for name, item in found.items()} == {
        "HR.T": ["ID"],
        "HR.G": ["ID", "X"],
        "HR.V": ["N"],
        "HR.W": ["ID"],
    }
    assert found["HR.T"].metadata["comment"] == "made with SHARING = METADATA for all"
    assert found["HR.V"].metadata["foreign_keys"] == ["HR.T"]
