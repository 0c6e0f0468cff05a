"""Whatever a file holds, its reader reads it or says in one line why not, and writes nothing."""

import gzip
import hashlib
import json
import shutil
import warnings
from contextlib import contextmanager
from io import BytesIO

import docx
import numpy as np
import openpyxl
import pyarrow
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from grapher_jax.corpus import (
    Object,
    Query,
    read_documents,
    read_judgements,
    read_objects,
    read_pair_graphs,
    read_queries,
    write_beir,
    write_pair_graphs,
)
from grapher_jax.errors import GrapherError, GrapherWarning
from grapher_jax.runs import open_run, read_run
from grapher_jax.search import Index

OBJECTS = [
    Object("a", "apples", "A", {"foreign_keys": ["b"], "entities": ["x", "y"], "chunk_id": 0}),
    Object("b", "bears", metadata={"links": ["a"], "entities": ["x"], "document_id": "d"}),
    Object("ü c", "cider"),
]
QUERIES = [Query("q", "apples?", {"filter": {"document_id": "d"}}), Query("r", "bears?")]
JUDGEMENTS = {"test": {"q": {"a": 1, "b": 0}, "r": {"b": 2}}}
KNOWN = {"objects": {"a", "b", "ü c"}, "queries": {"q", "r"}}
RUN = b"q Q0 a 1 2.5 x\nq Q0 b 2 -1e30 x\nr Q0 %C3%BC%20c 1 0.5 x\n"

# What stands between fields, opens something, or is more than it seems.
PIECES = [
    *(
        b"\n",
        b"\r",
        b"\t",
        b" ",
        b'"',
        b"\\",
        b"\\u",
        b"\\ud800",
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
    ),
    *(
        b"{",
        b"}",
        b"[" * 2000,
        b'{"a":' * 2000,
        b"null",
        b"NaN",
        b"-Infinity",
        b"1e400",
        b"9" * 5000,
    ),
    *(b"\x1f\x8b", b"PAR1", b"\xe2\x80\xa8", b"%", b"%ff", b"../", b"1_0", b"\xc3"),
]
# Each example begins with what the one before it left, and leaves nothing else.
reading = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def mutated(valid):
    """Any bytes, or valid ones after a few cuts, flips, repeats and insertions."""

    def mutate(edits):
        data = bytearray(valid)
        for kind, place, piece, size in edits:
            at = place % (len(data) + 1)
            if kind == "cut":
                del data[at:]
            elif kind == "drop":
                del data[at : at + size]
            elif kind == "flip" and at < len(data):
                data[at] ^= 1 << size % 8
            elif kind == "repeat":
                data[at:at] = data[at : at + 40 * size]
            else:
                data[at:at] = piece
        return bytes(data)

    kinds = st.sampled_from(["cut", "drop", "flip", "repeat", "insert"])
    pieces = st.sampled_from(PIECES) | st.binary(max_size=4)
    edit = st.tuples(kinds, st.integers(0, 2**16), pieces, st.integers(0, 50))
    return st.lists(edit, min_size=1, max_size=3).map(mutate) | st.binary(max_size=200)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@contextmanager
def read_or_refused(folder):
    """Allow what a caller may see: a result, a warning of ours, or one line that names the place."""
    before = contents(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GrapherWarning)
        try:
            yield
        except GrapherError as error:
            # A kind of store may be one that this version does not know.
            assert str(folder) in str(error) or str(error).startswith("store: ")
    assert contents(folder) == before


@contextmanager
def changed(path, data):
    """The file with other bytes, until the example ends, however it does."""
    valid = path.read_bytes()
    path.write_bytes(data)
    try:
        yield
    finally:
        path.write_bytes(valid)


@pytest.fixture
def folder(tmp_path):
    write_beir(tmp_path / "set", OBJECTS, QUERIES, JUDGEMENTS)
    write_pair_graphs(tmp_path / "set", {("q", "a"): "(w / want-01)", ("r", "b"): "(b / bear)"})
    return tmp_path / "set"


