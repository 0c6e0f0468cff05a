import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from rich.console import Console

import grapher_jax as gj
from grapher_jax import command_line
from grapher_jax.command_line import console
from grapher_jax.files import PROGRAMS

PACKAGE = Path(gj.__file__).parent


@pytest.fixture
def index(grapher, shop_index):
    """A copy of it in the working directory."""
    return shutil.copytree(shop_index, "shop.index")


def test_a_folder_is_indexed(grapher, beir, shop_index):
    status, out, _ = grapher("index", beir, "--out", "shop.index")
    assert status == 0
    assert "6 objects, joined by foreign_key" in out
    assert sorted(path.name for path in Path("shop.index").iterdir()) == sorted(
        path.name for path in shop_index.iterdir()
    )


def test_search_shows_ranks_scores_and_reasons(grapher, index):
    status, out, err = grapher("search", index, "Which stores had orders?", "-k", 3, "--explain")
    assert (status, "warning" in err) == (0, False)
    assert "shop.customers" in out
    assert "shop.orders references shop.customers" in out
    assert (
        "Ranked by gat, because these join the objects: foreign key, along which the ranking grows"
        in out.splitlines()
    )


def test_search_tells_that_the_graph_moved_nothing_and_what_would(grapher, tmp_path, embedder):
    apart = [gj.Object(name, f"{name}: id") for name in ("orders", "stores", "songs")]
    gj.Index.build(apart, embedder=embedder).save(tmp_path / "apart")
    status, out, err = grapher("search", tmp_path / "apart", "orders", "-k", 2)
    assert (status, err.count("\n"), "orders" in out) == (0, 1, True)
    assert err.startswith(
        "grapher-jax: note: gcs moved nothing into or out of the first 2: no object joins any"
    )
    assert grapher("search", tmp_path / "apart", "orders", "--ranker", "base")[2] == ""
    _, out, err = grapher("search", tmp_path / "apart", "orders", "--json", "--expand")
    document = json.loads(out)
    assert [f"grapher-jax: note: {note}" for note in document["notes"]] == err.splitlines()
    assert document["notes"][0].startswith("expand: all 3 objects are among the candidates already")
    assert document["notes"][1].startswith("gcs left the order of all 3 candidates as it was: ")


def test_search_speaks_json(grapher, index):
    status, out, _ = grapher("search", index, "stores with orders", "-k", 2, "--json", "--explain")
    document = json.loads(out)
    assert status == 0
    assert (document["question"], document["ranker"]) == ("stores with orders", "gat")
    assert (
        document["because"] == "these join the objects: foreign key, along which the ranking grows"
    )
    assert [result["rank"] for result in document["results"]] == [1, 2]
    assert document["results"][0]["explanation"]["sources"]
    # Who names a ranker is told of no choice.
    options = ("--ranker", "diffusion", "--temperature", 0.2, "--alpha", 0.3, "--json")
    named = json.loads(grapher("search", index, "stores with orders", "-k", 2, *options)[1])
    assert (named["ranker"], "because" in named) == ("diffusion", False)
    sharp = gj.Reranker(ranker="diffusion", temperature=0.2, alpha=0.3)
    expected = gj.Index.load(index).search("stores with orders", k=2, ranker=sharp)
    assert [one["score"] for one in named["results"]] == [hit.score for hit in expected]


def run(*arguments, **environment):
    """The command line in a process of its own: status, standard output and error, as bytes."""
    command = [sys.executable, "-m", "grapher_jax", *map(os.fspath, arguments)]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.nightly
def test_a_terminal_without_letters_gets_escapes(grapher, tmp_path, embedder, monkeypatch):
    gj.Index.build([gj.Object("café", "naïve 東")], embedder=embedder).save(tmp_path / "index")
    asked = ("search", tmp_path / "index", "naïve")
    status, out, err = run(*asked, PYTHONIOENCODING="ascii")
    assert (status, err) == (0, b"")
    assert b"caf\\xe9" in out
    with io.TextIOWrapper(io.BytesIO(), encoding="ascii") as written:
        monkeypatch.setattr(sys, "stdout", written)
        assert grapher(*asked, "--json") == (0, "", "")
        written.flush()
        shown = written.buffer.getvalue()
    assert json.loads(shown)["results"][0]["id"] == "café"


