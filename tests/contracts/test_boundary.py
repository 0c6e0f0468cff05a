"""Whatever a user gives to Python's public calls, of any type: a result, or one line of ours."""

import inspect
import math
import sqlite3
import sys
import warnings
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import grapher_jax as gj
from grapher_jax.checks import shown
from grapher_jax.corpus import (
    JudgedQuestion,
    read_database,
    read_documents,
    read_source,
    write_beir,
)
from grapher_jax.errors import GrapherError, GrapherWarning
from grapher_jax.evaluation import evaluate
from grapher_jax.llm import Llm
from grapher_jax.retrieve import load_embedder
from grapher_jax.runs import Shard, read_run
from grapher_jax.serve import Settings

pytestmark = pytest.mark.usefixtures("types_unchecked")


class Flat:
    """An embedder of two dimensions."""

    name, dimension = "flat", 2

    def embed_objects(self, texts, *, progress=lambda done: None):
        for text in texts:
            text.encode()  # as tokenizers do
        return np.tile(np.array([0.6, 0.8], np.float32), (len(texts), 1))

    embed_queries = embed_objects


class Shelf:
    """A store that finds the same two records always."""

    name, dimension = "shelf", 2

    def search(self, vectors, k, **_):
        return [FOUND[:k] for _ in vectors]


def endless():
    """A list that holds itself."""
    own = []
    own.append(own)
    return own


class Odd:
    """Nothing that anybody takes, and cannot even be shown."""

    def __repr__(self):
        raise RuntimeError("no")


OBJECTS = [gj.Object("a", "apples", metadata={"links": ["b"]}), gj.Object("b", "bears")]
TABLES = [
    gj.Object("a", "a: b_id, x", metadata={"table": "a", "foreign_keys": ["b"]}),
    gj.Object("b", "b: id, y", metadata={"table": "b", "columns": [{"name": "id"}, {"name": "y"}]}),
]
FOUND = [{"id": "a", "score": 0.9, "metadata": {"links": ["b"]}}]
FOUND.append({"id": "b", "score": 0.5, "metadata": {}})


def values():
    """What is of a wrong type, or at an edge, for one parameter or another."""
    return [
        *(None, True, False, 0, 1, -1, 2, 2**31 - 1, 2**31, 2**63, 10**400, 10**5000),
        *(0.0, 0.5, 1.5, -1.0, 1e-300, 1e39, 1e300, math.nan, math.inf, -math.inf, 1j),
        *("", " ", "a", "3", "0.5", "a" * 5000, "\0", "caf\udce9", "x://y", "../a", b"a", b"\xff"),
        *([], [None], [1], ["a"], ["a", "a"], [["a"]], [{}], [math.nan], (), ("a", 0.5), {"a"}, range(3)),
        *({}, {"a": 1}, {"a": "1"}, {1: 2}, {"chunk": "1"}, {"chunk": 1e39}, {"link": 10**400}),
        *({"id": "a", "score": 1.0}, {"x": math.inf}, {"x": {1, 2}}, {"links": "b"}, {"links": [1]}),
        *(endless(), {"x": endless()}, Odd(), [Odd()], object(), object, len, lambda *_: 1, iter(["a"])),
        *(np.float32(0.5), np.int64(2), np.bool_(True), np.array(0.5), np.array([0.5, 0.5])),
        *(np.array(["a"]), np.array([], object), Decimal("0.5"), Fraction(1, 2), Fraction(10**400)),
        *(Path("a"), Path("a" * 5000), OBJECTS[0], OBJECTS, [OBJECTS[0], None], gj.Query("q", "a")),
        *([gj.Query("q", None)], FOUND[0], FOUND, [FOUND], [[None]], [[{"id": "a", "score": "1"}]]),
        *([[{"id": "a", "score": 10**400}]], [[{"id": "a", "score": 1.0, "metadata": 5}]]),
    ]  # fmt: skip


def described(id="a", score=0.9, title="", text="", metadata=None, embedding=None):  # noqa: A002
    """A candidate of these."""
    return {name: value for name, value in locals().items() if value is not None or name == "id"}


FLAT = {"embedder": Flat()}
ONE, SEVERAL = {"question": "a"}, {"questions": ["a"]}
RANKED = gj.Reranker()


