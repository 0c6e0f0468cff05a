"""An index as a BEIR folder, and the same index of it."""

import json
import sqlite3
from pathlib import Path

import pytest

from grapher_jax.corpus import JudgedQuestion, read_objects, splits, write_pair_graphs
from grapher_jax.errors import InputError
from grapher_jax.evaluation import evaluate
from grapher_jax.search import Index

ASKED = ["Which orders were placed in stores of Boston?", "How many animals are there?"]


def rankings(index):
    return [
        [(hit.id, hit.score) for hit in hits]
        for ranker in ("base", "gcs")
        for hits in index.search_batch(ASKED, ranker=ranker)
    ]


@pytest.fixture
def shop(tmp_path, embedder):
    """The index of a database, saved and loaded."""
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.executescript(
        "CREATE TABLE store (id INTEGER PRIMARY KEY, city TEXT);"
        "CREATE TABLE animal (id INTEGER PRIMARY KEY, species TEXT);"
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, store INTEGER REFERENCES store(id));"
    )
    connection.close()
    index = Index.from_source(f"sqlite:///{tmp_path}/shop.db", embedder=embedder)
    index.save(tmp_path / "shop.index")
    return Index.load(tmp_path / "shop.index")


def test_an_index_of_the_export_ranks_the_same(shop, tmp_path, embedder):
    shop.export(tmp_path / "out")
    again = Index.from_source(tmp_path / "out", embedder=embedder)
    assert list(again.objects) == list(shop.objects)
    assert rankings(again) == rankings(shop)
    assert (again.queries, splits(tmp_path / "out")) == ({}, [])


def test_questions_of_ones_own_go_along_under_a_split(shop, tmp_path, embedder):
    questions = [JudgedQuestion(ASKED[0], ["orders", "store"], metadata={"level": 4})]
    for given, split in (({}, "test"), ({"split": "dev"}, "dev")):
        shop.export(tmp_path / "out", questions=questions, **given)
        again = Index.from_source(tmp_path / "out", embedder=embedder)
        assert splits(tmp_path / "out") == [split]
        assert again.judgements(split) == {"1": {"orders": 1, "store": 1}}
        assert again.queries["1"].metadata == {"level": 4}
        exported = evaluate(again, split, ["base", "gcs"])
        own = evaluate(shop, None, ["base", "gcs"], questions=questions)
        assert [row.metrics for row in exported.results] == [row.metrics for row in own.results]


def test_what_came_along_goes_along(beir, embedder, tmp_path):
    lines = "query-id\tcorpus-id\tscore\nq2\tzoo.animals\t2\nq2\tmusic.songs\t1\n"
    (beir / "qrels" / "dev.tsv").write_text(lines)
    write_pair_graphs(beir, {("q1", "shop.orders"): "(a / animal)"})
    index = Index.from_source(beir, embedder=embedder)
    index.update(delete=["music.songs"]).export(tmp_path / "out")
    again = Index.from_source(tmp_path / "out", embedder=embedder)
    assert "music.songs" not in again.ids
    assert again.queries == index.queries
    assert again.judgements("dev") == {"q2": {"zoo.animals": 2}}
    assert again.judgements("test") == index.judgements("test")
    assert again.pair_graphs == index.pair_graphs == {("q1", "shop.orders"): "(a / animal)"}
    index.export(tmp_path / "out", questions=[JudgedQuestion(ASKED[1], ["zoo.animals"])])
    again = Index.from_source(tmp_path / "out", embedder=embedder)
    assert (list(again.queries), again.pair_graphs) == (["1"], {})


def test_an_export_replaces_a_beir_folder_alone(index, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear all")
    index.save(tmp_path / "index")
    for name in ("full", "index"):
        before = sorted((tmp_path / name).rglob("*"))
        with pytest.raises(InputError, match="exists and is not a BEIR folder; give another"):
            index.export(tmp_path / name)
        assert sorted((tmp_path / name).rglob("*")) == before


def test_a_failed_export_leaves_nothing(index, tmp_path):
    (tmp_path / "here").mkdir()
    with pytest.raises(InputError, match="question 1: relevant: 'store' is not in the index"):
        index.export(tmp_path / "here" / "out", questions=[JudgedQuestion("?", ["store"])])
    with pytest.raises(InputError, match="split: 'a/b' cannot be the name of a file"):
        questions = [JudgedQuestion("?", ["zoo.cages"])]
        index.export(tmp_path / "here" / "out", questions=questions, split="a/b")
    with pytest.raises(InputError, match="split: of questions; give these too, or leave it out"):
        index.export(tmp_path / "here" / "out", split="dev")
    assert list((tmp_path / "here").iterdir()) == []


def test_the_verb(grapher, index):
    index.save("shop.index")
    Path("own.jsonl").write_text('{"question": "animals?", "relevant": ["zoo.animals"]}\n')
    assert grapher("export", "shop.index", "--out", "out") == (0, "out: 6 objects\n", "")
    assert splits(Path("out")) == ["test"]
    own = ("--questions", "own.jsonl", "--split", "mine", "--json")
    status, out, err = grapher("export", "shop.index", "--out", "out", *own)
    assert (status, json.loads(out), err) == (0, {"folder": "out", "objects": 6}, "")
    assert splits(Path("out")) == ["mine"]
    assert len(list(read_objects(Path("out")))) == 6
    status, out, err = grapher("export", "shop.index", "--out", "out", "--split", "mine")
    assert (status, out) == (2, "")
    assert err == "grapher-jax: split: of questions; give these too, or leave it out\n"
