"""Vector stores, each with its real library: Chroma, FAISS, Qdrant, LanceDB and PostgreSQL."""

import json
import os
import re
import secrets
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from small_embedder import SmallEmbedder

import grapher_jax
from grapher_jax import Index, Object, Reranker, StoreRetriever
from grapher_jax.corpus import read_objects
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.retrieve import (
    ChromaStore,
    FaissStore,
    LanceDBStore,
    MetadataRows,
    PgvectorStore,
    QdrantStore,
)
from grapher_jax.systems import System
from grapher_jax.systems.system import Retrieval
from grapher_jax.text import readable

KINDS = ("chroma", "faiss", "qdrant", "lancedb", "pgvector")
QUESTIONS = ["Which orders were placed in stores of Boston?", "How many animals are there?"]
OBJECTS = [
    Object("plain", "a text", "A title", {"entities": ["Boston", "São Paulo"], "chunk_id": 0}),
    Object('"; DROP TABLE x; --', "two", "", {"entities": ["O'Hare", 'the "Loop"', "東京"]}),
    Object("a' OR '1'='1", "three", "", {"foreign_keys": ["plain"], "document_id": "d'1"}),
    Object('{"$gt": ""}', "fo'ur", "", {"links": [], "level": 3, "share": 0.5, "done": True}),
    Object("17", "五", "", {"keywords": [""], "level": 4, "done": False, "odd key": "x"}),
    Object("f0e1d2c3-0000-4000-8000-000000000000", "", "", {}),
]


def unit(rng, *shape):
    vectors = rng.normal(size=shape).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


VECTORS = unit(np.random.default_rng(0), len(OBJECTS), 8)


def empty_chroma(folder, dimension, *, space="cosine"):
    chromadb = pytest.importorskip("chromadb")
    client = chromadb.PersistentClient(
        str(folder / "chroma"), settings=chromadb.config.Settings(anonymized_telemetry=False)
    )
    name = f"records-{secrets.token_hex(4)}"
    configuration = {"hnsw": {"space": space, "ef_search": 300, "ef_construction": 300}}
    collection = client.create_collection(
        name, configuration=configuration, embedding_function=None
    )
    return ChromaStore(collection)


def empty_faiss(folder, dimension):
    return FaissStore(pytest.importorskip("faiss").IndexFlatIP(dimension), [])


def empty_qdrant(folder, dimension, *, distance="Cosine", **options):
    models = pytest.importorskip("qdrant_client.models")
    client = pytest.importorskip("qdrant_client").QdrantClient(":memory:")
    settings = models.VectorParams(size=dimension, distance=distance)
    vector = options.get("vector")
    client.create_collection("re'cords", vectors_config={vector: settings} if vector else settings)
    return QdrantStore(client=client, collection="re'cords", **{"identity": "name", **options})


def empty_lancedb(folder, dimension):
    arrow, lancedb = pytest.importorskip("pyarrow"), pytest.importorskip("lancedb")
    vector = arrow.list_(arrow.float32(), dimension)
    fields = [("id", arrow.string()), ("text", arrow.string()), ("vector", vector)]
    database = lancedb.connect(folder / "lance")
    table = database.create_table(f"t{secrets.token_hex(4)}", schema=arrow.schema(fields))
    return LanceDBStore(table=table)


@pytest.fixture(scope="module")
def empty(request):
    """A function from a kind, a folder and a dimension to an empty store."""
    connections = []

    def make(kind, folder, dimension, **options):
        if kind != "pgvector":
            return globals()[f"empty_{kind}"](folder, dimension, **options)
        psycopg = pytest.importorskip("psycopg")
        connections.append(psycopg.connect(request.getfixturevalue("pgvector_url")))
        name = f'x"; DROP TABLE y; -- {secrets.token_hex(4)}'
        connections[-1].execute(
            psycopg.sql.SQL(
                "CREATE TABLE {} (id text PRIMARY KEY, text text, embedding vector({}))"
            ).format(psycopg.sql.Identifier(name), dimension)
        )
        connections[-1].commit()
        return PgvectorStore(connection=connections[-1], table=name, **options)

    yield make
    for connection in connections:
        connection.close()


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def store(kind, empty, tmp_path):
    """A store of each kind with six records, whose ids, texts and metadata are odd."""
    made = empty(kind, tmp_path, 8)
    made.add(OBJECTS, VECTORS)
    return made


