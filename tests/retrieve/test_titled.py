from dataclasses import replace

import numpy as np
import pytest

from grapher_jax import Index, Object
from grapher_jax.corpus import Query
from grapher_jax.errors import InputError
from grapher_jax.graph.names import Names
from grapher_jax.retrieve import Questions, RetrievalOptions
from grapher_jax.retrieve.titled import Titled

TITLES = [["new york"], [], ["Apple"], ["new york"], ["the who"], ["What"], ["york"], ["東 京"]]
QUESTION = "Who founded the band that plays in New York?"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is NEW York larger than 東京?", {0: 0.5, 3: 0.5, 7: 1.0}),
        ("What does Apple sell in York?", {2: 1.0}),
        ("an apple of newyork", {}),
        ("Which songs are by the Who?", {}),
        ("", {}),
    ],
)
def test_objects_share_a_title_that_a_question_names(question, expected):
    rows, shares = Titled.of(Names.build(TITLES)).shares(question)
    assert rows.tolist() == sorted(expected)
    assert dict(zip(rows.tolist(), shares.tolist(), strict=True)) == expected


@pytest.fixture(scope="module")
def bands(embedder):
    objects = [
        Object("band", "They play in a small hall near the harbour.", "The Harbour Lights"),
        Object("city", "A city with a harbour, where bands play and were founded.", "New York"),
        Object("state", "A state with many a hall.", "New York (state)"),
        Object("table", "harbour_lights: id, name", "Harbour Lights", {"table": "harbour_lights"}),
        Object("founder", "Founded a band, and left it."),
    ]
    return Index.build(objects, embedder=embedder)


def expected(index, question, weight):
    """Every object's score by NumPy in float64."""
    lexical = index.lexical.scores([question]).all[0].astype(float)
    scaled = (lexical - lexical.min()) / (lexical.max() - lexical.min())
    rows, shares = index.retriever.titled.shares(question)
    scaled[rows] += weight * shares
    cosines = np.asarray(index.embeddings) @ index.retriever.embed([question])[0]
    return 0.3 * scaled + 0.7 * cosines


@pytest.mark.parametrize("weight", [None, 0.0, 1.0])
def test_bm25_counts_the_titles_that_a_question_names(bands, weight):
    found = bands.retrieve([QUESTION], title_weight=weight)
    scores = expected(bands, QUESTION, 0.5 if weight is None else weight)
    np.testing.assert_array_equal(found.rows[0], np.argsort(-scores, kind="stable"))
    np.testing.assert_allclose(found.scores[0], np.sort(scores)[::-1], atol=1e-6)
    plain = bands.retrieve([QUESTION], title_weight=0.0)
    moved = dict(zip(found.rows[0].tolist(), found.scores[0].tolist(), strict=True))
    before = dict(zip(plain.rows[0].tolist(), plain.scores[0].tolist(), strict=True))
    gained = {bands.ids[row] for row in moved if moved[row] > before[row] + 1e-6}
    assert gained == ({"city", "state"} if weight != 0 else set())


def test_given_objects_gain_as_retrieved_ones(bands):
    asked = Questions([Query("1", QUESTION)], lambda: bands.retriever.embed([QUESTION]))
    rows = np.arange(len(bands), dtype=np.int32)[None]
    found, every = bands.retriever.among(asked, rows), bands.retrieve([QUESTION])
    np.testing.assert_array_equal(found.rows, every.rows)
    np.testing.assert_allclose(found.scores, every.scores, atol=1e-6)


def test_a_batch_is_its_questions_one_by_one(bands):
    questions = [QUESTION, "Where do The Harbour Lights play?", "Who left?"]
    batch = bands.retrieve(questions)
    for number, question in enumerate(questions):
        one = bands.retrieve([question])
        np.testing.assert_array_equal(batch.rows[number], one.rows[0])
        np.testing.assert_allclose(batch.scores[number], one.scores[0], atol=1e-6)


def test_an_updated_and_loaded_index_finds_the_titles_of_a_new_one(bands, tmp_path):
    bands.save(tmp_path / "bands")
    index = Index.load(tmp_path / "bands", embedder=bands.embedder)
    more = [
        Object("city", "It was renamed.", "New Amsterdam"),
        Object("book", "A novel about a band.", "Harbour Lights"),
    ]
    index = index.update(more, delete=["band"])
    index.save(tmp_path / "bands")
    index = Index.load(tmp_path / "bands", embedder=bands.embedder)
    question = "Are the Harbour Lights of New York or of New Amsterdam?"
    rows, shares = index.retriever.titled.shares(question)
    named = {index.ids[row]: share for row, share in zip(rows, shares, strict=True)}
    assert named == {"state": 1.0, "city": 1.0, "book": 1.0}
    again = Index.build(index.objects, embedder=bands.embedder)
    found, fresh = index.search(question, k=5), again.search(question, k=5)
    assert [hit.id for hit in found] == [hit.id for hit in fresh]


def test_titles_that_are_not_stored_count_nothing(bands):
    """As in an index of an earlier version, until an update."""
    stored = [{name: own[name] for name in own if name != "titles"} for own in bands.named]
    older = replace(bands, named=stored)
    assert older.retriever.titled is None
    found, plain = older.retrieve([QUESTION]), bands.retrieve([QUESTION], title_weight=0.0)
    np.testing.assert_array_equal(found.scores, plain.scores)
    # Other edges forget what is stored; then titles are read from the objects.
    edges = replace(bands, named=None)
    found = edges.retrieve([QUESTION])
    np.testing.assert_array_equal(found.scores, bands.retrieve([QUESTION]).scores)


def test_a_weight_is_a_part_of_the_range():
    with pytest.raises(InputError, match=r"title_weight: 1.5 is outside \[0, 1\]"):
        RetrievalOptions(title_weight=1.5)
