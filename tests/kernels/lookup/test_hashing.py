"""The one look-up finds what a dictionary finds, whatever collides."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax.kernels.lookup import hashing

locate, representatives = jax.jit(hashing.locate), hashing.representatives


@pytest.mark.parametrize("spread", [1, 1 << 16])
def test_keys_are_located_as_in_a_dictionary(spread):
    rng = np.random.default_rng(0)
    keys = np.stack([rng.permutation(60)[:20] for _ in range(5)])
    keys[2, 3] = keys[2, 7]
    wanted = rng.integers(0, 70, (5, 50))
    keys[:, 0] = wanted[:, 0] = -1
    grown = [np.where(ids < 0, -1, ids * spread).astype(np.int32) for ids in (keys, wanted)]
    found, unique = locate((grown[0],), (grown[1],))
    assert unique.tolist() == [True, True, False, True, True]
    for query in np.flatnonzero(unique):
        places = {key: place for place, key in enumerate(keys[query].tolist()) if key >= 0}
        assert found[query].tolist() == [places.get(key, -1) for key in wanted[query].tolist()]


def test_pairs_that_mix_into_one_number_are_told_apart():
    # Ten keys with one hash: each attempt settles one of them.
    prime = int(hashing._PRIME)
    first = np.arange(10, dtype=np.int32)[None]
    second = ((9 - first) * prime).astype(np.int32)
    found, unique = locate((first, second), (first[:, ::-1], second[:, ::-1]))
    assert unique.all()
    assert found[0].tolist() == list(range(10))[::-1]
    assert not (locate((first, second), (first, second + 1))[0] >= 0).any()


def test_equal_slots_have_one_representative():
    rng = np.random.default_rng(1)
    ids = rng.integers(-1, 12, (3, 30)).astype(np.int32) * 65_536
    ids = np.where(ids < 0, -1, ids)
    found, marked = (np.asarray(one) for one in representatives(jnp.asarray(ids)))
    for query in range(3):
        for slot, own in enumerate(ids[query]):
            same = np.flatnonzero(ids[query] == own)
            if own == -1:
                assert found[query, slot] == -1
            else:
                assert set(found[query, same]) == {found[query, slot]}
                assert ids[query, found[query, slot]] == own
        alone = [slot for slot, own in enumerate(ids[query]) if (ids[query] == own).sum() == 1]
        assert not marked[query, alone].any()
        assert marked[query].sum() == len(
            {own for own in ids[query].tolist() if own != -1 and (ids[query] == own).sum() > 1}
        )