def test_a_question_that_is_no_text_is_told(index):
    status, out, err = run("search", index, b"caf\xe9")
    assert (status, out) == (2, b"")
    assert err.startswith(b"grapher-jax: question 1 is not UTF-8 text")


@pytest.mark.nightly
def test_a_platform_that_is_not_there_is_told(index):
    status, out, err = run("search", index, "x", JAX_PLATFORMS="nonsense")
    assert (status, out) == (2, b"")
    assert err.startswith(b"grapher-jax: JAX finds none of JAX_PLATFORMS=nonsense here; leave it")


def test_an_interruption_ends_in_one_line(grapher, index, tmp_path, monkeypatch):
    # While the first library is loaded, and while a verb runs.
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt")
    ended = run("search", index, "x", PYTHONPATH=f"{tmp_path}{os.pathsep}{PACKAGE.parent}")
    assert ended == (130, b"", b"grapher-jax: interrupted\n")

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(gj.Index, "retrieve", interrupt)
    assert grapher("search", index, "x") == (130, "", "grapher-jax: interrupted\n")


def test_rerank_writes_a_run(grapher, index, beir):
    status, out, _ = grapher(
        "rerank", index, "--queries", beir / "queries.jsonl", "--out", "run", "-k", 4
    )
    told = (
        "Ranked by gat, because these join the objects: foreign key, along which the ranking grows"
    )
    assert (status, out) == (0, f"run: 2 queries\n{told}\n")
    assert len(Path("run").read_text().splitlines()) == 8
    again = grapher(
        "rerank",
        index,
        "--queries",
        beir / "queries.jsonl",
        "--out",
        "again",
        "--run",
        "run",
        "--json",
    )
    assert json.loads(again[1]) == {
        "run": "again",
        "queries": 2,
        "ranker": "gat",
        "because": "these join the objects: foreign key, along which the ranking grows",
    }
    assert {line.split()[-1] for line in Path("again").read_text().splitlines()} == {
        "grapher-jax-gat"
    }


def test_a_system_searches_and_reranks(grapher, index, beir):
    question = ["search", index, "stores with orders", "-k", 2, "--json"]
    by_system, by_ranker = (
        json.loads(grapher(*question, *options)[1])
        for options in (
            ["--system", "grapher"],
            ["--ranker", "gat", "--lexical-weight", 0.3],
        )
    )
    assert (by_system["ranker"], by_system["system"]) == ("grapher", "grapher")
    assert by_system["results"] == by_ranker["results"]
    arguments = ["rerank", index, "--queries", beir / "queries.jsonl", "--json"]
    _, out, _ = grapher(*arguments, "--out", "run", "--system", "grapher")
    assert json.loads(out) == {"run": "run", "queries": 2, "ranker": "grapher", "system": "grapher"}
    assert "grapher-jax-grapher" in Path("run").read_text()
    status, _, err = grapher(*arguments, "--out", "again", "--run", "run", "--system", "grapher")
    assert (status, err) == (0, "")


@pytest.mark.nightly
def test_systems_are_evaluated_beside_rankers(grapher, beir):
    arguments = ["evaluate", beir, "--split", "test", "--system", "grapher"]
    _, out, _ = grapher(*arguments, "--ranker", "base", "--ranker", "gcs", "--json")
    results = json.loads(out)["results"]
    assert [(row["ranker"], row.get("system")) for row in results] == [
        ("base", None),
        ("gcs", None),
        ("base", "grapher"),
        ("grapher", "grapher"),
    ]
    status, out, _ = grapher(*arguments)
    assert status == 0
    for row in ("base (grapher) ", "grapher "):
        assert any(line.startswith(row) for line in out.splitlines())


