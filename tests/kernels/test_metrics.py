import numpy as np

from grapher_jax import kernels


def test_perfect_recall_wants_every_relevant_object():
    hits = np.array([[True, False, True, False], [True, False, False, False], [False] * 4])
    relevant = np.array([2, 2, 0])
    assert kernels.perfect_recall(hits, relevant, 3).tolist() == [1, 0, 0]
    assert kernels.perfect_recall(hits, relevant, 2).tolist() == [0, 0, 0]
