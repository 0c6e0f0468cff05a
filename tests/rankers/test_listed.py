"""Lists that another retriever returned, as the shipped network reads them."""

import numpy as np
import pytest
from small_embedder import SilentEmbedder, SmallEmbedder

import grapher_jax as gj
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.rankers import listed
from grapher_jax.retrieve.embedders import offline

SCORED = [
    {"id": "orders", "score": 0.9, "metadata": {"foreign_keys": ["customers", "stores"]}},
    {"id": "songs", "score": 0.8},
    {"id": "stores", "score": 0.7},
    {"id": "customers", "score": 0.1},
]
TABLES = [{**one, "text": f"{one['id']}: id, name"} for one in SCORED]
QUESTION = "who bought songs?"
GAT = gj.Reranker(ranker="gat")


def ranked(candidates, question=QUESTION, **options):
    return GAT.rerank_batch([question], [candidates], **options)[0]


def assert_same(hits, others, atol=1e-5):
    assert [hit.id for hit in hits] == [hit.id for hit in others]
    scores = [[hit.score for hit in one] for one in (hits, others)]
    np.testing.assert_allclose(*scores, atol=atol)


def given(vectors):
    return [
        {**one, "embedding": vector.tolist()} for one, vector in zip(SCORED, vectors, strict=True)
    ]


def test_scores_and_keys_alone_are_ranked_by_the_network():
    hits = ranked(SCORED, embedder=SilentEmbedder())
    # Cosines that are all alike tell nothing either.
    assert_same(hits, ranked(given(np.ones((4, 8))), embedder=SmallEmbedder()))
    # Nothing reads the question, and nothing is told of it.
    assert_same(hits, ranked(SCORED, ""))


def test_one_candidate_without_text_leaves_its_list_without_cosine():
    expected = [(hit.id, hit.score) for hit in ranked(SCORED)]
    lacking = [*TABLES[:3], SCORED[3]]
    hits = ranked(lacking, embedder=SilentEmbedder())
    assert [(hit.id, hit.score) for hit in hits] == expected
    whole = [hit.score for hit in ranked(TABLES)]
    assert not np.allclose(whole, [score for _, score in expected], atol=1e-3)


@pytest.mark.nightly
def test_a_list_is_ranked_the_same_alone_and_beside_lists_of_every_kind():
    embedder = SmallEmbedder()
    vectors = given(embedder.embed_objects([one["text"] for one in TABLES]))
    lists = [TABLES, SCORED, [], [*vectors[:2], *TABLES[2:]], [TABLES[0], SCORED[1]], vectors]
    questions = [QUESTION, "", "what?", QUESTION, "", QUESTION]
    together = GAT.rerank_batch(questions, lists, embedder=embedder)
    for question, candidates, hits in zip(questions, lists, together, strict=True):
        assert_same(hits, ranked(candidates, question, embedder=embedder))
    # An embedding is that of the text, whoever made it.
    for other in (together[3], together[5]):
        assert_same(together[0], other)


def test_an_index_of_any_embedder_ranks_as_its_objects_do_as_candidates():
    objects = [gj.Object(one["id"], one["text"], "", one.get("metadata", {})) for one in TABLES]
    index = gj.Index.build(objects, embedder=SmallEmbedder(), text=())
    hits = index.search(QUESTION, ranker="gat")
    scores = {hit.id: hit.base_score for hit in hits}
    known = [{**one, "score": scores[one["id"]]} for one in TABLES]
    assert_same(hits, ranked(known, embedder=SmallEmbedder()))


def test_auto_loads_no_embedder_where_nothing_has_an_embedding(monkeypatch):
    monkeypatch.setattr(listed, "shared_embedder", lambda name: pytest.fail(name))
    linked = [{"id": "a", "score": 1.0, "metadata": {"links": ["b"]}}, {"id": "b", "score": 0.5}]
    for candidates in (linked, SCORED, TABLES):
        own = gj.Reranker().rerank_batch([QUESTION], [candidates], embedder="offline")[0]
        assert_same(own, gj.Reranker().rerank(QUESTION, candidates))


def test_auto_reads_embeddings_of_a_list_with_scores_no_more_beside_one_without():
    # Of whatever embedder they are, which nobody has named.
    own = given(np.eye(4, 8))
    unscored = [{"id": one["id"], "text": one["text"]} for one in TABLES]
    beside = gj.Reranker().rerank_batch([QUESTION] * 2, [own, unscored])
    assert_same(beside[0], gj.Reranker().rerank(QUESTION, own))
    assert_same(beside[1], gj.Reranker().rerank(QUESTION, unscored))


@pytest.mark.usefixtures("types_unchecked")
def test_embeddings_of_another_dimension_than_the_questions_are_named():
    small = given(np.eye(4, 8))
    with pytest.raises(InputError, match=r"'orders': embedding must be 384 .* of 'offline' are"):
        ranked(small)
    # Also where the list has no cosine.
    with pytest.raises(InputError, match="'orders': embedding must be 384 finite numbers"):
        ranked([*small[:2], *SCORED[2:]])
    with pytest.raises(InputError, match=r"embedder: a name or an embedder is needed, .*, not 5$"):
        ranked(small, embedder=5)
    with pytest.raises(InputError, match="question 2 is empty; ask something"):
        GAT.rerank_batch(["", " "], [SCORED, TABLES])


def test_without_the_offline_embedder_lists_are_ranked_without_cosine(monkeypatch):
    expected = ranked(SCORED)
    monkeypatch.setattr(offline, "_PACKAGE", "nowhere")
    monkeypatch.setattr(listed, "shared_embedder", lambda _: offline.OfflineEmbedder())
    with pytest.warns(GrapherWarning, match="^gat: no cosine .* run: pip install") as told:
        first, second = GAT.rerank_batch([QUESTION] * 2, [TABLES, SCORED])
    assert len(told) == 1
    for hits in (first, second, ranked(SCORED)):
        assert_same(hits, expected)
