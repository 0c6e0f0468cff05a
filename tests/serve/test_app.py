"""What the service answers, and how it describes itself."""

import asyncio
import re

import httpx
import numpy as np
import pytest
from in_process import check_problem, post, rerank, serving
from jsonschema import Draft202012Validator

import grapher_jax as gj
from grapher_jax.errors import GrapherError, GrapherWarning, InputError
from grapher_jax.serve import create_app
from grapher_jax.serve.docs_page import render


@pytest.fixture(scope="module")
def client(shop):
    with serving(shop, gj.Reranker(alpha=0.3), max_body=200_000, max_documents=50) as made:
        yield made


def test_a_rerank_is_that_of_a_reranker(client, scored):
    answer = rerank(client, scored).json()
    hits = gj.Reranker(ranker="diffusion", alpha=0.3).rerank("?", scored)
    assert answer["model"] == "diffusion"
    assert [scored[r["index"]]["id"] for r in answer["results"]] == [hit.id for hit in hits]
    np.testing.assert_allclose(
        [r["relevance_score"] for r in answer["results"]], [h.score for h in hits], atol=1e-6
    )
    assert all(set(result) == {"index", "relevance_score"} for result in answer["results"])


@pytest.mark.filterwarnings("ignore::grapher_jax.errors.GrapherWarning")
def test_keys_beside_metadata_are_told_to_the_client(client):
    documents = [{"text": "a", "score": 1.0, "foreign_keys": ["b"]}, {"id": "b", "score": 0.5}]
    meta = rerank(client, documents).json()["meta"]
    assert meta["warnings"] == [
        "documents: 'foreign_keys' beside metadata is not read; put it into metadata as "
        "'foreign_keys' (1 object, such as 'documents[0]')"
    ]
    assert "warnings" not in rerank(client, documents[1:]).json()["meta"]


@pytest.mark.parametrize("count", [3, 45])
def test_a_blank_text_among_others_is_ranked_last_and_told(client, count):
    texts = ["Trees are green.", "", *(f"Ann bought boat {n}." for n in range(2, count))]
    answer = rerank(client, texts, query="Who bought a boat?").json()
    assert {result["index"] for result in answer["results"][-2:]} == {0, 1}
    (told,) = answer["meta"]["warnings"]
    assert told.startswith(f"documents: 1 of {count} have no text to compare with the question")
    assert "warnings" not in rerank(client, texts[:1], query="Who?").json()["meta"]


def test_documents_of_the_index_alone_are_ranked_by_the_ranker_of_searches(shop):
    texts = [item.text for item in shop.objects]
    with serving(shop, gj.Reranker()) as client:
        answer = rerank(client, texts, query="orders of customers", top_n=4).json()
        hits = shop.search("orders of customers", k=4)
        assert answer["model"] == "gat"
        assert answer["meta"]["scores"] == "compared"
        assert [shop.ids[one["index"]] for one in answer["results"]] == [hit.id for hit in hits]
        asked = {"query": "orders of customers", "texts": texts}
        by_tei = client.post("/rerank", json=asked).json()
        assert [one["score"] for one in by_tei[:4]] == pytest.approx(
            [one["relevance_score"] for one in answer["results"]], abs=1e-5
        )
        options = {"min_score": hits[1].score - 1e-4, "explain": True, "return_documents": True}
        answer = rerank(client, texts, query="orders of customers", **options)
        shown = answer.json()["results"]
        assert [one["document"]["id"] for one in shown] == [hit.id for hit in hits[:2]]
        assert all(one["document"]["metadata"]["db"] == "shop" for one in shown)
        assert all(one["explanation"] for one in shown)
        # Nothing was compared outside of the index.
        counted = client.get("/metrics").text
        assert 'grapher_jax_batch_size_count{lane="search"} 2.0' in counted
        # Another document, or another edge, and the index does not suffice.
        for more, options in ((["a text of its own"], {}), ([], {"edges": {"cites": "reference"}})):
            other = rerank(client, [*texts, *more], query="orders", **options).json()
            assert other["model"] == "diffusion"


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


def test_names_of_other_services_are_understood(client, scored):
    expected = rerank(client, scored, top_n=2).json()["results"]
    others = [one | {"relevance_score": one["score"]} for one in scored]
    for one in others:
        del one["score"]
    assert rerank(client, others, top_k=2).json()["results"] == expected
    named = [{"title": "songs", "body": "a dog"}, {"title": "cities", "content": "their stores"}]
    texts = ["songs a dog", "cities their stores"]
    by_text = rerank(client, texts, query="which stores?").json()["results"]
    assert rerank(client, named, query="which stores?").json()["results"] == by_text
    found = client.post("/v1/search", json={"query": "which stores?", "top_k": 2}).json()
    assert len(found["results"]) == 2
    assert rerank(client, scored, top_k=0).status_code == 422
    # What cannot be a text, a score or an id stays what nobody reads.
    odd = {"doc_id": "one", "similarity": "cosine", "content": [{"type": "text"}]}
    for asked in (texts, scored):
        plain = [{"text": one} if isinstance(one, str) else one for one in asked]
        odder = rerank(client, [one | odd for one in plain]).json()["results"]
        assert odder == rerank(client, plain).json()["results"]


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


def test_as_many_results_of_a_search_are_explained_as_of_a_rerank(client):
    asked = {"query": "orders of customers", "top_n": 51}
    assert client.post("/v1/search", json=asked).is_success
    found = client.post("/v1/search", json=asked | {"explain": True})
    check_problem(found, 422, "explain: of 50 results at most; give a top_n")


def test_a_search_leaves_documents_out_as_a_rerank_does(client):
    def results(**further):
        asked = {"query": "orders of customers", "top_n": 3} | further
        return client.post("/v1/search", json=asked).json()["results"]

    whole, short = results(), results(return_documents=False, explain=True)
    assert results(return_documents=True) == whole
    for full, bare in zip(whole, short, strict=True):
        assert full.keys() - bare.keys() == {"title", "text", "metadata"}
        assert (bare["id"], bare["explanation"]["id"]) == (full["id"], full["id"])


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
def test_a_request_may_name_the_ranker_that_there_is(client, name):
    asked = {"query": "orders", "ranker": name}
    for path, body in (("search", {}), ("rerank", {"documents": ["orders", "songs"]})):
        found = client.post(f"/v1/{path}", json=asked | body)
        assert (found.status_code, found.json()["model"]) == (200, "diffusion")


def test_large_numbers_that_are_finite_are_taken(client):
    body = '{"query": "?", "documents": [{"text": "a", "x": [1e300, -1e-400]}]}'
    assert post(client, body).status_code == 200


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
    for further in ({}, {"return_documents": False}):
        found = client.post("/v1/search", json={"query": "orders"} | further)
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


def test_each_index_needs_a_reranker(shop):
    with pytest.raises(InputError, match="reranker: there is none for 'shop'; give one for each"):
        create_app({"shop": shop}, {"other": gj.Reranker()})


def test_asgi_clients_reach_it_too(shop, scored):
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


def test_what_scores_documents_scores_all_of_them(shop, caplog):
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
        # The scores of a request are not read, nor is their scale.
        scored = [{"text": "aaa", "score": 0.1}, {"text": "a", "score": 0.2}]
        for scale in ("cosine", "rank"):
            found = rerank(client, scored, scores=scale).json()
            assert [one["relevance_score"] for one in found["results"]] == [3, 1]
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
                assert answer.json()["id"] in caplog.text
