"""Chroma, FAISS, Qdrant and LanceDB, as others fill them and with all of their metrics."""

from dataclasses import replace

import numpy as np
import pytest
from made_stores import OBJECTS, VECTORS, by_id, check_scores, everything
from small_embedder import SmallEmbedder

from grapher_jax import Object, StoreRetriever
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.retrieve import ChromaStore, FaissStore, LanceDBStore, QdrantStore


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
    other = QdrantStore(client=store.client, collection="re'cords", vector="dense", identity="nme")
    with pytest.warns(GrapherWarning, match="has no 'nme' in the payload of 1 points found, which"):
        other.search(VECTORS[:1], 1)
    with pytest.raises(InputError, match=r"'other': there is none; this client has re'cords"):
        QdrantStore(client=store.client, collection="other").search(VECTORS, 1)


def test_points_of_one_id_all_get_its_metadata(empty, tmp_path):
    store = empty("qdrant", tmp_path, 8, identity="doc")
    point, rows = pytest.importorskip("qdrant_client").models.PointStruct, VECTORS.tolist()
    names = ("a", "a", "a", "b")
    points = [point(id=n, vector=rows[n], payload={"doc": name}) for n, name in enumerate(names)]
    store.client.upsert(store.collection, points)
    store.annotate([Object(name, "", "", {"entities": [name]}) for name in ("a", "b")])
    found = store.client.scroll(store.collection)[0]
    assert [one.payload["entities"] for one in found] == [[name] for name in names]
    with pytest.raises(InputError, match="has a record 'b' already"):
        store.add([Object("b", "")], VECTORS[:1])


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
    with pytest.raises(InputError, match=r"metadata\.b\.c cannot be a column"):
        store.annotate([Object("2", "", "", {"a": "new", "b.c": "x"})])
    assert "a" not in table.schema.names
    with pytest.raises(InputError, match=r"table: LanceDBConnection is none; give db\.open_table"):
        LanceDBStore(table=lancedb.connect(tmp_path))
    with pytest.raises(InputError, match="column 'document_id' cannot hold this metadata"):
        store.annotate([Object("2", "", "", {"document_id": "two"})])
    with pytest.raises(InputError, match=r"metadata.a.b cannot be a column; use a name without"):
        store.annotate([Object("2", "", "", {"a.b": "x"})])
    with pytest.raises(InputError, match="has no 'nobody'; give filter= one of body, document_id"):
        store.search(VECTORS[:1], 1, filter={"nobody": 1})
    with pytest.raises(InputError, match="has no 'vector'; give vector= one of body, document_id"):
        LanceDBStore(table=table).search(VECTORS, 1)
    loose = lancedb.connect(tmp_path).create_table("loose", [{"id": "x", "emb": [0.5] * 8}])
    with pytest.raises(InputError, match=r"vector: .* holds 'emb' as list.*fixed size"):
        LanceDBStore(table=loose, vector="emb").dimension  # noqa: B018


def test_the_type_of_a_column_depends_on_all_records(empty, tmp_path):
    prices = [10] * 1200 + [9.5]
    items = [Object(str(n), "", "", {"price": price}) for n, price in enumerate(prices)]
    store = empty("lancedb", tmp_path, 8)
    store.add(items, np.repeat(VECTORS[:1], len(items), axis=0))
    (found,) = store.search(VECTORS[:1], 3, filter={"price": {"$lt": 10}})
    assert [one["metadata"] for one in found] == [{"price": 9.5}]


def test_records_of_faiss_are_checked_and_may_share_an_id():
    faiss = pytest.importorskip("faiss")
    index = faiss.IndexFlatIP(8)
    index.add(VECTORS[:3])
    years = [Object(name, "", "T", {"year": np.int64(2020)}) for name in ("a", "a", "b")]
    store = FaissStore(index, years)
    for wanted in ({"year": 2020}, {"year": {"$gt": 2019}}, {"title": "T"}):
        assert len(store.search(VECTORS[:1], 3, filter=wanted)[0]) == 3
    store.annotate([Object("a", "", "", {"links": ["b"]})])
    (found,) = store.search(VECTORS[:1], 3)
    assert [one["metadata"].get("links") for one in found if one["id"] == "a"] == [["b"]] * 2
    with pytest.raises(InputError, match="FlatIP: 2 records have the id 'a', such as chunks that"):
        StoreRetriever(store, SmallEmbedder()).search("which?")
    with pytest.raises(InputError, match=r"object 0: metadata.links must be a list of strings"):
        FaissStore(index, [Object("a", "", "", {"links": 3}), *years[1:]])


@pytest.mark.parametrize("kind", ["lancedb", "qdrant"])
def test_texts_under_another_name_are_missed(kind, empty, tmp_path, embedder):
    store = empty(kind, tmp_path, embedder.dimension)
    store.add([Object("17", "a lease", "", {"links": []})], embedder.embed_objects(["a lease"]))
    with pytest.warns(GrapherWarning, match="none of 1 candidates has a text under 'txt'; give"):
        StoreRetriever(replace(store, text="txt"), embedder).search("a lease")


def test_a_client_of_chroma_is_no_collection(tmp_path):
    chromadb = pytest.importorskip("chromadb")
    with pytest.raises(InputError, match=r"collection: Client is none; give client\.get_coll"):
        ChromaStore(chromadb.PersistentClient(tmp_path))
