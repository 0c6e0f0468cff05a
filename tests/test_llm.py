import json
import threading

import pytest

from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.llm import Cost, Llm, LlmError

QUESTION = [{"role": "user", "content": "How many?"}]


@pytest.fixture
def llm(endpoint):
    """Clients of the endpoint, closed at the end."""
    made = []

    def make(**options):
        made.append(Llm("m", **{"endpoint": endpoint.url, "max_retries": 2} | options))
        return made[-1]

    yield make
    for client in made:
        client.close()


def in_turn(*answers):
    remaining = iter(answers)
    return lambda body: next(remaining)


def other_than_7(reply):
    if reply == "7":
        raise ValueError("7")
    return int(reply)


def test_a_reply_is_parsed(endpoint, llm):
    endpoint.answer = lambda body: "42"
    assert llm().ask(QUESTION, int) == 42
    assert endpoint.requests == [
        {"model": "m", "messages": QUESTION, "temperature": 0.0, "max_tokens": 4096}
    ]


def test_a_bad_reply_is_shown_to_the_model_once(endpoint, llm):
    endpoint.answer = in_turn("many", "7")
    assert llm().ask(QUESTION, int) == 7
    said, again = endpoint.requests[1]["messages"][1:]
    assert said == {"role": "assistant", "content": "many"}
    assert "invalid literal for int()" in again["content"]
    endpoint.answer = lambda body: "many"
    with pytest.raises(LlmError, match=r"m: two replies that cannot be used: invalid literal"):
        llm().ask(QUESTION, int)
    assert len(endpoint.requests) == 4


def test_429_and_5xx_are_tried_again(endpoint, llm):
    endpoint.answer = in_turn((429, {}), (503, {}), "1")
    assert llm().ask(QUESTION, int) == 1


def test_an_endpoint_that_is_not_there_is_named(llm):
    with pytest.raises(InputError, match=r"http://127.0.0.1:1/v1: cannot be reached .*refused"):
        llm(endpoint="http://127.0.0.1:1/v1", max_retries=0).ask(QUESTION, int)


def test_parameters_that_a_model_refuses_are_adapted(endpoint, llm):
    def answer(body):
        for refused in ("temperature", "max_tokens"):
            if refused in body:
                return 400, {"param": refused}
        return "5"

    endpoint.answer = answer
    client = llm(max_tokens=9)
    assert client.ask(QUESTION, int) == 5
    client.ask([{"role": "user", "content": "And now?"}], int)
    assert len(endpoint.requests) == 4
    assert endpoint.requests[-1]["max_completion_tokens"] == 9


def test_what_is_cached_is_not_asked(endpoint, llm, tmp_path):
    cache = tmp_path / "new" / "cache.jsonl"
    endpoint.answer = in_turn("many", "7", "8", "9")
    assert llm(cache=cache).ask(QUESTION, int) == 7
    again = llm(cache=cache, endpoint="http://127.0.0.1:1/v1")
    assert again.ask(QUESTION, int) == 7
    assert again.estimate(QUESTION) == Cost()
    assert llm(cache=cache, max_tokens=5).ask(QUESTION, int) == 8
    # Another parser does not take the cached reply: it is asked again, and the last one counts.
    assert llm(cache=cache).ask(QUESTION, other_than_7) == 9
    assert llm(cache=cache).ask(QUESTION, int) == 9
    assert "How many" not in cache.read_text()
    assert "hush" not in cache.read_text()


def test_bad_replies_are_not_cached(endpoint, llm, tmp_path):
    client = llm(cache=tmp_path / "cache.jsonl")
    endpoint.answer = lambda body: "many"
    with pytest.raises(LlmError):
        client.ask(QUESTION, int)
    assert not (tmp_path / "cache.jsonl").read_bytes()


def test_a_corrupt_line_is_skipped_and_asked_again(endpoint, llm, tmp_path):
    cache = tmp_path / "cache.jsonl"
    endpoint.answer = lambda body: "7"
    llm(cache=cache).ask(QUESTION, int)
    line = cache.read_bytes()
    # Binary rubbish, a number, and a line that a kill has cut off.
    cache.write_bytes(b"\xff\x00\n3\n\n" + line + line[:40])
    with pytest.warns(GrapherWarning, match=r"cache.jsonl:1: 3 corrupt lines"):
        client = llm(cache=cache)
    assert client.ask(QUESTION, int) == 7
    client.ask([{"role": "user", "content": "And now?"}], int)
    assert len(endpoint.requests) == 2
    with pytest.warns(GrapherWarning, match="3 corrupt lines"):
        assert llm(cache=cache).estimate([{"role": "user", "content": "And now?"}]) == Cost()


