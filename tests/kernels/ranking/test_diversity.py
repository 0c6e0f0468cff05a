"""Maximal marginal relevance against its definition in float64."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax import kernels
from grapher_jax.kernels import maximal_marginal_relevance as mmr


def oracle(scores, similarities, trade_off, k):
    """One query's choices with their values, by the definition."""
    scores, similarities = np.asarray(scores, float), np.asarray(similarities, float)
    chosen, values = [], []
    while len(chosen) < min(k, len(scores)):
        left = [i for i in range(len(scores)) if i not in chosen]
        likest = [max((similarities[i, j] for j in chosen), default=0.0) for i in left]
        marginal = trade_off * scores[left] - (1 - trade_off) * np.array(likest)
        best = int(np.argmax(marginal))
        chosen.append(left[best])
        values.append(marginal[best])
    return chosen, values


def batch(seed, *shape):
    rng = np.random.default_rng(seed)
    scores = rng.random(shape).astype(np.float32)
    similarities = rng.random((*shape, shape[-1])).astype(np.float32)
    return scores, similarities


@pytest.mark.parametrize("trade_off", [0.0, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("shape", [(9,), (3, 12), (2, 2, 5)])
def test_choices_are_those_of_the_definition(shape, trade_off):
    scores, similarities = batch(0, *shape)
    top = mmr(scores, similarities, trade_off=trade_off, k=7)
    assert top.indices.shape == top.scores.shape == (*shape[:-1], 7)
    flat = similarities.reshape(-1, *similarities.shape[-2:])
    for query, of_query in enumerate(scores.reshape(-1, shape[-1])):
        chosen, values = oracle(of_query, flat[query], trade_off, 7)
        found = np.asarray(top.indices).reshape(-1, 7)[query]
        np.testing.assert_array_equal(found[: len(chosen)], chosen)
        np.testing.assert_array_equal(found[len(chosen) :], -1)
        got = np.asarray(top.scores).reshape(-1, 7)[query]
        np.testing.assert_allclose(got[: len(values)], values, atol=1e-6)
        assert (got[len(values) :] == -np.inf).all()


def test_relevance_alone_is_top_k():
    scores, similarities = batch(1, 4, 10)
    top = mmr(scores, similarities, trade_off=1.0, k=4)
    expected = kernels.top_k(scores, 4)
    np.testing.assert_array_equal(top.indices, expected.indices)
    np.testing.assert_allclose(top.scores, expected.scores)


def test_a_copy_of_the_best_comes_after_what_is_new():
    likeness = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]], np.float32)
    top = mmr(np.array([0.9, 0.8, 0.5], np.float32), likeness, trade_off=0.5, k=3)
    assert top.indices.tolist() == [0, 2, 1]
    np.testing.assert_allclose(top.scores, [0.45, 0.25, -0.1], atol=1e-6)


def test_of_no_candidates_none_is_chosen():
    with jax.enable_x64(True):
        top = mmr(np.zeros((2, 0), np.float32), np.zeros((2, 0, 0), np.float32), k=3)
    assert top.indices.dtype == np.int32
    assert (top.indices == -1).all() and (top.scores == -np.inf).all()
    assert top.indices.shape == top.scores.shape == (2, 3)


def test_values_never_rise():
    scores, similarities = batch(2, 50, 10)
    values = np.asarray(mmr(scores, similarities, trade_off=0.4, k=10).scores)
    assert (np.diff(values, axis=1) <= 1e-6).all()


def test_the_masked_are_not_read():
    scores, similarities = batch(3, 2, 8)
    mask = np.arange(8) < [[5], [0]]
    scores[~mask] = np.nan
    similarities[:, 5:] = np.nan
    similarities[..., 5:] = np.nan
    top = mmr(scores, similarities, mask=mask, trade_off=0.6, k=6)
    alone = mmr(scores[0, :5], similarities[0, :5, :5], trade_off=0.6, k=6)
    np.testing.assert_array_equal(top.indices[0], alone.indices)
    np.testing.assert_allclose(top.scores[0], alone.scores)
    assert (top.indices[1] == -1).all()
    assert (top.scores[1] == -np.inf).all()


def test_what_cannot_be_checked_is_chosen_last_and_once():
    choose = jax.jit(lambda scores: kernels.maximal_marginal_relevance(scores, np.eye(4), k=4))
    top = choose(jnp.array([1.0, -jnp.inf, jnp.nan, 0.0]))
    assert top.indices.tolist() == [0, 3, 1, -1]
    alike = np.eye(4)
    alike[0, 1] = alike[1, 0] = np.nan
    choose = jax.jit(lambda scores: kernels.maximal_marginal_relevance(scores, alike, k=4))
    assert sorted(choose(jnp.array([4.0, 3.0, 2.0, 1.0])).indices.tolist()) == [0, 1, 2, 3]


def test_ties_go_to_the_earlier_candidate():
    top = mmr(np.ones(4, np.float32), np.zeros((4, 4), np.float32), k=3)
    assert top.indices.tolist() == [0, 1, 2]


def test_it_is_jitted_and_mapped():
    scores, similarities = batch(4, 3, 6)
    trade_off = jnp.array([0.2, 0.5, 0.9])
    together = mmr(scores, similarities, trade_off=trade_off, k=4)
    one = jax.jit(lambda s, S, t: mmr(s, S, trade_off=t, k=4))
    mapped = jax.vmap(one)(scores, similarities, trade_off)
    np.testing.assert_array_equal(together.indices, mapped.indices)
    np.testing.assert_allclose(together.scores, mapped.scores, atol=1e-6)


def test_what_is_not_read_spoils_no_derivative():
    scores, similarities = batch(3, 6)
    mask = np.arange(6) < 5
    wrong = similarities.copy()
    wrong[5], wrong[:, 5] = np.nan, np.inf
    np.fill_diagonal(wrong, np.inf)

    def total(trade_off, likeness):
        top = mmr(scores, likeness, mask=mask, trade_off=trade_off, k=4)
        return top.scores.sum()

    slopes = [jax.grad(total)(0.4, likeness) for likeness in (similarities, wrong)]
    assert np.isfinite(slopes).all()
    np.testing.assert_allclose(*slopes)


def test_values_have_derivatives():
    scores, similarities = batch(5, 6)

    def total(s, S):
        return mmr(s, S, trade_off=0.7, k=4).scores.sum()

    by_score, by_similarity = jax.grad(total, argnums=(0, 1))(
        jnp.asarray(scores), jnp.asarray(similarities)
    )
    top = mmr(scores, similarities, trade_off=0.7, k=4)
    expected = np.zeros(6)
    expected[top.indices] = 0.7
    np.testing.assert_allclose(by_score, expected, atol=1e-6)
    # Each but the first has one whom it is likest to.
    np.testing.assert_allclose(by_similarity.sum(), -0.3 * 3, atol=1e-6)


@pytest.mark.parametrize("trade_off", [-0.1, 1.1, float("nan")])
def test_a_trade_off_outside_its_range_is_refused(trade_off):
    with pytest.raises(ValueError, match=r"trade_off: .* is outside \[0, 1\]"):
        mmr(np.ones(2, np.float32), np.eye(2, dtype=np.float32), trade_off=trade_off)


def test_scores_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="scores: nan"):
        mmr(np.array([1.0, np.nan], np.float32), np.eye(2, dtype=np.float32))
