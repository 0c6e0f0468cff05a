"""Clients that close their connections before they are answered."""

import asyncio
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import httpx
import pytest

from grapher_jax.retrieve.embedders.offline import OfflineEmbedder
from grapher_jax.serve import Settings, create_app
from grapher_jax.serve.server import listen, server
from grapher_jax.serve.service import Service


class Held(OfflineEmbedder):
    """An embedder that waits until it is let go, and remembers what it was given."""

    def __init__(self):
        self.begun, self.open, self.texts = threading.Event(), threading.Event(), []

    def embed_objects(self, texts, **options):
        self.begun.set()
        assert self.open.wait(60)
        self.texts += texts
        return super().embed_objects(texts, **options)


@contextmanager
def serving(app):
    """The address of a server in a thread of this process."""
    listening, made = listen("127.0.0.1", 0), server(app, read_seconds=10.0)
    with ThreadPoolExecutor(1) as threads:
        ended = threads.submit(made.run, sockets=[listening])
        try:
            yield listening.getsockname()
        finally:
            made.should_exit = True
            ended.result()


def head(body):
    return (
        b"POST /v1/rerank HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        b"content-length: %d\r\n\r\n" % len(body)
    )


def body(text):
    return json.dumps({"query": "?", "documents": [text]}).encode()


@pytest.mark.parametrize("size", [1, pytest.param(300_000, marks=pytest.mark.nightly)])
def test_who_leaves_is_not_worked_for_and_makes_room(shop, size):
    embedder = Held()
    app = create_app(replace(shop, embedder=embedder), None, Settings(max_queue=1), warm_up=False)
    with serving(app) as address, ThreadPoolExecutor(2) as threads:
        url = "http://{}:{}".format(*address)

        def wait_for(line):
            while line not in httpx.get(f"{url}/metrics", timeout=600).text:
                pass

        def post(text):
            asked = {"query": "?", "documents": [text]}
            return httpx.post(f"{url}/v1/rerank", json=asked, timeout=600)

        try:
            first = threads.submit(post, "first")
            assert embedder.begun.wait(60)
            for _ in range(2):
                with socket.create_connection(address) as leaving:
                    given = body("leaving" + "x" * size)
                    leaving.sendall(head(given) + given)
                    wait_for('queue_depth{lane="embed"} 1.0')
                    assert post("too many").status_code == 503
                wait_for('queue_depth{lane="embed"} 0.0')
            last = threads.submit(post, "last")
            wait_for('queue_depth{lane="embed"} 1.0')
        finally:
            embedder.open.set()
        assert [first.result().status_code, last.result().status_code] == [200, 200]
        assert embedder.texts == ["first", "last"]
        wait_for('requests_total{index="index",path="/v1/rerank",status="499"} 2.0')


def test_a_reload_ends_with_its_client(shop, monkeypatch):
    ended = threading.Event()

    async def endless(service, chosen):
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    monkeypatch.setattr(Service, "reload", endless)
    with serving(create_app(shop, warm_up=False)) as address:
        url = "http://{}:{}/v1/reload".format(*address)
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(url, json={}, timeout=2)
        assert ended.wait(20)
