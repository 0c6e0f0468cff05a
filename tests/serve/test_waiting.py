"""Who waits for whom: programs that are compiled, the warm-up, and slow work."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import groupby

import jax
import pytest
from in_process import check_problem, rerank, serving
from starlette.testclient import TestClient

import grapher_jax as gj
from grapher_jax.rankers.batching import Lane
from grapher_jax.retrieve.embedders.offline import OfflineEmbedder
from grapher_jax.serve import answering, create_app
from grapher_jax.serve.programs import Programs


def lanes(client, *names):
    """Batches of these lanes so far."""
    text = client.get("/metrics").text
    return [float(re.search(rf'batch_size_count{{lane="{n}"}} (.+)', text)[1]) for n in names]


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
            assert lanes(client, "rank", "compile") == expected


def test_long_texts_are_embedded_block_by_block(shop):
    texts = [f"{'store ' * (number % 9)}song {number}" for number in range(70)]
    expected = gj.Reranker().rerank("which stores?", texts)
    with serving(shop) as client:
        found = rerank(client, [{"text": text} for text in texts], query="which stores?").json()
        assert lanes(client, "embed")[0] >= 4  # three blocks, and the comparison
    best = [result["index"] for result in found["results"]]
    assert best == [hit.index for hit in expected]


def test_long_lists_are_embedded_one_after_the_other(shop, monkeypatch):
    told, embedded = [], answering._embedded

    class Noting(OfflineEmbedder):
        def embed_objects(self, texts, **options):
            if not told:
                assert come.wait(20)
            told.append(texts[0].split()[0])
            return super().embed_objects(texts, **options)

    come, arrived = threading.Event(), []

    async def noted(lanes, engine, documents):
        arrived.append(documents)
        if len(arrived) == 2:
            come.set()
        return await embedded(lanes, engine, documents)

    monkeypatch.setattr(answering, "_embedded", noted)
    lists = [[{"text": f"{name} song {n}"} for n in range(70)] for name in ("blue", "red")]
    with serving(replace(shop, embedder=Noting())) as client, ThreadPoolExecutor(2) as threads:
        assert all(
            found.is_success for found in threads.map(lambda own: rerank(client, own), lists)
        )
    # In turns, the second would begin before the first has ended.
    assert [name for name, _ in groupby(told)] in (["blue", "red"], ["red", "blue"])


def test_only_the_first_step_of_a_request_may_be_refused(shop, monkeypatch):
    admitted, ask = [], Lane.ask

    def asked(lane, *given, **options):
        admitted.append(options["admitted"])
        return ask(lane, *given, **options)

    monkeypatch.setattr(Lane, "ask", asked)
    with serving(shop) as client:
        for _ in range(2):
            assert rerank(client, [{"text": f"song {number}"} for number in range(70)]).is_success
    first, *later = admitted[: len(admitted) // 2]
    assert not first
    assert len(later) == 4
    assert all(later)
    assert admitted == 2 * [first, *later]


@pytest.mark.nightly
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
        assert lanes(client, "rank", "compile") == [1, 2]


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
        assert client.head("/health").status_code == 503
        assert client.get("/health/live").status_code == 200
        assert client.head("/health/live").status_code == 200
        held.open.set()


def test_a_request_that_embeds_does_not_wait_for_the_warm_up(shop, held):
    class Waiting(OfflineEmbedder):
        def embed_queries(self, texts, **options):
            if not held.begun.is_set():  # the first step of the warm-up
                held.begun.set()
                assert held.open.wait(60)
            return super().embed_queries(texts, **options)

    with TestClient(create_app(replace(shop, embedder=Waiting()))) as client:
        assert held.begun.wait(20)
        try:
            assert rerank(client, ["a dog"]).is_success
            assert client.get("/health").status_code == 503
        finally:
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


@pytest.mark.nightly
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


@pytest.mark.nightly
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
