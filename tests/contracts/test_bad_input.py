"""All that can be wrong with what a user gives, and the one line that says what and how to mend it.

A row has what is done, what the line must say, and what else is seen: an `InputError` unless it
says otherwise, or status 2 of the command line. Whatever was on disk is there afterwards.
"""

import gzip
import json
import os
import resource
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest
from memory_collection import MemoryCollection, candidates_of

import grapher_jax as gj
from grapher_jax.command_line import main
from grapher_jax.corpus import (
    Object,
    check_filter,
    check_object,
    read_database,
    read_documents,
    read_judgements,
    read_objects,
    read_pair_graphs,
    read_queries,
    read_source,
    write_beir,
)
from grapher_jax.enrich import enrich
from grapher_jax.errors import EnrichmentError, GrapherError, InputError
from grapher_jax.evaluation import evaluate
from grapher_jax.llm import Llm, LlmError
from grapher_jax.runs import open_run, read_run, rerank_run
from grapher_jax.search import Index

SHOP = [
    {"id": "orders", "score": 0.9, "metadata": {"foreign_keys": ["customers"]}},
    {"id": "customers", "score": 0.1},
]
FLOOR = float("nan"), float("inf"), -float("inf")


@dataclass(frozen=True)
class Row:
    """One bad input."""

    what: str
    do: Callable[[SimpleNamespace], object]
    says: str
    error: type[Exception] = InputError


def rows(what, do, cases, error=InputError):
    """Rows that differ in one value: `do(world, value)`."""
    return [
        Row(f"{what} {n}: {value!r:.60}", lambda world, value=value: do(world, value), says, error)
        for n, (value, says) in enumerate(cases)
    ]


# ---- files


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
        ('{"_id": 7, "text": "x"}', r"corpus\.jsonl:2: _id must be .* not 7"),
        ('{"_id": "one"}', r"corpus\.jsonl:2: duplicate _id 'one'; ids must be unique"),
        (two(text=5), r"corpus\.jsonl:2: text must be a string, not 5"),
        (two(metadata=5), ":2: metadata must be an object, not int"),
        (two(metadata={"links": "x"}), r":2: metadata\.links must be a list of strings, not 'x'"),
        (two(metadata={"entities": [1]}), r":2: metadata\.entities must be a list"),
        (two(metadata={"keywords": {}}), r":2: metadata\.keywords must be a list"),
        (two(metadata={"document_id": 1}), r"metadata\.document_id must be a string, not 1"),
        (two(metadata={"amr": []}), r"metadata\.amr must be a string"),
        (two(metadata={"chunk_id": -1}), r"metadata\.chunk_id must be an integer ≥ 0, not -1"),
        (two(metadata={"chunk_id": 2**31}), r"metadata\.chunk_id must be an integer ≥ 0"),
        (two(metadata={"chunk_id": True}), r"metadata\.chunk_id must be an integer ≥ 0"),
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
            ("q1 Q0 shop.orders 1 1 x\n", "the base run has no candidates for query 'q2'"),
            ("q1 Q0 gone 1 1 x\nq2 Q0 gone 1 1 x\n", "names object 'gone' .* the index lacks"),
        ],
    ),
]

# ---- sources


def sqlite(world, name, content):
    (world.root / name).write_bytes(content)
    list(read_database(f"sqlite:///{world.root}/{name}"))


def database(url):
    list(read_database(url))


def empty_database(world):
    (world.root / "empty.db").touch()
    Index.from_source(f"sqlite:///{world.root}/empty.db", embedder=world.embedder)


def documents(world, files, **options):
    folder = world.root / "docs"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    list(read_documents(folder, **options))


def converted(world, files):
    pytest.importorskip("markitdown")
    documents(world, files, reader="markitdown")