@pytest.fixture
def shop(kind, empty, tmp_path, beir, embedder):
    """A store of each kind with the small shop."""
    objects = [*read_objects(beir)]
    made = empty(kind, tmp_path, embedder.dimension)
    made.add(objects, embedder.embed_objects([readable(o.searchable_text) for o in objects]))
    return made


def by_id(candidates):
    return {candidate["id"]: candidate for candidate in candidates}


def everything(store):
    return by_id(store.search(VECTORS[:1], 10)[0])


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
    for found in store.search(VECTORS[:2], 6, filter=wanted):
        assert {c["id"] for c in found} == {OBJECTS[row].id for row in expected}


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
    for one, vector in zip(found, vectors, strict=False):
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
    # Metadata that joins no two of the candidates are metadata all the same.
    store.annotate([Object("a", "", "", {"foreign_keys": ["elsewhere"]})])
    assert [hit.id for hit in asked.search("one")] == ["a", "b"]


def spoil(store):
    """Give records entities that are no list, as others might have written them."""
    wrong = {"entities": "Boston, Paris"}
    if isinstance(store, ChromaStore):
        store.collection.update(ids=["17"], metadatas=[wrong])
    elif isinstance(store, QdrantStore):
        models = pytest.importorskip("qdrant_client.models")
        store.client.set_payload(store.collection, wrong, points=models.Filter())
    elif isinstance(store, LanceDBStore):
        store.table.update(values=wrong)
    elif isinstance(store, PgvectorStore):
        psycopg = pytest.importorskip("psycopg")
        table = psycopg.sql.Identifier(store.table)
        store.connection.execute(
            psycopg.sql.SQL("UPDATE {} SET metadata = %s").format(table),
            [psycopg.types.json.Jsonb(wrong)],
        )
    else:
        store.objects[0] = Object("plain", "", "", wrong)


def test_metadata_that_are_no_lists_are_named(store):
    spoil(store)
    with pytest.raises(
        InputError, match=r"record '.*': metadata.entities must be a list of strings, or one as"
    ):
        everything(store)


def test_ids_that_cannot_be_used_are_named(store):
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


def check_scores(store):
    """Whether the scores of records are the cosines, best first."""
    for found, exact in zip(store.search(VECTORS, 6), VECTORS @ VECTORS.T, strict=True):
        expected = dict(zip((item.id for item in OBJECTS), exact, strict=True))
        scores = [candidate["score"] for candidate in found]
        np.testing.assert_allclose(scores, [expected[c["id"]] for c in found], atol=2e-3)
        assert len(found) == 6
        assert (np.diff(scores) <= 1e-3).all()


@pytest.mark.parametrize("space", ["cosine", "l2", "ip"])
def test_every_metric_of_chroma_becomes_the_cosine(empty, tmp_path, space):
    store = empty("chroma", tmp_path, 8, space=space)
    store.add(OBJECTS, VECTORS)
    check_scores(store)


@pytest.mark.parametrize("distance", ["Cosine", "Dot", "Euclid"])
def test_every_metric_of_qdrant_becomes_the_cosine(empty, tmp_path, distance):
    store = empty("qdrant", tmp_path, 8, distance=distance)
    store.add(OBJECTS, VECTORS)
    check_scores(store)


@pytest.mark.parametrize("metric", ["cosine", "l2", "dot"])
def test_every_metric_of_lancedb_becomes_the_cosine(empty, tmp_path, metric):
    from lancedb.index import IvfFlat

    store = empty("lancedb", tmp_path, 8)
    store.add(OBJECTS, VECTORS)
    store.table.create_index("vector", config=IvfFlat(distance_type=metric, num_partitions=1))
    check_scores(store)


