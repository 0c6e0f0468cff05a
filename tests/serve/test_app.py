import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import httpx
import jax
import numpy as np
import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

import grapher_jax as gj
from grapher_jax.errors import GrapherError, GrapherWarning, InputError
from grapher_jax.rankers.fixed_point import FixedPoint
from grapher_jax.retrieve.embedders.offline import OfflineEmbedder
from grapher_jax.serve import Settings, create_app
from grapher_jax.serve.docs_page import render
from grapher_jax.serve.programs import Programs


@contextmanager
def serving(shop, reranker=None, **settings):
    # Nothing here is known to be compiled, which a busy machine may take long for.
    chosen = Settings(**{"answer_seconds": 600.0} | settings)
    app = create_app(shop, reranker, chosen, warm_up=False)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def client(shop):
    with serving(shop, gj.Reranker(alpha=0.3), max_body=200_000, max_documents=50) as made:
        yield made


def rerank(client, documents, **more):
    return client.post("/v1/rerank", json={"query": "who?", "documents": documents} | more)


def post(client, body, path="/v1/rerank"):
    return client.post(path, content=body, headers={"content-type": "application/json"})


def check_problem(response, status, message):
    assert response.status_code == status, response.text
    problem = response.json()
    assert set(problem) == {"message", "id"}
    assert message in problem["message"]
    assert len(problem["message"]) <= 500
    for leak in ("Traceback", "site-packages", "grapher_jax/", "File "):
        assert leak not in response.text


def test_a_rerank_is_that_of_a_reranker(client, scored):
    answer = rerank(client, scored).json()
    hits = gj.Reranker(ranker="diffusion", alpha=0.3).rerank("?", scored)
    assert answer["model"] == "diffusion"
    assert [scored[r["index"]]["id"] for r in answer["results"]] == [hit.id for hit in hits]
    np.testing.assert_allclose(
        [r["relevance_score"] for r in answer["results"]], [h.score for h in hits], atol=1e-6
    )
    assert all(set(result) == {"index", "relevance_score"} for result in answer["results"])


def test_logits_of_a_cross_encoder_are_moved_up(shop):
    documents = [
        {"id": "a", "score": -2.0, "metadata": {"foreign_keys": ["c"]}},
        {"id": "b", "score": -6.0},
        {"id": "c", "score": -9.0},
    ]
    gcs = gj.Reranker(ranker="gcs")
    with serving(shop, gcs) as client, pytest.warns(GrapherWarning, match="scores: some are neg"):
        results = rerank(client, documents).json()["results"]
    assert [result["index"] for result in results] == [0, 2, 1]


def test_top_n_documents_and_explanations_come_on_request(client, scored):
    extra = [*scored[:3], scored[3] | {"colour": "red", "embedding": [0.5]}]
    answer = rerank(client, extra, top_n=3, return_documents=True, explain=True).json()
    orders, stores, customers = answer["results"]
    assert stores["document"] == scored[1]
    # What nobody knows comes back, what nobody can read does not.
    assert customers["document"] == scored[3] | {"colour": "red", "text": ""}
    assert customers["explanation"]["sources"][0]["id"] == "orders"
    assert orders["document"]["text"] == ""


def test_what_other_clients_send_besides_is_passed_over(client, scored):
    more = {"model": "rerank-v3.5", "max_tokens_per_doc": 512, "truncation": True, "top_n": None}
    assert (
        rerank(client, scored, **more).json()["results"]
        == (rerank(client, scored).json()["results"])
    )
    nulls = [{"title": None, "text": None, "metadata": None} | d for d in scored]
    assert rerank(client, nulls).status_code == 200


def test_documents_without_scores_are_compared_with_the_query(client):
    texts = ["a dog", "the stores of a city", "music"]
    answer = client.post(
        "/v2/rerank",
        json={"query": "which stores?", "documents": texts, "return_documents": True},
    ).json()
    assert answer["results"][0] == answer["results"][0] | {
        "index": 1,
        "document": {"text": "the stores of a city"},
    }
    as_objects = [{"text": text} for text in texts]
    assert rerank(client, as_objects, query="which stores?").json()["results"] == [
        {"index": r["index"], "relevance_score": r["relevance_score"]} for r in answer["results"]
    ]