SOURCES = [
    Row(
        "no folder", lambda w: read_source(str(w.root / "nowhere")), "nowhere: no such folder; give"
    ),
    Row("an index as source", lambda w: read_source(str(w.saved)), "an index already; give its"),
    Row(
        "a file as source",
        lambda w: read_source(str(w.shop / "corpus.jsonl")),
        "a database is given as a URL, such as sqlite:///shop.db",
    ),
    Row(
        "no SQLite file",
        lambda w: database(f"sqlite:///{w.root}/none.db"),
        r"none\.db: no such SQLite database; give the path of its file",
    ),
    Row(
        "a text as SQLite",
        lambda w: sqlite(w, "text.db", b"not a database at all, but as long as one" * 99),
        r"text\.db: the database cannot be read .* not a data.*; check that it is whole",
    ),
    Row("no tables", empty_database, r"empty\.db: the database has no tables; check that it is"),
    *rows(
        "a database",
        lambda _, url: database(url),
        [
            ("sql ite://", "the database URL is malformed; write it like sqlite:///shop.db"),
            ("postgresql+psycopg://bob:s3cr3t/db", "malformed; write it like sqlite:///"),
            ("postgresql+psycopg://bob:pa@s3cr3t@host/db", "malformed; write it like"),
            ("sqlite:///shop.db?timeout=s3cr3t", "malformed; write it like sqlite:///"),
            ("sqlite://bob:s3cr3t@shop.db", "malformed; write it like sqlite:///shop.db"),
            ("gonesql://bob:s3cr3t@host/db", r"bob:\*\*\*@host/db: unknown kind of database"),
            (
                "postgresql+psycopg://bob:s3cr3t@127.0.0.1:1/d?connect_timeout=2",
                r"bob:\*\*\*@.*: the database cannot be read .*; check host, name and credentials",
            ),
        ],
    ),
    *rows(
        "documents",
        documents,
        [
            (
                {},
                r"no document is in it; \.txt, \.md, \.rst, \.ipynb, \.html, \.htm, \.pdf, \.docx, "
                r"\.pptx are read, and beside them tables, JSON and code",
            ),
            (
                {"corpus.csv": b"_id,text\n1,one", "a.py": b"x = 1"},
                r"no document is in it \(left out: 2 data or code, which is read beside documents",
            ),
            (
                {"a.txt": b"\x7fELF\0\0"},
                r"1 file left out: 1 binary \(such as a\.txt\); no other is",
            ),
            ({"a.txt": b"\xff\xfeabc"}, r"1 of unknown encoding \(such as a\.txt\)"),
            ({"a.md": b" "}, r"1 without text \(such as a\.md\)"),
            ({"a.docx": b"PK"}, r"1 whose Word document cannot be parsed .*such as a\.docx"),
            ({"a.pptx": b"PK"}, r"1 whose presentation cannot be parsed .*such as a\.pptx"),
            (
                {"a.md": b" ", "b.json": b"{", "c.csv": b"", "d.js": b"x" * 6000},
                r"1 whose JSON cannot be parsed .*1 with lines of more than 5,000 characters",
            ),
            ({"a.pdf": b"\x89PNG"}, r"1 whose PDF cannot be parsed .*such as a\.pdf"),
            (
                {"a.html": b"<div>" * 9000},
                r"1 with HTML nested more than 2000 deep \(such as a\.html\)",
            ),
        ],
    ),
    *rows(
        "documents that become Markdown",
        converted,
        [
            ({"a.docx": b"PK"}, r"1 whose \.docx cannot be parsed .*such as a\.docx"),
            ({"a.xlsx": b"PK"}, r"1 whose \.xlsx cannot be parsed .*such as a\.xlsx"),
            ({"a.epub": b"PK"}, r"1 whose \.epub cannot be parsed .*such as a\.epub"),
            ({"a.pdf": b"\x89PNG"}, r"1 whose \.pdf cannot be parsed .*such as a\.pdf"),
            ({"a.csv": b"a,b"}, r"no document is in it .*; \.txt, .*\.epub, \.xlsx are read"),
        ],
    ),
    *rows(
        "how documents are read",
        lambda world, options: documents(world, {"a.txt": b"text"}, **options),
        [
            ({"chunk_tokens": 0}, "chunk_tokens: 0 must be at least 1"),
            ({"chunk_tokens": "200"}, "chunk_tokens: '200' must be an integer"),
            ({"reader": "docling"}, "reader: 'docling' is unknown; use built-in, markitdown"),
            ({"overlap_tokens": -1}, "overlap_tokens: -1 must be at least 0"),
            ({"chunk_tokens": 40}, "overlap_tokens: 40 must be at least 0 and below chunk_tokens"),
        ],
    ),
]

# ---- objects and indexes


OBJECTS = [
    *rows(
        "an object",
        lambda _, attributes: check_object(Object(**{"id": "a", "text": "x"} | attributes), "here"),
        [
            ({"id": ""}, "here: id must be a string that is not empty, not ''"),
            ({"id": 7}, "here: id must be a string that is not empty, not 7"),
            ({"metadata": []}, "here: metadata must be an object, not list"),
            ({"metadata": {"links": "b"}}, r"here: metadata\.links must be a list"),
            ({"metadata": {"links": (1,)}}, r"here: metadata\.links must be a list"),
            ({"metadata": {"chunk_id": 1.0}}, r"here: metadata\.chunk_id must be"),
            ({"metadata": {"chunk_id": np.int64(-1)}}, r"here: metadata\.chunk_id must be"),
        ],
    ),
    *rows(
        "a filter",
        lambda _, wanted: check_filter(wanted, "line 3: metadata.filter"),
        [
            (wanted, r"line 3: metadata\.filter must")
            for wanted in (
                "a",
                ["document_id"],
                {1: "a"},
                {"document_id": {1, 2}},
                {"year": float("inf")},
            )
        ],
    ),
    *rows(
        "objects to index",
        lambda world, objects: Index.build(objects, embedder=world.embedder),
        [
            ((), "the corpus is empty; give it at least one object"),
            ((Object("a", "x"), Object("a", "y")), "duplicate id 'a'; ids must be unique"),
            ((None,), "object 1: an Object is needed, not None"),
            (("a",), "object 1: an Object is needed, not 'a'"),
            (Object("a", "x"), "objects: give a list of objects, not Object"),
            ((Object("a", "\udce9"),), "object 1: text is not UTF-8 text .surrogates not"),
            ((Object("", "x"),), "object 1: id must be a string that is not empty"),
            ((Object("a", "x", metadata={"links": "cd"}),), r"object 1: metadata\.links must be"),
        ],
    ),
    *rows(
        "how to index",
        lambda world, options: Index.build([Object("a", "x")], **options),
        [
            ({"embedder": 5}, "embedder: a name or an embedder is needed, .* not 5"),
            ({"embedder": ""}, "embedder: the name is empty"),
            ({"embedder": "a" * 5000}, "embedder: .* cannot be a path .File name too long"),
            ({"folder": 5}, "folder: 5 must be a path"),
            ({"reuse": "shop.index"}, "reuse: an index is needed, not 'shop.index'"),
            ({"lexical": "grep"}, "lexical: 'grep' is unknown; use rank-bm25, bm25s"),
            ({"store": "shelf"}, "store: 'shelf' is unknown; use array"),
        ],
    ),
    *rows(
        "an update",
        lambda world, given: world.index.update(given[0], delete=given[1]),
        [
            (((), ["gone"]), "delete: 'gone' is not in the index; leave it out"),
            (((), "zoo.cages"), r"delete: give a list of ids, such as \['zoo\.cages'\]"),
            (((Object("n", "x"),), ["n"]), "delete: 'n' is to be added too; leave it out"),
            (((Object("n", "x"), Object("n", "y")), []), "objects: duplicate id 'n'; ids must be"),
        ],
    ),
]