@pytest.mark.parametrize("operator", ["<=>", "<->", "<#>"])
@pytest.mark.parametrize("column", ["vector", "halfvec"])
def test_every_operator_and_type_of_pgvector_gives_the_cosine(empty, tmp_path, operator, column):
    store = empty("pgvector", tmp_path, 8, operator=operator)
    store.add(OBJECTS, VECTORS)
    sql = pytest.importorskip("psycopg").sql
    with store.connection.transaction():
        store.connection.execute(
            sql.SQL("ALTER TABLE {} ALTER embedding TYPE {}(8)").format(
                sql.Identifier(store.table), sql.SQL(column)
            )
        )
    check_scores(store)


@pytest.mark.parametrize("metric", ["METRIC_INNER_PRODUCT", "METRIC_L2"])
@pytest.mark.parametrize("make", ["Flat", "IDMap,Flat", "IDMap2,HNSW8", "IVF1,Flat", "HNSW8"])
def test_kinds_of_faiss_indexes(metric, make):
    faiss = pytest.importorskip("faiss")
    index = faiss.index_factory(8, make, getattr(faiss, metric))
    index.train(VECTORS)
    objects = OBJECTS
    if make.startswith(("IDMap", "IVF")):
        numbers = np.arange(6) * 100 + 7
        index.add_with_ids(VECTORS, numbers)
        objects = dict(zip(numbers.tolist(), OBJECTS, strict=True))
    else:
        index.add(VECTORS)
    store = FaissStore(index, objects)
    check_scores(store)
    assert [c["id"] for c in store.search(VECTORS[:1], 6, filter={"level": 4})[0]] == ["17"]
    store.add([Object("new", "", "", {"level": 4})], VECTORS[5:])
    (found,) = store.search(VECTORS[5:], 2, embeddings=True)
    assert {c["id"] for c in found} == {"new", OBJECTS[5].id}
    # An index that cannot give a vector back leaves it out.
    assert ("embedding" in found[0]) == (make in ("Flat", "IDMap2,HNSW8", "HNSW8"))
    found = store.search(VECTORS[:1], 6, filter={"level": 4})[0]
    assert {c["id"] for c in found} == {"17", "new"}


@pytest.mark.parametrize(
    ("kind", "options", "keys"),
    [
        ("qdrant", {}, ("name", "text")),
        ("qdrant", {"identity": "table", "text": "db"}, ("table", "db")),
        ("qdrant", {"identity": None}, ("text",)),
        ("lancedb", {}, ("id", "text", "vector")),
    ],
)
def test_metadata_where_a_store_keeps_something_else_are_named(
    empty, tmp_path, kind, options, keys
):
    store = empty(kind, tmp_path, 8, **options)
    store.add(OBJECTS[4:5], VECTORS[4:5])
    for key in keys:
        spoiling = [Object("17", "", "", {key: "x"})]
        for attempt in (
            lambda wrong=spoiling: store.annotate(wrong),
            lambda wrong=spoiling: store.add(wrong, VECTORS[:1]),
        ):
            with pytest.raises(InputError, match=f"metadata.{key} of object '17' would overwrite"):
                attempt()
    assert everything(store)["17"]["text"] == "五"


def test_integers_and_odd_names_in_payloads_of_qdrant(empty, tmp_path):
    models = pytest.importorskip("qdrant_client.models")
    store = empty("qdrant", tmp_path, 8, metadata="of.them")
    payloads = [{"name": 7, "of.them": {"kind": "a"}}, {"name": "x", "of.them": {"kind": "a"}}]
    batch = models.Batch(ids=[1, 2], vectors=VECTORS[:2].tolist(), payloads=payloads)
    store.client.upsert(store.collection, batch)
    store.annotate([Object(name, "", "", {"links": ["x"]}) for name in ("7", "x")])
    found = by_id(store.search(VECTORS[:1], 2, filter={"kind": "a"})[0])
    assert found.keys() == {"7", "x"}
    assert found["7"]["metadata"] == found["x"]["metadata"] == {"kind": "a", "links": ["x"]}
    with pytest.raises(InputError, match="already; annotate it"):
        store.add([Object("7", "")], VECTORS[:1])
    with pytest.raises(InputError, match="payload key 'a\"b': Qdrant finds none with a quotation"):
        store.search(VECTORS[:1], 1, filter={'a"b': 1})


