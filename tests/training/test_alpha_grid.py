import numpy as np
import pytest

from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.training import ALPHAS, alpha_grid

KEYS = np.array([[[2], [-1], [-1]]])


def test_the_grid_is_graphers():
    assert ALPHAS == (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def test_a_small_alpha_lifts_a_neighbour_that_a_large_one_leaves():
    # Candidate 2 is relevant and hangs on candidate 0; candidate 1 stands between them.
    scores = np.array([[0.9, 0.4, 0.1]], np.float32)
    recalled = alpha_grid(
        scores,
        Relations(object_ids=np.array([[0, 1, 2]]), foreign_keys=np.array([[[2], [-1], [-1]]])),
        np.array([[True, False, True]]),
        np.array([2]),
        np.array([0.1, 0.9], np.float32),
        mask=np.ones((1, 3), bool),
        ranker="gcs",
        k=2,
    )
    assert recalled.tolist() == [[1.0], [0.0]]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"ranker": "base"}, "ranker: 'base' is unknown; use one of gcs, ppr, diffusion"),
        ({"alphas": np.array([0.1, 2.0])}, r"alpha: 2.0 at \[1\] is outside"),
        ({"weights": {"foreign_keys": 5.0}}, "weights: 'foreign_keys' is unknown; use foreign_key"),
        ({"relevant": np.ones((1, 2), bool)}, r"relevant: shape \(1, 2\) does not fit"),
        ({"relevant_counts": np.array([[2]])}, "relevant_counts: shape"),
        ({"relations": Relations(foreign_keys=KEYS)}, "foreign_keys: object_ids is needed with it"),
        ({"k": 0}, "k: 0 must be at least 1"),
        ({"alphas": np.float32(0.5)}, r"alphas: shape \(\) does not fit"),
        ({"gap_part": np.array([0.5], np.float32)}, "gap_part: of the ranker 'diffusion'"),
        ({"ranker": "diffusion", "gap_part": np.array([-1.0])}, r"gap_part: -1.0 at \[0\]"),
        ({"ranker": "diffusion", "least_degree": np.array([-1.0])}, r"least_degree: -1.0 at \[0\]"),
    ],
)
def test_what_cannot_be_measured_is_named(changed, message, types_unchecked):
    given = {
        "scores": np.array([[0.9, 0.4, 0.1]], np.float32),
        "relations": Relations(object_ids=np.array([[0, 1, 2]]), foreign_keys=KEYS),
        "relevant": np.array([[True, False, True]]),
        "relevant_counts": np.array([2]),
        "alphas": np.array([0.1, 0.9], np.float32),
        "mask": np.ones((1, 3), bool),
        "ranker": "gcs",
        "k": 2,
    }
    assert alpha_grid(**given).shape == (2, 1)
    with pytest.raises(ValueError, match=message):
        alpha_grid(**(given | changed))
