import io
import sqlite3
from contextlib import redirect_stderr, redirect_stdout

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


def test_the_verb_prints_metrics_and_writes_its_page(shown):
    status, out, err, folder, _ = shown
    assert (status, err) == (0, "")
    assert "The page: demo-report.html" in out
    assert "<svg" in (folder / "demo-report.html").read_text()


def test_the_sample_is_a_company_of_at_least_40_tables(tables):
    assert len(tables) >= 40
    assert sum(len(table.metadata.get("foreign_keys", ())) for table in tables.values()) >= 40


def test_the_gold_tables_are_those_that_the_gold_sql_reads(tables):
    queries = {query.id: query for query in read_queries(sample_folder())}
    judgements = read_judgements(sample_folder(), "test", objects=tables, queries=queries)
    assert set(judgements) == set(queries)
    assert len(queries) >= 60
    connection = sqlite3.connect(":memory:")
    connection.executescript((sample_folder() / "company.sql").read_text(encoding="utf-8"))
    for name, query in queries.items():
        read = set()

        def note(action, table, *_, read=read):
            if action == sqlite3.SQLITE_READ and table in tables:
                read.add(table)
            return sqlite3.SQLITE_OK

        connection.set_authorizer(note)
        connection.execute(query.metadata["sql"]).fetchall()
        assert read == set(judgements[name]), name


def test_the_report_compares_the_rankers_and_walks_a_question(report):
    assert [row["ranker"] for row in report["metrics"]] == ["base", "ppr", "gcs"]
    assert len(report["results"]) == len(report["before"]) == report["k"] == 10
    assert report["sql"].startswith("SELECT")
    for result in report["results"]:
        shares = [source["share"] for source in result["explanation"]["sources"]]
        assert sum(shares) == pytest.approx(1.0)
    shown = {node["id"] for node in report["nodes"]}
    assert all({edge["source"], edge["target"]} <= shown for edge in report["edges"])


def test_the_walked_question_is_one_that_the_graph_completes(report):
    relevant = {node["id"] for node in report["nodes"] if node["relevant"]}
    assert relevant <= {result["id"] for result in report["results"]}
    assert not relevant <= {result["id"] for result in report["before"]}
