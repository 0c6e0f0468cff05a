"""Candidates as callers have them."""

from dataclasses import dataclass
from decimal import Decimal
from types import SimpleNamespace
from typing import NamedTuple
from uuid import UUID

import jax.numpy as jnp
import numpy as np
import pytest

import grapher_jax as gj
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.rankers.given import as_candidates

TEXT = "orders: id, total"


@dataclass
class Passage:
    """As rerankers has documents."""

    text: str
    doc_id: int


class Picture:
    """A node whose text is none."""

    content = TEXT
    id_ = "picture"

    @property
    def text(self):
        raise ValueError("no text")


class Row(NamedTuple):
    """A text with its score, by name."""

    text: str
    score: float


class Line(NamedTuple):
    """A text with what is no score."""

    content: str
    page: int


GIVEN = [
    (TEXT, {"id": "documents[0]", "text": TEXT}),
    ((TEXT, 0.5), {"id": "documents[0]", "text": TEXT, "score": 0.5}),
    ((TEXT, np.float32(0.5)), {"id": "documents[0]", "text": TEXT, "score": 0.5}),
    ({"text": TEXT}, {"id": "documents[0]", "text": TEXT}),
    ({"_id": "a", "content": TEXT}, {"id": "a", "text": TEXT}),
    ({"id": "a", "page_content": TEXT, "score": 1}, {"id": "a", "text": TEXT, "score": 1}),
    ({"id": "a", "body": TEXT, "relevance_score": 0.4}, {"id": "a", "text": TEXT, "score": 0.4}),
    ({"_id": "a", "_score": 7.5, "similarity": None}, {"id": "a", "score": 7.5}),
    ({"id": "a", "similarity": 0.2, "score": 0.1}, {"id": "a", "score": 0.1}),
    (SimpleNamespace(text=TEXT, body=b"", similarity=len), {"text": TEXT, "score": None}),
    ({"_id": "c1", "doc_id": "d", "content": TEXT, "body": "x"}, {"id": "c1", "text": TEXT}),
    ({"id": "a", "_score": 12.5, "relevance_score": 0.4}, {"id": "a", "score": 0.4}),
    ({"id": "a", "meta": {"links": ["b"]}}, {"id": "a", "metadata": {"links": ["b"]}}),
    (({"id": "a"}, 2.0), {"id": "a", "score": 2.0}),
    (gj.Object("a", TEXT, "t"), {"id": "a", "text": TEXT, "title": "t", "metadata": {}}),
    ((gj.Object("a", TEXT), 0.1), {"id": "a", "text": TEXT, "score": 0.1}),
    (SimpleNamespace(page_content=TEXT, metadata={"x": 1}, id=None), {"id": "documents[0]", "text": TEXT, "metadata": {"x": 1}}),
    (SimpleNamespace(content=TEXT, meta={}, id="h", score=0.2), {"id": "h", "text": TEXT, "score": 0.2}),
    (SimpleNamespace(page_content=TEXT, metadata={"relevance_score": 0.3}, id="a"), {"id": "a", "score": 0.3}),
    (Passage(TEXT, 3), {"id": "3", "text": TEXT}),
    (Row(TEXT, 0.5), {"id": "documents[0]", "text": TEXT, "score": 0.5}),
    (Line(TEXT, 7), {"id": "documents[0]", "text": TEXT, "score": None}),
    (SimpleNamespace(content=TEXT, id=UUID(int=1)), {"id": str(UUID(int=1)), "text": TEXT}),
    (SimpleNamespace(content=TEXT, title=TEXT.title), {"text": TEXT, "title": None}),
    (Picture(), {"id": "picture", "text": TEXT}),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), GIVEN)
def test_whatever_has_a_text_is_a_candidate(given, expected):
    (found,) = as_candidates([given], 0)
    assert {key: found.get(key) for key in expected} == expected


def test_an_id_is_made_where_there_is_none_and_is_no_others():
    found = as_candidates([{"id": "documents[1]"}, "a", "b"], 0)
    assert [one["id"] for one in found] == ["documents[1]", "documents[1]'", "documents[2]"]


@pytest.mark.parametrize(
    "score", [jnp.array([0.5, 1.0])[0], np.array(0.5), np.float32(0.5), Decimal("0.5")]
)
def test_a_score_may_be_an_array_of_one_number(score):
    (found,) = as_candidates([("a", score)], 0)
    assert (type(found["score"]), found["score"]) == (float, 0.5)


