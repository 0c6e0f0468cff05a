import numpy as np
import pytest

import grapher_jax as gj
from grapher_jax.errors import InputError


def ranking(scores, shift=0.0):
    """Hits of which the rank says what the base score says."""
    return [
        gj.Hit(id=str(place), score=0.0, rank=place, base_score=score + shift, base_rank=place)
        for place, score in enumerate(sorted(scores, reverse=True), start=1)
    ]


@pytest.fixture(scope="module")
def judged():
    """Questions whose hits are relevant as often as their base score says."""
    rng = np.random.default_rng(0)
    lists = [ranking(rng.uniform(size=10)) for _ in range(600)]
    return lists, [{hit.id for hit in own if rng.uniform() < hit.base_score} for own in lists]


def test_what_is_fitted_states_what_is_so(judged):
    rankings, relevant = judged
    found = gj.Calibration.fit(rankings[:300], relevant[:300])
    # On questions that it has not seen.
    likely = np.concatenate([found.probabilities(own) for own in rankings[300:]])
    pairs = zip(rankings[300:], relevant[300:], strict=True)
    wanted = np.array([hit.id in ids for own, ids in pairs for hit in own])
    for low in (0.0, 0.25, 0.5, 0.75):
        held = (likely >= low) & (likely < low + 0.25)
        assert held.sum() > 100
        assert abs(likely[held].mean() - wanted[held].mean()) < 0.08


def test_scores_of_any_unit_can_be_fitted(judged):
    rankings, relevant = judged
    moved = [ranking([hit.base_score for hit in own], shift=-30.0) for own in rankings]
    expected = gj.Calibration.fit(rankings, relevant).probabilities(rankings[0])
    found = gj.Calibration.fit(moved, relevant).probabilities(moved[0])
    np.testing.assert_allclose(found, expected, atol=0.01)


def test_scores_of_any_size_can_be_fitted(judged):
    rankings, relevant = judged
    # As those of reciprocal rank fusion, and larger ones.
    for size in (0.02, 1000.0):
        sized = [ranking([size * hit.base_score for hit in own]) for own in rankings]
        expected = gj.Calibration.fit(rankings, relevant).probabilities(rankings[0])
        found = gj.Calibration.fit(sized, relevant).probabilities(sized[0])
        np.testing.assert_allclose(found, expected, atol=1e-6)


def test_scores_that_are_all_the_same_say_nothing(judged):
    rankings, relevant = judged
    same = [
        [gj.Hit(hit.id, 0.0, hit.rank, 0.1, hit.base_rank) for hit in own] for own in rankings[:9]
    ]
    assert gj.Calibration.fit(same, relevant[:9]).weights[1] == 0


def test_the_default_reads_hits_of_an_index(embedder):
    objects = [gj.Object(name, f"{name} are sold in the shop") for name in ("cars", "ships")]
    hits = gj.Index.build(objects, embedder=embedder).search("Where are cars sold?")
    likely = gj.Calibration().probabilities(hits)
    assert 1 > likely[0] > likely[1] > 0
    assert gj.Calibration().probabilities([]) == []
    # Cosines of unit vectors have roundings.
    rounded = gj.Hit(id="a", score=0.0, rank=1, base_score=1.0000001, base_rank=1)
    assert 0 < gj.Calibration().probabilities([rounded])[0] < 1


def test_bad_input_is_named(judged, types_unchecked):
    rankings, relevant = judged
    with pytest.raises(InputError, match=r"hit '1': base score -2\d.* fit a Calibration"):
        gj.Calibration().probabilities(ranking([0.5], shift=-30.0))
    with pytest.raises(InputError, match="relevant: 2 for 3 rankings; give one for each"):
        gj.Calibration.fit(rankings[:3], relevant[:2])
    with pytest.raises(InputError, match="relevant: 0 of 10 hits are relevant; give questions"):
        gj.Calibration.fit(rankings[:1], [set()])
    with pytest.raises(InputError, match=r"relevant\[0\]: .* list of ids"):
        gj.Calibration.fit(rankings[:1], ["d12"])
    with pytest.raises(InputError, match="rankings: "):
        gj.Calibration.fit(3, relevant)
    with pytest.raises(InputError, match=r"rankings\[0\]: give a list of hits"):
        gj.Calibration.fit(rankings[0], relevant[:1])
    with pytest.raises(InputError, match=r"rankings\[0\]\[0\]: .*hit"):
        gj.Calibration.fit([["ab"]], relevant[:1])
    with pytest.raises(InputError, match=r"hits\[0\]: .*hit"):
        gj.Calibration().probabilities(["a"])
    with pytest.raises(InputError, match="weights: 2 numbers; give those of rank, score and bias"):
        gj.Calibration(weights=(1.0, 2.0))
    with pytest.raises(InputError, match=r"weights\[1\]: "):
        gj.Calibration(weights=(1.0, float("nan"), 2.0))
    with pytest.raises(InputError, match="weights: "):
        gj.Calibration(weights=None)
