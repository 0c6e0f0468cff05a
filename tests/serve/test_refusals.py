"""What the service refuses: bad input, missing tokens, and more than its limits."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from in_process import BASE, check_problem, post, rerank, serving

import grapher_jax as gj
from grapher_jax.errors import InputError
from grapher_jax.rankers.fixed_point import FixedPoint
from grapher_jax.retrieve.embedders.offline import OfflineEmbedder
from grapher_jax.serve import Settings


@pytest.fixture(scope="module")
def client(shop):
    with serving(shop, gj.Reranker(alpha=0.3), max_body=200_000, max_documents=50) as made:
        yield made


DEEP = b'{"query": "?", "documents": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
DOCUMENT = '{"query": "?", "documents": [%s]}'


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"", 422, "body: Field required"),
        (b"{", 400, "no JSON"),
        (DEEP[:150_000], 400, "recursion limit"),
        (b'{"query": "\xff", "documents": ["a"]}', 400, "invalid unicode"),
        (b'{"query": "\\ud800", "documents": ["a"]}', 400, "no JSON"),
        (DOCUMENT % '{"score": NaN}', 400, "no JSON"),
        (DOCUMENT % ('{"chunk": %s}' % ("9" * 5000)), 400, "out of range"),
        ("[]", 422, "body: "),
        ("null", 422, "body: "),
        ('"text"', 422, "body: "),
        ("{}", 422, "query: Field required; documents: Field required"),
        ('{"query": "", "documents": ["a"]}', 422, "query: "),
        ('{"query": 1, "documents": ["a"]}', 422, "query: "),
        ('{"query": "?", "documents": []}', 422, "documents: "),
        ('{"query": "?", "documents": "text"}', 422, "documents: "),
        ('{"query": "?", "documents": {"a": 1}}', 422, "documents: "),
        (DOCUMENT % "3", 422, "documents[0]: "),
        (DOCUMENT % '"a", null', 422, "documents[1]: "),
        (DOCUMENT % '{"text": 3}', 422, "documents[0].text: "),
        (DOCUMENT % '{"id": 3}', 422, "documents[0].id: "),
        (DOCUMENT % '{"id": ""}', 422, "documents[0].id: "),
        (DOCUMENT % '{"score": "0.5"}', 422, "documents[0].score: "),
        (DOCUMENT % '{"score": true}', 422, "documents[0].score: "),
        (DOCUMENT % '{"score": 1e400}', 422, "documents[0].score: "),
        (DOCUMENT % '{"score": 1e30}', 422, "documents[0].score: "),
        (DOCUMENT % '{"colour": [1, -1E+400]}', 422, "documents[0].colour[1]: beyond the range"),
        (DOCUMENT % f'{{"metadata": {{"x": {"9" * 400}.0}}}}', 422, "documents[0].metadata.x: "),
        ('{"query": "?", "documents": ["a"], "other": 1e309}', 422, "other: beyond the range"),
        (DOCUMENT % '{"score": 1, "metadata": []}', 422, "documents[0].metadata: "),
        (DOCUMENT % '{"metadata": {"links": "a"}}', 422, "documents[0].metadata.links: "),
        (DOCUMENT % '{"metadata": {"entities": [1]}}', 422, "documents[0].metadata.entities[0]: "),
        (DOCUMENT % '{"metadata": {"chunk_id": -1}}', 422, "documents[0].metadata.chunk_id: "),
        (DOCUMENT % '{"metadata": {"chunk_id": 1.5}}', 422, "documents[0].metadata.chunk_id: "),
        (DOCUMENT % '{"metadata": {"db": 3}, "score": 1}', 422, "metadata.db must be a string"),
        (
            DOCUMENT % json.dumps({"metadata": {"links": ["a"] * 257}}),
            422,
            "documents[0].metadata.links: ",
        ),
        (DOCUMENT % '{"score": 1}, {"text": "a"}', 422, "1 of 2 have a score"),
        (DOCUMENT % '{"id": "a", "score": 1}, {"id": "a", "score": 1}', 422, "twice"),
        (DOCUMENT % '{"id": "x"}', 422, "'x' has no score, no text and no embedding"),
        (DOCUMENT % '{"text": " "}', 422, "'documents[0]' has no score"),
        (DOCUMENT % "5", 422, "documents[0]: a text or an object with a text is needed"),
        (DOCUMENT % '"a", null', 422, "documents[1]: a text or an object with a text is needed"),
        (DOCUMENT % '{"text": "a", "embedding": [1, 2]}', 422, "384 finite numbers"),
        ('{"query": "?", "documents": ["a"], "top_n": 0}', 422, "top_n: "),
        ('{"query": "?", "documents": ["a"], "top_n": "3"}', 422, "top_n: "),
        ('{"query": "?", "documents": ["a"], "top_n": 1.5}', 422, "top_n: "),
        ('{"query": "?", "documents": ["a"], "explain": "yes"}', 422, "explain: "),
        ('{"query": "?", "documents": ["a"], "edges": ["x"]}', 422, "edges: "),
        ('{"query": "?", "documents": ["a"], "edges": {"x": 3}}', 422, "edges.x: "),
        (
            '{"query": "?", "documents": ["a"], "edges": {"x": "near"}}',
            422,
            "edges: 'x': 'near' ca",
        ),
        (
            '{"query": "?", "documents": ["a"], "edges": {"a=b": "shared"}}',
            422,
            "edges: 'a=b' cann",
        ),
        ('{"query": "?", "documents": ["a"], "edges": {"links": "shared"}}', 422, "read already"),
        (
            json.dumps(
                {"query": "?", "documents": ["a"], "edges": {f"k{i}": "shared" for i in range(9)}}
            ),
            422,
            "edges: Dictionary should have at most 4",
        ),
        (
            '{"query": "?", "documents": [{"score": 1, "metadata": {"by": {}}}], '
            '"edges": {"by": "shared"}}',
            422,
            "documents[0]': metadata.by must be a string or a list of strings",
        ),
        *(
            (
                json.dumps(
                    {
                        "query": "?",
                        "documents": ["a", {"text": "b", "metadata": {"by": values}}],
                        "edges": {"by": "shared"},
                    }
                ),
                422,
                "documents[1].metadata.by: 257 values; give 256 at most",
            )
            for values in (["x"] * 257, json.dumps(["x"] * 257))
        ),
        (json.dumps({"query": "?", "documents": ["a"] * 51}), 422, "51; give 50 at most"),
        (
            '{"query": "?", "documents": ["a"], "ranker": "gat"}',
            422,
            "ranker: 'gat' does not rank here, but 'diffusion'; leave it out, or start",
        ),
        (json.dumps({"query": "?" * 40_000, "documents": ["a"]}), 422, "query: "),
        (json.dumps({"query": "?", "documents": ["a" * 200_000]}), 413, "more than 200000 bytes"),
    ],
)
def test_bad_input_is_named(client, body, status, message):
    check_problem(post(client, body), status, message)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"query": " "}', "query: it is empty; ask something"),
        ('{"query": ""}', "query: it is empty; ask something"),
        ('{"query": "?", "top_n": 201}', "top_n: "),
        ('{"query": "?", "filter": ["db"]}', "filter: "),
        ('{"query": "?", "filter": {"db": {"$gt": true}}}', "$gt of 'db' needs a number or a str"),
        ('{"query": "?", "filter": {"color": 1}}', "no object has metadata 'color'"),
        ('{"query": "?", "filter": {"db": [1, 1e400]}}', "filter.db[1]: beyond the range"),
        ('{"query": "?", "ranker": "ppr"}', "ranker: 'ppr' does not rank here, but 'diffusion'"),
        ('{"query": "?", "ranker": 3}', "ranker: "),
        ('{"query": "?", "filters": {"db": 1}}', "filters: no field of this request; /docs lists"),
    ],
)
def test_a_bad_search_is_named(client, body, message):
    check_problem(post(client, body, "/v1/search"), 422, message)


def test_other_paths_methods_and_types_are_refused_alike(client):
    check_problem(client.get("/"), 404, "no such path: /docs lists all")
    check_problem(client.get("/v1/rerank"), 405, "method: none of this path; /docs lists them")
    check_problem(client.get("/redoc"), 404, "no such path")
    check_problem(client.post("/v1/rerank", data={"query": "?"}), 415, "application/json")
    check_problem(client.post("/v1/rerank", content=b"{}"), 415, "application/json")


def test_a_hundred_thousand_documents_are_refused_before_they_are_looked_at(shop):
    body = json.dumps({"query": "?", "documents": [{"text": "a", "score": 1}] * 100_000})
    with serving(shop, max_body=10 << 20) as client:
        check_problem(post(client, body), 422, "documents: 100000; give 1000 at most")


def test_a_body_of_unknown_length_is_counted_as_it_comes(client):
    sent = 0

    def parts():
        nonlocal sent
        for _ in range(100):
            sent += 1
            yield b" " * 10_000

    response = post(client, parts())
    check_problem(response, 413, "more than 200000 bytes")


def test_a_token_is_asked_for(shop, scored):
    with serving(shop, token="hush") as client:
        for given in (None, "hush", "Bearer", "Bearer husk", "Basic hush", "Bearer hush hush"):
            client.headers = {"authorization": given} if given else {}
            for path in ("/v1/rerank", "/metrics", "/openapi.json", "/nothing"):
                refused = client.get(path)
                check_problem(refused, 401, "token: missing or wrong")
                assert refused.headers["www-authenticate"] == "Bearer"
            assert client.get("/health").json() == {"status": "ready"}
            assert client.get("/health/live").json() == {"status": "alive"}
        client.headers = {"authorization": "bearer hush"}
        assert rerank(client, scored).status_code == 200
        told = client.get("/openapi.json").json()
        (scheme,) = told["security"]
        (name,) = scheme
        assert told["components"]["securitySchemes"][name] == {"type": "http", "scheme": "bearer"}
        assert told["paths"]["/health"]["get"]["security"] == []
        client.headers = [(b"authorization", b"Bearer \xff\xfe")]
        check_problem(client.get("/metrics"), 401, "token: missing or wrong")


def test_who_asks_too_much_or_too_long_is_told_to_come_again(shop, held, scored):
    with (
        serving(shop, gj.Reranker(ranker=held), max_queue=1, answer_seconds=1.0) as client,
        ThreadPoolExecutor(2) as threads,
    ):
        first = threads.submit(rerank, client, scored)
        assert held.begun.wait(20)
        waiting = threads.submit(rerank, client, scored)
        while 'queue_depth{lane="compile"} 1.0' not in client.get("/metrics").text:
            pass
        refused = rerank(client, scored)
        check_problem(refused, 503, "too many requests wait")
        assert refused.headers["retry-after"] == "1"
        for late in (first, waiting):
            check_problem(late.result(), 503, "no answer within 1 seconds")
        held.open.set()
        while rerank(client, scored).status_code == 503:
            pass
        assert rerank(client, scored).status_code == 200


def test_all_steps_of_a_request_have_one_deadline(shop):
    class Slow(OfflineEmbedder):
        def embed_queries(self, texts, **options):
            time.sleep(1.5)
            return super().embed_queries(texts, **options)

    class SlowRanker(FixedPoint):
        def prepare(self, *arguments):
            time.sleep(1.5)
            return super().prepare(*arguments)

    slow, ranker = replace(shop, embedder=Slow()), SlowRanker(**BASE)
    with serving(slow, gj.Reranker(ranker=ranker), answer_seconds=2.0) as client:
        check_problem(rerank(client, ["a dog"]), 503, "no answer within 2 seconds")


def test_bodies_are_held_up_to_a_number_of_bytes(shop, held, scored):
    body = json.dumps({"query": "?", "documents": scored}).encode()
    with (
        serving(shop, gj.Reranker(ranker=held), max_body=len(body)) as client,
        ThreadPoolExecutor(16) as threads,
    ):
        # What comes together is taken together: the others come once the first is at work.
        waiting = [threads.submit(post, client, body)]
        assert held.begun.wait(20)
        waiting += [threads.submit(post, client, body) for _ in range(15)]
        while 'queue_depth{lane="compile"} 15.0' not in client.get("/metrics").text:
            pass
        refused = post(client, body)
        check_problem(refused, 503, "too many bytes wait")
        assert refused.headers["retry-after"] == "1"
        held.open.set()
        assert [answer.result().status_code for answer in waiting] == [200] * 16
        assert post(client, body).status_code == 200


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("max_body", 0, "must be at least 1"),
        ("max_documents", -1, "must be at least 1"),
        ("answer_seconds", 0.0, "must be above 0"),
    ],
)
def test_a_limit_is_above_nothing(name, value, told):
    with pytest.raises(InputError, match=f"{name}: {value} {told}"):
        Settings(**{name: value})


def test_a_failure_tells_nothing_but_where_the_log_has_it(shop, held, scored, caplog):
    type(held).failure = RuntimeError("/secret/path")
    held.open.set()
    with serving(shop, gj.Reranker(ranker=held)) as client:
        response = rerank(client, scored)
        check_problem(response, 500, "its log says what")
        assert "secret" not in response.text
        assert response.json()["id"] in caplog.text
        assert "/secret/path" in caplog.text
        assert client.get("/health").status_code == 200
