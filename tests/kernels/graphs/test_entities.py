"""Shared entities are counted alike on every platform, as sets count them."""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax.kernels.graphs import entities
from grapher_jax.kernels.graphs.operators import SharedList

sys.path.append(str(Path(__file__).parents[1]))

from samples import random_ids

WAYS = [jax.jit(entities.count_by_bits), jax.jit(entities.count_by_order)]


@pytest.fixture(params=WAYS, ids=["bits", "order"])
def count(request):
    return request.param


def as_sets(ids):
    """Counts by Python's sets."""
    sets = [[set(one) - {-1} for one in query] for query in np.asarray(ids).tolist()]
    counts = np.array([[[len(a & b) for b in own] for a in own] for own in sets])
    return np.where(np.eye(counts.shape[-1], dtype=bool), 0, counts)


@pytest.mark.parametrize("spread", [1, 65_536, 715_827_883])
@pytest.mark.parametrize("shape", [(3, 20, 5), (1, 40, 40)])
def test_they_are_counted_whatever_the_ids(count, shape, spread):
    # 65,536 makes all low bits equal; the blocks of bits overflow where 40 × 40 slots share many.
    few = random_ids(np.random.default_rng(6), shape, min(700, 2**31 // spread)).astype(int)
    ids = np.where(few < 0, -1, few * spread)
    np.testing.assert_array_equal(count(jnp.asarray(ids, jnp.int32)), as_sets(ids))


@pytest.mark.parametrize("used", [0.0, 0.2, 0.9])
@pytest.mark.parametrize("shape", [(3, 20, 40), (2, 7, 17)])
def test_listed_slots_count_as_all_do(count, shape, used):
    # Up to 16 slots a candidate are listed, so the first two fit and the last does not.
    rng = np.random.default_rng(18)
    ids = np.where(rng.random(shape) < used, rng.integers(0, 400, shape), -1).astype(np.int32)
    ids[0, 0] = ids[0, 1]
    np.testing.assert_array_equal(count(jnp.asarray(ids)), as_sets(ids))


def test_entities_beyond_a_block_of_bits_are_counted(count):
    ids = jnp.asarray(np.tile(np.arange(600, dtype=np.int32), (1, 2, 1)))
    assert count(ids).tolist() == [[[0, 600], [600, 0]]]


def test_a_query_does_not_see_what_another_left_in_the_table(count):
    ids = jnp.asarray([[[5], [7]], [[5], [9]], [[7], [5]]], jnp.int32)
    np.testing.assert_array_equal(count(ids), np.zeros((3, 2, 2)))


@pytest.mark.parametrize("ids", [[[-1]], [[3]], [[3, 3, 3], [3, 3, -1]], [[-1, 4], [4, -1]]])
def test_few_slots_and_repeats_are_counted(count, ids):
    np.testing.assert_array_equal(count(jnp.asarray([ids], jnp.int32)), as_sets([ids]))


@pytest.mark.parametrize(
    ("used", "entity", "fits"),
    [(0.05, 400, True), (0.0, 400, True), (0.08, 3, False), (0.9, 400, False)],
)
def test_few_shared_entities_are_multiplied_as_a_list(used, entity, fits):
    rng = np.random.default_rng(4)
    shape = (3, 20, 40)
    ids = np.where(rng.random(shape) < used, rng.integers(0, entity, shape), -1).astype(np.int32)
    if used:
        ids[0, 0] = ids[0, 1]  # alike
        ids[1, 2, 5:8] = 77  # an entity named more than once
        ids[1, 3, 1] = 77
    counts = entities.unique_counts(jnp.asarray(ids))
    scale = 1.0 / jnp.maximum(counts.astype(jnp.float32), 1.0)
    listed, owners, complete = jax.jit(entities.list_shared, static_argnums=(1, 2))(
        jnp.asarray(ids), 4, 1
    )
    assert bool(complete) == fits
    if fits:
        p = jnp.asarray(rng.random(shape[:2]), jnp.float32)
        graph = SharedList(listed, owners, scale)
        matrix = as_sets(ids) * scale[:, None]
        np.testing.assert_allclose(
            graph.multiply(p), jnp.einsum("bij,bj->bi", matrix, p), atol=1e-6
        )
        back = jnp.einsum("bij,bi->bj", matrix, p)
        np.testing.assert_allclose(graph.multiply_transposed(p), back, atol=1e-6)
