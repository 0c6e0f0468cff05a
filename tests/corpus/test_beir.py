import gzip
import json
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
    read_source,
    splits,
    write_beir,
    write_pair_graphs,
)
from grapher_jax.errors import InputError

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
    ("line", "complaint"),
    [
        ("{not json", r"corpus\.jsonl:2: malformed JSON"),
        ("[1]", r"corpus\.jsonl:2: a JSON object is needed, not list"),
        ('{"text": "x"}', r"corpus\.jsonl:2: _id must be a string that is not empty, not None"),
        ('{"_id": "", "text": "x"}', r"corpus\.jsonl:2: _id must be"),
        ('{"_id": 7, "text": "x"}', r"corpus\.jsonl:2: _id must be .* not 7"),
        ('{"_id": "one"}', r"corpus\.jsonl:2: duplicate _id 'one'"),
        ('{"_id": "two", "text": 5}', r"corpus\.jsonl:2: text must be a string, not 5"),
        ('{"_id": "two", "metadata": 5}', r":2: metadata must be an object, not int"),
        ('{"_id": "two", "metadata": {"links": "x"}}', r":2: metadata.links must be a list"),
        ('{"_id": "two", "metadata": {"entities": [1]}}', r":2: metadata.entities must be a list"),
        ('{"_id": "two", "metadata": {"document_id": 1}}', r"document_id must be a string"),
        ('{"_id": "two", "metadata": {"chunk_id": -1}}', r"chunk_id must be an integer ≥ 0"),
        ('{"_id": "two", "metadata": {"chunk_id": true}}', r"chunk_id must be an integer ≥ 0"),
        ('{"_id": "two", "text": "\\ud800"}', r"corpus\.jsonl:2: .*half of a surrogate pair"),
        ('{"_id": "two", "metadata": {"a": "\\uDC00"}}', r"corpus\.jsonl:2: .*half of a surrogate"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, complaint):
    (tmp_path / "corpus.jsonl").write_text('{"_id": "one", "text": "x"}\n' + line + "\n")
    with pytest.raises(InputError, match=complaint):
        list(read_objects(tmp_path))


def test_null_metadata_counts_as_absent(tmp_path):
    record = {"_id": "one", "text": None, "metadata": {"chunk_id": None, "links": None}}
    (tmp_path / "corpus.jsonl").write_text(json.dumps(record) + "\n\n")
    assert list(read_objects(tmp_path)) == [Object("one", "")]


def test_text_that_is_not_utf8_is_named(tmp_path):
    (tmp_path / "corpus.jsonl").write_bytes(b'{"_id": "\xff"}\n')
    with pytest.raises(InputError, match=r"corpus\.jsonl:1: not UTF-8"):
        list(read_objects(tmp_path))


def test_a_truncated_gzip_is_named(tmp_path):
    whole = gzip.compress(b"".join(b'{"_id": "%d"}\n' % number for number in range(50)))
    (tmp_path / "corpus.jsonl.gz").write_bytes(whole[:-12])
    with pytest.raises(InputError, match=r"corpus\.jsonl\.gz: cannot be read"):
        list(read_objects(tmp_path))


def test_an_empty_question_is_named(tmp_path):
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "  "}\n')
    with pytest.raises(InputError, match="'q' has an empty question"):
        list(read_queries(tmp_path))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("q1\tnobody\t1", r"test\.tsv:2: unknown object 'nobody'; add it to corpus"),
        ("q9\tshop.orders\t1", r"test\.tsv:2: unknown query 'q9'; add it to queries"),
        ("q1\tshop.orders\tyes", r"test\.tsv:2: the score must be an integer, not 'yes'"),
        ("q1 shop.orders 1", r"test\.tsv:2: three fields between tabs are needed, not 1"),
        ("q1\tshop.orders\t0.5", r"test\.tsv:2: the score must be an integer, not '0.5'"),
        ("q1\tshop.orders\tnan", r"test\.tsv:2: the score must be an integer, not 'nan'"),
        (
            "q1\tshop.orders\t1\nq1\tshop.orders\t2",
            r"test\.tsv:3: 'shop.orders' is judged twice for 'q1'; keep one",
        ),
        ('q1\t"shop.orders\t1\n\n', r"test\.tsv:2: a field that begins with a quote must end"),
        ('"q\n9"\tshop.orders\t1', r"test\.tsv:2: unknown query 'q\\n9'"),
    ],
)
def test_a_bad_judgement_is_named(beir, line, complaint):
    (beir / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{line}\n")
    with pytest.raises(InputError, match=complaint):
        read_judgements(beir, "test", objects={"shop.orders"}, queries={"q1"})


def test_judgements_want_their_header(beir):
    (beir / "qrels" / "test.tsv").write_text("q1\tshop.orders\t1\n")
    with pytest.raises(InputError, match="the header must be query-id corpus-id score"):
        read_judgements(beir, "test", objects={"shop.orders"}, queries={"q1"})


def test_an_unknown_split_is_named_with_the_known_ones(beir):
    with pytest.raises(InputError, match="no split 'dev'; its splits: test"):
        read_judgements(beir, "dev", objects=(), queries=())


def test_a_source_that_is_nothing_is_named(tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        read_source(str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="not a BEIR folder"):
        read_source(str(tmp_path))


def test_an_index_given_as_a_source_is_named(tmp_path):
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match="is an index already; give its source"):
        read_source(str(tmp_path))


def test_a_folder_with_anything_else_in_it_is_not_replaced(tmp_path):
    precious = tmp_path / "thesis.tex"
    precious.write_text("years of work")
    with pytest.raises(InputError, match="exists and is not a BEIR folder; give another folder"):
        write_beir(tmp_path, OBJECTS)
    with pytest.raises(InputError, match=r"thesis\.tex: cannot be written"):
        write_beir(precious, OBJECTS)
    assert precious.read_text() == "years of work"


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
    "name", ["a\tb", "a\nb", "a\rb", "a\r\nb", 'a"b', '"a"', '"', 'a"\t"b', " a ", "\x85\u2028"]
)
def test_any_id_can_be_judged(tmp_path, name):
    judgements = {"test": {name: {name: 2, "other": 0}}}
    write_beir(tmp_path / "set", [Object(name, "x")], [Query(name, "x")], judgements)
    found = read_judgements(tmp_path / "set", "test", objects={name, "other"}, queries={name})
    assert found == judgements["test"]


