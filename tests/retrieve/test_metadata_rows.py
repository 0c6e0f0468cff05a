import asyncio
from dataclasses import replace

import numpy as np
import pytest

from grapher_jax.corpus import Object
from grapher_jax.corpus.filters import fits, parsed
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.index.objects import ParquetObjects
from grapher_jax.retrieve import MetadataRows
from grapher_jax.search import Index

MEETINGS = [
    Object(
        "a0",
        "budget of the remote control",
        metadata={"document_id": "a", "year": 2020, "tags": ["new", 1]},
    ),
    Object("a1", "colour of the remote control", metadata={"document_id": "a", "year": 2021}),
    Object(
        "b0", "budget of the parser", metadata={"document_id": "b", "year": 2020, "tags": [1.0]}
    ),
    Object("c0", "lunch", metadata={"year": True}),
]


def rows_of(objects):
    return MetadataRows(len(objects), lambda: (item.metadata for item in objects))


@pytest.fixture(scope="module")
def meetings(embedder):
    return Index.build(MEETINGS, embedder=embedder)


@pytest.mark.parametrize(
    ("wanted", "rows"),
    [
        ({"document_id": "a"}, [0, 1]),
        ({"document_id": "a", "year": 2020}, [0]),
        ({"year": True}, [3]),
        ({"year": "2020"}, []),
        ({"year": 2020.0}, [0, 2]),
        ({"year": {"$gte": 2021}}, [1]),
        ({"year": {"$ne": 2020}}, [1, 3]),
        ({"document_id": {"$exists": False}}, [3]),
        ({"document_id": {"$in": ["b", "a"]}, "year": {"$lt": 2021}}, [0, 2]),
        ({"document_id": {"$gt": "a"}}, [2]),
        ({"$or": [{"year": True}, {"document_id": "b"}]}, [2, 3]),
        ({"$not": {"document_id": "a", "year": 2020}}, [1, 2, 3]),
        ({"document_id": {"a": "b"}}, []),
        ({"tags": {"$contains": "new"}}, [0]),
        ({"tags": {"$contains": 1}}, [0, 2]),
        ({"tags": {"$contains": True}}, []),
    ],
)
def test_rows_fit_every_key_of_a_filter(wanted, rows):
    assert rows_of(MEETINGS).matching(wanted).tolist() == rows


def test_a_key_that_no_object_has_is_named_with_those_there_are():
    with pytest.raises(
        InputError, match=r"no object has metadata 'doc'; use document_id, tags, year"
    ):
        rows_of(MEETINGS).matching({"doc": "a"})


@pytest.mark.parametrize("ranker", ["base", "gcs", "ppr"])
def test_a_filter_restricts_results_and_changes_no_score(meetings, ranker):
    everywhere = {hit.id: hit.base_score for hit in meetings.search("budget", ranker=ranker)}
    within = meetings.search("budget", ranker=ranker, filter={"document_id": "a"})
    assert {hit.id for hit in within} == {"a0", "a1"}
    for hit in within:
        assert hit.base_score == pytest.approx(everywhere[hit.id], abs=1e-6)


def test_a_search_leaves_out_what_scores_lower(meetings):
    every = meetings.search("budget", ranker="base")
    least = every[1].score
    assert meetings.search("budget", ranker="base", min_score=least) == every[:2]
    given = {"ranker": "base", "min_score": least}
    assert meetings.search_batch(["budget"], **given) == [every[:2]]
    assert asyncio.run(meetings.asearch("budget", **given)) == every[:2]


def test_questions_of_a_batch_have_filters_of_their_own(meetings):
    filters = [{"document_id": "b"}, None, {"document_id": "a"}]
    found = meetings.search_batch(["budget"] * 3, filters=filters)
    assert [{hit.id for hit in hits} for hits in found] == [
        {"b0"},
        {"a0", "a1", "b0", "c0"},
        {"a0", "a1"},
    ]


def test_alternatives_of_one_key_are_compared_together(monkeypatch):
    rows = MetadataRows(4, lambda: (item.metadata for item in MEETINGS))
    compared, own = [], MetadataRows._compared

    def counted(self, one):
        compared.append(one.key)
        return own(self, one)

    monkeypatch.setattr(MetadataRows, "_compared", counted)
    years = {"$or": [{"year": 2020}, {"year": {"$in": [2021, 2020.0]}}, {"document_id": "c"}]}
    found = rows.matching(years).tolist()
    assert sorted(compared) == ["document_id", "year"]
    for wanted in (years, {"$not": {"$not": years}}, {"$and": [years, {"$or": [{}, years]}]}):
        expected = [n for n, item in enumerate(MEETINGS) if fits(parsed(wanted), item.metadata)]
        assert rows.matching(wanted).tolist() == expected
    assert found == rows.matching({"$not": {"$not": years}}).tolist()


def test_one_filter_of_many_questions_is_looked_up_once(meetings, monkeypatch):
    looked, own = [], type(meetings).allowed

    def allowed(index, wanted):
        looked.append(wanted)
        return own(index, wanted)

    monkeypatch.setattr(type(meetings), "allowed", allowed)
    key = next(iter(meetings.objects[0].metadata))
    wanted = {key: meetings.objects[0].metadata[key]}
    questions = ["Who decided?"] * 4
    found = meetings.retrieve(questions, filters=[wanted, None, wanted, None])
    assert len(looked) == 2
    for query, alone in enumerate((wanted, None, wanted, None)):
        (rows,) = meetings.retrieve(questions[:1], filters=[alone]).rows
        assert [row for row in found.rows[query] if row >= 0] == [row for row in rows if row >= 0]


def test_a_filter_that_nothing_fits_leaves_no_results_and_says_so(meetings):
    with pytest.warns(GrapherWarning, match="no object fits that of a question"):
        found = meetings.search_batch(["budget", "lunch"], filters=[{"document_id": "z"}, None])
    assert found[0] == []
    assert len(found[1]) == 4


def test_what_a_filter_asks_for_is_in_no_warning(meetings):
    with pytest.warns(GrapherWarning) as said:
        for value in ("y", "z" * 10_000):
            meetings.search("budget", filter={"document_id": value})
    assert len({str(one.message) for one in said}) == 1


def test_a_key_that_no_object_has_is_known_from_then_on():
    read = []
    rows = MetadataRows(4, lambda: read.append(1) or (item.metadata for item in MEETINGS))
    for key in ("doc", "doc", "docs", "x" * 10_000):
        with pytest.raises(InputError, match=r"use document_id, tags, year$"):
            rows.matching({key: "a"})
    assert len(read) == 1
    assert rows.matching({"year": 2021}).tolist() == [1]
    assert rows.matching({"year": 2021}).tolist() == [1]
    assert len(read) == 2


def test_a_filter_reads_no_text_from_a_disk(meetings, tmp_path, monkeypatch):
    meetings.save(tmp_path / "index")
    opened = Index.load(tmp_path / "index").update([replace(MEETINGS[0], id="d0")])
    monkeypatch.setattr(ParquetObjects, "__getitem__", lambda *_: Object("", ""))
    assert opened.allowed({"year": 2020}).tolist() == [0, 2, 4]


def test_filters_are_one_a_question(meetings):
    for filters in ([{"document_id": "a"}], [None]):
        with pytest.raises(InputError, match="filters: 1 for 2 questions"):
            meetings.search_batch(["budget", "lunch"], filters=filters)


def test_nothing_compiles_again_for_another_filter(meetings, compilations):
    meetings.search("budget", filter={"document_id": "a"})
    before = compilations()
    meetings.search("budget", filter={"document_id": "b"})
    assert np.array_equal(before, compilations())
