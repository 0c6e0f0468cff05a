"""Answers, judged by a model and measured."""

import pytest
import sacrebleu
from questions_of_a_zoo import ANIMALS, ORDERS, knowing, shown

from grapher_jax.answers.grounding import ground
from grapher_jax.corpus import JudgedQuestion, judge_questions
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.evaluation import answers, comparison, evaluate, rank_all
from grapher_jax.evaluation.answers import (
    Answering,
    answer_tasks,
    estimate,
    judge_answers,
    parse_verdict,
)
from grapher_jax.llm import Cost
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index


def test_answers_are_judged_and_measured(endpoint, llm, zoo, embedder):
    index = Index.from_source(str(zoo), embedder=embedder)
    endpoint.answer, done = knowing, []
    rankings = rank_all(index, "test", [Reranker(ranker="base"), Reranker(ranker="gcs")])
    rows = [answer_tasks(ranking) for ranking in rankings]
    reports = judge_answers(rows, llm(), llm("j"), progress=done.append)
    base, gcs = (report.to_dict() for report in reports)
    assert sum(done) == len({task.key for row in rows for task in row.tasks})
    texts = ["The order 1, I think.", "There are seven big animals.", ""]
    references = ["the first order", "There are seven animals.", "Alexander Fleming"]
    from rouge_score import rouge_scorer  # seconds, for every worker that only looks for tests

    scorer = rouge_scorer.RougeScorer(["rougeL"])
    pairs = list(zip(texts, references, strict=True))
    rouge = [scorer.score(wanted, text)["rougeL"].fmeasure for text, wanted in pairs]
    # By hand: of 5 and 3 words, "the … order" is common; of 5 and 4, four.
    assert rouge == pytest.approx([2 * 2 / (5 + 3), 2 * 4 / (5 + 4), 0])
    bleu = [sacrebleu.sentence_bleu(text, [wanted]).score / 100 for text, wanted in pairs]
    for row in (base, gcs):
        assert (row["questions"], row["left_out"], row["failed"]) == (3, 2, 0)
        assert row["judged_yes"] == pytest.approx(1 / 3)
        assert row["refused"] == pytest.approx(1 / 3)
        assert row["rouge_l"] == pytest.approx(sum(rouge) / 3)
        assert row["sentence_bleu"] == pytest.approx(sum(bleu) / 3)
        assert row["bleu"] == sacrebleu.corpus_bleu(texts, [references]).score / 100 > 0
        assert set(row["intervals"]) == {"judged_yes", "refused", "rouge_l", "sentence_bleu"}
        assert row["intervals"]["judged_yes"] == [0.0, 1.0]
    judged = [shown(body)[0] for body in endpoint.requests if body["model"] == "j"]
    assert {
        "question": ANIMALS,
        "reference answer": references[1],
        "program's answer": texts[1],
    } in judged


def test_questions_of_ones_own_bring_their_answers(zoo, embedder):
    index = Index.from_source(str(zoo), embedder=embedder)
    own = JudgedQuestion(ORDERS, [index.ids[0]], metadata={"answer": "the first order"})
    judged = judge_questions([own], index.ids)
    (ranking,) = rank_all(index, judged, [Reranker(ranker="base")])
    assert [task.reference for task in answer_tasks(ranking).tasks] == ["the first order"]


def test_rankings_with_the_same_passages_share_an_answer(endpoint, llm, zoo, embedder):
    index = Index.from_source(str(zoo), embedder=embedder)
    endpoint.answer = knowing
    rankings = rank_all(index, "test", [Reranker(ranker="base"), Reranker(alpha=1.0)])
    rows = [answer_tasks(ranking) for ranking in rankings]
    assert estimate(rows, llm(), llm("j")).requests == 4
    base, gcs = judge_answers(rows, llm(), llm("j"))
    assert base == gcs
    # Two answers and two judgements; about the third question nobody is asked.
    assert len(endpoint.requests) == 4


def test_the_cost_is_of_what_is_not_cached(endpoint, llm, zoo, embedder, tmp_path):
    index = Index.from_source(str(zoo), embedder=embedder)
    endpoint.answer, cache = knowing, {"cache": tmp_path / "cache.jsonl"}
    (ranking,) = rank_all(index, "test", [Reranker(ranker="base")])
    rows = [answer_tasks(ranking)]
    models = llm(max_tokens=10, **cache), llm("j", **cache)
    before = estimate(rows, *models)
    assert (before.requests, before.tokens_out) == (4, 2 * 10 + 2 * 3)
    # All that is known of an answer is that it has ten tokens at most.
    one = estimate([answer_tasks(ranking, limit=1)], *models)
    more = estimate([answer_tasks(ranking, limit=1)], llm(max_tokens=30), models[1])
    assert more.tokens_in - one.tokens_in == 20
    judge_answers(rows, *models)
    assert estimate(rows, *models) == Cost()
    asked = len(endpoint.requests)
    judge_answers(rows, *models)
    assert len(endpoint.requests) == asked