def test_keywords_of_another_tool_are_left_out(empty, tmp_path):
    store = empty("chroma", tmp_path, 8)
    store.add(OBJECTS[4:5], VECTORS[4:5])
    for keywords in ("a, b", "", 3):
        store.collection.update(ids=["17"], metadatas=[{"keywords": keywords}])
        assert "keywords" not in everything(store)["17"]["metadata"]


def test_a_metric_that_tells_no_cosine_is_named(empty, tmp_path):
    store = empty("qdrant", tmp_path, 8, distance="Manhattan")
    store.add(OBJECTS, VECTORS)
    with pytest.raises(InputError, match="Manhattan tells no cosine; fill one that has Cosine"):
        everything(store)
    faiss = pytest.importorskip("faiss")
    index = faiss.IndexFlat(8, faiss.METRIC_L1)
    index.add(VECTORS)
    with pytest.raises(InputError, match="metric 2 tells no cosine; fill one that has METRIC_INNE"):
        everything(FaissStore(index, OBJECTS))


@pytest.mark.parametrize("options", [{"space": "l2"}, {"space": "ip"}])
def test_vectors_that_are_not_of_unit_length_are_told(empty, tmp_path, options):
    store = empty("chroma", tmp_path, 8, **options)
    store.add(OBJECTS, 3 * VECTORS)
    with pytest.raises(InputError, match=r"not of unit length, .* normalise them, or use the cosi"):
        everything(store)


def test_records_that_faiss_lacks_are_told():
    faiss = pytest.importorskip("faiss")
    with pytest.raises(
        InputError, match="FAISS IndexFlatIP: 6 objects for 0 vectors; give one each"
    ):
        FaissStore(faiss.IndexFlatIP(8), OBJECTS)
    store = FaissStore(faiss.IndexFlatIP(8), [])
    store.add(OBJECTS, VECTORS)
    with pytest.raises(InputError, match="filter: no object has metadata 'nobody'; use chunk_id"):
        store.search(VECTORS[:1], 1, filter={"nobody": 1})
    assert OBJECTS[0].metadata == {"entities": ["Boston", "São Paulo"], "chunk_id": 0}


def test_collections_of_qdrant_as_others_fill_them(empty, tmp_path):
    options = {"vector": "dense", "identity": None, "text": "page_content", "metadata": "metadata"}
    store = empty("qdrant", tmp_path, 8, **options)
    with pytest.raises(InputError, match="ids are integers and UUIDs, not 'plain'; give identity="):
        store.add(OBJECTS, VECTORS)
    store.add(OBJECTS[4:], VECTORS[4:])
    store.annotate([Object("17", "", "", {"entities": ["Boston"]})])
    point = next(p for p in store.client.scroll("re'cords")[0] if p.id == 17)
    assert point.payload == {
        "page_content": "五",
        "metadata": {**OBJECTS[4].metadata, "entities": ["Boston"]},
    }
    (found,) = store.search(VECTORS[4:5], 3, filter={"odd key": "x"}, embeddings=True)
    assert [(c["id"], c["text"]) for c in found] == [("17", "五")]
    np.testing.assert_allclose(found[0]["embedding"], VECTORS[4], atol=1e-6)
    with pytest.raises(InputError, match="has no ''; give vector= one of dense"):
        QdrantStore(client=store.client, collection="re'cords").search(VECTORS, 1)
    with pytest.raises(InputError, match=r"'other': there is none; this client has re'cords"):
        QdrantStore(client=store.client, collection="other").search(VECTORS, 1)


