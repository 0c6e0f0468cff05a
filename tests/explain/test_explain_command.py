import json
import re
from pathlib import Path

import pytest

from grapher_jax.corpus import Object
from grapher_jax.search import Index

QUESTION = "Which orders were placed in stores of Boston?"


@pytest.fixture
def shop(index, tmp_path):
    index.save(tmp_path / "shop.index")
    return "shop.index"


def test_it_shows_who_lifted_what_through_what(grapher, shop):
    status, out, err = grapher("explain", shop, QUESTION, "-k", 6, "--ranker", "diffusion")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["was", "score", "object", "share", "from", "through"]
    joined = "shop.orders references shop.customers"
    assert any(re.search(rf"shop.customers +\d+% +shop.orders +{joined}", line) for line in lines)
    assert any(line.split()[-3:] == ["100%", "its", "own"] for line in lines)


def test_it_tells_what_ranks_and_why(grapher, shop):
    status, out, err = grapher("explain", shop, QUESTION, "-k", 6)
    assert (status, err) == (0, "")
    *lines, told = out.splitlines()
    assert (
        told
        == "Ranked by gat, because these join the objects: foreign key, along which the ranking grows"
    )
    joined = "shop.orders references shop.customers"
    assert any(re.search(rf"shop.customers +shop.orders +{joined}", line) for line in lines)


def test_it_speaks_json(grapher, shop):
    options = ["--ranker", "ppr", "--alpha", 0.5, "--proximity", "foreign_key", "--json"]
    status, out, err = grapher("explain", shop, QUESTION, "-k", 2, *options)
    report = json.loads(out)
    assert (status, err) == (0, "")
    assert (report["question"], report["ranker"], report["k"]) == (QUESTION, "ppr", 2)
    assert report["parameters"]["alpha"] == 0.5
    assert len(report["results"]) == 2
    for result in report["results"]:
        sources = result["explanation"]["sources"]
        assert sum(source["amount"] for source in sources) == pytest.approx(result["score"])
    assert len(report["nodes"]) == 6
    assert {edge["joins"][0]["text"] for edge in report["edges"]} >= {
        "shop.orders references shop.customers"
    }


def test_it_writes_a_page(grapher, shop):
    status, out, err = grapher("explain", shop, QUESTION, "--out", "why/page.html")
    assert (status, err) == (0, "")
    assert out.endswith("The page: why/page.html\n")
    page = Path("why/page.html").read_text(encoding="utf-8")
    assert QUESTION in page
    assert "shop.orders references shop.customers" in page
    assert [file.name for file in Path("why").iterdir()] == ["page.html"]


def test_a_system_explains(grapher, shop):
    status, out, _ = grapher("explain", shop, QUESTION, "--system", "grapher", "--json")
    report = json.loads(out)
    assert (status, report["system"], report["ranker"]) == (0, "grapher", "grapher")
    orders = next(row for row in report["results"] if row["id"] == "shop.orders")
    assert orders["explanation"]["learned"]
    _, out, _ = grapher("explain", shop, QUESTION, "--system", "grapher", "-k", 6)
    assert "no neighbours" in next(line for line in out.splitlines() if "music.songs" in line)


def test_candidates_are_filtered_and_expanded(grapher, embedder, tmp_path):
    objects = [
        Object("a", "apples and pears", "", {"kind": "fruit", "links": ["b"]}),
        Object("b", "hammers", "", {"kind": "tool"}),
    ]
    Index.build(objects, embedder=embedder).save(tmp_path / "mixed.index")
    arguments = ["explain", "mixed.index", "apples", "--json", "--expand"]
    _, out, _ = grapher(*arguments, "--filter", "kind=fruit")
    report = json.loads(out)
    assert [row["id"] for row in report["nodes"]] == ["a"]
    assert report["parameters"]["expand"] is True


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["missing.index", "x"], "missing.index: not an index"),
        (["shop.index", " "], "empty"),
        (["shop.index", "x", "-k", "0"], "k: 0 must be at least 1"),
        (["shop.index", "x", "--ranker", "nothing"], "ranker: 'nothing' is unknown"),
        (["shop.index", "x", "--system", "grapher", "--alpha", "0.1"], "alpha: the system"),
        (["shop.index", "x", "--out", "."], ".: is a folder; give a file"),
    ],
)
def test_bad_input_is_one_line(grapher, shop, arguments, complaint):
    status, out, err = grapher("explain", *arguments)
    assert (status, out) == (2, "")
    assert complaint in err
    assert len(err.splitlines()) == 1


def test_control_characters_reach_no_terminal(grapher, embedder, tmp_path):
    name = "a\x1b[31m"
    objects = [
        Object(name, "red apples", "\x1b]0;title\x07", {"foreign_keys": ["b"]}),
        Object("b", "a basket", "", {"entities": ["\x1b[2J"]}),
        Object("c", "a market", "", {"entities": ["\x1b[2J"]}),
    ]
    Index.build(objects, embedder=embedder).save(tmp_path / "odd.index")
    _, out, _ = grapher("explain", "odd.index", "apples", "--ranker", "ppr")
    assert "a\\x1b[31m references b" in out
    assert "both have \\x1b[2j" in out
    assert "\x1b" not in out