def test_what_fails_counts_as_not_given_and_is_told(endpoint, llm, zoo, embedder):
    index = Index.from_source(str(zoo), embedder=embedder)

    def failing(body):
        asked = shown(body)[0]
        return (500, {}) if asked["question"] == ORDERS else knowing(body)

    endpoint.answer = failing
    (ranking,) = rank_all(index, "test", [Reranker(ranker="base")])
    with pytest.warns(GrapherWarning, match=r"answers: 1 of 3 count as not given.*code: 500"):
        (report,) = judge_answers([answer_tasks(ranking)], llm(), llm("j"))
    row = report.to_dict()
    assert (row["questions"], row["failed"], row["judged_yes"]) == (3, 1, pytest.approx(1 / 3))
    endpoint.answer = lambda body: "perhaps" if body["model"] == "j" else knowing(body)
    with pytest.warns(GrapherWarning, match="2 of 3 .* it is not yes or no alone"):
        (report,) = judge_answers([answer_tasks(ranking)], llm(), llm("j"))
    row = report.to_dict()
    assert (row["failed"], row["judged_yes"], row["rouge_l"]) == (2, 0.0, 0.0)
    endpoint.answer = lambda body: (401, {})
    for options, complaint in (({}, "the key was refused"), ({"workers": 0}, "workers: 0 must")):
        with pytest.raises(InputError, match=complaint):
            judge_answers([answer_tasks(ranking)], llm(), llm("j"), **options)


def test_without_reference_answers_there_is_nothing_to_judge(index):
    (ranking,) = rank_all(index, "test", [Reranker(ranker="base")])
    with pytest.raises(InputError, match="none of 2 questions has a reference answer"):
        answer_tasks(ranking)


@pytest.mark.nightly
def test_only_the_questions_within_the_limit_are_read(zoo, embedder, monkeypatch):
    (ranking,) = rank_all(Index.from_source(str(zoo), embedder=embedder), "test", [Reranker()])
    asked = []

    def noted(index, candidates, positions, **options):
        asked.append(len(candidates))
        return ground(index, candidates, positions, **options)

    monkeypatch.setattr(answers, "ground", noted)
    assert len(answer_tasks(ranking, limit=1).tasks) == 1
    assert asked == [1]


def test_the_first_questions_can_be_all(zoo, embedder):
    (ranking,) = rank_all(Index.from_source(str(zoo), embedder=embedder), "test", [Reranker()])
    with pytest.raises(InputError, match="limit: 0 must be at least 1"):
        answer_tasks(ranking, limit=0)
    every = answer_tasks(ranking)
    few = answer_tasks(ranking, limit=2)
    assert [task.reference for task in few.tasks][:1] == ["the first order"]
    assert few.left_out == every.left_out == 2
    assert [task.key for task in few.tasks] == [task.key for task in every.tasks[:2]]


@pytest.mark.parametrize(
    ("options", "given", "complaint"),
    [
        ({"workers": 0}, {}, "workers: 0 must"),
        ({}, {"limit": 0}, "limit: 0 must"),
        ({}, {"confidence": 7}, "confidence: 7 is no cosine"),
    ],
)
def test_wrong_numbers_are_told_before_anything_is_ranked(
    llm, zoo, embedder, monkeypatch, options, given, complaint
):
    index = Index.from_source(str(zoo), embedder=embedder)
    monkeypatch.setattr(comparison, "rank_all", None)
    with pytest.raises(InputError, match=complaint):
        asked = Answering(llm=llm(), **given)
        evaluate(index, "test", rerankers=["base"], answers=asked, **options)


@pytest.mark.parametrize(
    ("reply", "verdict"), [("yes", True), ("No", False), (" YES.\n", True), ("no.", False)]
)
def test_one_word_is_a_verdict(reply, verdict):
    assert parse_verdict(reply) is verdict


@pytest.mark.parametrize("reply", ["", "maybe", "yes and no", "yes, it is right", "1", '"yes"'])
def test_anything_else_is_none(reply):
    with pytest.raises(ValueError, match="it is not yes or no alone"):
        parse_verdict(reply)
