"""What training leaves out of its batches."""

import jax
import numpy as np
import pytest

from grapher_jax.training.batches import disturb
from grapher_jax.training.candidates import MEANINGS, WORDS, CandidateBatch
from grapher_jax.training.config import SetConfig, TrainConfig


@pytest.fixture
def batch():
    count, n = 64, 3
    return CandidateBatch(
        scores=np.ones((count, n), np.float32),
        smoothed=np.ones((count, n), np.float32),
        questions=np.ones((count, 2), np.float32),
        objects=np.ones((count, n, 2), np.float32),
        neighbors=np.zeros((count, n, 1), np.int32),
        degrees=np.ones((count, n, 1), np.float32),
        mask=np.ones((count, n), bool),
        words=np.ones((count, n, WORDS), np.float32),
        meanings=np.ones((count, n, MEANINGS), np.float32),
    )


def test_names_and_cosines_are_left_out_of_whole_questions_each_for_itself(batch):
    settings = TrainConfig(
        sets=(SetConfig(source="any"),), cosine_dropout=0.5, names_dropout=0.5
    ).step
    seen = disturb(batch, settings, jax.random.key(0))
    named = np.asarray(seen.words).any((1, 2))
    similar = np.asarray(seen.questions).any(1)
    np.testing.assert_array_equal(seen.words, batch.words * named[:, None, None])
    np.testing.assert_array_equal(seen.meanings, batch.meanings * named[:, None, None])
    assert {*zip(named.tolist(), similar.tolist(), strict=True)} == {
        (True, True),
        (True, False),
        (False, True),
        (False, False),
    }


def test_nothing_is_left_out_unless_asked_for(batch):
    seen = disturb(batch, TrainConfig(sets=(SetConfig(source="any"),)).step, jax.random.key(0))
    for name in ("scores", "questions", "neighbors", "words", "meanings"):
        np.testing.assert_array_equal(getattr(seen, name), getattr(batch, name))
