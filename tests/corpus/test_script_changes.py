"""Files of SQL whose statements depend on earlier ones: schemas that are set, renames, copies."""

import sqlite3
import time
from functools import partial

import pytest
from told_tables import columns, joins, names

POSTGRESQL = "-- PostgreSQL database dump\n"


@pytest.fixture
def script(script):
    """Reads a file of SQL without inferring keys; returns its tables by id."""
    return partial(script, infer_keys="never")


def test_rows_may_have_the_end_of_a_statement_in_their_text(script):
    database = sqlite3.connect(":memory:")
    database.executescript(
        """CREATE TABLE author(id INTEGER PRIMARY KEY);
        CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT);
        CREATE TABLE snippet(id INTEGER PRIMARY KEY, code TEXT);
        CREATE TABLE tag(id INTEGER PRIMARY KEY, snippet_id INT REFERENCES snippet(id));
        INSERT INTO note VALUES(1,'call main();
        then it''s over;'), (2, 'a\\');
        INSERT INTO snippet VALUES(1,'setup();
        CREATE TABLE no(id INT);
        loop();');"""
    )
    found = script("\n".join(database.iterdump()))
    database.close()
    assert [*found] == ["author", "note", "snippet", "tag"]
    assert joins(found["tag"]) == [(["snippet_id"], "snippet", ["id"])]


def test_backslashes_escape_quotes_in_rows_of_mysql(script):
    found = script(
        "-- MySQL dump 10.13\nCREATE TABLE `a` (`id` int);\n"
        "INSERT INTO `a` VALUES\n(1,'it\\'s; \"'),\n(2,\"a\\\"; '\");\nCREATE TABLE `b` (`id` int);"
    )
    assert [*found] == ["a", "b"]


def test_rows_without_an_end_hide_nothing(script):
    found = script(
        """CREATE TABLE [dbo].[a]([id] [int] NOT NULL)
GO
INSERT INTO [dbo].[a] VALUES (1)
GO
ALTER TABLE [dbo].[a] ADD PRIMARY KEY CLUSTERED ([id])
GO
INSERT INTO [dbo].[a] VALUES (2)
GO
CREATE TABLE [dbo].[b]([a_id] [int] REFERENCES [dbo].[a]([id]));
"""
    )
    assert found["a"].metadata["primary_key"] == ["id"]
    assert joins(found["b"]) == [(["a_id"], "a", ["id"])]


def test_comments_among_rows_may_have_apostrophes(script):
    found = script(
        """CREATE TABLE a (id integer);
        INSERT INTO a
            SELECT 1 -- doesn't matter; nor does this
            /* it's; */ - 2 / 3;
        CREATE TABLE b (id integer);
        INSERT INTO a VALUES (1) -- isn't ended
        CREATE TABLE c (id integer);"""
    )
    assert {*found} >= {"a", "b"}


def test_keys_to_tables_of_other_files_are_kept(script):
    found = script("CREATE TABLE [dbo].[a] ([b] [int] REFERENCES [dbo].[b] ([id]))\nGO\n")
    assert joins(found["a"]) == [(["b"], "b", ["id"])]


def test_names_are_in_the_search_path_of_an_old_dump(script):
    found = script(
        POSTGRESQL
        + """SET search_path = sales, pg_catalog;
        CREATE TABLE account (id integer NOT NULL, revenue numeric);
        CREATE VIEW rich AS SELECT account.id FROM account;
        SET search_path = hr, pg_catalog;
        CREATE TABLE account (login text);
        CREATE TABLE leave (account_id integer);
        SET search_path TO "$user", public;
        CREATE TABLE city (id integer);
        SET search_path = sales, pg_catalog;
        ALTER TABLE ONLY account ADD CONSTRAINT p PRIMARY KEY (id);
        SET search_path = hr, pg_catalog;
        ALTER TABLE leave ADD FOREIGN KEY (account_id) REFERENCES sales.account(id);"""
    )
    assert [*found] == ["sales.account", "sales.rich", "hr.account", "hr.leave", "city"]
    assert found["sales.account"].metadata["primary_key"] == ["id"]
    assert found["sales.rich"].metadata["foreign_keys"] == ["sales.account"]
    assert joins(found["hr.leave"]) == [(["account_id"], "sales.account", ["id"])]


