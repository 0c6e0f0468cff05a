"""Hits travel: they are copied, pickled, compared, and become tables."""

import copy
import json
import pickle
from dataclasses import asdict, replace
from datetime import date

import numpy as np
import pytest
from memory_collection import MemoryCollection, candidates_of

import grapher_jax as gj
from grapher_jax.errors import InputError
from grapher_jax.rankers.hits import make_hits
from grapher_jax.rankers.running import Order

SHOP = [
    {"id": "orders", "score": 0.9, "metadata": {"foreign_keys": ["customers"]}},
    {"id": "songs", "score": 0.3, "text": "a <b>"},
    {"id": "customers", "score": 0.1},
]


@pytest.fixture
def hits():
    return gj.Reranker(ranker="gcs", alpha=0.3).rerank("who bought?", SHOP)


@pytest.mark.parametrize(
    "travel", [copy.copy, copy.deepcopy, lambda h: pickle.loads(pickle.dumps(h))]
)
def test_hits_are_equal_after_a_journey(hits, travel):
    arrived = travel(hits)
    assert arrived == hits
    assert isinstance(arrived, gj.Hits)
    assert arrived.scale == hits.scale == "none"
    assert arrived != travel(hits)[:1]


def test_explanations_travel_once_one_was_read(hits):
    unread = pickle.loads(pickle.dumps(hits))
    with pytest.raises(InputError, match="'orders': its explanations were not read before it was"):
        _ = unread[0].explanation
    assert copy.deepcopy(hits)[0].explanation == hits[0].explanation
    read = pickle.loads(pickle.dumps(hits))
    assert [hit.explanation for hit in read] == [hit.explanation for hit in hits]
    assert replace(hits[0], text="x").explanation == hits[0].explanation


def test_a_hit_is_its_attributes_and_nothing_else(hits):
    known = asdict(hits[0])
    assert known == hits[0].to_dict()
    json.dumps(known)
    assert gj.Hit(**known) == hits[0]


def test_a_slice_of_hits_knows_their_scale():
    hits = gj.Reranker(ranker="gcs", scores="rank").rerank("?", SHOP)
    assert (hits[1:].scale, type(hits[1:]), len(hits[1:])) == ("rank", gj.Hits, 2)


def test_hits_become_tables(hits):
    arrow = pytest.importorskip("pyarrow") and hits.to_arrow()
    assert arrow.column("id").to_pylist() == [hit.id for hit in hits]
    assert json.loads(arrow.column("metadata")[0].as_py()) == SHOP[0]["metadata"]
    assert gj.Hits().to_arrow().schema.names == arrow.schema.names[:-1]


def test_metadata_that_json_cannot_hold_is_a_text_in_a_table():
    pytest.importorskip("pyarrow")
    parts = [{"share": float("nan"), "n": np.int64(1)}]
    metadata = {"day": date(2024, 5, 1), "parts": parts, "row": np.arange(3)}
    hits = gj.Reranker(ranker="base").rerank("?", [{"id": "a", "score": 1, "metadata": metadata}])
    (written,) = hits.to_arrow()["metadata"].to_pylist()
    known = {"day": "2024-05-01", "parts": [{"share": "nan", "n": 1}], "row": [0, 1, 2]}
    assert json.loads(written) == known
    (told,) = json.loads(json.dumps(hits.to_dict()))
    assert told["metadata"] == json.loads(written)


def test_hits_become_data_frames(hits):
    pytest.importorskip("pandas")
    frame = hits.to_pandas()
    assert frame["base_rank"].tolist() == [hit.base_rank for hit in hits]
    assert frame["metadata"][0] == SHOP[0]["metadata"]
    assert list(gj.Hits().to_pandas()) == list(frame)[:-1]


def test_hits_become_polars_frames(hits):
    pytest.importorskip("polars")
    assert hits.to_polars()["score"].to_list() == [hit.score for hit in hits]


def test_a_notebook_shows_what_moved(hits):
    shown = hits._repr_html_()
    assert "<td>2</td><td>3 ▲1</td><td>customers</td>" in shown
    assert "<td>3</td><td>2 ▼1</td><td>songs</td>" in shown
    assert "a &lt;b&gt;" in shown


def test_objects_show_themselves_in_a_line(hits, index):
    long = gj.Object("a", "x" * 9999, metadata={"entities": ["e" * 99] * 99})
    made = [hits[0], hits[0].explanation, index, long, gj.Query("q", "x" * 9999), gj.Reranker()]
    assert max(map(len, map(repr, made))) < 300
    assert repr(hits[1]).startswith("Hit(id='customers', score=0.4")
    assert repr(gj.Reranker(ranker="gcs", alpha=0.3)) == "Reranker(ranker='gcs', alpha=0.3)"
    assert repr(index) == "Index(objects=6, embedder='offline', joined_by=['foreign_key'])"


def test_objects_are_read_in_their_order_whatever_the_ranking():
    """On disk they are in groups of rows, of which few are kept."""
    objects = [gj.Object(str(row), f"text {row}") for row in range(40)]
    read = []

    class Read(list):
        def __getitem__(self, row):
            read.append(row)
            return super().__getitem__(row)

    rows = np.random.default_rng(0).permuted(np.tile(np.arange(40, dtype=np.int32), (3, 1)), axis=1)
    candidates = candidates_of(rows, np.ones((3, 40), np.float32))
    order = Order(np.tile(np.arange(5, dtype=np.int32), (3, 1)), np.ones((3, 5), np.float32))
    order.positions[1, 3:] = -1
    collection = MemoryCollection(Read(objects), None)
    read.clear()
    lists = make_hits(collection, candidates, order, lambda *_: [], scales=["none"] * 3)
    assert read == sorted(read)
    assert [[hit.id for hit in hits] for hits in lists] == [
        [str(row) for row in own[:kept]] for own, kept in zip(rows, (5, 3, 5), strict=True)
    ]
