import shutil

import numpy as np
import pytest

from grapher_jax.errors import InputError
from grapher_jax.retrieve.cross_encoder import CrossEncoder

PAIRS = [
    ("what bridge", "the river"),
    ("what cost", "lunch soup " * 200),
    ("the engineer", ""),
    ("what bridge", "the bridge cost"),
]


@pytest.mark.nightly
def test_pairs_are_scored_as_sentence_transformers_does(cross_encoder):
    module = pytest.importorskip("sentence_transformers")
    expected = module.CrossEncoder(cross_encoder).predict(PAIRS, show_progress_bar=False)
    scores = CrossEncoder(cross_encoder).score(PAIRS)
    assert scores.dtype == np.float32
    assert len({*scores.tolist()}) == len(PAIRS)
    assert ((scores > 0) & (scores < 1)).all()
    np.testing.assert_allclose(scores, expected, atol=1e-6)


def test_a_pairs_score_does_not_depend_on_the_others(cross_encoder):
    encoder = CrossEncoder(cross_encoder)
    many = PAIRS * 20
    together = encoder.score(many)
    for place in (0, 1, 2, 79):
        np.testing.assert_allclose(together[place], encoder.score([many[place]])[0], atol=1e-6)


def test_no_pairs_load_nothing():
    assert CrossEncoder("nobody/nothing").score([]).shape == (0,)


def test_a_missing_model_is_named_with_the_cure():
    with pytest.raises(
        InputError, match=r"cross-encoder: 'nobody/nothing' cannot be loaded .*give it the name or"
    ):
        CrossEncoder("nobody/nothing").score(PAIRS)


def test_a_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(InputError, match=r"cross-encoder: .* cannot be loaded"):
        CrossEncoder(str(tmp_path)).score(PAIRS)


def test_one_number_a_pair_is_needed(cross_encoder, tmp_path):
    transformers = pytest.importorskip("transformers")
    config = transformers.AutoConfig.from_pretrained(cross_encoder, num_labels=3)
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(cross_encoder).save_pretrained(tmp_path)
    with pytest.raises(InputError, match="gives 3 numbers a pair, not one"):
        CrossEncoder(str(tmp_path)).score(PAIRS)


def test_a_path_means_the_same_from_any_folder(cross_encoder, monkeypatch):
    from pathlib import Path

    monkeypatch.chdir(Path(cross_encoder).parent)
    assert CrossEncoder("cross-encoder").name == str(Path(cross_encoder).resolve())


def test_a_model_without_a_trained_head_is_refused(cross_encoder, tmp_path):
    transformers = pytest.importorskip("transformers")
    config = transformers.BertConfig.from_pretrained(cross_encoder)
    folder = shutil.copytree(cross_encoder, tmp_path / "headless")
    transformers.BertModel(config).save_pretrained(folder)
    with pytest.raises(InputError, match=r"cannot be loaded \(it is no cross-encoder"):
        CrossEncoder(str(folder)).score(PAIRS)


def test_damaged_weights_are_named(cross_encoder, tmp_path):
    folder = shutil.copytree(cross_encoder, tmp_path / "damaged")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    with pytest.raises(InputError, match="damaged' cannot be loaded"):
        CrossEncoder(str(folder)).score(PAIRS)
