"""What every store does alike: Chroma, FAISS, Qdrant, LanceDB and PostgreSQL."""

import re
from pathlib import Path

import numpy as np
import pytest
from made_stores import OBJECTS, QUESTIONS, VECTORS, by_id, everything, spoil, unit
from small_embedder import SmallEmbedder

import grapher_jax
from grapher_jax import Index, Object, Reranker, StoreRetriever
from grapher_jax.corpus import read_objects
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.retrieve import MetadataRows
from grapher_jax.systems import System
from grapher_jax.systems.system import Retrieval
from grapher_jax.text import readable


def test_the_nearest_are_those_of_exact_search(kind, empty, tmp_path):
    rng = np.random.default_rng(1)
    objects, questions = unit(rng, 1200, 16), unit(rng, 5, 16)
    store = empty(kind, tmp_path, 16)
    assert store.count == 0
    assert store.search(questions, 3) == [[]] * 5
    store.add([Object(str(row), "") for row in range(700)], objects[:700])
    store.add([Object(str(row), "") for row in range(700, 1200)], objects[700:])
    assert (store.count, store.dimension) == (1200, 16)
    cosines = questions @ objects.T
    for found, exact in zip(store.search(questions, 20, embeddings=True), cosines, strict=True):
        rows = [int(candidate["id"]) for candidate in found]
        assert rows == np.argsort(-exact)[:20].tolist()
        np.testing.assert_allclose([c["score"] for c in found], exact[rows], atol=1e-5)
        np.testing.assert_allclose([c["embedding"] for c in found], objects[rows], atol=1e-6)


def test_records_come_back_as_they_were_added(store):
    (found,) = store.search(VECTORS[2:3], 6)
    assert found[0]["id"] == OBJECTS[2].id
    assert found[0]["score"] == pytest.approx(1, abs=1e-5)
    assert "embedding" not in found[0]
    for item in OBJECTS:
        record = by_id(found)[item.id]
        assert (record["title"], record["text"]) == (item.title, item.text)
        assert record["metadata"] == item.metadata


def test_vectors_must_be_finite(store):
    spoilt = VECTORS[:1] * np.nan
    with pytest.raises(InputError, match="vectors: they must be finite numbers"):
        store.search(spoilt, 1)
    with pytest.raises(InputError, match="vectors: they must be finite numbers"):
        store.add([Object("new", "")], spoilt)


def test_annotating_changes_metadata_alone(store):
    before = by_id(store.search(VECTORS[:1], 6, embeddings=True)[0])
    new = [
        Object("17", "ignored", "ignored", {"entities": ['a "b"', "é"], "level": 7}),
        Object("plain", "", "", {"entities": [], "links": ["17"]}),
        Object('"; DROP TABLE x; --', ""),
    ]
    store.annotate(new)
    after = by_id(store.search(VECTORS[:1], 6, embeddings=True)[0])
    assert after.keys() == before.keys()
    for identity, record in after.items():
        for key in ("title", "text", "score"):
            assert record[key] == before[identity][key]
        np.testing.assert_array_equal(record["embedding"], before[identity]["embedding"])
        added = next((item.metadata for item in new if item.id == identity), {})
        assert record["metadata"] == before[identity]["metadata"] | added


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"document_id": "d'1"}, [2]),
        ({"level": 3}, [3]),
        ({"level": 3.0}, [3]),
        ({"share": 0.5}, [3]),
        ({"done": False}, [4]),
        ({"done": True, "level": 3}, [3]),
        ({"odd key": "x", "level": 4}, [4]),
        ({"level": 3, "done": False}, []),
        ({"document_id": "x' OR '1'='1"}, []),
        ({}, range(6)),
    ],
)
def test_a_filter_is_equality_of_metadata(store, wanted, expected):
    found = store.search(VECTORS[:2], 6, filter=wanted)
    assert [{c["id"] for c in own} for own in found] == [{OBJECTS[row].id for row in expected}] * 2


