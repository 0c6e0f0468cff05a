"""The verb `answer`, and answers in the verb `evaluate`."""

import json
import re

import pytest
from questions_of_a_zoo import ANIMALS, ELSEWHERE, knowing, shown

from grapher_jax.answers.grounding import (
    REFUSAL,
)
from grapher_jax.command_line import main


@pytest.fixture
def grapher(capsys, tmp_path, monkeypatch, endpoint):
    """Run the command line: status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(verb, *arguments, model="m"):
        given = [verb, *arguments, "--endpoint", endpoint.url]
        with pytest.raises(SystemExit) as stopped:
            main([str(one) for one in (*given, *(["--model", model] if model else []))])
        captured = capsys.readouterr()
        assert "hush" not in captured.out + captured.err
        return stopped.value.code, captured.out, captured.err

    return run


@pytest.fixture
def shop(index, tmp_path):
    """The small shop's index on disk."""
    index.save(tmp_path / "shop.index")
    return tmp_path / "shop.index"


def test_an_answer_is_printed_with_its_sources(endpoint, grapher, shop):
    endpoint.answer = lambda body: "Seven [1],\nin \x1b[31mcages [9]."
    status, out, err = grapher("answer", shop, ANIMALS, "--ranker", "diffusion")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "Seven [1],",
        "in \\x1b[31mcages [9].",
        "",
        "[1] zoo.animals",
        "cited, but there is no such passage: 9",
        "confidence: 0.45",
    ]
    assert endpoint.requests[0]["stream"]
    # What the model has answered it is not asked again, streamed or not.
    status, out, _ = grapher("answer", shop, ANIMALS, "--ranker", "diffusion", "--json")
    assert len(endpoint.requests) == 1
    report = json.loads(out)
    assert report["sources"] == [{"number": 1, "id": "zoo.animals", "title": "", "url": ""}]
    assert (report["unknown_citations"], report["refused"]) == ([9], False)
    assert report["confidence"] == pytest.approx(0.4481, abs=1e-3)
    parameters = report["parameters"]
    assert (parameters["model"], parameters["confidence"], parameters["k"]) == ("m", 0.3, 10)
    assert (parameters["ranker"], parameters["alpha"]) == ("diffusion", 0.3)
    assert (parameters["model_temperature"], parameters["temperature"]) == (0.0, None)


@pytest.mark.nightly
def test_any_system_or_ranker_finds_the_passages(endpoint, grapher, shop):
    endpoint.answer = lambda body: "Seven."
    for options, ranker in (
        (("--ranker", "base"), "base"),
        (("--system", "grapher"), "grapher"),
        (("--ranker", "ppr", "--alpha", 0.5, "--expand"), "ppr"),
    ):
        status, out, _ = grapher("answer", shop, ANIMALS, "--json", *options)
        assert (status, json.loads(out)["parameters"]["ranker"]) == (0, ranker)
    status, out, _ = grapher("answer", shop, ANIMALS)
    assert "it cites no passage: do not rely on it" in out


@pytest.mark.filterwarnings("ignore:filter. no object fits")
def test_what_the_index_does_not_hold_is_not_asked_of_a_model(endpoint, grapher, shop):
    status, out, err = grapher("answer", shop, ELSEWHERE)
    assert (status, err) == (0, "")
    assert out.splitlines() == [REFUSAL, "", "confidence: 0.10; the model was not asked"]
    status, out, _ = grapher("answer", shop, ELSEWHERE, "--json")
    report = json.loads(out)
    assert (status, report["answer"], report["refused"]) == (0, REFUSAL, True)
    status, out, err = grapher("answer", shop, ANIMALS, "--filter", 'foreign_keys=["x"]')
    assert "confidence: nothing was found; the model was not asked" in out
    status, out, _ = grapher("answer", shop, ANIMALS, "--filter", 'foreign_keys=["x"]', "--json")
    assert json.loads(out)["confidence"] is None
    assert endpoint.requests == []
    endpoint.answer = lambda body: REFUSAL
    status, out, _ = grapher("answer", shop, ELSEWHERE, "--confidence", -1)
    assert out.splitlines() == [REFUSAL, "", "confidence: 0.10"]
    assert len(shown(endpoint.requests[0])) == 7