def test_tables_of_lancedb_as_others_fill_them(empty, tmp_path):
    arrow, lancedb = pytest.importorskip("pyarrow"), pytest.importorskip("lancedb")
    rows = [
        {"key": row, "embedding": vector, "body": "x", "entities": ["Boston"], "document_id": 3}
        for row, vector in enumerate(VECTORS.tolist())
    ]
    fixed = arrow.list_(arrow.float32(), 8)
    types = {"key": arrow.int64(), "embedding": fixed, "body": arrow.string()}
    types |= {"entities": arrow.list_(arrow.string()), "document_id": arrow.int32()}
    table = lancedb.connect(tmp_path).create_table(
        "theirs", arrow.Table.from_pylist(rows, schema=arrow.schema(types))
    )
    store = LanceDBStore(table=table, vector="embedding", identity="key", text="body")
    store.annotate([Object("2", "", "", {"entities": ["O'Hare"], "links": ["1"]})])
    found = everything(store)
    assert found["2"]["metadata"] == {"entities": ["O'Hare"], "document_id": "3", "links": ["1"]}
    assert found["1"]["metadata"] == {"entities": ["Boston"], "document_id": "3"}
    with pytest.raises(InputError, match="column 'document_id' cannot hold this metadata"):
        store.annotate([Object("2", "", "", {"document_id": "two"})])
    with pytest.raises(InputError, match=r"metadata.a.b cannot be a column; use a name without"):
        store.annotate([Object("2", "", "", {"a.b": "x"})])
    with pytest.raises(InputError, match="has no 'nobody'; give filter= one of body, document_id"):
        store.search(VECTORS[:1], 1, filter={"nobody": 1})
    with pytest.raises(InputError, match="has no 'vector'; give vector= one of body, document_id"):
        LanceDBStore(table=table).search(VECTORS, 1)


def test_tables_of_postgresql_as_others_fill_them(empty, tmp_path):
    made = empty("pgvector", tmp_path, 8)
    connection = made.connection
    with connection.transaction():
        connection.execute("CREATE SCHEMA IF NOT EXISTS theirs")
        connection.execute("DROP TABLE IF EXISTS theirs.docs")
        connection.execute(
            "CREATE TABLE theirs.docs (key int, body text, v vector, note json, meta jsonb)"
        )
        connection.cursor().executemany(
            "INSERT INTO theirs.docs VALUES (%s, 'x', %s::vector, '{}', '{\"kind\": \"a\"}')",
            [(row, vector) for row, vector in enumerate(VECTORS.tolist())],
        )
        connection.execute("INSERT INTO theirs.docs VALUES (99, 'no vector')")
    names = {"vector": "v", "identity": "key", "text": "body", "metadata": "meta"}
    store = PgvectorStore(connection=connection, table="docs", schema="theirs", **names)
    assert (store.dimension, store.count) == (8, 7)
    store.annotate([Object("2", "", "", {"links": ["1"]})])
    found = everything(store)
    assert len(found) == 6
    assert found["2"]["metadata"] == {"kind": "a", "links": ["1"]}
    assert not connection.info.transaction_status  # nothing is left open

    def attempt(**options):
        given = {"connection": connection, "table": "docs", "schema": "theirs", **names, **options}
        return PgvectorStore(**given).search(VECTORS, 1)

    for options, reason in (
        ({"schema": None}, "'docs': there is none on the search path; give schema="),
        ({"table": "x; DROP TABLE theirs.docs"}, "there is none on the search path"),
        ({"vector": "embedding"}, "has no 'embedding'; give vector= one of body, key, meta, note"),
        ({"vector": "body"}, "'body' is of type text; give vector= one of type vector or halfvec"),
        ({"metadata": "note"}, "'note' is of type json; give metadata= one of type jsonb"),
        ({"operator": "<+>"}, "operator: '<[+]>' is unknown; use one of <=> <-> <#>"),
    ):
        with pytest.raises(InputError, match=reason):
            attempt(**options)
    with pytest.raises(InputError, match="has no 'metadata'; give metadata= one of embedding, id"):
        made.search(VECTORS, 1, filter={"x": 1})


def test_a_connection_of_postgresql_may_have_rows_of_its_own(empty, tmp_path):
    store = empty("pgvector", tmp_path, 8)
    store.connection.row_factory = pytest.importorskip("psycopg").rows.dict_row
    store.add(OBJECTS, VECTORS)
    store.annotate([Object("17", "", "", {"links": ["x"]})])
    assert (store.count, store.dimension) == (6, 8)
    assert everything(store)["17"]["metadata"]["links"] == ["x"]
    check_scores(store)