def test_an_id_alone_brings_what_the_index_knows(client, shop):
    ids = [{"id": "songs"}, {"id": "customers"}, {"id": "orders"}]
    answer = rerank(client, ids, query="orders", return_documents=True).json()["results"]
    assert [ids[result["index"]]["id"] for result in answer] == ["orders", "customers", "songs"]
    assert answer[0]["document"]["text"] == shop.objects[0].text
    scores = [0.3, 0.1, 0.9]
    with_scores = [document | {"score": s} for document, s in zip(ids, scores, strict=True)]
    given = [
        {"id": d["id"], "score": s, "metadata": dict(shop.objects[shop.rows[d["id"]]].metadata)}
        for d, s in zip(ids, scores, strict=True)
    ]
    assert rerank(client, with_scores).json()["results"] == rerank(client, given).json()["results"]


def test_a_text_that_the_index_has_brings_what_it_knows(client, shop):
    texts = [item.text for item in shop.objects]
    rows = [{"id": name} for name in shop.ids]
    assert results(client, texts) == results(client, rows)
    assert results(client, [*texts, "another"])[0] != results(client, ["a", "b", "c"])[0]
    # Names of one's own stay, and a text may come twice.
    named = [{"id": f"own {number}", "text": text} for number, text in enumerate(texts)]
    answer = rerank(client, named, query="orders", return_documents=True).json()["results"]
    assert answer[0]["document"]["id"] == named[answer[0]["index"]]["id"]
    assert answer[0]["document"]["metadata"]["db"] == "shop"
    twice = results(client, [texts[0], texts[0], texts[1]])
    assert sorted(one["index"] for one in twice) == [0, 1, 2]


def results(client, documents):
    return rerank(client, documents, query="orders of customers").json()["results"]


def test_a_search_is_that_of_the_index(client, shop):
    asked = {"query": "orders of customers", "top_n": 3, "filter": {"db": "shop"}}
    answer = client.post("/v1/search", json=asked | {"explain": True}).json()
    hits = shop.search("orders of customers", k=3, ranker=gj.Reranker(alpha=0.3))
    assert [hit["id"] for hit in answer["results"]] == [hit.id for hit in hits]
    assert answer["results"][0]["explanation"]["id"] == hits[0].id
    assert answer["results"][0]["text"] == hits[0].text


def test_results_of_a_request_that_score_lower_are_left_out(client, scored):
    results = rerank(client, scored).json()["results"]
    least = results[1]["relevance_score"]
    assert rerank(client, scored, min_score=least).json()["results"] == results[:2]
    asked = {"query": "orders of customers"}
    hits = client.post("/v1/search", json=asked).json()["results"]
    asked["min_score"] = hits[0]["score"]
    assert client.post("/v1/search", json=asked).json()["results"] == hits[:1]
    check_problem(rerank(client, scored, min_score="x"), 422, "min_score: ")


@pytest.mark.parametrize("name", ["diffusion", "auto"])
def test_a_search_may_name_the_ranker_that_there_is(client, name):
    found = client.post("/v1/search", json={"query": "orders", "ranker": name})
    assert (found.status_code, found.json()["model"]) == (200, "diffusion")


def test_large_numbers_that_are_finite_are_taken(client):
    assert post(client, DOCUMENT % '{"text": "a", "x": [1e300, -1e-400]}').status_code == 200


