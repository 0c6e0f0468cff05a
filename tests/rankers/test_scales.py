"""What another retriever's scores are taken for."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_collection import candidates_of

import grapher_jax as gj
from grapher_jax.errors import InputError
from grapher_jax.rankers.options import AUTO_SCALE, NONE, SCALES, SHIFT
from grapher_jax.rankers.protocol import Needs
from grapher_jax.rankers.scales import rescaled, scales_of

ADDS = Needs(proximities=True)
NETWORK = Needs(proximities=True, cosine=True)
DIFFERENCES = Needs(proximities=True, signs=False)
EVERY = (ADDS, NETWORK, DIFFERENCES)


def found(*lists, any_scale=True):
    """Candidates with these scores, best first, padded."""
    width = max(map(len, lists))
    rows, scores = np.full((len(lists), width), -1, np.int32), np.zeros((len(lists), width))
    for number, own in enumerate(lists):
        rows[number, : len(own)] = np.arange(len(own))
        scores[number, : len(own)] = sorted(own, reverse=True)
    return replace(candidates_of(rows, scores.astype(np.float32)), any_scale=any_scale)


def read(scale, *scores, needs=ADDS):
    return rescaled(found([*scores]), scale, needs).scores[0].tolist()


def test_a_scale_is_read_for_what_it_is():
    assert read("logit", 0.0, -np.log(3.0)) == pytest.approx([0.5, 0.25])
    assert read("logit", 300.0, -100.0) == pytest.approx([1.0, np.exp(-100.0)])
    assert read("cosine", 0.5, -0.25) == [0.5, 0.0]
    # Of vectors in fewer bits.
    assert read("cosine", 1.04, 0.5) == pytest.approx([1.04, 0.5])
    assert read("probability", 0.5, 0.25) == [0.5, 0.25]
    assert read("rank", 9.0, 9.0, 3.0, -1.0) == pytest.approx([1, 1, 1 / 3, 1 / 4])
    assert read(SHIFT, 2.0, -1.0) == [3.0, 0.0]
    assert read(NONE, 2.0, -1.0) == [2.0, -1.0]


@pytest.mark.parametrize("needs", [NETWORK, DIFFERENCES])
def test_what_looks_at_differences_reads_logits_and_ranks_by_theirs(needs):
    assert read("logit", 2.0, -1.0, needs=needs) == [3.0, 0.0]
    assert read("rank", 9.0, 3.0, 3.0, -1.0, needs=needs) == [1.0, 0.75, 0.75, 0.25]


@pytest.mark.parametrize("scale", SCALES)
def test_the_retrievers_own_order_keeps_its_scores(scale):
    assert read(scale, 4.0, -3.0, -6.0, needs=Needs()) == [4.0, -3.0, -6.0]
    candidates = [{"id": "a", "score": 0.8}, {"id": "b", "score": 0.1}]
    hits = gj.Reranker(ranker="base", scores=scale).rerank("?", candidates)
    assert [hit.score for hit in hits] == pytest.approx([0.8, 0.1])


def test_auto_guesses_each_questions_scale_where_a_score_is_negative():
    lists = [[3.0, 2.0], [0.5, -0.1], [-2.0, -6.0], [1.5, -0.1]]
    assert scales_of(found(*lists), AUTO_SCALE, ADDS) == [NONE, SHIFT, "logit", "logit"]
    assert scales_of(found(*lists), AUTO_SCALE, NETWORK) == [NONE, SHIFT, SHIFT, SHIFT]
    assert scales_of(found(*lists), AUTO_SCALE, DIFFERENCES) == [NONE] * 4
    assert scales_of(found(*lists), AUTO_SCALE, Needs(embedder="x")) == [NONE] * 4
    own = np.array([True, True, False, True])
    assert scales_of(found(*lists, any_scale=own), "rank", ADDS) == ["rank"] * 2 + [NONE, "rank"]


@pytest.mark.parametrize(
    "scores",
    [[-100, -105, -110, -120], [80, 75, 60, -3], [10, 5, -100]],
    ids=["negative distances", "dot products", "one far below"],
)
def test_auto_takes_nothing_for_logits_that_probabilities_would_make_one(scores):
    # The longer list beside it fills this one up with zeros, which are no scores.
    assert scales_of(found(scores, [3, 2, 1, 0, -1]), AUTO_SCALE, ADDS) == [SHIFT, "logit"]
    given = sorted(scores, reverse=True)
    assert read(AUTO_SCALE, *scores) == [score - min(scores) for score in given]


@pytest.mark.parametrize("scale", SCALES)
@given(data=st.data())
def test_no_scale_changes_an_order_and_all_but_one_give_scores_from_0(scale, data):
    low, high = {"cosine": (-1, 1), "probability": (0, 1)}.get(scale, (-(2.0**99), 2.0**99))
    one = st.floats(low, high, width=32) | st.floats(max(low, -2), min(high, 2), width=32)
    lists = data.draw(st.lists(st.lists(one, max_size=6), min_size=1, max_size=3))
    if not any(lists):
        return
    given = found(*lists)
    for needs in EVERY:
        scores = rescaled(given, scale, needs).scores
        for own, before in zip(scores, lists, strict=True):
            assert (np.diff(own[: len(before)]) <= 0).all()
        if scale not in (NONE, AUTO_SCALE) or (scale, needs) == (AUTO_SCALE, ADDS):
            assert (scores >= 0).all()


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("needs", EVERY)
def test_a_question_is_read_alike_alone_and_beside_a_longer_list(scale, needs):
    lists = [[0.5, 0.25, 0.25], [0.9, 0.8, 0.1, 0.0, 0.0]]
    together = rescaled(found(*lists), scale, needs).scores
    assert together[0, :3].tolist() == rescaled(found(lists[0]), scale, needs).scores[0].tolist()
    assert together[0, 3:].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("scale", "score", "says"),
    [
        (
            "cosine",
            1.5,
            "1.5 of candidate 'b' of query 2 is no cosine; give another scale, such as",
        ),
        ("probability", -0.5, "-0.5 of candidate 'b' of query 2 is no probability; give another"),
    ],
)
@pytest.mark.parametrize("ranker", ["gcs", "auto"])
def test_a_score_that_its_scale_cannot_have_is_named(scale, score, says, ranker):
    # The other list is joined, so that `auto` ranks the two apart.
    joined = [{"id": "c", "score": 0.5, "metadata": {"links": ["d"]}}, {"id": "d", "score": 0.5}]
    with pytest.raises(InputError, match=f"scores: {says}"):
        gj.Reranker(ranker=ranker, scores=scale).rerank_batch(
            ["?"] * 2, [joined, [("a", 0.5), {"id": "b", "score": score}]]
        )
