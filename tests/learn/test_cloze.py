from itertools import chain

import numpy as np
import pytest
from words import Words

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir
from grapher_jax.errors import InputError
from grapher_jax.learn.cloze import cloze_questions
from grapher_jax.learn.examples import prepare
from grapher_jax.systems.networks import find_network
from grapher_jax.training.candidates import GraphSettings
from grapher_jax.training.config import SetConfig

LONG = "the quick brown fox jumps over one lazy dog near the old mill again"
TEXTS = ["too short. " + LONG + ".", "nothing here", LONG.upper(), "a b c d e f g h i j. k l m"]


def test_questions_are_words_of_one_sentence_in_their_order():
    made = cloze_questions(TEXTS, 10)
    assert list(made) == [0, 2, 3]  # one text has no sentence of eight words
    for place, question in made.items():
        words = question.split()
        source = iter(TEXTS[place].removeprefix("too short. ").split())
        assert all(word in source for word in words)
        assert 3 <= len(words) <= round(0.7 * 14)
    assert cloze_questions(TEXTS, 10) == made
    assert cloze_questions(TEXTS, 10, seed=1) != made
    assert len(cloze_questions(TEXTS, 2)) == 2


@pytest.fixture
def folder(tmp_path):
    objects = [
        Object(
            f"{document}{n}", f"{LONG} {document} number {n}.", metadata={"document_id": document}
        )
        for document in "abc"
        for n in range(4)
    ]
    queries = [Query("q", "which fox", metadata={"filter": {"document_id": "a"}})]
    write_beir(tmp_path / "set", objects, queries, {"train": {"q": {"a1": 1, "b2": 1}}})
    return tmp_path / "set"


def examples(folder, cache, **options):
    config = SetConfig(source=str(folder), **options)
    return prepare(config, find_network("gat"), GraphSettings(neighbors=4), cache, embedder=Words())


def test_examples_are_about_documents_of_the_split(folder, tmp_path):
    found = examples(folder, tmp_path / "cache", cloze=20)
    assert found.name == "set:train+cloze"
    assert found.ids == [f"cloze {document}{n}" for document in "ab" for n in range(4)]
    assert {*chain(*found.groups)} == {"a", "b"}
    np.testing.assert_array_equal(found.counts, 1)
    for question, row in enumerate(range(8)):
        assert set(found.rows[question][found.relevant[question]]) == {row}
    # No filter: all documents are there to be told apart.
    assert (found.rows[0] >= 0).sum() == 12
    assert examples(folder, tmp_path / "cache").ids == ["q"]


def test_a_corpus_without_questions_has_all_of_its_documents_asked_for(folder, tmp_path):
    (folder / "queries.jsonl").unlink()
    (folder / "qrels" / "train.tsv").unlink()
    found = examples(folder, tmp_path / "cache", cloze=20)
    assert found.ids == [f"cloze {document}{n}" for document in "abc" for n in range(4)]
    assert {*chain(*found.groups)} == {*"abc"}
    with pytest.raises(InputError, match=r"has no judged questions; .*--cloze"):
        examples(folder, tmp_path / "cache")


def test_texts_without_sentences_make_no_questions(tmp_path):
    write_beir(
        tmp_path / "set",
        [Object("a", "few words")],
        [Query("q", "few")],
        {"train": {"q": {"a": 1}}},
    )
    with pytest.raises(InputError, match="no text has a sentence"):
        examples(tmp_path / "set", tmp_path / "cache", cloze=5)
    with pytest.raises(InputError, match="cloze: -1 must be at least 0"):
        SetConfig(source="x", cloze=-1)