def unkept(world, value):
    Index.build([Object("a", "x", "", {"x": value})], embedder=world.embedder).save("new.index")


UNKEPT = rows(
    "metadata of an object",
    unkept,
    [
        (value, "object 'a': metadata must hold JSON values")
        for value in (float("inf"), {1, 2}, "\udc00", {(1, 2): 3})
    ],
)


def changed_manifest(world, change):
    path = world.saved / "manifest.json"
    manifest = json.loads(path.read_text())
    changed = change(manifest) if callable(change) else manifest | change
    path.write_text(changed if isinstance(changed, str) else json.dumps(changed))
    Index.load(world.saved)


def without(key):
    return lambda manifest: {name: value for name, value in manifest.items() if name != key}


DAMAGED = r"manifest\.json: damaged; build the index again"
MANIFESTS = [
    Row(what, lambda world, change=change: changed_manifest(world, change), says)
    for what, change, says in [
        (
            "another format",
            {"format": 99},
            "index format 99, this version reads 3; build the index",
        ),
        ("half a manifest", lambda manifest: "{", DAMAGED),
        ("an empty manifest", lambda manifest: "{}", DAMAGED),
        ("a list", lambda manifest: "[]", DAMAGED),
        ("a deep manifest", lambda manifest: "[" * 100_000, DAMAGED),
        *((f"no {key}", without(key), DAMAGED) for key in ("embedder", "store", "sha256")),
        ("a list of checksums", {"sha256": []}, DAMAGED),
        ("an embedder that is a name", {"embedder": "offline"}, DAMAGED),
        ("a file above", {"sha256": {"../shop/corpus.jsonl": "0"}}, DAMAGED),
        ("a file elsewhere", {"sha256": {"/etc/passwd": "0"}}, DAMAGED),
        ("a store above", {"store": "chroma-../../shop"}, DAMAGED),
        *(
            (f"{what} of an update", change, DAMAGED)
            for what, change in [
                ("a part above", {"parts": ["", "../shop"]}),
                ("a part that is none", {"parts": ["", "update-1"]}),
                ("a part without the first", {"parts": []}),
                ("a part that is a number", {"parts": ["", 1]}),
                ("a state elsewhere", {"state": "/etc"}),
                ("a state that is a list", {"state": []}),
            ]
        ),
        (
            "a part that is not there",
            {"parts": ["", "update-0123456789abcdef"]},
            r"shop\.index: damaged .*; build the index again",
        ),
        (
            "a state that is not there",
            {"state": "update-0123456789abcdef"},
            r"shop\.index: damaged .*; build the index again",
        ),
        ("a store elsewhere", {"store": "chroma-\\..\\shop"}, DAMAGED),
        (
            "no checksums",
            {"sha256": {}},
            r"\.(npy|parquet): the index has no checksum of it; build",
        ),
        ("another dimension", {"embedder": {"name": "offline", "dimension": 3}}, "damaged .*build"),
    ]
]


def changed_file(world, change):
    name, content = change
    file = world.saved / name
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content(file.read_bytes()))
    Index.load(world.saved)


FILES = [
    Row(f"{what} {name}", lambda world, change=(name, content): changed_file(world, change), says)
    for name in ("embeddings.npy", "objects.parquet", "lexical/indices.npy", "graph/object_ids.npy")
    for what, content, says in [
        ("no", None, f"{name}: missing; build the index again"),
        (
            "half of",
            lambda data: data[:-9],
            f"{name}: its checksum does not match; build the index",
        ),
        ("another bit in", lambda data: data[:-1] + bytes([data[-1] ^ 1]), f"{name}: its checksum"),
    ]
]


class Flat:
    """An embedder of two dimensions."""

    name, dimension = "flat", 2

    def embed_objects(self, texts, *, progress=lambda done: None):
        return np.tile(np.array([1.0, 0.0], np.float32), (len(texts), 1))

    embed_queries = embed_objects


def precious(world):
    folder = world.root / "precious"
    folder.mkdir()
    (folder / "manifest.json").write_text("{}")  # a website has one too
    (folder / "thesis.txt").write_text("years of work")
    return folder


def full(write):
    """What happens where nothing more than a kilobyte fits on the disk."""

    def limited(world):
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        try:
            write(world)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    return limited


INDEXES = [
    *rows(
        "a path",
        lambda w, path: Index.load(path),
        [
            ("a" * 5000, "path: 'aaa.* cannot be a path .File name too long"),
            ("a\0b", "path: .* cannot be a path .*embedded null"),
            (None, "path: None must be a path"),
        ],
    ),
    Row("no index", lambda w: Index.load(w.root), r"not an index: it has no manifest\.json$"),
    Row(
        "a file as index",
        lambda w: Index.load(w.shop / "corpus.jsonl"),
        "is given as a URL, such as",
    ),
    Row(
        "nothing as index", lambda w: Index.load(w.root / "no"), "index: no such folder; `grapher-"
    ),
    Row("a corpus as index", lambda w: Index.load(w.shop), "not an index: .*; index it first"),
    Row(
        "another embedder",
        lambda w: Index.load(w.saved, embedder=Flat()),
        "'flat' gives 2 dimensions, .* has 384; use 'offline', which built it",
    ),
    Row(
        "reuse of another embedder's",
        lambda w: Index.build([Object("a", "x")], embedder=Flat(), reuse=w.index),
        "reuse: that index was built with 'offline', not 'flat'",
    ),
    Row("saved over something", lambda w: w.index.save(precious(w)), "exists and is not an index"),
    Row(
        "on a full disk", full(lambda w: w.index.save(w.saved)), "cannot be written .File too large"
    ),
    Row(
        "a corpus over something",
        lambda w: write_beir(precious(w), [Object("a", "x")]),
        "exists and is not a BEIR folder; give another folder",
    ),
    Row(
        "a corpus on a full disk",
        full(lambda w: write_beir(w.shop, [Object("a", "x" * 5000)])),
        r"shop: cannot be written \(File too large\); give another place",
    ),
    Row(
        "no questions", lambda w: Index.build([Object("a", "x")]).queries, "no questions; build it"
    ),
    Row(
        "no qrels", lambda w: Index.build([Object("a", "x")]).judgements("x"), "no qrels; build it"
    ),
]

