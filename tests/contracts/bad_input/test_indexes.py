"""Objects to index, and indexes on disk."""

import json
import resource
from pathlib import Path

import numpy as np
import pytest
from bad_input import Row, each, rows, stored_files
from small_embedder import SmallEmbedder

from grapher_jax.corpus import Object, check_filter, check_object, write_beir
from grapher_jax.errors import InputError
from grapher_jax.search import Index

OBJECTS = [
    *rows(
        "an object",
        lambda _, attributes: check_object(Object(**{"id": "a", "text": "x"} | attributes), "here"),
        [
            ({"id": ""}, "here: id must be a string that is not empty, not ''"),
            ({"id": 7}, "here: id must be a string that is not empty, not 7"),
            ({"metadata": []}, "here: metadata must be an object, not list"),
            ({"metadata": {1: "b"}}, "here: a key of metadata must be a string, not 1"),
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
            ({"embedder": SmallEmbedder}, "embedder: a name or an embedder is needed"),
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
            (
                ((), ["shop.order"]),
                r"delete: 'shop\.order' is not .* did you mean 'shop\.orders'\?",
            ),
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
    *(
        Row(
            f"a {kind.__name__} of a URL as index",
            lambda w, kind=kind: Index.load(kind("postgresql+psycopg://me:hush@host/shop")),
            r"^postgresql\+psycopg://…: a database is no index; make one by .*Index\.from_source$",
        )
        for kind in (str, Path)
    ),
    Row("a corpus as index", lambda w: Index.load(w.shop), "not an index: .*; index it first"),
    Row(
        "another embedder",
        lambda w: Index.load(w.saved, embedder=SmallEmbedder()),
        "'small' gives 8 dimensions, .* has 384; use 'offline', which built it",
    ),
    Row(
        "reuse of another embedder's",
        lambda w: Index.build([Object("a", "x")], embedder=SmallEmbedder(), reuse=w.index),
        "reuse: that index was built with 'offline', not 'small'",
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


@each(OBJECTS, UNKEPT, MANIFESTS, FILES, INDEXES)
def test_bad_input_is_named_with_its_cure_and_costs_nothing(row, world):
    row.check(world)


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
