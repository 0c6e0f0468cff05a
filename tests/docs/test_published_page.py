"""The page of the papers' tables lists all of them, and its figures are those of `evaluate`."""

import sys
import tomllib
from pathlib import Path

import pytest

from grapher_jax.errors import InputError
from grapher_jax.evaluation import evaluate
from grapher_jax.files import parse_json

sys.path.append(str(Path(__file__).parents[2] / "docs" / "tools"))

import published_page
from published_page import PAGE, TABLES, cells, kept, main, measure

TABLE = tomllib.loads(TABLES.read_text(encoding="utf-8"))["table"]
# Those of the papers; the text of the fourth has its figures.
WHOLE = {
    *(f"grapher-{number}" for number in range(1, 5)),
    *(f"g-rag-{number}" for number in (1, 3, 4, 5)),
    *("query-gnn-1", "query-gnn-2", "grapher-latency", "keyword-graph"),
}


def test_every_table_is_listed_and_filled_or_says_why_not():
    assert {table["name"] for table in TABLE} == WHOLE
    for table in TABLE:
        assert table.get("part") or table["left"], table["name"]
        for part in table.get("part", ()):
            assert {len(row) for row in part["rows"]} == {1 + len(table["columns"])}


def test_the_page_is_made_of_what_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(published_page, "PAGE", tmp_path / "page.md")
    assert main([str(tmp_path), "--keep"]) == 0
    assert (tmp_path / "page.md").read_text() == PAGE.read_text()


@pytest.mark.parametrize("index", [None, "{data}/shop --lexical-weight 0.5"])
def test_a_part_has_the_figures_of_evaluate(beir, tmp_path, monkeypatch, index):
    monkeypatch.setattr(published_page, "KEPT", tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "shop").symlink_to(beir, target_is_directory=True)
    options = "--split test --ranker base --ranker gcs"
    command = options if index else "{data}/shop " + options
    part = {"set": "Shop dev", "command": command, "rows": [["retriever", "1 / 2"], ["GCS", "3"]]}
    part |= {"index": index} if index else {}
    table = {"name": "made", "measures": ["PR@5", "RR"], "over": "all"}
    assert [row[-1] for row in cells(table, part)] == ["–", "–"]
    measure(table, part, tmp_path / "data")
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
    with pytest.raises(InputError, match="2 results for 1 rows; measure it anew"):
        cells(table, part | {"rows": part["rows"][:1]})
    assert parse_json(kept(table, part).read_text())[0]["ranker"] == "base"


def test_a_set_that_is_not_there_is_passed_over(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(published_page, "PAGE", tmp_path / "page.md")
    assert main([str(tmp_path), "--table", "grapher-1"]) == 0
    told = capsys.readouterr().err
    assert told == "grapher-1: Spider dev: not there\ngrapher-1: Beaver dev: not there\n"
    assert (tmp_path / "page.md").read_text() == PAGE.read_text()


def test_an_unknown_table_is_refused(tmp_path):
    with pytest.raises(InputError, match="table: 'x' is unknown; use grapher-1"):
        main([str(tmp_path), "--table", "x"])