def test_a_plain_file_of_judgements_is_read_as_it_stands(beir):
    rows = ["query-id\tcorpus-id\tscore", '5" disk\tsay "x"\t1.0', "", "q\tb\t-1"]
    path = beir / "qrels" / "test.tsv"
    for end in ("\n", "\r\n"):
        path.write_bytes((end.join(rows) + end).encode("utf-8-sig"))
        found = read_judgements(beir, "test", objects={'say "x"', "b"}, queries={'5" disk', "q"})
        assert found == {'5" disk': {'say "x"': 1}, "q": {"b": -1}}


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


@pytest.mark.parametrize(
    ("attributes", "complaint"),
    [
        ({"id": ""}, "here: id must be a string that is not empty, not ''"),
        ({"id": 7}, "here: id must be a string that is not empty, not 7"),
        ({"metadata": []}, "here: metadata must be an object, not list"),
        ({"metadata": {"links": "b"}}, "here: metadata.links must be a list"),
        ({"metadata": {"links": (1,)}}, "here: metadata.links must be a list"),
        ({"metadata": {"chunk_id": 1.0}}, "here: metadata.chunk_id must be"),
        ({"metadata": {"chunk_id": np.int64(-1)}}, "here: metadata.chunk_id must be"),
    ],
)
def test_a_bad_object_built_in_python_is_named(attributes, complaint):
    item = Object("a", "x")
    for name, value in attributes.items():
        object.__setattr__(item, name, value)  # past the types that the tests check
    with pytest.raises(InputError, match=complaint):
        check_object(item, "here")


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


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("(b / boy)", "malformed JSON"),
        ("[]", "a JSON object is needed, not list"),
        (pair("q9"), "unknown query-id 'q9'; add it to queries.jsonl"),
        (pair(["q1"]), r"unknown query-id \['q1'\]; add"),
        (pair(None), "unknown query-id None; add"),
        (pair(identity="nobody"), "unknown corpus-id 'nobody'; add it to corpus.jsonl"),
        (pair(identity={}), r"unknown corpus-id \{\}; add"),
        (pair(amr=None), "amr must be a string in Penman notation, not None"),
        (pair(amr=["(b / boy)"]), r"amr must be a string in Penman notation, not \['"),
        (pair(), "'shop.orders' has two AMR graphs for 'q1'; keep one line"),
    ],
)
def test_a_bad_graph_of_a_pair_is_named(beir, line, complaint):
    (beir / "amr").mkdir()
    (beir / "amr" / "dev.jsonl").write_text(pair() + "\n")
    (beir / "amr" / "train.jsonl").write_text(f"\n{line}\n")
    with pytest.raises(InputError, match=rf"amr/train\.jsonl:2: {complaint}"):
        read_pair_graphs(beir, objects={"shop.orders"}, queries={"q1"})
