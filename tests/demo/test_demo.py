import io
import sqlite3
from collections import Counter
from contextlib import closing, redirect_stderr, redirect_stdout

import pytest

from grapher_jax.command_line import main
from grapher_jax.corpus import read_judgements, read_queries
from grapher_jax.demo import run_demo, sample_folder, sample_tables


@pytest.fixture(scope="module")
def tables():
    return {table.id: table for table in sample_tables()}


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What `grapher-jax demo` ends with and shows, its folder, and the report that it shows."""
    folder, reports = tmp_path_factory.mktemp("demo"), []

    def noted(**options):
        reports.append(run_demo(**options))
        return reports[-1]

    with (
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.chdir(folder)
        patched.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patched.setattr("grapher_jax.demo.run_demo", noted)
        with pytest.raises(SystemExit) as stopped:
            main(["demo"])
    (report,) = reports
    return stopped.value.code, out.getvalue(), err.getvalue(), folder, report


@pytest.fixture(scope="module")
def report(shown):
    return shown[-1]


@pytest.mark.nightly
@pytest.mark.nightly
def test_the_verb_prints_metrics_and_writes_its_page(shown):
    status, out, err, folder, _ = shown
    assert (status, err) == (0, "")
    assert "The page: demo-report.html" in out
    assert "<svg" in (folder / "demo-report.html").read_text()


def test_the_sample_is_a_connected_company(tables):
    keys = {name: table.metadata.get("foreign_keys", []) for name, table in tables.items()}
    declared = sum(map(len, keys.values()))
    assert 30 <= len(tables) <= 45
    assert 1 <= declared / len(tables) <= 2
    referenced = Counter(name for names in keys.values() for name in names)
    # Hubs, views, and a system that writes otherwise, which no key joins to the rest.
    hubs = {name for name, times in referenced.items() if times >= 3}
    assert {"customer", "employee", "product", "address"} <= hubs
    assert keys["open_invoice"] == ["customer", "invoice", "payment"]
    bought = {name for name in tables if name[0].isupper()}
    assert len(bought) == 7
    assert all(set(keys[name]) <= bought for name in bought)
    # Keys that are there by name alone.
    assert "customer_id" in tables["repair_job"].text and not keys["repair_job"]


@pytest.fixture
def connection():
    """The sample company in memory."""
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.executescript((sample_folder() / "company.sql").read_text(encoding="utf-8"))
        yield opened


def test_the_rows_hold_to_the_declared_keys(connection):
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_the_gold_tables_are_those_that_the_gold_sql_reads(tables, connection):
    queries = {query.id: query for query in read_queries(sample_folder())}
    judgements = read_judgements(sample_folder(), "test", objects=tables, queries=queries)
    assert set(judgements) == set(queries)
    needed = Counter(len(judgements[name]) for name in queries)
    assert needed[1] and sum(needed[count] for count in (3, 4, 5)) > 12
    for name, query in queries.items():
        read = set()

        def note(action, table, *_, read=read):
            if action == sqlite3.SQLITE_READ and table in tables:
                read.add(table)
            return sqlite3.SQLITE_OK

        connection.set_authorizer(note)
        assert connection.execute(query.metadata["sql"]).fetchall(), name
        assert read == set(judgements[name]), name


@pytest.mark.nightly
def test_the_report_compares_the_rankers_and_walks_a_question(report):
    told = {row["ranker"] for row in report["metrics"]}
    assert told == {"base", "ppr", "gcs", "diffusion", "gat"}
    assert len(report["results"]) == len(report["before"]) == report["k"] == 10
    assert report["sql"].startswith("SELECT")
    # A network's scores have no parts: it names the neighbours that it read.
    sources = [one for result in report["results"] for one in result["explanation"]["sources"]]
    assert {one["share"] for one in sources} == {None}
    assert all(one["relations"] for one in sources)
    shown = {node["id"] for node in report["nodes"]}
    assert all({edge["source"], edge["target"]} <= shown for edge in report["edges"])


@pytest.mark.nightly
def test_every_question_is_shown_with_what_the_graph_did_to_it(report, shown):
    asked = {one["question"]: one for one in report["asked"]}
    assert set(asked) == {query.text for query in read_queries(sample_folder())}
    gains = [one["ranked"] - one["alone"] for one in asked.values()]
    assert report["changed"] == {
        "better": sum(gain > 0 for gain in gains),
        "worse": sum(gain < 0 for gain in gains),
    }
    assert all(
        one["alone"] <= one["needs"] and one["ranked"] <= one["needs"] for one in asked.values()
    )
    out = shown[1]
    for question, one in asked.items():
        (line,) = [line for line in out.splitlines() if line.startswith(question)]
        arrow = "↑" if one["ranked"] > one["alone"] else "↓" if one["ranked"] < one["alone"] else ""
        told = [str(one[name]) for name in ("needs", "alone", "ranked")]
        assert line.removeprefix(question).split() == [*told, *arrow]


@pytest.mark.nightly
def test_the_walked_question_is_one_that_the_default_ranker_helps_most(report):
    walked = next(one for one in report["asked"] if one["question"] == report["question"])
    # What auto takes for keys.
    assert report["ranker"] == "gat"
    before, after = (sum(row["relevant"] for row in report[name]) for name in ("before", "results"))
    assert (before, after) == (walked["alone"], walked["ranked"])
    assert after - before == max(one["ranked"] - one["alone"] for one in report["asked"])