def test_the_first_database_of_a_dump_of_several_is_the_default_one(script):
    found = script(
        """USE `crm`;
        CREATE TABLE `users` (`id` int PRIMARY KEY);
        USE `shop`;
        CREATE TABLE `users` (`id` int PRIMARY KEY);
        CREATE TABLE `b`(`x` int REFERENCES `shop`.`users`(`id`), `y` int,
          FOREIGN KEY(`y`) REFERENCES `crm`.`users`(`id`));"""
    )
    assert [*found] == ["users", "shop.users", "shop.b"]
    assert found["shop.b"].metadata["foreign_keys"] == ["shop.users", "users"]


def test_a_key_may_name_the_only_database(script):
    found = script(
        """create or replace schema SALES;
        create or replace TABLE CUST (ID NUMBER(38,0) NOT NULL, primary key (ID));
        create or replace TABLE ORD (
          CUST_ID NUMBER(38,0), foreign key (CUST_ID) references ACME.SALES.CUST(ID)
        );"""
    )
    assert found["ORD"].metadata["dialect"] == "snowflake"
    assert joins(found["ORD"]) == [(["CUST_ID"], "CUST", ["ID"])]


def test_a_key_may_say_which_columns_are_set_to_null(script):
    found = script(
        POSTGRESQL
        + """CREATE TABLE tenant (id integer PRIMARY KEY);
        CREATE TABLE task (boss integer);
        ALTER TABLE ONLY task ADD CONSTRAINT f FOREIGN KEY (boss) REFERENCES tenant(id)
          ON DELETE SET NULL (boss);"""
    )
    assert joins(found["task"]) == [(["boss"], "tenant", ["id"])]


def test_comments_in_markdown_do_not_make_a_dump_one_of_mysql(script):
    found = script(
        """CREATE TABLE a (id integer, name character varying(20));
        COMMENT ON TABLE a IS 'See `b` and `c`
`d` or `e`';
        COMMENT ON COLUMN a.id IS E'path C:\\\\x\\nit\\'s';
        COMMENT ON FOREIGN TABLE a IS 'elsewhere';"""
    )
    told = found["a"].metadata
    assert (told["dialect"], told["comment"]) == ("postgresql", "elsewhere")
    assert told["columns"][0]["comment"] == "path C:\\x\nit's"


def test_a_script_of_bigquery(script):
    found = script(
        """CREATE TABLE `acme.shop.orders` (
          order_id STRING NOT NULL OPTIONS(description="the number"),
          items ARRAY<STRUCT<sku STRING, qty INT64>>
        ) OPTIONS(description="what was bought");
        CREATE TABLE `acme.shop.items` (id STRING);
        CREATE VIEW `acme.shop.big` AS SELECT order_id FROM `acme.shop.orders`;"""
    )
    assert found["shop.big"].metadata["foreign_keys"] == ["shop.orders"]
    told = found["shop.orders"].metadata
    assert (told["dialect"], told["comment"]) == ("bigquery", "what was bought")
    assert names(found["shop.orders"]) == ["order_id", "items"]
    assert told["columns"][0]["comment"] == "the number"


def test_a_star_stands_for_the_columns_of_the_tables(script):
    found = script(
        """CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
        CREATE VIEW every AS SELECT * FROM author;
        CREATE VIEW some AS SELECT b.*, 1 AS one FROM author a JOIN book b ON a.id = b.id;
        CREATE VIEW both AS SELECT * FROM author, book;
        CREATE VIEW either AS SELECT * FROM author UNION SELECT * FROM author;
        CREATE VIEW own AS WITH author AS (SELECT 1 AS x) SELECT * FROM author;
        CREATE TABLE copied AS SELECT * FROM author;"""
    )
    assert columns(found["every"]) == [("id", "INT"), ("name", "TEXT")]
    assert names(found["some"]) == ["id", "title", "one"]
    assert names(found["both"]) == ["id", "name", "title"]
    assert names(found["either"]) == names(found["copied"]) == ["id", "name"]
    assert names(found["own"]) == []