def test_names_of_documents_without_ids_are_nobodys(client):
    documents = [
        {"id": "documents[1]", "score": 0.1},
        {"score": 0.9, "metadata": {"foreign_keys": ["documents[1]"]}},
        {"id": "documents[1]'", "score": 0.2},
    ]
    answer = rerank(client, documents, explain=True)
    assert answer.status_code == 200, answer.text
    results = {result["index"]: result for result in answer.json()["results"]}
    assert results[1]["explanation"]["id"] == "documents[1]''"
    assert results[0]["explanation"]["sources"][0]["id"] == "documents[1]''"


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
            "metadata.by must be a string or a list of strings",
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
        (json.dumps({"query": "?" * 40_000, "documents": ["a"]}), 422, "query: "),
        (json.dumps({"query": "?", "documents": ["a" * 200_000]}), 413, "more than 200000 bytes"),
    ],
)
def test_bad_input_is_named(client, body, status, message):
    check_problem(post(client, body), status, message)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"query": " "}', "question 1 is empty"),
        ('{"query": "?", "top_n": 201}', "top_n: "),
        ('{"query": "?", "filter": ["db"]}', "filter: "),
        ('{"query": "?", "filter": {"db": {"$gt": true}}}', "$gt of 'db' needs a number or a str"),
        ('{"query": "?", "filter": {"color": 1}}', "no object has metadata 'color'"),
        ('{"query": "?", "filter": {"db": [1, 1e400]}}', "filter.db[1]: beyond the range"),
        ('{"query": "?", "ranker": "ppr"}', "ranker: 'ppr' does not rank here, but 'diffusion'"),
        ('{"query": "?", "ranker": 3}', "ranker: "),
    ],
)
def test_a_bad_search_is_named(client, body, message):
    check_problem(post(client, body, "/v1/search"), 422, message)


def test_other_paths_methods_and_types_are_refused_alike(client):
    check_problem(client.get("/etc/passwd"), 404, "Not Found")
    check_problem(client.get("/v1/rerank"), 405, "Method Not Allowed")
    check_problem(client.get("/redoc"), 404, "Not Found")
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
        client.headers = [(b"authorization", b"Bearer \xff\xfe")]
        check_problem(client.get("/metrics"), 401, "token: missing or wrong")


class Held(FixedPoint):
    """A ranker that waits until it is let go, and then may fail."""

    begun, open = threading.Event(), threading.Event()
    failure: Exception | None = None

    def prepare(self, *arguments):
        self.begun.set()
        assert self.open.wait(20)
        if self.failure:
            raise self.failure
        return super().prepare(*arguments)


BASE = {
    "name": "base",
    "temperature": None,
    "alpha": None,
    "weights": None,
    "max_df": 8,
    "tol": 1e-6,
    "max_steps": 9,
}


@pytest.fixture
def held():
    made = type("Held", (Held,), {"begun": threading.Event(), "open": threading.Event()})
    ranker = made(**BASE)
    yield ranker
    made.open.set()


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


def test_who_asks_too_much_or_too_long_is_told_to_come_again(shop, held, scored):
    with (
        serving(shop, gj.Reranker(ranker=held), max_queue=1, answer_seconds=1.0) as client,
        ThreadPoolExecutor(2) as threads,
    ):
        first = threads.submit(rerank, client, scored)
        assert held.begun.wait(20)
        waiting = threads.submit(rerank, client, scored)
        while 'queue_depth{lane="embed"} 1.0' not in client.get("/metrics").text:
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


def lanes(client):
    """Batches of each lane so far."""
    text = client.get("/metrics").text
    return [
        float(re.search(rf'batch_size_count{{lane="{n}"}} (.+)', text)[1])
        for n in ("rank", "embed")
    ]


def test_what_has_no_program_yet_keeps_nobody_waiting(shop, scored):
    many = scored[0] | {"metadata": {"foreign_keys": [str(n) for n in range(17)]}}
    with serving(shop) as client:
        for documents, expected in (
            (scored, [0, 1]),
            (scored, [1, 1]),
            ([many, *scored[1:]], [1, 2]),
            (scored[:2], [2, 2]),
            ([many, *scored[1:]], [3, 2]),
        ):
            assert rerank(client, documents).is_success
            assert lanes(client) == expected


def test_programs_are_let_go_of_before_they_are_too_many(shop, scored, monkeypatch):
    monkeypatch.setattr("grapher_jax.serve.service.MOST_PROGRAMS", 0)
    held = re.compile(r"^grapher_jax_programs (.+)$", re.MULTILINE)
    jax.clear_caches()
    with serving(shop) as client:
        first = rerank(client, scored).json()["results"]
        assert float(held.search(client.get("/metrics").text)[1]) > 0
        # Known shapes go to the first lane, and to the second once more when nothing is known.
        rerank(client, scored)
        while float(held.search(client.get("/metrics").text)[1]):
            pass
        assert rerank(client, scored).json()["results"] == first
        assert lanes(client) == [1, 2]


