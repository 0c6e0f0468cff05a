"""The base retriever reads the corpus block by block, and finds what it finds at once."""

from dataclasses import replace

import numpy as np
import pytest

from grapher_jax.graph.stacked import Stacked
from grapher_jax.retrieve import RetrievalOptions, hybrid

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