def test_records_of_postgresql_that_cannot_be_used_leave_nothing_open(empty, tmp_path):
    store = empty("pgvector", tmp_path, 8)
    store.add(OBJECTS, VECTORS)
    spoil(store)
    store.connection.commit()
    with pytest.raises(InputError) as raised:
        everything(store)
    # The traceback keeps every frame of the search.
    assert raised.value.__traceback__
    assert not store.connection.info.transaction_status


def test_a_user_may_have_postgresql_look_further(empty, tmp_path):
    store = empty("pgvector", tmp_path, 8)
    store.add(OBJECTS, VECTORS)
    connection = store.connection
    connection.execute("SET hnsw.ef_search = 500")
    connection.execute(
        "CREATE OR REPLACE FUNCTION ef_search() RETURNS text LANGUAGE sql "
        "AS $$ SELECT current_setting('hnsw.ef_search') $$"
    )
    sql = pytest.importorskip("psycopg").sql
    connection.execute(
        sql.SQL("CREATE VIEW looked AS SELECT id, ef_search() AS text, embedding FROM {}").format(
            sql.Identifier(store.table)
        )
    )
    view = PgvectorStore(connection=connection, table="looked")
    seen = [view.search(VECTORS[:1], k)[0][0]["text"] for k in (5, 900)]
    assert seen == ["500", "900"]
    connection.rollback()


def test_an_index_of_postgresql_returns_all_that_are_asked_for(empty, tmp_path):
    store = empty("pgvector", tmp_path, 8)
    vectors = unit(np.random.default_rng(2), 500, 8)
    store.add([Object(str(row), "", "", {"odd": row % 2}) for row in range(500)], vectors)
    sql = pytest.importorskip("psycopg").sql
    with store.connection.transaction():
        store.connection.execute(
            sql.SQL("CREATE INDEX ON {} USING hnsw (embedding vector_cosine_ops)").format(
                sql.Identifier(store.table)
            )
        )
        store.connection.execute("SET enable_seqscan = off")
    (found,) = store.search(vectors[:1], 200)
    assert len(found) == 200
    exact = np.argsort(-(vectors @ vectors[0]))[:200]
    assert len({c["id"] for c in found} & {*map(str, exact)}) >= 198
    (found,) = store.search(vectors[:1], 100, filter={"odd": 0})
    assert len(found) == 100


ASKED = """
import json, sys
import psycopg
from small_embedder import SmallEmbedder
from grapher_jax import StoreRetriever
from grapher_jax.retrieve import PgvectorStore
url, table, *questions = sys.argv[1:]
with psycopg.connect(url) as connection:
    retriever = StoreRetriever(PgvectorStore(connection=connection, table=table), SmallEmbedder())
    found = retriever.search_batch(questions, ranker="gcs")
print(json.dumps([[(hit.id, hit.score) for hit in hits] for hits in found]))
"""


def test_processes_that_share_a_server_answer_alike(empty, tmp_path, beir, pgvector_url):
    objects, embedder = [*read_objects(beir)], SmallEmbedder()
    store = empty("pgvector", tmp_path, embedder.dimension)
    store.add(objects, embedder.embed_objects([readable(o.searchable_text) for o in objects]))
    places = Path(__file__).parents[1], Path(grapher_jax.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))}
    command = [sys.executable, "-c", ASKED, pgvector_url, store.table, *QUESTIONS]
    processes = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    told = [process.communicate()[0] for process in processes]
    own = StoreRetriever(store, embedder).search_batch(QUESTIONS, ranker="gcs")
    expected = [[[hit.id, hit.score] for hit in hits] for hits in own]
    assert [json.loads(one) for one in told] == [expected] * 2


@pytest.mark.parametrize(
    "store", ["ChromaStore", "FaissStore", "QdrantStore", "LanceDBStore", "PgvectorStore"]
)
def test_ten_lines_lead_from_a_collection_to_results(store):
    """The page's Python is run as it stands, with all of the documentation's."""
    page = Path(grapher_jax.__file__).parents[1] / "docs" / "how-to" / "stores.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    (block,) = (b for b in blocks if f"import {store}\n" in b and "StoreRetriever(store)" in b)
    assert len([line for line in block.splitlines() if line]) <= 10
