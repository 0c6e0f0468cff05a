"""The published ways to rank passages, as `bench` has them, do what they say."""

import sys
from dataclasses import replace
from pathlib import Path

import igraph
import numpy as np
import pytest

from grapher_jax.graph import Ragged

sys.path.append(str(Path(__file__).parents[2] / "bench"))

from passage_peers import (
    PEERS,
    Asked,
    Corpus,
    crossed,
    diverse,
    entity_graph,
    fusion,
    hippo,
    one_hop,
    transitions,
    walk,
)

ORTHOGONAL = np.eye(8, dtype=np.float32)


def corpus(entities, *, vectors=ORTHOGONAL, name_vectors=ORTHOGONAL, beside=()):
    """Passages with these entities, whose vectors are by default unlike each other."""
    n, lists = len(entities), Ragged.build(entities)
    names = [f"name {number}" for number in range(1 + max(lists.values))]
    return Corpus(
        vectors=vectors[:n],
        entities=lists,
        holders=lists.transposed(len(names)),
        names=names,
        name_vectors=name_vectors[: len(names)],
        beside=Ragged.build(beside or [[]] * n),
        texts=[f"passage {number}" for number in range(n)],
    )


def question(of, scores, *, cosines=None, lexical=None, linked=(), vector=ORTHOGONAL[0]):
    scores = np.array(scores, np.float32)
    return Asked(
        corpus=of,
        text="What?",
        rows=np.arange(len(scores)),
        scores=scores,
        cosines=scores if cosines is None else np.array(cosines),
        lexical=scores if lexical is None else np.array(lexical),
        vector=vector,
        linked=np.array(linked, int),
        nearness=np.ones(len(linked), np.float32),
    )


def test_fusion_adds_the_inverses_of_ranks():
    # Ranks by words: 3, 1, 2, 4; by cosine: 1, 4, 2, 3.
    asked = question(
        corpus([[0]] * 4), [4, 3, 2, 1], lexical=[1, 3, 2, 0], cosines=[0.4, 0.1, 0.3, 0.2]
    )
    assert fusion(asked, 4, constant=1) == [0, 1, 2, 3]  # twice 0.75, 0.7, 0.67, 0.45
    assert fusion(asked, 4, constant=1000) == [0, 2, 1, 3]  # nearly sums: 4, 5, 4, 7
    assert fusion(asked, 2, lexical=1) == [1, 2]
    assert fusion(asked, 2, lexical=0) == [0, 2]


def test_mmr_passes_over_what_is_like_the_best():
    vectors = ORTHOGONAL[[0, 0, 1, 2]]
    asked = question(corpus([[0]] * 4, vectors=vectors), [0.9, 0.6, 0.5, 0.1])
    assert diverse(asked, 4, trade_off=0.5) == [0, 2, 3, 1]
    assert diverse(asked, 4, trade_off=1.0) == [0, 1, 2, 3]
    assert diverse(asked, 4, trade_off=0.5, candidates=2) == [0, 1]


def test_the_walk_reaches_what_shares_an_entity():
    """At 0.5, the third passage has 0.083 and the second 0.133; at 0.8, 0.178 and 0.111."""
    asked = question(corpus([[0], [1], [0]]), [1.0, 0.2, 0.0])
    assert hippo(asked, 3, passages=1, damping=0.5) == [0, 1, 2]
    assert hippo(asked, 3, passages=1, damping=0.8) == [0, 2, 1]


def test_the_walk_returns_to_the_entities_of_the_question():
    """The second passage, whose entity is linked, has 0.467 and then 0.347, the first 0.583, 0.058."""
    asked = question(corpus([[0], [1], [0]]), [1.0, 0.2, 0.0], linked=[1])
    assert hippo(asked, 3, passages=1, damping=0.5) == [0, 1, 2]
    assert hippo(asked, 3, passages=0.1, damping=0.5) == [1, 0, 2]


def test_an_entity_of_many_passages_says_less():
    """Of two linked ones, that of a single passage has the greater part."""
    asked = question(corpus([[0], [1], [0]]), [1.0, 1.0, 1.0], linked=[0, 1])
    assert hippo(asked, 1) == [1]


def test_the_walk_crosses_to_like_names():
    """The third passage has 0.123 by a name of cosine 0.9, the second 0.105."""
    like = np.array([[1, 0], [0, 1], [0.9, np.sqrt(1 - 0.81)]], np.float32)
    asked = question(corpus([[0], [1], [2]], name_vectors=like), [1.0, 0.2, 0.0])
    assert hippo(asked, 3, passages=1, damping=0.9, synonyms=0.8) == [0, 2, 1]
    assert hippo(asked, 3, passages=1, damping=0.9, synonyms=0.95) == [0, 1, 2]