def test_a_table_may_be_made_anew_under_another_name(script):
    found = script(
        """CREATE TABLE "Post"("id" INTEGER PRIMARY KEY AUTOINCREMENT, "old" TEXT);
        CREATE TABLE "Tag"("post" TEXT REFERENCES "Post"("id"));
        CREATE TABLE "new_Post"("key" INTEGER PRIMARY KEY, "t" TEXT);
        CREATE TABLE "Link"("post" TEXT REFERENCES "new_Post"("key"));
        DROP TABLE "Post";
        ALTER TABLE "new_Post" RENAME TO "Post";
        ALTER TABLE "Post" RENAME COLUMN "key" TO "number";
        CREATE TABLE "Like"("p" TEXT REFERENCES "Post"("number"));"""
    )
    assert [*found] == ["Tag", "Link", "Post", "Like"]
    assert names(found["Post"]) == ["number", "t"]
    assert found["Post"].metadata["primary_key"] == ["number"]
    assert joins(found["Link"]) == [(["post"], "Post", ["number"])]
    assert joins(found["Like"]) == [(["p"], "Post", ["number"])]
    assert found["Tag"].metadata["foreign_keys"] == ["Post"]


def test_mysql_renames_and_changes(script):
    found = script(
        """CREATE TABLE `customers`(`id` int PRIMARY KEY);
        CREATE TABLE `orders`(`cust` int, `z` int);
        ALTER TABLE `orders` CHANGE COLUMN `cust` `customer` bigint NOT NULL, MODIFY `Z` bigint;
        ALTER TABLE `orders` ADD FOREIGN KEY (`customer`) REFERENCES `customers`(`id`);
        RENAME TABLE `customers` TO `clients`, `orders` TO `purchases`;
        CREATE TABLE `copied` LIKE `clients`;
        CREATE TABLE `loose` LIKE `clients`;
        ALTER TABLE `loose` DROP PRIMARY KEY;"""
    )
    assert [*found] == ["clients", "purchases", "copied", "loose"]
    assert columns(found["purchases"]) == [("customer", "BIGINT"), ("Z", "BIGINT")]
    assert joins(found["purchases"]) == [(["customer"], "clients", ["id"])]
    assert found["copied"].metadata["primary_key"] == ["id"]
    assert "primary_key" not in found["loose"].metadata


def test_a_table_may_be_moved_to_another_schema(script):
    found = script(
        """CREATE TABLE a (id serial PRIMARY KEY);
        CREATE TABLE b (id integer REFERENCES a(id));
        ALTER TABLE a SET SCHEMA x;
        CREATE TABLE c (LIKE x.a INCLUDING ALL);
        CREATE TABLE d (LIKE x.a);"""
    )
    assert joins(found["b"]) == [(["id"], "x.a", ["id"])]
    assert found["c"].metadata["primary_key"] == ["id"]
    assert (names(found["d"]), found["d"].metadata.get("primary_key")) == (["id"], None)


def test_an_odd_column_costs_neither_the_comment_nor_its_type(script):
    found = script(
        """CREATE TABLE `a` (
          `id` int, `place` point NOT NULL /*!80003 SRID 4326 */,
          `k` int CHECK (k > 1) NOT ENFORCED, `w` geomcollection COMMENT 'where'
        ) ENGINE=InnoDB COMMENT='the a''s table';"""
    )
    told = found["a"].metadata
    assert told["comment"] == "the a's table"
    assert columns(found["a"])[1:] == [("place", "POINT"), ("k", "INT"), ("w", "GEOMCOLLECTION")]
    assert told["columns"][1]["nullable"] is False
    assert told["columns"][3]["comment"] == "where"


def test_a_missing_comma_between_two_lines_loses_no_column(script):
    found = script(
        """CREATE TABLE a (id integer PRIMARY KEY);
        CREATE TABLE b (
          a_id integer REFERENCES a(id)
          line integer,
          total decimal(9,2) NOT NULL
          paid numeric
            DEFAULT 0,
          CONSTRAINT k PRIMARY KEY (a_id, line)
        );"""
    )
    assert joins(found["b"]) == [(["a_id"], "a", ["id"])]
    assert names(found["b"]) == ["a_id", "line", "total", "paid"]
    assert found["b"].metadata["primary_key"] == ["a_id", "line"]


@pytest.mark.parametrize(
    "further", ["MASKED WITH (FUNCTION = 'email()') NULL", "ENCRYPTED FROB", "FROB x VISIBLE"]
)
def test_what_a_further_line_says_of_a_column_is_no_other_column(script, further):
    found = script(f"CREATE TABLE a (id int, mail varchar(100)\n  {further},\n  x int);")
    assert names(found["a"]) == ["id", "mail", "x"]


