"""The page of the papers' tables lists all of them, and its figures are those of the verbs."""

import sys
import tomllib
from pathlib import Path

import pytest
from markdown.extensions.toc import slugify
from typer.main import get_command

from grapher_jax.command_line.commands import app
from grapher_jax.errors import InputError
from grapher_jax.evaluation import JudgedRun, evaluate, tune
from grapher_jax.files import parse_json
from grapher_jax.search import open_source

sys.path.append(str(Path(__file__).parents[2] / "docs" / "tools"))

import published_page
from published_page import (
    PAGE,
    TABLES,
    anchor,
    cells,
    commands,
    contents,
    heading,
    kept,
    main,
    measure,
    measured_parts,
    words,
)

PUBLISHED = tomllib.loads(TABLES.read_text(encoding="utf-8"))
TABLE = PUBLISHED["table"]
# What each paper has, as it numbers it; GraphER's and the fourth paper's texts have figures too.
PAPERS = {
    "GraphER": [
        *(f"Table {number}" for number in range(1, 5)),
        *("Section 2.1", "Section 3.1", "Section 3.1", "Section 3.1", "Section 3.2"),
        *("Section 4.1", "Section 4.3", "Appendix A.2", "Appendix A.3", "Figure 1", "Figure 2"),
    ],
    "G-RAG": [
        *("Tables 1 and 2", "Table 3", "Table 4, figures 2 and 3", "Table 5"),
        *("Figures 1 and 4", "Figure 5 and appendix C"),
    ],
    "Query-aware GNN": ["Table 1", "Table 2", "Section 6.5", "Figures 1 and 2"],
    "Keyword-graph RAG": ["Section 5.2", "Section 5.2", "Listing 1"],
}
COMMAND = get_command(app)


@pytest.fixture
def data(beir, tmp_path, monkeypatch) -> Path:
    """A folder of sets with one in it, and places of their own for what is measured."""
    monkeypatch.setattr(published_page, "KEPT", tmp_path)
    monkeypatch.setattr(published_page, "PICTURES", tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "shop").symlink_to(beir, target_is_directory=True)
    return tmp_path / "data"


def test_every_table_is_listed_and_filled_or_says_why_not():
    listed = {paper: [] for paper in PAPERS}
    for table in TABLE:
        listed[table["paper"]].append(table["title"].partition(":")[0])
        assert measured_parts(table) or table["left"], table["name"]
        for part in table.get("part", ()):
            assert {len(row) for row in part["rows"]} == {1 + len(table["columns"])}
        assert all(kept(table, part).is_file() for part in measured_parts(table)), table["name"]
    assert listed == PAPERS
    assert len({table["name"] for table in TABLE}) == len(TABLE)


def test_every_table_with_entities_says_who_found_them():
    told = {table.get("entities") for table in TABLE if measured_parts(table)}
    assert told - {None} == set(PUBLISHED["entities"])
    assert [t["name"] for t in TABLE if measured_parts(t) and "entities" not in t] == [
        "grapher-sizes"
    ]


def test_every_command_of_a_part_can_be_given():
    for table in TABLE:
        for part in measured_parts(table):
            for value in part.get("each", [""]):
                verb = part.get("verb", "evaluate")
                source = ["made.index"] if "index" in part else []
                typed = [*source, *words(part["command"], "data", value)]
                COMMAND.commands[verb].make_context(verb, typed)
                if "index" in part:
                    typed = [*words(part["index"], "data", value), "--out", "made.index"]
                    COMMAND.commands["index"].make_context("index", typed)


def test_the_list_leads_to_the_sections():
    page = PAGE.read_text(encoding="utf-8")
    for table in TABLE:
        if "shows" in table:
            assert f"\n## {heading(table)}\n" in page
            assert anchor(heading(table)) == slugify(heading(table), "-")
    made = {"paper": "A", "title": "Table 1: x"}
    with_part = made | {"shows": "…", "part": [{"set": "Shop dev, all", "command": "x"}]}
    assert contents([with_part]).splitlines()[-1] == (
        "| A | [Table 1: x](#a-table-1-x) | measured on Shop dev |"
    )
    without = made | {"left": ["There is none. So it is."]}
    assert contents([without]).splitlines()[-1] == (
        "| A | Table 1: x | not measured, because there is none |"
    )


def test_the_page_is_made_of_what_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(published_page, "PAGE", tmp_path / "page.md")
    assert main([str(tmp_path), "--keep"]) == 0
    assert (tmp_path / "page.md").read_text() == PAGE.read_text()


