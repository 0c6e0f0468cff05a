import itertools
import json
import shutil

import pytest

from grapher_jax.corpus import read_queries
from grapher_jax.errors import InputError
from grapher_jax.rerank import Reranker
from grapher_jax.runs import (
    Shard,
    count_queries,
    open_run,
    rerank_run,
    rerank_shard,
    shards,
    stream,
)
from grapher_jax.search import Index

from .conftest import QUERIES

SETTINGS = {"alpha": 0.1}


@pytest.mark.parametrize("queries", [0, 1, 1024, 1025, 12_000, 1_000_000])
@pytest.mark.parametrize("count", [1, 2, 7, 100])
def test_shards_are_whole_blocks_one_after_the_other(queries, count):
    parts = [Shard(n, count).part(queries) for n in range(1, count + 1)]
    assert parts[0][0] == 0
    assert parts[-1][1] == queries
    assert all(one[1] == other[0] for one, other in itertools.pairwise(parts))
    assert all(first % 1024 == 0 for first, end in parts if first < end)
    sizes = [end - first for first, end in parts]
    assert max(sizes) - min(sizes) <= 2048


@pytest.mark.parametrize("text", ["0/2", "3/2", "1/0", "1", "a/b", "-1/2", "1/2/3"])
def test_what_is_no_shard_is_named(text):
    with pytest.raises(InputError, match="shard: "):
        Shard.parse(text)


def test_queries_are_counted_without_blank_lines(tmp_path):
    (tmp_path / "queries.jsonl").write_text('{"_id": "a"}\n\n  \n{"_id": "b"}')
    assert count_queries(tmp_path / "queries.jsonl") == 2


@pytest.fixture
def rerank(work, tmp_path):
    index, queries = Index.load(work.folder / "index"), work.folder / "queries.jsonl"

    def call(shard, *, out="run.trec", settings=SETTINGS, progress=lambda count: None):
        with open_run(work.folder / "base.trec") as base:
            given = {"k": 5, "base_run": base, "settings": settings, "progress": progress}
            if shard is None:
                asked = read_queries(queries)
                return rerank_run(index, asked, tmp_path / out, Reranker(), **given)
            shard = Shard.parse(shard)
            return rerank_shard(index, queries, tmp_path / out, Reranker(), shard, **given)

    return call


@pytest.mark.nightly
def test_shards_in_any_order_are_merged_into_the_run_of_one_process(rerank, tmp_path):
    rerank(None, out="whole.trec")
    assert rerank("3/3") is None
    assert rerank("1/3") is None
    assert rerank("1/3") is None
    assert rerank("2/3") == QUERIES
    assert (tmp_path / "run.trec").read_bytes() == (tmp_path / "whole.trec").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.trec", "whole.trec"]


def test_a_complete_shard_is_not_made_again(rerank, tmp_path):
    rerank("2/2")
    part = tmp_path / "run.trec.shards" / "00002-of-00002.trec"
    part.write_text("changed")
    told = []
    rerank("2/2", progress=told.append)
    assert part.read_text() == "changed"
    assert sum(told) == QUERIES - 2 * 1024


@pytest.mark.nightly
def test_more_shards_than_blocks_leave_some_empty(rerank, tmp_path, monkeypatch):
    for module in (stream, shards):
        monkeypatch.setattr(module, "BLOCK", QUERIES // 2)
    for number in (1, 2, 3):
        assert rerank(f"{number}/4") is None
    assert rerank("4/4") == QUERIES
    rerank(None, out="whole.trec")
    assert (tmp_path / "run.trec").read_bytes() == (tmp_path / "whole.trec").read_bytes()


def test_no_queries_are_refused_and_leave_nothing(work, tmp_path):
    queries, out = tmp_path / "queries.jsonl", tmp_path / "run.trec"
    queries.touch()
    index = Index.load(work.folder / "index")
    with pytest.raises(InputError, match="queries: there are none"):
        rerank_shard(index, queries, out, Reranker(), Shard(1, 2), settings=SETTINGS)
    assert [*tmp_path.iterdir()] == [queries]


def test_shards_with_other_settings_are_refused(rerank):
    rerank("1/2")
    for shard, settings in (("2/2", {"alpha": 0.2}), ("2/3", SETTINGS)):
        with pytest.raises(InputError, match=r"00001-of-00002\.json: was made with other settings"):
            rerank(shard, settings=settings)


def test_a_damaged_shard_is_refused_and_can_be_made_again(rerank, tmp_path):
    rerank("1/2")
    part = tmp_path / "run.trec.shards" / "00001-of-00002.trec"
    whole = part.read_bytes()
    part.write_bytes(whole[:-1])
    with pytest.raises(InputError, match=r"00001-of-00002\.trec: is not what its manifest says"):
        rerank("2/2")
    assert not (tmp_path / "run.trec").exists()
    part.with_suffix(".json").unlink()
    assert rerank("1/2") == QUERIES


@pytest.mark.parametrize("content", ["", "[]", '{"shard": "1/2"}'])
def test_a_damaged_manifest_is_named(rerank, tmp_path, content):
    rerank("1/2")
    (tmp_path / "run.trec.shards" / "00001-of-00002.json").write_text(content)
    with pytest.raises(InputError, match=r"00001-of-00002\.json: damaged; remove it and its shard"):
        rerank("2/2")


def test_an_interrupted_merge_goes_on(rerank, tmp_path, monkeypatch):
    rerank("1/2")
    whole, calls = shutil.copyfileobj, []

    def failing(source, target):
        calls.append(source.name)
        if len(calls) == 2:
            raise KeyboardInterrupt
        whole(source, target)

    monkeypatch.setattr(shutil, "copyfileobj", failing)
    with pytest.raises(KeyboardInterrupt):
        rerank("2/2")
    state = json.loads((tmp_path / "run.trec.partial.json").read_text())
    assert state["done"] == 1
    assert rerank("2/2") == QUERIES
    assert len(calls) == 3
    rerank(None, out="whole.trec")
    assert (tmp_path / "run.trec").read_bytes() == (tmp_path / "whole.trec").read_bytes()


def test_who_merges_already_is_not_disturbed(rerank, tmp_path):
    rerank("1/2")
    with shards.resumable(tmp_path / "run.trec", SETTINGS):
        assert rerank("2/2") is None
    assert rerank("2/2") == QUERIES
