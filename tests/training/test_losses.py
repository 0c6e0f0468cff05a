import functools

import jax
import numpy as np
import pytest

from grapher_jax import kernels
from grapher_jax.training.config import LOSSES
from grapher_jax.training.losses import find_loss, perfect_recall_loss

K = 3


def softplus(x):
    return np.logaddexp(0, x)


def softmax(scores, relevant):
    shares = relevant / max(relevant.sum(), 1)
    return -(shares * (scores - np.logaddexp.reduce(scores))).sum()


def hinge(scores, relevant):
    pairs = [max(0, 1 - (p - o)) for p in scores[relevant] for o in scores[~relevant]]
    return np.mean(pairs) if pairs else 0.0


def binary(scores, relevant):
    return np.mean(np.where(relevant, softplus(-scores), softplus(scores)))


def perfect_recall(scores, relevant):
    own, others = scores[relevant], np.sort(scores[~relevant])[::-1]
    if not len(own) or not len(others):
        return 0.0
    crowd = softplus(np.logaddexp.reduce(others) - own).mean()
    place = min(max(K - len(own), 0), K - 1)
    return 0.5 * crowd + (softplus(others[place] - own.min()) if place < len(others) else 0.0)


ORACLES = {
    "softmax": softmax,
    "hinge": hinge,
    "binary": binary,
    "triplet": lambda scores, relevant: hinge(scores, relevant) + binary(scores, relevant),
    "perfect-recall": perfect_recall,
}


@functools.partial(jax.jit, static_argnums=0)
def slopes(name, scores, relevant, mask):
    """Every question's loss, and the gradient of their sum."""

    def total(scores):
        losses = find_loss(name, K)(scores, relevant, mask)
        return losses.sum(), losses

    gradient, losses = jax.grad(total, has_aux=True)(scores)
    return losses, gradient


perfect_recall_losses = jax.jit(perfect_recall_loss, static_argnames="k")


def batch(seed=0, queries=40, n=9):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(queries, n)).astype(np.float32)
    relevant = rng.random((queries, n)) < rng.random((queries, 1))
    mask = np.arange(n) < rng.integers(1, n + 1, (queries, 1))
    return scores, relevant, mask


def test_every_loss_has_its_oracle():
    assert set(LOSSES) == set(ORACLES)


@pytest.mark.parametrize("name", LOSSES)
def test_losses_are_what_numpy_computes(name):
    scores, relevant, mask = batch()
    found, _ = slopes(name, scores, relevant, mask)
    wanted = [
        ORACLES[name](s[m].astype(float), r[m])
        for s, r, m in zip(scores, relevant, mask, strict=True)
    ]
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", LOSSES)
def test_gradients_are_those_of_finite_differences(name):
    scores, relevant, mask = batch(1)
    gradient = np.asarray(slopes(name, scores, relevant, mask)[1])
    oracle, step = ORACLES[name], 1e-6
    for query, place in np.ndindex(scores.shape):
        real = mask[query]
        if not real[place]:
            assert gradient[query, place] == 0
            continue
        moved = [scores[query].astype(float) for _ in range(2)]
        moved[0][place] += step
        moved[1][place] -= step
        up, down = (oracle(s[real], relevant[query][real]) for s in moved)
        assert gradient[query, place] == pytest.approx((up - down) / (2 * step), abs=1e-4)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("padding", [np.nan, np.inf, -7.0])
def test_padding_counts_for_nothing(name, padding):
    scores, relevant, mask = batch(2)
    dirty = np.where(mask, scores, np.float32(padding))
    wide = [np.pad(a, ((0, 0), (0, 5)), constant_values=True) for a in (dirty, relevant)]
    wide_mask = np.pad(mask, ((0, 0), (0, 5)))
    losses, gradient = slopes(name, *wide, wide_mask)
    expected, _ = slopes(name, scores, relevant, mask)
    np.testing.assert_allclose(losses, expected, rtol=1e-6, atol=1e-6)
    assert np.isfinite(gradient).all()


@pytest.mark.parametrize("name", LOSSES)
def test_nothing_relevant_nobody_else_or_nobody_at_all_is_finite(name):
    counts = [(relevant, real) for relevant in (0, 1, 4, 5) for real in (0, 1, 5)]
    scores = np.tile(np.linspace(-1, 1, 5, dtype=np.float32), (len(counts), 1))
    chosen, mask = (
        np.arange(5) < np.array(column)[:, None] for column in zip(*counts, strict=True)
    )
    for count, value, gradient in zip(counts, *slopes(name, scores, chosen, mask), strict=True):
        assert np.isfinite(value), count
        assert np.isfinite(gradient).all(), count
        if name == "perfect-recall" and min(count) in (0, count[1]):
            assert (value, abs(gradient).max()) == (0, 0), count


