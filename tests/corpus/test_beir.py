import gzip
import json
import re
import tracemalloc
from itertools import islice
from types import MappingProxyType

import numpy as np
import pytest

from grapher_jax.corpus import (
    Object,
    Query,
    check_metadata,
    check_object,
    read_judgements,
    read_objects,
    read_pair_graphs,
    read_queries,
    splits,
    write_beir,
    write_pair_graphs,
)
from grapher_jax.corpus.beir import pair_graph_files
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.search import Index

OBJECTS = [
    Object("a table", "a: x, y", metadata={"foreign_keys": ["b\tc"], "db": "d"}),
    Object("b\tc", "Überschrift", title="Ein Titel"),
]
QUERIES = [Query("q 1", "What?", {"filter": {"db": "d"}})]
JUDGEMENTS = {"dev": {"q 1": {"a table": 1}}}


@pytest.mark.parametrize("compress", [False, True])
def test_what_is_written_is_read_back(tmp_path, compress):
    folder = tmp_path / "set"
    write_beir(folder, iter(OBJECTS), iter(QUERIES), JUDGEMENTS, compress=compress)
    assert list(read_objects(folder)) == OBJECTS
    assert list(read_queries(folder)) == QUERIES
    assert splits(folder) == ["dev"]
    ids = {"objects": {"a table"}, "queries": {"q 1"}}
    assert read_judgements(folder, "dev", **ids) == JUDGEMENTS["dev"]
    assert (folder / "corpus.jsonl.gz").exists() == compress


def test_a_corpus_tells_once_what_stands_beside_metadata(tmp_path):
    lines = [{"_id": name, "ForeignKeys": ["b"]} for name in "abc"]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.warns(GrapherWarning) as told:
        assert len(list(read_objects(tmp_path))) == 3
    (told,) = [str(warning.message) for warning in told]
    assert "corpus.jsonl: 'ForeignKeys' beside metadata is not read; put it into" in told
    assert "as 'foreign_keys' (3 objects, such as 'a')" in told


def test_a_corpus_tells_once_which_fields_are_not_read(tmp_path):
    line = {"_id": "a", "text": "x", "links": []} | dict.fromkeys("gfedcba", 1)
    (tmp_path / "corpus.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.warns(GrapherWarning) as told:
        list(read_objects(tmp_path))
    (_, told) = [str(warning.message) for warning in told]
    assert told.endswith(
        "not read beside metadata: a, b, c, d, e, …; put into metadata what filters or edges ask for"
    )


def test_questions_are_checked_before_anything_is_embedded(tmp_path):
    class Refusing:
        name, dimension = "refusing", 2

        def embed_objects(self, texts, **_):
            raise AssertionError("it embeds before it checks")

        embed_queries = embed_objects

    folder = tmp_path / "set"
    write_beir(folder, OBJECTS, QUERIES, JUDGEMENTS)
    (folder / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq 1\tnobody\t1\n")
    with pytest.raises(InputError, match=r"dev\.tsv:2: unknown object 'nobody'"):
        Index.from_source(folder, embedder=Refusing())
    (folder / "queries.jsonl").write_text('{"_id": "q 1", "text": " "}\n')
    with pytest.raises(InputError, match=r"queries\.jsonl:1: query 'q 1' has an empty question"):
        Index.from_source(folder, embedder=Refusing())


def test_a_failed_write_leaves_what_was_there(tmp_path):
    folder = tmp_path / "set"
    write_beir(folder, OBJECTS)

    def broken():
        yield OBJECTS[0]
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        write_beir(folder, broken())
    assert list(read_objects(folder)) == OBJECTS
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"objects": [{"_id": "a", "text": "b"}]}, "object 1: an Object is needed"),
        ({"objects": [Object("", "b")]}, "object 1: id must be a string that is not empty"),
        ({"queries": ["What?"]}, "query 1: a Query is needed, not 'What?'"),
        ({"queries": [Query("q 1", "\ud800")]}, "query 1: text is not UTF-8 text"),
        # The split was forgotten.
        ({"judgements": {"q 1": {"a table": 1}}}, "judgements of 'q 1': 'a table': a mapping of"),
        (
            {"judgements": {"dev": {"q 1": {"a table": 0.5}}}},
            "must be an integer of 32 bits, not 0.5",
        ),
        ({"pair_graphs": {("q 1",): "(a / a)"}}, "the ids of a question and an object"),
    ],
)
def test_what_cannot_be_written_is_named_and_leaves_nothing(tmp_path, types_unchecked, given, told):
    with pytest.raises(InputError, match=re.escape(told)):
        write_beir(tmp_path / "set", **{"objects": OBJECTS, "queries": QUERIES} | given)
    assert not (tmp_path / "set").exists()


def test_null_metadata_counts_as_absent(tmp_path):
    record = {"_id": "one", "text": None, "metadata": {"chunk_id": None, "links": None}}
    (tmp_path / "corpus.jsonl").write_text(json.dumps(record) + "\n\n")
    assert list(read_objects(tmp_path)) == [Object("one", "")]


def test_a_folder_with_anything_else_in_it_is_not_replaced(tmp_path):
    precious = tmp_path / "thesis.tex"
    precious.write_text("years of work")
    with pytest.raises(InputError, match="exists and is not a BEIR folder; give another folder"):
        write_beir(tmp_path, OBJECTS)
    with pytest.raises(InputError, match=r"thesis\.tex: cannot be written"):
        write_beir(precious, OBJECTS)
    assert precious.read_text() == "years of work"
    own = tmp_path / "own"
    write_beir(own, OBJECTS)
    (own / ".DS_Store").write_text("")
    write_beir(own, OBJECTS)
    (own / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"give another folder \(it has thesis\.tex\)"):
        write_beir(own, OBJECTS)


