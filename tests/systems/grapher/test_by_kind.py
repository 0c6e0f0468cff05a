"""The shipped network of tables and that of other objects, as one ranker."""

import numpy as np
from memory_collection import MemoryCollection, candidates_of

from grapher_jax import Object, Reranker
from grapher_jax.graph import EMPTY
from grapher_jax.rankers.options import RankingOptions
from grapher_jax.systems.grapher.by_kind import GatByKind
from grapher_jax.systems.networks import open_network
from grapher_jax.training.weights import SHIPPED_FOLDER

TABLES = [
    {"table": "orders", "foreign_keys": ["stores"]},
    {"table": "stores"},
    {"table": "staff", "foreign_keys": ["stores"]},
]
CHUNKS = [{"document_id": "d", "chunk_id": place} for place in range(3)]
# Of embeddings.
D = 4
TEXTS = ["orders: id, city", "stores: id, city", "staff: id, name"]


def listed(kind):
    names = [own.get("table", f"c{place}") for place, own in enumerate(kind)]
    return [
        {"id": name, "score": score, "text": text, "metadata": own}
        for name, score, text, own in zip(names, (0.9, 0.3, 0.4), TEXTS, kind, strict=True)
    ]


def scores(reranker, *lists):
    found = reranker.rerank_batch(["which city"] * len(lists), lists)
    return [[(hit.id, hit.score) for hit in hits] for hits in found]


def test_keys_choose_the_network_question_by_question():
    gat = Reranker(ranker="gat")
    assert isinstance(gat.opened, GatByKind)
    tables, others = (Reranker(ranker=str(SHIPPED_FOLDER / name)) for name in ("gat-tables", "gat"))
    both = scores(gat, listed(TABLES), listed(CHUNKS))
    for own, kind, network in zip(both, (TABLES, CHUNKS), (tables, others), strict=True):
        (alone,), (expected,) = scores(gat, listed(kind)), scores(network, listed(kind))
        assert [name for name, _ in own] == [name for name, _ in expected]
        for found in (own, alone):
            np.testing.assert_allclose(
                [score for _, score in found], [score for _, score in expected], atol=1e-5
            )


def test_a_report_names_the_weights_that_rank():
    objects = [Object(own["table"], "", "", own) for own in TABLES]
    chunks = [Object(f"c{place}", "", "", own) for place, own in enumerate(CHUNKS)]
    gat = Reranker(ranker="gat")
    assert gat.parameters(MemoryCollection(objects))["weights"] == "gat-tables"
    assert gat.parameters(MemoryCollection(chunks))["weights"] == "gat"
    keyless = Reranker(ranker="gat", proximities=["chunk"])
    assert keyless.parameters(MemoryCollection([*objects, *chunks]))["weights"] == "gat"
    assert RankingOptions().ranker == "auto"


def test_padding_and_no_questions():
    objects = [Object(own["table"], text, "", own) for own, text in zip(TABLES, TEXTS, strict=True)]
    collection = MemoryCollection(objects, embeddings=np.zeros((3, D), np.float32))
    prepared = open_network("gat").prepare(collection, ["foreign_key"])
    rows = np.array([[0, 1, 2, EMPTY], [EMPTY] * 4], np.int32)
    found = candidates_of(
        rows,
        np.where(rows == EMPTY, 0, 1 / (2 + rows)).astype(np.float32),
        np.zeros((2, D), np.float32),
    )
    top = prepared.rank(found, 4)
    assert sorted(np.asarray(top.indices)[0].tolist()) == [EMPTY, 0, 1, 2]
    assert (np.asarray(top.indices)[1] == EMPTY).all()
    nothing = candidates_of(
        np.full((1, 4), EMPTY, np.int32), np.zeros((1, 4), np.float32), np.zeros((1, D), np.float32)
    )
    assert (np.asarray(prepared.rank(nothing, 2).indices) == EMPTY).all()