@pytest.mark.parametrize("value", [None, ["x"], {"a": 0}, {"$ne": None}])
def test_a_filter_that_no_store_could_compare_is_named(store, value):
    with pytest.raises(InputError, match="filter: 'level' must be a string, a number or a bool"):
        store.search(VECTORS[:1], 1, filter={"level": value})


EXPRESSIONS = [
    {"level": {"$gt": 3}},
    {"level": {"$gte": 3, "$lt": 4}},
    {"level": {"$lte": 3.5}},
    {"level": {"$gt": "3"}},
    {"level": 3.0},
    {"level": {"$in": [3, 5.5, "x"]}},
    {"level": {"$nin": [3]}},
    {"level": {"$in": []}},
    {"level": {"$exists": False}},
    {"share": {"$gt": 0}},
    {"done": {"$ne": True}},
    {"done": {"$gt": 0}},
    {"done": 1},
    {"entities": {"$contains": "São Paulo"}},
    {"entities": {"$contains": 'the "Loop"'}},
    {"$not": {"entities": {"$contains": "東京"}}},
    {"entities": {"$contains": "Bos"}},
    {"document_id": {"$contains": "d'1"}},
    {"keywords": {"$contains": ""}, "level": 4},
    {"document_id": {"$gte": "d", "$lt": "e"}},
    {"$or": [{"level": {"$lt": 4}}, {"odd key": "x"}]},
    {"$not": {"level": {"$gt": 3}, "done": False}},
    {"$and": [{"done": {"$exists": True}}, {"$not": {"$or": [{"level": 4}, {"share": 1}]}}]},
    {"$and": [{}]},
]


def test_operators_let_through_what_they_do_in_an_index(store):
    rows = MetadataRows(len(OBJECTS), lambda: (item.metadata for item in OBJECTS))
    found, expected = {}, {}
    for wanted in EXPRESSIONS:
        told = str(wanted)
        expected[told] = [{OBJECTS[row].id for row in rows.matching(wanted)}] * 2
        listed = store.search(VECTORS[:2], 6, filter=wanted)
        found[told] = [{candidate["id"] for candidate in one} for one in listed]
    assert found == expected


NUMBERED = [
    *(Object(str(row), "", "", {"n": row}) for row in range(6)),
    Object("lists", "", "", {"n": [2, 5], "a": ["x", "y"]}),
    Object("string", "", "", {"n": "2", "a": "x"}),
]
OF_LISTS_AND_PARTS = [
    *({"n": {f"${sign}": bound}} for sign in ("lt", "lte", "gt", "gte") for bound in (2.5, -0.5)),
    *({"n": wanted} for wanted in (2.5, {"$in": [2.5, 1]}, {"$nin": [2.5]}, {"$ne": 2}, 2)),
    *({"n": {"$lt": bound}} for bound in (2**63, 2**70)),
    *({"a": wanted} for wanted in ("x", {"$in": ["x", 1]}, {"$ne": "x"}, {"$gt": "a"})),
    {"$not": {"a": {"$gt": "a"}}},
    {"a": {"$contains": "y"}},
]


def test_lists_and_parts_of_numbers_are_compared_as_in_an_index(kind, empty, tmp_path):
    """Qdrant compares the elements of lists, and Chroma the whole part of a number."""
    given = NUMBERED[:-2] if kind == "lancedb" else NUMBERED  # whose columns have one type
    store = empty(kind, tmp_path, 8)
    store.add(given, unit(np.random.default_rng(4), len(given), 8))
    rows = MetadataRows(len(given), lambda: (item.metadata for item in given))
    for wanted in OF_LISTS_AND_PARTS:
        if kind != "lancedb" or "n" in wanted:
            (found,) = store.search(VECTORS[:1], 9, filter=wanted)
            expected = {given[row].id for row in rows.matching(wanted)}
            assert (wanted, {one["id"] for one in found}) == (wanted, expected)


def test_a_record_without_direction_has_a_score(kind, empty, tmp_path):
    store = empty(kind, tmp_path, 8)
    store.add([Object("none", ""), Object("one", "")], VECTORS[:2] * [[0], [1]])
    (found,) = store.search(VECTORS[1:2], 2)
    assert found[0]["id"] == "one"
    assert all(np.isfinite(one["score"]) for one in found)


