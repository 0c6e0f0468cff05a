import numpy as np

from grapher_jax import kernels


def test_min_max_moves_scores_to_the_unit_interval():
    scores = np.array([[2.0, 4.0, 3.0], [5.0, 5.0, 5.0]], np.float32)
    np.testing.assert_allclose(kernels.min_max(scores), [[0, 1, 0.5], [0, 0, 0]])


def test_min_max_of_a_range_beyond_float32():
    scores = np.array([-3e38, 0, 3e38], np.float32)
    np.testing.assert_allclose(kernels.min_max(scores), [0, 0.5, 1])


def test_no_candidates_have_no_scores():
    nothing = np.zeros((2, 0), np.float32)
    assert kernels.min_max(nothing).shape == kernels.hybrid(nothing, nothing).shape == (2, 0)


def test_min_max_looks_at_real_candidates_alone():
    scores, mask = np.array([1.0, 3.0, 99.0], np.float32), np.array([True, True, False])
    np.testing.assert_allclose(kernels.min_max(scores, mask=mask), [0, 1, 0])


def test_hybrid_weighs_lexical_and_cosine():
    fused = kernels.hybrid(np.array([0.0, 10.0], np.float32), np.array([0.5, 0.1], np.float32))
    np.testing.assert_allclose(fused, [0.35, 0.37], atol=1e-6)


def test_adjusted_scores_are_algorithm_9():
    scores = np.array([[0.5, 0.2, 0.9]], np.float32)
    weights = np.array([[[0.8, 0.6], [0.0, 0.0], [0.7, 0.0]]], np.float32)
    adjusted = kernels.adjust_scores(scores, weights, alpha=0.75)
    # The mean over no edges counts as 0.
    np.testing.assert_allclose(adjusted, [[0.375 + 0.175, 0.15, 0.675 + 0.175]], atol=1e-6)
    masked = kernels.adjust_scores(scores, weights, mask=np.array([[True, True, False]]))
    assert masked[0, 2] == 0
