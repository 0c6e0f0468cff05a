"""Questions may be read through an adapter; objects never are."""

import json
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from application_corpora import read_application
from safetensors.numpy import load_file
from small_embedder import SmallEmbedder

from grapher_jax import Index, Object
from grapher_jax.corpus import JudgedQuestion
from grapher_jax.errors import InputError
from grapher_jax.evaluation import evaluate
from grapher_jax.retrieve.embedders import adapted, adapter_of
from grapher_jax.retrieve.embedders.bert import Linear, load_bert
from grapher_jax.retrieve.embedders.bert import adapted as adapted_bert
from grapher_jax.retrieve.embedders.query_adapter import AdaptedEmbedder, shipped_adapter

TABLES = [
    Object("album", "album: id, title, singer id", metadata={"db": "music", "table": "album"}),
    Object("singer", "singer: id, name, country", metadata={"db": "music", "table": "singer"}),
    Object("concert", "concert: id, year, stadium", metadata={"db": "music", "table": "concert"}),
]
QUESTION = "Which artists are from France?"


@pytest.fixture(scope="module")
def music(embedder):
    return Index.build(TABLES, embedder=embedder, query_adapter="tables")


def test_questions_about_tables_are_read_through_it_and_tables_are_not(music, embedder):
    plain = Index.build(TABLES, embedder=embedder)
    np.testing.assert_array_equal(music.embeddings, plain.embeddings)
    both = [one.embedder.embed_queries([QUESTION])[0] for one in (music, plain)]
    np.testing.assert_array_equal(both[1], embedder.embed_queries([QUESTION])[0])
    assert np.linalg.norm(both[0]) == pytest.approx(1, abs=1e-5)
    assert 0.5 < both[0] @ both[1] < 0.99
    assert [adapter_of(one.embedder) for one in (music, plain)] == ["tables", "none"]


def test_an_index_keeps_its_adapter(music, tmp_path, embedder):
    music.save(tmp_path / "music")
    found = music.search(QUESTION)
    loaded = Index.load(tmp_path / "music")
    assert adapter_of(loaded.embedder) == "tables"
    # A service that opens it again need not warm up the embedder again.
    assert Index.load(tmp_path / "music").embedder == loaded.embedder
    assert loaded.search(QUESTION) == found
    assert loaded.update([TABLES[0]], delete=["concert"]).embedder == loaded.embedder
    again = Index.build(TABLES, reuse=loaded)
    np.testing.assert_array_equal(again.embeddings, music.embeddings)
    plain = Index.load(tmp_path / "music", query_adapter="none")
    assert plain.embedder is embedder and plain.search(QUESTION) != found


def test_an_index_of_an_earlier_version_has_none(music, tmp_path):
    music.save(tmp_path / "music")
    place = tmp_path / "music" / "manifest.json"
    manifest = json.loads(place.read_text())
    assert manifest["embedder"].pop("query_adapter") == "tables"
    place.write_text(json.dumps(manifest))
    assert adapter_of(Index.load(tmp_path / "music").embedder) == "none"


@pytest.mark.parametrize(
    ("damaged", "match"),
    [("passages", "'passages'.*none.*tables"), (7, "damaged")],
)
def test_an_adapter_that_is_not_known_is_told(music, tmp_path, damaged, match):
    music.save(tmp_path / "music")
    place = tmp_path / "music" / "manifest.json"
    manifest = json.loads(place.read_text())
    manifest["embedder"]["query_adapter"] = damaged
    place.write_text(json.dumps(manifest))
    with pytest.raises(InputError, match=match):
        Index.load(tmp_path / "music")


def test_another_embedder_has_no_adapter():
    own = SmallEmbedder()
    assert adapted(own, None) is adapted(own, "none") is own
    with pytest.raises(InputError, match=r"query_adapter: 'tables' adapts .*'offline'.* leave it"):
        Index.build(TABLES, embedder=own, query_adapter="tables")
    with pytest.raises(InputError, match="query_adapter: 'table'"):
        Index.build(TABLES, query_adapter="table")


def test_an_adapter_takes_the_place_of_another(embedder):
    one = adapted(embedder, "tables")
    assert adapted(one, None) is one
    assert adapted(one, "none") is embedder
    assert adapted(one, "tables") == one == AdaptedEmbedder(embedder, "tables")


def test_evaluate_says_which_adapter_it_was(music):
    asked = [JudgedQuestion(QUESTION, ["singer"])]
    report = evaluate(music, questions=asked, systems=["grapher"])
    assert report.embedder == "offline"
    assert report.results[-1].parameters["query_adapter"] == "tables"


@pytest.fixture(scope="module")
def thin():
    return load_file(shipped_adapter("tables"))


def test_the_thin_matrices_are_added_to_every_linear_layer(embedder, thin):
    bert = load_bert(embedder.folder)
    changed = adapted_bert(bert, thin)
    for place, (before, after) in enumerate(zip(bert.layers, changed.layers, strict=True)):
        for name in ("query", "key", "value", "attended", "inner", "output"):
            down, up = (thin[f"{place}.{name}.{one}"].astype(float) for one in ("down", "up"))
            expected = np.asarray(getattr(before, name).kernel, float) + down @ up
            np.testing.assert_allclose(getattr(after, name).kernel, expected, atol=1e-6)
            assert isinstance(getattr(after, name), Linear)
    np.testing.assert_array_equal(changed.words, bert.words)


@pytest.mark.nightly
def test_an_adapter_can_be_learned_by_gradients(embedder, thin):
    bert = load_bert(embedder.folder)
    some = {name: jnp.zeros(matrix.shape) for name, matrix in thin.items()}
    some |= {name: jnp.ones(matrix.shape) * 0.01 for name, matrix in thin.items() if "down" in name}

    def moved(thin):
        return adapted_bert(bert, thin)(jnp.array([[101, 3899, 102]]), jnp.array([3]))[0, 0]

    slopes = jax.jit(jax.grad(moved))(some)
    assert all(np.isfinite(slope).all() for slope in slopes.values())
    assert np.abs(slopes["0.query.up"]).max() > 0 and np.abs(slopes["5.output.up"]).max() > 0


def test_reading_by_an_adapter_compiles_no_further_program(embedder, compilations):
    asked = adapted(embedder, "tables")
    for one in (embedder, asked):
        one.embed_queries(["how many singers are there"])
    asked.embed_objects(["which albums are sold"])
    before = compilations()
    asked.embed_queries(["which albums are sold"])
    assert compilations() == before


@pytest.mark.nightly
def test_questions_about_an_unseen_application_find_their_tables_earlier_by_it():
    index, judged = read_application("mayan")
    plain, by_it = (
        evaluate(
            replace(index, embedder=adapted(index.embedder, name)),
            questions=[
                JudgedQuestion(query.text, [*judged.judgements[query.id]])
                for query in judged.queries
            ],
            rerankers=["gcs"],
            lexical_weight=0.0,
        )
        for name in ("none", "tables")
    )
    before, after = (report.results[0].metrics["nDCG@10"].all for report in (plain, by_it))
    assert after > before + 0.02, (before, after)