@pytest.mark.nightly
@pytest.mark.parametrize("index", [None, "{data}/shop --lexical-weight 0.5"])
def test_a_part_has_the_figures_of_evaluate(beir, data, index):
    options = "--split test --ranker base --ranker gcs"
    command = options if index else "{data}/shop " + options
    part = {"set": "Shop dev", "command": command, "rows": [["retriever", "1 / 2"], ["GCS", "3"]]}
    part |= {"index": index} if index else {}
    table = {"name": "made", "measures": ["PR@5", "RR"], "over": "all"}
    assert [row[-1] for row in cells(table, part)] == ["–", "–"]
    measure(table, part, data)
    weight = 0.5 if index else None
    found = evaluate(beir, "test", ["base", "gcs"], lexical_weight=weight).to_dict()["results"]
    assert cells(table, part) == [
        [
            name,
            *row,
            " / ".join(f"{100 * own['metrics'][one]['all']:.1f}" for one in ("PR@5", "RR")),
        ]
        for name, row, own in zip(("Shop dev", ""), part["rows"], found, strict=True)
    ]
    shares = found[0]["metrics"]["PR@5"]
    both = f"{100 * shares['multi']:.1f} ({100 * shares['all']:.1f})"
    assert cells(table | {"over": "both"}, part)[0][-1].startswith(both)
    with pytest.raises(InputError, match="2 results for 1 rows; measure it anew"):
        cells(table, part | {"rows": part["rows"][:1]})
    assert parse_json(kept(table, part).read_text())[0]["ranker"] == "base"


@pytest.mark.nightly
def test_a_part_of_several_values_has_a_row_for_each(beir, data):
    values = ["0", "1"]
    part = {"set": "Shop", "index": "{data}/shop", "each": values, "rows": [["0"], ["1"]]}
    part["command"] = "--split test --ranker base --ranker gcs --lexical-weight {each}"
    table = {"name": "made", "measures": ["gcs", "base"], "across": "RR", "over": "all"}
    measure(table, part, data)
    reports = [evaluate(beir, "test", ["gcs", "base"], lexical_weight=float(w)) for w in values]
    assert [row[-1] for row in cells(table, part)] == [
        " / ".join(f"{100 * own.metrics['RR'].all:.1f}" for own in report.results)
        for report in reports
    ]
    loop = "grapher-jax evaluate made.index --split test --ranker base --ranker gcs"
    assert commands(part) == [
        "grapher-jax index DATA/shop --out made.index",
        f"for each in 0 1; do {loop} --lexical-weight $each; done",
    ]
    part |= {"index": '{data}/shop --text "{each}"', "command": "--split test", "each": ["", "a"]}
    assert commands(part) == [
        """for each in '' a; do grapher-jax index DATA/shop --text "$each" --out made.index; """
        "grapher-jax evaluate made.index --split test; done"
    ]


@pytest.mark.nightly
def test_a_part_has_the_grid_of_tune_and_its_picture(beir, data, tmp_path):
    part = {"set": "Shop", "verb": "tune", "command": "{data}/shop --split test"}
    part |= {"picture": "grid.png", "rows": [[str(place)] for place in range(1, 11)]}
    table = {"name": "made", "measures": ["ppr", "gcs"], "over": "all"}
    measure(table, part, data)
    grid = tune(JudgedRun.retrieve(open_source(str(beir)), "test")).to_dict()
    points = [[one["all"] for one in grid["rankers"][name]["grid"]] for name in ("ppr", "gcs")]
    last = [grid["base"]["all"]] * 2
    assert [row[-1] for row in cells(table, part)] == [
        " / ".join(f"{100 * share:.1f}" for share in shares)
        for shares in (*zip(*points, strict=True), last)
    ]
    assert (tmp_path / "grid.png").read_bytes().startswith(b"\x89PNG")
    assert commands(part) == ["grapher-jax tune DATA/shop --split test --picture grid.png"]


@pytest.mark.nightly
def test_counts_and_times_are_told(beir, data):
    part = {"set": "Shop", "command": "{data}/shop --split test --ranker base", "rows": [[""]]}
    table = {"name": "made", "measures": ["queries", "objects", "rerank"], "over": "count"}
    measure(table, part, data)
    report = evaluate(beir, "test", ["base"])
    queries, objects, milliseconds = cells(table, part)[0][-1].split(" / ")
    assert (queries, objects) == (str(report.queries), str(report.objects))
    assert 0 <= float(milliseconds) < 10_000


def test_a_set_that_is_not_there_is_passed_over(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(published_page, "PAGE", tmp_path / "page.md")
    assert main([str(tmp_path), "--table", "grapher-texts"]) == 0
    told = capsys.readouterr().err
    assert told == "grapher-texts: Spider dev: not there\ngrapher-texts: Beaver dev: not there\n"
    assert (tmp_path / "page.md").read_text() == PAGE.read_text()


def test_an_unknown_table_is_refused(tmp_path):
    with pytest.raises(InputError, match="table: 'x' is unknown; use grapher-1"):
        main([str(tmp_path), "--table", "x"])