def asked():
    """A store to search."""
    return gj.StoreRetriever(Shelf(), **FLAT)


class World:
    """What calls read and write."""

    def __init__(self, folder):
        self.folder = folder
        write_beir(folder / "set", OBJECTS, [gj.Query("q", "a")], {"test": {"q": {"a": 1}}})
        (folder / "a.trec").write_text("q Q0 a 1 0.5 base\n")
        with closing(sqlite3.connect(folder / "shop.db")) as connection:
            connection.execute("CREATE TABLE a (id INTEGER PRIMARY KEY)")
        (folder / "documents").mkdir()
        (folder / "documents" / "a.txt").write_text("apples and bears")
        self.index = gj.Index.from_source(folder / "set", **FLAT)
        self.index.save(folder / "index")
        self.tables = gj.Index.build(TABLES, **FLAT)


def same(made, _):
    """All there is to do with it."""
    return made


@dataclass
class Call:
    """A public call: whose parameters are tried, what it needs beside them, what its result is for."""

    of: Callable[[World], Callable]
    needed: Callable[[World], dict] = lambda world: {}
    use: Callable[[Any, World], object] = same


CALLS = {
    "Object": Call(
        lambda world: gj.Object,
        lambda world: {"id": "a", "text": "a"},
        lambda item, world: gj.Index.build([item], **FLAT).save(world.folder / "built"),
    ),
    "Query": Call(
        lambda world: gj.Query,
        lambda world: {"id": "a", "text": "a"},
        lambda query, world: world.index.retrieve([query]),
    ),
    "a candidate": Call(
        lambda world: described, use=lambda one, world: RANKED.rerank("a", [one, FOUND[1]])
    ),
    "read_source": Call(
        lambda world: read_source,
        lambda world: {"source": str(world.folder / "documents")},
        lambda found, world: list(found),
    ),
    "read_database": Call(
        lambda world: read_database,
        lambda world: {"url": "sqlite:///shop.db"},
        lambda found, world: list(found),
    ),
    "read_documents": Call(
        lambda world: read_documents,
        lambda world: {"folder": world.folder / "documents"},
        lambda found, world: list(found),
    ),
    "write_beir": Call(
        lambda world: write_beir,
        lambda world: {"folder": world.folder / "written", "objects": OBJECTS},
    ),
    "load_embedder": Call(lambda world: load_embedder, lambda world: {"name": "offline"}),
    "Llm": Call(lambda world: Llm, lambda world: {"model": "a"}, lambda made, world: made.close()),
    "Settings": Call(lambda world: Settings),
    "Shard": Call(lambda world: Shard, lambda world: {"number": 1, "count": 2}),
    "a shard": Call(lambda world: Shard.parse, lambda world: {"text": "1/2"}),
    "read_run": Call(lambda world: read_run, lambda world: {"path": world.folder / "a.trec"}),
    "evaluate": Call(
        lambda world: evaluate,
        lambda world: {"source": world.index, "questions": [JudgedQuestion("a", ["a"])]},
    ),
    "Index.with_edges": Call(
        lambda world: world.index.with_edges, lambda world: {"edges": {"near": "weighted"}}
    ),
    "Reranker": Call(lambda world: gj.Reranker, use=lambda made, world: made.rerank("a", FOUND)),
    "Reranker.rerank": Call(lambda world: RANKED.rerank, lambda world: ONE | {"candidates": FOUND}),
    "Reranker.rerank_batch": Call(
        lambda world: RANKED.rerank_batch, lambda world: SEVERAL | {"candidate_lists": [FOUND]}
    ),
    "Reranker.collect": Call(
        lambda world: RANKED.collect, lambda world: SEVERAL | {"candidate_lists": [FOUND]}
    ),
    "Index.build": Call(lambda world: gj.Index.build, lambda world: {"objects": OBJECTS} | FLAT),
    "Index.from_source": Call(
        lambda world: gj.Index.from_source, lambda world: {"source": world.folder / "set"} | FLAT
    ),
    "Index.update": Call(lambda world: world.index.update),
    "Index.search": Call(lambda world: world.index.search, lambda world: ONE),
    "Index.search_batch": Call(lambda world: world.index.search_batch, lambda world: SEVERAL),
    "Index.retrieve": Call(lambda world: world.index.retrieve, lambda world: SEVERAL),
    "Index.allowed": Call(lambda world: world.index.allowed),
    "Index.asked": Call(lambda world: world.index.asked),
    "Index.judgements": Call(lambda world: world.index.judgements),
    "Index.save": Call(lambda world: world.index.save),
    "Index.export": Call(lambda world: world.index.export, lambda world: {"folder": "exported"}),
    "Index.export of questions": Call(
        lambda world: world.index.export,
        lambda world: {"folder": "exported", "questions": [JudgedQuestion("a", ["a"])]},
    ),
    "JudgedQuestion": Call(
        lambda world: JudgedQuestion,
        lambda world: {"question": "a", "relevant": ["a"]},
        lambda made, world: world.index.export("exported", questions=[made]),
    ),
    "Index.tables": Call(
        lambda world: world.tables.tables,
        lambda world: ONE | {"budget": 200},
        lambda found, world: (found.ddl(), found.sql_comments(), found.to_dict()),
    ),
    "Index.describe_tables": Call(
        lambda world: world.tables.describe_tables,
        lambda world: {"tables": ["a"], "budget": 200},
        lambda found, world: (found.ddl(), found.sql_comments(), found.to_dict()),
    ),
    "Index.join_path": Call(
        lambda world: world.tables.join_path,
        lambda world: {"tables": ["a", "b"]},
        lambda found, world: (str(found), found.to_dict()),
    ),
    "Index.load": Call(
        lambda world: gj.Index.load, lambda world: {"path": world.folder / "index"} | FLAT
    ),
    "StoreRetriever": Call(
        lambda world: gj.StoreRetriever,
        lambda world: {"store": Shelf()} | FLAT,
        lambda made, world: made.search("a"),
    ),
    "StoreRetriever.search": Call(lambda world: asked().search, lambda world: ONE),
    "StoreRetriever.search_batch": Call(lambda world: asked().search_batch, lambda world: SEVERAL),
}
# These take what others of ours gave.
INNER = {
    "Index.joined_by",
    "Index.questions",
    "Index.words_in",
    "Reranker.choice",
    "Reranker.collect",
    "Reranker.hits",
    "Reranker.joined_by",
    "Reranker.joining",
    "Reranker.joins",
    "Reranker.over",
    "Reranker.parameters",
    "Reranker.reading",
    "Reranker.prepare",
    "Reranker.rank",
    "Reranker.scales",
    "Reranker.taking",
}
# These hand all they are given to what is called like them without the first letter.
AWAITED = {
    f"{kind}.a{name}{batch}"
    for kind, name in (("Index", "search"), ("Reranker", "rerank"), ("StoreRetriever", "search"))
    for batch in ("", "_batch")
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return World(tmp_path_factory.mktemp("world"))


@pytest.fixture(autouse=True)
def alone(world, monkeypatch):
    """Relative paths lead into a folder of their own, and no name of a model to a library."""
    monkeypatch.chdir(world.folder)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)


