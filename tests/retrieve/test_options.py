import numpy as np
import pytest

from grapher_jax.errors import InputError
from grapher_jax.retrieve import RetrievalOptions


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"candidates": 0}, "candidates: 0"),
        ({"lexical_weight": 1.1}, r"lexical_weight: 1.1 is outside \[0, 1\]"),
        ({"lexical_weight": float("nan")}, "lexical_weight: "),
        ({"lexical_norm": "sum"}, "lexical_norm: 'sum' is unknown; use min-max, max"),
    ],
)
def test_options_out_of_their_range_are_told(given, told):
    with pytest.raises(InputError, match=told):
        RetrievalOptions(**given)


def test_what_is_not_given_stays():
    own = RetrievalOptions(candidates=7, lexical_weight=0.5, lexical_norm="max")
    assert own.given() == own
    assert own.given(lexical_weight=0.0) == RetrievalOptions(
        candidates=7, lexical_weight=0.0, lexical_norm="max"
    )


def test_the_maximum_divides_and_moves_nothing_but_scores_below_zero():
    low, high = np.array([1.0, -0.5]), np.array([3.0, -0.2])
    zero, one = RetrievalOptions(lexical_norm="max").bounds(low, high)
    assert (zero.tolist(), one.tolist()) == ([0.0, -0.5], [3.0, -0.2])
    np.testing.assert_array_equal(RetrievalOptions().bounds(low, high), (low, high))


@pytest.mark.parametrize("norm", ["min-max", "max"])
def test_equal_scores_are_all_0_and_what_a_title_adds_has_a_unit(norm):
    equal = np.array([0.0, -0.5])
    zero, one = RetrievalOptions(lexical_norm=norm).bounds(equal, equal)
    assert (zero.tolist(), one.tolist()) == ([0.0, -0.5], [1.0, 0.5])


@pytest.mark.parametrize("norm", ["min-max", "max"])
def test_an_index_keeps_its_options_and_a_search_has_its_own(index, norm, tmp_path):
    kept = type(index).build(
        index.objects, embedder=index.embedder, candidates=2, lexical_norm=norm, lexical_weight=1.0
    )
    kept.save(tmp_path / "index")
    again = type(index).load(tmp_path / "index", embedder=index.embedder)
    assert again.options == kept.options
    found = again.retrieve(["orders of stores"])
    assert found.rows.shape == (1, 2)
    scores = again.lexical.scores(["orders of stores"])
    low = scores.bounds[0] if norm == "min-max" else 0
    expected = (scores.all - low) / (scores.bounds[1] - low)
    np.testing.assert_allclose(found.scores[0], np.sort(expected[0])[::-1][:2], atol=1e-6)
    assert again.retrieve(["orders"], candidates=5, lexical_weight=0.0).rows.shape == (1, 5)
    assert len(again.search("orders of stores", k=4)) == 4