def test_threads_share_a_client_within_its_limit(endpoint, llm, tmp_path):
    under_way, most, lock = 0, 0, threading.Lock()
    waiting = threading.Event()

    def answer(body):
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        waiting.wait(0.02)
        with lock:
            under_way -= 1
        return body["messages"][0]["content"]

    endpoint.answer = answer
    cache = tmp_path / "cache.jsonl"
    client, found = llm(cache=cache, concurrency=3), {}

    def ask(number):
        found[number] = client.ask([{"role": "user", "content": str(number)}], int)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: number for number in range(20)}
    assert 1 < most <= 3
    assert sorted(
        int(json.loads(line)["reply"]) for line in cache.read_text().splitlines()
    ) == list(range(20))


def test_the_cost_is_estimated(llm):
    messages = [{"role": "system", "content": "x" * 9}, {"role": "user", "content": "x" * 4}]
    client = llm(max_tokens=50)
    assert client.estimate(messages, tokens_out=7) == Cost(1, 4, 7)
    assert client.estimate(messages) + Cost(1, 1, 1) == Cost(2, 5, 51)
    assert Cost(1, 2_000_000, 1_000_000).price(0.5, 3.0) == 4.0


def test_a_key_or_cache_that_cannot_be_used_is_named(llm, tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"cache: .* cannot be used \(Is a directory\)"):
        llm(cache=tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hüsh")
    with pytest.raises(InputError, match="OPENAI_API_KEY: holds characters") as raised:
        llm()
    assert "sk-" not in str(raised.value)


def test_without_a_key_a_placeholder_is_sent(endpoint, llm, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    endpoint.answer = lambda body: (401, {})
    with pytest.raises(InputError, match="you said Bearer none"):
        llm().ask(QUESTION, int)


def test_no_representation_holds_the_key(llm):
    assert "hush" not in repr(llm())


# ---- streams


def test_a_reply_comes_piece_by_piece(endpoint, llm):
    heard = threading.Event()

    def answer(body):
        yield endpoint.event("For") + endpoint.event("ty")
        assert heard.wait(5)  # the rest is sent once the first pieces have been read
        yield endpoint.event("-two", finish_reason="stop")[:20]
        yield endpoint.event("-two", finish_reason="stop")[20:] + b"data: [DONE]\n\n"

    endpoint.answer = answer
    pieces = llm().stream(QUESTION)
    assert [next(pieces), next(pieces)] == ["For", "ty"]
    heard.set()
    assert list(pieces) == ["-two"]
    assert endpoint.requests[0] == {
        "model": "m",
        "messages": QUESTION,
        "temperature": 0.0,
        "max_tokens": 4096,
        "stream": True,
    }


@pytest.mark.parametrize("said", ["<think>2 or 4?\n</think>\n\n4 2", "\n <think></think>4 2"])
def test_what_a_model_thinks_before_is_no_part_of_its_reply(endpoint, llm, tmp_path, said):
    client = llm(cache=tmp_path / "cache.jsonl")
    endpoint.answer = lambda body: said
    assert client.ask(QUESTION, str) == "4 2"
    other = [{"role": "user", "content": "Again?"}]
    assert "".join(client.stream(other)) == "4 2"
    assert client.ask(other, str) == "4 2"
    assert len(endpoint.requests) == 2
    endpoint.answer = lambda body: "<think>I know nothing."
    with pytest.raises(LlmError, match="has no text"):
        llm().ask(QUESTION, str)
    with pytest.raises(LlmError, match="has no text"):
        list(llm().stream(QUESTION))


def test_only_the_end_of_thoughts_may_be_marked_in_a_whole_reply(endpoint, llm):
    endpoint.answer = lambda body: "2 or 4?\n</think>\n\n4 2"
    assert llm().ask(QUESTION, str) == "4 2"


def test_a_stream_shares_the_cache_with_whole_replies(endpoint, llm, tmp_path):
    endpoint.answer = lambda body: "4 2"
    cache = tmp_path / "cache.jsonl"
    client = llm(cache=cache)
    assert list(client.stream(QUESTION)) == ["4", " 2"]
    assert list(client.stream(QUESTION)) == ["4 2"]
    assert llm(cache=cache).ask(QUESTION, str) == "4 2"
    assert len(endpoint.requests) == 1


def test_before_its_first_piece_a_stream_is_tried_again(endpoint, llm):
    refused = {"param": "max_tokens"}
    endpoint.answer = in_turn((429, {}), (503, {}), (400, refused), "1")
    assert list(llm().stream(QUESTION)) == ["1"]
    assert endpoint.requests[-1]["max_completion_tokens"] == 4096


def test_an_end_without_done_counts_where_the_model_says_that_it_is_one(endpoint, llm):
    endpoint.answer = lambda body: endpoint.event("1", finish_reason="stop")
    assert list(llm().stream(QUESTION)) == ["1"]


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ([], "the answer broke off"),
        (
            [b'data: {"choices": [{"delta": {"content": "x"}, "finish_reason": "length"}]}\n\n'],
            r"the answer was cut off \(length\)",
        ),
        ([b'data: {"choices": [{"del'], "the answer broke off"),
        ([b"data: rubbish\n\n"], "a part of it is no chat completion"),
        ([b"data: " + b"[" * 100_000 + b"\n"], "a part of it is no chat completion"),
        ([b'data: {"choices": [{"delta": {"content": 7}}]}\n'], "a part of it is no chat"),
        ([b"data: 7\n"], "a part of it is no chat completion"),
        ([b'data: {"error": {"message": "sk-hush is tired"}}\n\n'], r"broke off .*\*\*\* is tired"),
        ([b": still here\n\n"] * 50, r"no further piece of the answer in 0\.25 s"),
    ],
)
def test_a_stream_that_breaks_off_is_told_and_not_cached(endpoint, llm, tmp_path, rest, reason):
    endpoint.answer = lambda body: [endpoint.event("Forty"), *rest]
    client, said = llm(timeout=0.25, cache=tmp_path / "cache.jsonl"), []
    with pytest.raises(LlmError, match=reason) as raised:
        said.extend(client.stream(QUESTION))
    assert "hush" not in str(raised.value)
    pieces = client.stream(QUESTION)
    assert next(pieces) == "Forty"
    pieces.close()
    assert not (tmp_path / "cache.jsonl").read_bytes()
    assert len(endpoint.requests) == 2