# ---- ranking

CANDIDATES = rows(
    "a candidate",
    lambda _, candidate: gj.Reranker().rerank("?", [SHOP[0], candidate]),
    [
        (
            {"id": "", "score": 1.0},
            "candidate 2 of question 1: id must be a string that is not empty, not ''",
        ),
        ({"id": 7, "score": 1.0}, "candidate 2 of question 1: id must be a string .*, not 7"),
        (
            {"id": "orders", "score": 1.0},
            "candidate 2 of question 1: id 'orders' stands in the list",
        ),
        *(
            (
                odd,
                'candidate 2 of question 1: give a text, a dict with a text or an id, such as {"id"',
            )
            for odd in (None, 7, b"customers", (7, 0.5), ("customers", 0.5, 1), Object, ...)
        ),
        ({"id": "x", "score": 10**400}, "score must be a finite number, not 1000"),
        ({"id": "x", "score": 1e300}, r"score .* not 1e\+300; float32 must hold it"),
        ({"id": "x"}, "candidate 'x' has no score, no text and no embedding, by which it"),
        (("x", "high"), "candidate 2 of question 1: score must be a finite number, not 'high'"),
        ({"id": "x", "text": 5}, "candidate 'x': text must be a string, not 5"),
        *(
            ({"id": "x", "score": bad}, f"score must be a finite number, not {bad}")
            for bad in FLOOR
        ),
        ({"id": "x", "score": "0.5"}, "score must be a finite number, not '0.5'"),
        (
            {"id": "x", "score": 1.0, "metadata": {"links": 3}},
            r"candidate 'x': metadata\.links must",
        ),
    ],
)
RERANKERS = rows(
    "a reranker",
    lambda _, options: gj.Reranker(**options).rerank("?", SHOP),
    [
        ({"ranker": "bm25"}, "ranker: 'bm25' is unknown; use auto, base, gcs, ppr, diffusion, gat"),
        ({"alpha": 0.0}, r"alpha: 0\.0 is outside \(0, 1\]; 1 keeps the retriever's order"),
        ({"alpha": 1.5}, r"alpha: 1\.5 is outside \(0, 1\]"),
        ({"alpha": float("nan")}, "alpha: nan must be a finite number"),
        ({"ranker": 5}, "ranker: the name of a ranker, its folder, or a ranker is needed, not 5"),
        ({"ranker": "a" * 5000}, "ranker: 'aaa.* cannot be a path .File name too long"),
        ({"ranker": "a\0b"}, "ranker: .* cannot be a path .*embedded null"),
        ({"alpha": "0.3"}, "alpha: '0.3' must be a finite number"),
        ({"tol": "1e-6"}, "tol: '1e-6' must be a finite number"),
        ({"max_df": "8"}, "max_df: '8' must be an integer below .*, or None for all"),
        ({"max_steps": 2**31}, r"max_steps: 2147483648 must be an integer below 2\*\*31"),
        ({"max_steps": 10.5}, r"max_steps: 10\.5 must be an integer"),
        ({"weights": {"chunk": "1"}}, "weights: chunk='1' cannot be used; give numbers ≥ 0"),
        ({"weights": {"chunk": 1e39}}, r"weights: chunk=1e\+39 cannot be used; .* float32 holds"),
        ({"weights": ["chunk"]}, r"weights: a number by name is needed, not \['chunk'\]"),
        ({"proximities": [5]}, "proximities: give a list of names, which are strings; 5 is none"),
        (
            {"temperature": 0.1},
            "temperature: of the ranker diffusion; choose it, or leave this out",
        ),
        ({"ranker": "diffusion", "temperature": 0.0}, r"temperature: 0\.0 must be above 0"),
        ({"ranker": "diffusion", "temperature": "1"}, "temperature: '1' must be a finite number"),
        ({"tol": 0.0}, r"tol: 0\.0 must be above 0"),
        ({"max_steps": 0}, "max_steps: 0 must be at least 1"),
        ({"scores": "percent"}, "scores: 'percent' is unknown; use auto, logit, cosine, probabili"),
        ({"max_df": 0}, "max_df: 0 must be at least 1, or None for all entities"),
        (
            {"weights": {"friends": 1.0}},
            r"weights: friends=1\.0 cannot be used; give numbers ≥ 0 that float32 holds to",
        ),
        ({"weights": {"chunk": -1.0}}, r"weights: chunk=-1\.0 cannot be used"),
        ({"proximities": "chunk"}, r"proximities: give a list of names, such as \['chunk'\]"),
        ({"proximities": ["fk"]}, "proximity: 'fk' is unknown; use foreign_key"),
        (
            {"ranker": "gat", "alpha": 0.5},
            "alpha: of gcs, ppr and diffusion; 'gat' has what it was trained",
        ),
        ({"ranker": "gat", "weights": {"chunk": 1.0}}, "weights: of gcs, ppr and diffusion"),
        ({"ranker": "gat", "tol": 1e-3}, "tol: of gcs, ppr and diffusion"),
        ({"ranker": "gat", "max_steps": 10}, "max_steps: of gcs, ppr and diffusion"),
        ({"ranker": "gat", "max_df": None}, "max_df: None cannot be used; .* was trained with 8"),
        ({"ranker": "g-rag"}, "candidate 'orders': a trained ranker reads embeddings; give it a"),
        ({"ranker": "query-gnn"}, "reads the documents around candidates; give the other"),
    ],
)
FOUND = candidates_of(np.zeros((1, 1), np.int32), np.ones((1, 1), np.float32))
NONE = replace(FOUND, scores=np.full((1, 1), np.nan, np.float32))
ONE = MemoryCollection([gj.Object("a", "")], embeddings=np.zeros((1, 2), np.float32))
RANKING = [
    *rows(
        "candidates",
        lambda _, candidates: gj.Reranker().rerank("?", candidates),
        [
            (given, f"candidates of question 1: give a list of candidates, {told}")
            for given, told in [
                (None, "not None"),
                ("orders", r"such as \['orders'\]"),
                ({"id": "orders", "score": 1.0}, "not {'id': 'orders'"),
            ]
        ],
    ),
    Row("no results", lambda w: gj.Reranker().rerank("?", SHOP, k=0), "k: 0 must be at least 1"),
    Row(
        "a list short", lambda w: gj.Reranker().rerank_batch(["a", "b"], [SHOP]), "1 lists for 2 q"
    ),
    Row(
        "no weights", lambda w: gj.Reranker(ranker=str(w.root)), "no weights .*; give a folder that"
    ),
    Row(
        "a score that is none",
        lambda w: gj.Reranker().rank(ONE, NONE, k=1),
        "scores: candidate 1 of query 1 has score nan; scores must be finite numbers",
    ),
    Row(
        "embeddings of another model",
        lambda w: gj.Reranker(ranker="g-rag").rank(ONE, FOUND, k=1),
        "ranker: 'g-rag' was trained on embeddings of 'offline' \\(384 dimensions\\), the index has",
    ),
]
SEARCHES = rows(
    "a search",
    lambda world, options: world.index.search(**{"question": "orders"} | options),
    [
        ({"question": " "}, "question 1 is empty"),
        ({"question": None}, "question 1 must be a string, not None"),
        ({"question": "caf\udce9"}, "question 1 is not UTF-8 text .surrogates not allowed"),
        ({"k": 0}, "k: 0 must be at least 1"),
        ({"k": 1.5}, r"k: 1\.5 must be an integer"),
        ({"k": "3"}, "k: '3' must be an integer"),
        ({"candidates": "3"}, "candidates: '3' must be an integer"),
        ({"min_score": "3"}, "min_score: '3' must be a finite number"),
        ({"filter": {"d": {"$is": 3}}}, r"filter: 'd' has the unknown operator '\$is'; use one of"),
        ({"ranker": 5}, "ranker: the name of a ranker, its folder, or a ranker is needed, not 5"),
        ({"system": 5}, "system: a system or its name is needed, not 5"),
        ({"expand": 5}, "expand: give a list of names, or True, not 5"),
        ({"filter": 5}, "filter must map metadata keys to values, not 5"),
        ({"ranker": "bm42"}, "'bm42' is unknown; use auto, base, gcs, ppr, diffusion"),
        ({"system": "rag"}, "system: 'rag' is unknown; use grapher"),
        ({"filter": {"doc": "a"}}, "no object has metadata 'doc'; use foreign_keys"),
        ({"filter": {"d" * 5000: "a"}}, "^filter: no object has .{,980}'; use foreign_keys$"),
        ({"expand": ["friends"]}, "proximity: 'friends' is unknown; use foreign_key"),
        ({"expand": "link"}, r"expand: give a list of names, or True, such as \['link'\]"),
        *(
            ({"system": "grapher"} | given, f"{next(iter(given))}: the system 'grapher' decides it")
            for given in ({"ranker": "gcs"}, {"alpha": 0.3}, {"expand": True}, {"candidates": 200})
        ),
    ],
)
EVALUATIONS = [
    Row(
        "no candidates",
        lambda w: w.index.retrieve(["orders"], candidates=0),
        "candidates: 0 must be at least 1",
    ),
    Row("no rankers", lambda w: evaluate(w.index, "test", []), "there are none, nor systems"),
    Row("no such split", lambda w: evaluate(w.index, "dev", [gj.Reranker()]), "no split 'dev'"),
]