READERS = {
    "corpus.jsonl": lambda folder: list(read_objects(folder)),
    "queries.jsonl": lambda folder: list(read_queries(folder)),
    "qrels/test.tsv": lambda folder: read_judgements(folder, "test", **KNOWN),
    "amr/pairs.jsonl": lambda folder: read_pair_graphs(folder, **KNOWN),
}
READERS |= {f"{name}.gz": read for name, read in READERS.items() if name.endswith("l")}


@pytest.mark.parametrize("name", READERS)
@reading
@given(data=st.data())
def test_a_beir_file_is_read_or_refused(folder, name, data):
    path, plain = folder / name, folder / name.removesuffix(".gz")
    if plain != path and plain.exists():
        path.write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
        plain.unlink()
    other = data.draw(mutated(path.read_bytes()))
    with changed(path, other), read_or_refused(folder):
        READERS[name](folder)


@reading
@given(data=mutated(RUN))
def test_a_run_is_read_or_refused(tmp_path, data):
    path = tmp_path / "run.trec"
    path.write_bytes(data)
    with read_or_refused(tmp_path):
        read_run(path)
    with read_or_refused(tmp_path), open_run(path) as run:
        run.hits(["q", "r"])


@reading
@given(data=mutated(gzip.compress(RUN, mtime=0)))
def test_a_packed_run_is_read_or_refused(tmp_path, data):
    path = tmp_path / "run.trec.gz"
    path.write_bytes(data)
    with read_or_refused(tmp_path):
        read_run(path)
    with read_or_refused(tmp_path), open_run(path) as run:
        run.hits(["q", "r"])


COLUMNS = {"query_id": ["q", "q", "r"], "object_id": ["a", "b", "ü c"], "score": [2.5, -1e30, 0.5]}


@reading
@given(data=st.data())
def test_a_run_in_parquet_is_read_or_refused(tmp_path, data):
    path = tmp_path / "run.parquet"
    others = [
        ["x"] * 3,
        [1, 2, 3],
        [b"\xff"] * 3,
        [["q"]] * 3,
        [{"x": 1}] * 3,
        [None] * 3,
        [True] * 3,
    ]
    name = data.draw(st.sampled_from([*COLUMNS, "more"]))
    columns = COLUMNS | {name: data.draw(st.sampled_from(others))}
    parquet.write_table(pyarrow.table(data.draw(st.sampled_from([COLUMNS, columns]))), path)
    if data.draw(st.booleans()):
        path.write_bytes(data.draw(mutated(path.read_bytes())))
    with read_or_refused(tmp_path), open_run(path) as run:
        run.hits(["q", "r"])


def word_document() -> bytes:
    made, file = docx.Document(), BytesIO()
    made.add_heading("One")
    made.add_table(1, 2).cell(0, 1).text = "two"
    made.save(file)
    return file.getvalue()


def workbook() -> bytes:
    made, file = openpyxl.Workbook(), BytesIO()
    for name in ("A", "B"):
        sheet = made.create_sheet(name)
        for row in (["id", "name"], [1, "one"], [2.5, None]):
            sheet.append(row)
    made.save(file)
    return file.getvalue()


DOCUMENTS = {
    "a.csv": b'name;"text"\nx;"two\nlines"\n',
    "a.docx": word_document(),
    "a.json": b'{"a": [1, {"b": null}, "c"], "d": true}',
    "a.py": b"def one():\n    return 'two'\n",
    "a.rst": b".. _a:\n\nOne\n===\n\nSee :ref:`a` and::\n\n   code\n\n.. toctree::\n\n   b\n",
    "a.adoc": b"= One\n:a: b\n\n[[x]]\n.T\n----\ncode\n----\n\nSee <<x,y>>, xref:b.adoc#c[{a}] `d`.\n",
    "a.xlsx": workbook(),
    "a.txt": "Zwei Sätze. Über alles.".encode(),
    "a.md": b"---\ntitle: x\n---\n# One\n\n> [to](b.md#x) and `code`\n\n| a | b |\n|---|---|\n",
    "a.html": b"<!doctype html><meta charset=koi8-r><title>x</title><p>one<a href='b.md'>two</a>",
    "a.pdf": b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]/Count 1>>"
    b"endobj 3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R>>endobj 4 0 obj<</Length 9>>stream\n"
    b"(x) Tj ET\nendstream endobj trailer<</Root 1 0 R>>",
}


