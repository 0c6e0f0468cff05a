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


@pytest.mark.parametrize("shape", [(4, 2, 2), (3, 3), (3, 3, 3), (2,)])
def test_combine_wants_adjacencies_of_one_shape(shape, types_unchecked):
    with pytest.raises(ValueError, match=r"adjacencies: (shape .* does|batches of .* do) not fit"):
        kernels.combine([np.zeros((3, 2, 2), np.float32), np.zeros(shape, np.float32)])


def test_weighted_references_count_as_the_larger_of_both_directions():
    rng = np.random.default_rng(5)
    ids = np.array([[0, 1, 2, 3, 3], [4, -1, 0, 1, 2]], np.int32)
    targets = rng.integers(-1, 5, (2, 5, 3)).astype(np.int32)
    weights = np.where(targets < 0, 0, rng.random((2, 5, 3))).astype(np.float32)
    mask = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 1]], bool)
    expected = np.zeros((2, 5, 5))
    for q, i, r in np.ndindex(targets.shape):
        for j in range(5):
            both = mask[q, i] and mask[q, j] and i != j
            if both and targets[q, i, r] == ids[q, j] != -1:
                for pair in ((q, i, j), (q, j, i)):
                    expected[pair] = max(expected[pair], weights[q, i, r])
    found = kernels.weighted_adjacency(ids, targets, weights, mask=mask)
    np.testing.assert_array_equal(found, expected)
    alone = kernels.weighted_adjacency(ids[0], targets[0], weights[0], mask=mask[0])
    np.testing.assert_array_equal(alone, expected[0])
    with pytest.raises(ValueError, match=r"weights: .* is outside"):
        kernels.weighted_adjacency(ids, targets, -weights)
    with pytest.raises(ValueError, match=r"weights: shape"):
        kernels.weighted_adjacency(ids, targets, weights[..., :2])