# ---- language models, whose endpoint answers so


def asked(world, answer):
    world.endpoint.answer = lambda body: answer
    with Llm("m", endpoint=world.endpoint.url, timeout=0.2, max_retries=0) as llm:
        llm.ask([{"role": "user", "content": "How many?"}], int)


def enriched(world, answer):
    from grapher_jax.enrich.entities import LlmEntities

    world.endpoint.answer = lambda body: answer
    with Llm("m", endpoint=world.endpoint.url, timeout=0.2, max_retries=0) as llm:
        LlmEntities(llm)(Object("a", "Angela Merkel flew to Paris."))


def made_llm(world, options):
    with Llm("m", **{"endpoint": world.endpoint.url} | options):
        pass


def without_key(world, answer):
    world.monkeypatch.delenv("OPENAI_API_KEY")
    asked(world, answer)


MODELS = [
    *rows(
        "a model that fails",
        asked,
        [
            ((500, {}), "Error code: 500"),
            ((503, {}), "Error code: 503"),
            ((429, {}), "Error code: 429"),
            ((400, {}), "Error code: 400"),
            (b"\xff{", "no chat completion"),
            (b"[" * 100_000, "no chat completion"),
            (b'{"choices": []}', "no chat completion"),
            (b'{"choices": [{"message": {"content": null}}]}', "has no text"),
            (" ", "has no text"),
            ("many", "m: two replies that cannot be used: invalid literal"),
            (1.0, "no whole answer"),
            ([b"{"] * 50, r"no whole answer in 0\.2 s"),
        ],
        LlmError,
    ),
    *rows(
        "an endpoint that never will",
        asked,
        [
            ((401, {}), r"the key was refused .*you said Bearer \*\*\*.* set OPENAI_API_KEY"),
            ((403, {}), r"the key was refused .*you said Bearer \*\*\*"),
            ((404, {}), r"no such endpoint or model 'm' .*you said Bearer \*\*\*"),
            ((429, {"code": "insufficient_quota"}), r"quota is used up .*you said Bearer \*\*\*"),
        ],
    ),
    Row("no key", lambda w: without_key(w, (401, {})), "the key was refused .*OPENAI_API_KEY"),
    *rows(
        "options of a model",
        made_llm,
        [
            ({"endpoint": "localhost:8000"}, "is no URL like http://localhost:8000/v1"),
            ({"endpoint": "http://[x"}, "is no URL"),
            ({"endpoint": "https://me:hush@host/v1"}, "must hold no name or password"),
            ({"timeout": 0.0}, r"timeout: 0\.0 must be at least"),
            ({"concurrency": 0}, "concurrency: 0 must be at least 1"),
            ({"max_tokens": 0}, "max_tokens: 0 must be"),
        ],
    ),
    *rows(
        "entities that are none",
        enriched,
        [
            ("[garbage", "two replies that cannot be used"),
            ('{"a": 1}', "two replies that cannot be used"),
            ("[1]", "two replies that cannot be used"),
            ((500, {}), "Error code: 500"),
        ],
        EnrichmentError,
    ),
    Row(
        "nothing to enrich",
        lambda w: enrich([], w.root / "out", []),
        "the source has no objects",
    ),
]

