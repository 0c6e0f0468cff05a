import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

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


def fused_by_hand(scores, weights, offset, mask):
    """Reciprocal rank fusion of one query in float64."""
    fused = np.zeros(scores.shape[1])
    for own, weight, has in zip(scores.astype(float), weights, mask, strict=True):
        for place in np.flatnonzero(has):
            rank = 1 + (own[has] > own[place]).sum()
            fused[place] += weight / (offset + rank)
    return fused


def test_rankings_are_fused_by_reciprocal_ranks():
    rng = np.random.default_rng(7)
    scores = rng.integers(-3, 4, (4, 3, 9)).astype(np.float32)
    mask = rng.random(scores.shape) < 0.7
    weights, offsets = rng.random((4, 3)).astype(np.float32), np.array([0, 1, 10, 60], np.float32)
    fused = kernels.reciprocal_rank_fusion(scores, weights=weights, offset=offsets, mask=mask)
    rows = zip(scores, weights, offsets, mask, strict=True)
    np.testing.assert_allclose(fused, [fused_by_hand(*row) for row in rows], rtol=1e-5)
    plain = kernels.reciprocal_rank_fusion(scores[0])
    everything = np.ones((3, 9), bool)
    np.testing.assert_allclose(plain, fused_by_hand(scores[0], [1, 1, 1], 60, everything), 1e-5)


def test_a_fused_batch_is_jitted_and_equals_its_queries_whatever_their_padding():
    rng = np.random.default_rng(8)
    scores = rng.random((3, 2, 6)).astype(np.float32)
    fused = jax.jit(kernels.reciprocal_rank_fusion)(scores)
    one_by_one = [kernels.reciprocal_rank_fusion(own) for own in scores]
    np.testing.assert_array_equal(fused, one_by_one)
    np.testing.assert_array_equal(jax.vmap(kernels.reciprocal_rank_fusion)(scores), fused)
    padded = np.pad(scores, ((0, 0), (0, 0), (0, 4)), constant_values=np.nan)
    again = kernels.reciprocal_rank_fusion(padded, mask=np.arange(10) < np.full((3, 2, 1), 6))
    np.testing.assert_array_equal(again[:, :6], fused)
    assert not again[:, 6:].any()


def test_a_number_for_each_query_is_not_one_for_each_candidate():
    lexical, cosine = np.array([[0.0, 10.0], [5.0, 0.0]], np.float32), np.full((2, 2), 0.5, "f4")
    fused = kernels.hybrid(lexical, cosine, lexical_weight=np.array([0.0, 1.0], np.float32))
    np.testing.assert_allclose(fused, [[0.5, 0.5], [1, 0]])
    weights = np.full((2, 2, 1), 0.25, np.float32)
    adjusted = kernels.adjust_scores(cosine, weights, alpha=np.array([0.0, 1.0], np.float32))
    np.testing.assert_allclose(adjusted, [[0.25, 0.25], [0.5, 0.5]])


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda s: kernels.hybrid(s, s, lexical_weight=7.0), "lexical_weight: 7.0 is outside"),
        (lambda s: kernels.hybrid(s, s, lexical_weight=s[0, :3]), "lexical_weight: shape"),
        (lambda s: kernels.hybrid(s, s[:, :2]), "cosine: shape"),
        (lambda s: kernels.hybrid(s * np.nan, s, mask=s[0] > 0), "mask: shape"),
        (lambda s: kernels.adjust_scores(s, s[:, :2, None]), "weights: shape"),
        (lambda s: kernels.reciprocal_rank_fusion(s[0]), "scores: shape"),
        (lambda s: kernels.reciprocal_rank_fusion(s, weights=s[0, :3]), "weights: shape"),
        (lambda s: kernels.reciprocal_rank_fusion(s, weights=-s[:, 0]), "weights: -1.0 at"),
        (lambda s: kernels.reciprocal_rank_fusion(s, offset=-1.0), "offset: -1.0 is outside"),
        (lambda s: kernels.adjust_scores(s, -s[..., None]), "weights: -1.0 at"),
        (lambda s: kernels.adjust_scores(s, s[..., None] * np.nan), "weights: nan at"),
        (lambda s: kernels.adjust_scores(s, s[..., None], alpha=2.0), "alpha: 2.0 is outside"),
    ],
)
def test_what_does_not_fit_is_named(call, named, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(ValueError, match=named):
        call(np.ones((2, 3), np.float32))


@pytest.mark.parametrize("hidden", [-np.inf, np.nan])
def test_masked_scores_do_not_spoil_gradients(hidden):
    mask = np.array([True, True, False])
    own, shown = (jnp.array([0.9, 0.2, last]) for last in (hidden, 0.0))
    edges = np.ones((3, 2), np.float32)
    for fused in (
        lambda scores, share: kernels.min_max(scores, mask=mask) * share,
        lambda scores, share: kernels.hybrid(scores, scores, mask=mask, lexical_weight=share),
        lambda scores, share: kernels.adjust_scores(scores, edges, mask=mask, alpha=share),
    ):
        gradients = jax.grad(lambda *given, f=fused: (f(*given) ** 2).sum(), (0, 1))
        found, wanted = gradients(own, 0.3), gradients(shown, 0.3)
        jax.tree.map(np.testing.assert_array_equal, found, wanted)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_scores_of_any_precision_are_scaled(dtype):
    rng = np.random.default_rng(0)
    scores = rng.random((300, 7)).astype(dtype) * dtype(41)
    scaled = kernels.min_max(scores)
    assert scaled.dtype == np.float32
    np.testing.assert_allclose(scaled.max(-1), 1.0, rtol=1e-7)
    # Of so small a range, one divided by it is no number of 16 bits.
    small = np.array([[0.001, 0.00105, 0.0011]], dtype)
    expected = (small.astype(float) - small.min()) / (small.max() - small.min())
    np.testing.assert_allclose(kernels.min_max(small), expected, atol=1e-3)
