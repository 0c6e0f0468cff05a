"""Spans, as OpenTelemetry's SDK collects them."""

import sys

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from starlette.testclient import TestClient

from grapher_jax.serve import create_app, spans


@pytest.fixture
def collected(monkeypatch):
    """What is collected of spans in this process."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)

    def spans():
        """Those of the service; FastAPI has its own, between these and the request's."""
        found = exporter.get_finished_spans()
        return [one for one in found if one.instrumentation_scope.name == "grapher_jax.serve"]

    spans.all = exporter.get_finished_spans
    return spans


def ask(shop, *requests):
    with TestClient(create_app(shop, warm_up=False), raise_server_exceptions=False) as client:
        return [client.post(path, json=body, headers=headers) for path, body, headers in requests]


def test_a_request_and_its_steps_are_one_trace_within_the_clients(shop, collected):
    headers = {"traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}
    ask(shop, ("/v1/rerank", {"query": "?", "documents": ["a dog", "a cat"]}, headers))
    *steps, request = collected()
    assert [one.name for one in steps] == ["wait", "embed", "wait", "rank"]
    assert request.name == "POST /v1/rerank"
    assert request.parent.span_id == int("b" * 16, 16)
    parents = {one.context.span_id: one.parent.span_id for one in collected.all()}
    for one in steps:
        above = one.parent.span_id
        while above in parents and above != request.context.span_id:
            above = parents[above]
        assert above == request.context.span_id
    assert {one.context.trace_id for one in (*steps, request)} == {int("a" * 32, 16)}
    assert dict(request.attributes) == {
        "http.request.method": "POST",
        "http.route": "/v1/rerank",
        "http.response.status_code": 200,
        "grapher_jax.index": "index",
    }
    assert [one.attributes.get("grapher_jax.batch_size") for one in steps] == [None, 1, None, 1]
    # Each step ends before the next begins, and all within the request.
    times = [time for one in steps for time in (one.start_time, one.end_time)]
    assert [request.start_time, *times, request.end_time] == sorted(
        [request.start_time, *times, request.end_time]
    )


def test_searches_failures_and_unknown_paths_are_told_apart(shop, collected):
    requests = [
        ("/v1/search", {"query": "orders"}, {}),
        ("/v1/search", {"query": "?", "filter": {"color": 1}}, {}),
        ("/elsewhere", {}, {}),
    ]
    ask(shop, *requests)
    told = [one.name for one in collected()]
    # What fails while it is retrieved has no further step.
    assert told == [
        *("wait", "retrieve", "rank", "POST /v1/search"),
        *("wait", "retrieve", "POST /v1/search", "POST other"),
    ]
    statuses = [
        one.attributes["http.response.status_code"]
        for one in collected()
        if one.name.startswith("POST")
    ]
    assert statuses == [200, 422, 404]
    assert {one.status.status_code for one in collected()} == {StatusCode.UNSET}


def test_who_only_watches_the_service_leaves_no_spans(shop, collected):
    with TestClient(create_app(shop, warm_up=False)) as client:
        for path in ("/health", "/health/live", "/metrics"):
            assert client.get(path).status_code == 200
    assert collected() == []


def test_without_opentelemetry_nothing_is_done(shop, monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    (answer,) = ask(shop, ("/v1/search", {"query": "orders"}, {}))
    assert answer.status_code == 200
    assert "Traced" not in str(create_app(shop).user_middleware)


def test_a_step_of_a_request_that_is_gone_is_no_span(collected):
    with spans.steps(spans.find_tracer(), "rank") as told:
        pass
    told.begun(1)
    told.then("later")
    assert [one.name for one in collected()] == ["wait"]