# ---- training


def weights(world, change):
    from flax import nnx

    from grapher_jax.systems.networks import load_weights, save_weights
    from grapher_jax.training.gat import Gat, GatConfig

    folder = world.root / "weights"
    config = GatConfig(dimension=4, layers=1, heads=1, channels=2)
    save_weights(folder, Gat(config, nnx.Rngs(0)), embedder="offline", record={})
    described, tensors = folder / "config.json", folder / "weights.safetensors"
    if callable(change):
        tensors.write_bytes(change(tensors.read_bytes()))
    elif isinstance(change, str):
        described.write_text(change)
    else:
        described.write_text(json.dumps(json.loads(described.read_text()) | change))
    load_weights(folder)


def trained(world, change):
    from grapher_jax.learn.trainer import train
    from grapher_jax.training.config import SetConfig, TrainConfig
    from grapher_jax.training.gat import GatConfig

    source = world.root / "labels"
    objects = [Object(f"{d}.{n}", f"word{n} thing{d}", "", {"db": d}) for d in "ab" for n in "012"]
    questions = [gj.Query(f"q{d}", f"word0 thing{d}") for d in "ab"]
    positive = {f"q{d}": {f"{d}.0": 1, f"{d}.1": 1} for d in "ab"}
    negative = {"qa": {"a.0": 0}}
    write_beir(source, objects, questions, {"train": positive, "none": negative})
    qrels, settings = source / "qrels" / "train.tsv", {"split": "train"} | change
    if lines := settings.pop("lines", None):
        qrels.write_text(HEADER + lines)
    parts = {name: settings.pop(name) for name in ("split", "held_out") if name in settings}
    folder = settings.pop("source", str(source))
    model = GatConfig(dimension=0, layers=1, heads=1, channels=2, dropout=0.0)
    config = TrainConfig(
        sets=(SetConfig(source=folder, **parts),),
        model=model,
        **{"steps": 2, "batch_size": 2, "warmup": 0, "evaluate_every": 2} | settings,
    )
    train(config, world.root / "out", embedder=Flat(), cache=world.root / "cache")


CURE = "train again, or take a copy that is whole"
TRAINING = [
    *rows(
        "weights",
        weights,
        [
            ({"format": 99}, "weights of format 99, this version reads 2; use the version of"),
            ("{", rf"config\.json: damaged; {CURE}"),
            ("[]", rf"config\.json: damaged; {CURE}"),
            ({"kind": "gcn"}, "kind: 'gcn' is unknown; this version reads gat"),
            ({"embedder": {}}, rf"config\.json: damaged .*; {CURE}"),
            ({"sha256": "0"}, r"weights\.safetensors does not match"),
        ],
    ),
    Row(
        "half of the weights",
        lambda w: weights(w, lambda data: data[:-9]),
        "does not match.*" + CURE,
    ),
    Row("no tensors", lambda w: weights(w, lambda data: b""), "does not match"),
    *rows(
        "labels",
        trained,
        [
            ({"lines": "qa\ta.0\t1\nqa\tgone\t1\n"}, r"train\.tsv:3: unknown object 'gone'"),
            ({"split": "none"}, "split 'none' has no question with a relevant object"),
            ({"split": "test"}, "no split 'test'; its splits: none, train"),
            ({"source": "nowhere"}, "nowhere: no such folder"),
        ],
    ),
    Row(
        "a loss that is none",
        lambda w: trained(w, {"learning_rate": 1e30, "steps": 3}),
        "the loss is",
        GrapherError,
    ),
]

# ---- the command line


def told(world, arguments):
    """Raise what it tells: one line on standard error, nothing on standard output, status 2."""
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    out, err = world.capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    assert err.startswith("grapher-jax: ")
    assert err.count("\n") == 1
    raise InputError(err)