@pytest.mark.parametrize(
    ("kind", "metadata", "complaint"),
    [
        *(("lancedb", {key: 7}, key) for key in ("_distance", "_rowid", "_rowaddr", "_rowoffset")),
        *(("lancedb", {key: 7}, "cannot be a column") for key in ("", "\0", "a\nb")),
        ("lancedb", {"hash": 2**63}, "column 'hash' cannot hold"),
        *(("chroma", {key: 7}, "is no name for Chroma") for key in ("", "$x", "#x", "chroma:x")),
        ("chroma", {"hash": 2**64}, "metadata.hash of object '1501' is 18446744073709551616, whi"),
        ("pgvector", {"note": "a\0b"}, "object '1501' has a NUL character"),
        ("pgvector", {"a\0b": "note"}, "object '1501' has a NUL character"),
    ],
)
def test_what_a_library_cannot_hold_is_named_before_anything_is_written(
    kind, empty, tmp_path, metadata, complaint
):
    store = empty(kind, tmp_path, 8)
    store.add(OBJECTS[:1], VECTORS[:1])
    before = everything(store)
    many = [Object(str(row), "") for row in range(1501)] + [Object("1501", "", "", metadata)]
    with pytest.raises(InputError, match=complaint):
        store.add(many, np.repeat(VECTORS[:1], len(many), axis=0))
    with pytest.raises(InputError, match=complaint.replace("1501", "plain")):
        store.annotate([Object("plain", "", "", metadata)])
    assert store.count == 1
    assert everything(store) == before


def test_what_every_library_can_say_is_left_to_it(store, monkeypatch):
    monkeypatch.setattr(type(store), "_sifted", None)
    wanted = {"$or": [{"level": {"$gte": 4}}, {"share": {"$lt": 1}}], "odd key": {"$ne": "y"}}
    found = store.search(VECTORS[:1], 6, filter={"$and": [wanted, {"$not": {"done": True}}]})
    assert [candidate["id"] for candidate in found[0]] == ["17"]


def test_what_a_library_cannot_say_is_looked_for_until_enough_fit(kind, empty, tmp_path):
    vectors = unit(np.random.default_rng(2), 60, 8)
    store = empty(kind, tmp_path, 8)
    dates = [f"20{row % 30:02}-01-01" for row in range(60)]
    store.add([Object(str(row), "", "", {"day": dates[row]}) for row in range(60)], vectors)
    found = store.search(vectors[:3], 2, filter={"day": {"$gte": "2028"}})
    fitting = np.array([row for row in range(60) if dates[row] >= "2028"])
    for one, vector in zip(found, vectors[:3], strict=True):
        nearest = fitting[np.argsort(-vectors[fitting] @ vector)][:2]
        assert [candidate["id"] for candidate in one] == [*map(str, nearest)]


def test_reranking_equals_that_of_an_index(shop, beir, embedder):
    index = Index.from_source(str(beir), embedder=embedder, text=())
    asked = StoreRetriever(shop, embedder)
    for ranker in ("gcs", "gat"):
        reranker = Reranker(ranker=ranker)
        dense = System(name="dense", retrieval=Retrieval(lexical_weight=0.0), reranker=reranker)
        expected = index.search_batch(QUESTIONS, system=dense)
        found = asked.search_batch(QUESTIONS, ranker=reranker)
        for hits, others in zip(found, expected, strict=True):
            assert [hit.id for hit in hits] == [hit.id for hit in others]
            assert [hit.base_rank for hit in hits] == [hit.base_rank for hit in others]
            np.testing.assert_allclose(
                [hit.score for hit in hits], [hit.score for hit in others], atol=1e-4
            )
    hit = next(hit for hit in asked.search(QUESTIONS[0]) if hit.id == "shop.customers")
    assert hit.text == "customers: id, first_name, last_name"
    assert hit.explanation.sources[0].id == "shop.orders"


