import numpy as np

from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.training import ALPHAS, alpha_grid


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
