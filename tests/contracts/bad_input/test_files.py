"""Corpora, questions, judgements, graphs of pairs and runs, as files in their formats."""

import gzip
import json

import pytest
from bad_input import Row, each, rows

import grapher_jax as gj
from grapher_jax.corpus import read_judgements, read_objects, read_pair_graphs, read_queries
from grapher_jax.runs import open_run, read_run, rerank_run


def corpus_line(world, line):
    (world.shop / "corpus.jsonl").write_text('{"_id": "one", "text": "x"}\n' + line + "\n")
    list(read_objects(world.shop))


def two(**more):
    return json.dumps({"_id": "two"} | more)


CORPUS = rows(
    "a line of a corpus",
    corpus_line,
    [
        ("{not json", r"corpus\.jsonl:2: malformed JSON"),
        ("[1]", r"corpus\.jsonl:2: a JSON object is needed, not list"),
        ("[" * 100_000, r"corpus\.jsonl:2: malformed JSON \(nested too deep\)"),
        ('{"_id": "two", "text": ' + "9" * 5000 + "}", r":2: malformed JSON \(Exceeds the limit"),
        ('{"_id": "two", "metadata": {"x": NaN}}', r":2: .*NaN is no JSON; write null or leave"),
        (two(metadata={"x": 1e400}), ":2: .*Infinity is no JSON; write null or leave it out"),
        ('{"_id": "two", "metadata": {"x": -1e400}}', ":2: .*-1e400 is more than a number can be"),
        ('{"text": "x"}', r"corpus\.jsonl:2: _id must be a string that is not empty, not None"),
        ('{"_id": "", "text": "x"}', r"corpus\.jsonl:2: _id must be"),
        (
            '{"_id": 7, "text": "x"}',
            r"corpus\.jsonl:2: _id must be .* not 7; write it in quotes",
        ),
        ('{"id": "7", "text": "x"}', r"corpus\.jsonl:2: _id must be .* not None; rename 'id'"),
        ('{"_id": "one"}', r"corpus\.jsonl:2: duplicate _id 'one'; ids must be unique"),
        (two(text=5), r"corpus\.jsonl:2: text must be a string, not 5"),
        (two(metadata=5), ":2: metadata must be an object, not int"),
        (two(metadata={"links": "x"}), r":2: metadata\.links must be a list of strings, not 'x'"),
        (two(metadata={"entities": [1]}), r":2: metadata\.entities must be a list"),
        (two(metadata={"keywords": {}}), r":2: metadata\.keywords must be a list"),
        (two(metadata={"document_id": 1}), r"metadata\.document_id must be a string, not 1"),
        (two(metadata={"amr": []}), r"metadata\.amr must be a string"),
        (
            two(metadata={"chunk_id": -1}),
            r"metadata\.chunk_id must be an integer from 0 to 2147483646, not -1",
        ),
        (
            two(metadata={"chunk_id": 2**31}),
            r"metadata\.chunk_id must be an integer from 0 to 2147483646",
        ),
        (
            two(metadata={"chunk_id": True}),
            r"metadata\.chunk_id must be an integer from 0 to 2147483646",
        ),
        (two(text="\ud800"), r"corpus\.jsonl:2: .*half of a surrogate pair; write the whole"),
        (two(metadata={"a": "\udc00"}), r"corpus\.jsonl:2: .*half of a surrogate"),
    ],
)


def raw_corpus(world, data):
    name, content = data
    (world.shop / "corpus.jsonl").unlink()
    (world.shop / name).write_bytes(content)
    list(read_objects(world.shop))


PACKED = gzip.compress(b"".join(b'{"_id": "%d"}\n' % number for number in range(50)), mtime=0)
BYTES = rows(
    "a corpus",
    raw_corpus,
    [
        (("corpus.jsonl", b'{"_id": "\xff"}\n'), r"corpus\.jsonl:1: not UTF-8"),
        (("corpus.jsonl.gz", PACKED[:-12]), r"corpus\.jsonl\.gz: cannot be read"),
        (("corpus.jsonl.gz", PACKED[:10] + b"\xff" * 40), r"corpus\.jsonl\.gz: cannot be read"),
        (("corpus.jsonl.gz", b"plain"), r"corpus\.jsonl\.gz: cannot be read \(Not a gzipped file"),
        (("notes.txt", b""), r"no corpus\.jsonl or corpus\.jsonl\.gz"),
    ],
)


def query_line(world, line):
    (world.shop / "queries.jsonl").write_text(line + "\n")
    list(read_queries(world.shop))


QUERIES = rows(
    "a line of questions",
    query_line,
    [
        ('{"_id": "q", "text": "  "}', "query 'q' has an empty question; give it a text"),
        ('{"_id": "q", "text": "x", "metadata": {"filter": 3}}', r":1: metadata\.filter must map"),
        (
            '{"_id": "q", "text": "x", "metadata": {"filter": {"year": 1e400}}}',
            "1e400 is more than a number can be",
        ),
        ('{"_id": "q", "text": "x"}\n{"_id": "q", "text": "x"}', ":2: duplicate _id 'q'"),
    ],
)


