import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grapher_jax import kernels

scores_with_ties = hnp.arrays(
    np.float32, st.sampled_from([1, 5, 12]), elements=st.sampled_from([-1.0, 0.0, 0.25, 0.5])
)


@given(scores_with_ties, st.sampled_from([1, 4, 15]), st.data())
def test_ties_go_to_the_earlier_candidate_and_missing_places_are_marked(scores, k, data):
    mask = data.draw(hnp.arrays(bool, len(scores)))
    top = kernels.top_k(scores, k, mask=mask)
    expected = [i for i in np.argsort(-scores, kind="stable") if mask[i]][:k]
    found = len(expected)
    assert top.indices.tolist() == expected + [-1] * (k - found)
    np.testing.assert_array_equal(top.scores[:found], scores[expected])
    assert (np.asarray(top.scores[found:]) == -np.inf).all()


def test_nan_is_never_a_result():
    assert kernels.top_k(np.array([np.nan, 1.0, np.nan]), 3).indices.tolist() == [1, -1, -1]