def test_embeddings_are_asked_for_where_a_network_reads_them(shop, embedder, monkeypatch):
    asked, search = [], type(shop).search

    def told(store, *arguments, embeddings=False, **options):
        asked.append(embeddings)
        return search(store, *arguments, embeddings=embeddings, **options)

    monkeypatch.setattr(type(shop), "search", told)
    retriever = StoreRetriever(shop, embedder)
    for ranker, expected in (("gcs", [False]), ("gat", [True]), ("auto", [False, True])):
        asked.clear()
        retriever.search(QUESTIONS[0], ranker=ranker)
        assert asked == expected


def test_a_network_reranks_a_store_of_any_embedder(kind, empty, tmp_path, beir):
    objects, embedder = [*read_objects(beir)], SmallEmbedder()
    store = empty(kind, tmp_path, embedder.dimension)
    store.add(objects, embedder.embed_objects([readable(o.searchable_text) for o in objects]))
    index = Index.from_source(str(beir), embedder=embedder, text=())
    dense = System(
        name="dense", retrieval=Retrieval(lexical_weight=0.0), reranker=Reranker(ranker="gat")
    )
    expected = index.search_batch(QUESTIONS, system=dense)
    found = StoreRetriever(store, embedder).search_batch(QUESTIONS, ranker="gat")
    for hits, others in zip(found, expected, strict=True):
        assert [hit.id for hit in hits] == [hit.id for hit in others]
        np.testing.assert_allclose(
            [hit.score for hit in hits], [hit.score for hit in others], atol=1e-4
        )


def test_a_batch_equals_its_questions_one_by_one(shop, embedder):
    asked = StoreRetriever(shop, embedder)
    for question, hits in zip(QUESTIONS, asked.search_batch(QUESTIONS), strict=True):
        single = asked.search(question)
        assert [hit.id for hit in hits] == [hit.id for hit in single]
        np.testing.assert_allclose([h.score for h in hits], [h.score for h in single], atol=1e-5)
    # As many candidates as results at least, and no more than there are.
    assert len(asked.search(QUESTIONS[0], candidates=2)) == 6
    assert asked.search_batch([]) == []
    assert shop.search(np.zeros((0, embedder.dimension), np.float32), 3) == []


def test_each_question_has_its_filter(shop, embedder):
    shop.annotate([Object("shop.orders", "", "", {"db": "shop"})])
    asked = StoreRetriever(shop, embedder)
    twice, filters = [QUESTIONS[0]] * 2, [{"db": "shop"}, None]
    first, second = asked.search_batch(twice, filters=filters)
    assert [hit.id for hit in first] == ["shop.orders"]
    assert len(second) == 6
    assert asked.search(QUESTIONS[0], filter={"db": "other"}) == []
    # Questions with one filter are asked together, and True is no 1.
    three = asked.search_batch(twice * 2, filters=[*filters, {"db": True}, {"db": "shop"}])
    assert [[hit.id for hit in hits] for hits in three] == [
        ["shop.orders"], [hit.id for hit in second], [], ["shop.orders"],
    ]  # fmt: skip
    best = asked.search_batch(twice, filters=filters, min_score=second[1].score)
    assert [hit.id for hit in best[1]] == [hit.id for hit in second[:2]]


def test_another_dimension_is_named(store, embedder):
    wrong = np.ones((1, 3), np.float32)
    for attempt in (lambda: store.search(wrong, 1), lambda: store.add([Object("x", "")], wrong)):
        with pytest.raises(InputError, match="its vectors have 8 dimensions, not 3; use the emb"):
            attempt()
    with pytest.raises(InputError, match=r"'offline' gives 384 dimensions, .* has 8; use the embe"):
        StoreRetriever(store, embedder).search("What?")
    assert store.count == 6


