import numpy as np
import oracles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grapher_jax import kernels

# Few identities, so that overlaps are common.
shapes = st.sampled_from([(1, 1), (9, 5)])
slots = hnp.arrays(np.int32, shapes, elements=st.integers(-1, 6))


@given(slots, st.data())
def test_shared_entities_agree_with_sets(ids, data):
    mask = data.draw(hnp.arrays(bool, len(ids)))
    np.testing.assert_allclose(
        kernels.shared_entity_adjacency(ids, mask=mask),
        oracles.shared_entities(ids, mask=mask),
        atol=1e-6,
    )


def test_shared_entities_use_the_counts_they_are_given():
    ids = np.array([[1, 2], [1, -1]])
    counts = np.array([4, 2])
    A = kernels.shared_entity_adjacency(ids, counts)
    np.testing.assert_allclose(A, oracles.shared_entities(ids, counts), atol=1e-6)
    assert A[1, 0] == 0.25


@given(slots, st.data())
def test_foreign_keys_agree_with_a_loop(references, data):
    n = len(references)
    object_ids = np.array(data.draw(st.permutations(range(max(n, 7)))))[:n].astype(np.int32)
    mask = data.draw(hnp.arrays(bool, n))
    expected = oracles.references(object_ids, references, mask)
    for build in (kernels.foreign_key_adjacency, kernels.link_adjacency):
        np.testing.assert_array_equal(build(object_ids, references, mask=mask), expected)


@given(
    hnp.arrays(np.int32, st.sampled_from([(1, 2), (9, 2)]), elements=st.integers(-1, 3)),
    st.data(),
)
def test_chunks_are_joined_to_the_next_of_their_document(places, data):
    documents, chunks = places.T
    mask = data.draw(hnp.arrays(bool, len(places)))
    A = kernels.chunk_adjacency(documents, chunks, mask=mask)
    np.testing.assert_array_equal(A, oracles.chunks(documents, chunks, mask))


def test_leading_dimensions_are_free():
    ids = np.random.default_rng(0).integers(-1, 5, (2, 3, 6, 4))
    A = kernels.shared_entity_adjacency(ids)
    assert A.shape == (2, 3, 6, 6)
    np.testing.assert_array_equal(A[1, 2], kernels.shared_entity_adjacency(ids[1, 2]))


def test_combine_is_a_weighted_sum():
    A, B = np.eye(2, dtype=np.float32), np.ones((2, 2), np.float32)
    np.testing.assert_array_equal(kernels.combine([A, B]), A + B)
    np.testing.assert_array_equal(kernels.combine([A, B], [2.0, 0.5]), 2 * A + 0.5 * B)


def test_combine_wants_a_weight_for_each_adjacency():
    with pytest.raises(ValueError, match="2 for 1 adjacencies; give one each"):
        kernels.combine([np.eye(2, dtype=np.float32)], [1.0, 2.0])
