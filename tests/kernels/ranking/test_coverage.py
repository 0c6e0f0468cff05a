"""Coverage of words against its definition in float64."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax import kernels
from grapher_jax.kernels import cover_words as cover


def oracle(scores, has, rarity, bonus, k):
    """One query's order with its scores, by the definition."""
    scores = np.asarray(scores, float)
    ordered = -np.sort(-scores)
    gaps = ordered[0] - ordered
    first = int(scores.argmax())
    weights = np.where(has[first], 0.0, np.asarray(rarity, float) ** 2)
    share = has @ weights / (weights.sum() or 1)
    raised = scores + bonus * (gaps[:10][-1] or gaps[-1]) * share
    others = [place for place in np.argsort(-raised, kind="stable").tolist() if place != first]
    raised[first] = raised.max()
    order = [first, *others][:k]
    return order, raised[order]


def batch(seed, *shape, words=6):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=shape).astype(np.float32)
    has = rng.random((*shape, words)) < 0.3
    return scores, has, rng.random((*shape[:-1], words)).astype(np.float32)


@pytest.mark.parametrize("bonus", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("shape", [(7,), (3, 40), (2, 2, 12)])
def test_the_order_is_that_of_the_definition(shape, bonus):
    scores, has, rarity = batch(0, *shape)
    top = cover(scores, has, rarity, bonus=bonus, k=9)
    assert top.indices.shape == top.scores.shape == (*shape[:-1], 9)
    n, words = has.shape[-2:]
    flat = scores.reshape(-1, n), has.reshape(-1, n, words), rarity.reshape(-1, words)
    for query in range(len(flat[0])):
        order, values = oracle(*(own[query] for own in flat), bonus, 9)
        found, got = (np.asarray(one).reshape(-1, 9)[query] for one in (top.indices, top.scores))
        np.testing.assert_array_equal(found[: len(order)], order)
        np.testing.assert_array_equal(found[len(order) :], -1)
        np.testing.assert_allclose(got[: len(order)], values, atol=1e-5)
        assert (got[len(order) :] == -np.inf).all()


def test_what_the_first_lacks_counts_and_what_it_has_does_not():
    scores = np.array([5, 4, 3, 2.9, 0], np.float32)
    has = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0, 0]], bool)
    assert cover(scores, has, np.ones(2, np.float32), k=5).indices.tolist() == [0, 3, 1, 2, 4]
    assert cover(scores, has, np.float32([1, 0]), k=5).indices.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("bonus", [0.5, 5.0])
def test_the_first_stays_and_no_score_rises(bonus):
    scores, has, rarity = batch(2, 30, 25)
    top = cover(scores, has, rarity, bonus=bonus, k=25)
    np.testing.assert_array_equal(top.indices[:, 0], scores.argmax(1))
    assert (np.asarray(top.indices) != kernels.top_k(scores, 25).indices).any()
    assert (np.diff(top.scores, axis=1) <= 0).all()


def test_without_words_or_bonus_it_is_top_k():
    scores, has, rarity = batch(1, 4, 20)
    expected = kernels.top_k(scores, 6)
    none, empty = np.zeros_like(has), np.zeros((4, 20, 0), bool)
    for found in (
        cover(scores, none, rarity, k=6),
        cover(scores, has, rarity, bonus=0.0, k=6),
        cover(scores, empty, np.zeros((4, 0), np.float32), k=6),
    ):
        np.testing.assert_array_equal(found.indices, expected.indices)
        np.testing.assert_array_equal(found.scores, expected.scores)


def test_scale_and_zero_do_not_matter():
    scores, has, rarity = batch(3, 8, 30)
    first, other = cover(scores, has, rarity), cover(20 * scores - 7, has, 3 * rarity)
    np.testing.assert_array_equal(first.indices, other.indices)


def test_padding_is_not_read_and_a_nan_is_left_out():
    scores, has, rarity = batch(4, 2, 12)
    mask = np.arange(12) < [[9], [0]]
    alone = cover(scores[0, :9], has[0, :9, :4], rarity[0, :4], k=10)
    scores[~mask], has[~mask], rarity[:, 4:] = np.nan, True, 0.0
    top = cover(scores, has, rarity, mask=mask, k=10)
    np.testing.assert_array_equal(top.indices[0], alone.indices)
    np.testing.assert_allclose(top.scores[0], alone.scores, rtol=1e-6)
    assert (top.indices[1] == -1).all() and (top.scores[1] == -np.inf).all()
    in_program = jax.jit(lambda s: cover(s, has, rarity, k=10))(scores)
    np.testing.assert_array_equal(in_program.indices, top.indices)


def test_it_is_jitted_mapped_and_differentiable():
    scores, has, rarity = batch(5, 3, 15)
    bonus = jnp.array([0.1, 0.3, 0.9])
    together = cover(scores, has, rarity, bonus=bonus, k=6)
    mapped = jax.vmap(jax.jit(lambda s, h, r, b: cover(s, h, r, bonus=b, k=6)))(
        scores, has, rarity, bonus
    )
    np.testing.assert_array_equal(together.indices, mapped.indices)
    np.testing.assert_allclose(together.scores, mapped.scores, atol=1e-6)
    gradient = jax.grad(lambda s: cover(s, 0 * has > 0, rarity, k=6).scores.sum())(scores)
    np.testing.assert_allclose(gradient.sum(1), 6, rtol=1e-6)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"k": 0}, "k: 0"),
        ({"bonus": -1.0}, "bonus: -1.0"),
        ({"rarity": -np.ones(2, np.float32)}, "rarity: -1"),
    ],
)
def test_bad_input_is_refused_by_name(options, named):
    given = {"has": np.ones((3, 2), bool), "rarity": np.ones(2, np.float32)} | options
    with pytest.raises(ValueError, match=named):
        cover(np.ones(3, np.float32), **given)


def test_no_candidates():
    empty = np.zeros((0, 2), bool)
    assert cover(np.zeros(0, np.float32), empty, np.ones(2), k=2).indices.tolist() == [-1, -1]


def test_a_score_that_only_a_program_can_have_is_the_last():
    has = np.array([[True, False], [True, False], [False, True]])
    scores = np.array([3.0, -np.inf, 1.0], np.float32)

    @jax.jit
    def program(scores, has):
        return kernels.cover_words(scores, has, np.ones(2, np.float32), k=3)

    for said in (has, np.ones_like(has)):
        found = program(scores, said)
        assert found.indices.tolist() == [0, 2, 1]
        assert found.scores[0] >= 3.0