@pytest.mark.parametrize("as_index", [False, True])
def test_evaluate_speaks_json(grapher, beir, index, as_index):
    source = index if as_index else beir
    arguments = ["--split", "test", "--ranker", "base", "--ranker", "gcs", "--alpha", 0.3, "--json"]
    status, out, err = grapher("evaluate", source, *arguments)
    report = json.loads(out)
    assert (status, err) == (0, "")
    assert report["dataset"] == ("shop.index" if as_index else "shop")
    assert [result["ranker"] for result in report["results"]] == ["base", "gcs"]
    assert report["results"][1]["parameters"]["alpha"] == 0.3
    assert 0 <= report["results"][1]["metrics"]["PR@5"]["multi"] <= 1


def test_evaluate_prints_a_row_a_ranker(grapher, beir):
    status, out, _ = grapher("evaluate", beir, "--split", "test", "--proximity", "foreign_key")
    assert status == 0
    assert "2 queries, 1 with more than one relevant object, 6 objects" in out
    for ranker in ("base", "gcs", "ppr", "diffusion"):
        assert any(line.startswith(ranker) for line in out.splitlines())


def test_evaluate_tells_what_auto_took(grapher, index):
    arguments = ["evaluate", index, "--split", "test", "--ranker", "auto", "--ranker", "diffusion"]
    status, out, err = grapher(*arguments, "--temperature", 0.1, "--json")
    assert (status, err) == (0, "")
    auto, diffusion = json.loads(out)["results"]
    assert (auto["ranker"], diffusion["ranker"]) == ("auto (gat)", "diffusion")
    assert auto["parameters"]["weights"] == "gat-tables"
    told = {"alpha": 0.3, "max_df": 8, "proximities": ["foreign_key"]}
    assert diffusion["parameters"] == told | {"temperature": 0.1, "least_degree": 0}


@pytest.mark.parametrize("verb", ["search", "evaluate"])
def test_a_temperature_goes_with_diffusion(grapher, index, verb):
    asked = ("orders",) if verb == "search" else ("--split", "test")
    for ranker, temperature, told in (
        ("gcs", 0.1, "temperature: of the ranker diffusion; choose it, or leave this out"),
        ("diffusion", -1, "temperature: -1.0 must be above 0, as float32 holds it"),
        ("diffusion", "nan", "temperature: nan must be a finite number that float32 holds"),
    ):
        options = ("--ranker", ranker, "--temperature", temperature)
        status, _, err = grapher(verb, index, *asked, *options)
        assert (status, err) == (2, f"grapher-jax: {told}\n")


@pytest.mark.nightly
def test_evaluate_compares_sets_of_proximities(grapher, index):
    status, out, _ = grapher(
        "evaluate",
        index,
        *("--split", "test", "--ranker", "base", "--ranker", "gcs", "--expand"),
        *("--proximity", "foreign_key", "--proximity", "foreign_key,chunk", "--json"),
    )
    report = json.loads(out)
    assert status == 0
    assert set(report["ceiling"]) == {"retriever", "expanded"}
    assert [r["parameters"].get("proximities") for r in report["results"]] == [
        None,
        ["foreign_key"],
        ["foreign_key", "chunk"],
    ]


def test_documents_are_indexed_and_updated(grapher, tmp_path):
    (tmp_path / "handbook").mkdir()
    (tmp_path / "handbook" / "a.md").write_text("# Rules\n\nSee [b](b.md).\n")
    for options in ([], ["--reuse", "handbook.index", "--chunk-tokens", 50]):
        status, out, _ = grapher("index", "handbook", "--out", "handbook.index", *options)
        assert (status, "1 objects" in out) == (0, True)
    (tmp_path / "handbook" / "b.md").write_text("# More rules\n")
    added = ("update", "handbook.index", "--add", "handbook", "--chunk-tokens", 50)
    assert grapher(*added) == (0, "handbook.index: 2 objects, joined by link\n", "")


def test_a_base_run_is_not_expanded(grapher, index, beir):
    arguments = ["rerank", index, "--queries", beir / "queries.jsonl", "--out", "run"]
    status, _, err = grapher(*arguments, "--run", "base", "--expand")
    assert (status, "a base run is taken as it is" in err) == (2, True)