@pytest.mark.parametrize(
    "name",
    # Each PDF is read by a process of its own.
    [pytest.param(n, marks=pytest.mark.nightly) if n == "a.pdf" else n for n in DOCUMENTS],
)
@reading
@given(data=st.data())
def test_a_document_is_read_or_refused(tmp_path, name, data):
    (tmp_path / name).write_bytes(data.draw(mutated(DOCUMENTS[name])))
    (tmp_path / "b.md").write_text("# Two\n\nAnother.\n")
    with read_or_refused(tmp_path):
        list(read_documents(tmp_path))


# Indexes.


class Flat:
    """An embedder of two dimensions."""

    name, dimension = "flat", 2

    def embed_objects(self, texts, *, progress=lambda done: None):
        return np.tile(np.array([0.6, 0.8], np.float32), (len(texts), 1))

    embed_queries = embed_objects


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An index that is never changed."""
    folder = tmp_path_factory.mktemp("whole")
    write_beir(folder / "set", OBJECTS, QUERIES, JUDGEMENTS)
    Index.from_source(str(folder / "set"), embedder=Flat()).save(folder / "index")
    return folder / "index"


@pytest.fixture
def index(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "index")
    return tmp_path / "index"


def use(folder, **options):
    with read_or_refused(folder):
        opened = Index.load(folder, embedder=Flat(), **options)
        opened.search("apples and bears", k=2)
        opened.judgements("test")


@reading
@given(data=st.data())
def test_a_changed_file_of_an_index_is_noticed(index, data):
    name = data.draw(st.sampled_from(sorted(contents(index))))
    with changed(name, data.draw(mutated(name.read_bytes()))):
        use(index)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)


@reading
@given(data=st.data())
def test_a_manifest_with_other_values_is_used_or_refused(index, data):
    path = index / "manifest.json"
    manifest = json.loads(path.read_text())
    place = data.draw(st.sampled_from([manifest, manifest["embedder"], manifest["sha256"]]))
    key = data.draw(st.sampled_from(sorted(place)))
    if data.draw(st.booleans()):
        place[key] = data.draw(json_values)
    else:
        del place[key]
    with changed(path, json.dumps(manifest).encode()):
        use(index)


@reading
@given(data=st.data(), verify=st.booleans())
def test_an_index_made_to_deceive_is_refused_before_it_is_searched(index, data, verify):
    """Parts that do not fit each other, under a manifest that vouches for them."""
    arrays = sorted([*index.rglob("*.npy"), index / "entities.parquet", index / "terms.parquet"])
    name = data.draw(st.sampled_from(arrays))
    kind = data.draw(st.sampled_from(["array", "bytes", "another file"]))
    if kind == "array" and name.suffix == ".npy":
        array, file = np.load(name), BytesIO()
        shape = data.draw(st.sampled_from([array.shape, (0,), (7,), (3, 2), ()]))
        value = data.draw(st.sampled_from([-(2**31), -1, 0, 1, 2**31 - 1]))
        np.save(file, np.full(shape, value, array.dtype))
        other = file.getvalue()
    elif kind == "bytes":
        other = data.draw(mutated(name.read_bytes()))
    else:
        other = data.draw(st.sampled_from(arrays)).read_bytes()
    manifest = json.loads((index / "manifest.json").read_text())
    manifest["sha256"][name.relative_to(index).as_posix()] = hashlib.sha256(other).hexdigest()
    signed = changed(index / "manifest.json", json.dumps(manifest).encode())
    with changed(name, other), signed, read_or_refused(index):
        Index.load(index, embedder=Flat(), verify=verify)
