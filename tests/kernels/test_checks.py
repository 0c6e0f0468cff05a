import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax import kernels

# Without the tests' own type checks, which would speak first.
rerank = inspect.unwrap(kernels.rerank)
SCORES = np.array([0.5, 0.2, 0.1], np.float32)
IDS = np.arange(3)


@pytest.mark.parametrize(
    ("arrays", "complaint"),
    [
        ({"entity_ids": np.zeros((2, 4), int)}, r"entity_ids: shape \(2, 4\) .* \(3, any\)"),
        ({"foreign_keys": np.zeros((3, 1), int)}, "foreign_keys: object_ids is needed with it"),
        ({"links": np.zeros((3, 1), int)}, "links: object_ids is needed with it"),
        ({"document_ids": IDS}, "document_ids: chunk_ids is needed with it"),
        ({"entity_counts": IDS}, "entity_counts: entity_ids is needed with it"),
        ({"mask": np.ones(4, bool)}, r"mask: shape \(4,\) does not fit; it must be \(3\)"),
        ({"weights": {"fk": 3.0}}, "weights: 'fk' is unknown; use foreign_key"),
        ({"alpha": 0.0}, r"alpha: 0.0 is outside \(0, 1\]"),
        ({"alpha": 1.5}, r"alpha: 1.5 is outside"),
        ({"k": 0}, "k: 0 must be at least 1"),
        ({"max_steps": 0}, "max_steps: 0 must be at least 1"),
    ],
)
def test_what_cannot_be_ranked_is_named(arrays, complaint):
    with pytest.raises(ValueError, match=complaint):
        rerank(SCORES, **arrays)


def test_ids_must_be_integers():
    for call in (
        lambda: rerank(SCORES, object_ids=SCORES, foreign_keys=IDS[:, None]),
        lambda: rerank(SCORES, entity_ids=np.zeros((3, 2), np.float32)),
    ):
        with pytest.raises(TypeError, match="signed integers are needed, not float32"):
            call()


def test_ids_that_do_not_fit_32_bits_are_refused():
    with pytest.raises(ValueError, match="object_ids: IDs must fit int32"):
        kernels.foreign_key_adjacency(np.array([1, 2**32 + 2]), np.array([[2], [-1]]))


def test_any_negative_id_means_none():
    A = kernels.foreign_key_adjacency(np.array([-5, 1]), np.array([[-1], [-5]]))
    np.testing.assert_array_equal(A, np.zeros((2, 2)))


def test_an_adjacency_must_be_square():
    with pytest.raises((ValueError, TypeError), match="adjacency"):
        kernels.gcs(np.ones((3, 2), np.float32), SCORES)


@pytest.mark.parametrize("dtype", [np.int32, jnp.bfloat16, np.float16])
def test_scores_are_ranked_in_float32_at_least(dtype):
    scores = jnp.asarray([3, 1, 2], dtype)
    for rank in (kernels.gcs, kernels.ppr):
        found = rank(1 - jnp.eye(3), scores, alpha=0.3)
        expected = rank(1 - jnp.eye(3), scores.astype(jnp.float32), alpha=0.3)
        np.testing.assert_array_equal(found.scores, expected.scores)
        assert found.scores.dtype == jnp.float32


def test_float64_is_kept():
    with jax.enable_x64(True):
        solution = kernels.gcs(np.ones((2, 2)) - np.eye(2), np.array([1.0, 0.0]), alpha=0.3)
        assert solution.scores.dtype == jnp.float64


def test_no_slots_make_no_edges():
    none = np.zeros((3, 0), np.int32)
    np.testing.assert_array_equal(kernels.shared_entity_adjacency(none), np.zeros((3, 3)))
    np.testing.assert_array_equal(kernels.foreign_key_adjacency(IDS, none), np.zeros((3, 3)))


def test_nothing_cannot_be_combined():
    with pytest.raises(ValueError, match="adjacencies: there are none"):
        kernels.combine([])


def test_unsigned_ids_are_refused():
    with pytest.raises(TypeError, match="entity_ids: signed integers are needed, not uint32"):
        rerank(SCORES, entity_ids=np.zeros((3, 2), np.uint32))
    with pytest.raises(TypeError, match="signed integers are needed|parameter"):
        kernels.shared_entity_adjacency(np.zeros((3, 2), np.uint32))


def test_the_program_refuses_ids_that_do_not_fit_32_bits():
    with pytest.raises(ValueError, match="entity_ids: IDs must fit int32"):
        rerank(SCORES, entity_ids=np.array([[5], [2**32 + 5], [7]]))