def test_tables_inside_sqlites_search_are_left_out(script):
    database = sqlite3.connect(":memory:")
    database.executescript(
        """CREATE TABLE note (id INTEGER PRIMARY KEY, note_data TEXT);
        CREATE VIRTUAL TABLE found USING fts5(title, body UNINDEXED, tokenize='porter');"""
    )
    dump = "\n".join(database.iterdump())
    schema = ";\n".join(sql for (sql,) in database.execute("SELECT sql FROM sqlite_schema"))
    database.close()
    for text in (dump, schema):
        found = script(text)
        assert {*found} == {"note", "found"}
        assert names(found["found"]) == ["title", "body"]


def test_a_search_path_may_lead_to_several_schemas(script):
    found = script(
        POSTGRESQL
        + """CREATE TABLE users (id int PRIMARY KEY);
        SET search_path = app, public;
        CREATE TABLE orders (user_id int REFERENCES users(id));
        ALTER TABLE users ADD COLUMN email text;
        COMMENT ON TABLE users IS 'people';
        SET search_path TO DEFAULT;
        CREATE TABLE a (id int REFERENCES users(id));
        SET search_path = app;
        RESET search_path;
        CREATE TABLE b (id int);"""
    )
    assert [*found] == ["users", "app.orders", "a", "b"]
    assert joins(found["app.orders"]) == [(["user_id"], "users", ["id"])]
    assert joins(found["a"]) == [(["id"], "users", ["id"])]
    assert names(found["users"]) == ["id", "email"]
    assert found["users"].metadata["comment"] == "people"


def test_schemas_of_snowflake_may_have_a_database_before_them(script):
    found = script(
        """USE SCHEMA db.analytics;
        CREATE TABLE users (id NUMBER(38,0), primary key (id));
        CREATE SCHEMA IF NOT EXISTS other;
        CREATE TABLE x (user_id NUMBER(38,0), foreign key (user_id) references analytics.users(id));"""
    )
    assert [*found] == ["users", "other.x"]
    assert joins(found["other.x"]) == [(["user_id"], "users", ["id"])]


def test_a_table_that_is_called_like_a_part_of_another_module_is_kept(script):
    found = script(
        """CREATE VIRTUAL TABLE note USING fts5("my title", body, tokenize='a, b');
        CREATE TABLE note_parent (id INTEGER PRIMARY KEY);
        CREATE TABLE 'note_data' (id INTEGER PRIMARY KEY);"""
    )
    assert {*found} == {"note", "note_parent"}
    assert names(found["note"]) == ["my title", "body"]


def test_unions_in_brackets_and_stars_without_columns(script):
    found = script(
        """CREATE TABLE a (id BIGINT, x HUGEINT, y HUGEINT);
        CREATE VIEW v AS ((SELECT a.id, a.x FROM a) UNION (SELECT 1, 2));
        CREATE VIEW w AS SELECT * EXCLUDE (x) FROM a;"""
    )
    assert names(found["v"]) == ["id", "x"]
    assert names(found["w"]) == ["id", "y"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("RENAME `mail` TO `e_mail`", ["id", "e_mail"]),
        (
            "CHANGE `mail` `e_mail` text, ADD x int, ADD (y int, `z` int), DROP id",
            ["e_mail", *"xyz"],
        ),
        ("ADD (y int, `z` decimal(3, 1)), ADD x int, MODIFY y text", ["id", "mail", *"yzx"]),
        ("ADD x int, ADD (y int), RENAME COLUMN `mail` TO m", ["id", "m", "x", "y"]),
    ],
)
def test_mysql_changes_several_things_at_once(script, change, expected):
    found = script(
        f"CREATE TABLE `account` (`id` int, `mail` text) ENGINE=InnoDB;\nALTER TABLE account {change};"
    )
    assert names(found["account"]) == expected


@pytest.mark.parametrize(
    "change",
    [
        *(
            "OWNER TO postgres",
            "ENABLE ROW LEVEL SECURITY",
            "REPLICA IDENTITY FULL",
            "CLUSTER ON k",
        ),
        *(
            "DISABLE KEYS",
            "CHECK CONSTRAINT [fk]",
            "ENABLE PRIMARY KEY",
            "CONVERT TO CHARACTER SET x",
        ),
        *("NOLOGGING", "SWITCH TO u", "ORDER BY mail", "ENGINE=InnoDB, DISABLE KEYS"),
    ],
)
@pytest.mark.parametrize(
    "sign", ["-- PostgreSQL database dump", "/* ENGINE=x */", "/* VARCHAR2 */"]
)
def test_changes_that_say_nothing_of_columns_add_none(script, sign, change):
    found = script(
        f"{sign}\nCREATE TABLE account (id integer PRIMARY KEY, mail text);\n"
        f"ALTER TABLE account {change};"
    )
    assert names(found["account"]) == ["id", "mail"]
    assert found["account"].metadata["primary_key"] == ["id"]