@pytest.mark.parametrize("name", LOSSES)
def test_losses_are_in_float32_at_least_and_all_candidates_count_without_a_mask(name):
    scores = np.linspace(-12, 12, 200).astype(np.float16)
    relevant, loss = np.arange(200) < 100, find_loss(name, K)
    found = loss(scores, relevant)
    assert found.dtype == np.float32
    assert found == loss(scores.astype(np.float32), relevant, np.ones(200, bool))


@pytest.mark.parametrize("name", LOSSES)
def test_losses_bear_strict_settings(name):
    scores, relevant, mask = batch(4)
    mask[0], loss = False, find_loss(name, K)
    with jax.numpy_dtype_promotion("strict"), jax.debug_nans(True):
        assert np.isfinite(loss(scores, relevant, mask)).all()
        gradient = jax.grad(lambda s: loss(s, relevant, mask).sum())(scores)
    assert np.isfinite(gradient).all()


@pytest.mark.parametrize("k", [1, 3, 10])
def test_perfect_recall_loss_is_small_where_and_only_where_perfect_recall_holds(k):
    rng = np.random.default_rng(3)
    n, queries = 20, 300
    # Scores far apart: a candidate stands clearly above another or clearly below.
    scores = 30.0 * rng.permuted(np.tile(np.arange(n), (queries, 1)), axis=1).astype(np.float32)
    count = rng.integers(1, k + 1, queries)
    best = np.argsort(np.argsort(-scores, axis=1), axis=1)
    limit = np.maximum(rng.integers(1, 2 * k + 1, queries), count)
    relevant = np.zeros((queries, n), bool)
    for query in range(queries):
        among = np.flatnonzero(best[query] < limit[query])
        relevant[query, rng.choice(among, min(count[query], len(among)), replace=False)] = True
    mask = np.ones((queries, n), bool)
    order = np.argsort(-scores, axis=1)
    hits = np.take_along_axis(relevant, order, axis=1)
    holds = np.asarray(kernels.perfect_recall(hits, relevant.sum(1), k)) == 1
    assert 0 < holds.mean() < 1 or k == 10
    # The second term alone: the first one wants the relevant ones above all others.
    crowd = 0.5 * np.array(
        [
            softplus(np.logaddexp.reduce(s[~r].astype(float)) - s[r]).mean()
            for s, r in zip(scores, relevant, strict=True)
        ]
    )
    decisive = np.asarray(perfect_recall_losses(scores, relevant, mask, k=k)) - crowd
    assert (decisive[holds] < 0.01).all()
    assert (decisive[~holds] > 20).all()


@pytest.mark.usefixtures("types_unchecked")
def test_grades_are_no_labels():
    scores, mask = np.ones((1, 3), np.float32), np.ones((1, 3), bool)
    with pytest.raises(TypeError, match="relevant: truth values are needed, not int"):
        find_loss("softmax", 3)(scores, np.array([[2, 0, 1]]), mask)


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_of_any_batch_is_that_of_its_questions(name):
    scores, relevant, mask = batch(queries=6)
    expected = find_loss(name, K)(scores, relevant, mask)
    blocks = (array.reshape(2, 3, -1) for array in (scores, relevant, mask))
    np.testing.assert_allclose(find_loss(name, K)(*blocks).ravel(), expected, rtol=1e-6)
    alone = find_loss(name, K)(scores[1], relevant[1], mask[1])
    np.testing.assert_allclose(alone, expected[1], rtol=1e-6)
    mapped = jax.vmap(find_loss(name, K))(scores, relevant, mask)
    np.testing.assert_allclose(mapped, expected, rtol=1e-6)


@pytest.mark.parametrize("name", LOSSES)
def test_what_does_not_fit_the_scores_is_named(name, types_unchecked):
    scores, relevant, mask = batch(queries=2)
    with pytest.raises(ValueError, match=r"relevant: shape .* does not fit"):
        find_loss(name, K)(scores, relevant[:1], mask)
    with pytest.raises(ValueError, match=r"mask: shape .* does not fit"):
        find_loss(name, K)(scores, relevant, mask[0])
    with pytest.raises(TypeError, match="mask: truth values are needed"):
        find_loss(name, K)(scores, relevant, mask.astype(int))
    with pytest.raises(ValueError, match="loss: 'none' is unknown; use perfect-recall, softmax"):
        find_loss("none", K)
    with pytest.raises(ValueError, match="k: 0 must be at least 1"):
        perfect_recall_loss(scores, relevant, mask, k=0)
