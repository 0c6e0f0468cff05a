"""Growth along edges against its definition in float64."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax import kernels
from grapher_jax.kernels import grow_along_edges as grow


def oracle(scores, adjacency, bonus, keep, k):
    """One query's choices with their scores, by the definition."""
    scores = np.asarray(scores, float)
    ordered = -np.sort(-scores)
    gaps = ordered[0] - ordered
    raised = bonus * (gaps[:10][-1] or gaps[-1])
    chosen, values = [], []
    while len(chosen) < min(k, len(scores)):
        weight = np.clip(adjacency[chosen], 0, 1).max(0, initial=0) * (len(chosen) >= keep)
        value = scores + raised * weight
        value[chosen] = -np.inf
        best = int(np.argmax(value))
        values.append(min([value[best], *values[-1:]]))
        chosen.append(best)
    return chosen, values


def batch(seed, *shape, chance=0.1):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=shape).astype(np.float32)
    edges = rng.random((*shape, shape[-1])) < chance
    return scores, (edges | edges.swapaxes(-1, -2)).astype(np.float32)


@pytest.mark.parametrize("keep", [1, 3])
@pytest.mark.parametrize("bonus", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("shape", [(7,), (3, 40), (2, 2, 12)])
def test_choices_are_those_of_the_definition(shape, bonus, keep):
    scores, adjacency = batch(0, *shape)
    adjacency *= np.random.default_rng(1).uniform(-0.2, 1.5, adjacency.shape).astype(np.float32)
    top = grow(scores, adjacency, bonus=bonus, keep=keep, k=9)
    assert top.indices.shape == top.scores.shape == (*shape[:-1], 9)
    flat = adjacency.reshape(-1, shape[-1], shape[-1])
    for query, of_query in enumerate(scores.reshape(-1, shape[-1])):
        chosen, values = oracle(of_query, flat[query], bonus, keep, 9)
        found = np.asarray(top.indices).reshape(-1, 9)[query]
        np.testing.assert_array_equal(found[: len(chosen)], chosen)
        np.testing.assert_array_equal(found[len(chosen) :], -1)
        got = np.asarray(top.scores).reshape(-1, 9)[query]
        np.testing.assert_allclose(got[: len(values)], values, atol=1e-5)
        assert (got[len(values) :] == -np.inf).all()


def test_a_joined_candidate_passes_one_that_stands_apart():
    adjacency = np.zeros((5, 5), np.float32)
    adjacency[0, 4] = adjacency[4, 0] = 1
    scores = np.array([5, 4, 3, 2, 1.9], np.float32)
    assert grow(scores, adjacency, k=5).indices.tolist() == [0, 1, 2, 4, 3]
    assert grow(scores, adjacency, keep=4, k=5).indices.tolist() == [0, 1, 2, 3, 4]


def test_weights_below_one_are_fractions_of_the_bonus(types_unchecked):
    adjacency = np.zeros((5, 5), np.float32)
    adjacency[0, 3:] = 0.2, 1.0
    scores = np.array([5, 4, 3, 2, 1.9], np.float32)
    assert grow(scores, adjacency, k=5).indices.tolist() == [0, 1, 2, 4, 3]
    adjacency[0, 4] = 0.25
    assert grow(scores, adjacency, k=5).indices.tolist() == [0, 1, 2, 3, 4]
    adjacency[0, 2], adjacency[1, 4] = np.nan, 1  # checks end where arrays are traced
    found = jax.jit(lambda weights: grow(scores, weights, k=5))(adjacency)
    assert found.indices.tolist() == [0, 1, 2, 4, 3]
    adjacency[0, 2] = adjacency[1, 4] = 0
    many = grow(scores, (10 * adjacency).astype(np.int32), k=5)
    np.testing.assert_array_equal(many.scores, grow(scores, adjacency > 0, k=5).scores)


def test_without_edges_or_bonus_it_is_top_k():
    scores, adjacency = batch(1, 4, 20)
    expected = kernels.top_k(scores, 6)
    for found in (grow(scores, 0 * adjacency, k=6), grow(scores, adjacency, bonus=0.0, k=6)):
        np.testing.assert_array_equal(found.indices, expected.indices)
        np.testing.assert_array_equal(found.scores, expected.scores)


def test_a_choice_of_fewer_begins_a_choice_of_more_and_no_score_rises():
    scores, adjacency = batch(2, 30, 25, chance=0.2)
    whole = grow(scores, adjacency, k=25)
    assert (np.asarray(whole.indices)[:, :9] != kernels.top_k(scores, 9).indices).any()
    np.testing.assert_array_equal(grow(scores, adjacency, k=9).indices, whole.indices[:, :9])
    assert (np.diff(whole.scores, axis=1) <= 0).all()


def test_scale_and_zero_do_not_matter():
    scores, adjacency = batch(3, 8, 30)
    first, other = grow(scores, adjacency), grow(20 * scores - 7, adjacency)
    np.testing.assert_array_equal(first.indices, other.indices)


def test_the_masked_are_not_read_and_a_nan_is_left_out():
    scores, adjacency = batch(4, 2, 12, chance=0.3)
    mask = np.arange(12) < [[9], [0]]
    alone = grow(scores[0, :9], adjacency[0, :9, :9], k=10)
    scores[~mask] = adjacency[0, 9:] = np.nan
    top = grow(scores, adjacency, mask=mask, k=10)
    np.testing.assert_array_equal(top.indices[0], alone.indices)
    np.testing.assert_allclose(top.scores[0], alone.scores)
    assert (top.indices[1] == -1).all() and (top.scores[1] == -np.inf).all()
    in_program = jax.jit(lambda s: grow(s, adjacency, k=10))(scores)
    np.testing.assert_array_equal(in_program.indices, top.indices)


def test_what_cannot_be_checked_is_chosen_last_and_once():
    grow = jax.jit(lambda scores: kernels.grow_along_edges(scores, np.zeros((4, 4)), k=4))
    top = grow(jnp.array([1.0, -jnp.inf, jnp.nan, 0.0]))
    assert top.indices.tolist() == [0, 3, 1, -1]


def test_equal_scores_keep_their_order():
    adjacency = np.ones((12, 12), np.float32)
    assert grow(np.ones(12, np.float32), adjacency, k=12).indices.tolist() == [*range(12)]
    assert grow(np.zeros(0, np.float32), np.zeros((0, 0)), k=2).indices.tolist() == [-1, -1]


def test_it_is_jitted_mapped_and_differentiable():
    scores, adjacency = batch(5, 3, 15)
    bonus = jnp.array([0.1, 0.3, 0.9])
    together = grow(scores, adjacency, bonus=bonus, k=6)
    mapped = jax.vmap(jax.jit(lambda s, A, b: grow(s, A, bonus=b, k=6)))(scores, adjacency, bonus)
    np.testing.assert_array_equal(together.indices, mapped.indices)
    np.testing.assert_allclose(together.scores, mapped.scores, atol=1e-6)
    gradient = jax.grad(lambda s: grow(s, 0 * adjacency, k=6).scores.sum())(scores)
    np.testing.assert_allclose(gradient.sum(1), 6)


@pytest.mark.parametrize(
    ("options", "named"),
    [({"keep": 0}, "keep: 0"), ({"k": 0}, "k: 0"), ({"bonus": -1.0}, "bonus: -1.0")],
)
def test_bad_options_are_refused_by_name(options, named):
    with pytest.raises(ValueError, match=named):
        grow(np.ones(3, np.float32), np.eye(3, dtype=np.float32), **options)