TO_RERANK = ("rerank", "shop.index", "--queries", "shop/queries.jsonl", "--out")
EVALUATE = ("evaluate", "shop", "--split", "test")
GRAPHER = ("--system", "grapher")
QUESTIONS = ("questions", "shop", "--out", "o")
COMMANDS = rows(
    "grapher-jax",
    told,
    [
        (("index", "nowhere", "--out", "o"), "nowhere: no such folder"),
        (("index", "corrupt", "--out", "o"), r"corpus\.jsonl:2: malformed JSON"),
        (("index", "empty", "--out", "o"), "not a BEIR folder .* no document is in it"),
        (("index", "shop.index", "--out", "o"), "is an index already"),
        (("index", "sqlite:///none.db", "--out", "o"), "no such SQLite database"),
        (("index", "shop", "--out", "o", "--lexical", "grep"), "lexical: 'grep' is unknown"),
        (("index", "shop", "--out", "o", "--store", "shelf"), "store: 'shelf' is unknown"),
        (("index", "shop", "--out", "shop"), "exists and is not an index; give another --out"),
        (
            ("index", "postgresql+psycopg://u:hush@127.0.0.1:1/d?connect_timeout=2", "--out", "o"),
            "the database cannot be read",
        ),
        *(
            ((*before, "a" * 5000, *after), "'aaa.* cannot be a path|'aaa.*: File name too long")
            for before, after in [
                (("index",), ("--out", "o")),
                (("index", "shop", "--out"), ()),
                (("search",), ("x",)),
                (("search", "shop.index", "x", "--ranker"), ()),
                (("evaluate",), ("--split", "test")),
                (("rerank", "shop.index", "--out", "o", "--queries"), ()),
                (("rerank", "shop.index", "--queries", "shop/queries.jsonl", "--out"), ()),
            ]
        ),
        (("update", "shop.index"), "give --add or --delete"),
        (("update", "nowhere", "--delete", "a"), "nowhere: not an index"),
        (("compact", "nowhere"), "nowhere: not an index"),
        (("watch", "shop", "nowhere"), "nowhere: not an index"),
        (
            ("watch", "nowhere", "shop.index"),
            "there is no folder 'nowhere'; give one that is there",
        ),
        (("watch", "shop", "shop.index", "--every", 0), "greater than or equal to 0.1"),
        (("search", "nowhere", "x"), "nowhere: not an index"),
        (("search", "shop.index"), "Missing argument"),
        (("search", "shop.index", " "), "question 1 is empty"),
        (("search", "shop.index", "x", "-k", 0), "k: 0 must be at least 1"),
        (
            ("search", "shop.index", "x", "--ranker", "bm42"),
            "'bm42' is unknown; use auto, base, gcs, ppr, diffusion",
        ),
        (("search", "shop.index", "x", "--alpha", 1.5), r"alpha: 1\.5 is outside \(0, 1\]"),
        (("search", "shop.index", "x", "--filter", "db"), "must be KEY=VALUE"),
        (("search", "shop.index", "x", "--filter", '{"a": 1'), "must be KEY=VALUE, or a JSON obj"),
        (("search", "shop.index", "x", "--filter", '{"a": {"$is": 1}}'), r"operator '\$is'; use"),
        *(
            (("search", "shop.index", "x", "--filter", f"a={value}"), rf"filter: 'a=.* \({says}")
            for value, says in [
                ("1e400", "1e400 is more than a number can be.; put a string in quotes"),
                ('{"x": [-1e999]}', "-1e999 is more"),
                ("Infinity", "Infinity is no JSON"),
                ("[" * 100_000, "nested too deep"),
                ("9" * 5000, "Exceeds the limit"),
            ]
        ),
        (("train", "--config", "endless.json", "--out", "o"), "1e400 is more than a number can"),
        (("search", "shop.index", "x", "--system", "rag"), "system: 'rag' is unknown; use grapher"),
        (
            ("search", "shop.index", "x", *GRAPHER, "--ranker", "gat"),
            "ranker: the system 'grapher' d",
        ),
        (("search", "shop.index", "x", *GRAPHER, "--proximity", "chunk"), "proximity: the system"),
        ((*EVALUATE, *GRAPHER, "--alpha", 0.5), "alpha: the system 'grapher' decides it"),
        (
            (*EVALUATE, *GRAPHER, "--expand-by", "link"),
            "expand-by: the system 'grapher' decides it",
        ),
        ((*EVALUATE, *GRAPHER, "--max-df", 0), "max-df: the system 'grapher' decides it"),
        ((*EVALUATE, "--proximity", "x"), "proximity: 'x' is unknown"),
        (("evaluate", "shop", "--split", "dev"), "no split 'dev'; its splits: test"),
        (("rerank", "shop.index", "--queries", "none", "--out", "o"), "none: no such file"),
        ((*TO_RERANK, "o", "-k", 0), "k: 0 must be at least 1"),
        ((*TO_RERANK, "no/o"), "no/o: give a file in an existing folder"),
        ((*TO_RERANK, "o", "--run", "nan.trec"), r"nan\.trec:1: score must be a finite number"),
        ((*TO_RERANK, "o", "--run", "lacks.trec"), "no candidates for query 'q2'"),
        ((*TO_RERANK, "o", "--run", "none.trec"), r"none\.trec: cannot be read \(No such file"),
        (("tune", "shop", "--split", "test", "--picture", "grid.xyz"), r"ends in \.png or \.svg"),
        (("demo", "--out", "shop"), "shop: is a folder"),
        (QUESTIONS, "model: is missing; name one by --model, or give --paths"),
        ((*QUESTIONS, "--paths", 0), "paths: 0 must be at least 1"),
        ((*QUESTIONS, "--paths", 9), "paths: none of 2 objects is a table that declares a foreign"),
        *(
            ((*QUESTIONS, "--paths", 9, *given), f"{given[0][2:]}: is for documents alone; leave")
            for given in [
                ("--per-document", 3),
                ("--kinds", "multi-hop=1"),
                ("--window-tokens", 99),
                ("--within-document",),
            ]
        ),
        (
            (*QUESTIONS, "--paths", 9, "--endpoint", "http://x"),
            "endpoint: 'http://x' is for a model; name it with --model",
        ),
        (("fetch",), "No such command 'fetch'"),
        (("serve",), "index: give one at least"),
        (("serve", "nowhere"), "index: nowhere is no index; make one with grapher-jax index"),
        (("serve", "a=nowhere"), "index: nowhere is no index"),
        (("serve", "=shop.index"), "'=shop.index' has an empty name; give NAME=PATH, or the path"),
        (
            ("serve", "shop.index", "--index", "shop.index"),
            "both called 'shop.index'; name one by NAME=PATH",
        ),
        (("mcp", "a=shop.index", "a=shop.index"), "both called 'a'; name one by NAME=PATH"),
        *(
            (("serve", "shop.index", "--token-file", name), says)
            for name, says in [
                ("none", "token-file: none cannot be read"),
                ("shop", "token-file: shop cannot be read"),
                ("empty.tokens", "token: it is empty"),
                ("twice.tokens", "token: that of line 2 stands there twice; leave one out"),
                ("other.tokens", "an index that is not served; name some of shop.index after"),
            ]
        ),
        (
            ("mcp", "shop.index", "--transport", "http", "--token-file", "other.tokens"),
            "token: those of `mcp` open every index; leave out the names behind them",
        ),
    ],
)