def names_of(call, world):
    parameters = inspect.signature(call.of(world)).parameters.values()
    return [one.name for one in parameters if one.kind is not one.VAR_KEYWORD]


def is_result_or_error_of_ours(call, world, name, value):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GrapherWarning)
        try:
            call.use(call.of(world)(**call.needed(world) | {name: value}), world)
        except GrapherError as error:
            assert "\n" not in str(error)
            assert len(str(error)) <= 1000
        except Exception as error:
            error.add_note(f"{name}: {shown(value)}")
            raise


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_value_of_any_type_is_used_or_refused(call, world):
    for name in names_of(call, world):
        for value in values():
            is_result_or_error_of_ours(call, world, name, value)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_random_values_are_used_or_refused(call, world, data):
    name = data.draw(st.sampled_from(names_of(call, world)))
    is_result_or_error_of_ours(call, world, name, data.draw(ANYTHING))


def test_every_public_call_is_tried():
    kinds = (gj.Index, gj.Reranker, gj.StoreRetriever)
    public = {
        f"{kind.__name__}.{name}"
        for kind in kinds
        for name in dir(kind)
        if not name.startswith("_") and isinstance(getattr(kind, name), FunctionType | MethodType)
    }
    assert public == {name for name in CALLS if "." in name and " " not in name} | INNER | AWAITED