@pytest.mark.parametrize("score", [np.ones(1), "0.5", Decimal("nan"), jnp.ones(2)])
def test_what_is_no_number_is_no_score(score):
    with pytest.raises(InputError, match="score must be a finite number"):
        as_candidates([("a", score)], 0)


@pytest.mark.parametrize(
    "odd", [None, 3, b"x", [TEXT], {TEXT}, len, gj.Object, ("a", 0.5, 1), object()]
)
def test_what_is_no_candidate_is_named_with_the_cure(odd):
    with pytest.raises(InputError, match="candidate 2 of question 1: give a text, a dict with"):
        as_candidates(["a", odd], 0)


QUESTION = "Which stores are in Boston?"
TEXTS = ["songs: title, artist", "stores: id, city", "customers: id, name"]


def test_the_first_call_needs_no_scores_and_no_ids(embedder):
    hits = gj.Reranker().rerank(QUESTION, TEXTS)
    assert (hits[0].text, hits[0].index, hits[0].id) == (TEXTS[1], 1, "documents[1]")
    assert hits.scale == "compared"
    # As the base retriever would over these as its corpus.
    index = gj.Index.build(
        [gj.Object(str(n), text) for n, text in enumerate(TEXTS)],
        embedder=embedder,
        text=[],
        lexical_weight=0.3,
    )
    known = {hit.text: hit.score for hit in index.search(QUESTION, ranker="base")}
    # Some cosines may be below 0, and all are moved up by the lowest.
    apart = {known[hit.text] - hit.score for hit in hits}
    assert max(apart) - min(apart) < 1e-5


def test_kinds_may_be_mixed_and_a_score_that_others_lack_is_told_of():
    mixed = [(TEXTS[0], 0.9), {"id": "s", "text": TEXTS[1]}, gj.Object("c", TEXTS[2])]
    with pytest.warns(GrapherWarning, match="score: some candidates of a question have none"):
        hits = gj.Reranker().rerank(QUESTION, mixed)
    assert hits[0].id == "s"
    plain = gj.Reranker().rerank(QUESTION, TEXTS)
    assert [hit.score for hit in hits] == [hit.score for hit in plain]


def test_a_score_alone_does_not_compare_with_texts():
    with pytest.raises(InputError, match="candidate 'a' has no text and no embedding, by which"):
        gj.Reranker().rerank(QUESTION, [{"id": "a", "score": 1.0}, TEXTS[0]])


def test_questions_with_and_without_scores_stand_in_one_batch():
    scored = [("a", 2.0), ("b", 1.0)]
    reranker = gj.Reranker(ranker="gcs", scores="logit")
    compared, given = reranker.rerank_batch([QUESTION, "?"], [TEXTS, scored])
    assert (compared.scale, given.scale) == ("compared", "logit")
    alone = reranker.rerank(QUESTION, TEXTS)
    assert [hit.score for hit in compared] == pytest.approx([hit.score for hit in alone], abs=1e-6)
    assert given[0].score == pytest.approx(1 / (1 + np.exp(-2.0)))


def test_the_names_of_other_rerankers_are_those_of_ours():
    reranker, pairs = gj.Reranker(ranker="base"), [("a", 1.0), ("b", 2.0), ("c", 3.0)]
    expected = reranker.rerank("?", pairs, k=2)
    assert [hit.index for hit in expected] == [2, 1]
    assert reranker.rerank("?", pairs, top_k=2) == reranker.rerank("?", pairs, top_n=2) == expected
    bare = reranker.rerank("?", pairs, top_n=2, return_documents=False)
    assert [(hit.index, hit.text, hit.score) for hit in bare] == [(2, "", 3.0), (1, "", 2.0)]
    assert bare[0].explanation == expected[0].explanation
    with pytest.raises(InputError, match="k and top_n: are names of the same; give one"):
        reranker.rerank("?", pairs, k=1, top_n=2)
    with pytest.raises(InputError, match="top_k: 0 must be at least 1"):
        reranker.rerank("?", pairs, top_k=0)


@pytest.mark.usefixtures("types_unchecked")
def test_a_data_frame_is_no_list_of_its_columns():
    frame = pytest.importorskip("pandas").DataFrame([{"id": "a", "text": TEXT, "score": 1.0}])
    with pytest.raises(InputError, match="question 1: are a data frame; give its records"):
        gj.Reranker().rerank("?", frame)
    assert gj.Reranker(ranker="base").rerank("?", frame.to_dict("records"))[0].id == "a"


def test_a_question_that_texts_are_compared_with_is_not_empty():
    with pytest.raises(InputError, match="question 1: empty, and documents without a score"):
        gj.Reranker().rerank(" ", TEXTS)