def test_a_store_without_metadata_keeps_its_order_and_is_named(kind, empty, tmp_path, embedder):
    store = empty(kind, tmp_path, embedder.dimension)
    store.add([Object("a", "one"), Object("b", "two")], embedder.embed_objects(["one", "two"]))
    asked = StoreRetriever(store, embedder)
    with pytest.warns(
        GrapherWarning, match=r"none of 2 candidates has metadata .* `annotate`, or use"
    ):
        assert [hit.id for hit in asked.search("one")] == ["a", "b"]
    assert [hit.id for hit in asked.search("one", ranker="base")] == ["a", "b"]
    # Lists of numbers are vectors too.
    store.add([Object("c", "three")], embedder.embed_objects(["three"]).tolist())
    assert [hit.id for hit in asked.search("three", ranker="base", k=1)] == ["c"]
    # Metadata that joins no two of the candidates are metadata all the same.
    store.annotate([Object("a", "", "", {"foreign_keys": ["elsewhere"]})])
    assert [hit.id for hit in asked.search("one")][:2] == ["a", "b"]


def test_metadata_that_are_no_lists_are_named(store):
    spoil(store)
    with pytest.raises(
        InputError, match=r"record '.*': metadata.entities must be a list of strings, or one as"
    ):
        everything(store)


def test_ids_that_cannot_be_used_are_named(store, types_unchecked):
    with pytest.raises(
        InputError, match="no record has any of the 2 ids, such as 'x'; give the ob"
    ):
        store.annotate([Object("x", "", "", {"links": []}), Object("y", "")])
    with pytest.warns(GrapherWarning, match="no record has the ids of 1 objects .such as 'x'.; th"):
        store.annotate([Object("x", ""), Object("17", "", "", {"links": ["x"]})])
    assert everything(store)["17"]["metadata"]["links"] == ["x"]
    with pytest.raises(InputError, match="duplicate id '17'"):
        store.annotate([Object("17", ""), Object("17", "")])
    with pytest.raises(InputError, match="has a record '17' already; annotate it, or delete it"):
        store.add([Object("new", ""), Object("17", "")], VECTORS[:2])
    with pytest.raises(InputError, match="2 vectors for 1 objects; give one each"):
        store.add([Object("new", "")], VECTORS[:2])
    with pytest.raises(InputError, match=r"metadata.entities must be a list of strings"):
        store.annotate([Object("17", "", "", {"entities": "Boston"})])
    for name in ("title", "text"):
        wrong = Object("x", "")
        object.__setattr__(wrong, name, None)  # the tests' type checks let nobody make one
        with pytest.raises(InputError, match=f'object 1: {name} must be a string, "" for none'):
            store.add([wrong], VECTORS[:1])
    for wrong in ([1.0, 2.0], [[1.0], [1.0, 2.0]], "vectors"):
        with pytest.raises(InputError, match="vectors: give one for each record, all of one len"):
            store.add([Object("new", ""), Object("newer", "")], wrong)
    assert store.count == 6
    store.annotate([])
    store.add([], VECTORS[:0])


def test_questions_that_cannot_be_asked_are_named(store, embedder):
    asked = StoreRetriever(store, embedder)
    for attempt, reason in (
        (lambda: asked.search(" "), "question 1 is empty"),
        (lambda: asked.search_batch("What?"), "give a list of questions"),
        (lambda: asked.search("What?", k=0), "k: 0 must be at least 1"),
        (lambda: asked.search("What?", candidates=0), "candidates: 0 must be at least 1"),
        (lambda: asked.search_batch(["What?"], filters=[]), "filters: 0 for 1 questions"),
        (lambda: store.search(VECTORS[:1], 0), "k: 0 must be at least 1"),
    ):
        with pytest.raises(InputError, match=reason):
            attempt()


@pytest.mark.parametrize(
    "store", ["ChromaStore", "FaissStore", "QdrantStore", "LanceDBStore", "PgvectorStore"]
)
def test_ten_lines_lead_from_a_collection_to_results(store):
    """The page's Python is run as it stands, with all of the documentation's."""
    page = Path(grapher_jax.__file__).parents[1] / "docs" / "how-to" / "stores.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    (block,) = (b for b in blocks if f"import {store}\n" in b and "StoreRetriever(store)" in b)
    assert len([line for line in block.splitlines() if line]) <= 10