def judged(world, lines, split="test"):
    (world.shop / "qrels" / "test.tsv").write_text(lines)
    read_judgements(world.shop, split, objects={"shop.orders"}, queries={"q1"})


HEADER = "query-id\tcorpus-id\tscore\n"
QRELS = [
    *rows(
        "a judgement",
        lambda world, line: judged(world, f"{HEADER}{line}\n"),
        [
            ("q1\tnobody\t1", r"test\.tsv:2: unknown object 'nobody'; add it to corpus\.jsonl"),
            ("q9\tshop.orders\t1", r"test\.tsv:2: unknown query 'q9'; add it to queries\.jsonl"),
            ("q1\tshop.orders\tyes", r"test\.tsv:2: the score must be an integer of .* not 'yes'"),
            ("q1\tshop.orders\t0.5", r"test\.tsv:2: the score must be an integer .* not '0\.5'"),
            ("q1\tshop.orders\tnan", r"test\.tsv:2: the score must be an integer .* not 'nan'"),
            ("q1\tshop.orders\t1e300", r"the score must be an integer of 32 bits, not '1e300'"),
            ("q1 shop.orders 1", r"test\.tsv:2: three fields between tabs are needed, not 1"),
            (
                "q1\tshop.orders\t1\nq1\tshop.orders\t2",
                r"test\.tsv:3: 'shop\.orders' is judged twice for 'q1'; keep one",
            ),
            ('q1\t"shop.orders\t1\n\n', r"test\.tsv:2: a field that begins with a quote must end"),
            ('"q\n9"\tshop.orders\t1', r"test\.tsv:2: unknown query 'q\\n9'"),
        ],
    ),
    Row("no header", lambda w: judged(w, "q1\tshop.orders\t1\n"), "the header must be query-id"),
    Row(
        "a line of TREC without a grade",
        lambda w: judged(w, "q1 0 shop.orders 1\n\nq1 0 shop.items\n"),
        r"test\.tsv:3: four fields are needed, not 3",
    ),
    Row("an unknown split", lambda w: judged(w, HEADER, "dev"), "no split 'dev'; its splits: test"),
    Row("a split elsewhere", lambda w: judged(w, HEADER, "../test"), r"no split '\.\./test'"),
]


def pair(query="q1", identity="shop.orders", amr="(b / boy)"):
    return json.dumps({"query-id": query, "corpus-id": identity, "amr": amr})


def pair_line(world, line):
    (world.shop / "amr").mkdir()
    (world.shop / "amr" / "dev.jsonl").write_text(pair() + "\n")
    (world.shop / "amr" / "train.jsonl").write_text(f"\n{line}\n")
    read_pair_graphs(world.shop, objects={"shop.orders"}, queries={"q1"})


PAIRS = rows(
    "a graph of a pair",
    pair_line,
    [
        (line, rf"amr/train\.jsonl:2: {says}")
        for line, says in [
            ("(b / boy)", "malformed JSON"),
            ("[]", "a JSON object is needed, not list"),
            (pair("q9"), r"unknown query-id 'q9'; add it to queries\.jsonl"),
            (pair(["q1"]), r"unknown query-id \['q1'\]; add"),
            (pair(None), "unknown query-id None; add"),
            (pair(identity="nobody"), r"unknown corpus-id 'nobody'; add it to corpus\.jsonl"),
            (pair(identity={}), r"unknown corpus-id \{\}; add"),
            (pair(amr=None), "amr must be a string in Penman notation, not None"),
            (pair(amr=["(b / boy)"]), r"amr must be a string in Penman notation, not \['"),
            (pair(), "'shop.orders' has two AMR graphs for 'q1'; keep one line"),
        ]
    ],
)


def run_file(world, text, read=read_run):
    (world.root / "base.trec").write_text(text)
    read(world.root / "base.trec")


def rerank_base(world, text):
    run_file(world, text)
    with open_run(world.root / "base.trec") as base:
        queries = list(world.index.queries.values())
        rerank_run(world.index, queries, world.root / "out.trec", gj.Reranker(), base_run=base)


RUNS = [
    *rows(
        "a line of a run",
        run_file,
        [
            ("q Q0 a 1 0.5", r"base\.trec:1: 5 fields; a run has six: query Q0 object rank score"),
            ("q Q0 a 1 high x", r"base\.trec:1: score must be a finite number, not 'high'"),
            ("q Q0 a 1 nan x", r"base\.trec:1: score must be a finite number, not 'nan'"),
            ("q Q0 a 1 1e300 x", r"base\.trec:1: score must be a finite number, not '1e300'"),
            ("q Q0 a 1 2 x\nq Q0 a 2 1 x", r"base\.trec:2: 'a' stands twice in the ranking of 'q'"),
        ],
    ),
    *rows(
        "a base run",
        rerank_base,
        [
            ("q1 Q0 gone 1 x x\n", "score must be a finite number"),
        ],
    ),
]


@each(CORPUS, BYTES, QUERIES, QRELS, PAIRS, RUNS)
def test_bad_input_is_named_with_its_cure_and_costs_nothing(row, world):
    row.check(world)


def test_rows_are_told_apart():
    with pytest.raises(AssertionError):
        each(CORPUS, CORPUS)
