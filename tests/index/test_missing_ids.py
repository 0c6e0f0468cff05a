"""What is said of an id that an index lacks."""

import pytest


def test_a_near_one_is_named_where_that_takes_no_time(index, monkeypatch):
    with pytest.raises(KeyError, match=r"'shop\.order' is not in the .* mean 'shop\.orders'\?"):
        index["shop.order"]
    monkeypatch.setattr("grapher_jax.checks._MOST_COMPARED", len(index) - 1)
    with pytest.raises(KeyError, match=r"'shop\.order' is not in the index; index\.ids has all"):
        index["shop.order"]
