"""A shop, and a copy of it for every row, which may spoil and lose it."""

import shutil
from types import SimpleNamespace

import pytest

import grapher_jax as gj
from grapher_jax.corpus import Object, write_beir
from grapher_jax.search import Index


@pytest.fixture(scope="session")
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