@pytest.mark.parametrize(
    ("reply", "status", "said", "complaint"),
    [
        (lambda endpoint: (401, {}), 2, "", "the key was refused"),
        (lambda endpoint: (400, {}), 1, "", "Error code: 400"),
        (lambda endpoint: b"data: rubbish\n\n", 1, "", "no chat completion"),
        (lambda endpoint: endpoint.event("Seven [1]"), 1, "Seven [1]\n", "the answer broke off"),
        (lambda endpoint: [endpoint.event("Seven"), *[b":\n"] * 30], 1, "Seven\n", "no further"),
    ],
)
def test_a_failure_is_one_line(endpoint, grapher, shop, reply, status, said, complaint):
    endpoint.answer = lambda body: reply(endpoint)
    options = ("--timeout", 0.25) if status == 1 else ()
    found = grapher("answer", shop, ANIMALS, *options)
    assert found[:2] == (status, said)
    assert complaint in found[2]
    assert found[2].count("\n") == 1


def test_a_limited_rate_is_waited_for(endpoint, grapher, shop):
    replies = iter([(429, {}), (500, {}), "Seven [1]."])
    endpoint.answer = lambda body: next(replies)
    status, out, err = grapher("answer", shop, ANIMALS)
    assert (status, out.splitlines()[0], err) == (0, "Seven [1].", "")


def test_wrong_usage_is_one_line(endpoint, grapher, shop, zoo):
    evaluating = ("evaluate", zoo, "--split", "test")
    for arguments, model, complaint in (
        (("answer", shop, ANIMALS), None, "Missing option '--model'"),
        (("answer", shop, ANIMALS), "", "Missing option '--model'"),
        (("answer", shop, " "), "m", "question 1 is empty"),
        (("answer", shop, ANIMALS, "--confidence", 2), "m", "confidence: 2.0 is no cosine"),
        (("answer", shop, ANIMALS, "-k", 0), "m", "k: 0 must be at least 1"),
        (("answer", shop.parent / "no", ANIMALS), "m", "no: not an index"),
        (("answer", shop, ANIMALS, "--system", "grapher", "--alpha", 0.5), "m", "alpha: the"),
        (evaluating, "m", "model: of answers; give --answers too"),
        ((*evaluating, "--judge-model", "j"), None, "judge-model: of answers"),
        ((*evaluating, "--limit", 1), None, "limit: of answers"),
        ((*evaluating, "--confidence", 0.5), None, "confidence: of answers"),
        ((*evaluating, "--answers"), None, "model: is empty"),
        ((*evaluating, "--answers", "--limit", 0), "m", "limit: 0 must be at least 1"),
    ):
        status, out, err = grapher(*arguments, model=model)
        assert (status, out) == (2, ""), arguments
        assert complaint in err
        assert err.count("\n") == 1
    assert endpoint.requests == []


@pytest.mark.nightly
def test_answers_have_their_place_in_an_evaluation(endpoint, grapher, zoo):
    given = ("evaluate", zoo, "--split", "test", "--answers", "--judge-model", "j")
    given += ("--ranker", "base", "--price-in", 9)
    endpoint.answer = lambda body: knowing(body) if len(endpoint.requests) <= 2 else (401, {})
    status, out, err = grapher(*given, "--workers", 1, "--json")
    assert (status, out) == (2, "")
    assert re.match(r"requests: 4, about \d+ tokens in and up to 8198 out .* at most about 0.", err)
    assert "the key was refused" in err
    endpoint.answer, endpoint.requests = knowing, []
    status, out, err = grapher(*given, "--json")
    # One answer and its judgement are there.
    assert (status, "requests: 2, about" in err, len(endpoint.requests)) == (0, True, 2)
    (row,) = json.loads(out)["results"]
    assert (row["ranker"], row["answers"]["questions"]) == ("base", 3)
    assert row["answers"]["judged_yes"] == pytest.approx(1 / 3)
    status, out, err = grapher(*given, "--limit", 2)
    assert (status, err, len(endpoint.requests)) == (0, "", 2)
    lines = out.splitlines()
    (head,) = (place for place, line in enumerate(lines) if line.startswith("answers to"))
    assert lines[head].startswith("answers to 2 questions (2 have no reference)")
    assert lines[head + 1].split()[:5] == ["base", "50.0", "[0.0,", "100.0]", "69.4"]


def test_on_a_terminal_the_cost_is_asked_about(endpoint, zoo, tmp_path, on_a_terminal):
    arguments = ["--split", "test", "--answers", "--model", "m", "--ranker", "base"]
    arguments += ["--endpoint", endpoint.url, "--cache", tmp_path / "cache.jsonl"]
    status, said = on_a_terminal(b"n\n", "evaluate", zoo, *arguments)
    assert b"requests: 4, about" in said
    assert b"Go on?" in said
    assert b"not begun, as asked" in said
    assert (status, endpoint.requests) == (1, [])