@pytest.mark.parametrize("damping", [0.3, 0.7])
def test_the_walk_is_that_of_igraph(damping):
    """HippoRAG calls igraph; two passages have no entity."""
    of = corpus([[0, 1], [1], [], [0, 2], []])
    joined = entity_graph(of, 0.8)
    seeds = np.array([0.5, 0.1, 0.3, 0, 0, 0, 1, 0])
    pairs = np.stack(joined.nonzero(), axis=1)
    graph = igraph.Graph(8, pairs[pairs[:, 0] < pairs[:, 1]])
    expected = graph.personalized_pagerank(directed=False, damping=damping, reset=seeds)
    found = walk(transitions(of, 0.8), seeds, damping)
    np.testing.assert_allclose(found / found.sum(), expected, atol=1e-6)


def test_the_graph_has_passages_then_entities():
    like = np.array([[1, 0], [0, 1], [0.5, 0.75**0.5]], np.float32)
    graph = entity_graph(corpus([[0], [0, 1], [2]], name_vectors=like), 0.85)
    edges = {(0, 3): 1, (1, 3): 1, (1, 4): 1, (2, 5): 1, (4, 5): pytest.approx(0.75**0.5)}
    assert graph.shape == (6, 6)
    assert {pair: graph[pair] for pair in zip(*graph.nonzero(), strict=True)} == {
        **edges,
        **{(target, source): weight for (source, target), weight in edges.items()},
    }


def test_a_hop_from_the_best():
    asked = question(corpus([[0], [1], [2], [1, 0], [0]]), [5, 4, 3, 2, 1])
    assert one_hop(asked, 5, seeds=1, mixed=False) == [0, 3, 4, 1, 2]
    assert one_hop(asked, 5, seeds=1, mixed=True) == [0, 3, 1, 4, 2]
    assert one_hop(asked, 5, seeds=1, common=2, mixed=False) == [0, 1, 2, 3, 4]
    assert one_hop(asked, 3, seeds=2, common=2, mixed=False) == [0, 1, 3]


@pytest.mark.nightly
def test_a_cross_encoder_orders_the_best(cross_encoder):
    asked = question(corpus([[0]] * 4), [4, 3, 2, 1])
    texts = ["the soup", "river engineer", "lunch", "bridge cost"]
    asked = replace(asked, text="what cost", corpus=replace(asked.corpus, texts=texts))
    library = pytest.importorskip("sentence_transformers").CrossEncoder(cross_encoder)
    scores = library.predict([("what cost", text) for text in texts], show_progress_bar=False)
    assert crossed(asked, 4, encoder=cross_encoder) == np.argsort(-scores).tolist()
    assert (
        crossed(asked, 4, encoder=cross_encoder, candidates=2) == np.argsort(-scores[:2]).tolist()
    )


@pytest.mark.parametrize("peer", sorted(PEERS.keys() - {"graph-retriever", "cross-encoder"}))
@pytest.mark.parametrize("n", [1, 3, 8])
def test_as_many_passages_as_there_are(peer, n):
    asked = question(corpus([[0], [1], [0], [], [1, 2], [], [2], [0]][:n]), range(n, 0, -1))
    for k in (1, 3, 8):
        found = PEERS[peer](asked, k)
        assert len({*found}) == len(found) == min(k, n)


def test_graph_retriever_follows_entities_and_chunks():
    pytest.importorskip("graph_retriever")
    traversal = PEERS["graph-retriever"]
    like_all = np.full(8, 8**-0.5, np.float32)
    entities = corpus([[0], [1], [2], [1, 0], [0]])
    asked = question(entities, [5, 4, 3, 2, 1], vector=like_all)
    assert traversal(asked, 3, start=1, adjacent=2) == [0, 3, 1]
    assert {*traversal(asked, 3, start=1, adjacent=3)} == {0, 3, 4}
    assert traversal(asked, 4, start=4, strategy="scored") == [0, 1, 2, 3]
    chunks = corpus([[0], [1], [2], [3]], beside=[[3], [2], [1], [0]])
    asked = question(chunks, [4, 3, 2, 1], vector=like_all)
    assert traversal(asked, 2, start=1) == [0, 3]