def test_what_is_renamed_without_the_usual_words(script):
    postgresql = script(
        POSTGRESQL
        + """CREATE TABLE account (id serial PRIMARY KEY, email text);
        CREATE TABLE invoice (id serial, account_id int REFERENCES account);
        ALTER TABLE ONLY account RENAME email TO mail;
        ALTER TABLE account RENAME CONSTRAINT account_pkey TO key;
        CREATE VIEW v AS SELECT id FROM account;
        ALTER VIEW v RENAME COLUMN id TO the_id;
        ALTER VIEW IF EXISTS v RENAME TO w;
        CREATE MATERIALIZED VIEW m AS SELECT id FROM account;
        ALTER MATERIALIZED VIEW m RENAME TO n;"""
    )
    assert {name: names(item) for name, item in postgresql.items()} == {
        "account": ["id", "mail"],
        "invoice": ["id", "account_id"],
        "w": ["the_id"],
        "n": ["id"],
    }
    assert joins(postgresql["invoice"]) == [(["account_id"], "account", ["id"])]
    mysql = script("CREATE TABLE `a` (`id` int) ENGINE=InnoDB; ALTER TABLE a RENAME AS b;")
    assert [*mysql] == ["b"]
    told = script("CREATE TABLE `a` (`id` int); ALTER TABLE a ADD `x` int, COMMENT = 'people';")
    assert told["a"].metadata["comment"] == "people"
    assert names(told["a"]) == ["id", "x"]


def test_a_column_that_is_there_is_not_added_again(script):
    found = script(
        POSTGRESQL
        + """CREATE TABLE t (a text);
        COMMENT ON COLUMN t.a IS 'x';
        ALTER TABLE t ADD COLUMN IF NOT EXISTS a text;"""
    )
    assert found["t"].metadata["columns"][0]["comment"] == "x"


def test_numbers_between_quoted_names_make_no_script_one_of_bigquery(script):
    one = ", ".join(f"`{name}` float DEFAULT 0.5" for name in "abcd")
    assert script(f"CREATE TABLE `t` ({one})")["t"].metadata["dialect"] == "mysql"


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO t VALUES (/*\n" * 8_000,
        "/*!40000 x\n" * 16_000,
        "COPY t FROM stdin;\n" * 16_000,
        "COPY t\n" * 16_000,
        "INSERT INTO t VALUES (1)\n" * 8_000,
        f"CREATE TABLE t (a frob frob) {'COMMENT (' * 8_000}",
        # Every dialect reads it through.
        pytest.param(f"COMMENT ON TABLE t IS {'E' * 2}'a' IS " * 8_000, marks=pytest.mark.nightly),
        f"INSERT INTO sqlite_schema VALUES('table'{',,' * 8_000}'CREATE VIRTUAL ",
    ],
)
def test_odd_statements_take_no_time(script, text):
    started = time.process_time()
    assert "a" in script(f"CREATE TABLE a (id integer);\n{text}")
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "rows",
    [
        "COPY a FROM stdin;\n",
        "/* COPY a FROM stdin;\nof old */\n",
        "COPY a (id,\n name) FROM stdin;\n1\tit's ;\n2\tb;\n\\.\n",
        "copy public.a from STDIN with (format csv);\n1,';\n\\.\n\n",
        "/*!40000 ALTER TABLE a DISABLE KEYS */;\n",
    ],
)
def test_tables_after_rows_that_are_copied_are_read(script, rows):
    made = "CREATE TABLE a (id int, name text);\n"
    assert [*script(f"{made}{rows}CREATE TABLE b (id int);\n")] == ["a", "b"]


def test_what_only_mysql_reads_may_say_how_it_begins(script):
    view = "/*!50003 CREATE VIEW v AS SELECT '/*!' AS x, id FROM a */;\n"
    assert [*script(f"CREATE TABLE a (id int);\n{view}/*!40000 open")] == ["a", "v"]
