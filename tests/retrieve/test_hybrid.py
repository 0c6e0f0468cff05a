"""The base retriever reads the corpus block by block, and finds what it finds at once."""

from dataclasses import replace

import numpy as np
import pytest

from grapher_jax.corpus import Query
from grapher_jax.graph.stacked import Stacked
from grapher_jax.retrieve import RetrievalOptions, hybrid
from grapher_jax.retrieve.collection import Questions

QUESTIONS = ["Which orders came from Boston?", "How large are the cages?", "songs"]


@pytest.fixture
def in_blocks(monkeypatch):
    """Blocks of two objects."""
    monkeypatch.setattr(hybrid, "_BLOCK_BYTES", 2 * 384 * 4)


def cut(retriever, objects):
    """A retriever of the first objects alone."""
    lexical = retriever.lexical.changed(np.arange(objects, 6), [])
    vectors = Stacked.of(retriever.embeddings).changed(np.arange(objects, 6), np.zeros((0, 384)))
    return replace(retriever, embeddings=vectors, lexical=lexical)


def fused(retriever, weight, found):
    """By numpy and in float64, `[B, N]`."""
    lexical = retriever.lexical.scores(QUESTIONS).all.astype(float)
    low, high = (bound(lexical, axis=1, keepdims=True) for bound in (np.min, np.max))
    cosines = found.questions.embeddings.astype(float) @ np.asarray(retriever.embeddings).T
    spread = np.where(high > low, high - low, 1.0)
    return weight * (lexical - low) / spread + (1 - weight) * cosines


@pytest.mark.parametrize("weight", [0.0, 0.3])
@pytest.mark.parametrize("objects", [5, 6])
def test_blocks_find_what_one_block_finds(index, in_blocks, weight, objects):
    retriever = cut(index.retriever, objects)
    assert [len(block.rows) for block in retriever._blocks] == [2, 2, 2]
    found = retriever.retrieve(QUESTIONS, options=RetrievalOptions(lexical_weight=weight))
    expected = fused(retriever, weight, found)
    order = np.argsort(-expected, axis=1, kind="stable")
    np.testing.assert_array_equal(found.rows, order)
    np.testing.assert_allclose(found.scores, np.take_along_axis(expected, order, 1), atol=1e-6)


@pytest.mark.parametrize("weight", [0.0, 0.3])
@pytest.mark.parametrize("norm", ["min-max", "max"])
def test_given_objects_are_scored_as_a_retriever_of_them_alone_would(index, weight, norm):
    options = RetrievalOptions(lexical_weight=weight, lexical_norm=norm)
    retriever = replace(cut(index.retriever, 5), options=options)
    asked = Questions([Query(str(n), text) for n, text in enumerate(QUESTIONS)], lambda: embedded)
    embedded = retriever.embed(QUESTIONS)
    every = retriever.retrieve(asked)
    found = retriever.among(asked, np.tile(np.arange(5, dtype=np.int32), (3, 1)))
    np.testing.assert_array_equal(found.rows, every.rows)
    np.testing.assert_allclose(found.scores, every.scores, atol=1e-6)
    # BM25 is scaled by the given objects, and what fills a row up changes nothing.
    rows = np.array([[3, 0, -1], [4, 2, 1], [2, -1, -1]], np.int32)
    some = retriever.among(asked, rows)
    lexical = retriever.lexical.scores(QUESTIONS).all.astype(float)
    for number, given in enumerate(([3, 0], [4, 2, 1], [2])):
        words = lexical[number, given]
        low = words.min() if norm == "min-max" else 0.0
        spread = words.max() - low or 1.0
        cosines = np.asarray(retriever.embeddings[given]) @ embedded[number]
        expected = weight * (words - low) / spread + (1 - weight) * cosines
        order = np.argsort(-expected, kind="stable")
        count = len(given)
        assert some.rows[number].tolist() == [*np.array(given)[order], *[-1] * (3 - count)]
        np.testing.assert_allclose(some.scores[number, :count], expected[order], atol=1e-6)
        assert not some.scores[number, count:].any()


def test_ties_between_blocks_go_to_the_earlier_object(index, in_blocks):
    same = np.repeat(index.embeddings[:1], 6, axis=0)
    found = replace(index.retriever, embeddings=same).retrieve(
        ["songs"], options=RetrievalOptions(lexical_weight=0.0)
    )
    np.testing.assert_array_equal(found.rows[0], np.arange(6))


@pytest.mark.parametrize("allowed", [None, [np.array([0, 4, 5]), np.array([1]), None]])
def test_what_joins_is_allowed_not_found_yet_and_the_best(index, in_blocks, allowed):
    near = np.array([[5, 4, -1, 4], [0, -1, -1, -1], [0, 1, 2, 3]], np.int32)
    retriever = index.retriever
    options = RetrievalOptions(candidates=2)
    found = retriever.retrieve(
        QUESTIONS, options=options, allowed=allowed, expand=lambda rows: near
    )
    expected = fused(retriever, options.lexical_weight, found)
    for query in range(3):
        open_to = range(6) if allowed is None or allowed[query] is None else allowed[query]
        first = sorted(open_to, key=lambda row: -expected[query, row])[:2]
        joined = {row for row in near[query] if row in open_to} - set(first) - {-1}
        rows = [*first, *sorted(joined, key=lambda row: -expected[query, row])]
        have = found.rows[query] != -1
        assert found.rows[query][have].tolist() == rows
        np.testing.assert_allclose(found.scores[query][have], expected[query, rows], atol=1e-6)


def test_embeddings_beyond_the_devices_memory_are_passed_through_it(index, in_blocks):
    retriever = replace(index.retriever)
    retriever.__dict__["_blocks"] = []  # as on a device that cannot hold them
    found, kept = (r.retrieve(QUESTIONS) for r in (retriever, index.retriever))
    np.testing.assert_array_equal(found.rows, kept.rows)
    np.testing.assert_array_equal(found.scores, kept.scores)


def test_all_blocks_are_the_input_of_one_program(index, in_blocks):
    retriever = cut(index.retriever, 5)
    retriever.embed(QUESTIONS)
    hybrid._better.function.clear_cache()
    retriever.retrieve(QUESTIONS)
    assert hybrid._better.function._cache_size() == 1


def test_memory_mapped_embeddings_are_read_where_they_are(index, tmp_path):
    np.save(tmp_path / "embeddings.npy", np.tile(index.embeddings, (100, 1)))
    mapped = np.load(tmp_path / "embeddings.npy", mmap_mode="r")
    (block,) = replace(index.retriever, embeddings=mapped)._blocks
    assert block.embeddings.unsafe_buffer_pointer() == mapped.ctypes.data