def test_an_answer_that_was_cut_off_is_told_and_not_cached(endpoint, llm, tmp_path):
    cut = {"choices": [{"message": {"content": "Forty"}, "finish_reason": "length"}]}
    endpoint.answer = lambda body: json.dumps(cut).encode()
    with pytest.raises(LlmError, match=r"answer was cut off \(length\)"):
        llm(cache=tmp_path / "cache.jsonl").ask(QUESTION, str)
    assert not (tmp_path / "cache.jsonl").read_bytes()


def test_an_endpoint_may_answer_at_once(endpoint, llm):
    whole = json.dumps({"choices": [{"message": {"content": "Four."}}]}).encode()
    endpoint.answer = lambda body: [whole[:20], whole[20:]]
    assert list(llm().stream(QUESTION)) == ["Four."]
    endpoint.answer = lambda body: b"<html>Log in first</html>"
    with pytest.raises(LlmError, match="the endpoint's response is no chat completion"):
        list(llm().stream(QUESTION))


def test_an_endless_stream_is_given_up(endpoint, llm):
    endpoint.answer = lambda body: b"x" * 10_000_001
    with pytest.raises(LlmError, match="more than 10,000,000 bytes"):
        next(llm().stream(QUESTION))


def test_a_silent_stream_is_given_up(endpoint, llm):
    endpoint.answer = lambda body: [endpoint.event("Forty"), endpoint.event("-two")]
    pieces = llm(timeout=0.05).stream(QUESTION)
    assert next(pieces) == "Forty"
    with pytest.raises(LlmError, match="no whole answer"):
        next(pieces)


@pytest.mark.parametrize(
    ("answer", "error", "reason"),
    [
        ((401, {}), InputError, "the key was refused"),
        ((500, {}), LlmError, "Error code: 500"),
        (" ", LlmError, "has no text"),
        (0.5, LlmError, "no whole answer"),
    ],
)
def test_a_stream_that_does_not_begin_is_told(endpoint, llm, answer, error, reason):
    endpoint.answer = lambda body: answer
    with pytest.raises(error, match=reason) as raised:
        "".join(llm(timeout=0.2, max_retries=0).stream(QUESTION))
    assert "hush" not in str(raised.value)
