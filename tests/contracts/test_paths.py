"""Wherever a path is taken it may be a `Path` or its string, and what is neither is named."""

from pathlib import Path

import numpy as np
import pytest

import grapher_jax as gj
from grapher_jax.corpus import (
    is_beir,
    read_objects,
    read_queries,
    splits,
    write_beir,
    write_queries,
)
from grapher_jax.errors import InputError
from grapher_jax.runs import count_queries, open_run, read_run, rerank_run, rerank_settings
from grapher_jax.search import open_source

pytestmark = pytest.mark.usefixtures("types_unchecked")

OBJECTS = [gj.Object("a", "apples"), gj.Object("b", "bears")]
QUERY = gj.Query("q", "a")
BASE = gj.Reranker(ranker="base")


class Flat:
    """An embedder of two dimensions."""

    name, dimension = "flat", 2

    def embed_objects(self, texts, *, progress=lambda done: None):
        return np.tile(np.array([0.6, 0.8], np.float32), (len(texts), 1))

    embed_queries = embed_objects


INDEX = gj.Index.build(OBJECTS, embedder=Flat())


def opened(path):
    with open_run(path) as run:
        return run.hits(["q"]).counts.tolist()


# What takes a path, by its name in the folder.
CALLS = [
    ("set", is_beir),
    ("set", splits),
    ("set", lambda path: [*read_objects(path)]),
    ("set", lambda path: [*read_queries(path)]),
    ("set", lambda path: write_queries(path, [QUERY], {})),
    ("set", lambda path: gj.Index.from_source(path, embedder=Flat()).ids),
    ("set", lambda path: open_source(path, embedder=Flat()).ids),
    ("set/queries.jsonl", count_queries),
    ("made", lambda path: write_beir(path, OBJECTS, [], {})),
    ("run", read_run),
    ("run", opened),
    ("out", lambda path: rerank_run(INDEX, [QUERY], path, BASE, k=2)),
    ("index", lambda path: gj.Index.load(path, embedder=Flat()).ids),
    ("saved", INDEX.save),
    ("exported", INDEX.export),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What there is to read."""
    made = tmp_path_factory.mktemp("paths")
    write_beir(made / "set", OBJECTS, [QUERY], {"test": {"q": {"a": 1}}})
    INDEX.save(made / "index")
    (made / "run").write_text("q Q0 a 1 0.5 x\n")
    return made


@pytest.mark.parametrize(("name", "call"), CALLS)
def test_a_path_and_its_string_are_the_same(folder, name, call):
    assert call(folder / name) == call(str(folder / name))


@pytest.mark.parametrize("call", [call for _, call in CALLS])
@pytest.mark.parametrize("odd", [None, 5, ["a"], b"a\0"])
def test_what_is_no_path_is_named(call, odd):
    with pytest.raises(InputError):
        call(odd)


def test_settings_of_a_run_are_the_same(folder):
    paths = [folder / name for name in ("index", "set/queries.jsonl")]
    strings = rerank_settings(*map(str, paths), BASE, k=2, base_run=str(folder / "run"))
    assert rerank_settings(*paths, BASE, k=2, base_run=folder / "run") == strings


@pytest.mark.nightly
def test_models_are_named_by_paths_too(tmp_path):
    texts = ["a", "b"]
    for wrong in (tmp_path, str(tmp_path)):
        with pytest.raises(InputError, match="no weights"):
            gj.Reranker(ranker=wrong)
        with pytest.raises(InputError, match="embedder: "):
            gj.Reranker().rerank("?", texts, embedder=Path(wrong))