def written_to_a_pipe(world, arguments):
    os.mkfifo(world.root / "pipe")
    try:
        told(world, [*arguments, "--out", "pipe"])
    finally:
        assert (world.root / "pipe").is_fifo()


COMMANDS += rows(
    "grapher-jax to a pipe",
    written_to_a_pipe,
    [
        (arguments, "pipe: (is a device, a pipe or a socket; give|exists and is not an index)")
        for arguments in (
            ("explain", "shop.index", "orders"),
            ("index", "shop"),
            TO_RERANK[:-1],
            (*TO_RERANK[:-1], "--shard", "1/2"),
        )
    ],
)

TABLE = [
    *(CORPUS + BYTES + QUERIES + QRELS + PAIRS + RUNS + SOURCES),
    *(OBJECTS + UNKEPT + MANIFESTS + FILES + INDEXES),
    *(CANDIDATES + RERANKERS + RANKING + SEARCHES + EVALUATIONS),
    *(MODELS + TRAINING + COMMANDS),
]


@pytest.fixture(scope="module")
def stored(embedder, tmp_path_factory):
    """A shop in BEIR layout and its index, of which every row has copies."""
    folder = tmp_path_factory.mktemp("stored")
    tables = {"orders": ["shop.customers"], "customers": []}
    objects = [Object(f"shop.{n}", n, "", {"foreign_keys": keys}) for n, keys in tables.items()]
    queries = [gj.Query("q1", "Which orders?"), gj.Query("q2", "How many customers?")]
    write_beir(folder / "shop", objects, queries, {"test": {"q1": {"shop.orders": 1}}})
    for name in ("empty", "corrupt"):
        (folder / name).mkdir()
    (folder / "corrupt" / "corpus.jsonl").write_text('{"_id": "a"}\n{"_id": \n')
    (folder / "empty.tokens").write_text("\n \n")
    (folder / "twice.tokens").write_text("hush\nhush shop.index\n")
    (folder / "other.tokens").write_text("hush shop.index, zoo\n")
    (folder / "endless.json").write_text('{"sets": [], "learning_rate": 1e400}')
    (folder / "nan.trec").write_text("q1 Q0 shop.orders 1 nan x\nq2 Q0 shop.orders 1 1 x\n")
    (folder / "lacks.trec").write_text("q1 Q0 shop.orders 1 1 x\n")
    index = Index.from_source(str(folder / "shop"), embedder=embedder)
    index.save(folder / "shop.index")
    return folder, Index.load(folder / "shop.index", embedder=embedder)


@pytest.fixture
def world(stored, embedder, endpoint, tmp_path, monkeypatch, capsys, types_unchecked):
    """What a row may use, spoil and lose."""
    folder, index = stored
    root = shutil.copytree(folder, tmp_path / "world")
    monkeypatch.chdir(root)
    return SimpleNamespace(
        root=root,
        shop=root / "shop",
        saved=root / "shop.index",
        index=index,
        embedder=embedder,
        endpoint=endpoint,
        monkeypatch=monkeypatch,
        capsys=capsys,
    )


def stored_files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.what)
def test_bad_input_is_named_with_its_cure_and_costs_nothing(row, world):
    before = stored_files(world.root)
    with pytest.raises(row.error, match=row.says) as raised:
        row.do(world)
    message = str(raised.value).rstrip("\n")
    assert "\n" not in message
    for secret in ("s3cr3t", "hush", "Traceback"):
        assert secret not in message
    # No half of a file is left, and a command changes nothing at all.
    assert not [*world.root.rglob(".*")]
    if row in COMMANDS:
        assert stored_files(world.root) == before


def test_rows_are_told_apart():
    assert len({row.what for row in TABLE}) == len(TABLE) > 200


def test_what_a_row_would_overwrite_is_there_afterwards(world):
    before = stored_files(world.root)
    for write in (
        full(lambda w: w.index.save(w.saved)),
        full(lambda w: write_beir(w.shop, [Object("a", "x" * 5000)])),
    ):
        with pytest.raises(InputError):
            write(world)
        assert stored_files(world.root) == before
    thesis = precious(world) / "thesis.txt"
    for write in (world.index.save, lambda place: write_beir(place, [])):
        with pytest.raises(InputError):
            write(thesis.parent)
        assert thesis.read_text() == "years of work"
