"""Dense search reads the embeddings block by block, and finds what it finds at once."""

from dataclasses import replace

import jax
import numpy as np
import pytest

from grapher_jax.retrieve import hybrid

QUESTIONS = ["Which orders came from Boston?", "How large are the cages?", "songs"]


@pytest.fixture
def in_blocks(monkeypatch):
    """Blocks of two objects."""
    monkeypatch.setattr(hybrid, "_BLOCK_BYTES", 2 * 384 * 4)


@pytest.mark.parametrize("weight", [0.0, 0.3])
def test_blocks_find_what_one_block_finds(index, in_blocks, weight):
    retriever = replace(index.retriever)
    assert len(retriever._blocks) == 3
    found = retriever.retrieve(QUESTIONS, lexical_weight=weight)
    expected = np.argsort(-found.vectors.questions @ index.embeddings.T, axis=1, kind="stable")
    if weight == 0:
        np.testing.assert_array_equal(found.rows, expected)
    again = replace(index.retriever)
    again.__dict__["_blocks"] = [jax.device_put(index.embeddings)]
    whole = again.retrieve(QUESTIONS, lexical_weight=weight)
    np.testing.assert_array_equal(found.rows, whole.rows)
    np.testing.assert_allclose(found.scores, whole.scores, atol=1e-6)


def test_embeddings_beyond_the_devices_memory_are_passed_through_it(index, in_blocks):
    retriever = replace(index.retriever)
    retriever.__dict__["_blocks"] = []  # as on a device that cannot hold them
    found, kept = (r.retrieve(QUESTIONS) for r in (retriever, index.retriever))
    np.testing.assert_array_equal(found.rows, kept.rows)
    np.testing.assert_allclose(found.scores, kept.scores, atol=1e-6)


def test_memory_mapped_embeddings_are_read_where_they_are(index, tmp_path):
    np.save(tmp_path / "embeddings.npy", np.tile(index.embeddings, (100, 1)))
    mapped = np.load(tmp_path / "embeddings.npy", mmap_mode="r")
    (block,) = replace(index.retriever, embeddings=mapped)._blocks
    assert block.unsafe_buffer_pointer() == mapped.ctypes.data