@pytest.mark.parametrize(
    "entry", ["qrels/notes.txt", "amr/notes.tsv", "amr", "corpus.jsonl/notes.txt", "SOURCE.md"]
)
def test_a_beir_folder_with_something_of_ones_own_is_not_replaced(tmp_path, entry):
    (tmp_path / entry).parent.mkdir(exist_ok=True)
    (tmp_path / entry).write_text("mine")
    with pytest.raises(InputError, match="is not a BEIR folder"):
        write_beir(tmp_path, OBJECTS)


def test_empty_and_beir_folders_are_replaced(tmp_path, beir):
    (tmp_path / "empty").mkdir()
    write_pair_graphs(beir, {})
    for folder in (tmp_path / "empty", beir):
        write_beir(folder, OBJECTS)
        assert list(read_objects(folder)) == OBJECTS
        assert splits(folder) == []


@pytest.mark.parametrize(
    "name",
    [
        "a" * 140_000,
        "a\tb",
        "a\nb",
        "a\rb",
        "a\r\nb",
        'a"b',
        '"a"',
        '"',
        'a"\t"b',
        " a ",
        "\x85\u2028",
    ],
)
def test_any_id_can_be_judged(tmp_path, name):
    judgements = {"test": {name: {name: 2, "other": 0}}}
    write_beir(tmp_path / "set", [Object(name, "x")], [Query(name, "x")], judgements)
    found = read_judgements(tmp_path / "set", "test", objects={name, "other"}, queries={name})
    assert found == judgements["test"]


def test_what_macos_puts_beside_files_is_no_split(tmp_path):
    folder = tmp_path / "set"
    corpus, questions, judgements = [Object("a", "x")], [Query("q", "x")], {"test": {"q": {"a": 1}}}
    write_beir(folder, corpus, questions, judgements)
    (folder / "amr").mkdir()
    for hidden in ("qrels/._test.tsv", "qrels/.DS_Store", "amr/._test.jsonl"):
        (folder / hidden).write_bytes(b"\0\xff")
    assert splits(folder) == ["test"]
    assert pair_graph_files(folder) == []
    with pytest.raises(InputError, match=r"split: '\.dev' cannot be the name of a file"):
        write_beir(tmp_path / "other", corpus, questions, {".dev": judgements["test"]})
    (folder / "qrels" / "._test.tsv").unlink()
    write_beir(folder, corpus, questions, judgements)


def test_a_plain_file_of_judgements_is_read_as_it_stands(beir):
    rows = ["query-id\tcorpus-id\tscore", '5" disk\tsay "x"\t1.0', "", "q\tb\t-1"]
    path = beir / "qrels" / "test.tsv"
    for end in ("\n", "\r\n"):
        path.write_bytes((end.join(rows) + end).encode("utf-8-sig"))
        found = read_judgements(beir, "test", objects={'say "x"', "b"}, queries={'5" disk', "q"})
        assert found == {'5" disk': {'say "x"': 1}, "q": {"b": -1}}


def test_judgements_may_have_the_form_of_trec(beir):
    (beir / "qrels" / "test.tsv").write_text("\nq 0 a 2\nq\t0\tb\t0\n\n101 Q0  a 1\n")
    found = read_judgements(beir, "test", objects={"a", "b"}, queries={"q", "101"})
    assert found == {"q": {"a": 2, "b": 0}, "101": {"a": 1}}


def test_a_byte_order_mark_is_passed_over(tmp_path):
    (tmp_path / "corpus.jsonl").write_bytes(
        '{"_id": "é", "text": "\\ud83d\\ude00"}'.encode("utf-8-sig")
    )
    assert list(read_objects(tmp_path)) == [Object("é", "😀")]


def test_metadata_built_in_python_becomes_what_json_can_hold():
    metadata = MappingProxyType({"links": ("a", "b"), "chunk_id": np.int32(3), "entities": None})
    found = check_metadata(metadata, "here")
    assert found == {"links": ["a", "b"], "chunk_id": 3}
    assert json.loads(json.dumps(found)) == found
    assert check_object(Object("a", "x", "t", metadata), "here") == Object("a", "x", "t", found)


def pair(query="q1", identity="shop.orders", amr="(b / boy)", **more):
    return json.dumps({"query-id": query, "corpus-id": identity, "amr": amr} | more)


def test_graphs_of_pairs_are_read_from_every_split(beir):
    known = {"objects": {"shop.orders", "a\tb"}, "queries": {"q1", "q2"}}
    assert read_pair_graphs(beir, **known) == {}
    (beir / "amr").mkdir()
    (beir / "amr" / "dev.jsonl").write_text(pair() + "\n\n" + pair("q2", more=1) + "\n")
    with gzip.open(beir / "amr" / "train.jsonl.gz", "wt") as file:
        file.write(pair(identity="a\tb", amr=""))
    graphs = {
        ("q1", "shop.orders"): "(b / boy)",
        ("q2", "shop.orders"): "(b / boy)",
        ("q1", "a\tb"): "",
    }
    assert read_pair_graphs(beir, **known) == graphs
    (beir / "copy").mkdir()
    write_pair_graphs(beir / "copy", graphs)
    assert read_pair_graphs(beir / "copy", **known) == graphs


@pytest.mark.nightly
def test_memory_does_not_grow_with_the_queries(tmp_path):
    def held(queries):
        path = tmp_path / "queries.jsonl"
        path.write_text("".join(f'{{"_id": "{n}", "text": "why?"}}\n' for n in range(queries)))
        tracemalloc.start()
        read = read_queries(path)
        assert sum(1 for _ in islice(read, queries - 1)) == queries - 1
        size = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert next(read).id == str(queries - 1)
        return size

    held(10)
    assert held(4_000) < held(100) + 20_000