def test_metrics_count_requests_batches_and_seconds(shop, scored):
    with serving(shop) as client:
        rerank(client, scored)
        rerank(client, scored)
        rerank(client, [])
        client.get("/elsewhere")
        text = client.get("/metrics").text
    assert 'grapher_jax_requests_total{index="index",path="/v1/rerank",status="200"} 2.0' in text
    assert 'grapher_jax_requests_total{index="",path="/v1/rerank",status="422"} 1.0' in text
    assert 'grapher_jax_requests_total{index="",path="other",status="404"} 1.0' in text
    assert 'grapher_jax_request_seconds_count{index="index",path="/v1/rerank"} 2.0' in text
    assert 'grapher_jax_objects{index="index"} 6.0' in text
    assert 'grapher_jax_batch_size_count{lane="rank"} 1.0' in text
    assert 'grapher_jax_queue_depth{lane="embed"} 0.0' in text


def test_openapi_describes_what_is_taken_and_given(client, scored):
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) == {
        *("/v1/rerank", "/v2/rerank", "/v1/search", "/health", "/health/live", "/metrics"),
        *("/docs", "/v1/reload", "/rerank", "/v1/models"),
    }

    def schema(path, *way):
        found = document["paths"][path]["post"]
        for step in (*way, "content", "application/json", "schema"):
            found = found[step]
        return Draft202012Validator(found | {"components": document["components"]})

    body = {"query": "?", "documents": ["text", *scored], "top_n": 3}
    schema("/v1/rerank", "requestBody").validate(body)
    assert not schema("/v1/rerank", "requestBody").is_valid(body | {"documents": [3]})
    answer = rerank(client, scored, explain=True, return_documents=True)
    schema("/v1/rerank", "responses", "200").validate(answer.json())
    found = client.post("/v1/search", json={"query": "orders"})
    schema("/v1/search", "responses", "200").validate(found.json())
    schema("/v1/search", "responses", "422").validate(rerank(client, []).json())


def test_a_page_describes_it_too_and_loads_nothing(client):
    page = client.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    document = client.get("/openapi.json").json()
    for name in (*document["paths"], *document["components"]["schemas"]):
        assert name in page.text
    assert not re.findall(r"<script|<link|<img|@import|url\(", page.text)


def test_the_page_is_escaped():
    mark = "<script>"
    schema = {"description": mark, "properties": {mark: {"type": mark, "default": mark}}}
    page = render(
        {
            "info": {"title": mark, "version": mark, "description": mark},
            "paths": {mark: {mark: {"description": mark, "responses": {mark: {}}}}},
            "components": {"schemas": {mark: schema}},
        }
    )
    assert mark not in page
    assert page.count("&lt;script&gt;") >= 11


def test_it_counts_as_ready_once_it_is_warm(shop, held):
    class Waiting(OfflineEmbedder):
        def embed_queries(self, texts, **_):
            held.begun.set()
            assert held.open.wait(20)
            return super().embed_queries(texts[:0])

    app = create_app(replace(shop, embedder=Waiting()))
    with TestClient(app) as client:
        assert held.begun.wait(20)
        check_problem(client.get("/health"), 503, "starting")
        assert client.get("/health/live").status_code == 200
        held.open.set()


@pytest.mark.nightly
@pytest.mark.parametrize("kept", [True, False])
def test_programs_that_are_kept_are_read_after_it_counts_as_ready(shop, held, monkeypatch, kept):
    class Waiting(OfflineEmbedder):
        def embed_queries(self, texts, **options):
            if len(texts) > 1:  # none of the commonest requests
                held.begun.set()
                assert held.open.wait(20)
            return super().embed_queries(texts[:1], **options)

    monkeypatch.setattr(Programs, "kept", kept)
    with TestClient(create_app(replace(shop, embedder=Waiting()))) as client:
        assert held.begun.wait(60)
        assert client.get("/health").status_code == (200 if kept else 503)
        held.open.set()


