import numpy as np
import pytest

from grapher_jax.rankers.moved import moved
from grapher_jax.retrieve.collection import Candidates, Questions

ROWS = np.array([[7, 3, 9, 5], [7, 3, 9, -1]], np.int32)
# The second question's are not in order, as another retriever may give them.
SCORES = np.array([[0.9, 0.7, 0.5, 0.3], [0.2, 0.7, 0.5, 0.0]], np.float32)
FOUND = Candidates(ROWS, SCORES, Questions([], lambda: np.zeros((0, 1), np.float32)))


@pytest.mark.parametrize(
    ("positions", "k", "changed"),
    [
        # Another order of the same first two is no change; another object among them is one.
        ([[1, 0, 2, 3], [1, 2, 0, -1]], 2, [False, False]),
        ([[2, 0, 1, 3], [2, 1, 0, -1]], 2, [True, False]),
        ([[0, 1, 2, 3], [0, 1, 2, -1]], 2, [False, True]),
        # All candidates are among the first: only their order can be another.
        ([[0, 1, 2, 3], [1, 2, 0, -1]], 4, [False, False]),
        ([[1, 0, 2, 3], [0, 1, 2, -1]], 4, [True, True]),
        ([[0, 1, 3, 2], [1, 2, 0, -1]], 10, [True, False]),
        # A ranking may hold no more than its first k.
        ([[1, 0], [2, 1]], 2, [False, False]),
        ([[1, 3], [0, 1]], 2, [True, True]),
    ],
)
def test_what_counts_is_who_is_among_the_first(positions, k, changed):
    assert moved(FOUND, np.array(positions), k=k).tolist() == changed
