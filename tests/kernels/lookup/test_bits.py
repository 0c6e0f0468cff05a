import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax.kernels.lookup import bits

list_used = jax.jit(bits.list_used, static_argnums=1)
list_marked = jax.jit(bits.list_marked, static_argnums=1)


def test_used_slots_are_listed_wherever_they_stand():
    slots = jnp.asarray([[-1, 5, -1, -1, 7, 7] + [-1] * 30 + [2], [-1] * 37], jnp.int32)
    listed, places, fit = list_used(slots, 5)
    assert fit
    assert sorted(zip(places[0].tolist(), listed[0].tolist(), strict=True)) == [
        (1, 5), (4, 7), (5, 7), (36, 2), (37, -1)
    ]  # fmt: skip
    assert listed[1].tolist() == [-1] * 5
    listed, _, fit = list_used(slots, 3)
    assert not fit
    assert (listed == -1).all()


@pytest.mark.parametrize("n", [31, 32, 33, 70])
def test_neighbours_are_listed_whatever_their_number(n):
    rng = np.random.default_rng(n)
    joined = rng.random((2, n, n)) < 0.3
    joined[0, 0], joined[0, 1] = True, False
    for k in (1, 7, n):
        listed = np.asarray(list_marked(jnp.asarray(joined), k))
        assert listed.shape == (2, n, k)
        for query, i in np.ndindex(2, n):
            expected = np.flatnonzero(joined[query, i])[:k]
            assert listed[query, i, : len(expected)].tolist() == expected.tolist()
            assert (listed[query, i, len(expected) :] == -1).all()