def test_a_warm_up_that_fails_is_told(shop, caplog):
    class Broken(OfflineEmbedder):
        def embed_queries(self, texts, **_):
            raise RuntimeError("broken")

    # A network's programs are compiled by its first requests, so this warm-up is short.
    app = create_app(replace(shop, embedder=Broken()), gj.Reranker(ranker="gat"))
    with TestClient(app) as client:
        while client.get("/health").status_code == 503:
            pass
        assert client.get("/health").json() == {"status": "cold"}
    assert "a step of the warm-up failed" in caplog.text


def test_the_end_waits_for_one_step_of_the_warm_up(shop):
    steps = []

    class Slow(OfflineEmbedder):
        def embed_queries(self, texts, **options):
            steps.append(len(texts))
            begun.set()
            assert ended.wait(20)
            return super().embed_queries(texts, **options)

    begun, ended = threading.Event(), threading.Event()
    with TestClient(create_app(replace(shop, embedder=Slow()))):
        assert begun.wait(20)
        threading.Timer(0.2, ended.set).start()
    assert steps == [1]


def test_a_plain_search_does_not_wait_for_what_embeds_documents(shop):
    class Slow(OfflineEmbedder):
        def embed_objects(self, texts, **options):
            begun.set()
            assert ended.wait(20)
            return super().embed_objects(texts, **options)

    begun, ended = threading.Event(), threading.Event()
    with serving(replace(shop, embedder=Slow())) as client, ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(rerank, client, ["a dog"])
        assert begun.wait(20)
        found = client.post("/v1/search", json={"query": "Who bought?"})
        assert found.status_code == 200
        assert not waiting.done()
        ended.set()
        assert waiting.result().status_code == 200


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
        while 'queue_depth{lane="embed"} 15.0' not in client.get("/metrics").text:
            pass
        refused = post(client, body)
        check_problem(refused, 503, "too many bytes wait")
        assert refused.headers["retry-after"] == "1"
        held.open.set()
        assert [answer.result().status_code for answer in waiting] == [200] * 16
        assert post(client, body).status_code == 200


@pytest.mark.parametrize(
    ("name", "value"), [("max_body", 0), ("max_documents", -1), ("answer_seconds", 0.0)]
)
def test_a_limit_is_above_nothing(name, value):
    with pytest.raises(InputError, match=f"{name}: {value} must be above 0"):
        Settings(**{name: value})


def test_asgi_clients_reach_it_too(shop, scored):
    import asyncio

    app = create_app(shop, warm_up=False)

    async def talk():
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://service") as client,
        ):
            asked = [{"query": "?", "documents": scored[: 1 + i % 4]} for i in range(20)]
            asked[7]["documents"] = [scored[0], scored[0]]
            posts = [client.post("/v1/rerank", json=one) for one in asked]
            return await asyncio.gather(*posts)

    answers = asyncio.run(talk())
    assert [answer.status_code for answer in answers] == [200] * 7 + [422] + [200] * 12
    assert [len(a.json()["results"]) for a in answers[:4]] == [1, 2, 3, 4]


def test_what_scores_documents_scores_all_of_them(shop):
    fails = []

    def refused():
        raise GrapherError("base: http://inside/rerank cannot be asked")

    def longest(question, texts):
        if fails:
            return fails[-1]()
        return [float(len(text)) for text in texts]

    documents = [{"text": "a"}, {"text": "aaa", "score": 0.1}, {"id": "songs"}]
    with serving(shop, gj.Reranker(ranker="base", base=longest, scores="none")) as client:
        answer = rerank(client, [documents[0], documents[2]], return_documents=True).json()
        assert [one["index"] for one in answer["results"]] == [1, 0]
        assert answer["results"][0]["relevance_score"] == len("songs: title, artist, length")
        assert answer["meta"]["scores"] == "none"
        assert rerank(client, documents, scores="rank").json()["message"].startswith("documents: 1")
        hits = client.post("/v1/search", json={"query": "songs", "top_n": 1}).json()["results"]
        assert hits[0]["score"] == max(len(item.text) for item in shop.objects)
        for reason in (
            refused,
            lambda: float("http://inside/rerank"),
            lambda: [float("nan")],
        ):
            fails.append(reason)
            found = client.post("/v1/search", json={"query": "songs"})
            for answer in (rerank(client, documents[:1]), found):
                check_problem(answer, 502, "has failed; its log has more")
                assert "inside" not in answer.text
