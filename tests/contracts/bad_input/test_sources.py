"""Folders, databases and documents, as sources of an index."""

import pytest
from bad_input import Row, each, rows

from grapher_jax.corpus import read_database, read_documents, read_source
from grapher_jax.search import Index


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
        lambda w: read_source(str(w.saved / "objects.parquet")),
        "a file; give the folder that contains the documents, a database as a URL",
    ),
    Row(
        "a file of a BEIR folder as source",
        lambda w: read_source(str(w.shop / "corpus.jsonl")),
        "as in a BEIR folder; call it corpus.jsonl and give its folder",
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
            (
                "gonesql://bob:s3cr3t@host/db",
                r"bob:\*\*\*@host/db: unknown kind of database 'gonesql'; write a URL such as",
            ),
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
                r"no document is in it; \.txt, \.md, \.markdown, \.mdx, \.rst, \.adoc, \.asciidoc, "
                r"\.ipynb, \.html, \.htm, \.pdf, \.docx, \.pptx, \.eml, \.mbox are read, "
                r"and beside them tables, JSON and code",
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


@each(SOURCES)
def test_bad_input_is_named_with_its_cure_and_costs_nothing(row, world):
    row.check(world)
