"""References looked up are those that pairs give."""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from grapher_jax import kernels
from grapher_jax.kernels.graphs import references

sys.path.append(str(Path(__file__).parents[1]))

from samples import products_agree


@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 20]), st.sampled_from([1, 17]))
def test_found_references_make_the_edges_of_the_matrix(seed, density, r):
    rng = np.random.default_rng(seed)
    ids = np.stack([rng.permutation(40)[:10] for _ in range(3)]).astype(np.int32)
    targets = rng.integers(-1, 10 * density, (3, 10, r)).astype(np.int32)
    found = find(ids, targets)
    expected = kernels.foreign_key_adjacency(ids, targets)
    assert found.unique.all()
    whole, lists, fits = every_list(found)
    products_agree(whole, expected)
    edges = (np.asarray(found.targets) >= 0).sum()
    assert fits.tolist() == [edges <= 16, edges <= 31]
    for listed, fit in zip(lists, fits, strict=True):
        if fit:
            products_agree(listed, expected)


find = jax.jit(references.find_references)


@jax.jit
def every_list(found):
    lists, fits = found.short_lists()
    return found.edges(), [listed() for listed in lists], fits


def test_references_beyond_the_table_are_found():
    ids = jnp.asarray([[1 << 16, 2 << 16, 3 << 16, 7]], jnp.int32)  # one place in the table
    targets = jnp.asarray([[[2 << 16], [3 << 16], [-1], [1 << 16]]], jnp.int32)
    found = find(ids, targets)
    assert found.unique.all()
    assert found.targets.tolist() == [[[1], [2], [-1], [0]]]


def test_repeated_identities_are_told():
    ids = jnp.asarray([[4, 5, 4]], jnp.int32)
    assert not find(ids, jnp.asarray([[[5], [4], [-1]]], jnp.int32)).unique


def test_successors_are_found():
    documents, chunks = jnp.asarray([[1, 1, 2, 1, -1]]), jnp.asarray([[3, 4, 5, 2, 3]])
    found = jax.jit(references.find_successors)(documents, chunks)
    assert found.targets[..., 0].tolist() == [[1, -1, -1, 0, -1]]
