from dataclasses import replace

import jax
import numpy as np
import pytest

from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.training import DiffusionNumbers, diffusion_loss

JOINING = ("foreign_key", "chunk")
NUMBERS = DiffusionNumbers(0.2, 0.3, {"foreign_key": 1.0, "chunk": 2.0})


def question(relevant):
    """Two questions, of which the second is padding."""
    return {
        "scores": np.array([[0.9, 0.6, 0.4, 0.1], [0.0] * 4], np.float32),
        "relations": Relations(
            object_ids=np.array([[0, 1, 2, 3]] * 2),
            foreign_keys=np.array([[[3], [-1], [-1], [-1]]] * 2),
            document_ids=np.array([[-1, 7, 7, -1]] * 2),
            chunk_ids=np.array([[-1, 0, 1, -1]] * 2),
        ),
        "relevant": np.array([relevant, [False] * 4]),
        "mask": np.array([[True] * 4, [False] * 4]),
        "proximities": JOINING,
    }


def test_numbers_survive_being_made_free():
    again = DiffusionNumbers.of_free(NUMBERS.free(), JOINING)
    assert again.temperature == pytest.approx(0.2)
    assert again.alpha == pytest.approx(0.3)
    assert again.weights == pytest.approx({"foreign_key": 1.0, "chunk": 2.0})
    halves = replace(NUMBERS, weights={"foreign_key": 0.5, "chunk": 1.0})  # only ratios matter
    np.testing.assert_array_equal(halves.free(), NUMBERS.free())


def test_seeds_that_keep_all_of_their_weight_have_odds():
    again = DiffusionNumbers.of_free(replace(NUMBERS, alpha=1.0).free(), JOINING)
    assert again.alpha == pytest.approx(1.0, abs=2e-6)


def test_the_slope_is_that_of_the_loss():
    given = question([True, False, True, True])
    with jax.enable_x64(True):
        start = NUMBERS.free()
        _, slope = diffusion_loss(start, **given)
        for place, step in enumerate(1e-3 * np.eye(3)):
            ahead, behind = (diffusion_loss(start + s, **given)[0] for s in (step, -step))
            assert float(ahead - behind) / 2e-3 == pytest.approx(float(slope[place]), abs=2e-3)


def test_what_a_key_leads_to_wants_a_weaker_hold_on_the_seeds():
    start = NUMBERS.free()
    _, joined = diffusion_loss(start, **question([True, False, False, True]))
    _, alone = diffusion_loss(start, **question([True, False, False, False]))
    assert joined[1] > 0 > alone[1]


def test_a_question_without_relevant_candidates_teaches_nothing():
    loss, slope = diffusion_loss(NUMBERS.free(), **question([False] * 4))
    assert loss == 0
    np.testing.assert_array_equal(slope, 0)


def test_labels_of_padding_teach_nothing():
    given = question([True, False, True, True])
    given["mask"] = np.array([[True, True, True, False], [False] * 4])
    told = diffusion_loss(NUMBERS.free(), **given)
    given["relevant"] = given["relevant"] & given["mask"]
    for one, other in zip(told, diffusion_loss(NUMBERS.free(), **given), strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_cannot_be_learned_from_is_named(types_unchecked):
    given = question([True, False, True, True])
    listed = diffusion_loss(NUMBERS.free(), **(given | {"proximities": [*JOINING]}))
    assert listed[0] == diffusion_loss(NUMBERS.free(), **given)[0]
    for changed, message in (
        ({"proximities": ("foreign_key", "nonsense")}, "weights: 'nonsense' is unknown"),
        ({"relevant": given["relevant"][:, :2]}, "relevant: shape"),
        (
            {"proximities": ("foreign_key",)},
            r"numbers: shape \(3,\) does not fit; it must be \(2\)",
        ),
        ({"least_degree": -1.0}, "least_degree: -1.0 is outside"),
        ({"measure": "foregn_key"}, "measure: 'foregn_key' is no proximity here; use foreign_key"),
    ):
        with pytest.raises(ValueError, match=message):
            diffusion_loss(NUMBERS.free(), **(given | changed))
    with pytest.raises(TypeError, match="relevant: truth values are needed"):
        diffusion_loss(NUMBERS.free(), **(given | {"relevant": given["relevant"].astype(int)}))