def test_search_within_a_filter(grapher, index):
    question = ["search", index, "stores with orders", "--json"]
    _, out, _ = grapher(*question, "--filter", 'foreign_keys=["zoo.cages"]')
    assert [result["id"] for result in json.loads(out)["results"]] == ["zoo.animals"]
    wanted = '{"foreign_keys": {"$in": [["zoo.cages"], ["?"]]}}'
    _, out, _ = grapher(*question, "--filter", wanted, "--filter", 'foreign_keys={"$exists": true}')
    assert [result["id"] for result in json.loads(out)["results"]] == ["zoo.animals"]
    _, out, _ = grapher(*question, "--min-score", 1000)
    assert json.loads(out)["results"] == []
    _, out, _ = grapher(*question[:-1], "--min-score", 1000)
    assert out.startswith("no results\n")
    status, _, err = grapher(*question, "--filter", "foreign_keys")
    assert (status, "must be KEY=VALUE" in err) == (2, True)


def test_an_index_is_updated_in_place(grapher, index, beir):
    (beir / "corpus.jsonl").write_text(
        json.dumps({"_id": "shop.returns", "text": "returns: order_id", "metadata": {}}) + "\n"
    )
    status, out, _ = grapher("update", index, "--add", beir, "--delete", "music.songs")
    assert (status, out) == (0, "shop.index: 6 objects, joined by foreign_key\n")
    _, out, _ = grapher("search", index, "returns", "-k", 1, "--json")
    assert json.loads(out)["results"][0]["id"] == "shop.returns"
    status, _, err = grapher("update", index)
    assert (status, "give --add or --delete" in err) == (2, True)
    status, out, _ = grapher("index", beir, "--out", "small.index", "--reuse", index)
    assert (status, "1 objects" in out) == (2, False)  # its qrels name objects that are gone


def test_tune_prints_the_grid_and_draws_it(grapher, beir):
    status, out, _ = grapher("tune", beir, "--split", "test", "--picture", "grid.png", "--learn")
    assert status == 0
    assert "PR@10 in %" in out
    assert re.search(r"Learned from 1 questions in \d+ s: --ranker diffusion --temperature", out)
    asked = ("tune", beir, "--split", "test", "--learn", "--weight", "link=2")
    status, _, err = grapher(*asked)
    assert (status, "weight: --learn finds the weights itself" in err) == (2, True)
    assert Path("grid.png").read_bytes().startswith(b"\x89PNG")
    status, out, _ = grapher("tune", beir, "--split", "test", "--picture", "grid.svg", "--json")
    assert set(json.loads(out)["rankers"]) == {"gcs", "ppr", "diffusion"}
    assert "<svg" in Path("grid.svg").read_text()


def test_a_database_is_indexed(grapher, tmp_path):
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.executescript("CREATE TABLE store (id INTEGER PRIMARY KEY, city TEXT);")
    connection.close()
    status, out, _ = grapher("index", "sqlite:///shop.db", "--out", "db.index", "--json")
    assert status == 0
    assert json.loads(out) == {
        "index": "db.index",
        "objects": 1,
        "embedder": "offline",
        "proximities": [],
    }


