"""The tutorial's script writes SQL by a real client, and runs it where it can do no harm."""

import runpy
import sqlite3
import sys
import time
from pathlib import Path

import openai
import pytest

from grapher_jax import Index
from grapher_jax.demo import sample_folder, sample_tables

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs" / "examples" / "text_to_sql.py"
PAGE = (ROOT / "docs" / "tutorials" / "text-to-sql.md").read_text(encoding="utf-8")
QUESTION = "Which products did customers complain about, and why?"
SQL = "SELECT p.name, c.reason FROM complaint AS c JOIN product AS p ON p.product_id = c.product_id"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {} FROM n"


@pytest.fixture(scope="module")
def company(tmp_path_factory, embedder) -> Path:
    """A folder with the company's database, and its index."""
    folder = tmp_path_factory.mktemp("text-to-sql")
    with sqlite3.connect(folder / "shop.db") as database:
        database.executescript((sample_folder() / "company.sql").read_text(encoding="utf-8"))
    database.close()
    index = Index.build(sample_tables(), embedder=embedder, folder=sample_folder())
    index.save(folder / "shop.index")
    return folder


@pytest.fixture
def script():
    """The names of the script."""
    return runpy.run_path(str(SCRIPT))


def test_the_page_shows_the_script_whole_and_it_has_forty_lines():
    code = SCRIPT.read_text(encoding="utf-8")
    assert f"```py\n{code}```\n" in PAGE
    assert len(code.splitlines()) <= 40


@pytest.mark.parametrize("reply", [SQL, f"```sql\n{SQL}\n```", f"Here it is:\n```\n{SQL}\n```\n"])
def test_it_prints_what_the_page_says(reply, company, endpoint, monkeypatch, capsys):
    endpoint.answer = lambda body: reply
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.chdir(company)
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "shop.index", "shop.db", "any", QUESTION])
    runpy.run_path(str(SCRIPT), run_name="__main__")
    printed = capsys.readouterr().out
    assert f"```text\n{printed}```\n" in PAGE
    (asked,) = endpoint.requests
    shown = asked["messages"][0]["content"]
    assert "CREATE TABLE complaint (" in shown and shown.endswith(f"that answers: {QUESTION}")
    assert "REFERENCES product (product_id)" in shown


def test_what_the_model_is_shown_has_a_budget(script, company, endpoint):
    endpoint.answer = lambda body: SQL
    client = openai.OpenAI(base_url=endpoint.url, api_key="none")
    index = Index.load(company / "shop.index")
    assert script["write_sql"](index, QUESTION, "any", client) == SQL
    assert len(endpoint.requests[0]["messages"][0]["content"].encode()) < 3 * 4000 + 500


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("DROP TABLE complaint", "not authorized"),
        ("DELETE FROM complaint", "not authorized"),
        ("INSERT INTO complaint DEFAULT VALUES", "not authorized"),
        ("ATTACH 'other.db' AS other", "not authorized"),
        ("PRAGMA query_only = off", "not authorized"),
        ("VACUUM INTO 'copy.db'", "authorization denied"),
        ("SELECT 1; DROP TABLE complaint", "one statement at a time"),
        ("SELECT zeroblob(2000000)", "too big"),
        ("SELECT load_extension('x')", "not authorized|no such function"),
        ("I cannot answer that.", "syntax error"),
    ],
)
def test_what_does_not_read_is_refused(script, company, monkeypatch, tmp_path, sql, message):
    monkeypatch.chdir(tmp_path)
    before = (company / "shop.db").read_bytes()
    with pytest.raises(sqlite3.Error, match=message):
        script["run_sql"](str(company / "shop.db"), sql)
    assert (company / "shop.db").read_bytes() == before
    assert not [*tmp_path.iterdir()]


def test_rows_and_time_are_limited(script, company):
    run = script["run_sql"]
    assert len(run(str(company / "shop.db"), ENDLESS.format("i"))) == 100
    run.__globals__["SECONDS"] = 0.1
    began = time.monotonic()
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        run(str(company / "shop.db"), ENDLESS.format("max(i)"))
    assert time.monotonic() - began < 2


def test_a_database_that_is_not_there_is_not_made(script, tmp_path):
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        script["run_sql"](str(tmp_path / "none.db"), "SELECT 1")
    assert not [*tmp_path.iterdir()]