def program(*arguments, **options):
    """The command line in a process of its own."""
    command = [sys.executable, "-m", "grapher_jax", *map(str, arguments)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.run(command, text=True, **{**streams, **options})


def test_many_columns_hide_neither_names_nor_scores_nor_reasons(grapher, tmp_path, monkeypatch):
    names = ("customer_relations", "customer_relations_archive")
    with closing(sqlite3.connect(tmp_path / "wide.db")) as database:
        for name in names:
            columns = ", ".join(f"column_{number} TEXT" for number in range(60))
            columns += f", FOREIGN KEY (column_0) REFERENCES {names[0]} (column_59)"
            database.execute(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, {columns})")
    narrow = Console(markup=False, highlight=False, emoji=False, width=80)
    monkeypatch.setattr(console, "output", narrow)
    assert grapher("index", f"sqlite:///{tmp_path}/wide.db", "--out", "wide.index")[0] == 0
    status, out, _ = grapher("keys", "wide.index")
    assert (status, out.count("declared"), "…" in out) == (0, 2, False)
    status, out, _ = grapher("tables", "wide.index", "Customers?")
    assert status == 0
    for line in out.splitlines()[1:3]:
        assert re.fullmatch(rf"({'|'.join(names)}) +\S+\d +rank \d by \w+ +id, column_0, .*…", line)


def test_a_key_to_an_unknown_object_is_warned_of_in_one_line(beir, tmp_path):
    with (beir / "corpus.jsonl").open("a") as file:
        file.write('{"_id": "x", "text": "x", "metadata": {"foreign_keys": ["gone"]}}\n')
    done = program("index", beir, "--out", tmp_path / "o")
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("grapher-jax: warning: foreign_keys: 1 name objects")


def test_a_failure_is_one_line_and_status_1(grapher, monkeypatch):
    monkeypatch.setattr("grapher_jax.demo.run_demo", lambda **_: 1 / 0)
    monkeypatch.delenv("GRAPHER_JAX_DEBUG", raising=False)
    status, _, err = grapher("demo")
    assert status == 1
    assert err == (
        "grapher-jax: ZeroDivisionError: division by zero (GRAPHER_JAX_DEBUG=1 shows where)\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_told_with_its_cure():
    with Path("/dev/full").open("w") as full:
        done = program("--version", stdout=full)
    assert done.returncode == 1
    assert done.stderr == (
        "grapher-jax: No space left on device; make room, or send the output elsewhere\n"
    )


def test_a_missing_extra_is_named_with_its_cure(grapher, index, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    status, _, err = grapher("search", index, "x")
    assert status == 1
    assert 'pip install "grapher-jax[retrieval]"' in err


def test_the_module_runs_as_a_program(tmp_path):
    done = program("--help", env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)})
    assert done.returncode == 0
    for verb in ("demo", "index", "search", "rerank", "evaluate", "tune"):
        assert verb in done.stdout


def test_the_version_is_told(grapher):
    import grapher_jax

    assert grapher("--version") == (0, f"{grapher_jax.__version__}\n", "")


def test_without_a_verb_help_is_shown(grapher):
    status, out, err = grapher()
    assert (status, err) == (0, "")
    assert "evaluate" in out


def test_control_characters_reach_no_terminal(grapher, tmp_path):
    (tmp_path / "odd").mkdir()
    record = {"_id": "a\u001b[31m", "text": "red\u001b]0;title\u0007 apples"}
    (tmp_path / "odd" / "corpus.jsonl").write_text(json.dumps(record) + "\n")
    grapher("index", "odd", "--out", "odd.index")
    _, out, _ = grapher("search", "odd.index", "apples", "--explain")
    assert "\\x1b[31m" in out
    assert "\x1b" not in out


def test_a_source_that_is_not_there_makes_no_folder(grapher, tmp_path):
    out = tmp_path / "new" / "deep.index"
    status, _, err = grapher("index", f"sqlite:///{tmp_path}/nothing.db", "--out", out)
    assert status == 2
    assert "nothing.db" in err
    assert not out.parent.exists()


@pytest.mark.parametrize(
    ("folder", "traced"),
    [("", None), ("gs://bucket/programs", None), ("programs", str(Path("programs", "traced")))],
)
def test_traced_programs_are_kept_beside_compiled_ones(folder, traced, monkeypatch):
    monkeypatch.setattr(os, "environ", {"JAX_COMPILATION_CACHE_DIR": folder})
    command_line._keep_compiled_programs()
    assert os.environ.get(PROGRAMS) == traced


def test_a_page_replaces_a_page_alone(grapher, shop_index, tmp_path):
    data, page = tmp_path / "shop.db", tmp_path / "page.html"
    data.write_bytes(b"\nnotes\n")
    assert grapher("explain", shop_index, "stores", "--out", data)[0] == 2
    data.write_bytes(b"SQLite format 3\x00")
    for verb in (("demo",), ("explain", shop_index, "stores")):
        status, _, err = grapher(*verb, "--out", data)
        assert status == 2
        assert "exists and is not an HTML page; give another --out" in " ".join(err.split())
    assert data.read_bytes() == b"SQLite format 3\x00"
    for _ in range(2):
        assert grapher("explain", shop_index, "stores", "--out", page)[0] == 0
